//! The fleets that are broken, and how one is compiled.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use poolwright_diagnostics::{Diagnostic, SourceMap};
use poolwright_driver::{Compiled, ENDING, Purpose, compile, load};
use poolwright_target::files::MemoryFiles;

/// A folder of files, by path.
#[derive(Clone)]
pub(crate) struct Fleet {
    pub(crate) name: String,
    pub(crate) files: BTreeMap<String, String>,
    /// Those that are broken: the others only stand beside them.
    pub(crate) broken: BTreeSet<String>,
}

/// What a run found.
pub(crate) struct Found {
    pub(crate) sources: SourceMap,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) compiled: Option<Compiled>,
}

impl Found {
    /// The errors with a place in a file.
    pub(crate) fn errors_in(&self, file: &str) -> Vec<&Diagnostic> {
        let inside = |it: &&Diagnostic| {
            it.is_error()
                && it
                    .labels
                    .iter()
                    .any(|label| self.sources.get(label.span.file).is_some_and(|it| it.name() == file))
        };
        self.diagnostics.iter().filter(inside).collect()
    }
}

impl Fleet {
    /// The fleet with another text in the place of one file.
    pub(crate) fn with(&self, file: &str, text: &str) -> Self {
        let mut changed = self.clone();
        changed.files.insert(file.to_owned(), text.to_owned());
        changed
    }

    /// Reads, checks and compiles it; what it panicked with instead.
    pub(crate) fn run(&self) -> Result<Found, String> {
        let files = MemoryFiles::new();
        for (name, text) in &self.files {
            files.put(name, text.as_bytes());
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            match compile(load(&files, &poolwright_driver::version(), &[]), Purpose::Look) {
                Ok(mut compiled) => Found {
                    sources: std::mem::take(&mut compiled.sources),
                    diagnostics: std::mem::take(&mut compiled.diagnostics),
                    compiled: Some(compiled),
                },
                Err(faulty) => {
                    Found { sources: faulty.sources, diagnostics: faulty.diagnostics, compiled: None }
                }
            }
        }));
        outcome.map_err(|panic| match panic.downcast_ref::<String>() {
            Some(text) => text.clone(),
            None => "a panic".to_owned(),
        })
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Everything below a folder but what a run wrote.
fn read(folder: &Path, below: &str, files: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let relative = if below.is_empty() { name.to_owned() } else { format!("{below}/{name}") };
        if path.is_dir() {
            if name != "live" {
                read(&path, &relative, files);
            }
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            files.insert(relative, text);
        }
    }
}

/// Every example, as the fleet that it is: each challenge by itself, the policies beside the quickstart.
pub(crate) fn examples() -> Vec<Fleet> {
    let examples = root().join("examples");
    let folder = |name: &str| {
        let mut files = BTreeMap::new();
        read(&examples.join(name), "", &mut files);
        files
    };
    let challenges = std::fs::read_dir(examples.join("challenges")).unwrap();
    let mut names: Vec<String> = challenges
        .map(|entry| format!("challenges/{}", entry.unwrap().file_name().to_str().unwrap()))
        .collect();
    names.sort();
    assert_eq!(names.len(), 10, "ten challenges");
    names.extend(["quickstart".to_owned(), "tour".to_owned()]);
    let mut fleets: Vec<Fleet> = names
        .into_iter()
        .map(|name| {
            let files = folder(&name);
            let broken = files.keys().filter(|file| file.ends_with(ENDING)).cloned().collect();
            Fleet { name, files, broken }
        })
        .collect();
    let policies = folder("policies");
    let mut whole = folder("quickstart");
    let broken = policies.keys().cloned().collect();
    whole.extend(policies);
    fleets.push(Fleet { name: "policies".to_owned(), files: whole, broken });
    assert!(fleets.iter().all(|fleet| !fleet.broken.is_empty()), "a fleet without files");
    fleets
}
