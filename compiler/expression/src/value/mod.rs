//! What an expression evaluates to.

mod de;
mod display;
mod json;
mod order;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::quantity::{CountUnit, Quantity};
use crate::{Field, Number, ObjectType, Type};

pub use de::ValueError;
pub use json::to_json;

/// A value. Cheap to clone; maps iterate in key order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `null`: absent.
    Null,
    /// `true`, `false`
    Bool(bool),
    /// An exact number without a unit.
    Number(Number),
    /// Text, in Unicode normal form C.
    String(Arc<str>),
    /// A list or tuple.
    List(Arc<Vec<Value>>),
    /// A set: sorted, without duplicates.
    Set(Arc<Vec<Value>>),
    /// A map or object.
    Object(Arc<BTreeMap<Arc<str>, Value>>),
    /// A number with a unit, a range, hosts, a date, ….
    Quantity(Quantity),
    /// A block of the fleet; its attributes are asked of the host.
    Block(BlockRef),
    /// Not known yet, of a known type.
    Unknown(Type),
    /// A value that must not be printed. Never nested in another one.
    Sensitive(Box<Value>),
}

/// A reference to a block: equal only to itself. It has no contents here.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockRef {
    /// The block's kind: `pool`, `lot`, `target`.
    pub kind: Arc<str>,
    /// The block's address: `pool.gpu["a"].lot.r0`.
    pub address: Arc<str>,
}

impl Value {
    /// Text, brought to normal form C.
    #[must_use]
    pub fn string(text: &str) -> Self {
        if text.is_ascii() || is_nfc(text) {
            Self::String(text.into())
        } else {
            Self::String(text.nfc().collect::<String>().into())
        }
    }

    /// The same of a text that is shared already.
    #[must_use]
    pub fn shared(text: &Arc<str>) -> Self {
        if text.is_ascii() { Self::String(text.clone()) } else { Self::string(text) }
    }

    /// A number.
    pub fn number(number: impl Into<Number>) -> Self {
        Self::Number(number.into())
    }

    /// A list.
    pub fn list(items: impl IntoIterator<Item = Self>) -> Self {
        Self::List(Arc::new(items.into_iter().collect()))
    }

    /// A set: sorted, each element once.
    pub fn set(items: impl IntoIterator<Item = Self>) -> Self {
        let mut items: Vec<Self> = items.into_iter().collect();
        items.sort();
        items.dedup();
        Self::Set(Arc::new(items))
    }

    /// An object.
    pub fn object<K: Into<Arc<str>>>(entries: impl IntoIterator<Item = (K, Self)>) -> Self {
        Self::Object(Arc::new(entries.into_iter().map(|(key, value)| (key.into(), value)).collect()))
    }

    /// A quantity.
    pub fn quantity(quantity: impl Into<Quantity>) -> Self {
        Self::Quantity(quantity.into())
    }

    /// A block.
    pub fn block(kind: impl Into<Arc<str>>, address: impl Into<Arc<str>>) -> Self {
        Self::Block(BlockRef { kind: kind.into(), address: address.into() })
    }

    /// The value, marked as sensitive; marking twice is marking once.
    #[must_use]
    pub fn sensitive(self) -> Self {
        match self {
            Self::Sensitive(_) => self,
            other => Self::Sensitive(Box::new(other)),
        }
    }

    /// The value, marked as sensitive if `mark`.
    #[must_use]
    pub fn marked(self, mark: bool) -> Self {
        if mark { self.sensitive() } else { self }
    }

    /// The value without its own mark, and whether it had one. Marks of elements stay.
    #[must_use]
    pub fn unmark(self) -> (Self, bool) {
        match self {
            Self::Sensitive(inner) => (*inner, true),
            other => (other, false),
        }
    }

    /// The value without any mark, of elements either, and whether there was one.
    #[must_use]
    pub fn unmark_deep(self) -> (Self, bool) {
        if self.is_sensitive() { (strip(&self), true) } else { (self, false) }
    }

    /// Whether it or a part of it is sensitive.
    #[must_use]
    pub fn is_sensitive(&self) -> bool {
        self.any(&|value| matches!(value, Self::Sensitive(_)))
    }

