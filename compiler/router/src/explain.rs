//! A route as `poolwright route explain` shows it: when each step opens, what it has, and what it costs.

use poolwright_expression::quantity::{Duration, Money};
use poolwright_model::fleet::{Lot, Queue, Reason, Return, TierKind};
use poolwright_model::money::{LotPrice, per_unit_hour};
use poolwright_model::{Address, Fleet, Prices};

use crate::ladder::seconds;

/// The ladder of a queue.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The queue.
    pub queue: Address,
    /// The class of jobs that say nothing.
    pub class: Address,
    /// Who may submit.
    pub tenants: Vec<Address>,
    /// Where jobs enter: the entry cluster, else the cluster of the first step.
    pub enter: Option<Address>,
    /// First to last.
    pub steps: Vec<ExplainedStep>,
    /// What becomes of earlier steps.
    pub returns: Return,
}

/// A step of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedStep {
    /// The step's label.
    pub name: String,
    /// Seconds after the clock's start at which it opens at the earliest; none: never, a step before it waits for ever.
    pub opens_at: Option<u64>,
    /// Reasons by which the step before it lets jobs leave; empty for the first, and for a step joined to the one before.
    pub opens_on: Vec<Reason>,
    /// Its pools or lots, in the order in which they are tried.
    pub places: Vec<ExplainedPlace>,
}

/// A pool or lot of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedPlace {
    /// As written.
    pub pool: Address,
    /// Who schedules there.
    pub cluster: Address,
    /// GPUs at most.
    pub gpus: u64,
    /// The dearest of its lots now (money/gpu/h; without GPUs money/node/h). None: not known.
    pub price: Option<Money>,
    /// The most that the rules of its lots admit, where that is more than the price now.
    pub at_most: Option<Money>,
    /// The step's `max_price`, in the same unit.
    pub cap: Option<Money>,
    /// Why the price is not known.
    pub unknown: Option<String>,
    /// How its lots are bought, each kind once, in lot order.
    pub tiers: Vec<TierKind>,
    /// Shortest mean time between interruptions of one node, for spot.
    pub mean_time: Option<Duration>,
}

/// The ladder of a queue with prices.
#[must_use]
pub fn explain(fleet: &Fleet, prices: &Prices, queue: &Queue) -> Explanation {
    let mut at = Some(0_u64);
    let mut opens_on = Vec::new();
    let mut steps = Vec::new();
    for step in fleet.ladder(queue) {
        let patience = step.patience.as_ref().map(seconds);
        steps.push(ExplainedStep {
            name: step.meta.address.label().to_owned(),
            opens_at: at,
            opens_on: std::mem::take(&mut opens_on),
            places: step
                .pools
                .iter()
                .filter_map(|pool| place(fleet, prices, pool, step.max_price.as_ref()))
                .collect(),
        });
        at = at.zip(patience).map(|(at, patience)| at.saturating_add(patience));
        if patience != Some(0) {
            opens_on = step.on;
        }
    }
    let first = steps.first().and_then(|step| step.places.first()).map(|place| place.cluster.clone());
    Explanation {
        queue: queue.meta.address.clone(),
        class: queue.class.clone(),
        tenants: queue.tenants.clone(),
        enter: queue.entry.clone().or(first),
        steps,
        returns: queue
            .route
            .as_ref()
            .and_then(|route| fleet.routes.get(route))
            .map_or(Return::WhenIdle, |route| route.returns),
    }
}

fn place(fleet: &Fleet, prices: &Prices, address: &Address, cap: Option<&Money>) -> Option<ExplainedPlace> {
    let named = [address.clone()];
    let lots: Vec<_> = fleet.lots_of(&named).collect();
    let (pool, first) = lots.first()?;
    let price = dearest(prices, lots.iter().map(|(_, lot)| *lot), |price| price.price.as_ref());
    let at_most = dearest(prices, lots.iter().map(|(_, lot)| *lot), |price| price.ceiling.as_ref());
    let tiers = lots.iter().filter_map(|(_, lot)| fleet.tiers.get(&lot.tier));
    let mut kinds: Vec<TierKind> = Vec::new();
    for tier in tiers.clone() {
        if !kinds.contains(&tier.kind) {
            kinds.push(tier.kind);
        }
    }
    let unknown = lots.iter().find_map(|(_, lot)| prices.lots.get(&lot.meta.address)?.unknown.clone());
    Some(ExplainedPlace {
        pool: address.clone(),
        cluster: pool.cluster.clone(),
        gpus: lots.iter().map(|(_, lot)| lot.most_gpus()).fold(0, u64::saturating_add),
        at_most: at_most.filter(|most| {
            price.as_ref().is_none_or(|price| most.compare(price).is_ok_and(std::cmp::Ordering::is_gt))
        }),
        price,
        cap: cap.and_then(|cap| per_unit_hour(cap, first.node.gpus, fleet.currency).ok()),
        unknown,
        tiers: kinds,
        mean_time: tiers.filter_map(|tier| tier.interruption.as_ref()?.mean_time.clone()).min(),
    })
}

/// The dearest over lots; none when one of them is not known.
pub(crate) fn dearest<'a>(
    prices: &'a Prices,
    lots: impl Iterator<Item = &'a Lot>,
    of: impl Fn(&'a LotPrice) -> Option<&'a Money>,
) -> Option<Money> {
    let mut best: Option<&Money> = None;
    for lot in lots {
        let price = of(prices.lots.get(&lot.meta.address)?)?;
        best = match best {
            Some(best) if best.compare(price).ok()?.is_ge() => Some(best),
            _ => Some(price),
        };
    }
    best.cloned()
}
