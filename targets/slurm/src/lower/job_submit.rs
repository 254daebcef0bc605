//! JobSubmit: the table behind job_submit.lua, which gives jobs the QoS of their queue and keeps users out of later
//! stages.

use std::collections::BTreeSet;

use poolwright_diagnostics::Diagnostic;
use poolwright_model::fleet::{Class, Queue, TopologyLayout};
use poolwright_model::layout::{Mechanism, SlurmPartition};
use poolwright_model::{Address, Meta};
use serde_json::{Map, Value, json};

use super::Lowering;
use super::nodes::Nodes;
use crate::{codes, lua};

impl<'a> Lowering<'a> {
    /// The one JobSubmit, where something needs it; gives whether something does.
    pub(super) fn job_submit(&mut self, nodes: &[Nodes<'a>]) -> bool {
        let cluster = self.cluster;
        let mut rules = Map::new();
        let mut needed = self.slurm.accounting;
        for partition in &cluster.partitions {
            let Some(queue) = self.fleet().queues.get(&partition.queue) else { continue };
            let Some(class) = self.fleet().classes.get(&queue.class) else { continue };
            let rule = self.rule(partition, queue, class, nodes);
            needed |= partition.step.is_some() || rule.contains_key("within");
            rules.insert(partition.name.clone(), Value::Object(rule));
        }
        if !needed || rules.is_empty() {
            return false;
        }
        let meta = self.target_meta();
        let mut object = self.object("JobSubmit", "job_submit", meta);
        for partition in &cluster.partitions {
            object.after(self.address_of("Partition", &partition.name));
        }
        object.set("Partitions", rules, meta.origin.header);
        object.set("Script", lua::script_digest(), meta.origin.header);
        self.push(object);
        true
    }

    /// What the script knows of one partition; a key that is not there does not apply.
    fn rule(
        &mut self,
        partition: &'a SlurmPartition,
        queue: &'a Queue,
        class: &'a Class,
        nodes: &[Nodes<'a>],
    ) -> Map<String, Value> {
        let mut rule = Map::new();
        rule.insert("queue".to_owned(), json!(queue.meta.name));
        if let Some(qos) = self.qos_of(&queue.class).filter(|_| self.slurm.accounting) {
            rule.insert("class".to_owned(), json!(qos));
            let allowed: Vec<&str> = queue.allow.iter().filter_map(|class| self.qos_of(class)).collect();
            if !allowed.is_empty() {
                rule.insert("allow".to_owned(), json!(allowed));
            }
        }
        if partition.step.is_some() {
            rule.insert("later".to_owned(), json!(true));
        }
        let ladder = self.ladder(queue);
        if partition.step.is_none() && ladder.len() > 1 {
            rule.insert("open".to_owned(), json!(ladder));
        }
        let lots = self.lots_of(partition);
        let mut types: Vec<&str> = nodes
            .iter()
            .filter(|nodes| lots.contains(&&nodes.lot.meta.address))
            .flat_map(|nodes| nodes.devices.iter().map(|device| device.gres_type))
            .collect();
        types.sort_unstable();
        types.dedup();
        if !types.is_empty() {
            rule.insert("gpus".to_owned(), json!(types));
        }
        if self.slurm.accounting && self.cluster.accounts.iter().any(|account| !account.caps.is_empty()) {
            rule.insert("capped".to_owned(), json!(true));
        }
        if let Some(within) = self.within(partition, queue, class) {
            rule.insert("within".to_owned(), json!(within));
        }
        rule
    }

    /// Partitions of a queue in the order of its steps, where all of them are opened at once.
    fn ladder(&self, queue: &Queue) -> Vec<&'a str> {
        let Some(route) = &queue.route else { return Vec::new() };
        let at_once = self.input.layout.routes.iter().any(|fidelity| {
            fidelity.route == *route
                && fidelity.target == self.target_meta().address
                && fidelity.mechanism == Mechanism::AllPartitions
        });
        if !at_once {
            return Vec::new();
        }
        let steps = self.fleet().ladder(queue);
        let mut stages: Vec<(Option<usize>, &'a str)> = self
            .cluster
            .partitions
            .iter()
            .filter(|partition| partition.queue == queue.meta.address)
            .map(|partition| {
                let at = partition.step.as_ref();
                let place = at.and_then(|at| steps.iter().position(|step| step.meta.address == *at));
                (place, partition.name.as_str())
            })
            .collect();
        stages.sort_unstable();
        stages.into_iter().map(|(_, name)| name).collect()
    }

    /// Hosts of one domain that a job has to stay in; 0: their number is not known.
    fn within(&mut self, partition: &'a SlurmPartition, queue: &Queue, class: &'a Class) -> Option<u32> {
        let level = class.topology.as_ref()?.require.as_ref()?;
        let span = class.meta.origin.of("topology.require");
        let place = self.finest_level(&partition.pools);
        if place.as_ref().is_some_and(|place| place.coarsest == level && place.finest.name != *level) {
            // A domain of the coarsest level is a root, and no job spans two.
            return None;
        }
        let tree = partition.pools.iter().all(|pool| {
            let fabric = self.fleet().pools.get(pool).and_then(|pool| pool.fabric.as_ref());
            fabric
                .and_then(|fabric| self.fleet().fabrics.get(fabric))
                .is_some_and(|fabric| fabric.layout == TopologyLayout::Tree)
        });
        match place {
            Some(place) if place.finest.name == *level && tree => {
                self.report(
                    Diagnostic::warning(
                        codes::LEVEL,
                        format!("Slurm keeps jobs of class `{}` within one {level} only for `max_switch_wait`", class.meta.name),
                    )
                    .at(span, "required")
                    .also(queue.meta.origin.header, "by jobs of this queue")
                    .with_note("`--switches=1` is given up after SchedulerParameters=max_switch_wait, 300 s if not set")
                    .with_help("set it high in the site's slurm.conf: `max_switch_wait=31536000`"),
                );
                Some(place.nodes.unwrap_or(0))
            }
            _ => {
                self.report(
                    Diagnostic::error(
                        codes::LEVEL,
                        format!("Slurm cannot keep jobs of class `{}` within one {level}", class.meta.name),
                    )
                    .at(span, "required")
                    .also(queue.meta.origin.header, "by jobs of this queue")
                    .with_note("`--switches` counts switches of the finest level of a tree")
                    .with_help("require the finest level, or `prefer` this one"),
                );
                None
            }
        }
    }

    /// The levels of the one fabric that all of some pools share, if it has switches.
    fn finest_level(&self, pools: &[Address]) -> Option<Levels<'a>> {
        let fleet = self.fleet();
        let fabrics: BTreeSet<_> =
            pools.iter().map(|pool| fleet.pools.get(pool).and_then(|pool| pool.fabric.as_ref())).collect();
        let mut fabrics = fabrics.into_iter();
        let (Some(fabric), None) = (fabrics.next()?, fabrics.next()) else { return None };
        let fabric = fleet.fabrics.get(fabric)?;
        let (coarsest, finest) = (fabric.levels.first()?, fabric.levels.last()?);
        (!fabric.switches.is_empty()).then_some(Levels {
            coarsest: &coarsest.meta.name,
            finest: &finest.meta,
            nodes: finest.nodes,
        })
    }
}

/// The ends of a fabric's levels.
struct Levels<'a> {
    coarsest: &'a str,
    finest: &'a Meta,
    /// Hosts of one finest domain at most.
    nodes: Option<u32>,
}
