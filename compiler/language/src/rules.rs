//! Rules of single values that a type does not say: what a text may hold that a target gets, and which numbers,
//! shares and sums make sense. Which attribute has which rule is data: `rule` in `schema/blocks.toml`.
//!
//! Two rules need no word in the schema and hold everywhere: no text has control characters, and no money and no
//! share is negative.

use std::fmt;
use std::sync::Arc;

use poolwright_diagnostics::{Code, Diagnostic, Span};
use poolwright_expression::quantity::Quantity;
use poolwright_expression::{Number, Value};
use serde::Deserialize;

use crate::schema::{AttributeSchema, Schema};
use crate::{codes, labels};

/// A rule of `blocks.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Text for people, with lines of its own.
    Prose,
    /// A group of Unix or of Kubernetes RBAC.
    Group,
    /// A word without separators, as Slurm lists it.
    Word,
    /// The path of a file on a machine, from its root.
    Absolute,
    /// Labels of nodes, by the rules of Kubernetes.
    NodeLabels,
    /// Texts that may be empty: variables of an environment; owners, which have a rule of their own.
    MayBeEmpty,
    /// Labels of objects: those of Poolwright itself are not for others.
    Labels,
    /// At least one.
    AtLeastOne,
    /// Zero or more.
    NotNegative,
    /// More than zero.
    AboveZero,
    /// A weight of fair share.
    Weight,
    /// Memory that a machine can have.
    Memory,
    /// An extended resource of Kubernetes.
    Resource,
    /// The value of a label of Kubernetes.
    LabelValue,
}

/// The greatest weight: far above any that is used, and whole numbers of it fit every target.
const MOST_WEIGHT: i64 = 1_000_000;
/// The greatest memory of one node: 1 PiB, thirty times what any machine has. Quotas count bytes in 63 bits.
const MOST_MEMORY: i64 = 1 << 50;

/// Checks a value with everything in it; `span` gives the place of a path.
pub(crate) fn check(
    schema: &Schema,
    attribute: &AttributeSchema,
    value: &Value,
    span: &dyn Fn(&str) -> Span,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let path = Path::Whole(&attribute.name);
    walk(schema, &path, (&attribute.type_text, attribute.rule), value, &mut |path, code, fault| {
        let (message, label, help) = fault;
        found.push(Diagnostic::error(code, message).at(span(&path.to_string()), label).with_help(help));
    });
    found
}

/// Where something is in an attribute. It is written out only when there is a fault.
enum Path<'p> {
    Whole(&'p str),
    Index(&'p Path<'p>, usize),
    Key(&'p Path<'p>, &'p str),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(name) => f.write_str(name),
            Self::Index(of, index) => write!(f, "{of}[{index}]"),
            Self::Key(of, key) => write!(f, "{of}.{key}"),
        }
    }
}

/// What is wrong, a label for its place, and what to write.
type Fault = (String, String, String);

