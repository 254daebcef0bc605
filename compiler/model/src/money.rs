//! Prices of lots and what things cost (LANGUAGE §6.4).

use std::collections::BTreeMap;

use poolwright_expression::quantity::{Currency, Date, Duration, Money, PerTime, PerUnit};
use serde::{Deserialize, Serialize};

use crate::Address;

/// Hours of a month: 365 days × 24 h ÷ 12.
pub const HOURS_PER_MONTH: i64 = 730;

/// Money per GPU-hour or per node-hour, in the unit in which [`LotPrice`] keeps prices of a node with so many GPUs: per
/// GPU-hour, for nodes without GPUs per node-hour.
///
/// # Errors
/// Why it cannot be that: another currency, or per something else.
pub fn per_unit_hour(money: &Money, gpus: u32, currency: Currency) -> Result<Money, String> {
    if money.currency != currency {
        return Err(format!("{money} is not in {currency}, and there is no rate"));
    }
    let hourly = money.to_time(PerTime::Hour).ok_or_else(|| format!("{money} is not per hour"))?;
    match (hourly.per, gpus) {
        (Some(PerUnit::Gpu), 1..) | (Some(PerUnit::Node), 0) => Ok(hourly),
        (Some(PerUnit::Node), _) => {
            let share = hourly.checked_div(&gpus.into()).map_err(|error| error.to_string())?;
            Ok(Money { per: Some(PerUnit::Gpu), ..share })
        }
        _ => Err(format!("{money} is not per GPU or node that the lot has")),
    }
}

/// Money per node-hour of a node with so many GPUs.
///
/// # Errors
/// Why it cannot be that: it is per no time, or per something that the node does not have.
pub fn per_node_hour(money: &Money, gpus: u32) -> Result<Money, String> {
    let hourly = money.to_time(PerTime::Hour).ok_or_else(|| format!("{money} is not per hour"))?;
    match (hourly.per, gpus) {
        (Some(PerUnit::Node), _) => Ok(hourly),
        (Some(PerUnit::Gpu), 1..) => {
            let all = hourly.checked_mul(&gpus.into()).map_err(|error| error.to_string())?;
            Ok(Money { per: Some(PerUnit::Node), ..all })
        }
        _ => Err(format!("{money} is not per GPU or node that the lot has")),
    }
}

/// Prices of every lot, from the price books and tiers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prices {
    /// The fleet's currency; every price is in it.
    pub currency: Currency,
    /// By the lot's address.
    pub lots: BTreeMap<Address, LotPrice>,
    /// Books that were asked, in order, with the newest date in each.
    pub books: Vec<BookUse>,
}

/// A price book and the date of its newest row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookUse {
    /// Its name.
    pub name: String,
    /// Its newest row.
    pub date: Option<Date>,
}

/// Prices of one lot, each money/gpu/h; for CPU nodes money/node/h.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LotPrice {
    /// What an hour costs now: on-demand, spot, committed, or the owned rate. None: unknown.
    pub price: Option<Money>,
    /// On-demand price of the same type, where one exists.
    pub on_demand: Option<Money>,
    /// Spot divided by the useful share of an hour (Young–Daly); else `price`.
    pub effective: Option<Money>,
    /// The most the lot's own rules admit: spot at its cap or else at on-demand.
    pub ceiling: Option<Money>,
    /// Owned and reserved: the bill for one node-hour, used or not (money/node/h).
    pub bill: Option<Money>,
    /// Where it comes from: `price_book.contracts`, `tier.owned-h100`.
    pub source: String,
    /// Of the row.
    pub date: Option<Date>,
    /// Older than this the price is unknown to policies; one without a date is older than any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_age: Option<Duration>,
    /// Why `price` is unknown.
    pub unknown: Option<String>,
}

/// What something costs: the least, the expected, the most.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Money/h.
    pub hourly: CostLine,
    /// Money/month of 730 h.
    pub monthly: CostLine,
}

/// One line of a [`Cost`]. None: unknown, for the reason in `unknown`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CostLine {
    /// What is paid whatever happens.
    pub floor: Option<Money>,
    /// What will probably be paid.
    pub expected: Option<Money>,
    /// The most that can be paid.
    pub ceiling: Option<Money>,
    /// Why a part is unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
}

/// Costs of the fleet and of its parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Costs {
    /// All pools together.
    pub total: Cost,
    /// By pool.
    pub pools: BTreeMap<Address, Cost>,
    /// By lot.
    pub lots: BTreeMap<Address, Cost>,
    /// By queue: what its jobs can spend.
    pub queues: BTreeMap<Address, Cost>,
    /// By tenant: the dearest use that its quotas allow.
    pub tenants: BTreeMap<Address, TenantCost>,
}

/// A tenant's cost and the parts of its ceiling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TenantCost {
    /// The sum.
    pub cost: Cost,
    /// The parts of the monthly ceiling, by pool.
    pub parts: Vec<CeilingPart>,
}

/// What one pool adds to a tenant's ceiling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CeilingPart {
    /// The pool.
    pub pool: Address,
    /// GPUs that the tenant can hold at once.
    pub gpus: u64,
    /// At this price (money/gpu/h), if known.
    pub price: Option<Money>,
    /// Money/month, if known.
    pub monthly: Option<Money>,
    /// Whether the bill, not the price, set it.
    pub by_bill: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_prices_are_shared_by_the_gpus() {
        let money = |text: &str| Money::parse(text).unwrap();
        let usd = Currency::USD;
        assert_eq!(per_unit_hour(&money("$8.0553/node/h"), 8, usd).unwrap(), money("$1.0069125/gpu/h"));
        assert_eq!(per_unit_hour(&money("$48/gpu/day"), 8, usd).unwrap(), money("$2/gpu/h"));
        assert_eq!(per_unit_hour(&money("$3/node/h"), 0, usd).unwrap(), money("$3/node/h"));
        assert!(per_unit_hour(&money("$3/gpu/h"), 0, usd).unwrap_err().contains("not per GPU or node"));
        assert!(per_unit_hour(&money("$3/month"), 8, usd).unwrap_err().contains("not per GPU or node"));
        assert!(per_unit_hour(&money("$3/node"), 8, usd).unwrap_err().contains("not per hour"));
        assert!(per_unit_hour(&money("€3/gpu/h"), 8, usd).unwrap_err().contains("no rate"));
    }
    #[test]
    fn a_node_costs_what_its_gpus_cost() {
        let money = |text: &str| Money::parse(text).unwrap();
        assert_eq!(per_node_hour(&money("$2/gpu/h"), 8).unwrap(), money("$16/node/h"));
        assert_eq!(per_node_hour(&money("$3/node/h"), 0).unwrap(), money("$3/node/h"));
        assert_eq!(per_node_hour(&money("$7300/node/month"), 8).unwrap(), money("$10/node/h"));
        assert!(per_node_hour(&money("$3/gpu/h"), 0).unwrap_err().contains("not per GPU or node"));
        assert!(per_node_hour(&money("$3/node"), 8).unwrap_err().contains("not per hour"));
    }
}
