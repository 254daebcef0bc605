//! Numbers and quantities.

use std::cmp::Ordering;

use super::Function;
use super::call::{Call, returns};
use crate::evaluate::{arithmetic, order, scale, to_number};
use crate::{BinaryOp, Fault, Number, NumberError, Type, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "abs",
        &[("value", "a number or an amount")],
        "The number or quantity without its sign.",
        returns::any,
        abs,
    )
    .unknowns()
    .examples(&[("abs(-2)", "2"), (r#"abs(money("-$5"))"#, "$5.00")])
    .notes(&["Takes quantities too."]),
    Function::new(
        "ceil",
        &[("number", "a number or a count")],
        "The least whole number that is not below it.",
        returns::number,
        ceil,
    )
    .examples(&[("ceil(1.5)", "2"), ("ceil(-1.5)", "-1")]),
    Function::new(
        "floor",
        &[("number", "a number or a count")],
        "The greatest whole number that is not above it.",
        returns::number,
        floor,
    )
    .examples(&[("floor(1.5)", "1"), ("floor(-1.5)", "-2")]),
    Function::new(
        "log",
        &[("number", "a number above 0"), ("base", "a number above 0 other than 1")],
        "The logarithm of a number in a base.",
        returns::number,
        log,
    )
    .examples(&[
        ("log(8, 2)", "3"),
        ("log(2, 10)", "0.30102999566398119521"),
        ("log(0, 2)", "error: `log`: a number above 0 is wanted, not a number: 0"),
    ])
    .notes(&["20 significant digits, correctly rounded, where OpenTofu computes with a binary float; a logarithm that \
              ends within them is exact."]),
    Function::new(
        "max",
        &[("values", "numbers, or quantities of one kind")],
        "The greatest of numbers or quantities.",
        returns::any,
        max,
    )
    .variadic()
    .examples(&[
        ("max(2, 5, 1)", "5"),
        ("max([2, 1]...)", "2"),
        (r#"max(duration("1h"), duration("90m"))"#, "1h30m"),
    ])
    .notes(&["Takes quantities too. A list is expanded with `...`."]),
    Function::new(
        "min",
        &[("values", "numbers, or quantities of one kind")],
        "The least of numbers or quantities.",
        returns::any,
        min,
    )
    .variadic()
    .examples(&[("min(2, 5, 1)", "1"), (r#"min(duration("1h"), duration("90m"))"#, "1h")])
    .notes(&["Takes quantities too. A list is expanded with `...`."]),
    Function::new(
        "parseint",
        &[("text", "digits, with an optional sign"), ("base", "from 2 to 62")],
        "A whole number of its digits in a base.",
        returns::number,
        parseint,
    )
    .examples(&[
        (r#"parseint("ff", 16)"#, "255"),
        (r#"parseint("-101", 2)"#, "-5"),
        (r#"parseint("12", 2)"#, r#"error: `parseint`: "12" is not a whole number in base 2"#),
    ])
    .notes(&["Up to base 36 capitals are the same as small letters; above it, they are the digits from 36."]),
    Function::new(
        "pow",
        &[("number", "the base"), ("exponent", "any number")],
        "A power.",
        returns::number,
        pow,
    )
    .examples(&[("pow(2, 10)", "1024"), ("pow(2, -2)", "0.25"), ("pow(2, 0.5)", "1.4142135623730950488")])
    .notes(&["A whole exponent gives the exact power. With any other the result is rounded correctly to 20 significant \
              digits, where OpenTofu computes with a binary float; a root that ends within them is exact."]),
    Function::new("signum", &[("number", "a number or a count")], "-1, 0 or 1.", returns::number, signum)
        .examples(&[("signum(-5)", "-1"), ("signum(0)", "0"), ("signum(0.5)", "1")]),
    Function::new(
        "sum",
        &[("list", "a list or set of numbers, or of quantities of one kind")],
        "The sum of numbers or quantities; of an empty list 0, which goes with every unit.",
        returns::any,
        sum,
    )
    .unknowns()
    .examples(&[("sum([1, 2.5])", "3.5"), (r#"sum([duration("1h"), "30m"])"#, "1h30m"), ("sum([])", "0")])
    .notes(&["Takes quantities too. OpenTofu refuses an empty list."]),
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
        other => match to_number(other) {
            Ok(number) => Ok(Value::Number(number)),
            Err(_) => Err(call.wanted(index, "a number or a quantity")),
        },
    }
}

/// Applies a change to a number, or to the number in a quantity.
fn change(call: &Call<'_>, change: fn(&Number) -> Number) -> Result<Value, Fault> {
    match call.argument(0) {
        // A text that will be known is a number then, or a fault.
        Value::Unknown(Type::String) => Ok(Value::Unknown(Type::Number)),
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

/// Steps that a logarithm or a root costs: it is many multiplications of long numbers.
const LONG: usize = 1_000;

fn log(call: &Call<'_>) -> Result<Value, Fault> {
    call.work(LONG)?;
    let (number, base) = (call.number(0)?, call.number(1)?);
    for (index, number) in [&number, &base].into_iter().enumerate() {
        if number.is_zero() || number.is_negative() {
            return Err(call.wanted(index, "a number above 0"));
        }
    }
    match number.log(&base) {
        Err(NumberError::DivisionByZero) => Err(call.fault(1, "there are no logarithms in base 1")),
        result => Ok(Value::Number(result?)),
    }
}

fn pow(call: &Call<'_>) -> Result<Value, Fault> {
    let (base, exponent) = (call.number(0)?, call.number(1)?);
    if !exponent.is_integer() {
        call.work(LONG)?;
    }
    match base.pow(&exponent)? {
        Some(power) => Ok(Value::Number(power)),
        None => {
            Err(call.fault(0, format_args!("a number below 0 has no root: {base} to the power {exponent}")))
        }
    }
}

fn signum(call: &Call<'_>) -> Result<Value, Fault> {
    Ok(Value::number(match call.number(0)?.cmp(&Number::ZERO) {
        Ordering::Less => -1_i64,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }))
}

fn parseint(call: &Call<'_>) -> Result<Value, Fault> {
    let (text, base) = (call.text(0)?, call.whole(1)?);
    let base = u32::try_from(base).ok().filter(|base| (2..=62).contains(base));
    let base = base.ok_or_else(|| call.wanted(1, "a base from 2 to 62"))?;
    match Number::from_radix(&text, base) {
        Err(NumberError::Syntax) => {
            let message = format!("{} is not a whole number in base {base}", Value::string(&text));
            Err(call.fault(0, message))
        }
        result => Ok(Value::Number(result?)),
    }
}
