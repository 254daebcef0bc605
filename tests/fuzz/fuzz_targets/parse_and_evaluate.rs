//! Any text: parsing it, evaluating it as a fleet and evaluating each of its expressions by itself neither panics nor
//! hangs, and every place that a diagnostic names is in the text.

#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use poolwright_diagnostics::{Diagnostic, FileId};
use poolwright_expression::quantity::Version;
use poolwright_expression::{Scope, Type, Value, evaluate, to_json};
use poolwright_language::Inputs;
use poolwright_syntax::tree;

#[allow(dead_code, reason = "only a part of it is used here")]
#[path = "../../conformance/language.rs"]
mod language;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (file, found) = poolwright_syntax::parse(FileId(0), text);
    places(&found, text);
    expressions(&file.body, &scope());
    let version = Version::parse("0.1.0").unwrap();
    let read = |_: &str| Err("no files here".to_owned());
    let evaluated = poolwright_language::evaluate(&[file], Inputs { version: &version, read: &read, files: None, computed: None, asked: &[], variables: &BTreeMap::new(), modules: None });
    places(&evaluated.diagnostics, text);
});

/// A few names, so that not every expression ends at a name that nobody knows.
fn scope() -> Scope {
    let names = BTreeMap::from([
        ("a", Value::number(3_u64)),
        ("b", Value::string("12")),
        ("c", Value::list([Value::number(1_u64), Value::Null, Value::string("x")])),
        ("d", Value::object([("a", Value::Bool(true)), ("b", Value::list([]))])),
        ("u", Value::Unknown(Type::Any)),
        ("n", Value::Unknown(Type::Number)),
        ("s", Value::string("hidden").sensitive()),
    ]);
    names.into_iter().fold(Scope::default(), |scope, (name, value)| scope.with(name, value))
}

fn expressions(body: &tree::Body, scope: &Scope) {
    for item in &body.items {
        match item {
            tree::Item::Attribute(attribute) => {
                let Ok(expr) = language::expr(&attribute.value) else { continue };
                match evaluate(&expr, scope, &language::Lab) {
                    Ok(value) => {
                        let _ = (value.to_string(), to_json(&value), value.type_of());
                    }
                    Err(fault) => assert!(!fault.message.is_empty()),
                }
            }
            tree::Item::Block(block) => expressions(&block.body, scope),
        }
    }
}

fn places(found: &[Diagnostic], text: &str) {
    for label in found.iter().flat_map(|diagnostic| &diagnostic.labels) {
        let (start, end) = (label.span.start as usize, label.span.end as usize);
        assert!(text.get(start..end).is_some(), "{start}..{end} is no place in the text");
    }
}
