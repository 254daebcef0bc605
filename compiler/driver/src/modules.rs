//! The folders that `module` blocks use: found, read and parsed before anything is evaluated, since a source is text.

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_diagnostics::{Code, Diagnostic, SourceMap, Span, suggestion_help};
use poolwright_language::Modules;
use poolwright_syntax::tree::{Attribute, Block, ExprKind, File};
use poolwright_target::files::{EntryKind, Files, join};

use crate::codes;
use crate::git::GitSource;
use crate::load::{ENDING, read_texts};
use crate::lock::{LOCK_FILE, Lock, Repository, folder_digest};

/// Reads all folders that the files of a fleet use, and those that these use.
pub(crate) fn modules(
    files: &dyn Files,
    over: &BTreeMap<String, String>,
    root: &[File],
    sources: &mut SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
) -> Modules {
    let mut pins = Pins { lock: None, checked: BTreeMap::new() };
    gather(files, over, root, sources, diagnostics, &mut pins)
}

/// Where modules from Git come from.
pub(crate) trait Repositories {
    /// The folder below the fleet's that a repository lies in; none: it cannot be used, which is in `diagnostics`.
    fn folder(
        &mut self,
        repository: &Repository,
        span: Span,
        files: &dyn Files,
        sources: &mut SourceMap,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<String>;
}

/// [`modules`], with repositories from elsewhere.
pub(crate) fn gather(
    files: &dyn Files,
    over: &BTreeMap<String, String>,
    root: &[File],
    sources: &mut SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
    repositories: &mut dyn Repositories,
) -> Modules {
    let found = Modules::default();
    let mut loader = Loader { files, over, sources, diagnostics, repositories, found, open: Vec::new() };
    let calls = calls(root);
    loader.folder(&Arc::from(""), &calls);
    loader.found
}

/// Repositories as `poolwright.lock` pins them, fetched before.
struct Pins {
    lock: Option<Lock>,
    /// Folders that are as they were locked, or not.
    checked: BTreeMap<String, bool>,
}

impl Repositories for Pins {
    fn folder(
        &mut self,
        repository: &Repository,
        span: Span,
        files: &dyn Files,
        sources: &mut SourceMap,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<String> {
        let lock = self.lock.get_or_insert_with(|| Lock::read(files, sources, diagnostics));
        let folder = repository.folder();
        let shown = repository.shown();
        let fault = |code: Code, message: String, label: &str, help: &str| {
            Diagnostic::error(code, message).at(span, label.to_owned()).with_help(help.to_owned())
        };
        let Some(pinned) = lock.modules.get(repository) else {
            diagnostics.push(fault(
                codes::NOT_LOCKED,
                format!("`{shown}` is not pinned in `{LOCK_FILE}`"),
                "which commit this is has not been settled",
                "run `poolwright lock`, and keep the file with the fleet",
            ));
            return None;
        };
        if files.kind(&folder).ok().flatten() != Some(EntryKind::Folder) {
            diagnostics.push(fault(
                codes::NOT_LOCKED,
                format!("`{shown}` has not been fetched"),
                "pinned, and not here",
                "run `poolwright lock`: it fetches the commit that is pinned",
            ));
            return None;
        }
        if let Some(fine) = self.checked.get(&folder) {
            return fine.then_some(folder);
        }
        let found = folder_digest(files, &folder).map_err(|error| error.message);
        let fine = found.as_ref() == Ok(&pinned.digest);
        if !fine {
            let found = found.unwrap_or_else(|error| error);
            diagnostics.push(
                fault(
                    codes::LOCK_MISMATCH,
                    format!("`{shown}` is not what `{LOCK_FILE}` says"),
                    "its files were changed, or another commit was fetched",
                    "run `poolwright lock`: it fetches the commit that is pinned; `--update` pins what is there today",
                )
                .with_note(format!("pinned {}, found {found}", pinned.digest)),
            );
        }
        self.checked.insert(folder.clone(), fine);
        fine.then_some(folder)
    }
}

struct Loader<'a> {
    files: &'a dyn Files,
    over: &'a BTreeMap<String, String>,
    sources: &'a mut SourceMap,
    diagnostics: &'a mut Vec<Diagnostic>,
    repositories: &'a mut dyn Repositories,
    found: Modules,
    /// The folders on the way to the one that is being read, with the block that uses the next.
    open: Vec<(Arc<str>, Span)>,
}

/// A `module` block.
struct Call {
    label: Arc<str>,
    header: Span,
    source: Option<Attribute>,
    reference: Option<Attribute>,
}

/// The `module` blocks of files. A second one of the same label is an error that is told of elsewhere.
fn calls(files: &[File]) -> Vec<Call> {
    let mut found: BTreeMap<Arc<str>, Call> = BTreeMap::new();
    for block in files.iter().flat_map(|file| file.body.blocks()) {
        let (true, [label]) = (&*block.kind.text == "module", block.labels.as_slice()) else { continue };
        found.entry(label.text.clone()).or_insert_with(|| call(label.text.clone(), block));
    }
    found.into_values().collect()
}

fn call(label: Arc<str>, block: &Block) -> Call {
    let attribute =
        |name: &str| block.body.attributes().find(|attribute| &*attribute.name.text == name).cloned();
    Call { label, header: block.header, source: attribute("source"), reference: attribute("ref") }
}

impl Loader<'_> {
    /// Follows the `module` blocks of a folder.
    fn folder(&mut self, folder: &Arc<str>, calls: &[Call]) {
        for Call { label, header, source, reference } in calls {
            // That `source` is missing is told of where attributes are checked.
            let Some(source) = source else { continue };
            let Some(used) = self.source(folder, source, reference.as_ref()) else { continue };
            if let Some(at) = self.open.iter().position(|(open, _)| *open == used) {
                self.circle(&used, *header, at);
                continue;
            }
            if !self.found.folders.contains_key(&used) {
                let Some(trees) = self.read(&used, source.value.span) else { continue };
                let inner = self::calls(&trees);
                self.found.folders.insert(used.clone(), trees);
                self.open.push((used.clone(), *header));
                self.folder(&used, &inner);
                self.open.pop();
            }
            self.found.calls.insert((folder.clone(), label.clone()), used);
        }
    }

