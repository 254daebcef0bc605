//! Objects and `for` expressions.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span};

use super::fault::{Fault, Outcome};
use super::template::entries;
use super::{Evaluator, Expr, Scope, check_size, to_bool, to_text};
use crate::expr::{ForExpr, ObjectItem};
use crate::{Type, Value, codes};

/// A key of an object: its text; `None`: not known yet.
type Key = Option<Arc<str>>;

impl Evaluator<'_> {
    #[inline(never)]
    pub(super) fn object(&self, items: &[ObjectItem], scope: &Scope) -> Outcome {
        let mut result = BTreeMap::new();
        let mut places: BTreeMap<Arc<str>, Span> = BTreeMap::new();
        let (mut unknown, mut sensitive) = (false, false);
        for item in items {
            let (key, mark) = self.key(&item.key, scope)?;
            // Keys are printed wherever the object is, so that the whole object is sensitive then.
            sensitive |= mark;
            let value = self.eval(&item.value, scope)?;
            let Some(key) = key else {
                unknown = true;
                continue;
            };
            if let Some(first) = places.insert(key.clone(), item.key.span) {
                let diagnostic = duplicate(&key, item.key.span, sensitive);
                return Err(Box::new(diagnostic.also(first, "given here first")));
            }
            result.insert(key, value);
        }
        let value = if unknown {
            Value::Unknown(Type::Map(Box::new(Type::Any)))
        } else {
            Value::Object(Arc::new(result))
        };
        Ok(value.marked(sensitive))
    }

    fn key(&self, expr: &Expr, scope: &Scope) -> Outcome<(Key, bool)> {
        let (value, mark) = self.eval(expr, scope)?.unmark();
        if let Value::Unknown(ty) = &value
            && ty.may_have_text()
        {
            return Ok((None, mark));
        }
        let text = to_text(&value).map_err(|fault| {
            let message = match value {
                Value::Null => "the key of an object is null".to_owned(),
                _ => format!("the key of an object is text, not {}: {value}", value.type_name()),
            };
            Fault::new(codes::BAD_KEY, message)
                .hidden(mark)
                .maybe_help(fault.help.filter(|_| matches!(value, Value::Block(_))))
                .at(expr.span)
        })?;
        Ok((Some(text), mark))
    }

    #[inline(never)]
    pub(super) fn comprehension(&self, parts: &ForExpr, span: Span, scope: &Scope) -> Outcome {
        let (collection, mark) = self.eval(&parts.collection, scope)?.unmark();
        let mut result = Collected { sensitive: mark, ..Collected::new(parts) };
        match entries(&collection, mark).map_err(|fault| fault.hidden(mark).at(parts.collection.span))? {
            None => self.unknown_iteration(parts, &collection, scope, &mut result)?,
            Some(entries) => {
                for (key, item) in entries {
                    let shown = (key.clone(), item.clone());
                    let mut inner = scope.clone();
                    if let Some(name) = &parts.key {
                        inner = inner.with(name.clone(), key);
                    }
                    let inner = inner.with(parts.value.clone(), item);
                    self.iteration(parts, &inner, &mut result)
                        .map_err(|diagnostic| Box::new(with_iteration(*diagnostic, parts, &shown)))?;
                }
            }
        }
        let (value, sensitive) = result.finish();
        check_size(&value).map_err(|fault| fault.at(span))?;
        Ok(value.marked(sensitive))
    }

    /// Goes through a collection that is not known yet once, with an element that is not known: the condition may be
    /// wrong for any element, or sensitive.
    fn unknown_iteration(
        &self,
        parts: &ForExpr,
        collection: &Value,
        scope: &Scope,
        result: &mut Collected,
    ) -> Outcome<()> {
        result.unknown = true;
        let Some(condition) = &parts.condition else { return Ok(()) };
        let (key, item) = match collection.type_of() {
            Type::List(element) => (Type::Number, *element),
            Type::Set(element) => ((*element).clone(), *element),
            Type::Map(element) => (Type::String, *element),
            Type::Object(_) => (Type::String, Type::Any),
            _ => (Type::Any, Type::Any),
        };
        let mut inner = scope.clone();
        if let Some(name) = &parts.key {
            inner = inner.with(name.clone(), Value::Unknown(key));
        }
        let inner = inner.with(parts.value.clone(), Value::Unknown(item));
        let (value, mark) = self.eval(condition, &inner)?.unmark();
        result.sensitive |= mark;
        to_bool(&value).map_err(|fault| self.explained(fault.hidden(mark), condition, &inner))?;
        Ok(())
    }

    fn iteration(&self, parts: &ForExpr, scope: &Scope, result: &mut Collected) -> Outcome<()> {
        if let Some(condition) = &parts.condition {
            let (value, mark) = self.eval(condition, scope)?.unmark();
            result.sensitive |= mark;
            match to_bool(&value).map_err(|fault| self.explained(fault.hidden(mark), condition, scope))? {
                Some(true) => {}
                Some(false) => return Ok(()),
                None => {
                    result.unknown = true;
                    return Ok(());
                }
            }
        }
        let Some(key) = &parts.key_result else {
            result.items.push(self.eval(&parts.result, scope)?);
            return Ok(());
        };
        let (text, mark) = self.key(key, scope)?;
        result.sensitive |= mark;
        let value = self.eval(&parts.result, scope)?;
        let Some(text) = text else {
            result.unknown = true;
            return Ok(());
        };
        if parts.grouping {
            result.groups.entry(text).or_default().push(value);
            return Ok(());
        }
        match result.entries.entry(text) {
            Entry::Vacant(free) => {
                free.insert(value);
                Ok(())
            }
            Entry::Occupied(taken) => {
                let diagnostic = duplicate(taken.key(), key.span, mark);
                Err(Box::new(
                    diagnostic.with_help("`...` after the value collects the values of equal keys in lists"),
                ))
            }
        }
    }
}

