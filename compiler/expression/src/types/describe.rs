//! Types in words, for messages, documentation and schemas.

use std::fmt;

use super::Type;

impl Type {
    /// A short name: `a duration`, `text`, `a list`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Any => "a value",
            Self::Bool => "a bool",
            Self::Number => "a number",
            Self::Integer { .. } => "a whole number",
            Self::String => "text",
            Self::Name => "a name",
            Self::Path => "a path",
            Self::Enum(_) => "a word",
            Self::Duration => "a duration",
            Self::Bytes => "an amount of data",
            Self::Bandwidth => "a bandwidth",
            Self::Power => "a power",
            Self::Energy => "an energy",
            Self::Money(_) => "money",
            Self::Percent => "a percentage",
            Self::Range => "a range",
            Self::Hosts => "a host list",
            Self::Date => "a date",
            Self::Version => "a version",
            Self::Constraint => "a version constraint",
            Self::Pattern => "a pattern",
            Self::Taint => "a taint",
            Self::List(_) => "a list",
            Self::Set(_) => "a set",
            Self::Map(_) => "a map",
            Self::Object(_) => "an object",
            Self::Block(_) => "a reference",
            Self::OneOf(_) => "one of several types",
        }
    }

    /// The type in full, for messages and documentation: `a duration such as "15m"`.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Integer { min, max } => match (min, max) {
                (None | Some(0), None) => "a whole number".into(),
                (Some(min), None) => format!("a whole number, at least {min}"),
                (min, Some(max)) => format!("a whole number from {} to {max}", min.unwrap_or(0)),
            },
            Self::Name => "a name (lower-case letters, digits, single hyphens)".into(),
            Self::Path => "a relative path such as \"live/eks\"".into(),
            Self::Enum(words) => match &**words {
                [word] => format!("\"{word}\""),
                words => format!("one of {}", quoted(words)),
            },
            Self::Duration => "a duration such as \"15m\"".into(),
            Self::Bytes => "an amount of data such as \"80GiB\"".into(),
            Self::Bandwidth => "a bandwidth such as \"400Gbps\"".into(),
            Self::Power => "a power such as \"8.5kW\"".into(),
            Self::Energy => "an energy such as \"12kWh\"".into(),
            Self::Money(forms) => match &**forms {
                [] => "money such as \"$2.10/gpu/h\"".into(),
                forms => {
                    let forms: Vec<String> =
                        forms.iter().map(|form| format!("\"{}\"", money_example(form))).collect();
                    format!("money such as {}", or(&forms))
                }
            },
            Self::Percent => "a percentage such as \"15%\"".into(),
            Self::Range => "a range such as \"0..16\" or a whole number".into(),
            Self::Hosts => "host names such as \"gpu[001-016]\"".into(),
            Self::Date => "a date such as \"2027-01-31\"".into(),
            Self::Version => "a version such as \"0.19\"".into(),
            Self::Constraint => "a version constraint such as \">= 0.1\"".into(),
            Self::Pattern => "a pattern such as \"eu-*\"".into(),
            Self::Taint => "a taint such as \"key=value:NoSchedule\"".into(),
            Self::List(element) => format!("a list, each element {}", element.describe()),
            Self::Set(element) => format!("a set, each element {}", element.describe()),
            Self::Map(element) => format!("a map, each value {}", element.describe()),
            Self::Object(object) => {
                let required: Vec<String> = object
                    .fields
                    .iter()
                    .filter(|field| field.required)
                    .map(|field| format!("`{}`", field.name))
                    .collect();
                if required.is_empty() {
                    "an object".into()
                } else {
                    format!("an object with {}", required.join(", "))
                }
            }
            Self::Block(kinds) => {
                let kinds: Vec<String> = kinds.iter().map(|kind| format!("`{kind}`")).collect();
                if kinds.is_empty() {
                    "a reference".into()
                } else {
                    {
                        // Kinds begin with their own letter behind a backtick: `accelerator` takes "an".
                        let vowel = kinds.first().is_some_and(|kind| {
                            kind.trim_start_matches('`').starts_with(['a', 'e', 'i', 'o'])
                        });
                        format!("a reference to {} {}", if vowel { "an" } else { "a" }, or(&kinds))
                    }
                }
            }
            Self::OneOf(types) => or(&types.iter().map(Self::describe).collect::<Vec<_>>()),
            plain => plain.name().into(),
        }
    }
}

/// A money literal of a form: `$2.10/gpu/h`; the empty form is a total.
fn money_example(form: &str) -> String {
    let amount = match form {
        "gpu/h" => "$2.10",
        "node/h" => "$16.80",
        "kWh" => "$0.09",
        _ => "$5000",
    };
    if form.is_empty() { amount.into() } else { format!("{amount}/{form}") }
}

fn quoted(words: &[std::sync::Arc<str>]) -> String {
    words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
}

/// `a`, `a or b`, `a, b or c`.
fn or(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [start @ .., last] => format!("{} or {last}", start.join(", ")),
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe())
    }
}
