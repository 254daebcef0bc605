//! The closed schemas of the language, read from `schema/blocks.toml`: the front end checks against them, and
//! [`export`] makes documentation and JSON Schemas of them.

pub mod export;
mod types;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use poolwright_expression::{Defaults, Field, ObjectType, Type, Value};
use serde::Deserialize;

/// The schema of the language.
#[must_use]
pub fn schema() -> &'static Schema {
    static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
        #[expect(clippy::expect_used, reason = "the file is part of the program and a test reads it")]
        Schema::read(include_str!("../../schema/blocks.toml")).expect("blocks.toml is a schema")
    });
    &SCHEMA
}

/// All blocks, objects and computed attributes.
#[derive(Debug)]
pub struct Schema {
    /// By kind: `pool`, `pool.lot`, `target.kubernetes`. Attributes are complete: those of every block, of the
    /// block itself, and of the lots that a pool gives defaults to.
    pub blocks: BTreeMap<String, BlockSchema>,
    /// Named objects.
    pub objects: BTreeMap<String, ObjectSchema>,
    /// What `self` and references have beyond the declared attributes, by subject.
    pub computed: BTreeMap<String, Vec<AttributeSchema>>,
}

/// How far something is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Checked and lowered.
    #[default]
    Complete,
    /// Checked and priced, but no target emits it yet; nothing is lost by that.
    Checked,
    /// Checked, evaluated and in the fleet; a later version writes it to its target. `validate` says so, and what
    /// writes (`plan`, `compile`, `apply`) refuses it.
    Later,
    /// Known and refused.
    Planned,
}

/// Which of a pool's two targets gets something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Who schedules.
    Cluster,
    /// Who makes nodes.
    Provision,
}

/// The schema of a kind of block.
#[derive(Clone, Debug)]
pub struct BlockSchema {
    /// `pool`, `pool.lot`.
    pub kind: String,
    /// What it is.
    pub doc: String,
    /// How many labels it has.
    pub labels: usize,
    /// Kinds of blocks that may stand in it, by their own name.
    pub nested: Vec<String>,
    /// Whether any attribute is taken: `locals`.
    pub open: bool,
    /// How far it is built.
    pub status: Status,
    /// What of it a later version does, in words: `node pools of GKE`. There with [`Status::Later`].
    pub later: Option<String>,
    /// By name.
    pub attributes: BTreeMap<String, Arc<AttributeSchema>>,
    /// Names of the attributes in the order of documentation.
    pub order: Vec<String>,
    /// Attributes that mean something where they are not written: those with a default, and those that are required.
    pub absent: Vec<Arc<AttributeSchema>>,
}

/// The schema of an attribute.
#[derive(Clone, Debug)]
pub struct AttributeSchema {
    /// Its name.
    pub name: String,
    /// Its name, as the key of its value.
    pub key: Arc<str>,
    /// Its type as `blocks.toml` writes it.
    pub type_text: String,
    /// Its type.
    pub ty: Type,
    /// Defaults of the parts of an object.
    pub defaults: Defaults,
    /// Whether it has to be written.
    pub required: bool,
    /// Its default.
    pub default: Option<Value>,
    /// Its default with those of its parts.
    pub filled: Option<Value>,
    /// Its default in words, where it is computed.
    pub default_doc: Option<String>,
    /// How far it is built.
    pub status: Status,
    /// What of it a later version does, in words. There with [`Status::Later`].
    pub later: Option<String>,
    /// Where that is written: on which targets of its pools. None: on the block's own target, or nowhere in particular.
    pub at: Option<Side>,
    /// What its values must hold besides the type.
    pub rule: Option<crate::rules::Rule>,
    /// What it means.
    pub doc: String,
    /// What it lowers to.
    pub lowers: Option<String>,
}

impl AttributeSchema {
    /// Whether it is kept as an expression and evaluated later.
    #[must_use]
    pub fn is_expression(&self) -> bool {
        self.type_text == "expression"
    }
}

