//! Amounts of data.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::unit::{UnitError, Units, largest_whole};
use crate::Number;

/// An amount of data, in bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Bytes(pub Number);

const BINARY: [(&str, u64); 7] = [
    ("EiB", 1 << 60),
    ("PiB", 1 << 50),
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("B", 1),
];
const DECIMAL: [(&str, u64); 7] = [
    ("EB", 1_000_000_000_000_000_000),
    ("PB", 1_000_000_000_000_000),
    ("TB", 1_000_000_000_000),
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("kB", 1_000),
    ("B", 1),
];
const UNITS: Units = Units {
    what: "an amount of data",
    example: "80GiB",
    units: &[
        ("B", 1),
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("TiB", 1 << 40),
        ("PiB", 1 << 50),
        ("EiB", 1 << 60),
        ("kB", 1_000),
        ("KB", 1_000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("TB", 1_000_000_000_000),
        ("PB", 1_000_000_000_000_000),
        ("EB", 1_000_000_000_000_000_000),
    ],
    usual: &["GiB"],
    mistaken: &[
        ("Ki", &[("KiB", "")]),
        ("Mi", &[("MiB", "")]),
        ("Gi", &[("GiB", "")]),
        ("Ti", &[("TiB", "")]),
        ("Pi", &[("PiB", "")]),
        ("K", &[("KiB", "1024"), ("kB", "1000")]),
        ("k", &[("KiB", "1024"), ("kB", "1000")]),
        ("M", &[("MiB", "1024²"), ("MB", "1000²")]),
        ("G", &[("GiB", "1024³"), ("GB", "1000³")]),
        ("g", &[("GiB", "1024³"), ("GB", "1000³")]),
        ("T", &[("TiB", "1024⁴"), ("TB", "1000⁴")]),
    ],
    refused: &[
        ("Gb", "bits are not an amount of data here; write bytes: \"GB\" or \"GiB\""),
        ("Tb", "bits are not an amount of data here; write bytes: \"TB\" or \"TiB\""),
    ],
};

impl Bytes {
    /// `80GiB`, `2TB`.
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

    /// Whether a text names a decimal unit (`GB`), which for memory is seldom what is meant.
    #[must_use]
    pub fn is_decimal_text(text: &str) -> bool {
        text.ends_with('B')
            && !text.ends_with("iB")
            && !text.ends_with(|c: char| c.is_ascii_digit())
            && DECIMAL.iter().any(|(name, factor)| *factor > 1 && text.ends_with(name))
    }

    /// Whole MiB, down: what Kubernetes and Slurm count memory in.
    #[must_use]
    pub fn mebibytes(&self) -> Option<u64> {
        self.0.checked_div(&Number::from(1_u64 << 20)).ok()?.floor().to_u64()
    }
}

/// In the largest unit in which it is whole: `80GiB`, `2TB`.
impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (binary, decimal) = (largest_whole(&self.0, &BINARY), largest_whole(&self.0, &DECIMAL));
        let (number, unit) = if decimal.0.abs() < binary.0.abs() { decimal } else { binary };
        write!(f, "{number}{unit}")
    }
}
