//! What the steps of a traversal may not be, one after another. The expression parser takes more than the language.

use poolwright_diagnostics::{Applicability, Diagnostic, Span};

use crate::codes;
use crate::source::{Source, replace};
use crate::tree::Step;

/// The first fault in the steps of one traversal.
pub(crate) fn fault(source: &Source, steps: &[Step]) -> Option<Diagnostic> {
    two_indexes(source, steps).or_else(|| nested_splat(steps))
}

/// `.0.1` has the number 0.1 in it.
fn two_indexes(source: &Source, steps: &[Step]) -> Option<Diagnostic> {
    steps.windows(2).find_map(|pair| {
        let [Step::LegacyIndex(first, a), Step::LegacyIndex(second, b)] = pair else { return None };
        let both = a.to(*b);
        let text = source.slice(both.start, both.end);
        if text.contains(char::is_whitespace) {
            return None;
        }
        let number = text.trim_start_matches('.');
        let message = format!("`{number}` is one number, not two indexes");
        let dot = if text.starts_with('.') { both.start } else { both.start.saturating_sub(1) };
        let place = Span { start: dot, ..both };
        let edit = replace(place, format!("[{first}][{second}]"));
        Some(Diagnostic::error(codes::BAD_NUMBER, message).at(both, "").with_fix(
            format!("write `[{first}][{second}]`"),
            Applicability::Safe,
            edit,
        ))
    })
}

/// After `.*`, attributes and indexes behind points belong to each element; another `.*` among them has no meaning.
fn nested_splat(steps: &[Step]) -> Option<Diagnostic> {
    let mut inside = false;
    for step in steps {
        match step {
            Step::AttributeSplat(span) if inside => {
                let fault =
                    Diagnostic::error(codes::UNEXPECTED_TOKEN, "`.*` does not go inside of another `.*`");
                return Some(fault.at(*span, "").with_help("write both as `[*]`"));
            }
            Step::AttributeSplat(_) => inside = true,
            Step::Attribute(_) | Step::LegacyIndex(..) => {}
            Step::Index(_) | Step::FullSplat(_) => inside = false,
        }
    }
    None
}
