//! What a target holds otherwise than the words of the fleet suggest, and without an error: said as notes, so that
//! nothing is weaker than it reads in silence (LANGUAGE §3.4, §4.3, §4.4).

use poolwright_diagnostics::Diagnostic;
use poolwright_model::fleet::Target;

use crate::across::Way;
use crate::codes;
use crate::kueue::Parts;

/// All of them.
pub(crate) fn check(parts: &Parts<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    fair_share_only(parts, diagnostics);
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
