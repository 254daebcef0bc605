//! `fabric` blocks: levels and switches.

use std::sync::Arc;

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::quantity::Bandwidth;
use poolwright_expression::{Number, Value};
use poolwright_model::Address;
use poolwright_model::fleet::{Fabric, FabricKind, Level, Switch};

use super::{from_values, model};
use crate::codes;
use crate::instances::Block;
use crate::values::{Values, meta};

/// Decodes a fabric with its levels and its tree of switches.
pub(super) fn fabric<'t>(values: &Values<'_, 't>, block: &Block<'t>) -> Option<(Address, Fabric)> {
    let mut attributes = values.attributes(block);
    let mut whole = attributes.complete;
    let mut levels = Vec::new();
    for child in block.children_of("level") {
        let inner = values.attributes(child);
        let level: Option<Level> = model(values, &inner, child);
        whole &= level.is_some();
        levels.extend(level.map(|level| Level { meta: meta(child, &inner), ..level }));
    }
    let mut switches = Vec::new();
    for child in block.children_of("switch") {
        let switch = switch(values, child);
        whole &= switch.is_some();
        switches.extend(switch);
    }
    if !whole {
        return None;
    }
    let map = &mut attributes.values;
    // Defaults that depend on the block itself (LANGUAGE §3.3).
    let rails = map.get("rails").cloned().unwrap_or(Value::Null);
    map.entry(Arc::from("per_node")).or_insert(rails);
    // What a pod asks for is the provider's word where there is one: AWS's device plugin for EFA has this.
    if map.get("kind") == Some(&Value::string("efa")) {
        map.entry(Arc::from("resource")).or_insert_with(|| Value::string("vpc.amazonaws.com/efa"));
    }
    let nvlink = map.get("kind") == Some(&Value::string("nvlink"));
    map.entry(Arc::from("layout")).or_insert_with(|| Value::string(if nvlink { "block" } else { "tree" }));
    let mut fabric: Fabric = from_values(values, map, &block.address, block.tree.header)?;
    fabric.meta = meta(block, &attributes);
    fabric.levels = levels;
    fabric.switches = switches;
    check(values, &fabric);
    Some((fabric.meta.address.clone(), fabric))
}

fn switch<'t>(values: &Values<'_, 't>, block: &Block<'t>) -> Option<Switch> {
    let attributes = values.attributes(block);
    let below: Vec<Switch> = block.children_of("switch").filter_map(|child| switch(values, child)).collect();
    let mut decoded: Switch = model(values, &attributes, block)?;
    decoded.meta = meta(block, &attributes);
    decoded.switches = below;
    if decoded.hosts.is_some() != decoded.switches.is_empty() && !block.is_incomplete() {
        let (message, help) = if decoded.hosts.is_some() {
            ("has hosts and switches below it", "hosts hang at the finest level: move them to a switch below")
        } else {
            ("has nothing below it", "give it `hosts`, or switches inside")
        };
        values.report(
            Diagnostic::error(codes::MISSING_BLOCK, format!("switch `{}` {message}", block.label))
                .at(block.tree.header, "a switch has either hosts or switches")
                .with_help(help),
        );
        return None;
    }
    Some(decoded)
}

/// The fastest port of InfiniBand and Ethernet that a standard describes: 1.6 Tb/s (IEEE 802.3dj; InfiniBand GDR).
const FASTEST_PORT: i64 = 1_600_000_000_000;

/// A rate above any port's is one of all rails, or bits written as bytes.
fn rate(values: &Values<'_, '_>, fabric: &Fabric) {
    let Some(rate) = &fabric.rate else { return };
    let fastest = Number::from(FASTEST_PORT);
    if rate.0 <= fastest || fabric.kind == FabricKind::Nvlink {
        return;
    }
    let origin = &fabric.meta.origin;
    let shown = |bits: Number| format!("`{}`", Bandwidth(bits));
    let mut diagnostic = Diagnostic::error(
        codes::PORT_RATE,
        format!(
            "no port has {}: the rate of `{}` is of one port",
            shown(rate.0.clone()),
            fabric.meta.address
        ),
    )
    .at(origin.of("rate"), "of one port");
    let rails = Number::from(i64::from(fabric.rails));
    let (total, eight) = (rate.0.checked_div(&rails).ok(), Number::from(8_i64));
    if fabric.rails > 1 {
        diagnostic = diagnostic.also(origin.of("rails"), format!("{} of them", fabric.rails));
    }
    let bits =
        total.as_ref().and_then(|total| total.checked_div(&eight).ok()).filter(|bits| *bits <= fastest);
    let help = match (total.filter(|total| fabric.rails > 1 && *total <= fastest), bits) {
        (Some(one), _) => format!("for all rails together that is {} a port", shown(one)),
        (None, Some(one)) => {
            let over = if fabric.rails > 1 { " over all rails" } else { "" };
            format!(
                "`B/s` counts bytes, a factor of 8: the same number in bits{over} is {} a port",
                shown(one)
            )
        }
        (None, None) => "write the rate of one port: `\"400Gbps\"`".to_owned(),
    };
    values.report(diagnostic.with_help(help));
}

fn check(values: &Values<'_, '_>, fabric: &Fabric) {
    let origin = &fabric.meta.origin;
    rate(values, fabric);
    for switch in &fabric.switches {
        domain(values, fabric, switch);
    }
    if fabric.rate.is_none() && matches!(fabric.kind, FabricKind::Infiniband | FabricKind::Roce) {
        values.report(
            Diagnostic::error(
                codes::MISSING_ATTRIBUTE,
                format!("`rate` is missing in `{}`", fabric.meta.address),
            )
            .at(origin.header, "needs the rate of one port")
            .with_help("add `rate = \"400Gbps\"`"),
        );
    }
    if let Some(env) = &fabric.env
        && env.hcas.0.len() != fabric.rails as usize
    {
        let count = env.hcas.0.len();
        values.report(
            Diagnostic::error(
                codes::NODE_SHAPE,
                format!("`{}` has {} rails and {count} adapters", fabric.meta.address, fabric.rails),
            )
            .at(origin.of("env.hcas"), format!("{count} adapters"))
            .also(origin.of("rails"), format!("{} rails", fabric.rails))
            .with_help("name one adapter per rail: `mlx5_[0-7]` for eight"),
        );
    }
}

/// Hosts hang at the finest level; `nodes` there is the most of one domain.
fn domain(values: &Values<'_, '_>, fabric: &Fabric, switch: &Switch) {
    for below in &switch.switches {
        domain(values, fabric, below);
    }
    let finest = fabric.levels.last();
    let Some((level, most)) = finest.and_then(|level| Some((level, level.nodes?))) else { return };
    let hosts = switch.hosts.as_ref().map_or(0, |hosts| hosts.0.len());
    if hosts > most as usize {
        let (label, finest) = (switch.meta.address.label(), level.meta.address.label());
        values.report(
            Diagnostic::error(
                codes::DOMAIN_TOO_LARGE,
                format!("switch `{label}` has {hosts} hosts, a `{finest}` has {most} at most"),
            )
            .at(switch.meta.origin.of("hosts"), format!("{hosts} hosts"))
            .also(level.meta.origin.of("nodes"), format!("{most} in one domain"))
            .with_help("split the switch's hosts, or raise `nodes` of the level"),
        );
    }
}
