//! What an hour of spot capacity is worth: interruptions, checkpoints and lost work.
//!
//! Young–Daly: with a mean time M between interruptions of the job, checkpoints that start every T and block for C,
//! and R to start again, the useful share of the time is (T − C) ÷ ((M + R)·(e^(T÷M) − 1)) for interruptions that
//! come without memory (J. T. Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps",
//! 2006). This is an estimate, not money: floating point is right here, and the share is rounded to 6 decimals
//! before it touches a price.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_expression::Number;
use poolwright_model::Address;
use poolwright_model::fleet::{Class, Fleet, Lot, Pool, Tier, TierKind};

/// The useful share of the time, all in seconds; `None` when nothing useful is left.
#[must_use]
pub fn useful_fraction(mean: f64, every: f64, write: f64, restore: f64) -> Option<f64> {
    let useful = every - write;
    if !(mean > 0.0 && useful > 0.0) {
        return None;
    }
    let spent = (mean + restore.max(0.0)) * (every / mean).exp_m1();
    let share = useful / spent;
    (share.is_finite() && share > 0.0).then_some(share.min(1.0))
}

/// The nodes of the largest job of a class on these nodes: its limit in nodes, else its limit in GPUs on nodes of
/// this shape, never more than the lot has. A class that limits neither counts with one node: nothing says more.
#[must_use]
pub fn gang_nodes(class: &Class, lot: &Lot) -> u64 {
    let by_nodes = class.limits.nodes.and_then(|range| range.max);
    let by_gpus = class
        .limits
        .gpus
        .and_then(|range| range.max)
        .map(|gpus| gpus.div_ceil(u64::from(lot.node.gpus.max(1))));
    by_nodes.or(by_gpus).unwrap_or(1).clamp(1, lot.most().max(1))
}

/// What an hour on spot is worth.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Worth {
    /// Nobody says: no mean time, or no class with a checkpoint.
    NotAsked,
    /// The useful share of an hour.
    Share(Number),
    /// Jobs are interrupted before anything is saved.
    Nothing,
}

/// The least useful share among the classes that reach a spot lot and write checkpoints: an interruption of any node
/// of a gang interrupts the gang, so its mean time is the tier's divided by the gang's nodes.
pub(crate) fn worst_share(reach: &Reach<'_>, pool: &Pool, lot: &Lot, tier: &Tier) -> Worth {
    let Some(mean) = tier.interruption.as_ref().and_then(|facts| facts.mean_time.as_ref()) else {
        return Worth::NotAsked;
    };
    let mean = mean.0.to_f64();
    let mut worst: Option<f64> = None;
    for class in reach.classes(pool, lot) {
        let Some(checkpoint) = &class.checkpoint else { continue };
        if !(class.tiers.is_empty() || class.tiers.contains(&TierKind::Spot)) {
            continue;
        }
        #[expect(clippy::cast_precision_loss, reason = "an estimate; nodes are far below 2^53")]
        let gang = gang_nodes(class, lot) as f64;
        let [every, write, restore] =
            [&checkpoint.every, &checkpoint.write, &checkpoint.restore].map(|time| time.0.to_f64());
        let Some(share) = useful_fraction(mean / gang, every, write, restore) else { return Worth::Nothing };
        worst = Some(worst.map_or(share, |least| least.min(share)));
    }
    let Some(worst) = worst else { return Worth::NotAsked };
    let share = Number::parse(&format!("{worst:.6}")).ok().filter(|share| !share.is_zero());
    share.map_or(Worth::Nothing, Worth::Share)
}

/// Which classes' jobs can reach which place: a pool or a lot, as a step names it.
pub(crate) struct Reach<'a> {
    fleet: &'a Fleet,
    classes: BTreeMap<Address, BTreeSet<&'a Address>>,
}

impl<'a> Reach<'a> {
    pub(crate) fn of(fleet: &'a Fleet) -> Self {
        let mut classes: BTreeMap<Address, BTreeSet<&Address>> = BTreeMap::new();
        for queue in fleet.queues.values() {
            for place in fleet.ladder(queue).into_iter().flat_map(|step| step.pools) {
                classes.entry(place).or_default().extend(std::iter::once(&queue.class).chain(&queue.allow));
            }
        }
        Self { fleet, classes }
    }

    fn classes(&self, pool: &Pool, lot: &Lot) -> impl Iterator<Item = &'a Class> + use<'_, 'a> {
        let places = [self.classes.get(&pool.meta.address), self.classes.get(&lot.meta.address)];
        let names = places.into_iter().flatten().flatten();
        names.filter_map(|class| self.fleet.classes.get(*class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Model shares of three spot traces of AWS V100 instances (skypilot-org/spot-traces), at Young's interval.
    #[test]
    fn shares_match_those_of_measured_traces() {
        for (mean_hours, minutes, write, restore, expected) in [
            (10.5, 36.0, 60.0, 300.0, 0.937),
            (10.5, 79.0, 300.0, 600.0, 0.865),
            (4.3, 23.0, 60.0, 300.0, 0.897),
            (4.3, 51.0, 300.0, 600.0, 0.785),
            (1.5, 13.0, 60.0, 300.0, 0.812),
            (1.5, 30.0, 300.0, 600.0, 0.629),
        ] {
            // The traces' interval is between the end of one checkpoint and the start of the next.
            let every = minutes * 60.0 + write;
            let share = useful_fraction(mean_hours * 3600.0, every, write, restore).unwrap();
            assert!(
                (share - expected).abs() < 0.004,
                "{mean_hours} h, {write} s: {share} instead of {expected}"
            );
        }
    }

    #[test]
    fn without_time_between_checkpoints_nothing_is_useful() {
        assert_eq!(useful_fraction(36_000.0, 60.0, 60.0, 0.0), None);
        assert_eq!(useful_fraction(0.0, 1200.0, 60.0, 0.0), None);
        assert!(useful_fraction(1e12, 1200.0, 0.0, 0.0).unwrap() > 0.999);
    }
}
