//! Functions by their usual names: OpenTofu's pure set as far as fleets need it, and those for units.
//!
//! What needs the fleet (`price`, `decide`) is asked of [`crate::Host::call`].

mod collection;
mod encoding;
mod logic;
mod number;
mod set;
mod text;
mod units;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::evaluate::{to_number, to_text};
use crate::{Fault, Host, Number, Type, Value, codes};

/// A function of the language.
#[derive(Clone, Copy)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// The names of its parameters, in order.
    pub parameters: &'static [&'static str],
    /// How many of them must be given.
    pub required: usize,
    /// Whether the last parameter may be repeated.
    pub variadic: bool,
    /// What it does, in one line.
    pub doc: &'static str,
    /// A call and, after ` = `, its value.
    pub example: &'static str,
    /// The type of its result.
    pub returns: fn() -> Type,
    pub(crate) reads: Reads,
    pub(crate) implementation: Implementation,
}

/// How much of its arguments a function looks at: what makes its result unknown or sensitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reads {
    /// All parts: one unknown or sensitive part makes the result so.
    Parts,
    /// The outer structure: parts go into the result as they are.
    Structure,
    /// All parts, and it knows itself what to do about unknown ones.
    Unknowns,
}

#[derive(Clone, Copy)]
pub(crate) enum Implementation {
    Pure(fn(&Call<'_>) -> Result<Value, Fault>),
    /// Evaluates its arguments one by one and takes the first that works.
    Try,
    /// Says whether its argument works.
    Can,
}

/// The function of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Function> {
    all().find(|function| function.name == name)
}

/// All functions, by subject.
pub fn all() -> impl Iterator<Item = &'static Function> {
    [
        collection::FUNCTIONS,
        set::FUNCTIONS,
        logic::FUNCTIONS,
        number::FUNCTIONS,
        text::FUNCTIONS,
        encoding::FUNCTIONS,
        units::FUNCTIONS,
    ]
    .into_iter()
    .flatten()
}

impl Function {
    const fn new(
        name: &'static str,
        parameters: &'static [&'static str],
        doc: &'static str,
        example: &'static str,
        returns: fn() -> Type,
        implementation: fn(&Call<'_>) -> Result<Value, Fault>,
    ) -> Self {
        Self {
            name,
            parameters,
            required: parameters.len(),
            variadic: false,
            doc,
            example,
            returns,
            reads: Reads::Parts,
            implementation: Implementation::Pure(implementation),
        }
    }

    const fn structure(mut self) -> Self {
        self.reads = Reads::Structure;
        self
    }

    const fn unknowns(mut self) -> Self {
        self.reads = Reads::Unknowns;
        self
    }

    const fn required(mut self, required: usize) -> Self {
        self.required = required;
        self
    }

    const fn variadic(mut self) -> Self {
        self.variadic = true;
        self
    }

    /// `lookup(map, key, default?)`
    #[must_use]
    pub fn signature(&self) -> String {
        let parameter = |(index, name): (usize, &&str)| {
            let optional = if index >= self.required && !self.variadic { "?" } else { "" };
            let repeated = if self.variadic && index + 1 == self.parameters.len() { "..." } else { "" };
            format!("{name}{optional}{repeated}")
        };
        let parameters: Vec<String> = self.parameters.iter().enumerate().map(parameter).collect();
        format!("{}({})", self.name, parameters.join(", "))
    }

    /// How many arguments it takes, in words.
    pub(crate) fn arity(&self) -> String {
        let arguments = |n: usize| format!("{n} argument{}", if n == 1 { "" } else { "s" });
        match (self.required, self.parameters.len(), self.variadic) {
            (least, _, true) => format!("at least {}", arguments(least)),
            (least, most, false) if least == most => arguments(most),
            (least, most, false) => format!("{least} to {}", arguments(most)),
        }
    }
}

/// A call with its arguments, free of marks.
pub(crate) struct Call<'a> {
    pub(crate) name: &'static str,
    pub(crate) arguments: &'a [Value],
    pub(crate) host: &'a dyn Host,
}

static NULL: Value = Value::Null;

impl Call<'_> {
    /// The argument; null if it was left out.
    fn argument(&self, index: usize) -> &Value {
        self.arguments.get(index).unwrap_or(&NULL)
    }

    fn fault(&self, index: usize, message: impl std::fmt::Display) -> Fault {
        Fault::new(codes::BAD_ARGUMENT, format!("`{}`: {message}", self.name)).argument(index)
    }

    fn wanted(&self, index: usize, wanted: &str) -> Fault {
        let value = self.argument(index);
        match value {
            Value::Null => self.fault(index, format_args!("{wanted} is wanted and the value is null")),
            other => {
                self.fault(index, format_args!("{wanted} is wanted, not {}: {other}", other.type_name()))
            }
        }
    }

    fn list(&self, index: usize) -> Result<&[Value], Fault> {
        self.argument(index).elements().ok_or_else(|| {
            let fault = self.wanted(index, "a list");
            match self.argument(index) {
                Value::Object(_) => {
                    fault.help("`values(map)` is the list of its values, `keys(map)` of its keys")
                }
                Value::Quantity(crate::quantity::Quantity::Hosts(_)) => {
                    fault.help("`expand_hosts(x)` is the list")
                }
                _ => fault,
            }
        })
    }

    fn object(&self, index: usize) -> Result<&BTreeMap<Arc<str>, Value>, Fault> {
        match self.argument(index) {
            Value::Object(entries) => Ok(entries),
            _ => Err(self.wanted(index, "a map or object")),
        }
    }

    fn text(&self, index: usize) -> Result<Arc<str>, Fault> {
        to_text(self.argument(index)).map_err(|_| self.wanted(index, "text"))
    }

    fn number(&self, index: usize) -> Result<Number, Fault> {
        to_number(self.argument(index)).map_err(|_| self.wanted(index, "a number"))
    }

    fn whole(&self, index: usize) -> Result<i64, Fault> {
        let number = self.number(index)?;
        number.to_i64().ok_or_else(|| self.wanted(index, "a whole number"))
    }

    /// A whole number that is not negative.
    fn size(&self, index: usize) -> Result<usize, Fault> {
        let number = self.whole(index)?;
        usize::try_from(number).map_err(|_| self.wanted(index, "a whole number that is not negative"))
    }

    /// Whether two elements are equal; what cannot be compared is not.
    fn same(&self, a: &Value, b: &Value) -> Option<bool> {
        crate::evaluate::equal(a, b, self.host).unwrap_or(Some(false))
    }
}

/// Types of results, for the tables.
mod returns {
    use crate::Type;

    pub(super) fn any() -> Type {
        Type::Any
    }

    pub(super) fn bool() -> Type {
        Type::Bool
    }

    pub(super) fn number() -> Type {
        Type::Number
    }

    pub(super) fn text() -> Type {
        Type::String
    }

    pub(super) fn list() -> Type {
        Type::List(Box::new(Type::Any))
    }

    pub(super) fn texts() -> Type {
        Type::List(Box::new(Type::String))
    }

    pub(super) fn set() -> Type {
        Type::Set(Box::new(Type::Any))
    }

    pub(super) fn map() -> Type {
        Type::Map(Box::new(Type::Any))
    }
}
