//! Ranges of whole numbers.

use std::fmt;

use super::unit::UnitError;
use crate::codes;

/// Whole numbers from `min` to `max`, both included; `None` is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Range {
    /// The least; 0 where the text left it out.
    pub min: u64,
    /// The most, if there is one.
    pub max: Option<u64>,
}

impl Range {
    /// Exactly this many.
    #[must_use]
    pub fn exactly(number: u64) -> Self {
        Self { min: number, max: Some(number) }
    }

    /// `0..16`, `4..`, `..16`, `16`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let fail = |why: &str| {
            let message = format!("\"{text}\" is not a range{why}");
            UnitError::new(
                message,
                "a range is written \"0..16\", \"4..\", \"..16\" or \"16\"; both ends belong to it",
            )
        };
        let number = |part: &str| {
            let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            if digits {
                part.parse::<u64>().map_err(|_| fail(": the number is too large"))
            } else {
                Err(fail(""))
            }
        };
        let range = match text.split_once("..") {
            None => Self::exactly(number(text)?),
            Some(("", "")) => return Err(fail(": it has no end")),
            Some((min, "")) => Self { min: number(min)?, max: None },
            Some(("", max)) => Self { min: 0, max: Some(number(max)?) },
            Some((min, max)) => Self { min: number(min)?, max: Some(number(max)?) },
        };
        match range.max {
            Some(max) if max < range.min => Err(UnitError::new(
                format!("\"{text}\" is an empty range: {} is more than {max}", range.min),
                format!("write the smaller end first: \"{max}..{}\"", range.min),
            )
            .coded(codes::OUT_OF_RANGE)),
            _ => Ok(range),
        }
    }

    /// Whether a number lies in it.
    #[must_use]
    pub fn contains(&self, number: u64) -> bool {
        number >= self.min && self.max.is_none_or(|max| number <= max)
    }

    /// What is in both; `None` when nothing is.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Option<Self> {
        let min = self.min.max(other.min);
        let max = match (self.max, other.max) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        max.is_none_or(|max| min <= max).then_some(Self { min, max })
    }
}

/// `0..12`, `4..`, and `16` for exactly 16.
impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.max {
            Some(max) if max == self.min => write!(f, "{max}"),
            Some(max) => write!(f, "{}..{max}", self.min),
            None => write!(f, "{}..", self.min),
        }
    }
}
