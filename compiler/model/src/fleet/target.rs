//! Where objects live (LANGUAGE §3.2).

use std::collections::BTreeMap;

use poolwright_expression::quantity::{Duration, Version};
use serde::{Deserialize, Serialize};

use super::slurm::{Autodetect, Billing, Operator, PreemptBy, SlurmTarget, default_config_dir};
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
#[expect(clippy::large_enum_variant, reason = "a fleet has few targets, and each of them once")]
pub enum TargetKind {
    /// A Kubernetes cluster.
    Kubernetes(KubernetesTarget),
    /// A Slurm cluster.
    Slurm(SlurmTarget),
    /// An account and region of Amazon Web Services.
    Aws(CloudTarget),
    /// An account and region of Alibaba Cloud.
    Alibaba(CloudTarget),
    /// A project and region of Google Cloud.
    Gcp(CloudTarget),
    /// A subscription and region of Azure.
    Azure(CloudTarget),
    /// A project and region of Nebius.
    Nebius(CloudTarget),
    /// A project and region of Crusoe.
    Crusoe(CloudTarget),
    /// A CoreWeave cluster.
    Coreweave(CoreweaveTarget),
    /// Bought or owned capacity that is never elastic.
    Inventory(InventoryTarget),
}

impl TargetKind {
    /// `kubernetes`, `slurm`, `aws`, `alibaba`, …: the first label, and the first part of an object's address.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Kubernetes(_) => "kubernetes",
            Self::Slurm(_) => "slurm",
            Self::Aws(_) => "aws",
            Self::Alibaba(_) => "alibaba",
            Self::Gcp(_) => "gcp",
            Self::Azure(_) => "azure",
            Self::Nebius(_) => "nebius",
            Self::Crusoe(_) => "crusoe",
            Self::Coreweave(_) => "coreweave",
            Self::Inventory(_) => "inventory",
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
            resource_group: None,
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
                kubeconfig: None,
                context: None,
                kueue: None,
                cluster_autoscaler: None,
                karpenter: None,
                volcano: None,
                kai: None,
                gpu_operator: None,
            }),
            "slurm" => TargetKind::Slurm(SlurmTarget {
                version: version(),
                accounting: false,
                preempt_by: PreemptBy::Tier,
                billing: Billing::None,
                host: None,
                config_dir: default_config_dir(),
                owns: None,
                autodetect: Autodetect::Off,
                operator: Operator::None,
                kubernetes: None,
                power: None,
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
            TargetKind::Aws(cloud)
            | TargetKind::Alibaba(cloud)
            | TargetKind::Gcp(cloud)
            | TargetKind::Azure(cloud)
            | TargetKind::Nebius(cloud)
            | TargetKind::Crusoe(cloud) => Some(cloud),
            TargetKind::Kubernetes(_)
            | TargetKind::Slurm(_)
            | TargetKind::Coreweave(_)
            | TargetKind::Inventory(_) => None,
        }
    }

    /// Whose machines it stands for, as price books and the catalogue name them: the kind, or what an inventory says.
    #[must_use]
    pub fn provider(&self) -> &str {
        if let TargetKind::Inventory(inventory) = &self.kind {
            &inventory.provider
        } else {
            self.kind.as_str()
        }
    }

    /// Whether this version writes objects for it. A target of another kind is checked and in the fleet only.
    #[must_use]
    pub fn is_written(&self) -> bool {
        match &self.kind {
            TargetKind::Kubernetes(_) | TargetKind::Slurm(_) => true,
            TargetKind::Aws(cloud) => cloud.groups == GroupKind::Asg,
            TargetKind::Alibaba(cloud) => cloud.groups == GroupKind::Ack,
            _ => false,
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
    /// Live connection: the file with its address and credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kubeconfig: Option<String>,
    /// Live connection: which entry of `kubeconfig`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Karpenter, if it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub karpenter: Option<Component>,
    /// Volcano, if it schedules instead of Kueue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volcano: Option<Component>,
    /// KAI, if it schedules instead of Kueue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kai: Option<Component>,
    /// The GPU operator, if it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gpu_operator: Option<GpuOperator>,
}

/// An installed component of which only the version matters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Component {
    /// Its version.
    pub version: Version,
}

/// An installed GPU operator: its feature discovery labels nodes with the product of their GPUs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GpuOperator {
    /// Its version.
    #[serde(default)]
    pub version: Option<Version>,
    /// Its MIG strategy.
    pub mig: MigStrategy,
}

/// The MIG strategy of NVIDIA's device plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MigStrategy {
    /// Slices are not told of.
    None,
    /// All GPUs of a node have slices of one form, which are `nvidia.com/gpu`; the product label names the form.
    Single,
    /// Each form of slice is a resource of its own: `nvidia.com/mig-1g.5gb`.
    Mixed,
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
    pub ready_timeout: Option<Duration>,
    /// Feature gates that are on.
    #[serde(default)]
    pub gates: Vec<String>,
    /// Resource prefixes that no resource group covers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncovered: Vec<String>,
}

/// An installed Cluster Autoscaler.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClusterAutoscaler {
    /// Its version.
    pub version: Version,
    /// Whether elastic flavors get a ProvisioningRequest AdmissionCheck.
    pub provisioning_requests: bool,
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
    /// The Azure resource group that node groups live in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_group: Option<String>,
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
    /// AWS EKS managed node groups.
    Eks,
    /// NodePools of Karpenter on AWS.
    Karpenter,
    /// Alibaba ESS scaling groups.
    Ess,
    /// Google GKE node pools.
    Gke,
    /// Google managed instance groups.
    Mig,
    /// Azure AKS node pools.
    Aks,
    /// Azure scale sets.
    Vmss,
    /// The one kind that Nebius and Crusoe have.
    Own,
}

impl GroupKind {
    /// Which of them a kind of cloud has, the first as its default.
    #[must_use]
    pub fn of(cloud: &str) -> &'static [Self] {
        match cloud {
            "aws" => &[Self::Asg, Self::Eks, Self::Karpenter],
            "alibaba" => &[Self::Ack, Self::Ess],
            "gcp" => &[Self::Gke, Self::Mig],
            "azure" => &[Self::Aks, Self::Vmss],
            _ => &[Self::Own],
        }
    }

    /// As written in the language.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Asg => "asg",
            Self::Ack => "ack",
            Self::Eks => "eks",
            Self::Karpenter => "karpenter",
            Self::Ess => "ess",
            Self::Gke => "gke",
            Self::Mig => "mig",
            Self::Aks => "aks",
            Self::Vmss => "vmss",
            Self::Own => "own",
        }
    }
}

/// Attributes of a CoreWeave target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoreweaveTarget {
    /// The cluster that holds its NodePool objects.
    pub kubernetes: Address,
}

/// Attributes of an inventory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InventoryTarget {
    /// `lambda`, `fluidstack`, `on-premise`, …, for prices.
    pub provider: String,
    /// JSON or CSV of hosts, below the fleet's folder.
    #[serde(default)]
    pub file: Option<String>,
}
