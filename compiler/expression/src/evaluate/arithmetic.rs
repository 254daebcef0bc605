//! `+ - * / %`: numbers, and the table of LANGUAGE §3.8 for quantities.

use std::cmp::Ordering;

use super::coerce::{constructor_help, infer, like, to_number};
use super::fault::Fault;
use super::{BinaryOp, Host};
use crate::quantity::{
    Bandwidth, Bytes, Count, Duration, Energy, Money, MoneyError, PerUnit, Percent, Power, Quantity,
};
use crate::{Number, NumberError, Type, Value, codes};

/// The result of an arithmetic operator between two values without marks.
pub(crate) fn arithmetic(op: BinaryOp, left: &Value, right: &Value, host: &dyn Host) -> Result<Value, Fault> {
    if left.is_null() || right.is_null() {
        return Err(null_operand(op, left, right));
    }
    if let (Value::Unknown(_), _) | (_, Value::Unknown(_)) = (left, right) {
        possible(op, left, right)?;
        return Ok(Value::Unknown(result_type(op, left, right)));
    }
    let by_zero = |fault: Fault| Fault {
        message: if fault.code == codes::DIVISION_BY_ZERO {
            format!("division by zero: {}", formula(op, left, right))
        } else {
            fault.message
        },
        help: fault.help.or_else(|| {
            (fault.code == codes::DIVISION_BY_ZERO)
                .then(|| "test the divisor first: `b == 0 ? … : a / b`".to_owned())
        }),
        ..fault
    };
    match (left, right) {
        (Value::Quantity(a), Value::Quantity(b)) => quantities(op, a, b, host).map_err(by_zero),
        (Value::Quantity(a), Value::String(text)) => {
            let b = beside(op, a, text)?;
            arithmetic(op, left, &b, host).map_err(by_zero)
        }
        (Value::String(text), Value::Quantity(b)) => {
            let a = beside(op, b, text)?;
            arithmetic(op, &a, right, host).map_err(by_zero)
        }
        (Value::Quantity(a), Value::Number(b)) => quantity_number(op, a, b).map_err(by_zero),
        (Value::Number(a), Value::Quantity(b)) => number_quantity(op, a, b).map_err(by_zero),
        (Value::Quantity(_), _) | (_, Value::Quantity(_)) => Err(no_table_row(op, left, right)),
        _ => {
            let operand = |value| to_number(value).map_err(|fault| operand_fault(op, left, right, fault));
            numbers(op, &operand(left)?, &operand(right)?)
                .map(Value::Number)
                .map_err(|error| by_zero(error.into()))
        }
    }
}

/// Text in an operation with a quantity. A sum takes the same kind; a product takes what the text is by itself.
fn beside(op: BinaryOp, other: &Quantity, text: &str) -> Result<Value, Fault> {
    if matches!(op, BinaryOp::Add | BinaryOp::Subtract) {
        return Ok(Value::Quantity(like(other, text)?));
    }
    if let Ok(number) = Number::parse(text) {
        return Ok(Value::Number(number));
    }
    match infer(text) {
        Some((quantity, _)) => Ok(Value::Quantity(quantity)),
        None => Err(Fault::new(
            codes::BAD_QUANTITY,
            format!("{} is neither a number nor a quantity", Value::string(text)),
        )),
    }
}

fn numbers(op: BinaryOp, a: &Number, b: &Number) -> Result<Number, NumberError> {
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Subtract => a.checked_sub(b),
        BinaryOp::Multiply => a.checked_mul(b),
        BinaryOp::Divide => a.checked_div(b),
        BinaryOp::Remainder => a.checked_rem(b),
        _ => Err(NumberError::Syntax),
    }
}

