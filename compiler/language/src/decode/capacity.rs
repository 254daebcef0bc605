//! `pool` and `lot` blocks: a pool's attributes are the defaults of its lots, the catalogue's facts those of both.

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::Value;
use poolwright_model::fleet::{Accelerator, Fabric, Lot, Pool, Target, TargetKind};
use poolwright_model::{Address, Fleet, Meta, Origin};

use super::{from_values, lot};
use crate::codes;
use crate::instances::Block;
use crate::values::{Attributes, Values, meta, no_effect};

/// Decodes a pool with its lots. `fleet` has the targets, tiers and fabrics already.
pub(crate) fn pool<'t>(values: &Values<'_, 't>, block: &Block<'t>, fleet: &Fleet) -> Option<(Address, Pool)> {
    let attributes = values.attributes(block);
    let children: Vec<(&Block<'_>, Attributes)> =
        block.children_of("lot").map(|child| (&**child, values.attributes(child))).collect();
    if !attributes.complete || block.is_incomplete() || children.iter().any(|(_, inner)| !inner.complete) {
        return None;
    }
    let mut pool: Pool = from_values(values, &attributes.values, &block.address, block.tree.header)?;
    pool.meta = meta(block, &attributes);
    if pool.tokens.is_some() {
        tokens(values, &pool, &children, fleet)?;
        return Some((pool.meta.address.clone(), pool));
    }
    let own = lot_attributes(values, &attributes);
    // A cluster that failed has been reported: what depends on it is not checked against nothing.
    let cluster = fleet.targets.get(&pool.cluster)?;
    let place = Place {
        provision: pool.provision.as_ref().map(|address| fleet.targets.get(address)),
        fabric: pool.fabric.as_ref().and_then(|address| fleet.fabrics.get(address)),
        accelerated: pool.accelerator.is_some(),
        cluster,
        fleet,
    };
    let mut accelerators: Vec<(Address, Span)> = Vec::new();
    let mut whole = true;
    let lots = if children.is_empty() {
        let head = Meta {
            address: pool.meta.address.nested("lot", "main"),
            name: "main".to_owned(),
            description: None,
            labels: BTreeMap::new(),
            protect: pool.meta.protect,
            foreign: pool.meta.foreign.clone(),
            extra: BTreeMap::new(),
            origin: pool.meta.origin.clone(),
        };
        vec![(head, own, false)]
    } else {
        children.iter().map(|(child, inner)| inherit(&pool.meta, &own, child, inner)).collect()
    };
    // A vector that grows would keep room for four.
    pool.lots.reserve_exact(lots.len());
    for (head, merged, distinct) in lots {
        let decoded = lot::lot(values, head, merged, &place, &mut accelerators);
        whole &= decoded.is_some();
        pool.lots.extend(decoded.map(|decoded| Lot { distinct, ..decoded }));
    }
    settle_accelerator(values, &mut pool, &accelerators)?;
    slices(values, &pool);
    if pool.opt_in && pool.taints.is_empty() {
        values.report(no_effect(
            "opt_in",
            pool.meta.address.as_str(),
            pool.meta.origin.of("opt_in"),
            "the pool has no taint that jobs would have to tolerate",
            "add `taints = [\"key=value:NoSchedule\"]`, or remove it",
        ));
    }
    whole.then(|| (pool.meta.address.clone(), pool))
}

/// Where a pool's lots stand.
pub(super) struct Place<'a> {
    pub(super) cluster: &'a Target,
    /// None: nobody makes nodes. Some(None): somebody whose own block failed.
    pub(super) provision: Option<Option<&'a Target>>,
    pub(super) fabric: Option<&'a Fabric>,
    /// Whether the pool names an accelerator; without one its nodes have CPUs only, unless they say otherwise.
    pub(super) accelerated: bool,
    pub(super) fleet: &'a Fleet,
}

impl<'a> Place<'a> {
    /// Who makes the nodes; an inventory only lists those that exist.
    pub(super) fn maker(&self) -> Option<&'a Target> {
        self.provision.flatten().filter(|target| !matches!(target.kind, TargetKind::Inventory(_)))
    }

    /// Whether nodes are made, by whomever.
    pub(super) fn made(&self) -> bool {
        self.provision
            .is_some_and(|target| target.is_none_or(|it| !matches!(it.kind, TargetKind::Inventory(_))))
    }
}

