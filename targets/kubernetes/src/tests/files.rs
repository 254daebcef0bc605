//! From objects to files and back.

use poolwright_diagnostics::Span;
use poolwright_model::resource::File;
use poolwright_model::{Address, Resource};
use poolwright_target::Target as _;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{TARGETS, objects, quickstart};
use crate::Kubernetes;
use crate::object::Identity;

fn resource(body: Value) -> Resource {
    let identity = Identity::of(&body).unwrap();
    Resource {
        address: identity.address("kubernetes.eks"),
        target: Address::new("target.kubernetes.eks"),
        kind: identity.kind.clone(),
        identity: identity.to_string(),
        body,
        depends_on: Vec::new(),
        block: Address::new(""),
        origin: Span::default(),
        field_origins: std::collections::BTreeMap::new(),
        remark: None,
        ownership: std::collections::BTreeMap::new(),
        protected: false,
    }
}

#[test]
fn what_is_written_is_read_back_and_is_what_is_compared() {
    let (fleet, _) = quickstart();
    for name in TARGETS {
        let address = format!("target.kubernetes.{name}");
        let target = &fleet.targets[&Address::new(address.clone())];
        let made = objects(&address);
        let files = Kubernetes.to_files(target, "acme", &made);
        let (found, faults) = Kubernetes.from_files(target, &files);
        assert_eq!(faults, []);
        assert_eq!(found.len(), made.len());
        for object in &found {
            let wanted = made.iter().find(|wanted| wanted.address == object.address).unwrap();
            assert_eq!(
                (&object.kind, &object.identity, &object.body),
                (&wanted.kind, &wanted.identity, &wanted.body)
            );
            assert!(object.owned);
            assert_eq!(Kubernetes.files_of(target, object).len(), 1);
        }
        let again: Vec<Resource> =
            found.iter().map(|object| poolwright_target::as_resource(target, object)).collect();
        assert_eq!(Kubernetes.to_files(target, "acme", &again), files);
    }
}

#[test]
fn paths() {
    for (api, kind, namespace, name, path) in [
        ("kueue.x-k8s.io/v1beta2", "ClusterQueue", None, "a--b", "kueue.x-k8s.io/clusterqueue/a--b.yaml"),
        ("kueue.x-k8s.io/v1beta2", "LocalQueue", Some("nlp"), "a", "kueue.x-k8s.io/localqueue/nlp/a.yaml"),
        ("v1", "Namespace", None, "con", "core/namespace/%63on.yaml"),
        ("v1", "Namespace", None, "com1", "core/namespace/%63om1.yaml"),
        ("v1", "Namespace", None, "nul.x", "core/namespace/%6Eul.x.yaml"),
        ("v1", "Namespace", None, "console", "core/namespace/console.yaml"),
        (
            "rbac.authorization.k8s.io/v1",
            "Role",
            Some("n"),
            "system:a/b",
            "rbac.authorization.k8s.io/role/n/system%3Aa%2Fb.yaml",
        ),
        (
            "rbac.authorization.k8s.io/v1",
            "Role",
            Some("n"),
            "..",
            "rbac.authorization.k8s.io/role/n/%2E..yaml",
        ),
    ] {
        let mut body = json!({ "apiVersion": api, "kind": kind, "metadata": { "name": name } });
        if let Some(namespace) = namespace {
            body["metadata"]["namespace"] = json!(namespace);
        }
        assert_eq!(crate::files::path_of(&body).as_deref(), Some(path));
    }
    let long = |last: &str| json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "x".repeat(252) + last } });
    let (a, b) = (crate::files::path_of(&long("a")).unwrap(), crate::files::path_of(&long("b")).unwrap());
    assert_ne!(a, b);
    assert!(a.len() < 255);
}

