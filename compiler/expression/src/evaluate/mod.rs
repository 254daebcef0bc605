//! The evaluator.
//!
//! Operators and functions are pure and report a [`Fault`]; the evaluator walks the tree, keeps marks and unknowns
//! and gives every fault its place.

mod arithmetic;
mod call;
mod coerce;
mod comprehension;
mod conditional;
mod equality;
mod fault;
mod limits;
mod met;
mod operators;
mod references;
mod scope;
mod template;
mod template_value;
mod traverse;

use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span};

use crate::quantity::Currency;
use crate::{BinaryOp, BlockRef, Expr, ExprKind, Number, Symbol, UnaryOp, Value};

pub(crate) use arithmetic::{arithmetic, order, scale};
pub use call::check_call;
#[cfg(test)]
pub(crate) use call::invoke;
pub(crate) use coerce::{to_bool, to_number, to_text};
pub(crate) use equality::equal;
pub use fault::Fault;
pub(crate) use fault::Outcome;
pub(crate) use limits::{Limits, MAX_ELEMENTS, MAX_TEXT, check_size};
pub use references::{expression_text, reference_values};
pub use scope::Scope;
pub use template_value::{Template, TemplateFault};

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileFault {
    /// There is none.
    Missing,
    /// Something else, in a few words: `it is a folder`.
    Other(String),
}

/// What the caller must supply: the values of names and the functions that need the fleet.
pub trait Host {
    /// The value of a symbol other than a block and what [`Scope`] binds.
    ///
    /// # Errors
    /// A diagnostic when there is no such value, or when its own evaluation failed.
    fn symbol(&self, symbol: &Symbol, span: Span) -> Result<Value, Box<Diagnostic>>;

    /// The attribute of a block, declared or computed.
    ///
    /// # Errors
    /// A diagnostic when the block has no such attribute, or when its evaluation failed.
    fn attribute(&self, block: &BlockRef, name: &str, span: Span) -> Result<Value, Box<Diagnostic>>;

    /// A function that is not among [`crate::functions`]: `price`, `decide`. `None`: there is none of this name.
    fn call(&self, name: &str, arguments: &[Value], span: Span) -> Option<Result<Value, Box<Diagnostic>>>;

    /// How much of `to` one unit of `from` is, if a price book says it.
    fn exchange_rate(&self, from: Currency, to: Currency) -> Option<Number> {
        let _ = (from, to);
        None
    }

    /// The bytes of a file, by its path below the fleet's folder, `/` between its parts. `None`: files cannot be read
    /// here.
    fn read_file(&self, path: &str) -> Option<Result<Vec<u8>, FileFault>> {
        let _ = path;
        None
    }

    /// The paths of all files below a folder of the fleet's folder (empty: that folder itself), each relative to it.
    /// `None`: files cannot be read here.
    fn list_files(&self, folder: &str) -> Option<Result<Vec<String>, FileFault>> {
        let _ = folder;
        None
    }

    /// A template that is a value and no part of a file of the language, with its names resolved: it may use `names`
    /// (as [`Symbol::Scoped`]) and functions. `None`: templates cannot be read here.
    fn template(&self, text: &str, names: &[Arc<str>]) -> Option<Result<Template, TemplateFault>> {
        let _ = (text, names);
        None
    }

    /// The names of the functions that [`Host::call`] knows, for suggestions.
    fn function_names(&self) -> &[&str] {
        &["price", "decide"]
    }
}

/// The value of an expression.
///
/// # Errors
/// The first fault met, in the order of evaluation.
pub fn evaluate(expr: &Expr, scope: &Scope, host: &dyn Host) -> Result<Value, Box<Diagnostic>> {
    Evaluator::new(host).eval(expr, scope)
}

/// One evaluation: the host and what it has used up.
pub(crate) struct Evaluator<'a> {
    pub(crate) host: &'a dyn Host,
    limits: Limits,
    met: met::Met,
}

impl<'a> Evaluator<'a> {
    fn new(host: &'a dyn Host) -> Self {
        Self { host, limits: Limits::default(), met: met::Met::default() }
    }
}

impl Evaluator<'_> {
    pub(crate) fn eval(&self, expr: &Expr, scope: &Scope) -> Outcome {
        let _level = self.limits.enter(expr.span)?;
        self.limits.take(expr.span)?;
        let value = match &expr.kind {
            ExprKind::Literal(value) => Ok(literal(value)),
            ExprKind::Template(parts) => self.template(parts, scope),
            ExprKind::List(items) => self.list(items, scope),
            ExprKind::Object(items) => self.object(items, scope),
            ExprKind::Symbol(symbol) => self.symbol(symbol, expr.span, scope),
            ExprKind::Traversal(base, steps) => self.traversal(base, steps, scope),
            ExprKind::Call(name, span, arguments, expand) => {
                self.call(name, *span, arguments, *expand, expr.span, scope)
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand, scope),
            ExprKind::Binary(..) => self.binary(expr, scope),
            ExprKind::Conditional(parts) => self.conditional(parts, expr.span, scope),
            ExprKind::For(parts) => self.comprehension(parts, expr.span, scope),
        }?;
        self.met.note(&value);
        Ok(value)
    }

    fn symbol(&self, symbol: &Symbol, span: Span, scope: &Scope) -> Outcome {
        match symbol {
            Symbol::Block(block) => Ok(Value::Block(block.clone())),
            Symbol::Scoped(name) => match scope.get(name) {
                Some(value) => Ok(value.clone()),
                None => self.host.symbol(symbol, span),
            },
            other => self.host.symbol(other, span),
        }
    }

    fn list(&self, items: &[Expr], scope: &Scope) -> Outcome {
        let items: Outcome<Vec<Value>> = items.iter().map(|item| self.eval(item, scope)).collect();
        Ok(Value::List(Arc::new(items?)))
    }
}

/// A constant; text that the tree holds in another normal form is brought to form C.
fn literal(value: &Value) -> Value {
    match value {
        Value::String(text) if !text.is_ascii() => Value::string(text),
        other => other.clone(),
    }
}
