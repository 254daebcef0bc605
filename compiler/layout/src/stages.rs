//! Stages (LANGUAGE §4.4): what a queue's ladder makes on each cluster.

use std::collections::BTreeSet;

use poolwright_model::fleet::Step;
use poolwright_model::{Address, Fleet};

use crate::flavors::Flavors;

/// One stage of a queue on one cluster: a ClusterQueue per tenant, or a partition.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stage {
    /// Its steps, by their place in the ladder; never empty.
    pub(crate) steps: Vec<usize>,
    /// The step whose name it carries; none for the first stage of a cluster.
    pub(crate) step: Option<(Address, String)>,
    /// Flavors in step, pool, lot order.
    pub(crate) flavors: Vec<usize>,
    /// Pools in the same order.
    pub(crate) pools: Vec<Address>,
}

/// The stages of a ladder on one cluster.
///
/// `together`: the cluster is one of several that a job is sent to. MultiKueue looks for the queue's one name there,
/// so all steps of the cluster are one stage, whatever their patience.
pub(crate) fn stages(
    flavors: &Flavors<'_>,
    ladder: &[Step],
    cluster: &Address,
    together: bool,
) -> Vec<Stage> {
    let mut stages: Vec<Stage> = Vec::new();
    // Whether the step before waits for nothing, so that the next one belongs to it.
    let mut joined = false;
    for (at, step) in ladder.iter().enumerate() {
        let here: Vec<Address> =
            step.pools.iter().filter(|pool| lies_in(flavors.fleet, pool, cluster)).cloned().collect();
        if here.is_empty() {
            // "Consecutive" is meant in the whole ladder.
            joined = false;
            continue;
        }
        let places = flavors.meant_by_all(&here);
        let pools = here.iter().map(Address::pool);
        match stages.last_mut() {
            Some(stage) if joined || together => {
                stage.steps.push(at);
                extend_once(&mut stage.flavors, places);
                extend_once(&mut stage.pools, pools);
            }
            last => {
                let step = last.map(|_| (step.meta.address.clone(), step.meta.name.clone()));
                let mut stage = Stage { steps: vec![at], step, flavors: places, pools: Vec::new() };
                extend_once(&mut stage.pools, pools);
                stages.push(stage);
            }
        }
        joined = no_patience(step);
    }
    stages
}

/// Whether a step is joined to the next one by `for = "0s"`.
pub(crate) fn no_patience(step: &Step) -> bool {
    step.patience.as_ref().is_some_and(|patience| patience.0.is_zero())
}

/// Whether a pool or lot lies in a cluster.
pub(crate) fn lies_in(fleet: &Fleet, pool_or_lot: &Address, cluster: &Address) -> bool {
    fleet.pools.get(&pool_or_lot.pool()).is_some_and(|pool| pool.cluster == *cluster)
}

fn extend_once<T: Ord + Clone>(list: &mut Vec<T>, more: impl IntoIterator<Item = T>) {
    let mut seen: BTreeSet<T> = list.iter().cloned().collect();
    for item in more {
        if seen.insert(item.clone()) {
            list.push(item);
        }
    }
}
