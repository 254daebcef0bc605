//! What the rules of LANGUAGE §4 and §5.5 make of a fleet, before any target's wire format: flavors, quotas,
//! stages, names, node groups, and the mechanism of each route. Lowerings only spell it out.

use std::collections::BTreeMap;
use std::fmt;

use poolwright_expression::quantity::{Hosts, Range, Taint};
use serde::{Deserialize, Serialize};

use crate::Address;

/// The layout of a whole fleet, by target.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    /// Kubernetes clusters with Kueue.
    pub kueue: BTreeMap<Address, KueueCluster>,
    /// Slurm clusters.
    pub slurm: BTreeMap<Address, SlurmCluster>,
    /// Node groups of each cloud target.
    pub groups: BTreeMap<Address, Vec<NodeGroup>>,
    /// Each route × entry target: how it is carried out, and how exactly.
    pub routes: Vec<RouteFidelity>,
}

/// The least that a scheduler must tell apart (LANGUAGE §4.1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flavor {
    /// `<pool>` or `<pool>--<lot>`.
    pub name: String,
    /// Its pool.
    pub pool: Address,
    /// Its lots, in order.
    pub lots: Vec<Address>,
    /// Labels that recognise its nodes.
    pub select: BTreeMap<String, String>,
    /// Taints of its nodes.
    pub taints: Vec<Taint>,
    /// Whether its pods are given the tolerations.
    pub tolerated: bool,
    /// The fabric whose levels it follows, if it has any.
    pub topology: Option<Address>,
    /// The device that pods ask for; none: CPU nodes.
    pub device: Option<String>,
    /// What all its nodes together have, reserves taken off, elastic lots with their most (LANGUAGE §4.3).
    pub capacity: BTreeMap<String, Amount>,
    /// Whether any lot's size may vary.
    pub elastic: bool,
}

/// An amount of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Amount {
    /// How many of the unit.
    pub value: u64,
    /// The unit that amounts of this resource are counted and rounded in.
    pub unit: AmountUnit,
}

/// The unit of an [`Amount`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AmountUnit {
    /// Whole things: devices.
    Count,
    /// Thousandths of a CPU.
    MilliCpu,
    /// 2^20 bytes.
    Mebibyte,
}

impl Amount {
    /// So many whole things.
    #[must_use]
    pub fn count(value: u64) -> Self {
        Self { value, unit: AmountUnit::Count }
    }

    /// So many thousandths of a CPU.
    #[must_use]
    pub fn milli_cpu(value: u64) -> Self {
        Self { value, unit: AmountUnit::MilliCpu }
    }

    /// So many MiB.
    #[must_use]
    pub fn mebibytes(value: u64) -> Self {
        Self { value, unit: AmountUnit::Mebibyte }
    }
}

impl fmt::Display for Amount {
    /// As people read it and Kubernetes takes it: `64`, `752`, `500m`, `8493464Mi`. Not yet canonical for the API.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.unit {
            AmountUnit::Count => write!(f, "{}", self.value),
            AmountUnit::MilliCpu if self.value.is_multiple_of(1000) => write!(f, "{}", self.value / 1000),
            AmountUnit::MilliCpu => write!(f, "{}m", self.value),
            AmountUnit::Mebibyte => write!(f, "{}Mi", self.value),
        }
    }
}

/// Everything that one Kubernetes cluster with Kueue gets. Lists are in the order of their names unless they say
/// otherwise.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KueueCluster {
    /// Flavors of pools in this cluster.
    pub flavors: Vec<Flavor>,
    /// Flavors that stand for a route on its entry cluster: `dispatch--<route>`.
    pub dispatch_flavors: Vec<DispatchFlavor>,
    /// Fabrics with levels that are used here.
    pub topologies: Vec<Address>,
    /// The root first, then one per tenant.
    pub cohorts: Vec<Cohort>,
    /// One per queue × tenant × stage.
    pub cluster_queues: Vec<ClusterQueue>,
    /// One per namespace × queue × stage.
    pub local_queues: Vec<LocalQueue>,
    /// Tenants' namespaces: name and tenant.
    pub namespaces: Vec<(String, Address)>,
    /// Tenants with `groups`: namespace and tenant; each gets a RoleBinding.
    pub submitters: Vec<(String, Address)>,
    /// Classes reached.
    pub classes: Vec<Address>,
    /// Checks that make nodes before admission.
    pub provisioning: Vec<ProvisioningCheck>,
    /// Checks that hand jobs to other clusters.
    pub multikueue: Vec<MultiKueueCheck>,
    /// Worker clusters: name of the MultiKueueCluster and the target.
    pub workers: Vec<(String, Address)>,
}

