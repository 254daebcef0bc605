//! Sets.

use std::sync::Arc;

use super::Function;
use super::call::{Call, returns};
use crate::{Fault, Value, codes};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "setunion",
        &[("sets", "sets or lists")],
        "The elements that are in any of the sets.",
        returns::set,
        union,
    )
    .variadic()
    .examples(&[(r#"setunion(["a"], ["b", "a"])"#, r#"toset(["a", "b"])"#)]),
    Function::new(
        "setintersection",
        &[("sets", "sets or lists")],
        "The elements that are in all of the sets.",
        returns::set,
        intersection,
    )
    .variadic()
    .examples(&[(r#"setintersection(["a", "b"], ["b"])"#, r#"toset(["b"])"#)]),
    Function::new(
        "setsubtract",
        &[("set", "a set or list"), ("other", "what is taken away")],
        "The elements of the first that are not in the second.",
        returns::set,
        subtract,
    )
    .examples(&[(r#"setsubtract(["a", "b"], ["b"])"#, r#"toset(["a"])"#)]),
    Function::new(
        "setproduct",
        &[("sets", "at least two sets or lists")],
        "Every combination of one element of each.",
        returns::any,
        product,
    )
    .variadic()
    .required(2)
    .examples(&[
        (r#"setproduct(["a", "b"], [1, 2])"#, r#"[["a", 1], ["a", 2], ["b", 1], ["b", 2]]"#),
        (r#"setproduct(["a"], [])"#, "[]"),
        (r#"setproduct(toset(["a"]), toset(["b"]))"#, r#"toset([["a", "b"]])"#),
    ])
    .notes(&[
        "The last list varies fastest. Of sets alone it is a set. Elements keep their types.",
        "At most 65536 combinations.",
    ]),
];

/// The most combinations that `setproduct` gives.
const MAX_PRODUCT: usize = 65_536;

fn union(call: &Call<'_>) -> Result<Value, Fault> {
    let mut all = Vec::new();
    for index in 0..call.arguments.len() {
        all.extend_from_slice(call.list(index)?);
    }
    Ok(Value::set(all))
}

fn intersection(call: &Call<'_>) -> Result<Value, Fault> {
    let mut all = call.list(0)?.to_vec();
    for index in 1..call.arguments.len() {
        let other: std::collections::BTreeSet<&Value> = call.list(index)?.iter().collect();
        all.retain(|item| other.contains(item));
    }
    Ok(Value::set(all))
}

fn subtract(call: &Call<'_>) -> Result<Value, Fault> {
    let other: std::collections::BTreeSet<&Value> = call.list(1)?.iter().collect();
    Ok(Value::set(call.list(0)?.iter().filter(|item| !other.contains(item)).cloned()))
}

/// The last list varies fastest.
fn product(call: &Call<'_>) -> Result<Value, Fault> {
    let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
    for index in 0..call.arguments.len() {
        let items = call.list(index)?;
        call.work(rows.len().saturating_mul(items.len()).saturating_mul(index) / 8)?;
        if rows.len().saturating_mul(items.len()) > MAX_PRODUCT {
            return Err(Fault::new(
                codes::TOO_LARGE,
                format!("`setproduct` gives at most {MAX_PRODUCT} combinations"),
            ));
        }
        rows = rows
            .iter()
            .flat_map(|row| {
                items.iter().map(move |item| {
                    let mut row = row.clone();
                    row.push(item.clone());
                    row
                })
            })
            .collect();
    }
    let rows = rows.into_iter().map(|row| Value::List(Arc::new(row)));
    let sets = call.arguments.iter().all(|argument| matches!(argument, Value::Set(_)));
    Ok(if sets { Value::set(rows) } else { Value::list(rows) })
}
