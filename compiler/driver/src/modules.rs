//! The folders that `module` blocks use: found, read and parsed before anything is evaluated, since a source is text.

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, SourceMap, Span, suggestion_help};
use poolwright_language::Modules;
use poolwright_syntax::tree::{Attribute, Block, ExprKind, File};
use poolwright_target::files::{EntryKind, Files};

use crate::codes;
use crate::load::{ENDING, read_texts};

/// Reads all folders that the files of a fleet use, and those that these use.
pub(crate) fn modules(
    files: &dyn Files,
    over: &BTreeMap<String, String>,
    root: &[File],
    sources: &mut SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
) -> Modules {
    let mut loader =
        Loader { files, over, sources, diagnostics, found: Modules::default(), open: Vec::new() };
    let calls = calls(root);
    loader.folder(&Arc::from(""), &calls);
    loader.found
}

struct Loader<'a> {
    files: &'a dyn Files,
    over: &'a BTreeMap<String, String>,
    sources: &'a mut SourceMap,
    diagnostics: &'a mut Vec<Diagnostic>,
    found: Modules,
    /// The folders on the way to the one that is being read, with the block that uses the next.
    open: Vec<(Arc<str>, Span)>,
}

/// A `module` block: its label, its header and its `source`.
type Call = (Arc<str>, Span, Option<(Attribute, Span)>);

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
    let source = block.body.attributes().find(|attribute| &*attribute.name.text == "source");
    (label, block.header, source.map(|source| (source.clone(), source.value.span)))
}

impl Loader<'_> {
    /// Follows the `module` blocks of a folder.
    fn folder(&mut self, folder: &Arc<str>, calls: &[Call]) {
        for (label, header, source) in calls {
            // That `source` is missing is told of where attributes are checked.
            let Some((source, span)) = source else { continue };
            let Some(used) = self.source(folder, source, *span) else { continue };
            if let Some(at) = self.open.iter().position(|(open, _)| *open == used) {
                self.circle(&used, *header, at);
                continue;
            }
            if !self.found.folders.contains_key(&used) {
                let Some(trees) = self.read(&used, *span) else { continue };
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
    fn source(&mut self, folder: &str, source: &Attribute, span: Span) -> Option<Arc<str>> {
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
        let diagnostic =
            Diagnostic::error(codes::MODULE_SOURCE, format!("`{text}` is no source of a module"));
        self.diagnostics.push(if is_git(text) {
            diagnostic.at(span, "modules from Git are not built yet").with_help(
                "keep a copy of the module below the fleet, and write `source = \"./modules/NAME\"`",
            )
        } else if text.starts_with('/') {
            diagnostic
                .at(span, "an absolute path")
                .with_help("write the path from the file that it stands in: it is the same on every machine")
        } else {
            diagnostic
                .at(span, "neither a path nor a Git address")
                .with_help(format!("a path begins with `./` or `../`: `./{text}`"))
        });
        None
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

/// Whether a source looks like a Git address.
fn is_git(text: &str) -> bool {
    ["git::", "git@", "https://", "http://", "ssh://", "github.com/", "gitlab.com/", "bitbucket.org/"]
        .iter()
        .any(|start| text.starts_with(start))
        || text.ends_with(".git")
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
