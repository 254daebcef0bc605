//! Lists, maps and objects.

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_diagnostics::suggestion_help;

use super::{Call, Function, returns};
use crate::evaluate::{to_number, to_text};
use crate::quantity::Quantity;
use crate::{Fault, Number, Type, Value, codes};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "length",
        &["collection"],
        "The number of elements, or of characters of a text.",
        "length([1, 2]) = 2",
        returns::number,
        length,
    )
    .structure(),
    Function::new(
        "concat",
        &["lists"],
        "One list of the elements of several.",
        "concat([1], [2, 3]) = [1, 2, 3]",
        returns::list,
        concat,
    )
    .structure()
    .variadic()
    .required(0),
    Function::new(
        "merge",
        &["maps"],
        "One map of the entries of several; later ones win; null counts as empty.",
        "merge({ a = 1 }, { a = 2 }) = { a = 2 }",
        returns::map,
        merge,
    )
    .structure()
    .variadic()
    .required(0),
    Function::new(
        "lookup",
        &["map", "key", "default"],
        "The value of a key, or the default where there is none.",
        "lookup({ a = 1 }, \"b\", 0) = 0",
        returns::any,
        lookup,
    )
    .structure()
    .required(2),
    Function::new(
        "keys",
        &["map"],
        "The keys, sorted.",
        "keys({ b = 1, a = 2 }) = [\"a\", \"b\"]",
        returns::texts,
        keys,
    )
    .structure(),
    Function::new(
        "values",
        &["map"],
        "The values, in the order of their keys.",
        "values({ b = 1, a = 2 }) = [2, 1]",
        returns::list,
        values,
    )
    .structure(),
    Function::new(
        "contains",
        &["list", "value"],
        "Whether an element equals the value.",
        "contains([\"a\", \"b\"], \"a\") = true",
        returns::bool,
        contains,
    )
    .unknowns(),
    Function::new(
        "distinct",
        &["list"],
        "Each element once, in the order of its first place.",
        "distinct([\"b\", \"a\", \"b\"]) = [\"b\", \"a\"]",
        returns::list,
        distinct,
    ),
    Function::new(
        "flatten",
        &["list"],
        "The elements of lists in the list, at any depth.",
        "flatten([[1], [[2], 3]]) = [1, 2, 3]",
        returns::list,
        flatten,
    )
    .structure(),
    Function::new(
        "reverse",
        &["list"],
        "The elements from last to first.",
        "reverse([1, 2]) = [2, 1]",
        returns::list,
        reverse,
    )
    .structure(),
    Function::new(
        "sort",
        &["list"],
        "Texts in the order of their characters.",
        "sort([\"b\", \"a\"]) = [\"a\", \"b\"]",
        returns::texts,
        sort,
    ),
    Function::new(
        "slice",
        &["list", "start", "end"],
        "The elements from start up to, not including, end.",
        "slice([1, 2, 3], 0, 2) = [1, 2]",
        returns::list,
        slice,
    )
    .structure(),
    Function::new(
        "zipmap",
        &["keys", "values"],
        "A map of a list of keys and one of values.",
        "zipmap([\"a\"], [1]) = { a = 1 }",
        returns::map,
        zipmap,
    )
    .structure(),
    Function::new(
        "element",
        &["list", "index"],
        "The element at an index that starts again after the last.",
        "element([\"a\", \"b\"], 3) = \"b\"",
        returns::any,
        element,
    )
    .structure(),
    Function::new(
        "index",
        &["list", "value"],
        "The index of the first element that equals the value.",
        "index([\"a\", \"b\"], \"b\") = 1",
        returns::number,
        index,
    ),
    Function::new(
        "one",
        &["list"],
        "The only element, or null of an empty list.",
        "one([\"a\"]) = \"a\"",
        returns::any,
        one,
    )
    .structure(),
    Function::new(
        "coalesce",
        &["values"],
        "The first value that is neither null nor empty text.",
        "coalesce(null, \"\", \"a\") = \"a\"",
        returns::any,
        coalesce,
    )
    .structure()
    .variadic(),
    Function::new(
        "compact",
        &["list"],
        "The list without null and empty texts.",
        "compact([\"a\", \"\", null]) = [\"a\"]",
        returns::list,
        compact,
    )
    .structure(),
    Function::new(
        "chunklist",
        &["list", "size"],
        "The list cut into lists of at most so many elements.",
        "chunklist([1, 2, 3], 2) = [[1, 2], [3]]",
        returns::list,
        chunklist,
    )
    .structure(),
    Function::new(
        "range",
        &["start", "limit", "step"],
        "Numbers from start (0) up to, not including, the limit.",
        "range(1, 4) = [1, 2, 3]",
        returns::list,
        range,
    )
    .required(1),
    Function::new(
        "tolist",
        &["collection"],
        "The elements of a set or list as a list.",
        "tolist(toset([\"b\", \"a\"])) = [\"a\", \"b\"]",
        returns::list,
        tolist,
    )
    .structure(),
    Function::new(
        "tomap",
        &["object"],
        "The object as a map.",
        "tomap({ a = 1 }) = { a = 1 }",
        returns::map,
        tomap,
    )
    .structure(),
];

/// The most numbers that `range` gives.
const MAX_RANGE: usize = 65_536;

