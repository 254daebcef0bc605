//! The difference between two bodies, field by field, as a person reads it.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_model::plan::FieldChange;
use poolwright_model::resource::Ownership;
use poolwright_target::Target;
use poolwright_target::ownership::{Rules, escape_part};
use serde_json::Value;

/// Differences of one object.
pub(crate) struct Fields {
    /// By the order of members and elements.
    pub(crate) changes: Vec<FieldChange>,
    /// Why the object must be replaced: `spec.nodeLabels is immutable in Kueue 0.17`.
    pub(crate) replace: BTreeSet<String>,
}

/// Compares two normalised bodies.
pub(crate) fn compare(
    kind: &dyn Target,
    target: &poolwright_model::fleet::Target,
    object_kind: &str,
    ownership: &BTreeMap<String, Ownership>,
    before: &Value,
    after: &Value,
) -> Fields {
    let mut walk = Walk {
        kind,
        target,
        object_kind,
        now: before,
        rules: Rules::new(ownership),
        parts: Vec::new(),
        pattern: String::new(),
        path: String::new(),
        trail: Vec::new(),
        out: Fields { changes: Vec::new(), replace: BTreeSet::new() },
    };
    walk.values(Some(before), Some(after));
    walk.out
}

struct Walk<'a> {
    kind: &'a dyn Target,
    target: &'a poolwright_model::fleet::Target,
    object_kind: &'a str,
    now: &'a Value,
    rules: Rules<'a>,
    /// Names and indexes from the top to here.
    parts: Vec<String>,
    /// The same as a JSON pointer with `*` for indexes.
    pattern: String,
    /// The same for people.
    path: String,
    /// Lengths of `pattern` and `path` at each level above.
    trail: Vec<(usize, usize)>,
    out: Fields,
}

