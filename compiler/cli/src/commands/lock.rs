//! `poolwright lock`: pins modules from Git and fetches them.

use std::path::Path;

use poolwright_diagnostics::Diagnostic;
use poolwright_driver::{LOCK_FILE, Lock};

use crate::args::{Format, Global};
use crate::codes;
use crate::exit::Exit;
use crate::git::Git;
use crate::output;
use crate::session::{Session, refuse, totals};

pub(crate) fn run(global: &Global, folder: &Path, update: bool) -> Exit {
    let session = Session::new(global, folder);
    let locked = poolwright_driver::lock(&session.files, &Git { folder }, update);
    let failed = locked.diagnostics.iter().any(Diagnostic::is_error);
    session.remarks(&locked.diagnostics, &locked.sources);
    if failed {
        if global.format == Format::Human {
            output::complain(&totals(&locked.diagnostics, &locked.sources, 0));
        }
        return Exit::Invalid;
    }
    let path = folder.join(LOCK_FILE);
    // A fleet that has nothing to pin needs no file.
    if locked.lock != locked.before
        && let Err(error) = std::fs::write(&path, locked.lock.to_text())
    {
        let message = format!("`{}` cannot be written: {error}", path.display());
        return refuse(global, Diagnostic::error(codes::CANNOT_WRITE, message), Exit::Error);
    }
    output::print(&said(&locked.lock, &locked.before));
    Exit::Done
}

/// A line for each module, and what became of the file.
fn said(lock: &Lock, before: &Lock) -> String {
    let mut text = String::new();
    for (repository, pinned) in &lock.modules {
        let what = match before.modules.get(repository) {
            None => "pinned ".to_owned(),
            Some(old) if old == pinned => "kept   ".to_owned(),
            Some(old) => format!("changed from {} to", short(&old.commit)),
        };
        text.push_str(&format!("{what} {}  {}\n", short(&pinned.commit), repository.shown()));
    }
    for (repository, pinned) in &before.modules {
        if !lock.modules.contains_key(repository) {
            text.push_str(&format!("dropped {}  {}\n", short(&pinned.commit), repository.shown()));
        }
    }
    text.push_str(&match (lock == before, lock.modules.len()) {
        (true, 0) => "nothing to pin: no module comes from Git\n".to_owned(),
        (true, count) => format!("{LOCK_FILE} is up to date: {count} {}\n", modules(count)),
        (false, count) => format!("wrote {LOCK_FILE}: {count} {}\n", modules(count)),
    });
    text
}

fn modules(count: usize) -> &'static str {
    if count == 1 { "module" } else { "modules" }
}

fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}
