//! The kinds of targets that this build knows. The only place that names them.

use poolwright_model::resource::{File, Observed};
use poolwright_model::{Resource, fleet};
use poolwright_target::{FileFault, Input, Lowered, Target};
use serde_json::Value;

static KUBERNETES: poolwright_target_kubernetes::Kubernetes = poolwright_target_kubernetes::Kubernetes;
static SLURM: poolwright_target_slurm::Slurm = poolwright_target_slurm::Slurm;
static AWS: poolwright_target_aws::Aws = poolwright_target_aws::Aws;
static ALIBABA: poolwright_target_alibaba::Alibaba = poolwright_target_alibaba::Alibaba;

/// The kind of a target.
#[must_use]
pub fn kind(target: &fleet::Target) -> &'static dyn Target {
    match target.kind {
        fleet::TargetKind::Kubernetes(_) => &KUBERNETES,
        fleet::TargetKind::Slurm(_) => &SLURM,
        fleet::TargetKind::Aws(_) => &AWS,
        fleet::TargetKind::Alibaba(_) => &ALIBABA,
        _ => &UNWRITTEN,
    }
}

static UNWRITTEN: Unwritten = Unwritten;

/// A kind to which this version writes nothing: it has no objects, so that nothing is ever asked of it.
struct Unwritten;

impl Target for Unwritten {
    fn kind(&self) -> &'static str {
        "unwritten"
    }

    fn support(&self, _: &fleet::Target) -> &'static str {
        "inventory-only"
    }

    fn lower(&self, _: Input<'_>) -> Lowered {
        Lowered::default()
    }

    fn to_files(&self, _: &fleet::Target, _: &str, _: &[Resource]) -> Vec<File> {
        Vec::new()
    }

    fn from_files(&self, _: &fleet::Target, _: &[File]) -> (Vec<Observed>, Vec<FileFault>) {
        (Vec::new(), Vec::new())
    }

    fn normalise(&self, _: &str, _: &mut Value) {}

    fn list_key(&self, _: &str, _: &str) -> Option<&'static str> {
        None
    }

    fn immutable(&self, _: &fleet::Target, _: &str, _: &str) -> Option<String> {
        None
    }
}
