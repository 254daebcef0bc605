//! The schemas of blocks against fleets that the program takes, and against what it refuses.

use std::path::Path;

use poolwright_diagnostics::SourceMap;
use poolwright_language::schema::{AttributeSchema, BlockSchema, Status, export, schema};
use poolwright_syntax::tree::{Block, Body, Expr, ExprKind, ObjectKey, Step};
use serde_json::{Map, Value, json};

use super::faults;
use crate::support::{poolwright, root, scratch};

/// A block as data, with its kind and labels.
struct Written {
    kind: String,
    labels: Vec<String>,
    value: Value,
}

/// The blocks of the files of a folder. Literals and references become data; an expression stays its text.
fn blocks(folder: &Path) -> Vec<Written> {
    let mut sources = SourceMap::default();
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.to_str().unwrap().ends_with(".pool.hcl"));
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let id = sources.add(path.to_str().unwrap(), text.clone());
        let (file, problems) = poolwright_syntax::parse(id, &text);
        assert!(problems.is_empty(), "{}", path.display());
        for block in file.body.blocks() {
            let labels: Vec<String> = block.labels.iter().map(|label| label.text.to_string()).collect();
            let kind = match &*block.kind.text {
                "target" => format!("target.{}", labels[0]),
                kind => kind.to_owned(),
            };
            let value = body(&schema().blocks[&kind], &block.body, &sources);
            found.push(Written { kind, labels, value });
        }
    }
    found
}

fn body(schema: &BlockSchema, body: &Body, sources: &SourceMap) -> Value {
    let mut members = Map::new();
    for attribute in body.attributes() {
        let later = schema.attributes.get(&*attribute.name.text).is_some_and(|it| it.is_expression());
        let value =
            if later { json!(sources.text(attribute.value.span)) } else { data(&attribute.value, sources) };
        members.insert(attribute.name.text.to_string(), value);
    }
    for block in body.blocks() {
        nested(schema, block, sources, &mut members);
    }
    Value::Object(members)
}

fn nested(outer: &BlockSchema, block: &Block, sources: &SourceMap, members: &mut Map<String, Value>) {
    let kind = &*block.kind.text;
    let inner = schema().blocks.get(&format!("{}.{kind}", outer.kind)).unwrap_or(outer);
    let value = body(inner, &block.body, sources);
    match block.labels.first() {
        Some(label) => {
            let map = members.entry(kind).or_insert_with(|| json!({}));
            map.as_object_mut().unwrap().insert(label.text.to_string(), value);
        }
        None => members.entry(kind).or_insert_with(|| json!([])).as_array_mut().unwrap().push(value),
    }
}

fn data(expr: &Expr, sources: &SourceMap) -> Value {
    match &expr.kind {
        ExprKind::Null => Value::Null,
        ExprKind::Bool(value) => json!(value),
        ExprKind::Number(digits) => serde_json::from_str(digits).unwrap(),
        ExprKind::String(text) => json!(text),
        ExprKind::List(items) => items.iter().map(|item| data(item, sources)).collect(),
        ExprKind::Object(items) => {
            let key = |key: &ObjectKey| match key {
                ObjectKey::Name(name) => name.text.to_string(),
                ObjectKey::Expr(expr) => data(expr, sources).as_str().unwrap().to_owned(),
            };
            items.iter().map(|item| (key(&item.key), data(&item.value, sources))).collect()
        }
        ExprKind::Name(name) => json!(name.text),
        ExprKind::Traversal(..) => json!(reference(expr)),
        _ => json!(sources.text(expr.span)),
    }
}

fn reference(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Name(name) => name.text.to_string(),
        ExprKind::Traversal(inner, steps) => steps.iter().fold(reference(inner), |text, step| match step {
            Step::Attribute(name) => format!("{text}.{}", name.text),
            other => panic!("no plain reference: {other:?}"),
        }),
        other => panic!("no plain reference: {other:?}"),
    }
}

fn quickstart() -> Vec<Written> {
    blocks(&root().join("examples/quickstart"))
}

fn of(kind: &str) -> Value {
    export::json_schema(schema(), kind).unwrap()
}

#[test]
fn blocks_of_sound_fleets_fit() {
    let starter = scratch();
    poolwright(starter.path(), &["init"]).expect(0);
    let mut written = quickstart();
    written.extend(blocks(starter.path()));
    assert!(written.len() > 30, "the blocks are found");
    for Written { kind, labels, value } in written {
        let faults = faults(&of(&kind), &value);
        assert!(faults.is_empty(), "{kind} {labels:?}\n{value:#}\n{}", faults.join("\n"));
    }
}

/// All blocks of the quickstart as one document.
fn document() -> Value {
    let mut document = json!({});
    for Written { kind, labels, value } in quickstart() {
        let mut at = &mut document;
        let head = kind.split('.').next().unwrap().to_owned();
        for step in std::iter::once(head).chain(labels) {
            at = at.as_object_mut().unwrap().entry(step).or_insert_with(|| json!({}));
        }
        *at = value;
    }
    document
}

#[test]
fn a_whole_fleet_fits_and_a_misspelt_block_does_not() {
    let schema = export::json_schema_of_files(schema());
    let document = document();
    assert_eq!(faults(&schema, &document), [""; 0]);
    assert_eq!(document["pool"].as_object().unwrap().len(), 4);
    for (place, key, value) in [
        ("", "pol", json!({})),
        ("/pool", "Upper", document["pool"]["onprem-gaudi"].clone()),
        ("/pool", "two--hyphens", document["pool"]["onprem-gaudi"].clone()),
        ("/target", "kubernets", json!({})),
        ("/target/kubernetes/eks/kueue", "uncovered", json!("x")),
        ("/fabric/ndr/switch/spine/switch/su1", "host", json!("gpu001")),
        ("/route/cost-optimized/step/aliyun", "until", json!("running")),
    ] {
        let mut changed = document.clone();
        changed.pointer_mut(place).unwrap().as_object_mut().unwrap().insert(key.to_owned(), value);
        assert!(!faults(&schema, &changed).is_empty(), "{place}/{key} is refused");
    }
}

/// Changes of each block of the quickstart, one at a time: an unknown attribute, each word misspelt, each required
/// attribute left out, each attribute that is not built.
#[test]
fn faulty_blocks_are_refused() {
    let mut counts = [0; 4];
    for Written { kind, value, .. } in quickstart() {
        let block = &schema().blocks[&kind];
        let json_schema = of(&kind);
        let refused = |change: &dyn Fn(&mut Map<String, Value>), what: &str| {
            let mut changed = value.clone();
            change(changed.as_object_mut().unwrap());
            assert!(!faults(&json_schema, &changed).is_empty(), "{kind}: {what} is refused");
        };
        refused(&|it| drop(it.insert("labls".into(), json!({}))), "an unknown attribute");
        counts[0] += 1;
        for (name, attribute) in &block.attributes {
            let attribute: &AttributeSchema = attribute;
            if attribute.type_text.starts_with("enum(") {
                refused(&|it| drop(it.insert(name.clone(), json!("no-such-word"))), name);
                counts[1] += 1;
            }
            if attribute.required {
                refused(&|it| drop(it.remove(name)), name);
                counts[2] += 1;
            }
            if attribute.status == Status::Planned {
                refused(&|it| drop(it.insert(name.clone(), json!(1))), name);
                counts[3] += 1;
            }
        }
    }
    // Few attributes are refused altogether.
    assert!(counts[..3].iter().all(|count| *count > 20), "{counts:?}");
}
