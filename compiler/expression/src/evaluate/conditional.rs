//! `condition ? then : otherwise`, and the common type of its two results.

use std::sync::Arc;

use poolwright_diagnostics::Span;

use super::coerce::like;
use super::fault::{Fault, Outcome, gave_up};
use super::{Evaluator, Expr, ExprKind, Scope, equal, to_bool, to_text};
use crate::types::Group;
use crate::{Type, Value, codes};

impl Evaluator<'_> {
    /// Only the chosen side must succeed. The other is asked for its type and its mark alone, and its faults do not
    /// count: whether a result is sensitive does not depend on the condition.
    #[inline(never)]
    pub(super) fn conditional(&self, parts: &(Expr, Expr, Expr), span: Span, scope: &Scope) -> Outcome {
        let (condition, then, otherwise) = parts;
        let (value, mark) = self.eval(condition, scope)?.unmark();
        let (chosen, other) =
            match to_bool(&value).map_err(|fault| self.explained(fault.hidden(mark), condition, scope))? {
                Some(true) => (then, otherwise),
                Some(false) => (otherwise, then),
                None => return Ok(self.undecided(then, otherwise, span, scope)?.marked(mark)),
            };
        let result = self.eval(chosen, scope)?;
        if !depends_on_other(&result, other) {
            return Ok(result.marked(mark));
        }
        let other = match self.attempted(other, scope)? {
            Ok(other) => other,
            Err(other_mark) => return Ok(result.marked(mark || other_mark)),
        };
        let (other, other_mark) = other.unmark();
        let hidden = mark || other_mark;
        let unified = unify(&result, &other).map_err(|fault| fault.hidden(hidden).at(span))?;
        Ok(unified.marked(hidden))
    }

    /// An unknown condition: what both sides have in common. A side that fails may be the one that is not chosen.
    fn undecided(&self, then: &Expr, otherwise: &Expr, span: Span, scope: &Scope) -> Outcome {
        let (then, otherwise) = (self.attempted(then, scope)?, self.attempted(otherwise, scope)?);
        let (then, otherwise) = match (then, otherwise) {
            (Ok(then), Ok(otherwise)) => (then, otherwise),
            (Ok(only), Err(mark)) | (Err(mark), Ok(only)) => {
                return Ok(Value::Unknown(only.type_of()).marked(mark || only.is_sensitive()));
            }
            (Err(a), Err(b)) => return Ok(Value::Unknown(Type::Any).marked(a || b)),
        };
        let ((then, a), (otherwise, b)) = (then.unmark(), otherwise.unmark());
        let unified = unify(&then, &otherwise).and_then(|x| Ok((x, unify(&otherwise, &then)?)));
        let (then, otherwise) = unified.map_err(|fault| fault.hidden(a || b).at(span))?;
        Ok(self.common(&then, &otherwise).marked(a || b))
    }

    /// A value that may stay unused. If it cannot be evaluated: whether anything sensitive was met on the way.
    fn attempted(&self, expr: &Expr, scope: &Scope) -> Outcome<Result<Value, bool>> {
        let (result, met) = self.met.during(|| self.eval(expr, scope));
        match result {
            Ok(value) => Ok(Ok(value)),
            Err(diagnostic) if gave_up(&diagnostic) => Err(diagnostic),
            Err(_) => Ok(Err(met.sensitive)),
        }
    }

    /// What is known of a value that is one of two: parts that are equal, and the types of the others.
    fn common(&self, a: &Value, b: &Value) -> Value {
        match (a, b) {
            (Value::Sensitive(a), b) | (b, Value::Sensitive(a)) => self.common(a, b).sensitive(),
            (Value::List(x), Value::List(y)) if x.len() == y.len() => {
                Value::list(x.iter().zip(y.iter()).map(|(x, y)| self.common(x, y)))
            }
            (Value::Object(x), Value::Object(y)) if x.keys().eq(y.keys()) => {
                let parts = x.values().zip(y.values()).map(|(x, y)| self.common(x, y));
                Value::object(x.keys().cloned().zip(parts))
            }
            _ if equal(a, b, self.host) == Ok(Some(true)) => a.clone(),
            (Value::Null, other) | (other, Value::Null) => Value::Unknown(other.type_of()),
            // An empty list is one of any type.
            (Value::List(none), list @ Value::List(_)) | (list @ Value::List(_), Value::List(none))
                if none.is_empty() =>
            {
                Value::Unknown(list.type_of())
            }
            (a, b) => {
                Value::Unknown(a.type_of().join(&b.type_of())).marked(a.is_sensitive() || b.is_sensitive())
            }
        }
    }
}

