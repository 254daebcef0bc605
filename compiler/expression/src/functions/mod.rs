//! The functions of the language: OpenTofu's pure core set under its names, and those for units.
//!
//! One file a subject, each with its table: what a table says is what the reference pages say, and a test runs every
//! example in it. [`excluded`] names what other languages have and this one has not, with the reason. What needs the
//! fleet (`price`, `decide`) is asked of [`crate::Host::call`].

mod base64;
mod call;
mod collection;
mod date;
mod elements;
mod encoding;
mod excluded;
mod files;
mod format;
mod hash;
mod json;
mod logic;
mod map;
mod network;
mod number;
mod pattern;
mod sensitive;
mod set;
mod text;
mod trim;
mod types;
mod units;
mod yaml;

use crate::{Fault, Type, Value};

pub(crate) use call::Call;
pub use excluded::{Excluded, excluded};
pub(crate) use files::read_text;

/// A function of the language.
#[derive(Clone, Copy)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// Its parameters in order, each with what it is.
    pub parameters: &'static [(&'static str, &'static str)],
    /// How many of them must be given.
    pub required: usize,
    /// Whether the last parameter may be repeated.
    pub variadic: bool,
    /// What it does, in one line.
    pub doc: &'static str,
    /// Calls and their values as text; a call that fails has `error: ` and the message instead.
    pub examples: &'static [(&'static str, &'static str)],
    /// What else there is to know: edge cases, and what is not as in OpenTofu.
    pub notes: &'static [&'static str],
    /// The type of its result.
    pub returns: fn() -> Type,
    pub(crate) reads: Reads,
    /// The type of a result that is not known, where the arguments say more than `returns`.
    pub(crate) unknown: Option<fn(&[Value]) -> Type>,
    pub(crate) implementation: Implementation,
}

/// What functions are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the titles say it")]
pub enum Subject {
    Numbers,
    Texts,
    Collections,
    Encodings,
    Files,
    Dates,
    Hashes,
    Networks,
    Types,
    Units,
}

impl Subject {
    /// The heading of the reference.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Numbers => "Numbers",
            Self::Texts => "Text",
            Self::Collections => "Lists, sets and maps",
            Self::Encodings => "Encodings",
            Self::Files => "Files and templates",
            Self::Dates => "Dates and times",
            Self::Hashes => "Hashes",
            Self::Networks => "IP networks",
            Self::Types => "Types and conditions",
            Self::Units => "Quantities and hosts",
        }
    }
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
    /// The marks themselves: arguments come as they are, and the result is left as it is.
    Marks,
}

#[derive(Clone, Copy)]
pub(crate) enum Implementation {
    Pure(fn(&Call<'_>) -> Result<Value, Fault>),
    /// Evaluates its arguments one by one and takes the first that works.
    Try,
    /// Says whether its argument works.
    Can,
    /// Evaluates a template that is the value of its first argument.
    TemplateString,
    /// Evaluates the template in the file that its first argument names.
    TemplateFile,
}

/// The tables, by subject in the order of the reference.
const TABLES: &[(Subject, &[&[Function]])] = &[
    (Subject::Numbers, &[number::FUNCTIONS]),
    (Subject::Texts, &[text::FUNCTIONS, trim::FUNCTIONS, pattern::FUNCTIONS, format::FUNCTIONS]),
    (Subject::Collections, &[elements::FUNCTIONS, collection::FUNCTIONS, map::FUNCTIONS, set::FUNCTIONS]),
    (Subject::Encodings, &[encoding::FUNCTIONS, base64::FUNCTIONS]),
    (Subject::Files, &[files::FUNCTIONS]),
    (Subject::Dates, &[date::FUNCTIONS]),
    (Subject::Hashes, &[hash::FUNCTIONS]),
    (Subject::Networks, &[network::FUNCTIONS]),
    (Subject::Types, &[types::FUNCTIONS, logic::FUNCTIONS, sensitive::FUNCTIONS]),
    (Subject::Units, &[units::FUNCTIONS]),
];

/// The function of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Function> {
    all().find(|function| function.name == name)
}

/// All functions, by subject.
pub fn all() -> impl Iterator<Item = &'static Function> {
    TABLES.iter().flat_map(|(_, tables)| tables.iter().copied().flatten())
}

/// The functions of each subject, in the order of the reference; those of one by name.
#[must_use]
pub fn by_subject() -> Vec<(Subject, Vec<&'static Function>)> {
    let sorted = |tables: &&[&'static [Function]]| {
        let mut functions: Vec<&Function> = tables.iter().copied().flatten().collect();
        functions.sort_by_key(|function| function.name);
        functions
    };
    TABLES.iter().map(|(subject, tables)| (*subject, sorted(tables))).collect()
}

impl Function {
    const fn new(
        name: &'static str,
        parameters: &'static [(&'static str, &'static str)],
        doc: &'static str,
        returns: fn() -> Type,
        implementation: fn(&Call<'_>) -> Result<Value, Fault>,
    ) -> Self {
        Self {
            name,
            parameters,
            required: parameters.len(),
            variadic: false,
            doc,
            examples: &[],
            notes: &[],
            returns,
            reads: Reads::Parts,
            unknown: None,
            implementation: Implementation::Pure(implementation),
        }
    }

    const fn examples(mut self, examples: &'static [(&'static str, &'static str)]) -> Self {
        self.examples = examples;
        self
    }

    const fn notes(mut self, notes: &'static [&'static str]) -> Self {
        self.notes = notes;
        self
    }

    const fn structure(mut self) -> Self {
        self.reads = Reads::Structure;
        self
    }

    const fn unknown(mut self, unknown: fn(&[Value]) -> Type) -> Self {
        self.unknown = Some(unknown);
        self
    }

    const fn unknowns(mut self) -> Self {
        self.reads = Reads::Unknowns;
        self
    }

    const fn marks(mut self) -> Self {
        self.reads = Reads::Marks;
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

    /// Done by the evaluator and not by a function of values.
    const fn special(mut self, implementation: Implementation) -> Self {
        self.implementation = implementation;
        self
    }

    /// `lookup(map, key, default?)`
    #[must_use]
    pub fn signature(&self) -> String {
        let parameter = |(index, (name, _)): (usize, &(&str, &str))| {
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

/// Stands in for functions that the evaluator does itself: reached only past its own handling.
fn by_the_evaluator(call: &Call<'_>) -> Result<Value, Fault> {
    Err(call.fault(0, "it cannot be called here"))
}
