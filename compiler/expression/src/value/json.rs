//! Values and JSON, both ways.

use super::Value;
use crate::Number;
use crate::quantity::Quantity;

/// The JSON of a value: quantities in their canonical form, a count as its number, a block as its address, what is
/// not known as null, what is sensitive as the text `(sensitive)`.
#[must_use]
pub fn to_json(value: &Value) -> serde_json::Value {
    use serde_json::Value as Json;
    match value {
        Value::Null | Value::Unknown(_) => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Number(number) => number_json(number),
        Value::String(text) => Json::String(text.to_string()),
        Value::List(items) | Value::Set(items) => Json::Array(items.iter().map(to_json).collect()),
        Value::Object(entries) => {
            Json::Object(entries.iter().map(|(key, value)| (key.to_string(), to_json(value))).collect())
        }
        Value::Quantity(Quantity::Count(count)) => number_json(&count.number),
        Value::Quantity(quantity) => serde_json::to_value(quantity).unwrap_or(Json::Null),
        Value::Block(block) => Json::String(block.address.to_string()),
        Value::Sensitive(_) => Json::String("(sensitive)".into()),
    }
}

/// A JSON number where a binary float keeps the value, else exact text.
fn number_json(number: &Number) -> serde_json::Value {
    if let Some(whole) = number.to_i64() {
        return whole.into();
    }
    if let Some(whole) = number.to_u64() {
        return whole.into();
    }
    if let Some(float) = serde_json::Number::from_f64(number.to_f64())
        && Number::parse(&float.to_string()).is_ok_and(|back| back == *number)
    {
        return float.into();
    }
    number.to_exact_string().into()
}

impl Value {
    /// The value of a JSON document: arrays are lists; a number is what its text says.
    #[must_use]
    pub fn from_json(json: &serde_json::Value) -> Self {
        use serde_json::Value as Json;
        match json {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(*value),
            Json::Number(number) => Number::parse(&number.to_string())
                .map_or_else(|_| Self::string(&number.to_string()), Self::Number),
            Json::String(text) => Self::string(text),
            Json::Array(items) => Self::list(items.iter().map(Self::from_json)),
            Json::Object(entries) => Self::object(entries.iter().map(|(key, value)| {
                let Self::String(key) = Self::string(key) else { return (key.as_str().into(), Self::Null) };
                (key, Self::from_json(value))
            })),
        }
    }
}
