//! Lists: what is in them and where.

use std::sync::Arc;

use super::Function;
use super::call::{Call, characters, returns};
use crate::quantity::Quantity;
use crate::{Fault, Number, Type, Value, codes};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "length",
        &[("collection", "a list, set, map, text or host list")],
        "The number of elements, or of characters of a text.",
        returns::number,
        length,
    )
    .structure()
    .examples(&[("length([1, 2])", "2"), (r#"length("äb")"#, "2"), ("length({})", "0")])
    .notes(&["Characters are what people see as one: a letter with its accents, a flag, a family."]),
    Function::new(
        "contains",
        &[("list", "a list or set"), ("value", "what is looked for")],
        "Whether an element equals the value.",
        returns::bool,
        contains,
    )
    .unknowns()
    .examples(&[(r#"contains(["a", "b"], "a")"#, "true"), (r#"contains([duration("1h")], "60m")"#, "true")]),
    Function::new(
        "index",
        &[("list", "a list"), ("value", "what is looked for")],
        "The index of the first element that equals the value.",
        returns::number,
        index,
    )
    .examples(&[
        (r#"index(["a", "b"], "b")"#, "1"),
        (r#"index(["a"], "z")"#, r#"error: `index`: no element equals "z""#),
    ]),
    Function::new(
        "element",
        &[("list", "a list that is not empty"), ("index", "a whole number")],
        "The element at an index that starts again after the last.",
        returns::any,
        element,
    )
    .structure()
    .examples(&[
        (r#"element(["a", "b"], 3)"#, r#""b""#),
        (r#"element(["a", "b"], -1)"#, r#""b""#),
        ("element([], 0)", "error: `element`: the list is empty"),
    ])
    .notes(&[
        "A negative index counts from the end. `list[index]` is an error where there is no such element.",
    ]),
    Function::new(
        "one",
        &[("list", "a list or set of at most one element, or null")],
        "The only element, or null of an empty list.",
        returns::any,
        one,
    )
    .structure()
    .examples(&[
        (r#"one(["a"])"#, r#""a""#),
        ("one([])", "null"),
        ("one([1, 2])", "error: `one`: the list has 2 elements, not one or none"),
    ]),
    Function::new(
        "coalesce",
        &[("values", "values")],
        "The first value that is neither null nor empty text.",
        returns::any,
        coalesce,
    )
    .structure()
    .variadic()
    .examples(&[
        (r#"coalesce(null, "", "a")"#, r#""a""#),
        ("coalesce(null)", "error: `coalesce`: every argument is null or empty"),
    ])
    .notes(&["The value keeps its type; OpenTofu brings all arguments to one type first."]),
    Function::new(
        "coalescelist",
        &[("lists", "lists or sets")],
        "The first list that is neither null nor empty.",
        returns::list,
        coalescelist,
    )
    .structure()
    .variadic()
    .examples(&[
        (r#"coalescelist([], ["a"], ["b"])"#, r#"["a"]"#),
        ("coalescelist([], null)", "error: `coalescelist`: every list is null or empty"),
    ]),
    Function::new(
        "matchkeys",
        &[
            ("values", "a list"),
            ("keys", "a list as long, a key for each value"),
            ("wanted", "the keys whose values are taken"),
        ],
        "The values whose keys are wanted.",
        returns::list,
        matchkeys,
    )
    .examples(&[
        (r#"matchkeys(["i1", "i2", "i3"], ["a", "b", "a"], ["a"])"#, r#"["i1", "i3"]"#),
        (r#"matchkeys([1], [], ["a"])"#, "error: `matchkeys`: 1 values and 0 keys"),
    ]),
    Function::new(
        "range",
        &[
            ("start", "the first number; with one argument the limit"),
            ("limit", "where it ends; it does not belong"),
            ("step", "the distance between two; 1 or -1 unless it is given"),
        ],
        "Numbers from start (0) up to, not including, the limit.",
        returns::list,
        range,
    )
    .required(1)
    .examples(&[
        ("range(3)", "[0, 1, 2]"),
        ("range(4, 1)", "[4, 3, 2]"),
        ("range(0, 1, 0.25)", "[0, 0.25, 0.5, 0.75]"),
    ])
    .notes(&["At most 65536 numbers; OpenTofu gives at most 1024."]),
];

/// The most numbers that `range` gives.
const MAX_RANGE: usize = 65_536;

fn length(call: &Call<'_>) -> Result<Value, Fault> {
    let length = match call.argument(0) {
        Value::List(items) | Value::Set(items) => items.len(),
        Value::Object(entries) => entries.len(),
        Value::String(text) => characters(text).count(),
        Value::Quantity(Quantity::Hosts(hosts)) => hosts.0.len(),
        _ => return Err(call.wanted(0, "a list, map or text")),
    };
    Ok(Value::number(length))
}

fn contains(call: &Call<'_>) -> Result<Value, Fault> {
    if matches!(call.argument(0), Value::Unknown(_)) {
        return Ok(Value::Unknown(Type::Bool));
    }
    let value = call.argument(1);
    let mut unknown = false;
    for item in call.list(0)? {
        match call.same(item, value) {
            Some(true) => return Ok(Value::Bool(true)),
            Some(false) => {}
            None => unknown = true,
        }
    }
    Ok(if unknown { Value::Unknown(Type::Bool) } else { Value::Bool(false) })
}

fn index(call: &Call<'_>) -> Result<Value, Fault> {
    let value = call.argument(1);
    let found = call.list(0)?.iter().position(|item| call.same(item, value) == Some(true));
    found.map(Value::number).ok_or_else(|| call.fault(1, format_args!("no element equals {value}")))
}

fn element(call: &Call<'_>) -> Result<Value, Fault> {
    let (list, index) = (call.list(0)?, call.whole(1)?);
    let length = i64::try_from(list.len()).unwrap_or(i64::MAX);
    if length == 0 {
        return Err(call.fault(0, "the list is empty"));
    }
    let at = usize::try_from(index.rem_euclid(length)).unwrap_or(0);
    Ok(list.get(at).cloned().unwrap_or(Value::Null))
}

fn one(call: &Call<'_>) -> Result<Value, Fault> {
    if call.argument(0).is_null() {
        return Ok(Value::Null);
    }
    match call.list(0)? {
        [] => Ok(Value::Null),
        [only] => Ok(only.clone()),
        more => Err(call.fault(0, format_args!("the list has {} elements, not one or none", more.len()))),
    }
}

/// Null or empty text.
pub(super) fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_str() == Some("")
}

fn coalesce(call: &Call<'_>) -> Result<Value, Fault> {
    let found = call.arguments.iter().find(|value| !is_empty(value));
    found.cloned().ok_or_else(|| call.fault(0, "every argument is null or empty"))
}

fn coalescelist(call: &Call<'_>) -> Result<Value, Fault> {
    for (index, argument) in call.arguments.iter().enumerate() {
        if !argument.is_null() && !call.list(index)?.is_empty() {
            return Ok(argument.clone());
        }
    }
    Err(call.fault(0, "every list is null or empty"))
}

fn matchkeys(call: &Call<'_>) -> Result<Value, Fault> {
    let (values, keys, wanted) = (call.list(0)?, call.list(1)?, call.list(2)?);
    if values.len() != keys.len() {
        return Err(call.fault(1, format_args!("{} values and {} keys", values.len(), keys.len())));
    }
    call.work(keys.len().saturating_mul(wanted.len()) / 16)?;
    let is_wanted = |key: &Value| wanted.iter().any(|other| call.same(key, other) == Some(true));
    let taken = values.iter().zip(keys).filter(|(_, key)| is_wanted(key)).map(|(value, _)| value.clone());
    Ok(Value::list(taken))
}

fn range(call: &Call<'_>) -> Result<Value, Fault> {
    let (start, limit) = match call.arguments.len() {
        1 => (Number::ZERO, call.number(0)?),
        _ => (call.number(0)?, call.number(1)?),
    };
    let down = limit < start;
    let step = match call.arguments.len() {
        3 => call.number(2)?,
        _ if down => Number::ONE.neg(),
        _ => Number::ONE,
    };
    if step.is_zero() || step.is_negative() != down && start != limit {
        return Err(call.fault(2, format_args!("steps of {step} never lead from {start} to {limit}")));
    }
    let (mut all, mut at) = (Vec::new(), start);
    while if down { at > limit } else { at < limit } {
        if all.len() >= MAX_RANGE {
            return Err(Fault::new(codes::TOO_LARGE, format!("`range` gives at most {MAX_RANGE} numbers")));
        }
        all.push(Value::Number(at.clone()));
        at = at.checked_add(&step)?;
    }
    Ok(Value::List(Arc::new(all)))
}