    /// The folder that a source names, by its path from the fleet's own.
    fn source(
        &mut self,
        folder: &str,
        source: &Attribute,
        reference: Option<&Attribute>,
    ) -> Option<Arc<str>> {
        let span = source.value.span;
        let ExprKind::String(text) = &source.value.kind else {
            self.diagnostics.push(
                Diagnostic::error(
                    codes::MODULE_SOURCE,
                    "the source of a module is a text without references",
                )
                .at(span, "not a text")
                .with_note("modules are read before anything is evaluated")
                .with_help("write `source = \"./modules/NAME\"`; what differs goes into the inputs"),
            );
            return None;
        };
        if text.starts_with("./") || text.starts_with("../") || matches!(&**text, "." | "..") {
            let joined = if folder.is_empty() { text.to_string() } else { format!("{folder}/{text}") };
            let used = normal(&joined);
            if used.is_empty() {
                self.diagnostics.push(
                    Diagnostic::error(codes::MODULE_CIRCLE, "the fleet cannot be a module of itself")
                        .at(span, "leads to the fleet's own folder")
                        .with_help("put what is used more than once into a folder of its own"),
                );
                return None;
            }
            return Some(Arc::from(used));
        }
        let fault = || Diagnostic::error(codes::MODULE_SOURCE, format!("`{text}` is no source of a module"));
        match GitSource::parse(text) {
            Some(Ok(git)) => self.git(git, span, reference),
            Some(Err(why)) => {
                self.diagnostics.push(
                    fault()
                        .at(span, why)
                        .with_help("write `git::https://HOST/REPOSITORY.git//FOLDER?ref=TAG`"),
                );
                None
            }
            None => {
                self.diagnostics.push(if text.starts_with('/') {
                    fault().at(span, "an absolute path").with_help(
                        "write the path from the file that it stands in: it is the same on every machine",
                    )
                } else {
                    fault()
                        .at(span, "neither a path nor a Git address")
                        .with_help(format!("a path begins with `./` or `../`: `./{text}`"))
                });
                None
            }
        }
    }

