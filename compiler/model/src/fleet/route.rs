//! Routes: ladders of places (LANGUAGE §3.4, §5).

use poolwright_expression::quantity::{Duration, Money, Pattern};
use serde::{Deserialize, Serialize};

use crate::{Address, Meta};

/// A `route` block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Route {
    /// The head.
    #[serde(default)]
    pub meta: Meta,
    /// Refuse a lowering that cannot hold the deadlines.
    pub strict: bool,
    /// What becomes of earlier steps.
    #[serde(rename = "return")]
    pub returns: Return,
    /// In the order written, or made of `candidates`; never empty.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// By what the steps made of `candidates` are ordered; none: they were written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Order>,
    /// Regions, nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<Pattern>,
}

/// By what candidates are ordered. Ties keep the order in which they were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// By price per GPU-hour.
    Cheapest,
    /// By `pool.throughput` of the class's work, the greatest first.
    Fastest,
    /// By the place of their region in `near`.
    Nearest,
    /// By price per unit of work.
    CostPerWork,
}

impl Order {
    /// As written in the language.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cheapest => "cheapest",
            Self::Fastest => "fastest",
            Self::Nearest => "nearest",
            Self::CostPerWork => "cost-per-work",
        }
    }

    /// Whether prices decide.
    #[must_use]
    pub fn by_price(self) -> bool {
        matches!(self, Self::Cheapest | Self::CostPerWork)
    }

    /// Whether `pool.throughput` decides.
    #[must_use]
    pub fn by_work(self) -> bool {
        matches!(self, Self::Fastest | Self::CostPerWork)
    }
}

/// What becomes of earlier steps when a later one opens (LANGUAGE §5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Return {
    /// They close: the job moves.
    Never,
    /// They stay open; a running job stays where it is.
    WhenIdle,
    /// They stay open; a running job goes back after a checkpoint.
    Prefer,
}

/// A step: where to try, for how long, until what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The head; the label names the step.
    #[serde(default)]
    pub meta: Meta,
    /// One place, tried in this order.
    pub pools: Vec<Address>,
    /// `for`: patience; none on the last step.
    #[serde(rename = "for", default)]
    pub patience: Option<Duration>,
    /// The event that ends the waiting.
    pub until: Until,
    /// Reasons that let a job leave.
    pub on: Vec<Reason>,
    /// Never admitted above it: money/gpu/h or /node/h, as written.
    #[serde(default)]
    pub max_price: Option<Money>,
}

/// The event that ends the waiting on a step (LANGUAGE §5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    /// Quota is reserved.
    Quota,
    /// Quota and every admission check.
    Admitted,
    /// All pods, all nodes run.
    Ready,
}

/// Why a step blocks a job (LANGUAGE §5.1). Ordered as messages list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Guarantee and borrowing are used up.
    NoQuota,
    /// Quota fits, nodes do not come.
    NoCapacity,
    /// The price is above the cap.
    PriceAbove,
    /// The nodes under the running job went away.
    Lost,
}

impl Reason {
    /// As written in the language.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoQuota => "no-quota",
            Self::NoCapacity => "no-capacity",
            Self::PriceAbove => "price-above",
            Self::Lost => "lost",
        }
    }
}
