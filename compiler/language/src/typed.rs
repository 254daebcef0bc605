//! Expressions that are evaluated last (policies, tests, checks, outputs, conditions), checked before: a name that no
//! block has, a function that there is not, and a word or an amount that nothing can equal are errors of `validate`,
//! not of the run that meets them.
//!
//! Types are inferred where they are certain; whatever is not is [`Type::Any`], and nothing is said of it.

use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::{
    BinaryOp, BlockRef, Expr, ExprKind, Field, ForExpr, ObjectType, Step, Symbol, TemplatePart, Type, Value,
    check_call, convert,
};
use poolwright_model::program::Subject;

use crate::subject::{self, self_type};
use crate::values::no_such_part;

/// Everything that is certainly wrong in an expression. `subject`: what `self` is, if it is known.
pub(crate) fn check(expr: &Expr, subject: Option<Subject>) -> Vec<Diagnostic> {
    let mut checker = Checker { subject, bound: Vec::new(), faults: Vec::new() };
    checker.expr(expr);
    checker.faults
}

struct Checker {
    subject: Option<Subject>,
    /// Names that a `for` binds here, the innermost last.
    bound: Vec<(Arc<str>, Type)>,
    faults: Vec<Diagnostic>,
}

fn object<const N: usize>(fields: [(&str, Type); N]) -> Type {
    let field = |(name, ty): (&str, Type)| Field { name: Arc::from(name), ty, required: false };
    Type::Object(Arc::new(ObjectType { fields: fields.map(field).into() }))
}

fn block(kinds: &[&str]) -> Type {
    Type::Block(kinds.iter().map(|kind| Arc::from(*kind)).collect())
}

/// `fleet` (LANGUAGE §2).
fn fleet() -> Type {
    let map = |kind: &str| Type::Map(Box::new(block(&[kind])));
    object([
        ("name", Type::String),
        ("currency", Type::String),
        ("pools", map("pool")),
        ("queues", map("queue")),
        ("tenants", map("tenant")),
        ("routes", map("route")),
        ("classes", map("class")),
        ("targets", Type::Any),
    ])
}

/// What `decide` gives (LANGUAGE §5.6).
fn decision() -> Type {
    let pool = block(&["pool", "lot"]);
    object([
        ("open", Type::List(Box::new(pool.clone()))),
        ("admit", pool),
        ("reason", Type::Any),
        ("next", Type::Duration),
    ])
}

/// The type of a value, as far as it is made of blocks.
fn of_value(value: &Value) -> Type {
    let same = |items: Vec<&Value>| match items.split_first() {
        Some((first @ Value::Block(_), rest)) => {
            let ty = of_value(first);
            if rest.iter().all(|item| of_value(item) == ty) { ty } else { Type::Any }
        }
        _ => Type::Any,
    };
    match value {
        Value::Block(BlockRef { kind, .. }) => Type::Block([kind.clone()].into()),
        Value::Object(entries) => match same(entries.values().collect()) {
            Type::Any => Type::Any,
            element => Type::Map(Box::new(element)),
        },
        Value::List(items) => match same(items.iter().collect()) {
            Type::Any => Type::Any,
            element => Type::List(Box::new(element)),
        },
        _ => Type::Any,
    }
}

/// What going through a value gives, one after the other.
fn element(ty: &Type) -> Type {
    match ty {
        Type::List(inner) | Type::Set(inner) | Type::Map(inner) => (**inner).clone(),
        _ => Type::Any,
    }
}

fn list_of(element: Type) -> Type {
    if element == Type::Any { Type::Any } else { Type::List(Box::new(element)) }
}

