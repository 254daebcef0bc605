//! Prices of lots and what things cost (LANGUAGE §6.4).

use std::collections::BTreeMap;

use poolwright_expression::quantity::{Currency, Date, Money};
use serde::{Deserialize, Serialize};

use crate::Address;

/// Hours of a month: 365 days × 24 h ÷ 12.
pub const HOURS_PER_MONTH: i64 = 730;

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
