//! What Kubernetes takes for a label, of nodes and of objects (its documentation, "Labels and Selectors";
//! `k8s.io/apimachinery` 0.35, `util/validation`).
//!
//! Labels of nodes are Kubernetes' own, wherever they stand. `labels` become labels of Kubernetes objects or tags of a
//! cloud, by where the block ends: what only becomes tags has the cloud's rules, which its target knows.

use poolwright_diagnostics::Diagnostic;
use poolwright_model::{Fleet, Meta};

use crate::codes;
use crate::values::Values;

/// Why a label is none.
pub(crate) fn fault(key: &str, value: &str) -> Option<String> {
    match (key_fault(key), value_fault(value)) {
        (Some(fault), _) => Some(format!("the key {key:?}: {fault}")),
        (None, Some(fault)) => Some(format!("the value {value:?}: {fault}")),
        (None, None) => None,
    }
}

/// Reports every `labels` that would end on a Kubernetes object and cannot.
pub(crate) fn of_objects(values: &Values<'_, '_>, fleet: &Fleet) {
    for meta in on_kubernetes(fleet) {
        for (key, value) in &meta.labels {
            let Some(fault) = fault(key, value) else { continue };
            values.report(
                Diagnostic::error(
                    codes::TEXT_RULE,
                    format!("the label `{key}` = {value:?} is none that Kubernetes takes"),
                )
                .at(meta.origin.of(&format!("labels.{key}")), fault)
                .with_help(
                    "labels become metadata.labels of every object; write what people read as `description`",
                ),
            );
        }
    }
}

/// Blocks whose labels Kubernetes objects get. Those of a lot, or of a cloud, become tags only.
fn on_kubernetes(fleet: &Fleet) -> Vec<&Meta> {
    let clusters = || fleet.targets.values().filter(|target| target.kubernetes().is_some());
    if clusters().next().is_none() {
        return Vec::new();
    }
    let joins = |cluster| fleet.targets.get(cluster).is_some_and(|target| target.kubernetes().is_some());
    let mut found = vec![&fleet.meta];
    found.extend(clusters().map(|target| &target.meta));
    found.extend(fleet.pools.values().filter(|pool| joins(&pool.cluster)).map(|pool| &pool.meta));
    found.extend(fleet.fabrics.values().map(|fabric| &fabric.meta));
    found.extend(fleet.tenants.values().map(|tenant| &tenant.meta));
    found.extend(fleet.classes.values().map(|class| &class.meta));
    found.extend(fleet.routes.values().map(|route| &route.meta));
    found.extend(fleet.queues.values().map(|queue| &queue.meta));
    found
}

/// Why a label's key is none: an optional DNS subdomain and a name.
fn key_fault(key: &str) -> Option<String> {
    let (prefix, name) = key.split_once('/').map_or((None, key), |(prefix, name)| (Some(prefix), name));
    let part = |part: &str| {
        !part.is_empty()
            && !part.starts_with('-')
            && !part.ends_with('-')
            && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    if prefix.is_some_and(|prefix| prefix.len() > 253 || !prefix.split('.').all(part)) {
        return Some("before the slash a DNS name is taken, `example.com/`".to_owned());
    }
    if name.is_empty() { Some("a key is not empty".to_owned()) } else { part_fault(name) }
}

/// Why a label's value is none.
fn value_fault(value: &str) -> Option<String> {
    if value.is_empty() { None } else { part_fault(value) }
}

fn part_fault(part: &str) -> Option<String> {
    if part.len() > 63 {
        return Some(format!("{} characters; at most 63 are taken", part.chars().count()));
    }
    let end = |c: char| c.is_ascii_alphanumeric();
    let fine =
        part.chars().all(|c| end(c) || "-_.".contains(c)) && part.starts_with(end) && part.ends_with(end);
    (!fine).then(|| "letters, digits and inner `-`, `_`, `.` are taken, no spaces".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys() {
        for (key, fine) in [
            ("a", true),
            ("managed-for", true),
            ("example.com/a", true),
            ("acme.dev/Team_1", true),
            ("a/b/c", false),
            ("/a", false),
            ("a/", false),
            ("Acme.dev/a", false),
            ("a b", false),
            ("", false),
        ] {
            assert_eq!(key_fault(key).is_none(), fine, "{key}");
        }
    }

    #[test]
    fn values() {
        for (value, fine) in [
            ("", true),
            ("v1.2_x", true),
            ("ML.platform_1", true),
            ("ml platform", false),
            ("-a", false),
            ("a,b", false),
            ("a\nb", false),
            (&*"x".repeat(63), true),
            (&*"x".repeat(64), false),
        ] {
            assert_eq!(value_fault(value).is_none(), fine, "{value}");
        }
    }
}
