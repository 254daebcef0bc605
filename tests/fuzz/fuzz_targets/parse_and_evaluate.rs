//! Any text: parsing it, laying it out, evaluating it as a fleet and evaluating each of its expressions by itself neither
//! panics nor hangs, every place that a diagnostic names is in the text, and what is laid out stays so.
//!
//! Each `module` block of the text uses the same small module, so that inputs, outputs and instances are met too.

#![no_main]

use std::collections::BTreeMap;
use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use poolwright_diagnostics::{Diagnostic, FileId, apply};
use poolwright_expression::quantity::Version;
use poolwright_expression::{Scope, Type, Value, evaluate, to_json};
use poolwright_language::{Inputs, Modules};
use poolwright_syntax::tree;

#[allow(dead_code, reason = "only a part of it is used here")]
#[path = "../../conformance/language.rs"]
mod language;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (file, found) = poolwright_syntax::parse(FileId(0), text);
    places(&found, text);
    laid_out(text);
    expressions(&file.body, &scope());
    let calls = file.body.blocks().filter(|block| &*block.kind.text == "module").filter_map(|block| block.labels.first());
    let calls = calls.map(|label| ((Arc::from(""), label.text.clone()), Arc::from("m"))).collect();
    let modules = Modules { folders: BTreeMap::from([(Arc::from("m"), vec![module()])]), calls };
    let version = Version::parse("0.1.0").unwrap();
    let read = |_: &str| Err("no files here".to_owned());
    let evaluated = poolwright_language::evaluate(&[file], Inputs { version: &version, read: &read, files: None, computed: None, asked: &[], variables: &BTreeMap::new(), modules: Some(&modules) });
    places(&evaluated.diagnostics, text);
});

/// A module with inputs of several types, a block of each of them, and an output.
fn module() -> tree::File {
    const TEXT: &str = r#"
variable "name" { type = string }
variable "share" {
  type    = map(object({ gpus = number, memory = optional(bytes, "1GiB") }))
  default = {}
}
variable "pool" {
  type    = pool
  default = null
}
tenant "t" {
  for_each = var.share
  name     = "${var.name}-${each.key}"
  accounts = [each.key]
}
output "tenants" { value = values(tenant.t) }
"#;
    poolwright_syntax::parse(FileId(1), TEXT).0
}

/// Laying out is done once: the result is laid out already.
fn laid_out(text: &str) {
    let Ok(edits) = poolwright_syntax::format(FileId(0), text) else { return };
    let once = apply(text, &edits).expect("edits that do not overlap");
    let again = poolwright_syntax::format(FileId(0), &once).expect("what is laid out can be read");
    assert!(again.is_empty(), "laid out twice: {again:?}");
}

/// A few names, so that not every expression ends at a name that nobody knows.
const NAMES: [&str; 7] = ["a", "b", "c", "d", "u", "n", "s"];

fn scope() -> Scope {
    let values = [
        Value::number(3_u64),
        Value::string("12"),
        Value::list([Value::number(1_u64), Value::Null, Value::string("x")]),
        Value::object([("a", Value::Bool(true)), ("b", Value::list([]))]),
        Value::Unknown(Type::Any),
        Value::Unknown(Type::Number),
        Value::string("hidden").sensitive(),
    ];
    NAMES.into_iter().zip(values).fold(Scope::default(), |scope, (name, value)| scope.with(name, value))
}

fn expressions(body: &tree::Body, scope: &Scope) {
    for item in &body.items {
        match item {
            tree::Item::Attribute(attribute) => {
                let Ok(expr) = language::expr(&attribute.value, NAMES) else { continue };
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
    let labels = found.iter().flat_map(|diagnostic| &diagnostic.labels);
    for label in labels.filter(|label| label.span.file == FileId(0)) {
        let (start, end) = (label.span.start as usize, label.span.end as usize);
        assert!(text.get(start..end).is_some(), "{start}..{end} is no place in the text");
    }
}
