//! Which blocks a fleet has, and which refers to which: after `for_each`, `count` and modules.
//!
//! Only what was written is an edge; what follows from it (the queues of a pool, the pools of a tenant) is read along
//! the edges. Policies, checks and tests judge blocks and are no part of it; neither are rows of the catalogue.
//! The cost is linear in blocks and references. The order is that of kinds, then of addresses.
//!
//! Enter at [`graph`].

use std::collections::BTreeSet;

use poolwright_expression::Number;

use crate::fleet::{Pool, Queue, Quota, Route, Step, TargetKind};
use crate::{Address, Fleet, Meta, Origin};

/// What an edge may be of: the attribute that refers, with the objects around it. `lot` is nesting, not a reference.
pub const ATTRIBUTES: [&str; 21] = [
    "accelerator",
    "allow",
    "class",
    "cluster",
    "deny",
    "entry",
    "fabric",
    "kubernetes",
    "lot",
    "maintenance.tenants",
    "pools",
    "prices",
    "provision",
    "quotas.pool",
    "roles.pools",
    "route",
    "step.pools",
    "tenants",
    "tier",
    "tokens",
    "trial.route",
];

/// Blocks and references.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// The fleet (if it refers to something), then targets, tiers, fabrics, accelerators, pools each with its lots,
    /// tenants, classes, routes, queues, price books.
    pub nodes: Vec<Node>,
    /// By the block that refers, in the order of `nodes`; each once.
    pub edges: Vec<Edge>,
}

/// A block.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its address.
    pub address: Address,
    /// Its name on the real system.
    pub name: String,
}

/// A reference of one block to another. Ordered by all of its parts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// The block that refers.
    pub from: Address,
    /// The block that is referred to.
    pub to: Address,
    /// One of [`ATTRIBUTES`].
    pub attribute: &'static str,
    /// Of a route: the step that names the place.
    pub step: Option<Stage>,
}

/// A step as an edge shows it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stage {
    /// Which of the route's steps, from 1.
    pub number: usize,
    /// Its label.
    pub name: String,
    /// When it opens by the steps before it, seconds after the job came.
    pub opens_at: u64,
    /// Its patience, seconds; none on the last step.
    pub patience: Option<u64>,
}

/// The graph of a fleet.
#[must_use]
pub fn graph(fleet: &Fleet) -> Graph {
    let mut graph = Graph::default();
    if !fleet.prices.is_empty() {
        graph.node(&fleet.meta);
        graph.edges(&fleet.meta.address, "prices", &fleet.prices);
    }
    for target in fleet.targets.values() {
        graph.node(&target.meta);
        let host = match &target.kind {
            TargetKind::Slurm(slurm) => slurm.kubernetes.as_ref(),
            TargetKind::Coreweave(coreweave) => Some(&coreweave.kubernetes),
            _ => None,
        };
        graph.edges(&target.meta.address, "kubernetes", host);
    }
    fleet.tiers.values().for_each(|tier| graph.node(&tier.meta));
    fleet.fabrics.values().for_each(|fabric| graph.node(&fabric.meta));
    let written = |accelerator: &Address| {
        fleet.accelerators.get(accelerator).is_some_and(|found| found.meta.origin != Origin::default())
    };
    for accelerator in fleet.accelerators.values().filter(|it| written(&it.meta.address)) {
        graph.node(&accelerator.meta);
    }
    for pool in fleet.pools.values() {
        graph.pool(pool, pool.accelerator.as_ref().filter(|it| written(it)));
    }
    for tenant in fleet.tenants.values() {
        graph.node(&tenant.meta);
        graph.quotas(fleet, &tenant.meta.address, &tenant.quotas);
    }
    for class in fleet.classes.values() {
        graph.node(&class.meta);
        for role in class.roles.values() {
            graph.places(fleet, &class.meta.address, "roles.pools", &role.pools);
        }
    }
    fleet.routes.values().for_each(|route| graph.route(fleet, route));
    fleet.queues.values().for_each(|queue| graph.queue(fleet, queue));
    fleet.price_books.values().for_each(|book| graph.node(&book.meta));
    graph.once();
    graph
}

/// Whether a pool stands for its only lot, that it did not name.
fn is_whole(pool: &Pool) -> bool {
    matches!(pool.lots.as_slice(), [] | [_]) && pool.lots.iter().all(|lot| lot.meta.address.label() == "main")
}

