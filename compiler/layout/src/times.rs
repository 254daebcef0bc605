//! Times that do not fit together over several blocks: how long a job waits, how often it saves, how long before an
//! interruption it is told, whether nodes come before it is admitted, whether what it is promised is whole nodes.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::Number;
use poolwright_expression::quantity::Duration;
use poolwright_model::fleet::{Class, Step, Target, TierKind};
use poolwright_model::{Address, Fleet};

use crate::across::{Place, Way};
use crate::codes;
use crate::flavors::fabric_of;
use crate::kueue::Parts;

/// All of them.
pub(crate) fn check(parts: &Parts<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    let fleet = parts.flavors.fleet;
    let mut found = Vec::new();
    for way in parts.ways {
        for class in way.classes().filter_map(|class| fleet.classes.get(class)) {
            wait(way, class, &mut found);
            interruptions(fleet, way, class, &mut found);
        }
    }
    // A class on several ways, or a route of several queues, is said once.
    let mut said: BTreeSet<(&str, poolwright_diagnostics::Span, String)> = BTreeSet::new();
    for fault in found {
        let place = fault.labels.first().map(|label| label.span).unwrap_or_default();
        if said.insert((fault.code.0, place, fault.message.clone())) {
            diagnostics.push(fault);
        }
    }
    topology(parts, diagnostics);
    whole_nodes(parts, diagnostics);
}

/// `limits.wait` fails a job; a step that opens later is never reached.
fn wait(way: &Way<'_>, class: &Class, diagnostics: &mut Vec<Diagnostic>) {
    let Some(most) = &class.limits.wait else { return };
    let mut opens = Number::from(0_i64);
    let mut previous: Option<&Step> = None;
    for step in &way.ladder {
        if let Some(before) = previous.filter(|_| most.0 <= opens) {
            diagnostics.push(
                Diagnostic::warning(
                    codes::WAIT_TOO_SHORT,
                    format!(
                        "jobs of `{}` fail after waiting {most}, step \"{}\" opens after {}",
                        class.meta.address,
                        step.meta.name,
                        Duration(opens)
                    ),
                )
                .at(class.meta.origin.of("limits.wait"), "the job is gone by then")
                .also(before.meta.origin.of("for"), "the step before it waits so long")
                .with_help("let jobs wait longer than the steps together, or shorten `for`"),
            );
            return;
        }
        let Some(patience) = &step.patience else { return };
        let Ok(sum) = opens.checked_add(&patience.0) else { return };
        opens = sum;
        previous = Some(step);
    }
}

/// A checkpoint fits into the notice, and there is more than one between two interruptions.
fn interruptions(fleet: &Fleet, way: &Way<'_>, class: &Class, diagnostics: &mut Vec<Diagnostic>) {
    let Some(checkpoint) = &class.checkpoint else { return };
    let origin = &class.meta.origin;
    for step in &way.ladder {
        for (_, lot) in fleet.lots_of(&step.pools) {
            let tier = fleet.tiers.get(&lot.tier).filter(|tier| tier.kind == TierKind::Spot);
            let Some((tier, facts)) = tier.and_then(|tier| Some((tier, tier.interruption.as_ref()?))) else {
                continue;
            };
            if checkpoint.write > facts.notice {
                diagnostics.push(
                    Diagnostic::warning(
                        codes::NOTICE_SHORT,
                        format!(
                            "`{}` takes {} to save its work, `{}` announces an interruption {} before",
                            class.meta.address, checkpoint.write, tier.meta.address, facts.notice
                        ),
                    )
                    .at(origin.of("checkpoint.write"), "longer than the notice")
                    .also(tier.meta.origin.of("interruption.notice"), "all the time that there is")
                    .with_note(format!("an interrupted job loses up to {} of work", checkpoint.every))
                    .with_help("write faster, for instance to local disks first, or save more often"),
                );
            }
            if let Some(mean) = facts.mean_time.as_ref().filter(|mean| checkpoint.every >= **mean) {
                diagnostics.push(
                    Diagnostic::warning(
                        codes::SAVED_TOO_SELDOM,
                        format!(
                            "`{}` saves every {}, and a node of `{}` stays {mean} on average",
                            class.meta.address, checkpoint.every, tier.meta.address
                        ),
                    )
                    .at(origin.of("checkpoint.every"), "mostly interrupted before it")
                    .also(tier.meta.origin.of("interruption.mean_time"), "between two interruptions")
                    .with_help("save several times as often, or take the pool out of the way"),
                );
            }
        }
    }
}

