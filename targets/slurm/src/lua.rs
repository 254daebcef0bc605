//! job_submit.lua: the table of rules as Lua text and back, and the script that never changes.

use std::fmt::Write as _;

use poolwright_model::canonical::digest;
use serde_json::{Map, Value};

/// The part below the table.
pub(crate) const SCRIPT: &str = include_str!("../templates/job_submit.script.lua");

/// The line that the script begins with.
const MARK: &str = "-- The rules, applied.";

/// Digest of the script, in the body: a new script shows up as a difference.
pub(crate) fn script_digest() -> String {
    digest(SCRIPT.trim_end().as_bytes())
}

/// A value as a Lua constructor.
pub(crate) fn write(value: &Value) -> String {
    let mut text = String::new();
    write_to(&mut text, value);
    text
}

fn write_to(text: &mut String, value: &Value) {
    match value {
        Value::Null => text.push_str("nil"),
        Value::Bool(_) | Value::Number(_) => {
            let _ = write!(text, "{value}");
        }
        Value::String(word) => {
            text.push('"');
            for c in word.chars() {
                match c {
                    '"' | '\\' => text.extend(['\\', c]),
                    c if c.is_control() => text.push(' '),
                    c => text.push(c),
                }
            }
            text.push('"');
        }
        Value::Array(list) => {
            text.push('{');
            for (at, item) in list.iter().enumerate() {
                text.push_str(if at == 0 { " " } else { ", " });
                write_to(text, item);
            }
            text.push_str(" }");
        }
        Value::Object(map) => {
            text.push('{');
            for (at, (key, item)) in map.iter().enumerate() {
                text.push_str(if at == 0 { " " } else { ", " });
                let _ = write!(text, "{key} = ");
                write_to(text, item);
            }
            text.push_str(" }");
        }
    }
}

/// The body of a script's text, or the line and what is wrong there.
pub(crate) fn read(text: &str) -> Result<Value, (u32, String)> {
    let (table, script) = text.find(MARK).map_or((text, ""), |at| text.split_at(at));
    let mut rules = Map::new();
    for (line, number) in table.lines().zip(1..) {
        let Some(rest) = line.strip_prefix("partitions[") else {
            let known = line.is_empty() || line.starts_with("--") || line == "local partitions = {}";
            if known {
                continue;
            }
            return Err((number, "only `partitions[\"name\"] = { … }` may stand in the table".to_owned()));
        };
        let mut reader = Reader { rest };
        let rule = reader.string().and_then(|name| {
            reader.expect("]")?;
            reader.expect("=")?;
            Some((name, reader.value()?))
        });
        match rule {
            Some((name, value @ Value::Object(_))) if reader.rest.trim().is_empty() => {
                rules.insert(name, value);
            }
            _ => return Err((number, "not a table of words, numbers and lists".to_owned())),
        }
    }
    let mut body = Map::new();
    body.insert("Partitions".to_owned(), Value::Object(rules));
    body.insert("Script".to_owned(), Value::from(digest(script.trim_end().as_bytes())));
    Ok(Value::Object(body))
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn expect(&mut self, sign: &str) -> Option<()> {
        self.rest = self.rest.trim_start().strip_prefix(sign)?;
        Some(())
    }

    fn string(&mut self) -> Option<String> {
        self.expect("\"")?;
        let mut text = String::new();
        let mut chars = self.rest.chars();
        loop {
            match chars.next()? {
                '"' => break,
                '\\' => text.push(chars.next()?),
                c => text.push(c),
            }
        }
        self.rest = chars.as_str();
        Some(text)
    }

    fn word(&mut self) -> Option<String> {
        self.rest = self.rest.trim_start();
        let end =
            self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        let (word, after) = self.rest.split_at(end);
        self.rest = after;
        (!word.is_empty()).then(|| word.to_owned())
    }

    fn value(&mut self) -> Option<Value> {
        self.rest = self.rest.trim_start();
        if self.rest.starts_with('"') {
            return self.string().map(Value::from);
        }
        if self.rest.starts_with('{') {
            return self.table();
        }
        match self.word()?.as_str() {
            "true" => Some(Value::from(true)),
            "false" => Some(Value::from(false)),
            number => number.parse::<u64>().ok().map(Value::from),
        }
    }

    /// `{ "a", "b" }` or `{ key = value }`; nested no deeper than the rules are.
    fn table(&mut self) -> Option<Value> {
        self.expect("{")?;
        let (mut list, mut map) = (Vec::new(), Map::new());
        loop {
            if self.expect("}").is_some() {
                break;
            }
            let before = self.rest;
            match self.word() {
                Some(key) if self.expect("=").is_some() => {
                    if self.rest.trim_start().starts_with("{ {") {
                        return None;
                    }
                    map.insert(key, self.value()?);
                }
                _ => {
                    self.rest = before;
                    if self.rest.trim_start().starts_with('{') {
                        return None;
                    }
                    list.push(self.value()?);
                }
            }
            if self.expect(",").is_none() {
                self.expect("}")?;
                break;
            }
        }
        match (list.is_empty(), map.is_empty()) {
            (false, true) => Some(Value::Array(list)),
            (true, _) => Some(Value::Object(map)),
            (false, false) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_script_begins_with_its_mark() {
        assert!(SCRIPT.starts_with(MARK));
    }

    #[test]
    fn a_table_comes_back() {
        let rule = json!({ "allow": ["a", "b"], "class": "x\"y\\", "later": true, "within": 8 });
        let text = format!("local partitions = {{}}\npartitions[\"q\"] = {}\n\n{SCRIPT}", write(&rule));
        let body = read(&text).unwrap();
        assert_eq!(body["Partitions"]["q"], rule);
        assert_eq!(body["Script"], script_digest());
    }

    #[test]
    fn an_edited_script_has_another_digest() {
        let body = read(&format!("{SCRIPT}-- more\n")).unwrap();
        assert_ne!(body["Script"], script_digest());
    }

    #[test]
    fn what_is_no_table_is_a_fault_with_its_line() {
        for bad in [
            "partitions[q] = {}",
            "partitions[\"q\"] = { a = b }",
            "partitions[\"q\"] = {",
            "os.exit()",
            "partitions[\"q\"] = {} x",
        ] {
            let text = format!("local partitions = {{}}\n{bad}\n{SCRIPT}");
            assert_eq!(read(&text).map_err(|(line, _)| line), Err(2), "{bad}");
        }
    }
}
