//! Slurm clusters (LANGUAGE §3.2).

use poolwright_expression::quantity::{Duration, Version};
use serde::{Deserialize, Serialize};

use crate::Address;

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
    /// Live connection: `local`, or a host that ssh knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The folder of slurm.conf, from which `poolwright.conf` is included.
    #[serde(default = "default_config_dir", skip_serializing_if = "is_default_config_dir")]
    pub config_dir: String,
    /// What of Slurm is written; none: all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owns: Option<Vec<SlurmPart>>,
    /// How slurmd finds its GPUs.
    #[serde(default, skip_serializing_if = "Autodetect::is_off")]
    pub autodetect: Autodetect,
    /// Slurm on Kubernetes: by which operator.
    #[serde(default, skip_serializing_if = "Operator::is_none")]
    pub operator: Operator,
    /// Where the operator's objects live.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kubernetes: Option<Address>,
    /// How elastic hosts are made and removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power: Option<Power>,
}

pub(super) fn default_config_dir() -> String {
    String::from("/etc/slurm")
}

fn is_default_config_dir(folder: &str) -> bool {
    folder == "/etc/slurm"
}

/// A part of Slurm that a fleet writes or leaves to the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum SlurmPart {
    Nodes,
    Partitions,
    Gres,
    Topology,
    Accounts,
    Globals,
    JobSubmit,
    TaskProlog,
}

/// `AutoDetect=` of gres.conf.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Autodetect {
    /// `File=` lines instead.
    #[default]
    Off,
    /// NVIDIA's management library.
    Nvml,
    /// NVIDIA without its library, from Slurm 24.11.
    Nvidia,
    /// AMD's ROCm.
    Rsmi,
    /// Intel's oneAPI.
    Oneapi,
}

impl Autodetect {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_off(&self) -> bool {
        *self == Self::Off
    }
}

/// Who runs Slurm on Kubernetes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operator {
    /// Nobody: plain hosts.
    #[default]
    None,
    /// SchedMD's operator.
    Slinky,
    /// Nebius's operator.
    Soperator,
}

impl Operator {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_none(&self) -> bool {
        *self == Self::None
    }
}

/// How Slurm makes and removes elastic hosts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Power {
    /// `ResumeProgram`, an absolute path.
    pub resume: String,
    /// `SuspendProgram`, an absolute path.
    pub suspend: String,
    /// `ResumeTimeout`.
    pub resume_timeout: Duration,
    /// `SuspendTimeout`.
    pub suspend_timeout: Duration,
    /// Until a job whose host did not come is tried again.
    pub requeue_delay: Duration,
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