/// A named object: its fields are written like attributes.
#[derive(Clone, Debug)]
pub struct ObjectSchema {
    /// What it is.
    pub doc: String,
    /// Its fields in order.
    pub fields: Vec<AttributeSchema>,
    /// Its type.
    pub ty: Arc<ObjectType>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    block: toml::Table,
    object: toml::Table,
    computed: toml::Table,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBlock {
    doc: String,
    labels: usize,
    #[serde(default)]
    nested: Vec<String>,
    #[serde(default)]
    open: bool,
    #[serde(default)]
    status: Status,
    later: Option<String>,
    attributes: toml::Table,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawObject {
    doc: String,
    fields: toml::Table,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAttribute {
    r#type: String,
    #[serde(default)]
    required: bool,
    default: Option<String>,
    default_doc: Option<String>,
    #[serde(default)]
    status: Status,
    later: Option<String>,
    at: Option<Side>,
    rule: Option<crate::rules::Rule>,
    doc: String,
    lowers: Option<String>,
}

/// Kinds of cloud targets, and what of them a later version writes; they share the block `target.cloud`.
const CLOUDS: [(&str, Option<&str>); 6] = [
    ("aws", None),
    ("alibaba", None),
    ("gcp", Some("node pools of GKE and managed instance groups")),
    ("azure", Some("node pools of AKS and scale sets")),
    ("nebius", Some("node groups of Nebius")),
    ("crusoe", Some("node pools of Crusoe")),
];

impl Schema {
    fn read(text: &str) -> Result<Self, String> {
        let raw: RawFile = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut objects = BTreeMap::new();
        // An object may use another one: read until nothing is left to read.
        let mut left: Vec<(String, toml::Value)> = raw.object.into_iter().collect();
        while !left.is_empty() {
            let before = left.len();
            let mut later = Vec::new();
            for (name, value) in left {
                match object(&value, &objects) {
                    Ok(schema) => {
                        objects.insert(name, schema);
                    }
                    Err(_) if before > 1 => later.push((name, value)),
                    Err(error) => return Err(format!("object {name}: {error}")),
                }
            }
            if later.len() == before {
                let name = later.first().map(|(name, _)| name.clone()).unwrap_or_default();
                return Err(format!("object {name} cannot be read"));
            }
            left = later;
        }
        let mut blocks = BTreeMap::new();
        for (kind, value) in raw.block {
            let schema = block(&kind, value, &objects).map_err(|error| format!("block {kind}: {error}"))?;
            blocks.insert(kind, schema);
        }
        let mut computed = BTreeMap::new();
        for (subject, value) in raw.computed {
            let table = value.as_table().ok_or_else(|| format!("computed.{subject} is no table"))?;
            computed.insert(subject, attributes(table, &objects)?);
        }
        Ok(Self { blocks: complete(blocks)?, objects, computed })
    }

    /// The computed attributes of a subject, the common ones included.
    pub fn computed_of(&self, subject: &str) -> impl Iterator<Item = &AttributeSchema> {
        ["common", subject].into_iter().filter_map(|name| self.computed.get(name)).flatten()
    }
}

fn object(value: &toml::Value, objects: &BTreeMap<String, ObjectSchema>) -> Result<ObjectSchema, String> {
    let raw: RawObject = value.clone().try_into().map_err(|error: toml::de::Error| error.to_string())?;
    let fields = attributes(&raw.fields, objects)?;
    let field = |field: &AttributeSchema| Field {
        name: field.key.clone(),
        ty: field.ty.clone(),
        required: field.required,
    };
    let ty = Arc::new(ObjectType { fields: fields.iter().map(field).collect() });
    Ok(ObjectSchema { doc: raw.doc, fields, ty })
}

fn block(
    kind: &str,
    value: toml::Value,
    objects: &BTreeMap<String, ObjectSchema>,
) -> Result<BlockSchema, String> {
    let raw: RawBlock = value.try_into().map_err(|error: toml::de::Error| error.to_string())?;
    let attributes = attributes(&raw.attributes, objects)?;
    let order = attributes.iter().map(|attribute| attribute.name.clone()).collect();
    let attributes =
        attributes.into_iter().map(|attribute| (attribute.name.clone(), Arc::new(attribute))).collect();
    Ok(BlockSchema {
        kind: kind.to_owned(),
        doc: raw.doc,
        labels: raw.labels,
        nested: raw.nested,
        open: raw.open,
        status: if raw.later.is_some() { Status::Later } else { raw.status },
        later: raw.later,
        attributes,
        order,
        absent: Vec::new(),
    })
}

fn attributes(
    table: &toml::Table,
    objects: &BTreeMap<String, ObjectSchema>,
) -> Result<Vec<AttributeSchema>, String> {
    table
        .iter()
        .map(|(name, value)| {
            let raw: RawAttribute =
                value.clone().try_into().map_err(|error: toml::de::Error| format!("{name}: {error}"))?;
            let named = |object: &str| {
                objects
                    .get(object)
                    .map(|schema| schema.ty.clone())
                    .ok_or_else(|| format!("no object `{object}`"))
            };
            let ty = types::parse(&raw.r#type, &named).map_err(|error| format!("{name}: {error}"))?;
            let default = raw.default.map(|text| default(&text, &ty)).transpose();
            let default = default.map_err(|error| format!("{name}: {error}"))?;
            let defaults = defaults(&raw.r#type, objects);
            Ok(AttributeSchema {
                name: name.clone(),
                key: Arc::from(name.as_str()),
                type_text: raw.r#type,
                ty,
                required: raw.required,
                filled: default.as_ref().map(|default| defaults.fill(default)),
                defaults,
                default,
                default_doc: raw.default_doc,
                status: if raw.later.is_some() { Status::Later } else { raw.status },
                later: raw.later,
                at: raw.at,
                rule: raw.rule,
                doc: raw.doc,
                lowers: raw.lowers,
            })
        })
        .collect()
}

/// A default is JSON, converted to the attribute's type.
fn default(text: &str, ty: &Type) -> Result<Value, String> {
    let json: serde_json::Value =
        serde_json::from_str(text).map_err(|error| format!("default {text}: {error}"))?;
    poolwright_expression::convert(&Value::from_json(&json), ty)
        .map_err(|faults| faults.into_iter().map(|fault| fault.message).collect::<Vec<_>>().join("; "))
}

fn defaults(type_text: &str, objects: &BTreeMap<String, ObjectSchema>) -> Defaults {
    let element =
        ["list(", "map("].into_iter().find_map(|head| type_text.strip_prefix(head)?.strip_suffix(')'));
    if let Some(inside) = element {
        return match defaults(inside, objects) {
            Defaults::Nothing => Defaults::Nothing,
            inside => Defaults::Each(Box::new(inside)),
        };
    }
    let named = type_text.strip_prefix("object(").and_then(|rest| rest.strip_suffix(')'));
    named.and_then(|name| objects.get(name)).map_or(Defaults::Nothing, |object| {
        let field =
            |field: &AttributeSchema| (field.key.clone(), field.default.clone(), field.defaults.clone());
        Defaults::Object(Arc::new(object.fields.iter().map(field).collect()))
    })
}

/// Completes the blocks: what every block has, what all targets have, what a pool gives to its lots.
fn complete(mut raw: BTreeMap<String, BlockSchema>) -> Result<BTreeMap<String, BlockSchema>, String> {
    let mut take = |kind: &str| raw.remove(kind).ok_or_else(|| format!("block {kind} is missing"));
    let meta = take("meta")?;
    let target = take("target")?;
    let cloud = take("target.cloud")?;
    for (kind, later) in CLOUDS {
        let kind = format!("target.{kind}");
        let status = if later.is_some() { Status::Later } else { Status::Complete };
        let later = later.map(str::to_owned);
        raw.insert(kind.clone(), BlockSchema { kind, status, later, ..cloud.clone() });
    }
    let lot = raw.get("pool.lot").cloned();
    // What is no thing of the fleet: nothing of it reaches a target.
    let plain = [
        "locals",
        "test.assert",
        "check.assert",
        "variable.validation",
        "meta.precondition",
        "meta.postcondition",
        "policy.test",
        "policy.exempt",
        "variable",
        "output",
        "module",
        "moved",
        "removed",
        "import",
    ];
    for (kind, block) in &mut raw {
        let mut inherited: Vec<&BlockSchema> = Vec::new();
        if kind.starts_with("target.") {
            inherited.push(&target);
        }
        if kind == "pool" {
            inherited.extend(&lot);
        }
        if !plain.contains(&kind.as_str()) {
            inherited.push(&meta);
        }
        for from in inherited {
            for name in &from.order {
                let Some(attribute) = from.attributes.get(name) else { continue };
                if !block.attributes.contains_key(name) {
                    // A pool's lots may set what the pool does not.
                    let mut attribute = (**attribute).clone();
                    attribute.required &= kind != "pool" || from.kind != "pool.lot";
                    block.attributes.insert(name.clone(), Arc::new(attribute));
                    block.order.push(name.clone());
                }
            }
        }
        let absent = block.attributes.values().filter(|it| it.required || it.filled.is_some());
        block.absent = absent.cloned().collect();
    }
    Ok(raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_file_is_a_schema() {
        let schema = schema();
        let pool = &schema.blocks["pool"];
        assert!(pool.attributes.contains_key("cluster") && pool.attributes.contains_key("tier"));
        assert!(schema.blocks["target.aws"].attributes.contains_key("directory"));
        assert_eq!(schema.blocks["target.gcp"].status, Status::Later);
        assert_eq!(schema.blocks["fleet"].attributes["name"].type_text, "name");
    }

    #[test]
    fn defaults_reach_into_objects() {
        let schema = schema();
        let when = &schema.blocks["class"].attributes["when_preempted"];
        let filled = when.defaults.fill(when.default.as_ref().unwrap());
        let Value::Object(fields) = filled else { panic!("no object") };
        assert_eq!(fields.len(), 3);
    }
}
