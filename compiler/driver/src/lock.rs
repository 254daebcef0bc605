//! `poolwright.lock`: which commit a module from Git is, and the digest of what was fetched. Only `poolwright lock`
//! writes it.

use std::collections::BTreeMap;
use std::fmt::Write;

use poolwright_diagnostics::{Diagnostic, SourceMap};
use poolwright_model::canonical::Digester;
use poolwright_syntax::tree::{Block, ExprKind};
use poolwright_target::files::{EntryKind, FileError, FileErrorKind, Files, join};

use crate::codes;
use crate::git::GitSource;

/// The file, beside the fleet's own.
pub const LOCK_FILE: &str = "poolwright.lock";
/// Where fetched modules lie, below the fleet's folder.
const FETCHED: &str = ".poolwright/modules";
/// The most that a module's repository may hold, bytes and files.
const MOST_BYTES: u64 = 64 << 20;
const MOST_FILES: usize = 10_000;

/// What is pinned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    /// Modules from Git, by their repository and reference.
    pub modules: BTreeMap<Repository, Pinned>,
}

/// A repository at a branch, tag or commit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Repository {
    /// What `git` is given.
    pub url: String,
    /// Branch, tag or commit; none: the default branch.
    pub reference: Option<String>,
}

/// What a repository was when it was locked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pinned {
    /// The commit, hexadecimal.
    pub commit: String,
    /// Over names and contents of its files: `sha256:…`.
    pub digest: String,
}

impl Repository {
    /// The repository of a module.
    pub(crate) fn of(source: &GitSource) -> Self {
        Self { url: source.url.clone(), reference: source.reference.clone() }
    }

    /// The folder that it is fetched into.
    pub(crate) fn folder(&self) -> String {
        let mut digest = Digester::default();
        digest.add(self.url.as_bytes());
        digest.add("\n");
        digest.add(self.reference.as_deref().unwrap_or_default());
        let text = digest.finish();
        let hex = text.trim_start_matches("sha256:");
        format!("{FETCHED}/{}", hex.get(..16).unwrap_or(hex))
    }

    /// `https://host/repo.git at v1`, for people.
    #[must_use]
    pub fn shown(&self) -> String {
        match &self.reference {
            Some(reference) => format!("{} at {reference}", self.url),
            None => self.url.clone(),
        }
    }
}

impl Lock {
    /// Reads the lock of a fleet's folder; a fleet without one has nothing pinned.
    pub(crate) fn read(
        files: &dyn Files,
        sources: &mut SourceMap,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let fault = |message: String| {
            Diagnostic::error(codes::LOCK, message)
                .with_help("write it anew with `poolwright lock`; nothing else writes this file")
        };
        let bytes = match files.read(LOCK_FILE, MOST_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind == FileErrorKind::NotFound => return Self::default(),
            Err(error) => {
                diagnostics.push(fault(format!("`{LOCK_FILE}` cannot be read: {}", error.message)));
                return Self::default();
            }
        };
        let Ok(text) = String::from_utf8(bytes) else {
            diagnostics.push(fault(format!("`{LOCK_FILE}` is not UTF-8 text")));
            return Self::default();
        };
        let id = sources.add(LOCK_FILE, text.as_str());
        let (tree, faults) = poolwright_syntax::parse(id, &text);
        diagnostics.extend(faults);
        let mut lock = Self::default();
        for block in tree.body.blocks() {
            match module(block) {
                Some((repository, pinned)) => {
                    lock.modules.insert(repository, pinned);
                }
                None => diagnostics.push(
                    fault(format!("`{LOCK_FILE}` has a block that is none of it"))
                        .at(block.header, "no `module` with `commit` and `digest`"),
                ),
            }
        }
        lock
    }

