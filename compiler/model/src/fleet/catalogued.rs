//! From the catalogue's facts to what the fleet has.

use std::collections::BTreeMap;

use poolwright_catalog::AcceleratorFacts;

use super::{Accelerator, Lot, Partition};
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

impl Lot {
    /// How many GPUs a node of this type of a provider has: all types of a lot have as many as its shape, but for one
    /// that is bounded by `max`, whose types may differ.
    #[must_use]
    pub fn gpus_of(&self, provider: &str, instance_type: &str) -> u32 {
        let own = self.max.as_ref().and_then(|_| poolwright_catalog::instance(provider, instance_type));
        own.map_or(self.node.gpus, |facts| facts.gpus)
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
