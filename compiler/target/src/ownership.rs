//! Fields that others write: which they are, taking them off a body, and keeping theirs when ours is written.
//!
//! Paths are JSON pointers (RFC 6901) into a body; `*` stands for every element of a list or member of an object.
//! A path covers everything below it, and the longest path that covers a field decides.

use std::collections::BTreeMap;

use poolwright_model::resource::Ownership;
use serde_json::Value;

/// The parts of a JSON pointer, unescaped.
#[must_use]
pub fn pointer_parts(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(|part| part.replace("~1", "/").replace("~0", "~")).collect()
}

/// One part of a JSON pointer, escaped.
#[must_use]
pub fn escape_part(part: &str) -> String {
    part.replace('~', "~0").replace('/', "~1")
}

/// The ownership rules of one kind of body, ready to be asked.
#[derive(Clone, Debug, Default)]
pub struct Rules<'a> {
    rules: Vec<(Vec<String>, &'a Ownership)>,
}

impl<'a> Rules<'a> {
    /// Rules as a resource or a change has them.
    #[must_use]
    pub fn new(ownership: &'a BTreeMap<String, Ownership>) -> Self {
        Self { rules: ownership.iter().map(|(path, owner)| (pointer_parts(path), owner)).collect() }
    }

    /// Whether everything is ours.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Who owns the field at these parts; none: we do.
    #[must_use]
    pub fn owner(&self, parts: &[String]) -> Option<&'a Ownership> {
        let covering = self.rules.iter().filter(|(rule, _)| {
            rule.len() <= parts.len()
                && rule.iter().zip(parts).all(|(rule, part)| rule == "*" || rule == part)
        });
        // Of two paths of one length the one with fewer stars says more.
        let longest = covering.max_by_key(|(rule, _)| {
            (rule.len(), std::cmp::Reverse(rule.iter().filter(|part| *part == "*").count()))
        });
        longest.map(|(_, owner)| *owner).filter(|owner| **owner != Ownership::Enforce)
    }

    /// Whether a rule reaches below these parts, so that a subtree cannot be treated as one.
    #[must_use]
    pub fn reach_below(&self, parts: &[String]) -> bool {
        self.rules.iter().any(|(rule, _)| {
            rule.len() > parts.len() && rule.iter().zip(parts).all(|(rule, part)| rule == "*" || rule == part)
        })
    }
}

/// Takes off a body what `others` says is not to be in it.
pub fn strip(body: &mut Value, rules: &Rules<'_>, others: &dyn Fn(&Ownership) -> bool) {
    if !rules.is_empty() {
        strip_below(body, rules, others, &mut Vec::new());
    }
}

