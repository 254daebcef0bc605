//! Numbers and quantities.

use std::cmp::Ordering;

use super::collection::plain_number;
use super::{Call, Function, returns};
use crate::evaluate::{arithmetic, order, scale};
use crate::{BinaryOp, Fault, Number, NumberError, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "sum",
        &["list"],
        "The sum of numbers or quantities; of an empty list 0, which goes with every unit.",
        "sum([1, 2]) = 3",
        returns::any,
        sum,
    )
    .unknowns(),
    Function::new(
        "min",
        &["values"],
        "The least of numbers or quantities.",
        "min(2, 1) = 1",
        returns::any,
        min,
    )
    .variadic(),
    Function::new(
        "max",
        &["values"],
        "The greatest of numbers or quantities.",
        "max(2, 1) = 2",
        returns::any,
        max,
    )
    .variadic(),
    Function::new(
        "abs",
        &["value"],
        "The number or quantity without its sign.",
        "abs(-2) = 2",
        returns::any,
        abs,
    )
    .unknowns(),
    Function::new(
        "floor",
        &["number"],
        "The greatest whole number that is not above it.",
        "floor(1.5) = 1",
        returns::number,
        floor,
    ),
    Function::new(
        "ceil",
        &["number"],
        "The least whole number that is not below it.",
        "ceil(1.5) = 2",
        returns::number,
        ceil,
    ),
    Function::new(
        "pow",
        &["number", "exponent"],
        "A power with a whole exponent.",
        "pow(2, 10) = 1024",
        returns::number,
        pow,
    ),
    Function::new("signum", &["number"], "-1, 0 or 1.", "signum(-5) = -1", returns::number, signum),
    Function::new(
        "tonumber",
        &["value"],
        "A number of the text that is one, or of a count.",
        "tonumber(\"1.5\") = 1.5",
        returns::number,
        tonumber,
    ),
    Function::new(
        "parseint",
        &["text", "base"],
        "A whole number of its digits in a base from 2 to 36.",
        "parseint(\"ff\", 16) = 255",
        returns::number,
        parseint,
    ),
];

fn sum(call: &Call<'_>) -> Result<Value, Fault> {
    if let Value::Unknown(_) = call.argument(0) {
        return Ok(Value::Unknown(returns::any()));
    }
    let mut total: Option<Value> = None;
    for item in call.list(0)? {
        let next = match (&total, item) {
            (None, Value::Quantity(_) | Value::Unknown(_)) => item.clone(),
            (None, other) => arithmetic(BinaryOp::Add, &Value::Number(Number::ZERO), other, call.host)?,
            (Some(total), item) => arithmetic(BinaryOp::Add, total, item, call.host)?,
        };
        total = Some(next);
    }
    Ok(total.unwrap_or(Value::Number(Number::ZERO)))
}

fn min(call: &Call<'_>) -> Result<Value, Fault> {
    extreme(call, Ordering::Less)
}

fn max(call: &Call<'_>) -> Result<Value, Fault> {
    extreme(call, Ordering::Greater)
}

fn extreme(call: &Call<'_>, side: Ordering) -> Result<Value, Fault> {
    let mut best = number_or_quantity(call, 0)?;
    for index in 1..call.arguments.len() {
        let next = number_or_quantity(call, index)?;
        let operator = if side.is_lt() { BinaryOp::Less } else { BinaryOp::Greater };
        if order(operator, &next, &best, call.host).map_err(|fault| fault.argument(index))? == side {
            best = next;
        }
    }
    Ok(best)
}

fn number_or_quantity(call: &Call<'_>, index: usize) -> Result<Value, Fault> {
    match call.argument(index) {
        quantity @ Value::Quantity(_) => Ok(quantity.clone()),
        other => match plain_number(other) {
            Some(number) => Ok(Value::Number(number)),
            None => Err(call.wanted(index, "a number or a quantity")),
        },
    }
}

/// Applies a change to a number, or to the number in a quantity.
fn change(call: &Call<'_>, change: fn(&Number) -> Number) -> Result<Value, Fault> {
    match call.argument(0) {
        unknown @ Value::Unknown(_) => Ok(unknown.clone()),
        Value::Quantity(quantity) => scale(quantity, |number| Ok(change(number)))
            .unwrap_or_else(|| Err(call.wanted(0, "a number or an amount"))),
        _ => call.number(0).map(|number| Value::Number(change(&number))),
    }
}

fn abs(call: &Call<'_>) -> Result<Value, Fault> {
    change(call, Number::abs)
}

fn floor(call: &Call<'_>) -> Result<Value, Fault> {
    call.number(0)?;
    change(call, Number::floor)
}

fn ceil(call: &Call<'_>) -> Result<Value, Fault> {
    call.number(0)?;
    change(call, Number::ceil)
}

fn pow(call: &Call<'_>) -> Result<Value, Fault> {
    let (base, exponent) = (call.number(0)?, call.whole(1)?);
    let size = u32::try_from(exponent.unsigned_abs()).map_err(|_| Fault::from(NumberError::TooLarge))?;
    let power = base.powi(size)?;
    if exponent >= 0 {
        return Ok(Value::Number(power));
    }
    Ok(Value::Number(Number::ONE.checked_div(&power)?))
}

fn signum(call: &Call<'_>) -> Result<Value, Fault> {
    Ok(Value::number(match call.number(0)?.cmp(&Number::ZERO) {
        Ordering::Less => -1_i64,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }))
}

fn tonumber(call: &Call<'_>) -> Result<Value, Fault> {
    if call.argument(0).is_null() {
        return Ok(Value::Null);
    }
    match call.argument(0) {
        quantity @ Value::Quantity(_) => plain_number(quantity).map(Value::Number).ok_or_else(|| {
            call.wanted(0, "a number").help("divide by one unit: `x / duration(\"1h\")` is a number of hours")
        }),
        _ => call.number(0).map(Value::Number),
    }
}

fn parseint(call: &Call<'_>) -> Result<Value, Fault> {
    let (text, base) = (call.text(0)?, call.whole(1)?);
    let base = u32::try_from(base).ok().filter(|base| (2..=36).contains(base));
    let base = base.ok_or_else(|| call.wanted(1, "a base from 2 to 36"))?;
    let number = i64::from_str_radix(&text, base);
    number.map(Value::number).map_err(|_| {
        call.fault(0, format_args!("{} is not a whole number in base {base}", Value::string(&text)))
    })
}
