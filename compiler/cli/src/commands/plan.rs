//! `poolwright plan`.

use std::path::Path;

use poolwright_diagnostics::Diagnostic;
use poolwright_driver::{Compiled, Planned};
use poolwright_engine::{Guards as EngineGuards, guard, saved};
use poolwright_model::program::PolicySeverity;

use crate::args::{Global, Guards};
use crate::clock::SystemClock;
use crate::exit::Exit;
use crate::session::{Session, refuse};
use crate::{codes, internal, output};

pub(crate) fn run(global: &Global, folder: &Path, save: Option<&Path>, json: bool, guards: &Guards) -> Exit {
    let session = Session::new(global, folder);
    let mut compiled = match session.compile() {
        Ok(compiled) => compiled,
        Err(exit) => return exit,
    };
    internal::phase("planning");
    let planned = poolwright_driver::plan(&mut compiled, &session.files, &SystemClock);
    let to_stdout = save == Some(Path::new("-"));
    if json || to_stdout {
        match saved::write(&planned.plan) {
            Ok(text) => output::print(&text),
            Err(error) => return cannot_write(global, "standard output", &error.to_string()),
        }
    } else {
        let next = format!("poolwright apply{}", session.argument());
        output::print(&poolwright_report::plan(&planned.plan, Some(&next)));
    }
    let mut exit = verdict(&session, &compiled, &planned, guards);
    if let Some(path) = save.filter(|_| !to_stdout) {
        let written = saved::write(&planned.plan)
            .map_err(|error| error.to_string())
            .and_then(|text| std::fs::write(path, text).map_err(|error| error.to_string()));
        if let Err(error) = written {
            exit = exit.and(cannot_write(global, &path.display().to_string(), &error));
        }
    }
    if !planned.plan.is_empty() {
        exit = exit.and(Exit::Changes);
    }
    exit
}

/// Shows what speaks against a plan, and says what it amounts to.
pub(crate) fn verdict(session: &Session, compiled: &Compiled, planned: &Planned, guards: &Guards) -> Exit {
    let exit = against(session, compiled, planned, guards);
    planned.unreachable.iter().fold(exit, |exit, (_, code)| exit.and(Exit::Class(*code)))
}

/// As [`verdict`], less targets that cannot be read: they do not stop the others (CONTRACT §1).
pub(crate) fn against(session: &Session, compiled: &Compiled, planned: &Planned, guards: &Guards) -> Exit {
    let guards = EngineGuards { allow_destroy: guards.allow_destroy, allow_empty: guards.allow_empty };
    let refused: Vec<Diagnostic> = guard(&planned.plan, guards);
    let all = planned.diagnostics.iter().chain(&planned.policies).chain(&refused);
    session.remarks(&all.cloned().collect::<Vec<Diagnostic>>(), &compiled.sources);
    let mut exit = Exit::of(&planned.diagnostics).and(Exit::of(&refused));
    if planned.worst.is_some_and(|worst| worst >= PolicySeverity::Approve) {
        exit = exit.and(Exit::Denied);
    }
    exit
}

fn cannot_write(global: &Global, place: &str, error: &str) -> Exit {
    let diagnostic =
        Diagnostic::error(codes::CANNOT_WRITE, format!("the plan cannot be written to {place}: {error}"));
    refuse(global, diagnostic, Exit::Error)
}
