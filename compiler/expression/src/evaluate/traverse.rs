//! `a.b`, `a["b"]`, `a.0`, `a.*.b`, `a[*].b`.

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_diagnostics::{Span, suggestion_help};

use super::fault::{Fault, Outcome};
use super::references::expression_text;
use super::{Evaluator, Expr, Scope, to_number, to_text};
use crate::expr::Step;
use crate::quantity::Quantity;
use crate::{Number, Type, Value, codes};

impl Evaluator<'_> {
    #[inline(never)]
    pub(super) fn traversal(&self, base: &Expr, steps: &[Step], scope: &Scope) -> Outcome {
        let value = self.eval(base, scope)?;
        let path = Path { base, all: steps };
        self.walk(value, steps, &path, scope)
    }

    fn walk(&self, value: Value, steps: &[Step], path: &Path<'_>, scope: &Scope) -> Outcome {
        let (mut value, mut mark) = value.unmark();
        let mut rest = steps;
        while let Some((step, after)) = rest.split_first() {
            self.limits.take(step_span(step))?;
            let (next, next_mark) = match step {
                Step::Attribute(name, span) => {
                    let place = Place { span: *span, path, done: rest.len(), sensitive: mark };
                    self.attribute(&value, name, &place)?.unmark()
                }
                Step::LegacyIndex(index, span) => {
                    let place = Place { span: *span, path, done: rest.len(), sensitive: mark };
                    self.index(&value, &Value::number(*index), &place)?.unmark()
                }
                Step::Index(key) => {
                    let (key_value, key_mark) = self.eval(key, scope)?.unmark();
                    mark |= key_mark;
                    let place = Place { span: key.span, path, done: rest.len(), sensitive: mark };
                    self.index(&value, &key_value, &place)?.unmark()
                }
                Step::FullSplat(span) => {
                    let result = self.splat(&value.marked(mark), after, path, *span, scope)?;
                    return Ok(result.marked(mark));
                }
                Step::AttributeSplat(span) => {
                    let is_attribute =
                        |step: &&Step| matches!(step, Step::Attribute(..) | Step::LegacyIndex(..));
                    let (inner, outer) = after.split_at(after.iter().take_while(is_attribute).count());
                    value = self.splat(&value.marked(mark), inner, path, *span, scope)?;
                    rest = outer;
                    continue;
                }
            };
            value = next;
            mark |= next_mark;
            rest = after;
        }
        Ok(value.marked(mark))
    }

    /// Applies steps to each element; null gives nothing, and what is no list is a list of one.
    fn splat(&self, source: &Value, steps: &[Step], path: &Path<'_>, span: Span, scope: &Scope) -> Outcome {
        let _level = self.limits.enter(span)?;
        let (source, mark) = source.clone().unmark();
        let one = std::slice::from_ref(&source);
        let items = match &source {
            Value::Null => &[],
            Value::Unknown(ty) => {
                // How many there are is not known, but what each of them would be.
                let element = match ty {
                    Type::List(element) | Type::Set(element) => &**element,
                    other => other,
                };
                let part = self.walk(Value::Unknown(element.clone()), steps, path, scope)?;
                return Ok(Value::Unknown(Type::List(Box::new(part.type_of()))).marked(mark));
            }
            other => other.elements().unwrap_or(one),
        };
        let results: Outcome<Vec<Value>> =
            items.iter().map(|item| self.walk(item.clone().marked(mark), steps, path, scope)).collect();
        Ok(Value::List(Arc::new(results?)))
    }

    fn attribute(&self, value: &Value, name: &str, place: &Place<'_, '_>) -> Outcome {
        match value {
            Value::Block(block) => self.host.attribute(block, name, place.span),
            Value::Object(entries) => entries.get(name).cloned().ok_or_else(|| {
                let help = subtraction(name, entries)
                    .or_else(|| suggestion_help("attribute", name, entries.keys().map(|key| &**key)));
                Fault::new(codes::NO_ATTRIBUTE, format!("{} has no attribute `{name}`", place.what(value)))
                    .maybe_help(help)
                    .hidden(place.sensitive)
                    .at(place.span)
            }),
            Value::Unknown(Type::Object(object)) => match object.field(name) {
                Some(field) => Ok(Value::Unknown(field.ty.clone())),
                None => Err(Fault::new(
                    codes::NO_ATTRIBUTE,
                    format!("{} has no attribute `{name}`", place.what(value)),
                )
                .maybe_help(suggestion_help(
                    "attribute",
                    name,
                    object.fields.iter().map(|field| &*field.name),
                ))
                .hidden(place.sensitive)
                .at(place.span)),
            },
            Value::Unknown(Type::Map(element)) => Ok(Value::Unknown((**element).clone())),
            Value::Unknown(Type::Range) if matches!(name, "min" | "max") => Ok(Value::Unknown(Type::Number)),
            Value::Unknown(ty) if ty.is_open() => Ok(Value::Unknown(Type::Any)),
            Value::Quantity(Quantity::Range(range)) => match name {
                "min" => Ok(Value::number(range.min)),
                "max" => Ok(range.max.map_or(Value::Null, Value::number)),
                _ => Err(Fault::new(codes::NO_ATTRIBUTE, format!("a range has no attribute `{name}`"))
                    .maybe_help(suggestion_help("attribute", name, ["min", "max"]))
                    .hidden(place.sensitive)
                    .at(place.span)),
            },
            Value::Null => Err(place
                .null(&format!("so it has no attribute `{name}`"))
                .hidden(place.sensitive)
                .at(place.span)),
            other => {
                let fault = Fault::new(
                    codes::NO_ATTRIBUTE,
                    format!("{} has no attributes, so there is no `{name}`", place.what(other)),
                );
                let fault = match other {
                    Value::List(_) | Value::Set(_) | Value::Unknown(Type::List(_) | Type::Set(_)) => {
                        fault.help(format!("`[*].{name}` takes it from each element"))
                    }
                    _ => fault,
                };
                Err(fault.hidden(place.sensitive).at(place.span))
            }
        }
    }

    fn index(&self, value: &Value, key: &Value, place: &Place<'_, '_>) -> Outcome {
        if let Value::Unknown(_) = key
            && let Value::List(_) | Value::Object(_) | Value::Block(_) | Value::Unknown(Type::Object(_)) =
                value
        {
            let (possible, ty) = match value.type_of() {
                Type::List(element) => (key.type_of().may_be_operand(), *element),
                _ => (key.type_of().may_have_text(), Type::Any),
            };
            if possible {
                return Ok(Value::Unknown(ty));
            }
        }
        let bad = |message: String| Fault::new(codes::BAD_INDEX, message);
        if key.is_null() {
            return Err(bad("the index is null".into()).hidden(place.sensitive).at(place.span));
        }
        match value {
            Value::List(items) => {
                let number = to_number(key)
                    .map_err(|_| not_a_number(key, place).hidden(place.sensitive).at(place.span))?;
                let found =
                    number.to_u64().and_then(|at| usize::try_from(at).ok()).and_then(|at| items.get(at));
                found.cloned().ok_or_else(|| {
                    out_of_bounds(&number, items.len(), place).hidden(place.sensitive).at(place.span)
                })
            }
            Value::Object(entries) => {
                let text =
                    to_text(key).map_err(|_| no_text(key, place).hidden(place.sensitive).at(place.span))?;
                entries.get(&text).cloned().ok_or_else(|| {
                    let help = suggestion_help("key", &text, entries.keys().map(|key| &**key));
                    bad(format!("{} has no key {}", place.what(value), Value::string(&text)))
                        .maybe_help(help)
                        .hidden(place.sensitive)
                        .at(place.span)
                })
            }
            Value::Block(_) => match key {
                Value::String(name) => self.attribute(value, name, place),
                _ => Err(bad(format!("{} is one block and has no elements", place.text()))
                    .hidden(place.sensitive)
                    .at(place.span)),
            },
            Value::Unknown(Type::List(element)) => match to_number(key) {
                Err(_) if !matches!(key, Value::Unknown(ty) if ty.may_be_operand()) => {
                    Err(not_a_number(key, place).hidden(place.sensitive).at(place.span))
                }
                _ => Ok(Value::Unknown((**element).clone())),
            },
            Value::Unknown(Type::Map(element)) => match to_text(key) {
                Err(_) if !matches!(key, Value::Unknown(ty) if ty.may_have_text()) => {
                    Err(no_text(key, place).hidden(place.sensitive).at(place.span))
                }
                _ => Ok(Value::Unknown((**element).clone())),
            },
            Value::Unknown(Type::Object(_)) => match to_text(key) {
                Ok(name) => self.attribute(value, &name, place),
                Err(_) => Err(no_text(key, place).hidden(place.sensitive).at(place.span)),
            },
            Value::Unknown(ty) if ty.is_open() => Ok(Value::Unknown(Type::Any)),
            Value::Null => Err(place.null("so it has no elements").hidden(place.sensitive).at(place.span)),
            Value::Set(_) | Value::Unknown(Type::Set(_)) => {
                Err(bad(format!("{} is a set, which has no order", place.text()))
                    .help("`tolist(set)[0]` takes an element, `contains(set, x)` asks for one")
                    .hidden(place.sensitive)
                    .at(place.span))
            }
            other => Err(bad(format!("{} has no elements", place.what(other)))
                .hidden(place.sensitive)
                .at(place.span)),
        }
    }
}

