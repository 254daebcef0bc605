//! What the quickstart does not have, on the quickstart's cluster `eks` with something changed.

use poolwright_diagnostics::Code;
use poolwright_expression::Number;
use poolwright_expression::quantity::{Taint, Version};
use poolwright_model::fleet::{self, Discipline, Hold, Level, Preempts, TargetKind};
use poolwright_model::layout::{self, Amount, KueueCluster, Mechanism, MultiKueueCheck, RouteFidelity};
use poolwright_model::{Address, Fleet, Layout, Meta, Resource};
use poolwright_target::{Lowered, Target as _};
use serde_json::{Value, json};

use super::schema::faults;
use super::{lower, quickstart};
use crate::{Kubernetes, codes};

const EKS: &str = "target.kubernetes.eks";

/// Lowers `eks` after a change.
fn changed(change: impl FnOnce(&mut Fleet, &mut KueueCluster)) -> Lowered {
    let (mut fleet, mut layout) = quickstart();
    change(&mut fleet, layout.kueue.get_mut(&Address::new(EKS)).unwrap());
    lower(&fleet, &layout, EKS)
}

/// The same without faults, every object valid.
fn good(change: impl FnOnce(&mut Fleet, &mut KueueCluster)) -> Vec<Resource> {
    let lowered = changed(change);
    assert_eq!(lowered.diagnostics, []);
    for object in &lowered.resources {
        assert_eq!(faults(&object.body), [""; 0], "{}", object.address);
        let mut body = object.body.clone();
        Kubernetes.normalise(&object.kind, &mut body);
        assert_eq!(body, object.body, "what is written is what is compared");
    }
    lowered.resources
}

/// The cluster `eks` with everything at once that the quickstart does not have.
pub(super) fn everything() -> (Fleet, Vec<Resource>) {
    let mut changed = None;
    let made = good(|fleet, cluster| {
        with_topology(fleet, cluster, &[Some("acme.dev/spine"), Some("acme.dev/unit")]);
        cluster.flavors[0].taints = ["gpu:NoSchedule", "spot=true:NoExecute", "slow:PreferNoSchedule"]
            .map(|text| Taint::parse(text).unwrap())
            .to_vec();
        for (cohort, weight) in
            cluster.cohorts.iter_mut().filter(|cohort| cohort.tenant.is_some()).zip([3, 5])
        {
            cohort.weight = Number::ratio(weight, 2);
            for quota in
                cohort.groups.iter_mut().flat_map(|group| &mut group.flavors).flat_map(|it| &mut it.quotas)
            {
                quota.lending = Some(Amount { value: 0, ..quota.nominal });
            }
        }
        cluster.cluster_queues[0].namespaces = vec!["nlp".into(), "nlp-batch".into()];
        cluster.cluster_queues[1].namespaces = vec!["*".into()];
        cluster.namespaces.push(("nlp-batch".into(), "tenant.nlp".into()));
        cluster.submitters =
            vec![("nlp".into(), "tenant.nlp".into()), ("nlp-batch".into(), "tenant.nlp".into())];
        fleet.tenants.get_mut("tenant.nlp").unwrap().groups = vec!["acme:nlp".into()];
        let class = fleet.classes.get_mut("class.interruptible").unwrap();
        class.preempts = Preempts::LowerOrNewer;
        class.meta.description = Some("yes: may be\ninterrupted # at any time".into());
        class.meta.protect = true;
        let queue = fleet.queues.get_mut("queue.cost-optimized").unwrap();
        (queue.hold, queue.discipline) = (Hold::Drain, Discipline::Strict);
        queue.meta.labels =
            [("on".to_owned(), "no".to_owned()), ("since".into(), "2026-11-30".into())].into();
        changed = Some(fleet.clone());
    });
    (changed.unwrap(), made)
}

fn codes_of(lowered: &Lowered) -> Vec<Code> {
    lowered.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

fn at<'a>(objects: &'a [Resource], address: &str, place: &str) -> &'a Value {
    let address = format!("kubernetes.eks/{address}");
    let object =
        objects.iter().find(|object| object.address == address).unwrap_or_else(|| panic!("{address}"));
    object.body.pointer(place).unwrap_or(&Value::Null)
}