    /// The folder of a module from Git.
    fn git(&mut self, git: GitSource, span: Span, reference: Option<&Attribute>) -> Option<Arc<str>> {
        let mut git = git;
        if let Some(attribute) = reference {
            let text = match &attribute.value.kind {
                ExprKind::String(text) if !text.is_empty() && !text.starts_with('-') => text.to_string(),
                _ => {
                    self.diagnostics.push(
                        Diagnostic::error(codes::MODULE_SOURCE, "`ref` is a text without references")
                            .at(attribute.value.span, "no branch, tag or commit")
                            .with_help("write `ref = \"v1.2\"`"),
                    );
                    return None;
                }
            };
            if git.reference.is_some() {
                self.diagnostics.push(
                    Diagnostic::error(codes::MODULE_SOURCE, "a module has two references")
                        .at(attribute.value.span, "here")
                        .also(span, "and in the source")
                        .with_help("keep `ref`, and take `?ref=…` out of the source"),
                );
                return None;
            }
            git.reference = Some(text);
        }
        let repository = Repository::of(&git);
        let folder =
            self.repositories.folder(&repository, span, self.files, self.sources, self.diagnostics)?;
        Some(Arc::from(join(&folder, &git.folder)))
    }

    fn read(&mut self, folder: &str, span: Span) -> Option<Vec<File>> {
        let fault = |message: String, label: &str| {
            Diagnostic::error(codes::NO_MODULE, message).at(span, label.to_owned())
        };
        let entries = match self.files.list(folder) {
            Ok(entries) => entries,
            Err(error) => {
                let diagnostic = fault(
                    format!("the module's folder `{folder}` cannot be read: {}", error.message),
                    "used here",
                );
                let parent = folder.rsplit_once('/').map_or("", |(parent, _)| parent);
                let siblings: Vec<String> = self
                    .files
                    .list(parent)
                    .into_iter()
                    .flatten()
                    .filter(|(_, kind)| *kind == EntryKind::Folder)
                    .map(|(name, _)| name)
                    .collect();
                let name = folder.rsplit('/').next().unwrap_or(folder);
                let help = suggestion_help("folder", name, siblings.iter().map(String::as_str));
                self.diagnostics.push(match help {
                    Some(help) => diagnostic.with_help(help),
                    None => {
                        diagnostic.with_help("the path begins at the folder of the file that it stands in")
                    }
                });
                return None;
            }
        };
        let names: Vec<String> = entries
            .into_iter()
            .filter(|(name, kind)| {
                *kind != EntryKind::Folder && name.ends_with(ENDING) && !name.starts_with('.')
            })
            .map(|(name, _)| format!("{folder}/{name}"))
            .collect();
        if names.is_empty() {
            self.diagnostics.push(
                fault(format!("the module's folder `{folder}` has no `*{ENDING}` file"), "used here")
                    .with_help("a module is a folder of such files, like a fleet"),
            );
            return None;
        }
        let mut trees = Vec::new();
        for (name, text) in read_texts(self.files, self.over, &names, self.sources, self.diagnostics) {
            let id = self.sources.add(name, text.as_str());
            let (tree, faults) = poolwright_syntax::parse(id, &text);
            self.diagnostics.extend(faults);
            trees.push(tree);
        }
        Some(trees)
    }

    fn circle(&mut self, used: &str, header: Span, at: usize) {
        let mut diagnostic =
            Diagnostic::error(codes::MODULE_CIRCLE, format!("the module `{used}` uses itself"))
                .at(header, "leads back to it");
        for (folder, header) in self.open.iter().skip(at) {
            diagnostic = diagnostic.also(*header, format!("uses `{folder}`"));
        }
        self.diagnostics.push(
            diagnostic.with_help("a module that uses itself never ends: put what both need into a third one"),
        );
    }
}

/// A path without `.` and, as far as it can be said, without `..`.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_said_in_one_way() {
        for (path, said) in [
            ("./a", "a"),
            ("a/./b/../c", "a/c"),
            ("../x", "../x"),
            ("a/../../x", "../x"),
            ("../../x/", "../../x"),
            (".", ""),
        ] {
            assert_eq!(normal(path), said, "{path}");
        }
    }
}
