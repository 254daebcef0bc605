//! One typo in each name of every example: what is suggested is what was there.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::Diagnostic;
use poolwright_language::schema::schema;
use rayon::prelude::*;

use crate::fleets::{Fleet, Found, examples};
use crate::names::{Sort, names};
use crate::page;

/// A letter beside each letter of a keyboard.
const BESIDE: [(&str, &str); 2] =
    [("qwertyuiopasdfghjklzxcvbnm", "wertyuioposdfghjklkxcvbnmn"), ("0123456789-_", "1234567898__")];

/// A name with a typo in it.
struct Typo<'f> {
    fleet: &'f Fleet,
    file: &'f str,
    sort: Sort,
    context: String,
    start: usize,
    end: usize,
    how: &'static str,
    typo: String,
}

impl Typo<'_> {
    fn original(&self) -> &str {
        &self.fleet.files[self.file][self.start..self.end]
    }

    fn text(&self) -> String {
        let text = &self.fleet.files[self.file];
        format!("{}{}{}", &text[..self.start], self.typo, &text[self.end..])
    }

    fn line(&self) -> usize {
        self.fleet.files[self.file][..self.start].matches('\n').count() + 1
    }

    fn shown(&self) -> String {
        let line = self.fleet.files[self.file].lines().nth(self.line() - 1).unwrap_or("").trim();
        format!(
            "{:?} {} `{}` -> `{}` {}:{} in {line}",
            self.sort,
            self.how,
            self.original(),
            self.typo,
            self.file,
            self.line()
        )
    }
}