impl Walk<'_> {
    fn within(&mut self, part: &str, pattern: &str, path: &str, inner: impl FnOnce(&mut Self)) {
        self.trail.push((self.pattern.len(), self.path.len()));
        self.parts.push(part.to_owned());
        self.pattern.push('/');
        self.pattern.push_str(pattern);
        self.path.push_str(path);
        inner(self);
        self.parts.pop();
        if let Some((pattern, path)) = self.trail.pop() {
            self.pattern.truncate(pattern);
            self.path.truncate(path);
        }
    }

    fn member(&mut self, name: &str, inner: impl FnOnce(&mut Self)) {
        let plain =
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        let step = match (plain, self.path.is_empty()) {
            (true, true) => name.to_owned(),
            (true, false) => format!(".{name}"),
            (false, _) => format!("[{}]", Value::from(name)),
        };
        self.within(name, &escape_part(name), &step, inner);
    }

    fn values(&mut self, before: Option<&Value>, after: Option<&Value>) {
        if before == after {
            return;
        }
        if let Some(owner) = self.rules.owner(&self.parts)
            && !self.rules.reach_below(&self.parts)
        {
            let (Ownership::Seed(name) | Ownership::Observe(name)) = owner else { return };
            self.emit(before, after, Some(name.clone()));
            return;
        }
        // A subtree with fields of others in it is taken apart even when one side has none of it.
        let empty = Value::Object(serde_json::Map::new());
        let apart = self.rules.reach_below(&self.parts);
        match (before, after) {
            (Some(Value::Object(before)), Some(Value::Object(after))) => self.members(before, after),
            (None, Some(Value::Object(after))) if apart => {
                if let Value::Object(none) = &empty {
                    self.members(none, after);
                }
            }
            (Some(Value::Object(before)), None) if apart => {
                if let Value::Object(none) = &empty {
                    self.members(before, none);
                }
            }
            (Some(Value::Array(before)), Some(Value::Array(after))) => self.lists(before, after),
            _ => self.emit(before, after, None),
        }
    }

    fn members(&mut self, before: &serde_json::Map<String, Value>, after: &serde_json::Map<String, Value>) {
        let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        for name in names {
            self.member(name, |walk| walk.values(before.get(name), after.get(name)));
        }
    }

    fn lists(&mut self, before: &[Value], after: &[Value]) {
        let key = self.kind.list_key(self.object_kind, &self.pattern);
        if let Some(key) = key
            && let (Some(before), Some(after)) = (keyed(before, key), keyed(after, key))
        {
            self.keyed_lists(key, &before, &after);
            return;
        }
        let plain = |value: &Value| !value.is_object() && !value.is_array();
        if before.iter().chain(after).all(plain) {
            self.emit(Some(&Value::from(before)), Some(&Value::from(after)), None);
            return;
        }
        for index in 0..before.len().max(after.len()) {
            let name = index.to_string();
            self.within(&name, "*", &format!("[{index}]"), |walk| {
                walk.values(before.get(index), after.get(index))
            });
        }
    }

    fn keyed_lists(&mut self, key: &str, before: &[(String, &Value)], after: &[(String, &Value)]) {
        let old: BTreeMap<&str, (usize, &Value)> = before
            .iter()
            .enumerate()
            .map(|(index, (name, value))| (name.as_str(), (index, *value)))
            .collect();
        let new: BTreeMap<&str, (usize, &Value)> =
            after.iter().enumerate().map(|(index, (name, value))| (name.as_str(), (index, *value))).collect();
        let gone = before.iter().filter(|(name, _)| !new.contains_key(name.as_str())).map(|(name, _)| name);
        let all: Vec<&String> = after.iter().map(|(name, _)| name).chain(gone).collect();
        for name in all {
            let (was, is) = (old.get(name.as_str()), new.get(name.as_str()));
            // Where it will be; if it goes, where it was.
            let index = is.or(was).map_or(0, |(index, _)| *index).to_string();
            let step = if name.contains(['[', ']']) {
                format!("[{}]", Value::from(name.as_str()))
            } else {
                format!("[{name}]")
            };
            self.within(&index, "*", &step, |walk| walk.values(was.map(|it| it.1), is.map(|it| it.1)));
        }
        // Order can carry meaning (preference). Additions at the end and removals are seen from the elements.
        let stay = before.iter().filter(|(name, _)| new.contains_key(name.as_str()));
        let come = after.iter().filter(|(name, _)| !old.contains_key(name.as_str()));
        if !stay.chain(come).map(|(name, _)| name).eq(after.iter().map(|(name, _)| name)) {
            let names =
                |list: &[(String, &Value)]| list.iter().map(|(name, _)| Value::from(name.as_str())).collect();
            let (before, after): (Vec<Value>, Vec<Value>) = (names(before), names(after));
            let length = self.path.len();
            self.path.push_str("[].");
            self.path.push_str(key);
            self.emit(Some(&Value::from(before)), Some(&Value::from(after)), None);
            self.path.truncate(length);
        }
    }

    fn emit(&mut self, before: Option<&Value>, after: Option<&Value>, owner: Option<String>) {
        let forces_replace = owner.is_none() && self.immutable(before, after);
        self.out.changes.push(FieldChange {
            path: self.path.clone(),
            before: before.cloned(),
            after: after.cloned(),
            sensitive: false,
            forces_replace,
            owner,
        });
    }

    /// Asks for this field, the fields around it, and those below it that come or go with it.
    fn immutable(&mut self, before: Option<&Value>, after: Option<&Value>) -> bool {
        let mut levels = vec![(self.pattern.len(), self.path.len())];
        levels.extend(self.trail.iter().rev().copied());
        for (pattern, path) in levels {
            let pointer = self.pattern.get(..pattern).unwrap_or_default();
            if let Some(why) = self.kind.immutable_in(self.target, self.object_kind, pointer, self.now) {
                let path = self.path.get(..path).unwrap_or_default();
                let path = if path.is_empty() { self.object_kind } else { path };
                self.out.replace.insert(format!("{path} {why}"));
                return true;
            }
        }
        let below: Vec<String> =
            before.into_iter().chain(after).flat_map(|v| pointers_below(v, &self.pattern)).collect();
        let found = below
            .iter()
            .find_map(|pointer| self.kind.immutable_in(self.target, self.object_kind, pointer, self.now));
        if let Some(why) = found {
            self.out.replace.insert(format!("{} {why}", self.path));
            return true;
        }
        false
    }
}

fn pointers_below(value: &Value, at: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut open = vec![(value, at.to_owned())];
    while let Some((value, at)) = open.pop() {
        match value {
            Value::Object(members) => {
                open.extend(
                    members.iter().map(|(name, member)| (member, format!("{at}/{}", escape_part(name)))),
                );
            }
            Value::Array(items) => open.extend(items.iter().map(|item| (item, format!("{at}/*")))),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
        all.push(at);
    }
    all.sort();
    all.dedup();
    all
}

/// The elements with their keys; none when an element has no key or two have the same.
fn keyed<'v>(list: &'v [Value], key: &str) -> Option<Vec<(String, &'v Value)>> {
    let mut seen = BTreeSet::new();
    let named = list.iter().map(|item| {
        let name = match item.get(key)? {
            Value::String(name) => name.clone(),
            other @ (Value::Number(_) | Value::Bool(_)) => other.to_string(),
            Value::Null | Value::Array(_) | Value::Object(_) => return None,
        };
        seen.insert(name.clone()).then_some((name, item))
    });
    named.collect()
}
