//! What the accelerators of a pool are called where they are asked for: whole, or cut into slices (LANGUAGE §3.3,
//! `partition`), and which product their nodes are labelled with.
//!
//! NVIDIA's device plugin (k8s-device-plugin, "MIG strategies"): with `mixed` a slice is the resource
//! `nvidia.com/mig-<form>`, with `single` it is `nvidia.com/gpu` and the product label ends in `-MIG-<form>`, with `none`
//! slices are not told of. AMD's plugin has one resource for every partition mode.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::{Diagnostic, suggestion_help};
use poolwright_model::Fleet;
use poolwright_model::fleet::{Accelerator, MigStrategy, Pool};

use crate::codes;

/// The label in which GPU feature discovery writes the product.
pub(crate) const PRODUCT_LABEL: &str = "nvidia.com/gpu.product";

/// What is asked for.
pub(crate) struct Device {
    /// The Kubernetes resource.
    pub(crate) resource: String,
    /// How many of it one GPU is.
    pub(crate) per_gpu: u64,
}

fn accelerator<'f>(fleet: &'f Fleet, pool: &Pool) -> Option<&'f Accelerator> {
    pool.accelerator.as_ref().and_then(|address| fleet.accelerators.get(address))
}

fn strategy(fleet: &Fleet, pool: &Pool) -> Option<MigStrategy> {
    let cluster = fleet.targets.get(&pool.cluster)?.kubernetes()?;
    cluster.gpu_operator.as_ref().map(|operator| operator.mig)
}

/// The device of a pool's nodes, or of the slices that a lot cuts them into; none for CPU nodes.
pub(crate) fn device(fleet: &Fleet, pool: &Pool, slice: Option<&str>) -> Option<Device> {
    let accelerator = accelerator(fleet, pool)?;
    let whole = || accelerator.resource.clone();
    let Some(form) = slice else { return Some(Device { resource: whole(), per_gpu: 1 }) };
    let known = accelerator.partitions.get(form);
    let written = known.and_then(|known| known.resource.clone());
    let resource = written.unwrap_or_else(|| {
        if accelerator.vendor == "nvidia" && strategy(fleet, pool) == Some(MigStrategy::Mixed) {
            format!("nvidia.com/mig-{form}")
        } else {
            whole()
        }
    });
    Some(Device { resource, per_gpu: known.map_or(1, |known| u64::from(known.per_gpu)) })
}

/// The label by which nodes of a pool are recognised that nobody makes, on a cluster with the GPU operator: the product
/// of the catalogue. Where one model is labelled in several ways it is the first, which [`ambiguous`] tells of.
pub(crate) fn product_label(fleet: &Fleet, pool: &Pool, slice: Option<&str>) -> Option<(String, String)> {
    let strategy = strategy(fleet, pool)?;
    let accelerator = accelerator(fleet, pool).filter(|accelerator| accelerator.vendor == "nvidia")?;
    let product = accelerator.products.first()?;
    let value = match slice {
        Some(form) if strategy == MigStrategy::Single => format!("{product}-MIG-{form}"),
        _ => product.clone(),
    };
    Some((PRODUCT_LABEL.to_owned(), value))
}

/// Whether a select says the product, by one of the labels that the catalogue knows of it.
pub(crate) fn names_a_product(
    fleet: &Fleet,
    pool: &Pool,
    slice: Option<&str>,
    select: &BTreeMap<String, String>,
) -> bool {
    let (Some(said), Some(accelerator)) = (select.get(PRODUCT_LABEL), accelerator(fleet, pool)) else {
        return false;
    };
    let single = slice.filter(|_| strategy(fleet, pool) == Some(MigStrategy::Single));
    accelerator.products.iter().any(|product| match single {
        Some(form) => *said == format!("{product}-MIG-{form}"),
        None => said == product,
    })
}

/// Says of a flavor that is recognised by its product that its model is labelled in several ways.
pub(crate) fn ambiguous(fleet: &Fleet, pool: &Pool, diagnostics: &mut Vec<Diagnostic>) {
    let Some(accelerator) = accelerator(fleet, pool) else { return };
    let [first, others @ ..] = accelerator.products.as_slice() else { return };
    let Some(other) = others.first() else { return };
    let name = &accelerator.meta.name;
    let fault = Diagnostic::warning(
        codes::PRODUCT_AMBIGUOUS,
        format!(
            "nodes of `{}` are found by one of {} labels that {name} may have",
            pool.meta.address,
            others.len() + 1
        ),
    )
    .at(pool.meta.origin.of("accelerator"), format!("looked for as \"{first}\""))
    .with_note(format!("nodes that are labelled \"{other}\" would never be used"))
    .with_help(format!("say which label they have: select = {{ \"{PRODUCT_LABEL}\" = \"{first}\" }}"));
    if !diagnostics.contains(&fault) {
        diagnostics.push(fault);
    }
}

/// Forms that lots cut their accelerators into: they are known, and the cluster tells of them.
pub(crate) fn check(fleet: &Fleet, pool: &Pool, diagnostics: &mut Vec<Diagnostic>) {
    let Some(accelerator) = accelerator(fleet, pool) else { return };
    let mut said = BTreeSet::new();
    for lot in &pool.lots {
        let Some(form) = lot.partition.as_deref() else { continue };
        let span = lot.meta.origin.of("partition");
        if !said.insert(span) {
            continue;
        }
        let name = &accelerator.meta.name;
        if !accelerator.partitions.contains_key(form) {
            let known: Vec<&str> = accelerator.partitions.keys().map(String::as_str).collect();
            let fault = Diagnostic::error(
                codes::PARTITION_UNKNOWN,
                format!("\"{form}\" is no form that {name} is cut into, as far as is known"),
            )
            .at(span, "how many slices one GPU is, nobody says");
            let help = match known.as_slice() {
                [] => format!(
                    "say it: `accelerator \"{name}\" {{ … partition \"{form}\" {{ per_gpu = …, memory = … }} }}`"
                ),
                _ => suggestion_help("form", form, known.iter().copied())
                    .unwrap_or_else(|| format!("its forms: {}", known.join(", "))),
            };
            diagnostics.push(fault.with_help(help));
            continue;
        }
        let cluster = fleet.targets.get(&pool.cluster);
        let kubernetes = cluster.is_some_and(|cluster| cluster.kubernetes().is_some());
        let told = strategy(fleet, pool).is_some_and(|strategy| strategy != MigStrategy::None);
        if let Some(cluster) = cluster.filter(|_| kubernetes && accelerator.vendor == "nvidia" && !told) {
            diagnostics.push(
                Diagnostic::error(
                    codes::SLICES_UNTOLD,
                    format!(
                        "nothing on {} tells of the slices of `{}`",
                        cluster.meta.address, lot.meta.address
                    ),
                )
                .at(span, "slices of a GPU")
                .also(cluster.meta.origin.of("gpu_operator"), "has no `gpu_operator` with a MIG strategy")
                .with_help("say which it has: gpu_operator = { mig = \"mixed\" }, or \"single\""),
            );
        }
    }
}
