//! Across clusters (LANGUAGE §4.7): where the jobs of each queue go, and what is refused.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_model::fleet::{Queue, Step, Target, Tenant};
use poolwright_model::{Address, Fleet};

use crate::codes;
use crate::flavors::Flavors;
use crate::stages::{self, Stage};

/// The way of a queue's jobs.
pub(crate) struct Way<'a> {
    /// The queue.
    pub(crate) queue: &'a Queue,
    /// Its steps.
    pub(crate) ladder: Vec<Step>,
    /// Where they lead.
    pub(crate) place: Place,
    /// The stages on each cluster with pools of it.
    pub(crate) stages: BTreeMap<Address, Vec<Stage>>,
}

/// Where the jobs of a queue go.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Place {
    /// One Kubernetes cluster, with Kueue or with Volcano or KAI: submitted there.
    Kueue(Address),
    /// Several: submitted at the entry, sent to workers, which are in the order of the steps.
    Dispatch { entry: Address, workers: Vec<Address> },
    /// One Slurm cluster.
    Slurm(Address),
}

impl Way<'_> {
    /// Where jobs enter.
    pub(crate) fn entry(&self) -> &Address {
        match &self.place {
            Place::Kueue(cluster) | Place::Slurm(cluster) => cluster,
            Place::Dispatch { entry, .. } => entry,
        }
    }

    /// The entry and every cluster with pools of it, each once.
    pub(crate) fn clusters(&self) -> BTreeSet<&Address> {
        self.stages.keys().chain([self.entry()]).collect()
    }

    /// Where an attribute of a step was written; a queue without a route is its own only step.
    pub(crate) fn step_span(&self, step: &Step, path: &str) -> Span {
        if self.queue.route.is_some() { step.meta.origin.of(path) } else { self.queue.meta.origin.of(path) }
    }

    /// The tenants of the queue.
    pub(crate) fn tenants<'f>(&self, fleet: &'f Fleet) -> Vec<&'f Tenant> {
        let mut seen = BTreeSet::new();
        let once = self.queue.tenants.iter().filter(|tenant| seen.insert(*tenant));
        once.filter_map(|tenant| fleet.tenants.get(tenant)).collect()
    }

    /// Classes of its jobs: its own first, then what they may ask for.
    pub(crate) fn classes(&self) -> impl Iterator<Item = &Address> {
        [&self.queue.class].into_iter().chain(&self.queue.allow)
    }
}

/// The ways of all queues that can have one, by queue.
pub(crate) fn ways<'a>(flavors: &Flavors<'a>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Way<'a>> {
    let fleet: &'a Fleet = flavors.fleet;
    let mut ways = Vec::new();
    for queue in fleet.queues.values() {
        let ladder = fleet.ladder(queue);
        let Some(place) = place(fleet, queue, &ladder, diagnostics) else { continue };
        let (clusters, together): (Vec<&Address>, bool) = match &place {
            Place::Kueue(cluster) | Place::Slurm(cluster) => (vec![cluster], false),
            Place::Dispatch { workers, .. } => (workers.iter().collect(), true),
        };
        let stages = clusters
            .into_iter()
            .map(|cluster| (cluster.clone(), stages::stages(flavors, &ladder, cluster, together)))
            .collect();
        ways.push(Way { queue, ladder, place, stages });
    }
    ways
}

/// What schedules jobs on a target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scheduler {
    Kueue,
    Slurm,
    /// Volcano or KAI.
    Batch,
    Nothing,
}

fn scheduler(target: Option<&Target>) -> Scheduler {
    match target {
        Some(target) if target.slurm().is_some() => Scheduler::Slurm,
        Some(target) if target.kubernetes().is_some_and(|cluster| cluster.kueue.is_some()) => {
            Scheduler::Kueue
        }
        Some(target)
            if target
                .kubernetes()
                .is_some_and(|cluster| cluster.volcano.is_some() || cluster.kai.is_some()) =>
        {
            Scheduler::Batch
        }
        _ => Scheduler::Nothing,
    }
}

/// A cluster that a queue reaches: which, by which pool, and where that pool was named.
struct Reached<'a> {
    cluster: &'a Address,
    pool: &'a Address,
    span: Span,
}

