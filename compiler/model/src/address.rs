//! Names of blocks: `pool.aws-a100-spot`, `pool.x.lot.r0`, `target.kubernetes.eks`.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The address of a block (CONTRACT §5). Ordered as text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Address(Arc<str>);

impl Address {
    /// An address from its text.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self(text.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part: the block's own label.
    #[must_use]
    pub fn label(&self) -> &str {
        self.0.rsplit('.').next().unwrap_or(&self.0)
    }

    /// The address of a block nested in this one: `pool.x` + `lot`, `r0` gives `pool.x.lot.r0`.
    #[must_use]
    pub fn nested(&self, kind: &str, label: &str) -> Self {
        Self::new(format!("{}.{kind}.{label}", self.0))
    }

    /// The pool of a lot's address; a pool's address is itself.
    #[must_use]
    pub fn pool(&self) -> Self {
        self.0.split_once(".lot.").map_or_else(|| self.clone(), |(pool, _)| Self::new(pool))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for Address {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl std::borrow::Borrow<str> for Address {
    fn borrow(&self) -> &str {
        &self.0
    }
}
