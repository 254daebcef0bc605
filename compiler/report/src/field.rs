//! A changed field in one line.

use poolwright_model::plan::FieldChange;
use serde_json::Value;

/// Fields that change with everything else and say nothing to a reader: the digest that an object carries.
const DIGESTS: [&str; 2] = ["poolwright.dev/spec", "poolwright:spec"];

/// Whether a reader wants to see the field.
pub(crate) fn shown(field: &FieldChange) -> bool {
    !DIGESTS.iter().any(|digest| field.path.contains(digest))
}

/// A path without the parts that every object has: keys of lists instead of their names.
///
/// `spec.resourceGroups[0].flavors[a100].resources[cpu].nominalQuota` is `a100 cpu nominalQuota`, and
/// `TRESBillingWeights["GRES/gpu:t4"]` is `TRESBillingWeights "GRES/gpu:t4"`.
pub(crate) fn path(path: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    for part in split(path) {
        match part.split_once('[') {
            Some((name, key)) => {
                let key = key.strip_suffix(']').unwrap_or(key);
                let index = key.chars().all(|c| c.is_ascii_digit());
                // A key that is written in quotes is a map's, and says little without the map.
                if key.starts_with('"') {
                    words.extend([name, key]);
                } else if !index {
                    words.push(key);
                } else if !matches!(name, "resourceGroups") {
                    words.push(part);
                }
            }
            None if part == "spec" => {}
            None => words.push(part),
        }
    }
    words.join(" ")
}

/// Splits at dots outside of brackets.
fn split(path: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0;
    for (at, character) in path.char_indices() {
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '.' if depth == 0 => {
                parts.extend(path.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(path.get(start..));
    parts
}

/// `12 → 20`; a side that is not there is `–`.
pub(crate) fn sides(field: &FieldChange) -> String {
    if field.sensitive {
        return "(sensitive)".to_owned();
    }
    let before = field.before.as_ref().map_or_else(|| "–".to_owned(), value);
    let after = field.after.as_ref().map_or_else(|| "–".to_owned(), value);
    format!("{before} → {after}")
}

fn value(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let line = text.replace('\n', "⏎");
    if line.chars().count() <= 60 {
        return line;
    }
    let start: String = line.chars().take(59).collect();
    format!("{start}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_by_their_keys() {
        assert_eq!(
            path("spec.resourceGroups[0].flavors[a100].resources[nvidia.com/gpu].nominalQuota"),
            "a100 nvidia.com/gpu nominalQuota"
        );
        assert_eq!(path("MaxSize"), "MaxSize");
        assert_eq!(path("TRESBillingWeights[\"GRES/gpu:t4\"]"), "TRESBillingWeights \"GRES/gpu:t4\"");
        assert_eq!(
            path("MixedInstancesPolicy.LaunchTemplate.Overrides[2].InstanceType"),
            "MixedInstancesPolicy LaunchTemplate Overrides[2] InstanceType"
        );
    }
}