    /// Whether it or a part of it is not known yet.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.any(&|value| matches!(value, Self::Unknown(_)))
    }

    /// Whether it is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The text, if it is text.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of a list or set.
    #[must_use]
    pub fn elements(&self) -> Option<&[Self]> {
        match self {
            Self::List(items) | Self::Set(items) => Some(items),
            _ => None,
        }
    }

    /// The value of a key of an object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(entries) => entries.get(key),
            _ => None,
        }
    }

    /// What it is, for messages: `a duration`, `text`, `a number`, `a pool`.
    #[must_use]
    pub fn type_name(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Null => "null",
            Self::Bool(_) => "a bool",
            Self::Number(_) => "a number",
            Self::String(_) => "text",
            Self::List(_) => "a list",
            Self::Set(_) => "a set",
            Self::Object(_) => "an object",
            Self::Quantity(quantity) => quantity.type_name(),
            Self::Block(block) => {
                let article = if block.kind.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
                return Cow::Owned(format!("a reference to {article} {}", block.kind));
            }
            Self::Unknown(ty) => return Cow::Owned(format!("{} that is not known yet", ty.name())),
            Self::Sensitive(inner) => return inner.type_name(),
        })
    }

    /// The type of a value, as far as the value tells: what an unknown of its kind would be.
    #[must_use]
    pub fn type_of(&self) -> Type {
        match self {
            Self::Null => Type::Any,
            Self::Bool(_) => Type::Bool,
            Self::Number(_) => Type::Number,
            Self::String(_) => Type::String,
            Self::List(items) => Type::List(Box::new(common_type(items))),
            Self::Set(items) => Type::Set(Box::new(common_type(items))),
            Self::Object(entries) => {
                let fields = entries.iter().map(|(name, value)| Field {
                    name: name.clone(),
                    ty: value.type_of(),
                    required: true,
                });
                Type::Object(Arc::new(ObjectType { fields: fields.collect() }))
            }
            Self::Quantity(quantity) => quantity.type_of(),
            Self::Block(block) => Type::Block(Arc::new([block.kind.clone()])),
            Self::Unknown(ty) => ty.clone(),
            Self::Sensitive(inner) => inner.type_of(),
        }
    }

    fn any(&self, test: &dyn Fn(&Self) -> bool) -> bool {
        test(self)
            || match self {
                Self::List(items) | Self::Set(items) => items.iter().any(|item| item.any(test)),
                Self::Object(entries) => entries.values().any(|value| value.any(test)),
                Self::Sensitive(inner) => inner.any(test),
                _ => false,
            }
    }
}

/// The type that all have; of none, any.
fn common_type(items: &[Value]) -> Type {
    let mut types = items.iter().map(Value::type_of);
    let first = types.next().unwrap_or(Type::Any);
    types.fold(first, |common, ty| common.join(&ty))
}

fn strip(value: &Value) -> Value {
    match value {
        Value::Sensitive(inner) => strip(inner),
        Value::List(items) => Value::list(items.iter().map(strip)),
        Value::Set(items) => Value::set(items.iter().map(strip)),
        Value::Object(entries) => {
            Value::object(entries.iter().map(|(key, value)| (key.clone(), strip(value))))
        }
        other => other.clone(),
    }
}

impl Quantity {
    /// What it is, for messages: `a duration`.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Duration(_) => "a duration",
            Self::Bytes(_) => "an amount of data",
            Self::Bandwidth(_) => "a bandwidth",
            Self::Power(_) => "a power",
            Self::Energy(_) => "an energy",
            Self::Money(_) => "money",
            Self::Percent(_) => "a percentage",
            Self::Count(count) => match count.unit {
                CountUnit::Gpus => "a count of GPUs",
                CountUnit::Nodes => "a count of nodes",
            },
            Self::Range(_) => "a range",
            Self::Hosts(_) => "a host list",
            Self::Date(_) => "a date",
            Self::Version(_) => "a version",
            Self::Pattern(_) => "a pattern",
            Self::Taint(_) => "a taint",
        }
    }

    /// The type that a schema names it by.
    #[must_use]
    pub fn type_of(&self) -> Type {
        match self {
            Self::Duration(_) => Type::Duration,
            Self::Bytes(_) => Type::Bytes,
            Self::Bandwidth(_) => Type::Bandwidth,
            Self::Power(_) => Type::Power,
            Self::Energy(_) => Type::Energy,
            Self::Money(_) => Type::Money(Arc::new([])),
            Self::Percent(_) => Type::Percent,
            Self::Count(_) => Type::Number,
            Self::Range(_) => Type::Range,
            Self::Hosts(_) => Type::Hosts,
            Self::Date(_) => Type::Date,
            Self::Version(_) => Type::Version,
            Self::Pattern(_) => Type::Pattern,
            Self::Taint(_) => Type::Taint,
        }
    }

    /// The text that a template shows: the canonical form; a count is its bare number.
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Self::Count(count) => count.number.to_string(),
            other => other.to_string(),
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::string(text)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::string(&text)
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Self {
        Self::Number(number)
    }
}

impl<T: Into<Quantity>> From<T> for Value {
    fn from(quantity: T) -> Self {
        Self::Quantity(quantity.into())
    }
}
