//! What a fleet says of hardware, against what the catalogue knows of it: where a type is offered, which ports it has,
//! whether a host can feed its accelerators, which drivers and toolkits an accelerator is supported by.

use std::collections::BTreeSet;

use poolwright_catalog::{FabricFacts, InstanceFacts};
use poolwright_diagnostics::Diagnostic;
use poolwright_expression::Number;
use poolwright_expression::quantity::Bytes;
use poolwright_model::Fleet;
use poolwright_model::fleet::{Accelerator, Fabric, FabricKind, Lot, NodeShape, Pool, Target};

use crate::codes;
use crate::flavors::fabric_of;
use crate::kueue::Parts;

/// All of them.
pub(crate) fn check(parts: &Parts<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    let fleet = parts.flavors.fleet;
    let mut ports: BTreeSet<(&str, &str)> = BTreeSet::new();
    for pool in fleet.pools.values() {
        let accelerator = pool.accelerator.as_ref().and_then(|it| fleet.accelerators.get(it));
        if let Some(accelerator) = accelerator {
            driver(pool, accelerator, diagnostics);
            feeding(pool, accelerator, diagnostics);
        }
        let Some(provision) = cloud(fleet, pool) else { continue };
        for (lot, facts) in pool.lots.iter().flat_map(|lot| types(provision, lot)) {
            offered(provision, lot, facts, diagnostics);
            let Some(fabric) = fabric_of(fleet, pool) else { continue };
            if ports.insert((fabric.meta.address.as_str(), &facts.instance_type)) {
                joined(provision, pool, fabric, facts, diagnostics);
            }
        }
    }
    for way in parts.ways {
        for class in way.classes().filter_map(|class| fleet.classes.get(class)) {
            let Some(cuda) = &class.cuda else { continue };
            let mut said = BTreeSet::new();
            for step in &way.ladder {
                for pool in step.pools.iter().filter_map(|named| fleet.pools.get(&named.pool())) {
                    let accelerator = pool.accelerator.as_ref().and_then(|it| fleet.accelerators.get(it));
                    let Some(accelerator) = accelerator.filter(|it| said.insert(&it.meta.address)) else {
                        continue;
                    };
                    let first = poolwright_catalog::accelerator(&accelerator.meta.name);
                    let Some(first) = first.and_then(|facts| facts.cuda.as_ref()).filter(|it| cuda < *it)
                    else {
                        continue;
                    };
                    let fault = Diagnostic::warning(
                        codes::CUDA_BEFORE_ACCELERATOR,
                        format!(
                            "images of CUDA {cuda} of `{}` have no code for {}",
                            class.meta.address, accelerator.meta.name
                        ),
                    )
                    .at(class.meta.origin.of("cuda"), format!("CUDA {first} is the first that knows it"))
                    .also(way.step_span(step, "pools"), format!("`{}` leads there", way.queue.meta.address))
                    .with_help(
                        "build the images with a later toolkit, or write the version that they really have",
                    );
                    if !diagnostics.contains(&fault) {
                        diagnostics.push(fault);
                    }
                }
            }
        }
    }
}

/// The cloud that makes the nodes of a pool.
fn cloud<'f>(fleet: &'f Fleet, pool: &Pool) -> Option<&'f Target> {
    let target = fleet.targets.get(pool.provision.as_ref()?)?;
    target.cloud().map(|_| target)
}

/// The instance types of a lot that the catalogue has.
fn types<'f>(
    provision: &'f Target,
    lot: &'f Lot,
) -> impl Iterator<Item = (&'f Lot, &'static InstanceFacts)> + 'f {
    let known = |name: &String| poolwright_catalog::instance(provision.provider(), name);
    lot.instance_types.iter().filter_map(known).map(move |facts| (lot, facts))
}

/// A type that no source names in a zone: a list of zones may be older than the offer, so it is a warning.
fn offered(provision: &Target, lot: &Lot, facts: &InstanceFacts, diagnostics: &mut Vec<Diagnostic>) {
    // Of Nebius the offers are by region (`InstanceFacts::zones`).
    let by_region = provision.provider() == "nebius";
    let places: Vec<&String> =
        if by_region { provision.region.iter().collect() } else { lot.zones.iter().collect() };
    let lacking: Vec<&str> =
        places.into_iter().filter(|place| !facts.zones.contains(place)).map(String::as_str).collect();
    let Some(first) = lacking.first().filter(|_| !facts.zones.is_empty()) else { return };
    let region = first.split_once('-').map_or(*first, |(region, _)| region);
    let near: Vec<&str> = facts
        .zones
        .iter()
        .filter(|zone| zone.split_once('-').is_some_and(|(begin, _)| begin == region))
        .map(String::as_str)
        .collect();
    let name = &facts.instance_type;
    let at = lot.instance_types.iter().position(|it| it == name).unwrap_or(0);
    let origin = &lot.meta.origin;
    let zones = match (by_region, origin.wrote("zones")) {
        (true, _) => provision.meta.origin.of("region"),
        (false, true) => origin.of("zones"),
        (false, false) => provision.meta.origin.of("zones"),
    };
    diagnostics.push(
        Diagnostic::warning(
            codes::ZONE_NOT_OFFERED,
            format!("`{name}` is not offered in {}", lacking.join(", ")),
        )
        .at(origin.of(&format!("instance_types[{at}]")), format!("as of {}", facts.provenance.date))
        .also(zones, if by_region { "its region" } else { "zones of the lot" })
        .with_help(match near.as_slice() {
            [] => format!("no zone of that region has it; it is in {}", some(&facts.zones)),
            near => format!("zones of that region that have it: {}", near.join(", ")),
        }),
    );
}

