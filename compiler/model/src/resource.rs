//! One object on one target, as it is wanted or as it was found.

use std::borrow::Cow;
use std::collections::BTreeMap;

use poolwright_diagnostics::Span;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Address;

/// An object that a lowering wants on a target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resource {
    /// `kubernetes.eks/kueue.x-k8s.io/ClusterQueue/cost-optimized--nlp` (CONTRACT §5).
    pub address: String,
    /// The target: `target.kubernetes.eks`.
    pub target: Address,
    /// Kind as the target calls it: `ClusterQueue`, `AutoScalingGroup`, `Partition`.
    pub kind: String,
    /// What identifies it on the target: `kueue.x-k8s.io/ClusterQueue/cost-optimized--nlp`.
    pub identity: String,
    /// Its contents: canonical quantities, defaults written out.
    pub body: Value,
    /// Addresses of objects that must exist before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<String>,
    /// The block that it comes from.
    pub block: Address,
    /// Where that block was written.
    #[serde(skip)]
    pub origin: Span,
    /// Where a field's value was written, by path in `body` (`/spec/nodeLabels`), longest match counts.
    #[serde(skip)]
    pub field_origins: BTreeMap<Cow<'static, str>, Span>,
    /// A word on the object itself, for the plan's line: `root of the cluster's quota`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// Who owns which field; what is not listed is enforced. Paths as in `body`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ownership: BTreeMap<String, Ownership>,
    /// Destroy and replace are refused.
    #[serde(default)]
    pub protected: bool,
}

/// A JSON object of fields that are moved into it. `json!` copies every value that it is given, and bodies are large.
#[must_use]
pub fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let mut map = serde_json::Map::new();
    for (name, value) in fields {
        map.insert(name.to_owned(), value);
    }
    Value::Object(map)
}

/// Who writes a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ownership {
    /// Ours: kept as written.
    Enforce,
    /// Set at creation, then left to this owner.
    Seed(String),
    /// Never written; this owner does.
    Observe(String),
}

/// An object as it was found on a target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observed {
    /// As in [`Resource`].
    pub address: String,
    /// As in [`Resource`].
    pub kind: String,
    /// As in [`Resource`].
    pub identity: String,
    /// Its contents, normalised as the target normalises.
    pub body: Value,
    /// What must still be so when it is changed: `sha256:` of the file, a resourceVersion, an etag.
    pub precondition: Option<String>,
    /// Whether it carries this fleet's mark. What does not is never touched.
    pub owned: bool,
    /// Whether the target remembers that destroy and replace are refused, also after its block is gone.
    #[serde(default)]
    pub protected: bool,
}

/// A file of a target's folder: path below the folder, `/` between parts, and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// `kueue.x-k8s.io/clusterqueue/urgent--nlp.yaml`
    pub path: String,
    /// The contents.
    pub contents: Vec<u8>,
}