fn quantities(op: BinaryOp, a: &Quantity, b: &Quantity, host: &dyn Host) -> Result<Value, Fault> {
    use Quantity as Q;
    let mismatch = || no_table_row(op, &Value::Quantity(a.clone()), &Value::Quantity(b.clone()));
    let number = |result: Result<Number, NumberError>| result.map_err(Fault::from);
    match (op, a, b) {
        (BinaryOp::Add | BinaryOp::Subtract, Q::Money(a), Q::Money(b)) => {
            let b = in_currency_of(a, b, host);
            let sum = if op == BinaryOp::Add { a.checked_add(&b) } else { a.checked_sub(&b) };
            sum.map(Value::from).map_err(|error| money_fault(op, a, &b, error))
        }
        (BinaryOp::Divide, Q::Money(a), Q::Money(b)) => {
            let b = in_currency_of(a, b, host);
            a.ratio(&b).map(Value::from).map_err(|error| money_fault(op, a, &b, error))
        }
        (BinaryOp::Multiply, Q::Percent(p), other) | (BinaryOp::Multiply, other, Q::Percent(p)) => {
            scale(other, |n| n.checked_mul(&p.0)).unwrap_or_else(|| Err(mismatch()))
        }
        (BinaryOp::Multiply, Q::Money(m), Q::Duration(d))
        | (BinaryOp::Multiply, Q::Duration(d), Q::Money(m)) => {
            m.times_duration(d).map(Value::from).map_err(|error| match error {
                MoneyError::Number(error) => error.into(),
                _ => mismatch().help("only money per time can be multiplied by a duration: \"$2.10/h\""),
            })
        }
        (BinaryOp::Multiply, Q::Money(m), Q::Count(c)) | (BinaryOp::Multiply, Q::Count(c), Q::Money(m)) => {
            m.times_count(c).map(Value::from).map_err(|error| match error {
                MoneyError::Number(error) => error.into(),
                _ => mismatch().help("money per GPU goes with `gpus(n)`, money per node with `nodes(n)`"),
            })
        }
        (BinaryOp::Multiply, Q::Bandwidth(r), Q::Duration(d))
        | (BinaryOp::Multiply, Q::Duration(d), Q::Bandwidth(r)) => {
            let bits = number(r.0.checked_mul(&d.0))?;
            Ok(Bytes(number(bits.checked_div(&8_u64.into()))?).into())
        }
        (BinaryOp::Multiply, Q::Power(p), Q::Duration(d))
        | (BinaryOp::Multiply, Q::Duration(d), Q::Power(p)) => {
            let watt_seconds = number(p.0.checked_mul(&d.0))?;
            Ok(Energy(number(watt_seconds.checked_div(&3600_u64.into()))?).into())
        }
        (BinaryOp::Multiply, Q::Energy(e), Q::Money(m)) | (BinaryOp::Multiply, Q::Money(m), Q::Energy(e))
            if m.per == Some(PerUnit::KilowattHour) =>
        {
            let kilowatt_hours = number(e.0.checked_div(&1000_u64.into()))?;
            let amount = number(m.amount.checked_mul(&kilowatt_hours))?;
            Ok(Money { amount, per: None, ..m.clone() }.into())
        }
        (BinaryOp::Divide, Q::Bytes(b), Q::Duration(d)) => {
            let bits = number(b.0.checked_mul(&8_u64.into()))?;
            Ok(Bandwidth(number(bits.checked_div(&d.0))?).into())
        }
        (BinaryOp::Divide, Q::Bytes(b), Q::Bandwidth(r)) => {
            let bits = number(b.0.checked_mul(&8_u64.into()))?;
            Ok(Duration(number(bits.checked_div(&r.0))?).into())
        }
        _ => {
            let (Some(x), Some(y)) = (same_kind(a, b), same_kind(b, a)) else { return Err(mismatch()) };
            match op {
                BinaryOp::Add | BinaryOp::Subtract => {
                    scale(a, |_| numbers(op, x, y)).unwrap_or_else(|| Err(mismatch()))
                }
                BinaryOp::Divide => number(x.checked_div(y)).map(Value::Number),
                BinaryOp::Remainder if matches!(a, Q::Count(_)) => {
                    scale(a, |n| n.checked_rem(y)).unwrap_or_else(|| Err(mismatch()))
                }
                _ => Err(mismatch()),
            }
        }
    }
}

fn quantity_number(op: BinaryOp, a: &Quantity, b: &Number) -> Result<Value, Fault> {
    let mismatch = || no_table_row(op, &Value::Quantity(a.clone()), &Value::Number(b.clone()));
    let counts = matches!(a, Quantity::Count(_));
    match op {
        BinaryOp::Multiply if matches!(a, Quantity::Percent(_)) => return number_quantity(op, b, a),
        BinaryOp::Multiply => scale(a, |n| n.checked_mul(b)),
        BinaryOp::Divide => scale(a, |n| n.checked_div(b)),
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Remainder if counts => scale(a, |n| numbers(op, n, b)),
        BinaryOp::Add | BinaryOp::Subtract if b.is_zero() => scale(a, |n| Ok(n.clone())),
        _ => None,
    }
    .unwrap_or_else(|| Err(mismatch()))
}