fn strip_below(
    value: &mut Value,
    rules: &Rules<'_>,
    others: &dyn Fn(&Ownership) -> bool,
    at: &mut Vec<String>,
) {
    if !rules.reach_below(at) {
        return;
    }
    match value {
        Value::Object(members) => members.retain(|name, member| {
            at.push(name.clone());
            let goes = rules.owner(at).is_some_and(others);
            // A rule below may give a part of it back to us; then the rest of it stays empty.
            let keep = if goes && !rules.reach_below(at) {
                false
            } else {
                strip_below(member, rules, others, at);
                !goes || member.as_object().is_some_and(|left| !left.is_empty())
            };
            at.pop();
            keep
        }),
        Value::Array(items) => {
            let mut index = 0_usize;
            items.retain_mut(|item| {
                at.push(index.to_string());
                index += 1;
                let goes = rules.owner(at).is_some_and(others) && !rules.reach_below(at);
                if !goes {
                    strip_below(item, rules, others, at);
                }
                at.pop();
                !goes
            });
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The body to write over an object that exists: ours as wanted, the others' as found. Elements of lists are
/// paired by position.
#[must_use]
pub fn keep_theirs(wanted: &Value, found: &Value, ownership: &BTreeMap<String, Ownership>) -> Value {
    let rules = Rules::new(ownership);
    let mut body = wanted.clone();
    if !rules.is_empty() {
        keep_below(&mut body, found, &rules, &mut Vec::new());
    }
    body
}

fn keep_below(wanted: &mut Value, found: &Value, rules: &Rules<'_>, at: &mut Vec<String>) {
    if !rules.reach_below(at) {
        return;
    }
    match (wanted, found) {
        (Value::Object(wanted), Value::Object(found)) => {
            let names: std::collections::BTreeSet<String> =
                wanted.keys().chain(found.keys()).cloned().collect();
            for name in names {
                at.push(name.clone());
                if rules.owner(at).is_some() {
                    match found.get(&name) {
                        Some(value) => wanted.insert(name, value.clone()),
                        None => wanted.remove(&name),
                    };
                } else if let (Some(theirs), Some(ours)) = (found.get(&name), wanted.get_mut(&name)) {
                    keep_below(ours, theirs, rules, at);
                }
                at.pop();
            }
        }
        (Value::Array(wanted), Value::Array(found)) => {
            for (index, (ours, theirs)) in wanted.iter_mut().zip(found).enumerate() {
                at.push(index.to_string());
                if rules.owner(at).is_some() {
                    *ours = theirs.clone();
                } else {
                    keep_below(ours, theirs, rules, at);
                }
                at.pop();
            }
        }
        _ => {}
    }
}

/// The body to create an object with: everything but what only others write.
#[must_use]
pub fn at_creation(wanted: &Value, ownership: &BTreeMap<String, Ownership>) -> Value {
    let mut body = wanted.clone();
    strip(&mut body, &Rules::new(ownership), &|owner| matches!(owner, Ownership::Observe(_)));
    body
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rules() -> BTreeMap<String, Ownership> {
        BTreeMap::from([
            (String::from("/size"), Ownership::Seed(String::from("autoscaler"))),
            (String::from("/topology"), Ownership::Observe(String::from("topology daemon"))),
            (String::from("/lots/*/count"), Ownership::Seed(String::from("autoscaler"))),
            (String::from("/labels/a~1b"), Ownership::Observe(String::from("other"))),
        ])
    }

    #[test]
    fn what_others_own_is_kept_and_what_is_ours_is_written() {
        let wanted = json!({"size": 1, "max": 9, "lots": [{"count": 1, "type": "x"}], "labels": {"c": "1"}});
        let found = json!({"size": 5, "max": 3, "topology": "t", "lots": [{"count": 4, "type": "y"}],
                           "labels": {"a/b": "theirs"}});
        assert_eq!(
            keep_theirs(&wanted, &found, &rules()),
            json!({"size": 5, "max": 9, "topology": "t", "lots": [{"count": 4, "type": "x"}],
                   "labels": {"a/b": "theirs", "c": "1"}})
        );
        // What its owner took away stays away.
        assert_eq!(keep_theirs(&json!({"size": 1}), &json!({}), &rules()), json!({}));
    }

    #[test]
    fn creation_seeds_and_never_writes_what_is_only_observed() {
        let wanted = json!({"size": 1, "topology": "t", "lots": [{"count": 1}], "labels": {"a/b": "x"}});
        assert_eq!(at_creation(&wanted, &rules()), json!({"size": 1, "lots": [{"count": 1}], "labels": {}}));
    }

    #[test]
    fn the_longest_path_decides() {
        let ownership = BTreeMap::from([
            (String::from("/a"), Ownership::Observe(String::from("x"))),
            (String::from("/a/b"), Ownership::Enforce),
        ]);
        let rules = Rules::new(&ownership);
        let parts = |text: &str| pointer_parts(text);
        assert!(rules.owner(&parts("/a/c")).is_some());
        assert!(rules.owner(&parts("/a/b")).is_none());
        assert!(rules.owner(&parts("/a/b/c")).is_none());
        let mut body = json!({"a": {"b": 1, "c": 2}, "d": 3});
        strip(&mut body, &rules, &|_| true);
        assert_eq!(body, json!({"a": {"b": 1}, "d": 3}));
    }
}
