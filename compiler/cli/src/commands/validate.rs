//! `poolwright validate`: the diagnostics are the data.

use std::io::IsTerminal;
use std::path::Path;

use poolwright_diagnostics::Diagnostic;
use poolwright_driver::Faulty;

use crate::args::{Format, Global};
use crate::exit::Exit;
use crate::session::{Session, totals};
use crate::{internal, output};

pub(crate) fn run(global: &Global, folder: &Path) -> Exit {
    let session = Session::new(global, folder);
    let loaded = session.load();
    let files = loaded.files;
    internal::phase("checking the fleet");
    let (diagnostics, sources) = match poolwright_driver::check(loaded) {
        Ok((sources, diagnostics)) => (diagnostics, sources),
        Err(faulty) => {
            let Faulty { sources, diagnostics, .. } = *faulty;
            (diagnostics, sources)
        }
    };
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    let shown: Vec<Diagnostic> =
        diagnostics.iter().filter(|diagnostic| diagnostic.is_error() || !global.quiet).cloned().collect();
    if !shown.is_empty() || global.format.is_document() {
        output::print(&session.rendered(&shown, &sources, std::io::stdout().is_terminal()));
    }
    if global.format == Format::Human {
        output::print(&totals(&diagnostics, &sources, files));
    }
    if failed { Exit::Invalid } else { Exit::Done }
}