fn length(call: &Call<'_>) -> Result<Value, Fault> {
    let length = match call.argument(0) {
        Value::List(items) | Value::Set(items) => items.len(),
        Value::Object(entries) => entries.len(),
        Value::String(text) => text.chars().count(),
        Value::Quantity(Quantity::Hosts(hosts)) => hosts.0.len(),
        _ => return Err(call.wanted(0, "a list, map or text")),
    };
    Ok(Value::number(length))
}

fn concat(call: &Call<'_>) -> Result<Value, Fault> {
    let mut all = Vec::new();
    for index in 0..call.arguments.len() {
        all.extend_from_slice(call.list(index)?);
    }
    Ok(Value::list(all))
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

fn keys(call: &Call<'_>) -> Result<Value, Fault> {
    Ok(Value::list(call.object(0)?.keys().cloned().map(Value::String)))
}

fn values(call: &Call<'_>) -> Result<Value, Fault> {
    Ok(Value::list(call.object(0)?.values().cloned()))
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

fn distinct(call: &Call<'_>) -> Result<Value, Fault> {
    let mut seen = std::collections::BTreeSet::new();
    Ok(Value::list(call.list(0)?.iter().filter(|item| seen.insert((*item).clone())).cloned()))
}

fn flatten(call: &Call<'_>) -> Result<Value, Fault> {
    let mut all = Vec::new();
    let mut stack: Vec<&[Value]> = vec![call.list(0)?];
    while let Some(items) = stack.pop() {
        let Some((first, rest)) = items.split_first() else { continue };
        stack.push(rest);
        match first {
            Value::List(inner) | Value::Set(inner) => stack.push(inner),
            // How many elements this stands for is not known.
            Value::Unknown(Type::List(_) | Type::Set(_) | Type::Any) => {
                return Ok(Value::Unknown(returns::list()));
            }
            other => all.push(other.clone()),
        }
        if all.len() > 1_000_000 {
            return Err(Fault::new(codes::TOO_LARGE, "the flattened list has more than 1000000 elements"));
        }
    }
    Ok(Value::list(all))
}

fn reverse(call: &Call<'_>) -> Result<Value, Fault> {
    Ok(Value::list(call.list(0)?.iter().rev().cloned()))
}

fn sort(call: &Call<'_>) -> Result<Value, Fault> {
    let texts: Result<Vec<Arc<str>>, Fault> = call
        .list(0)?
        .iter()
        .map(|item| to_text(item).map_err(|_| call.wanted(0, "a list of texts")))
        .collect();
    let mut texts = texts?;
    texts.sort();
    Ok(Value::list(texts.into_iter().map(Value::String)))
}

fn slice(call: &Call<'_>) -> Result<Value, Fault> {
    let (list, start, end) = (call.list(0)?, call.size(1)?, call.size(2)?);
    let part = list.get(start..end).ok_or_else(|| {
        call.fault(
            1,
            format_args!("the list has {} elements, there is no part from {start} to {end}", list.len()),
        )
    })?;
    Ok(Value::list(part.iter().cloned()))
}

fn zipmap(call: &Call<'_>) -> Result<Value, Fault> {
    let (keys, values) = (call.list(0)?, call.list(1)?);
    if keys.len() != values.len() {
        return Err(call.fault(1, format_args!("{} keys and {} values", keys.len(), values.len())));
    }
    let keys: Result<Vec<Arc<str>>, Fault> =
        keys.iter().map(|key| to_text(key).map_err(|_| call.wanted(0, "a list of texts"))).collect();
    Ok(Value::object(keys?.into_iter().zip(values.iter().cloned())))
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

fn index(call: &Call<'_>) -> Result<Value, Fault> {
    let value = call.argument(1);
    let found = call.list(0)?.iter().position(|item| call.same(item, value) == Some(true));
    found.map(Value::number).ok_or_else(|| call.fault(1, format_args!("no element equals {value}")))
}

fn one(call: &Call<'_>) -> Result<Value, Fault> {
    match call.list(0)? {
        [] => Ok(Value::Null),
        [only] => Ok(only.clone()),
        more => Err(call.fault(0, format_args!("the list has {} elements, not one or none", more.len()))),
    }
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_str() == Some("")
}

fn coalesce(call: &Call<'_>) -> Result<Value, Fault> {
    let found = call.arguments.iter().find(|value| !is_empty(value));
    found.cloned().ok_or_else(|| call.fault(0, "every argument is null or empty"))
}

fn compact(call: &Call<'_>) -> Result<Value, Fault> {
    Ok(Value::list(call.list(0)?.iter().filter(|item| !is_empty(item)).cloned()))
}

fn chunklist(call: &Call<'_>) -> Result<Value, Fault> {
    let (list, size) = (call.list(0)?, call.size(1)?);
    if size == 0 {
        return Err(call.fault(1, "the size is 0"));
    }
    Ok(Value::list(list.chunks(size).map(|chunk| Value::list(chunk.iter().cloned()))))
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
    Ok(Value::list(all))
}

fn tolist(call: &Call<'_>) -> Result<Value, Fault> {
    if call.argument(0).is_null() {
        return Ok(Value::Null);
    }
    Ok(Value::list(call.list(0)?.iter().cloned()))
}

fn tomap(call: &Call<'_>) -> Result<Value, Fault> {
    match call.argument(0) {
        Value::Null => Ok(Value::Null),
        map => call.object(0).map(|_| map.clone()),
    }
}

/// A number of a text or count, for functions that take either.
pub(super) fn plain_number(value: &Value) -> Option<Number> {
    to_number(value).ok()
}
