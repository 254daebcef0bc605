//! Tests of the whole crate: tables of expressions and their values, and laws.

#![expect(clippy::string_slice, reason = "spans of the tests' own ASCII texts; a wrong one fails the test")]

mod arithmetic;
mod calls;
mod conversion;
mod deserialize;
mod deviations;
mod faults;
mod laws;
mod marks;
mod parser;
mod quantities;
mod unknowns;

use poolwright_diagnostics::{Diagnostic, Span};

use crate::quantity::{Count, Currency, Duration, Money, Range};
use crate::{BlockRef, Host, Number, Scope, Symbol, Type, Value, evaluate};

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
