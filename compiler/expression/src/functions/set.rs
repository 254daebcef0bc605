//! Sets.

use super::{Call, Function, returns};
use crate::{Fault, Value, codes};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "toset",
        &["list"],
        "Each element once, without order.",
        "toset([\"b\", \"a\", \"b\"]) = toset([\"a\", \"b\"])",
        returns::set,
        toset,
    ),
    Function::new(
        "setunion",
        &["sets"],
        "The elements that are in any of the sets.",
        "setunion([\"a\"], [\"b\"]) = toset([\"a\", \"b\"])",
        returns::set,
        union,
    )
    .variadic(),
    Function::new(
        "setintersection",
        &["sets"],
        "The elements that are in all of the sets.",
        "setintersection([\"a\", \"b\"], [\"b\"]) = toset([\"b\"])",
        returns::set,
        intersection,
    )
    .variadic(),
    Function::new(
        "setsubtract",
        &["set", "other"],
        "The elements of the first that are not in the second.",
        "setsubtract([\"a\", \"b\"], [\"b\"]) = toset([\"a\"])",
        returns::set,
        subtract,
    ),
    Function::new(
        "setproduct",
        &["lists"],
        "Every combination of one element of each list.",
        "setproduct([\"a\"], [1, 2]) = [[\"a\", 1], [\"a\", 2]]",
        returns::list,
        product,
    )
    .variadic()
    .required(2),
];

/// The most combinations that `setproduct` gives.
const MAX_PRODUCT: usize = 65_536;

fn toset(call: &Call<'_>) -> Result<Value, Fault> {
    if call.argument(0).is_null() {
        return Ok(Value::Null);
    }
    Ok(Value::set(call.list(0)?.iter().cloned()))
}

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
    Ok(Value::list(rows.into_iter().map(Value::list)))
}