impl Checker {
    fn expr(&mut self, expr: &Expr) -> Type {
        match &expr.kind {
            ExprKind::Literal(value) => of_value(value),
            ExprKind::Symbol(symbol) => self.symbol(symbol),
            ExprKind::Template(parts) => {
                self.template(parts);
                Type::String
            }
            ExprKind::List(items) => {
                let types: Vec<Type> = items.iter().map(|item| self.expr(item)).collect();
                match types.split_first() {
                    Some((first, rest)) if rest.iter().all(|ty| ty == first) => list_of(first.clone()),
                    _ => Type::Any,
                }
            }
            ExprKind::Object(items) => {
                for item in items {
                    self.expr(&item.key);
                    self.expr(&item.value);
                }
                Type::Any
            }
            ExprKind::Traversal(base, steps) => {
                let ty = self.expr(base);
                let shown = match &base.kind {
                    ExprKind::Symbol(Symbol::Scoped(name) | Symbol::Root(name)) => name.to_string(),
                    ExprKind::Symbol(Symbol::Block(block)) | ExprKind::Literal(Value::Block(block)) => {
                        block.address.to_string()
                    }
                    ExprKind::Call(name, ..) => format!("{name}(…)"),
                    _ => "it".to_owned(),
                };
                self.steps(shown, ty, steps)
            }
            ExprKind::Call(name, span, arguments, expand) => self.call(name, *span, arguments, *expand),
            ExprKind::Unary(_, operand) => {
                self.expr(operand);
                Type::Any
            }
            ExprKind::Binary(op, _, sides) => {
                let (left, right) = (self.expr(&sides.0), self.expr(&sides.1));
                use BinaryOp::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
                if matches!(op, Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual) {
                    self.compared(&left, &sides.1);
                    self.compared(&right, &sides.0);
                }
                Type::Any
            }
            ExprKind::Conditional(parts) => {
                self.expr(&parts.0);
                let (then, otherwise) = (self.expr(&parts.1), self.expr(&parts.2));
                if then == otherwise { then } else { Type::Any }
            }
            ExprKind::For(parts) => self.for_expr(parts),
        }
    }

    fn symbol(&self, symbol: &Symbol) -> Type {
        match symbol {
            Symbol::Scoped(name) => {
                if let Some((_, ty)) = self.bound.iter().rfind(|(bound, _)| bound == name) {
                    return ty.clone();
                }
                match (&**name, self.subject) {
                    ("self", Some(subject)) => self_type(subject).clone(),
                    ("plan", Some(_)) => self_type(Subject::Plan).clone(),
                    _ => Type::Any,
                }
            }
            Symbol::Root(root) if &**root == "fleet" => fleet(),
            Symbol::Block(block) => Type::Block([block.kind.clone()].into()),
            _ => Type::Any,
        }
    }

    fn call(&mut self, name: &str, span: Span, arguments: &[Expr], expand: bool) -> Type {
        let types: Vec<Type> = arguments.iter().map(|argument| self.expr(argument)).collect();
        if let Err(fault) = check_call(name, arguments.len(), expand, span, &["price", "decide"]) {
            self.faults.push(*fault);
        }
        let first = types.first().cloned().unwrap_or(Type::Any);
        match name {
            "values" | "tolist" | "toset" | "distinct" | "reverse" | "sort" => list_of(element(&first)),
            "one" | "element" => element(&first),
            "concat" if types.iter().all(|ty| *ty == first) => first,
            "decide" => decision(),
            _ => Type::Any,
        }
    }

    fn for_expr(&mut self, parts: &ForExpr) -> Type {
        let item = element(&self.expr(&parts.collection));
        let before = self.bound.len();
        self.bound.extend(parts.key.iter().map(|key| (key.clone(), Type::Any)));
        self.bound.push((parts.value.clone(), item));
        for part in [&parts.key_result, &parts.condition].into_iter().flatten() {
            self.expr(part);
        }
        let result = self.expr(&parts.result);
        self.bound.truncate(before);
        match (&parts.key_result, parts.grouping) {
            (None, _) => list_of(result),
            (Some(_), false) if result != Type::Any => Type::Map(Box::new(result)),
            _ => Type::Any,
        }
    }

