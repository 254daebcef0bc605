//! How great Slurm's integers are. A greater number would be cut to its last bits without a word, or mean "no limit";
//! here it is refused where it was written.

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::Number;
use poolwright_expression::quantity::Duration;

use super::Lowering;
use crate::{codes, form};

/// The most that a number may be.
#[derive(Clone, Copy)]
pub(super) struct Bound {
    most: u64,
    unit: &'static str,
    why: &'static str,
}

/// `MaxTime`, `MaxWall`: read as seconds in 31 bits, rounded up to minutes by adding 59 (`time_str2mins`,
/// src/common/parse_time.c, 22.05 to 25.05).
const MINUTES: Bound =
    Bound { most: 35_791_393, unit: "minutes", why: "Slurm reads a time limit as seconds in 31 bits" };

/// `PreemptExemptTime`: `time_str2secs`, the same.
const CLOCK: Bound =
    Bound { most: 0x7fff_ffff, unit: "seconds", why: "Slurm reads it as seconds in 31 bits" };

/// `GraceTime`: a `uint32_t`, in which 0xfffffffe is "not set" and 0xffffffff "infinite" (slurm.h).
const GRACE: Bound =
    Bound { most: 0xffff_fffd, unit: "seconds", why: "32 bits, and the two greatest numbers have a meaning" };

/// `Fairshare`: `uint32_t shares_raw`, in which 0x7fffffff is "as the parent" (slurmdb.h, `SLURMDB_FS_USE_PARENT`).
pub(super) const SHARES: Bound =
    Bound { most: 0x7fff_fffe, unit: "shares", why: "31 bits, and the greatest number means `parent`" };

/// Limits on TRES: a `uint64_t`, in which the two greatest are "not set" and "infinite" (slurm.h).
pub(super) const TRES: Bound =
    Bound { most: u64::MAX - 2, unit: "", why: "64 bits, and the two greatest numbers have a meaning" };

impl Bound {
    /// Whether a number fits.
    pub(super) const fn holds(self, value: u64) -> bool {
        value <= self.most
    }
}

impl Lowering<'_> {
    /// A time limit in whole minutes, rounded up, as Slurm shows it.
    pub(super) fn minutes(&mut self, what: &str, duration: &Duration, span: Span) -> Option<String> {
        // What cannot be divided is too great as it is.
        let minutes =
            duration.0.checked_div(&Number::from(60_u64)).unwrap_or_else(|_| duration.0.clone()).ceil();
        Some(form::time(self.at_most(what, &minutes, MINUTES, span)?.checked_mul(60)?))
    }

    /// A time to the second, rounded up, as Slurm shows it.
    pub(super) fn clock(&mut self, what: &str, duration: &Duration, span: Span) -> Option<String> {
        self.at_most(what, &duration.0.ceil(), CLOCK, span).map(form::time)
    }

    /// A grace time in whole seconds, rounded up.
    pub(super) fn grace(&mut self, what: &str, duration: &Duration, span: Span) -> Option<u64> {
        self.at_most(what, &duration.0.ceil(), GRACE, span)
    }

    /// A number that Slurm keeps, or a word about the one that it does not; once, however many objects have it.
    pub(super) fn at_most(&mut self, what: &str, value: &Number, bound: Bound, span: Span) -> Option<u64> {
        if let Some(value) = value.to_u64().filter(|value| bound.holds(*value)) {
            return Some(value);
        }
        let Bound { most, unit, why } = bound;
        let with = |number: &str| format!("{number} {unit}").trim_end().to_owned();
        let refused = Diagnostic::error(
            codes::TOO_GREAT,
            format!("{what}, {}, is more than Slurm keeps", with(&value.to_string())),
        )
        .at(span, format!("at most {}", with(&most.to_string())))
        .with_note(why)
        .with_help("write a smaller number, or leave it out where that means no limit");
        if !self.out.diagnostics.contains(&refused) {
            self.report(refused);
        }
        None
    }
}
