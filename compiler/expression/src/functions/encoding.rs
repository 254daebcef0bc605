//! JSON and base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::{Call, Function, returns};
use crate::{Fault, Value, to_json};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "jsonencode",
        &["value"],
        "The value as JSON, keys sorted, numbers exact.",
        "jsonencode({ a = [1] }) = \"{\\\"a\\\":[1]}\"",
        returns::text,
        jsonencode,
    ),
    Function::new(
        "jsondecode",
        &["text"],
        "The value of a JSON text.",
        "jsondecode(\"[1]\") = [1]",
        returns::any,
        jsondecode,
    ),
    Function::new(
        "base64encode",
        &["text"],
        "The text's bytes in base64.",
        "base64encode(\"ab\") = \"YWI=\"",
        returns::text,
        base64encode,
    ),
    Function::new(
        "base64decode",
        &["text"],
        "The text of bytes in base64.",
        "base64decode(\"YWI=\") = \"ab\"",
        returns::text,
        base64decode,
    ),
];

fn jsonencode(call: &Call<'_>) -> Result<Value, Fault> {
    Ok(Value::string(&json_text(call.argument(0))))
}

/// JSON without spaces. A number that is no binary float is written with all its digits.
pub(super) fn json_text(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, out: &mut String) {
    let quoted = |text: &str| serde_json::Value::String(text.to_owned()).to_string();
    match value {
        Value::Number(number) => out.push_str(&number.to_string()),
        Value::List(items) | Value::Set(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(entries) => {
            out.push('{');
            for (index, (key, item)) in entries.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(&quoted(key));
                out.push(':');
                write(item, out);
            }
            out.push('}');
        }
        other => out.push_str(&to_json(other).to_string()),
    }
}

fn jsondecode(call: &Call<'_>) -> Result<Value, Fault> {
    let json: serde_json::Value = serde_json::from_str(&call.text(0)?)
        .map_err(|error| call.fault(0, format_args!("not JSON: {error}")))?;
    Ok(Value::from_json(&json))
}

fn base64encode(call: &Call<'_>) -> Result<Value, Fault> {
    Ok(Value::string(&STANDARD.encode(call.text(0)?.as_bytes())))
}

fn base64decode(call: &Call<'_>) -> Result<Value, Fault> {
    let bytes =
        STANDARD.decode(call.text(0)?.as_bytes()).map_err(|_| call.fault(0, "the text is not base64"))?;
    let text = String::from_utf8(bytes).map_err(|_| call.fault(0, "the bytes are not UTF-8 text"))?;
    Ok(Value::string(&text))
}