/// The first few of many.
fn some(zones: &[String]) -> String {
    let shown: Vec<&str> = zones.iter().take(4).map(String::as_str).collect();
    let more = if zones.len() > shown.len() { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// Ports of a fabric are those that its instance types have. Of AWS the number is the target's own check.
fn joined(
    provision: &Target,
    pool: &Pool,
    fabric: &Fabric,
    facts: &InstanceFacts,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Some(rate) = &fabric.rate else { return };
    if matches!(fabric.kind, FabricKind::Nvlink | FabricKind::Ethernet) {
        return;
    }
    let provider = provision.provider();
    let known: Vec<&FabricFacts> = poolwright_catalog::fabrics_of(provider, &facts.instance_type).collect();
    let fits =
        |known: &&FabricFacts| known.rate == *rate && (provider == "aws" || known.rails == fabric.rails);
    let Some(first) = known.first().filter(|_| !known.iter().any(fits)) else { return };
    let mut fault = Diagnostic::warning(
        codes::PORT_FACTS,
        format!(
            "`{}` has {} of {rate}, `{}` has {} of {}",
            fabric.meta.address,
            ports(fabric.rails),
            facts.instance_type,
            ports(first.rails),
            first.rate
        ),
    )
    .at(fabric.meta.origin.of("rate"), "of one port");
    if first.rails != fabric.rails {
        fault = fault.also(fabric.meta.origin.of("rails"), "how many of them");
    }
    diagnostics.push(
        fault
            .also(pool.meta.origin.of("fabric"), format!("`{}` is joined by it", pool.meta.address))
            .with_help(format!(
                "write what the type has: rails = {}, rate = \"{}\"; together they are {}",
                first.rails, first.rate, first.total
            )),
    );
}

fn ports(count: u32) -> String {
    if count == 1 { "1 port".to_owned() } else { format!("{count} ports") }
}

/// A host whose shape was written has enough for each of its accelerators. What a cloud sells is what it is.
fn feeding(pool: &Pool, accelerator: &Accelerator, diagnostics: &mut Vec<Diagnostic>) {
    let Some(facts) = poolwright_catalog::feeding(&accelerator.memory) else { return };
    let mut said = BTreeSet::new();
    for lot in pool.lots.iter().filter(|lot| lot.node.gpus > 0) {
        let (node, origin) = (&lot.node, &lot.meta.origin);
        let gpus = Number::from(node.gpus);
        let of_each = |number: Number| number.checked_div(&gpus).ok();
        let cores = cores(node);
        let few = of_each(Number::from(cores)).filter(|each| *each < Number::from(facts.cores));
        let little = of_each(node.memory.0.clone()).filter(|each| *each < facts.memory.0);
        let wrote = |names: &[&str]| names.iter().any(|name| origin.wrote(&format!("node.{name}")));
        if few.is_some() && wrote(&["cpus", "cores", "sockets"]) && said.insert(origin.of("node.cpus")) {
            diagnostics.push(too_small(
                pool,
                lot,
                format!("{cores} cores for {} accelerators", node.gpus),
                "cpus",
                format!("at least {} cores for each", facts.cores),
            ));
        }
        if let Some(each) = little.filter(|_| wrote(&["memory"]) && said.insert(origin.of("node.memory"))) {
            diagnostics.push(too_small(
                pool,
                lot,
                format!("{} of memory for each accelerator", Bytes(each)),
                "memory",
                format!("at least {} for each of {}", facts.memory, accelerator.memory),
            ));
        }
    }
}

fn too_small(pool: &Pool, lot: &Lot, found: String, part: &str, wanted: String) -> Diagnostic {
    Diagnostic::warning(
        codes::HOST_TOO_SMALL,
        format!("a node of `{}` has {found}: they would wait for it", pool.meta.address),
    )
    .at(lot.meta.origin.of(&format!("node.{part}")), wanted)
    .with_note("loading data, saving and launching work need the host; a slower GPU that is fed does more")
    .with_help("correct the figure of the node if it has more, or expect less of its accelerators")
}

/// Cores of a node, as many as its words allow: CPUs without `threads` may be cores.
fn cores(node: &NodeShape) -> u32 {
    match (node.sockets, node.cores) {
        (Some(sockets), Some(cores)) => sockets.saturating_mul(cores),
        _ => node.cpus,
    }
}

/// A driver of a later branch than the last that supports the accelerator does not find it.
fn driver(pool: &Pool, accelerator: &Accelerator, diagnostics: &mut Vec<Diagnostic>) {
    let facts = poolwright_catalog::accelerator(&accelerator.meta.name);
    let (Some(driver), Some(last)) = (&pool.driver, facts.and_then(|facts| facts.last_driver.as_ref()))
    else {
        return;
    };
    if branch(driver) <= branch(last) {
        return;
    }
    diagnostics.push(
        Diagnostic::error(
            codes::DRIVER_TOO_NEW,
            format!("driver {driver} of `{}` does not support {}", pool.meta.address, accelerator.meta.name),
        )
        .at(pool.meta.origin.of("driver"), format!("{last} is the last branch that does"))
        .with_help(format!("keep its nodes on branch {last}")),
    );
}

/// The branch of a driver: its first number.
fn branch(version: &poolwright_expression::quantity::Version) -> u64 {
    version.to_string().split('.').next().and_then(|first| first.parse().ok()).unwrap_or(0)
}
