//! Expressions with resolved names.

use std::sync::Arc;

use poolwright_diagnostics::Span;

use crate::{BlockRef, Value};

/// An expression and where it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A constant.
    Literal(Value),
    /// Text with holes.
    Template(Vec<TemplatePart>),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `{ a = 1 }`
    Object(Vec<ObjectItem>),
    /// A name that stands for a value.
    Symbol(Symbol),
    /// `a.b`, `a["b"]`, `a[*].c`
    Traversal(Box<Expr>, Vec<Step>),
    /// `f(a, b...)`: the name, where it stands, the arguments, whether the last is followed by `...`.
    Call(Arc<str>, Span, Vec<Expr>, bool),
    /// `!a`, `-a`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`: the operator, where it stands, left, right.
    Binary(BinaryOp, Span, Box<(Expr, Expr)>),
    /// `condition ? then : otherwise`
    Conditional(Box<(Expr, Expr, Expr)>),
    /// `[for …]`, `{for …}`
    For(Box<ForExpr>),
}

/// A name that stands for a value, resolved to what it means.
#[derive(Clone, Debug, PartialEq)]
pub enum Symbol {
    /// A block with a name of its own: `pool.aws-a100-spot`.
    Block(BlockRef),
    /// All instances of a block with `for_each` or `count`: `pool.gpu`. Kind and label.
    Instances(Arc<str>, Arc<str>),
    /// `local.NAME`
    Local(Arc<str>),
    /// `var.NAME`
    Variable(Arc<str>),
    /// `fleet`, `path`, `module.NAME`: asked of the host by this text.
    Root(Arc<str>),
    /// A name bound by the place: `each`, `count`, `self`, `plan`, `now`, or by a `for`.
    Scoped(Arc<str>),
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq)]
pub enum TemplatePart {
    /// Text.
    Literal(Arc<str>),
    /// `${…}`
    Interpolation(Expr),
    /// `%{ if … }`: condition, then, otherwise.
    If(Expr, Vec<TemplatePart>, Vec<TemplatePart>),
    /// `%{ for k, v in … }`: key, value, collection, body.
    For(Option<Arc<str>>, Arc<str>, Expr, Vec<TemplatePart>),
}

/// An entry of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectItem {
    /// The key; a bare word is a literal here.
    pub key: Expr,
    /// The value.
    pub value: Expr,
}

/// A step of a traversal, with its place.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// `.name`
    Attribute(Arc<str>, Span),
    /// `[expression]`
    Index(Expr),
    /// `.0`
    LegacyIndex(u64, Span),
    /// `.*`
    AttributeSplat(Span),
    /// `[*]`
    FullSplat(Span),
}

/// `!` and `-` before an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum UnaryOp {
    Not,
    Negate,
}

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// A `for` expression.
#[derive(Clone, Debug, PartialEq)]
pub struct ForExpr {
    /// The key's name, if there are two.
    pub key: Option<Arc<str>>,
    /// The value's name.
    pub value: Arc<str>,
    /// What is gone through.
    pub collection: Expr,
    /// For an object: the key of each result.
    pub key_result: Option<Expr>,
    /// Each result.
    pub result: Expr,
    /// `if …`
    pub condition: Option<Expr>,
    /// `...`: collect values of equal keys.
    pub grouping: bool,
}
