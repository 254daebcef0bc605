//! Quantities: values with a unit or a form of their own (LANGUAGE §3.8). One file each; the model uses them
//! as they are.
//!
//! Each has `parse` for the text of the language, `Display` for its canonical text, and serde for its canonical
//! JSON (CONTRACT §4). Numbers inside are exact and in base units: seconds, bytes, bits per second, watts, watt-hours.

mod bandwidth;
mod bytes;
mod count;
mod date;
mod duration;
mod hosts;
mod money;
mod pattern;
mod percent;
mod power;
mod range;
mod serde;
mod taint;
mod unit;
mod version;

use std::fmt;

pub use bandwidth::Bandwidth;
pub use bytes::Bytes;
pub use count::{Count, CountUnit};
pub use date::Date;
pub use duration::Duration;
pub use hosts::{Hosts, MAX_HOSTS};
pub(crate) use money::in_forms;
pub use money::{Currency, Money, MoneyError, PerTime, PerUnit};
pub use pattern::Pattern;
pub use percent::Percent;
pub use power::{Energy, Power};
pub use range::Range;
pub use taint::Taint;
pub use unit::UnitError;
pub use version::{Version, VersionConstraint};

/// A quantity as a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// `"15m"`
    Duration(Duration),
    /// `"80GiB"`
    Bytes(Bytes),
    /// `"400Gbps"`
    Bandwidth(Bandwidth),
    /// `"8.5kW"`
    Power(Power),
    /// `"12kWh"`
    Energy(Energy),
    /// `"$2.10/gpu/h"`
    Money(Money),
    /// `"15%"`
    Percent(Percent),
    /// `gpus(8)`, `nodes(2)`
    Count(Count),
    /// `"0..16"`
    Range(Range),
    /// `"gpu[001-016]"`
    Hosts(Hosts),
    /// `"2027-01-31"`
    Date(Date),
    /// `"0.19"`
    Version(Version),
    /// `"eu-*"`
    Pattern(Pattern),
    /// `"k=v:NoSchedule"`
    Taint(Taint),
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duration(value) => value.fmt(f),
            Self::Bytes(value) => value.fmt(f),
            Self::Bandwidth(value) => value.fmt(f),
            Self::Power(value) => value.fmt(f),
            Self::Energy(value) => value.fmt(f),
            Self::Money(value) => value.fmt(f),
            Self::Percent(value) => value.fmt(f),
            Self::Count(value) => value.fmt(f),
            Self::Range(value) => value.fmt(f),
            Self::Hosts(value) => value.fmt(f),
            Self::Date(value) => value.fmt(f),
            Self::Version(value) => value.fmt(f),
            Self::Pattern(value) => value.fmt(f),
            Self::Taint(value) => value.fmt(f),
        }
    }
}

macro_rules! from_parts {
    ($($name:ident),+) => {$(
        impl From<$name> for Quantity {
            fn from(value: $name) -> Self {
                Self::$name(value)
            }
        }
    )+};
}

from_parts!(
    Duration, Bytes, Bandwidth, Power, Energy, Money, Percent, Count, Range, Hosts, Date, Version, Pattern,
    Taint
);
