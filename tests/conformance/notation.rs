//! Values in the cases and between the two programs: JSON, with `$` words for what JSON has not.
//!
//! | written | means |
//! |---|---|
//! | `[…]`, `{…}` | a tuple, an object |
//! | `{"$list": […]}`, `{"$set": […]}`, `{"$map": {…}}` | a list, set or map; of nothing: `"of"` is the type of its elements |
//! | `{"$number": "1/3"}` | a number that JSON cannot say |
//! | `{"$null": "string"}` | null of a type |
//! | `{"$unknown": "list(string)"}` | not known yet; beside it, for the other program only, what it knows more: `not_null`, `above`, `below`, `at_least`, `at_most` |
//! | `{"$sensitive": …}` | must not be printed |
//!
//! Here a tuple is a list, an object of the values is a map, and null has no type.

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_expression::{Field, Number, ObjectType, Type, Value};
use serde_json::Value as Json;

/// What the other program makes of a division by zero; no value here.
pub(crate) const INFINITE: &str = "(infinite)";

/// The value that a JSON text stands for.
pub(crate) fn value(json: &Json) -> Value {
    match json {
        Json::Array(items) => Value::list(items.iter().map(value)),
        Json::Object(entries) => match entries.iter().find(|(key, _)| key.starts_with('$')) {
            Some((word, inner)) => special(word, inner),
            None => Value::object(entries.iter().map(|(key, item)| (key.as_str(), value(item)))),
        },
        plain => Value::from_json(plain),
    }
}

/// The values of names.
pub(crate) fn values(names: &BTreeMap<String, Json>) -> BTreeMap<String, Value> {
    names.iter().map(|(name, json)| (name.clone(), value(json))).collect()
}

fn special(word: &str, inner: &Json) -> Value {
    let text = || inner.as_str().unwrap();
    match word {
        "$list" => value(inner),
        "$map" => {
            Value::object(inner.as_object().unwrap().iter().map(|(key, item)| (key.as_str(), value(item))))
        }
        "$set" => Value::set(inner.as_array().unwrap().iter().map(value)),
        "$number" if text().ends_with("Inf") => Value::string(INFINITE),
        "$number" => {
            let (above, below) = text().split_once('/').unwrap_or((text(), "1"));
            let parts = [above, below].map(|part| Number::parse(part).unwrap());
            Value::Number(parts[0].checked_div(&parts[1]).unwrap())
        }
        "$null" => Value::Null,
        "$unknown" => Value::Unknown(ty(text())),
        "$sensitive" => value(inner).unmark_deep().0.sensitive(),
        _ => panic!("no word {word}"),
    }
}

/// The type that a text stands for, written as in a `variable` block.
pub(crate) fn ty(text: &str) -> Type {
    let (ty, rest) = read(text);
    assert_eq!(rest.trim(), "", "left over of the type {text}");
    ty
}

fn read(text: &str) -> (Type, &str) {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let inside = |rest| {
        let (inner, rest) = read(expect(rest, "("));
        (Box::new(inner), expect(rest, ")"))
    };
    match name {
        "any" | "dynamic" => (Type::Any, rest),
        "bool" => (Type::Bool, rest),
        "number" => (Type::Number, rest),
        "string" => (Type::String, rest),
        "list" => map(inside(rest), Type::List),
        "set" => map(inside(rest), Type::Set),
        "map" => map(inside(rest), Type::Map),
        "tuple" => {
            let mut rest = expect(expect(rest, "("), "[").trim_start();
            while !rest.starts_with(']') {
                rest = read(rest).1.trim_start();
                rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
            }
            (Type::List(Box::new(Type::Any)), expect(expect(rest, "]"), ")"))
        }
        "object" => {
            let mut fields = Vec::new();
            let mut rest = expect(expect(rest, "("), "{").trim_start();
            while !rest.starts_with('}') {
                let (name, after) = rest.split_once('=').unwrap();
                let (ty, after) = read(after);
                let name = Arc::from(name.trim().trim_matches('"'));
                fields.push(Field { name, ty, required: true });
                rest = after.trim_start();
                rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
            }
            (Type::Object(Arc::new(ObjectType { fields })), expect(expect(rest, "}"), ")"))
        }
        _ => panic!("no type at {text}"),
    }
}

fn map((inner, rest): (Box<Type>, &str), wrap: fn(Box<Type>) -> Type) -> (Type, &str) {
    (wrap(inner), rest)
}

fn expect<'t>(text: &'t str, sign: &str) -> &'t str {
    text.trim_start().strip_prefix(sign).unwrap_or_else(|| panic!("{sign} wanted at {text}"))
}

/// Whether a result is the wanted one. Of what is not known, the type must be as exact as the wanted one, or more.
pub(crate) fn agree(found: &Value, wanted: &Value) -> bool {
    same(found, wanted, &|found, wanted| found == wanted)
}

/// The same, with `plain` to compare values that have no parts.
pub(crate) fn same(found: &Value, wanted: &Value, plain: &dyn Fn(&Value, &Value) -> bool) -> bool {
    let all = |found: &[Value], wanted: &[Value]| {
        found.len() == wanted.len() && found.iter().zip(wanted).all(|(a, b)| same(a, b, plain))
    };
    match (found, wanted) {
        (Value::Sensitive(found), Value::Sensitive(wanted)) => {
            same(&found.clone().unmark_deep().0, &wanted.clone().unmark_deep().0, plain)
        }
        (Value::Unknown(found), Value::Unknown(wanted)) => at_least(found, wanted),
        (Value::List(found), Value::List(wanted)) | (Value::Set(found), Value::Set(wanted)) => {
            all(found, wanted)
        }
        (Value::Object(found), Value::Object(wanted)) => {
            found.keys().eq(wanted.keys())
                && found.values().zip(wanted.values()).all(|(a, b)| same(a, b, plain))
        }
        _ => plain(found, wanted),
    }
}

/// Whether a type says as much as another one.
pub(crate) fn at_least(found: &Type, wanted: &Type) -> bool {
    match (found, wanted) {
        (_, Type::Any) => true,
        (Type::List(found), Type::List(wanted))
        | (Type::Set(found), Type::Set(wanted))
        | (Type::Map(found), Type::Map(wanted)) => at_least(found, wanted),
        (Type::Object(found), Type::Map(wanted)) => {
            found.fields.iter().all(|field| becomes(&field.ty, wanted))
        }
        (Type::Object(found), Type::Object(wanted)) => wanted
            .fields
            .iter()
            .all(|field| found.field(&field.name).is_some_and(|found| at_least(&found.ty, &field.ty))),
        _ => found == wanted,
    }
}

/// Whether a part of a type is of a map's common type, or is converted to it.
fn becomes(part: &Type, common: &Type) -> bool {
    at_least(part, common) || (*common == Type::String && matches!(part, Type::Number | Type::Bool))
}
