//! `poolwright schema`: the JSON Schema of an output, of a block, or of a fleet's files.
//!
//! Those of the outputs are data in `schemas/`: what they share stands in `definitions.json`, and each printed
//! schema carries what it needs of it. Those of blocks are made from the language's own schemas.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::{Diagnostic, suggestion_help};
use poolwright_language::schema::{Schema, Status, export, schema};
use serde_json::{Value, json};

use crate::args::Global;
use crate::exit::Exit;
use crate::session::refuse;
use crate::{codes, output};

/// What outputs share.
const DEFINITIONS: &str = include_str!("../schemas/definitions.json");
/// Each JSON output that carries `"schema": "poolwright/<name>/v1"` (CONTRACT §4).
const OUTPUTS: [(&str, &str); 9] = [
    ("catalog", include_str!("../schemas/catalog.json")),
    ("cost", include_str!("../schemas/cost.json")),
    ("diagnostics", include_str!("../schemas/diagnostics.json")),
    ("explain", include_str!("../schemas/explain.json")),
    ("graph", include_str!("../schemas/graph.json")),
    ("inventory", include_str!("../schemas/inventory.json")),
    ("manifest", include_str!("../schemas/manifest.json")),
    ("plan", include_str!("../schemas/plan.json")),
    ("version", include_str!("../schemas/version.json")),
];
/// The schema of all blocks of a fleet together.
const FILES: &str = "files";

pub(crate) fn run(global: &Global, words: &[String]) -> Exit {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let schema = schema();
    let found = match words.as_slice() {
        [] => {
            output::print(&list(schema));
            return Exit::Done;
        }
        ["block", kind] => export::json_schema(schema, kind),
        [name] => output_schema(name)
            .or_else(|| (*name == FILES).then(|| export::json_schema_of_files(schema)))
            .or_else(|| export::json_schema(schema, name)),
        _ => None,
    };
    match found {
        Some(found) => {
            output::print(&format!("{found:#}\n"));
            Exit::Done
        }
        None => refuse(global, unknown(schema, &words), Exit::Invalid),
    }
}

/// Every name, with what it is the schema of.
fn list(schema: &Schema) -> String {
    let mut rows: Vec<(String, String)> = Vec::new();
    for (name, text) in OUTPUTS {
        let title = serde_json::from_str::<Value>(text)
            .ok()
            .and_then(|it| Some(it.get("title")?.as_str()?.to_owned()));
        rows.push((name.to_owned(), title.unwrap_or_default()));
    }
    rows.push((FILES.to_owned(), "all blocks of a fleet as one document".to_owned()));
    rows.extend(schema.blocks.iter().map(|(kind, block)| {
        let planned = if block.status == Status::Planned { " (planned)" } else { "" };
        (format!("block {kind}"), format!("{}{planned}", block.doc))
    }));
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    rows.iter().map(|(name, what)| format!("{name:width$}  {what}\n")).collect()
}

fn unknown(schema: &Schema, words: &[&str]) -> Diagnostic {
    let blocks = || schema.blocks.keys().map(String::as_str);
    let (what, word, known): (_, _, Vec<&str>) = match words {
        ["block", kind] => ("block", *kind, blocks().collect()),
        [name] => {
            ("schema", *name, OUTPUTS.iter().map(|(name, _)| *name).chain([FILES]).chain(blocks()).collect())
        }
        _ => {
            let message = format!("`{}` is no name of a schema", words.join(" "));
            return Diagnostic::error(codes::NO_SUCH_SCHEMA, message)
                .with_help("two words name a block: poolwright schema block pool");
        }
    };
    let diagnostic = Diagnostic::error(codes::NO_SUCH_SCHEMA, format!("there is no {what} `{word}`"));
    let inside: Vec<&str> =
        known.iter().copied().filter(|kind| kind.starts_with(&format!("{word}."))).collect();
    let help = match inside.is_empty() {
        false => Some(format!("name one of {}", inside.join(", "))),
        true => suggestion_help(what, word, known),
    };
    help.into_iter().fold(diagnostic, Diagnostic::with_help).with_help("the names: poolwright schema")
}

/// The schema of an output with the definitions that it needs.
fn output_schema(name: &str) -> Option<Value> {
    let (name, text) = OUTPUTS.iter().find(|(known, _)| *known == name)?;
    let mut schema: Value = serde_json::from_str(text).ok()?;
    let all: BTreeMap<String, Value> = serde_json::from_str(DEFINITIONS).ok()?;
    let mut needed = BTreeSet::new();
    let mut left = references(&schema);
    while let Some(reference) = left.pop() {
        if let (Some(definition), true) = (all.get(&reference), needed.insert(reference.clone())) {
            left.extend(references(definition));
        }
    }
    let object = schema.as_object_mut()?;
    object.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    object.insert("$id".to_owned(), json!(format!("urn:poolwright:{name}:v1")));
    let definitions: BTreeMap<String, Value> =
        all.into_iter().filter(|(name, _)| needed.contains(name)).collect();
    if !definitions.is_empty() {
        object.insert("$defs".to_owned(), json!(definitions));
    }
    Some(schema)
}

/// Names of definitions that a schema refers to directly.
fn references(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().flat_map(references).collect(),
        Value::Object(members) => {
            let own = members.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix("#/$defs/"));
            own.map(str::to_owned).into_iter().chain(members.values().flat_map(references)).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_output_has_the_definitions_that_it_names_and_no_others() {
        for (name, _) in OUTPUTS {
            let schema = output_schema(name).unwrap();
            let empty = serde_json::Map::new();
            let has = schema.get("$defs").and_then(Value::as_object).unwrap_or(&empty);
            let named: BTreeSet<String> = references(&schema).into_iter().collect();
            assert_eq!(named, has.keys().cloned().collect(), "{name}");
        }
    }

    #[test]
    fn no_output_has_the_name_of_a_block() {
        for (name, _) in OUTPUTS.iter().chain([&(FILES, "")]) {
            assert!(!schema().blocks.contains_key(*name), "{name}");
        }
    }
}
