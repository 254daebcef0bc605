//! What joins hosts: Switch (tree) or Block and BlockSizes.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::quantity::Hosts;
use poolwright_model::fleet::{Fabric, Holes, Pool, Switch, TopologyLayout};
use poolwright_model::{Address, Meta};
use serde_json::Value;

use super::Lowering;
use super::nodes::Nodes;
use crate::codes;
use crate::form::canonical_hosts;

/// The switch of hosts that no fabric joins: without it a tree lets no job have two of them (slurmctld 22.05.8:
/// "switches lack access to N nodes", and `srun -N2` is refused).
const UNLINKED: &str = "unlinked";

/// What has been found on the way through a cluster's fabrics.
#[derive(Default)]
struct Seen<'a> {
    /// Host to the switch that it hangs on.
    hosts: BTreeMap<&'a str, (&'a str, Span)>,
    /// Switch name to its block.
    switches: BTreeMap<&'a str, &'a Meta>,
}

impl<'a> Lowering<'a> {
    /// The objects of the cluster's fabrics; gives the plugin that they need.
    pub(super) fn topology(&mut self, nodes: &[Nodes<'a>]) -> Option<(&'static str, Span)> {
        let cluster = self.cluster;
        let mut fabrics: Vec<&'a Fabric> = Vec::new();
        for address in &cluster.fabrics {
            match self.fleet().fabrics.get(address) {
                Some(fabric) if !fabric.switches.is_empty() => fabrics.push(fabric),
                Some(_) => {}
                None => self.dangling(&format!("`{}`", self.short), address, None),
            }
        }
        let first = fabrics.first()?;
        if let Some(other) = fabrics.iter().find(|fabric| fabric.layout != first.layout) {
            self.report(
                Diagnostic::error(
                    codes::TOPOLOGY_LAYOUT,
                    format!(
                        "fabrics `{}` and `{}` have two layouts on one cluster",
                        first.meta.name, other.meta.name
                    ),
                )
                .at(other.meta.origin.of("layout"), "this layout")
                .also(first.meta.origin.of("layout"), "and this one")
                .with_note("a topology.conf is a tree or blocks, for all hosts of the cluster")
                .with_help("give both the same `layout`"),
            );
            return None;
        }
        let mut seen = Seen::default();
        let mut blocks = Vec::new();
        for fabric in &fabrics {
            let known: BTreeSet<&str> = self.hosts_of_fabric(fabric);
            let here: BTreeSet<&str> = nodes
                .iter()
                .filter(|nodes| nodes.pool.fabric.as_ref() == Some(&fabric.meta.address))
                .flat_map(|nodes| nodes.hosts.0.iter().map(String::as_str))
                .collect();
            let mut sizes = vec![Vec::new(); fabric.levels.len().max(1)];
            for switch in &fabric.switches {
                self.switch(fabric, switch, 0, &known, nodes, &here, &mut seen, &mut sizes);
            }
            self.on_no_switch(fabric, nodes, &seen);
            blocks.push(doubling(&sizes));
        }
        if first.layout == TopologyLayout::Block {
            self.block_sizes(&fabrics, &blocks);
        }
        self.beside_each_other(&fabrics);
        self.unlinked(nodes, &seen, first);
        let plugin = match first.layout {
            TopologyLayout::Tree => "topology/tree",
            TopologyLayout::Block => "topology/block",
        };
        Some((plugin, first.meta.origin.of("layout")))
    }

    /// Reports hosts of the fabric's pools that no switch of it has, each pool once.
    fn on_no_switch(&mut self, fabric: &'a Fabric, nodes: &[Nodes<'a>], seen: &Seen<'a>) {
        let address = &fabric.meta.address;
        let mut missing: BTreeMap<&Address, (&'a Pool, Vec<String>)> = BTreeMap::new();
        for nodes in nodes.iter().filter(|nodes| nodes.pool.fabric.as_ref() == Some(address)) {
            let hosts = nodes.hosts.0.iter().filter(|host| !seen.hosts.contains_key(host.as_str()));
            let hosts: Vec<String> = hosts.cloned().collect();
            if !hosts.is_empty() {
                let pool = &nodes.pool.meta.address;
                missing.entry(pool).or_insert_with(|| (nodes.pool, Vec::new())).1.extend(hosts);
            }
        }
        for (pool, (block, hosts)) in missing {
            let is = if hosts.len() == 1 { "is" } else { "are" };
            let lot = block.lots.iter().find(|lot| {
                lot.hosts.as_ref().is_some_and(|known| hosts.iter().any(|host| known.0.contains(host)))
            });
            let place = lot.map_or(block.meta.origin.header, |lot| lot.meta.origin.of("hosts"));
            let message = format!("{} of `{pool}` {is} on no switch of `{address}`", fold(hosts));
            // A site that knows of its holes is told of them, and not stopped.
            let fault = match fabric.holes {
                Holes::Error => Diagnostic::error(codes::TOPOLOGY, message),
                Holes::Report => Diagnostic::warning(codes::TOPOLOGY, message),
            };
            self.report(
                fault
                    .at(place, "these hosts")
                    .also(fabric.meta.origin.header, "no switch in it has them")
                    .with_note("Slurm would start no job on two of them")
                    .with_help("add them to the `hosts` of a switch"),
            );
        }
    }

    /// Every host that a pool of the fabric has, on whatever cluster.
    fn hosts_of_fabric(&self, fabric: &Fabric) -> BTreeSet<&'a str> {
        let fleet = self.fleet();
        let lots = fleet.pools.values().filter(|pool| pool.fabric.as_ref() == Some(&fabric.meta.address));
        lots.flat_map(|pool| &pool.lots)
            .flat_map(|lot| lot.hosts.iter().flat_map(|hosts| hosts.0.iter().map(String::as_str)))
            .collect()
    }