/// Kueue places jobs of a topology on nodes that are there: of an elastic pool with none only a ProvisioningRequest
/// makes some before the job is placed (Kueue, topology-aware scheduling with ProvisioningRequest).
fn topology(parts: &Parts<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    let fleet = parts.flavors.fleet;
    for pool in fleet.pools.values() {
        let target = fleet.targets.get(&pool.cluster);
        let kubernetes = target.and_then(Target::kubernetes).filter(|cluster| cluster.kueue.is_some());
        let (Some(target), Some(kubernetes)) = (target, kubernetes) else { continue };
        let asks = kubernetes.cluster_autoscaler.as_ref().is_some_and(|it| it.provisioning_requests);
        let fabric = fabric_of(fleet, pool).filter(|fabric| !fabric.levels.is_empty());
        let Some(fabric) = fabric.filter(|_| !asks) else { continue };
        let Some(lot) = pool.lots.iter().find(|lot| lot.elastic()) else { continue };
        let fault = Diagnostic::warning(
            codes::TOPOLOGY_WITHOUT_NODES,
            format!("no job gets nodes of `{}` that are not there yet", pool.meta.address),
        )
        .at(lot.meta.origin.of("nodes"), "elastic")
        .also(fabric.meta.origin.header, "its levels are a topology, which only nodes that are there have")
        .also(target.meta.origin.header, "has no cluster_autoscaler.provisioning_requests");
        diagnostics.push(fault.with_help(
            "turn them on: cluster_autoscaler = { version = \"1.33\", provisioning_requests = true }, or give the pool a fixed size",
        ));
    }
}

/// A guarantee of one node and a half, used by jobs that take whole nodes: the half is never used by them.
fn whole_nodes(parts: &Parts<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    let fleet = parts.flavors.fleet;
    let mut of_tenant: BTreeMap<&Address, Vec<&Way<'_>>> = BTreeMap::new();
    for way in parts.ways {
        for tenant in &way.queue.tenants {
            of_tenant.entry(tenant).or_default().push(way);
        }
    }
    for tenant in fleet.tenants.values() {
        let mine = || of_tenant.get(&tenant.meta.address).into_iter().flatten().copied();
        for (at, quota) in tenant.quotas.iter().enumerate() {
            for place in parts.flavors.meant_by(&quota.pool) {
                let Some(flavor) = parts.flavors.get(place) else { continue };
                let lots = parts.flavors.lots(flavor);
                let per_node = lots.iter().map(|lot| u64::from(lot.node.gpus)).min().unwrap_or(0);
                let share = parts.shares.get(&tenant.meta.address).and_then(|shares| shares.get(&place));
                let promised = share.map_or(0, |share| share.gpus.nominal);
                if per_node < 2 || promised.checked_rem(per_node) == Some(0) {
                    continue;
                }
                let here = |way: &&Way<'_>| {
                    !matches!(way.place, Place::Slurm(_))
                        && way.stages.values().flatten().any(|stage| stage.flavors.contains(&place))
                };
                let classes: Vec<&Class> = mine()
                    .filter(here)
                    .flat_map(|way| way.classes())
                    .filter_map(|class| fleet.classes.get(class))
                    .collect();
                let whole = |class: &&Class| class.limits.gpus.is_some_and(|gpus| gpus.min >= per_node);
                let Some(class) = classes.first().filter(|_| classes.iter().all(whole)) else {
                    continue;
                };
                let left = promised % per_node;
                diagnostics.push(
                    Diagnostic::warning(
                        codes::QUOTA_NOT_WHOLE,
                        format!(
                            "`{}` is promised {promised} GPUs of `{}`, which are no whole nodes of {per_node}",
                            tenant.meta.address, quota.pool
                        ),
                    )
                    .at(tenant.meta.origin.of(&format!("quotas[{at}].gpus")), format!("{left} of them are left over"))
                    .also(class.meta.origin.of("limits.gpus"), "its smallest job takes a whole node")
                    .with_help(format!("promise {} or {}", promised - left, promised - left + per_node)),
                );
            }
        }
    }
}
