//! Files that the user wrote, written anew: whole or not at all, and shown as a difference.

use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use poolwright_diagnostics::Diagnostic;
use similar::TextDiff;

use crate::codes;

/// A file and what becomes of it.
pub(crate) struct Change<'a> {
    pub(crate) path: PathBuf,
    pub(crate) before: &'a str,
    pub(crate) after: &'a str,
}

/// Why a file is as it was, and what became of the others.
pub(crate) struct Unwritten {
    path: PathBuf,
    error: Error,
    /// How many files had been put in their places by then.
    others: usize,
}

impl Unwritten {
    /// As an error for people.
    pub(crate) fn to_diagnostic(&self) -> Diagnostic {
        let message = format!("`{}` cannot be written: {}", self.path.display(), self.error);
        let diagnostic = Diagnostic::error(codes::CANNOT_WRITE, message);
        match self.others {
            0 => diagnostic.with_note("no file was changed"),
            1 => diagnostic.with_note("1 file was changed before it"),
            others => diagnostic.with_note(format!("{others} files were changed before it")),
        }
    }
}

/// The lines that differ, with one line around them.
pub(crate) fn difference(before: &str, after: &str) -> String {
    // What cannot be compared well in this time is compared badly, not for longer.
    let diff = TextDiff::configure().timeout(Duration::from_secs(2)).diff_lines(before, after);
    let mut text = diff.unified_diff().context_radius(1).to_string();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Writes all files: each beside itself, and only when all of them are on the disk each is put in its place. A reader
/// sees the old text or the new.
pub(crate) fn write(changes: &[Change]) -> Result<(), Unwritten> {
    let mut staged = Vec::new();
    for change in changes {
        match stage(change) {
            Ok(moves) => staged.push((moves, &change.path)),
            Err(error) => {
                forget(staged.iter().map(|((aside, _), _)| aside.as_path()));
                return Err(Unwritten { path: change.path.clone(), error, others: 0 });
            }
        }
    }
    for (others, ((aside, place), path)) in staged.iter().enumerate() {
        if let Err(error) = std::fs::rename(aside, place) {
            forget(staged.iter().skip(others).map(|((aside, _), _)| aside.as_path()));
            return Err(Unwritten { path: (*path).clone(), error, others });
        }
    }
    Ok(())
}

/// Writes the new text beside the file, through a link beside what it leads to. Gives where it is, and its place.
fn stage(change: &Change) -> Result<(PathBuf, PathBuf), Error> {
    let place = change.path.canonicalize()?;
    let permissions = std::fs::metadata(&place)?.permissions();
    if permissions.readonly() {
        return Err(Error::new(ErrorKind::PermissionDenied, "it may not be written"));
    }
    if std::fs::read(&place)? != change.before.as_bytes() {
        return Err(Error::other("it was changed by somebody else just now"));
    }
    let name = place.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let aside = place.with_file_name(format!(".{name}.{}.new", std::process::id()));
    let file = OpenOptions::new().write(true).create_new(true).open(&aside)?;
    let written = fill(file, change.after).and_then(|()| std::fs::set_permissions(&aside, permissions));
    match written {
        Ok(()) => Ok((aside, place)),
        Err(error) => {
            forget([aside.as_path()]);
            Err(error)
        }
    }
}

fn fill(mut file: File, text: &str) -> Result<(), Error> {
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Removes what was written aside. There is an error to tell of already.
fn forget<'a>(paths: impl IntoIterator<Item = &'a Path>) {
    for path in paths {
        let _ = std::fs::remove_file(path);
    }
}
