//! Tiers, accelerators, pools and lots (LANGUAGE §3.3).

use std::collections::BTreeMap;

use poolwright_expression::Number;
use poolwright_expression::quantity::{
    Bytes, Date, Duration, Hosts, Money, Percent, Power, Range, Taint, Version,
};
use serde::{Deserialize, Serialize};

use super::{Target, TargetKind};
use crate::{Address, Meta};

/// A `tier` block: how capacity is bought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tier {
    /// The head.
    #[serde(default)]
    pub meta: Meta,
    /// How it is bought.
    pub kind: TierKind,
    /// Spot only.
    #[serde(default)]
    pub interruption: Option<Interruption>,
    /// Reserved only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Commitment>,
    /// Owned only.
    #[serde(default)]
    pub ownership: Option<Ownership>,
}

/// How capacity is bought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TierKind {
    /// Can be taken away.
    Spot,
    /// By the hour.
    OnDemand,
    /// Committed.
    Reserved,
    /// One's own.
    Owned,
    /// One's own, at the edge.
    Edge,
}

impl TierKind {
    /// As written in the language.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Spot => "spot",
            Self::OnDemand => "on-demand",
            Self::Reserved => "reserved",
            Self::Owned => "owned",
            Self::Edge => "edge",
        }
    }
}

/// How spot capacity is taken away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interruption {
    /// Warning before a node goes.
    pub notice: Duration,
    /// Mean time between interruptions of one node.
    #[serde(default)]
    pub mean_time: Option<Duration>,
}

/// What reserved capacity costs, used or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Commitment {
    /// Money/node/h; the on-demand price if absent.
    #[serde(default)]
    pub hourly: Option<Money>,
    /// Months that it runs; the lot's `from` to `until` if absent.
    #[serde(default)]
    pub months: Option<u32>,
    /// Money/node, paid at its start and spread over the months.
    pub upfront: Money,
}

/// What owned capacity costs: an internal `price`, or the parts that make one (LANGUAGE §6.4).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ownership {
    /// Internal rate, money/gpu/h or /node/h. Without it the parts below are there.
    #[serde(default)]
    pub price: Option<Money>,
    /// Money/node.
    #[serde(default)]
    pub cost: Option<Money>,
    /// Months over which the cost is written off.
    #[serde(default)]
    pub months: Option<u32>,
    /// Share of the cost that is left at the end.
    pub salvage: Percent,
    /// Draw of one node.
    #[serde(default)]
    pub power: Option<Power>,
    /// Power usage effectiveness of the site.
    pub pue: Number,
    /// Money/kWh.
    #[serde(default)]
    pub tariff: Option<Money>,
    /// Money/node/h.
    pub opex: Money,
    /// Share of the hours that somebody uses.
    pub utilisation: Percent,
}

/// An accelerator, of the catalogue or declared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Accelerator {
    /// The head; the name is `nvidia-a100-40gb`.
    #[serde(default)]
    pub meta: Meta,
    /// `nvidia`, `amd`, `intel`, `habana`, `aws`.
    pub vendor: String,
    /// Memory of one.
    pub memory: Bytes,
    /// Kubernetes resource: `nvidia.com/gpu`.
    pub resource: String,
    /// Exact product label values.
    #[serde(default)]
    pub products: Vec<String>,
    /// Type in Slurm's `gpu:<type>`.
    pub gres_type: String,
    /// GPUs of one NVLink-class domain.
    pub domain: u32,
    /// Vendor's partition forms by name.
    #[serde(default)]
    pub partitions: BTreeMap<String, Partition>,
}

/// A part of an accelerator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Partition {
    /// Devices from one GPU.
    pub per_gpu: u32,
    /// Memory of one slice.
    pub memory: Bytes,
    /// Kubernetes resource of the slice where it is not what its vendor's device plugin calls it by itself.
    #[serde(default)]
    pub resource: Option<String>,
}

