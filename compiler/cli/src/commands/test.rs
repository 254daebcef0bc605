//! `poolwright test` and `poolwright policy test`.

use std::path::Path;

use poolwright_diagnostics::Diagnostic;
use poolwright_driver::Compiled;
use poolwright_policies::TestRun;

use crate::args::Global;
use crate::exit::Exit;
use crate::output;
use crate::session::Session;

pub(crate) fn run(global: &Global, folder: &Path) -> Exit {
    show(global, folder, "test", |session, compiled| {
        poolwright_driver::run_tests(compiled, &|values| session.load_with(values))
    })
}

pub(crate) fn policies(global: &Global, folder: &Path) -> Exit {
    show(global, folder, "policy test", |_, compiled| poolwright_driver::run_policy_tests(compiled))
}

fn show(global: &Global, folder: &Path, what: &str, run: fn(&Session, &Compiled) -> Vec<TestRun>) -> Exit {
    let session = Session::new(global, folder);
    let compiled = match session.look() {
        Ok(compiled) => compiled,
        Err(exit) => return exit,
    };
    let runs = run(&session, &compiled);
    let failures: Vec<Diagnostic> = runs.iter().filter_map(|run| run.failure.clone()).collect();
    if !failures.is_empty() {
        session.complain(&failures, &compiled.sources);
    }
    output::print(&poolwright_report::runs(what, &runs));
    if failures.is_empty() { Exit::Done } else { Exit::Error }
}
