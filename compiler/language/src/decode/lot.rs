//! Lots: how many nodes, of which types, where, bought how.

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::Value;
use poolwright_expression::quantity::{Date, Percent, Quantity, Range};
use poolwright_model::fleet::{
    Disk, FabricKind, GroupKind, Lot, NodeShape, Refresh, SizeOwner, Target, TargetKind, TierKind,
};
use poolwright_model::{Address, Meta};

use super::capacity::Place;
use super::{from_values, node, purchase};
use crate::codes;
use crate::values::Values;

/// The most nodes of one lot. No provider's group is near it, and all sums over a fleet stay inside every target's
/// integers.
const MOST_NODES: u64 = 1_000_000;

pub(super) fn lot(
    values: &Values<'_, '_>,
    head: Meta,
    mut map: BTreeMap<Arc<str>, Value>,
    place: &Place<'_>,
    accelerators: &mut Vec<(Address, Span)>,
) -> Option<Lot> {
    let address = head.address.clone();
    let Some(tier) = map.get("tier").and_then(super::address) else {
        values.report(
            Diagnostic::error(codes::MISSING_ATTRIBUTE, format!("`tier` is missing in `{}`", shown(&head)))
                .at(head.origin.header, "does not say how it is bought")
                .with_help("add `tier = tier.…` to the pool or to the lot"),
        );
        return None;
    };
    let tier_kind = place.fleet.tiers.get(&tier).map(|tier| tier.kind);
    let facts = node::instance_facts(values, &head, &map, place)?;
    if let Some(first) = facts.first() {
        let span = head.origin.of("instance_types");
        accelerators.push((super::accelerator::meant(place.fleet, &head.address, &first.accelerator), span));
    }
    let max = map.remove("max");
    let counted = max.is_none();
    let shape = node::shape(values, &head, map.get("node"), &facts, place)?;
    let nodes = match &max {
        None => size(values, &head, &map, place)?,
        Some(max) => of_max(values, &head, &map, max, &shape, place)?,
    };
    map.insert(Arc::from("nodes"), Value::Quantity(Quantity::Range(nodes)));
    map.remove("node");
    zones(values, &head, &mut map, place)?;
    let spot = tier_kind == Some(TierKind::Spot);
    map.entry(Arc::from("allocation"))
        .or_insert_with(|| Value::string(if spot { "price-capacity" } else { "preference" }));
    let default_placement = placement(&map, place);
    map.entry(Arc::from("placement")).or_insert_with(|| Value::string(default_placement));
    let decoded: LotWithoutShape = from_values(values, &map, address.as_str(), head.origin.header)?;
    let mut lot = decoded.with(head, shape);
    if let (false, Some(max)) = (counted, &max) {
        lot.max = Some(node::most(max, &lot.node, &facts));
    }
    purchase::check(values, &lot, tier_kind, place);
    check_max_price(values, &lot, tier_kind)?;
    if let Some(utilisation) = &lot.utilisation {
        super::share(values, &lot.meta, "utilisation", utilisation, false);
    }
    Some(lot)
}

/// What a lot is called in messages: the one lot of a pool without `lot` blocks is the pool itself.
pub(super) fn shown(head: &Meta) -> &str {
    let address = head.address.as_str();
    address.strip_suffix(".lot.main").unwrap_or(address)
}

/// A lot before the shape of its nodes is known.
#[derive(serde::Deserialize)]
struct LotWithoutShape {
    tier: Address,
    nodes: Range,
    hosts: Option<poolwright_expression::quantity::Hosts>,
    #[serde(default)]
    instance_types: Vec<String>,
    #[serde(default)]
    zones: Vec<String>,
    allocation: poolwright_model::fleet::Allocation,
    placement: poolwright_model::fleet::Placement,
    max_price: Option<poolwright_expression::quantity::Money>,
    utilisation: Option<Percent>,
    idle_after: Option<poolwright_expression::quantity::Duration>,
    provisioning: String,
    #[serde(default)]
    features: Vec<String>,
    reservation: Option<String>,
    reservation_nodes: Option<u64>,
    from: Option<Date>,
    until: Option<Date>,
    partition: Option<String>,
    size_owner: Option<SizeOwner>,
    refresh: Refresh,
    image: Option<String>,
    user_data: Option<String>,
    disk: Option<Disk>,
}

impl LotWithoutShape {
    fn with(self, meta: Meta, node: NodeShape) -> Lot {
        Lot {
            meta,
            tier: self.tier,
            nodes: self.nodes,
            hosts: self.hosts,
            instance_types: self.instance_types,
            zones: self.zones,
            allocation: self.allocation,
            placement: self.placement,
            max_price: self.max_price,
            utilisation: self.utilisation,
            idle_after: self.idle_after,
            provisioning: self.provisioning,
            features: self.features,
            node,
            distinct: false,
            max: None,
            reservation: self.reservation,
            reservation_nodes: self.reservation_nodes,
            counted: None,
            billed: None,
            from: self.from,
            until: self.until,
            partition: self.partition,
            size_owner: self.size_owner,
            refresh: self.refresh,
            image: self.image,
            user_data: self.user_data,
            disk: self.disk.map(Box::new),
        }
    }
}

