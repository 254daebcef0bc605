//! What a row of each file says, as types. Every row carries its [`Provenance`].

use poolwright_expression::quantity::{Bandwidth, Bytes, Date, Version};

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

/// What all accelerators of a vendor have in common: how its device plugin and its node labels spell things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VendorFacts {
    /// As in `vendor = "nvidia"`.
    pub name: String,
    /// Extended resource of its Kubernetes device plugin, for a whole accelerator.
    pub resource: String,
    /// Node label in which its feature discovery writes the product; none: there is no contract of one.
    pub product_label: Option<String>,
    /// Resource of a slice where slices have resources of their own (strategy `mixed`), with `{form}` in it.
    pub(crate) slice_resource: Option<String>,
    /// Product of a node whose accelerators are all cut in one way (strategy `single`), with `{product}` and `{form}`.
    pub(crate) slice_product: Option<String>,
    /// What resources and labels have in place of which character of a form.
    pub(crate) slice_spelling: Option<(char, char)>,
    /// Where this comes from.
    pub provenance: Provenance,
}

impl VendorFacts {
    fn spelt(&self, form: &str) -> String {
        match self.slice_spelling {
            Some((from, to)) => form.replace(from, &to.to_string()),
            None => form.to_owned(),
        }
    }

    /// The resource of slices of a form where they have one of their own: `nvidia.com/mig-1g.10gb`. None: this vendor's
    /// plugin knows no such thing.
    #[must_use]
    pub fn slice_resource(&self, form: &str) -> Option<String> {
        self.slice_resource.as_ref().map(|template| template.replace("{form}", &self.spelt(form)))
    }

    /// What the product label says of nodes whose accelerators are all cut into a form, where slices count as whole
    /// ones: `NVIDIA-H100-80GB-HBM3-MIG-1g.10gb`. A vendor that does not say it in the label: the product itself.
    #[must_use]
    pub fn slice_product(&self, product: &str, form: &str) -> String {
        match &self.slice_product {
            Some(template) => template.replace("{product}", product).replace("{form}", &self.spelt(form)),
            None => product.to_owned(),
        }
    }
}

/// What an accelerator is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceleratorFacts {
    /// As in `accelerator.<name>`.
    pub name: String,
    /// Its vendor's name in [`crate::vendors`].
    pub vendor: String,
    /// Memory of one.
    pub memory: Bytes,
    /// Extended resource of its Kubernetes device plugin.
    pub resource: String,
    /// Exact values of the vendor's product label on nodes; empty where there is no such label.
    pub products: Vec<String>,
    /// Type in Slurm's `gpu:<type>`: the name without the vendor.
    pub gres_type: String,
    /// How many are joined by the vendor's own links (NVLink, Infinity Fabric, Gaudi's Ethernet); 1: none. More than a
    /// host has where the links leave the host.
    pub domain: u32,
    /// The first CUDA toolkit that supports it, of NVIDIA's matrix of toolkits, drivers and architectures.
    pub cuda: Option<Version>,
    /// The last branch of drivers that supports it, of the same matrix; none: it goes on.
    pub last_driver: Option<Version>,
    /// Forms that it can be cut into, by name.
    pub partitions: Vec<PartitionFacts>,
    /// Where this comes from.
    pub provenance: Provenance,
}

/// A form that an accelerator can be cut into: a MIG profile, or AMD's compute and memory modes together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionFacts {
    /// The accelerator's name.
    pub accelerator: String,
    /// As in `partition = "1g.10gb"`: the vendor's name; AMD's two modes are joined by a hyphen, `cpx-nps4`.
    pub form: String,
    /// How many slices of this form one accelerator gives, if it is cut into nothing else.
    pub per_gpu: u32,
    /// Memory of one slice: its exact share. Names round it up: three slices `3g.71gb` do not fit into 141 GiB.
    pub memory: Bytes,
    /// Its Kubernetes resource where that does not follow from the vendor and the strategy.
    pub resource: Option<String>,
    /// Where this comes from.
    pub provenance: Provenance,
}

/// The shape of an instance type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceFacts {
    /// One of [`crate::PROVIDERS`].
    pub provider: String,
    /// As the provider writes it.
    pub instance_type: String,
    /// Name of its accelerator in this catalogue.
    pub accelerator: String,
    /// Accelerators of one instance.
    pub gpus: u32,
    /// Virtual CPUs: threads where the machine has them. None: no source says.
    pub vcpus: Option<u32>,
    /// Threads of one core, where the source says.
    pub threads_per_core: Option<u32>,
    /// Memory of one instance. None: no source says.
    pub memory: Option<Bytes>,
    /// All network interfaces together, at most.
    pub network: Option<Bandwidth>,
    /// Network cards, where the source says.
    pub network_cards: Option<u32>,
    /// Elastic Fabric Adapter, if it has one.
    pub efa: Option<Efa>,
    /// Zones (AWS: zone ids; Nebius: regions) that a source names. Empty: none does, which says nothing.
    pub zones: Vec<String>,
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

/// Zones of an instance type, before they are put into its row.
pub(crate) struct ZoneFacts {
    pub(crate) provider: String,
    pub(crate) instance_type: String,
    pub(crate) zones: Vec<String>,
}

/// The least driver with which programs of a CUDA toolkit run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DriverFacts {
    /// From this toolkit on, to the next row.
    pub cuda: Version,
    /// NVIDIA's driver for Linux.
    pub driver: Version,
    /// Where this comes from.
    pub provenance: Provenance,
}

/// What a host has at least for each accelerator, so that it can be fed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedingFacts {
    /// From this memory of an accelerator on, to the next row.
    pub accelerator_memory: Bytes,
    /// Cores of the host for each accelerator.
    pub cores: u32,
    /// Memory of the host for each accelerator.
    pub memory: Bytes,
    /// Where this comes from.
    pub provenance: Provenance,
}

/// Names of environment variables that one program reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableFacts {
    /// How all of them begin: `NCCL_`.
    pub prefix: String,
    /// Who reads them: `nccl`.
    pub reader: String,
    /// Whether these are all that there are.
    pub closed: bool,
    /// The names; one that ends in `*` is a whole family.
    pub names: Vec<String>,
    /// Where this comes from.
    pub provenance: Provenance,
}

/// What joins the accelerators of several instances of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FabricFacts {
    /// One of [`crate::PROVIDERS`].
    pub provider: String,
    /// The provider's own name where it has one (`fabric-3` of Nebius), else ours.
    pub name: String,
    /// Instance types that have it.
    pub instance_types: Vec<String>,
    /// As in `fabric.kind`.
    pub kind: String,
    /// Ports of one instance.
    pub rails: u32,
    /// Of one port.
    pub rate: Bandwidth,
    /// Of one instance, as the source states it: bits, not bytes.
    pub total: Bandwidth,
    /// What a pod asks for; none: nothing.
    pub resource: Option<String>,
    /// How many of it an instance has.
    pub per_node: Option<u32>,
    /// Node labels of its levels, coarse to fine.
    pub labels: Vec<String>,
    /// Where this comes from.
    pub provenance: Provenance,
}
