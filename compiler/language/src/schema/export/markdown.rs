//! Reference pages: one for each block that stands at the top of a file, with the blocks in it.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use poolwright_expression::Type;

use super::super::{AttributeSchema, BlockSchema, ObjectSchema, Schema, Status};
use super::{common, describe, nested, own};

/// Names of files and their texts: `index.md`, `pool.md` and so on.
#[must_use]
pub fn markdown(schema: &Schema) -> Vec<(String, String)> {
    let mut pages = vec![("index.md".to_owned(), index(schema)), ("target.md".to_owned(), target(schema))];
    for (kind, block) in &schema.blocks {
        if !kind.contains('.') {
            pages.push((format!("{kind}.md"), page(schema, block)));
        }
    }
    pages.sort();
    pages
}

fn index(schema: &Schema) -> String {
    let mut text = String::from(
        "# Reference\n\n\
         Every block of the language, made from the schemas that the program checks against. Also: \
         [functions](functions.md), [codes of diagnostics](codes.md), [JSON Schemas](../schemas/).\n\n\
         | block | what it is | status |\n|---|---|---|\n",
    );
    let kinds: BTreeSet<&str> =
        schema.blocks.keys().map(|kind| head(kind)).filter(|kind| *kind != "meta").collect();
    for kind in kinds {
        let (doc, status) = match schema.blocks.get(kind) {
            Some(block) => (block.doc.as_str(), block.status),
            None => ("A place where objects live.", Status::Complete),
        };
        let _ = writeln!(text, "| [`{kind}`]({kind}.md) | {} | {} |", cell(doc), word(status));
    }
    text.push_str(
        "\n## How to read it\n\n\
         *complete*: checked and lowered. *checked, not yet emitted*: checked and priced; it lowers into job \
         templates, which this version does not write. *checked, written later*: checked, priced and in the fleet; \
         `validate` warns of it (PW9001), and what writes refuses it. *planned*: known, and refused with PW9001.\n\n\
         In the column “lowers to” K is Kubernetes with Kueue, A an Auto Scaling group or another cloud's group, S \
         Slurm; “—”: only Poolwright reads it. A § is a section of the language's description.\n\n\
         A name is lower-case letters, digits and single hyphens, a letter first, at most 40 characters. A reference \
         is written without quotes: `pool.aws-a100-spot`.\n\n## On every block\n\n",
    );
    attributes(&mut text, schema, &common(schema), false);
    for (kind, block) in
        schema.blocks.range("meta.".to_owned()..).take_while(|(kind, _)| kind.starts_with("meta."))
    {
        let _ = write!(text, "\n### {}\n\n{}\n\n", kind.trim_start_matches("meta."), block.doc);
        attributes(&mut text, schema, &own(block, &[]), false);
    }
    text.push_str("\n`self` and references to any block also have:\n\n");
    computed(&mut text, schema, &["common"]);
    text
}

fn page(schema: &Schema, block: &BlockSchema) -> String {
    let mut text = format!("# {}\n\n{}{}\n", block.kind, block.doc, remark(block.status));
    let mut objects = Vec::new();
    section(&mut text, schema, block, &mut objects);
    let mut subjects = vec![block.kind.as_str()];
    if block.kind == "policy" {
        subjects = vec!["plan", "change"];
    }
    let mut done = BTreeSet::new();
    inside(&mut text, schema, block, &mut done, &mut objects, &mut subjects);
    finish(&mut text, schema, &subjects, &objects);
    text
}

