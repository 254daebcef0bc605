//! The fixes of diagnostics, carried out: rounds of checking and editing until nothing is left that may be done.
//!
//! Nothing is written here: the new texts are checked in place of the files, and given back.

use std::collections::BTreeMap;

use poolwright_diagnostics::{Applicability, Code, Diagnostic, Edit, FileId, Fix, SourceMap, apply};
use poolwright_expression::quantity::Version;
use poolwright_target::files::Files;

use crate::compile::{Faulty, check};
use crate::load::{FILE_LIMIT, load_over};
use crate::variables::VariableSource;

/// How often a fleet is checked again. Fixes at one place wait for each other, a round each; a fleet that needs more
/// than this has fixes that undo each other.
const ROUNDS: usize = 20;

/// What became of a fleet.
#[derive(Debug)]
pub struct Fixed {
    /// The files that change, by name.
    pub files: BTreeMap<String, Rewritten>,
    /// What was done, in order.
    pub done: Vec<Done>,
    /// The files as they are after it.
    pub sources: SourceMap,
    /// What is left: everything that `validate` says of these files.
    pub diagnostics: Vec<Diagnostic>,
    /// How many files there are.
    pub count: usize,
}

/// A file that changes.
#[derive(Debug)]
pub struct Rewritten {
    /// Its text on the disk.
    pub before: String,
    /// Its text with the fixes.
    pub after: String,
}

/// A fix that was carried out.
#[derive(Debug)]
pub struct Done {
    /// `file:line:column`, in the text of its round.
    pub place: String,
    /// What was wrong.
    pub code: Code,
    /// What was done, as an instruction.
    pub title: String,
}

/// Carries out the safe fixes of a fleet's diagnostics, and on request those that should be looked at.
#[must_use]
pub fn fix(files: &dyn Files, version: &Version, given: &[VariableSource], unsafe_too: bool) -> Fixed {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut before: BTreeMap<String, String> = BTreeMap::new();
    let mut done = Vec::new();
    let mut rounds = 0;
    loop {
        let loaded = load_over(files, version, given, &texts);
        let count = loaded.files;
        let (sources, diagnostics) = match check(loaded) {
            Ok(sound) => sound,
            Err(faulty) => {
                let Faulty { sources, diagnostics, .. } = *faulty;
                (sources, diagnostics)
            }
        };
        let mut round = Round { sources: &sources, taken: BTreeMap::new() };
        if rounds < ROUNDS {
            for fault in &diagnostics {
                let Some(fix) = fault.fixes.iter().find(|fix| may(fix, unsafe_too)) else { continue };
                let ours = fix.edits.iter().all(|edit| {
                    let file = sources.get(edit.span.file);
                    file.is_some_and(|file| known(files, file.name(), file.text(), &mut before))
                });
                if ours && round.take(&fix.edits) {
                    let place = fault.primary().map(|label| sources.place(label.span)).unwrap_or_default();
                    done.push(Done { place, code: fault.code, title: fix.title.clone() });
                }
            }
        }
        let changed = round.texts();
        if changed.is_empty() {
            let files = texts
                .into_iter()
                .filter_map(|(name, after)| {
                    let before = before.remove(&name)?;
                    Some((name, Rewritten { before, after }))
                })
                .filter(|(_, file)| file.before != file.after)
                .collect();
            return Fixed { files, done, sources, diagnostics, count };
        }
        texts.extend(changed);
        rounds += 1;
    }
}

fn may(fix: &Fix, unsafe_too: bool) -> bool {
    let allowed = match fix.applicability {
        Applicability::Safe => true,
        Applicability::Unsafe => unsafe_too,
        Applicability::HasPlaceholders => false,
    };
    allowed && !fix.edits.is_empty()
}

/// Whether a file's text is all of it, and remembers it as it is on the disk: of a file that is not text only a part
/// was shown.
fn known(files: &dyn Files, name: &str, text: &str, before: &mut BTreeMap<String, String>) -> bool {
    if before.contains_key(name) {
        return true;
    }
    let whole = files.read(name, FILE_LIMIT).is_ok_and(|bytes| bytes == text.as_bytes());
    if whole {
        before.insert(name.to_owned(), text.to_owned());
    }
    whole
}

/// The edits of one round, by where they begin.
struct Round<'a> {
    sources: &'a SourceMap,
    taken: BTreeMap<(FileId, u32), Edit>,
}

impl Round<'_> {
    /// Takes the edits of a fix, all or none: a place that another fix changes has to wait for the next round.
    fn take(&mut self, edits: &[Edit]) -> bool {
        let mut new = Vec::new();
        for edit in edits {
            let at = (edit.span.file, edit.span.start);
            if self.taken.get(&at) == Some(edit) {
                continue;
            }
            if self.meets(edit) {
                for at in new {
                    self.taken.remove(&at);
                }
                return false;
            }
            self.taken.insert(at, edit.clone());
            new.push(at);
        }
        !new.is_empty()
    }

    fn meets(&self, edit: &Edit) -> bool {
        let (file, start) = (edit.span.file, edit.span.start);
        let overlap = |one: &Edit, other: &Edit| {
            let empty = one.span.start == one.span.end || other.span.start == other.span.end;
            one.span.end > other.span.start || (empty && one.span.end == other.span.start)
        };
        let before = self.taken.range((file, 0)..(file, start)).next_back();
        let after = self.taken.range((file, start)..=(file, u32::MAX)).next();
        before.is_some_and(|(_, other)| overlap(other, edit))
            || after.is_some_and(|(_, other)| other.span.start == start || overlap(edit, other))
    }

    /// The texts of the files that change, by name.
    fn texts(self) -> BTreeMap<String, String> {
        let mut edits: BTreeMap<FileId, Vec<Edit>> = BTreeMap::new();
        for ((file, _), edit) in self.taken {
            edits.entry(file).or_default().push(edit);
        }
        let changed = |(file, edits): (FileId, Vec<Edit>)| {
            let file = self.sources.get(file)?;
            let text = apply(file.text(), &edits)?;
            (text != **file.text()).then(|| (file.name().to_owned(), text))
        };
        edits.into_iter().filter_map(changed).collect()
    }
}

#[cfg(test)]
mod tests {
    use poolwright_diagnostics::Span;

    use super::*;

    fn edit(start: u32, end: u32, text: &str) -> Edit {
        Edit { span: Span::new(FileId(0), start, end), text: text.to_owned() }
    }

    #[test]
    fn fixes_at_one_place_wait_for_each_other() {
        let mut sources = SourceMap::default();
        sources.add("a", "abcdef");
        let mut round = Round { sources: &sources, taken: BTreeMap::new() };
        assert!(round.take(&[edit(1, 2, "B"), edit(4, 4, "-")]));
        // All or none.
        assert!(!round.take(&[edit(0, 1, "A"), edit(4, 5, "E")]));
        assert!(!round.take(&[edit(4, 4, "+")]));
        assert!(!round.take(&[edit(2, 2, "+")]));
        assert!(!round.take(&[edit(0, 3, "")]));
        assert!(!round.take(&[edit(3, 4, "D")]), "beside an insertion");
        // The same once more says nothing new.
        assert!(!round.take(&[edit(1, 2, "B")]));
        assert!(round.take(&[edit(2, 3, "C"), edit(1, 2, "B")]));
        assert_eq!(round.texts().remove("a").unwrap(), "aBCd-ef");
    }
}
