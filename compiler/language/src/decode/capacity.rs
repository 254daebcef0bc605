//! `pool` and `lot` blocks: a pool's attributes are the defaults of its lots, the catalogue's facts those of both.

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_catalog::InstanceFacts;
use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::quantity::{Bytes, Percent, Quantity, Range};
use poolwright_expression::{Number, Value};
use poolwright_model::fleet::{Accelerator, Fabric, FabricKind, Lot, NodeShape, Pool, Target, TierKind};
use poolwright_model::{Address, Fleet, Meta, Origin};

use super::from_values;
use crate::codes;
use crate::instances::Block;
use crate::values::{Attributes, Values, meta};

/// The most nodes of one lot. No provider's group is near it, and all sums over a fleet stay inside every target's
/// integers.
const MOST_NODES: u64 = 1_000_000;

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
            origin: pool.meta.origin.clone(),
        };
        vec![(head, own, false)]
    } else {
        children.iter().map(|(child, inner)| inherit(&pool.meta, &own, child, inner)).collect()
    };
    // A vector that grows would keep room for four.
    pool.lots.reserve_exact(lots.len());
    for (head, merged, distinct) in lots {
        let decoded = lot(values, head, merged, &place, &mut accelerators);
        whole &= decoded.is_some();
        pool.lots.extend(decoded.map(|decoded| Lot { distinct, ..decoded }));
    }
    settle_accelerator(values, &mut pool, &accelerators)?;
    whole.then(|| (pool.meta.address.clone(), pool))
}

/// Where a pool's lots stand.
struct Place<'a> {
    cluster: &'a Target,
    /// None: nobody makes nodes. Some(None): somebody whose own block failed.
    provision: Option<Option<&'a Target>>,
    fabric: Option<&'a Fabric>,
    /// Whether the pool names an accelerator; without one its nodes have CPUs only, unless they say otherwise.
    accelerated: bool,
    fleet: &'a Fleet,
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
    let distinct = ["tier", "partition", "node", "provisioning"].into_iter().any(wrote);
    (head, merged, distinct)
}

fn lot(
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
    let facts = instance_facts(values, &head, &map, place)?;
    if let Some(first) = facts.first() {
        let span = head.origin.of("instance_types");
        accelerators.push((super::accelerator::meant(place.fleet, &address, &first.accelerator), span));
    }
    let nodes = size(values, &head, &map)?;
    let shape = shape(values, &head, map.get("node"), &facts, place)?;
    map.insert(Arc::from("nodes"), Value::Quantity(Quantity::Range(nodes)));
    map.remove("node");
    zones(values, &head, &mut map, place)?;
    let spot = tier_kind == Some(TierKind::Spot);
    map.entry(Arc::from("allocation"))
        .or_insert_with(|| Value::string(if spot { "price-capacity" } else { "preference" }));
    map.entry(Arc::from("placement")).or_insert_with(|| Value::string(placement(place)));
    let decoded: LotWithoutShape = from_values(values, &map, address.as_str(), head.origin.header)?;
    let lot = decoded.with(head, shape);
    check_max_price(values, &lot, tier_kind)?;
    if let Some(utilisation) = &lot.utilisation {
        super::share(values, &lot.meta, "utilisation", utilisation, false);
    }
    Some(lot)
}

/// What a lot is called in messages: the one lot of a pool without `lot` blocks is the pool itself.
fn shown(head: &Meta) -> &str {
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
        }
    }
}

/// Facts of the lot's instance types; none without a cloud. The types must agree on what a scheduler counts.
fn instance_facts(
    values: &Values<'_, '_>,
    head: &Meta,
    map: &BTreeMap<Arc<str>, Value>,
    place: &Place<'_>,
) -> Option<Vec<&'static InstanceFacts>> {
    let Some(Value::List(types)) = map.get("instance_types") else {
        if let Some(Some(provision)) = place.provision
            && provision.cloud().is_some()
        {
            values.report(
                Diagnostic::error(
                    codes::MISSING_ATTRIBUTE,
                    format!("`instance_types` is missing in `{}`", shown(head)),
                )
                .at(head.origin.header, format!("`{}` makes its nodes", provision.meta.address))
                .with_help("add `instance_types = [\"…\"]`, by preference"),
            );
            return None;
        }
        return Some(Vec::new());
    };
    let Some(provision) = place.provision else {
        values.report(
            Diagnostic::error(
                codes::NODE_SHAPE,
                format!("`{}` has instance types and nobody who makes nodes", shown(head)),
            )
            .at(head.origin.of("instance_types"), "types of a cloud")
            .with_help("add `provision = target.…` to the pool, or describe the hosts with `node = { … }`"),
        );
        return None;
    };
    let provider = provision?.kind.as_str();
    let mut facts = Vec::new();
    for (index, name) in types.iter().enumerate() {
        let Value::String(name) = name else { continue };
        let span = head.origin.of(&format!("instance_types[{index}]"));
        match poolwright_catalog::instance(provider, name) {
            Some(found) => facts.push((found, span)),
            None => values.report(poolwright_catalog::unknown_instance(provider, name, span)),
        }
    }
    if facts.len() < types.len() {
        return None;
    }
    if let Some((first, first_span)) = facts.first() {
        for (other, span) in facts.iter().skip(1) {
            if (first.gpus, &first.accelerator) != (other.gpus, &other.accelerator) {
                let has = |facts: &InstanceFacts| format!("{} × {}", facts.gpus, facts.accelerator);
                values.report(
                    Diagnostic::error(
                        codes::NODE_SHAPE,
                        format!("instance types of `{}` differ in their accelerators", shown(head)),
                    )
                    .at(*span, has(other))
                    .also(*first_span, has(first))
                    .with_help("a flavor has one kind of node: make a pool of each"),
                );
                return None;
            }
        }
    }
    Some(facts.into_iter().map(|(facts, _)| facts).collect())
}

