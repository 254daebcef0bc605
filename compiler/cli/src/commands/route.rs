//! `poolwright route explain`.

use std::path::Path;

use crate::args::Global;
use crate::exit::Exit;
use crate::output;
use crate::session::{Session, refuse};

pub(crate) fn explain(global: &Global, folder: &Path, queue: &str) -> Exit {
    let session = Session::new(global, folder);
    let compiled = match session.look() {
        Ok(compiled) => compiled,
        Err(exit) => return exit,
    };
    match poolwright_driver::explain_route(&compiled, queue) {
        Ok(explained) => {
            let queue = compiled.fleet.queues.get(&explained.queue);
            let route = queue.and_then(|queue| queue.route.as_ref());
            let fidelity = compiled.layout.routes.iter().find(|line| Some(&line.route) == route);
            output::print(&poolwright_report::ladder(&explained, fidelity));
            Exit::Done
        }
        Err(diagnostic) => refuse(global, *diagnostic, Exit::Invalid),
    }
}
