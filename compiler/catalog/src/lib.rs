//! Facts about hardware, as data: accelerators and instance types, each row with its source and date.
//!
//! The facts are in `data/*.csv`; code only reads them, once. Where a fact has not been confirmed by the vendor's own
//! interface or document, [`Provenance::verified`] says so, and so does whoever prints it. This crate knows no fleet,
//! no price and no file outside itself, and it never guesses: what is not in a row is not known.
//!
//! Enter at [`accelerator`] and [`instance`]. `date` in a row is the day that the source itself states, or else the
//! day on which the row was read from it.

pub mod codes;
mod row;

use std::sync::OnceLock;

use poolwright_diagnostics::{Diagnostic, Span, did_you_mean, suggestion_help};
use poolwright_expression::quantity::{Bandwidth, Bytes, Date};

/// Providers by the name that price books and [`instance`] use. For clouds it is also the kind of their targets.
pub const PROVIDERS: &[&str] = &["alibaba", "aws", "azure", "gcp", "lambda", "nebius", "oci", "verda"];

/// Where a row comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// Document, interface or catalogue, with its version or commit.
    pub source: String,
    /// Day that the source states, else the day on which the row was read.
    pub date: Date,
    /// Whether the vendor's own interface or document (or a published copy of it) says so.
    pub verified: bool,
    /// What else one should know; may be empty.
    pub note: String,
}

/// What an accelerator is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceleratorFacts {
    /// As in `accelerator.<name>`.
    pub name: String,
    /// `nvidia`, `amd`, `habana`, `aws`.
    pub vendor: String,
    /// Memory of one.
    pub memory: Bytes,
    /// Extended resource of its Kubernetes device plugin.
    pub resource: String,
    /// Exact values of the vendor's product label on nodes; empty where there is no such label.
    pub products: Vec<String>,
    /// Type in Slurm's `gpu:<type>`: the name without the vendor.
    pub gres_type: String,
    /// How many are joined by the vendor's own links (NVLink, Infinity Fabric, Gaudi's Ethernet) in one host; 1: none.
    pub domain: u32,
    /// Where this comes from.
    pub provenance: Provenance,
}

/// The shape of an instance type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceFacts {
    /// One of [`PROVIDERS`].
    pub provider: String,
    /// As the provider writes it.
    pub instance_type: String,
    /// Name of its accelerator in this catalogue.
    pub accelerator: String,
    /// Accelerators of one instance.
    pub gpus: u32,
    /// Virtual CPUs: threads where the machine has them.
    pub vcpus: u32,
    /// Threads of one core, where the source says.
    pub threads_per_core: Option<u32>,
    /// Memory of one instance.
    pub memory: Bytes,
    /// All network interfaces together, at most.
    pub network: Option<Bandwidth>,
    /// Network cards, where the source says.
    pub network_cards: Option<u32>,
    /// Elastic Fabric Adapter, if it has one.
    pub efa: Option<Efa>,
    /// Where this comes from.
    pub provenance: Provenance,
}

/// Elastic Fabric Adapter of an AWS instance type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Efa {
    /// Interfaces at most, one a network card.
    pub interfaces: u32,
    /// The first network card that takes one: 1 on p6-b300, whose card 0 takes plain interfaces only; else 0.
    pub first_card: u32,
}

struct Catalogue {
    accelerators: Vec<AcceleratorFacts>,
    instances: Vec<InstanceFacts>,
    faults: Vec<Diagnostic>,
}

fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    CATALOGUE.get_or_init(|| {
        let (mut accelerators, mut faults) =
            row::table("accelerators.csv", include_str!("../data/accelerators.csv"), row::accelerator);
        let (mut instances, more) =
            row::table("instances.csv", include_str!("../data/instances.csv"), row::instance);
        faults.extend(more);
        accelerators.sort_by(|a, b| a.name.cmp(&b.name));
        instances.sort_by(|a, b| instance_key(a).cmp(&instance_key(b)));
        Catalogue { accelerators, instances, faults }
    })
}

fn instance_key(facts: &InstanceFacts) -> (&str, &str) {
    (&facts.provider, &facts.instance_type)
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

/// Rows of the shipped files that could not be read. Empty in a build that passed its tests.
#[must_use]
pub fn faults() -> &'static [Diagnostic] {
    &catalogue().faults
}

/// Accelerators that a name probably means, the likeliest first, at most three: `h100` is `nvidia-h100-80gb-sxm`.
///
/// Case and separators do not count. Each part of the name must be in the accelerator's; names that begin with it come
/// first, then those that have it as a part by itself. Without any, those that are spelt alike.
#[must_use]
pub fn similar_accelerators(name: &str) -> Vec<&'static str> {
    let parts = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|part| !part.is_empty())
            .map(str::to_ascii_lowercase)
            .collect()
    };
    let wanted = parts(name);
    let names = || accelerators().iter().map(|facts| facts.name.as_str());
    let mut found: Vec<(bool, bool, &'static str)> = names()
        .filter(|_| wanted.concat().len() > 1)
        .filter_map(|known| {
            let own = parts(known);
            let joined = own.concat();
            if !wanted.iter().all(|part| joined.contains(part.as_str())) {
                return None;
            }
            let begins = joined.starts_with(&wanted.concat());
            let whole = wanted.iter().all(|part| own.contains(part));
            Some((!whole, !begins, known))
        })
        .collect();
    found.sort_unstable();
    // A part by itself says which is meant: `l4` is not `l40s`.
    let whole = found.iter().any(|(partial, ..)| !partial);
    found.retain(|(partial, ..)| !(whole && *partial));
    if found.is_empty() {
        return did_you_mean(name, names());
    }
    found.into_iter().map(|(.., known)| known).take(3).collect()
}

/// The diagnostic for a name that [`accelerator`] does not know. `declared`: names of the fleet's own blocks.
#[must_use]
pub fn unknown_accelerator<'a>(
    name: &str,
    declared: impl IntoIterator<Item = &'a str>,
    span: Span,
) -> Diagnostic {
    let message = format!("no accelerator \"{name}\" is declared or in the catalogue");
    let mut close = did_you_mean(name, declared);
    close.extend(similar_accelerators(name));
    let mut diagnostic = Diagnostic::error(codes::UNKNOWN_ACCELERATOR, message).at(span, "not known");
    if !close.is_empty() {
        let close: Vec<String> = close.iter().map(|close| format!("`{close}`")).collect();
        diagnostic = diagnostic.with_help(format!("similar ones exist: {}", close.join(", ")));
    }
    diagnostic
        .with_help(format!("or declare it: accelerator \"{name}\" {{ vendor = \"…\", memory = \"…GiB\" }} on lines of its own"))
        .with_help("the whole list: poolwright catalog accelerators")
}

/// The diagnostic for an instance type that [`instance`] does not know.
#[must_use]
pub fn unknown_instance(provider: &str, instance_type: &str, span: Span) -> Diagnostic {
    let message = format!("the catalogue has no instance type \"{instance_type}\" of {provider}");
    let known = instances().iter().filter(|facts| facts.provider == provider);
    let mut diagnostic = Diagnostic::error(codes::UNKNOWN_INSTANCE_TYPE, message).at(span, "shape not known");
    if let Some(help) =
        suggestion_help("instance type", instance_type, known.map(|facts| facts.instance_type.as_str()))
    {
        diagnostic = diagnostic.with_help(help);
    }
    diagnostic.with_help(
        "or write its shape: node = { gpus = …, cpus = …, memory = \"…GiB\" }, and the pool's accelerator",
    )
}
