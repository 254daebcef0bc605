//! The quickstart, a wider cluster made from it, and how to lower them.

#![allow(dead_code, clippy::allow_attributes, reason = "each test file uses its own part of it")]

use poolwright_expression::quantity::{Duration, Hosts, Percent};
use poolwright_model::fleet::{
    ClassTopology, Devices, Hold, PreemptAction, Queue, Reason, Return, Route, SlurmTarget, Step, TargetKind,
    Until,
};
use poolwright_model::layout::{Mechanism, NodeSet, RouteFidelity, SlurmCluster, SlurmNodes, SlurmPartition};
use poolwright_model::resource::File;
use poolwright_model::{Address, Fleet, Layout, Meta, Prices, Resource};
use poolwright_target::{Input, Lowered, Target};
use poolwright_target_slurm::Slurm;

pub(crate) const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/quickstart");

/// A fleet with all that a lowering looks at.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) fleet: Fleet,
    pub(crate) layout: Layout,
    pub(crate) prices: Prices,
}

fn read<T: serde::de::DeserializeOwned>(name: &str) -> T {
    let text = std::fs::read_to_string(format!("{GOLDEN}/{name}")).unwrap();
    serde_json::from_str(&text).unwrap()
}

impl World {
    pub(crate) fn quickstart() -> Self {
        Self { fleet: read("fleet.json"), layout: read("layout.json"), prices: read("prices.json") }
    }

    pub(crate) fn hpc() -> Address {
        Address::new("target.slurm.hpc")
    }

    /// A cluster with CPU hosts, mixed hosts, a route of two steps that opens at once, caps, a held queue, a second class
    /// in a queue, and a level that jobs have to stay in.
    pub(crate) fn wide() -> Self {
        let mut world = Self::quickstart();
        world.add_pool("cpu", "cpu[1-3]", None, 64);
        world.add_pool("mixed", "a[1-2]", Some("accelerator.nvidia-a100-40gb"), 8);
        let mixed = world.fleet.pools.get_mut("pool.mixed").unwrap();
        mixed.lots[0].features = vec!["old".to_owned(), "nvlink".to_owned()];
        mixed.lots[0].node.cpus = 64;
        mixed.lots[0].node.reserve_cpus = 2;
        let devices = |accelerator: &str, files: &str, cores: &str| Devices {
            accelerator: Address::new(accelerator),
            files: Hosts::parse(files).unwrap(),
            cores: Some(cores.to_owned()),
        };
        mixed.lots[0].node.devices = vec![
            devices("accelerator.nvidia-a100-40gb", "nvidia[0-3]", "0-15"),
            devices("accelerator.nvidia-h100-80gb-sxm", "nvidia[4-7]", "16-31"),
        ];
        let price = world.prices.lots["pool.hpc-h100.lot.main"].clone();
        world.prices.lots.insert(Address::new("pool.mixed.lot.main"), price);

        let dev = world.fleet.classes.get_mut("class.dev").unwrap();
        dev.when_preempted.action = PreemptAction::Cancel;
        dev.when_preempted.exempt = Duration::from_seconds(300);
        let urgent = world.fleet.classes.get_mut("class.urgent").unwrap();
        urgent.topology = Some(ClassTopology { require: Some("unit".to_owned()), prefer: None });
        world.fleet.queues.get_mut("queue.urgent").unwrap().allow = vec![Address::new("class.dev")];

        let step = |name: &str, pool: &str, patience: Option<u64>| Step {
            meta: meta(&format!("route.ladder.step.{name}")),
            pools: vec![Address::new(pool)],
            patience: patience.map(Duration::from_seconds),
            until: Until::Admitted,
            on: vec![Reason::NoCapacity],
            max_price: None,
        };
        world.fleet.routes.insert(
            Address::new("route.ladder"),
            Route {
                meta: meta("route.ladder"),
                strict: false,
                returns: Return::WhenIdle,
                steps: vec![step("first", "pool.hpc-h100", Some(900)), step("old", "pool.mixed", None)],
                order: None,
                near: Vec::new(),
            },
        );
        world.layout.routes.push(RouteFidelity {
            route: Address::new("route.ladder"),
            target: Self::hpc(),
            mechanism: Mechanism::AllPartitions,
            exact: false,
            line: "no wait".to_owned(),
            note: None,
        });
        world.add_queue("ladder", Some("route.ladder"), &[]);
        world.add_queue("cpu", None, &["pool.cpu"]);
        world.add_queue("held", None, &["pool.mixed"]);
        let held = world.fleet.queues.get_mut("queue.held").unwrap();
        held.hold = Hold::Hold;
        held.hidden = true;
        world.add_partition("cpu", "queue.cpu", None, "cpu");
        world.add_partition("held", "queue.held", None, "mixed");
        world.add_partition("ladder", "queue.ladder", None, "hpc-h100");
        world.add_partition("ladder--old", "queue.ladder", Some("route.ladder.step.old"), "mixed");
        world.cluster().accounts[0].caps = [("gres/gpu:h100-80gb-sxm".to_owned(), 24)].into();
        world.cluster().accounts[0].fairshare = 3;
        world
    }

