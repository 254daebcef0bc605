//! Whether the largest job of a class fits where its queue leads (LANGUAGE §4.8): what each tenant can hold on each
//! step, what a fabric joins, and promises that nobody can use.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::Diagnostic;
use poolwright_model::Address;
use poolwright_model::fleet::{Class, Fabric, Pool, Step, Switch, Tenant};
use poolwright_model::layout::Flavor;

use crate::across::{Place, Way};
use crate::codes;
use crate::flavors::fabric_of;
use crate::kueue::Parts;
use crate::quotas::physical_gpus;

/// All of them.
pub(crate) fn check(parts: &Parts<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    let fleet = parts.flavors.fleet;
    for way in parts.ways {
        for class in way.classes().filter_map(|class| fleet.classes.get(class)) {
            for (at, step) in way.ladder.iter().enumerate() {
                holds(parts, way, class, step, at + 1 == way.ladder.len(), diagnostics);
                gang(parts, way, class, step, diagnostics);
            }
        }
    }
    unreached(parts, diagnostics);
    max_gpus(parts, diagnostics);
}

/// GPUs of a class's largest job in a flavor, and where the limit was written; none: there is no limit.
fn largest(parts: &Parts<'_, '_>, class: &Class, flavor: &Flavor) -> Option<(u64, &'static str)> {
    if let Some(gpus) = class.limits.gpus.and_then(|gpus| gpus.max) {
        return Some((gpus, "limits.gpus"));
    }
    let nodes = class.limits.nodes.and_then(|nodes| nodes.max)?;
    let per_node = parts.flavors.lots(flavor).iter().map(|lot| u64::from(lot.node.gpus)).min().unwrap_or(0);
    Some((nodes.saturating_mul(per_node), "limits.nodes"))
}

/// GPUs of a flavor that a tenant can hold at once: guarantee + borrow, without quota the whole flavor.
fn reach(parts: &Parts<'_, '_>, way: &Way<'_>, tenant: &Tenant, place: usize, flavor: &Flavor) -> u64 {
    let whole = physical_gpus(parts.flavors, flavor);
    // In a shared queue the tenants' quotas do not apply, its own do.
    let whose = if way.queue.shared { &way.queue.meta.address } else { &tenant.meta.address };
    let share = parts.shares.get(whose).and_then(|shares| shares.get(&place));
    let quota = share.and_then(crate::quotas::Share::reach).unwrap_or(whole).min(whole);
    tenant.max_gpus.map_or(quota, |most| quota.min(most))
}

