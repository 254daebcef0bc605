//! Marks of secrets.

use super::Function;
use super::call::{Call, returns};
use crate::{Fault, Type, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "issensitive",
        &[("value", "anything")],
        "Whether the value is marked as sensitive.",
        returns::bool,
        issensitive,
    )
    .marks()
    .examples(&[(r#"issensitive("a")"#, "false"), (r#"issensitive(sensitive("a"))"#, "true")])
    .notes(&["It looks at the value itself: a list may hold sensitive elements and not be sensitive."]),
    Function::new(
        "sensitive",
        &[("value", "anything")],
        "The value, marked as sensitive: it is not printed, nor is what is made of it.",
        returns::any,
        sensitive,
    )
    .marks()
    .examples(&[(r#"sensitive("a")"#, "(sensitive)"), (r#"length(sensitive([1]))"#, "(sensitive)")]),
    Function::new(
        "nonsensitive",
        &[("value", "anything")],
        "The value without the mark: it may be printed from here on.",
        returns::any,
        nonsensitive,
    )
    .marks()
    .examples(&[
        (r#"nonsensitive(length(sensitive("abc")))"#, "3"),
        (r#"nonsensitive("clear")"#, r#""clear""#),
    ])
    .notes(&["Elements of a list keep their own marks."]),
];

fn issensitive(call: &Call<'_>) -> Result<Value, Fault> {
    Ok(match call.argument(0) {
        Value::Sensitive(_) => Value::Bool(true),
        Value::Unknown(_) => Value::Unknown(Type::Bool),
        _ => Value::Bool(false),
    })
}

fn sensitive(call: &Call<'_>) -> Result<Value, Fault> {
    Ok(call.argument(0).clone().sensitive())
}

fn nonsensitive(call: &Call<'_>) -> Result<Value, Fault> {
    Ok(call.argument(0).clone().unmark().0)
}
