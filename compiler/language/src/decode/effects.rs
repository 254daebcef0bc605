//! Attributes that are accepted and do nothing where they stand: each is said, at its place.
//!
//! What depends on one block's own kind is in the schema (`status`); here is what depends on where the block's jobs
//! or nodes are.

use std::collections::BTreeSet;

use poolwright_diagnostics::Diagnostic;
use poolwright_model::fleet::{
    Class, Discipline, Fabric, Fleet, Lot, Pool, PreemptAction, Queue, Target, TargetKind,
};
use poolwright_model::{Address, Meta};

use crate::codes;
use crate::values::{Values, no_effect};

/// Attributes of pools and lots that tell a provisioner what to do.
const OF_PROVISIONERS: [&str; 5] = ["idle_after", "allocation", "zones", "placement", "provisioning"];

/// Attributes of pools that are about Kubernetes nodes.
const OF_KUBERNETES_NODES: [&str; 4] = ["taints", "opt_in", "select", "node_labels"];

/// Reports every attribute without effect.
pub(super) fn effects(values: &Values<'_, '_>, fleet: &Fleet) {
    for pool in fleet.pools.values() {
        of_pool(values, fleet, pool);
    }
    for target in fleet.targets.values() {
        of_target(values, target);
    }
    for fabric in fleet.fabrics.values() {
        of_fabric(values, fleet, fabric);
    }
    let mut reached: Vec<(&Queue, Clusters)> = Vec::new();
    for queue in fleet.queues.values() {
        // A route or pool that failed is not there: then nobody knows where the jobs go.
        if let Some(clusters) = clusters(fleet, queue) {
            reached.push((queue, clusters));
        }
    }
    for (queue, clusters) in &reached {
        if queue.discipline == Discipline::Strict && !clusters.kubernetes {
            values.report(no_effect(
                "discipline",
                queue.meta.address.as_str(),
                queue.meta.origin.of("discipline"),
                "its jobs run on Slurm, whose backfill lets a job that fits overtake",
                "remove it; `bf_*` of the site's SchedulerParameters decides there",
            ));
        }
        if !clusters.kubernetes {
            unlabelled(values, &queue.meta);
        }
        if queue.hidden && !clusters.slurm {
            values.report(no_effect(
                "hidden",
                queue.meta.address.as_str(),
                queue.meta.origin.of("hidden"),
                "its jobs run on Kubernetes, which lists every LocalQueue",
                "remove it; only Slurm hides partitions",
            ));
        }
    }
    for class in fleet.classes.values() {
        let address = &class.meta.address;
        let of_class = |queue: &Queue| queue.class == *address || queue.allow.contains(address);
        let queues = fleet.queues.values().filter(|queue| of_class(queue)).count();
        let known: Vec<Clusters> =
            reached.iter().filter(|(queue, _)| of_class(queue)).map(|(_, clusters)| *clusters).collect();
        if known.len() < queues {
            continue;
        }
        match (known.iter().any(|it| it.kubernetes), known.iter().any(|it| it.slurm)) {
            (true, false) => on_kubernetes_only(values, class),
            (true, true) => on_kubernetes_too(values, class),
            (false, true) => unlabelled(values, &class.meta),
            (false, false) => {}
        }
    }
}

/// What kind of clusters a queue's jobs run on.
#[derive(Clone, Copy, Default)]
struct Clusters {
    kubernetes: bool,
    slurm: bool,
}

fn clusters(fleet: &Fleet, queue: &Queue) -> Option<Clusters> {
    if queue.route.as_ref().is_some_and(|route| !fleet.routes.contains_key(route)) {
        return None;
    }
    let places: Vec<Address> = fleet.ladder(queue).into_iter().flat_map(|step| step.pools).collect();
    let mut found = Clusters::default();
    for place in &places {
        let pool = fleet.pools.get(&place.pool())?;
        let kubernetes = fleet.targets.get(&pool.cluster)?.kubernetes().is_some();
        found.kubernetes |= kubernetes;
        found.slurm |= !kubernetes;
    }
    Some(found)
}

/// Limits of one job, which on Kubernetes are of job templates and of admission: nothing carries them there yet.
const LIMITS: [&str; 3] = ["limits.gpus", "limits.nodes", "limits.run_time"];

/// Slurm holds the limits of such a class, Kubernetes does not.
fn on_kubernetes_too(values: &Values<'_, '_>, class: &Class) {
    let origin = &class.meta.origin;
    let written: Vec<&str> = LIMITS.into_iter().filter(|limit| origin.wrote(limit)).collect();
    let Some((first, rest)) = written.split_first() else { return };
    let message = format!("limits of `{}` hold on Slurm only", class.meta.address);
    let mut note = Diagnostic::note(codes::CHECKED_ONLY, message)
        .at(origin.of(first), "on Kubernetes no object of this version carries it");
    for limit in rest {
        note = note.also(origin.of(limit), "nor this");
    }
    values.report(note.with_help("limit jobs on Kubernetes by other means until a version emits it"));
}

