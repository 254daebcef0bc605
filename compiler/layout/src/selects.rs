//! How the nodes of a flavor are recognised (LANGUAGE §3.3, §4.1): that there is a way, and that it is no other flavor's.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::Diagnostic;
use poolwright_model::Fleet;
use poolwright_model::fleet::{Pool, Target};
use poolwright_model::layout::Flavor;

use crate::flavors::{Flavors, LABEL_PREFIX};
use crate::kueue::MOST_FLAVORS;
use crate::{codes, devices, groups};

/// Checks the selects of a cluster's flavors.
pub(crate) fn check(
    flavors: &Flavors<'_>,
    target: &Target,
    places: &[usize],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut nodes: Vec<Nodes<'_>> = Vec::new();
    let mut said: BTreeSet<&str> = BTreeSet::new();
    let mut pools = flavors.pick(places).filter_map(|flavor| flavors.pool(flavor));
    let written = pools.any(|pool| named(flavors.fleet, pool));
    for flavor in flavors.pick(places) {
        let Some(pool) = flavors.pool(flavor) else { continue };
        let made = flavors.fleet.makes_nodes(pool);
        if pool.select.is_none() && !made && flavor.select.is_empty() {
            if said.insert(pool.meta.address.as_str()) {
                diagnostics.push(
                    Diagnostic::error(
                        codes::SELECT_MISSING,
                        format!("nothing says how the nodes of `{}` are recognised", pool.meta.address),
                    )
                    .at(pool.meta.origin.header, "has neither `provision` nor `select`")
                    .also(target.meta.origin.header, "finds nodes by their labels")
                    .with_help(
                        "write the labels that its nodes have: select = { \"example.com/gpu\" = \"a100\" }",
                    ),
                );
            }
            continue;
        }
        if pool.select.is_none() && !made {
            devices::ambiguous(flavors.fleet, pool, diagnostics);
        }
        // Where every select follows the rule, all of them differ and agree with their nodes.
        if !written {
            continue;
        }
        let mut labels = if made {
            groups::node_labels(flavors.fleet, pool, flavors.lots(flavor).first().copied(), &flavor.name)
        } else {
            pool.node_labels.clone()
        };
        let slice = flavors.lots(flavor).first().and_then(|lot| lot.partition.as_deref());
        // Feature discovery labels all nodes with their product, also those that we make.
        // Which of its product's labels they have, `select` says where it names one of them.
        labels.extend(
            devices::product_label(flavors.fleet, pool, slice)
                .filter(|_| !devices::names_a_product(flavors.fleet, pool, slice, &flavor.select)),
        );
        for (key, value) in &flavor.select {
            if let Some(other) = labels.get(key).filter(|other| *other != value) {
                diagnostics.push(
                    Diagnostic::error(
                        codes::SELECT_CONTRADICTED,
                        format!(
                            "`select` of `{}` asks for {key} = \"{value}\", its nodes get \"{other}\"",
                            pool.meta.address
                        ),
                    )
                    .at(pool.meta.origin.of(&format!("select.{key}")), "no node of the pool has this")
                    .also(pool.meta.origin.of(&format!("node_labels.{key}")), "they get this")
                    .with_help("make the two agree, or leave `select` out"),
                );
            }
            labels.insert(key.clone(), value.clone());
        }
        nodes.push(Nodes { flavor, pool, made, named: named(flavors.fleet, pool), labels });
    }
    overlaps(&nodes, diagnostics);
}

/// Whether a pool's nodes are recognised by other labels than those that Poolwright gives.
fn named(fleet: &Fleet, pool: &Pool) -> bool {
    pool.select.is_some() || !fleet.makes_nodes(pool)
}

/// A flavor with what is known of its nodes' labels.
struct Nodes<'a> {
    flavor: &'a Flavor,
    pool: &'a Pool,
    /// Whether somebody makes them.
    made: bool,
    /// Whether its `select` is not the one that our own nodes have.
    named: bool,
    labels: BTreeMap<String, String>,
}

impl Nodes<'_> {
    /// Whether a node of this flavor can have all these labels. Labels below poolwright.dev/ are on nodes only as far
    /// as they are known; of the others, nodes that we make have those with a domain from their cloud or kubelet.
    fn can_have(&self, select: &BTreeMap<String, String>) -> bool {
        select.iter().all(|(key, value)| match self.labels.get(key) {
            Some(known) => known == value,
            None => !key.starts_with(LABEL_PREFIX) && (!self.made || key.contains('/')),
        })
    }
}

/// Two flavors of the same device whose selects can match one node. Flavors by the default rule never overlap each
/// other, so only those with a written select are compared with the rest. A cluster with more flavors than Kueue
/// takes is refused anyway: there only equal selects are looked for, which keeps the work linear.
fn overlaps(nodes: &[Nodes<'_>], diagnostics: &mut Vec<Diagnostic>) {
    let mut by_device: BTreeMap<Option<&String>, Vec<&Nodes<'_>>> = BTreeMap::new();
    for node in nodes {
        by_device.entry(node.flavor.device.as_ref()).or_default().push(node);
    }
    for nodes in by_device.values() {
        if nodes.len() > MOST_FLAVORS {
            let mut seen: BTreeMap<&BTreeMap<String, String>, &Nodes<'_>> = BTreeMap::new();
            for node in nodes {
                if let Some(other) = seen.insert(&node.flavor.select, node) {
                    say(other, node, diagnostics);
                }
            }
            continue;
        }
        for (at, a) in nodes.iter().enumerate() {
            for b in nodes.iter().skip(at + 1) {
                if (a.named || b.named) && (a.can_have(&b.flavor.select) || b.can_have(&a.flavor.select)) {
                    say(a, b, diagnostics);
                }
            }
        }
    }
}

fn say(a: &Nodes<'_>, b: &Nodes<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let message = format!("flavors \"{}\" and \"{}\" can match the same node", a.flavor.name, b.flavor.name);
    let text = |nodes: &Nodes<'_>| {
        let select: Vec<String> =
            nodes.flavor.select.iter().map(|(key, value)| format!("{key} = \"{value}\"")).collect();
        if select.is_empty() {
            "matches every node".to_owned()
        } else {
            format!("matches {}", select.join(", "))
        }
    };
    let help = if a.pool.meta.address == b.pool.meta.address {
        "lots with a flavor of their own cannot share one `select`: leave it out where Poolwright makes the nodes, or make two pools"
    } else {
        "add a label to one `select` that nodes of the other pool do not have"
    };
    diagnostics.push(
        Diagnostic::error(codes::SELECT_OVERLAP, message)
            .at(b.pool.meta.origin.of("select"), text(b))
            .also(a.pool.meta.origin.of("select"), text(a))
            .with_note("a job would be given the quota of one and run on the nodes of the other")
            .with_help(help),
    );
}
