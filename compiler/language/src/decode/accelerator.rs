//! `accelerator` blocks: an accelerator of one's own, or one of the catalogue of which something else is true here.

use std::collections::BTreeMap;

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::Number;
use poolwright_expression::quantity::Bytes;
use poolwright_model::fleet::{Accelerator, Partition};
use poolwright_model::{Address, Fleet};

use super::model;
use crate::codes;
use crate::instances::Block;
use crate::values::{DOMAIN, Values, gres_type, meta};

/// A block's own attributes, before what follows from the vendor or the catalogue is filled in.
#[derive(serde::Deserialize)]
struct Written {
    vendor: String,
    memory: Bytes,
    resource: Option<String>,
    products: Option<Vec<String>>,
    gres_type: Option<String>,
    domain: Option<u32>,
}

/// Decodes an accelerator with the forms that it can be cut into.
pub(super) fn accelerator<'t>(values: &Values<'_, 't>, block: &Block<'t>) -> Option<(Address, Accelerator)> {
    let attributes = values.attributes(block);
    let mut partitions = BTreeMap::new();
    let mut whole = !block.is_incomplete();
    for child in block.children_of("partition") {
        let inner = values.attributes(child);
        let partition: Option<Partition> = model(values, &inner, child);
        whole &= partition.is_some();
        if let Some(partition) = partition {
            partitions.insert(child.label.to_string(), (partition, meta(child, &inner).origin));
        }
    }
    let written: Written = model(values, &attributes, block)?;
    if !whole {
        return None;
    }
    let meta = meta(block, &attributes);
    let catalogued = Accelerator::of_catalogue(&meta.address);
    let vendor = poolwright_catalog::vendor(&written.vendor);
    let of_catalogue = catalogued.as_ref();
    let mut accelerator = Accelerator {
        resource: written
            .resource
            .or_else(|| of_catalogue.map(|known| known.resource.clone()))
            .or_else(|| vendor.map(|vendor| vendor.resource.clone()))
            .unwrap_or_default(),
        products: written
            .products
            .or_else(|| of_catalogue.map(|known| known.products.clone()))
            .unwrap_or_default(),
        gres_type: written
            .gres_type
            .or_else(|| of_catalogue.map(|known| known.gres_type.clone()))
            .unwrap_or_else(|| gres_type(&meta.name, &written.vendor)),
        domain: written.domain.or(of_catalogue.map(|known| known.domain)).unwrap_or(DOMAIN),
        vendor: written.vendor,
        memory: written.memory,
        partitions: of_catalogue.map(|known| known.partitions.clone()).unwrap_or_default(),
        meta,
    };
    for (form, (partition, origin)) in partitions {
        let slices = partition.memory.0.checked_mul(&Number::from(u64::from(partition.per_gpu)));
        if slices.is_ok_and(|slices| slices > accelerator.memory.0) {
            let (per_gpu, memory) = (partition.per_gpu, &partition.memory);
            values.report(
                Diagnostic::error(
                    codes::PARTITION_FACTS,
                    format!(
                        "{per_gpu} slices `{form}` of {memory} do not fit into `{}`",
                        accelerator.meta.address
                    ),
                )
                .at(origin.of("memory"), format!("{per_gpu} times this"))
                .also(accelerator.meta.origin.of("memory"), format!("{} in all", accelerator.memory))
                .with_help("write the memory of one slice, and how many of them one GPU gives"),
            );
            return None;
        }
        accelerator.partitions.insert(form, partition);
    }
    if let Some(known) = of_catalogue {
        overridden(values, &mut accelerator, known);
    }
    Some((accelerator.meta.address.clone(), accelerator))
}

/// An accelerator of the catalogue with other memory: what does not fit into it any more is left out, and less of it is
/// said, since jobs that were placed by the catalogue's would not fit.
fn overridden(values: &Values<'_, '_>, accelerator: &mut Accelerator, known: &Accelerator) {
    if accelerator.memory >= known.memory {
        return;
    }
    let address = &accelerator.meta.address;
    values.report(
        Diagnostic::warning(
            codes::OVERRIDDEN,
            format!("`{address}` has {}, by the catalogue {}", accelerator.memory, known.memory),
        )
        .at(accelerator.meta.origin.of("memory"), "less than the catalogue says")
        .also(accelerator.meta.origin.header, "overrides the catalogue's")
        .with_note("every pool of it counts this memory; forms whose slices need more are not there")
        .with_help(format!(
            "give it a name of its own if it is another card, or write {} if it is not",
            known.memory
        )),
    );
    let memory = accelerator.memory.0.clone();
    accelerator.partitions.retain(|_, partition| {
        let slices = partition.memory.0.checked_mul(&Number::from(u64::from(partition.per_gpu)));
        slices.is_ok_and(|slices| slices <= memory)
    });
}

/// The accelerator that instance types have by the catalogue: a block of that name in the module of what names them,
/// or in the fleet's own files, stands for it.
pub(super) fn meant(fleet: &Fleet, of: &Address, name: &str) -> Address {
    let own = Address::new(format!("accelerator.{name}"));
    let (module, _) = of.split_module();
    if module.is_empty() {
        return own;
    }
    let inside = Address::new(format!("{module}.{own}"));
    if fleet.accelerators.contains_key(&inside) { inside } else { own }
}
