//! `poolwright lock`: finds out which commit each module from Git is, and has it fetched.

use std::collections::BTreeMap;

use poolwright_diagnostics::{Diagnostic, SourceMap, Span};
use poolwright_target::files::{EntryKind, Files};

use crate::codes;
use crate::load::{parsed, texts};
use crate::lock::{Lock, Pinned, Repository, folder_digest};
use crate::modules::{Repositories, gather};

/// Fetches from Git. The one edge to the network that this has.
pub trait Fetch {
    /// Puts the files of a repository into a folder below the fleet's, in place of what is there: those of `commit`, or
    /// else of the repository's reference. Gives the commit.
    ///
    /// # Errors
    /// What went wrong, in a few words.
    fn fetch(&self, repository: &Repository, commit: Option<&str>, folder: &str) -> Result<String, String>;
}

/// What was locked.
#[derive(Debug)]
pub struct Locked {
    /// The lock as it should be written.
    pub lock: Lock,
    /// The lock as it was.
    pub before: Lock,
    /// The files.
    pub sources: SourceMap,
    /// What was found.
    pub diagnostics: Vec<Diagnostic>,
}

/// Finds out what the modules of a fleet are. What is pinned stays pinned, unless `update`.
#[must_use]
pub fn lock(files: &dyn Files, fetch: &dyn Fetch, update: bool) -> Locked {
    let mut sources = SourceMap::default();
    let mut diagnostics = Vec::new();
    let over = BTreeMap::new();
    let texts = texts(files, &over, &mut sources, &mut diagnostics);
    let trees = parsed(texts, &mut sources, &mut diagnostics);
    let before = Lock::read(files, &mut sources, &mut diagnostics);
    let mut fetching = Fetching { before: &before, fetch, update, lock: Lock::default() };
    if !diagnostics.iter().any(Diagnostic::is_error) {
        gather(files, &over, &trees, &mut sources, &mut diagnostics, &mut fetching);
    }
    let lock = fetching.lock;
    Diagnostic::sort(&mut diagnostics);
    Locked { lock, before, sources, diagnostics }
}

struct Fetching<'a> {
    before: &'a Lock,
    fetch: &'a dyn Fetch,
    update: bool,
    lock: Lock,
}

impl Repositories for Fetching<'_> {
    fn folder(
        &mut self,
        repository: &Repository,
        span: Span,
        files: &dyn Files,
        _: &mut SourceMap,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<String> {
        let folder = repository.folder();
        if self.lock.modules.contains_key(repository) {
            return Some(folder);
        }
        let pinned = self.before.modules.get(repository).filter(|_| !self.update);
        let here = files.kind(&folder).ok().flatten() == Some(EntryKind::Folder);
        if let Some(pinned) = pinned.filter(|_| here)
            && folder_digest(files, &folder).as_ref() == Ok(&pinned.digest)
        {
            self.lock.modules.insert(repository.clone(), pinned.clone());
            return Some(folder);
        }
        let commit = pinned.map(|pinned| pinned.commit.as_str());
        let fetched = self.fetch.fetch(repository, commit, &folder);
        let made = fetched.and_then(|commit| {
            let digest = folder_digest(files, &folder).map_err(|error| error.to_string())?;
            Ok(Pinned { commit, digest })
        });
        match made {
            Ok(made) if pinned.is_none_or(|pinned| pinned.digest == made.digest) => {
                self.lock.modules.insert(repository.clone(), made);
                Some(folder)
            }
            Ok(made) => {
                let shown = repository.shown();
                diagnostics.push(
                    Diagnostic::error(
                        codes::LOCK_MISMATCH,
                        format!("commit {} of `{shown}` has other files than when it was pinned", made.commit),
                    )
                    .at(span, "used here")
                    .with_note("the same commit always has the same files: the lock was edited, or the repository is not what it was")
                    .with_help("find out which; `poolwright lock --update` pins what is there today"),
                );
                None
            }
            Err(error) => {
                diagnostics.push(
                    Diagnostic::error(
                        codes::NOT_FETCHED,
                        format!("`{}` cannot be fetched: {error}", repository.shown()),
                    )
                    .at(span, "used here")
                    .with_help(
                        "check the address and the reference with `git ls-remote`, and that you may read it",
                    ),
                );
                None
            }
        }
    }
}