/// A `pool` block: capacity of one kind in one cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pool {
    /// The head.
    #[serde(default)]
    pub meta: Meta,
    /// The accelerator; none: CPU nodes.
    #[serde(default)]
    pub accelerator: Option<Address>,
    /// How good it is.
    #[serde(default)]
    pub cost_tier: Option<CostTier>,
    /// Who schedules.
    pub cluster: Address,
    /// Who makes nodes; none: they exist.
    #[serde(default)]
    pub provision: Option<Address>,
    /// What joins its hosts; none: nothing links them.
    #[serde(default)]
    pub fabric: Option<Address>,
    /// Labels of its nodes.
    #[serde(default)]
    pub node_labels: BTreeMap<String, String>,
    /// How nodes are recognised, as written; the rule of LANGUAGE §3.3 if absent.
    #[serde(default)]
    pub select: Option<BTreeMap<String, String>>,
    /// Taints of its nodes.
    #[serde(default)]
    pub taints: Vec<Taint>,
    /// Jobs bring the toleration themselves.
    #[serde(default)]
    pub opt_in: bool,
    /// Its lots in the order written; empty with `tokens` only.
    #[serde(default)]
    pub lots: Vec<Lot>,
    /// Units of work per GPU-hour, by kind of work.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub throughput: BTreeMap<String, Number>,
    /// GPU driver on its nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver: Option<Version>,
    /// Stores of data and checkpoints that its nodes reach at local price.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stores: Vec<String>,
    /// Countable things instead of nodes: how many of each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<BTreeMap<String, u64>>,
}

/// How good capacity is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum CostTier {
    HighPerformance,
    CostEffective,
    Experimental,
}

impl CostTier {
    /// As written in the language.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::HighPerformance => "high-performance",
            Self::CostEffective => "cost-effective",
            Self::Experimental => "experimental",
        }
    }
}

/// A `lot`: one purchasable piece of a pool, with the pool's defaults filled in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lot {
    /// The head; the address is `pool.x.lot.r0`.
    #[serde(default)]
    pub meta: Meta,
    /// How it is bought.
    pub tier: Address,
    /// Number of nodes, or the range in which it may vary; with `hosts` their number.
    pub nodes: Range,
    /// Named hosts that exist.
    #[serde(default)]
    pub hosts: Option<Hosts>,
    /// By preference.
    #[serde(default)]
    pub instance_types: Vec<String>,
    /// Zones, the target's if not written; sorted as written.
    #[serde(default)]
    pub zones: Vec<String>,
    /// Strategy among types and zones.
    pub allocation: Allocation,
    /// Placement group.
    pub placement: Placement,
    /// Bid cap, as written: money/node/h or /gpu/h. Spot only.
    #[serde(default)]
    pub max_price: Option<Money>,
    /// Average use of the elastic range.
    #[serde(default)]
    pub utilisation: Option<Percent>,
    /// Empty nodes go after it.
    #[serde(default)]
    pub idle_after: Option<Duration>,
    /// Class of its ProvisioningRequests, if elastic.
    pub provisioning: String,
    /// Slurm features.
    #[serde(default)]
    pub features: Vec<String>,
    /// Shape of one node: the instance type's facts with what was written over them.
    pub node: NodeShape,
    /// Whether it has its own `tier`, `partition`, `node` or `provisioning` (LANGUAGE §4.1).
    #[serde(default)]
    pub distinct: bool,
    /// The most of it in devices instead of nodes: then `nodes` counts nodes of its smallest type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<LotMax>,
    /// The reservation that it uses: id, ARN, name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reservation: Option<String>,
    /// Nodes of that reservation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reservation_nodes: Option<u64>,
    /// Most nodes that count, where its reservation has fewer than the lots that name it could use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<u64>,
    /// Nodes that are paid for, used or not, where its reservation has more than the lots that name it use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub billed: Option<u64>,
    /// First day, UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Date>,
    /// Last day, UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Date>,
    /// The form that its accelerators are cut into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition: Option<String>,
    /// Who writes its size; by the rule of LANGUAGE §3.3 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_owner: Option<SizeOwner>,
    /// How running nodes take a new image.
    #[serde(default, skip_serializing_if = "Refresh::is_default")]
    pub refresh: Refresh,
    /// Machine image; the target's if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// Path of a tera template below the fleet's folder; the target's if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_data: Option<String>,
    /// Disks of its nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disk: Option<Box<Disk>>,
}

