//! The fleet: every block of the language as a typed value, defaults written out, references as addresses.

mod capacity;
mod catalogued;
mod fabric;
mod people;
mod price_book;
mod route;
mod slurm;
mod target;

use std::collections::BTreeMap;

use poolwright_expression::Number;
use poolwright_expression::quantity::Currency;
use serde::{Deserialize, Serialize};

use crate::{Address, Meta};

pub use capacity::{
    Accelerator, Allocation, Commitment, CostTier, Devices, Disk, Interruption, LocalDisk, Lot, LotMax,
    NodeShape, Ownership, Partition, Placement, Pool, Refresh, SizeOwner, Tier, TierKind,
};
pub use fabric::{
    Discovery, DiscoveryFormat, Fabric, FabricEnv, FabricKind, Holes, Level, Switch, TopologyLayout,
};
pub use people::{
    Borrow, Checkpoint, Class, ClassKind, ClassTopology, Discipline, GpuAmount, Hold, JobLimits, Maintenance,
    PreemptAction, Preempts, Queue, Quota, Role, Tenant, Trial, WhenPreempted,
};
pub use price_book::{BookFormat, PriceBook, PriceRow};
pub use route::{Order, Reason, Return, Route, Step, Until};
pub use slurm::{Autodetect, Billing, Operator, Power, PreemptBy, SlurmPart, SlurmTarget};
pub use target::{
    CloudTarget, ClusterAutoscaler, Component, CoreweaveTarget, GpuOperator, GroupKind, InventoryTarget,
    KubernetesTarget, Kueue, MigStrategy, Target, TargetKind,
};

/// Everything the files of a folder say. Blocks are kept by address, so that the order of files and blocks is lost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fleet {
    /// The `fleet` block's head; its name owns objects.
    pub meta: Meta,
    /// The currency of plans and reports.
    pub currency: Currency,
    /// Price books in the order in which they are asked.
    pub prices: Vec<Address>,
    /// Hosts of registries whose images need a tenant's `pull_secret`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub private_registries: Vec<String>,
    /// `target` blocks.
    pub targets: BTreeMap<Address, Target>,
    /// `tier` blocks.
    pub tiers: BTreeMap<Address, Tier>,
    /// `fabric` blocks.
    pub fabrics: BTreeMap<Address, Fabric>,
    /// `accelerator` blocks, and those of the catalogue that pools use.
    pub accelerators: BTreeMap<Address, Accelerator>,
    /// `pool` blocks with their lots.
    pub pools: BTreeMap<Address, Pool>,
    /// `tenant` blocks.
    pub tenants: BTreeMap<Address, Tenant>,
    /// `class` blocks.
    pub classes: BTreeMap<Address, Class>,
    /// `route` blocks.
    pub routes: BTreeMap<Address, Route>,
    /// `queue` blocks.
    pub queues: BTreeMap<Address, Queue>,
    /// `price_book` blocks.
    pub price_books: BTreeMap<Address, PriceBook>,
}

impl Fleet {
    /// An empty fleet of a name.
    #[must_use]
    pub fn empty(name: &str) -> Self {
        Self {
            meta: Meta { address: Address::new("fleet"), name: name.to_owned(), ..Meta::default() },
            currency: Currency(*b"USD"),
            prices: Vec::new(),
            private_registries: Vec::new(),
            targets: BTreeMap::new(),
            tiers: BTreeMap::new(),
            fabrics: BTreeMap::new(),
            accelerators: BTreeMap::new(),
            pools: BTreeMap::new(),
            tenants: BTreeMap::new(),
            classes: BTreeMap::new(),
            routes: BTreeMap::new(),
            queues: BTreeMap::new(),
            price_books: BTreeMap::new(),
        }
    }

    /// How much of `to` one unit of `from` is, by the books that the fleet asks, in their order.
    #[must_use]
    pub fn exchange_rate(&self, from: Currency, to: Currency) -> Option<Number> {
        let books = || self.prices.iter().filter_map(|book| self.price_books.get(book));
        let said = |of: Currency, into: Currency| {
            let rate = books().filter_map(|book| book.rates.get(&of.to_string()));
            rate.into_iter().find(|rate| rate.currency == into).map(|rate| rate.amount.clone())
        };
        said(from, to).or_else(|| Number::ONE.checked_div(&said(to, from)?).ok())
    }

    /// Whether somebody makes the nodes of a pool. An inventory only lists those that exist.
    #[must_use]
    pub fn makes_nodes(&self, pool: &Pool) -> bool {
        let lists = |target: &Target| matches!(target.kind, TargetKind::Inventory(_));
        pool.provision.as_ref().is_some_and(|address| !self.targets.get(address).is_some_and(lists))
    }

    /// The lot of an address `pool.x.lot.r0`.
    #[must_use]
    pub fn lot(&self, address: &Address) -> Option<(&Pool, &Lot)> {
        let pool = self.pools.get(&address.pool())?;
        pool.lots.iter().find(|lot| lot.meta.address == *address).map(|lot| (pool, lot))
    }

    /// The lots that a `pools` list of a queue or step means, in order: a pool stands for all of its lots.
    pub fn lots_of<'a>(&'a self, pools: &'a [Address]) -> impl Iterator<Item = (&'a Pool, &'a Lot)> {
        pools.iter().flat_map(|address| self.lots_at(address))
    }

    /// The lots at one address: all of a pool, or the lot itself.
    pub fn lots_at<'a>(&'a self, address: &Address) -> impl Iterator<Item = (&'a Pool, &'a Lot)> + use<'a> {
        let pool = self.pools.get(address);
        let whole = pool.into_iter().flat_map(|pool| pool.lots.iter().map(move |lot| (pool, lot)));
        whole.chain(if pool.is_none() { self.lot(address) } else { None })
    }

    /// The steps that a queue's jobs can take: those of its route, or one without a deadline over its `pools`.
    #[must_use]
    pub fn ladder(&self, queue: &Queue) -> Vec<Step> {
        match queue.route.as_ref().and_then(|route| self.routes.get(route)) {
            Some(route) => route.steps.clone(),
            None => vec![Step {
                meta: Meta {
                    address: queue.meta.address.clone(),
                    name: queue.meta.name.clone(),
                    ..Meta::default()
                },
                pools: queue.pools.clone(),
                patience: None,
                until: Until::Admitted,
                on: vec![Reason::NoQuota, Reason::NoCapacity],
                max_price: None,
            }],
        }
    }

    /// Labels for an object that `block` emits on `target`: the fleet's, the target's, the block's; later ones win.
    #[must_use]
    pub fn labels_for(&self, target: &Target, block: &Meta) -> BTreeMap<String, String> {
        let mut labels = self.meta.labels.clone();
        labels.extend(target.meta.labels.clone());
        labels.extend(block.labels.clone());
        labels
    }
}
