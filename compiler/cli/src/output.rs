//! Standard output and standard error. Data goes to the one, everything else to the other; a reader who went away
//! is not an error.

use std::io::{ErrorKind, Write};

/// Prints data.
pub(crate) fn print(text: &str) {
    write(&mut std::io::stdout().lock(), text);
}

/// Prints what is not data.
pub(crate) fn complain(text: &str) {
    write(&mut std::io::stderr().lock(), text);
}

/// A closed pipe ends the printing, not the run: `poolwright plan | head` still says its exit code.
fn write(stream: &mut dyn Write, text: &str) {
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        // Nothing is left to tell it to.
        Err(_) => {}
    }
}
