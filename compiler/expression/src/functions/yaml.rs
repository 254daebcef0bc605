//! YAML, both ways. Numbers keep all their digits.
//!
//! Written in block style with all texts in quotes, so that no reader of YAML 1.1 takes `no` for a bool; read by the core
//! schema of YAML 1.2, one document.

use std::collections::BTreeMap;
use std::sync::Arc;

use granit_parser::{Event, Parser, ScalarStyle, StrInput, Tag};

use super::call::Call;
use super::json::{not_too_long, quoted, scalar_text};
use crate::{Fault, Number, NumberError, Value, codes};

pub(super) fn yamlencode(call: &Call<'_>) -> Result<Value, Fault> {
    let mut out = String::new();
    write(call.argument(0), 0, false, &mut out)?;
    Ok(Value::string(&out))
}

/// A value and a line end. `inline`: it begins behind a `- `, so that its first line is already indented.
fn write(value: &Value, indent: usize, inline: bool, out: &mut String) -> Result<(), Fault> {
    let pad = |out: &mut String, first: bool| {
        if !(inline && first) {
            out.push_str(&" ".repeat(indent));
        }
    };
    match value {
        Value::List(items) | Value::Set(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                pad(out, index == 0);
                out.push_str("- ");
                write(item, indent + 2, true, out)?;
            }
        }
        Value::Object(entries) if !entries.is_empty() => {
            for (index, (key, item)) in entries.iter().enumerate() {
                pad(out, index == 0);
                out.push_str(&quoted(key));
                out.push(':');
                match item {
                    Value::List(items) | Value::Set(items) if !items.is_empty() => {
                        out.push('\n');
                        write(item, indent, false, out)?;
                    }
                    Value::Object(entries) if !entries.is_empty() => {
                        out.push('\n');
                        write(item, indent + 2, false, out)?;
                    }
                    _ => {
                        out.push(' ');
                        plain(item, indent, out);
                    }
                }
            }
        }
        other => plain(other, indent.saturating_sub(2), out),
    }
    not_too_long(out)
}

/// What has no lines of its own, or a text of several lines below `indent`.
fn plain(value: &Value, indent: usize, out: &mut String) {
    match value {
        Value::List(_) | Value::Set(_) => out.push_str("[]"),
        Value::Object(_) => out.push_str("{}"),
        Value::Number(number) => out.push_str(&number.to_string()),
        Value::String(text) if literal(text) => {
            let end = text.len() - text.trim_end_matches('\n').len();
            out.push_str(match end {
                0 => "|-",
                1 => "|",
                _ => "|+",
            });
            for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
                out.push('\n');
                if !line.is_empty() {
                    out.push_str(&" ".repeat(indent + 2));
                    out.push_str(line);
                }
            }
        }
        Value::String(text) => out.push_str(&quoted(text)),
        other => out.push_str(&scalar_text(other)),
    }
    out.push('\n');
}

/// Whether a text can be written line by line: it has several lines, its first begins with a sign, and nothing in it
/// needs an escape.
fn literal(text: &str) -> bool {
    let plain = |c: char| {
        c == '\n' || c == '\t' || (!c.is_control() && !"\u{feff}\u{2028}\u{2029}\u{85}".contains(c))
    };
    text.trim_end_matches('\n').contains('\n')
        && !text.starts_with([' ', '\n', '\t'])
        && text.chars().all(plain)
        && !text.split('\n').any(|line| line.ends_with([' ', '\t']) || line.starts_with(['\t', '#']))
}

/// How deep lists and maps may nest.
const MAX_DEPTH: usize = 128;

/// How many values a document may stand for, aliases counted each time: a few lines can stand for billions.
const MAX_VALUES: usize = 1_000_000;

pub(super) fn yamldecode(call: &Call<'_>) -> Result<Value, Fault> {
    let text = call.text(0)?;
    call.work(text.len() / 16)?;
    let options = granit_parser::options! { emit_comments: false };
    let parser = Parser::new_from_str_with_options(&text, options);
    Reader { call, parser, anchors: BTreeMap::new(), depth: 0, values: 0, line: 1 }.document()
}

