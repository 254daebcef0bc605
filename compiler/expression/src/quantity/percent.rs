//! Shares.

use std::fmt;

use super::unit::{UnitError, Units};
use crate::Number;

/// A share: 0.15 for 15 %.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Percent(pub Number);

const UNITS: Units = Units {
    what: "a percentage",
    example: "15%",
    units: &[("%", 1)],
    usual: &["%"],
    mistaken: &[],
    refused: &[],
};

impl Percent {
    /// `15%`, `0.5%`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let hundredths = UNITS.parse(text)?;
        hundredths.checked_div(&100_u64.into()).map(Self).map_err(|_| UNITS.too_large(text))
    }

    /// 15 for 15 %.
    #[must_use]
    pub fn hundredths(&self) -> Number {
        self.0.checked_mul(&100_u64.into()).unwrap_or_else(|_| self.0.clone())
    }

    /// The exact text, `n/d%` where it has no end.
    pub(super) fn to_exact(&self) -> String {
        format!("{}%", self.hundredths().to_exact_string())
    }

    /// What [`Percent::to_exact`] gives.
    pub(super) fn parse_exact(text: &str) -> Result<Self, UnitError> {
        let Some(number) = text.strip_suffix('%').filter(|number| number.contains('/')) else {
            return Self::parse(text);
        };
        Number::parse_exact(number)
            .and_then(|hundredths| hundredths.checked_div(&100_u64.into()))
            .map(Self)
            .map_err(|_| UnitError::new(format!("\"{text}\" is not a percentage"), "write it like \"15%\""))
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.hundredths())
    }
}