    /// A pool of one lot like the quickstart's, without a fabric.
    pub(crate) fn add_pool(&mut self, name: &str, hosts: &str, accelerator: Option<&str>, cpus: u32) {
        let hosts = Hosts::parse(hosts).unwrap();
        let mut pool = self.fleet.pools["pool.hpc-h100"].clone();
        pool.meta = meta(&format!("pool.{name}"));
        pool.accelerator = accelerator.map(Address::new);
        pool.fabric = None;
        let lot = &mut pool.lots[0];
        lot.meta = meta(&format!("pool.{name}.lot.main"));
        lot.hosts = Some(hosts.clone());
        lot.nodes = poolwright_expression::quantity::Range::exactly(hosts.0.len() as u64);
        lot.node.gpus = if accelerator.is_some() { 8 } else { 0 };
        lot.node.cpus = cpus;
        (lot.node.sockets, lot.node.cores, lot.node.threads) = (None, None, None);
        lot.node.reserve_memory = Percent::parse("10%").unwrap();
        let address = lot.meta.address.clone();
        self.fleet.pools.insert(pool.meta.address.clone(), pool);
        let cluster = self.cluster();
        cluster.nodes.push(SlurmNodes {
            name: format!("{name}--main"),
            lot: address.clone(),
            hosts: hosts.clone(),
        });
        cluster.node_sets.push(NodeSet {
            name: name.to_owned(),
            pool: address.pool(),
            lots: vec![address],
            hosts,
        });
    }

    pub(crate) fn add_queue(&mut self, name: &str, route: Option<&str>, pools: &[&str]) {
        let dev = &self.fleet.queues["queue.dev"];
        let queue = Queue {
            meta: meta(&format!("queue.{name}")),
            route: route.map(Address::new),
            pools: pools.iter().map(|pool| Address::new(*pool)).collect(),
            default: false,
            ..dev.clone()
        };
        self.fleet.queues.insert(queue.meta.address.clone(), queue);
    }

    pub(crate) fn add_partition(&mut self, name: &str, queue: &str, step: Option<&str>, set: &str) {
        let pool = Address::new(format!("pool.{set}"));
        let dev = self.cluster().partitions[0].clone();
        self.cluster().partitions.push(SlurmPartition {
            name: name.to_owned(),
            queue: Address::new(queue),
            step: step.map(Address::new),
            node_sets: vec![set.to_owned()],
            pools: vec![pool],
            ..dev
        });
    }

    pub(crate) fn target(&self) -> &poolwright_model::fleet::Target {
        &self.fleet.targets[&Self::hpc()]
    }

    pub(crate) fn slurm(&mut self) -> &mut SlurmTarget {
        match &mut self.fleet.targets.get_mut(&Self::hpc()).unwrap().kind {
            TargetKind::Slurm(slurm) => slurm,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn cluster(&mut self) -> &mut SlurmCluster {
        self.layout.slurm.get_mut(&Self::hpc()).unwrap()
    }

    pub(crate) fn lower(&self) -> Lowered {
        Slurm.lower(Input {
            fleet: &self.fleet,
            layout: &self.layout,
            prices: &self.prices,
            target: self.target(),
        })
    }

    pub(crate) fn files(&self, resources: &[Resource]) -> Vec<File> {
        Slurm.to_files(self.target(), &self.fleet.meta.name, resources)
    }

    /// The body of an object.
    pub(crate) fn body(&self, address: &str) -> serde_json::Value {
        let lowered = self.lower();
        let found =
            lowered.resources.iter().find(|object| object.address == format!("slurm.hpc/slurm/{address}"));
        found.unwrap_or_else(|| panic!("no {address}")).body.clone()
    }

    /// Codes and messages of what a lowering reports.
    pub(crate) fn reports(&self) -> Vec<(&'static str, String)> {
        self.lower().diagnostics.into_iter().map(|found| (found.code.0, found.message)).collect()
    }
}

fn meta(address: &str) -> Meta {
    let address = Address::new(address);
    Meta { name: address.label().to_owned(), address, ..Meta::default() }
}

/// What comes back from files is what went in.
pub(crate) fn assert_round_trip(world: &World) {
    let resources = world.lower().resources;
    let files = world.files(&resources);
    let (observed, faults) = Slurm.from_files(world.target(), &files);
    assert!(faults.is_empty(), "{faults:?}\n{}", text(&files));
    let mut wanted: Vec<(String, String, serde_json::Value)> = resources
        .into_iter()
        .map(|mut object| {
            Slurm.normalise(&object.kind, &mut object.body);
            (object.address, object.identity, object.body)
        })
        .collect();
    wanted.sort_by(|a, b| a.0.cmp(&b.0));
    let mut found: Vec<(String, String, serde_json::Value)> =
        observed.into_iter().map(|object| (object.address, object.identity, object.body)).collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(wanted, found, "{}", text(&files));
}

pub(crate) fn text(files: &[File]) -> String {
    files
        .iter()
        .map(|file| format!("==> {}\n{}", file.path, String::from_utf8_lossy(&file.contents)))
        .collect()
}