fn number_quantity(op: BinaryOp, a: &Number, b: &Quantity) -> Result<Value, Fault> {
    let mismatch = || no_table_row(op, &Value::Number(a.clone()), &Value::Quantity(b.clone()));
    let counts = matches!(b, Quantity::Count(_));
    match op {
        // A share of a number is a number.
        BinaryOp::Multiply if matches!(b, Quantity::Percent(_)) => {
            same_kind(b, b).map(|p| a.checked_mul(p).map(Value::Number).map_err(Fault::from))
        }
        BinaryOp::Multiply => scale(b, |n| a.checked_mul(n)),
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Remainder if counts => scale(b, |n| numbers(op, a, n)),
        BinaryOp::Divide if counts => {
            same_kind(b, b).map(|n| a.checked_div(n).map(Value::Number).map_err(Fault::from))
        }
        BinaryOp::Add if a.is_zero() => scale(b, |n| Ok(n.clone())),
        BinaryOp::Subtract if a.is_zero() => scale(b, |n| Ok(n.neg())),
        _ => None,
    }
    .unwrap_or_else(|| Err(mismatch()))
}

/// The number inside `a`, when `b` is a quantity of the same dimension that has one. Money is apart.
pub(crate) fn same_kind<'a>(a: &'a Quantity, b: &Quantity) -> Option<&'a Number> {
    match (a, b) {
        (Quantity::Duration(a), Quantity::Duration(_)) => Some(&a.0),
        (Quantity::Bytes(a), Quantity::Bytes(_)) => Some(&a.0),
        (Quantity::Bandwidth(a), Quantity::Bandwidth(_)) => Some(&a.0),
        (Quantity::Power(a), Quantity::Power(_)) => Some(&a.0),
        (Quantity::Energy(a), Quantity::Energy(_)) => Some(&a.0),
        (Quantity::Percent(a), Quantity::Percent(_)) => Some(&a.0),
        (Quantity::Count(a), Quantity::Count(b)) if a.unit == b.unit => Some(&a.number),
        _ => None,
    }
}

/// A quantity of the same kind with another number; `None` for kinds without one.
pub(crate) fn scale(
    quantity: &Quantity,
    change: impl FnOnce(&Number) -> Result<Number, NumberError>,
) -> Option<Result<Value, Fault>> {
    let changed =
        |number: &Number, wrap: &dyn Fn(Number) -> Value| change(number).map(wrap).map_err(Fault::from);
    Some(match quantity {
        Quantity::Duration(q) => changed(&q.0, &|n| Duration(n).into()),
        Quantity::Bytes(q) => changed(&q.0, &|n| Bytes(n).into()),
        Quantity::Bandwidth(q) => changed(&q.0, &|n| Bandwidth(n).into()),
        Quantity::Power(q) => changed(&q.0, &|n| Power(n).into()),
        Quantity::Energy(q) => changed(&q.0, &|n| Energy(n).into()),
        Quantity::Percent(q) => changed(&q.0, &|n| Percent(n).into()),
        Quantity::Money(q) => changed(&q.amount, &|amount| Money { amount, ..q.clone() }.into()),
        Quantity::Count(q) => changed(&q.number, &|number| Count { number, unit: q.unit }.into()),
        _ => return None,
    })
}

/// `-x`.
pub(crate) fn negate(value: &Value) -> Result<Value, Fault> {
    match value {
        Value::Unknown(Type::String) => Ok(Value::Unknown(Type::Number)),
        Value::Unknown(ty) if ty.may_be_operand() => Ok(Value::Unknown(ty.clone())),
        Value::Unknown(_) => {
            Err(Fault::new(codes::WRONG_OPERAND, format!("{} has no negative", value.type_name())))
        }
        Value::Quantity(quantity) => scale(quantity, |n| Ok(n.neg())).unwrap_or_else(|| {
            Err(Fault::new(codes::WRONG_OPERAND, format!("{} has no negative: {value}", value.type_name())))
        }),
        other => Ok(Value::Number(to_number(other)?.neg())),
    }
}

/// `other` in the currency of `money`, when a price book has a rate; else as it is.
pub(crate) fn in_currency_of(money: &Money, other: &Money, host: &dyn Host) -> Money {
    if money.currency == other.currency {
        return other.clone();
    }
    let rate = host.exchange_rate(other.currency, money.currency);
    let amount = rate.and_then(|rate| other.amount.checked_mul(&rate).ok());
    amount.map_or_else(|| other.clone(), |amount| Money { amount, currency: money.currency, ..other.clone() })
}

