//! `poolwright graph`.

use std::path::Path;

use poolwright_diagnostics::{Diagnostic, SourceMap};
use poolwright_report::MOST_EDGES;

use crate::args::{Format, Global};
use crate::exit::Exit;
use crate::session::Session;
use crate::{codes, output};

pub(crate) fn run(global: &Global, folder: &Path) -> Exit {
    // The form is that of the graph; who reads JSON reads what is wrong as JSON too.
    let form = global.format;
    let format = if form == Format::Json { Format::Json } else { Format::Human };
    let session = Session::new(&Global { format, ..global.clone() }, folder);
    let compiled = match session.look() {
        Ok(compiled) => compiled,
        Err(exit) => return exit,
    };
    let (fleet, graph) = (&compiled.fleet, poolwright_model::graph::graph(&compiled.fleet));
    match form {
        Format::Json => output::print(&format!("{:#}\n", poolwright_report::graph_json(fleet, &graph))),
        Format::Mermaid => {
            if graph.edges.len() > MOST_EDGES {
                session.remarks(&[too_large(graph.edges.len())], &SourceMap::default());
            }
            output::print(&poolwright_report::mermaid(fleet, &graph));
        }
        _ => output::print(&poolwright_report::dot(fleet, &graph)),
    }
    Exit::Done
}

fn too_large(edges: usize) -> Diagnostic {
    let message =
        format!("the graph has {edges} edges, and Mermaid draws {MOST_EDGES} unless it is told otherwise");
    Diagnostic::warning(codes::LARGE_GRAPH, message)
        .with_help("set `maxEdges` where it is drawn, or take `--format dot`")
}
