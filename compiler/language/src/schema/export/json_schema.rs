//! JSON Schema (draft 2020-12) of blocks as data: attributes by name, blocks inside as maps by label.
//!
//! Values are as they are after evaluation, so that an expression is not among them; what is not set is left out.

use std::collections::BTreeMap;

use poolwright_expression::{ObjectType, Type};
use serde_json::{Map, Value, json};

use super::super::{AttributeSchema, BlockSchema, Schema, Status};
use super::{describe, form, free_label, literal, nested, ordered};

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The JSON Schema of one block: `pool`, `pool.lot`, `target.kubernetes`. None: there is no such block.
#[must_use]
pub fn json_schema(schema: &Schema, kind: &str) -> Option<Value> {
    let block = schema.blocks.get(kind)?;
    let mut definitions = Definitions { schema, done: BTreeMap::new() };
    let mut body = definitions.body(block);
    body.insert("$schema".into(), json!(DRAFT));
    body.insert("$id".into(), json!(format!("urn:poolwright:block:{kind}:v1")));
    body.insert("title".into(), json!(format!("Poolwright: block {kind}")));
    body.insert("$defs".into(), json!(definitions.done));
    Some(Value::Object(body))
}

/// The JSON Schema of a fleet's files as one document: `{ "pool": { "aws-a100-spot": { … } }, … }`.
#[must_use]
pub fn json_schema_of_files(schema: &Schema) -> Value {
    let mut definitions = Definitions { schema, done: BTreeMap::new() };
    let mut properties = Map::new();
    let mut targets = Map::new();
    for (kind, block) in &schema.blocks {
        if let Some(target) = kind.strip_prefix("target.") {
            targets.insert(target.to_owned(), definitions.blocks(block));
        } else if !kind.contains('.') {
            properties.insert(kind.clone(), definitions.blocks(block));
        }
    }
    let doc = "Targets by kind, then by name.";
    properties.insert("target".into(), closed(doc, targets, Vec::new()).into());
    let doc = "The blocks of all files of a fleet as data: by kind, then by label. Values are as they are after \
               evaluation; what is not set is left out.";
    let mut body = closed(doc, properties, Vec::new());
    body.insert("$schema".into(), json!(DRAFT));
    body.insert("$id".into(), json!("urn:poolwright:files:v1"));
    body.insert("title".into(), json!("Poolwright: the files of a fleet"));
    body.insert("$defs".into(), json!(definitions.done));
    Value::Object(body)
}

/// Definitions that a schema refers to, each once.
struct Definitions<'s> {
    schema: &'s Schema,
    done: BTreeMap<String, Value>,
}

