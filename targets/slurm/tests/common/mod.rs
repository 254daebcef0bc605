//! The quickstart and how to lower it.

use poolwright_model::fleet::{SlurmTarget, TargetKind};
use poolwright_model::layout::SlurmCluster;
use poolwright_model::resource::File;
use poolwright_model::{Address, Fleet, Layout, Prices, Resource};
use poolwright_target::{Input, Lowered, Target};
use poolwright_target_slurm::Slurm;

pub(crate) const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/quickstart");

/// A fleet with all that a lowering looks at.
#[derive(Clone)]
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
