//! Small pieces of the model as values.

use poolwright_expression::quantity::{Count, CountUnit, Money, Quantity};
use poolwright_expression::{Number, Type, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::money::{Cost, CostLine};
use crate::{Address, Meta};

/// A reference to a block.
pub(super) fn reference(address: &Address) -> Value {
    Value::block(address.kind(), address.as_str())
}

/// References in order.
pub(super) fn references<'a>(addresses: impl IntoIterator<Item = &'a Address>) -> Value {
    Value::list(addresses.into_iter().map(reference))
}

/// A quantity, or null.
pub(super) fn quantity<T: Clone + Into<Quantity>>(quantity: Option<&T>) -> Value {
    quantity.map_or(Value::Null, |quantity| Value::quantity(quantity.clone()))
}

/// Money that may be unknown: then unknown, not null.
pub(super) fn known(money: Option<&Money>) -> Value {
    money.map_or_else(|| Value::Unknown(Type::Money(Arc::from([]))), |money| Value::quantity(money.clone()))
}

/// Text, or null.
pub(super) fn text(text: Option<&str>) -> Value {
    text.map_or(Value::Null, Value::string)
}

/// A whole number.
pub(super) fn number(number: u64) -> Value {
    Value::Number(Number::from(number))
}

/// A list of texts.
pub(super) fn texts<'a>(texts: impl IntoIterator<Item = &'a String>) -> Value {
    Value::list(texts.into_iter().map(|text| Value::string(text)))
}

/// A set of texts.
pub(super) fn text_set(texts: impl IntoIterator<Item = String>) -> Value {
    let texts: BTreeSet<String> = texts.into_iter().collect();
    Value::set(texts.iter().map(|text| Value::string(text)))
}

/// A map of texts.
pub(super) fn text_map(map: &BTreeMap<String, String>) -> Value {
    Value::object(map.iter().map(|(key, value)| (key.as_str(), Value::string(value))))
}

/// `{ min, max }`, counts of a unit: a price per GPU times a count of GPUs loses the `/gpu`.
pub(super) fn bounds(unit: CountUnit, min: u64, max: u64) -> Value {
    let count = |number: u64| Value::quantity(Count { number: Number::from(number), unit });
    Value::object([("min", count(min)), ("max", count(max))])
}

/// `{ hourly, monthly }` of `{ floor, expected, ceiling }`.
pub(super) fn cost(cost: Option<&Cost>) -> Value {
    let line = |line: Option<&CostLine>| {
        Value::object([
            ("floor", known(line.and_then(|line| line.floor.as_ref()))),
            ("expected", known(line.and_then(|line| line.expected.as_ref()))),
            ("ceiling", known(line.and_then(|line| line.ceiling.as_ref()))),
        ])
    };
    Value::object([
        ("hourly", line(cost.map(|cost| &cost.hourly))),
        ("monthly", line(cost.map(|cost| &cost.monthly))),
    ])
}

/// What every block has.
pub(super) fn common(meta: &Meta) -> Vec<(&'static str, Value)> {
    vec![
        ("name", Value::string(&meta.name)),
        ("address", Value::string(meta.address.as_str())),
        ("description", text(meta.description.as_deref())),
        ("labels", text_map(&meta.labels)),
        ("protect", Value::Bool(meta.protect)),
        ("module", Value::string("")),
    ]
}
