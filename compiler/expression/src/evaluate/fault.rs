//! What operators and functions report; the evaluator adds the place and makes a diagnostic of it.

use poolwright_diagnostics::{Code, Diagnostic, Span};

use crate::quantity::UnitError;
use crate::{NumberError, Value, codes};

/// The result of evaluating something.
pub(crate) type Outcome<T = Value> = Result<T, Box<Diagnostic>>;

/// Bounds of the evaluation itself are no matter of the expression: nothing that looks at faults hides them.
pub(crate) fn gave_up(diagnostic: &Diagnostic) -> bool {
    [codes::TOO_DEEP, codes::TOO_LARGE].contains(&diagnostic.code)
}

/// Why an operation has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The code of the diagnostic.
    pub code: Code,
    /// One sentence with the values at fault.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// Which argument of a function is at fault, from 0.
    pub argument: Option<usize>,
}

impl Fault {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), help: None, argument: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    pub(crate) fn argument(mut self, index: usize) -> Self {
        self.argument.get_or_insert(index);
        self
    }

    /// Without the values, if they are sensitive: what is left is what the code stands for.
    pub(crate) fn hidden(self, sensitive: bool) -> Self {
        if !sensitive {
            return self;
        }
        let summary =
            codes::CODES.iter().find(|info| info.code == self.code).map_or("it failed", |info| info.summary);
        Self { message: format!("{summary}; the value is sensitive and not shown"), help: None, ..self }
    }

    /// The diagnostic, at a place.
    pub(crate) fn at(self, span: Span) -> Box<Diagnostic> {
        let diagnostic = Diagnostic::error(self.code, self.message).at(span, "");
        Box::new(match self.help {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        })
    }
}

impl From<UnitError> for Fault {
    fn from(error: UnitError) -> Self {
        Self { code: error.code, message: error.message, help: error.help, argument: None }
    }
}

impl From<NumberError> for Fault {
    fn from(error: NumberError) -> Self {
        match error {
            NumberError::DivisionByZero => Self::new(codes::DIVISION_BY_ZERO, "division by zero"),
            NumberError::TooLarge => {
                Self::new(codes::NUMBER_TOO_LARGE, "the number has more than 10,000 digits")
            }
            NumberError::Syntax => Self::new(codes::WRONG_OPERAND, "not a number"),
        }
    }
}
