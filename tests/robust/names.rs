//! The names in a file, by what they name: where a typo can be made.

use std::collections::BTreeSet;

use poolwright_diagnostics::{FileId, Span};
use poolwright_expression::Type;
use poolwright_language::schema::{BlockSchema, schema};
use poolwright_syntax::tree::{Block, Body, Expr, ExprKind, ObjectKey, Step, TemplatePart};

/// What a name is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Sort {
    Attribute,
    Key,
    Block,
    /// A label or local that others refer to: the typo shows where they do.
    Declaration,
    /// The first name of a reference, a variable of a `for`, a type.
    Root,
    /// A name after a dot.
    Part,
    Function,
    /// A text that is one of few words.
    Word,
    /// The unit in a text.
    Unit,
    /// A text that names something: an instance type, a zone, a level.
    Text,
}

impl Sort {
    /// As the documentation calls it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Attribute => "attribute",
            Self::Key => "key of a closed object",
            Self::Block => "kind of block",
            Self::Declaration => "label, variable, local, where it is referred to",
            Self::Root => "first name of a reference, type",
            Self::Part => "name after a dot",
            Self::Function => "function",
            Self::Word => "text that is one of few words",
            Self::Unit => "unit",
            Self::Text => "instance type, zone, level in a text",
        }
    }
}

/// A name with its place.
pub(crate) struct Name {
    pub(crate) sort: Sort,
    /// What it stands in or after: the same name in the same context is tried once.
    pub(crate) context: String,
    pub(crate) span: Span,
}

/// Texts that name something that the fleet or the catalogue declares.
const NAMING: [&str; 4] = ["instance_types", "zones", "topology.require", "topology.prefer"];

struct Finder<'t> {
    text: &'t str,
    names: Vec<Name>,
}

/// Every name of a file.
pub(crate) fn names(text: &str) -> Vec<Name> {
    let (file, _) = poolwright_syntax::parse(FileId(0), text);
    let mut finder = Finder { text, names: Vec::new() };
    finder.body(&file.body, None);
    let mut seen = BTreeSet::new();
    finder.names.retain(|name| seen.insert((name.span.start, name.span.end)));
    finder.names
}

