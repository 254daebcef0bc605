//! Types of variables and outputs: `list(string)`, `object({ a = optional(number, 3) })`, `duration`, `list(tenant)`.

use std::sync::Arc;

use poolwright_diagnostics::{Applicability, Diagnostic, Edit, Span, suggestion_help};
use poolwright_expression::{Defaults, Field, ObjectType, Type, Value, convert};
use poolwright_syntax::tree;

use crate::codes;

/// Types that are one word.
const WORDS: [(&str, Type); 16] = [
    ("any", Type::Any),
    ("bool", Type::Bool),
    ("number", Type::Number),
    ("string", Type::String),
    ("duration", Type::Duration),
    ("bytes", Type::Bytes),
    ("bandwidth", Type::Bandwidth),
    ("power", Type::Power),
    ("energy", Type::Energy),
    ("percent", Type::Percent),
    ("range", Type::Range),
    ("hosts", Type::Hosts),
    ("date", Type::Date),
    ("version", Type::Version),
    ("pattern", Type::Pattern),
    ("taint", Type::Taint),
];

/// Blocks that may be values of a variable.
const BLOCKS: [&str; 12] = [
    "target",
    "tier",
    "fabric",
    "accelerator",
    "pool",
    "lot",
    "tenant",
    "class",
    "queue",
    "route",
    "step",
    "price_book",
];

/// Types that hold others.
const HOLDERS: [&str; 5] = ["list", "set", "map", "object", "optional"];

/// The type of a variable or an output.
#[derive(Clone, Debug)]
pub(crate) struct Constraint {
    /// What a value must be.
    pub ty: Type,
    /// What parts of it are where they are not given.
    pub defaults: Defaults,
}

impl Constraint {
    /// Takes whatever is given.
    pub(crate) fn any() -> Self {
        Self { ty: Type::Any, defaults: Defaults::Nothing }
    }
}

/// Reads a type; none when there is a fault.
pub(crate) fn constraint(expr: &tree::Expr, faults: &mut Vec<Diagnostic>) -> Option<Constraint> {
    let plain = |ty: Type| Some(Constraint { ty, defaults: Defaults::Nothing });
    match &expr.kind {
        tree::ExprKind::Parenthesis(inner) => constraint(inner, faults),
        tree::ExprKind::Name(name) => {
            let word: &str = &name.text;
            if let Some((_, ty)) = WORDS.iter().find(|(known, _)| *known == word) {
                return plain(ty.clone());
            }
            if word == "money" {
                return plain(Type::Money(Arc::new([])));
            }
            if BLOCKS.contains(&word) {
                return plain(Type::Block(Arc::new([Arc::from(word)])));
            }
            faults.push(no_type(word, expr.span));
            None
        }
        // `target.slurm`: a target of that kind.
        tree::ExprKind::Traversal(base, steps) => match (&base.kind, steps.as_slice()) {
            (tree::ExprKind::Name(root), [tree::Step::Attribute(kind)])
                if &*root.text == "target"
                    && crate::schema::schema().blocks.contains_key(&format!("target.{}", kind.text)) =>
            {
                plain(Type::Block(Arc::new([Arc::from(format!("target.{}", kind.text))])))
            }
            _ => {
                faults.push(no_type("this", expr.span));
                None
            }
        },
        tree::ExprKind::Call(call) => holder(call, expr.span, faults),
        // The quotes of old: `type = "string"`.
        tree::ExprKind::String(text) => {
            let known = WORDS.iter().any(|(word, _)| *word == &**text) || BLOCKS.contains(&&**text);
            let diagnostic = Diagnostic::error(codes::NO_TYPE, "a type stands without quotes")
                .at(expr.span, "text, not a type");
            faults.push(if known {
                diagnostic.with_fix(
                    format!("write `{text}`"),
                    Applicability::Safe,
                    vec![Edit { span: expr.span, text: text.to_string() }],
                )
            } else {
                diagnostic.with_help("write `type = string`")
            });
            None
        }
        _ => {
            faults.push(no_type("this", expr.span));
            None
        }
    }
}

fn no_type(word: &str, span: Span) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(codes::NO_TYPE, format!("`{word}` is no type")).at(span, "a type is wanted");
    let known = || WORDS.iter().map(|(word, _)| *word).chain(BLOCKS).chain(HOLDERS).chain(["money"]);
    match suggestion_help("type", word, known()) {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic.with_help(
            "types: `string`, `number`, `bool`, `list(T)`, `set(T)`, `map(T)`, `object({ NAME = T })`, units such as \
             `duration`, and kinds of blocks such as `pool`",
        ),
    }
}