impl Graph {
    fn node(&mut self, meta: &Meta) {
        self.nodes.push(Node { address: meta.address.clone(), name: meta.name.clone() });
    }

    fn edges<'a>(
        &mut self,
        from: &Address,
        attribute: &'static str,
        to: impl IntoIterator<Item = &'a Address>,
    ) {
        let edge = |to: &Address| Edge { from: from.clone(), to: to.clone(), attribute, step: None };
        self.edges.extend(to.into_iter().map(edge));
    }

    /// Edges to pools and lots: a lot without a node is its pool.
    fn places<'a>(
        &mut self,
        fleet: &Fleet,
        from: &Address,
        attribute: &'static str,
        to: impl IntoIterator<Item = &'a Address>,
    ) {
        let places: Vec<Address> = to.into_iter().map(|to| place(fleet, to)).collect();
        self.edges(from, attribute, &places);
    }

    fn quotas(&mut self, fleet: &Fleet, from: &Address, quotas: &[Quota]) {
        self.places(fleet, from, "quotas.pool", quotas.iter().map(|quota| &quota.pool));
    }

    fn pool(&mut self, pool: &Pool, accelerator: Option<&Address>) {
        let address = &pool.meta.address;
        self.node(&pool.meta);
        self.edges(address, "accelerator", accelerator);
        self.edges(address, "cluster", [&pool.cluster]);
        self.edges(address, "provision", &pool.provision);
        self.edges(address, "fabric", &pool.fabric);
        if is_whole(pool) {
            self.edges(address, "tier", pool.lots.iter().map(|lot| &lot.tier));
            return;
        }
        for lot in &pool.lots {
            self.edges(address, "lot", [&lot.meta.address]);
        }
        for lot in &pool.lots {
            self.node(&lot.meta);
            self.edges(&lot.meta.address, "tier", [&lot.tier]);
        }
    }

    fn route(&mut self, fleet: &Fleet, route: &Route) {
        let from = &route.meta.address;
        self.node(&route.meta);
        let mut opens_at = Number::from(0_i64);
        for (index, step) in route.steps.iter().enumerate() {
            let stage = stage(index + 1, step, &opens_at);
            // Steps that the route made of `candidates` are nobody's blocks, and they are steps all the same.
            for to in &step.pools {
                let (to, step) = (place(fleet, to), Some(stage.clone()));
                self.edges.push(Edge { from: from.clone(), to, attribute: "step.pools", step });
            }
            if let Some(later) =
                step.patience.as_ref().and_then(|patience| opens_at.checked_add(&patience.0).ok())
            {
                opens_at = later;
            }
        }
    }

    fn queue(&mut self, fleet: &Fleet, queue: &Queue) {
        let from = &queue.meta.address;
        self.node(&queue.meta);
        self.edges(from, "class", [&queue.class]);
        self.edges(from, "allow", &queue.allow);
        self.edges(from, "tenants", &queue.tenants);
        self.edges(from, "deny", &queue.deny);
        self.edges(from, "route", &queue.route);
        self.edges(from, "entry", &queue.entry);
        self.places(fleet, from, "pools", &queue.pools);
        self.places(fleet, from, "tokens", &queue.tokens);
        self.quotas(fleet, from, &queue.quotas);
        self.edges(from, "maintenance.tenants", queue.maintenance.iter().flat_map(|twin| &twin.tenants));
        self.edges(from, "trial.route", queue.trial.as_ref().map(|trial| &trial.route));
    }

    /// Leaves the first of edges that are the same.
    fn once(&mut self) {
        let mut seen = BTreeSet::new();
        self.edges.retain(|edge| seen.insert(edge.clone()));
    }
}

fn place(fleet: &Fleet, address: &Address) -> Address {
    let pool = address.pool();
    let whole = pool != *address && fleet.pools.get(&pool).is_some_and(is_whole);
    if whole { pool } else { address.clone() }
}

fn stage(number: usize, step: &Step, opens_at: &Number) -> Stage {
    Stage {
        number,
        name: step.meta.address.label().to_owned(),
        opens_at: opens_at.floor().to_u64().unwrap_or(u64::MAX),
        patience: step.patience.as_ref().and_then(|patience| patience.0.floor().to_u64()),
    }
}
