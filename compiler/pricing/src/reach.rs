//! Who can reach which lot, through which step, and at which price at most.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_expression::quantity::Money;
use poolwright_model::fleet::{Lot, Queue, TierKind};
use poolwright_model::money::{LotPrice, per_unit_hour};
use poolwright_model::{Address, Fleet, Prices};

use crate::unit::{Known, larger, smaller};

/// Lots that some jobs can reach, and the highest price that the rules on the way admit.
#[derive(Default)]
pub(crate) struct Reached<'a> {
    pub(crate) lots: BTreeMap<&'a Address, Known<Money>>,
    /// The pools that these lots are of.
    pub(crate) pools: BTreeSet<&'a Address>,
}

/// The lots that the jobs of these queues can reach.
pub(crate) fn reached<'a, 'q>(
    fleet: &'a Fleet,
    prices: &Prices,
    queues: impl IntoIterator<Item = &'q Queue>,
) -> Reached<'a> {
    let mut reached = Reached::default();
    for queue in queues {
        for step in fleet.ladder(queue) {
            for (pool, lot) in step.pools.iter().flat_map(|place| fleet.lots_at(place)) {
                let price = path_price(fleet, prices, lot, step.max_price.as_ref());
                let highest = match reached.lots.remove(&lot.meta.address) {
                    Some(Ok(before)) => price.and_then(|price| larger(before, price)),
                    Some(Err(why)) => Err(why),
                    None => price,
                };
                reached.lots.insert(&lot.meta.address, highest);
                reached.pools.insert(&pool.meta.address);
            }
        }
    }
    reached
}

/// The highest price at which a job on a step with this cap can hold a lot: on demand that of the cap, because the
/// book's price may move up to it; spot the lower of the cap and of what the lot's own rules admit; what is owned or
/// reserved its internal rate, whatever the market does.
fn path_price(fleet: &Fleet, prices: &Prices, lot: &Lot, cap: Option<&Money>) -> Known<Money> {
    let own = own_ceiling(prices, lot);
    let kind = fleet.tiers.get(&lot.tier).map(|tier| tier.kind);
    let Some(cap) = cap else { return own };
    let cap = per_unit_hour(cap, lot.node.gpus, fleet.currency);
    match (kind, own) {
        (Some(TierKind::OnDemand), _) | (Some(TierKind::Spot), Err(_)) => cap,
        (Some(TierKind::Spot), Ok(own)) => smaller(own, cap?),
        (_, own) => own,
    }
}

/// The most that a lot's own rules admit.
pub(crate) fn own_ceiling(prices: &Prices, lot: &Lot) -> Known<Money> {
    let address = &lot.meta.address;
    let price = of(prices, lot)?;
    price.ceiling.clone().ok_or_else(|| match &price.unknown {
        Some(why) => format!("{address}: {why}"),
        None => format!("{address}: no on-demand price bounds its spot price, and it has no max_price"),
    })
}

/// The price now.
pub(crate) fn now(prices: &Prices, lot: &Lot) -> Known<Money> {
    let price = of(prices, lot)?;
    let why = || format!("{}: {}", lot.meta.address, price.unknown.as_deref().unwrap_or("it has no price"));
    price.price.clone().ok_or_else(why)
}

pub(crate) fn of<'a>(prices: &'a Prices, lot: &Lot) -> Known<&'a LotPrice> {
    prices.lots.get(&lot.meta.address).ok_or_else(|| format!("{}: it was not priced", lot.meta.address))
}

/// How many priced units a node of a lot has: its GPUs, or itself where it has none.
pub(crate) fn units_per_node(lot: &Lot) -> u64 {
    u64::from(lot.node.gpus).max(1)
}
