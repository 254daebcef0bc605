//! What can go wrong with a target, by what the caller can do about it.

use poolwright_diagnostics::{Code, Diagnostic};

use crate::codes;
use crate::files::{FileError, FileErrorKind};

/// A class of error. Each has one exit code (CONTRACT §2); retrying helps only where [`ErrorClass::retry`] says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ErrorClass {
    /// What was asked for can never work: a path out of the folder, a folder that is a file. Exit 3.
    Invalid,
    /// Credentials are missing or do not suffice. Exit 10.
    Permission,
    /// Somebody else holds the lock. Exit 6.
    Locked,
    /// Somebody else owns it, or it changed since it was read. Exit 5.
    Conflict,
    /// What was remembered is damaged and is not guessed at. Exit 5.
    Corrupt,
    /// The run was stopped. Exit 8.
    Cancelled,
    /// The target did not answer. Exit 9.
    Unreachable,
    /// It answered, but did not become ready in time. Exit 9.
    Timeout,
    /// The target refused or failed for its own reasons: a full disk, a rejected object. Exit 1.
    Failed,
}

impl ErrorClass {
    /// The exit code of CONTRACT §2.
    #[must_use]
    pub fn exit(self) -> u8 {
        match self {
            Self::Invalid => 3,
            Self::Permission => 10,
            Self::Locked => 6,
            Self::Conflict | Self::Corrupt => 5,
            Self::Cancelled => 8,
            Self::Unreachable | Self::Timeout => 9,
            Self::Failed => 1,
        }
    }

    /// Whether the same call may succeed later without anybody doing anything.
    #[must_use]
    pub fn retry(self) -> bool {
        matches!(self, Self::Locked | Self::Unreachable | Self::Timeout)
    }

    /// As JSON and messages spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::Permission => "permission",
            Self::Locked => "locked",
            Self::Conflict => "conflict",
            Self::Corrupt => "corrupt",
            Self::Cancelled => "cancelled",
            Self::Unreachable => "unreachable",
            Self::Timeout => "timeout",
            Self::Failed => "failed",
        }
    }
}

/// Why a target could not be read or changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TargetError {
    /// What the caller can do.
    pub class: ErrorClass,
    /// Stable code.
    pub code: Code,
    /// One sentence, with what was found and where.
    pub message: String,
    /// More of the same kind, all of them: `live/eks/a.yaml`.
    pub notes: Vec<String>,
    /// Next steps.
    pub helps: Vec<String>,
}

impl TargetError {
    /// An error without notes and helps.
    #[must_use]
    pub fn new(class: ErrorClass, code: Code, message: impl Into<String>) -> Self {
        Self { class, code, message: message.into(), notes: Vec::new(), helps: Vec::new() }
    }

    /// A fact.
    #[must_use]
    pub fn with_note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// A next step.
    #[must_use]
    pub fn with_help(mut self, text: impl Into<String>) -> Self {
        self.helps.push(text.into());
        self
    }

    /// The same as a diagnostic.
    #[must_use]
    pub fn to_diagnostic(&self) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(self.code, self.message.clone());
        diagnostic.notes.clone_from(&self.notes);
        diagnostic.helps.clone_from(&self.helps);
        diagnostic
    }
}

impl From<FileError> for TargetError {
    fn from(error: FileError) -> Self {
        let (class, code, help) = match error.kind {
            FileErrorKind::Permission => (
                ErrorClass::Permission,
                codes::FILE_ACCESS,
                Some("let the user who runs Poolwright read and write this folder"),
            ),
            FileErrorKind::TooLarge => (ErrorClass::Invalid, codes::TOO_LARGE, None),
            FileErrorKind::Full => {
                (ErrorClass::Failed, codes::FILE_ACCESS, Some("make room on the disk, then run it again"))
            }
            FileErrorKind::Crashed => (ErrorClass::Cancelled, codes::FILE_ACCESS, None),
            FileErrorKind::NotFound
            | FileErrorKind::Exists
            | FileErrorKind::NotEmpty
            | FileErrorKind::WrongKind
            | FileErrorKind::Other => (ErrorClass::Failed, codes::FILE_ACCESS, None),
        };
        let mut made = Self::new(class, code, error.to_string());
        made.helps.extend(help.map(String::from));
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_class_has_the_exit_code_of_the_contract() {
        let table = [
            (ErrorClass::Invalid, 3, false),
            (ErrorClass::Permission, 10, false),
            (ErrorClass::Locked, 6, true),
            (ErrorClass::Conflict, 5, false),
            (ErrorClass::Corrupt, 5, false),
            (ErrorClass::Cancelled, 8, false),
            (ErrorClass::Unreachable, 9, true),
            (ErrorClass::Timeout, 9, true),
            (ErrorClass::Failed, 1, false),
        ];
        for (class, exit, retry) in table {
            assert_eq!((class.exit(), class.retry()), (exit, retry), "{}", class.as_str());
        }
    }
}
