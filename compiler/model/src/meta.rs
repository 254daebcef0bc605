//! What every block has: its address, its names, and where it was written.

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_diagnostics::Span;
use serde::{Deserialize, Serialize};

use crate::Address;

/// The head of a block (LANGUAGE §3.1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// The block's address.
    pub address: Address,
    /// The name on the real system: `name`, else the label.
    pub name: String,
    /// `description`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// `labels` of the block alone; those of its target and the fleet are added when objects are made.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// `protect`: destroy and replace are refused.
    #[serde(default)]
    pub protect: bool,
    /// Fields that somebody else writes, by attribute.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub foreign: BTreeMap<String, Foreign>,
    /// Fields of emitted objects that the language does not have: target kind, object kind, fields.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub extra: BTreeMap<String, BTreeMap<String, serde_json::Value>>,
    /// Where the block was written. Not part of the fleet's digest.
    #[serde(skip)]
    pub origin: Origin,
}

/// A field that somebody else writes (LANGUAGE §3.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Foreign {
    /// Who.
    pub owner: String,
    /// With a value of ours: set at creation, then left alone. Without one it is never written.
    pub seed: bool,
}

impl Default for Meta {
    fn default() -> Self {
        Self {
            address: Address::new(""),
            name: String::new(),
            description: None,
            labels: BTreeMap::new(),
            protect: false,
            foreign: BTreeMap::new(),
            extra: BTreeMap::new(),
            origin: Origin::default(),
        }
    }
}

/// Spans of a block and of its attributes, for diagnostics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// Kind and labels.
    pub header: Span,
    /// The value of each attribute, by its path in the block: `limits.run_time`, `quotas[0].borrow`.
    /// Sorted by path; what is not there was not written.
    pub attributes: Arc<Vec<(Arc<str>, Span)>>,
}

impl Origin {
    /// The span of an attribute's value, or of the nearest attribute around it, or of the block's header.
    #[must_use]
    pub fn of(&self, path: &str) -> Span {
        let mut path = path;
        loop {
            if let Some((_, span)) = self.attributes.iter().find(|(written, _)| &**written == path) {
                return *span;
            }
            match path.rfind(['.', '[']).and_then(|at| path.get(..at)) {
                Some(shorter) => path = shorter,
                None => return self.header,
            }
        }
    }

    /// Whether the attribute was written by hand, not defaulted.
    #[must_use]
    pub fn wrote(&self, path: &str) -> bool {
        self.attributes.iter().any(|(written, _)| &**written == path)
    }
}