/// A pool of countable things has no nodes: it says its cluster and the things, and nothing else.
fn tokens(
    values: &Values<'_, '_>,
    pool: &Pool,
    children: &[(&Block<'_>, Attributes)],
    fleet: &Fleet,
) -> Option<()> {
    const TAKEN: [&str; 10] = [
        "cluster",
        "tokens",
        "for_each",
        "count",
        "name",
        "description",
        "labels",
        "protect",
        "foreign",
        "extra",
    ];
    let origin = &pool.meta.origin;
    let mut sound = true;
    let mut report = |diagnostic: Diagnostic| {
        sound = false;
        values.report(diagnostic.also(origin.of("tokens"), "countable things instead of nodes"));
    };
    let others = origin.attributes.iter().filter(|(path, _)| !path.contains(['.', '[']));
    for (name, span) in others.filter(|(name, _)| !TAKEN.contains(&&**name)) {
        report(
            Diagnostic::error(codes::TOKENS, format!("`{}` has tokens and `{name}`", pool.meta.address))
                .at(*span, "of nodes, which it has none of")
                .with_help("a token pool has `cluster` and `tokens` only: make another pool of the nodes"),
        );
    }
    for (child, _) in children {
        report(
            Diagnostic::error(codes::TOKENS, format!("`{}` has tokens and a lot", pool.meta.address))
                .at(child.tree.header, "a lot is nodes, which it has none of")
                .with_help("a token pool has `cluster` and `tokens` only: make another pool of the nodes"),
        );
    }
    if pool.tokens.as_ref().is_some_and(BTreeMap::is_empty) {
        report(
            Diagnostic::error(codes::TOKENS, format!("`{}` has no token", pool.meta.address))
                .at(origin.of("tokens"), "nothing is counted")
                .with_help(
                    "name what is counted, and how many there are: `tokens = { \"licence/seat\" = 20 }`",
                ),
        );
    }
    let cluster = fleet.targets.get(&pool.cluster)?;
    if cluster.kubernetes().is_none() {
        report(
            Diagnostic::error(codes::TOKENS, format!("`{}` counts tokens on Slurm", pool.meta.address))
                .at(origin.of("cluster"), "has licences of its own")
                .with_help("Kueue counts tokens; on Slurm write `Licenses=` of the site"),
        );
    }
    sound.then_some(())
}

/// What a lot's accelerators are cut into is a form that they have.
fn slices(values: &Values<'_, '_>, pool: &Pool) {
    let mut said = std::collections::BTreeSet::new();
    for lot in &pool.lots {
        let Some(form) = &lot.partition else { continue };
        let span = lot.meta.origin.of("partition");
        if !said.insert(span) {
            continue;
        }
        if pool.accelerator.is_none() {
            values.report(
                Diagnostic::error(
                    codes::PARTITION,
                    format!("`{}` cuts accelerators and has none", lot::shown(&lot.meta)),
                )
                .at(span, format!("`{form}` of nothing"))
                .with_help("name the pool's `accelerator`, or remove `partition`"),
            );
        } else if lot.node.gpus == 0 {
            values.report(
                Diagnostic::error(
                    codes::PARTITION,
                    format!("`{}` cuts accelerators, and its nodes have none", lot::shown(&lot.meta)),
                )
                .at(span, "nothing to cut")
                .with_help("say how many GPUs a node has: `node = { gpus = 8, … }`"),
            );
        }
    }
}

/// The attributes of a pool that its lots inherit.
fn lot_attributes(values: &Values<'_, '_>, attributes: &Attributes) -> BTreeMap<Arc<str>, Value> {
    let schema = values.schema().blocks.get("pool.lot");
    let of_lot = |name: &str| {
        schema.is_some_and(|schema| schema.attributes.contains_key(name))
            && !matches!(name, "name" | "description" | "labels" | "protect")
    };
    attributes
        .values
        .iter()
        .filter(|(name, _)| of_lot(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// A lot's head and attributes with the pool's defaults, and whether it has a flavor's facts of its own.
fn inherit(
    pool: &Meta,
    own: &BTreeMap<Arc<str>, Value>,
    child: &Block<'_>,
    inner: &Attributes,
) -> (Meta, BTreeMap<Arc<str>, Value>, bool) {
    let wrote = |name: &str| inner.spans.iter().any(|(written, _)| &**written == name);
    let mut merged = own.clone();
    for (name, value) in &inner.values {
        // A schema default of the lot does not hide what the pool wrote.
        if wrote(name) || !merged.contains_key(name) {
            merged.insert(name.clone(), value.clone());
        }
    }
    let mut head = meta(child, inner);
    head.protect |= pool.protect;
    let mut spans = inner.spans.clone();
    spans.extend(
        pool.origin
            .attributes
            .iter()
            .filter(|(name, _)| !wrote(name.split(['.', '[']).next().unwrap_or(name)))
            .cloned(),
    );
    spans.sort();
    spans.shrink_to_fit();
    head.origin = Origin { header: head.origin.header, attributes: Arc::new(spans) };
    let distinct = ["tier", "partition", "node", "provisioning"]
        .into_iter()
        .any(|name| wrote(name) && inner.values.contains_key(name));
    (head, merged, distinct)
}

/// The accelerator of a pool: the one written, or that of its instance types; the two must agree.
fn settle_accelerator(values: &Values<'_, '_>, pool: &mut Pool, of_types: &[(Address, Span)]) -> Option<()> {
    let origin = &pool.meta.origin;
    for (accelerator, span) in of_types {
        match &pool.accelerator {
            Some(written) if written != accelerator => {
                values.report(
                    Diagnostic::error(
                        codes::ACCELERATOR,
                        format!("`{}` is not what its instance types have", pool.meta.address),
                    )
                    .at(origin.of("accelerator"), "is written here")
                    .also(*span, format!("`{accelerator}` by the catalogue"))
                    .with_help("leave `accelerator` out: it follows from the instance types"),
                );
                return None;
            }
            Some(_) => {}
            None => pool.accelerator = Some(accelerator.clone()),
        }
    }
    let gpus = pool.lots.iter().map(|lot| lot.node.gpus).max().unwrap_or(0);
    let mixed = pool.lots.iter().any(|lot| !lot.node.devices.is_empty());
    if let (Some(written), true) = (&pool.accelerator, mixed) {
        let lot =
            pool.lots.iter().find(|lot| !lot.node.devices.is_empty()).map_or(&pool.meta, |lot| &lot.meta);
        values.report(
            Diagnostic::error(
                codes::ACCELERATOR,
                format!("`{}` names one accelerator, and its hosts have several", pool.meta.address),
            )
            .at(origin.of("accelerator"), format!("`{written}`"))
            .also(lot.origin.of("node.devices"), "names them")
            .with_help("leave `accelerator` out: `devices` says what the hosts have"),
        );
        return None;
    }
    if pool.accelerator.is_none() && gpus > 0 && !mixed {
        values.report(
            Diagnostic::error(
                codes::ACCELERATOR,
                format!("`{}` has GPUs and does not say which", pool.meta.address),
            )
            .at(origin.header, format!("{gpus} GPUs a node, their kind is not said"))
            .with_help("add `accelerator = accelerator.…`; `poolwright catalog accelerators` lists them"),
        );
        return None;
    }
    Some(())
}

/// Adds the accelerator that a pool uses to the fleet's, from the catalogue unless a block says what it is.
pub(crate) fn use_accelerators(pool: &Pool, fleet: &mut Fleet) {
    let devices = pool.lots.iter().flat_map(|lot| lot.node.devices.iter().map(|it| &it.accelerator));
    for address in pool.accelerator.iter().chain(devices) {
        use_accelerator(address, fleet);
    }
}

fn use_accelerator(address: &Address, fleet: &mut Fleet) {
    if !fleet.accelerators.contains_key(address) {
        fleet.accelerators.extend(Accelerator::of_catalogue(address).map(|found| (address.clone(), found)));
    }
}
