//! Values in messages.

use std::fmt::{self, Write};

use super::Value;

/// How many elements are written before the rest is left out.
const SHOWN: usize = 10;

/// For people: text in quotes, quantities in their canonical form, long lists cut, secrets hidden.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::String(text) => quoted(f, text),
            Self::List(items) => list(f, "[", items, "]"),
            Self::Set(items) => list(f, "toset([", items, "])"),
            Self::Object(entries) => object(f, entries),
            Self::Quantity(quantity) => write!(f, "{quantity}"),
            Self::Block(block) => f.write_str(&block.address),
            Self::Unknown(_) => f.write_str("(known after apply)"),
            Self::Sensitive(_) => f.write_str("(sensitive)"),
        }
    }
}

fn quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            c if c.is_control() => write!(f, "\\u{:04x}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

fn list(f: &mut fmt::Formatter<'_>, open: &str, items: &[Value], close: &str) -> fmt::Result {
    f.write_str(open)?;
    for (index, item) in items.iter().take(SHOWN).enumerate() {
        write!(f, "{}{item}", if index == 0 { "" } else { ", " })?;
    }
    if items.len() > SHOWN {
        write!(f, ", … {} more", items.len() - SHOWN)?;
    }
    f.write_str(close)
}

fn object(
    f: &mut fmt::Formatter<'_>,
    entries: &std::collections::BTreeMap<std::sync::Arc<str>, Value>,
) -> fmt::Result {
    if entries.is_empty() {
        return f.write_str("{}");
    }
    f.write_str("{ ")?;
    for (index, (key, value)) in entries.iter().take(SHOWN).enumerate() {
        f.write_str(if index == 0 { "" } else { ", " })?;
        let plain = key.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && key.chars().all(|c| c.is_alphanumeric() || "_-".contains(c));
        if plain {
            f.write_str(key)?
        } else {
            quoted(f, key)?
        }
        write!(f, " = {value}")?;
    }
    if entries.len() > SHOWN {
        write!(f, ", … {} more", entries.len() - SHOWN)?;
    }
    f.write_str(" }")
}
