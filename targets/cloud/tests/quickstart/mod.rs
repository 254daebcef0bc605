//! The quickstart's fleet, with spans that can be told apart, and a layout of its clouds' lots. The tests of each cloud
//! include this file; the module around it says of which `KIND` they are, and their `TARGET` and `POOL`.

#![allow(dead_code, clippy::allow_attributes, reason = "each test file uses its own part of it")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use poolwright_diagnostics::{FileId, Span};
use poolwright_model::fleet::{CloudTarget, Lot, Pool, TargetKind};
use poolwright_model::layout::NodeGroup;
use poolwright_model::{Address, Fleet, Layout, Meta, Origin, Prices};
use poolwright_target::{Input, Lowered, Target as _};

use super::{KIND, POOL, TARGET};

pub(crate) fn golden(path: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/quickstart")).join(path)
}

pub(crate) fn fleet() -> Fleet {
    serde_json::from_str(&std::fs::read_to_string(golden("fleet.json")).unwrap()).unwrap()
}

/// The layout of the crate before this one.
pub(crate) fn layout() -> Layout {
    serde_json::from_str(&std::fs::read_to_string(golden("layout.json")).unwrap()).unwrap()
}

/// A layout of a changed fleet: one group per lot, by LANGUAGE §4.1 and §4.2.
pub(crate) fn layout_by_hand(fleet: &Fleet) -> Layout {
    let mut groups: BTreeMap<Address, Vec<NodeGroup>> = BTreeMap::new();
    for pool in fleet.pools.values() {
        let Some(provision) = &pool.provision else { continue };
        let cloud = fleet.targets[provision].cloud().unwrap();
        for lot in &pool.lots {
            let mut node_labels = pool.node_labels.clone();
            let tier = fleet.tiers.get(&lot.tier).map_or("none", |tier| tier.kind.as_str());
            for (key, value) in [
                ("pool", pool.meta.name.as_str()),
                ("flavor", pool.meta.name.as_str()),
                ("tier", tier),
                ("cost-tier", pool.cost_tier.map_or("none", |tier| tier.as_str())),
            ] {
                node_labels.insert(format!("poolwright.dev/{key}"), value.to_owned());
            }
            groups.entry(provision.clone()).or_default().push(NodeGroup {
                name: format!("{}--{}", pool.meta.name, lot.meta.name),
                pool: pool.meta.address.clone(),
                lot: lot.meta.address.clone(),
                flavor: pool.meta.name.clone(),
                zones: lot.zones.clone(),
                nodes: lot.nodes,
                node_labels,
                cluster_id: cloud.cluster_id.clone().unwrap_or_else(|| pool.cluster.label().to_owned()),
            });
        }
    }
    Layout { groups, ..Layout::default() }
}

pub(crate) fn lower_with(fleet: &Fleet, layout: &Layout) -> Lowered {
    let prices = Prices { currency: fleet.currency, lots: BTreeMap::new(), books: Vec::new() };
    KIND.lower(Input { fleet, layout, prices: &prices, target: &fleet.targets[TARGET] })
}

/// Lowers a changed quickstart.
pub(crate) fn lower(change: impl FnOnce(&mut Fleet)) -> Lowered {
    let mut fleet = fleet();
    change(&mut fleet);
    lower_with(&fleet, &layout_by_hand(&fleet))
}

pub(crate) fn pool(fleet: &mut Fleet) -> &mut Pool {
    fleet.pools.get_mut(POOL).unwrap()
}

pub(crate) fn lot(fleet: &mut Fleet) -> &mut Lot {
    &mut pool(fleet).lots[0]
}

pub(crate) fn cloud(fleet: &mut Fleet) -> &mut CloudTarget {
    match &mut fleet.targets.get_mut(TARGET).unwrap().kind {
        TargetKind::Aws(cloud) | TargetKind::Alibaba(cloud) => cloud,
        _ => panic!("a cloud"),
    }
}

/// Marks attributes of a block with spans of their own: 100 for the header, then 110, 120, … in the order given.
pub(crate) fn mark(meta: &mut Meta, file: u32, attributes: &[&str]) {
    let mut written: Vec<(Arc<str>, Span)> = (11_u32..)
        .zip(attributes)
        .map(|(at, name)| (Arc::from(*name), Span::new(FileId(file), at * 10, at * 10 + 5)))
        .collect();
    written.sort();
    meta.origin = Origin { header: Span::new(FileId(file), 100, 105), attributes: Arc::new(written) };
}

pub(crate) fn span(file: u32, at: u32) -> Span {
    Span::new(FileId(file), at, at + 5)
}