/// A job runs in one flavor on Kueue; in a partition its hosts may be of any flavor.
fn holds(
    parts: &Parts<'_, '_>,
    way: &Way<'_>,
    class: &Class,
    step: &Step,
    last: bool,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let fleet = parts.flavors.fleet;
    let places = parts.flavors.meant_by_all(&step.pools);
    let whole = matches!(way.place, Place::Slurm(_));
    let mut short: Vec<(&Tenant, u64)> = Vec::new();
    let mut job = (0, "limits.gpus");
    for tenant in way.tenants(fleet) {
        let mut most = 0_u64;
        let mut needs: Option<(u64, &'static str)> = None;
        for place in &places {
            let Some(flavor) = parts.flavors.get(*place) else { continue };
            let Some(largest) = largest(parts, class, flavor) else { return };
            let held = reach(parts, way, tenant, *place, flavor);
            most = if whole { most.saturating_add(held) } else { most.max(held) };
            needs = Some(needs.map_or(largest, |least| least.min(largest)));
        }
        let Some(needs) = needs else { return };
        let most = tenant.max_gpus.map_or(most, |limit| most.min(limit));
        if most < needs.0 {
            short.push((tenant, most));
            job = needs;
        }
    }
    if short.is_empty() {
        return;
    }
    let place = if way.queue.route.is_some() {
        format!("step \"{}\"", step.meta.name)
    } else {
        "its pools".to_owned()
    };
    let names: Vec<String> = short.iter().map(|(tenant, _)| format!("`{}`", tenant.meta.address)).collect();
    let message = format!(
        "the largest job of `{}`, {} GPUs, does not fit {} on {place}",
        class.meta.address,
        job.0,
        names.join(", ")
    );
    let mut diagnostic = if last {
        Diagnostic::error(codes::LAST_STEP_TOO_SMALL, message)
    } else {
        Diagnostic::warning(codes::STEP_TOO_SMALL, message)
    };
    diagnostic = diagnostic.at(class.meta.origin.of(job.1), format!("allows {} GPUs", job.0)).also(
        way.step_span(step, "pools"),
        if last { "the last place to wait" } else { "skipped by such a job at once" },
    );
    for (tenant, most) in short {
        let quota = tenant
            .quotas
            .iter()
            .position(|quota| step.pools.iter().any(|pool| pool.pool() == quota.pool.pool()));
        let path = match (quota, tenant.max_gpus) {
            (_, Some(limit)) if limit < job.0 => "max_gpus".to_owned(),
            (Some(at), _) => format!("quotas[{at}]"),
            (None, _) => "quotas".to_owned(),
        };
        diagnostic = diagnostic
            .also(tenant.meta.origin.of(&path), format!("`{}` can hold {most}", tenant.meta.address));
    }
    diagnostics.push(diagnostic.with_help(if last {
        "raise a `borrow` or the pool, or lower the class's limit: such a job would wait for ever"
    } else {
        "raise a `borrow` or the pool if such jobs should run there"
    }));
}

/// The largest gang fits one root of a fabric, and one domain of the level that it requires.
fn gang(parts: &Parts<'_, '_>, way: &Way<'_>, class: &Class, step: &Step, diagnostics: &mut Vec<Diagnostic>) {
    let fleet = parts.flavors.fleet;
    for place in parts.flavors.meant_by_all(&step.pools) {
        let Some(flavor) = parts.flavors.get(place) else { continue };
        let Some(pool) = parts.flavors.pool(flavor) else { continue };
        let Some(fabric) = fabric_of(fleet, pool) else { continue };
        let Some((gpus, path)) = largest(parts, class, flavor) else { return };
        let per_node =
            parts.flavors.lots(flavor).iter().map(|lot| u64::from(lot.node.gpus)).max().unwrap_or(0);
        let required = class.topology.as_ref().and_then(|topology| topology.require.as_ref());
        let domain =
            required.and_then(|name| fabric.levels.iter().find(|level| level.meta.address.label() == name));
        let domain =
            domain.and_then(|level| level.nodes.map(|nodes| (level.meta.origin.header, u64::from(nodes))));
        let root = largest_root(fabric, pool).map(|nodes| (fabric.meta.origin.header, nodes));
        let Some((span, nodes)) = domain.into_iter().chain(root).min_by_key(|(_, nodes)| *nodes) else {
            continue;
        };
        let fits = nodes.saturating_mul(per_node);
        if per_node == 0 || gpus <= fits {
            continue;
        }
        diagnostics.push(
            Diagnostic::error(
                codes::GANG_TOO_LARGE,
                format!(
                    "the largest job of `{}`, {gpus} GPUs, cannot be joined by `{}`",
                    class.meta.address, fabric.meta.address
                ),
            )
            .at(class.meta.origin.of(path), format!("allows {gpus} GPUs"))
            .also(span, format!("joins {nodes} hosts of `{}`, {fits} GPUs", pool.meta.address))
            .also(way.step_span(step, "pools"), format!("`{}` leads there", way.queue.meta.address))
            .with_help("lower the class's limit, ask for a coarser level, or give the roots a common switch"),
        );
    }
}

/// Hosts of a pool under the largest of several roots; none when there is one root, or none is declared.
fn largest_root(fabric: &Fabric, pool: &Pool) -> Option<u64> {
    if fabric.switches.len() < 2 {
        return None;
    }
    let hosts: BTreeSet<&String> =
        pool.lots.iter().filter_map(|lot| lot.hosts.as_ref()).flat_map(|hosts| hosts.0.iter()).collect();
    fabric.switches.iter().map(|root| below(root, &hosts)).max()
}

fn below(switch: &Switch, hosts: &BTreeSet<&String>) -> u64 {
    let own = switch.hosts.iter().flat_map(|own| own.0.iter()).filter(|host| hosts.contains(host)).count();
    switch.switches.iter().fold(own as u64, |sum, switch| sum + below(switch, hosts))
}

/// Promises that no queue of the tenant can use: the capacity stays with everybody.
fn unreached(parts: &Parts<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    let fleet = parts.flavors.fleet;
    let mut reached: BTreeMap<&Address, BTreeSet<usize>> = BTreeMap::new();
    for way in parts.ways {
        let places: Vec<usize> =
            way.stages.values().flatten().flat_map(|stage| stage.flavors.iter().copied()).collect();
        for tenant in &way.queue.tenants {
            reached.entry(tenant).or_default().extend(&places);
        }
    }
    for queue in fleet.queues.values().filter(|queue| queue.shared) {
        let way = parts.ways.iter().find(|way| way.queue.meta.address == queue.meta.address);
        let Some(way) = way else { continue };
        let here: BTreeSet<usize> =
            way.stages.values().flatten().flat_map(|stage| stage.flavors.iter().copied()).collect();
        for (at, quota) in queue.quotas.iter().enumerate() {
            let places = parts.flavors.meant_by(&quota.pool);
            if places.is_empty() || places.iter().any(|place| here.contains(place)) {
                continue;
            }
            diagnostics.push(
                Diagnostic::warning(
                    codes::QUOTA_UNREACHED,
                    format!(
                        "`{}` has a quota of `{}`, where its jobs never go",
                        queue.meta.address, quota.pool
                    ),
                )
                .at(queue.meta.origin.of(&format!("quotas[{at}]")), "nobody can use this")
                .with_help("remove the quota, or let the queue lead there"),
            );
        }
    }
    for tenant in fleet.tenants.values() {
        for (at, quota) in tenant.quotas.iter().enumerate() {
            let places = parts.flavors.meant_by(&quota.pool);
            let mine = reached.get(&tenant.meta.address);
            if places.iter().any(|place| mine.is_some_and(|mine| mine.contains(place))) || places.is_empty() {
                continue;
            }
            diagnostics.push(
                Diagnostic::warning(
                    codes::QUOTA_UNREACHED,
                    format!(
                        "no queue of `{}` reaches `{}`, of which it has a quota",
                        tenant.meta.address, quota.pool
                    ),
                )
                .at(tenant.meta.origin.of(&format!("quotas[{at}]")), "nobody can use this")
                .with_help("remove the quota, or let one of the tenant's queues lead there"),
            );
        }
    }
}

/// `max_gpus` over more than one place: only the router sees all of them.
fn max_gpus(parts: &Parts<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    let fleet = parts.flavors.fleet;
    let mut places: BTreeMap<&Address, BTreeSet<(&Address, Option<&Address>)>> = BTreeMap::new();
    for way in parts.ways {
        for tenant in &way.queue.tenants {
            let route =
                if matches!(way.place, Place::Dispatch { .. }) { way.queue.route.as_ref() } else { None };
            places.entry(tenant).or_default().insert((way.entry(), route));
        }
    }
    for (tenant, places) in places {
        let Some(tenant) = fleet.tenants.get(tenant) else { continue };
        let Some(most) = tenant.max_gpus else { continue };
        let exact = |(target, route): &(&Address, Option<&Address>)| {
            route.is_some() || fleet.targets.get(*target).is_some_and(|target| target.slurm().is_some())
        };
        if places.len() == 1 && places.iter().all(exact) {
            continue;
        }
        let mut diagnostic = Diagnostic::warning(
            codes::MAX_GPUS_NOT_HELD,
            format!("no scheduler alone keeps `{}` at {most} GPUs", tenant.meta.address),
        )
        .at(tenant.meta.origin.of("max_gpus"), "over everything at once");
        for target in places.iter().map(|(target, _)| *target).collect::<BTreeSet<_>>() {
            if let Some(target) = fleet.targets.get(target) {
                diagnostic = diagnostic.also(target.meta.origin.header, "its jobs enter here");
            }
        }
        diagnostics.push(
            diagnostic
                .with_note("an entry cluster keeps it for one route, Slurm for itself; the sum is kept by the router, which is not shipped yet")
                .with_help("let all its jobs take one route from one entry, or keep it by quotas"),
        );
    }
}