impl Finder<'_> {
    fn add(&mut self, sort: Sort, context: impl Into<String>, span: Span) {
        self.names.push(Name { sort, context: context.into(), span });
    }

    fn of(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// What stands between the quotes of a text.
    fn inside(&self, span: Span) -> Option<Span> {
        let text = self.of(span);
        let plain = text.len() > 2 && text.starts_with('"') && text.ends_with('"') && !text.contains('\\');
        plain.then(|| Span::new(span.file, span.start + 1, span.end - 1))
    }

    fn body(&mut self, body: &Body, kind: Option<&BlockSchema>) {
        for attribute in body.attributes() {
            let name: &str = &attribute.name.text;
            let shown = kind.map_or("", |kind| kind.kind.as_str());
            let sort = if shown == "locals" { Sort::Declaration } else { Sort::Attribute };
            self.add(sort, shown, attribute.name.span);
            let ty = kind.and_then(|kind| kind.attributes.get(name)).map(|it| it.ty.clone());
            self.expr(&attribute.value, ty.as_ref().unwrap_or(&Type::Any), name);
        }
        for block in body.blocks() {
            self.block(block, kind);
        }
    }

    fn block(&mut self, block: &Block, parent: Option<&BlockSchema>) {
        let own: &str = &block.kind.text;
        self.add(Sort::Block, parent.map_or("", |it| it.kind.as_str()), block.kind.span);
        let kind = match (own, parent) {
            ("target", None) => format!("target.{}", block.labels[0].text),
            (_, Some(parent)) if parent.kind == own => own.to_owned(),
            (_, Some(parent)) => format!("{}.{own}", parent.kind.split('.').next().unwrap_or("")),
            (_, None) => own.to_owned(),
        };
        for (index, label) in block.labels.iter().enumerate() {
            let Some(span) = self.inside(label.span) else { continue };
            match (own, index) {
                ("target", 0) => self.add(Sort::Word, "target", span),
                // Free texts.
                ("check" | "test" | "partition" | "exempt", _) => {}
                _ => self.add(Sort::Declaration, format!("label of {kind}"), span),
            }
        }
        let blocks = &schema().blocks;
        let found = blocks.get(&kind).or_else(|| blocks.get(own));
        self.body(&block.body, found);
    }

    fn expr(&mut self, expr: &Expr, ty: &Type, place: &str) {
        match &expr.kind {
            ExprKind::Null | ExprKind::Bool(_) | ExprKind::Number(_) => {}
            ExprKind::String(text) => self.string(text, expr.span, ty, place),
            ExprKind::Template(parts) => parts.iter().for_each(|part| self.part(part)),
            ExprKind::List(items) => {
                let element = element(ty);
                items.iter().for_each(|item| self.expr(item, &element, place));
            }
            ExprKind::Object(items) => {
                for item in items {
                    let (key, span) = match &item.key {
                        ObjectKey::Name(name) => (name.text.to_string(), Some(name.span)),
                        ObjectKey::Expr(key) => match &key.kind {
                            ExprKind::String(text) => (text.to_string(), self.inside(key.span)),
                            _ => {
                                self.expr(key, &Type::Any, place);
                                (String::new(), None)
                            }
                        },
                    };
                    let (inner, closed) = field(ty, &key);
                    if let (true, Some(span)) = (closed, span) {
                        self.add(Sort::Key, place, span);
                    }
                    let place = if closed { format!("{place}.{key}") } else { String::new() };
                    self.expr(&item.value, &inner, &place);
                }
            }
            ExprKind::Name(name) => self.add(Sort::Root, "", name.span),
            ExprKind::Traversal(base, steps) => {
                let mut before = self.of(base.span).to_owned();
                self.expr(base, &Type::Any, place);
                for step in steps {
                    match step {
                        Step::Attribute(name) => {
                            self.add(Sort::Part, before, name.span);
                            before = name.text.to_string();
                        }
                        Step::Index(index) => {
                            // A key of a map that is somewhere in the fleet.
                            self.expr(index, &Type::Any, place);
                        }
                        _ => {}
                    }
                }
            }
            ExprKind::Call(call) => {
                self.add(Sort::Function, "", call.name.span);
                call.arguments.iter().for_each(|it| self.expr(it, &Type::Any, place));
            }
            ExprKind::Unary(_, inner) => self.expr(inner, &Type::Any, place),
            ExprKind::Parenthesis(inner) => self.expr(inner, ty, place),
            ExprKind::Binary(sides) => {
                self.expr(&sides.left, &Type::Any, place);
                self.expr(&sides.right, &Type::Any, place);
            }
            ExprKind::Conditional(parts) => {
                self.expr(&parts.condition, &Type::Any, place);
                self.expr(&parts.then, ty, place);
                self.expr(&parts.otherwise, ty, place);
            }
            ExprKind::For(it) => {
                self.expr(&it.collection, &Type::Any, place);
                it.key_result.iter().chain(&it.condition).for_each(|it| self.expr(it, &Type::Any, place));
                self.expr(&it.result, &element(ty), place);
            }
        }
    }

    fn part(&mut self, part: &TemplatePart) {
        match part {
            TemplatePart::Literal(_) => {}
            TemplatePart::Interpolation(expr) => self.expr(expr, &Type::Any, ""),
            TemplatePart::If { condition, then, otherwise, .. } => {
                self.expr(condition, &Type::Any, "");
                then.iter().chain(otherwise).for_each(|it| self.part(it));
            }
            TemplatePart::For { collection, body, .. } => {
                self.expr(collection, &Type::Any, "");
                body.iter().for_each(|it| self.part(it));
            }
        }
    }

    fn string(&mut self, text: &str, span: Span, ty: &Type, place: &str) {
        let Some(inside) = self.inside(span) else { return };
        if is_words(ty, text) {
            self.add(Sort::Word, place, inside);
        } else if let Some((start, end)) = unit(ty, text) {
            let at = |offset: usize| inside.start + u32::try_from(offset).unwrap();
            self.add(Sort::Unit, "", Span::new(span.file, at(start), at(end)));
        } else if NAMING.contains(&place) {
            self.add(Sort::Text, place, inside);
        }
    }
}

fn element(ty: &Type) -> Type {
    match ty {
        Type::List(inner) | Type::Set(inner) => (**inner).clone(),
        Type::OneOf(types) => types.iter().map(element).find(|it| *it != Type::Any).unwrap_or(Type::Any),
        _ => Type::Any,
    }
}

/// The type of a key, and whether others are refused.
fn field(ty: &Type, key: &str) -> (Type, bool) {
    match ty {
        Type::Object(object) => (object.field(key).map_or(Type::Any, |it| it.ty.clone()), true),
        Type::Map(inner) => ((**inner).clone(), false),
        Type::OneOf(types) => {
            types.iter().map(|it| field(it, key)).find(|it| it.1).unwrap_or((Type::Any, false))
        }
        _ => (Type::Any, false),
    }
}

fn is_words(ty: &Type, text: &str) -> bool {
    match ty {
        Type::Enum(words) => words.iter().any(|word| &**word == text),
        Type::OneOf(types) => types.iter().any(|it| is_words(it, text)),
        _ => false,
    }
}

/// The first unit in a text of an amount.
fn unit(ty: &Type, text: &str) -> Option<(usize, usize)> {
    let amount = match ty {
        Type::Duration | Type::Bytes | Type::Bandwidth | Type::Power | Type::Energy | Type::Money(_) => true,
        Type::OneOf(types) => return types.iter().find_map(|it| unit(it, text)),
        _ => false,
    };
    let start = text.find(|c: char| c.is_ascii_alphabetic()).filter(|_| amount)?;
    let length = text[start..].find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len() - start);
    Some((start, start + length))
}
