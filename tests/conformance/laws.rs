//! Laws over random expressions, which need nobody to compare with.

use std::collections::BTreeMap;

use poolwright_expression::Value;

use crate::generate::{Generator, NAMES, parsed};
use crate::{language, notation};

/// What the names that are not known yet may turn out to be; `later`, whose type is unknown too, stays unknown.
const LATER: [&[(&str, &str)]; 3] = [
    &[
        ("later_number", "7"),
        ("later_text", "\"rack\""),
        ("later_bool", "true"),
        ("later_list", "[\"red\", \"x\"]"),
        ("later_map", "{\"a\": 3, \"b\": 8}"),
        ("later_object", "{\"a\": \"x\"}"),
    ],
    &[
        ("later_number", "0"),
        ("later_text", "\"\""),
        ("later_bool", "false"),
        ("later_list", "[]"),
        ("later_map", "{}"),
        ("later_object", "{\"a\": \"12\"}"),
    ],
    &[
        ("later_number", "null"),
        ("later_text", "null"),
        ("later_bool", "null"),
        ("later_list", "null"),
        ("later_map", "null"),
        ("later_object", "null"),
    ],
];

fn values(names: &[(&str, &str)]) -> BTreeMap<String, Value> {
    notation::values(&parsed(names))
}

/// A part that is known at plan time is the same part later, whatever the unknown ones turn out to be, unless there is
/// a fault then. A fault at plan time is one later, where there are elements to have it.
#[test]
fn what_is_known_stays_so() {
    let now = values(NAMES);
    let worlds: Vec<BTreeMap<String, Value>> =
        LATER.iter().map(|later| now.clone().into_iter().chain(values(later)).collect()).collect();
    let mut generator = Generator::new(11);
    let mut wrong = Vec::new();
    let mut open = 0;
    for _ in 0..6000 {
        let text = generator.expression();
        if !text.contains("later") {
            continue;
        }
        open += 1;
        let before = language::run(&text, &now);
        for (number, world) in worlds.iter().enumerate() {
            let after = language::run(&text, world);
            let held = match (&before, &after) {
                // What may fail later is not known before.
                (Ok(_), Err(_)) | (Err(_), Err(_)) => true,
                (Err(_), Ok(after)) => number > 0 || is_empty(after),
                // A null may make a side fail that is not chosen; what was met on its way is sensitive then.
                (Ok(before), Ok(Value::Sensitive(after))) if number == 2 => {
                    stays(&before.clone().unmark_deep().0, &after.clone().unmark_deep().0)
                }
                (Ok(before), Ok(after)) => stays(before, after),
            };
            if !held {
                wrong.push(format!("{text}\n  before {before:?}\n  after  {after:?}\n"));
            }
        }
    }
    assert!(open > 1000, "only {open} have something unknown");
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Sensitive(inner) => is_empty(inner),
        Value::Object(entries) => entries.is_empty(),
        other => other.elements().is_some_and(<[Value]>::is_empty),
    }
}

/// What is sensitive before may be plain later, never the other way.
fn stays(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Sensitive(before), after) => {
            stays(&before.clone().unmark_deep().0, &after.clone().unmark_deep().0)
        }
        (Value::Unknown(ty), after) => {
            after.is_null()
                || notation::at_least(&after.clone().unmark_deep().0.type_of(), ty)
                || poolwright_expression::convert(after, ty).is_ok()
        }
        (Value::List(a), Value::List(b)) | (Value::Set(a), Value::Set(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| stays(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.keys().eq(b.keys()) && a.values().zip(b.values()).all(|(a, b)| stays(a, b))
        }
        // What a failing or null side is later may change whether a number stands beside text.
        (Value::String(text), Value::Number(_) | Value::Bool(_)) => **text == after.to_string(),
        (Value::Number(_) | Value::Bool(_), Value::String(text)) => before.to_string() == **text,
        _ => before == after,
    }
}

/// The same expression gives the same, and text that was made of a value is read as that value.
#[test]
fn evaluation_is_a_function() {
    let names = values(NAMES);
    let mut generator = Generator::new(12);
    for _ in 0..1000 {
        let text = generator.expression();
        let twice = [(); 2].map(|()| language::run(&text, &names).map_err(|found| format!("{found:?}")));
        assert_eq!(twice[0], twice[1], "{text}");
    }
}