/// The results of a `for` so far.
struct Collected {
    object: bool,
    grouping: bool,
    items: Vec<Value>,
    entries: BTreeMap<Arc<str>, Value>,
    groups: BTreeMap<Arc<str>, Vec<Value>>,
    sensitive: bool,
    unknown: bool,
}

impl Collected {
    fn new(parts: &ForExpr) -> Self {
        Self {
            object: parts.key_result.is_some(),
            grouping: parts.grouping,
            items: Vec::new(),
            entries: BTreeMap::new(),
            groups: BTreeMap::new(),
            sensitive: false,
            unknown: false,
        }
    }

    fn finish(self) -> (Value, bool) {
        let value = match (self.unknown, self.object, self.grouping) {
            (true, true, _) => Value::Unknown(Type::Map(Box::new(Type::Any))),
            (true, false, _) => Value::Unknown(Type::List(Box::new(Type::Any))),
            (false, false, _) => Value::List(Arc::new(self.items)),
            (false, true, false) => Value::Object(Arc::new(self.entries)),
            (false, true, true) => {
                Value::object(self.groups.into_iter().map(|(key, items)| (key, Value::list(items))))
            }
        };
        (value, self.sensitive)
    }
}

fn duplicate(key: &str, span: Span, sensitive: bool) -> Diagnostic {
    let message = if sensitive {
        "a key is given twice; it is sensitive and not shown".to_owned()
    } else {
        format!("the key {} is given twice", Value::string(key))
    };
    Diagnostic::error(codes::DUPLICATE_KEY, message).at(span, "")
}

/// Says for which element a `for` failed.
#[inline(never)]
fn with_iteration(diagnostic: Diagnostic, parts: &ForExpr, shown: &(Value, Value)) -> Diagnostic {
    let value = format!("{} = {}", parts.value, shown.1);
    let text = match &parts.key {
        Some(key) => format!("for {key} = {}, {value}", shown.0),
        None => format!("for {value}"),
    };
    diagnostic.with_frame(text, Some(parts.collection.span))
}