/// The page of all kinds of targets: what they share, then each kind, those with the same attributes together.
fn target(schema: &Schema) -> String {
    let kinds: Vec<&BlockSchema> = schema
        .blocks
        .iter()
        .filter(|(kind, _)| kind.starts_with("target."))
        .map(|(_, block)| block)
        .collect();
    let every = common(schema);
    let everywhere = |a: &&AttributeSchema| {
        kinds.iter().all(|kind| kind.attributes.get(&a.name).is_some_and(|other| other.doc == a.doc))
    };
    let shared: Vec<&AttributeSchema> = kinds
        .first()
        .map(|kind| own(kind, &every))
        .unwrap_or_default()
        .into_iter()
        .filter(everywhere)
        .collect();
    let mut text = String::from(
        "# target\n\nA place where objects live: `target \"kubernetes\" \"eks\" { … }`. The first label is the kind, the \
         second the name.\n\n## Of every kind\n\n",
    );
    attributes(&mut text, schema, &shared, true);
    text.push_str("\nAnd what [every block](index.md#on-every-block) has.\n");
    let known: Vec<&AttributeSchema> = every.into_iter().chain(shared).collect();
    let mut objects = Vec::new();
    let mut done: Vec<&BlockSchema> = Vec::new();
    for kind in &kinds {
        let same = |other: &&&BlockSchema| other.order == kind.order && other.doc == kind.doc;
        if done.iter().any(|other| same(&other)) {
            continue;
        }
        done.push(kind);
        let names = |later: bool| -> Vec<String> {
            let group = kinds.iter().filter(same).filter(|other| (other.status == Status::Later) == later);
            group.map(|other| format!("`{}`", other.kind.trim_start_matches("target."))).collect()
        };
        let (built, later) = (names(false), names(true));
        let title = if built.is_empty() { &later } else { &built };
        let _ = write!(text, "\n## {}\n\n{}", title.join(", "), kind.doc);
        match (built.is_empty(), later.is_empty()) {
            (true, _) => text.push_str(remark(Status::Later)),
            (false, false) => {
                let _ = write!(text, " Checked, and written by a later version: {}.", later.join(", "));
            }
            (false, true) => {}
        }
        text.push_str("\n\n");
        let list = own(kind, &known);
        attributes(&mut text, schema, &list, true);
        objects.extend(list);
    }
    finish(&mut text, schema, &["target"], &objects);
    text
}

/// A block's own attributes, and where the others are.
fn section<'s>(
    text: &mut String,
    schema: &'s Schema,
    block: &'s BlockSchema,
    objects: &mut Vec<&'s AttributeSchema>,
) {
    let every = common(schema);
    let lot = schema.blocks.get("pool.lot").filter(|_| block.kind == "pool");
    let inherited: Vec<&AttributeSchema> = lot.map(|lot| own(lot, &every)).unwrap_or_default();
    let known: Vec<&AttributeSchema> = every.iter().copied().chain(inherited.iter().copied()).collect();
    let list = own(block, &known);
    if list.is_empty() {
        if block.open {
            text.push_str("\nIt takes any attribute.\n");
        }
    } else {
        text.push('\n');
        attributes(text, schema, &list, true);
    }
    if !inherited.is_empty() {
        text.push_str(
            "\nEvery attribute of [`lot`](#lot) may be set here too, as the default of the pool's lots.\n",
        );
    }
    if block.attributes.contains_key("description") {
        text.push_str("\nAnd what [every block](index.md#on-every-block) has.\n");
    }
    objects.extend(list);
}

/// The blocks that may stand in a block.
fn inside<'s>(
    text: &mut String,
    schema: &'s Schema,
    block: &'s BlockSchema,
    done: &mut BTreeSet<&'s str>,
    objects: &mut Vec<&'s AttributeSchema>,
    subjects: &mut Vec<&'s str>,
) {
    for (name, inner) in nested(schema, block) {
        if !done.insert(name) {
            continue;
        }
        let _ = writeln!(text, "\n## {name}\n\n{} In `{}`.{}", inner.doc, block.kind, remark(inner.status));
        if nested(schema, inner).iter().any(|(other, _)| *other == name) {
            let _ = writeln!(text, "A `{name}` may stand in a `{name}`.");
        }
        section(text, schema, inner, objects);
        subjects.push(name);
        inside(text, schema, inner, done, objects, subjects);
    }
}