impl Definitions<'_> {
    /// A reference to a block's definition, which is made if it is not there yet.
    fn block(&mut self, block: &BlockSchema) -> Value {
        let name = format!("block.{}", block.kind);
        if !self.done.contains_key(&name) {
            // Put there first: a switch stands in a switch.
            self.done.insert(name.clone(), Value::Null);
            let body = self.body(block);
            self.done.insert(name.clone(), Value::Object(body));
        }
        json!({ "$ref": format!("#/$defs/{name}") })
    }

    /// All blocks of a kind: by label, or in a list where they have none.
    fn blocks(&mut self, block: &BlockSchema) -> Value {
        if block.status == Status::Planned {
            return planned(&block.doc);
        }
        let inner = self.block(block);
        match block.labels {
            0 if block.kind.contains('.') => {
                json!({ "type": "array", "items": inner, "description": format!("In order. {}", block.doc) })
            }
            0 => inner,
            _ => {
                let mut map = json!({ "type": "object", "additionalProperties": inner });
                if let (Some(map), false) = (map.as_object_mut(), free_label(&block.kind)) {
                    map.insert("propertyNames".into(), form::name());
                }
                with(map, "description", format!("By label. {}", block.doc))
            }
        }
    }

    fn body(&mut self, block: &BlockSchema) -> Map<String, Value> {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for attribute in ordered(block) {
            properties.insert(attribute.name.clone(), self.attribute(attribute));
            if attribute.required {
                required.push(attribute.name.clone());
            }
        }
        let schema = self.schema;
        for (name, inner) in nested(schema, block) {
            properties.insert(name.to_owned(), self.blocks(inner));
        }
        let doc = match block.status {
            Status::Planned => format!("{} Planned: this version refuses it.", block.doc),
            Status::Later => format!("{} A later version writes it.", block.doc),
            Status::Complete | Status::Checked => block.doc.clone(),
        };
        let mut body = closed(&doc, properties, required);
        if block.open {
            body.insert("additionalProperties".into(), json!(true));
        }
        body
    }

    fn attribute(&mut self, attribute: &AttributeSchema) -> Value {
        if attribute.status == Status::Planned {
            return planned(&attribute.doc);
        }
        let shape = match attribute.type_text.as_str() {
            "currency" => form::currency(),
            _ => form::form(&attribute.ty, &mut |ty| self.object(ty)),
        };
        let mut doc = format!("{}. Type: {}", attribute.doc.trim_end_matches('.'), describe(attribute));
        if let Some(default) = &attribute.default_doc {
            doc.push_str(&format!(". Default: {default}"));
        }
        if attribute.status == Status::Checked {
            doc.push_str(". Checked, not yet emitted");
        }
        if attribute.status == Status::Later {
            doc.push_str(". Checked; a later version writes it");
        }
        let shape = with(shape, "description", format!("{doc}."));
        match &attribute.default {
            Some(default) => with(shape, "default", literal(default)),
            None => shape,
        }
    }

    /// A reference to the definition of a named object.
    fn object(&mut self, ty: &Type) -> Value {
        let Type::Object(wanted) = ty else { return json!({}) };
        let schema = self.schema;
        let found = schema.objects.iter().find(|(_, object)| std::sync::Arc::ptr_eq(&object.ty, wanted));
        let Some((name, object)) = found else { return anonymous(wanted) };
        let name = format!("object.{name}");
        if !self.done.contains_key(&name) {
            self.done.insert(name.clone(), Value::Null);
            let fields =
                object.fields.iter().map(|field| (field.name.clone(), self.attribute(field))).collect();
            let required =
                object.fields.iter().filter(|field| field.required).map(|field| field.name.clone());
            let body = closed(&object.doc, fields, required.collect());
            self.done.insert(name.clone(), Value::Object(body));
        }
        json!({ "$ref": format!("#/$defs/{name}") })
    }
}

/// An object type that has no name of its own.
fn anonymous(object: &ObjectType) -> Value {
    let fields = object.fields.iter().map(|field| {
        let shape = form::form(&field.ty, &mut |ty| match ty {
            Type::Object(inner) => anonymous(inner),
            _ => json!({}),
        });
        (field.name.to_string(), with(shape, "description", field.ty.describe()))
    });
    let required = object.fields.iter().filter(|field| field.required).map(|field| field.name.to_string());
    Value::Object(closed("An object.", fields.collect(), required.collect()))
}

/// An object with these properties and no others.
fn closed(doc: &str, properties: Map<String, Value>, required: Vec<String>) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("type".into(), json!("object"));
    body.insert("description".into(), json!(doc));
    body.insert("properties".into(), Value::Object(properties));
    body.insert("additionalProperties".into(), json!(false));
    if !required.is_empty() {
        body.insert("required".into(), json!(required));
    }
    body
}

/// Known, and refused by this version: the front end refuses it too.
fn planned(doc: &str) -> Value {
    json!({ "not": {}, "description": format!("{}. Planned: this version refuses it.", doc.trim_end_matches('.')) })
}

fn with(mut shape: Value, key: &str, value: impl Into<Value>) -> Value {
    if let Some(shape) = shape.as_object_mut() {
        shape.insert(key.to_owned(), value.into());
    }
    shape
}
