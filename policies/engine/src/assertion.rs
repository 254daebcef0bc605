//! One `condition` with its `error_message`: of tests, checks, preconditions and postconditions.

use poolwright_diagnostics::{Code, Diagnostic, Span};
use poolwright_expression::{Host, Scope, Value, evaluate, reference_values};
use poolwright_model::program::Assert;

use crate::judge::{text, truth};

/// Whether a condition holds.
pub(crate) enum Held {
    Yes,
    /// It is false, or not known.
    No(Failed),
    /// It cannot be evaluated.
    Error(Box<Diagnostic>),
}

/// A condition that does not hold.
pub(crate) struct Failed {
    /// What the block says to that.
    pub(crate) message: String,
    /// Where the condition stands.
    pub(crate) span: Span,
    /// Whether it is false; otherwise it is not known.
    pub(crate) known: bool,
    /// Values of what it names.
    values: Vec<(String, Value)>,
}

/// Evaluates a condition.
pub(crate) fn holds(assert: &Assert, scope: &Scope, host: &dyn Host) -> Held {
    let span = assert.condition.span;
    let known = match truth(evaluate(&assert.condition, scope, host), span) {
        Ok(Some(true)) => return Held::Yes,
        Ok(found) => found.is_some(),
        Err(inside) => return Held::Error(inside),
    };
    let values = reference_values(&assert.condition, scope, host);
    Held::No(Failed {
        message: text(evaluate(&assert.error_message, scope, host)),
        span,
        known,
        values: values.into_iter().map(|(_, text, value)| (text, value)).collect(),
    })
}

impl Failed {
    /// Whether a condition says something only where something is known.
    pub(crate) fn diagnostic(self, code: Code, of: Option<&str>) -> Diagnostic {
        let message = match of {
            Some(of) => format!("{of}: {}", self.message),
            None => self.message,
        };
        let label = if self.known { "is false" } else { "is unknown" };
        let diagnostic = Diagnostic::error(code, message).at(self.span, label);
        self.values
            .into_iter()
            .fold(diagnostic, |diagnostic, (name, value)| diagnostic.with_value(name, value.to_string()))
    }
}

/// What is said of a condition that cannot be evaluated.
pub(crate) fn not_evaluated(code: Code, what: &str, inside: Diagnostic) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(code, format!("{what} cannot be evaluated: {}", inside.message));
    diagnostic.labels = inside.labels;
    diagnostic.helps = inside.helps;
    diagnostic
}