/// The clusters of a ladder in the order of its steps, each once.
fn reached<'a>(fleet: &'a Fleet, queue: &Queue, ladder: &[Step]) -> Vec<Reached<'a>> {
    let mut seen = BTreeSet::new();
    let mut clusters = Vec::new();
    for step in ladder {
        let origin = if queue.route.is_some() { &step.meta.origin } else { &queue.meta.origin };
        for (at, named) in step.pools.iter().enumerate() {
            let Some((pool, found)) = fleet.pools.get_key_value(&named.pool()) else { continue };
            if seen.insert(&found.cluster) {
                let span = origin.of(&format!("pools[{at}]"));
                clusters.push(Reached { cluster: &found.cluster, pool, span });
            }
        }
    }
    clusters
}

fn place(fleet: &Fleet, queue: &Queue, ladder: &[Step], diagnostics: &mut Vec<Diagnostic>) -> Option<Place> {
    let clusters = reached(fleet, queue, ladder);
    let name = &queue.meta.address;
    let of = |kind: Scheduler| -> Vec<&Reached<'_>> {
        clusters.iter().filter(|reached| scheduler(fleet.targets.get(reached.cluster)) == kind).collect()
    };
    let (kueue, slurm, nothing) = (of(Scheduler::Kueue), of(Scheduler::Slurm), of(Scheduler::Nothing));
    let batch = of(Scheduler::Batch);
    let all = |diagnostic: Diagnostic, parts: &[&Reached<'_>]| {
        parts.iter().enumerate().fold(diagnostic, |diagnostic, (at, reached)| {
            let text = format!("`{}` lies in {}", reached.pool, reached.cluster);
            if at == 0 { diagnostic.at(reached.span, text) } else { diagnostic.also(reached.span, text) }
        })
    };
    if !nothing.is_empty() {
        let diagnostic = Diagnostic::error(
            codes::NO_SCHEDULER,
            format!("nothing schedules the jobs of `{name}` on one of its clusters"),
        );
        let mut diagnostic = all(diagnostic, &nothing);
        for target in nothing.iter().filter_map(|reached| fleet.targets.get(reached.cluster)) {
            diagnostic = diagnostic.also(target.meta.origin.header, "has no `kueue`");
        }
        diagnostics.push(diagnostic.with_help("say which Kueue is there: kueue = { version = \"0.17\" }"));
        return None;
    }
    if let [first, ..] = batch.as_slice()
        && clusters.len() > 1
    {
        let other = clusters.iter().find(|other| other.cluster != first.cluster);
        let message = format!("`{name}` reaches a cluster with Volcano or KAI, and another one");
        let parts: Vec<&Reached<'_>> = std::iter::once(*first).chain(other).collect();
        diagnostics.push(
            all(Diagnostic::error(codes::BATCH_AND_OTHERS, message), &parts)
                .with_note("neither takes jobs from other clusters, nor gives them on")
                .with_help("write a queue for each cluster"),
        );
        return None;
    }
    if let [only] = batch.as_slice() {
        return Some(Place::Kueue(only.cluster.clone()));
    }
    if let [first, ..] = kueue.as_slice()
        && let [other, ..] = slurm.as_slice()
    {
        let message =
            format!("`{name}` reaches Slurm and Kubernetes; a batch script and a manifest are not one job");
        diagnostics
            .push(all(Diagnostic::error(codes::SLURM_AND_KUBERNETES, message), &[*first, *other]).with_help(
                "write two queues; they may share a `name`, since they live on different targets",
            ));
        return None;
    }
    if slurm.len() > 1 {
        let message = format!(
            "`{name}` reaches {} Slurm clusters; a job cannot move between them with a deadline",
            slurm.len()
        );
        diagnostics.push(
            all(Diagnostic::error(codes::SEVERAL_SLURM, message), &slurm)
                .with_help("write a queue for each cluster"),
        );
        return None;
    }
    if queue.route.is_none() && kueue.len() > 1 {
        let message = format!("the `pools` of `{name}` lie in {} clusters", kueue.len());
        diagnostics.push(
            all(Diagnostic::error(codes::POOLS_IN_SEVERAL_CLUSTERS, message), &kueue)
                .with_help("say in which order they are tried: write a `route` with a step for each"),
        );
        return None;
    }
    let entry_span = queue.meta.origin.of("entry");
    match (kueue.as_slice(), slurm.as_slice()) {
        ([], []) => None,
        ([only], []) | ([], [only]) => {
            if let Some(entry) = queue.entry.as_ref().filter(|entry| *entry != only.cluster) {
                diagnostics.push(
                    Diagnostic::error(
                        codes::ENTRY_UNUSED,
                        format!("jobs of `{name}` never enter at {entry}"),
                    )
                    .at(
                        entry_span,
                        format!("all its pools lie in {}: jobs are submitted there", only.cluster),
                    )
                    .with_help("remove `entry`; it is for routes that reach several clusters"),
                );
                return None;
            }
            let cluster = only.cluster.clone();
            Some(if slurm.is_empty() { Place::Kueue(cluster) } else { Place::Slurm(cluster) })
        }
        _ => dispatch(fleet, queue, ladder, &kueue, diagnostics),
    }
}

