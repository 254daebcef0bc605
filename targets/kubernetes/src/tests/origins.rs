//! Where the numbers of an object were written: what `plan` shows beside each field.

use poolwright_diagnostics::{FileId, Span};
use poolwright_model::{Address, Fleet, Meta, Origin};

use super::{lower, quickstart};

/// Gives a block a header and attributes, each with a place of its own.
fn write(meta: &mut Meta, file: u32, attributes: &[&str]) {
    let mut all: Vec<_> = attributes
        .iter()
        .zip(1_u32..)
        .map(|(path, at)| ((*path).into(), Span::new(FileId(file), at * 10, at * 10 + 5)))
        .collect();
    all.sort();
    meta.origin = Origin { header: Span::new(FileId(file), 0, 5), attributes: std::sync::Arc::new(all) };
}

fn written(fleet: &mut Fleet) {
    write(&mut fleet.tenants.get_mut("tenant.nlp").unwrap().meta, 1, TENANT);
    write(&mut fleet.pools.get_mut("pool.aws-a100-spot").unwrap().meta, 2, POOL);
    write(&mut fleet.pools.get_mut("pool.aws-a100-spot").unwrap().lots[0].meta, 3, &["nodes"]);
    write(&mut fleet.queues.get_mut("queue.cost-optimized").unwrap().meta, 4, QUEUE);
    write(&mut fleet.classes.get_mut("class.interruptible").unwrap().meta, 5, &["preempts", "priority"]);
    let route = fleet.routes.get_mut("route.cost-optimized").unwrap();
    write(&mut route.meta, 6, &[]);
    write(&mut route.steps[0].meta, 7, &["pools"]);
    write(&mut fleet.targets.get_mut("target.kubernetes.eks").unwrap().meta, 8, TARGET);
    write(&mut fleet.targets.get_mut("target.kubernetes.onprem").unwrap().meta, 9, &["kueue"]);
}

const TENANT: &[&str] =
    &["quotas[0]", "quotas[0].gpus", "quotas[0].borrow", "namespaces", "quotas[1]", "quotas"];
const POOL: &[&str] = &["taints", "node_labels"];
const QUEUE: &[&str] = &["tenants", "route", "entry"];
const TARGET: &[&str] = &["kueue", "cluster_autoscaler"];

#[test]
fn fields_know_where_they_were_written() {
    let (mut fleet, layout) = quickstart();
    written(&mut fleet);
    let span = |file: u32, attribute: u32| match attribute {
        0 => Span::new(FileId(file), 0, 5),
        at => Span::new(FileId(file), at * 10, at * 10 + 5),
    };
    let made =
        [lower(&fleet, &layout, "target.kubernetes.eks"), lower(&fleet, &layout, "target.kubernetes.onprem")];
    let quota = "/spec/resourceGroups/0/flavors/0";
    for (address, pointer, expected) in [
        ("eks/kueue.x-k8s.io/Cohort/acme--nlp", format!("{quota}/resources/2/nominalQuota"), span(1, 2)),
        ("eks/kueue.x-k8s.io/Cohort/acme--nlp", format!("{quota}/resources/0/borrowingLimit"), span(1, 3)),
        // Nothing written: the quota around it.
        ("eks/kueue.x-k8s.io/Cohort/acme--nlp", format!("{quota}/resources/0/lendingLimit"), span(1, 1)),
        ("eks/kueue.x-k8s.io/Cohort/acme", quota.into(), span(3, 1)),
        ("onprem/kueue.x-k8s.io/Cohort/acme", quota.into(), span(6, 0)),
        ("onprem/kueue.x-k8s.io/Cohort/acme--nlp", quota.into(), span(1, 6)),
        ("eks/kueue.x-k8s.io/ResourceFlavor/aws-a100-spot", "/spec/nodeTaints".into(), span(2, 1)),
        ("eks/kueue.x-k8s.io/ResourceFlavor/aws-a100-spot", "/spec/nodeLabels".into(), span(2, 0)),
        ("eks/kueue.x-k8s.io/ClusterQueue/cost-optimized--nlp", quota.into(), span(7, 1)),
        ("eks/kueue.x-k8s.io/ClusterQueue/cost-optimized--nlp", "/spec/preemption".into(), span(5, 1)),
        (
            "eks/kueue.x-k8s.io/ClusterQueue/cost-optimized--nlp",
            "/spec/admissionChecksStrategy".into(),
            span(8, 2),
        ),
        (
            "onprem/kueue.x-k8s.io/ClusterQueue/cost-optimized--nlp",
            "/spec/admissionChecksStrategy".into(),
            span(4, 3),
        ),
        ("eks/kueue.x-k8s.io/WorkloadPriorityClass/interruptible", "/value".into(), span(5, 2)),
        ("eks/core/Namespace/nlp", "/metadata/name".into(), span(1, 4)),
    ] {
        let address = format!("kubernetes.{address}");
        let object = made.iter().flat_map(|it| &it.resources).find(|it| it.address == address).unwrap();
        assert_eq!(object.field_origins.get(pointer.as_str()), Some(&expected), "{address}{pointer}");
    }
}

/// A place that points beside the body would never be shown.
#[test]
fn every_place_of_a_list_exists() {
    let (fleet, layout) = quickstart();
    for target in ["target.kubernetes.eks", "target.kubernetes.ack", "target.kubernetes.onprem"] {
        for object in lower(&fleet, &layout, target).resources {
            for pointer in object.field_origins.keys() {
                let (parent, _) = pointer.rsplit_once('/').unwrap();
                let there = object.body.pointer(parent).is_some() || parent == "/spec";
                assert!(there, "{}{pointer}", object.address);
            }
        }
    }
}

#[test]
fn remarks() {
    let (fleet, layout) = quickstart();
    let made = lower(&fleet, &layout, "target.kubernetes.onprem").resources;
    let remarks: Vec<(String, String)> =
        made.into_iter().filter_map(|object| Some((object.identity, object.remark?))).collect();
    let expected = [
        ("kueue.x-k8s.io/Cohort/acme", "root of the cluster's quota"),
        (
            "kueue.x-k8s.io/MultiKueueCluster/ack",
            "needs Secret kueue-system/multikueue-ack with a kubeconfig",
        ),
        (
            "kueue.x-k8s.io/MultiKueueCluster/eks",
            "needs Secret kueue-system/multikueue-eks with a kubeconfig",
        ),
        (
            "kueue.x-k8s.io/ResourceFlavor/dispatch--cost-optimized",
            "stands for all places of route cost-optimized; its quota is a throttle",
        ),
    ];
    assert_eq!(remarks, expected.map(|(identity, remark)| (identity.to_owned(), remark.to_owned())));
}

/// The faults of a version point at the attribute that says the version.
#[test]
fn a_version_is_pointed_at() {
    let (mut fleet, layout) = quickstart();
    written(&mut fleet);
    let target = fleet.targets.get_mut(&Address::new("target.kubernetes.onprem")).unwrap();
    let poolwright_model::fleet::TargetKind::Kubernetes(kubernetes) = &mut target.kind else {
        panic!("it is one")
    };
    kubernetes.kueue.as_mut().unwrap().version =
        poolwright_expression::quantity::Version::parse("0.14").unwrap();
    let lowered = lower(&fleet, &layout, "target.kubernetes.onprem");
    assert_eq!(lowered.diagnostics.len(), 1);
    assert_eq!(lowered.diagnostics[0].primary().unwrap().span, Span::new(FileId(9), 10, 15));
    assert_eq!(lowered.diagnostics[0].message, "Kueue 0.14 is not known");
}
