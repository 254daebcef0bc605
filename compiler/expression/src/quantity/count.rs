//! Counts of GPUs and nodes.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Number;

/// So many GPUs or nodes: money per GPU times a count of GPUs loses the `/gpu`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Count {
    /// How many.
    pub number: Number,
    /// Of what.
    pub unit: CountUnit,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CountUnit {
    /// `gpus(8)`
    Gpus,
    /// `nodes(2)`
    Nodes,
}

impl Count {
    /// So many GPUs.
    pub fn gpus(number: impl Into<Number>) -> Self {
        Self { number: number.into(), unit: CountUnit::Gpus }
    }

    /// So many nodes.
    pub fn nodes(number: impl Into<Number>) -> Self {
        Self { number: number.into(), unit: CountUnit::Nodes }
    }
}

/// `8 GPUs`, `1 node`: for messages. In a template a count is its bare number.
impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.unit {
            CountUnit::Gpus => "GPU",
            CountUnit::Nodes => "node",
        };
        let plural = if self.number == Number::ONE { "" } else { "s" };
        write!(f, "{} {unit}{plural}", self.number)
    }
}
