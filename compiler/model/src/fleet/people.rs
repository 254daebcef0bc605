//! Tenants, classes and queues (LANGUAGE §3.4).

use std::collections::BTreeMap;

use poolwright_expression::Number;
use poolwright_expression::quantity::{Bytes, Duration, Money, Pattern, Percent, Range, Version};
use serde::{Deserialize, Serialize};

use super::TierKind;
use crate::{Address, Meta};

/// A `tenant` block: who pays, and how much is theirs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tenant {
    /// The head.
    #[serde(default)]
    pub meta: Meta,
    /// Kubernetes namespaces, on each cluster that its queues reach; `["*"]`: everybody.
    #[serde(default)]
    pub namespaces: Vec<String>,
    /// Slurm accounts; `["*"]`: everybody.
    #[serde(default)]
    pub accounts: Vec<String>,
    /// Groups that may submit.
    #[serde(default)]
    pub groups: Vec<String>,
    /// Fair share.
    pub weight: Number,
    /// Money/time.
    #[serde(default)]
    pub budget: Option<Money>,
    /// GPUs over everything at once.
    #[serde(default)]
    pub max_gpus: Option<u64>,
    /// What is theirs.
    #[serde(default)]
    pub quotas: Vec<Quota>,
    /// Name of a registry secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pull_secret: Option<String>,
}

/// What of a pool is a tenant's (LANGUAGE §4.3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quota {
    /// The pool, or one lot of it.
    pub pool: Address,
    /// Physical GPUs, or a share of the pool.
    #[serde(default)]
    pub gpus: Option<GpuAmount>,
    /// CPUs; in proportion to the GPUs if absent.
    #[serde(default)]
    pub cpus: Option<Number>,
    /// Memory; in proportion if absent.
    #[serde(default)]
    pub memory: Option<Bytes>,
    /// GPUs above the guarantee.
    pub borrow: Borrow,
    /// GPUs that others may use while they are idle.
    pub lend: Borrow,
    /// Countable things, by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tokens: BTreeMap<String, u64>,
    /// Who writes which of its limits: with a value they are set at creation only, without one never.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub foreign: BTreeMap<String, String>,
}

/// GPUs as a number or as a share of the pool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum GpuAmount {
    /// So many.
    Gpus(u64),
    /// So much of the pool, rounded down.
    Share(Percent),
}

/// A limit in GPUs, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Borrow {
    /// At most so many.
    Gpus(u64),
    /// `"all"`: no limit.
    All(All),
}

impl Borrow {
    /// No limit.
    pub const ALL: Self = Self::All(All::All);

    /// The limit, if there is one.
    #[must_use]
    pub fn limit(self) -> Option<u64> {
        if let Self::Gpus(gpus) = self { Some(gpus) } else { None }
    }
}

/// The word `"all"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum All {
    /// `"all"`
    All,
}

/// A `class` block: a kind of work and its rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Class {
    /// The head.
    #[serde(default)]
    pub meta: Meta,
    /// What kind of work.
    pub kind: ClassKind,
    /// 0 to 65533.
    pub priority: u32,
    /// Whom its jobs evict.
    pub preempts: Preempts,
    /// What becomes of its jobs when they are evicted.
    pub when_preempted: WhenPreempted,
    /// Where it may run; empty: anywhere.
    #[serde(default)]
    pub tiers: Vec<TierKind>,
    /// Regions where it may run; empty: any.
    #[serde(default)]
    pub regions: Vec<Pattern>,
    /// Image by vendor.
    #[serde(default)]
    pub images: BTreeMap<String, String>,
    /// Limits of one job.
    #[serde(default)]
    pub limits: JobLimits,
    /// How it saves its work.
    #[serde(default)]
    pub checkpoint: Option<Checkpoint>,
    /// Tries after a failure; disruptions do not count.
    pub retries: u32,
    /// How close its hosts must be.
    #[serde(default)]
    pub topology: Option<ClassTopology>,
    /// Routes must end in capacity that cannot be taken away.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guaranteed: bool,
    /// The key of `pool.throughput` that counts its work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<String>,
    /// What its images need at least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cuda: Option<Version>,
    /// Stores of data and checkpoints that it needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stores: Vec<String>,
    /// Its results must not depend on hardware: every step has the same accelerator.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub same_model: bool,
    /// Where the pods of a role may run, by role.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub roles: BTreeMap<String, Role>,
}

