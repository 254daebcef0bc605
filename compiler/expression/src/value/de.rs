//! From a converted value straight into a struct: a [`serde::Deserializer`] over [`Value`].
//!
//! `null` is none, unit, or a missing field; an object is a map or struct; a block is its address; a quantity is its
//! canonical JSON form; a word is a unit variant of an enum. A sensitive or unknown value is an error.

use std::fmt;

use serde::Deserializer;
use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{self, DeserializeSeed, IntoDeserializer, VariantAccess, Visitor};

use super::Value;
use crate::quantity::{Count, Quantity};

/// Why a value does not fit a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueError(String);

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ValueError {}

impl de::Error for ValueError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

impl Value {
    /// The struct of a converted value.
    ///
    /// # Errors
    /// The value does not fit, or a part of it is sensitive or unknown.
    pub fn deserialize<T: de::DeserializeOwned>(&self) -> Result<T, ValueError> {
        T::deserialize(self)
    }
}

impl<'de> IntoDeserializer<'de, ValueError> for &'de Value {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// A count where a bare number is asked for.
fn bare(value: &Value) -> Option<Value> {
    match value {
        Value::Quantity(Quantity::Count(Count { number, .. })) => Some(Value::Number(number.clone())),
        _ => None,
    }
}

macro_rules! integers {
    ($($method:ident)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
            match bare(self) {
                Some(Value::Number(number)) => visit_number(&number, visitor),
                _ => self.deserialize_any(visitor),
            }
        }
    )+};
}

fn visit_number<'de, V: Visitor<'de>>(number: &crate::Number, visitor: V) -> Result<V::Value, ValueError> {
    match (number.to_i64(), number.to_u64()) {
        (Some(whole), _) => visitor.visit_i64(whole),
        (None, Some(whole)) => visitor.visit_u64(whole),
        (None, None) => visitor.visit_string(number.to_exact_string()),
    }
}

impl<'de> Deserializer<'de> for &'de Value {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match self {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => visit_number(number, visitor),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::List(items) | Value::Set(items) => {
                let mut sequence = SeqDeserializer::new(items.iter());
                let result = visitor.visit_seq(&mut sequence)?;
                sequence.end().map(|()| result)
            }
            Value::Object(entries) => {
                let present = entries.iter().filter(|(_, value)| !value.is_null());
                let mut map = MapDeserializer::new(present.map(|(key, value)| (&**key, value)));
                let result = visitor.visit_map(&mut map)?;
                map.end().map(|()| result)
            }
            Value::Quantity(quantity) => {
                let json = serde_json::to_value(quantity).map_err(de::Error::custom)?;
                json.deserialize_any(visitor).map_err(de::Error::custom)
            }
            Value::Block(block) => visitor.visit_borrowed_str(&block.address),
            Value::Unknown(_) => Err(de::Error::custom("the value is not known before apply")),
            Value::Sensitive(_) => Err(de::Error::custom("the value is sensitive and may not stand here")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        if self.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        let text = |word: &'de str| StrDeserializer::<ValueError>::new(word);
        match self {
            Value::String(word) => visitor.visit_enum(text(word)),
            Value::Block(block) => visitor.visit_enum(text(&block.address)),
            Value::Object(entries) if entries.len() == 1 => match entries.iter().next() {
                Some((name, value)) => visitor.visit_enum(Tagged { name, value }),
                None => self.deserialize_any(visitor),
            },
            Value::Quantity(quantity) => {
                let json = serde_json::to_value(quantity).map_err(de::Error::custom)?;
                json.deserialize_enum("", &[], visitor).map_err(de::Error::custom)
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_unit()
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match self {
            Value::Number(number) => visitor.visit_f64(number.to_f64()),
            _ => self.deserialize_any(visitor),
        }
    }

    serde::forward_to_deserialize_any! {
        bool char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
    }
}

/// An object with one key as a variant of an enum.
struct Tagged<'de> {
    name: &'de str,
    value: &'de Value,
}

impl<'de> de::EnumAccess<'de> for Tagged<'de> {
    type Error = ValueError;
    type Variant = &'de Value;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, &'de Value), ValueError> {
        seed.deserialize(StrDeserializer::<ValueError>::new(self.name)).map(|name| (name, self.value))
    }
}

impl<'de> VariantAccess<'de> for &'de Value {
    type Error = ValueError;

    fn unit_variant(self) -> Result<(), ValueError> {
        if self.is_null() { Ok(()) } else { Err(de::Error::custom("this word takes no value")) }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, ValueError> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _length: usize, visitor: V) -> Result<V::Value, ValueError> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        self.deserialize_any(visitor)
    }
}