struct Reader<'c, 't> {
    call: &'c Call<'c>,
    parser: Parser<'t, StrInput<'t>>,
    /// The value of each anchor with its size; none while it is being read.
    anchors: BTreeMap<usize, Option<(Value, usize)>>,
    depth: usize,
    values: usize,
    line: usize,
}

impl<'t> Reader<'_, 't> {
    fn fault(&self, message: impl std::fmt::Display) -> Fault {
        self.call.fault(0, format_args!("not YAML that can be read: line {}: {message}", self.line))
    }

    /// The next event; none at the end.
    fn next(&mut self) -> Result<Option<Event<'t>>, Fault> {
        match self.parser.next_event() {
            None => Ok(None),
            Some(Ok((event, span))) => {
                self.line = span.start.line();
                Ok(Some(event))
            }
            Some(Err(error)) => {
                self.line = error.marker().line();
                Err(self.fault(error.info()))
            }
        }
    }

    fn document(&mut self) -> Result<Value, Fault> {
        let mut value = None;
        while let Some(event) = self.next()? {
            match event {
                Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
                Event::DocumentStart(..) if value.is_some() => {
                    return Err(self.fault("a second document begins, and one is read"));
                }
                Event::DocumentStart(..) => {}
                other => value = Some(self.node(other)?),
            }
        }
        Ok(value.unwrap_or(Value::Null))
    }

    /// The value that begins with an event.
    fn node(&mut self, event: Event<'t>) -> Result<Value, Fault> {
        let before = self.values;
        self.count(1)?;
        let (value, anchor) = match event {
            Event::Alias(id) => {
                return match self.anchors.get(&id) {
                    Some(Some((value, size))) => {
                        let (value, size) = (value.clone(), *size);
                        self.count(size)?;
                        Ok(value)
                    }
                    _ => Err(self.fault("an alias stands inside of what it refers to")),
                };
            }
            Event::Scalar(text, style, anchor, tag) => (self.scalar(&text, style, tag.as_deref())?, anchor),
            Event::SequenceStart(_, anchor, tag) => {
                self.collection_tag(tag.as_deref(), "seq")?;
                (self.inside(anchor, Self::list)?, anchor)
            }
            Event::MappingStart(_, anchor, tag) => {
                self.collection_tag(tag.as_deref(), "map")?;
                (self.inside(anchor, Self::map)?, anchor)
            }
            _ => return Err(self.fault("a value is missing")),
        };
        if anchor > 0 {
            self.anchors.insert(anchor, Some((value.clone(), self.values - before)));
        }
        Ok(value)
    }

    fn count(&mut self, values: usize) -> Result<(), Fault> {
        self.values = self.values.saturating_add(values);
        if self.values <= MAX_VALUES {
            return Ok(());
        }
        let message = format!("the document stands for more than {MAX_VALUES} values");
        Err(Fault::new(codes::TOO_LARGE, message))
    }

    fn inside(&mut self, anchor: usize, read: fn(&mut Self) -> Result<Value, Fault>) -> Result<Value, Fault> {
        if self.depth >= MAX_DEPTH {
            return Err(self.fault(format_args!("lists and maps nest more than {MAX_DEPTH} levels deep")));
        }
        if anchor > 0 {
            self.anchors.insert(anchor, None);
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn list(&mut self) -> Result<Value, Fault> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                Some(Event::SequenceEnd) | None => return Ok(Value::list(items)),
                Some(event) => items.push(self.node(event)?),
            }
        }
    }

    fn map(&mut self) -> Result<Value, Fault> {
        let mut own: BTreeMap<Arc<str>, Value> = BTreeMap::new();
        let mut merged: BTreeMap<Arc<str>, Value> = BTreeMap::new();
        loop {
            let event = match self.next()? {
                Some(Event::MappingEnd) | None => break,
                Some(event) => event,
            };
            let is_merge = matches!(&event, Event::Scalar(text, ScalarStyle::Plain, _, None) if text == "<<");
            let key = self.key(event)?;
            let Some(event) = self.next()? else { break };
            let value = self.node(event)?;
            if is_merge {
                self.merge(&value, &mut merged)?;
            } else if own.insert(key.clone(), value).is_some() {
                return Err(self.fault(format_args!("the key {} is given twice", Value::String(key))));
            }
        }
        for (key, value) in merged {
            own.entry(key).or_insert(value);
        }
        Ok(Value::Object(Arc::new(own)))
    }

    /// `<<: *defaults`: the entries of a map, or of several, as far as there are none yet.
    fn merge(&self, value: &Value, merged: &mut BTreeMap<Arc<str>, Value>) -> Result<(), Fault> {
        let maps = value.elements().unwrap_or(std::slice::from_ref(value));
        for map in maps {
            let Value::Object(entries) = map else {
                return Err(self.fault("`<<` takes a map or a list of maps"));
            };
            for (key, value) in entries.iter() {
                merged.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
        Ok(())
    }

    fn key(&mut self, event: Event<'t>) -> Result<Arc<str>, Fault> {
        match self.node(event)? {
            Value::String(text) => Ok(text),
            key @ (Value::Number(_) | Value::Bool(_)) => Ok(key.to_string().into()),
            _ => Err(self.fault("a key is a text, a number or a bool")),
        }
    }

    fn collection_tag(&self, tag: Option<&Tag>, own: &str) -> Result<(), Fault> {
        match tag {
            Some(tag) if tag.core_suffix() != Some(own) && tag.original() != "!" => Err(self.unknown(tag)),
            _ => Ok(()),
        }
    }

    fn unknown(&self, tag: &Tag) -> Fault {
        self.fault(format_args!("the tag `{}` is not supported here", tag.original()))
    }

    fn scalar(&self, text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Result<Value, Fault> {
        let string = || Value::string(text);
        let Some(tag) = tag else {
            return if style == ScalarStyle::Plain { self.plain(text) } else { Ok(string()) };
        };
        let not = |what: &str| self.fault(format_args!("{} is not {what}", string()));
        match tag.core_suffix() {
            Some("str" | "binary" | "timestamp") => Ok(string()),
            Some("null") => Ok(Value::Null),
            Some("bool") => match self.plain(text)? {
                value @ Value::Bool(_) => Ok(value),
                _ => Err(not("a bool")),
            },
            Some("int" | "float") => match self.plain(text)? {
                value @ Value::Number(_) => Ok(value),
                _ => Err(not("a number")),
            },
            _ if tag.original() == "!" => Ok(string()),
            _ => Err(self.unknown(tag)),
        }
    }

    /// A scalar without quotes and tag, by the core schema.
    fn plain(&self, text: &str) -> Result<Value, Fault> {
        Ok(match text {
            "" | "~" | "null" | "Null" | "NULL" => Value::Null,
            "true" | "True" | "TRUE" => Value::Bool(true),
            "false" | "False" | "FALSE" => Value::Bool(false),
            _ => {
                let (sign, digits) = match text.strip_prefix(['-', '+']) {
                    Some(rest) => (text.get(..1).unwrap_or(""), rest),
                    None => ("", text),
                };
                if matches!(digits, ".inf" | ".Inf" | ".INF" | ".nan" | ".NaN" | ".NAN") {
                    return Err(self.fault(format_args!("`{text}` is no number here: numbers are exact")));
                }
                let number = if let Some(octal) = text.strip_prefix("0o") {
                    Number::from_radix(octal, 8)
                } else if let Some(hex) = text.strip_prefix("0x") {
                    Number::from_radix(hex, 16)
                } else {
                    decimal(sign, digits)
                };
                match number {
                    Ok(number) => Value::Number(number),
                    Err(NumberError::TooLarge) => {
                        return Err(self.fault("the number has more than 10,000 digits"));
                    }
                    Err(_) => Value::string(text),
                }
            }
        })
    }
}

/// `.5`, `5.`, `5e3`: YAML lets out digits that the language wants.
fn decimal(sign: &str, digits: &str) -> Result<Number, NumberError> {
    let minus = if sign == "-" { "-" } else { "" };
    let (mantissa, exponent) = match digits.find(['e', 'E']) {
        Some(at) => digits.split_at(at),
        None => (digits, ""),
    };
    if !mantissa.contains(|c: char| c.is_ascii_digit()) {
        return Err(NumberError::Syntax);
    }
    let zero = if mantissa.starts_with('.') { "0" } else { "" };
    let mantissa = mantissa.strip_suffix('.').unwrap_or(mantissa);
    Number::parse(&format!("{minus}{zero}{mantissa}{exponent}"))
}