#[test]
fn files_that_hold_no_object() {
    let (fleet, _) = quickstart();
    let target = &fleet.targets[&Address::new("target.kubernetes.eks")];
    let object = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: x\n";
    for (contents, line, message) in [
        ("a: [1\nb: 2\n".to_owned(), Some(2), None),
        ("# nothing\n".to_owned(), None, Some("holds 0 documents; one file holds one object")),
        (format!("{object}---\n{object}"), None, Some("holds 2 documents; one file holds one object")),
        (
            "kind: Namespace\n".to_owned(),
            Some(1),
            Some("is no Kubernetes object: it has no apiVersion, metadata.name that is a text"),
        ),
        ("- 1\n".to_owned(), Some(1), None),
    ] {
        let file = File { path: "x.yaml".into(), contents: contents.clone().into_bytes() };
        let (found, faults) = Kubernetes.from_files(target, &[file]);
        assert_eq!((found.len(), faults.len()), (0, 1), "{contents}");
        assert_eq!(faults[0].line, line, "{contents}: {faults:?}");
        if let Some(message) = message {
            assert_eq!(faults[0].message, message);
        }
    }
    let file = File { path: "x.yaml".into(), contents: b"a: 1\n\xff".to_vec() };
    assert_eq!(Kubernetes.from_files(target, &[file]).1[0].line, Some(2));
    let file = File { path: "x.yaml".into(), contents: object.as_bytes().to_vec() };
    let (found, _) = Kubernetes.from_files(target, &[file]);
    assert!(!found[0].owned, "without our label it is not ours");
}

/// Texts that some YAML reader takes for something else, and texts of all kinds.
fn text() -> impl Strategy<Value = String> {
    let traps = vec![
        "on",
        "off",
        "no",
        "yes",
        "y",
        "N",
        "null",
        "~",
        "1_000",
        "0x1F",
        "0o7",
        "0755",
        "1e3",
        ".inf",
        "2026-11-30",
        "12:30:45",
        "<<",
        "- a",
        "a: b",
        "# a",
        "",
        " ",
        "a\nb\n",
        "\"",
        "'",
        "%",
        "true",
    ];
    prop_oneof![
        prop::sample::select(traps).prop_map(str::to_owned),
        "[0-9_.:eExo+-]{0,8}",
        "\\PC{0,16}",
        "[a-z \\n\\t:#'\"-]{0,90}",
    ]
}

proptest! {
    #[test]
    fn any_labels_come_back(
        labels in prop::collection::btree_map(text(), text(), 0..6),
        selector in prop::collection::btree_map(text(), text(), 0..6),
    ) {
        let (fleet, _) = quickstart();
        let target = &fleet.targets[&Address::new("target.kubernetes.eks")];
        let mut body = json!({
            "apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ResourceFlavor",
            "metadata": { "name": "x", "labels": labels }, "spec": { "nodeLabels": selector },
        });
        Kubernetes.normalise("ResourceFlavor", &mut body);
        let wanted = resource(body);
        let files = Kubernetes.to_files(target, "acme", std::slice::from_ref(&wanted));
        let (found, faults) = Kubernetes.from_files(target, &files);
        prop_assert_eq!(faults, []);
        prop_assert_eq!(&found[0].body, &wanted.body);
        prop_assert_eq!(&found[0].address, &wanted.address);
    }

    #[test]
    fn any_name_is_a_path_of_one_part(name in "\\PC{1,80}") {
        let body = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name } });
        let path = crate::files::path_of(&body).unwrap();
        prop_assert_eq!(path.split('/').count(), 3);
        prop_assert_eq!(poolwright_target::files::check_path(&path), Ok(()));
    }
}

#[test]
fn the_protection_mark_is_read_from_the_object() {
    let (fleet, _) = quickstart();
    let target = &fleet.targets[&Address::new("target.kubernetes.eks")];
    for (mark, protected) in [("true", true), ("false", false)] {
        let body = json!({
            "apiVersion": "kueue.x-k8s.io/v1beta2",
            "kind": "Cohort",
            "metadata": {"name": "acme", "annotations": {"poolwright.dev/protect": mark}},
        });
        let files = Kubernetes.to_files(target, "acme", &[resource(body)]);
        assert_eq!(Kubernetes.from_files(target, &files).0[0].protected, protected);
    }
}
