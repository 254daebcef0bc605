//! What `self` is in a policy: its type by the schemas, so that a misspelt attribute is an error before anything
//! is evaluated, and a declared one that is not set is null.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::{Expr, ExprKind, Field, ObjectType, Step, Symbol, TemplatePart, Type, Value};
use poolwright_model::program::Subject;

use crate::collect::not_built;
use crate::schema::{Status, schema};
use crate::values::no_such_part;

/// The type of `self`: declared and computed attributes, none of them required.
pub(crate) fn self_type(subject: Subject) -> &'static Type {
    static TYPES: LazyLock<BTreeMap<Subject, Type>> =
        LazyLock::new(|| Subject::ALL.into_iter().map(|subject| (subject, build(subject))).collect());
    TYPES.get(&subject).unwrap_or(&Type::Any)
}

fn build(subject: Subject) -> Type {
    let schema = schema();
    let mut fields: BTreeMap<Arc<str>, Type> = BTreeMap::new();
    let block = match subject {
        Subject::Lot => schema.blocks.get("pool.lot"),
        Subject::Plan | Subject::Change | Subject::Target => None,
        _ => schema.blocks.get(subject.as_str()),
    };
    let declared =
        block.into_iter().flat_map(|block| block.attributes.values()).map(|attribute| &**attribute);
    for attribute in declared.chain(schema.computed_of(subject.as_str())) {
        fields.insert(Arc::from(attribute.name.as_str()), attribute.ty.clone());
    }
    let fields = fields.into_iter().map(|(name, ty)| Field { name, ty, required: false }).collect();
    Type::Object(Arc::new(ObjectType { fields }))
}

/// Whether an attribute of `self` is part of the language and not built yet.
fn planned(subject: Subject, name: &str) -> bool {
    schema()
        .computed_of(subject.as_str())
        .any(|attribute| attribute.name == name && attribute.status == Status::Planned)
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

/// Checks every path that begins with `self` or `plan` against the types.
pub(crate) fn check(expr: &Expr, subject: Subject, faults: &mut Vec<Diagnostic>) {
    walk(expr, &mut |expr| {
        let ExprKind::Traversal(base, steps) = &expr.kind else { return };
        let ty = match &base.kind {
            ExprKind::Symbol(Symbol::Scoped(name)) if &**name == "self" => self_type(subject),
            ExprKind::Symbol(Symbol::Scoped(name)) if &**name == "plan" => self_type(Subject::Plan),
            _ => return,
        };
        let ExprKind::Symbol(Symbol::Scoped(root)) = &base.kind else { return };
        let of = if &**root == "plan" { Subject::Plan } else { subject };
        if let Some(Step::Attribute(name, span)) = steps.first()
            && planned(of, name)
        {
            faults.push(not_built(&format!("attributes such as `{root}.{name}`"), *span));
            return;
        }
        path(&format!("{root}"), ty, steps, faults);
    });
}

fn path(shown: &str, ty: &Type, steps: &[Step], faults: &mut Vec<Diagnostic>) {
    let Some((Step::Attribute(name, span), rest)) = steps.split_first() else { return };
    match ty {
        Type::Object(object) => match object.fields.iter().find(|field| field.name == *name) {
            Some(field) => path(&format!("{shown}.{name}"), &field.ty, rest, faults),
            None => faults.push(unknown(shown, name, *span, object)),
        },
        // A reference leads to the attributes of that block.
        Type::Block(kinds) => {
            let subject = match kinds.as_ref() {
                [kind] => Subject::ALL
                    .into_iter()
                    .find(|subject| subject.as_str() == kind.split('.').next().unwrap_or(kind)),
                _ => None,
            };
            if let Some(subject) = subject.filter(|subject| *subject != Subject::Target) {
                path(shown, self_type(subject), steps, faults);
            }
        }
        _ => {}
    }
}

fn unknown(shown: &str, name: &str, span: Span, object: &ObjectType) -> Diagnostic {
    no_such_part(shown, name, span, object.fields.iter().map(|field| &*field.name))
}

/// Whether an object of the subject costs something: `self.cost.monthly.ceiling`.
pub(crate) fn has_cost(subject: Subject) -> bool {
    matches!(subject, Subject::Pool | Subject::Lot | Subject::Queue | Subject::Tenant | Subject::Plan)
}

/// Visits an expression and everything in it.
fn walk(expr: &Expr, visit: &mut dyn FnMut(&Expr)) {
    visit(expr);
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Symbol(_) => {}
        ExprKind::Template(parts) => walk_template(parts, visit),
        ExprKind::List(items) | ExprKind::Call(_, _, items, _) => {
            items.iter().for_each(|item| walk(item, visit))
        }
        ExprKind::Object(items) => {
            for item in items {
                walk(&item.key, visit);
                walk(&item.value, visit);
            }
        }
        ExprKind::Traversal(base, steps) => {
            walk(base, visit);
            for step in steps {
                if let Step::Index(index) = step {
                    walk(index, visit);
                }
            }
        }
        ExprKind::Unary(_, operand) => walk(operand, visit),
        ExprKind::Binary(_, _, sides) => {
            walk(&sides.0, visit);
            walk(&sides.1, visit);
        }
        ExprKind::Conditional(parts) => {
            walk(&parts.0, visit);
            walk(&parts.1, visit);
            walk(&parts.2, visit);
        }
        ExprKind::For(for_expr) => {
            walk(&for_expr.collection, visit);
            for part in [&for_expr.key_result, &for_expr.condition].into_iter().flatten() {
                walk(part, visit);
            }
            walk(&for_expr.result, visit);
        }
    }
}

fn walk_template(parts: &[TemplatePart], visit: &mut dyn FnMut(&Expr)) {
    for part in parts {
        match part {
            TemplatePart::Literal(_) => {}
            TemplatePart::Interpolation(expr) => walk(expr, visit),
            TemplatePart::If(condition, then, otherwise) => {
                walk(condition, visit);
                walk_template(then, visit);
                walk_template(otherwise, visit);
            }
            TemplatePart::For(_, _, collection, body) => {
                walk(collection, visit);
                walk_template(body, visit);
            }
        }
    }
}
