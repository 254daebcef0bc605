//! Several fabrics on one cluster: what Slurm makes of hosts that no switch joins.
//!
//! One `topology.conf` describes them all, on every version. As a tree each fabric is a root, which is legal and means
//! that "no job will span leaf switches without a common parent (unless the TopologyParam=TopoOptional option is
//! used)" (Slurm, Topology Guide, "Hierarchical Networks"; topology.conf(5) 23.11 to 25.05 the same). Blocks have no
//! such border. The guide's advice is a partition for each network, and then nothing is lost. The `topology.yaml` of
//! Slurm 25.05 could name a topology for each partition; for fabrics that share no partition it would say no more.

use std::collections::BTreeSet;

use poolwright_diagnostics::Diagnostic;
use poolwright_model::fleet::{Fabric, TopologyLayout};
use poolwright_model::layout::SlurmPartition;

use super::Lowering;
use crate::codes;

impl<'a> Lowering<'a> {
    /// Says what becomes of fabrics that stand beside each other: `fabrics` are those of this cluster with switches.
    pub(super) fn beside_each_other(&mut self, fabrics: &[&'a Fabric]) {
        let Some(layout) = fabrics.first().map(|fabric| fabric.layout) else { return };
        let mut lost = false;
        for partition in &self.cluster.partitions {
            let here = self.fabrics_of(partition, fabrics);
            // Hosts in no block have a word of their own.
            let others = layout == TopologyLayout::Tree && self.has_free_hosts(partition, fabrics);
            if here.len() + usize::from(others) > 1 {
                self.in_one_partition(partition, &here, others, layout);
                lost = true;
            }
        }
        if !lost && let [first, rest @ ..] = fabrics {
            let Some(second) = rest.first() else { return };
            let mut note = Diagnostic::note(
                codes::SEVERAL_FABRICS,
                format!("{} stand beside each other on `{}`", names(fabrics), self.short),
            )
            .at(second.meta.origin.header, "nothing joins it with the other");
            for other in std::iter::once(first).chain(rest.iter().skip(1)) {
                note = note.also(other.meta.origin.header, "one of them");
            }
            self.report(
                note.with_note("no partition has hosts of two of them, so no job can span them")
                    .with_help("if switches do join them, describe one `fabric` with a switch above all"),
            );
        }
    }

    /// The fabrics whose hosts a partition has.
    fn fabrics_of(&self, partition: &SlurmPartition, fabrics: &[&'a Fabric]) -> Vec<&'a Fabric> {
        let pools = partition.pools.iter().filter_map(|pool| self.fleet().pools.get(pool));
        let named: BTreeSet<_> = pools.filter_map(|pool| pool.fabric.as_ref()).collect();
        fabrics.iter().copied().filter(|fabric| named.contains(&fabric.meta.address)).collect()
    }

    /// Whether a partition has hosts that hang on none of the fabrics' switches.
    fn has_free_hosts(&self, partition: &SlurmPartition, fabrics: &[&'a Fabric]) -> bool {
        let mut pools = partition.pools.iter().filter_map(|pool| self.fleet().pools.get(pool));
        pools.any(|pool| !fabrics.iter().any(|fabric| pool.fabric.as_ref() == Some(&fabric.meta.address)))
    }

    fn in_one_partition(
        &mut self,
        partition: &SlurmPartition,
        here: &[&'a Fabric],
        others: bool,
        layout: TopologyLayout,
    ) {
        let Some(queue) = self.fleet().queues.get(&partition.queue) else { return };
        let places = if queue.route.is_some() { "route" } else { "pools" };
        let beside = if others { " and hosts of none" } else { "" };
        let (what, note) = match layout {
            TopologyLayout::Tree => (
                "no job spans them",
                "no switch is above all: a job that only fits on them together never starts; `TopologyParam=TopoOptional` in the site's slurm.conf lifts this for jobs without `--switches`",
            ),
            TopologyLayout::Block => (
                "a job may span them",
                "one topology.conf has the blocks of all fabrics, and Slurm takes them for one network",
            ),
        };
        let mut warning = Diagnostic::warning(
            codes::SEVERAL_FABRICS,
            format!("partition `{}` has hosts of {}{beside}: {what}", partition.name, names(here)),
        )
        .at(queue.meta.origin.of(places), "its pools");
        for fabric in here {
            warning = warning.also(fabric.meta.origin.header, "a network of its own");
        }
        self.report(warning.with_note(note).with_help(
            "give each fabric a queue of its own, or a route with a patient step for each; if switches do join them, describe one `fabric` with a switch above all",
        ));
    }
}

/// ``fabrics `a`, `b` and `c` ``
fn names(fabrics: &[&Fabric]) -> String {
    let names: Vec<String> = fabrics.iter().map(|fabric| format!("`{}`", fabric.meta.name)).collect();
    match names.as_slice() {
        [] => "no fabric".to_owned(),
        [one] => format!("fabric {one}"),
        [most @ .., last] => format!("fabrics {} and {last}", most.join(", ")),
    }
}