/// A flavor on an entry cluster that stands for all places of a route; its quota is a throttle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DispatchFlavor {
    /// `dispatch--<route>`.
    pub name: String,
    /// The route.
    pub route: Address,
    /// The sum over the route's pools.
    pub capacity: BTreeMap<String, Amount>,
}

/// A Cohort.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cohort {
    /// Its name.
    pub name: String,
    /// The root's name; none for the root.
    pub parent: Option<String>,
    /// The tenant; none for the root.
    pub tenant: Option<Address>,
    /// Fair-share weight as written, if the cluster shares fairly.
    pub weight: Option<poolwright_expression::Number>,
    /// Its quotas.
    pub groups: Vec<ResourceGroup>,
}

/// Resources that get their flavor together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResourceGroup {
    /// Names of resources, sorted.
    pub resources: Vec<String>,
    /// Flavors; order is preference.
    pub flavors: Vec<FlavorQuota>,
}

/// Quotas of one flavor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlavorQuota {
    /// The flavor's name.
    pub flavor: String,
    /// One per resource of the group, in its order.
    pub quotas: Vec<ResourceQuota>,
}

/// Quota of one resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResourceQuota {
    /// The resource.
    pub resource: String,
    /// Guaranteed.
    pub nominal: Amount,
    /// How much above it; none: no limit, or nowhere to borrow from.
    pub borrowing: Option<Amount>,
    /// How much of it others may use; none: all.
    pub lending: Option<Amount>,
}

/// A ClusterQueue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClusterQueue {
    /// Its name.
    pub name: String,
    /// The queue.
    pub queue: Address,
    /// Whose it is.
    pub tenant: Address,
    /// The step whose stage it is; none for the first stage of this cluster.
    #[serde(default)]
    pub step: Option<Address>,
    /// The class of jobs that say nothing.
    pub class: Address,
    /// Its Cohort.
    pub cohort: String,
    /// Namespaces that may use it.
    pub namespaces: Vec<String>,
    /// Flavors in order of preference, nominal 0.
    pub groups: Vec<ResourceGroup>,
    /// Names of admission checks, each with the flavors that it is for; empty: all.
    pub checks: Vec<(String, Vec<String>)>,
}

/// A LocalQueue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LocalQueue {
    /// Its name: `<queue>`, later stages `<queue>--<step>`.
    pub name: String,
    /// Where.
    pub namespace: String,
    /// The ClusterQueue's name.
    pub cluster_queue: String,
    /// The queue.
    pub queue: Address,
    /// The tenant whose namespace it is.
    pub tenant: Address,
}

/// A check that makes nodes before a job is admitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProvisioningCheck {
    /// Name of the AdmissionCheck and of its ProvisioningRequestConfig.
    pub name: String,
    /// `provisioningClassName`.
    pub class_name: String,
    /// Devices that it waits for, sorted.
    pub managed_resources: Vec<String>,
    /// Flavors that it is for.
    pub flavors: Vec<String>,
}

/// A check that hands jobs to other clusters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MultiKueueCheck {
    /// Name of the AdmissionCheck and of its MultiKueueConfig.
    pub name: String,
    /// The route.
    pub route: Address,
    /// Names of MultiKueueClusters in the order of the steps.
    pub clusters: Vec<String>,
}

/// Everything that one Slurm cluster gets.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SlurmCluster {
    /// One per lot: hosts of one shape.
    pub nodes: Vec<SlurmNodes>,
    /// One per flavor.
    pub node_sets: Vec<NodeSet>,
    /// One per queue × stage.
    pub partitions: Vec<SlurmPartition>,
    /// Fabrics of its pools.
    pub fabrics: Vec<Address>,
    /// Accounts of tenants.
    pub accounts: Vec<SlurmAccount>,
    /// One per class reached.
    pub qos: Vec<SlurmQos>,
}