fn size(
    values: &Values<'_, '_>,
    head: &Meta,
    map: &BTreeMap<Arc<str>, Value>,
    place: &Place<'_>,
) -> Option<Range> {
    let nodes = match map.get("nodes") {
        Some(Value::Quantity(Quantity::Range(range))) => Some(*range),
        _ => None,
    };
    let hosts = match map.get("hosts") {
        Some(Value::Quantity(Quantity::Hosts(hosts))) => Some(hosts.0.len() as u64),
        _ => None,
    };
    let report = |diagnostic: Diagnostic| {
        values.report(diagnostic);
        None
    };
    let fault = |message: String| Diagnostic::error(codes::LOT_SIZE, message);
    let origin = &head.origin;
    if let Some(most) = nodes.map(|range| range.max.unwrap_or(range.min)).filter(|most| *most > MOST_NODES) {
        return report(
            fault(format!("`{}` has {most} nodes", shown(head)))
                .at(origin.of("nodes"), format!("more than {MOST_NODES}"))
                .with_help(
                    "write how many nodes may really be bought: quotas, cost and group sizes follow from it",
                ),
        );
    }
    let settled = match (nodes, hosts) {
        (None, Some(count)) => Some(Range { min: count, max: Some(count) }),
        (Some(range), None) if range.max.is_some() => Some(range),
        (Some(range), Some(count)) if range == (Range { min: count, max: Some(count) }) => Some(range),
        (None, None) => report(
            fault(format!("`{}` does not say how many nodes it has", shown(head)))
                .at(origin.header, "needs `nodes` or `hosts`")
                .with_help("add `nodes = 4`, `nodes = \"0..16\"`, or `hosts = \"gpu[001-016]\"`"),
        ),
        (Some(range), None) => report(
            fault(format!("`nodes` of `{}` has no upper end: `{range}`", shown(head)))
                .at(origin.of("nodes"), "no upper end")
                .with_help("give the most nodes that may be bought: quotas and cost follow from it"),
        ),
        (Some(range), Some(count)) => report(
            fault(format!("`{}` has {range} nodes and {count} hosts", shown(head)))
                .at(origin.of("nodes"), format!("{range} nodes"))
                .also(origin.of("hosts"), format!("{count} hosts"))
                .with_help("remove `nodes`: the hosts are counted"),
        ),
    }?;
    if settled.max != Some(settled.min) {
        elastic(values, head, place)?;
    }
    Some(settled)
}

/// Who makes nodes of an elastic lot can: an inventory is what it is, and Slurm needs its two programs.
fn elastic(values: &Values<'_, '_>, head: &Meta, place: &Place<'_>) -> Option<()> {
    let span = head.origin.of("nodes");
    let inventory = place.provision.flatten().filter(|it| matches!(it.kind, TargetKind::Inventory(_)));
    if let Some(inventory) = inventory {
        values.report(
            Diagnostic::error(
                codes::LOT_SIZE,
                format!("`{}` is elastic, and `{}` is what it is", shown(head), inventory.meta.address),
            )
            .at(span, "a range of nodes")
            .also(inventory.meta.origin.header, "lists what was bought")
            .with_help("write how many nodes there are: `nodes = 4`"),
        );
        return None;
    }
    if let Some(slurm) = place.cluster.slurm()
        && slurm.power.is_none()
    {
        values.report(
            Diagnostic::error(
                codes::LOT_SIZE,
                format!("`{}` is elastic, and nobody makes its hosts", shown(head)),
            )
            .at(span, "a range of nodes")
            .also(place.cluster.meta.origin.header, "has no `power`")
            .with_help(
                "say how Slurm makes them: `power = { resume = \"/…/resume\", suspend = \"/…/suspend\" }`",
            ),
        );
        return None;
    }
    Some(())
}