/// Several Kueue clusters: MultiKueue with a manager at the entry.
fn dispatch(
    fleet: &Fleet,
    queue: &Queue,
    ladder: &[Step],
    kueue: &[&Reached<'_>],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Place> {
    let name = &queue.meta.address;
    let entry_span = queue.meta.origin.of("entry");
    let workers: Vec<Address> = kueue.iter().map(|reached| reached.cluster.clone()).collect();
    let apart = steps_apart(fleet, queue, ladder, &workers, diagnostics);
    let Some(entry) = &queue.entry else {
        let mut diagnostic = Diagnostic::error(
            codes::ENTRY_MISSING,
            format!("`{name}` reaches {} clusters and does not say where jobs enter", workers.len()),
        )
        .at(queue.meta.origin.header, "has no `entry`");
        for reached in kueue {
            diagnostic =
                diagnostic.also(reached.span, format!("`{}` lies in {}", reached.pool, reached.cluster));
        }
        diagnostics.push(
            diagnostic.with_help("set `entry` to a Kubernetes cluster with Kueue that is none of these"),
        );
        return None;
    };
    let target = fleet.targets.get(entry);
    if let Some(worker) = kueue.iter().find(|reached| reached.cluster == entry) {
        diagnostics.push(
            Diagnostic::error(
                codes::ENTRY_IS_WORKER,
                format!("jobs of `{name}` enter at {entry} and are sent to it"),
            )
            .at(entry_span, "jobs enter here")
            .also(worker.span, format!("`{}` lies there", worker.pool))
            .with_note("the manager of MultiKueue cannot be its own worker")
            .with_help("name a cluster that has none of the route's pools"),
        );
        return None;
    }
    if scheduler(target) != Scheduler::Kueue {
        let mut diagnostic = Diagnostic::error(
            codes::ENTRY_WITHOUT_KUEUE,
            format!("jobs of `{name}` cannot enter at {entry}"),
        )
        .at(entry_span, "is no Kubernetes cluster with Kueue");
        if let Some(target) = target {
            diagnostic = diagnostic.also(target.meta.origin.header, "declared here");
        }
        diagnostics.push(diagnostic.with_help("name a target.kubernetes with `kueue`"));
        return None;
    }
    (!apart).then(|| Place::Dispatch { entry: entry.clone(), workers })
}

/// Steps on the same worker must be neighbours: whether some are not.
fn steps_apart(
    fleet: &Fleet,
    queue: &Queue,
    ladder: &[Step],
    workers: &[Address],
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let mut apart = false;
    for worker in workers {
        let here = |step: &Step| step.pools.iter().any(|pool| stages::lies_in(fleet, pool, worker));
        let on: Vec<usize> =
            ladder.iter().enumerate().filter(|(_, step)| here(step)).map(|(at, _)| at).collect();
        for pair in on.windows(2) {
            let [a, b] = pair else { continue };
            if a + 1 == *b {
                continue;
            }
            let (Some(first), Some(second)) = (ladder.get(*a), ladder.get(*b)) else { continue };
            apart = true;
            diagnostics.push(
                Diagnostic::error(
                    codes::STEPS_APART,
                    format!("steps \"{}\" and \"{}\" of `{}` lead to {worker}, but are not neighbours", first.meta.name, second.meta.name, queue.meta.address),
                )
                .at(second.meta.origin.of("pools"), "comes back to the cluster")
                .also(first.meta.origin.of("pools"), "was there before")
                .with_note("a job that has been sent to a worker waits there in one queue; the steps between could not come between")
                .with_help("put the two steps next to each other"),
            );
        }
    }
    apart
}
