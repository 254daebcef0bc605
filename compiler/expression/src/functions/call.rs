//! A call: its arguments by the type that is wanted, and the words for those that do not fit.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

use unicode_segmentation::UnicodeSegmentation;

use crate::evaluate::{Limits, MAX_ELEMENTS, MAX_TEXT, to_number, to_text};
use crate::quantity::Quantity;
use crate::{Fault, Host, Number, Value, codes};

/// A call with its arguments, free of marks unless the function reads them.
pub(crate) struct Call<'a> {
    pub(crate) name: &'static str,
    pub(crate) arguments: &'a [Value],
    pub(crate) host: &'a dyn Host,
    pub(crate) limits: &'a Limits,
}

static NULL: Value = Value::Null;

impl Call<'_> {
    /// The argument; null if it was left out.
    pub(super) fn argument(&self, index: usize) -> &Value {
        self.arguments.get(index).unwrap_or(&NULL)
    }

    pub(super) fn fault(&self, index: usize, message: impl Display) -> Fault {
        Fault::new(codes::BAD_ARGUMENT, format!("`{}`: {message}", self.name)).argument(index)
    }

    pub(super) fn wanted(&self, index: usize, wanted: &str) -> Fault {
        let value = self.argument(index);
        match value {
            Value::Null => self.fault(index, format_args!("{wanted} is wanted and the value is null")),
            other => {
                let (kind, shown) = (other.type_name(), shown(other));
                self.fault(index, format_args!("{wanted} is wanted, not {kind}: {shown}"))
            }
        }
    }

    pub(super) fn list(&self, index: usize) -> Result<&[Value], Fault> {
        self.argument(index).elements().ok_or_else(|| {
            let fault = self.wanted(index, "a list");
            match self.argument(index) {
                Value::Object(_) => {
                    fault.help("`values(map)` is the list of its values, `keys(map)` of its keys")
                }
                Value::Quantity(Quantity::Hosts(_)) => fault.help("`expand_hosts(x)` is the list"),
                _ => fault,
            }
        })
    }

    /// The texts of a list.
    pub(super) fn texts(&self, index: usize) -> Result<Vec<Arc<str>>, Fault> {
        let texts = self.list(index)?.iter();
        texts.map(|item| to_text(item).map_err(|_| self.wanted(index, "a list of texts"))).collect()
    }

    pub(super) fn object(&self, index: usize) -> Result<&BTreeMap<Arc<str>, Value>, Fault> {
        match self.argument(index) {
            Value::Object(entries) => Ok(entries),
            _ => Err(self.wanted(index, "a map or object")),
        }
    }

    pub(super) fn text(&self, index: usize) -> Result<Arc<str>, Fault> {
        to_text(self.argument(index)).map_err(|_| self.wanted(index, "text"))
    }

    pub(super) fn number(&self, index: usize) -> Result<Number, Fault> {
        to_number(self.argument(index)).map_err(|_| self.wanted(index, "a number"))
    }

    pub(super) fn whole(&self, index: usize) -> Result<i64, Fault> {
        let number = self.number(index)?;
        number.to_i64().ok_or_else(|| self.wanted(index, "a whole number"))
    }

    /// A whole number that is not negative.
    pub(super) fn size(&self, index: usize) -> Result<usize, Fault> {
        let number = self.whole(index)?;
        usize::try_from(number).map_err(|_| self.wanted(index, "a whole number that is not negative"))
    }

    /// Whether two elements are equal; what cannot be compared is not.
    pub(super) fn same(&self, a: &Value, b: &Value) -> Option<bool> {
        crate::evaluate::equal(a, b, self.host).unwrap_or(Some(false))
    }

    /// Refuses a text that would be too long, before it is made.
    pub(super) fn room_for_text(&self, bytes: usize) -> Result<(), Fault> {
        if bytes <= MAX_TEXT {
            return Ok(());
        }
        let message = format!("`{}` would give more than {} MiB of text", self.name, MAX_TEXT >> 20);
        Err(Fault::new(codes::TOO_LARGE, message))
    }

    /// Refuses a collection that would have too many elements, before it is made.
    pub(super) fn room_for(&self, elements: usize) -> Result<(), Fault> {
        if elements <= MAX_ELEMENTS {
            return Ok(());
        }
        let message = format!("`{}` would give more than {MAX_ELEMENTS} elements", self.name);
        Err(Fault::new(codes::TOO_LARGE, message))
    }

    /// Takes steps of the evaluation for work that the size of the result does not tell.
    pub(super) fn work(&self, steps: usize) -> Result<(), Fault> {
        self.limits.charge(steps as u64)
    }
}

/// The most characters of a value that a message shows.
const MAX_SHOWN: usize = 200;

/// A value in a message, cut short if it is long.
pub(super) fn shown(value: &Value) -> String {
    let whole = value.to_string();
    match whole.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", whole.get(..end).unwrap_or("")),
        None => whole,
    }
}

/// A text as a result.
pub(super) fn text(result: impl AsRef<str>) -> Result<Value, Fault> {
    Ok(Value::string(result.as_ref()))
}

/// The characters as people count them: grapheme clusters, `\r\n` being one.
pub(super) fn characters(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.graphemes(true)
}

/// Types of results, for the tables.
pub(super) mod returns {
    use crate::Type;

    pub(in super::super) fn any() -> Type {
        Type::Any
    }

    pub(in super::super) fn bool() -> Type {
        Type::Bool
    }

    pub(in super::super) fn number() -> Type {
        Type::Number
    }

    pub(in super::super) fn text() -> Type {
        Type::String
    }

    pub(in super::super) fn list() -> Type {
        Type::List(Box::new(Type::Any))
    }

    pub(in super::super) fn texts() -> Type {
        Type::List(Box::new(Type::String))
    }

    pub(in super::super) fn set() -> Type {
        Type::Set(Box::new(Type::Any))
    }

    pub(in super::super) fn map() -> Type {
        Type::Map(Box::new(Type::Any))
    }
}
