//! Quotas (LANGUAGE §4.3): what of each flavor is each tenant's, and what stays for everybody.

use std::collections::BTreeMap;

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::Number;
use poolwright_model::fleet::{Borrow, GpuAmount, Quota};
use poolwright_model::layout::{Amount, AmountUnit, Flavor, FlavorQuota, ResourceGroup, ResourceQuota};
use poolwright_model::{Address, Fleet, Meta};

use crate::capacity::{CPU, MEMORY, proportion, spread, whole_mebibytes};
use crate::codes;
use crate::flavors::Flavors;

/// What of one resource of one flavor is a tenant's; the unit is the one of the flavor's capacity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Guaranteed.
    pub(crate) nominal: u64,
    /// How much above it; none: no limit.
    pub(crate) borrow: Option<u64>,
    /// How much of it others may use; none: all.
    pub(crate) lend: Option<u64>,
}

/// What of one flavor is a tenant's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Share {
    /// Physical GPUs.
    pub(crate) gpus: Limits,
    /// By resource.
    pub(crate) amounts: BTreeMap<String, Limits>,
}

impl Share {
    /// GPUs that the tenant can hold at once; none: as many as the flavor has.
    pub(crate) fn reach(&self) -> Option<u64> {
        self.gpus.borrow.map(|borrow| self.gpus.nominal.saturating_add(borrow))
    }
}

/// The shares of every tenant and of every shared queue, by its address and the flavor's place in the index.
pub(crate) type Shares<'a> = BTreeMap<&'a Address, BTreeMap<usize, Share>>;

/// What a quota of a tenant, or of a shared queue, promises of one flavor.
struct Promise<'a> {
    meta: &'a Meta,
    /// Which of its quotas.
    at: usize,
    /// Guaranteed, by resource.
    amounts: BTreeMap<String, u64>,
}

/// Resolves every quota and refuses what promises more than there is.
pub(crate) fn shares<'a>(flavors: &Flavors<'a>, diagnostics: &mut Vec<Diagnostic>) -> Shares<'a> {
    let fleet: &'a Fleet = flavors.fleet;
    let mut all = Shares::new();
    // Who was promised what, by flavor.
    let mut promises: BTreeMap<usize, Vec<Promise<'a>>> = BTreeMap::new();
    let tenants = fleet.tenants.values().map(|tenant| (&tenant.meta, &tenant.quotas));
    let queues = fleet.queues.values().filter(|queue| queue.shared).map(|queue| (&queue.meta, &queue.quotas));
    for (meta, quotas) in tenants.chain(queues) {
        let mine = all.entry(&meta.address).or_default();
        for (at, quota) in quotas.iter().enumerate() {
            for (place, share) in resolve(flavors, meta, at, quota, diagnostics) {
                let amounts =
                    share.amounts.iter().map(|(resource, limits)| (resource.clone(), limits.nominal));
                promises.entry(place).or_default().push(Promise { meta, at, amounts: amounts.collect() });
                let sum = mine.entry(place).or_default();
                *sum = if sum.amounts.is_empty() { share } else { add(sum, &share) };
            }
        }
    }
    for (place, promised) in &promises {
        if let Some(flavor) = flavors.get(*place) {
            check_promises(flavors, flavor, promised, diagnostics);
        }
    }
    all
}

/// Two quotas of a tenant for one flavor: one of the pool, one of the lot.
fn add(a: &Share, b: &Share) -> Share {
    let limits = |a: &Limits, b: &Limits| Limits {
        nominal: a.nominal.saturating_add(b.nominal),
        borrow: a.borrow.zip(b.borrow).map(|(a, b)| a.saturating_add(b)),
        lend: match (a.lend, b.lend) {
            (None, None) => None,
            (a_lend, b_lend) => Some(a_lend.unwrap_or(a.nominal).saturating_add(b_lend.unwrap_or(b.nominal))),
        },
    };
    let amounts = a.amounts.iter().map(|(resource, mine)| {
        (resource.clone(), b.amounts.get(resource).map_or(*mine, |other| limits(mine, other)))
    });
    Share { gpus: limits(&a.gpus, &b.gpus), amounts: amounts.collect() }
}

