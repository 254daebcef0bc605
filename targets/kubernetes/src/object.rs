//! What an object is called: its identity on the cluster and its address in plans (CONTRACT §5, §6).

use std::fmt;

use poolwright_target::names::address_part;
use serde_json::Value;

/// Label with the fleet's name: whose object it is.
pub(crate) const FLEET: &str = "poolwright.dev/fleet";
/// Annotation with the block's address.
pub(crate) const ADDRESS: &str = "poolwright.dev/address";
/// Annotation with the digest of the body without it.
pub(crate) const SPEC: &str = "poolwright.dev/spec";
/// Annotation of objects whose destroy and replace are refused.
pub(crate) const PROTECT: &str = "poolwright.dev/protect";

/// What tells an object apart from all others of a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    /// API group; empty: core.
    pub(crate) group: String,
    /// `ClusterQueue`
    pub(crate) kind: String,
    /// None: cluster-scoped.
    pub(crate) namespace: Option<String>,
    /// Its name.
    pub(crate) name: String,
}

impl Identity {
    /// From an object's head; none when it has none.
    pub(crate) fn of(body: &Value) -> Option<Self> {
        let text = |place: &str| body.pointer(place).and_then(Value::as_str).filter(|text| !text.is_empty());
        let group = text("/apiVersion")?.rsplit_once('/').map_or("", |(group, _)| group);
        Some(Self {
            group: group.to_owned(),
            kind: text("/kind")?.to_owned(),
            namespace: text("/metadata/namespace").map(str::to_owned),
            name: text("/metadata/name")?.to_owned(),
        })
    }

    /// The group as addresses and folders spell it.
    pub(crate) fn folder(&self) -> &str {
        if self.group.is_empty() { "core" } else { &self.group }
    }

    /// `kubernetes.eks/kueue.x-k8s.io/ClusterQueue/cost-optimized--nlp`
    pub(crate) fn address(&self, target: &str) -> String {
        format!("{target}/{self}")
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/", self.folder(), self.kind)?;
        if let Some(namespace) = &self.namespace {
            write!(f, "{}/", address_part(namespace))?;
        }
        f.write_str(&address_part(&self.name))
    }
}
