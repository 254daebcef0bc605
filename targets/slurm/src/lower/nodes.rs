//! Hosts: Node, NodeSet and Gres.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::Number;
use poolwright_expression::quantity::Hosts;
use poolwright_model::fleet::{Lot, Pool};
use poolwright_model::{Address, Meta};
use serde_json::{Map, Value};

use super::Lowering;
use crate::form::canonical_hosts;
use crate::{codes, keys};

/// A lot whose hosts are in this cluster.
pub(super) struct Nodes<'a> {
    /// `<pool>--<lot>`.
    pub(super) name: &'a str,
    pub(super) pool: &'a Pool,
    pub(super) lot: &'a Lot,
    pub(super) hosts: &'a Hosts,
    /// What a host has, by GRES type; empty: CPU nodes.
    pub(super) devices: Vec<Device<'a>>,
}

/// Some equal accelerators of a host.
pub(super) struct Device<'a> {
    /// Type in `gpu:<type>`.
    pub(super) gres_type: &'a str,
    /// How many.
    pub(super) count: u64,
    /// `/dev/nvidia[0-7]`.
    files: String,
    cores: Option<&'a str>,
}

impl<'a> Lowering<'a> {
    /// One Node per lot; gives the lots that could be understood.
    pub(super) fn nodes(&mut self) -> Vec<Nodes<'a>> {
        let cluster = self.cluster;
        let mut all = Vec::new();
        for nodes in &cluster.nodes {
            let Some((pool, lot)) = self.fleet().lot(&nodes.lot) else {
                self.dangling(&format!("Node `{}`", nodes.name), &nodes.lot, None);
                continue;
            };
            let span = lot.meta.origin.of("hosts");
            if nodes.hosts.0.is_empty() {
                self.report(
                    Diagnostic::error(codes::NODE_SHAPE, format!("lot `{}` has no hosts", nodes.name))
                        .at(span, "0 nodes")
                        .with_help("name its hosts, or take the lot out"),
                );
                continue;
            }
            for host in &nodes.hosts.0 {
                self.name_fits("host", host, span);
            }
            let devices = self.devices(pool, lot);
            let known = Nodes { name: &nodes.name, pool, lot, hosts: &nodes.hosts, devices };
            self.node(&known);
            all.push(known);
        }
        all
    }

    fn node(&mut self, nodes: &Nodes<'a>) {
        let (lot, meta) = (nodes.lot, &nodes.lot.meta);
        let mut object = self.object("Node", nodes.name, meta);
        object.set("NodeName", canonical_hosts(nodes.hosts.clone()), meta.origin.of("hosts"));
        let shape = &lot.node;
        let threads = shape.threads.unwrap_or(1);
        if let (Some(sockets), Some(cores)) = (shape.sockets, shape.cores) {
            let all_cores = u64::from(sockets).saturating_mul(u64::from(cores));
            let all_threads = all_cores.saturating_mul(u64::from(threads));
            let cpus = u64::from(shape.cpus);
            if cpus != all_threads && cpus != all_cores {
                self.report(
                    Diagnostic::error(
                        codes::NODE_SHAPE,
                        format!(
                            "{cpus} CPUs are neither the {all_cores} cores nor the {all_threads} threads of \
                             {sockets} sockets × {cores} cores × {threads} threads"
                        ),
                    )
                    .at(meta.origin.of("node.cpus"), format!("of lot `{}`", nodes.name))
                    .with_note("Slurm would reset the number without stopping")
                    .with_help("leave `cpus` out, or set it to one of the two"),
                );
            }
            if cpus != all_threads {
                object.set("CPUs", cpus, meta.origin.of("node.cpus"));
            }
            object.set("Sockets", sockets, meta.origin.of("node.sockets"));
            object.set("CoresPerSocket", cores, meta.origin.of("node.cores"));
            object.set("ThreadsPerCore", threads, meta.origin.of("node.threads"));
        } else {
            object.set("CPUs", shape.cpus, meta.origin.of("node.cpus"));
        }
        if shape.cpus == 0 {
            self.report(
                Diagnostic::error(
                    codes::NODE_SHAPE,
                    format!("the nodes of lot `{}` have no CPUs", nodes.name),
                )
                .at(meta.origin.of("node"), "no `cpus`, no `sockets` and `cores`")
                .with_help("set `node.cpus`, or `node.sockets`, `node.cores` and `node.threads`"),
            );
        }
        if shape.reserve_cpus > 0 {
            object.set(
                "CoreSpecCount",
                shape.reserve_cpus.div_ceil(threads.max(1)),
                meta.origin.of("node.reserve_cpus"),
            );
        }
        match real_memory(lot) {
            Some(memory) if memory > 0 => {
                object.set("RealMemory", memory, meta.origin.of("node.memory"));
            }
            _ => self.report(
                Diagnostic::error(
                    codes::NODE_SHAPE,
                    format!("the nodes of lot `{}` have no memory for jobs", nodes.name),
                )
                .at(meta.origin.of("node.memory"), "`memory` less `reserve_memory`, in MiB")
                .with_help("set `node.memory` to what the machine has"),
            ),
        }
        if !nodes.devices.is_empty() {
            let gres: Vec<Value> = nodes
                .devices
                .iter()
                .map(|device| Value::from(format!("gpu:{}:{}", device.gres_type, device.count)))
                .collect();
            object.set("Gres", gres, meta.origin.of("node.gpus"));
        }
        let mut features = Vec::new();
        match self.fleet().tiers.get(&lot.tier) {
            Some(tier) => features.push(tier.kind.as_str().to_owned()),
            None => self.dangling(&format!("lot `{}`", nodes.name), &lot.tier, Some(meta)),
        }
        for feature in &lot.features {
            if self.name_fits("feature", feature, meta.origin.of("features")) && !features.contains(feature) {
                features.push(feature.clone());
            }
        }
        if !features.is_empty() {
            object.set("Feature", features, meta.origin.of("features"));
        }
        self.push(object);
    }

    /// What a host of a lot has, and that the files add up to it.
    fn devices(&mut self, pool: &'a Pool, lot: &'a Lot) -> Vec<Device<'a>> {
        let span = lot.meta.origin.of("node.devices");
        let gpus = u64::from(lot.node.gpus);
        let mut all: Vec<Device<'a>> = Vec::new();
        if lot.node.devices.is_empty() {
            let Some(address) = pool.accelerator.as_ref().filter(|_| gpus > 0) else { return all };
            let Some(accelerator) = self.fleet().accelerators.get(address) else {
                self.dangling(&format!("pool `{}`", pool.meta.name), address, Some(&pool.meta));
                return all;
            };
            let Some(files) = device_files(&accelerator.vendor, gpus) else {
                self.report(
                    Diagnostic::error(
                        codes::DEVICES,
                        format!("the device files of {} accelerators are not known", accelerator.vendor),
                    )
                    .at(span, format!("{gpus} of them on each host"))
                    .with_note("Slurm counts no GPU without its file")
                    .with_help("list them in `node.devices`: `{ accelerator, files }`"),
                );
                return all;
            };
            all.push(Device { gres_type: &accelerator.gres_type, count: gpus, files, cores: None });
        }
        for devices in &lot.node.devices {
            let Some(accelerator) = self.fleet().accelerators.get(&devices.accelerator) else {
                self.dangling(&format!("lot `{}`", lot.meta.address), &devices.accelerator, Some(&lot.meta));
                continue;
            };
            let folded = devices.files.fold();
            let files = if folded.starts_with('/') { folded } else { format!("/dev/{folded}") };
            let bad = |c: char| c.is_whitespace() || "=\"'#\\".contains(c);
            if files.contains(bad) || devices.cores.as_deref().is_some_and(|cores| !cores_fit(cores)) {
                self.report(
                    Diagnostic::error(
                        codes::DEVICES,
                        format!("the devices of lot `{}` cannot be written", lot.meta.address),
                    )
                    .at(span, "files are paths, cores are written `0-31,64-95`")
                    .with_help("use logical core numbers, without spaces"),
                );
                continue;
            }
            all.push(Device {
                gres_type: &accelerator.gres_type,
                count: devices.files.0.len() as u64,
                files,
                cores: devices.cores.as_deref(),
            });
        }
        let counted: u64 = all.iter().map(|device| device.count).sum();
        if counted != gpus {
            self.report(
                Diagnostic::error(
                    codes::DEVICES,
                    format!(
                        "lot `{}` promises {gpus} GPUs a host, its devices are {counted}",
                        lot.meta.address
                    ),
                )
                .at(span, format!("{counted} device files"))
                .also(lot.meta.origin.of("node.gpus"), format!("{gpus} GPUs"))
                .with_note(format!(
                    "Slurm would drain its hosts: count reported lower than configured ({counted} < {gpus})"
                ))
                .with_help("name one file for each GPU"),
            );
        }
        for device in &all {
            self.name_fits("GRES type", device.gres_type, span);
        }
        all
    }

    /// One NodeSet per flavor.
    pub(super) fn node_sets(&mut self, nodes: &[Nodes<'a>]) {
        let cluster = self.cluster;
        let hosts: BTreeSet<&str> =
            nodes.iter().flat_map(|nodes| &nodes.hosts.0).map(String::as_str).collect();
        let mut names: BTreeMap<&str, &Address> = BTreeMap::new();
        for set in &cluster.node_sets {
            let Some(pool) = self.fleet().pools.get(&set.pool) else {
                self.dangling(&format!("NodeSet `{}`", set.name), &set.pool, None);
                continue;
            };
            let span = pool.meta.origin.header;
            if !self.name_fits("pool", &set.name, span) {
                continue;
            }
            if hosts.contains(set.name.as_str()) {
                self.report(
                    Diagnostic::error(
                        codes::NAME_CLASH,
                        format!("pool `{}` is named like one of the cluster's hosts", set.name),
                    )
                    .at(span, "a NodeSet and a node may not share a name")
                    .with_help("set another `name` on the pool"),
                );
            }
            if let Some(first) = names.insert(&set.name, &set.pool) {
                self.clash("NodeSet", &set.name, &pool.meta, first);
            }
            if let Some(host) = set.hosts.0.iter().find(|host| !hosts.contains(host.as_str())) {
                self.report(
                    Diagnostic::error(
                        codes::DANGLING,
                        format!("NodeSet `{}` has host `{host}`, which no lot of the cluster has", set.name),
                    )
                    .at(span, "this pool")
                    .with_help("name the host in a lot of this cluster"),
                );
            }
            let mut object = self.object("NodeSet", &set.name, &pool.meta);
            object.set("NodeSet", set.name.as_str(), span);
            object.set("Nodes", canonical_hosts(set.hosts.clone()), span);
            for lot in &set.lots {
                if let Some(nodes) = nodes.iter().find(|nodes| nodes.lot.meta.address == *lot) {
                    object.after(self.address_of("Node", nodes.name));
                }
            }
            self.push(object);
        }
    }

    /// Reports that two blocks make objects of one kind and name.
    pub(super) fn clash(&mut self, kind: &str, name: &str, second: &Meta, first: &Address) {
        self.report(
            Diagnostic::error(codes::NAME_CLASH, format!("two {kind} are named `{name}`"))
                .at(second.origin.header, format!("by `{}`", second.address))
                .with_note(format!("the other one is of `{first}`"))
                .with_help("set another `name` on one of them"),
        );
    }

    /// One Gres per lot with accelerators.
    pub(super) fn gres(&mut self, nodes: &[Nodes<'a>]) {
        for nodes in nodes.iter().filter(|nodes| !nodes.devices.is_empty()) {
            let meta = &nodes.lot.meta;
            let mut object = self.object("Gres", nodes.name, meta);
            object.set("NodeName", canonical_hosts(nodes.hosts.clone()), meta.origin.of("hosts"));
            let devices: Vec<Value> = nodes
                .devices
                .iter()
                .map(|device| {
                    let mut line = Map::new();
                    line.insert("Name".to_owned(), "gpu".into());
                    line.insert("Type".to_owned(), device.gres_type.into());
                    line.insert("File".to_owned(), device.files.as_str().into());
                    if let Some(cores) = device.cores {
                        line.insert("Cores".to_owned(), cores.into());
                    }
                    Value::Object(line)
                })
                .collect();
            object.set("Devices", devices, meta.origin.of("node.devices"));
            object.after(self.address_of("Node", nodes.name));
            self.push(object);
        }
    }
}

/// MiB of a host that jobs may use: memory less the reserve, rounded down.
fn real_memory(lot: &Lot) -> Option<u64> {
    let kept = Number::ONE.checked_sub(&lot.node.reserve_memory.0).ok()?;
    let bytes = lot.node.memory.0.checked_mul(&kept).ok()?;
    bytes.checked_div(&Number::from(1_048_576_u64)).ok()?.floor().to_u64()
}

fn device_files(vendor: &str, count: u64) -> Option<String> {
    let row = keys::rows(include_str!("../../data/devices.tsv")).find(|row| row.first() == Some(&vendor))?;
    let [_, prefix, first, ..] = row.as_slice() else { return None };
    let first: u64 = first.parse().ok()?;
    let last = first.checked_add(count)?.checked_sub(1)?;
    Some(if first == last { format!("{prefix}{first}") } else { format!("{prefix}[{first}-{last}]") })
}

fn cores_fit(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == '-' || c == ',')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_files_are_counted_from_the_vendors_first() {
        assert_eq!(device_files("nvidia", 8).as_deref(), Some("/dev/nvidia[0-7]"));
        assert_eq!(device_files("nvidia", 1).as_deref(), Some("/dev/nvidia0"));
        assert_eq!(device_files("amd", 8).as_deref(), Some("/dev/dri/renderD[128-135]"));
        assert_eq!(device_files("acme", 8), None);
    }
}
