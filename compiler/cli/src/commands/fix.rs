//! `poolwright fix`: the fixes of what `validate` finds, carried out.

use std::path::Path;

use poolwright_diagnostics::{Applicability, Diagnostic};
use poolwright_driver::Fixed;

use crate::args::{Format, Global};
use crate::exit::Exit;
use crate::output;
use crate::rewrite::{Change, difference, write};
use crate::session::{Session, refuse, totals};

pub(crate) fn run(global: &Global, folder: &Path, dry_run: bool, unsafe_too: bool) -> Exit {
    let session = Session::new(global, folder);
    let fixed = poolwright_driver::fix(
        &session.files,
        &poolwright_driver::version(),
        &global.variables(),
        unsafe_too,
    );
    let changes: Vec<Change> = fixed
        .files
        .iter()
        .map(|(name, file)| Change { path: folder.join(name), before: &file.before, after: &file.after })
        .collect();
    if !dry_run && let Err(unwritten) = write(&changes) {
        return refuse(global, unwritten.to_diagnostic(), Exit::Error);
    }
    if fixed.count > 0 {
        output::print(&report(&fixed, dry_run));
    }
    session.remarks(&fixed.diagnostics, &fixed.sources);
    if global.format == Format::Human && !global.quiet {
        output::complain(&left(&fixed, &session, unsafe_too));
    }
    let mut exit = Exit::Done;
    if dry_run && !fixed.files.is_empty() {
        exit = Exit::Changes;
    }
    let wrong = fixed.diagnostics.iter().any(Diagnostic::is_error);
    exit.and(if wrong { Exit::Invalid } else { Exit::Done })
}

/// What was fixed where; of a dry run what would be, with the lines.
fn report(fixed: &Fixed, dry_run: bool) -> String {
    let mut text = String::new();
    for done in &fixed.done {
        text.push_str(&format!("{}: {} ({})\n", done.place, done.title, done.code));
    }
    if dry_run {
        for (name, file) in &fixed.files {
            text.push_str(&format!("{name}\n{}", difference(&file.before, &file.after)));
        }
    }
    let fixes = count(fixed.done.len(), "fix", "fixes");
    text.push_str(&match (fixed.files.len(), dry_run) {
        (0, _) => String::from("nothing to fix\n"),
        (_, true) => format!("{fixes} to make\n"),
        (files, false) => format!("{fixes} in {}\n", count(files, "file", "files")),
    });
    text
}

fn count(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

/// What is left, in a line or two.
fn left(fixed: &Fixed, session: &Session, unsafe_too: bool) -> String {
    let mut text = totals(&fixed.diagnostics, &fixed.sources, fixed.count);
    let fixes = fixed.diagnostics.iter().flat_map(|fault| &fault.fixes);
    let other = fixes.filter(|fix| fix.applicability == Applicability::Unsafe).count();
    if other > 0 && !unsafe_too {
        let folder = session.argument();
        text.push_str(&format!(
            "some of it has fixes that should be looked at: poolwright fix{folder} --dry-run --unsafe\n"
        ));
    }
    text
}
