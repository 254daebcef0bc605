//! From pools and lots to flavors (LANGUAGE §4.1), and the index by which everything else finds them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use poolwright_diagnostics::Diagnostic;
use poolwright_model::fleet::{Fabric, Lot, Pool};
use poolwright_model::layout::{Flavor, KueueCluster};
use poolwright_model::{Address, Fleet};

use crate::names::{self, LIMIT};
use crate::{capacity, codes, devices};

/// Prefix of labels that only Poolwright sets.
pub(crate) const LABEL_PREFIX: &str = "poolwright.dev/";
/// The label by which nodes that Poolwright makes are recognised.
pub(crate) const FLAVOR_LABEL: &str = "poolwright.dev/flavor";

/// All flavors of a fleet: by pool address, inside a pool in the order of their first lots.
pub(crate) struct Flavors<'a> {
    /// The fleet.
    pub(crate) fleet: &'a Fleet,
    all: Vec<Flavor>,
    /// The lots of each, in its place.
    lots: Vec<Vec<&'a Lot>>,
    by_pool: BTreeMap<&'a Address, Range<usize>>,
    by_lot: BTreeMap<&'a Address, usize>,
    by_cluster: BTreeMap<&'a Address, Vec<usize>>,
}

impl<'a> Flavors<'a> {
    /// Makes them, once for the whole fleet.
    pub(crate) fn new(fleet: &'a Fleet, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let named = named_lots(fleet);
        let mut flavors = Self {
            fleet,
            all: Vec::new(),
            lots: Vec::new(),
            by_pool: BTreeMap::new(),
            by_lot: BTreeMap::new(),
            by_cluster: BTreeMap::new(),
        };
        for pool in fleet.pools.values() {
            check_nodes(pool, diagnostics);
            devices::check(fleet, pool, diagnostics);
            flavors.add(pool, &named);
        }
        flavors
    }

    fn add(&mut self, pool: &'a Pool, named: &BTreeSet<&Address>) {
        let start = self.all.len();
        // The lots of each flavor; the shared one is found by having no lot's name.
        let mut parts: Vec<(bool, Vec<&'a Lot>)> = Vec::new();
        let mut shared = None;
        for lot in &pool.lots {
            if own_flavor(pool, lot, named) {
                parts.push((true, vec![lot]));
            } else if let Some((_, lots)) = shared.and_then(|at: usize| parts.get_mut(at)) {
                lots.push(lot);
            } else {
                shared = Some(parts.len());
                parts.push((false, vec![lot]));
            }
        }
        for (own, lots) in parts {
            let at = self.all.len();
            for lot in &lots {
                self.by_lot.insert(&lot.meta.address, at);
            }
            self.by_cluster.entry(&pool.cluster).or_default().push(at);
            self.all.push(flavor(self.fleet, pool, own, &lots));
            self.lots.push(lots);
        }
        self.by_pool.insert(&pool.meta.address, start..self.all.len());
    }

    /// A flavor by its place in the index.
    pub(crate) fn get(&self, at: usize) -> Option<&Flavor> {
        self.all.get(at)
    }

    /// Flavors by their places, in the order given.
    pub(crate) fn pick<'s>(&'s self, places: &'s [usize]) -> impl Iterator<Item = &'s Flavor> {
        places.iter().filter_map(|at| self.all.get(*at))
    }

    /// Places of the flavors that a pool or lot means, in lot order.
    pub(crate) fn meant_by(&self, pool_or_lot: &Address) -> Vec<usize> {
        match self.by_pool.get(pool_or_lot) {
            Some(range) => range.clone().collect(),
            None => self.by_lot.get(pool_or_lot).copied().into_iter().collect(),
        }
    }

    /// Places of the flavors of a list of pools and lots, each once, in order.
    pub(crate) fn meant_by_all(&self, pools: &[Address]) -> Vec<usize> {
        let mut seen = BTreeSet::new();
        pools.iter().flat_map(|pool| self.meant_by(pool)).filter(|at| seen.insert(*at)).collect()
    }

    /// Places of the flavors of a cluster.
    pub(crate) fn of_cluster(&self, cluster: &Address) -> &[usize] {
        self.by_cluster.get(cluster).map_or(&[], Vec::as_slice)
    }

    /// The place of a lot's flavor.
    pub(crate) fn of_lot(&self, lot: &Address) -> Option<usize> {
        self.by_lot.get(lot).copied()
    }

    /// Gives each cluster with Kueue its flavors, sorted by name. Moved and not copied, so it comes last.
    pub(crate) fn give(self, clusters: &mut BTreeMap<Address, KueueCluster>) {
        for flavor in self.all {
            let pool = self.fleet.pools.get(&flavor.pool);
            if let Some(cluster) = pool.and_then(|pool| clusters.get_mut(&pool.cluster)) {
                cluster.flavors.push(flavor);
            }
        }
        for cluster in clusters.values_mut() {
            cluster.flavors.sort_by(|a, b| a.name.cmp(&b.name));
            cluster.flavors.shrink_to_fit();
        }
    }

    /// The pool of a flavor.
    pub(crate) fn pool(&self, flavor: &Flavor) -> Option<&'a Pool> {
        self.fleet.pools.get(&flavor.pool)
    }

