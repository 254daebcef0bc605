//! Blocks as values of the language: what `self` and references read in policies, checks and tests (LANGUAGE §6.2).
//!
//! Declared attributes and computed ones side by side; a declared one that is not set is null, a computed one that
//! nobody knows is unknown. This is the one place where the typed model becomes values again.

mod blocks;
mod parts;
mod plan;

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_expression::quantity::Date;
use poolwright_expression::{BlockRef, Value};

use crate::fleet::Accelerator;
use crate::program::Subject;
use crate::{Address, Costs, Fleet, Layout, Prices};

pub use plan::{change, plan};

/// The fleet as values.
pub struct View<'a> {
    pub(crate) fleet: &'a Fleet,
    pub(crate) layout: &'a Layout,
    pub(crate) prices: &'a Prices,
    pub(crate) costs: &'a Costs,
    /// The plan's day; without it the age of prices is unknown.
    pub(crate) now: Option<Date>,
    /// Queues that reach a pool.
    pub(crate) queues_of_pool: BTreeMap<Address, Vec<Address>>,
    /// Queues that take a route, have a class, admit a tenant: by that block's address.
    pub(crate) queues_of: BTreeMap<Address, Vec<Address>>,
    /// Objects of each target by kind, once they are lowered.
    pub(crate) objects: BTreeMap<Address, BTreeMap<String, u64>>,
}

impl<'a> View<'a> {
    /// A view. `objects` counts each target's objects by kind, if they are known.
    #[must_use]
    pub fn new(
        fleet: &'a Fleet,
        layout: &'a Layout,
        prices: &'a Prices,
        costs: &'a Costs,
        now: Option<Date>,
        objects: BTreeMap<Address, BTreeMap<String, u64>>,
    ) -> Self {
        let mut queues_of_pool: BTreeMap<Address, Vec<Address>> = BTreeMap::new();
        let mut queues_of: BTreeMap<Address, Vec<Address>> = BTreeMap::new();
        for (address, queue) in &fleet.queues {
            let mut pools: Vec<Address> =
                fleet.ladder(queue).iter().flat_map(|step| &step.pools).map(Address::pool).collect();
            pools.sort();
            pools.dedup();
            for pool in pools {
                queues_of_pool.entry(pool).or_default().push(address.clone());
            }
            let classes = std::iter::once(&queue.class).chain(&queue.allow);
            for of in queue.tenants.iter().chain(classes).chain(&queue.route) {
                queues_of.entry(of.clone()).or_default().push(address.clone());
            }
        }
        Self { fleet, layout, prices, costs, now, queues_of_pool, queues_of, objects }
    }

    /// The block of an address with all its attributes; none when there is no such block.
    #[must_use]
    pub fn block(&self, address: &str) -> Option<Value> {
        let address = Address::new(address);
        let value = match address.kind() {
            "pool" => self.pool(self.fleet.pools.get(&address)?),
            "lot" => {
                let (pool, lot) = self.fleet.lot(&address)?;
                self.lot(pool, lot)
            }
            "queue" => self.queue(self.fleet.queues.get(&address)?),
            "route" => self.route(self.fleet.routes.get(&address)?),
            "class" => self.class(self.fleet.classes.get(&address)?),
            "tenant" => self.tenant(self.fleet.tenants.get(&address)?),
            "tier" => self.tier(self.fleet.tiers.get(&address)?),
            "fabric" => self.fabric(self.fleet.fabrics.get(&address)?),
            "accelerator" => match self.fleet.accelerators.get(&address) {
                Some(found) => self.accelerator(found),
                None => self.accelerator(&Accelerator::of_catalogue(&address)?),
            },
            kind if kind.starts_with("target.") => self.target(self.fleet.targets.get(&address)?),
            _ => return None,
        };
        Some(value)
    }

    /// One attribute of a block. The outer none: no such block; the inner: no such attribute.
    #[must_use]
    pub fn attribute(&self, block: &BlockRef, name: &str) -> Option<Option<Value>> {
        let Value::Object(attributes) = self.block(&block.address)? else { return None };
        Some(attributes.get(name).cloned())
    }

    /// Addresses of all blocks that a policy of this subject is judged on.
    #[must_use]
    pub fn addresses(&self, subject: Subject) -> Vec<Address> {
        match subject {
            Subject::Pool => self.fleet.pools.keys().cloned().collect(),
            Subject::Lot => self
                .fleet
                .pools
                .values()
                .flat_map(|pool| &pool.lots)
                .map(|lot| lot.meta.address.clone())
                .collect(),
            Subject::Queue => self.fleet.queues.keys().cloned().collect(),
            Subject::Route => self.fleet.routes.keys().cloned().collect(),
            Subject::Class => self.fleet.classes.keys().cloned().collect(),
            Subject::Tenant => self.fleet.tenants.keys().cloned().collect(),
            Subject::Target => self.fleet.targets.keys().cloned().collect(),
            Subject::Plan | Subject::Change => Vec::new(),
        }
    }

    /// What `fleet` is: its name and currency, and maps of all blocks by address without the type.
    #[must_use]
    pub fn fleet(&self) -> Value {
        let map = |subject: Subject| {
            let addresses = self.addresses(subject);
            let entry =
                |address: &Address| (Arc::<str>::from(address.without_kind()), parts::reference(address));
            Value::object(addresses.iter().map(entry))
        };
        Value::object([
            ("name", Value::string(&self.fleet.meta.name)),
            ("currency", Value::string(&self.fleet.currency.to_string())),
            ("pools", map(Subject::Pool)),
            ("queues", map(Subject::Queue)),
            ("tenants", map(Subject::Tenant)),
            ("routes", map(Subject::Route)),
            ("classes", map(Subject::Class)),
            ("targets", map(Subject::Target)),
        ])
    }
}
