//! The catalogue as tables.

use poolwright_catalog::{AcceleratorFacts, InstanceFacts};

use crate::layout::table;

fn mark(verified: bool) -> &'static str {
    if verified { "" } else { "(u)" }
}

/// Accelerators; `(u)` marks a row that nobody has checked against the real thing.
#[must_use]
pub fn accelerators(all: &[AcceleratorFacts]) -> String {
    let mut rows = vec![
        ["accelerator", "vendor", "memory", "resource", "products", "source", "date", ""]
            .map(str::to_owned)
            .to_vec(),
    ];
    rows.extend(all.iter().map(|facts| {
        vec![
            facts.name.clone(),
            facts.vendor.clone(),
            facts.memory.to_string(),
            facts.resource.clone(),
            facts.products.join(" "),
            facts.provenance.source.clone(),
            facts.provenance.date.to_string(),
            mark(facts.provenance.verified).to_owned(),
        ]
    }));
    table(&rows, &[])
}

/// Instance types.
#[must_use]
pub fn instances(all: &[InstanceFacts]) -> String {
    let mut rows = vec![
        ["provider", "instance type", "accelerator", "GPUs", "vCPUs", "memory", "source", "date", ""]
            .map(str::to_owned)
            .to_vec(),
    ];
    rows.extend(all.iter().map(|facts| {
        vec![
            facts.provider.clone(),
            facts.instance_type.clone(),
            facts.accelerator.clone(),
            facts.gpus.to_string(),
            facts.vcpus.to_string(),
            facts.memory.to_string(),
            facts.provenance.source.clone(),
            facts.provenance.date.to_string(),
            mark(facts.provenance.verified).to_owned(),
        ]
    }));
    table(&rows, &[3, 4])
}