fn holder(call: &tree::Call, span: Span, faults: &mut Vec<Diagnostic>) -> Option<Constraint> {
    let name: &str = &call.name.text;
    let [argument] = call.arguments.as_slice() else {
        let help = if name == "optional" {
            "`optional` stands in `object({ … })`: `object({ size = optional(number, 8) })`"
        } else {
            "write `list(T)`, `set(T)`, `map(T)` or `object({ NAME = T })`"
        };
        faults.push(
            Diagnostic::error(codes::NO_TYPE, format!("`{name}` is no type of this form"))
                .at(span, "a type is wanted")
                .with_help(help),
        );
        return None;
    };
    if name == "object" {
        return object(argument, faults);
    }
    let of: fn(Box<Type>) -> Type = match name {
        "list" => Type::List,
        "set" => Type::Set,
        "map" => Type::Map,
        _ => {
            faults.push(no_type(name, call.name.span));
            return None;
        }
    };
    let inside = constraint(argument, faults)?;
    let defaults = match inside.defaults {
        Defaults::Nothing => Defaults::Nothing,
        inside => Defaults::Each(Box::new(inside)),
    };
    Some(Constraint { ty: of(Box::new(inside.ty)), defaults })
}

fn object(argument: &tree::Expr, faults: &mut Vec<Diagnostic>) -> Option<Constraint> {
    let tree::ExprKind::Object(items) = &argument.kind else {
        faults.push(
            Diagnostic::error(codes::NO_TYPE, "`object` takes the types of its parts")
                .at(argument.span, "no object")
                .with_help("write `object({ NAME = T, OTHER = optional(T) })`"),
        );
        return None;
    };
    let (mut fields, mut defaults) = (Vec::new(), Vec::new());
    let mut whole = true;
    for item in items {
        let Some((field, default)) = part(item, faults) else {
            whole = false;
            continue;
        };
        defaults.push((field.name.clone(), default.0, default.1));
        fields.push(field);
    }
    whole.then(|| Constraint {
        ty: Type::Object(Arc::new(ObjectType { fields })),
        defaults: Defaults::Object(Arc::new(defaults)),
    })
}

/// A part of an object type: its field, its default, and the defaults of what is in it.
fn part(item: &tree::ObjectItem, faults: &mut Vec<Diagnostic>) -> Option<(Field, (Option<Value>, Defaults))> {
    let name = match &item.key {
        tree::ObjectKey::Name(name) => name.text.clone(),
        tree::ObjectKey::Expr(tree::Expr { kind: tree::ExprKind::String(text), .. }) => text.clone(),
        tree::ObjectKey::Expr(other) => {
            faults.push(
                Diagnostic::error(codes::NO_TYPE, "the name of a part is a word")
                    .at(other.span, "no name")
                    .with_help("write `object({ NAME = T })`"),
            );
            return None;
        }
    };
    let optional = match &item.value.kind {
        tree::ExprKind::Call(call) if &*call.name.text == "optional" => Some(call),
        _ => None,
    };
    let Some(call) = optional else {
        let inside = constraint(&item.value, faults)?;
        let field = Field { name, ty: inside.ty, required: true };
        return Some((field, (None, inside.defaults)));
    };
    let (ty, default) = match call.arguments.as_slice() {
        [ty] => (ty, None),
        [ty, default] => (ty, Some(default)),
        _ => {
            faults.push(
                Diagnostic::error(codes::NO_TYPE, "`optional` takes a type and a default")
                    .at(item.value.span, "neither `optional(T)` nor `optional(T, default)`")
                    .with_help("write `optional(number, 8)`"),
            );
            return None;
        }
    };
    let inside = constraint(ty, faults)?;
    let default = match default {
        Some(expr) => Some(constant(expr, &inside.ty, faults)?),
        // What is optional and not given is null, as in OpenTofu.
        None => Some(Value::Null),
    };
    Some((Field { name, ty: inside.ty, required: false }, (default, inside.defaults)))
}

/// A default inside of a type: it names nothing.
fn constant(expr: &tree::Expr, ty: &Type, faults: &mut Vec<Diagnostic>) -> Option<Value> {
    let fault = |message: String, label: &str| {
        Diagnostic::error(codes::NO_TYPE, message)
            .at(expr.span, label)
            .with_help("write a constant; what depends on others belongs in `locals`")
    };
    let value = match crate::resolve::constant(expr) {
        Some(value) => value,
        None => {
            faults.push(fault("a default inside of a type names nothing".to_owned(), "not a constant"));
            return None;
        }
    };
    if value.is_null() {
        return Some(Value::Null);
    }
    match convert(&value, ty) {
        Ok(value) => Some(value),
        Err(errors) => {
            faults.extend(errors.into_iter().map(|error| fault(error.message, "does not fit its type")));
            None
        }
    }
}