    /// Emits a switch and what is below it; gives the number of this cluster's hosts below.
    #[expect(clippy::too_many_arguments, reason = "a recursion that carries what it collects")]
    fn switch(
        &mut self,
        fabric: &'a Fabric,
        switch: &'a Switch,
        depth: usize,
        known: &BTreeSet<&str>,
        nodes: &[Nodes<'a>],
        here: &BTreeSet<&str>,
        seen: &mut Seen<'a>,
        sizes: &mut [Vec<u64>],
    ) -> u64 {
        let (meta, span) = (&switch.meta, switch.meta.origin.of("hosts"));
        let fits = self.name_fits("switch", &meta.name, meta.origin.header);
        if let Some(first) = seen.switches.insert(&meta.name, meta) {
            self.clash("switches", &meta.name, meta, &first.address);
        }
        let mut own = Vec::new();
        for host in switch.hosts.iter().flat_map(|hosts| &hosts.0) {
            if let Some((other, first)) = seen.hosts.insert(host, (&meta.name, span)) {
                self.report(
                    Diagnostic::error(codes::TOPOLOGY, format!("host `{host}` hangs on two switches"))
                        .at(span, format!("on `{}`", meta.name))
                        .also(first, format!("and on `{other}`"))
                        .with_note("several rails of one unit are one switch here")
                        .with_help("keep it on one of them"),
                );
            }
            if here.contains(host.as_str()) {
                own.push(host.clone());
            } else if !known.contains(host.as_str()) && !self.elsewhere(host, nodes) {
                self.report(
                    Diagnostic::error(
                        codes::TOPOLOGY,
                        format!(
                            "switch `{}` has host `{host}`, which no pool of fabric `{}` has",
                            meta.name, fabric.meta.name
                        ),
                    )
                    .at(span, "no lot names it")
                    .with_help("correct the name, or add the host to a lot"),
                );
            }
        }
        let mut below = own.len() as u64;
        let mut children = Vec::new();
        for child in &switch.switches {
            let count = self.switch(fabric, child, depth + 1, known, nodes, here, seen, sizes);
            if count > 0 {
                children.push(child.meta.name.clone());
            }
            below = below.saturating_add(count);
        }
        if !own.is_empty() && !children.is_empty() {
            self.report(
                Diagnostic::error(
                    codes::TOPOLOGY,
                    format!("switch `{}` has both hosts and switches", meta.name),
                )
                .at(span, "these hosts stand beside switches")
                .with_help("put the hosts on a switch of their own below it"),
            );
            return below;
        }
        if below == 0 || !fits {
            return below;
        }
        if let Some(level) = sizes.get_mut(depth) {
            level.push(below);
        }
        match fabric.layout {
            TopologyLayout::Tree => {
                let mut object = self.object("Switch", &meta.name, meta);
                object.protect |= fabric.meta.protect;
                object.set("SwitchName", meta.name.as_str(), meta.origin.header);
                if children.is_empty() {
                    object.set("Nodes", fold(own.clone()), span);
                    self.after_nodes(&mut object, &own, nodes);
                } else {
                    for child in &children {
                        object.after(self.address_of("Switch", child));
                    }
                    object.set("Switches", children, meta.origin.header);
                }
                self.push(object);
            }
            TopologyLayout::Block if children.is_empty() => {
                let mut object = self.object("Block", &meta.name, meta);
                object.protect |= fabric.meta.protect;
                object.set("BlockName", meta.name.as_str(), meta.origin.header);
                object.set("Nodes", fold(own.clone()), span);
                self.after_nodes(&mut object, &own, nodes);
                self.push(object);
            }
            TopologyLayout::Block => {}
        }
        below
    }

    /// Whether a host is in this cluster under another fabric, or under none: a matter of the lot, not a typing error.
    fn elsewhere(&mut self, host: &str, nodes: &[Nodes<'a>]) -> bool {
        let Some(nodes) = nodes.iter().find(|nodes| nodes.hosts.0.iter().any(|known| known == host)) else {
            return false;
        };
        self.report(
            Diagnostic::error(
                codes::TOPOLOGY,
                format!(
                    "host `{host}` hangs on a switch, and its pool `{}` has another fabric or none",
                    nodes.pool.meta.name
                ),
            )
            .at(nodes.pool.meta.origin.of("fabric"), "this pool")
            .with_help("set the pool's `fabric`, or take the host off the switch"),
        );
        true
    }

    fn after_nodes(&self, object: &mut super::Object, hosts: &[String], nodes: &[Nodes<'a>]) {
        for nodes in nodes.iter().filter(|nodes| hosts.iter().any(|host| nodes.hosts.0.contains(host))) {
            object.after(self.address_of("Node", nodes.name));
        }
    }

    /// The one `BlockSizes` of the cluster. Of several fabrics it has only the smallest block: a coarser size joins
    /// blocks that follow each other in the file, whichever fabric they are of.
    fn block_sizes(&mut self, fabrics: &[&'a Fabric], sizes: &[Vec<u64>]) {
        let (mut object, span, sizes) = match (fabrics, sizes) {
            ([fabric], [sizes]) => {
                let object = self.object("BlockSizes", &fabric.meta.name, &fabric.meta);
                (object, fabric.meta.origin.of("levels"), sizes.clone())
            }
            _ => {
                let meta = self.target_meta();
                let smallest = sizes.iter().filter_map(|sizes| sizes.first().copied()).min();
                let object = self.object("BlockSizes", &meta.name, meta);
                (object, meta.origin.header, smallest.into_iter().collect())
            }
        };
        if sizes.is_empty() {
            return;
        }
        let sizes: Vec<Value> = sizes.iter().map(|size| Value::from(size.to_string())).collect();
        object.set("BlockSizes", sizes, span);
        self.push(object);
    }

    /// Hosts that no fabric joins: a switch of their own, so that their jobs may still have several of them.
    fn unlinked(&mut self, nodes: &[Nodes<'a>], seen: &Seen<'a>, fabric: &'a Fabric) {
        let free: Vec<&Nodes<'a>> = nodes
            .iter()
            .filter(|nodes| {
                let fabric = nodes.pool.fabric.as_ref().and_then(|fabric| self.fleet().fabrics.get(fabric));
                fabric.is_none_or(|fabric| fabric.switches.is_empty())
            })
            .filter(|nodes| nodes.hosts.0.iter().any(|host| !seen.hosts.contains_key(host.as_str())))
            .collect();
        let hosts: Vec<String> = free.iter().flat_map(|nodes| nodes.hosts.0.iter().cloned()).collect();
        if hosts.is_empty() {
            return;
        }
        if fabric.layout == TopologyLayout::Block {
            self.report(
                Diagnostic::warning(codes::TOPOLOGY_LAYOUT, format!("{} are in no block", fold(hosts)))
                    .at(fabric.meta.origin.of("layout"), "the cluster's topology is blocks")
                    .with_note("Slurm places a job with segments only inside blocks")
                    .with_help(
                        "give their pools a fabric with switches, or keep them in partitions of their own",
                    ),
            );
            return;
        }
        if let Some(first) = seen.switches.get(UNLINKED) {
            let meta = self.target_meta();
            self.clash("switches", UNLINKED, meta, &first.address);
            return;
        }
        let mut object = self.object("Switch", UNLINKED, self.target_meta());
        object.set("SwitchName", UNLINKED, fabric.meta.origin.header);
        object.set("Nodes", fold(hosts.clone()), fabric.meta.origin.header);
        object.remark =
            Some("hosts that no fabric joins; without it no job could have two of them".to_owned());
        self.after_nodes(&mut object, &hosts, nodes);
        self.push(object);
    }
}

/// Sizes of a fabric's blocks: the hosts of the smallest one, and of coarser levels as far as they double.
fn doubling(sizes: &[Vec<u64>]) -> Vec<u64> {
    let mut smallest: Vec<u64> = sizes.iter().rev().filter_map(|level| level.iter().min().copied()).collect();
    let Some(base) = smallest.first().copied().filter(|base| *base > 0) else { return Vec::new() };
    for size in &mut smallest {
        let mut doubled = base;
        while doubled.saturating_mul(2) <= *size {
            doubled = doubled.saturating_mul(2);
        }
        *size = doubled;
    }
    smallest.dedup();
    smallest
}

fn fold(hosts: Vec<String>) -> String {
    canonical_hosts(Hosts(hosts))
}
