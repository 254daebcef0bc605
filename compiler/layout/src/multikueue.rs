//! The entry of a route that reaches several clusters (LANGUAGE §4.3, §4.7): one flavor stands for all its places, and
//! its quota is a throttle, never a second promise.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::quantity::Version;
use poolwright_model::fleet::{Kueue, Route, Tenant};
use poolwright_model::layout::{Amount, DispatchFlavor, MultiKueueCheck};
use poolwright_model::{Address, Fleet};

use crate::across::{Place, Way};
use crate::codes;
use crate::flavors::Flavors;
use crate::names::{self, LIMIT};
use crate::quotas::{FlavorAmounts, Limits, Share, amount};

/// A route on its entry cluster.
pub(crate) struct Dispatch<'a> {
    /// The route.
    pub(crate) route: &'a Route,
    /// Its flavor on the entry.
    pub(crate) flavor: DispatchFlavor,
    /// Its check on the entry.
    pub(crate) check: MultiKueueCheck,
    /// Worker clusters in the order of the steps.
    pub(crate) workers: Vec<Address>,
    /// Places of the flavors of all its pools.
    pub(crate) places: Vec<usize>,
    /// Tenants whose jobs enter here on this route.
    pub(crate) tenants: BTreeSet<&'a Address>,
}

/// The routes that enter at a cluster, by address.
pub(crate) fn dispatches<'a>(
    flavors: &Flavors<'a>,
    entry: &Address,
    ways: &[&Way<'a>],
) -> BTreeMap<&'a Address, Dispatch<'a>> {
    let fleet: &'a Fleet = flavors.fleet;
    let mut routes: BTreeMap<&'a Address, Dispatch<'a>> = BTreeMap::new();
    for way in ways {
        let Place::Dispatch { entry: at, workers } = &way.place else { continue };
        let Some(route) = way.queue.route.as_ref().and_then(|route| fleet.routes.get(route)) else {
            continue;
        };
        if at != entry {
            continue;
        }
        let tenants = way.tenants(fleet).into_iter().map(|tenant| &tenant.meta.address);
        if let Some(known) = routes.get_mut(&route.meta.address) {
            known.tenants.extend(tenants);
            continue;
        }
        let pools: Vec<Address> = way.ladder.iter().flat_map(|step| step.pools.iter().cloned()).collect();
        let places = flavors.meant_by_all(&pools);
        let mut capacity: BTreeMap<String, Amount> = BTreeMap::new();
        for flavor in flavors.pick(&places) {
            for (resource, amount) in &flavor.capacity {
                let sum = capacity.entry(resource.clone()).or_insert(Amount { value: 0, ..*amount });
                sum.value = sum.value.saturating_add(amount.value);
            }
        }
        let clusters = workers.iter().map(|worker| worker_name(fleet, worker)).collect();
        let name = names::compose(&[&route.meta.name], LIMIT);
        routes.insert(
            &route.meta.address,
            Dispatch {
                route,
                flavor: DispatchFlavor {
                    name: names::compose(&["dispatch", &route.meta.name], LIMIT),
                    route: route.meta.address.clone(),
                    capacity,
                },
                check: MultiKueueCheck { name, route: route.meta.address.clone(), clusters },
                workers: workers.clone(),
                places,
                tenants: tenants.collect(),
            },
        );
    }
    routes
}

/// The name of a worker's MultiKueueCluster: the target's.
pub(crate) fn worker_name(fleet: &Fleet, worker: &Address) -> String {
    fleet.targets.get(worker).map_or_else(|| worker.label().to_owned(), |target| target.meta.name.clone())
}

