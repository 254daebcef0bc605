//! Where objects live (LANGUAGE §3.2).

use std::collections::BTreeMap;

use poolwright_expression::quantity::Version;
use serde::{Deserialize, Serialize};

use crate::{Address, Meta};

/// The last ring. What goes with a target that the fleet has no more goes after everything that came.
const LAST_RING: u8 = 9;

/// A `target` block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Target {
    /// The head; the address is `target.<kind>.<name>`.
    #[serde(default)]
    pub meta: Meta,
    /// The folder that the target is, relative to the fleet's folder, `/` between parts.
    pub directory: Option<String>,
    /// Region, for prices and `class.regions`.
    #[serde(default)]
    pub region: Option<String>,
    /// Applied when all of the ring before is ready; 0 to 9.
    #[serde(default)]
    pub ring: u8,
    /// Whether `poolwright route run` serves it.
    pub router: bool,
    /// What it is.
    pub kind: TargetKind,
}

/// What a target is, with the attributes of its kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TargetKind {
    /// A Kubernetes cluster.
    Kubernetes(KubernetesTarget),
    /// A Slurm cluster.
    Slurm(SlurmTarget),
    /// An account and region of Amazon Web Services.
    Aws(CloudTarget),
    /// An account and region of Alibaba Cloud.
    Alibaba(CloudTarget),
}

impl TargetKind {
    /// `kubernetes`, `slurm`, `aws`, `alibaba`: the first label, and the first part of an object's address.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Kubernetes(_) => "kubernetes",
            Self::Slurm(_) => "slurm",
            Self::Aws(_) => "aws",
            Self::Alibaba(_) => "alibaba",
        }
    }
}

impl Target {
    /// `kubernetes.eks`: how objects, folders and people name the target.
    #[must_use]
    pub fn short(&self) -> String {
        format!("{}.{}", self.kind.as_str(), self.meta.address.flat())
    }

    /// A target that a fleet had and has no more, by its address: nothing is known of it but its kind, its label and
    /// its folder, so that its `name` is empty. None: there is no such kind.
    #[must_use]
    pub fn gone(address: &Address, directory: &str) -> Option<Self> {
        let kind = address.kind().strip_prefix("target.")?;
        let version = || Version { text: String::from("0"), parts: vec![0] };
        let cloud = |groups| CloudTarget {
            account: None,
            profile: None,
            groups,
            cluster_id: None,
            zones: BTreeMap::new(),
            image: None,
            security_groups: Vec::new(),
            instance_profile: None,
            user_data: None,
            user_data_template: None,
        };
        let kind = match kind {
            "kubernetes" => TargetKind::Kubernetes(KubernetesTarget {
                version: version(),
                namespace: String::new(),
                kueue: None,
                cluster_autoscaler: None,
            }),
            "slurm" => TargetKind::Slurm(SlurmTarget {
                version: version(),
                accounting: false,
                preempt_by: PreemptBy::Tier,
                billing: Billing::None,
            }),
            "aws" => TargetKind::Aws(cloud(GroupKind::Asg)),
            "alibaba" => TargetKind::Alibaba(cloud(GroupKind::Ack)),
            _ => return None,
        };
        Some(Self {
            meta: Meta { address: address.clone(), ..Meta::default() },
            directory: Some(directory.to_owned()),
            region: None,
            ring: LAST_RING,
            router: false,
            kind,
        })
    }

    /// The Kubernetes attributes, if it is a Kubernetes cluster.
    #[must_use]
    pub fn kubernetes(&self) -> Option<&KubernetesTarget> {
        if let TargetKind::Kubernetes(kubernetes) = &self.kind { Some(kubernetes) } else { None }
    }

    /// The Slurm attributes, if it is a Slurm cluster.
    #[must_use]
    pub fn slurm(&self) -> Option<&SlurmTarget> {
        if let TargetKind::Slurm(slurm) = &self.kind { Some(slurm) } else { None }
    }

    /// The cloud attributes, if it is a cloud.
    #[must_use]
    pub fn cloud(&self) -> Option<&CloudTarget> {
        match &self.kind {
            TargetKind::Aws(cloud) | TargetKind::Alibaba(cloud) => Some(cloud),
            TargetKind::Kubernetes(_) | TargetKind::Slurm(_) => None,
        }
    }
}

/// Attributes of a Kubernetes target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KubernetesTarget {
    /// Version of the API server.
    pub version: Version,
    /// Namespace of inventory, journal and lease.
    pub namespace: String,
    /// Kueue, if it is there.
    #[serde(default)]
    pub kueue: Option<Kueue>,
    /// The Cluster Autoscaler, if it is there.
    #[serde(default)]
    pub cluster_autoscaler: Option<ClusterAutoscaler>,
}

/// An installed Kueue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kueue {
    /// 0.15 to 0.19.
    pub version: Version,
    /// Where its controller and its Secrets are.
    pub namespace: String,
    /// Name of the root Cohort; the fleet's name if absent.
    #[serde(default)]
    pub cohort: Option<String>,
    /// Whether queues evict each other by share.
    pub fair_sharing: bool,
    /// `waitForPodsReady.timeout` of its Configuration.
    #[serde(default)]
    pub ready_timeout: Option<poolwright_expression::quantity::Duration>,
    /// Feature gates that are on.
    #[serde(default)]
    pub gates: Vec<String>,
}

/// An installed Cluster Autoscaler.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClusterAutoscaler {
    /// Its version.
    pub version: Version,
    /// Whether elastic flavors get a ProvisioningRequest AdmissionCheck.
    pub provisioning_requests: bool,
}

/// Attributes of a Slurm target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlurmTarget {
    /// 22.05 to 26.05.
    pub version: Version,
    /// Whether slurmdbd is there.
    pub accounting: bool,
    /// How preemption is decided.
    pub preempt_by: PreemptBy,
    /// Whether `TRESBillingWeights` come from prices.
    pub billing: Billing,
}

/// `preempt/qos` or `preempt/partition_prio`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PreemptBy {
    /// By QoS; needs accounting.
    Qos,
    /// By the partition's `PriorityTier`.
    Tier,
}

/// Where `TRESBillingWeights` come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Billing {
    /// From the price book.
    Price,
    /// The site's are left.
    None,
}

/// Attributes of a cloud target: an account and region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CloudTarget {
    /// Account, project or subscription.
    #[serde(default)]
    pub account: Option<String>,
    /// The vendor's own named credentials.
    #[serde(default)]
    pub profile: Option<String>,
    /// What makes nodes.
    pub groups: GroupKind,
    /// The vendor's cluster that nodes join; the name of the pool's cluster if absent.
    #[serde(default)]
    pub cluster_id: Option<String>,
    /// Zone (AWS: zone id) to subnet, vSwitch.
    pub zones: BTreeMap<String, String>,
    /// Machine image.
    #[serde(default)]
    pub image: Option<String>,
    /// Security groups of the nodes.
    #[serde(default)]
    pub security_groups: Vec<String>,
    /// IAM instance profile by name.
    #[serde(default)]
    pub instance_profile: Option<String>,
    /// Path of a tera template below the fleet's folder.
    #[serde(default)]
    pub user_data: Option<String>,
    /// The text of that template, read by the driver.
    #[serde(default)]
    pub user_data_template: Option<String>,
}

/// What makes nodes on a cloud.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GroupKind {
    /// AWS Auto Scaling groups.
    Asg,
    /// Alibaba ACK node pools.
    Ack,
}
