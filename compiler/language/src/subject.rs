//! What `self` is in a policy: its type by the schemas, so that a misspelt attribute is an error before anything
//! is evaluated, and a declared one that is not set is null.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::{Field, ObjectType, Type, Value};
use poolwright_model::program::Subject;

use crate::collect::not_built;
use crate::schema::{BlockSchema, Status, schema};

/// The type of `self`: declared and computed attributes, none of them required.
pub(crate) fn self_type(subject: Subject) -> &'static Type {
    static TYPES: LazyLock<BTreeMap<Subject, Type>> =
        LazyLock::new(|| Subject::ALL.into_iter().map(|subject| (subject, build(subject))).collect());
    TYPES.get(&subject).unwrap_or(&Type::Any)
}

fn build(subject: Subject) -> Type {
    let schema = schema();
    let block = match subject {
        Subject::Lot => schema.blocks.get("pool.lot"),
        Subject::Plan | Subject::Change | Subject::Target => None,
        _ => schema.blocks.get(subject.as_str()),
    };
    built(block, subject.as_str())
}

/// Declared attributes of a kind of block, and the computed ones of that name.
fn built(block: Option<&BlockSchema>, name: &str) -> Type {
    let mut fields: BTreeMap<Arc<str>, Type> = BTreeMap::new();
    let declared =
        block.into_iter().flat_map(|block| block.attributes.values()).map(|attribute| &**attribute);
    for attribute in declared.chain(schema().computed_of(name)) {
        fields.insert(Arc::from(attribute.name.as_str()), attribute.ty.clone());
    }
    let fields = fields.into_iter().map(|(name, ty)| Field { name, ty, required: false }).collect();
    Type::Object(Arc::new(ObjectType { fields }))
}

/// The type of a policy test's `given`.
pub(crate) fn given_type(subject: Subject) -> Type {
    let field = |name: &str, ty: Type| Field { name: Arc::from(name), ty, required: false };
    Type::Object(Arc::new(ObjectType {
        fields: vec![
            field("self", relaxed(self_type(subject))),
            field("plan", relaxed(self_type(Subject::Plan))),
            field("now", Type::Date),
        ],
    }))
}

/// The same type with no field required: a test gives what the policy reads.
fn relaxed(ty: &Type) -> Type {
    match ty {
        Type::Object(object) => {
            let field =
                |field: &Field| Field { name: field.name.clone(), ty: relaxed(&field.ty), required: false };
            Type::Object(Arc::new(ObjectType { fields: object.fields.iter().map(field).collect() }))
        }
        Type::List(inside) => Type::List(Box::new(relaxed(inside))),
        other => other.clone(),
    }
}

/// Fills declared fields that are not given with null.
pub(crate) fn complete(value: &Value, ty: &Type) -> Value {
    match (value, ty) {
        (Value::Object(given), Type::Object(object)) => {
            let mut whole = (**given).clone();
            for field in &object.fields {
                let filled = whole.get(&field.name).map_or(Value::Null, |value| complete(value, &field.ty));
                whole.insert(field.name.clone(), filled);
            }
            Value::Object(Arc::new(whole))
        }
        _ => value.clone(),
    }
}

/// Kinds of blocks whose attributes are those of their schema: a module has its outputs, a target those of its kind.
const READABLE: [&str; 9] =
    ["pool", "lot", "queue", "route", "class", "tenant", "tier", "fabric", "accelerator"];

/// What a reference to a block of a kind leads to: declared and computed attributes, and the blocks in it. None where
/// the kind does not say it.
pub(crate) fn block_type(kind: &str) -> Option<Type> {
    READABLE.contains(&kind).then_some(())?;
    let subject = Subject::ALL.into_iter().find(|subject| subject.as_str() == kind);
    let block = schema().blocks.get(if kind == "lot" { "pool.lot" } else { kind })?;
    let base = match subject {
        Some(subject) => self_type(subject).clone(),
        None => built(Some(block), kind),
    };
    let Type::Object(object) = base else { return None };
    let mut fields = object.fields.clone();
    let nested = block.nested.iter().filter(|name| object.field(name).is_none());
    fields.extend(nested.map(|name| Field {
        name: Arc::from(name.as_str()),
        ty: Type::Any,
        required: false,
    }));
    Some(Type::Object(Arc::new(ObjectType { fields })))
}

/// What is said of an attribute of `self` that is part of the language and not built yet. `shown`: what it is an
/// attribute of.
pub(crate) fn planned(shown: &str, subject: Subject, name: &str, span: Span) -> Option<Diagnostic> {
    let of = match shown {
        "self" => subject,
        "plan" => Subject::Plan,
        _ => return None,
    };
    let mut computed = schema().computed_of(of.as_str());
    computed
        .any(|attribute| attribute.name == name && attribute.status == Status::Planned)
        .then(|| not_built(&format!("attributes such as `{shown}.{name}`"), span))
}

/// Whether an object of the subject costs something: `self.cost.monthly.ceiling`.
pub(crate) fn has_cost(subject: Subject) -> bool {
    matches!(subject, Subject::Pool | Subject::Lot | Subject::Queue | Subject::Tenant | Subject::Plan)
}