pub(crate) fn money_fault(op: BinaryOp, a: &Money, b: &Money, error: MoneyError) -> Fault {
    match error {
        MoneyError::Number(error) => error.into(),
        MoneyError::Currency => {
            let message =
                format!("{} and {} meet without a rate: {a} {} {b}", a.currency, b.currency, sign(op));
            let help = format!(
                "state the rate in a price book: rates = {{ {} = \"… in {}\" }}",
                b.currency, a.currency
            );
            Fault::new(codes::CURRENCIES, message).help(help)
        }
        MoneyError::Per => {
            let per = |money: &Money| match money.per_text().as_str() {
                "" => "a total".to_owned(),
                per => format!("per {per}"),
            };
            let message =
                format!("money {} and money {} do not go together: {a} {} {b}", per(a), per(b), sign(op));
            // A sum compared with money per time is nearly always meant per that time.
            let sums =
                !matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide);
            let sum = match (a.time, b.time) {
                (Some(time), None) => Some((b, time)),
                (None, Some(time)) => Some((a, time)),
                _ => None,
            };
            if let (true, Some((sum, time))) = (sums && a.per == b.per, sum) {
                let rate = Money { time: Some(time), ..sum.clone() };
                return Fault::new(codes::DIMENSIONS, message).help(format!("write \"{}\"", rate.literal()));
            }
            let help = match (a.per, b.per) {
                (Some(PerUnit::Gpu), None) | (None, Some(PerUnit::Gpu)) => {
                    "multiply money per GPU by `gpus(n)` first"
                }
                (Some(PerUnit::Node), None) | (None, Some(PerUnit::Node)) => {
                    "multiply money per node by `nodes(n)` first"
                }
                _ if a.per == b.per => "multiply money per time by a `duration(…)` first",
                _ => "bring both to the same unit first",
            };
            Fault::new(codes::DIMENSIONS, message).help(help)
        }
    }
}

/// The operation is not in the table: names both kinds and shows both values.
pub(crate) fn no_table_row(op: BinaryOp, left: &Value, right: &Value) -> Fault {
    let verb = match op {
        BinaryOp::Add => "added",
        BinaryOp::Subtract => "subtracted",
        BinaryOp::Multiply => "multiplied",
        BinaryOp::Divide | BinaryOp::Remainder => "divided",
        _ => "compared",
    };
    let message = format!(
        "{} and {} cannot be {verb}: {}",
        left.type_name(),
        right.type_name(),
        formula(op, left, right)
    );
    let fault = Fault::new(codes::DIMENSIONS, message);
    match (left, right) {
        (Value::Number(_), Value::Quantity(_)) | (Value::Quantity(_), Value::Number(_)) => {
            fault.help("a bare number is only a count; give it a unit, as text: \"15m\", \"$5\", \"15%\"")
        }
        _ => fault.help(
            "bring both to one kind of quantity first; docs/language.md has the table of what goes together",
        ),
    }
}

fn null_operand(op: BinaryOp, left: &Value, right: &Value) -> Fault {
    let message = format!("null cannot be an operand of `{}`: {}", sign(op), formula(op, left, right));
    Fault::new(codes::NULL_OPERAND, message).help("null is absent; test `!= null` first")
}

fn operand_fault(op: BinaryOp, left: &Value, right: &Value, fault: Fault) -> Fault {
    if fault.code == codes::NUMBER_TOO_LARGE {
        return fault;
    }
    let help = [left, right].into_iter().filter_map(Value::as_str).find_map(constructor_help);
    let joins = matches!(
        (op, left, right),
        (BinaryOp::Add, Value::String(_), _) | (BinaryOp::Add, _, Value::String(_))
    );
    let join_help = joins.then(|| "texts are joined in a template: \"${a}${b}\"".to_owned());
    Fault::new(fault.code, format!("`{}` needs numbers: {}", sign(op), formula(op, left, right)))
        .maybe_help(help.or(join_help))
}

/// `15m + $5.00`
pub(crate) fn formula(op: BinaryOp, left: &Value, right: &Value) -> String {
    format!("{left} {} {right}", sign(op))
}

/// The operator as written.
pub(crate) fn sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Or => "||",
        BinaryOp::And => "&&",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessOrEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterOrEqual => ">=",
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
    }
}

/// Of two operands of which one is not known yet: whether there can be a result at all.
pub(crate) fn possible(op: BinaryOp, left: &Value, right: &Value) -> Result<(), Fault> {
    let impossible = [left, right].into_iter().any(|value| !value.type_of().may_be_operand())
        || [(left, right), (right, left)].into_iter().any(|(unknown, known)| {
            // Text beside a number is a number; beside what has a unit it may be that.
            let number = matches!(unknown, Value::Unknown(Type::Number | Type::Integer { .. }));
            let sum = matches!(
                op,
                BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder
            );
            (number || sum && matches!(unknown, Value::Unknown(_)))
                && matches!(known, Value::String(text) if Number::parse(text).is_err() && infer(text).is_none())
        });
    if !impossible {
        return Ok(());
    }
    let message = format!("`{}` needs numbers: {} and {}", sign(op), operand_text(left), operand_text(right));
    Err(Fault::new(codes::WRONG_OPERAND, message))
}

