//! Host names: `gpu[001-016,020],login1` and the names that it stands for.

use std::collections::BTreeSet;
use std::fmt;

use super::unit::UnitError;
use crate::codes;

/// Host names, in the order written, and the text that named them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hosts(pub Vec<String>);

/// The most names that one list may stand for.
pub const MAX_HOSTS: usize = 65_536;

const FORM: &str =
    "host names are written \"login1\", \"gpu[001-016,020]\", \"rack[1-2]n[01-04]\", with commas between";

impl Hosts {
    /// Expands `gpu[001-016,020],login1`: padding is kept, a name may have several ranges, the leftmost varies slowest.
    ///
    /// # Errors
    /// A bad form, a name twice, or more than [`MAX_HOSTS`] names.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let mut names = Vec::new();
        for part in split_outside_brackets(text) {
            expand(text, part.trim(), &mut names)?;
        }
        Self::from_names(names)
    }

    /// Names that need no expansion.
    ///
    /// # Errors
    /// A name twice, or too many.
    pub fn from_names(names: Vec<String>) -> Result<Self, UnitError> {
        if names.len() > MAX_HOSTS {
            return Err(too_many());
        }
        let mut seen = BTreeSet::new();
        if let Some(twice) = names.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(fail(format!("host \"{twice}\" is named twice"), "name each host once"));
        }
        Ok(Self(names))
    }

    /// The short form, `gpu[001-016,020],login1`; it expands to the same names in the same order.
    #[must_use]
    pub fn fold(&self) -> String {
        let mut words = self.0.clone();
        loop {
            let folded = fold_once(&words);
            if folded.len() == words.len() {
                return folded.join(",");
            }
            words = folded;
        }
    }
}

impl fmt::Display for Hosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fold())
    }
}

fn fail(message: impl Into<String>, help: impl Into<String>) -> UnitError {
    UnitError::new(message, help).coded(codes::BAD_HOSTS)
}

fn too_many() -> UnitError {
    fail(format!("the list stands for more than {MAX_HOSTS} hosts"), "split it into several pools or lots")
}

fn split_outside_brackets(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    text.split(move |c| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        c == ',' && depth <= 0
    })
}

/// Adds the names of one part, `rack[1-2]n[01-04]`.
fn expand(text: &str, part: &str, names: &mut Vec<String>) -> Result<(), UnitError> {
    let bad = |why: &str| fail(format!("\"{text}\" is not a list of hosts: {why}"), FORM);
    let mut open = vec![String::new()];
    let mut rest = part;
    while !rest.is_empty() {
        let end = rest.find('[').unwrap_or(rest.len());
        let (fixed, after) = rest.split_at(end);
        if let Some(wrong) = fixed.chars().find(|c| !(c.is_ascii_alphanumeric() || "-._".contains(*c))) {
            return Err(bad(&format!("\"{wrong}\" may not stand in a host name")));
        }
        for name in &mut open {
            name.push_str(fixed);
        }
        rest = after;
        if let Some(after) = rest.strip_prefix('[') {
            let (inside, after) = after.split_once(']').ok_or_else(|| bad("a \"[\" is never closed"))?;
            let numbers = numbers(inside, &bad)?;
            if open.len().saturating_mul(numbers.len()) > MAX_HOSTS {
                return Err(too_many());
            }
            open = open
                .iter()
                .flat_map(|name| numbers.iter().map(move |number| format!("{name}{number}")))
                .collect();
            rest = after;
        }
    }
    if open.iter().any(String::is_empty) {
        return Err(bad("a name is empty"));
    }
    if names.len() + open.len() > MAX_HOSTS {
        return Err(too_many());
    }
    names.append(&mut open);
    Ok(())
}