/// Where the pods of a role may run: the head of a Ray cluster on stable capacity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Role {
    /// How its capacity may be bought; empty: as the class says.
    #[serde(default)]
    pub tiers: Vec<TierKind>,
    /// Which pools or lots; empty: those of the queue.
    #[serde(default)]
    pub pools: Vec<Address>,
}

/// Kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum ClassKind {
    Training,
    Batch,
    Inference,
    Interactive,
}

/// Whom a class's jobs evict (LANGUAGE §4.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preempts {
    /// Nobody.
    Nobody,
    /// Lower priority.
    Lower,
    /// Lower priority, or equal and younger.
    LowerOrNewer,
}

/// What becomes of an evicted job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WhenPreempted {
    /// Requeue, cancel, or never evict.
    pub action: PreemptAction,
    /// Time between the signal and the end.
    pub grace: Duration,
    /// Younger jobs are safe.
    pub exempt: Duration,
}

/// What becomes of an evicted job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum PreemptAction {
    Requeue,
    Cancel,
    Never,
}

/// Limits of one job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JobLimits {
    /// GPUs of one job.
    #[serde(default)]
    pub gpus: Option<Range>,
    /// Nodes of one job.
    #[serde(default)]
    pub nodes: Option<Range>,
    /// How long it may run.
    #[serde(default)]
    pub run_time: Option<Duration>,
    /// How long it may wait before it fails.
    #[serde(default)]
    pub wait: Option<Duration>,
}

/// How a job saves its work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Between the starts of two checkpoints.
    pub every: Duration,
    /// Time that writing one blocks the job.
    pub write: Duration,
    /// Time to start again from one.
    pub restore: Duration,
}

/// How close a job's hosts must be: a level of the pool's fabric.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassTopology {
    /// Must share a domain of this level.
    #[serde(default)]
    pub require: Option<String>,
    /// Should share one.
    #[serde(default)]
    pub prefer: Option<String>,
}

/// A `queue` block: a name that people submit to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Queue {
    /// The head.
    #[serde(default)]
    pub meta: Meta,
    /// Class of jobs that say nothing.
    pub class: Address,
    /// Other classes that a job may ask for.
    #[serde(default)]
    pub allow: Vec<Address>,
    /// Who may submit.
    pub tenants: Vec<Address>,
    /// One place; empty with a route.
    #[serde(default)]
    pub pools: Vec<Address>,
    /// A ladder of places.
    #[serde(default)]
    pub route: Option<Address>,
    /// Where jobs enter when the route reaches several clusters.
    #[serde(default)]
    pub entry: Option<Address>,
    /// Whether a job that fits may overtake one that does not.
    pub discipline: Discipline,
    /// Whether it admits.
    pub hold: Hold,
    /// For jobs that name no queue.
    #[serde(default)]
    pub default: bool,
    /// Slurm: not shown.
    #[serde(default)]
    pub hidden: bool,
    /// Who may not submit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deny: Vec<Address>,
    /// Token pools that its jobs draw on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<Address>,
    /// One queue for all tenants: their quotas do not apply, its own do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shared: bool,
    /// What of its pools is its own; only with `shared`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quotas: Vec<Quota>,
    /// A twin for those who maintain the nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maintenance: Option<Maintenance>,
    /// A share of its jobs that takes another route.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trial: Option<Trial>,
}

/// A queue's twin `<name>--maint`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Maintenance {
    /// Whether the queue is held and the twin open.
    pub active: bool,
    /// Who may submit to the twin.
    pub tenants: Vec<Address>,
}

/// A share of a queue's jobs that takes another route.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// The other route.
    pub route: Address,
    /// Of the jobs, by job id.
    pub share: Percent,
}

/// Order inside a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Discipline {
    BestEffort,
    Strict,
}

/// Whether a queue admits jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hold {
    /// It does.
    None,
    /// It admits nothing.
    Hold,
    /// It admits nothing and evicts what runs.
    Drain,
}
