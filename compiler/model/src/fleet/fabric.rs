//! Fabrics: what joins hosts (LANGUAGE §3.3).

use std::collections::BTreeMap;

use poolwright_expression::Number;
use poolwright_expression::quantity::{Bandwidth, Hosts};
use serde::{Deserialize, Serialize};

use crate::Meta;

/// A `fabric` block: what joins hosts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fabric {
    /// The head.
    #[serde(default)]
    pub meta: Meta,
    /// What it is.
    pub kind: FabricKind,
    /// Ports of one host in it.
    pub rails: u32,
    /// Rate of one port.
    pub rate: Option<Bandwidth>,
    /// What a pod asks for: `rdma/ib`.
    #[serde(default)]
    pub resource: Option<String>,
    /// How many of it a host has.
    pub per_node: u32,
    /// How topology is laid out for Slurm.
    pub layout: TopologyLayout,
    /// Coarse to fine.
    #[serde(default)]
    pub levels: Vec<Level>,
    /// Roots of the switch tree.
    #[serde(default)]
    pub switches: Vec<Switch>,
    /// What libraries are told.
    #[serde(default)]
    pub env: Option<FabricEnv>,
    /// The vendor's fabric: `fabric-3` of Nebius, a partition of Crusoe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// InfiniBand partition key, 1 to 32767.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pkey: Option<u32>,
    /// The file that says its tree, instead of `switches`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discovery: Option<Discovery>,
    /// What is done about hosts, links or switches that the tree lacks.
    #[serde(default, skip_serializing_if = "Holes::is_error")]
    pub holes: Holes,
    /// Networks of the extra interfaces, in rail order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub networks: Vec<String>,
    /// The program that writes the topology: then it is only observed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maintained_by: Option<String>,
}

/// A file that a fabric's own tools wrote.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Discovery {
    /// Below the fleet's folder.
    pub file: String,
    /// Which tool wrote it.
    pub format: DiscoveryFormat,
}

/// The form of a discovery file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum DiscoveryFormat {
    Ibnetdiscover,
    Iblinkinfo,
    Topograph,
    SlurmTopology,
}

/// What is done about what a tree lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Holes {
    /// It is an error.
    #[default]
    Error,
    /// It is told of.
    Report,
}

impl Holes {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_error(&self) -> bool {
        *self == Self::Error
    }
}

/// Kind of a fabric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum FabricKind {
    Infiniband,
    Roce,
    Efa,
    Tcpx,
    Ethernet,
    Nvlink,
}

/// Tree or block topology of Slurm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum TopologyLayout {
    Tree,
    Block,
}

/// A level of a fabric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// The head; the label names the level.
    #[serde(default)]
    pub meta: Meta,
    /// Node label of the domain.
    #[serde(default)]
    pub label: Option<String>,
    /// Hosts of one domain at most.
    #[serde(default)]
    pub nodes: Option<u32>,
    /// Oversubscription upwards, at least 1.
    #[serde(default)]
    pub blocking: Option<Number>,
    /// Hosts of one block at least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_size: Option<u32>,
}

/// A switch of a fabric, with what hangs below it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Switch {
    /// The head; the name is the switch's.
    #[serde(default)]
    pub meta: Meta,
    /// Hosts at the finest level.
    #[serde(default)]
    pub hosts: Option<Hosts>,
    /// Switches below.
    #[serde(default)]
    pub switches: Vec<Switch>,
    /// Rate of its links; the fabric's if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Bandwidth>,
    /// Ports that it has, to count against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radix: Option<u32>,
}

/// What communication libraries are told about a fabric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FabricEnv {
    /// `NCCL_SOCKET_IFNAME`.
    pub interface: String,
    /// Host channel adapters, one per rail, in host-list form.
    pub hcas: Hosts,
    /// Other variables.
    #[serde(default)]
    pub set: BTreeMap<String, String>,
}
