//! What is known of each kind and version: `data/kinds.json`, read once.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use poolwright_expression::quantity::Version;
use serde::Deserialize;
use serde_json::Value;

/// The whole table.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Facts {
    /// By kind.
    kinds: BTreeMap<String, KindFacts>,
    /// Most entries of a list, by a name of ours and Kueue's version.
    limits: BTreeMap<String, Vec<Limit>>,
}

/// One kind of object.
#[derive(Debug, Deserialize)]
pub(crate) struct KindFacts {
    /// API group; empty: core.
    pub(crate) group: String,
    /// Version of the group that is written.
    pub(crate) version: String,
    /// Whether its objects live in a namespace.
    #[serde(default)]
    pub(crate) namespaced: bool,
    /// The most characters of a name; 63 also where it is used as a label's value or without dots.
    pub(crate) name_limit: usize,
    /// Whether a name may have dots.
    #[serde(default = "yes")]
    pub(crate) dots: bool,
    /// How names may not begin.
    #[serde(default)]
    pub(crate) reserved: Vec<String>,
    /// Pointer patterns of quantities.
    #[serde(default)]
    pub(crate) quantities: Vec<String>,
    /// Pointer patterns of lists whose order means nothing.
    #[serde(default)]
    pub(crate) sets: Vec<String>,
    /// Key of a list's elements, by pointer pattern.
    #[serde(default)]
    pub(crate) keys: BTreeMap<String, String>,
    /// What the server fills in.
    #[serde(default)]
    pub(crate) defaults: Vec<ServerDefault>,
    /// What only the server writes, besides what it writes on every object.
    #[serde(default)]
    pub(crate) server_owned: Vec<String>,
    /// Objects that mean the same empty or absent.
    #[serde(default)]
    pub(crate) empty: Vec<String>,
    /// What cannot be changed.
    #[serde(default)]
    pub(crate) immutable: Vec<Immutable>,
}

fn yes() -> bool {
    true
}

/// A value that the server fills in.
#[derive(Debug, Deserialize)]
pub(crate) struct ServerDefault {
    /// Where.
    pub(crate) at: String,
    /// What.
    pub(crate) value: Value,
    /// Only if this is there.
    #[serde(default)]
    pub(crate) inside: Option<String>,
}

/// A field that cannot be changed.
#[derive(Debug, Deserialize)]
pub(crate) struct Immutable {
    /// The field; what lies below it cannot be changed either.
    pub(crate) at: String,
    /// Whose rule it is: `Kueue` or `Kubernetes`.
    pub(crate) product: String,
    /// First version of the product that has the rule; all before if absent.
    #[serde(default)]
    from: Option<String>,
    /// Last minor version that has it; all later if absent.
    #[serde(default)]
    to: Option<String>,
    /// Only where the object has this field.
    #[serde(default)]
    pub(crate) when: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Limit {
    #[serde(default)]
    from: Option<String>,
    #[serde(default)]
    to: Option<String>,
    most: usize,
}

static FACTS: LazyLock<Facts> =
    LazyLock::new(|| serde_json::from_str(include_str!("../data/kinds.json")).unwrap_or_default());

/// The facts of a kind that this target writes.
pub(crate) fn kind(kind: &str) -> Option<&'static KindFacts> {
    FACTS.kinds.get(kind)
}

/// The kinds that this target writes.
#[cfg(test)]
pub(crate) fn kinds() -> impl Iterator<Item = (&'static str, &'static KindFacts)> {
    FACTS.kinds.iter().map(|(kind, facts)| (kind.as_str(), facts))
}

/// The most entries that a version of Kueue takes in a list.
pub(crate) fn limit(name: &str, kueue: &Version) -> usize {
    let rows = FACTS.limits.get(name).map(Vec::as_slice).unwrap_or_default();
    let row = rows.iter().find(|row| between(row.from.as_deref(), row.to.as_deref(), kueue));
    row.map_or(usize::MAX, |row| row.most)
}

impl Immutable {
    /// Whether a version of the product has the rule.
    pub(crate) fn holds(&self, version: &Version) -> bool {
        between(self.from.as_deref(), self.to.as_deref(), version)
    }

    /// Whether a change at `pointer` falls under the rule.
    pub(crate) fn covers(&self, pointer: &str) -> bool {
        pointer.strip_prefix(self.at.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// The minor version: what rules go by.
pub(crate) fn minor(version: &Version) -> (u64, u64) {
    let part = |at: usize| version.parts.get(at).copied().unwrap_or(0);
    (part(0), part(1))
}

/// Whether the minor version lies between two, both included.
fn between(from: Option<&str>, to: Option<&str>, version: &Version) -> bool {
    let bound = |text: &str| Version::parse(text).ok().map(|version| minor(&version));
    let version = minor(version);
    from.and_then(bound).is_none_or(|from| from <= version)
        && to.and_then(bound).is_none_or(|to| version <= to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read() {
        let facts: Facts = serde_json::from_str(include_str!("../data/kinds.json")).unwrap();
        assert_eq!(facts.kinds.len(), 14);
        assert_eq!(limit("multikueue_clusters", &Version::parse("0.15.3").unwrap()), 10);
        assert_eq!(limit("multikueue_clusters", &Version::parse("0.16").unwrap()), 20);
        for rows in facts.limits.values() {
            for row in rows {
                for bound in row.from.iter().chain(&row.to) {
                    Version::parse(bound).unwrap();
                }
            }
        }
    }

    /// A limit that is asked for by a wrong name would be no limit at all.
    #[test]
    fn every_limit_has_a_row_for_every_version() {
        for name in FACTS.limits.keys() {
            for kueue in ["0.15", "0.16", "0.17", "0.18", "0.19.2"] {
                assert_ne!(limit(name, &Version::parse(kueue).unwrap()), usize::MAX, "{name} in {kueue}");
            }
        }
    }
}