fn size(values: &Values<'_, '_>, head: &Meta, map: &BTreeMap<Arc<str>, Value>) -> Option<Range> {
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
    match (nodes, hosts) {
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
    }
}

/// The shape of one node: what was written over the least of the instance types' facts.
fn shape(
    values: &Values<'_, '_>,
    head: &Meta,
    written: Option<&Value>,
    facts: &[&'static InstanceFacts],
    place: &Place<'_>,
) -> Option<NodeShape> {
    let empty = BTreeMap::new();
    let written = if let Some(Value::Object(written)) = written { &**written } else { &empty };
    let count = |name: &str| match written.get(name) {
        Some(Value::Number(number)) => number.to_u64().and_then(|number| u32::try_from(number).ok()),
        _ => None,
    };
    let (sockets, cores, threads) = (count("sockets"), count("cores"), count("threads"));
    let product = match (sockets, cores, threads) {
        (Some(sockets), Some(cores), threads) => {
            sockets.checked_mul(cores).and_then(|all| all.checked_mul(threads.unwrap_or(1)))
        }
        _ => None,
    };
    let gpus = count("gpus").or(facts.first().map(|facts| facts.gpus)).or((!place.accelerated).then_some(0));
    let cpus = count("cpus").or(product).or(facts.iter().map(|facts| facts.vcpus).min().flatten());
    let memory = match written.get("memory") {
        Some(Value::Quantity(Quantity::Bytes(bytes))) => Some(bytes.clone()),
        _ => facts.iter().map(|facts| facts.memory.clone()).min().flatten(),
    };
    let lacking: Vec<&str> =
        [("gpus", gpus.is_none()), ("cpus", cpus.is_none()), ("memory", memory.is_none())]
            .into_iter()
            .filter(|(_, lacks)| *lacks)
            .map(|(name, _)| name)
            .collect();
    let (Some(gpus), Some(cpus), Some(memory)) = (gpus, cpus, memory) else {
        values.report(
            Diagnostic::error(codes::NODE_SHAPE, format!("the nodes of `{}` lack {}", shown(head), lacking.join(", ")))
                .at(head.origin.of("node"), format!("needs {}", lacking.join(", ")))
                .with_help("write `node = { gpus = 8, cpus = 96, memory = \"1TiB\" }`; instance types of the catalogue bring it along"),
        );
        return None;
    };
    if let (Some(cpus), Some(product)) = (count("cpus"), product)
        && cpus != product
        && Some(cpus) != sockets.zip(cores).map(|(sockets, cores)| sockets.saturating_mul(cores))
    {
        values.report(
            Diagnostic::error(
                codes::NODE_SHAPE,
                format!("a node of `{}` has {cpus} CPUs and {product} threads", shown(head)),
            )
            .at(head.origin.of("node.cpus"), "neither its cores nor its threads")
            .also(head.origin.of("node.threads"), format!("sockets × cores × threads are {product}"))
            .with_help("leave `cpus` out: sockets × cores × threads count"),
        );
        return None;
    }
    let slurm = place.cluster.slurm().is_some();
    // LANGUAGE §3.3, `node`: RealMemory is net already on Slurm hosts; provisioned nodes lose more to their image.
    let reserve = match (place.provision.is_some(), slurm) {
        (true, _) => "10%",
        (false, true) => "0%",
        (false, false) => "5%",
    };
    let reserve_memory = match written.get("reserve_memory") {
        Some(Value::Quantity(Quantity::Percent(percent))) => percent.clone(),
        _ => Percent::parse(reserve).unwrap_or(Percent(Number::from(0_i64))),
    };
    let reserve_cpus = count("reserve_cpus").unwrap_or(if slurm { 0 } else { 2 });
    if reserve_cpus >= cpus {
        values.report(
            Diagnostic::error(
                codes::NODE_SHAPE,
                format!("`{}` keeps {reserve_cpus} of {cpus} CPUs from jobs", shown(head)),
            )
            .at(head.origin.of("node.reserve_cpus"), "nothing is left")
            .with_help("keep fewer from jobs: `node = { reserve_cpus = 0 }`"),
        );
        return None;
    }
    check_memory(values, head, &memory);
    if reserve_memory.0 >= Number::from(1_i64) {
        values.report(
            Diagnostic::error(
                codes::NODE_SHAPE,
                format!("`{}` keeps {reserve_memory} of its memory from jobs", shown(head)),
            )
            .at(head.origin.of("node.reserve_memory"), "nothing is left")
            .with_help("keep less from jobs: `node = { reserve_memory = \"5%\" }`"),
        );
        return None;
    }
    Some(NodeShape {
        gpus,
        cpus,
        sockets,
        cores,
        threads,
        memory,
        reserve_cpus,
        reserve_memory,
        devices: Vec::new(),
    })
}

fn check_memory(values: &Values<'_, '_>, head: &Meta, memory: &Bytes) {
    if memory.0 < Number::from(1_i64 << 30) {
        values.report(
            Diagnostic::error(
                codes::NODE_SHAPE,
                format!("a node of `{}` has {memory} of memory", shown(head)),
            )
            .at(head.origin.of("node.memory"), "less than 1 GiB")
            .with_help("write the memory of the whole machine: `\"1TiB\"`"),
        );
    }
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

fn placement(place: &Place<'_>) -> &'static str {
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
    if pool.accelerator.is_none() && gpus > 0 {
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
    let Some(address) = &pool.accelerator else { return };
    if !fleet.accelerators.contains_key(address) {
        fleet.accelerators.extend(Accelerator::of_catalogue(address).map(|found| (address.clone(), found)));
    }
}
