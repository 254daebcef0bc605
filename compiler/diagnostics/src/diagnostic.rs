//! The diagnostic itself.

use crate::{Code, Span};

/// How bad it is. An error stops the run before anything is written; a warning does not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The run cannot go on to its result.
    Error,
    /// Allowed, and probably not what was meant.
    Warning,
    /// A fact worth knowing.
    Note,
}

impl Severity {
    /// `error`, `warning` or `note`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A span with a few words about its part in the matter. The first primary label is where the fault is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What this place has to do with it; may be empty on the primary label.
    pub text: String,
    /// Whether this is the place of the fault, not of something that took part in it.
    pub primary: bool,
}

/// Whether a fix may be applied without asking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Applicability {
    /// Surely what was meant: may be applied without asking.
    Safe,
    /// Plausible, to be looked at.
    Unsafe,
    /// Shown only: it has a place to fill in.
    HasPlaceholders,
}

/// A replacement of the text under a span.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// What is replaced.
    pub span: Span,
    /// By what.
    pub text: String,
}

/// A change of the source that would remove the diagnostic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What it does, as an instruction.
    pub title: String,
    /// Whether it may be applied without asking.
    pub applicability: Applicability,
    /// The edits, without overlap.
    pub edits: Vec<Edit>,
}

/// A step on the way to the place: `in pool.gpu["a"]`, `called by module.edge`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// What the step is.
    pub text: String,
    /// Where it was written.
    pub span: Option<Span>,
}

/// One finding. Built with the methods below, in the order in which it is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Stable code.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence, lower case, no full stop, names in backticks or quotes; stands alone in the short form.
    pub message: String,
    /// Where, and what else took part.
    pub labels: Vec<Label>,
    /// Facts that explain.
    pub notes: Vec<String>,
    /// What to do, one instruction each.
    pub helps: Vec<String>,
    /// Changes of the source that would remove it.
    pub fixes: Vec<Fix>,
    /// Values of the parts of the expression: `("var.scale", "3")`.
    pub values: Vec<(String, String)>,
    /// How the place was reached, outermost last.
    pub trail: Vec<Frame>,
}

impl Diagnostic {
    fn new(severity: Severity, code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            helps: Vec::new(),
            fixes: Vec::new(),
            values: Vec::new(),
            trail: Vec::new(),
        }
    }

    /// An error.
    #[must_use]
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// A warning.
    #[must_use]
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// A note.
    #[must_use]
    pub fn note(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, message)
    }

    /// The place of the fault.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into(), primary: true });
        self
    }

    /// Another place that took part.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into(), primary: false });
        self
    }

    /// A fact that explains.
    #[must_use]
    pub fn with_note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// What to do.
    #[must_use]
    pub fn with_help(mut self, text: impl Into<String>) -> Self {
        self.helps.push(text.into());
        self
    }

    /// A change that removes it.
    #[must_use]
    pub fn with_fix(
        mut self,
        title: impl Into<String>,
        applicability: Applicability,
        edits: Vec<Edit>,
    ) -> Self {
        self.fixes.push(Fix { title: title.into(), applicability, edits });
        self
    }

    /// A value of a part of the expression.
    #[must_use]
    pub fn with_value(mut self, of: impl Into<String>, value: impl Into<String>) -> Self {
        self.values.push((of.into(), value.into()));
        self
    }

    /// A step on the way to the place.
    #[must_use]
    pub fn with_frame(mut self, text: impl Into<String>, span: Option<Span>) -> Self {
        self.trail.push(Frame { text: text.into(), span });
        self
    }

    /// Whether it is an error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The first primary label, else the first label.
    #[must_use]
    pub fn primary(&self) -> Option<&Label> {
        self.labels.iter().find(|label| label.primary).or_else(|| self.labels.first())
    }

    /// Sorts by place, then code, then message, drops exact repetitions and tells once what is the same of several
    /// instances: the order in which a run shows them.
    pub fn sort(all: &mut Vec<Self>) {
        all.sort_by(|a, b| {
            let place = |d: &Self| d.primary().map(|label| label.span);
            (place(a), a.code, &a.message).cmp(&(place(b), b.code, &b.message))
        });
        all.dedup();
        crate::gather::gather(all);
    }
}
