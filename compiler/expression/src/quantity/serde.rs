//! Quantities in JSON (CONTRACT §4): numbers in base units where there is one, text in the canonical form elsewhere.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{
    Currency, Date, Hosts, Money, Pattern, Percent, Quantity, Range, Taint, Version, VersionConstraint, money,
};
use crate::Number;

macro_rules! as_text {
    ($($ty:ident: $write:expr, $read:expr;)+) => {$(
        impl Serialize for $ty {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let write: fn(&$ty) -> String = $write;
                serializer.serialize_str(&write(self))
            }
        }

        impl<'de> Deserialize<'de> for $ty {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                let read: fn(&str) -> Result<$ty, super::UnitError> = $read;
                read(&text).map_err(D::Error::custom)
            }
        }
    )+};
}

as_text! {
    Percent: Percent::to_exact, Percent::parse_exact;
    Currency: ToString::to_string, Currency::parse;
    Range: ToString::to_string, Range::parse;
    Hosts: Hosts::fold, parse_hosts;
    Date: ToString::to_string, Date::parse;
    Version: ToString::to_string, Version::parse;
    VersionConstraint: ToString::to_string, VersionConstraint::parse;
    Pattern: ToString::to_string, Pattern::parse;
    Taint: ToString::to_string, Taint::parse;
}

fn parse_hosts(text: &str) -> Result<Hosts, super::UnitError> {
    if text.is_empty() { Ok(Hosts(Vec::new())) } else { Hosts::parse(text) }
}

/// Money in JSON: `{"amount":"2.10","currency":"USD","per":"gpu/h"}`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MoneyJson {
    amount: String,
    currency: Currency,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    per: String,
}

/// Exact with at least 2 decimals, or 12 significant digits where it has no end.
fn amount_text(amount: &Number) -> String {
    match amount.decimals() {
        Some(decimals) => amount.to_decimal_string(decimals.max(2)),
        None => amount.significant(12),
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        MoneyJson { amount: amount_text(&self.amount), currency: self.currency, per: self.per_text() }
            .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = MoneyJson::deserialize(deserializer)?;
        let amount = Number::parse(&json.amount).map_err(D::Error::custom)?;
        let unknown = || D::Error::custom(format!("money cannot be per \"{}\"", json.per));
        let (per, time) = money::parse_per(&json.per).ok_or_else(unknown)?;
        Ok(Self { amount, currency: json.currency, per, time })
    }
}

impl Serialize for Quantity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Duration(value) => value.serialize(serializer),
            Self::Bytes(value) => value.serialize(serializer),
            Self::Bandwidth(value) => value.serialize(serializer),
            Self::Power(value) => value.serialize(serializer),
            Self::Energy(value) => value.serialize(serializer),
            Self::Money(value) => value.serialize(serializer),
            Self::Percent(value) => value.serialize(serializer),
            Self::Count(value) => value.serialize(serializer),
            Self::Range(value) => value.serialize(serializer),
            Self::Hosts(value) => value.serialize(serializer),
            Self::Date(value) => value.serialize(serializer),
            Self::Version(value) => value.serialize(serializer),
            Self::Pattern(value) => value.serialize(serializer),
            Self::Taint(value) => value.serialize(serializer),
        }
    }
}
