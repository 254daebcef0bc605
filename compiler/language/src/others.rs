//! What a block says of fields that are not its own: `foreign`, which others write, and `extra`, which the language does
//! not have (LANGUAGE §3.1, §3.7). Which object has which fields is data, `schema/extra.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use poolwright_diagnostics::{Diagnostic, Span, suggestion_help};
use poolwright_expression::Value;
use serde::Deserialize;

use crate::codes;
use crate::instances::Block;
use crate::values::Attributes;

/// Attributes of every block that are about the block, not about what it emits.
const OF_THE_BLOCK: [&str; 8] =
    ["name", "description", "labels", "protect", "foreign", "extra", "for_each", "count"];

/// Kinds of targets whose objects are Terraform resources too: any type of them is an object kind.
const TERRAFORM: [&str; 6] = ["alibaba", "gcp", "azure", "nebius", "crusoe", "aws"];

/// An object kind: which blocks emit it, and which fields of it the language sets.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Object {
    blocks: Vec<String>,
    /// By path: the attribute that sets it, in words.
    fields: BTreeMap<String, String>,
}

type Table = BTreeMap<String, BTreeMap<String, Object>>;

fn table() -> &'static Table {
    static TABLE: LazyLock<Table> = LazyLock::new(|| {
        #[expect(clippy::expect_used, reason = "the file is part of the program and a test reads it")]
        toml::from_str(include_str!("../schema/extra.toml")).expect("extra.toml is a table of objects")
    });
    &TABLE
}

/// What is wrong with `foreign` and `extra` of a block.
pub(crate) fn check(block: &Block<'_>, attributes: &Attributes) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    foreign(block, attributes, &mut faults);
    extra(block, attributes, &mut faults);
    faults
}

fn span(attributes: &Attributes, block: &Block<'_>, path: &str) -> Span {
    let mut path = path;
    loop {
        if let Some((_, span)) = attributes.spans.iter().find(|(written, _)| &**written == path) {
            return *span;
        }
        match path.rfind(['.', '[']).and_then(|at| path.get(..at)) {
            Some(shorter) => path = shorter,
            None => return block.tree.header,
        }
    }
}

/// Every key is an attribute of the block that something is emitted from.
fn foreign(block: &Block<'_>, attributes: &Attributes, faults: &mut Vec<Diagnostic>) {
    let Some(Value::Object(entries)) = attributes.values.get("foreign") else { return };
    for (name, owner) in entries.iter() {
        let at = span(attributes, block, &format!("foreign.{name}"));
        let known = block.schema.attributes.keys().map(String::as_str);
        let known: Vec<&str> = known.filter(|known| !OF_THE_BLOCK.contains(known)).collect();
        if !known.contains(&&**name) {
            let fault = Diagnostic::error(
                codes::FOREIGN,
                format!("`{name}` of `{}` is left to others, and there is no such field", block.address),
            )
            .at(at, if OF_THE_BLOCK.contains(&&**name) { "is of the block itself" } else { "no attribute" });
            let help = suggestion_help("attribute", name, known.iter().copied());
            faults.push(fault.with_help(help.unwrap_or_else(|| {
                "name an attribute of the block whose field on the target somebody else writes".to_owned()
            })));
        } else if matches!(owner, Value::String(owner) if owner.trim().is_empty()) {
            faults.push(
                Diagnostic::error(
                    codes::FOREIGN,
                    format!("nobody is said to write `{name}` of `{}`", block.address),
                )
                .at(at, "an empty name")
                .with_help("name who does, as plans should show it: `\"cluster-autoscaler\"`"),
            );
        }
    }
}

