//! The little language in which `blocks.toml` writes types.
//!
//! `bool string name path number int int(0..9) duration bytes bandwidth power percent range hosts date version
//! constraint pattern taint currency any expression`, and `enum(a|b)`, `list(T)`, `set(T)`, `map(T)`,
//! `ref(pool|lot)`, `object(NAME)`, `oneof(T,T)`, `money(gpu/h,node/h)`.

use std::sync::Arc;

use poolwright_expression::{ObjectType, Type};

/// Reads a type. `object` gives the type of a named object.
///
/// # Errors
/// What is wrong with the text.
pub(super) fn parse(
    text: &str,
    object: &dyn Fn(&str) -> Result<Arc<ObjectType>, String>,
) -> Result<Type, String> {
    let text = text.trim();
    let (head, inside) = match text.split_once('(') {
        Some((head, rest)) => {
            let inside = rest.strip_suffix(')').ok_or_else(|| format!("`{text}`: `)` is missing"))?;
            (head, Some(inside))
        }
        None => (text, None),
    };
    let of = || inside.ok_or_else(|| format!("`{text}` needs a type in parentheses"));
    Ok(match head {
        "bool" => Type::Bool,
        "string" | "currency" => Type::String,
        "name" => Type::Name,
        "path" => Type::Path,
        "number" => Type::Number,
        "int" => integer(inside.unwrap_or("0.."))?,
        "duration" => Type::Duration,
        "bytes" => Type::Bytes,
        "bandwidth" => Type::Bandwidth,
        "power" => Type::Power,
        "percent" => Type::Percent,
        "range" => Type::Range,
        "hosts" => Type::Hosts,
        "date" => Type::Date,
        "version" => Type::Version,
        "constraint" => Type::Constraint,
        "pattern" => Type::Pattern,
        "taint" => Type::Taint,
        "any" | "expression" => Type::Any,
        "money" => Type::Money(words(of()?, ',')),
        "enum" => Type::Enum(words(of()?, '|')),
        "ref" => Type::Block(words(of()?, '|')),
        "list" => Type::List(Box::new(parse(of()?, object)?)),
        "set" => Type::Set(Box::new(parse(of()?, object)?)),
        "map" => Type::Map(Box::new(parse(of()?, object)?)),
        "object" => Type::Object(object(of()?)?),
        "oneof" => {
            let types = arguments(of()?)
                .into_iter()
                .map(|part| parse(part, object))
                .collect::<Result<Vec<_>, _>>()?;
            Type::OneOf(types.into())
        }
        _ => return Err(format!("`{text}` is no type")),
    })
}

fn words(text: &str, separator: char) -> Arc<[Arc<str>]> {
    text.split(separator).map(|word| Arc::from(word.trim())).collect()
}

fn integer(bounds: &str) -> Result<Type, String> {
    let bound = |text: &str| match text {
        "" => Ok(None),
        digits => digits.parse().map(Some).map_err(|_| format!("`{digits}` is no whole number")),
    };
    let (min, max) = bounds.split_once("..").ok_or_else(|| format!("`{bounds}` is no range"))?;
    Ok(Type::Integer { min: bound(min)?, max: bound(max)? })
}

/// Splits at commas that stand in no parentheses.
fn arguments(text: &str) -> Vec<&str> {
    let mut depth = 0_u32;
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.extend(text.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(text.get(start..));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_nest() {
        let none = |name: &str| Err(format!("no object {name}"));
        assert_eq!(
            parse("list(int(1..9))", &none),
            Ok(Type::List(Box::new(Type::Integer { min: Some(1), max: Some(9) })))
        );
        let Ok(Type::OneOf(types)) = parse("oneof(int(0..),enum(all))", &none) else { panic!("no oneof") };
        assert_eq!(types.len(), 2);
        assert!(parse("list", &none).is_err());
        assert!(parse("object(x)", &none).is_err());
        assert!(parse("intt", &none).is_err());
    }
}