/// Kueue evicts and requeues by itself and knows no grace of its own.
fn on_kubernetes_only(values: &Values<'_, '_>, class: &Class) {
    let origin = &class.meta.origin;
    for limit in LIMITS {
        if origin.wrote(limit) {
            values.checked_only(origin.of(limit), format!("{}.{limit}", class.meta.address));
        }
    }
    let cancel = class.when_preempted.action == PreemptAction::Cancel;
    for (key, written) in [
        ("when_preempted.action", cancel),
        ("when_preempted.grace", origin.wrote("when_preempted.grace")),
        ("when_preempted.exempt", origin.wrote("when_preempted.exempt")),
    ] {
        if written {
            values.report(no_effect(
                key,
                class.meta.address.as_str(),
                origin.of(key),
                "its jobs run on Kubernetes, where Kueue evicts and requeues",
                "remove it: the pod's own `terminationGracePeriodSeconds` counts there",
            ));
        }
    }
}

/// Slurm's objects have no labels. Policies see them all the same, so that this is a note.
fn unlabelled(values: &Values<'_, '_>, meta: &Meta) {
    if meta.origin.wrote("labels") {
        values.report(
            Diagnostic::note(codes::NO_EFFECT, format!("labels of `{}` reach no object", meta.address))
                .at(meta.origin.of("labels"), "it makes objects of Slurm only, which have none")
                .with_help("keep them for policies, or remove them"),
        );
    }
}

fn of_target(values: &Values<'_, '_>, target: &Target) {
    let meta = &target.meta;
    if target.slurm().is_some() {
        unlabelled(values, meta);
    }
    if target.cloud().is_none() {
        return;
    }
    for (attribute, why, help) in [
        ("name", "a cloud's target makes no object of its own", "remove it"),
        ("router", "no queue enters on a cloud", "write it on the cluster that jobs enter"),
    ] {
        if meta.origin.wrote(attribute) {
            values.report(no_effect(attribute, meta.address.as_str(), meta.origin.of(attribute), why, help));
        }
    }
    if matches!(target.kind, TargetKind::Aws(_)) && meta.origin.wrote("profile") {
        values.checked_only(meta.origin.of("profile"), format!("{}.profile", meta.address));
    }
}

/// On Slurm a fabric is switches: nobody asks for its devices by name there.
fn of_fabric(values: &Values<'_, '_>, fleet: &Fleet, fabric: &Fabric) {
    let address = &fabric.meta.address;
    let clusters: Option<Vec<bool>> = fleet
        .pools
        .values()
        .filter(|pool| pool.fabric.as_ref() == Some(address))
        .map(|pool| fleet.targets.get(&pool.cluster).map(|cluster| cluster.slurm().is_some()))
        .collect();
    if !clusters.is_some_and(|slurm| !slurm.is_empty() && slurm.into_iter().all(|slurm| slurm)) {
        return;
    }
    for attribute in ["resource", "per_node"] {
        if fabric.meta.origin.wrote(attribute) {
            values.report(no_effect(
                attribute,
                address.as_str(),
                fabric.meta.origin.of(attribute),
                "all of its pools are on Slurm, where no job asks for its devices",
                "remove it",
            ));
        }
    }
}

fn of_pool(values: &Values<'_, '_>, fleet: &Fleet, pool: &Pool) {
    let Some(cluster) = fleet.targets.get(&pool.cluster) else { return };
    let kubernetes = cluster.kubernetes().is_some();
    if !kubernetes && pool.provision.is_none() {
        unlabelled(values, &pool.meta);
    }
    let mut said = BTreeSet::new();
    let mut say = |meta: &Meta, attribute: &str, why: &str, help: &str| {
        let span = meta.origin.of(attribute);
        // Lots have the spans of what they inherit: each place is said once.
        if meta.origin.wrote(attribute) && said.insert(span) {
            values.report(no_effect(attribute, pool.meta.address.as_str(), span, why, help));
        }
    };
    for meta in std::iter::once(&pool.meta).chain(pool.lots.iter().map(|lot| &lot.meta)) {
        if kubernetes {
            say(
                meta,
                "features",
                "its cluster is Kubernetes, where no job asks for features",
                "use `node_labels` and the pod's `nodeSelector`",
            );
        } else {
            for attribute in OF_KUBERNETES_NODES {
                say(
                    meta,
                    attribute,
                    "its cluster is Slurm, whose nodes have no labels and taints",
                    "use `features`",
                );
            }
        }
        if pool.provision.is_none() {
            for attribute in OF_PROVISIONERS {
                say(meta, attribute, "nobody makes its nodes", "remove it, or add `provision = target.…`");
            }
        }
    }
    if !pool.lots.iter().any(Lot::elastic) {
        for meta in std::iter::once(&pool.meta).chain(pool.lots.iter().map(|lot| &lot.meta)) {
            say(
                meta,
                "utilisation",
                "its number of nodes is fixed: all of them are paid for, used or not",
                "remove it; `tier.ownership.utilisation` says how well owned nodes are used",
            );
        }
    }
    if kubernetes && pool.provision.is_none() && pool.meta.origin.wrote("node_labels") {
        values.report(
            Diagnostic::note(
                codes::NO_EFFECT,
                format!("`node_labels` of `{}` are not set on its nodes", pool.meta.address),
            )
            .at(pool.meta.origin.of("node_labels"), "nobody makes its nodes: only what they should have")
            .with_help("set them on the nodes yourself; `select` says how nodes are recognised"),
        );
    }
}
