//! Bools, numbers, text, names, words and references.

use std::sync::Arc;

use poolwright_diagnostics::suggestion_help;

use super::Converter;
use crate::evaluate::{to_number, to_text};
use crate::quantity::Quantity;
use crate::{BlockRef, Number, NumberError, Type, Value, codes};

/// The longest name.
const MAX_NAME: usize = 40;

impl Converter {
    pub(super) fn scalar(&mut self, value: &Value, ty: &Type) -> Option<Value> {
        match ty {
            Type::Bool => match value {
                Value::Bool(_) => Some(value.clone()),
                Value::String(text) if matches!(&**text, "true" | "false") => {
                    Some(Value::Bool(&**text == "true"))
                }
                _ => self.wrong(value, ty, None),
            },
            Type::Number => self.number(value, ty).map(Value::Number),
            Type::Integer { min, max } => self.integer(value, ty, min.unwrap_or(0), *max),
            Type::String => self.text(value, ty).map(Value::String),
            Type::Name => {
                let text = self.text(value, ty)?;
                match name_fault(&text) {
                    None => Some(Value::String(text)),
                    Some(why) => self.fault(
                        codes::BAD_NAME,
                        format!("{value} is not a name: {why}"),
                        Some("names are lower-case letters, digits and single hyphens, a letter first, at most 40".into()),
                    ),
                }
            }
            Type::Path => {
                let text = self.text(value, ty)?;
                let why = if text.is_empty() {
                    "it is empty"
                } else if text.starts_with('/')
                    || text.get(1..3).is_some_and(|drive| drive.starts_with(":\\"))
                {
                    "it begins at the root"
                } else if text.contains('\\') {
                    "its parts are separated by `/`"
                } else {
                    return Some(Value::String(text));
                };
                self.fault(codes::OUT_OF_RANGE, format!("{value} is not a relative path: {why}"), None)
            }
            Type::Enum(words) => self.word(value, ty, words),
            Type::Block(kinds) => self.block(value, ty, kinds),
            _ => self.wrong(value, ty, None),
        }
    }

    pub(super) fn number(&mut self, value: &Value, ty: &Type) -> Option<Number> {
        let counts =
            matches!(value, Value::Number(_) | Value::String(_) | Value::Quantity(Quantity::Count(_)));
        let number = match value {
            _ if counts => to_number(value),
            _ => {
                self.wrong(value, ty, None);
                return None;
            }
        };
        match number {
            Ok(number) => Some(number),
            Err(fault) if fault.code == codes::NUMBER_TOO_LARGE => {
                self.fault(fault.code, NumberError::TooLarge.to_string(), None);
                None
            }
            Err(_) => {
                self.wrong(value, ty, None);
                None
            }
        }
    }

    fn integer(&mut self, value: &Value, ty: &Type, min: i64, max: Option<i64>) -> Option<Value> {
        let number = self.number(value, ty)?;
        let fits = number.is_integer()
            && number >= Number::from(min)
            && max.is_none_or(|max| number <= Number::from(max));
        if fits {
            return Some(Value::Number(number));
        }
        self.fault(codes::OUT_OF_RANGE, format!("{} is wanted, not {number}", ty.describe()), None)
    }

    pub(super) fn text(&mut self, value: &Value, ty: &Type) -> Option<Arc<str>> {
        match value {
            Value::Block(_) => {
                self.wrong(value, ty, Some("use its `.name` or `.address`".into()));
                None
            }
            other => match to_text(other) {
                Ok(text) => Some(text),
                Err(_) => {
                    self.wrong(value, ty, None);
                    None
                }
            },
        }
    }

    fn word(&mut self, value: &Value, ty: &Type, words: &[Arc<str>]) -> Option<Value> {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(_) => self.text(value, ty)?,
            _ => return self.wrong(value, ty, None),
        };
        if words.contains(&text) {
            return Some(Value::String(text));
        }
        let help = suggestion_help("word", &text, words.iter().map(|word| &**word));
        self.fault(
            codes::UNKNOWN_WORD,
            format!("{} is wanted, not {}", ty.describe(), Value::string(&text)),
            help,
        )
    }

    fn block(&mut self, value: &Value, ty: &Type, kinds: &[Arc<str>]) -> Option<Value> {
        let Value::Block(block) = value else {
            let kind = kinds.first().map_or("pool", |kind| kind);
            let help = match value {
                Value::String(text) if name_fault(text).is_none() => {
                    Some(format!("a reference is written without quotes: `{kind}.{text}`"))
                }
                Value::String(_) => Some(format!("a reference is written without quotes: `{kind}.NAME`")),
                Value::List(_) | Value::Set(_) => Some("one reference, without brackets".into()),
                Value::Object(_) => Some(format!("name one instance: `{kind}.NAME[\"key\"]`")),
                _ => None,
            };
            return self.wrong(value, ty, help);
        };
        if kinds.is_empty() || kinds.iter().any(|kind| is_of_kind(block, kind)) {
            return Some(value.clone());
        }
        self.fault(codes::WRONG_BLOCK, format!("{} is wanted, not `{}`", ty.describe(), block.address), None)
    }
}

/// Whether a block is of a kind; a target also by its own kind: `target.kubernetes`.
fn is_of_kind(block: &BlockRef, kind: &str) -> bool {
    // Every kind of target is a `target`.
    if block.kind.strip_prefix(kind).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')) {
        return true;
    }
    let Some((outer, _)) = kind.split_once('.') else { return false };
    if *block.kind != *outer {
        return false;
    }
    let starts = |rest: &str| rest.strip_prefix(kind).is_some_and(|rest| rest.starts_with('.'));
    // The address may begin with modules.
    starts(&block.address)
        || block.address.match_indices('.').any(|(at, _)| block.address.get(at + 1..).is_some_and(starts))
}

/// Why a text is no name; `None`: it is one.
fn name_fault(text: &str) -> Option<String> {
    let first = text.chars().next();
    let wrong = text.chars().find(|c| !(c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '-'));
    Some(match (first, wrong) {
        (None, _) => "it is empty".into(),
        (_, Some('_')) => "`_` may not stand in it; use `-`".into(),
        (_, Some(c)) if c.is_uppercase() => format!("`{c}` is upper case"),
        (_, Some(c)) => format!("`{c}` may not stand in it"),
        (Some(c), _) if !c.is_ascii_lowercase() => "it does not start with a letter".into(),
        _ if text.contains("--") => "`--` joins names and may not stand in one".into(),
        _ if text.ends_with('-') => "it ends with a hyphen".into(),
        _ if text.len() > MAX_NAME => format!("it has {} characters", text.len()),
        _ => return None,
    })
}
