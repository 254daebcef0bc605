//! Tests over whole lowerings.

mod files;
mod golden;
mod lowering;
mod origins;
mod schema;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use poolwright_model::{Address, Fleet, Layout, Prices, Resource};
use poolwright_target::{Input, Lowered, Target as _};

use crate::Kubernetes;

/// A file of the quickstart's goldens.
fn golden(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/quickstart")).join(path)
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> T {
    let text = std::fs::read_to_string(path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()))
}

/// The quickstart.
fn quickstart() -> (Fleet, Layout) {
    (read(&golden("fleet.json")), read(&golden("layout.json")))
}

fn lower(fleet: &Fleet, layout: &Layout, target: &str) -> Lowered {
    let target = &fleet.targets[&Address::new(target)];
    let prices = Prices { currency: fleet.currency, lots: BTreeMap::new(), books: Vec::new() };
    Kubernetes.lower(Input { fleet, layout, prices: &prices, target })
}

/// The objects of a target of the quickstart, which has no faults.
fn objects(target: &str) -> Vec<Resource> {
    let (fleet, layout) = quickstart();
    let lowered = lower(&fleet, &layout, target);
    assert_eq!(lowered.diagnostics, []);
    lowered.resources
}

const TARGETS: [&str; 3] = ["onprem", "eks", "ack"];
