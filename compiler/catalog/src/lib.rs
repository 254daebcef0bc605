//! Facts about hardware, as data: vendors, accelerators and how they are cut, instance types, zones and fabrics. Each
//! row has its source and date.
//!
//! The facts are in `data/*.csv`; code only reads them, once. The first line of a file is its version. Where a fact has
//! not been confirmed by the vendor's own interface or document, [`Provenance::verified`] says so, and so does whoever
//! prints it. This crate knows no fleet, no price and no file outside itself, and it never guesses: what is not in a row
//! is not known.
//!
//! Enter at [`accelerator`], [`instance`] and [`fabrics_of`]. `date` in a row is the day that the source itself states,
//! or else the day on which the row was read from it.

pub mod codes;
mod facts;
mod row;
mod suggest;
mod variables;

use std::sync::OnceLock;

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::quantity::{Bytes, Date, Version};

pub use facts::{
    AcceleratorFacts, DriverFacts, Efa, FabricFacts, FeedingFacts, InstanceFacts, PartitionFacts, Provenance,
    VariableFacts, VendorFacts,
};
pub use suggest::{similar_accelerators, unknown_accelerator, unknown_instance};
pub use variables::{Variable, variable};

/// Providers by the name that price books and [`instance`] use. For clouds it is also the kind of their targets.
pub const PROVIDERS: &[&str] =
    &["alibaba", "aws", "azure", "coreweave", "crusoe", "gcp", "lambda", "nebius", "oci", "verda"];

struct Catalogue {
    version: Date,
    vendors: Vec<VendorFacts>,
    accelerators: Vec<AcceleratorFacts>,
    instances: Vec<InstanceFacts>,
    fabrics: Vec<FabricFacts>,
    drivers: Vec<DriverFacts>,
    feeding: Vec<FeedingFacts>,
    variables: Vec<VariableFacts>,
    faults: Vec<Diagnostic>,
}

fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    CATALOGUE.get_or_init(|| {
        let mut reader = row::Reader::default();
        let mut vendors = reader.table("vendors.csv", include_str!("../data/vendors.csv"), row::vendor);
        let mut accelerators =
            reader.table("accelerators.csv", include_str!("../data/accelerators.csv"), row::accelerator);
        let partitions =
            reader.table("partitions.csv", include_str!("../data/partitions.csv"), row::partition);
        let mut instances =
            reader.table("instances.csv", include_str!("../data/instances.csv"), row::instance);
        let zones = reader.table("zones.csv", include_str!("../data/zones.csv"), row::zones);
        let mut fabrics = reader.table("fabrics.csv", include_str!("../data/fabrics.csv"), row::fabric);
        let mut drivers = reader.table("drivers.csv", include_str!("../data/drivers.csv"), row::driver);
        let mut feeding = reader.table("feeding.csv", include_str!("../data/feeding.csv"), row::feeding);
        let variables = reader.table("variables.csv", include_str!("../data/variables.csv"), row::variables);
        drivers.sort_by(|a, b| a.cuda.cmp(&b.cuda));
        feeding.sort_by(|a, b| a.accelerator_memory.cmp(&b.accelerator_memory));
        vendors.sort_by(|a, b| a.name.cmp(&b.name));
        accelerators.sort_by(|a, b| a.name.cmp(&b.name));
        instances.sort_by(|a, b| instance_key(a).cmp(&instance_key(b)));
        fabrics.sort_by(|a, b| (&a.provider, &a.name).cmp(&(&b.provider, &b.name)));
        for partition in partitions {
            let at = accelerators.binary_search_by(|facts| facts.name.cmp(&partition.accelerator));
            match at.ok().and_then(|at| accelerators.get_mut(at)) {
                Some(accelerator) => accelerator.partitions.push(partition),
                None => reader.stray("partitions.csv", &partition.accelerator),
            }
        }
        for row in zones {
            let key = (row.provider.as_str(), row.instance_type.as_str());
            let at = instances.binary_search_by(|facts| instance_key(facts).cmp(&key));
            match at.ok().and_then(|at| instances.get_mut(at)) {
                Some(instance) => instance.zones = row.zones,
                None => reader.stray("zones.csv", &row.instance_type),
            }
        }
        let (version, faults) = reader.finish();
        Catalogue { version, vendors, accelerators, instances, fabrics, drivers, feeding, variables, faults }
    })
}

fn instance_key(facts: &InstanceFacts) -> (&str, &str) {
    (&facts.provider, &facts.instance_type)
}

/// The version of the catalogue: the day of its youngest file.
#[must_use]
pub fn version() -> Date {
    catalogue().version
}

/// Every vendor, by name.
#[must_use]
pub fn vendors() -> &'static [VendorFacts] {
    &catalogue().vendors
}

/// The vendor of a name: `nvidia`.
#[must_use]
pub fn vendor(name: &str) -> Option<&'static VendorFacts> {
    vendors().iter().find(|facts| facts.name == name)
}

/// Every accelerator, by name.
#[must_use]
pub fn accelerators() -> &'static [AcceleratorFacts] {
    &catalogue().accelerators
}

/// The accelerator of a name: `nvidia-a100-40gb`.
#[must_use]
pub fn accelerator(name: &str) -> Option<&'static AcceleratorFacts> {
    let all = accelerators();
    all.binary_search_by(|facts| facts.name.as_str().cmp(name)).ok().and_then(|at| all.get(at))
}

/// Every instance type, by provider and name.
#[must_use]
pub fn instances() -> &'static [InstanceFacts] {
    &catalogue().instances
}

/// The instance type of a provider: `aws`, `p4d.24xlarge`.
#[must_use]
pub fn instance(provider: &str, instance_type: &str) -> Option<&'static InstanceFacts> {
    let all = instances();
    all.binary_search_by(|facts| instance_key(facts).cmp(&(provider, instance_type)))
        .ok()
        .and_then(|at| all.get(at))
}

/// Every fabric, by provider and name.
#[must_use]
pub fn fabrics() -> &'static [FabricFacts] {
    &catalogue().fabrics
}

/// The fabrics that an instance type of a provider can be joined by.
pub fn fabrics_of<'a>(
    provider: &'a str,
    instance_type: &'a str,
) -> impl Iterator<Item = &'static FabricFacts> + 'a {
    let has = move |facts: &&FabricFacts| {
        facts.provider == provider && facts.instance_types.iter().any(|own| own == instance_type)
    };
    fabrics().iter().filter(has)
}

/// The least driver with which programs of a CUDA toolkit run; none: the toolkit is older than every row.
#[must_use]
pub fn least_driver(cuda: &Version) -> Option<&'static DriverFacts> {
    catalogue().drivers.iter().rev().find(|facts| facts.cuda <= *cuda)
}

/// What a host has at least for each accelerator of this memory; none: so small ones are fed by any host.
#[must_use]
pub fn feeding(accelerator_memory: &Bytes) -> Option<&'static FeedingFacts> {
    catalogue().feeding.iter().rev().find(|facts| facts.accelerator_memory <= *accelerator_memory)
}

/// Rows of the shipped files that could not be read. Empty in a build that passed its tests.
#[must_use]
pub fn faults() -> &'static [Diagnostic] {
    &catalogue().faults
}