/// `each.value-1`: a hyphen belongs to a name.
fn subtraction(name: &str, entries: &BTreeMap<Arc<str>, Value>) -> Option<String> {
    let (before, after) = name.split_once('-')?;
    entries
        .contains_key(before)
        .then(|| format!("a hyphen belongs to a name; to subtract write `{before} - {after}`, with spaces"))
}

fn not_a_number(key: &Value, place: &Place<'_, '_>) -> Fault {
    Fault::new(codes::BAD_INDEX, format!("{} is a list: its index is a number, not {key}", place.text()))
}

fn no_text(key: &Value, place: &Place<'_, '_>) -> Fault {
    let message = format!("{} is an object: its key is text, not {}", place.text(), key.type_name());
    Fault::new(codes::BAD_INDEX, message)
}

fn out_of_bounds(index: &Number, length: usize, place: &Place<'_, '_>) -> Fault {
    let message = if !index.is_integer() {
        format!("an index is a whole number, not {index}")
    } else if index.is_negative() {
        format!("an index is not negative: {index}")
    } else {
        let elements = if length == 1 { "element" } else { "elements" };
        format!("{} has {length} {elements}, there is no [{index}]", place.text())
    };
    let help = match length.checked_sub(1) {
        None => "it is empty: test `length(…) > 0` first".to_owned(),
        Some(last) => format!("elements count from 0, the last is [{last}]"),
    };
    Fault::new(codes::BAD_INDEX, message).help(help)
}