    fn template(&mut self, parts: &[TemplatePart]) {
        for part in parts {
            match part {
                TemplatePart::Literal(_) => {}
                TemplatePart::Interpolation(expr) => {
                    self.expr(expr);
                }
                TemplatePart::If(condition, then, otherwise) => {
                    self.expr(condition);
                    self.template(then);
                    self.template(otherwise);
                }
                TemplatePart::For(key, value, collection, body) => {
                    let item = element(&self.expr(collection));
                    let before = self.bound.len();
                    self.bound.extend(key.iter().map(|key| (key.clone(), Type::Any)));
                    self.bound.push((value.clone(), item));
                    self.template(body);
                    self.bound.truncate(before);
                }
            }
        }
    }

    /// Follows steps from a value of a type.
    fn steps(&mut self, mut shown: String, mut ty: Type, steps: &[Step]) -> Type {
        for (at, step) in steps.iter().enumerate() {
            ty = match step {
                Step::Attribute(name, span) => {
                    let next = self.attribute(&shown, &ty, name, *span);
                    shown = format!("{shown}.{name}");
                    next
                }
                Step::Index(index) => {
                    self.expr(index);
                    element(&ty)
                }
                Step::LegacyIndex(..) => element(&ty),
                // What follows applies to each element.
                Step::FullSplat(_) | Step::AttributeSplat(_) => {
                    let rest = steps.get(at + 1..).unwrap_or_default();
                    let each = self.steps(format!("{shown}[*]"), element(&ty), rest);
                    return list_of(each);
                }
            };
        }
        ty
    }

    fn attribute(&mut self, shown: &str, ty: &Type, name: &str, span: Span) -> Type {
        match ty {
            Type::Object(object) => match object.field(name) {
                Some(field) => {
                    if let Some(fault) = self.subject.and_then(|it| subject::planned(shown, it, name, span)) {
                        self.faults.push(fault);
                    }
                    field.ty.clone()
                }
                None => {
                    let known = object.fields.iter().map(|field| &*field.name);
                    self.faults.push(no_such_part(shown, name, span, known));
                    Type::Any
                }
            },
            Type::Map(inner) => (**inner).clone(),
            // A reference leads to the attributes of that block; of one of several kinds, to those of each.
            Type::Block(kinds) => {
                let blocks: Vec<Type> = kinds.iter().filter_map(|kind| subject::block_type(kind)).collect();
                if blocks.len() < kinds.len() || kinds.is_empty() {
                    return Type::Any;
                }
                let fields = blocks.iter().filter_map(|ty| match ty {
                    Type::Object(object) => Some(&object.fields),
                    _ => None,
                });
                let fields: Vec<&Field> = fields.flatten().collect();
                match fields.iter().find(|field| &*field.name == name) {
                    Some(field) => field.ty.clone(),
                    None => {
                        let known = fields.iter().map(|field| &*field.name);
                        self.faults.push(no_such_part(shown, name, span, known));
                        Type::Any
                    }
                }
            }
            _ => Type::Any,
        }
    }

    /// A text beside a word or an amount: whether it can be one.
    fn compared(&mut self, ty: &Type, other: &Expr) {
        let ExprKind::Literal(value @ Value::String(_)) = &other.kind else { return };
        let any = Type::Money(Arc::from([]));
        let ty = match ty {
            Type::Enum(_) | Type::Duration | Type::Bytes | Type::Bandwidth | Type::Percent | Type::Date => ty,
            Type::Money(_) => &any,
            _ => return,
        };
        for fault in convert(value, ty).err().into_iter().flatten() {
            let diagnostic =
                Diagnostic::error(fault.code, fault.message).at(other.span, "cannot be compared with it");
            self.faults.push(match fault.help {
                Some(help) => diagnostic.with_help(help),
                None => diagnostic,
            });
        }
    }
}
