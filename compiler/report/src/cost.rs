//! What a fleet costs, as a table and as JSON.

use poolwright_model::money::{Cost, Costs, Prices};
use serde_json::{Value, json};

use crate::layout::table;
use crate::money;

/// Costs a month of every pool, queue and tenant.
#[must_use]
pub fn cost(fleet: &str, costs: &Costs, prices: &Prices) -> String {
    let mut rows = vec![vec![
        format!("{}/month", prices.currency),
        "floor".to_owned(),
        "expected".to_owned(),
        "ceiling".to_owned(),
    ]];
    let mut reasons: Vec<String> = Vec::new();
    let mut row = |name: String, cost: &Cost| {
        let line = &cost.monthly;
        reasons.extend(line.unknown.iter().cloned());
        rows.push(vec![
            name,
            money::total(line.floor.as_ref()),
            money::total(line.expected.as_ref()),
            money::total(line.ceiling.as_ref()),
        ]);
    };
    costs.pools.iter().for_each(|(address, cost)| row(address.to_string(), cost));
    costs.queues.iter().for_each(|(address, cost)| row(address.to_string(), cost));
    costs.tenants.iter().for_each(|(address, tenant)| row(address.to_string(), &tenant.cost));
    row("all pools".to_owned(), &costs.total);
    reasons.sort();
    reasons.dedup();
    let mut text =
        format!("{fleet} · prices: {}\n\n{}", money::books(&prices.books), table(&rows, &[1, 2, 3]));
    for reason in reasons {
        text.push_str(&format!("unknown: {reason}\n"));
    }
    text
}

/// The same as JSON: `poolwright/cost/v1`.
#[must_use]
pub fn cost_json(fleet: &str, costs: &Costs, prices: &Prices) -> Value {
    json!({
        "schema": "poolwright/cost/v1",
        "fleet": fleet,
        "currency": prices.currency,
        "total": costs.total,
        "pools": costs.pools,
        "lots": costs.lots,
        "queues": costs.queues,
        "tenants": costs.tenants,
        "prices": prices.lots,
        "books": prices.books,
    })
}
