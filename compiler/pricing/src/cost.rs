//! What a fleet and its parts cost (LANGUAGE §6.4).

use std::collections::BTreeMap;

use poolwright_expression::Number;
use poolwright_expression::quantity::Money;
use poolwright_model::fleet::{Lot, Queue, Tenant};
use poolwright_model::money::TenantCost;
use poolwright_model::{Address, Costs, Fleet, Prices};

use crate::ceiling::{Limits, dearest_use};
use crate::line::{Line, month, monthly};
use crate::reach::{Reached, now, of, own_ceiling, reached, units_per_node};
use crate::unit::{Known, larger, smaller};

/// Costs of the fleet, its pools, lots, queues and tenants.
///
/// A lot's ceiling is its most nodes at the highest price that any way to it admits, a step's `max_price` included;
/// never below its floor, since the least nodes are bought whatever jobs may pay. Its expected cost is never above
/// its ceiling: interruptions make work take longer, not more nodes than there are.
/// A queue or a tenant that runs nothing spends nothing, so its floor is 0, and how much of shared pools it will use
/// is declared nowhere, so its expected cost is unknown.
#[must_use]
pub fn cost(fleet: &Fleet, prices: &Prices) -> Costs {
    let ways = reached(fleet, prices, fleet.queues.values());
    let (mut pools, mut lots) = (BTreeMap::new(), BTreeMap::new());
    let mut total = Line::zero(prices.currency);
    for pool in fleet.pools.values() {
        let mut sum = Line::zero(prices.currency);
        for lot in &pool.lots {
            let line = lot_line(prices, lot, &ways);
            lots.insert(lot.meta.address.clone(), line.cost());
            sum = sum.add(&line);
        }
        pools.insert(pool.meta.address.clone(), sum.cost());
        total = total.add(&sum);
    }
    let queues = fleet.queues.values().map(|queue| {
        let limits = |pool: &_| {
            if queue.shared {
                return Limits::by(&queue.quotas, pool);
            }
            let tenants = queue.tenants.iter().filter_map(|tenant| fleet.tenants.get(tenant));
            tenants.map(|tenant| Limits::of(tenant, pool)).reduce(Limits::together).unwrap_or_default()
        };
        let (_, ceiling) = dearest_use(fleet, prices, &reached(fleet, prices, [queue]), limits, None);
        let line = spender(
            prices,
            ceiling,
            &format!("{}: how much its jobs will use is not declared", queue.meta.address),
        );
        (queue.meta.address.clone(), line.cost())
    });
    let mut queues_of: BTreeMap<&Address, Vec<&Queue>> = BTreeMap::new();
    for queue in fleet.queues.values() {
        for tenant in &queue.tenants {
            queues_of.entry(tenant).or_default().push(queue);
        }
    }
    let tenants = fleet.tenants.iter().map(|(address, tenant)| {
        let queues = queues_of.get(address).map(Vec::as_slice).unwrap_or_default();
        (address.clone(), cost_of(fleet, prices, tenant, queues.iter().copied()))
    });
    Costs { total: total.cost(), pools, lots, queues: queues.collect(), tenants: tenants.collect() }
}

/// A tenant's cost: its ceiling is the dearest use that its quotas allow over every way of its queues. Steps add up,
/// since jobs of different ages stand on different steps.
#[must_use]
pub fn tenant_cost(fleet: &Fleet, prices: &Prices, tenant: &Tenant) -> TenantCost {
    let queues = fleet.queues.values().filter(|queue| queue.tenants.contains(&tenant.meta.address));
    cost_of(fleet, prices, tenant, queues)
}

fn cost_of<'a>(
    fleet: &Fleet,
    prices: &Prices,
    tenant: &Tenant,
    queues: impl Iterator<Item = &'a Queue>,
) -> TenantCost {
    let queues: Vec<&Queue> = queues.collect();
    let limits = |pool: &_| Limits::through(fleet, tenant, &queues, pool);
    let reached = reached(fleet, prices, queues.iter().copied());
    let (parts, ceiling) = dearest_use(fleet, prices, &reached, limits, tenant.max_gpus);
    let line = spender(
        prices,
        ceiling,
        &format!("{}: how much its jobs will use is not declared", tenant.meta.address),
    );
    TenantCost { cost: line.cost(), parts }
}

fn spender(prices: &Prices, ceiling: Known<Money>, unknown: &str) -> Line {
    Line::new(Ok(month(Number::ZERO, prices.currency)), Err(unknown.to_owned()), ceiling)
}

fn lot_line(prices: &Prices, lot: &Lot, ways: &Reached<'_>) -> Line {
    match bill(prices, lot) {
        Some(bill) => Line::new(bill.clone(), bill.clone(), bill),
        None => bought(prices, lot, ways),
    }
}

/// What owned and reserved nodes cost, used or not. None: the lot is bought by the hour.
pub(crate) fn bill(prices: &Prices, lot: &Lot) -> Option<Known<Money>> {
    let bill = of(prices, lot).ok()?.bill.as_ref()?;
    Some(monthly(bill, &lot.billed.unwrap_or_else(|| lot.most()).into()))
}

fn bought(prices: &Prices, lot: &Lot, ways: &Reached<'_>) -> Line {
    let units =
        |nodes: &Number| nodes.checked_mul(&units_per_node(lot).into()).map_err(|error| error.to_string());
    let at = |price: Known<Money>, nodes: Known<Number>| -> Known<Money> {
        let nodes = nodes?;
        // No nodes cost nothing, whatever the price is.
        if nodes.is_zero() {
            return Ok(month(Number::ZERO, prices.currency));
        }
        monthly(&price?, &units(&nodes)?)
    };
    let (least, most) = (Number::from(lot.nodes.min), Number::from(lot.most()));
    let floor = at(now(prices, lot), Ok(least.clone()));
    let highest = ways.lots.get(&lot.meta.address).cloned().unwrap_or_else(|| own_ceiling(prices, lot));
    let ceiling = match (at(highest, Ok(most.clone())), &floor) {
        (Ok(ceiling), Ok(floor)) => larger(ceiling, floor.clone()),
        (ceiling, _) => ceiling,
    };
    let used = match (&lot.utilisation, lot.elastic()) {
        (_, false) => Ok(least),
        (Some(share), true) => (|| most.checked_sub(&least)?.checked_mul(&share.0)?.checked_add(&least))()
            .map_err(|error| error.to_string()),
        (None, true) => Err(format!("{}: no utilisation is declared", lot.meta.address)),
    };
    let effective = now(prices, lot)
        .map(|price| of(prices, lot).ok().and_then(|known| known.effective.clone()).unwrap_or(price));
    let expected = match (at(effective, used), &ceiling) {
        (Ok(expected), Ok(ceiling)) => smaller(expected, ceiling.clone()),
        (expected, _) => expected,
    };
    Line::new(floor, expected, ceiling)
}
