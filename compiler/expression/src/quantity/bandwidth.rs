//! Data rates.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::unit::{UnitError, Units, largest_whole};
use crate::Number;

/// A data rate, in bits per second.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Bandwidth(pub Number);

const SHOWN: [(&str, u64); 5] =
    [("Tbps", 1_000_000_000_000), ("Gbps", 1_000_000_000), ("Mbps", 1_000_000), ("kbps", 1_000), ("bps", 1)];
const BITS_OR_BYTES_M: &[(&str, &str)] = &[("Mbps", "bits"), ("MB/s", "bytes, 8 times as much")];
const BITS_OR_BYTES_G: &[(&str, &str)] = &[("Gbps", "bits"), ("GB/s", "bytes, 8 times as much")];
const BITS_OR_BYTES_T: &[(&str, &str)] = &[("Tbps", "bits"), ("TB/s", "bytes, 8 times as much")];
const UNITS: Units = Units {
    what: "a bandwidth",
    example: "400Gbps",
    units: &[
        ("bps", 1),
        ("kbps", 1_000),
        ("Kbps", 1_000),
        ("Mbps", 1_000_000),
        ("Gbps", 1_000_000_000),
        ("Tbps", 1_000_000_000_000),
        ("B/s", 8),
        ("kB/s", 8_000),
        ("KB/s", 8_000),
        ("MB/s", 8_000_000),
        ("GB/s", 8_000_000_000),
        ("TB/s", 8_000_000_000_000),
        ("KiB/s", 8 << 10),
        ("MiB/s", 8 << 20),
        ("GiB/s", 8 << 30),
        ("TiB/s", 8 << 40),
    ],
    usual: &["Gbps"],
    mistaken: &[
        ("Gb/s", BITS_OR_BYTES_G),
        ("Tb/s", BITS_OR_BYTES_T),
        ("Mb/s", BITS_OR_BYTES_M),
        ("GBps", BITS_OR_BYTES_G),
        ("TBps", BITS_OR_BYTES_T),
        ("MBps", BITS_OR_BYTES_M),
        ("GB", BITS_OR_BYTES_G),
        ("Gbit/s", &[("Gbps", "")]),
        ("Gbit", &[("Gbps", "")]),
        ("Mbit/s", &[("Mbps", "")]),
        ("Tbit/s", &[("Tbps", "")]),
        ("Gb", &[("Gbps", "")]),
        // Network speeds are called by their bits: 400G Ethernet.
        ("G", &[("Gbps", "")]),
        ("M", &[("Mbps", "")]),
        ("T", &[("Tbps", "")]),
    ],
    refused: &[],
};

impl Bandwidth {
    /// `400Gbps` (bits), `50GB/s` (bytes).
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        UNITS.parse(text).map(Self)
    }

    /// A number with the unit that it was probably meant to have.
    pub(crate) fn with_units(number: &str) -> String {
        UNITS.with_units(number)
    }

    /// Whether this is exactly 8 times `other`: bytes were written where bits were meant (LANGUAGE §3.8).
    #[must_use]
    pub fn is_eight_times(&self, other: &Self) -> bool {
        !other.0.is_zero() && other.0.checked_mul(&8_u64.into()).is_ok_and(|bits| bits == self.0)
    }
}

/// In bits, in the largest unit in which it is whole or has one decimal: `400Gbps`, `3.2Tbps`.
impl fmt::Display for Bandwidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (unit, factor) in SHOWN {
            let whole = Number::from(factor);
            let tenths = self.0.checked_mul(&10_u64.into()).and_then(|tenths| tenths.checked_div(&whole));
            if let (true, Ok(tenths)) = (self.0 >= whole, tenths)
                && tenths.is_integer()
                && let Ok(number) = self.0.checked_div(&whole)
            {
                return write!(f, "{number}{unit}");
            }
        }
        let (number, unit) = largest_whole(&self.0, &SHOWN);
        write!(f, "{number}{unit}")
    }
}
