//! Standard output and standard error. Data goes to the one, everything else to the other; a reader who went away
//! is not an error.

use std::io::{ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use poolwright_diagnostics::render::Findings;

use crate::args::Format;

/// Whether data was lost on its way to standard output.
static LOST: AtomicBool = AtomicBool::new(false);

/// What was found so far, when it is to be one document.
static KEPT: Mutex<Option<(Format, Findings)>> = Mutex::new(None);

/// Keeps what was found for the one document that a run writes on standard error.
pub(crate) fn keep(format: Format, add: impl FnOnce(&mut Findings)) {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    add(&mut kept.get_or_insert_with(|| (format, Findings::default())).1);
}

/// Prints that document, if anything was kept.
pub(crate) fn finish() {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((format, findings)) = kept {
        complain(&crate::session::document(format, &findings));
    }
}

/// Prints data. What cannot be written is said once, and the run then ends as an error.
pub(crate) fn print(text: &str) {
    if let Err(error) = write(&mut std::io::stdout().lock(), text)
        && !LOST.swap(true, Ordering::Relaxed)
    {
        complain(&format!("error[PW9203]: standard output cannot be written: {error}\n"));
    }
}

/// Prints what is not data. There is nobody left to tell that it failed.
pub(crate) fn complain(text: &str) {
    let _ = write(&mut std::io::stderr().lock(), text);
}

/// Whether some data could not be printed.
pub(crate) fn lost() -> bool {
    LOST.load(Ordering::Relaxed)
}

/// A closed pipe ends the printing, not the run: `poolwright plan | head` still says its exit code.
fn write(stream: &mut dyn Write, text: &str) -> std::io::Result<()> {
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