    /// The lots of a flavor.
    pub(crate) fn lots(&self, flavor: &Flavor) -> &[&'a Lot] {
        let place = flavor.lots.first().and_then(|lot| self.of_lot(lot));
        place.and_then(|place| self.lots.get(place)).map_or(&[], Vec::as_slice)
    }
}

/// The fabric of a pool.
pub(crate) fn fabric_of<'a>(fleet: &'a Fleet, pool: &Pool) -> Option<&'a Fabric> {
    pool.fabric.as_ref().and_then(|fabric| fleet.fabrics.get(fabric))
}

/// Lots that a queue or step names.
fn named_lots(fleet: &Fleet) -> BTreeSet<&Address> {
    let steps = fleet.routes.values().flat_map(|route| route.steps.iter().flat_map(|step| step.pools.iter()));
    let queues = fleet.queues.values().flat_map(|queue| queue.pools.iter());
    steps.chain(queues).filter(|address| !fleet.pools.contains_key(*address)).collect()
}

fn own_flavor(pool: &Pool, lot: &Lot, named: &BTreeSet<&Address>) -> bool {
    let elsewhere = || {
        let first: BTreeSet<&String> =
            pool.lots.first().into_iter().flat_map(|lot| lot.zones.iter()).collect();
        lot.zones.iter().collect::<BTreeSet<_>>() != first
    };
    lot.distinct || named.contains(&lot.meta.address) || (pool.fabric.is_some() && elsewhere())
}

fn flavor(fleet: &Fleet, pool: &Pool, own: bool, lots: &[&Lot]) -> Flavor {
    let name = match (own, lots.first()) {
        (true, Some(lot)) => names::compose(&[&pool.meta.name, &lot.meta.name], LIMIT),
        _ => names::compose(&[&pool.meta.name], LIMIT),
    };
    let fabric = fabric_of(fleet, pool);
    let slice = lots.first().and_then(|lot| lot.partition.as_deref());
    let device = devices::device(fleet, pool, slice);
    let select = match &pool.select {
        Some(written) => written.clone(),
        None if fleet.makes_nodes(pool) => BTreeMap::from([(FLAVOR_LABEL.to_owned(), name.clone())]),
        None => devices::product_label(fleet, pool, slice).into_iter().collect(),
    };
    Flavor {
        pool: pool.meta.address.clone(),
        lots: lots.iter().map(|lot| lot.meta.address.clone()).collect(),
        select,
        taints: pool.taints.clone(),
        tolerated: !pool.opt_in,
        topology: fabric.filter(|fabric| !fabric.levels.is_empty()).map(|fabric| fabric.meta.address.clone()),
        capacity: capacity::of(
            lots.iter().copied(),
            device.as_ref().map(|device| (device.resource.as_str(), device.per_gpu)),
            fabric,
        ),
        elastic: lots.iter().any(|lot| lot.elastic()),
        device: device.map(|device| device.resource),
        name,
    }
}

/// Nodes that keep everything from jobs, and labels that are not the pool's to set.
fn check_nodes(pool: &Pool, diagnostics: &mut Vec<Diagnostic>) {
    for lot in &pool.lots {
        if let Some(path) = capacity::nothing_left(&lot.node) {
            let origin = if lot.meta.origin.wrote("node") { &lot.meta.origin } else { &pool.meta.origin };
            diagnostics.push(
                Diagnostic::error(
                    codes::ALL_RESERVED,
                    format!("a node of `{}` keeps everything from jobs", lot.meta.address),
                )
                .at(
                    origin.of(path),
                    format!(
                        "{} of {} CPUs and {} of {} are reserved",
                        lot.node.reserve_cpus, lot.node.cpus, lot.node.reserve_memory, lot.node.memory
                    ),
                )
                .with_help("lower `reserve_cpus` or `reserve_memory` in `node`"),
            );
        }
    }
    for key in pool.node_labels.keys().filter(|key| key.starts_with(LABEL_PREFIX)) {
        diagnostics.push(
            Diagnostic::error(
                codes::RESERVED_LABEL,
                format!("`node_labels` of `{}` sets \"{key}\"", pool.meta.address),
            )
            .at(
                pool.meta.origin.of(&format!("node_labels.{key}")),
                "labels below poolwright.dev/ are set by Poolwright",
            )
            .with_help("choose another key"),
        );
    }
}