/// `text: "a"`, `a list that is not known yet`
fn operand_text(value: &Value) -> String {
    match value {
        Value::Unknown(_) => value.type_name().into_owned(),
        known => format!("{}: {known}", known.type_name()),
    }
}

/// The type of a result of which an operand is not known yet.
fn result_type(op: BinaryOp, left: &Value, right: &Value) -> Type {
    // Beside a number that is not zero, a sum has only numbers; zero is the sum of nothing, of whatever kind.
    let counted = |value: &Value| matches!(value, Value::Number(number) if !number.is_zero());
    let sum = matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Remainder);
    if (sum && (counted(left) || counted(right))) || (op == BinaryOp::Divide && counted(left)) {
        return Type::Number;
    }
    let plain = |ty: &Type| matches!(ty, Type::Number | Type::Integer { .. });
    let scalar = |ty: &Type| plain(ty) || matches!(ty, Type::Percent);
    let (left, right) = (&left.type_of(), &right.type_of());
    match op {
        _ if left.is_plain_number() && right.is_plain_number() => Type::Number,
        BinaryOp::Add | BinaryOp::Subtract if left == right => left.clone(),
        BinaryOp::Divide if plain(right) => left.clone(),
        BinaryOp::Divide if left == right && !matches!(left, Type::Any) => Type::Number,
        BinaryOp::Multiply if scalar(left) => right.clone(),
        BinaryOp::Multiply if scalar(right) => left.clone(),
        _ => Type::Any,
    }
}

/// `<`, `==` and so on of two values without marks that are known, by value.
pub(crate) fn order(op: BinaryOp, left: &Value, right: &Value, host: &dyn Host) -> Result<Ordering, Fault> {
    let mismatch = || no_table_row(op, left, right);
    match (left, right) {
        (Value::Null, _) | (_, Value::Null) => Err(null_operand(op, left, right)),
        (Value::Quantity(Quantity::Money(a)), Value::Quantity(Quantity::Money(b))) => {
            let b = in_currency_of(a, b, host);
            a.compare(&b).map_err(|error| money_fault(op, a, &b, error))
        }
        (Value::Quantity(Quantity::Date(a)), Value::Quantity(Quantity::Date(b))) => Ok(a.cmp(b)),
        (Value::Quantity(Quantity::Version(a)), Value::Quantity(Quantity::Version(b))) => Ok(a.cmp(b)),
        (Value::Quantity(a), Value::Quantity(b)) => match (same_kind(a, b), same_kind(b, a)) {
            (Some(a), Some(b)) => Ok(a.cmp(b)),
            _ => Err(mismatch()),
        },
        (Value::Quantity(a), Value::String(text)) => order(op, left, &Value::Quantity(like(a, text)?), host),
        (Value::String(text), Value::Quantity(b)) => order(op, &Value::Quantity(like(b, text)?), right, host),
        (Value::Quantity(a), Value::Number(b)) => against_number(a, b).ok_or_else(mismatch),
        (Value::Number(a), Value::Quantity(b)) => {
            against_number(b, a).map(Ordering::reverse).ok_or_else(mismatch)
        }
        (Value::Quantity(_), _) | (_, Value::Quantity(_)) => Err(mismatch()),
        // The sum of nothing against a limit with a unit.
        (Value::Number(zero), Value::String(text))
            if zero.is_zero()
                && let Some((limit, _)) = infer(text) =>
        {
            order(op, left, &Value::Quantity(limit), host)
        }
        (Value::String(text), Value::Number(zero))
            if zero.is_zero()
                && let Some((limit, _)) = infer(text) =>
        {
            order(op, &Value::Quantity(limit), right, host)
        }
        _ => {
            let operand = |value| to_number(value).map_err(|fault| operand_fault(op, left, right, fault));
            Ok(operand(left)?.cmp(&operand(right)?))
        }
    }
}

/// A quantity against a bare number: counts, and 0 with everything that has an amount.
pub(crate) fn against_number(quantity: &Quantity, number: &Number) -> Option<Ordering> {
    let inside = match quantity {
        Quantity::Count(count) => return Some(count.number.cmp(number)),
        Quantity::Money(money) => &money.amount,
        other => same_kind(other, other)?,
    };
    number.is_zero().then(|| inside.cmp(number))
}
