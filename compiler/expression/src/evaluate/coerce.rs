//! The conversions that operators, templates and functions make by themselves, as HCL does.

use std::sync::Arc;

use super::fault::Fault;
use crate::quantity::{
    Bandwidth, Bytes, Date, Duration, Energy, Hosts, Money, Pattern, Percent, Power, Quantity, Range, Taint,
    UnitError, Version,
};
use crate::{Number, NumberError, Value, codes};

/// A condition: a bool, or the texts `true` and `false`; `None`: not known yet. The value carries no mark.
pub(crate) fn to_bool(value: &Value) -> Result<Option<bool>, Fault> {
    match value {
        Value::Bool(value) => Ok(Some(*value)),
        Value::String(text) if &**text == "true" => Ok(Some(true)),
        Value::String(text) if &**text == "false" => Ok(Some(false)),
        Value::Unknown(ty) if ty.may_be_bool() => Ok(None),
        Value::Unknown(_) => {
            Err(Fault::new(codes::WRONG_OPERAND, format!("{} is not true or false", value.type_name())))
        }
        Value::Null => Err(Fault::new(codes::NULL_OPERAND, "a condition is null, not true or false")
            .help("compare with null first: `x != null && x`")),
        other => Err(Fault::new(
            codes::WRONG_OPERAND,
            format!("{} is not true or false: {other}", other.type_name()),
        )),
    }
}

/// A number, a text that is one, or a count. The value carries no mark and is known.
pub(crate) fn to_number(value: &Value) -> Result<Number, Fault> {
    match value {
        Value::Number(number) => Ok(number.clone()),
        Value::Quantity(Quantity::Count(count)) => Ok(count.number.clone()),
        Value::String(text) => match Number::parse(text) {
            Ok(number) => Ok(number),
            Err(NumberError::TooLarge) => Err(NumberError::TooLarge.into()),
            Err(_) => {
                let fault = Fault::new(codes::WRONG_OPERAND, format!("{value} is not a number"));
                Err(fault.maybe_help(constructor_help(text)))
            }
        },
        Value::Null => Err(Fault::new(codes::NULL_OPERAND, "a number is wanted and the value is null")),
        other => {
            Err(Fault::new(codes::WRONG_OPERAND, format!("{} is not a number: {other}", other.type_name())))
        }
    }
}

/// The text of a value, in a template or where a function wants text. The value carries no mark and is known.
pub(crate) fn to_text(value: &Value) -> Result<Arc<str>, Fault> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Bool(value) => Ok(if *value { "true".into() } else { "false".into() }),
        Value::Number(number) => Ok(number.to_string().into()),
        Value::Quantity(quantity) => Ok(quantity.to_text().into()),
        Value::Null => Err(Fault::new(codes::NOT_TEXT, "null has no text")
            .help("give a value for this case: `x == null ? \"none\" : x`")),
        Value::Block(block) => {
            Err(Fault::new(codes::NOT_TEXT, format!("a reference has no text: {}", block.address))
                .help("use its `.name` or `.address`"))
        }
        Value::List(_) | Value::Set(_) => {
            Err(Fault::new(codes::NOT_TEXT, format!("{} has no text: {value}", value.type_name()))
                .help("`join(\", \", list)` makes text of the elements, `jsonencode` of anything"))
        }
        other => Err(Fault::new(codes::NOT_TEXT, format!("{} has no text: {other}", other.type_name()))
            .help("`jsonencode` makes text of anything")),
    }
}

/// Text next to a quantity: read as one of the same kind.
pub(crate) fn like(other: &Quantity, text: &str) -> Result<Quantity, UnitError> {
    Ok(match other {
        Quantity::Duration(_) => Duration::parse(text)?.into(),
        Quantity::Bytes(_) => Bytes::parse(text)?.into(),
        Quantity::Bandwidth(_) => Bandwidth::parse(text)?.into(),
        Quantity::Power(_) => Power::parse(text)?.into(),
        Quantity::Energy(_) => Energy::parse(text)?.into(),
        Quantity::Money(_) => Money::parse(text)?.into(),
        Quantity::Percent(_) => Percent::parse(text)?.into(),
        Quantity::Range(_) => Range::parse(text)?.into(),
        Quantity::Hosts(_) => Hosts::parse(text)?.into(),
        Quantity::Date(_) => Date::parse(text)?.into(),
        Quantity::Version(_) => Version::parse(text)?.into(),
        Quantity::Pattern(_) => Pattern::parse(text)?.into(),
        Quantity::Taint(_) => Taint::parse(text)?.into(),
        Quantity::Count(count) => {
            let number = Number::parse(text).map_err(|_| {
                UnitError::new(format!("\"{text}\" is not a count"), "a count is a bare number")
            })?;
            crate::quantity::Count { number, unit: count.unit }.into()
        }
    })
}

/// The quantity that a text is by itself; the units of the kinds do not overlap.
pub(crate) fn infer(text: &str) -> Option<(Quantity, &'static str)> {
    let duration = Duration::parse(text).map(|q| (q.into(), "duration"));
    let found = duration
        .or_else(|_| Percent::parse(text).map(|q| (q.into(), "percent")))
        .or_else(|_| Money::parse(text).map(|q| (q.into(), "money")))
        .or_else(|_| Bandwidth::parse(text).map(|q| (q.into(), "bandwidth")))
        .or_else(|_| Bytes::parse(text).map(|q| (q.into(), "bytes")))
        .or_else(|_| Power::parse(text).map(|q| (q.into(), "power")))
        .or_else(|_| Energy::parse(text).map(|q| (q.into(), "energy")));
    found.ok()
}

/// `"15m"` alone is text: how to make it a quantity.
pub(crate) fn constructor_help(text: &str) -> Option<String> {
    match infer(text)? {
        (Quantity::Energy(_), _) => Some("multiply a `power(…)` by a `duration(…)` for an energy".into()),
        (_, function) => Some(format!(
            "text becomes a quantity only next to one: write {function}({})",
            Value::string(text)
        )),
    }
}