/// Fields of objects, then what references have beyond what is declared.
fn finish(text: &mut String, schema: &Schema, subjects: &[&str], attributes: &[&AttributeSchema]) {
    let computed_here: Vec<&str> =
        subjects.iter().copied().filter(|subject| schema.computed.contains_key(*subject)).collect();
    let of_computed = computed_here.iter().filter_map(|subject| schema.computed.get(*subject)).flatten();
    let mut left: Vec<&AttributeSchema> = attributes.iter().copied().chain(of_computed).collect();
    let mut done = BTreeSet::new();
    let mut fields = String::new();
    while !left.is_empty() {
        let mut next = Vec::new();
        for attribute in left {
            let Some((name, object)) = object_in(schema, &attribute.ty) else { continue };
            if !done.insert(name) {
                continue;
            }
            let _ = writeln!(fields, "\n### {name}\n\n{}\n", object.doc);
            let list: Vec<&AttributeSchema> = object.fields.iter().collect();
            self::attributes(&mut fields, schema, &list, false);
            next.extend(list);
        }
        left = next;
    }
    if !computed_here.is_empty() {
        text.push_str(
            "\n## Computed\n\nWhat `self` in policies and references have beyond what is declared.\n",
        );
        for subject in computed_here {
            let _ = writeln!(text, "\n### of {subject}\n");
            computed(text, schema, &[subject]);
        }
    }
    if !fields.is_empty() {
        text.push_str("\n## Objects\n");
        text.push_str(&fields);
    }
}

fn attributes(text: &mut String, schema: &Schema, list: &[&AttributeSchema], lowers: bool) {
    let lowers = lowers && list.iter().any(|attribute| attribute.lowers.is_some());
    text.push_str("| attribute | type | default | meaning |");
    text.push_str(if lowers {
        " lowers to | status |\n|---|---|---|---|---|---|\n"
    } else {
        " status |\n|---|---|---|---|---|\n"
    });
    for attribute in list {
        let _ = write!(
            text,
            "| `{}` | {} | {} | {} |",
            attribute.name,
            type_cell(schema, attribute),
            cell(&default(attribute)),
            cell(&attribute.doc),
        );
        if lowers {
            let _ = write!(text, " {} |", cell(attribute.lowers.as_deref().unwrap_or("")));
        }
        let _ = writeln!(text, " {} |", word(attribute.status));
    }
}

fn computed(text: &mut String, schema: &Schema, subjects: &[&str]) {
    text.push_str("| attribute | type | meaning |\n|---|---|---|\n");
    for attribute in subjects.iter().filter_map(|subject| schema.computed.get(*subject)).flatten() {
        let ty = type_cell(schema, attribute);
        let _ = writeln!(text, "| `{}` | {ty} | {} |", attribute.name, cell(&attribute.doc));
    }
}

/// The type in words; an object's fields are on the same page.
fn type_cell(schema: &Schema, attribute: &AttributeSchema) -> String {
    let words = cell(&describe(attribute));
    match object_in(schema, &attribute.ty) {
        Some((name, _)) => format!("{words} ([fields](#{name}))"),
        None => words,
    }
}

/// The named object that a type is, or has as elements.
fn object_in<'s>(schema: &'s Schema, ty: &Type) -> Option<(&'s str, &'s ObjectSchema)> {
    match ty {
        Type::Object(object) => schema
            .objects
            .iter()
            .find(|(_, found)| Arc::ptr_eq(&found.ty, object))
            .map(|(name, found)| (name.as_str(), found)),
        Type::List(element) | Type::Set(element) | Type::Map(element) => object_in(schema, element),
        _ => None,
    }
}

fn default(attribute: &AttributeSchema) -> String {
    match (attribute.required, &attribute.default, &attribute.default_doc) {
        (true, _, _) => "**required**".to_owned(),
        (false, Some(value), _) => format!("`{value}`"),
        (false, None, Some(words)) => words.clone(),
        (false, None, None) => String::new(),
    }
}

fn head(kind: &str) -> &str {
    kind.split('.').next().unwrap_or(kind)
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Complete => "complete",
        Status::Checked => "checked, not yet emitted",
        Status::Later => "checked, written later",
        Status::Planned => "planned",
    }
}

fn remark(status: Status) -> &'static str {
    match status {
        Status::Complete => "",
        Status::Checked => " Checked, not yet emitted.",
        Status::Later => " Checked; written by a later version.",
        Status::Planned => " **Planned**: this version refuses it.",
    }
}

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
