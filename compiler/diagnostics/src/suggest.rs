//! "A similar name exists": which of the valid names was probably meant.

/// The names in `valid` that are close to `name`, closest first, at most three.
///
/// Equal but for case comes first; then a distance (transpositions count once) of at most a third of the length,
/// at least 1; then names that `name` begins or that begin `name`.
#[must_use]
pub fn did_you_mean<'a>(name: &str, valid: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    let mut close: Vec<(usize, &str)> = valid
        .into_iter()
        .filter(|candidate| *candidate != name)
        .filter_map(|candidate| {
            if candidate.eq_ignore_ascii_case(name) {
                return Some((0, candidate));
            }
            let distance = strsim::osa_distance(&name.to_lowercase(), &candidate.to_lowercase());
            if distance <= limit {
                return Some((distance, candidate));
            }
            let begins = name.len() >= 3 && (candidate.starts_with(name) || name.starts_with(candidate));
            (begins && candidate.len() >= 3).then_some((limit + 1, candidate))
        })
        .collect();
    close.sort_unstable();
    close.dedup();
    close.into_iter().map(|(_, candidate)| candidate).take(3).collect()
}

/// A help line for a name that is not among `valid`: the close ones as a statement, else the valid ones when they
/// are few, else nothing. `what` is the kind of thing in the singular: "attribute", "pool".
#[must_use]
pub fn suggestion_help<'a>(
    what: &str,
    name: &str,
    valid: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let mut valid: Vec<&str> = valid.into_iter().collect();
    valid.sort_unstable();
    valid.dedup();
    match did_you_mean(name, valid.iter().copied()).as_slice() {
        [] if valid.is_empty() => None,
        [] if valid.len() <= 8 => Some(format!("valid here: {}", quoted(&valid))),
        [] => None,
        close => Some(format!("{} {what} with a similar name exists: {}", article(what), quoted(close))),
    }
}

fn article(what: &str) -> &'static str {
    if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_names_come_closest_first() {
        assert_eq!(did_you_mean("max_prize", ["max_price", "pools", "for"]), ["max_price"]);
        assert_eq!(did_you_mean("Nodes", ["nodes", "node", "name"]), ["nodes", "node"]);
        assert!(did_you_mean("zzz", ["nodes", "node"]).is_empty());
    }

    #[test]
    fn help_lists_few_valid_names_when_none_is_close() {
        assert_eq!(suggestion_help("kind", "x", ["spot", "owned"]).unwrap(), "valid here: `owned`, `spot`");
        assert_eq!(
            suggestion_help("attribute", "max_prize", ["max_price"]).unwrap(),
            "an attribute with a similar name exists: `max_price`"
        );
    }
}
