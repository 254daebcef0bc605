//! The table of keys: which object has which, in which order, in which form, since which Slurm version.
//!
//! Rendering, parsing and normalising are driven by it, so that a key that is not in `data/keys.tsv` can be neither
//! written nor read.

use std::sync::LazyLock;

use poolwright_expression::quantity::Version;

/// How a value is written in a file, and what it is in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As it is; a JSON string.
    Text,
    /// Digits; a JSON number.
    Number,
    /// `YES` or `NO`; a JSON boolean.
    Flag,
    /// Words with commas between; a JSON list, sorted where the order means nothing.
    List,
    /// `gpu[001-016]`; a JSON string, folded.
    Hosts,
    /// `2-00:00:00`, `08:00:00`, in whole minutes; a JSON string in that form.
    Time,
    /// The same, to the second.
    Clock,
    /// `gres/gpu:h100=24,node=2`; a JSON object of numbers.
    Weights,
}

/// One key of one kind of object.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    /// The kind of object: `Partition`.
    pub(crate) kind: &'static str,
    /// As Slurm spells it.
    pub(crate) name: &'static str,
    /// How its value is written.
    pub(crate) form: Form,
    /// The first Slurm version that knows it.
    pub(crate) since: Version,
}

static TABLE: LazyLock<Vec<Key>> = LazyLock::new(|| {
    let mut keys = Vec::new();
    for row in rows(include_str!("../data/keys.tsv")) {
        let [kind, name, form, since, ..] = row.as_slice() else { continue };
        let (Some(form), Ok(since)) = (form_of(form), Version::parse(since)) else { continue };
        keys.push(Key { kind, name, form, since });
    }
    keys
});

/// The rows of a table of facts: tab-separated, `#` begins a remark.
pub(crate) fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split('\t').collect())
}

fn form_of(text: &str) -> Option<Form> {
    Some(match text {
        "text" => Form::Text,
        "number" => Form::Number,
        "flag" => Form::Flag,
        "list" => Form::List,
        "hosts" => Form::Hosts,
        "time" => Form::Time,
        "clock" => Form::Clock,
        "weights" => Form::Weights,
        _ => return None,
    })
}

/// The keys of a kind of object, in the order in which they are written.
pub(crate) fn of(kind: &str) -> impl Iterator<Item = &'static Key> {
    TABLE.iter().filter(move |key| key.kind == kind)
}

/// A key of a kind, however its letters are cased: Slurm does not care.
#[must_use]
pub(crate) fn find(kind: &str, name: &str) -> Option<&'static Key> {
    of(kind).find(|key| key.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_understood() {
        let rows = rows(include_str!("../data/keys.tsv")).count();
        assert_eq!(TABLE.len(), rows);
        assert!(rows > 50);
    }

    #[test]
    fn no_kind_has_a_key_twice() {
        for key in TABLE.iter() {
            let same = of(key.kind).filter(|other| other.name.eq_ignore_ascii_case(key.name)).count();
            assert_eq!(same, 1, "{} {}", key.kind, key.name);
        }
    }

    #[test]
    fn keys_are_found_in_any_case() {
        assert_eq!(find("Partition", "PRIORITYTIER").map(|key| key.name), Some("PriorityTier"));
        assert!(find("Partition", "RealMemory").is_none());
    }
}
