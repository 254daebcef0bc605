//! One fault of a block that stands for many is told once.

use crate::{Diagnostic, Severity, Span};

/// How many further instances are named.
const NAMED: usize = 3;

/// Joins diagnostics that say the same of instances of one block, in a list that is sorted: the first stays, with a
/// note that names the others.
pub(crate) fn gather(all: &mut Vec<Diagnostic>) {
    let mut kept: Vec<(Diagnostic, Vec<String>)> = Vec::with_capacity(all.len());
    for next in all.drain(..) {
        let place = place(&next);
        let same = kept
            .iter_mut()
            .rev()
            .take_while(|(earlier, _)| self::place(earlier) == place)
            .find(|(earlier, _)| says_the_same(earlier, &next));
        match same {
            Some((_, others)) => others.push(instance(&next).unwrap_or_else(|| next.message.clone())),
            None => kept.push((next, Vec::new())),
        }
    }
    all.extend(kept.into_iter().map(|(diagnostic, others)| told_once(diagnostic, others)));
}

fn place(diagnostic: &Diagnostic) -> (Option<Span>, Severity) {
    (diagnostic.primary().map(|label| label.span), diagnostic.severity)
}

/// Whether two diagnostics of one place are about two instances of one block.
fn says_the_same(a: &Diagnostic, b: &Diagnostic) -> bool {
    let (of_a, of_b) = (instance(a), instance(b));
    a.code == b.code
        && of_a != of_b
        && (of_a.is_some() && of_b.is_some() || without_keys(&a.message) == without_keys(&b.message))
}

/// The instance that a diagnostic is about: the innermost step of its trail, or an address with a key in its message.
fn instance(diagnostic: &Diagnostic) -> Option<String> {
    if let Some(frame) = diagnostic.trail.first() {
        return Some(frame.text.strip_prefix("in ").unwrap_or(&frame.text).to_owned());
    }
    let keyed = diagnostic.message.split('`').skip(1).step_by(2).find(|quoted| quoted.contains('['));
    keyed.map(|address| format!("`{address}`"))
}

/// A message with every `["key"]` and `[0]` taken out.
fn without_keys(message: &str) -> String {
    let mut depth = 0_u32;
    let keep = |character: &char| {
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => return depth == 0,
        }
        false
    };
    message.chars().filter(keep).collect()
}

fn told_once(diagnostic: Diagnostic, others: Vec<String>) -> Diagnostic {
    if others.is_empty() {
        return diagnostic;
    }
    let rest = others.len().saturating_sub(NAMED);
    let named = others.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    diagnostic.with_note(match rest {
        0 => format!("the same in {named}"),
        rest => format!("the same in {named} and {rest} more"),
    })
}

#[cfg(test)]
mod tests {
    use crate::{Code, Diagnostic, FileId, Span};

    const CODE: Code = Code("PW0001");

    fn at(start: u32, message: &str) -> Diagnostic {
        Diagnostic::error(CODE, message).at(Span::new(FileId(0), start, start + 1), "")
    }

    #[test]
    fn instances_are_told_once() {
        let of = |key: &str| at(1, &format!("`pool.x[\"{key}\"]` lacks `nodes`"));
        let mut all =
            vec![of("a"), of("b"), at(1, "something else"), of("c"), of("d"), of("e"), at(9, "last")];
        Diagnostic::sort(&mut all);
        let shown: Vec<&str> = all.iter().map(|found| found.message.as_str()).collect();
        assert_eq!(shown, ["`pool.x[\"a\"]` lacks `nodes`", "something else", "last"]);
        assert_eq!(
            all[0].notes,
            ["the same in `pool.x[\"b\"]`, `pool.x[\"c\"]`, `pool.x[\"d\"]` and 1 more"]
        );
    }

    #[test]
    fn one_block_with_two_faults_keeps_both() {
        let of = |what: &str| at(1, what).with_frame("in `pool.x[\"a\"]`", None);
        let mut all = vec![of("first"), of("second")];
        Diagnostic::sort(&mut all);
        assert_eq!(all.len(), 2);
    }
}
