//! Price books (LANGUAGE §3.5).

use std::collections::BTreeMap;

use poolwright_expression::quantity::{Currency, Date, Duration, Money, Percent};
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
    /// The form of the file; by its content if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<BookFormat>,
    /// The currency of a file that does not say; the fleet's if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// What one unit of other currencies is worth: money per nothing, by code.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rates: BTreeMap<String, Money>,
    /// Off everything in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discount: Option<Percent>,
    /// Older prices are unknown to policies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_age: Option<Duration>,
}

/// The form of a price file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BookFormat {
    /// CSV or JSON with the columns of [`PriceRow`].
    Poolwright,
    /// The catalogue CSV of SkyPilot.
    Skypilot,
    /// The custom pricing CSV of OpenCost.
    Opencost,
    /// An offer file of AWS's price list.
    AwsPriceList,
}

impl BookFormat {
    /// As written in the language.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Poolwright => "poolwright",
            Self::Skypilot => "skypilot",
            Self::Opencost => "opencost",
            Self::AwsPriceList => "aws-price-list",
        }
    }
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
