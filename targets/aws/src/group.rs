//! One node group with everything that its documents are made of.

use poolwright_diagnostics::Span;
use poolwright_model::fleet::{CloudTarget, Fabric, FabricKind, Lot, Pool, Target, TargetKind, Tier};
use poolwright_model::layout::NodeGroup;
use poolwright_target::Input;

use crate::user_data::Template;

/// A node group of the layout with the blocks that it comes from.
#[derive(Clone, Copy)]
pub(crate) struct Group<'a> {
    pub(crate) input: Input<'a>,
    pub(crate) cloud: &'a CloudTarget,
    pub(crate) layout: &'a NodeGroup,
    pub(crate) pool: &'a Pool,
    pub(crate) lot: &'a Lot,
    pub(crate) tier: &'a Tier,
    pub(crate) fabric: Option<&'a Fabric>,
    pub(crate) user_data: Option<&'a Template>,
}

/// Who changes the number of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SizeOwner {
    /// The fleet: the size is fixed.
    Poolwright,
    /// The Cluster Autoscaler of the pool's cluster.
    ClusterAutoscaler,
    /// Slurm's resume and suspend programs.
    Slurm,
    /// Nobody that the fleet knows of.
    External,
}

impl SizeOwner {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Poolwright => "poolwright",
            Self::ClusterAutoscaler => "cluster-autoscaler",
            Self::Slurm => "slurm",
            Self::External => "external",
        }
    }
}

impl<'a> Group<'a> {
    /// The group's name on AWS, of its launch template too.
    pub(crate) fn name(&self) -> &'a str {
        &self.layout.name
    }

    /// The target that makes it.
    pub(crate) fn target(&self) -> &'a Target {
        self.input.target
    }

    /// The cluster that its nodes join.
    pub(crate) fn cluster(&self) -> Option<&'a Target> {
        self.input.fleet.targets.get(&self.pool.cluster)
    }

    /// Whether that is a Kubernetes cluster.
    pub(crate) fn kubernetes(&self) -> bool {
        self.cluster().is_some_and(|cluster| cluster.kubernetes().is_some())
    }

    /// Whether its number of nodes may vary; a zone's part of an elastic lot may be a single number.
    pub(crate) fn elastic(&self) -> bool {
        self.layout.nodes.max != Some(self.layout.nodes.min)
    }

    /// Who changes its size.
    pub(crate) fn size_owner(&self) -> SizeOwner {
        if !self.elastic() {
            return SizeOwner::Poolwright;
        }
        match self.cluster().map(|cluster| &cluster.kind) {
            Some(TargetKind::Kubernetes(kubernetes)) if kubernetes.cluster_autoscaler.is_some() => {
                SizeOwner::ClusterAutoscaler
            }
            Some(TargetKind::Slurm(_)) => SizeOwner::Slurm,
            _ => SizeOwner::External,
        }
    }

    /// The fabric, if it is one of EFA interfaces.
    pub(crate) fn efa(&self) -> Option<&'a Fabric> {
        self.fabric.filter(|fabric| fabric.kind == FabricKind::Efa)
    }

    /// Where an attribute of the lot was written: in the lot, else in its pool, else the lot itself.
    pub(crate) fn span(&self, attribute: &str) -> Span {
        let (lot, pool) = (&self.lot.meta.origin, &self.pool.meta.origin);
        if !lot.wrote(attribute) && pool.wrote(attribute) { pool.of(attribute) } else { lot.of(attribute) }
    }
}