/// `001-016,020`
fn numbers(inside: &str, bad: &dyn Fn(&str) -> UnitError) -> Result<Vec<String>, UnitError> {
    let mut all = Vec::new();
    for range in inside.split(',') {
        let range = range.trim();
        let (low, high) = range.split_once('-').unwrap_or((range, range));
        let parse = |digits: &str| {
            let good =
                !digits.is_empty() && digits.len() <= 18 && digits.bytes().all(|byte| byte.is_ascii_digit());
            if good { digits.parse::<u64>().ok() } else { None }
        };
        let (Some(first), Some(last)) = (parse(low), parse(high)) else {
            return Err(bad(&format!("\"{range}\" is not a number or a range of numbers")));
        };
        if last < first {
            return Err(bad(&format!("the range \"{range}\" is empty")));
        }
        if last - first >= MAX_HOSTS as u64 || all.len() + (last - first) as usize >= MAX_HOSTS {
            return Err(too_many());
        }
        let width = low.len();
        all.extend((first..=last).map(|number| format!("{number:0width$}")));
    }
    Ok(all)
}

/// A name cut into runs: digits, and all else with brackets whole.
fn runs(word: &str) -> Vec<(bool, &str)> {
    let mut all = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        let digits = rest.starts_with(|c: char| c.is_ascii_digit());
        let mut inside = false;
        let end = rest.find(|c: char| {
            let stop = c.is_ascii_digit() != digits && !inside;
            inside = (inside || c == '[') && c != ']';
            stop
        });
        let (run, after) = rest.split_at(end.unwrap_or(rest.len()));
        all.push((digits, run));
        rest = after;
    }
    all
}

/// The one run in which two words differ, if both are digits there and no bracket stands before it.
fn differing_run(a: &[(bool, &str)], b: &[(bool, &str)]) -> Option<usize> {
    if a.len() != b.len() {
        return None;
    }
    let mut different = a.iter().zip(b).enumerate().filter(|(_, (a, b))| a != b);
    let (at, (a_run, b_run)) = different.next()?;
    if different.next().is_some()
        || !a_run.0
        || !b_run.0
        || a.iter().take(at).any(|(_, run)| run.contains('['))
    {
        return None;
    }
    let short = |run: &str| run.len() <= 18;
    (short(a_run.1) && short(b_run.1)).then_some(at)
}

/// Folds neighbours that differ in one number.
fn fold_once(words: &[String]) -> Vec<String> {
    let mut folded = Vec::new();
    let mut rest = words;
    while let Some((first, after)) = rest.split_first() {
        let first_runs = runs(first);
        let Some(at) = after.first().and_then(|next| differing_run(&first_runs, &runs(next))) else {
            folded.push(first.clone());
            rest = after;
            continue;
        };
        let digits = |word: &str| runs(word).get(at).map_or_else(String::new, |(_, run)| (*run).to_owned());
        let more =
            after.iter().take_while(|word| differing_run(&first_runs, &runs(word)) == Some(at)).count();
        let (group, left) = rest.split_at(more + 1);
        let before: String = first_runs.iter().take(at).map(|(_, run)| *run).collect();
        let behind: String = first_runs.iter().skip(at + 1).map(|(_, run)| *run).collect();
        let numbers: Vec<String> = group.iter().map(|word| digits(word)).collect();
        folded.push(format!("{before}[{}]{behind}", ranges(&numbers)));
        rest = left;
    }
    folded
}

/// `001-016,020`
fn ranges(numbers: &[String]) -> String {
    let mut parts: Vec<(&str, &str)> = Vec::new();
    for number in numbers {
        match parts.last_mut() {
            Some((first, last)) if follows(first, last, number) => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let part = |(first, last): &(&str, &str)| {
        if first == last { (*first).to_owned() } else { format!("{first}-{last}") }
    };
    parts.iter().map(part).collect::<Vec<_>>().join(",")
}

/// Whether a range from `first` to `last` goes on with `next`.
fn follows(first: &str, last: &str, next: &str) -> bool {
    let after = last.parse::<u64>().map(|number| number + 1);
    after.is_ok_and(|number| format!("{number:0width$}", width = first.len()) == next)
}