    /// The text of the file; the same for the same contents.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::from(
            "# What `poolwright lock` found; it alone writes this file. Keep it with the fleet's files.\n",
        );
        for (repository, pinned) in &self.modules {
            let _ = write!(text, "\nmodule {} {{\n", quoted(&repository.url));
            if let Some(reference) = &repository.reference {
                let _ = writeln!(text, "  ref    = {}", quoted(reference));
            }
            let _ = writeln!(text, "  commit = {}", quoted(&pinned.commit));
            let _ = writeln!(text, "  digest = {}\n}}", quoted(&pinned.digest));
        }
        text
    }
}

/// A text as HCL writes it.
fn quoted(text: &str) -> String {
    format!(
        "\"{}\"",
        text.replace('\\', "\\\\").replace('"', "\\\"").replace("${", "$${").replace("%{", "%%{")
    )
}

fn module(block: &Block) -> Option<(Repository, Pinned)> {
    let [url] = block.labels.as_slice() else { return None };
    let text = |name: &str| {
        let attribute = block.body.attributes().find(|attribute| &*attribute.name.text == name)?;
        if let ExprKind::String(text) = &attribute.value.kind { Some(text.to_string()) } else { None }
    };
    (&*block.kind.text == "module").then_some(())?;
    let repository = Repository { url: url.text.to_string(), reference: text("ref") };
    Some((repository, Pinned { commit: text("commit")?, digest: text("digest")? }))
}

/// The digest of a folder: over names and contents of all files in it.
///
/// # Errors
/// It cannot be read, or holds more than a module does.
pub(crate) fn folder_digest(files: &dyn Files, folder: &str) -> Result<String, FileError> {
    let mut found: Vec<String> = Vec::new();
    let mut open = vec![String::new()];
    let too_large = |path: &str| FileError {
        operation: "read",
        path: path.to_owned(),
        kind: FileErrorKind::TooLarge,
        message: "more than a module holds: 10000 files, 64 MiB".to_owned(),
    };
    while let Some(inner) = open.pop() {
        for (name, kind) in files.list(&join(folder, &inner))? {
            let path = join(&inner, &name);
            match kind {
                EntryKind::Folder => open.push(path),
                EntryKind::File => found.push(path),
                EntryKind::Symlink | EntryKind::Other => {}
            }
            if found.len() + open.len() > MOST_FILES {
                return Err(too_large(folder));
            }
        }
    }
    found.sort();
    let mut digest = Digester::default();
    let mut left = MOST_BYTES;
    for path in found {
        let bytes = files.read(&join(folder, &path), left)?;
        left = left.saturating_sub(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        digest.add(poolwright_model::canonical::digest(&bytes));
        digest.add(format!("  {path}\n"));
    }
    Ok(digest.finish())
}

#[cfg(test)]
mod tests {
    use poolwright_target::files::MemoryFiles;

    use super::*;

    fn lock() -> Lock {
        let pinned = Pinned { commit: "abc".to_owned(), digest: "sha256:12".to_owned() };
        let repository = |url: &str, reference: Option<&str>| Repository {
            url: url.to_owned(),
            reference: reference.map(str::to_owned),
        };
        Lock {
            modules: BTreeMap::from([
                (repository("https://h/\"x\\${y}", Some("v1")), pinned.clone()),
                (repository("https://h/z", None), pinned),
            ]),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let files = MemoryFiles::default();
        files.write(LOCK_FILE, lock().to_text().as_bytes()).unwrap();
        let mut diagnostics = Vec::new();
        assert_eq!(Lock::read(&files, &mut SourceMap::default(), &mut diagnostics), lock());
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
    }

    #[test]
    fn a_changed_file_changes_the_digest() {
        let files = MemoryFiles::default();
        files.create_folder("m/a").unwrap();
        files.write("m/a/x", b"1").unwrap();
        let before = folder_digest(&files, "m").unwrap();
        files.write("m/a/x", b"2").unwrap();
        assert_ne!(folder_digest(&files, "m").unwrap(), before);
    }
}
