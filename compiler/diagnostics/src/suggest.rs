//! "A similar name exists": which of the valid names was probably meant.

/// The names in `valid` that are close to `name`, closest first, at most three.
///
/// Equal but for case comes first; then a distance (transpositions count once) of at most a third of the length,
/// at least 1; then names that `name` begins or that begin `name`. Of equal distance those come first that one slip
/// of the fingers makes `name` of: two letters swapped, one doubled, one left out, a key beside the right one.
#[must_use]
pub fn did_you_mean<'a>(name: &str, valid: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    let lower = name.to_lowercase();
    let mut close: Vec<(usize, u8, &str)> = valid
        .into_iter()
        .filter(|candidate| *candidate != name)
        .filter_map(|candidate| {
            if candidate.eq_ignore_ascii_case(name) {
                return Some((0, 0, candidate));
            }
            let distance = strsim::osa_distance(&lower, &candidate.to_lowercase());
            if distance <= limit {
                return Some((distance, slip(name, candidate), candidate));
            }
            let begins = name.len() >= 3 && (candidate.starts_with(name) || name.starts_with(candidate));
            (begins && candidate.len() >= 3).then_some((limit + 1, 0, candidate))
        })
        .collect();
    close.sort_unstable();
    close.dedup();
    close.into_iter().map(|(.., candidate)| candidate).take(3).collect()
}

/// The rows of a keyboard; one key is beside another in its row.
const ROWS: [&str; 4] = ["1234567890-", "qwertyuiop", "asdfghjkl", "zxcvbnm"];

/// Whether two keys of a keyboard are beside each other.
#[must_use]
pub fn beside(one: char, other: char) -> bool {
    let place = |row: &str, c: char| row.chars().position(|key| key == c);
    let row = |row: &&str| match (place(row, one), place(row, other)) {
        (Some(one), Some(other)) => one.abs_diff(other) == 1,
        _ => false,
    };
    ROWS.iter().any(row) || matches!((one, other), ('-', '_') | ('_', '-'))
}

/// How likely `written` is a slip for `meant`: 0 likely, more is less likely. A digit for another one is rather
/// another model, and a letter that is too much was rather meant.
fn slip(written: &str, meant: &str) -> u8 {
    let (written, meant): (Vec<char>, Vec<char>) = (written.chars().collect(), meant.chars().collect());
    let same = written.iter().zip(&meant).take_while(|(a, b)| a == b).count();
    let (left, right) = (written.get(same..).unwrap_or_default(), meant.get(same..).unwrap_or_default());
    match (left, right) {
        ([a, b, rest @ ..], [c, d, tail @ ..]) if (a, b) == (d, c) && rest == tail => 0,
        ([a, rest @ ..], [b, tail @ ..]) if rest == tail => {
            let digits = a.is_ascii_digit() && b.is_ascii_digit();
            match beside(a.to_ascii_lowercase(), b.to_ascii_lowercase()) {
                true if !digits => 1,
                _ => 3,
            }
        }
        (rest, [_, tail @ ..]) if rest == tail => 1,
        ([first, rest @ ..], tail) if rest == tail => {
            let before = same.checked_sub(1).and_then(|at| written.get(at));
            if before == Some(first) { 0 } else { 2 }
        }
        _ => 2,
    }
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

    /// Of names at the same distance the one that a slip makes what was written.
    #[test]
    fn slips_come_before_other_names() {
        let first = |name, valid: [&'static str; 2]| did_you_mean(name, valid).first().copied();
        assert_eq!(first("hpu", ["cpu", "gpu"]), Some("gpu"), "a key beside it");
        assert_eq!(first("rmoved", ["moved", "removed"]), Some("removed"), "a letter left out");
        assert_eq!(first("nb-hh100", ["nb-h200", "nb-h100"]), Some("nb-h100"), "a letter twice");
        assert_eq!(first("GBi", ["GB", "GiB"]), Some("GiB"), "two letters swapped");
        assert_eq!(first("nbh200", ["nb-h100", "nb-h200"]), Some("nb-h200"));
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
