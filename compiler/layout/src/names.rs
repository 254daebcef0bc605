//! Names of lowered objects (LANGUAGE §4.2): parts joined with `--`, cut where a target's limit asks for it, and
//! never given twice.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_model::Address;
use poolwright_model::fleet::GroupKind;
use sha2::{Digest, Sha256};

use crate::codes;

/// Characters of a name that is a label value on Kubernetes (apimachinery, `LabelValueMaxLength`) and of the rest.
pub(crate) const LIMIT: usize = 63;

/// Characters of the name of a node pool of GKE and of ACK; not checked against the live services.
const POOL_LIMIT: usize = 40;

/// The limit for a group of nodes.
pub(crate) fn group_limit(kind: GroupKind) -> usize {
    match kind {
        GroupKind::Ack | GroupKind::Gke => POOL_LIMIT,
        _ => LIMIT,
    }
}

/// Joins the parts with `--`. A name longer than the limit is cut to limit − 9 characters, trailing hyphens removed,
/// then `-` and the first 8 hex digits of the SHA-256 of the full name.
pub(crate) fn compose(parts: &[&str], limit: usize) -> String {
    let full = parts.join("--");
    if full.chars().count() <= limit {
        return full;
    }
    let kept: String = full.chars().take(limit.saturating_sub(9)).collect();
    let mut name = kept.trim_end_matches('-').to_owned();
    name.push('-');
    for byte in Sha256::digest(full.as_bytes()).iter().take(4) {
        let _ = write!(name, "{byte:02x}");
    }
    name
}

/// Who has which name, by target and kind of object.
#[derive(Default)]
pub(crate) struct Names<'a> {
    taken: BTreeMap<(Address, &'static str, String), (&'a Address, Span)>,
}

impl<'a> Names<'a> {
    /// Takes a name for the object that `block` emits; an error when another object has it.
    pub(crate) fn take(
        &mut self,
        target: &Address,
        kind: &'static str,
        name: &str,
        (block, span): (&'a Address, Span),
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        use std::collections::btree_map::Entry;
        match self.taken.entry((target.clone(), kind, name.to_owned())) {
            Entry::Vacant(free) => {
                free.insert((block, span));
            }
            Entry::Occupied(taken) => {
                let (other, other_span) = *taken.get();
                diagnostics.push(
                    Diagnostic::error(
                        codes::NAME_TAKEN,
                        format!("two objects are {kind} \"{name}\" on {target}"),
                    )
                    .at(span, format!("`{block}` makes it"))
                    .also(other_span, format!("`{other}` makes it too"))
                    .with_help("rename one of the blocks, or set its `name`"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_are_joined() {
        assert_eq!(compose(&["cost-optimized", "nlp"], LIMIT), "cost-optimized--nlp");
        let exact = "a".repeat(LIMIT);
        assert_eq!(compose(&[&exact], LIMIT), exact);
    }

    #[test]
    fn long_names_are_cut_with_a_digest_of_the_whole() {
        // printf 'aaa…(40)--bbb…(30)' | sha256sum
        let (a, b) = ("a".repeat(40), "b".repeat(30));
        let name = compose(&[&a, &b], LIMIT);
        assert_eq!(name.len(), LIMIT);
        assert_eq!(name, format!("{a}--{}-{}", "b".repeat(12), "c84d4182"));
        let other = compose(&[&a, &format!("{}c", "b".repeat(29))], LIMIT);
        assert_ne!(name, other);
    }

    #[test]
    fn hyphens_before_the_cut_go() {
        // 31 characters are kept of 40: the cut falls behind the joint.
        let name = compose(&[&"a".repeat(29), &"b".repeat(20)], group_limit(GroupKind::Ack));
        assert!(name.starts_with(&format!("{}-", "a".repeat(29))), "{name}");
        assert_eq!(name.len(), 29 + 9);
        assert!(!name.contains("--"));
    }

    #[test]
    fn a_name_is_given_once_per_target_and_kind() {
        let (a, b) = (Address::new("pool.a"), Address::new("pool.b"));
        let (here, there) = (Address::new("target.kubernetes.x"), Address::new("target.kubernetes.y"));
        let mut names = Names::default();
        let mut found = Vec::new();
        names.take(&here, "ResourceFlavor", "x", (&a, Span::default()), &mut found);
        names.take(&there, "ResourceFlavor", "x", (&b, Span::default()), &mut found);
        names.take(&here, "Cohort", "x", (&b, Span::default()), &mut found);
        assert_eq!(found, []);
        names.take(&here, "ResourceFlavor", "x", (&b, Span::default()), &mut found);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].code, codes::NAME_TAKEN);
        assert_eq!(found[0].labels.len(), 2);
    }
}
