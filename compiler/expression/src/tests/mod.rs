//! Tests of the whole crate: tables of expressions and their values, and laws.

#![expect(clippy::string_slice, reason = "spans of the tests' own ASCII texts; a wrong one fails the test")]

mod arithmetic;
mod calls;
mod conversion;
mod deserialize;
mod deviations;
mod faults;
mod function_laws;
mod functions;
mod laws;
mod marks;
mod parser;
mod quantities;
mod unknowns;

use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span};

use crate::quantity::{Count, Currency, Duration, Money, Range};
use crate::{
    BlockRef, FileFault, Host, Number, Scope, Symbol, Template, TemplateFault, Type, Value, evaluate,
};

/// The files of the tests.
const FILES: [(&str, &[u8]); 4] = [
    ("files/hello.txt", b"hello ${name}\n"),
    ("files/logo.bin", &[0, 255]),
    ("files/motd.txt", b"welcome\n"),
    ("main.pool.hcl", b""),
];

/// A fleet with two pools, a rate from pounds to dollars, and a function of its own.
pub(super) struct TestHost;

impl Host for TestHost {
    fn symbol(&self, symbol: &Symbol, span: Span) -> Result<Value, Box<Diagnostic>> {
        let message = format!("no symbol {symbol:?}");
        Err(Box::new(Diagnostic::error(crate::codes::NO_ATTRIBUTE, message).at(span, "")))
    }

    fn attribute(&self, block: &BlockRef, name: &str, span: Span) -> Result<Value, Box<Diagnostic>> {
        match name {
            "name" => Ok(Value::string(block.address.rsplit('.').next().unwrap_or(""))),
            "gpus" => Ok(Value::object([("min", gpus(0)), ("max", gpus(16))])),
            "price" => Ok(Money::parse("$2.10/gpu/h").unwrap().into()),
            _ => Err(Box::new(Diagnostic::error(crate::codes::NO_ATTRIBUTE, "no attribute").at(span, ""))),
        }
    }

    fn call(&self, name: &str, arguments: &[Value], _span: Span) -> Option<Result<Value, Box<Diagnostic>>> {
        (name == "price").then(|| Ok(Value::number(arguments.len())))
    }

    fn read_file(&self, path: &str) -> Option<Result<Vec<u8>, FileFault>> {
        let found = FILES.iter().find(|(name, _)| *name == path);
        Some(found.map(|(_, bytes)| bytes.to_vec()).ok_or_else(|| match path {
            "files" => FileFault::Other("it is a folder".into()),
            _ => FileFault::Missing,
        }))
    }

    fn list_files(&self, folder: &str) -> Option<Result<Vec<String>, FileFault>> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let below = FILES.iter().filter_map(|(name, _)| name.strip_prefix(&prefix)).map(str::to_owned);
        Some(Ok(below.collect()))
    }

    /// Names that are not there are found here and not by a resolver, and nothing is looked at but names in holes.
    fn template(&self, text: &str, names: &[Arc<str>]) -> Option<Result<Template, TemplateFault>> {
        let holes = text.match_indices("${").filter(|_| !text.contains("%{for"));
        for (at, _) in holes {
            let name: String = text[at + 2..].chars().take_while(|c| c.is_alphanumeric()).collect();
            let is_call = text[at + 2 + name.len()..].starts_with('(');
            if name.starts_with(char::is_alphabetic)
                && !is_call
                && !names.iter().any(|known| **known == *name)
            {
                let line = text[..at].matches('\n').count() + 1;
                let message = format!("there is no `{name}` here");
                return Some(Err(TemplateFault { line, message, help: None }));
            }
        }
        Some(Ok(Template { expr: parser::parse_template(text), start: 0 }))
    }

    fn exchange_rate(&self, from: Currency, to: Currency) -> Option<Number> {
        (from == Currency::GBP && to == Currency::USD).then(|| Number::ratio(5, 4).unwrap())
    }
}

pub(super) fn gpus(number: u64) -> Value {
    Count::gpus(number).into()
}

/// What the tests' expressions may name.
pub(super) fn scope() -> Scope {
    let pool = |name: &str| Value::block("pool", format!("pool.{name}"));
    let cost = Value::object([("ceiling", Money::parse("$470248.94/month").unwrap().into())]);
    let itself = Value::object([
        ("name", Value::string("nlp")),
        ("run_time", Duration::from_seconds(8 * 3600).into()),
        ("gpus", Value::object([("min", gpus(0)), ("max", gpus(16))])),
        ("cost", Value::object([("monthly", cost)])),
        ("none", Value::Null),
        ("tenants", Value::list([Value::string("a"), Value::string("b")])),
    ]);
    let objects =
        ["x", "y"].map(|name| Value::object([("name", Value::string(name)), ("n", Value::number(1_u64))]));
    Scope::default()
        .with("self", itself)
        .with("pool", Value::object([("a", pool("a")), ("b", pool("b"))]))
        .with("names", Value::list(["a", "b"].map(Value::string)))
        .with("objs", Value::list(objects))
        .with(
            "pairs",
            Value::list([Value::list([Value::number(1_u64)]), Value::list([Value::number(2_u64)])]),
        )
        .with("limits", Value::quantity(Range { min: 2, max: None }))
        .with("t", Value::Bool(true))
        .with("f", Value::Bool(false))
        .with("u", Value::Unknown(Type::Bool))
        .with("un", Value::Unknown(Type::Number))
        .with("ua", Value::Unknown(Type::Any))
        .with("ul", Value::Unknown(Type::List(Box::new(Type::Any))))
        .with("ud", Value::Unknown(Type::Duration))
        .with("secret", Value::string("hunter2").sensitive())
        .with("secret_number", Value::number(3_u64).sensitive())
        .with("secret_flag", Value::Bool(true).sensitive())
}

pub(super) fn run(text: &str) -> Result<Value, Box<Diagnostic>> {
    evaluate(&parser::parse(text), &scope(), &TestHost)
}

/// The value as text, or `error: CODE message`.
pub(super) fn shown(text: &str) -> String {
    match run(text) {
        Ok(value) => value.to_string(),
        Err(diagnostic) => format!("error {}: {}", diagnostic.code, diagnostic.message),
    }
}

/// Each row: an expression and its value as text.
pub(super) fn table(rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(text, wanted)| {
            let found = shown(text);
            (found != *wanted).then(|| format!("{text}\n  wanted {wanted}\n  found  {found}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} rows\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}
