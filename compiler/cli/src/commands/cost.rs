//! `poolwright cost`.

use std::path::Path;

use crate::args::Global;
use crate::exit::Exit;
use crate::output;
use crate::session::Session;

pub(crate) fn run(global: &Global, folder: &Path, json: bool) -> Exit {
    let session = Session::new(global, folder);
    let compiled = match session.look() {
        Ok(compiled) => compiled,
        Err(exit) => return exit,
    };
    let name = &compiled.fleet.meta.name;
    if json {
        let json = poolwright_report::cost_json(name, &compiled.costs, &compiled.prices);
        output::print(&format!("{json}\n"));
    } else {
        output::print(&poolwright_report::cost(name, &compiled.costs, &compiled.prices));
    }
    Exit::Done
}
