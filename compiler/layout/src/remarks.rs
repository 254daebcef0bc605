//! What a target holds otherwise than the words of the fleet suggest, and without an error: said as notes, so that
//! nothing is weaker than it reads in silence (LANGUAGE §3.4, §4.3, §4.4).

use std::collections::BTreeMap;

use poolwright_diagnostics::Diagnostic;
use poolwright_model::fleet::{FabricKind, Pool, Target};

use crate::across::Way;
use crate::codes;
use crate::flavors::fabric_of;
use crate::kueue::Parts;

/// All of them.
pub(crate) fn check(parts: &Parts<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    fair_share_only(parts, diagnostics);
    rdma_not_covered(parts, diagnostics);
    for way in parts.ways {
        not_enforced(parts, way, diagnostics);
        later_stages(parts, way, diagnostics);
    }
}

/// Slurm has caps, not guarantees: a quota there is a cap and a weight.
fn fair_share_only(parts: &Parts<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    let fleet = parts.flavors.fleet;
    for tenant in fleet.tenants.values() {
        for (at, quota) in tenant.quotas.iter().enumerate() {
            let Some(pool) = fleet.pools.get(&quota.pool.pool()) else { continue };
            let slurm = fleet.targets.get(&pool.cluster).and_then(Target::slurm);
            if slurm.is_some_and(|slurm| slurm.accounting) {
                let message = format!(
                    "the guarantee of `{}` on `{}` is fair share only",
                    tenant.meta.address, quota.pool
                );
                diagnostics.push(
                    Diagnostic::note(codes::FAIR_SHARE_ONLY, message)
                        .at(tenant.meta.origin.of(&format!("quotas[{at}]")), "Slurm has caps, not guarantees")
                        .with_note("GPUs and borrow are the cap of the account, `weight` is its share"),
                );
            }
        }
    }
}

/// InfiniBand and RoCE adapters have no name that all sites share, so none is the default, as EFA's is. Some clouds put
/// the devices into every container (Nebius, Together), and pods on the host's network see them too: there none is
/// right, and this is no warning. Elsewhere Kueue refuses a pod that asks for what its ClusterQueue does not cover
/// ("resource … unavailable in ClusterQueue", kueue#4848).
fn rdma_not_covered(parts: &Parts<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    let fleet = parts.flavors.fleet;
    // What nodes that a cloud makes have, its own target knows.
    let kueue = |pool: &&Pool| {
        let cluster = fleet.targets.get(&pool.cluster).and_then(Target::kubernetes);
        pool.provision.is_none() && cluster.is_some_and(|cluster| cluster.kueue.is_some())
    };
    let mut fabrics = BTreeMap::new();
    for pool in fleet.pools.values().filter(kueue) {
        let Some(fabric) = fabric_of(fleet, pool).filter(|fabric| fabric.resource.is_none()) else {
            continue;
        };
        if matches!(fabric.kind, FabricKind::Infiniband | FabricKind::Roce) {
            fabrics.entry(&fabric.meta.address).or_insert((fabric, pool));
        }
    }
    for (fabric, pool) in fabrics.into_values() {
        let address = &fabric.meta.address;
        diagnostics.push(
            Diagnostic::note(codes::RDMA_NOT_COVERED, format!("no queue covers the adapters of `{address}`"))
                .at(fabric.meta.origin.header, "has no `resource`")
                .also(pool.meta.origin.of("fabric"), format!("`{}` is scheduled by Kueue", pool.meta.address))
                .with_note("a pod that asks for one is never admitted; this is right only where pods ask for none")
                .with_help(
                    "name what the device plugin offers, and `per_node`, how many of it: resource = \"rdma/hca_shared_devices_a\" (RDMA shared device plugin), \"rdma/rdma_shared_device_a\" or \"nvidia.com/hostdev\" (NVIDIA Network Operator), \"rdma/ib\" (CoreWeave, AKS)",
                ),
        );
    }
}

/// Which classes a job may ask for is a matter of admission policies on Kubernetes.
fn not_enforced(parts: &Parts<'_, '_>, way: &Way<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let fleet = parts.flavors.fleet;
    let entry = fleet.targets.get(way.entry());
    if let (false, Some(entry)) =
        (way.queue.allow.is_empty(), entry.filter(|entry| entry.kubernetes().is_some()))
    {
        diagnostics.push(
            Diagnostic::note(
                codes::NOT_ENFORCED,
                format!("`allow` of `{}` is not enforced on {}", way.queue.meta.address, entry.meta.address),
            )
            .at(way.queue.meta.origin.of("allow"), "a job may ask for any class there")
            .with_note("admission policies are not emitted yet"),
        );
    }
}

/// Later stages are queues of their own on Kubernetes, which users could name.
fn later_stages(parts: &Parts<'_, '_>, way: &Way<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let fleet = parts.flavors.fleet;
    for (cluster, stages) in &way.stages {
        let kubernetes = fleet.targets.get(cluster).is_some_and(|target| target.kubernetes().is_some());
        let later: Vec<String> = (stages.iter().filter_map(|stage| stage.step.as_ref()))
            .map(|(_, step)| format!("`{}--{step}`", way.queue.meta.name))
            .collect();
        if kubernetes && !later.is_empty() {
            diagnostics.push(
                Diagnostic::note(
                    codes::LATER_STAGE_OPEN,
                    format!("users can submit to {} on {cluster} without waiting", later.join(", ")),
                )
                .at(way.queue.meta.origin.header, "its later steps are queues of their own there")
                .with_note("only the router should enter them; admission policies are not emitted yet"),
            );
        }
    }
}