impl Dispatch<'_> {
    /// What of the throttle is a tenant's: the sum over the route's pools. A pool of which it has no quota may be used
    /// whole while it is idle, so all of that may be borrowed. None: nothing limits the tenant on this route.
    pub(crate) fn share(
        &self,
        flavors: &Flavors<'_>,
        tenant: &Tenant,
        shares: Option<&BTreeMap<usize, Share>>,
    ) -> Option<FlavorAmounts> {
        let own = |place: &usize| shares.and_then(|shares| shares.get(place));
        if tenant.max_gpus.is_none() && !self.places.iter().any(|place| own(place).is_some()) {
            return None;
        }
        let devices: BTreeSet<&String> =
            flavors.pick(&self.places).filter_map(|flavor| flavor.device.as_ref()).collect();
        let sum = |resource: &String| {
            let mut sum = Limits { nominal: 0, borrow: Some(0), lend: None };
            let (mut lends, mut limited) = (0_u64, false);
            for place in &self.places {
                let Some(flavor) = flavors.get(*place) else { continue };
                let part = match own(place) {
                    Some(share) => share
                        .amounts
                        .get(resource)
                        .copied()
                        .unwrap_or(Limits { borrow: Some(0), ..Limits::default() }),
                    None => Limits { nominal: 0, borrow: Some(amount(flavor, resource)), lend: None },
                };
                sum.nominal = sum.nominal.saturating_add(part.nominal);
                sum.borrow = sum.borrow.zip(part.borrow).map(|(a, b)| a.saturating_add(b));
                limited |= part.lend.is_some();
                lends = lends.saturating_add(part.lend.unwrap_or(part.nominal));
            }
            sum.lend = limited.then_some(lends);
            match tenant.max_gpus {
                // Nominal + borrowing is max_gpus, exactly; what GPUs bring with them must not be the tighter limit.
                Some(most) if devices.contains(resource) => {
                    sum.nominal = sum.nominal.min(most);
                    sum.borrow = Some(most.saturating_sub(sum.nominal));
                }
                Some(_) => sum.borrow = None,
                None => {}
            }
            sum
        };
        let amounts = self
            .flavor
            .capacity
            .iter()
            .map(|(resource, capacity)| (resource.clone(), (capacity.unit, sum(resource))));
        Some(amounts.collect())
    }
}

/// What the entry's version of Kueue cannot carry.
pub(crate) fn check_entry(
    fleet: &Fleet,
    entry: &Address,
    kueue: &Kueue,
    way: &Way<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    use poolwright_model::fleet::Until;
    let Place::Dispatch { workers, .. } = &way.place else { return };
    let Some(target) = fleet.targets.get(entry) else { return };
    let older = |than: &str| Version::parse(than).is_ok_and(|version| kueue.version < version);
    // Kueue, `MultiKueueConfigSpec.clusters`: at most 20 from 0.16, 10 before.
    let most = if older("0.16") { 10 } else { 20 };
    if workers.len() > most {
        diagnostics.push(
            Diagnostic::error(
                codes::TOO_MANY_WORKERS,
                format!("`{}` reaches {} clusters from {entry}", way.queue.meta.address, workers.len()),
            )
            .at(way.queue.meta.origin.of("route"), format!("leads to {} clusters", workers.len()))
            .also(target.meta.origin.of("kueue.version"), format!("takes {most}"))
            .with_help("split the route, or put pools that are tried together into one cluster"),
        );
    }
    // Kueue 0.16: a MultiKueue check is ready when the worker has admitted, not when it has reserved quota.
    let waits = way.ladder.iter().find(|step| step.patience.is_some() && step.until == Until::Admitted);
    if let Some(step) = waits.filter(|_| older("0.16")) {
        diagnostics.push(
            Diagnostic::error(
                codes::WORKER_ADMISSION_UNSEEN,
                format!(
                    "step \"{}\" waits for an admission that Kueue {} does not report",
                    step.meta.name, kueue.version
                ),
            )
            .at(step.meta.origin.of("until"), "waits until the worker has admitted the job")
            .also(target.meta.origin.of("kueue.version"), "sees only the worker's quota before 0.16")
            .with_help("use Kueue 0.16 or later on the entry, or until = \"ready\""),
        );
    }
}