/// Hosts of one lot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlurmNodes {
    /// The lot's name in addresses: `<pool>--<lot>`.
    pub name: String,
    /// The lot.
    pub lot: Address,
    /// Their names.
    pub hosts: Hosts,
}

/// A NodeSet: the hosts of a flavor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeSet {
    /// The flavor's name.
    pub name: String,
    /// Its pool.
    pub pool: Address,
    /// Its lots.
    pub lots: Vec<Address>,
    /// Its hosts.
    pub hosts: Hosts,
}

/// A partition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlurmPartition {
    /// `<queue>`, later stages `<queue>--<step>`.
    pub name: String,
    /// The queue.
    pub queue: Address,
    /// The step whose stage it is; none for the first stage.
    pub step: Option<Address>,
    /// Names of NodeSets.
    pub node_sets: Vec<String>,
    /// Accounts that may submit; empty: everybody.
    pub accounts: Vec<String>,
    /// Unix groups that may submit; empty: everybody.
    pub groups: Vec<String>,
    /// Pools of the stage.
    pub pools: Vec<Address>,
}

/// An account of a tenant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlurmAccount {
    /// As written.
    pub name: String,
    /// Whose it is.
    pub tenant: Address,
    /// `Fairshare`.
    pub fairshare: u64,
    /// `GrpTRES` by TRES name: `gres/gpu:h100` = 24.
    pub caps: BTreeMap<String, u64>,
}

/// A QoS of a class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlurmQos {
    /// The class's name.
    pub name: String,
    /// The class.
    pub class: Address,
    /// Names of QoS that it preempts, sorted.
    pub preempts: Vec<String>,
}

/// A group of nodes that a cloud makes: one per lot, per zone too where a fabric ends at the zone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeGroup {
    /// `<pool>--<lot>[--<zone>]`.
    pub name: String,
    /// The pool.
    pub pool: Address,
    /// The lot.
    pub lot: Address,
    /// The flavor that its nodes carry.
    pub flavor: String,
    /// Its zones.
    pub zones: Vec<String>,
    /// How many nodes: the lot's, or this zone's part of them.
    pub nodes: Range,
    /// Labels of its nodes: `poolwright.dev/…` and the pool's.
    pub node_labels: BTreeMap<String, String>,
    /// Name of the cluster that its nodes join.
    pub cluster_id: String,
}

/// How a route is carried out on a target, and how exactly (LANGUAGE §5.5).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RouteFidelity {
    /// The route.
    pub route: Address,
    /// The target where its jobs enter.
    pub target: Address,
    /// By which mechanism.
    pub mechanism: Mechanism,
    /// Whether deadlines hold to the second.
    pub exact: bool,
    /// The line without the route and target: `exact, by the router (MultiKueue dispatcher)`.
    pub line: String,
    /// What the line rests on, if it rests on anything: `while every worker's API server answers`. Several things
    /// have `; ` between them; texts show each on a line.
    #[serde(default)]
    pub note: Option<String>,
}

/// What carries out a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mechanism {
    /// One stage, one step: nothing is needed.
    Direct,
    /// Flavor order of one ClusterQueue.
    OrderedFlavors,
    /// Kueue's own concurrent admission with a delay check.
    ConcurrentAdmission,
    /// The router moves the job between queues.
    RouterQueues,
    /// The router nominates MultiKueue workers.
    RouterDispatch,
    /// Kueue's incremental dispatcher.
    IncrementalDispatch,
    /// The router widens the list of partitions.
    RouterPartitions,
    /// All partitions at once.
    AllPartitions,
}

impl Mechanism {
    /// As JSON and messages spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::OrderedFlavors => "ordered-flavors",
            Self::ConcurrentAdmission => "concurrent-admission",
            Self::RouterQueues => "router-queues",
            Self::RouterDispatch => "router-dispatch",
            Self::IncrementalDispatch => "incremental-dispatch",
            Self::RouterPartitions => "router-partitions",
            Self::AllPartitions => "all-partitions",
        }
    }
}
