//! Exit codes (CONTRACT §2).

use poolwright_diagnostics::Diagnostic;

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// 0: done, or nothing to do.
    Done,
    /// 1: an error that has no code of its own.
    Error,
    /// 2: there are changes.
    Changes,
    /// 3: files, arguments, types or references are wrong.
    Invalid,
    /// 4: a policy denies, or an approval is missing.
    Denied,
    /// A code that a backend's error class gave.
    Class(u8),
}

/// Which code is given when several hold: the first of these.
const ORDER: [u8; 11] = [3, 10, 6, 5, 4, 8, 7, 9, 1, 2, 0];

/// The table that `help exit-codes` prints.
pub(crate) const TABLE: &str = "\
exit codes
   0  done, or nothing to do
   1  error
   2  changes present: plan, compile --check, fmt --check, fix --dry-run
   3  invalid input: files, arguments, types, references, or a wrong command line
   4  a policy denied it, or an approval is missing
   5  stale plan, conflict, or digest mismatch
   6  the lock is held
   7  partly applied
   8  cancelled, can be resumed
   9  timeout, unreachable, or not ready
  10  authentication or permission
When several hold, the first of 3, 10, 6, 5, 4, 8, 7, 9, 1, 2, 0 is given.
";

impl Exit {
    /// The code.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Error => 1,
            Self::Changes => 2,
            Self::Invalid => 3,
            Self::Denied => 4,
            Self::Class(code) => code,
        }
    }

    /// The one that is given when both hold.
    pub(crate) fn and(self, other: Self) -> Self {
        let rank = |exit: Self| ORDER.iter().position(|code| *code == exit.code()).unwrap_or(0);
        if rank(other) < rank(self) { other } else { self }
    }

    /// What errors of a comparison or an apply amount to: conflicts are 5, the rest 1.
    pub(crate) fn of(diagnostics: &[Diagnostic]) -> Self {
        let conflicts = [
            poolwright_engine::codes::NOT_OURS,
            poolwright_target::codes::UNOWNED_PATH,
            poolwright_target::codes::DAMAGED_MANIFEST,
            poolwright_target::codes::NEWER_FORMAT,
            poolwright_driver::codes::LEFT_OVER,
            poolwright_engine::codes::STALE,
            poolwright_engine::codes::NOT_APPROVED,
            poolwright_engine::codes::OTHER_TARGET,
            poolwright_engine::codes::PLAN_TAMPERED,
            poolwright_engine::codes::PLAN_TRUNCATED,
        ];
        diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).fold(Self::Done, |exit, diagnostic| {
            exit.and(if conflicts.contains(&diagnostic.code) { Self::Class(5) } else { Self::Error })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_order_wins() {
        assert_eq!(Exit::Changes.and(Exit::Invalid), Exit::Invalid);
        assert_eq!(Exit::Denied.and(Exit::Changes), Exit::Denied);
        assert_eq!(Exit::Class(9).and(Exit::Class(5)), Exit::Class(5));
        assert_eq!(Exit::Done.and(Exit::Changes), Exit::Changes);
    }

    #[test]
    fn the_table_names_every_code() {
        for code in ORDER {
            assert!(TABLE.lines().any(|line| line.trim_start().starts_with(&format!("{code}  "))), "{code}");
        }
    }
}