/// Whether the other side can change the result: a constant cannot for null, quantities and blocks, nor when it is of
/// the same kind.
fn depends_on_other(result: &Value, other: &Expr) -> bool {
    match (result, &other.kind) {
        (Value::Null | Value::Quantity(_) | Value::Block(_), ExprKind::Literal(_)) => false,
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
        (Value::Number(_) | Value::Bool(_), Value::String(_) | Value::Unknown(Type::String)) => {
            Value::String(to_text(result)?)
        }
        (Value::String(text), Value::Quantity(quantity)) => {
            like(quantity, text).map_or_else(|_| result.clone(), Value::Quantity)
        }
        (Value::List(items), Value::Set(_)) => Value::set(items.iter().cloned()),
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
        (Value::List(items), Value::Unknown(Type::List(element) | Type::Set(element)))
            if textual_types(items.iter().map(Value::type_of).chain([(**element).clone()])) =>
        {
            Value::list(items.iter().map(as_text))
        }
        (Value::Object(a), Value::Unknown(Type::Object(b)))
            if a.len() == b.fields.len() && b.fields.iter().all(|field| a.contains_key(&field.name)) =>
        {
            let unified = |(key, value): (&Arc<str>, &Value)| {
                let other = b.field(key).map_or(Type::Any, |field| field.ty.clone());
                (key.clone(), unify(value, &Value::Unknown(other)).unwrap_or_else(|_| value.clone()))
            };
            Value::object(a.iter().map(unified))
        }
        (Value::Object(a), Value::Unknown(Type::Object(b)))
            if textual_types(
                a.values().map(Value::type_of).chain(b.fields.iter().map(|field| field.ty.clone())),
            ) =>
        {
            Value::object(a.iter().map(|(key, value)| (key.clone(), as_text(value))))
        }
        (Value::Object(a), Value::Unknown(Type::Map(element)))
            if textual_types(a.values().map(Value::type_of).chain([(**element).clone()])) =>
        {
            Value::object(a.iter().map(|(key, value)| (key.clone(), as_text(value))))
        }
        (Value::Unknown(ty), other) if !clash(result, other) => Value::Unknown(wider(ty, &other.type_of())),
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

/// The type of an unknown result that becomes of one type with the other side, where there is such a type.
fn wider(ty: &Type, other: &Type) -> Type {
    match (ty, ty.join(other)) {
        // Objects with other keys are taken as they are.
        (_, Type::Any) | (Type::Object(_), Type::Map(_)) => ty.clone(),
        (_, joined) => joined,
    }
}

/// Whether all are plain values and one is text.
fn textual<'a>(values: impl Iterator<Item = &'a Value>) -> bool {
    textual_types(values.filter(|value| !value.is_null()).map(Value::type_of))
}

/// Whether all are types of plain values and one is that of text.
fn textual_types(types: impl Iterator<Item = Type>) -> bool {
    let mut text = false;
    for ty in types {
        match ty {
            Type::String => text = true,
            Type::Number | Type::Integer { .. } | Type::Bool => {}
            _ => return false,
        }
    }
    text
}

fn as_text(value: &Value) -> Value {
    match value {
        Value::Null => Value::Null,
        Value::Unknown(_) => Value::Unknown(Type::String),
        Value::Sensitive(inner) => as_text(inner).sensitive(),
        other => to_text(other).map_or_else(|_| other.clone(), Value::String),
    }
}

/// Whether two types have nothing in common. Null, quantities and blocks go with everything, text with what has one.
fn clash(a: &Value, b: &Value) -> bool {
    let scalar = |group| matches!(group, Group::Bool | Group::Number | Group::Text);
    match (group(a), group(b)) {
        (Some(a), Some(b)) if scalar(a) && scalar(b) => a != b && a != Group::Text && b != Group::Text,
        (Some(a), Some(b)) => a != b,
        _ => false,
    }
}

fn group(value: &Value) -> Option<Group> {
    match value {
        Value::Null | Value::Quantity(_) | Value::Block(_) => None,
        other => other.type_of().group(),
    }
}
