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
    mistaken: &[
        ("Gb/s", "bits are written \"Gbps\", bytes \"GB/s\" (8 times as much)"),
        ("Tb/s", "bits are written \"Tbps\", bytes \"TB/s\" (8 times as much)"),
        ("Mb/s", "bits are written \"Mbps\", bytes \"MB/s\" (8 times as much)"),
        ("Gbit/s", "bits are written \"Gbps\""),
        ("GBps", "bits are written \"Gbps\", bytes \"GB/s\" (8 times as much)"),
        ("TBps", "bits are written \"Tbps\", bytes \"TB/s\" (8 times as much)"),
        ("MBps", "bits are written \"Mbps\", bytes \"MB/s\" (8 times as much)"),
        ("GB", "a rate is per second: bytes \"GB/s\", bits \"Gbps\""),
        ("Gb", "a rate is per second: \"Gbps\""),
        ("G", "bits are written \"Gbps\", bytes \"GB/s\" (8 times as much)"),
    ],
};

impl Bandwidth {
    /// `400Gbps` (bits), `50GB/s` (bytes).
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        UNITS.parse(text).map(Self)
    }

    /// Whether this is exactly 8 times `other`: bytes were written where bits were meant (LANGUAGE §3.8).
    #[must_use]
    pub fn is_eight_times(&self, other: &Self) -> bool {
        !other.0.is_zero() && other.0.checked_mul(&8_u64.into()).is_ok_and(|bits| bits == self.0)
    }
}

/// In bits, in the largest unit in which it is whole: `1600Gbps`.
impl fmt::Display for Bandwidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, unit) = largest_whole(&self.0, &SHOWN);
        write!(f, "{number}{unit}")
    }
}
