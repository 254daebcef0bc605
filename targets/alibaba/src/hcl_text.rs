//! A node pool's body as HCL and back.
//!
//! In the body blocks are objects, repeated blocks lists of objects, as in Terraform's JSON. Layout of the text is
//! that of `terraform fmt`. Source: HCL native syntax specification, Terraform language "Style Conventions".

use hcl::expr::{Expression, ObjectKey, TemplateExpr, Variable};
use hcl::format::{Format as _, Formatter};
use hcl::structure::Structure;
use hcl::{Attribute, Block, Body, Identifier};
use serde_json::{Map, Value, json};

/// Blocks that occur once.
const SINGLE: [&str; 2] = ["lifecycle", "scaling_config"];
/// Blocks that occur once an element.
const REPEATED: [&str; 3] = ["labels", "spot_price_limit", "taints"];
/// Who reads a pool reads these first; the rest follows by name.
const FIRST: [&str; 5] = ["node_pool_name", "cluster_id", "vswitch_ids", "instance_types", "key"];

/// A body as the contents of a block.
pub(crate) fn to_body(body: &Value) -> Body {
    let Value::Object(map) = body else { return Body::default() };
    let mut keys: Vec<&String> = map.keys().collect();
    keys.sort_by_key(|key| (FIRST.iter().position(|first| first == key).unwrap_or(FIRST.len()), *key));
    let mut attributes: Vec<Structure> = Vec::new();
    let mut blocks: Vec<Structure> = Vec::new();
    for key in keys {
        let Some(value) = map.get(key) else { continue };
        let name = key.as_str();
        match value {
            Value::Object(_) if SINGLE.contains(&name) => blocks.push(block(name, value).into()),
            Value::Array(items) if REPEATED.contains(&name) => {
                blocks.extend(items.iter().map(|item| Structure::from(block(name, item))));
            }
            // Names of arguments, not texts.
            Value::Array(items) if name == "ignore_changes" => {
                let names = items.iter().filter_map(Value::as_str).map(|item| match Variable::new(item) {
                    Ok(variable) => Expression::from(variable),
                    Err(_) => text(item),
                });
                let names = Expression::Array(names.collect());
                attributes.push(Attribute::new(Identifier::sanitized(name), names).into());
            }
            _ => attributes.push(Attribute::new(Identifier::sanitized(name), expression(value)).into()),
        }
    }
    attributes.into_iter().chain(blocks).collect()
}

fn block(name: &str, body: &Value) -> Block {
    let mut block = Block::new(Identifier::sanitized(name));
    block.body = to_body(body);
    block
}

fn expression(value: &Value) -> Expression {
    match value {
        Value::Null => Expression::Null,
        Value::Bool(value) => Expression::Bool(*value),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number.into(),
            (None, Some(number)) => number.into(),
            (None, None) => number.as_f64().map_or(Expression::Null, Expression::from),
        },
        Value::String(value) => text(value),
        Value::Array(items) => Expression::Array(items.iter().map(expression).collect()),
        Value::Object(map) => {
            Expression::Object(map.iter().map(|(key, value)| (object_key(key), expression(value))).collect())
        }
    }
}

/// Keys with anything but letters, digits, `_` and `-` are quoted.
fn object_key(key: &str) -> ObjectKey {
    let plain = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    match Identifier::new(key) {
        Ok(identifier) if plain => ObjectKey::Identifier(identifier),
        _ => ObjectKey::Expression(text(key)),
    }
}

/// A text in which nothing is evaluated. Where it has the marks of a template they are escaped here: the formatter
/// takes `$${` for one that was escaped already.
fn text(value: &str) -> Expression {
    if !value.contains("${") && !value.contains("%{") {
        return Expression::String(value.to_owned());
    }
    let mut quoted = String::with_capacity(value.len());
    let mut rest = value.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
            '$' | '%' if rest.peek() == Some(&'{') => quoted.extend([c, c]),
            c => quoted.push(c),
        }
    }
    Expression::TemplateExpr(Box::new(TemplateExpr::QuotedString(quoted)))
}

