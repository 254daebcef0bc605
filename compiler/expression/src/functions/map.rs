//! Maps and objects.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use poolwright_diagnostics::suggestion_help;

use super::Function;
use super::call::{Call, returns};
use super::collection::part_of_all;
use crate::evaluate::to_text;
use crate::{Fault, Type, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new("keys", &[("map", "a map or object")], "The keys, sorted.", returns::texts, keys)
        .structure()
        .examples(&[("keys({ b = 1, a = 2 })", r#"["a", "b"]"#)]),
    Function::new(
        "values",
        &[("map", "a map or object")],
        "The values, in the order of their keys.",
        returns::list,
        values,
    )
    .structure()
    .unknown(|maps| Type::List(Box::new(part_of_all(maps))))
    .examples(&[("values({ b = 1, a = 2 })", "[2, 1]")]),
    Function::new(
        "lookup",
        &[
            ("map", "a map or object"),
            ("key", "the key"),
            ("default", "the value without that key; without a default that is an error"),
        ],
        "The value of a key, or the default where there is none.",
        returns::any,
        lookup,
    )
    .structure()
    .required(2)
    .examples(&[
        (r#"lookup({ a = 1 }, "b", 0)"#, "0"),
        (r#"lookup({ a = 1 }, "b")"#, r#"error: `lookup`: the map has no key "b""#),
    ]),
    Function::new(
        "merge",
        &[("maps", "maps, objects or null")],
        "One map of the entries of several; later ones win; null counts as empty.",
        returns::map,
        merge,
    )
    .structure()
    .unknown(|maps| Type::Map(Box::new(part_of_all(maps))))
    .variadic()
    .required(0)
    .examples(&[
        ("merge({ a = 1 }, { a = 2, b = 3 })", "{ a = 2, b = 3 }"),
        ("merge({ a = { x = 1 } }, { a = { y = 2 } })", "{ a = { y = 2 } }"),
    ])
    .notes(&["Only the outermost level is merged."]),
    Function::new(
        "transpose",
        &[("map", "a map of lists of texts")],
        "The map turned round: for each text of the lists the keys that have it.",
        returns::map,
        transpose,
    )
    .examples(&[(r#"transpose({ eu = ["a", "b"], us = ["b"] })"#, r#"{ a = ["eu"], b = ["eu", "us"] }"#)]),
    Function::new(
        "zipmap",
        &[("keys", "a list of texts"), ("values", "a list as long")],
        "A map of a list of keys and one of values.",
        returns::map,
        zipmap,
    )
    .structure()
    .examples(&[
        (r#"zipmap(["a", "b"], [1, 2])"#, "{ a = 1, b = 2 }"),
        (r#"zipmap(["a"], [])"#, "error: `zipmap`: 1 keys and 0 values"),
    ])
    .notes(&["Of a key that is there twice the last value counts."]),
];

fn keys(call: &Call<'_>) -> Result<Value, Fault> {
    Ok(Value::list(call.object(0)?.keys().cloned().map(Value::String)))
}

fn values(call: &Call<'_>) -> Result<Value, Fault> {
    Ok(Value::list(call.object(0)?.values().cloned()))
}

fn lookup(call: &Call<'_>) -> Result<Value, Fault> {
    let key = call.text(1)?;
    let entries = call.object(0)?;
    match (entries.get(&key), call.arguments.get(2)) {
        (Some(value), _) => Ok(value.clone()),
        (None, Some(default)) => Ok(default.clone()),
        (None, None) => Err(call
            .fault(1, format_args!("the map has no key {}", Value::string(&key)))
            .maybe_help(suggestion_help("key", &key, entries.keys().map(|key| &**key)))),
    }
}

fn merge(call: &Call<'_>) -> Result<Value, Fault> {
    let mut all = BTreeMap::new();
    for (index, argument) in call.arguments.iter().enumerate() {
        if !argument.is_null() {
            all.extend(call.object(index)?.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
    }
    Ok(Value::Object(Arc::new(all)))
}

fn transpose(call: &Call<'_>) -> Result<Value, Fault> {
    let mut turned: BTreeMap<Arc<str>, BTreeSet<Arc<str>>> = BTreeMap::new();
    for (key, items) in call.object(0)? {
        let wanted = || call.wanted(0, "a map of lists of texts");
        for item in items.elements().ok_or_else(wanted)? {
            let text = to_text(item).map_err(|_| wanted())?;
            turned.entry(text).or_default().insert(key.clone());
        }
    }
    Ok(Value::object(
        turned.into_iter().map(|(text, keys)| (text, Value::list(keys.into_iter().map(Value::String)))),
    ))
}

fn zipmap(call: &Call<'_>) -> Result<Value, Fault> {
    let (keys, values) = (call.list(0)?, call.list(1)?);
    if keys.len() != values.len() {
        return Err(call.fault(1, format_args!("{} keys and {} values", keys.len(), values.len())));
    }
    Ok(Value::object(call.texts(0)?.into_iter().zip(values.iter().cloned())))
}
