//! Groups of nodes that a cloud makes (LANGUAGE §4.1, §4.2): one per lot, per zone too where a fabric ends at the zone.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::quantity::Range;
use poolwright_model::fleet::{Lot, Pool};
use poolwright_model::layout::NodeGroup;
use poolwright_model::{Address, Fleet};

use crate::capacity::spread;
use crate::flavors::{FLAVOR_LABEL, Flavors};
use crate::names::{self, Names};

/// The labels of nodes that Poolwright makes: the pool's, and its own.
pub(crate) fn node_labels(
    fleet: &Fleet,
    pool: &Pool,
    lot: Option<&Lot>,
    flavor: &str,
) -> BTreeMap<String, String> {
    let mut labels = pool.node_labels.clone();
    labels.insert("poolwright.dev/pool".to_owned(), pool.meta.name.clone());
    labels.insert(FLAVOR_LABEL.to_owned(), flavor.to_owned());
    if let Some(tier) = lot.and_then(|lot| fleet.tiers.get(&lot.tier)) {
        labels.insert("poolwright.dev/tier".to_owned(), tier.kind.as_str().to_owned());
    }
    if let Some(cost_tier) = pool.cost_tier {
        labels.insert("poolwright.dev/cost-tier".to_owned(), cost_tier.as_str().to_owned());
    }
    labels
}

/// The groups of every cloud target, by target, in the order of pools and lots.
pub(crate) fn groups<'a>(
    flavors: &Flavors<'a>,
    names: &mut Names<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) -> BTreeMap<Address, Vec<NodeGroup>> {
    let fleet: &'a Fleet = flavors.fleet;
    let mut groups: BTreeMap<Address, Vec<NodeGroup>> = BTreeMap::new();
    for (address, _) in fleet.targets.iter().filter(|(_, target)| target.cloud().is_some()) {
        groups.insert(address.clone(), Vec::new());
    }
    for pool in fleet.pools.values() {
        let Some((provision, cloud)) = pool.provision.as_ref().and_then(|provision| {
            fleet.targets.get(provision).and_then(|target| target.cloud()).map(|cloud| (provision, cloud))
        }) else {
            continue;
        };
        let zones: BTreeSet<&String> = pool.lots.iter().flat_map(|lot| lot.zones.iter()).collect();
        let by_zone = pool.fabric.is_some() && zones.len() > 1;
        let cluster_id = cloud.cluster_id.clone().unwrap_or_else(|| {
            fleet.targets.get(&pool.cluster).map_or_else(String::new, |cluster| cluster.meta.name.clone())
        });
        for lot in &pool.lots {
            let Some(flavor) = flavors.of_lot(&lot.meta.address).and_then(|at| flavors.get(at)) else {
                continue;
            };
            let parts: Vec<(Option<&String>, Vec<String>, Range)> = if by_zone {
                lot.zones
                    .iter()
                    .zip(split(lot))
                    .map(|(zone, nodes)| (Some(zone), vec![zone.clone()], nodes))
                    .collect()
            } else {
                vec![(None, lot.zones.clone(), lot.nodes)]
            };
            for (zone, zones, nodes) in parts {
                let mut name: Vec<&str> = vec![&pool.meta.name, &lot.meta.name];
                name.extend(zone.map(String::as_str));
                let name = names::compose(&name, names::group_limit(cloud.groups));
                names.take(
                    provision,
                    "node group",
                    &name,
                    (&lot.meta.address, lot.meta.origin.header),
                    diagnostics,
                );
                groups.entry(provision.clone()).or_default().push(NodeGroup {
                    name,
                    pool: pool.meta.address.clone(),
                    lot: lot.meta.address.clone(),
                    flavor: flavor.name.clone(),
                    zones,
                    nodes,
                    node_labels: node_labels(fleet, pool, Some(lot), &flavor.name),
                    cluster_id: cluster_id.clone(),
                });
            }
        }
    }
    groups
}

/// The nodes of a lot, evenly over its zones, remainder to earlier ones: together never more than the lot has.
fn split(lot: &Lot) -> Vec<Range> {
    let even = vec![1; lot.zones.len()];
    let least = spread(lot.nodes.min, &even);
    let most = spread(lot.most(), &even);
    least.into_iter().zip(most).map(|(min, max)| Range { min, max: Some(max) }).collect()
}
