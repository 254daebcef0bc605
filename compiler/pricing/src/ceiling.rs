//! The dearest use that quotas allow.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use poolwright_expression::Number;
use poolwright_expression::quantity::Money;
use poolwright_model::fleet::{GpuAmount, Lot, Pool, Queue, Quota, Tenant};
use poolwright_model::money::CeilingPart;
use poolwright_model::{Address, Fleet, Prices};

use crate::cost::{bill, tenant_cost};
use crate::line::{month, monthly};
use crate::reach::{Reached, units_per_node};
use crate::unit::{Known, exact, larger, smaller};

/// GPUs of a pool that may be held at once: guarantee and borrowing together. None: no limit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    pool: Option<u64>,
    lots: BTreeMap<Address, u64>,
}

impl Limits {
    /// A tenant's. Without a quota of the pool, idle GPUs may be used without limit (LANGUAGE §3.4).
    pub(crate) fn of(tenant: &Tenant, pool: &Pool) -> Self {
        Self::by(&tenant.quotas, pool)
    }

    /// Of a tenant through some queues: a shared one has quotas of its own, and the tenant's do not apply there.
    pub(crate) fn through(fleet: &Fleet, tenant: &Tenant, queues: &[&Queue], pool: &Pool) -> Self {
        if queues.iter().all(|queue| !queue.shared) {
            return Self::of(tenant, pool);
        }
        let leads = |queue: &&&Queue| {
            let steps = fleet.ladder(queue);
            steps.iter().flat_map(|step| step.pools.iter()).any(|it| it.pool() == pool.meta.address)
        };
        let mine: Vec<&Queue> = queues.iter().filter(leads).copied().collect();
        let own = mine.iter().any(|queue| !queue.shared).then(|| Self::of(tenant, pool));
        let shared = mine.iter().filter(|queue| queue.shared).map(|queue| Self::by(&queue.quotas, pool));
        own.into_iter().chain(shared).reduce(Self::together).unwrap_or_else(|| Self::of(tenant, pool))
    }

    /// By quotas, whoever has them.
    pub(crate) fn by(quotas: &[Quota], pool: &Pool) -> Self {
        let quota = |address: &Address| quotas.iter().find(|quota| quota.pool == *address);
        let whole = pool.lots.iter().map(Lot::most_gpus).fold(0, u64::saturating_add);
        let lots = pool.lots.iter().filter_map(|lot| {
            let limit = quota(&lot.meta.address).and_then(|quota| limit(quota, lot.most_gpus()))?;
            Some((lot.meta.address.clone(), limit))
        });
        Self { pool: quota(&pool.meta.address).and_then(|quota| limit(quota, whole)), lots: lots.collect() }
    }

    /// Of two who may both.
    pub(crate) fn together(self, other: Self) -> Self {
        let lots = self.lots.iter().filter_map(|(lot, limit)| {
            other.lots.get(lot).map(|more| (lot.clone(), limit.saturating_add(*more)))
        });
        Self {
            lots: lots.collect(),
            pool: self.pool.zip(other.pool).map(|(limit, more)| limit.saturating_add(more)),
        }
    }
}

fn limit(quota: &Quota, of: u64) -> Option<u64> {
    let guarantee = match &quota.gpus {
        None => 0,
        Some(GpuAmount::Gpus(gpus)) => *gpus,
        Some(GpuAmount::Share(share)) => share.0.checked_mul(&of.into()).ok()?.floor().to_u64()?,
    };
    quota.borrow.limit().map(|borrow| guarantee.saturating_add(borrow))
}

/// Units of one lot that may be held, at a price.
struct Item<'a> {
    pool: &'a Pool,
    lot: &'a Lot,
    units: u64,
    price: Known<Money>,
}

/// Unknown prices come first, because they may be the dearest; then dear before cheap.
fn dear_first(a: &Item<'_>, b: &Item<'_>) -> Ordering {
    match (&a.price, &b.price) {
        (Err(_), Err(_)) => Ordering::Equal,
        (Err(_), _) => Ordering::Less,
        (_, Err(_)) => Ordering::Greater,
        (Ok(a), Ok(b)) => b.amount.cmp(&a.amount),
    }
}

