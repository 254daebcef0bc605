//! Documentation and JSON Schema of the blocks, made from the same data that the front end checks against, so that
//! neither can say anything else.
//!
//! Pure: a [`Schema`] in, texts and JSON out. Enter at [`markdown`], [`json_schema`] and [`json_schema_of_files`].

mod form;
mod json_schema;
mod markdown;

use std::collections::BTreeSet;

use poolwright_expression::Value;

use super::{AttributeSchema, BlockSchema, Schema};

pub use json_schema::{json_schema, json_schema_of_files};
pub use markdown::markdown;

/// The attributes of every block: those of the block that declares least of its own.
fn common(schema: &Schema) -> Vec<&AttributeSchema> {
    let with_head = schema.blocks.values().filter(|block| block.attributes.contains_key("description"));
    with_head.min_by_key(|block| block.order.len()).map(ordered).unwrap_or_default()
}

/// A block's attributes in the order of documentation.
fn ordered(block: &BlockSchema) -> Vec<&AttributeSchema> {
    block.order.iter().filter_map(|name| block.attributes.get(name)).map(AsRef::as_ref).collect()
}

/// A block's attributes without those that another list has with the same meaning.
fn own<'s>(block: &'s BlockSchema, elsewhere: &[&AttributeSchema]) -> Vec<&'s AttributeSchema> {
    let there: BTreeSet<(&str, &str)> = elsewhere.iter().map(|a| (a.name.as_str(), a.doc.as_str())).collect();
    ordered(block).into_iter().filter(|a| !there.contains(&(a.name.as_str(), a.doc.as_str()))).collect()
}

/// The kinds of blocks that may stand in a block, as names and schemas; a block may stand in itself.
fn nested<'s>(schema: &'s Schema, block: &'s BlockSchema) -> Vec<(&'s str, &'s BlockSchema)> {
    let of = |name: &'s String| {
        let inner = schema.blocks.get(&format!("{}.{name}", block.kind));
        let itself = || block.kind.ends_with(&format!(".{name}")).then_some(block);
        Some((name.as_str(), inner.or_else(itself)?))
    };
    block.nested.iter().filter_map(of).collect()
}

/// Whether labels of a kind are sentences, not names (LANGUAGE §2).
fn free_label(kind: &str) -> bool {
    matches!(kind, "test" | "check" | "policy.test" | "accelerator.partition")
}

/// What the type of an attribute is in words.
fn describe(attribute: &AttributeSchema) -> String {
    match attribute.type_text.as_str() {
        "expression" => "an expression, evaluated when it is judged".to_owned(),
        "currency" => "a currency's code such as \"USD\"".to_owned(),
        _ => attribute.ty.describe(),
    }
}

/// A default as JSON in the form that the language takes: a quantity is its text.
fn literal(value: &Value) -> serde_json::Value {
    use serde_json::Value as Json;
    match value {
        Value::List(items) | Value::Set(items) => Json::Array(items.iter().map(literal).collect()),
        Value::Object(entries) => {
            entries.iter().map(|(key, value)| (key.to_string(), literal(value))).collect()
        }
        Value::Quantity(quantity) => Json::String(quantity.to_string()),
        other => poolwright_expression::to_json(other),
    }
}
