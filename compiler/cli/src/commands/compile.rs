//! `poolwright compile`: the files of all targets, and none of targets that the fleet has no more.

use std::path::Path;

use poolwright_diagnostics::{Diagnostic, suggestion_help};
use poolwright_model::fleet::Target;
use poolwright_target::directory::Directory;
use poolwright_target::files::OsFiles;

use crate::args::Global;
use crate::exit::Exit;
use crate::session::{Session, refuse};
use crate::{codes, output};

pub(crate) fn run(global: &Global, folder: &Path, out: &Path, only: Option<&str>, check: bool) -> Exit {
    let session = Session::new(global, folder);
    let compiled = match session.compile() {
        Ok(compiled) => compiled,
        Err(exit) => return exit,
    };
    let fleet = &compiled.fleet;
    let wanted: Vec<&Target> =
        fleet.targets.values().filter(|target| only.is_none_or(|only| target.short() == only)).collect();
    if let (Some(only), true) = (only, wanted.is_empty()) {
        let diagnostic = Diagnostic::error(codes::NO_SUCH_TARGET, format!("there is no target `{only}`"));
        let known: Vec<String> = fleet.targets.values().map(Target::short).collect();
        let help = suggestion_help("target", only, known.iter().map(String::as_str));
        return refuse(global, help.into_iter().fold(diagnostic, Diagnostic::with_help), Exit::Invalid);
    }
    let files = OsFiles::new(out);
    let gone = if only.is_none() { poolwright_driver::gone_from(fleet, &files) } else { Vec::new() };
    let mut exit = Exit::Done;
    for target in wanted.into_iter().chain(&gone) {
        let place = format!("{}/{}", target.kind.as_str(), target.meta.address.flat());
        let objects = compiled.objects.get(&target.meta.address).map(Vec::as_slice);
        let done = Directory::new(poolwright_driver::kind(target), target, &fleet.meta.name, &place, &files)
            .and_then(|directory| match objects {
                _ if check => directory.check(objects.unwrap_or_default()),
                Some(objects) => directory.compile(objects),
                None => directory.remove(),
            });
        match done {
            Ok(differences) => {
                for difference in &differences {
                    let what = if check { difference.what } else { done_to(difference.what) };
                    output::print(&format!("{what} {place}/{}\n", difference.path));
                }
                if check && !differences.is_empty() {
                    exit = exit.and(Exit::Changes);
                }
            }
            Err(error) => {
                let class = Exit::Class(error.class.exit());
                exit = exit.and(refuse(global, error.to_diagnostic(), class));
            }
        }
    }
    exit
}

/// What was done about a difference, in the past tense: it is written already.
fn done_to(what: &'static str) -> &'static str {
    match what {
        "missing" => "wrote",
        "left over" => "removed",
        other => other,
    }
}
