//! `condition ? then : otherwise`, and the common type of its two results.

use poolwright_diagnostics::Span;

use super::coerce::like;
use super::fault::{Fault, Outcome};
use super::{Evaluator, Expr, ExprKind, Scope, equal, to_bool, to_text};
use crate::{Type, Value, codes};

impl Evaluator<'_> {
    /// Only the chosen side must succeed. The other is asked for its type alone, and its faults do not count.
    #[inline(never)]
    pub(super) fn conditional(&self, parts: &(Expr, Expr, Expr), span: Span, scope: &Scope) -> Outcome {
        let (condition, then, otherwise) = parts;
        let (value, mark) = self.eval(condition, scope)?.unmark();
        let (chosen, other) = match to_bool(&value).map_err(|fault| fault.hidden(mark).at(condition.span))? {
            Some(true) => (then, otherwise),
            Some(false) => (otherwise, then),
            None => return Ok(self.undecided(then, otherwise, scope)?.marked(mark)),
        };
        let result = self.eval(chosen, scope)?;
        if !depends_on_other(&result, other) {
            return Ok(result.marked(mark));
        }
        let Ok(other_value) = self.eval(other, scope) else { return Ok(result.marked(mark)) };
        let unified = unify(&result, &other_value.unmark().0).map_err(|fault| fault.at(span))?;
        Ok(unified.marked(mark))
    }

    /// An unknown condition: the value if both sides have the same one, else unknown.
    fn undecided(&self, then: &Expr, otherwise: &Expr, scope: &Scope) -> Outcome {
        let (then, otherwise) = (self.eval(then, scope)?, self.eval(otherwise, scope)?);
        if equal(&then, &otherwise, self.host) == Ok(Some(true)) {
            return Ok(then);
        }
        let mark = then.is_sensitive() || otherwise.is_sensitive();
        let (a, b) = (then.type_of(), otherwise.type_of());
        let ty = if a == b || otherwise.is_null() {
            a
        } else if then.is_null() {
            b
        } else {
            Type::Any
        };
        Ok(Value::Unknown(ty).marked(mark))
    }
}

/// Whether the type of the other side can change the result: it cannot for null, quantities and blocks, nor when the
/// other side is a constant of the same kind.
fn depends_on_other(result: &Value, other: &Expr) -> bool {
    match (result, &other.kind) {
        (Value::Null | Value::Quantity(_) | Value::Block(_), _) => false,
        (Value::String(_), ExprKind::Template(_)) => false,
        (result, ExprKind::Literal(other)) => {
            !std::mem::discriminant(result).eq(&std::mem::discriminant(other))
        }
        _ => true,
    }
}

/// The result in the type that it has in common with the other side: numbers and bools become text next to text, in
/// lists and objects too; text becomes a quantity next to one.
fn unify(result: &Value, other: &Value) -> Result<Value, Fault> {
    Ok(match (result, other) {
        (Value::Sensitive(inner), other) => unify(inner, other)?.sensitive(),
        (value, Value::Sensitive(inner)) => unify(value, inner)?,
        (Value::Unknown(Type::Number | Type::Bool), Value::String(_)) => Value::Unknown(Type::String),
        (Value::Number(_) | Value::Bool(_), Value::String(_) | Value::Unknown(Type::String)) => {
            Value::String(to_text(result)?)
        }
        (Value::String(text), Value::Quantity(quantity)) => {
            like(quantity, text).map_or_else(|_| result.clone(), Value::Quantity)
        }
        (Value::List(a), Value::List(b)) if a.len() == b.len() => {
            Value::list(a.iter().zip(b.iter()).map(|(a, b)| unify(a, b).unwrap_or_else(|_| a.clone())))
        }
        (Value::List(a), Value::List(b)) if textual(a.iter().chain(b.iter())) => {
            Value::list(a.iter().map(as_text))
        }
        (Value::Object(a), Value::Object(b)) if a.len() == b.len() && a.keys().eq(b.keys()) => {
            let unified = |(a, b): (&Value, &Value)| unify(a, b).unwrap_or_else(|_| a.clone());
            Value::object(a.keys().cloned().zip(a.values().zip(b.values()).map(unified)))
        }
        (Value::Object(a), Value::Object(b)) if textual(a.values().chain(b.values())) => {
            Value::object(a.iter().map(|(key, value)| (key.clone(), as_text(value))))
        }
        _ if clash(result, other) => {
            let message = format!(
                "the two results of the conditional are of different types: {} and {}",
                result.type_name(),
                other.type_name()
            );
            return Err(Fault::new(codes::CONDITIONAL_TYPES, message).help("bring both to one type"));
        }
        _ => result.clone(),
    })
}

/// Whether all are plain values and one is text.
fn textual<'a>(values: impl Iterator<Item = &'a Value>) -> bool {
    let mut text = false;
    for value in values {
        match value {
            Value::String(_) => text = true,
            Value::Number(_) | Value::Bool(_) | Value::Null => {}
            _ => return false,
        }
    }
    text
}

fn as_text(value: &Value) -> Value {
    match value {
        Value::Null => Value::Null,
        other => to_text(other).map_or_else(|_| other.clone(), Value::String),
    }
}

/// Whether two types have nothing in common. Null, unknown, quantities and blocks go with everything.
fn clash(a: &Value, b: &Value) -> bool {
    let group = |value: &Value| match value {
        Value::Bool(_) => Some(0),
        Value::Number(_) => Some(1),
        Value::String(_) => Some(2),
        Value::List(_) | Value::Set(_) => Some(3),
        Value::Object(_) => Some(4),
        _ => None,
    };
    matches!((group(a), group(b)), (Some(a), Some(b)) if a != b && !(a <= 2 && b <= 2 && (a == 2 || b == 2)))
}
