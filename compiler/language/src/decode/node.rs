//! The shape of one node: what was written over the catalogue's facts of the instance types.

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_catalog::InstanceFacts;
use poolwright_diagnostics::Diagnostic;
use poolwright_expression::quantity::{Bytes, Hosts, Percent, Quantity};
use poolwright_expression::{Number, Value};
use poolwright_model::Meta;
use poolwright_model::fleet::{Devices, LotMax, NodeShape};

use super::capacity::Place;
use super::lot::shown;
use crate::codes;
use crate::values::Values;

/// Facts of the lot's instance types; none without a cloud. The types must agree on what a scheduler counts.
pub(super) fn instance_facts(
    values: &Values<'_, '_>,
    head: &Meta,
    map: &BTreeMap<Arc<str>, Value>,
    place: &Place<'_>,
) -> Option<Vec<&'static InstanceFacts>> {
    let Some(Value::List(types)) = map.get("instance_types") else {
        if let Some(provision) = place.maker() {
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
    let provider = provision?.provider();
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
    // With `max` devices are counted, not nodes: only what they are has to be the same.
    let by_device = map.contains_key("max");
    if let Some((first, first_span)) = facts.first() {
        for (other, span) in facts.iter().skip(1) {
            let same_size = by_device || first.gpus == other.gpus;
            if !same_size || first.accelerator != other.accelerator {
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

/// The shape of one node: what was written over the least of the instance types' facts.
pub(super) fn shape(
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
    let devices = devices(values, head, written)?;
    let mixed: Option<u32> = (!devices.is_empty()).then(|| {
        devices
            .iter()
            .map(|it| u32::try_from(it.files.0.len()).unwrap_or(u32::MAX))
            .fold(0, u32::saturating_add)
    });
    let gpus = count("gpus")
        .or(mixed)
        .or(facts.iter().map(|facts| facts.gpus).min())
        .or((!place.accelerated).then_some(0));
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
    let reserve = match (place.made(), slurm) {
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
        devices: checked_devices(values, head, devices, gpus, place)?,
    })
}

/// `node.devices`, as written.
fn devices(
    values: &Values<'_, '_>,
    head: &Meta,
    written: &BTreeMap<Arc<str>, Value>,
) -> Option<Vec<Devices>> {
    let Some(Value::List(list)) = written.get("devices") else { return Some(Vec::new()) };
    let mut devices = Vec::new();
    for (at, entry) in list.iter().enumerate() {
        let accelerator = entry.get("accelerator").and_then(super::address)?;
        let Some(Value::String(files)) = entry.get("files") else { return None };
        let cores = match entry.get("cores") {
            Some(Value::String(cores)) => Some(cores.to_string()),
            _ => None,
        };
        match device_files(files) {
            Ok(files) => devices.push(Devices { accelerator, files, cores }),
            Err(why) => {
                values.report(
                    Diagnostic::error(
                        codes::DEVICES,
                        format!("the device files of `{}` cannot be read: {why}", shown(head)),
                    )
                    .at(head.origin.of(&format!("node.devices[{at}].files")), "no list of files")
                    .with_help("write them like hosts, with their folder: `/dev/nvidia[0-3,5]`"),
                );
                return None;
            }
        }
    }
    Some(devices)
}

/// `/dev/nvidia[0,2]` as the files that it stands for: a host list with a folder before each name.
fn device_files(text: &str) -> Result<Hosts, String> {
    let mut names = Vec::new();
    let mut depth = 0_i32;
    let parts = text.split(|c| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        c == ',' && depth == 0
    });
    for part in parts.map(str::trim) {
        let (folder, name) = part.rsplit_once('/').ok_or_else(|| format!("`{part}` has no folder"))?;
        if !folder.starts_with("/dev") {
            return Err(format!("`{part}` is not below /dev"));
        }
        let found = Hosts::parse(name).map_err(|error| error.message)?;
        names.extend(found.0.into_iter().map(|name| format!("{folder}/{name}")));
    }
    Hosts::from_names(names).map_err(|error| error.message)
}

/// Devices of a mixed host add up to its GPUs, and only Slurm tells them apart.
fn checked_devices(
    values: &Values<'_, '_>,
    head: &Meta,
    devices: Vec<Devices>,
    gpus: u32,
    place: &Place<'_>,
) -> Option<Vec<Devices>> {
    if devices.is_empty() {
        return Some(devices);
    }
    let span = head.origin.of("node.devices");
    if place.cluster.slurm().is_none() {
        values.report(
            Diagnostic::error(
                codes::DEVICES,
                format!("`{}` has several kinds of devices in a node", shown(head)),
            )
            .at(span, "only Slurm tells them apart")
            .also(place.cluster.meta.origin.header, "its cluster is Kubernetes")
            .with_help("make a pool of the hosts of each kind"),
        );
        return None;
    }
    let counted = devices.iter().map(|it| it.files.0.len()).sum::<usize>();
    if counted != gpus as usize {
        values.report(
            Diagnostic::error(
                codes::DEVICES,
                format!("a node of `{}` has {gpus} GPUs and {counted} device files", shown(head)),
            )
            .at(span, format!("{counted} files"))
            .also(head.origin.of("node.gpus"), format!("{gpus} GPUs"))
            .with_help("name one file for each GPU: `/dev/nvidia[0-3]` for four"),
        );
        return None;
    }
    let mut seen = BTreeMap::new();
    for (at, file) in
        devices.iter().enumerate().flat_map(|(at, it)| it.files.0.iter().map(move |file| (at, file)))
    {
        if let Some(first) = seen.insert(file, at) {
            let place = |at: usize| head.origin.of(&format!("node.devices[{at}].files"));
            values.report(
                Diagnostic::error(
                    codes::DEVICES,
                    format!("`{file}` of `{}` belongs to two devices", shown(head)),
                )
                .at(place(at), "named again here")
                .also(place(first), "first named here")
                .with_help("give each device file to one entry"),
            );
            return None;
        }
    }
    Some(devices)
}

/// GPUs, CPUs and bytes of memory of one node of a type.
type Shape = (u32, u32, Number);

/// The most of a lot that counts devices. What it leaves out follows from the type with the least of it per GPU, or
/// per CPU (LANGUAGE §4.3).
pub(super) fn most(max: &Value, shape: &NodeShape, facts: &[&InstanceFacts]) -> LotMax {
    let count = |name: &str| match max.get(name) {
        Some(Value::Number(number)) => number.to_u64(),
        _ => None,
    };
    let left = Number::from(1_i64).checked_sub(&shape.reserve_memory.0).unwrap_or_default();
    let one = (shape.gpus, shape.cpus, shape.memory.0.clone());
    // What the catalogue does not know of a type is taken from the node as it was written.
    let types = facts.iter().map(|it| {
        let memory = it.memory.as_ref().map_or_else(|| shape.memory.0.clone(), |memory| memory.0.clone());
        (it.gpus, it.vcpus.unwrap_or(shape.cpus), memory)
    });
    let types: Vec<Shape> = types.chain(facts.is_empty().then_some(one)).collect();
    let net = |cpus: u32| cpus.saturating_sub(shape.reserve_cpus);
    let gpus = if shape.gpus > 0 { count("gpus").unwrap_or(0) } else { 0 };
    let least = |of: &dyn Fn(&Shape) -> Option<Number>| types.iter().filter_map(of).min();
    let product = |each: Option<Number>, by: u64| {
        each.and_then(|each| each.checked_mul(&by.into()).ok()).unwrap_or_default()
    };
    let by_gpus = || {
        let each = least(&|(gpus, cpus, _)| Number::from(net(*cpus)).checked_div(&Number::from(*gpus)).ok());
        product(each, gpus)
    };
    let cpus = count("cpus").map_or_else(by_gpus, Number::from);
    let memory = if gpus > 0 {
        product(least(&|(gpus, _, memory)| memory.checked_div(&Number::from(*gpus)).ok()), gpus)
    } else {
        let each = least(&|(_, cpus, memory)| memory.checked_div(&Number::from(*cpus)).ok());
        each.and_then(|each| each.checked_mul(&cpus).ok()).unwrap_or_default()
    };
    LotMax { gpus, cpus, memory: Bytes(memory.checked_mul(&left).unwrap_or_default()) }
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
