//! Text with holes and directives.

use poolwright_diagnostics::Span;

use super::fault::{Fault, Outcome, gave_up};
use super::{Evaluator, Scope, check_size, to_bool, to_text};
use crate::expr::TemplatePart;
use crate::{Type, Value, codes};

/// The text so far and what is to be said about it.
#[derive(Default)]
struct Buffer {
    text: String,
    sensitive: bool,
    unknown: bool,
}

impl Evaluator<'_> {
    /// A template; one that is nothing but a hole gives the value itself, not its text.
    #[inline(never)]
    pub(super) fn template(&self, parts: &[TemplatePart], scope: &Scope) -> Outcome {
        if let [TemplatePart::Interpolation(inner)] = parts {
            return self.eval(inner, scope);
        }
        let mut buffer = Buffer::default();
        self.parts(parts, scope, &mut buffer)?;
        let value = if buffer.unknown { Value::Unknown(Type::String) } else { Value::string(&buffer.text) };
        Ok(value.marked(buffer.sensitive))
    }

    fn parts(&self, parts: &[TemplatePart], scope: &Scope, buffer: &mut Buffer) -> Outcome<()> {
        for part in parts {
            match part {
                TemplatePart::Literal(text) => buffer.text.push_str(text),
                TemplatePart::Interpolation(expr) => {
                    let (value, mark) = self.eval(expr, scope)?.unmark();
                    buffer.sensitive |= mark;
                    match value {
                        Value::Unknown(ty) if ty.may_have_text() => buffer.unknown = true,
                        value => {
                            let text = to_text(&value).map_err(|fault| fault.hidden(mark).at(expr.span))?;
                            buffer.text.push_str(&text);
                            self.limits.take_result(&Value::String(text), expr.span)?;
                            too_long(buffer, expr.span)?;
                        }
                    }
                }
                TemplatePart::If(condition, then, otherwise) => {
                    let (value, mark) = self.eval(condition, scope)?.unmark();
                    buffer.sensitive |= mark;
                    let decided = to_bool(&value)
                        .map_err(|fault| self.explained(fault.hidden(mark), condition, scope))?;
                    // What is not written is asked for its marks alone: whether text is sensitive does not depend
                    // on the condition.
                    for (parts, chosen) in [(then, Some(true)), (otherwise, Some(false))] {
                        if decided == chosen {
                            self.nested(parts, condition.span, scope, buffer)?;
                        } else if !parts.iter().all(|part| matches!(part, TemplatePart::Literal(_))) {
                            buffer.sensitive |= self.mark_of(parts, condition.span, scope)?;
                        }
                    }
                    buffer.unknown |= decided.is_none();
                }
                TemplatePart::For(key, name, collection, body) => {
                    let (value, mark) = self.eval(collection, scope)?.unmark();
                    buffer.sensitive |= mark;
                    let entries =
                        entries(&value, mark).map_err(|fault| fault.hidden(mark).at(collection.span))?;
                    let Some(entries) = entries else {
                        buffer.unknown = true;
                        continue;
                    };
                    for (index, item) in entries {
                        let mut inner = scope.clone();
                        if let Some(key) = key {
                            inner = inner.with(key.clone(), index);
                        }
                        self.nested(body, collection.span, &inner.with(name.clone(), item), buffer)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether parts that are not written have anything sensitive; their faults do not count.
    fn mark_of(&self, parts: &[TemplatePart], span: Span, scope: &Scope) -> Outcome<bool> {
        let mut buffer = Buffer::default();
        let (result, met) = self.met.during(|| self.nested(parts, span, scope, &mut buffer));
        match result {
            Err(diagnostic) if gave_up(&diagnostic) => Err(diagnostic),
            Err(_) => Ok(met.sensitive),
            Ok(()) => Ok(buffer.sensitive),
        }
    }

    fn nested(&self, parts: &[TemplatePart], span: Span, scope: &Scope, buffer: &mut Buffer) -> Outcome<()> {
        let _level = self.limits.enter(span)?;
        self.limits.take(span)?;
        self.parts(parts, scope, buffer)?;
        too_long(buffer, span)
    }
}

fn too_long(buffer: &Buffer, span: Span) -> Outcome<()> {
    // Only the length matters here, so the text is not copied into a value while it is short.
    if buffer.text.len() < 1 << 20 {
        return Ok(());
    }
    check_size(&Value::string(&buffer.text)).map_err(|fault| fault.at(span))
}

/// Keys and values to go through: the index for a list, the value itself for a set; `None`: not known yet. Parts of
/// a sensitive whole are sensitive.
pub(super) fn entries(value: &Value, mark: bool) -> Result<Option<Vec<(Value, Value)>>, Fault> {
    let part = |value: &Value| value.clone().marked(mark);
    Ok(Some(match value {
        Value::List(items) => {
            items.iter().enumerate().map(|(index, item)| (Value::number(index), part(item))).collect()
        }
        Value::Set(items) => items.iter().map(|item| (part(item), part(item))).collect(),
        Value::Object(entries) => {
            entries.iter().map(|(key, item)| (Value::String(key.clone()).marked(mark), part(item))).collect()
        }
        Value::Unknown(ty) if ty.may_have_elements() => return Ok(None),
        Value::Null => {
            return Err(Fault::new(codes::NOT_ITERABLE, "null has no elements to go through")
                .help("give an empty list for this case: `x == null ? [] : x`"));
        }
        other => {
            let shown = match other {
                Value::Unknown(_) => String::new(),
                known => format!(": {known}"),
            };
            let fault =
                Fault::new(codes::NOT_ITERABLE, format!("{} has no elements{shown}", other.type_name()));
            return Err(match other {
                Value::Quantity(crate::quantity::Quantity::Hosts(_)) => {
                    fault.help("`expand_hosts(x)` lists the names")
                }
                Value::Quantity(crate::quantity::Quantity::Range(_)) => {
                    fault.help("`range(x.min, x.max + 1)` lists the numbers")
                }
                _ => fault,
            });
        }
    }))
}
