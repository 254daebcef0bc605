//! `poolwright fmt`: files laid out by the rules of docs/format.md.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use poolwright_diagnostics::{Diagnostic, FileId, SourceMap, apply};
use poolwright_driver::{ENDING, codes::NOT_UTF8};

use crate::args::{Format, Global};
use crate::exit::Exit;
use crate::rewrite::{Change, difference, write};
use crate::session::{Session, refuse};
use crate::{codes, output};

pub(crate) fn run(global: &Global, paths: &[PathBuf], check: bool, recursive: bool) -> Exit {
    if paths.iter().any(|path| path == Path::new("-")) {
        if paths.len() == 1 {
            return standard_input(global, check);
        }
        let diagnostic = Diagnostic::error(codes::COMMAND_LINE, "`-` stands beside other paths")
            .with_help("`poolwright fmt -` reads standard input and nothing else");
        return refuse(global, diagnostic, Exit::Invalid);
    }
    let mut run = Run { check, quiet: global.quiet, exit: Exit::Done, faults: Faults::default() };
    let mut seen = BTreeSet::new();
    for path in files(paths, recursive, &mut run.faults) {
        // A file may be named, and lie in a folder that is named.
        if seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
            run.file(&path);
        }
    }
    let exit = run.exit;
    run.faults.show(global).and(exit)
}

/// What is wrong so far, in all files: shown at the end, as one document.
#[derive(Default)]
struct Faults {
    sources: SourceMap,
    found: Vec<Diagnostic>,
}

impl Faults {
    fn show(self, global: &Global) -> Exit {
        if self.found.is_empty() {
            return Exit::Done;
        }
        Session::new(global, Path::new(".")).complain(&self.found, &self.sources);
        if global.format == Format::Human && self.sources.files().next().is_some() {
            let left = match self.sources.files().count() {
                1 => String::from("1 file has errors and is left alone\n"),
                more => format!("{more} files have errors and are left alone\n"),
            };
            output::complain(&left);
        }
        let writes = self.found.iter().all(|fault| fault.code == codes::CANNOT_WRITE);
        if writes { Exit::Error } else { Exit::Invalid }
    }

    /// The text laid out, or nothing when it has faults.
    fn laid_out(&mut self, name: &str, text: &str) -> Option<String> {
        // The number that the file gets if it is one to be shown.
        let id = FileId(u32::try_from(self.sources.files().count()).unwrap_or(u32::MAX));
        match poolwright_syntax::format(id, text) {
            Ok(edits) => apply(text, &edits),
            Err(faults) => {
                self.sources.add(name, text);
                self.found.extend(faults);
                None
            }
        }
    }

    fn unreadable(&mut self, name: &str, why: impl std::fmt::Display) {
        let why = why.to_string();
        // Without the system's number, which differs between systems.
        let why = why.split(" (os error").next().unwrap_or_default().to_lowercase();
        let message = format!("`{name}` cannot be read: {why}");
        self.found.push(Diagnostic::error(codes::CANNOT_READ, message));
    }

    fn text(&mut self, name: &str, bytes: std::io::Result<Vec<u8>>) -> Option<String> {
        match bytes.map(String::from_utf8) {
            Ok(Ok(text)) => return Some(text),
            Ok(Err(error)) => {
                let at = error.utf8_error().valid_up_to();
                let message = format!("`{name}` is not UTF-8 text: see the byte at {at}");
                let diagnostic = Diagnostic::error(NOT_UTF8, message);
                self.found.push(diagnostic.with_help("save the file as UTF-8"));
            }
            Err(error) => self.unreadable(name, error),
        }
        None
    }
}

struct Run {
    check: bool,
    quiet: bool,
    exit: Exit,
    faults: Faults,
}

impl Run {
    fn file(&mut self, path: &Path) {
        let name = path.display().to_string();
        let Some(before) = self.faults.text(&name, std::fs::read(path)) else { return };
        let Some(after) = self.faults.laid_out(&name, &before) else { return };
        if before == after {
            return;
        }
        if self.check {
            self.exit = Exit::Changes;
            output::print(&shown(&name, &before, &after, self.quiet));
            return;
        }
        match write(&[Change { path: path.to_owned(), before: &before, after: &after }]) {
            Ok(()) => output::print(&format!("{name}\n")),
            Err(unwritten) => self.faults.found.push(unwritten.to_diagnostic()),
        }
    }
}

/// A file's name and what differs; of `-q` the name alone.
fn shown(name: &str, before: &str, after: &str, quiet: bool) -> String {
    let difference = if quiet { String::new() } else { difference(before, after) };
    format!("{name}\n{difference}")
}

fn standard_input(global: &Global, check: bool) -> Exit {
    let mut faults = Faults::default();
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes);
    let text = faults.text("-", read);
    let laid_out = text.and_then(|text| Some((faults.laid_out("-", &text)?, text)));
    let Some((after, before)) = laid_out else { return faults.show(global) };
    match (check, before == after) {
        (false, _) => output::print(&after),
        (true, true) => {}
        (true, false) => {
            output::print(&shown("-", &before, &after, global.quiet));
            return Exit::Changes;
        }
    }
    Exit::Done
}

/// The files that are meant: those that are named, and those of a fleet in the folders that are named.
fn files(paths: &[PathBuf], recursive: bool, faults: &mut Faults) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in paths {
        let name = path.display().to_string();
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => folder(path, recursive, &mut found, faults),
            Ok(metadata) if !metadata.is_file() => faults.unreadable(&name, "not a regular file"),
            Ok(_) if !name.ends_with(ENDING) => {
                let message = format!("`{name}` is no file of a fleet: those end in `{ENDING}`");
                let diagnostic = Diagnostic::error(codes::CANNOT_READ, message);
                let help = format!("`poolwright fmt - < {name}` lays out any text of this language");
                faults.found.push(diagnostic.with_help(help));
            }
            Ok(_) => found.push(path.clone()),
            Err(error) => faults.unreadable(&name, error),
        }
    }
    found
}

/// The files of a fleet in a folder, as `validate` finds them; then the folders in it, if they are wanted too.
fn folder(path: &Path, recursive: bool, found: &mut Vec<PathBuf>, faults: &mut Faults) {
    let entries = std::fs::read_dir(path).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => return faults.unreadable(&path.display().to_string(), error),
    };
    entries.sort_by_key(std::fs::DirEntry::file_name);
    let mut folders = Vec::new();
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        // Links to folders are not followed: they may lead in a circle, or out of the fleet.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        // The folder `.` is not a part of the names that are shown.
        let at = if path == Path::new(".") { PathBuf::from(&name) } else { path.join(&name) };
        if name.starts_with('.') {
            continue;
        }
        if is_folder {
            folders.push(at);
        } else if name.ends_with(ENDING) {
            match std::fs::metadata(entry.path()) {
                Ok(metadata) if metadata.is_file() => found.push(at),
                Ok(_) => faults.unreadable(&at.display().to_string(), "not a regular file"),
                Err(error) => faults.unreadable(&at.display().to_string(), error),
            }
        }
    }
    if recursive {
        folders.iter().for_each(|path| folder(path, recursive, found, faults));
    }
}