/// The most of a lot in devices, for types of different size (LANGUAGE §4.3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LotMax {
    /// GPUs of all its nodes together; 0 for CPU nodes.
    pub gpus: u64,
    /// CPUs that its nodes leave for jobs, together.
    pub cpus: Number,
    /// Memory that its nodes leave for jobs, together.
    pub memory: Bytes,
}

/// Who writes the size of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum SizeOwner {
    Poolwright,
    ClusterAutoscaler,
    Karpenter,
    Slurm,
    Cloud,
    External,
}

/// How running nodes take a new image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refresh {
    /// They do not: new nodes have it.
    #[default]
    NewNodes,
    /// They are replaced, some at a time.
    Rolling,
}

impl Refresh {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_default(&self) -> bool {
        *self == Self::NewNodes
    }
}

/// Disks of a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Disk {
    /// Size of the root volume; the image's if absent.
    #[serde(default)]
    pub root: Option<Bytes>,
    /// The vendor's word for its kind: `gp3`.
    #[serde(rename = "type", default)]
    pub kind: Option<String>,
    /// What becomes of the instance store.
    pub local: LocalDisk,
}

/// What becomes of the instance store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LocalDisk {
    /// Nothing.
    None,
    /// One volume over all of it.
    Raid0,
}

impl Lot {
    /// Whether its number of nodes may vary.
    #[must_use]
    pub fn elastic(&self) -> bool {
        self.nodes.max != Some(self.nodes.min)
    }

    /// The most nodes that count; an open range has been refused before.
    #[must_use]
    pub fn most(&self) -> u64 {
        self.counted.unwrap_or_else(|| self.nodes.max.unwrap_or(self.nodes.min))
    }

    /// Who writes its size if `size_owner` does not say: nobody but Poolwright where it is fixed.
    #[must_use]
    pub fn usual_size_owner(&self, cluster: &Target) -> SizeOwner {
        match &cluster.kind {
            _ if !self.elastic() => SizeOwner::Poolwright,
            TargetKind::Slurm(_) => SizeOwner::Slurm,
            TargetKind::Kubernetes(kubernetes) if kubernetes.cluster_autoscaler.is_some() => {
                SizeOwner::ClusterAutoscaler
            }
            TargetKind::Kubernetes(kubernetes) if kubernetes.karpenter.is_some() => SizeOwner::Karpenter,
            _ => SizeOwner::Cloud,
        }
    }

    /// The most GPUs.
    #[must_use]
    pub fn most_gpus(&self) -> u64 {
        if let Some(max) = &self.max {
            return max.gpus;
        }
        self.most().saturating_mul(u64::from(self.node.gpus))
    }
}

/// How a group chooses among its types and zones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Allocation {
    Preference,
    Price,
    Capacity,
    PriceCapacity,
}

/// Where the nodes of a lot stand to each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// A cluster placement group of their own.
    Cluster,
    /// Nothing asked.
    None,
    /// This existing group.
    #[serde(untagged)]
    Group(String),
}

/// The shape of one node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeShape {
    /// Whole accelerators.
    pub gpus: u32,
    /// CPUs that the scheduler counts: `cpus`, else sockets × cores × threads.
    pub cpus: u32,
    /// Sockets.
    #[serde(default)]
    pub sockets: Option<u32>,
    /// Cores of one socket.
    #[serde(default)]
    pub cores: Option<u32>,
    /// Threads of one core.
    #[serde(default)]
    pub threads: Option<u32>,
    /// Memory of the machine.
    pub memory: Bytes,
    /// CPUs kept from jobs.
    pub reserve_cpus: u32,
    /// Share of memory kept from jobs.
    pub reserve_memory: Percent,
    /// For hosts with several kinds of devices.
    #[serde(default)]
    pub devices: Vec<Devices>,
}

/// Some of the accelerators of a mixed host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Devices {
    /// Which.
    pub accelerator: Address,
    /// Device files in host-list form.
    pub files: Hosts,
    /// CPU cores near them.
    #[serde(default)]
    pub cores: Option<String>,
}
