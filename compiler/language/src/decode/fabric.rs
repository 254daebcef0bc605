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
use crate::values::{Values, meta, no_effect};

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
    // One that could not be read has been told of, and is there all the same.
    let whole = !block.is_incomplete() && below.len() == block.children_of("switch").count();
    let mut decoded: Switch = model(values, &attributes, block)?;
    decoded.meta = meta(block, &attributes);
    decoded.switches = below;
    if decoded.hosts.is_some() != decoded.switches.is_empty() && whole {
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
    for switch in &fabric.switches {
        ports(values, fabric, switch, false);
    }
    tree(values, fabric);
    level_order(values, fabric);
    super::fabric_env::check(values, fabric);
    block_sizes(values, fabric);
    of_kind(values, fabric);
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

/// The tree is written, or read from a file; what a file lacks matters only with one.
fn tree(values: &Values<'_, '_>, fabric: &Fabric) {
    let origin = &fabric.meta.origin;
    if let (Some(switch), true) = (fabric.switches.first(), fabric.discovery.is_some()) {
        values.report(
            Diagnostic::error(codes::TREE, format!("`{}` has `discovery` and switches", fabric.meta.address))
                .at(origin.of("discovery"), "the tree is read from a file")
                .also(switch.meta.origin.header, "and is written here")
                .with_help("keep one of the two"),
        );
    }
    if fabric.discovery.is_none() && fabric.switches.is_empty() && origin.wrote("holes") {
        values.report(no_effect(
            "holes",
            fabric.meta.address.as_str(),
            origin.of("holes"),
            "there is no tree that could lack anything",
            "remove it, or write the tree with `switch` blocks or `discovery`",
        ));
    }
}

/// Levels stand coarse to fine: a domain of a finer one is a part of a coarser one.
fn level_order(values: &Values<'_, '_>, fabric: &Fabric) {
    let sized = fabric.levels.iter().filter_map(|level| Some((level, level.nodes?)));
    let mut coarser: Option<(&Level, u32)> = None;
    for (level, nodes) in sized {
        if let Some((above, most)) = coarser.filter(|(_, most)| nodes > *most) {
            let (fine, coarse) = (level.meta.address.label(), above.meta.address.label());
            values.report(
                Diagnostic::error(
                    codes::LEVEL_ORDER,
                    format!("a `{fine}` has {nodes} hosts and lies in a `{coarse}` of {most}"),
                )
                .at(level.meta.origin.of("nodes"), format!("{nodes} hosts"))
                .also(above.meta.origin.of("nodes"), format!("{most} hosts, and the coarser level"))
                .with_help("levels stand coarse to fine: change their order, or the numbers"),
            );
        }
        coarser = Some((level, nodes));
    }
}

/// A block of a coarser level is made of blocks of the finer one, a power of two of them (Slurm, topology.conf,
/// `BlockSizes`), and no domain is smaller than its block.
fn block_sizes(values: &Values<'_, '_>, fabric: &Fabric) {
    let mut finer: Option<(u32, &Level)> = None;
    for level in fabric.levels.iter().rev() {
        let Some(size) = level.block_size else { continue };
        let (origin, label) = (&level.meta.origin, level.meta.address.label());
        if let Some(most) = level.nodes.filter(|most| size > *most) {
            values.report(
                Diagnostic::error(
                    codes::BLOCK_SIZE,
                    format!("a block of level `{label}` has {size} hosts, a domain of it {most} at most"),
                )
                .at(origin.of("block_size"), format!("{size} hosts"))
                .also(origin.of("nodes"), format!("{most} at most"))
                .with_help("a block is the least of a domain: lower `block_size`, or raise `nodes`"),
            );
        }
        if let Some((base, other)) = finer
            && !(size % base == 0 && (size / base).is_power_of_two())
        {
            values.report(
                Diagnostic::error(
                    codes::BLOCK_SIZE,
                    format!(
                        "blocks of level `{label}` are not made of those of `{}`",
                        other.meta.address.label()
                    ),
                )
                .at(origin.of("block_size"), format!("{size} hosts"))
                .also(other.meta.origin.of("block_size"), format!("{base} hosts"))
                .with_help(format!(
                    "write {base} times a power of two: {}, {} or {}",
                    base,
                    base * 2,
                    base * 4
                )),
            );
        }
        finer = Some((size, level));
    }
}

/// What only some kinds of fabric have.
fn of_kind(values: &Values<'_, '_>, fabric: &Fabric) {
    let origin = &fabric.meta.origin;
    for attribute in ["pkey", "id"] {
        if origin.wrote(attribute) && fabric.kind != FabricKind::Infiniband {
            values.report(
                Diagnostic::error(
                    codes::TREE,
                    format!("`{attribute}` of `{}` is of InfiniBand", fabric.meta.address),
                )
                .at(origin.of(attribute), "only for kind `infiniband`")
                .also(origin.of("kind"), "its kind")
                .with_help("remove it, or set `kind = \"infiniband\"`"),
            );
        }
    }
    let (networks, rails) = (fabric.networks.len(), fabric.rails as usize);
    if networks > rails {
        values.report(
            Diagnostic::error(
                codes::TREE,
                format!("`{}` has {rails} rails and {networks} networks", fabric.meta.address),
            )
            .at(origin.of("networks"), format!("{networks} networks"))
            .also(origin.of("rails"), format!("{rails} rails"))
            .with_help("name one network per rail, in rail order"),
        );
    }
}

/// A switch has ports for what hangs below it, and for the links upwards that its level's `blocking` asks for. A unit
/// of several rails is that many switches, each with one port of every host.
fn ports(values: &Values<'_, '_>, fabric: &Fabric, switch: &Switch, below: bool) {
    for inner in &switch.switches {
        ports(values, fabric, inner, true);
    }
    let (origin, label) = (&switch.meta.origin, switch.meta.address.label());
    if let Some(rate) = switch.rate.as_ref().filter(|rate| rate.0 > Number::from(FASTEST_PORT)) {
        values.report(
            Diagnostic::error(
                codes::PORT_RATE,
                format!("no port has `{rate}`: the rate of switch `{label}` is of one link"),
            )
            .at(origin.of("rate"), "of one link")
            .with_help("write the rate of one link: `\"400Gbps\"`"),
        );
    }
    let Some(radix) = switch.radix else { return };
    let (down, word) = match &switch.hosts {
        Some(hosts) => (hosts.0.len() as u64, "hosts"),
        None => (switch.switches.len() as u64, "switches"),
    };
    let up = if below { uplinks(fabric, switch, down) } else { 0 };
    if down.saturating_add(up) <= u64::from(radix) {
        return;
    }
    let ports = if radix == 1 { "1 port".to_owned() } else { format!("{radix} ports") };
    let upwards = if up > 0 { format!(" and {up} upwards") } else { String::new() };
    values.report(
        Diagnostic::error(
            codes::PORTS,
            format!("switch `{label}` has {ports}, and needs {}", down.saturating_add(up)),
        )
        .at(origin.of("radix"), ports)
        .also(
            if switch.hosts.is_some() { origin.of("hosts") } else { origin.header },
            format!("{down} ports for {word}{upwards}"),
        )
        .with_help(if up > 0 {
            "move hosts to another switch, or say with `blocking` that fewer links go upwards"
        } else {
            "move some of them to another switch"
        }),
    );
}

/// Links upwards of a switch with so many ports downwards: what carries as much, divided by the level's `blocking`.
fn uplinks(fabric: &Fabric, switch: &Switch, down: u64) -> u64 {
    // Hosts hang at the finest level; that, or the level above it, says how much is shared on the way up.
    let blocking = fabric.levels.iter().rev().take(2).find_map(|level| level.blocking.clone());
    let blocking = blocking.unwrap_or_else(|| Number::from(1_i64));
    if switch.hosts.is_none() {
        return 0;
    }
    let (Some(host), Some(link)) = (&fabric.rate, switch.rate.as_ref().or(fabric.rate.as_ref())) else {
        return 0;
    };
    let needed = || -> Option<u64> {
        let traffic = host.0.checked_mul(&Number::from(down)).ok()?;
        let links = traffic.checked_div(&link.0).ok()?.checked_div(&blocking).ok()?;
        links.ceil().to_u64()
    };
    needed().unwrap_or(0)
}