fn walk(
    schema: &Schema,
    path: &Path<'_>,
    (type_text, rule): (&str, Option<Rule>),
    value: &Value,
    report: &mut dyn FnMut(&Path<'_>, Code, Fault),
) {
    let inside = |head: &str| type_text.strip_prefix(head).and_then(|rest| rest.strip_suffix(')'));
    match value {
        Value::List(items) | Value::Set(items) => {
            let element = inside("list(").or(inside("set(")).unwrap_or(type_text);
            for (index, item) in items.iter().enumerate() {
                walk(schema, &Path::Index(path, index), (element, rule), item, report);
            }
        }
        Value::Object(fields) => {
            if let Some(object) = inside("object(").and_then(|name| schema.objects.get(name)) {
                for field in &object.fields {
                    let Some(value) = fields.get(field.name.as_str()) else { continue };
                    walk(
                        schema,
                        &Path::Key(path, &field.name),
                        (&field.type_text, field.rule),
                        value,
                        report,
                    );
                }
                return;
            }
            for (key, value) in fields.iter() {
                let path = Path::Key(path, key);
                if let Some(fault) = key_fault(rule, key, value) {
                    report(&path, codes::TEXT_RULE, fault);
                    continue;
                }
                let rule =
                    rule.filter(|rule| matches!(rule, Rule::Labels | Rule::NodeLabels | Rule::MayBeEmpty));
                walk(schema, &path, (inside("map(").unwrap_or(""), rule), value, report);
            }
        }
        // Words for people and values of labels may be nothing; what names something outside may not.
        Value::String(text) if text.is_empty() && rule.is_none() && type_text == "string" => {
            let message = format!("`{path}` is empty");
            let help = "write it, or remove it".to_owned();
            report(path, codes::TEXT_RULE, (message, "nothing stands between the quotes".to_owned(), help));
        }
        Value::String(text) => {
            if let Some(fault) = text_fault(path, rule, text) {
                report(path, codes::TEXT_RULE, fault);
            }
        }
        Value::Number(number) => {
            if let Some(fault) = number_fault(path, rule, number, number) {
                report(path, codes::VALUE_RULE, fault);
            }
        }
        Value::Quantity(quantity) => {
            let number = match quantity {
                Quantity::Duration(found) => &found.0,
                Quantity::Bytes(found) => &found.0,
                Quantity::Percent(found) => &found.0,
                Quantity::Money(found) => {
                    let rule = Some(Rule::NotNegative);
                    if let Some(fault) = number_fault(path, rule, &found.amount, found) {
                        report(path, codes::VALUE_RULE, fault);
                    }
                    return;
                }
                _ => return,
            };
            let rule = rule.or(Some(Rule::NotNegative));
            if let Some(fault) = number_fault(path, rule, number, quantity) {
                report(path, codes::VALUE_RULE, fault);
            }
        }
        _ => {}
    }
}

fn number_fault(
    path: &Path<'_>,
    rule: Option<Rule>,
    number: &Number,
    shown: &dyn fmt::Display,
) -> Option<Fault> {
    let (zero, one) = (Number::from(0_i64), Number::from(1_i64));
    let fault = |label: &str, help: &str| {
        Some((format!("`{path}` cannot be {shown}"), label.to_owned(), help.to_owned()))
    };
    match rule? {
        Rule::AtLeastOne if *number < one => fault("less than 1", "write 1 or more"),
        Rule::NotNegative if *number < zero => fault("is negative", "write zero or more"),
        Rule::AboveZero if *number <= zero => fault("is nothing", "write more than zero"),
        Rule::Weight if *number < zero || *number > Number::from(MOST_WEIGHT) => {
            fault("no weight", "write a number from 0 to 1000000: weights count in proportion to each other")
        }
        Rule::Memory if *number < zero || *number > Number::from(MOST_MEMORY) => {
            fault("more than any machine has", "write the memory of one machine, at most 1 PiB: `\"1TiB\"`")
        }
        _ => None,
    }
}

fn text_fault(path: &Path<'_>, rule: Option<Rule>, text: &Arc<str>) -> Option<Fault> {
    let prose = rule == Some(Rule::Prose);
    if text.chars().any(|c| forbidden(c) && !(prose && matches!(c, '\n' | '\t'))) {
        return Some((
            format!("`{path}` has control characters: {text:?}"),
            "line breaks and control characters reach no target".to_owned(),
            "write it on one line, without control characters".to_owned(),
        ));
    }
    let fault = |label: &str, help: &str| {
        Some((format!("`{path}` cannot be {text:?}"), label.to_owned(), help.to_owned()))
    };
    let first = text.chars().next();
    match rule? {
        Rule::Group
            if text.len() > 253
                || !first.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
                || !text.chars().all(|c| c.is_ascii_alphanumeric() || "_.:@/-".contains(c)) =>
        {
            fault("not the name of a group", "letters, digits and `_ . : @ / -`, a letter or digit first")
        }
        Rule::Word
            if text.len() > 63
                || !first.is_some_and(|c| c.is_ascii_alphanumeric())
                || !text.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c)) =>
        {
            fault(
                "not one word",
                "letters, digits and `_ . -`, a letter or digit first, at most 63 characters",
            )
        }
        // Kubernetes, "Extended resources"; `IsExtendedResourceName` of its validation.
        Rule::Resource => {
            let domain = text.split_once('/').map_or("", |(domain, _)| domain);
            let own = domain == "kubernetes.io" || domain.ends_with(".kubernetes.io");
            let reserved = own || domain.starts_with("requests.");
            if domain.is_empty() || labels::fault(text, "").is_some() {
                fault(
                    "no resource of Kubernetes",
                    "write the domain of its device plugin, a slash and a name: `\"acme.dev/npu\"`",
                )
            } else if reserved {
                fault("Kubernetes' own names", "take the domain of its device plugin: `\"acme.dev/npu\"`")
            } else {
                None
            }
        }
        Rule::LabelValue if text.is_empty() => fault("no label of a product", "copy it from a node"),
        Rule::LabelValue => labels::fault("key", text).map(|found| {
            (
                format!("`{path}` cannot be {text:?}"),
                found,
                "copy it from a node: at most 63 letters, digits and `- _ .`, a letter or digit at both ends"
                    .to_owned(),
            )
        }),
        Rule::Absolute
            if !text.starts_with('/')
                || text.chars().any(|c| c.is_whitespace() || "\"'`$;|&<>*?".contains(c)) =>
        {
            fault(
                "no absolute path",
                "begin with `/`, without blanks and signs that a shell reads: `\"/opt/acme/resume\"`",
            )
        }
        _ => None,
    }
}

/// Line breaks and control characters, those of Unicode too.
fn forbidden(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

fn key_fault(rule: Option<Rule>, key: &str, value: &Value) -> Option<Fault> {
    if key.chars().any(forbidden) {
        return Some((
            format!("the key {key:?} has control characters"),
            "no target takes such a key".to_owned(),
            "write it without them".to_owned(),
        ));
    }
    match (rule?, value) {
        (Rule::Labels, _) if key.starts_with("poolwright.dev/") => Some((
            format!("the label `{key}` is one that Poolwright itself writes"),
            "reserved".to_owned(),
            "choose another prefix: `poolwright.dev/` says what belongs to which fleet".to_owned(),
        )),
        (Rule::NodeLabels, Value::String(value)) => labels::fault(key, value).map(|fault| {
            (
                format!("`{key}` = {value:?} is no label of a node"),
                fault,
                "keys and values: at most 63 letters, digits and `- _ .`, a letter or digit at both ends; a key may begin with `example.com/`".to_owned(),
            )
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_has_no_separators() {
        for (text, good) in [
            ("ml-team", true),
            ("oidc:ml", true),
            ("a,b", false),
            ("a b", false),
            ("a\nNodeName=x", false),
            ("", false),
        ] {
            assert_eq!(
                text_fault(&Path::Whole("groups"), Some(Rule::Group), &Arc::from(text)).is_none(),
                good,
                "{text}"
            );
        }
    }
}
