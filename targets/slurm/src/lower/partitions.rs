//! Partitions, field by field (LANGUAGE §4.6).

use std::collections::BTreeMap;

use poolwright_diagnostics::Diagnostic;
use poolwright_model::Address;
use poolwright_model::fleet::{Class, Hold, PreemptAction, PreemptBy, Queue};
use poolwright_model::layout::SlurmPartition;

use super::nodes::Nodes;
use super::prices::Weights;
use super::{Lowering, Object};
use crate::codes;

impl<'a> Lowering<'a> {
    /// One Partition per queue and stage.
    pub(super) fn partitions(&mut self, nodes: &[Nodes<'a>], weights: &Weights) {
        let cluster = self.cluster;
        let mut names: BTreeMap<&str, &Address> = BTreeMap::new();
        let mut default: Option<&Queue> = None;
        for partition in &cluster.partitions {
            let Some(queue) = self.fleet().queues.get(&partition.queue) else {
                self.dangling(&format!("partition `{}`", partition.name), &partition.queue, None);
                continue;
            };
            let Some(class) = self.fleet().classes.get(&queue.class) else {
                self.dangling(&format!("queue `{}`", queue.meta.name), &queue.class, Some(&queue.meta));
                continue;
            };
            if !self.name_fits("queue", &partition.name, queue.meta.origin.of("name")) {
                continue;
            }
            if let Some(first) = names.insert(&partition.name, &partition.queue) {
                self.clash("partitions", &partition.name, &queue.meta, first);
            }
            if queue.default && partition.step.is_none() {
                if let Some(first) = default {
                    self.report(
                        Diagnostic::error(
                            codes::TWO_DEFAULTS,
                            format!(
                                "queues `{}` and `{}` are both the default",
                                first.meta.name, queue.meta.name
                            ),
                        )
                        .at(queue.meta.origin.of("default"), "the second default of this cluster")
                        .also(first.meta.origin.of("default"), "the first")
                        .with_note("Slurm would take the last one without a word")
                        .with_help("keep `default = true` on one of them"),
                    );
                }
                default = Some(queue);
            }
            self.partition(partition, queue, class, nodes, weights.get(&partition.name));
        }
    }

    fn partition(
        &mut self,
        partition: &'a SlurmPartition,
        queue: &'a Queue,
        class: &'a Class,
        nodes: &[Nodes<'a>],
        weights: Option<&BTreeMap<String, u64>>,
    ) {
        let (origin, class_origin) = (&queue.meta.origin, &class.meta.origin);
        let places = if queue.route.is_some() { "route" } else { "pools" };
        let mut object = self.object("Partition", &partition.name, &queue.meta);
        object.set("PartitionName", partition.name.as_str(), origin.header);
        if partition.node_sets.is_empty() {
            self.report(
                Diagnostic::error(codes::DANGLING, format!("partition `{}` has no hosts", partition.name))
                    .at(origin.of(places), "no pool of this cluster")
                    .with_note("Slurm accepts an empty partition, and its jobs wait for ever")
                    .with_help("name a pool that has hosts"),
            );
        }
        for set in &partition.node_sets {
            if self.cluster.node_sets.iter().any(|known| known.name == *set) {
                object.after(self.address_of("NodeSet", set));
            } else {
                self.dangling(
                    &format!("partition `{}`", partition.name),
                    &Address::new(set.as_str()),
                    Some(&queue.meta),
                );
            }
        }
        object.set("Nodes", partition.node_sets.clone(), origin.of(places));
        object.set("Default", queue.default && partition.step.is_none(), origin.of("default"));
        object.set("Hidden", queue.hidden, origin.of("hidden"));
        object.set("State", if queue.hold == Hold::None { "UP" } else { "DOWN" }, origin.of("hold"));
        if queue.hold == Hold::Drain {
            self.report(
                Diagnostic::warning(
                    codes::DRAIN,
                    format!("partition `{}` starts no jobs, and those that run go on", partition.name),
                )
                .at(origin.of("hold"), "drain ends running jobs too; files cannot")
                .with_help(format!(
                    "requeue them: `squeue -h -p {} -t R -o %A | xargs -r scontrol requeue`",
                    partition.name
                )),
            );
        }
        object.set("PriorityTier", class.priority, class_origin.of("priority"));
        if let Some(run_time) = &class.limits.run_time {
            let (what, span) = (run_time_of(class), class_origin.of("limits.run_time"));
            if let Some(limit) = self.minutes(&what, run_time, span) {
                object.set("MaxTime", limit, span);
            }
        }
        if self.slurm.preempt_by == PreemptBy::Tier {
            object.set("PreemptMode", preempt_mode(class), class_origin.of("when_preempted.action"));
            let (what, span) = (grace_of(class), class_origin.of("when_preempted.grace"));
            if let Some(grace) = self.grace(&what, &class.when_preempted.grace, span) {
                object.set("GraceTime", grace, span);
            }
        }
        let groups = |object: &mut Object| {
            if !partition.groups.is_empty() {
                object.set("AllowGroups", partition.groups.clone(), origin.of("tenants"));
            }
        };
        groups(&mut object);
        if self.slurm.accounting {
            if !partition.accounts.is_empty() {
                object.set("AllowAccounts", partition.accounts.clone(), origin.of("tenants"));
            }
            let mut allowed = Vec::new();
            for class in std::iter::once(&queue.class).chain(&queue.allow) {
                match self.qos_of(class) {
                    Some(qos) => {
                        object.after(self.address_of("Qos", qos));
                        allowed.push(qos.to_owned());
                    }
                    None => self.dangling(&format!("queue `{}`", queue.meta.name), class, Some(&queue.meta)),
                }
            }
            object.set("AllowQos", allowed, origin.of("allow"));
        }
        if let Some(weights) = weights {
            let span = nodes
                .iter()
                .find(|nodes| partition.pools.contains(&nodes.pool.meta.address))
                .map_or(origin.header, |nodes| nodes.lot.meta.origin.of("tier"));
            object.set("TRESBillingWeights", serde_json::json!(weights), span);
        }
        self.push(object);
    }

    /// The QoS of a class on this cluster.
    pub(super) fn qos_of(&self, class: &Address) -> Option<&'a str> {
        self.cluster.qos.iter().find(|qos| qos.class == *class).map(|qos| qos.name.as_str())
    }
}

/// `REQUEUE`, `CANCEL` or `OFF`: what becomes of a class's evicted jobs.
pub(super) fn preempt_mode(class: &Class) -> &'static str {
    match class.when_preempted.action {
        PreemptAction::Requeue => "REQUEUE",
        PreemptAction::Cancel => "CANCEL",
        PreemptAction::Never => "OFF",
    }
}

/// What a class's time limit is called where it is too long.
pub(super) fn run_time_of(class: &Class) -> String {
    format!("the run time of class `{}`", class.meta.name)
}

/// What a class's grace time is called where it is too long.
pub(super) fn grace_of(class: &Class) -> String {
    format!("the grace of class `{}`", class.meta.name)
}
