//! One form for equal objects: spelling of keys, order of lists, times, defaults.

use serde_json::{Map, Value, json};

use crate::form;
use crate::keys::{self, Form};

/// Lists whose order means something.
const ORDERED: [&str; 2] = ["JobSubmitPlugins", "BlockSizes"];
/// Words that Slurm reads in any case.
const WORDS: [&str; 3] = ["PreemptMode", "State", "EnforcePartLimits"];

/// Brings a body of a kind into its one form.
pub(crate) fn normalise(kind: &str, body: &mut Value) {
    let Value::Object(map) = body else { return };
    if kind == "JobSubmit" {
        return;
    }
    let mut normal = Map::new();
    for (written, mut value) in std::mem::take(map) {
        let Some(key) = keys::find(kind, &written) else {
            normal.insert(written, value);
            continue;
        };
        if let (false, Value::String(text)) = (key.form == Form::Text, &value) {
            if matches!(key.form, Form::Time | Form::Clock) && unlimited(text) {
                continue;
            }
            if let Ok(read) = form::read(key.form, text) {
                value = read;
            }
        }
        if let (true, Value::String(text)) = (WORDS.contains(&key.name), &mut value) {
            text.make_ascii_uppercase();
        }
        if let (false, Value::Array(words)) = (ORDERED.contains(&key.name), &mut value) {
            words.sort_by_key(ToString::to_string);
            words.dedup();
        }
        if !empty(&value) {
            normal.insert(key.name.to_owned(), value);
        }
    }
    for (key, default) in defaults(kind) {
        normal.entry(key).or_insert(default);
    }
    *map = normal;
}

fn unlimited(text: &str) -> bool {
    ["UNLIMITED", "INFINITE", "-1"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

fn empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// What Slurm takes where nothing is written (slurm.conf(5), sacctmgr(1), 22.05).
fn defaults(kind: &str) -> Vec<(String, Value)> {
    let list: &[(&str, Value)] = match kind {
        "Partition" => &[
            ("Default", json!(false)),
            ("Hidden", json!(false)),
            ("State", json!("UP")),
            ("PriorityTier", json!(1)),
        ],
        "Qos" => &[("Priority", json!(0)), ("GraceTime", json!(0))],
        "Account" => &[("Fairshare", json!(1))],
        _ => &[],
    };
    list.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect()
}
