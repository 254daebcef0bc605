//! The tree of a file: ours, with a span on every node. Names are text; what they mean is decided later.

use std::sync::Arc;

use poolwright_diagnostics::{FileId, Span};

/// A name as written, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The text.
    pub text: Arc<str>,
    /// Where.
    pub span: Span,
}

/// A parsed file. Broken items are missing from it; their diagnostics say so.
#[derive(Clone, Debug)]
pub struct File {
    /// Which file.
    pub id: FileId,
    /// What stands in it.
    pub body: Body,
}

/// Attributes and blocks in the order of the source.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// In the order of the source.
    pub items: Vec<Item>,
    /// Everything between the braces, or the whole file.
    pub span: Span,
    /// Something here could not be read and is missing from `items`; it has been reported. What is absent may be
    /// there after all, so nobody should complain that it is absent.
    pub incomplete: bool,
}

impl Body {
    /// The attributes, in order.
    pub fn attributes(&self) -> impl Iterator<Item = &Attribute> {
        self.items.iter().filter_map(|item| match item {
            Item::Attribute(attribute) => Some(attribute),
            Item::Block(_) => None,
        })
    }

    /// The blocks, in order.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.items.iter().filter_map(|item| match item {
            Item::Block(block) => Some(&**block),
            Item::Attribute(_) => None,
        })
    }
}

/// One thing in a body. Most are attributes, so that a block is kept apart from the list.
#[derive(Clone, Debug)]
pub enum Item {
    /// `name = value`
    Attribute(Attribute),
    /// `kind "label" { … }`
    Block(Box<Block>),
}

/// `name = value`
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The name.
    pub name: Ident,
    /// The value.
    pub value: Expr,
    /// Name, `=` and value.
    pub span: Span,
}

/// `kind "label" { … }`
#[derive(Clone, Debug)]
pub struct Block {
    /// The kind: `pool`, `lot`, `target`.
    pub kind: Ident,
    /// The labels without their quotes; the spans are with them.
    pub labels: Vec<Ident>,
    /// What stands between the braces.
    pub body: Body,
    /// Kind and labels.
    pub header: Span,
    /// All of it, to the closing brace.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// The digits as written: `1`, `0.25`, `1e6`. Never a float.
    Number(Arc<str>),
    /// A quoted string or heredoc without interpolation, its escapes resolved.
    String(Arc<str>),
    /// A quoted string or heredoc with interpolation or directives.
    Template(Vec<TemplatePart>),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `{ a = 1, "b" = 2, (c) = 3 }`
    Object(Vec<ObjectItem>),
    /// A bare name: `pool`, `self`, `x`.
    Name(Ident),
    /// `a.b`, `a["b"]`, `a[*].c`
    Traversal(Box<Expr>, Vec<Step>),
    /// `f(a, b...)`
    Call(Box<Call>),
    /// `!a`, `-a`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`
    Binary(Box<Binary>),
    /// `a ? b : c`
    Conditional(Box<Conditional>),
    /// `[for …]`, `{for …}`
    For(Box<For>),
    /// `(a)`
    Parenthesis(Box<Expr>),
}

/// A part of a template.
#[derive(Clone, Debug)]
pub enum TemplatePart {
    /// Text, escapes resolved, strip markers and heredoc indentation already applied.
    Literal(Arc<str>),
    /// `${…}`
    Interpolation(Expr),
    /// `%{ if … } … %{ else } … %{ endif }`
    If {
        /// The condition.
        condition: Expr,
        /// When it is true.
        then: Vec<TemplatePart>,
        /// When it is false.
        otherwise: Vec<TemplatePart>,
        /// From the first `%{` to the last `}`.
        span: Span,
    },
    /// `%{ for k, v in … } … %{ endfor }`
    For {
        /// The key's name, if there are two.
        key: Option<Ident>,
        /// The value's name.
        value: Ident,
        /// What is gone through.
        collection: Expr,
        /// For each.
        body: Vec<TemplatePart>,
        /// From the first `%{` to the last `}`.
        span: Span,
    },
}

/// One entry of an object.
#[derive(Clone, Debug)]
pub struct ObjectItem {
    /// The key.
    pub key: ObjectKey,
    /// The value.
    pub value: Expr,
}

/// A key of an object.
#[derive(Clone, Debug)]
pub enum ObjectKey {
    /// A bare word, which is its own text: `a = 1`.
    Name(Ident),
    /// Anything else: `"a" = 1`, `(x) = 1`, `"${x}" = 1`.
    Expr(Expr),
}

/// A step of a traversal.
#[derive(Clone, Debug)]
pub enum Step {
    /// `.name`
    Attribute(Ident),
    /// `[expression]`
    Index(Expr),
    /// `.0`
    LegacyIndex(u64, Span),
    /// `.*`: what follows applies to each element, up to the next index.
    AttributeSplat(Span),
    /// `[*]`: what follows applies to each element.
    FullSplat(Span),
}

impl Step {
    /// Where it stands.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Attribute(name) => name.span,
            Self::Index(index) => index.span,
            Self::LegacyIndex(_, span) | Self::AttributeSplat(span) | Self::FullSplat(span) => *span,
        }
    }
}

/// `f(a, b...)`
#[derive(Clone, Debug)]
pub struct Call {
    /// The function's name, with its namespaces (`a::b`).
    pub name: Ident,
    /// The arguments.
    pub arguments: Vec<Expr>,
    /// Whether the last argument is followed by `...`.
    pub expand_last: bool,
}

/// `!` and `-` before an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
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

/// `a + b`
#[derive(Clone, Debug)]
pub struct Binary {
    /// The operator.
    pub op: BinaryOp,
    /// Where the operator stands.
    pub op_span: Span,
    /// Left of it.
    pub left: Expr,
    /// Right of it.
    pub right: Expr,
}

/// `a ? b : c`
#[derive(Clone, Debug)]
pub struct Conditional {
    /// Before `?`.
    pub condition: Expr,
    /// After `?`.
    pub then: Expr,
    /// After `:`.
    pub otherwise: Expr,
}

/// `[for v in c : x if y]`, `{for k, v in c : a => b...}`
#[derive(Clone, Debug)]
pub struct For {
    /// The key's name, if there are two.
    pub key: Option<Ident>,
    /// The value's name.
    pub value: Ident,
    /// What is gone through.
    pub collection: Expr,
    /// For an object: the key of each result.
    pub key_result: Option<Expr>,
    /// Each result.
    pub result: Expr,
    /// `if …`
    pub condition: Option<Expr>,
    /// `...` after the result of an object: collect values of equal keys.
    pub grouping: bool,
}