/// One quota, spread over the flavors that it means.
fn resolve(
    flavors: &Flavors<'_>,
    meta: &Meta,
    at: usize,
    quota: &Quota,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(usize, Share)> {
    let span = |path: &str| meta.origin.of(&format!("quotas[{at}].{path}"));
    let places = flavors.meant_by(&quota.pool);
    let meant: Vec<&Flavor> = flavors.pick(&places).collect();
    if let [flavor] = meant.as_slice()
        && quota.pool != flavor.pool
        && flavor.lots != [quota.pool.clone()]
    {
        let others: Vec<String> =
            flavor.lots.iter().filter(|lot| **lot != quota.pool).map(|lot| format!("`{lot}`")).collect();
        diagnostics.push(
            Diagnostic::error(
                codes::QUOTA_ON_SHARED_LOT,
                format!(
                    "a quota of `{}` names `{}`, which no scheduler can tell apart",
                    meta.address, quota.pool
                ),
            )
            .at(span("pool"), format!("shares flavor \"{}\" with {}", flavor.name, others.join(", ")))
            .with_help(format!("name the pool, `{}`, or let a queue or step name the lot", flavor.pool)),
        );
        return Vec::new();
    }
    let gpus: Vec<u64> = meant.iter().map(|flavor| physical_gpus(flavors, flavor)).collect();
    let whole = gpus.iter().fold(0_u64, |sum, gpus| sum.saturating_add(*gpus));
    let accelerated = flavors
        .fleet
        .pools
        .get(&quota.pool.pool())
        .is_some_and(|pool| pool.lots.iter().any(|lot| lot.node.gpus > 0));
    if !accelerated {
        let counts =
            [("gpus", quota.gpus.is_some()), ("borrow", counts(quota.borrow)), ("lend", counts(quota.lend))];
        for (path, _) in counts.into_iter().filter(|(_, written)| *written) {
            diagnostics.push(
                Diagnostic::error(
                    codes::QUOTA_WITHOUT_GPUS,
                    format!("a quota of `{}` counts GPUs, but `{}` has none", meta.address, quota.pool),
                )
                .at(span(path), format!("`{path}` counts GPUs"))
                .with_help(if path == "gpus" {
                    "give the share of CPU nodes as `cpus` and `memory`"
                } else {
                    "leave it out for \"all\", or write 0"
                }),
            );
        }
    }
    let guaranteed = spread(
        match &quota.gpus {
            None => 0,
            Some(GpuAmount::Gpus(gpus)) => *gpus,
            Some(GpuAmount::Share(share)) => down(share.0.checked_mul(&whole.into()).ok()),
        },
        &gpus,
    );
    let borrow = quota.borrow.limit().map(|limit| spread(limit, &gpus));
    let lend = quota.lend.limit().map(|limit| spread(limit, &gpus));
    let written = |resource: &str| match resource {
        CPU => quota.cpus.as_ref().map(|cpus| down(cpus.checked_mul(&1000_u64.into()).ok())),
        MEMORY => quota.memory.as_ref().map(whole_mebibytes),
        _ => None,
    };
    let have = |resource: &str| -> Vec<u64> { meant.iter().map(|flavor| amount(flavor, resource)).collect() };
    let cpus = written(CPU).map(|total| spread(total, &have(CPU)));
    let memory = written(MEMORY).map(|total| spread(total, &have(MEMORY)));
    let part = |parts: &Option<Vec<u64>>, k: usize| parts.as_ref().and_then(|parts| parts.get(k).copied());
    let one = |k: usize, flavor: &Flavor| {
        let base = gpus.get(k).copied().unwrap_or(0);
        let mine = Limits {
            nominal: guaranteed.get(k).copied().unwrap_or(0),
            borrow: part(&borrow, k),
            lend: part(&lend, k),
        };
        let limits = |(resource, capacity): (&String, &Amount)| {
            let scaled = |gpus: u64| {
                if flavor.device.as_ref() == Some(resource) {
                    // Quotas count physical GPUs; a slice is a part of one.
                    gpus.saturating_mul(slices(capacity.value, base))
                } else {
                    proportion(gpus, capacity.value, base)
                }
            };
            // A pool of CPU nodes has no GPUs to be in proportion to: memory follows its CPUs.
            let follows = || match &cpus {
                Some(_) if base == 0 => {
                    proportion(part(&cpus, k).unwrap_or(0), capacity.value, amount(flavor, CPU))
                }
                _ => scaled(mine.nominal),
            };
            let explicit = match resource.as_str() {
                CPU => part(&cpus, k),
                MEMORY => part(&memory, k),
                _ => None,
            };
            // What is borrowed and lent is in proportion to what the quota itself gives to its GPUs, if it says so.
            let above = |gpus: u64| match explicit {
                Some(own) if mine.nominal > 0 => proportion(gpus, own, mine.nominal),
                _ => scaled(gpus),
            };
            let limits = Limits {
                nominal: explicit.unwrap_or_else(follows),
                borrow: mine.borrow.map(above),
                lend: mine.lend.map(above),
            };
            (resource.clone(), limits)
        };
        Share { gpus: mine, amounts: flavor.capacity.iter().map(limits).collect() }
    };
    meant.iter().enumerate().zip(&places).map(|((k, flavor), place)| (*place, one(k, flavor))).collect()
}

/// How many devices one GPU is: slices where they are cut.
fn slices(devices: u64, gpus: u64) -> u64 {
    devices.checked_div(gpus).unwrap_or(1).max(1)
}

/// Whether a limit is a number of GPUs other than none.
fn counts(limit: Borrow) -> bool {
    limit.limit().is_some_and(|gpus| gpus > 0)
}

/// Rounded down. What 64 bits do not hold is the greatest number, never none: it is refused as promised too much.
fn down(number: Option<Number>) -> u64 {
    match number {
        Some(number) if number.is_negative() => 0,
        Some(number) => number.floor().to_u64().unwrap_or(u64::MAX),
        None => u64::MAX,
    }
}

/// The capacity of a flavor in a resource.
pub(crate) fn amount(flavor: &Flavor, resource: &str) -> u64 {
    flavor.capacity.get(resource).map_or(0, |amount| amount.value)
}

/// Whole GPUs of a flavor, at most.
pub(crate) fn physical_gpus(flavors: &Flavors<'_>, flavor: &Flavor) -> u64 {
    flavors.lots(flavor).iter().fold(0, |sum, lot| sum.saturating_add(lot.most_gpus()))
}

/// Promised ≤ capacity. One error a flavor, about the first resource that breaks: the device before what follows it.
fn check_promises(
    flavors: &Flavors<'_>,
    flavor: &Flavor,
    promised: &[Promise<'_>],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let first = flavor.device.iter();
    let rest = flavor.capacity.keys().filter(|resource| flavor.device.as_ref() != Some(*resource));
    for resource in first.chain(rest) {
        let Some(capacity) = flavor.capacity.get(resource) else { continue };
        let parts = || promised.iter().map(|promise| promise.amounts.get(resource).copied().unwrap_or(0));
        let sum = parts().fold(0_u64, u64::saturating_add);
        if sum <= capacity.value {
            continue;
        }
        let word = match resource.as_str() {
            CPU => "cpus",
            MEMORY => "memory",
            _ => "gpus",
        };
        let say = |value: u64| match capacity.unit {
            AmountUnit::Count if flavor.device.as_ref() == Some(resource) => format!("{value} GPUs"),
            AmountUnit::Count => format!("{value} {resource}"),
            AmountUnit::MilliCpu => format!("{} CPUs", Amount { value, ..*capacity }),
            AmountUnit::Mebibyte => format!("{} of memory", Amount { value, ..*capacity }),
        };
        let mut diagnostic = Diagnostic::error(
            codes::PROMISED_TOO_MUCH,
            format!("{} of {} are promised, it has {}", say(sum), of(flavor), has(flavors, flavor, resource)),
        );
        for (Promise { meta, at, .. }, part) in promised.iter().zip(parts()).filter(|(_, part)| *part > 0) {
            let span = meta.origin.of(&format!("quotas[{at}].{word}"));
            let text = format!("{} to `{}`", say(part), meta.address);
            diagnostic = if diagnostic.labels.is_empty() {
                diagnostic.at(span, text)
            } else {
                diagnostic.also(span, text)
            };
        }
        diagnostics.push(
            diagnostic
                .with_help("lower a quota, or let a tenant `borrow` instead; or give the pool more nodes")
                .with_help("where a pool has several flavors, a quota can name a lot to choose"),
        );
        return;
    }
}

/// A flavor as its fleet names it: the pool, or those of its lots that it holds.
fn of(flavor: &Flavor) -> String {
    match flavor.lots.as_slice() {
        [lot] if flavor.name.contains("--") => format!("`{lot}`"),
        lots if flavor.name.contains("--") => {
            format!("`{}` ({} lots of it, flavor \"{}\")", flavor.pool, lots.len(), flavor.name)
        }
        _ => format!("`{}`", flavor.pool),
    }
}

/// What a flavor has of a resource, and for its device how that is counted: `64 (8 nodes × 8)`.
fn has(flavors: &Flavors<'_>, flavor: &Flavor, resource: &str) -> String {
    let Some(capacity) = flavor.capacity.get(resource) else { return "none".to_owned() };
    let lots = flavors.lots(flavor);
    let counted =
        flavor.device.as_deref() == Some(resource) && physical_gpus(flavors, flavor) == capacity.value;
    if !counted {
        return format!("{capacity}, reserves taken off");
    }
    let mut nodes: BTreeMap<u32, u64> = BTreeMap::new();
    for lot in lots.iter().filter(|lot| lot.most() > 0) {
        let same = nodes.entry(lot.node.gpus).or_default();
        *same = same.saturating_add(lot.most());
    }
    let part =
        |(gpus, nodes): (u32, u64)| format!("{nodes} {} × {gpus}", if nodes == 1 { "node" } else { "nodes" });
    let parts: Vec<String> = nodes.into_iter().map(part).collect();
    format!("{capacity} ({})", parts.join(" + "))
}

/// What a flavor's quotas look like before they are made equally long: by resource, with the unit.
pub(crate) type FlavorAmounts = BTreeMap<String, (AmountUnit, Limits)>;

/// One resource group of some flavors: all resources of all of them, sorted, 0 where a flavor lacks one.
pub(crate) fn group(flavors: Vec<(String, FlavorAmounts)>) -> Vec<ResourceGroup> {
    if flavors.is_empty() {
        return Vec::new();
    }
    let mut resources: BTreeMap<String, AmountUnit> = BTreeMap::new();
    for (resource, (unit, _)) in flavors.iter().flat_map(|(_, amounts)| amounts) {
        resources.entry(resource.clone()).or_insert(*unit);
    }
    let flavors = flavors.into_iter().map(|(flavor, amounts)| {
        let quotas = resources.iter().map(|(resource, unit)| {
            let limits = amounts.get(resource).map(|(_, limits)| *limits).unwrap_or_default();
            let amount = |value: u64| Amount { value, unit: *unit };
            ResourceQuota {
                resource: resource.clone(),
                nominal: amount(limits.nominal),
                borrowing: limits.borrow.map(amount),
                lending: limits.lend.map(amount),
            }
        });
        FlavorQuota { flavor, quotas: quotas.collect() }
    });
    let flavors = flavors.collect();
    vec![ResourceGroup { resources: resources.into_keys().collect(), flavors }]
}
