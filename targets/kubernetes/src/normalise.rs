//! The form in which two equal objects are equal. Applied to both sides of a comparison, never to what is written.

use poolwright_expression::Number;
use serde_json::{Map, Value};

use crate::facts::{self, KindFacts};
use crate::pointer;
use crate::quantity::{Format, Quantity};

/// What the server writes on every object. Kubernetes 1.35, `ObjectMeta`; the annotation is kubectl's.
const SERVER_OWNED: &[&str] = &[
    "/status",
    "/metadata/creationTimestamp",
    "/metadata/deletionGracePeriodSeconds",
    "/metadata/deletionTimestamp",
    "/metadata/finalizers",
    "/metadata/generation",
    "/metadata/managedFields",
    "/metadata/resourceVersion",
    "/metadata/selfLink",
    "/metadata/uid",
    "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration",
];

/// Brings a body to its normal form.
pub(crate) fn normalise(kind: &str, body: &mut Value) {
    drop_nulls(body);
    for place in SERVER_OWNED {
        pointer::remove(body, place);
    }
    if let Some(facts) = facts::kind(kind) {
        by_facts(facts, body);
    }
    for place in ["/metadata/annotations", "/metadata/labels"] {
        drop_empty(body, place);
    }
}

fn by_facts(facts: &KindFacts, body: &mut Value) {
    for place in &facts.server_owned {
        pointer::remove(body, place);
    }
    for default in &facts.defaults {
        if default.inside.as_ref().is_none_or(|inside| body.pointer(inside).is_some()) {
            pointer::fill(body, &default.at, &default.value);
        }
    }
    for pattern in &facts.quantities {
        pointer::parents(body, pattern, &mut |map, key| {
            let format = format_of(map.get("name").and_then(Value::as_str).unwrap_or_default());
            if let Some(value) = map.get_mut(key) {
                canonical(value, format);
            }
        });
    }
    for pattern in &facts.sets {
        pointer::parents(body, pattern, &mut |map, key| {
            if let Some(Value::Array(items)) = map.get_mut(key) {
                items.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
                items.dedup();
            }
        });
    }
    for place in &facts.empty {
        drop_empty(body, place);
    }
}

/// In which format amounts of a resource are compared and written: binary for what is counted in bytes.
pub(crate) fn format_of(resource: &str) -> Format {
    let bytes =
        matches!(resource, "memory" | "ephemeral-storage" | "storage") || resource.starts_with("hugepages-");
    if bytes { Format::Binary } else { Format::Decimal }
}

/// A quantity by its value; what is none stays as it is, for the difference to show.
fn canonical(value: &mut Value, format: Format) {
    let quantity = match &*value {
        Value::String(text) => Quantity::parse(text).ok(),
        Value::Number(number) => {
            Number::parse(&number.to_string()).ok().map(|number| Quantity::new(&number, format))
        }
        _ => None,
    };
    if let Some(quantity) = quantity {
        *value = Value::String(quantity.with_format(format).to_string());
    }
}

/// To the API server a null field is an absent one.
fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|_, inner| !inner.is_null());
            map.values_mut().for_each(drop_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}

fn drop_empty(body: &mut Value, place: &str) {
    if body.pointer(place).and_then(Value::as_object).is_some_and(Map::is_empty) {
        pointer::remove(body, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// `k8s-lab`: what was applied, and what the API server gave back.
    #[test]
    fn a_cluster_queue_as_the_server_returns_it() {
        let group = |cpu: Value, memory: &str| {
            json!([{
                "coveredResources": ["cpu", "memory"],
                "flavors": [{ "name": "spot", "resources": [
                    { "name": "cpu", "nominalQuota": cpu },
                    { "name": "memory", "nominalQuota": memory },
                ] }],
            }])
        };
        let mut ours = json!({
            "apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue", "metadata": { "name": "a100" },
            "spec": { "cohortName": "gpu", "namespaceSelector": {}, "resourceGroups": group(json!("1000"), "1024Mi") },
        });
        let mut live = json!({
            "apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue",
            "metadata": {
                "name": "a100", "uid": "u", "resourceVersion": "7", "generation": 1, "creationTimestamp": "2026-11-30T00:00:00Z",
                "finalizers": ["kueue.x-k8s.io/resource-in-use"], "managedFields": [{}],
            },
            "spec": {
                "cohortName": "gpu", "namespaceSelector": {}, "queueingStrategy": "BestEffortFIFO", "stopPolicy": "None",
                "flavorFungibility": { "whenCanBorrow": "MayStopSearch", "whenCanPreempt": "TryNextFlavor" },
                "preemption": { "borrowWithinCohort": { "policy": "Never" }, "reclaimWithinCohort": "Never", "withinClusterQueue": "Never" },
                "resourceGroups": group(json!("1k"), "1Gi"),
            },
            "status": { "pendingWorkloads": 3 },
        });
        normalise("ClusterQueue", &mut ours);
        normalise("ClusterQueue", &mut live);
        assert_eq!(ours, live);
        assert_eq!(
            ours.pointer("/spec/resourceGroups/0/flavors/0/resources/0/nominalQuota"),
            Some(&json!("1k"))
        );
    }

    #[test]
    fn equal_amounts_are_equal_however_they_are_written() {
        for (name, forms) in [
            ("memory", [json!("1Gi"), json!("1024Mi"), json!(1_073_741_824), json!("1073741824000m")]),
            ("nvidia.com/gpu", [json!("2k"), json!("2000"), json!(2000), json!("2e3")]),
        ] {
            let all = forms.map(|amount| {
                let mut body = json!({ "spec": { "resourceGroups": [{ "flavors": [{ "resources": [
                    { "name": name, "nominalQuota": amount } ] }] }] } });
                normalise("Cohort", &mut body);
                body
            });
            assert!(all.iter().all(|body| *body == all[0]), "{all:?}");
        }
    }

    #[test]
    fn what_means_something_is_kept() {
        let mut body = json!({ "spec": { "namespaceSelector": {} } });
        normalise("ClusterQueue", &mut body);
        assert_eq!(
            body.pointer("/spec/namespaceSelector"),
            Some(&json!({})),
            "empty selects everything, absent nothing"
        );
        let mut body = json!({ "spec": { "resourceGroups": [{ "flavors": [{ "resources": [{ "name": "cpu", "nominalQuota": "many" }] }] }] } });
        normalise("Cohort", &mut body);
        assert!(body.to_string().contains("many"));
    }

    #[test]
    fn a_namespace_and_a_priority_class() {
        let mut body = json!({ "metadata": { "name": "nlp", "labels": { "kubernetes.io/metadata.name": "nlp" } },
            "spec": { "finalizers": ["kubernetes"] }, "status": { "phase": "Active" } });
        normalise("Namespace", &mut body);
        assert_eq!(body, json!({ "metadata": { "name": "nlp" } }));
        let mut body = json!({ "value": 7, "preemptionPolicy": "Never" });
        normalise("PriorityClass", &mut body);
        assert_eq!(body, json!({ "value": 7, "preemptionPolicy": "Never", "globalDefault": false }));
    }

    #[test]
    fn twice_is_as_once() {
        for (kind, _) in facts::kinds() {
            let mut once = json!({ "kind": kind, "metadata": { "labels": {} }, "spec": { "fairSharing": {}, "clusterSource": { "kubeConfig": {} } } });
            normalise(kind, &mut once);
            let mut twice = once.clone();
            normalise(kind, &mut twice);
            assert_eq!(once, twice);
        }
    }
}
