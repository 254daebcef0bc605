//! Conditions over lists, and attempts.

use super::call::{Call, returns};
use super::{Function, Implementation, by_the_evaluator};
use crate::evaluate::to_bool;
use crate::{Fault, Type, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "alltrue",
        &[("list", "a list or set of bools")],
        "Whether every element is true; of an empty list it is.",
        returns::bool,
        alltrue,
    )
    .unknowns()
    .examples(&[("alltrue([true, false])", "false"), ("alltrue([])", "true")]),
    Function::new(
        "anytrue",
        &[("list", "a list or set of bools")],
        "Whether an element is true; of an empty list none is.",
        returns::bool,
        anytrue,
    )
    .unknowns()
    .examples(&[("anytrue([true, false])", "true"), ("anytrue([])", "false")]),
    Function::new(
        "try",
        &[("expressions", "expressions, in the order in which they are tried")],
        "The first expression that can be evaluated without an error.",
        returns::any,
        by_the_evaluator,
    )
    .structure()
    .variadic()
    .special(Implementation::Try)
    .examples(&[("try({}.a, 0)", "0"), ("try({}.a)", "error: no argument of `try` can be evaluated")])
    .notes(&["Bounds of the evaluation itself (depth, size, work) are not hidden by it."]),
    Function::new(
        "can",
        &[("expression", "any expression")],
        "Whether an expression can be evaluated without an error.",
        returns::bool,
        by_the_evaluator,
    )
    .structure()
    .special(Implementation::Can)
    .examples(&[("can({}.a)", "false"), (r#"can(tonumber("1"))"#, "true")]),
];

fn alltrue(call: &Call<'_>) -> Result<Value, Fault> {
    decide(call, false)
}

fn anytrue(call: &Call<'_>) -> Result<Value, Fault> {
    decide(call, true)
}

/// One element that is `decisive` decides; an unknown one leaves it open.
fn decide(call: &Call<'_>, decisive: bool) -> Result<Value, Fault> {
    if matches!(call.argument(0), Value::Unknown(_)) {
        return Ok(Value::Unknown(Type::Bool));
    }
    let (mut found, mut unknown) = (false, false);
    for item in call.list(0)? {
        match to_bool(item).map_err(|fault| call.fault(0, fault.message))? {
            Some(value) => found |= value == decisive,
            None => unknown = true,
        }
    }
    Ok(match (found, unknown) {
        (true, _) => Value::Bool(decisive),
        (false, true) => Value::Unknown(Type::Bool),
        (false, false) => Value::Bool(!decisive),
    })
}
