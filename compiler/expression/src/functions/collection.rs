//! Lists: others made of them.

use super::Function;
use super::call::{Call, returns};
use super::elements::is_empty;
use crate::{Fault, Type, Value, codes};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "concat",
        &[("lists", "lists or sets")],
        "One list of the elements of several.",
        returns::list,
        concat,
    )
    .structure()
    .unknown(list_of_all)
    .variadic()
    .required(0)
    .examples(&[("concat([1], [2, 3])", "[1, 2, 3]"), ("concat([[1], [2]]...)", "[1, 2]")]),
    Function::new(
        "compact",
        &[("list", "a list of texts")],
        "The list without null and empty texts.",
        returns::list,
        compact,
    )
    .structure()
    .examples(&[(r#"compact(["a", "", null])"#, r#"["a"]"#)]),
    Function::new(
        "distinct",
        &[("list", "a list")],
        "Each element once, in the order of its first place.",
        returns::list,
        distinct,
    )
    .examples(&[(r#"distinct(["b", "a", "b"])"#, r#"["b", "a"]"#)]),
    Function::new(
        "flatten",
        &[("list", "a list of lists and other values")],
        "The elements of lists in the list, at any depth.",
        returns::list,
        flatten,
    )
    .structure()
    .examples(&[("flatten([[1], [[2], 3], []])", "[1, 2, 3]")]),
    Function::new(
        "reverse",
        &[("list", "a list")],
        "The elements from last to first.",
        returns::list,
        reverse,
    )
    .structure()
    .examples(&[("reverse([1, 2])", "[2, 1]")])
    .notes(&["`strrev` turns a text round."]),
    Function::new(
        "slice",
        &[("list", "a list"), ("start", "the first index"), ("end", "the index after the last")],
        "The elements from start up to, not including, end.",
        returns::list,
        slice,
    )
    .structure()
    .examples(&[
        ("slice([1, 2, 3], 0, 2)", "[1, 2]"),
        ("slice([1], 0, 5)", "error: `slice`: the list has 1 elements, there is no part from 0 to 5"),
    ])
    .notes(&["`substr` takes a part of a text."]),
    Function::new(
        "sort",
        &[("list", "a list of texts")],
        "Texts in the order of their characters.",
        returns::texts,
        sort,
    )
    .examples(&[(r#"sort(["b", "a"])"#, r#"["a", "b"]"#), ("sort([10, 9])", r#"["10", "9"]"#)])
    .notes(&["The order is that of code points: capitals come before small letters, and numbers are sorted as text."]),
    Function::new(
        "chunklist",
        &[("list", "a list"), ("size", "the most elements of a part, at least 1")],
        "The list cut into lists of at most so many elements.",
        returns::list,
        chunklist,
    )
    .structure()
    .examples(&[
        ("chunklist([1, 2, 3], 2)", "[[1, 2], [3]]"),
        ("chunklist([1], 0)", "error: `chunklist`: the size is 0"),
    ]),
];

/// The type of a list of what all these lists hold, as far as it is one and known.
fn list_of_all(values: &[Value]) -> Type {
    Type::List(Box::new(part_of_all(values)))
}

/// The type of each part of these lists or maps: of an unknown one what its type says, of a known one that of its parts.
pub(super) fn part_of_all(values: &[Value]) -> Type {
    let mut found: Option<Type> = None;
    for value in values {
        let parts: Vec<Type> = match value {
            Value::Null => continue,
            Value::Unknown(Type::List(part) | Type::Set(part) | Type::Map(part)) => vec![(**part).clone()],
            Value::List(items) | Value::Set(items) => items.iter().map(Value::type_of).collect(),
            Value::Object(entries) => entries.values().map(Value::type_of).collect(),
            _ => return Type::Any,
        };
        for part in parts {
            if *found.get_or_insert_with(|| part.clone()) != part {
                return Type::Any;
            }
        }
    }
    found.unwrap_or(Type::Any)
}

fn concat(call: &Call<'_>) -> Result<Value, Fault> {
    let mut all = Vec::new();
    for index in 0..call.arguments.len() {
        let list = call.list(index)?;
        call.room_for(all.len() + list.len())?;
        all.extend_from_slice(list);
    }
    Ok(Value::list(all))
}

fn compact(call: &Call<'_>) -> Result<Value, Fault> {
    Ok(Value::list(call.list(0)?.iter().filter(|item| !is_empty(item)).cloned()))
}

fn distinct(call: &Call<'_>) -> Result<Value, Fault> {
    let mut seen = std::collections::BTreeSet::new();
    Ok(Value::list(call.list(0)?.iter().filter(|item| seen.insert((*item).clone())).cloned()))
}

fn flatten(call: &Call<'_>) -> Result<Value, Fault> {
    let mut all = Vec::new();
    // Of a sensitive list inside, how many elements there are is secret too: all of the result is.
    let mut mark = false;
    let mut stack: Vec<&[Value]> = vec![call.list(0)?];
    // Lists in lists may be the same one many times over, and empty: what is gone through counts, not what is found.
    let mut steps = 0_usize;
    while let Some(items) = stack.pop() {
        steps += 1;
        if steps.is_multiple_of(4096) {
            call.work(1024)?;
        }
        let Some((first, rest)) = items.split_first() else { continue };
        stack.push(rest);
        let (plain, hidden) = match first {
            Value::Sensitive(inner) => (&**inner, true),
            other => (other, false),
        };
        match plain {
            Value::List(inner) | Value::Set(inner) => {
                mark |= hidden;
                stack.push(inner);
            }
            // How many elements this stands for is not known.
            Value::Unknown(Type::List(_) | Type::Set(_) | Type::Any) => {
                return Ok(Value::Unknown(returns::list()).marked(mark | hidden));
            }
            _ => all.push(first.clone()),
        }
        if all.len() > 1_000_000 {
            return Err(Fault::new(codes::TOO_LARGE, "the flattened list has more than 1000000 elements"));
        }
    }
    Ok(Value::list(all).marked(mark))
}

fn reverse(call: &Call<'_>) -> Result<Value, Fault> {
    Ok(Value::list(call.list(0)?.iter().rev().cloned()))
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

fn sort(call: &Call<'_>) -> Result<Value, Fault> {
    let mut texts = call.texts(0)?;
    texts.sort();
    Ok(Value::list(texts.into_iter().map(Value::String)))
}

fn chunklist(call: &Call<'_>) -> Result<Value, Fault> {
    let (list, size) = (call.list(0)?, call.size(1)?);
    if size == 0 {
        return Err(call.fault(1, "the size is 0"));
    }
    Ok(Value::list(list.chunks(size).map(|chunk| Value::list(chunk.iter().cloned()))))
}
