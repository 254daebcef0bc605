//! The kinds of targets that this build knows. The only place that names them.

use poolwright_model::fleet;
use poolwright_target::Target;

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
    }
}
