//! Whole files: their attributes and blocks with their values, or the places of their faults.

use std::collections::BTreeMap;

use poolwright_diagnostics::{Diagnostic, SourceMap};
use poolwright_expression::quantity::Version;
use poolwright_expression::{Scope, Value, evaluate};
use poolwright_language::Inputs;
use poolwright_syntax::tree;

use crate::cases::Case;
use crate::{language, notation};

/// What is wrong about what a file gives; `None`: nothing.
pub(crate) fn fault(case: &Case) -> Option<String> {
    let mut sources = SourceMap::default();
    let id = sources.add("case", case.text.as_str());
    let (file, mut found) = poolwright_syntax::parse(id, &case.text);
    if case.known.is_some() {
        let version = Version::parse("0.1.0").unwrap();
        let read = |_: &str| Err("no files here".to_owned());
        found.extend(
            poolwright_language::evaluate(
                std::slice::from_ref(&file),
                Inputs {
                    version: &version,
                    read: &read,
                    files: None,
                    computed: None,
                    asked: &[],
                    variables: &BTreeMap::new(),
                    modules: None,
                },
            )
            .diagnostics,
        );
    }
    let places: Vec<String> =
        found.iter().filter(|one| one.is_error()).filter_map(|one| place(&sources, one)).collect();
    let wanted: Vec<&str> = case.places.iter().map(|(_, ours)| ours.as_str()).collect();
    if places != wanted {
        return Some(format!("faults at {places:?} and not at {wanted:?}: {found:?}"));
    }
    let wanted = notation::value(case.wanted.as_ref()?);
    match body(&file.body, &notation::values(&case.names)) {
        Ok(value) if notation::agree(&value, &wanted) => None,
        other => Some(format!("it gives {other:?} and not {wanted:?}")),
    }
}

/// `1:2-1:3`: line and column of the first character, and of the one behind the last.
fn place(sources: &SourceMap, fault: &Diagnostic) -> Option<String> {
    let span = fault.primary()?.span;
    let file = sources.get(span.file)?;
    let [start, end] = [span.start, span.end].map(|at| file.line_column(at));
    Some(format!("{}:{}-{}:{}", start.line, start.column, end.line, end.column))
}

/// The attributes by name, and lists of blocks by kind and labels.
fn body(body: &tree::Body, names: &BTreeMap<String, Value>) -> Result<Value, String> {
    let scope =
        names.iter().fold(Scope::default(), |scope, (name, value)| scope.with(name.as_str(), value.clone()));
    let mut entries: BTreeMap<String, Value> = BTreeMap::new();
    let mut blocks: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for item in &body.items {
        match item {
            tree::Item::Attribute(attribute) => {
                let expr = language::expr(&attribute.value, names.keys())
                    .map_err(|found| found.into_iter().map(|fault| fault.message).collect::<String>())?;
                let value = evaluate(&expr, &scope, &language::Lab).map_err(|fault| fault.message)?;
                entries.insert(attribute.name.text.to_string(), value);
            }
            tree::Item::Block(block) => {
                let mut name = block.kind.text.to_string();
                for label in &block.labels {
                    name.push(' ');
                    name.push_str(&label.text);
                }
                blocks.entry(name).or_default().push(self::body(&block.body, names)?);
            }
        }
    }
    entries.extend(blocks.into_iter().map(|(name, bodies)| (name, Value::list(bodies))));
    Ok(Value::object(
        entries
            .into_iter()
            .map(|(name, value)| (name.as_str().into(), value))
            .collect::<Vec<(std::sync::Arc<str>, Value)>>(),
    ))
}
