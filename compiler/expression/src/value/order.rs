//! A total order of values, for sets. It says nothing about the language's `<`.

use std::cmp::Ordering;

use super::Value;
use crate::quantity::Quantity;

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a.cmp(b),
            (Self::Number(a), Self::Number(b)) => a.cmp(b),
            (Self::String(a), Self::String(b)) => a.cmp(b),
            (Self::List(a), Self::List(b)) | (Self::Set(a), Self::Set(b)) => a.cmp(b),
            (Self::Object(a), Self::Object(b)) => a.cmp(b),
            (Self::Quantity(a), Self::Quantity(b)) => a.cmp(b),
            (Self::Block(a), Self::Block(b)) => a.cmp(b),
            (Self::Unknown(a), Self::Unknown(b)) if a == b => Ordering::Equal,
            (Self::Unknown(a), Self::Unknown(b)) => format!("{a:?}").cmp(&format!("{b:?}")),
            (Self::Sensitive(a), Self::Sensitive(b)) => a.cmp(b),
            _ => rank(self).cmp(&rank(other)),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Quantity(_) => 4,
        Value::Block(_) => 5,
        Value::List(_) => 6,
        Value::Set(_) => 7,
        Value::Object(_) => 8,
        Value::Unknown(_) => 9,
        Value::Sensitive(_) => 10,
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Duration(a), Self::Duration(b)) => a.cmp(b),
            (Self::Bytes(a), Self::Bytes(b)) => a.cmp(b),
            (Self::Bandwidth(a), Self::Bandwidth(b)) => a.cmp(b),
            (Self::Power(a), Self::Power(b)) => a.cmp(b),
            (Self::Energy(a), Self::Energy(b)) => a.cmp(b),
            (Self::Money(a), Self::Money(b)) => {
                (a.currency, a.per, a.time, &a.amount).cmp(&(b.currency, b.per, b.time, &b.amount))
            }
            (Self::Percent(a), Self::Percent(b)) => a.cmp(b),
            (Self::Count(a), Self::Count(b)) => a.cmp(b),
            (Self::Range(a), Self::Range(b)) => a.cmp(b),
            (Self::Hosts(a), Self::Hosts(b)) => a.cmp(b),
            (Self::Date(a), Self::Date(b)) => a.cmp(b),
            (Self::Version(a), Self::Version(b)) => a.cmp(b),
            (Self::Pattern(a), Self::Pattern(b)) => a.cmp(b),
            (Self::Taint(a), Self::Taint(b)) => a.cmp(b),
            _ => kind(self).cmp(&kind(other)),
        }
    }
}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn kind(quantity: &Quantity) -> u8 {
    match quantity {
        Quantity::Duration(_) => 0,
        Quantity::Bytes(_) => 1,
        Quantity::Bandwidth(_) => 2,
        Quantity::Power(_) => 3,
        Quantity::Energy(_) => 4,
        Quantity::Money(_) => 5,
        Quantity::Percent(_) => 6,
        Quantity::Count(_) => 7,
        Quantity::Range(_) => 8,
        Quantity::Hosts(_) => 9,
        Quantity::Date(_) => 10,
        Quantity::Version(_) => 11,
        Quantity::Pattern(_) => 12,
        Quantity::Taint(_) => 13,
    }
}