/// A traversal, for messages.
struct Path<'e> {
    base: &'e Expr,
    all: &'e [Step],
}

/// A step of a traversal: its span, and how many steps were left with it.
struct Place<'p, 'e> {
    span: Span,
    path: &'p Path<'e>,
    done: usize,
    /// Whether the value or the index is, so that no message may show it.
    sensitive: bool,
}

impl Place<'_, '_> {
    /// The text of what comes before the step, as far as it is a reference.
    fn reference(&self) -> Option<String> {
        let before = self.path.all.len().checked_sub(self.done)?;
        let steps = self.path.all.get(..before)?;
        expression_text(self.path.base, steps)
    }

    fn text(&self) -> String {
        self.reference().map_or_else(|| "this".into(), |text| format!("`{text}`"))
    }

    fn what(&self, value: &Value) -> String {
        let article = value.type_name();
        self.reference().map_or_else(|| article.to_string(), |text| format!("`{text}`, {article},"))
    }

    fn null(&self, consequence: &str) -> Fault {
        match self.reference() {
            Some(text) => Fault::new(codes::NULL_ACCESS, format!("`{text}` is null, {consequence}"))
                .help(format!("test it first: `{text} != null && …`")),
            None => Fault::new(codes::NULL_ACCESS, format!("this is null, {consequence}"))
                .help("test it first: `x != null && …`"),
        }
    }
}

fn step_span(step: &Step) -> Span {
    match step {
        Step::Attribute(_, span)
        | Step::LegacyIndex(_, span)
        | Step::AttributeSplat(span)
        | Step::FullSplat(span) => *span,
        Step::Index(key) => key.span,
    }
}
