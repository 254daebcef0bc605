//! From a value to the type that a schema asks for.

mod one_of;
mod quantity;
mod scalar;
mod structure;

use std::fmt::Write;
use std::sync::Arc;

use poolwright_diagnostics::Code;

use crate::quantity::UnitError;
use crate::{Type, Value, codes};

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

impl ConvertFault {
    /// The path as text: `[0].gpus`; empty for the value itself.
    #[must_use]
    pub fn path_text(&self) -> String {
        let mut text = String::new();
        for step in &self.path {
            let written = match step {
                PathStep::Index(index) => write!(text, "[{index}]"),
                PathStep::Key(key) | PathStep::KeyName(key) if text.is_empty() => write!(text, "{key}"),
                PathStep::Key(key) | PathStep::KeyName(key) => write!(text, ".{key}"),
            };
            // Writing to a text does not fail.
            let _ = written;
        }
        text
    }
}

/// Brings a value to a type: text becomes a quantity, a number becomes text where text is wanted, and so on.
///
/// `null` passes, except as an element and where an object requires a field. What is not known yet passes with the
/// wanted type. A sensitive value stays sensitive, and no message shows it.
///
/// # Errors
/// Every place that does not fit, not only the first.
pub fn convert(value: &Value, ty: &Type) -> Result<Value, Vec<ConvertFault>> {
    let mut converter = Converter::default();
    match converter.convert(value, ty) {
        Some(value) if converter.faults.is_empty() => Ok(value),
        _ => Err(converter.faults),
    }
}

/// The way so far and the faults on it. A method that gives `None` has reported why.
#[derive(Default)]
struct Converter {
    path: Vec<PathStep>,
    faults: Vec<ConvertFault>,
}

impl Converter {
    fn convert(&mut self, value: &Value, ty: &Type) -> Option<Value> {
        match value {
            Value::Null => return Some(Value::Null),
            Value::Unknown(_) => return Some(Value::Unknown(ty.clone())),
            Value::Sensitive(inner) => return self.sensitive(inner, ty),
            _ => {}
        }
        match ty {
            Type::Any => Some(value.clone()),
            Type::List(_) | Type::Set(_) | Type::Map(_) | Type::Object(_) => self.structure(value, ty),
            Type::OneOf(types) => self.one_of(value, types, ty),
            Type::Bool
            | Type::Number
            | Type::Integer { .. }
            | Type::String
            | Type::Name
            | Type::Path
            | Type::Enum(_)
            | Type::Block(_) => self.scalar(value, ty),
            _ => self.quantity(value, ty),
        }
    }

    /// The inner value; a fault says that it does not fit and hides what it is.
    fn sensitive(&mut self, inner: &Value, ty: &Type) -> Option<Value> {
        let before = self.faults.len();
        let converted = self.convert(inner, ty);
        // One fault for all: paths into the value would show its keys.
        if let Some(first) = self.faults.get(before).map(|fault| fault.code) {
            self.faults.truncate(before);
            return self.fault(
                first,
                format!("a sensitive value does not fit: {} is wanted", ty.describe()),
                None,
            );
        }
        converted.map(Value::sensitive)
    }

    fn at(&mut self, step: PathStep, value: &Value, ty: &Type) -> Option<Value> {
        self.path.push(step);
        let converted = if value.is_null() && !matches!(ty, Type::Any) {
            self.fault(codes::NULL_VALUE, format!("{} is wanted here, not null", ty.describe()), None)
        } else {
            self.convert(value, ty)
        };
        self.path.pop();
        converted
    }

    fn fault(&mut self, code: Code, message: String, help: Option<String>) -> Option<Value> {
        self.faults.push(ConvertFault { path: self.path.clone(), code, message, help });
        None
    }

    fn unit(&mut self, error: UnitError) -> Option<Value> {
        self.fault(error.code, error.message, error.help)
    }

    /// The value is of the wrong kind altogether.
    fn wrong(&mut self, value: &Value, ty: &Type, help: Option<String>) -> Option<Value> {
        self.fault(codes::WRONG_TYPE, wrong_type(value, ty), help)
    }
}

/// `a duration such as "15m" is wanted, not a number: 15`
fn wrong_type(value: &Value, ty: &Type) -> String {
    let shown = match value {
        Value::List(_) | Value::Set(_) | Value::Object(_) => String::new(),
        other => format!(": {other}"),
    };
    let wanted = match ty {
        Type::List(element) => format!("a list (each element {})", element.describe()),
        Type::Set(element) => format!("a set (each element {})", element.describe()),
        Type::Map(element) => format!("a map (each value {})", element.describe()),
        other => other.describe(),
    };
    format!("{wanted} is wanted, not {}{shown}", value.type_name())
}
