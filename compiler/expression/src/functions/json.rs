//! JSON, both ways. Numbers keep all their digits.

use std::borrow::Cow;

use super::call::Call;
use crate::evaluate::MAX_TEXT;
use crate::{Fault, Number, Value, codes, to_json};

pub(super) fn jsonencode(call: &Call<'_>) -> Result<Value, Fault> {
    Ok(Value::string(&json_text(call.argument(0))?))
}

/// JSON without spaces. A number that is no binary float is written with all its digits.
pub(super) fn json_text(value: &Value) -> Result<String, Fault> {
    let mut text = String::new();
    write(value, &mut text)?;
    Ok(text)
}

/// A text in quotes. Like OpenTofu's, it can stand in HTML and in scripts: five signs are written by their numbers.
pub(super) fn quoted(text: &str) -> String {
    let plain = serde_json::Value::String(text.to_owned()).to_string();
    if !plain.contains(['<', '>', '&', '\u{2028}', '\u{2029}']) {
        return plain;
    }
    let mut out = String::with_capacity(plain.len() + 16);
    for c in plain.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            c => out.push(c),
        }
    }
    out
}

/// What a quantity or block is in JSON and YAML; numbers, texts and collections are for the caller.
pub(super) fn scalar_text(value: &Value) -> String {
    match to_json(value) {
        serde_json::Value::String(text) => quoted(&text),
        other => other.to_string(),
    }
}

/// Refuses more text than any value may have. The same part may stand in a value many times over, so that the text is
/// longer than the value is large.
pub(super) fn not_too_long(text: &str) -> Result<(), Fault> {
    if text.len() <= MAX_TEXT {
        return Ok(());
    }
    Err(Fault::new(codes::TOO_LARGE, format!("the text would be longer than {} MiB", MAX_TEXT >> 20)))
}

fn write(value: &Value, out: &mut String) -> Result<(), Fault> {
    match value {
        Value::Number(number) => out.push_str(&number.to_string()),
        Value::String(text) => out.push_str(&quoted(text)),
        Value::List(items) | Value::Set(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(item, out)?;
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
                write(item, out)?;
            }
            out.push('}');
        }
        other => out.push_str(&scalar_text(other)),
    }
    not_too_long(out)
}

pub(super) fn jsondecode(call: &Call<'_>) -> Result<Value, Fault> {
    let text = call.text(0)?;
    // First whether it is JSON, and not too deep; then its value, with numbers as they are written.
    serde_json::from_str::<serde::de::IgnoredAny>(&text)
        .map_err(|error| call.fault(0, format_args!("not JSON: {error}")))?;
    let mut reader = Reader { rest: &text, depth: 0 };
    reader.value().ok_or_else(|| call.fault(0, "not JSON: nested too deeply, or a number of too many digits"))
}

/// How deep arrays and objects may nest: what serde_json's own reader allows.
const MAX_DEPTH: usize = 128;

/// Reads what is known to be JSON. `None`: too deep, or a number beyond all bounds.
struct Reader<'t> {
    rest: &'t str,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    fn take(&mut self, sign: char) -> bool {
        self.space();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// The text up to where a test of the bytes ends it.
    fn until(&mut self, end: usize) -> &'t str {
        let (part, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        part
    }

    fn string(&mut self) -> Option<Cow<'t, str>> {
        let mut escaped = false;
        let end = self.rest.char_indices().skip(1).find(|(_, c)| {
            let ends = *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            ends
        })?;
        let written = self.until(end.0 + 1);
        let inner = written.get(1..written.len().checked_sub(1)?)?;
        if inner.contains('\\') {
            return serde_json::from_str::<String>(written).ok().map(Cow::Owned);
        }
        Some(Cow::Borrowed(inner))
    }

    fn value(&mut self) -> Option<Value> {
        self.space();
        match self.rest.chars().next()? {
            '[' => {
                self.enter()?;
                let mut items = Vec::new();
                while !self.take(']') {
                    items.push(self.value()?);
                    self.take(',');
                }
                self.depth -= 1;
                Some(Value::list(items))
            }
            '{' => {
                self.enter()?;
                let mut entries = Vec::new();
                while !self.take('}') {
                    let Value::String(key) = Value::string(&self.string()?) else { return None };
                    self.take(':');
                    entries.push((key, self.value()?));
                    self.take(',');
                    self.space();
                }
                self.depth -= 1;
                Some(Value::object(entries))
            }
            '"' => Some(Value::string(&self.string()?)),
            _ => {
                let end = self.rest.find([',', ']', '}', ' ', '\t', '\n', '\r']).unwrap_or(self.rest.len());
                match self.until(end) {
                    "null" => Some(Value::Null),
                    "true" => Some(Value::Bool(true)),
                    "false" => Some(Value::Bool(false)),
                    number => Number::parse(number).ok().map(Value::Number),
                }
            }
        }
    }

    /// Past the opening bracket.
    fn enter(&mut self) -> Option<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        self.until(1);
        self.space();
        Some(())
    }
}
