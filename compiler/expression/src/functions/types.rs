//! From one type to another, and what type a value is.

use std::sync::Arc;

use super::Function;
use super::call::{Call, returns};
use crate::evaluate::{to_bool, to_number, to_text};
use crate::quantity::Quantity;
use crate::{Fault, Type, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "tobool",
        &[("value", "a bool, or the text `true` or `false`")],
        "True or false of the texts that say so.",
        returns::bool,
        tobool,
    )
    .examples(&[
        (r#"tobool("true")"#, "true"),
        ("tobool(null)", "null"),
        ("tobool(1)", "error: `tobool`: true or false is wanted, not a number: 1"),
    ]),
    Function::new(
        "tonumber",
        &[("value", "a number, a text that is one, or a count")],
        "A number of the text that is one, or of a count.",
        returns::number,
        tonumber,
    )
    .examples(&[
        (r#"tonumber("1.50")"#, "1.5"),
        ("tonumber(gpus(8))", "8"),
        (r#"tonumber("many")"#, r#"error: `tonumber`: a number is wanted, not text: "many""#),
    ]),
    Function::new(
        "tostring",
        &[("value", "a text, number, bool or quantity")],
        "The text of a number, bool or quantity.",
        returns::text,
        tostring,
    )
    .examples(&[("tostring(1.50)", r#""1.5""#), (r#"tostring(duration("90s"))"#, r#""1m30s""#)])
    .notes(&["A number without an end is written with 20 significant digits."]),
    Function::new(
        "tolist",
        &[("collection", "a set or list")],
        "The elements of a set or list as a list.",
        returns::list,
        tolist,
    )
    .structure()
    .examples(&[(r#"tolist(toset(["b", "a"]))"#, r#"["a", "b"]"#), (r#"tolist([1, "a"])"#, r#"["1", "a"]"#)])
    .notes(&["Numbers and bools become text next to text; other elements keep their types."]),
    Function::new(
        "toset",
        &[("collection", "a list or set")],
        "Each element once, without order.",
        returns::set,
        toset,
    )
    .examples(&[
        (r#"toset(["b", "a", "b"])"#, r#"toset(["a", "b"])"#),
        (r#"toset([1, "1"])"#, r#"toset(["1"])"#),
    ])
    .notes(&["Numbers and bools become text next to text; other elements keep their types."]),
    Function::new(
        "tomap",
        &[("object", "a map or object")],
        "The object as a map.",
        returns::map,
        tomap,
    )
    .structure()
    .examples(&[("tomap({ a = 1 })", "{ a = 1 }"), (r#"tomap({ a = 1, b = "x" })"#, r#"{ a = "1", b = "x" }"#)])
    .notes(&["Numbers and bools become text next to text; other values keep their types."]),
    Function::new("type", &[("value", "anything")], "The type of a value, as text.", returns::text, type_of)
        .marks()
        .examples(&[
            (r#"type({ a = [1, 2], b = "x" })"#, r#""object({ a = list(number), b = string })""#),
            (r#"type([1, "x"])"#, r#""list(any)""#),
            (r#"type(duration("1h"))"#, r#""duration""#),
        ])
        .notes(&["In OpenTofu it is for the console only and gives no text. A list is one whether or not its elements \
                  are of one type. The type of a sensitive value is not secret."]),
];

fn tobool(call: &Call<'_>) -> Result<Value, Fault> {
    match call.argument(0) {
        Value::Null => Ok(Value::Null),
        value => match to_bool(value) {
            Ok(Some(value)) => Ok(Value::Bool(value)),
            _ => Err(call.wanted(0, "true or false")),
        },
    }
}

fn tonumber(call: &Call<'_>) -> Result<Value, Fault> {
    match call.argument(0) {
        Value::Null => Ok(Value::Null),
        quantity @ Value::Quantity(_) => to_number(quantity).map(Value::Number).map_err(|_| {
            call.wanted(0, "a number").help("divide by one unit: `x / duration(\"1h\")` is a number of hours")
        }),
        _ => call.number(0).map(Value::Number),
    }
}

fn tostring(call: &Call<'_>) -> Result<Value, Fault> {
    match call.argument(0) {
        Value::Null => Ok(Value::Null),
        value => to_text(value).map(Value::String),
    }
}

fn tolist(call: &Call<'_>) -> Result<Value, Fault> {
    if call.argument(0).is_null() {
        return Ok(Value::Null);
    }
    Ok(Value::list(of_one_type(call.list(0)?)))
}

fn toset(call: &Call<'_>) -> Result<Value, Fault> {
    if call.argument(0).is_null() {
        return Ok(Value::Null);
    }
    Ok(Value::set(of_one_type(call.list(0)?)))
}

fn tomap(call: &Call<'_>) -> Result<Value, Fault> {
    if call.argument(0).is_null() {
        return Ok(Value::Null);
    }
    let entries = call.object(0)?;
    let values: Vec<Value> = entries.values().cloned().collect();
    Ok(Value::object(entries.keys().cloned().zip(of_one_type(&values))))
}

/// Numbers and bools as text, if text is among plain values.
fn of_one_type(items: &[Value]) -> Vec<Value> {
    let plain = |value: &Value| match value {
        Value::Sensitive(inner) => matches!(**inner, Value::String(_) | Value::Number(_) | Value::Bool(_)),
        Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Null => true,
        Value::Unknown(ty) => matches!(ty, Type::String | Type::Number | Type::Bool),
        _ => false,
    };
    let is_text = |value: &Value| value.type_of() == Type::String;
    if !items.iter().all(plain) || !items.iter().any(is_text) {
        return items.to_vec();
    }
    let as_text = |value: &Value| match value {
        Value::Number(_) | Value::Bool(_) => to_text(value).map_or_else(|_| value.clone(), Value::String),
        Value::Unknown(_) => Value::Unknown(Type::String),
        other => other.clone(),
    };
    items
        .iter()
        .map(|value| match value {
            Value::Sensitive(inner) => as_text(inner).sensitive(),
            other => as_text(other),
        })
        .collect()
}

/// How many elements are looked at: what is beyond them is of some type.
const LOOKED_AT: usize = 1_000;

fn type_of(call: &Call<'_>) -> Result<Value, Fault> {
    let mut out = String::new();
    let mut left = LOOKED_AT;
    write_type(call.argument(0), &mut left, &mut out);
    super::call::text(out)
}

fn write_type(value: &Value, left: &mut usize, out: &mut String) {
    if *left == 0 {
        return out.push_str("any");
    }
    *left -= 1;
    match value {
        Value::Sensitive(inner) => write_type(inner, left, out),
        Value::List(items) => write_elements("list", items, left, out),
        Value::Set(items) => write_elements("set", items, left, out),
        Value::Object(entries) if entries.is_empty() => out.push_str("object({})"),
        Value::Object(entries) => {
            out.push_str("object({ ");
            for (index, (key, item)) in entries.iter().take(LOOKED_AT).enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                out.push_str(key);
                out.push_str(" = ");
                write_type(item, left, out);
            }
            out.push_str(" })");
        }
        other => out.push_str(&word(other)),
    }
}

fn write_elements(kind: &str, items: &Arc<Vec<Value>>, left: &mut usize, out: &mut String) {
    let mut element = None;
    for item in items.iter().take(LOOKED_AT) {
        let mut text = String::new();
        write_type(item, left, &mut text);
        match &element {
            None => element = Some(text),
            Some(first) if *first == text => {}
            Some(_) => {
                element = None;
                break;
            }
        }
    }
    out.push_str(kind);
    out.push('(');
    out.push_str(element.as_deref().unwrap_or("any"));
    out.push(')');
}

/// The word that a variable's type uses.
fn word(value: &Value) -> String {
    let ty = match value {
        Value::Quantity(Quantity::Count(_)) => return "number".into(),
        Value::Block(block) => return block.kind.to_string(),
        other => other.type_of(),
    };
    match ty {
        Type::Bool => "bool",
        Type::Number | Type::Integer { .. } => "number",
        Type::String | Type::Name | Type::Path | Type::Enum(_) => "string",
        Type::Duration => "duration",
        Type::Bytes => "bytes",
        Type::Bandwidth => "bandwidth",
        Type::Power => "power",
        Type::Energy => "energy",
        Type::Money(_) => "money",
        Type::Percent => "percent",
        Type::Range => "range",
        Type::Hosts => "hosts",
        Type::Date => "date",
        Type::Version | Type::Constraint => "version",
        Type::Pattern => "pattern",
        Type::Taint => "taint",
        Type::List(_) => "list(any)",
        Type::Set(_) => "set(any)",
        Type::Map(_) => "map(any)",
        _ => "any",
    }
    .into()
}