/// Every object is one that the block emits, and no field is one that an attribute sets.
fn extra(block: &Block<'_>, attributes: &Attributes, faults: &mut Vec<Diagnostic>) {
    let Some(Value::Object(targets)) = attributes.values.get("extra") else { return };
    let fault = |path: &str, message: String, label: &str, help: String| {
        Diagnostic::error(codes::EXTRA, message)
            .at(span(attributes, block, path), label.to_owned())
            .with_help(help)
    };
    for (target, kinds) in targets.iter() {
        let path = format!("extra.{target}");
        let known: Vec<&str> = table().keys().map(String::as_str).chain(TERRAFORM).collect();
        if !known.contains(&&**target) {
            let help = suggestion_help("kind of target", target, known.iter().copied());
            faults.push(fault(
                &path,
                format!("there is no kind of target `{target}` whose objects could have more"),
                "no kind of target with objects",
                help.unwrap_or_else(|| {
                    format!("kinds: {}", table().keys().cloned().collect::<Vec<_>>().join(", "))
                }),
            ));
            continue;
        }
        let Value::Object(kinds) = kinds else { continue };
        for (kind, fields) in kinds.iter() {
            let path = format!("{path}.{kind}");
            let objects = table().get(&**target);
            let Some(object) = objects.and_then(|objects| objects.get(&**kind)) else {
                let resource = TERRAFORM.contains(&&**target) && kind.contains('_');
                if resource && matches!(block.kind(), "pool" | "lot") {
                    continue;
                }
                let mine = objects.into_iter().flatten().filter(|(_, it)| emits(it, block));
                let mine: Vec<&str> = mine.map(|(kind, _)| kind.as_str()).collect();
                let help = suggestion_help("kind of object", kind, mine.iter().copied());
                faults.push(fault(
                    &path,
                    format!("`{}` emits no `{kind}` on {target}", block.address),
                    "no object of it",
                    help.unwrap_or_else(|| emitted(&mine)),
                ));
                continue;
            };
            if !emits(object, block) {
                faults.push(fault(
                    &path,
                    format!("`{}` emits no `{kind}` on {target}", block.address),
                    "of another block",
                    format!("write it in the {} that emits it", object.blocks.join(" or ")),
                ));
                continue;
            }
            fields_of(&**target == "slurm", object, "", fields, &mut |field, attribute| {
                faults.push(fault(
                    &format!("{path}.{field}"),
                    format!("`{field}` of a `{kind}` is set by {attribute}"),
                    "not for `extra`",
                    "set the attribute; `extra` adds what the language does not have, and overrules nothing"
                        .to_owned(),
                ));
            });
        }
    }
}

fn emitted(kinds: &[&str]) -> String {
    match kinds {
        [] => "it emits nothing there: write it in the block that does".to_owned(),
        kinds => format!("it emits: {}", kinds.join(", ")),
    }
}

fn emits(object: &Object, block: &Block<'_>) -> bool {
    object.blocks.iter().any(|kind| kind == block.kind())
}

/// Visits every field that the language sets: itself, a part of it, or something around it.
fn fields_of(
    any_case: bool,
    object: &Object,
    before: &str,
    value: &Value,
    report: &mut dyn FnMut(&str, &str),
) {
    let Value::Object(entries) = value else { return };
    for (key, inner) in entries.iter() {
        let path = if before.is_empty() { key.to_string() } else { format!("{before}.{key}") };
        let same = |known: &str| if any_case { known.eq_ignore_ascii_case(&path) } else { known == path };
        if let Some((_, attribute)) = object.fields.iter().find(|(known, _)| same(known)) {
            report(&path, attribute);
            continue;
        }
        let general = match path.as_str() {
            "metadata.name" => Some("`name` of the block"),
            "metadata.labels" => Some("`labels` of the block"),
            "metadata.namespace" => Some("`namespaces` of the tenant"),
            _ => None,
        };
        match general {
            Some(attribute) => report(&path, attribute),
            None => fields_of(any_case, object, &path, inner, report),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_blocks_of_the_language() {
        let schema = crate::schema::schema();
        for (target, kinds) in table() {
            assert!(schema.blocks.contains_key(&format!("target.{target}")), "{target}");
            for (kind, object) in kinds {
                for block in &object.blocks {
                    let known = schema.blocks.contains_key(block) || block == "lot";
                    assert!(known, "{target}.{kind}: {block}");
                }
            }
        }
    }
}