fn kueue(fleet: &mut Fleet) -> &mut fleet::Kueue {
    let target = fleet.targets.get_mut(&Address::new(EKS)).unwrap();
    let TargetKind::Kubernetes(kubernetes) = &mut target.kind else { panic!("eks is a Kubernetes cluster") };
    kubernetes.kueue.as_mut().unwrap()
}

fn set_version(fleet: &mut Fleet, version: &str) {
    kueue(fleet).version = Version::parse(version).unwrap();
}

const QUEUE: &str = "kueue.x-k8s.io/ClusterQueue/cost-optimized--nlp";

/// LANGUAGE §4.5 and §3.4.
#[test]
fn attributes_of_class_and_queue() {
    for (preempts, within, borrow) in [
        (Preempts::Nobody, "Never", "Never"),
        (Preempts::Lower, "LowerPriority", "LowerPriority"),
        (Preempts::LowerOrNewer, "LowerOrNewerEqualPriority", "LowerPriority"),
    ] {
        let made = good(|fleet, _| fleet.classes.get_mut("class.interruptible").unwrap().preempts = preempts);
        let expected = json!({ "borrowWithinCohort": { "policy": borrow }, "reclaimWithinCohort": "Any", "withinClusterQueue": within });
        assert_eq!(*at(&made, QUEUE, "/spec/preemption"), expected);
        let fungible = json!({ "whenCanBorrow": "MayStopSearch", "whenCanPreempt": "TryNextFlavor" });
        assert_eq!(*at(&made, QUEUE, "/spec/flavorFungibility"), fungible);
    }
    for (hold, discipline, stop, strategy) in [
        (Hold::None, Discipline::BestEffort, "None", "BestEffortFIFO"),
        (Hold::Hold, Discipline::Strict, "Hold", "StrictFIFO"),
        (Hold::Drain, Discipline::Strict, "HoldAndDrain", "StrictFIFO"),
    ] {
        let made = good(|fleet, _| {
            let queue = fleet.queues.get_mut("queue.cost-optimized").unwrap();
            (queue.hold, queue.discipline) = (hold, discipline);
        });
        assert_eq!(*at(&made, QUEUE, "/spec/stopPolicy"), json!(stop));
        assert_eq!(*at(&made, QUEUE, "/spec/queueingStrategy"), json!(strategy));
    }
}

#[test]
fn who_may_use_a_queue() {
    for (namespaces, selector) in [
        (vec!["nlp"], json!({ "matchLabels": { "kubernetes.io/metadata.name": "nlp" } })),
        (
            vec!["nlp-b", "nlp-a"],
            json!({ "matchExpressions": [{ "key": "kubernetes.io/metadata.name", "operator": "In", "values": ["nlp-a", "nlp-b"] }] }),
        ),
        (vec!["*"], json!({})),
    ] {
        let made = good(|_, cluster| {
            let queue =
                cluster.cluster_queues.iter_mut().find(|queue| queue.name == "cost-optimized--nlp").unwrap();
            queue.namespaces = namespaces.into_iter().map(str::to_owned).collect();
        });
        assert_eq!(*at(&made, QUEUE, "/spec/namespaceSelector"), selector);
    }
    let lowered = changed(|_, cluster| cluster.cluster_queues[0].namespaces.clear());
    assert_eq!(codes_of(&lowered), [codes::NO_NAMESPACE]);
}

