//! Numbers in JSON: an integer where it is whole and every JSON reader keeps it (below 2^53), else text: the exact
//! decimal, or `n/d` where that has no end.

use std::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Number, NumberError};

/// The greatest integer that a reader with binary floats keeps.
const SAFE: i64 = (1 << 53) - 1;

impl Number {
    /// The integer that JSON may hold as a number.
    pub(crate) fn json_integer(&self) -> Option<i64> {
        self.to_i64().filter(|n| (-SAFE..=SAFE).contains(n))
    }

    /// The exact text: a decimal, or `n/d`.
    #[must_use]
    pub fn to_exact_string(&self) -> String {
        self.to_exact_decimal().unwrap_or_else(|| self.fraction())
    }

    /// What [`Number::to_exact_string`] gives.
    ///
    /// # Errors
    /// As [`Number::parse`].
    pub fn parse_exact(text: &str) -> Result<Self, NumberError> {
        if text.contains('/') { Self::parse_fraction(text) } else { Self::parse(text) }
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.json_integer() {
            Some(n) => serializer.serialize_i64(n),
            None => serializer.serialize_str(&self.to_exact_string()),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer, or a number as text")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Number, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Number, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Number, E> {
        Number::parse_exact(text).map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
    }
}
