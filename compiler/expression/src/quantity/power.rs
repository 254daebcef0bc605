//! Power and energy.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::unit::{UnitError, Units, largest_above_one};
use crate::Number;

/// Power, in watts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Power(pub Number);

/// Energy, in watt-hours.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Energy(pub Number);

const POWER: [(&str, u64); 4] = [("GW", 1_000_000_000), ("MW", 1_000_000), ("kW", 1_000), ("W", 1)];
const ENERGY: [(&str, u64); 4] = [("GWh", 1_000_000_000), ("MWh", 1_000_000), ("kWh", 1_000), ("Wh", 1)];

const POWER_UNITS: Units = Units {
    what: "a power",
    example: "8.5kW",
    units: &POWER,
    usual: &["W", "kW"],
    mistaken: &[("KW", &[("kW", "")]), ("w", &[("W", "")])],
    refused: &[
        ("kWh", "this is energy; power is written \"kW\""),
        ("mW", "\"mW\" is a thousandth of a watt; a megawatt is \"MW\""),
    ],
};
const ENERGY_UNITS: Units = Units {
    what: "an energy",
    example: "12kWh",
    units: &ENERGY,
    usual: &["kWh"],
    mistaken: &[],
    refused: &[("kW", "this is power; energy is written \"kWh\"")],
};

impl Power {
    /// A number with each unit that it was probably meant to have.
    pub(crate) fn with_units(number: &str) -> String {
        POWER_UNITS.with_units(number)
    }

    /// `8.5kW`, `700W`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        POWER_UNITS.parse(text).map(Self)
    }
}

impl Energy {
    /// A number with the unit that it was probably meant to have.
    pub(crate) fn with_units(number: &str) -> String {
        ENERGY_UNITS.with_units(number)
    }

    /// `12kWh`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        ENERGY_UNITS.parse(text).map(Self)
    }
}

/// In the largest unit of which there is at least one: `8.5kW`.
impl fmt::Display for Power {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, unit) = largest_above_one(&self.0, &POWER);
        write!(f, "{number}{unit}")
    }
}

/// In the largest unit of which there is at least one: `12kWh`.
impl fmt::Display for Energy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, unit) = largest_above_one(&self.0, &ENERGY);
        write!(f, "{number}{unit}")
    }
}
