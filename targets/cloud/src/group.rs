//! One node group with everything that its objects are made of.

use std::collections::BTreeMap;

use poolwright_diagnostics::{Code, Diagnostic, Span};
use poolwright_model::Resource;
use poolwright_model::fleet::{CloudTarget, Fabric, Lot, Pool, Target, TargetKind, Tier};
use poolwright_model::layout::NodeGroup;
use poolwright_target::{Input, Lowered};
use rayon::prelude::*;

/// A node group of the layout with the blocks that it comes from.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    /// All that a lowering may look at.
    pub input: Input<'a>,
    /// The attributes of the target that makes it.
    pub cloud: &'a CloudTarget,
    /// What the layout says of it.
    pub layout: &'a NodeGroup,
    /// Its pool.
    pub pool: &'a Pool,
    /// Its lot.
    pub lot: &'a Lot,
    /// How its nodes are bought.
    pub tier: &'a Tier,
    /// What joins its nodes, if anything does.
    pub fabric: Option<&'a Fabric>,
}

/// Who changes the number of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeOwner {
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
    /// As plans and ownership spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Poolwright => "poolwright",
            Self::ClusterAutoscaler => "cluster-autoscaler",
            Self::Slurm => "slurm",
            Self::External => "external",
        }
    }
}

/// All groups of one target. `dangling` is the code for one that names what the fleet does not have.
pub fn groups<'a>(
    input: Input<'a>,
    cloud: &'a CloudTarget,
    dangling: Code,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Group<'a>> {
    let layouts = input.layout.groups.get(&input.target.meta.address).map_or(&[][..], Vec::as_slice);
    let mut groups = Vec::with_capacity(layouts.len());
    for layout in layouts {
        match Group::of(input, cloud, layout) {
            Some(group) => groups.push(group),
            None => diagnostics.push(
                Diagnostic::error(
                    dangling,
                    format!("the node group `{}` has no pool, lot, tier or zone", layout.name),
                )
                .at(input.target.meta.origin.header, "on this target")
                .with_help("this is a fault of Poolwright: please report it with the files that show it"),
            ),
        }
    }
    groups
}

/// Lowers groups side by side: none knows of another. Objects by address, diagnostics by place.
pub fn lower_each<'a>(
    groups: &[Group<'a>],
    lower: impl Fn(&Group<'a>, &mut Vec<Diagnostic>) -> Vec<Resource> + Sync,
) -> Lowered {
    let lowered: Vec<Lowered> = groups
        .par_iter()
        .map(|group| {
            let mut diagnostics = Vec::new();
            Lowered { resources: lower(group, &mut diagnostics), diagnostics }
        })
        .collect();
    let mut all = Lowered::default();
    for one in lowered {
        all.resources.extend(one.resources);
        all.diagnostics.extend(one.diagnostics);
    }
    all.resources.sort_by(|a, b| a.address.cmp(&b.address));
    Diagnostic::sort(&mut all.diagnostics);
    all
}

impl<'a> Group<'a> {
    fn of(input: Input<'a>, cloud: &'a CloudTarget, layout: &'a NodeGroup) -> Option<Self> {
        let (pool, lot) = input.fleet.lot(&layout.lot)?;
        let tier = input.fleet.tiers.get(&lot.tier)?;
        let fabric = pool.fabric.as_ref().and_then(|fabric| input.fleet.fabrics.get(fabric));
        let zones = layout.zones.iter().all(|zone| cloud.zones.contains_key(zone));
        zones.then_some(Self { input, cloud, layout, pool, lot, tier, fabric })
    }

    /// Its name on the cloud.
    #[must_use]
    pub fn name(&self) -> &'a str {
        &self.layout.name
    }

    /// The target that makes it.
    #[must_use]
    pub fn target(&self) -> &'a Target {
        self.input.target
    }

    /// The cluster that its nodes join.
    #[must_use]
    pub fn cluster(&self) -> Option<&'a Target> {
        self.input.fleet.targets.get(&self.pool.cluster)
    }

    /// Whether that is a Kubernetes cluster.
    #[must_use]
    pub fn kubernetes(&self) -> bool {
        self.cluster().is_some_and(|cluster| cluster.kubernetes().is_some())
    }

    /// Subnets or vSwitches of its zones, in the order of the zones.
    #[must_use]
    pub fn subnets(&self) -> Vec<&'a str> {
        self.layout.zones.iter().filter_map(|zone| self.cloud.zones.get(zone)).map(String::as_str).collect()
    }

    /// The most nodes; an open range has been refused before.
    #[must_use]
    pub fn most(&self) -> u64 {
        self.layout.nodes.max.unwrap_or(self.layout.nodes.min)
    }

    /// Whether its number of nodes may vary; a zone's part of an elastic lot may be a single number.
    #[must_use]
    pub fn elastic(&self) -> bool {
        self.most() != self.layout.nodes.min
    }

    /// Who changes its size.
    #[must_use]
    pub fn size_owner(&self) -> SizeOwner {
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

    /// Whether its objects are not to be destroyed.
    #[must_use]
    pub fn protected(&self) -> bool {
        self.pool.meta.protect || self.lot.meta.protect
    }

    /// Whether threads have to be switched off for one thread a core (LANGUAGE §3.3, `node`): the lot wants it, and
    /// not all of its types are made so.
    #[must_use]
    pub fn switches_off_threads(&self) -> bool {
        let provider = self.target().kind.as_str();
        let single = |name: &String| {
            poolwright_catalog::instance(provider, name)
                .is_some_and(|facts| facts.threads_per_core == Some(1))
        };
        self.lot.node.threads == Some(1) && !self.lot.instance_types.iter().all(single)
    }

    /// Labels that become tags: the fleet's, the target's, the pool's and the lot's, the nearest counting.
    #[must_use]
    pub fn labels(&self) -> BTreeMap<String, String> {
        let mut labels = self.input.fleet.labels_for(self.target(), &self.pool.meta);
        labels.extend(self.lot.meta.labels.clone());
        labels
    }

    /// Where an attribute of the lot was written: in the lot, else in its pool, else the lot itself.
    #[must_use]
    pub fn span(&self, attribute: &str) -> Span {
        let (lot, pool) = (&self.lot.meta.origin, &self.pool.meta.origin);
        if !lot.wrote(attribute) && pool.wrote(attribute) { pool.of(attribute) } else { lot.of(attribute) }
    }
}
