//! `poolwright show`: a saved plan.

use std::io::Read;
use std::path::Path;

use poolwright_diagnostics::Diagnostic;
use poolwright_engine::saved;
use poolwright_model::Plan;

use crate::args::Global;
use crate::exit::Exit;
use crate::session::refuse;
use crate::{codes, output};

pub(crate) fn run(global: &Global, path: &Path, json: bool) -> Exit {
    let plan = match read(global, path) {
        Ok(plan) => plan,
        Err(exit) => return exit,
    };
    match (json, saved::write(&plan)) {
        (true, Ok(text)) => output::print(&text),
        _ => {
            // A plan from standard input is gone once it was read: there is nothing to type.
            let next = (path != Path::new("-")).then(|| format!("poolwright apply {}", path.display()));
            output::print(&poolwright_report::plan(&plan, next.as_deref()));
        }
    }
    Exit::Done
}

/// Reads a saved plan, or says why it cannot be one.
pub(crate) fn read(global: &Global, path: &Path) -> Result<Plan, Exit> {
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    let bytes = bytes.map_err(|error| {
        let diagnostic = if error.kind() == std::io::ErrorKind::NotFound {
            Diagnostic::error(codes::CANNOT_READ, format!("there is neither a plan nor a folder `{}`", path.display()))
        } else {
            Diagnostic::error(codes::CANNOT_READ, format!("`{}` cannot be read: {error}", path.display()))
        };
        let help = "name a plan that `poolwright plan -o PLAN` saved, or the fleet's folder where a command takes it";
        refuse(global, diagnostic.with_help(help), Exit::Invalid)
    })?;
    saved::read(&bytes).map_err(|diagnostic| {
        let exit = match Exit::of(std::slice::from_ref(&diagnostic)) {
            Exit::Error => Exit::Invalid,
            other => other,
        };
        refuse(global, *diagnostic, exit)
    })
}