/// The text of a file's contents.
pub(crate) fn print(body: &Body) -> Result<String, hcl::Error> {
    let mut formatter = Formatter::builder().compact_arrays(true).build_vec();
    Ok(align(&body.format_string(&mut formatter)?))
}

/// Lines up the equals signs of neighbouring one-line attributes, as `terraform fmt` does.
fn align(text: &str) -> String {
    let mut aligned = String::with_capacity(text.len());
    let mut run: Vec<(&str, &str)> = Vec::new();
    for line in text.lines() {
        match line.split_once(" = ") {
            Some((key, value)) if !value.ends_with('{') && key_only(key) => run.push((key, value)),
            _ => {
                flush(&mut run, &mut aligned);
                aligned.push_str(line);
                aligned.push('\n');
            }
        }
    }
    flush(&mut run, &mut aligned);
    aligned
}

/// Whether it is an indented name or a quoted key without a quote inside.
fn key_only(key: &str) -> bool {
    let key = key.trim_start();
    let inner = key.strip_prefix('"').and_then(|key| key.strip_suffix('"')).unwrap_or(key);
    !inner.contains('"')
}

fn flush(run: &mut Vec<(&str, &str)>, aligned: &mut String) {
    let width = run.iter().map(|(key, _)| key.chars().count()).max().unwrap_or_default();
    for (key, value) in run.drain(..) {
        aligned.push_str(&format!("{key:width$} = {value}\n"));
    }
}

/// The contents of a block as a body.
pub(crate) fn from_body(body: &Body) -> Value {
    let mut map = Map::new();
    for structure in body.iter() {
        match structure {
            Structure::Attribute(attribute) => {
                map.insert(attribute.key.to_string(), from_expression(&attribute.expr));
            }
            Structure::Block(block) => {
                let name = block.identifier.as_str();
                let value = from_body(&block.body);
                match map.get_mut(name) {
                    Some(Value::Array(items)) => items.push(value),
                    // A block that should be alone is there twice: shown as it is.
                    Some(first) => *first = json!([first.take(), value]),
                    None if SINGLE.contains(&name) => {
                        map.insert(name.to_owned(), value);
                    }
                    None => {
                        map.insert(name.to_owned(), json!([value]));
                    }
                }
            }
        }
    }
    Value::Object(map)
}

fn from_expression(expression: &Expression) -> Value {
    match expression {
        Expression::Null => Value::Null,
        Expression::Bool(value) => Value::Bool(*value),
        Expression::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => json!(number),
            (None, Some(number)) => json!(number),
            (None, None) => json!(number.as_f64()),
        },
        Expression::String(value) => Value::String(value.clone()),
        Expression::Array(items) => items.iter().map(from_expression).collect(),
        Expression::Object(map) => map
            .iter()
            .map(|(key, value)| {
                let key = match key {
                    ObjectKey::Expression(Expression::String(key)) => key.clone(),
                    other => other.to_string(),
                };
                (key, from_expression(value))
            })
            .collect(),
        Expression::Variable(variable) => Value::String(variable.to_string()),
        // Written by somebody else: shown as HCL, and never equal to what we write.
        other => Value::String(format!("${{{other}}}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_up_neighbours_only() {
        let text = "a = 1\nlong = \"x = y\"\nm = {\n  \"k:1\" = \"v\"\n  b = \"v\"\n}\n\nc {\n  d = 1\n}\n";
        let wanted =
            "a    = 1\nlong = \"x = y\"\nm = {\n  \"k:1\" = \"v\"\n  b     = \"v\"\n}\n\nc {\n  d = 1\n}\n";
        assert_eq!(align(text), wanted);
    }

    #[test]
    fn templates_are_escaped_and_read_back() {
        for text in ["${x}", "$${x}", "%{if}", "a\"${\\}\n\u{1}", "$", "%%{", "$$$${", "ends in $"] {
            let body = to_body(&json!({ "key": text }));
            let printed = print(&body).unwrap();
            assert_eq!(from_body(&hcl::parse(&printed).unwrap()), json!({ "key": text }), "{printed}");
        }
        assert_eq!(print(&to_body(&json!({ "key": "${x}" }))).unwrap(), "key = \"$${x}\"\n");
    }
}
