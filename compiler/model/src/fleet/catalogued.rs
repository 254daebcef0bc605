//! From the catalogue's facts to what the fleet has.

use std::collections::BTreeMap;

use poolwright_catalog::AcceleratorFacts;

use super::{Accelerator, Partition};
use crate::{Address, Meta};

impl Accelerator {
    /// What the catalogue says of an address `accelerator.nvidia-a100-40gb`.
    #[must_use]
    pub fn of_catalogue(address: &Address) -> Option<Self> {
        let facts = poolwright_catalog::accelerator(address.label())?;
        Some(Self {
            meta: Meta { address: address.clone(), name: facts.name.clone(), ..Meta::default() },
            vendor: facts.vendor.clone(),
            memory: facts.memory.clone(),
            resource: facts.resource.clone(),
            products: facts.products.clone(),
            gres_type: facts.gres_type.clone(),
            domain: facts.domain,
            partitions: partitions(facts),
        })
    }
}

fn partitions(facts: &AcceleratorFacts) -> BTreeMap<String, Partition> {
    let partition = |form: &poolwright_catalog::PartitionFacts| Partition {
        per_gpu: form.per_gpu,
        memory: form.memory.clone(),
        resource: form.resource.clone(),
    };
    facts.partitions.iter().map(|form| (form.form.clone(), partition(form))).collect()
}
