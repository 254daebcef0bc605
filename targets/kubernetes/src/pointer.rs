//! Walking a body by JSON pointers and pointer patterns (`*` for any index).

use serde_json::{Map, Value};

/// Calls `visit` with every map that holds the last part of `pattern`, and that part.
pub(crate) fn parents<'p>(
    value: &mut Value,
    pattern: &'p str,
    visit: &mut dyn FnMut(&mut Map<String, Value>, &'p str),
) {
    let Some((first, rest)) = parts(pattern) else { return };
    match (value, rest) {
        (Value::Array(items), Some(rest)) if first == "*" => {
            for item in items {
                parents(item, rest, visit);
            }
        }
        (Value::Object(map), None) if map.contains_key(&*unescape(first)) => visit(map, first),
        (Value::Object(map), Some(rest)) => {
            if let Some(inner) = map.get_mut(&*unescape(first)) {
                parents(inner, rest, visit);
            }
        }
        _ => {}
    }
}

/// Takes off what is at a pointer.
pub(crate) fn remove(value: &mut Value, pointer: &str) {
    parents(value, pointer, &mut |map, key| {
        map.remove(&*unescape(key));
    });
}

/// Fills in what is not at a pointer, with the objects on the way to it.
pub(crate) fn fill(value: &mut Value, pointer: &str, default: &Value) {
    let Some((first, rest)) = parts(pointer) else { return };
    let Some(map) = value.as_object_mut() else { return };
    match rest {
        None => {
            let place = map.entry(unescape(first)).or_insert(Value::Null);
            if place.is_null() {
                *place = default.clone();
            }
        }
        Some(rest) => {
            let place = map.entry(unescape(first)).or_insert_with(|| Value::Object(Map::new()));
            if place.is_null() {
                *place = Value::Object(Map::new());
            }
            fill(place, rest, default);
        }
    }
}

/// Whether a pointer, or a pattern, is meant by `pattern`: part by part, `*` matches any index.
pub(crate) fn matches(pattern: &str, pointer: &str) -> bool {
    let (mut left, mut right) = (pattern.split('/'), pointer.split('/'));
    loop {
        match (left.next(), right.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if a == b => {}
            (Some("*"), Some(b)) if !b.is_empty() && b.bytes().all(|byte| byte.is_ascii_digit()) => {}
            _ => return false,
        }
    }
}

/// `/a/b/c` is `a` and `/b/c`; `/a` is `a` and nothing.
fn parts(pointer: &str) -> Option<(&str, Option<&str>)> {
    let pointer = pointer.strip_prefix('/')?;
    Some(match pointer.find('/') {
        Some(at) => {
            let (first, rest) = pointer.split_at_checked(at)?;
            (first, Some(rest))
        }
        None => (pointer, None),
    })
}

fn unescape(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn walks_lists_and_escaped_keys() {
        let mut value = json!({ "a": [{ "x": 1 }, { "y": 2 }, { "x": 3 }], "l": { "k/io": 1 } });
        let mut seen = 0;
        parents(&mut value, "/a/*/x", &mut |_, _| seen += 1);
        assert_eq!(seen, 2);
        remove(&mut value, "/l/k~1io");
        assert_eq!(value.pointer("/l"), Some(&json!({})));
    }

    #[test]
    fn fills_only_what_is_absent() {
        let mut value = json!({ "spec": { "p": { "a": 1 }, "q": null } });
        fill(&mut value, "/spec/p/a", &json!(2));
        fill(&mut value, "/spec/p/b", &json!(2));
        fill(&mut value, "/spec/q/c", &json!(3));
        assert_eq!(value, json!({ "spec": { "p": { "a": 1, "b": 2 }, "q": { "c": 3 } } }));
    }

    #[test]
    fn patterns() {
        for (pattern, pointer, expected) in [
            ("/a/*/b", "/a/0/b", true),
            ("/a/*/b", "/a/*/b", true),
            ("/a/*/b", "/a/x/b", false),
            ("/a/*", "/a", false),
            ("/a", "/a/0", false),
        ] {
            assert_eq!(matches(pattern, pointer), expected, "{pattern} {pointer}");
        }
    }
}
