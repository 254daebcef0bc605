//! Faults of Poolwright itself. A panic is caught where the commands begin and told like every error: what was being
//! done, on which input, and where to report it. A trace is shown only to those who ask for it with RUST_BACKTRACE.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use poolwright_diagnostics::Diagnostic;
use poolwright_language::codes::INTERNAL;
use poolwright_model::canonical;

use crate::args::Global;
use crate::exit::Exit;
use crate::session::refuse;

/// What the run is about.
static RUN: Mutex<Run> = Mutex::new(Run { phase: "reading the command line", folder: None, fault: None });

struct Run {
    phase: &'static str,
    folder: Option<PathBuf>,
    fault: Option<String>,
}

fn with<T>(change: impl FnOnce(&mut Run) -> T) -> T {
    change(&mut RUN.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Says what is being done from now on: "compiling the fleet".
pub(crate) fn phase(phase: &'static str) {
    with(|run| run.phase = phase);
}

/// Says which folder is worked on.
pub(crate) fn input(folder: &Path) {
    with(|run| run.folder = Some(folder.to_owned()));
}

/// Takes down what a panic says instead of printing it, unless RUST_BACKTRACE asks for that.
pub(crate) fn watch() {
    let usual = std::panic::take_hook();
    let trace = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
    std::panic::set_hook(Box::new(move |info| {
        let said = info.payload_as_str().unwrap_or("no words");
        let place = info.location().map_or_else(String::new, |at| format!(" ({}:{})", at.file(), at.line()));
        with(|run| {
            run.fault.get_or_insert_with(|| format!("{said}{place}"));
        });
        if trace {
            usual(info);
        }
    }));
}

/// Runs a command; a panic becomes an error and exit code 1.
pub(crate) fn guarded(run: impl FnOnce() -> Exit + std::panic::UnwindSafe) -> Exit {
    std::panic::catch_unwind(run).unwrap_or_else(|_| {
        let (phase, folder, fault) = with(|run| (run.phase, run.folder.take(), run.fault.take()));
        let global = Global::of_words(std::env::args_os());
        refuse(&global, told(phase, folder.as_deref(), fault.as_deref()), Exit::Error)
    })
}

/// The fault as an error that a report can be made of.
fn told(phase: &str, folder: Option<&Path>, fault: Option<&str>) -> Diagnostic {
    let mut diagnostic =
        Diagnostic::error(INTERNAL, format!("this is a fault of Poolwright itself, met while {phase}"));
    if let Some(fault) = fault {
        diagnostic = diagnostic.with_note(fault);
    }
    let input = folder.and_then(digest).map_or_else(String::new, |digest| format!(", input {digest}"));
    diagnostic = diagnostic.with_note(format!("poolwright {}{input}", env!("CARGO_PKG_VERSION")));
    if phase == APPLYING {
        diagnostic =
            diagnostic.with_help("some changes may be made already; see what is left: poolwright plan");
    }
    let report = concat!(
        "please report it, with the command and these lines: ",
        env!("CARGO_PKG_REPOSITORY"),
        "/issues"
    );
    diagnostic.with_help(report).with_help("a trace for the report: set RUST_BACKTRACE=1 and run it again")
}

/// The phase in which something may be half done.
pub(crate) const APPLYING: &str = "applying the plan";

/// Over names and bytes of the fleet's files, so that two reports of one cause are seen to be one.
fn digest(folder: &Path) -> Option<String> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with(poolwright_driver::ENDING));
    files.sort();
    let mut bytes = Vec::new();
    for file in &files {
        bytes.extend(file.file_name()?.to_string_lossy().bytes().chain([0]));
        bytes.extend(std::fs::read(file).ok()?);
        bytes.push(0);
    }
    (!files.is_empty()).then(|| canonical::digest(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_caught_and_its_words_are_kept() {
        watch();
        phase("laying out the fleet");
        assert_eq!(guarded(|| Exit::Changes), Exit::Changes);
        let exit = guarded(|| panic!("no fabric"));
        assert_eq!(exit, Exit::Error);
        assert_eq!(with(|run| run.fault.take()), None, "it was shown");
    }

    #[test]
    fn a_fault_says_when_on_what_and_where_to_go() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.pool.hcl"), "fleet {}\n").unwrap();
        let told = told(APPLYING, Some(folder.path()), Some("no fabric (compiler/layout/src/x.rs:7)"));
        assert_eq!(told.code.0, "PW9900");
        assert_eq!(told.message, "this is a fault of Poolwright itself, met while applying the plan");
        assert_eq!(told.notes.first().unwrap(), "no fabric (compiler/layout/src/x.rs:7)");
        assert!(told.notes.get(1).unwrap().contains(", input sha256:"), "{:?}", told.notes);
        assert_eq!(told.helps.len(), 3);
        assert!(told.helps.iter().any(|help| help.contains("https://") && help.ends_with("/issues")));
        let other = super::told("compiling the fleet", None, None);
        assert_eq!((other.notes.len(), other.helps.len()), (1, 2));
    }
}
