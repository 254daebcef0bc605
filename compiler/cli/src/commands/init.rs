//! `poolwright init`: a commented fleet that validates.

use std::path::Path;

use poolwright_diagnostics::Diagnostic;

use crate::args::Global;
use crate::exit::Exit;
use crate::session::refuse;
use crate::{codes, output};

/// The fleet that is written; a test validates it.
const STARTER: &str = include_str!("starter.pool.hcl");
const NAME: &str = "fleet.pool.hcl";

pub(crate) fn run(global: &Global, folder: &Path) -> Exit {
    let taken = std::fs::read_dir(folder).is_ok_and(|entries| {
        entries
            .flatten()
            .any(|entry| entry.file_name().to_string_lossy().ends_with(poolwright_driver::ENDING))
    });
    if taken {
        let message = format!("{} has a fleet already", folder.display());
        let diagnostic = Diagnostic::error(codes::NOT_EMPTY, message)
            .with_help("name another folder: poolwright init DIR");
        return refuse(global, diagnostic, Exit::Invalid);
    }
    let path = folder.join(NAME);
    match std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, STARTER)) {
        Ok(()) => {
            output::print(&format!(
                "wrote {}\nlook at it, then: poolwright plan {}\n",
                path.display(),
                folder.display()
            ));
            Exit::Done
        }
        Err(error) => {
            let message = format!("{} cannot be written: {error}", path.display());
            refuse(global, Diagnostic::error(codes::CANNOT_WRITE, message), Exit::Error)
        }
    }
}
