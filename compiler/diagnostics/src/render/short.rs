//! One line a diagnostic: `file:line:column: error[PW1003]: message`.

use super::clean;
use crate::{Diagnostic, SourceMap};

/// The diagnostics, one line each.
#[must_use]
pub fn short(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let place = diagnostic.primary().map(|label| sources.place(label.span)).unwrap_or_default();
        if !place.is_empty() {
            out.push_str(&clean(&place));
            out.push_str(": ");
        }
        let (severity, code) = (diagnostic.severity.as_str(), diagnostic.code);
        out.push_str(&format!("{severity}[{code}]: {}\n", clean(&diagnostic.message)));
    }
    out
}