/// Nodes of a lot that says its most in devices: as many as its smallest type would need.
fn of_max(
    values: &Values<'_, '_>,
    head: &Meta,
    map: &BTreeMap<Arc<str>, Value>,
    max: &Value,
    shape: &NodeShape,
    place: &Place<'_>,
) -> Option<Range> {
    let origin = &head.origin;
    let report = |diagnostic: Diagnostic| {
        values.report(diagnostic.also(origin.of("max"), "counts devices"));
        None
    };
    for other in ["nodes", "hosts"] {
        if map.contains_key(other) {
            return report(
                Diagnostic::error(codes::LOT_SIZE, format!("`{}` has `max` and `{other}`", shown(head)))
                    .at(origin.of(other), "counts nodes")
                    .with_help("keep one of the two"),
            );
        }
    }
    let karpenter = place.maker().and_then(Target::cloud).is_some_and(|it| it.groups == GroupKind::Karpenter);
    if !karpenter {
        values.report(
            Diagnostic::error(codes::LOT_SIZE, format!("`{}` has `max` without Karpenter", shown(head)))
                .at(origin.of("max"), "only Karpenter bounds devices")
                .with_help("write `nodes = \"0..16\"`, or set `groups = \"karpenter\"` on the target that makes its nodes"),
        );
        return None;
    }
    let count = |name: &str| match max.get(name) {
        Some(Value::Number(number)) => number.to_u64(),
        _ => None,
    };
    let (wanted, each, word) = match (shape.gpus, count("gpus"), count("cpus")) {
        (1.., Some(gpus), _) => (gpus, u64::from(shape.gpus), "gpus"),
        (0, None, Some(cpus)) => (cpus, u64::from(shape.cpus), "cpus"),
        (1.., None, _) => {
            values.report(
                Diagnostic::error(
                    codes::LOT_SIZE,
                    format!("`max` of `{}` does not say how many GPUs", shown(head)),
                )
                .at(origin.of("max"), "needs `gpus`")
                .with_help("add `gpus = …`: quotas and cost follow from it"),
            );
            return None;
        }
        (0, _, _) => {
            values.report(
                Diagnostic::error(
                    codes::LOT_SIZE,
                    format!("`max` of `{}` counts what its nodes lack", shown(head)),
                )
                .at(origin.of("max"), "its nodes have no GPUs")
                .with_help("bound CPU nodes by their CPUs: `max = { cpus = 768 }`"),
            );
            return None;
        }
    };
    let nodes = wanted.div_ceil(each.max(1));
    if nodes > MOST_NODES {
        values.report(
            Diagnostic::error(codes::LOT_SIZE, format!("`{}` may have {nodes} nodes", shown(head)))
                .at(origin.of(&format!("max.{word}")), format!("more than {MOST_NODES}"))
                .with_help("write how much may really be bought: quotas and cost follow from it"),
        );
        return None;
    }
    Some(Range { min: 0, max: Some(nodes) })
}

fn zones(
    values: &Values<'_, '_>,
    head: &Meta,
    map: &mut BTreeMap<Arc<str>, Value>,
    place: &Place<'_>,
) -> Option<()> {
    let Some(Some(provision)) = place.provision else { return Some(()) };
    let Some(cloud) = provision.cloud() else { return Some(()) };
    let Some(Value::List(zones)) = map.get("zones") else {
        let all = cloud.zones.keys().map(|zone| Value::string(zone)).collect();
        map.insert(Arc::from("zones"), Value::List(Arc::new(all)));
        return Some(());
    };
    let mut whole = true;
    for (index, zone) in zones.iter().enumerate() {
        let Value::String(zone) = zone else { continue };
        if cloud.zones.contains_key(&**zone) {
            continue;
        }
        whole = false;
        let diagnostic =
            Diagnostic::error(codes::ZONE, format!("`{zone}` is not a zone of `{}`", provision.meta.address))
                .at(head.origin.of(&format!("zones[{index}]")), "no subnet is known for it")
                .also(provision.meta.origin.of("zones"), "zones with their subnets");
        let known: Vec<&str> = cloud.zones.keys().map(String::as_str).collect();
        let diagnostic = match poolwright_diagnostics::suggestion_help("zone", zone, known) {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic.with_help("add it to the target's `zones` with its subnet"),
        };
        // `us-east-1a` is a name, and names differ per account (AWS, "Availability Zone IDs").
        let is_name = provision.kind.as_str() == "aws"
            && provision.region.as_ref().is_some_and(|region| zone.strip_prefix(region.as_str()).is_some());
        values.report(if is_name {
            diagnostic
                .with_note("AWS names zones anew in each account; `use1-az2` is an id, the same everywhere")
        } else {
            diagnostic
        });
    }
    whole.then_some(())
}

fn placement(map: &BTreeMap<Arc<str>, Value>, place: &Place<'_>) -> &'static str {
    let queued = map.get("provisioning") == Some(&Value::string("queued-provisioning.gke.io"));
    if map.contains_key("reservation") || queued {
        return "none";
    }
    let cloud = place.provision.flatten().is_some_and(|provision| provision.cloud().is_some());
    let joined = place.fabric.is_some_and(|fabric| {
        matches!(fabric.kind, FabricKind::Efa | FabricKind::Infiniband | FabricKind::Roce)
    });
    if cloud && joined { "cluster" } else { "none" }
}

fn check_max_price(values: &Values<'_, '_>, lot: &Lot, tier: Option<TierKind>) -> Option<()> {
    if lot.max_price.is_some() && tier.is_some_and(|kind| kind != TierKind::Spot) {
        values.report(
            Diagnostic::error(codes::TIER_FACTS, format!("`{}` has a bid and is not spot", shown(&lot.meta)))
                .at(lot.meta.origin.of("max_price"), "a bid cap is for spot only")
                .also(lot.meta.origin.of("tier"), "its tier")
                .with_help("a step's `max_price` caps what jobs are admitted at"),
        );
        return None;
    }
    Some(())
}
