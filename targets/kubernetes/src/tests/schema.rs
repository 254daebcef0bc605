//! Every object against the schema of the real API (`schemas/NOTICE`).

use std::path::Path;

use poolwright_model::Resource;
use serde_json::{Value, json};

use super::{TARGETS, objects, read};
use crate::facts;

pub(super) fn faults(body: &Value) -> Vec<String> {
    let identity = crate::object::Identity::of(body).unwrap();
    let path = format!("{}/schemas/{}/{}.json", env!("CARGO_MANIFEST_DIR"), identity.folder(), identity.kind);
    let schema: Value = read(Path::new(&path));
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    validator.iter_errors(body).map(|fault| format!("{}: {fault}", fault.instance_path())).collect()
}

#[test]
fn every_object_of_the_quickstart_is_valid() {
    for name in TARGETS {
        for object in objects(&format!("target.kubernetes.{name}")) {
            assert_eq!(faults(&object.body), [""; 0], "{}", object.address);
        }
    }
}

#[test]
fn every_kind_has_a_schema_of_its_group_and_version() {
    for (kind, facts) in facts::kinds() {
        let group = if facts.group.is_empty() { "core" } else { &facts.group };
        let schema: Value = read(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas").join(group).join(format!("{kind}.json")),
        );
        let version =
            if facts.group.is_empty() { facts.version.clone() } else { format!("{group}/{}", facts.version) };
        assert_eq!(schema.pointer("/properties/apiVersion/const"), Some(&json!(version)), "{kind}");
        jsonschema::draft202012::new(&schema).unwrap_or_else(|fault| panic!("{kind}: {fault}"));
    }
}

/// Each change is one that the real API server refuses, or drops in silence.
#[test]
fn a_broken_object_is_not_valid() {
    let all = objects("target.kubernetes.eks");
    let find = |kind: &str| all.iter().find(|object: &&Resource| object.kind == kind).unwrap().body.clone();
    for (kind, place, value) in [
        ("ClusterQueue", "/spec/stopPolicy", json!("Drain")),
        ("ClusterQueue", "/spec/flavorFungibility/whenCanBorrow", json!("Borrow")),
        ("ClusterQueue", "/spec/cohort", json!("acme")),
        ("ClusterQueue", "/spec/resourceGroups/0/flavors/0/resources/0/nominalQuota", json!("1 Gi")),
        ("ClusterQueue", "/spec/resourceGroups/0/flavors/0/name", json!("Spot")),
        ("ResourceFlavor", "/spec/nodeLabels", json!(["a"])),
        ("ResourceFlavor", "/metadata/lables", json!({})),
        ("AdmissionCheck", "/spec/parameters/name", json!("a.b")),
        ("ProvisioningRequestConfig", "/spec/retryStrategy/backoffLimitCount", json!(2_147_483_648_u64)),
        ("WorkloadPriorityClass", "/value", json!("100")),
        ("PriorityClass", "/preemption", json!("Never")),
        ("Namespace", "/apiVersion", json!("v2")),
    ] {
        let mut body = find(kind);
        assert_eq!(faults(&body), [""; 0]);
        let (parent, key) = place.rsplit_once('/').unwrap();
        body.pointer_mut(parent).unwrap().as_object_mut().unwrap().insert(key.into(), value);
        assert_ne!(faults(&body), [""; 0], "{kind}{place}");
    }
    let mut body = find("AdmissionCheck");
    body.pointer_mut("/spec").unwrap().as_object_mut().unwrap().remove("controllerName");
    assert_ne!(faults(&body), [""; 0]);
}
