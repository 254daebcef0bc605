//! The evaluator.

use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span};

use crate::{BlockRef, Expr, Symbol, Value};

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
}

/// Names bound by the place: `self`, `each`, variables of a `for`. Inner names hide outer ones.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    names: Vec<(Arc<str>, Value)>,
}

/// The value of an expression.
///
/// # Errors
/// The first fault met, in the order of evaluation.
pub fn evaluate(expr: &Expr, scope: &Scope, host: &dyn Host) -> Result<Value, Box<Diagnostic>> {
    let _ = (expr, scope, host);
    Ok(Value::Null)
}

impl Scope {
    /// This scope with one name more.
    #[must_use]
    pub fn with(&self, name: impl Into<Arc<str>>, value: Value) -> Self {
        let mut names = self.names.clone();
        names.push((name.into(), value));
        Self { names }
    }

    /// The innermost value of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.names.iter().rev().find(|(bound, _)| &**bound == name).map(|(_, value)| value)
    }
}
