//! `==`: between all types, without conversion except of text next to a quantity; three-valued.

use super::arithmetic::{against_number, in_currency_of, money_fault, no_table_row, same_kind};
use super::coerce::like;
use super::fault::Fault;
use super::{BinaryOp, Host};
use crate::quantity::{Quantity, Range};
use crate::{Type, Value};

/// Whether two values are equal; `None`: not known yet. Marks are looked through.
pub(crate) fn equal(left: &Value, right: &Value, host: &dyn Host) -> Result<Option<bool>, Fault> {
    Ok(match (left, right) {
        (Value::Sensitive(inner), other) | (other, Value::Sensitive(inner)) => {
            return equal(inner, other, host);
        }
        // Two that are not known yet may both be null.
        (Value::Unknown(_), Value::Unknown(_)) => None,
        (Value::Unknown(_), _) | (_, Value::Unknown(_)) if differ(left, right) => Some(false),
        (Value::Unknown(_), _) | (_, Value::Unknown(_)) => None,
        (Value::Bool(a), Value::Bool(b)) => Some(a == b),
        (Value::Number(a), Value::Number(b)) => Some(a == b),
        (Value::String(a), Value::String(b)) => Some(a == b),
        (Value::Null, Value::Null) => Some(true),
        (Value::Block(a), Value::Block(b)) => Some(a == b),
        (Value::List(a), Value::List(b)) | (Value::Set(a), Value::Set(b)) => {
            if a.len() != b.len() {
                return Ok(Some(false));
            }
            return all(a.iter().zip(b.iter()), host);
        }
        (Value::Object(a), Value::Object(b)) => {
            if a.len() != b.len() || a.keys().zip(b.keys()).any(|(a, b)| a != b) {
                return Ok(Some(false));
            }
            return all(a.values().zip(b.values()), host);
        }
        (Value::Quantity(a), Value::Quantity(b)) => Some(quantities(a, b, host)?),
        (Value::Quantity(a), Value::String(text)) | (Value::String(text), Value::Quantity(a)) => {
            Some(quantities(a, &like(a, text)?, host)?)
        }
        (Value::Quantity(Quantity::Range(range)), Value::Number(n))
        | (Value::Number(n), Value::Quantity(Quantity::Range(range))) => {
            Some(n.to_u64().is_some_and(|n| *range == Range::exactly(n)))
        }
        (Value::Quantity(a), Value::Number(n)) | (Value::Number(n), Value::Quantity(a)) => {
            let order = against_number(a, n).ok_or_else(|| no_table_row(BinaryOp::Equal, left, right))?;
            Some(order.is_eq())
        }
        _ => Some(false),
    })
}

/// Whether two values, of which one is not known yet, are of kinds that have no equal values, or objects with other
/// keys.
fn differ(left: &Value, right: &Value) -> bool {
    // Text and numbers may be equal to what has a unit, and a value that is not known yet may be null.
    if [left, right].iter().any(|value| matches!(value, Value::Null | Value::Quantity(_))) {
        return false;
    }
    match (left.type_of(), right.type_of()) {
        (Type::Object(a), Type::Object(b)) => {
            a.fields.len() != b.fields.len() || a.fields.iter().any(|field| b.field(&field.name).is_none())
        }
        (a, b) => matches!((a.group(), b.group()), (Some(a), Some(b)) if a != b),
    }
}

fn all<'a>(
    pairs: impl Iterator<Item = (&'a Value, &'a Value)>,
    host: &dyn Host,
) -> Result<Option<bool>, Fault> {
    let mut known = Some(true);
    for (a, b) in pairs {
        match equal(a, b, host)? {
            Some(false) => return Ok(Some(false)),
            Some(true) => {}
            None => known = None,
        }
    }
    Ok(known)
}

fn quantities(a: &Quantity, b: &Quantity, host: &dyn Host) -> Result<bool, Fault> {
    let mismatch = || no_table_row(BinaryOp::Equal, &Value::Quantity(a.clone()), &Value::Quantity(b.clone()));
    match (a, b) {
        (Quantity::Money(a), Quantity::Money(b)) => {
            let b = in_currency_of(a, b, host);
            a.compare(&b)
                .map(std::cmp::Ordering::is_eq)
                .map_err(|error| money_fault(BinaryOp::Equal, a, &b, error))
        }
        _ => match (same_kind(a, b), same_kind(b, a)) {
            (Some(a), Some(b)) => Ok(a == b),
            _ if a.type_name() == b.type_name() => Ok(a == b),
            _ => Err(mismatch()),
        },
    }
}