#[test]
fn groups_may_submit() {
    let made = good(|fleet, cluster| {
        fleet.tenants.get_mut("tenant.nlp").unwrap().groups = vec!["nlp-users".into(), "nlp-admins".into()];
        fleet.tenants.get_mut("tenant.vision").unwrap().groups = vec!["vision".into()];
        cluster.submitters =
            vec![("nlp".into(), "tenant.nlp".into()), ("nlp".into(), "tenant.vision".into())];
    });
    let binding = "rbac.authorization.k8s.io/RoleBinding/nlp/poolwright-submit";
    let role =
        json!({ "apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "poolwright-submit" });
    assert_eq!(*at(&made, binding, "/roleRef"), role);
    let names: Vec<&Value> =
        at(&made, binding, "/subjects").as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert_eq!(
        names,
        ["nlp-admins", "nlp-users", "vision"],
        "tenants that share a namespace share its binding"
    );
    let jobs = json!({ "apiGroups": ["batch"], "resources": ["jobs"], "verbs": ["create", "delete", "get", "list", "watch"] });
    assert_eq!(*at(&made, "rbac.authorization.k8s.io/Role/nlp/poolwright-submit", "/rules/0"), jobs);
    let object = made.iter().find(|object| object.address.ends_with(binding)).unwrap();
    assert_eq!(
        object.depends_on,
        [
            "kubernetes.eks/core/Namespace/nlp",
            "kubernetes.eks/rbac.authorization.k8s.io/Role/nlp/poolwright-submit"
        ]
    );
}

/// Puts the spot pool into the fabric, with labels on its levels.
fn with_topology(fleet: &mut Fleet, cluster: &mut KueueCluster, labels: &[Option<&str>]) {
    let fabric = fleet.fabrics.get_mut("fabric.ndr").unwrap();
    let level = |(at, label): (usize, &Option<&str>)| Level {
        meta: Meta {
            address: Address::new(format!("fabric.ndr.level.l{at}")),
            name: format!("l{at}"),
            ..Meta::default()
        },
        label: label.map(str::to_owned),
        nodes: None,
        blocking: None,
        block_size: None,
    };
    fabric.levels = labels.iter().enumerate().map(level).collect();
    cluster.topologies = vec!["fabric.ndr".into()];
    cluster.flavors[0].topology = Some("fabric.ndr".into());
}

#[test]
fn a_topology_ends_at_the_host() {
    for labels in [
        &[Some("acme.dev/spine"), Some("acme.dev/unit")][..],
        &[Some("acme.dev/spine"), Some("acme.dev/unit"), Some("kubernetes.io/hostname")],
    ] {
        let made = good(|fleet, cluster| with_topology(fleet, cluster, labels));
        let levels = json!([
            { "nodeLabel": "acme.dev/spine" }, { "nodeLabel": "acme.dev/unit" }, { "nodeLabel": "kubernetes.io/hostname" },
        ]);
        assert_eq!(*at(&made, "kueue.x-k8s.io/Topology/ndr", "/spec/levels"), levels);
        assert_eq!(
            *at(&made, "kueue.x-k8s.io/ResourceFlavor/aws-a100-spot", "/spec/topologyName"),
            json!("ndr")
        );
        let flavor = made.iter().find(|object| object.kind == "ResourceFlavor").unwrap();
        assert_eq!(flavor.depends_on, ["kubernetes.eks/kueue.x-k8s.io/Topology/ndr"]);
    }
}

#[test]
fn levels_that_cannot_be() {
    for labels in
        [&[None, Some("a")][..], &[Some("a"), Some("a")], &[Some("kubernetes.io/hostname"), Some("a")]]
    {
        let lowered = changed(|fleet, cluster| with_topology(fleet, cluster, labels));
        assert_eq!(codes_of(&lowered), [codes::LEVEL_LABEL], "{labels:?}");
    }
    let lowered = changed(|fleet, cluster| {
        with_topology(fleet, cluster, &[Some("a")]);
        cluster.flavors[0].select.clear();
    });
    assert_eq!(codes_of(&lowered), [codes::TOPOLOGY_SELECT]);
    let many: Vec<String> = (0..16).map(|n| format!("l{n}")).collect();
    let labels: Vec<Option<&str>> = many.iter().map(|label| Some(label.as_str())).collect();
    let lowered = changed(|fleet, cluster| with_topology(fleet, cluster, &labels));
    assert_eq!(codes_of(&lowered), [codes::TOO_MANY]);
}

#[test]
fn taints_are_tolerated_unless_jobs_opt_in() {
    let flavor = "kueue.x-k8s.io/ResourceFlavor/aws-a100-spot";
    let taints = |texts: &[&str]| texts.iter().map(|text| Taint::parse(text).unwrap()).collect::<Vec<_>>();
    let made = good(|_, cluster| cluster.flavors[0].taints = taints(&["a=b:NoSchedule", "c:NoExecute"]));
    let expected =
        json!([{ "effect": "NoSchedule", "key": "a", "value": "b" }, { "effect": "NoExecute", "key": "c" }]);
    assert_eq!(*at(&made, flavor, "/spec/nodeTaints"), expected);
    let expected = json!([
        { "effect": "NoSchedule", "key": "a", "operator": "Equal", "value": "b" },
        { "effect": "NoExecute", "key": "c", "operator": "Exists" },
    ]);
    assert_eq!(*at(&made, flavor, "/spec/tolerations"), expected);
    let made = good(|_, cluster| cluster.flavors[0].tolerated = false);
    assert_eq!(*at(&made, flavor, "/spec/tolerations"), Value::Null);
    let lowered =
        changed(|_, cluster| cluster.flavors[0].taints = taints(&["a=b:NoSchedule", "a=c:NoSchedule"]));
    assert_eq!(codes_of(&lowered), [codes::DUPLICATE_TAINT]);
    let many: Vec<String> = (0..9).map(|n| format!("t{n}:NoSchedule")).collect();
    let lowered = changed(|_, cluster| {
        cluster.flavors[0].taints = many.iter().map(|text| Taint::parse(text).unwrap()).collect()
    });
    assert_eq!(codes_of(&lowered), [codes::TOO_MANY]);
    assert_eq!(
        lowered.diagnostics[0].message,
        "pool \"aws-a100-spot\" has 9 taints; Kueue 0.17 takes at most 8"
    );
}

#[test]
fn weights_are_exact_or_refused() {
    let weigh = |weight: Number| {
        changed(|_, cluster| {
            let cohort = cluster.cohorts.iter_mut().find(|cohort| cohort.tenant.is_some()).unwrap();
            cohort.weight = Some(weight);
        })
    };
    let lowered = weigh(Number::ratio(5, 2).unwrap());
    assert_eq!(
        *at(&lowered.resources, "kueue.x-k8s.io/Cohort/acme--nlp", "/spec/fairSharing"),
        json!({ "weight": "2500m" })
    );
    assert_eq!(codes_of(&lowered), []);
    assert_eq!(codes_of(&weigh(Number::ratio(1, 3).unwrap())), [codes::FINE_WEIGHT]);
}

#[test]
fn a_provisioning_check_never_gives_up() {
    let made = good(|_, _| {});
    let spec = json!({
        "managedResources": ["nvidia.com/gpu"],
        "provisioningClassName": "best-effort-atomic-scale-up.autoscaling.x-k8s.io",
        "retryStrategy": { "backoffBaseSeconds": 60, "backoffLimitCount": 2_147_483_647, "backoffMaxSeconds": 60 },
    });
    assert_eq!(*at(&made, "kueue.x-k8s.io/ProvisioningRequestConfig/provisioning", "/spec"), spec);
}

/// The check is the cluster's: a pool before all others, with labels and protection of its own, changes nothing of it.
#[test]
fn a_provisioning_check_does_not_follow_the_first_pool() {
    let checks = |made: Vec<Resource>| -> Vec<Resource> {
        let checks = made.into_iter().filter(|object| object.address.ends_with("/provisioning"));
        checks.collect()
    };
    let before = checks(good(|_, _| {}));
    assert_eq!(before.len(), 2);
    for object in &before {
        assert_eq!(object.block, Address::new(EKS));
        assert_eq!(object.body["metadata"]["annotations"]["poolwright.dev/address"], EKS);
    }
    let after = checks(good(|fleet, cluster| {
        let mut pool = fleet.pools["pool.aws-a100-spot"].clone();
        pool.meta.address = Address::new("pool.a");
        pool.meta.name = "a".to_owned();
        pool.meta.labels = [("owner".to_owned(), "somebody".to_owned())].into();
        pool.meta.protect = true;
        fleet.pools.insert(pool.meta.address.clone(), pool);
        let mut flavor = cluster.flavors[0].clone();
        (flavor.name, flavor.pool) = ("a".to_owned(), Address::new("pool.a"));
        flavor.lots = Vec::new();
        flavor.select = [("pool".to_owned(), "a".to_owned())].into();
        cluster.flavors.insert(0, flavor);
        cluster.provisioning[0].flavors.insert(0, "a".to_owned());
    }));
    assert_eq!(before, after);
}

#[test]
fn versions() {
    for known in ["0.15", "0.16.4", "0.17.1", "0.18", "0.19.2"] {
        good(|fleet, _| set_version(fleet, known));
    }
    for unknown in ["0.14", "0.20", "1.0"] {
        assert_eq!(
            codes_of(&changed(|fleet, _| set_version(fleet, unknown))),
            [codes::KUEUE_VERSION],
            "{unknown}"
        );
    }
    let without = changed(|fleet, _| {
        let target = fleet.targets.get_mut(&Address::new(EKS)).unwrap();
        if let TargetKind::Kubernetes(kubernetes) = &mut target.kind {
            kubernetes.kueue = None;
        }
    });
    assert_eq!((codes_of(&without), without.resources.len()), (vec![codes::KUEUE_VERSION], 0));
}

/// An entry cluster as `eks` never is one.
fn as_entry(cluster: &mut KueueCluster, clusters: usize) {
    cluster.multikueue = vec![MultiKueueCheck {
        name: "cost-optimized".into(),
        route: "route.cost-optimized".into(),
        clusters: (0..clusters).map(|n| format!("c{n}")).collect(),
    }];
}

#[test]
fn what_depends_on_the_version() {
    for (version, clusters, expected) in [
        ("0.17", 20, vec![]),
        ("0.17", 21, vec![codes::TOO_MANY]),
        ("0.15", 10, vec![]),
        ("0.15", 11, vec![codes::TOO_MANY]),
        ("0.16", 11, vec![]),
    ] {
        let lowered = changed(|fleet, cluster| {
            set_version(fleet, version);
            as_entry(cluster, clusters);
        });
        assert_eq!(codes_of(&lowered), expected, "{version} with {clusters} clusters");
    }
    for (version, expected) in [("0.15", vec![]), ("0.16", vec![codes::CHECKS_TOGETHER])] {
        let lowered = changed(|fleet, cluster| {
            set_version(fleet, version);
            as_entry(cluster, 1);
            cluster.cluster_queues[0].checks.push(("cost-optimized".into(), Vec::new()));
        });
        assert_eq!(codes_of(&lowered), expected, "{version}");
    }
}

#[test]
fn concurrent_admission_is_refused() {
    let (fleet, mut layout) = quickstart();
    layout.routes = vec![RouteFidelity {
        route: "route.cost-optimized".into(),
        target: EKS.into(),
        mechanism: Mechanism::ConcurrentAdmission,
        exact: true,
        line: "exact".into(),
        note: None,
    }];
    assert_eq!(codes_of(&lower(&fleet, &layout, EKS)), [codes::CONCURRENT_ADMISSION]);
}

#[test]
fn texts_that_kubernetes_refuses() {
    let lowered = changed(|fleet, _| {
        fleet.classes.get_mut("class.interruptible").unwrap().meta.name = "Spot OK".into()
    });
    assert_eq!(codes_of(&lowered), [codes::BAD_NAME, codes::BAD_NAME], "one per kind");
    let lowered = changed(|fleet, _| {
        fleet.classes.get_mut("class.interruptible").unwrap().meta.name = "system-x".into()
    });
    assert_eq!(codes_of(&lowered), [codes::BAD_NAME], "a PriorityClass only");
    let lowered = changed(|fleet, _| {
        fleet.classes.get_mut("class.interruptible").unwrap().meta.description = Some("x".repeat(2049));
    });
    assert_eq!(codes_of(&lowered), [codes::LONG_DESCRIPTION]);
}

#[test]
fn two_blocks_that_make_one_object() {
    let lowered = changed(|_, cluster| {
        let again = cluster.flavors[0].clone();
        cluster.flavors.push(layout::Flavor { pool: "pool.aliyun-a100".into(), ..again });
    });
    assert_eq!(codes_of(&lowered), [codes::BAD_NAME]);
}

#[test]
fn a_layout_of_another_fleet_is_said_not_lost() {
    let lowered = changed(|_, cluster| cluster.classes.push("class.gone".into()));
    assert_eq!(codes_of(&lowered), [codes::INCONSISTENT_LAYOUT]);
}

#[test]
fn a_cluster_without_layout_has_no_objects() {
    let (fleet, _) = quickstart();
    let lowered = lower(&fleet, &Layout::default(), EKS);
    assert!(lowered.resources.is_empty() && lowered.diagnostics.is_empty());
}

#[test]
fn heads() {
    let made = good(|fleet, _| {
        let meta = &mut fleet.pools.get_mut("pool.aws-a100-spot").unwrap().meta;
        meta.protect = true;
        meta.labels.insert("team".into(), "a".into());
    });
    let flavor = "kueue.x-k8s.io/ResourceFlavor/aws-a100-spot";
    let labels = json!({ "managed-for": "ml-platform", "poolwright.dev/fleet": "acme", "team": "a" });
    assert_eq!(*at(&made, flavor, "/metadata/labels"), labels);
    assert_eq!(
        *at(&made, flavor, "/metadata/annotations/poolwright.dev~1address"),
        json!("pool.aws-a100-spot")
    );
    assert_eq!(*at(&made, flavor, "/metadata/annotations/poolwright.dev~1protect"), json!("true"));
    let object = made.iter().find(|object| object.address.ends_with(flavor)).unwrap();
    assert!(object.protected);
    // The digest is over the body without itself.
    let mut body = object.body.clone();
    let annotations = body.pointer_mut("/metadata/annotations").unwrap().as_object_mut().unwrap();
    let digest = annotations.remove("poolwright.dev/spec").unwrap();
    assert_eq!(digest, json!(poolwright_model::canonical::digest(body.to_string().as_bytes())));
}

#[test]
fn what_cannot_be_changed() {
    let (mut fleet, _) = quickstart();
    let topology = json!({ "spec": { "topologyName": "ndr" } });
    let plain = json!({ "spec": {} });
    for (kueue, kind, pointer, now, expected) in [
        ("0.17", "LocalQueue", "/spec/clusterQueue", &plain, Some("is immutable in Kueue 0.17")),
        ("0.17", "LocalQueue", "/spec/stopPolicy", &plain, None),
        ("0.17", "AdmissionCheck", "/spec/controllerName", &plain, Some("is immutable in Kueue 0.17")),
        ("0.17", "AdmissionCheck", "/spec/controllerNames", &plain, None),
        ("0.17", "Topology", "/spec/levels/*/nodeLabel", &plain, Some("is immutable in Kueue 0.17")),
        ("0.17", "ResourceFlavor", "/spec/nodeLabels/a", &plain, None),
        ("0.17", "ResourceFlavor", "/spec/nodeLabels/a", &topology, Some("is immutable in Kueue 0.17")),
        ("0.17", "ResourceFlavor", "/spec/nodeTaints", &topology, None),
        ("0.16", "ResourceFlavor", "/spec/nodeTaints", &topology, Some("is immutable in Kueue 0.16")),
        ("0.17", "ClusterQueue", "/spec/concurrentAdmissionPolicy", &plain, None),
        (
            "0.18",
            "ClusterQueue",
            "/spec/concurrentAdmissionPolicy",
            &plain,
            Some("is immutable in Kueue 0.18"),
        ),
        ("0.17", "PriorityClass", "/value", &plain, Some("is immutable in Kubernetes 1.33")),
        ("0.17", "RoleBinding", "/roleRef/name", &plain, Some("is immutable in Kubernetes 1.33")),
        ("0.17", "WorkloadPriorityClass", "/value", &plain, None),
        ("0.17", "Secret", "/data", &plain, None),
    ] {
        set_version(&mut fleet, kueue);
        let target = &fleet.targets[&Address::new(EKS)];
        let got = Kubernetes.immutable_in(target, kind, pointer, now);
        assert_eq!(got.as_deref(), expected, "{kind}{pointer} in {kueue}");
    }
}

#[test]
fn list_keys() {
    for (kind, pointer, key) in [
        ("ClusterQueue", "/spec/resourceGroups/*/flavors", Some("name")),
        ("Cohort", "/spec/resourceGroups/0/flavors/3/resources", Some("name")),
        ("ClusterQueue", "/spec/admissionChecksStrategy/admissionChecks", Some("name")),
        ("Topology", "/spec/levels", Some("nodeLabel")),
        ("ClusterQueue", "/spec/resourceGroups", None),
        ("MultiKueueConfig", "/spec/clusters", None),
        ("ResourceFlavor", "/spec/nodeTaints", None),
    ] {
        assert_eq!(Kubernetes.list_key(kind, pointer), key, "{kind}{pointer}");
    }
}
