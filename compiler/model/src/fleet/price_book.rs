//! Price books (LANGUAGE §3.5).

use poolwright_expression::quantity::{Date, Money};
use serde::{Deserialize, Serialize};

use crate::Meta;

/// A `price_book` block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PriceBook {
    /// The head.
    #[serde(default)]
    pub meta: Meta,
    /// `"shipped"`, or a path.
    #[serde(default)]
    pub source: Option<String>,
    /// Rows written in the block.
    #[serde(default)]
    pub prices: Vec<PriceRow>,
}

/// A row of a price book. Money is per GPU-hour or per node-hour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PriceRow {
    /// `aws`, `alibaba`, ….
    pub provider: String,
    /// Any region if absent.
    #[serde(default)]
    pub region: Option<String>,
    /// Any zone if absent.
    #[serde(default)]
    pub zone: Option<String>,
    /// The vendor's instance type.
    pub instance_type: String,
    /// On demand.
    #[serde(default)]
    pub on_demand: Option<Money>,
    /// Spot.
    #[serde(default)]
    pub spot: Option<Money>,
    /// Reserved.
    #[serde(default)]
    pub reserved: Option<Money>,
    /// Of the price.
    #[serde(default)]
    pub date: Option<Date>,
    /// Where it comes from.
    #[serde(default)]
    pub source: Option<String>,
}
