//! Conditions over lists, and attempts.

use super::{Call, Function, Implementation, Reads, returns};
use crate::evaluate::to_bool;
use crate::{Fault, Type, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "alltrue",
        &["list"],
        "Whether every element is true; of an empty list it is.",
        "alltrue([true, false]) = false",
        returns::bool,
        alltrue,
    )
    .unknowns(),
    Function::new(
        "anytrue",
        &["list"],
        "Whether an element is true; of an empty list none is.",
        "anytrue([true, false]) = true",
        returns::bool,
        anytrue,
    )
    .unknowns(),
    Function::new(
        "tobool",
        &["value"],
        "True or false of the texts that say so.",
        "tobool(\"true\") = true",
        returns::bool,
        tobool,
    ),
    Function {
        name: "try",
        parameters: &["expressions"],
        required: 1,
        variadic: true,
        doc: "The first expression that can be evaluated without an error.",
        example: "try({}.a, 0) = 0",
        returns: returns::any,
        reads: Reads::Structure,
        implementation: Implementation::Try,
    },
    Function {
        name: "can",
        parameters: &["expression"],
        required: 1,
        variadic: false,
        doc: "Whether an expression can be evaluated without an error.",
        example: "can({}.a) = false",
        returns: returns::bool,
        reads: Reads::Structure,
        implementation: Implementation::Can,
    },
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

fn tobool(call: &Call<'_>) -> Result<Value, Fault> {
    match call.argument(0) {
        Value::Null => Ok(Value::Null),
        value => match to_bool(value) {
            Ok(Some(value)) => Ok(Value::Bool(value)),
            _ => Err(call.wanted(0, "true or false")),
        },
    }
}
