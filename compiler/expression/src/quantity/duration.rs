//! Spans of time.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::unit::{UnitError, Units};
use crate::Number;

/// A span of time, in seconds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Duration(pub Number);

const DAY: u64 = 86_400;

const MINUTES: &[(&str, &str)] = &[("m", "minutes")];
const HOURS: &[(&str, &str)] = &[("h", "hours")];
const DAYS: &[(&str, &str)] = &[("d", "days")];
const WEEKS: &[(&str, &str)] = &[("w", "weeks")];

/// From large to small: in a text each comes after the one before.
const UNITS: Units = Units {
    what: "a duration",
    example: "15m",
    units: &[("w", 7 * DAY), ("d", DAY), ("h", 3600), ("m", 60), ("s", 1)],
    usual: &["s", "m", "h"],
    mistaken: &[
        ("min", MINUTES),
        ("mins", MINUTES),
        ("minute", MINUTES),
        ("minutes", MINUTES),
        ("sec", &[("s", "seconds")]),
        ("secs", &[("s", "seconds")]),
        ("seconds", &[("s", "seconds")]),
        ("hr", HOURS),
        ("hrs", HOURS),
        ("hour", HOURS),
        ("hours", HOURS),
        ("H", HOURS),
        ("day", DAYS),
        ("days", DAYS),
        ("D", DAYS),
        ("week", WEEKS),
        ("weeks", WEEKS),
    ],
    refused: &[
        ("M", "a minute is \"m\"; there is no month, its length varies: write days, \"30d\""),
        ("mo", "there is no month, its length varies: write days, \"30d\""),
        ("month", "there is no month, its length varies: write days, \"30d\""),
        ("months", "there is no month, its length varies: write days, \"30d\""),
        ("y", "there is no year, its length varies: write days, \"365d\""),
        ("year", "there is no year, its length varies: write days, \"365d\""),
        ("years", "there is no year, its length varies: write days, \"365d\""),
        ("ms", "write a fraction of a second: \"0.25s\""),
    ],
};

impl Duration {
    /// So many seconds.
    #[must_use]
    pub fn from_seconds(seconds: u64) -> Self {
        Self(seconds.into())
    }

    /// A number with each unit that it was probably meant to have.
    pub(crate) fn with_units(number: &str) -> String {
        UNITS.with_units(number)
    }

    /// `900s`, `15m`, `1h30m`, `7d`, `2w`, `1.5h`: units from large to small, each at most once.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let (negative, mut rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let mut total = Number::ZERO;
        let mut last = u64::MAX;
        loop {
            if rest.starts_with('-') {
                return Err(UnitError::new(
                    format!("\"{text}\" is not a duration"),
                    "only the whole duration may be negative",
                ));
            }
            let (number, after) = UNITS.number(text, rest)?;
            let end = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
            let (unit, after) = after.split_at(end);
            let before = text.len() - unit.len() - after.len();
            let factor = UNITS.factor(text, text.get(..before).unwrap_or(""), unit)?;
            if factor >= last {
                return Err(UnitError::new(
                    format!("\"{text}\" is not a duration: \"{unit}\" comes after a unit that is not larger"),
                    "write units from large to small, each once: \"1h30m\"",
                ));
            }
            last = factor;
            let part = UNITS.times(text, &number, factor)?;
            total = total.checked_add(&part).map_err(|_| UNITS.too_large(text))?;
            rest = after;
            if rest.is_empty() {
                return Ok(Self(if negative { total.neg() } else { total }));
            }
        }
    }
}

/// Days, hours, minutes and seconds, without those that are 0: `1h30m`, `7d`.
impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_zero() {
            return f.write_str("0s");
        }
        if self.0.is_negative() {
            f.write_str("-")?;
        }
        let mut left = self.0.abs();
        for (name, factor) in [("d", DAY), ("h", 3600), ("m", 60)] {
            let factor = Number::from(factor);
            let whole = left.checked_div(&factor).map(|value| value.floor()).unwrap_or_default();
            if !whole.is_zero() {
                write!(f, "{whole}{name}")?;
                left = left.checked_rem(&factor).unwrap_or_default();
            }
        }
        if left.is_zero() { Ok(()) } else { write!(f, "{left}s") }
    }
}