/// Takes units from the items in their order until `left` is used up. Nodes without GPUs are not counted.
fn take(items: &mut [Item<'_>], mut left: u64) {
    for item in items.iter_mut().filter(|item| item.lot.node.gpus > 0) {
        item.units = item.units.min(left);
        left -= item.units;
    }
}

/// The dearest use of the lots reached, by pool, and its sum in money/month.
pub(crate) fn dearest_use(
    fleet: &Fleet,
    prices: &Prices,
    reached: &Reached<'_>,
    limits: impl Fn(&Pool) -> Limits,
    max_gpus: Option<u64>,
) -> (Vec<CeilingPart>, Known<Money>) {
    let mut all = Vec::new();
    for pool in reached.pools.iter().filter_map(|pool| fleet.pools.get(*pool)) {
        let limits = limits(pool);
        let mut items: Vec<Item<'_>> = pool
            .lots
            .iter()
            .filter_map(|lot| {
                let price = reached.lots.get(&lot.meta.address)?.clone();
                let most = lot.most().saturating_mul(units_per_node(lot));
                let units = limits.lots.get(&lot.meta.address).map_or(most, |limit| most.min(*limit));
                Some(Item { pool, lot, units, price })
            })
            .collect();
        items.sort_by(dear_first);
        take(&mut items, limits.pool.unwrap_or(u64::MAX));
        all.extend(items);
    }
    all.sort_by(dear_first);
    take(&mut all, max_gpus.unwrap_or(u64::MAX));
    let mut parts: BTreeMap<&Address, (CeilingPart, Known<Money>)> = BTreeMap::new();
    for item in &all {
        let (monthly, by_bill) = item_cost(prices, item);
        let empty = || {
            let pool = item.pool.meta.address.clone();
            let part = CeilingPart { pool, gpus: 0, price: None, monthly: None, by_bill: false };
            (part, Ok(month(Number::ZERO, prices.currency)))
        };
        let (part, sum) = parts.entry(&item.pool.meta.address).or_insert_with(empty);
        if item.lot.node.gpus > 0 {
            part.gpus = part.gpus.saturating_add(item.units);
        }
        part.by_bill |= by_bill;
        if item.units > 0 {
            part.price = match (part.price.take(), &item.price) {
                (Some(before), Ok(price)) => larger(before, price.clone()).ok(),
                (None, Ok(price)) => Some(price.clone()),
                (before, Err(_)) => before,
            };
        }
        *sum = add(std::mem::replace(sum, Err(String::new())), monthly);
    }
    let mut total = Ok(month(Number::ZERO, prices.currency));
    let parts = parts.into_values().map(|(part, sum)| {
        total = add(std::mem::replace(&mut total, Err(String::new())), sum.clone());
        CeilingPart { monthly: sum.ok(), ..part }
    });
    (parts.collect(), total)
}

fn add(a: Known<Money>, b: Known<Money>) -> Known<Money> {
    exact(a?.checked_add(&b?))
}

/// Money/month of an item, and whether the bill set it: what is owned costs its internal rate, but all together
/// never more than what it really costs.
fn item_cost(prices: &Prices, item: &Item<'_>) -> (Known<Money>, bool) {
    if item.units == 0 {
        return (Ok(month(Number::ZERO, prices.currency)), false);
    }
    let used = item.price.clone().and_then(|price| monthly(&price, &item.units.into()));
    match (used, bill(prices, item.lot)) {
        (Ok(used), Some(Ok(bill))) => {
            let by_bill = bill.amount < used.amount;
            (smaller(used, bill), by_bill)
        }
        (used, _) => (used, false),
    }
}

/// The most GPUs that a tenant may borrow of a pool so that its monthly ceiling stays within a budget: `borrow = 85
/// would fit`. None: the tenant has no quota of that pool, its ceiling is unknown, or even 0 is too much.
#[must_use]
pub fn fitting_borrow(
    fleet: &Fleet,
    prices: &Prices,
    tenant: &Address,
    pool: &Address,
    budget: &Money,
) -> Option<u64> {
    let mut tenant = fleet.tenants.get(tenant)?.clone();
    let at = tenant.quotas.iter().position(|quota| quota.pool == *pool)?;
    let mut fits = |borrow: u64| -> Option<bool> {
        tenant.quotas.get_mut(at)?.borrow = poolwright_model::fleet::Borrow::Gpus(borrow);
        let ceiling = tenant_cost(fleet, prices, &tenant).cost.monthly.ceiling?;
        Some(ceiling.compare(budget).ok()?.is_le())
    };
    if !fits(0)? {
        return None;
    }
    // The ceiling never falls when more may be borrowed, so that halving finds the last that fits.
    let whole = fleet.pools.get(&pool.pool())?.lots.iter().map(Lot::most_gpus).fold(0, u64::saturating_add);
    let (mut low, mut high) = (0, whole);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if fits(middle)? { low = middle } else { high = middle - 1 }
    }
    Some(low)
}