/// The four typos of a name; where in it they are depends on the name alone.
fn typos(name: &str) -> Vec<(&'static str, String)> {
    let letters: Vec<char> = name.chars().collect();
    let seed = letters.iter().fold(7_usize, |sum, c| sum.wrapping_mul(31).wrapping_add(*c as usize));
    let count = letters.len();
    let places = |salt: usize| (0..count).map(move |at| (at + seed.wrapping_add(salt) % count) % count);
    let word = |letters: Vec<char>| letters.into_iter().collect::<String>();
    let dropped = places(0).map(|at| {
        let mut it = letters.clone();
        it.remove(at);
        word(it)
    });
    let swapped = places(1).filter(|at| at + 1 < letters.len()).map(|at| {
        let mut it = letters.clone();
        it.swap(at, at + 1);
        word(it)
    });
    let doubled = places(2).map(|at| {
        let mut it = letters.clone();
        it.insert(at, letters[at]);
        word(it)
    });
    let replaced = places(3).filter_map(|at| {
        let mut it = letters.clone();
        let (lower, upper) = (it[at].to_ascii_lowercase(), it[at].is_ascii_uppercase());
        let beside =
            BESIDE.iter().find_map(|(from, to)| to.chars().nth(from.chars().position(|c| c == lower)?))?;
        it[at] = if upper { beside.to_ascii_uppercase() } else { beside };
        Some(word(it))
    });
    let sound = |it: &String| {
        it != name
            && it.starts_with(|c: char| c.is_ascii_alphabetic())
            && !it.ends_with('-')
            && !it.contains("--")
    };
    let first = |how, mut all: Box<dyn Iterator<Item = String> + '_>| all.find(sound).map(|it| (how, it));
    [
        first("dropped", Box::new(dropped)),
        first("swapped", Box::new(swapped)),
        first("doubled", Box::new(doubled)),
        first("replaced", Box::new(replaced)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn all_typos(fleets: &[Fleet]) -> Vec<Typo<'_>> {
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for fleet in fleets {
        for file in &fleet.broken {
            let text = &fleet.files[file];
            for name in names(text) {
                let (start, end) = (name.span.start as usize, name.span.end as usize);
                let original = &text[start..end];
                if original.len() < 3 && name.sort != Sort::Unit
                    || !seen.insert((name.sort, name.context.clone(), original))
                {
                    continue;
                }
                for (how, typo) in typos(original) {
                    all.push(Typo {
                        fleet,
                        file,
                        sort: name.sort,
                        context: name.context.clone(),
                        start,
                        end,
                        how,
                        typo,
                    });
                }
            }
        }
    }
    all
}

/// What a diagnostic suggests first, in each of its sentences.
fn suggested(found: &Diagnostic) -> Vec<String> {
    let mut all: Vec<String> =
        found.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.text.clone()).collect();
    let labels = found.labels.iter().map(|label| &label.text);
    for sentence in found.helps.iter().chain(labels).filter(|it| !it.starts_with("valid here")) {
        let quoted = |quote: char| sentence.split(quote).nth(1).map(str::to_owned);
        all.extend(quoted('`').or_else(|| quoted('"')));
    }
    all
}

/// Whether the typo makes another name that its place knows: what is meant is not to be seen.
fn is_another(typo: &Typo<'_>) -> bool {
    let it = typo.typo.as_str();
    match typo.sort {
        Sort::Attribute => {
            schema().blocks.get(&typo.context).is_some_and(|block| block.attributes.contains_key(it))
        }
        Sort::Part => poolwright_catalog::accelerator(it).is_some(),
        Sort::Unit => ["s", "m", "h", "d", "w", "GB", "TB", "MB", "W", "kW", "MW"].contains(&it),
        _ => false,
    }
}

/// Whether the name is of a block that is no more there: nothing can be said of it.
fn is_gone(typo: &Typo<'_>) -> bool {
    typo.fleet.files[typo.file]
        .lines()
        .nth(typo.line() - 1)
        .is_some_and(|line| line.trim().starts_with("from "))
}

enum Outcome {
    Good,
    /// What is said instead; empty when nothing is.
    Bad(String),
    /// Nothing refers to the declaration, or the name is another one that is there.
    Valid,
}

fn judge(typo: &Typo<'_>, found: &Found, known: &[String]) -> Outcome {
    let errors: Vec<&Diagnostic> =
        found.diagnostics.iter().filter(|it| it.is_error() && !known.contains(&it.message)).collect();
    if is_another(typo) || errors.is_empty() && (typo.sort == Sort::Declaration || is_gone(typo)) {
        return Outcome::Valid;
    }
    let declared = typo.sort == Sort::Declaration;
    let wanted = if declared { typo.typo.as_str() } else { typo.original() };
    let whole = typo.fleet.files[typo.file].clone();
    // A unit is suggested with its amount.
    let line = whole.lines().nth(typo.line() - 1).unwrap_or("").to_owned();
    let good = |text: &String| {
        let text = text.trim_matches('"').trim();
        text == wanted
            || text.split(['.', '[', ']', '"']).any(|part| part == wanted)
            || (typo.sort == Sort::Unit && text.contains(wanted) && line.contains(text))
            || (text.contains(wanted) && wanted.contains('.'))
    };
    let end = typo.start + typo.typo.len();
    let here = |it: &&&Diagnostic| {
        declared
            || it.labels.iter().any(|label| {
                found.sources.get(label.span.file).is_some_and(|it| it.name() == typo.file)
                    && (label.span.start as usize) < end
                    && typo.start < label.span.end as usize
            })
    };
    let at: Vec<&&Diagnostic> = errors.iter().filter(here).collect();
    if at.iter().any(|it| suggested(it).iter().any(good)) {
        return Outcome::Good;
    }
    let said = if at.is_empty() { errors.iter().collect() } else { at };
    let said = said
        .iter()
        .take(2)
        .map(|it| {
            format!(
                "[{}] {} | {} | {}",
                it.code,
                it.message,
                it.labels.first().map_or("", |it| it.text.as_str()),
                it.helps.join(" / ")
            )
        })
        .collect::<Vec<_>>()
        .join(" ;; ");
    Outcome::Bad(said)
}

/// Why a suggestion is another one than what was there.
fn reason(typo: &Typo<'_>, said: &str) -> &'static str {
    match typo.sort {
        Sort::Unit => "a unit that is left with one letter, or one of several as likely",
        _ if said.contains(&format!("`{}`", typo.original()))
            || said.contains(&format!(".{}`", typo.original())) =>
        {
            "another name is as likely, and stands before it"
        }
        Sort::Declaration if said.contains("has the character") => {
            "the typo is no name, and is refused as such"
        }
        Sort::Declaration => "another name is as likely, and stands before it",
        _ => "nothing is suggested",
    }
}

#[test]
fn one_typo_in_each_name() {
    let mut fleets = examples();
    fleets.sort_by_key(|fleet| fleet.files.values().map(String::len).sum::<usize>());
    let known: BTreeMap<&str, Vec<String>> = fleets
        .iter()
        .map(|fleet| {
            let found = fleet.run().unwrap().diagnostics;
            (
                fleet.name.as_str(),
                found.into_iter().filter(Diagnostic::is_error).map(|it| it.message).collect(),
            )
        })
        .collect();
    let all = all_typos(&fleets);
    let outcomes: Vec<Outcome> = all
        .par_iter()
        .map(|typo| match typo.fleet.with(typo.file, &typo.text()).run() {
            Ok(found) => judge(typo, &found, &known[typo.fleet.name.as_str()]),
            Err(panic) => panic!("{}: {panic}", typo.shown()),
        })
        .collect();
    let mut counts: BTreeMap<Sort, [usize; 3]> = BTreeMap::new();
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut lines = Vec::new();
    for (typo, outcome) in all.iter().zip(outcomes) {
        let count = counts.entry(typo.sort).or_default();
        match outcome {
            Outcome::Good => count[0] += 1,
            Outcome::Bad(said) => {
                count[1] += 1;
                let shown = format!("`{}` → `{}`", typo.original(), typo.typo);
                reasons.entry(reason(typo, &said)).or_default().push(shown);
                lines.push(format!("{} :: {said}", typo.shown()));
            }
            Outcome::Valid => count[2] += 1,
        }
    }
    let (good, bad) = counts.values().fold((0, 0), |sum, it| (sum.0 + it[0], sum.1 + it[1]));
    let left_out: usize = counts.values().map(|it| it[2]).sum();
    assert!(good * 100 >= (good + bad) * 95, "{good} of {}:\n{}", good + bad, lines.join("\n"));
    let tenths = good * 1000 / (good + bad);
    let mut text = format!(
        "{} typos, {left_out} of them left out by the rules above: of {} the suggestion is right in {good}, {}.{} %.\n\n",
        all.len(),
        good + bad,
        tenths / 10,
        tenths % 10
    );
    text.push_str("| what is misspelt | right | wrong | left out |\n|---|---|---|---|\n");
    for (sort, [good, bad, valid]) in &counts {
        text.push_str(&format!("| {} | {good} | {bad} | {valid} |\n", sort.title()));
    }
    text.push_str("\nThe others:\n\n");
    for (reason, names) in reasons {
        text.push_str(&format!("- {reason}: {}\n", names.join(", ")));
    }
    page::hold("typos", &text);
}
