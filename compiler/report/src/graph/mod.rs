//! The blocks of a fleet as a picture: for Graphviz, for Mermaid, and as JSON for programs.

mod dot;
mod json;
mod mermaid;
mod notes;

use std::collections::BTreeMap;

use poolwright_expression::Number;
use poolwright_expression::quantity::Duration;
use poolwright_model::Address;
use poolwright_model::graph::{Edge, Graph, Node};

pub use dot::dot;
pub use json::graph_json;
pub use mermaid::{MOST_EDGES, mermaid};

/// A module with the blocks and modules that stand in it. The fleet itself is one without a path.
#[derive(Default)]
struct Cluster<'a> {
    path: &'a str,
    nodes: Vec<&'a Node>,
    within: BTreeMap<&'a str, Cluster<'a>>,
}

/// Blocks by the modules that they stand in.
fn clusters(graph: &Graph) -> Cluster<'_> {
    let mut root = Cluster::default();
    for node in &graph.nodes {
        let mut place = &mut root;
        for path in node.address.modules() {
            place = place.within.entry(path).or_default();
            place.path = path;
        }
        place.nodes.push(node);
    }
    root
}

/// An address as it is written in its own module.
fn own(address: &Address) -> &str {
    address.split_module().1
}

/// The last part of a module's path: `module.edge["fra"]` of `module.a.module.edge["fra"]`.
fn last<'a>(path: &'a str, around: &str) -> &'a str {
    path.strip_prefix(around).map_or(path, |rest| rest.trim_start_matches('.'))
}

/// The word for a kind that styles are given by: `target` of `target.kubernetes`.
fn kind(address: &Address) -> &str {
    address.kind().split('.').next().unwrap_or_default()
}

/// What stands at an edge: the attribute, or the step with its patience.
fn label(edge: &Edge) -> String {
    let Some(step) = &edge.step else { return edge.attribute.to_owned() };
    let patience = step.patience.and_then(|seconds| i64::try_from(seconds).ok());
    let patience = patience.map(|seconds| format!(", for {}", Duration(Number::from(seconds))));
    format!("{} {}{}", step.number, step.name, patience.unwrap_or_default())
}

/// Whether an edge is drawn as less than the others: nobody's work goes along it.
fn is_faint(edge: &Edge) -> bool {
    ["deny", "lot", "trial.route", "maintenance.tenants", "prices"].contains(&edge.attribute)
}

/// The colour that blocks of a kind are filled with.
const COLOURS: [(&str, &str); 11] = [
    ("fleet", "#eeeeee"),
    ("target", "#cfe2f3"),
    ("tier", "#fff2cc"),
    ("fabric", "#d9d2e9"),
    ("accelerator", "#d0e0e3"),
    ("pool", "#d9ead3"),
    ("lot", "#eaf4e6"),
    ("tenant", "#fce5cd"),
    ("class", "#f4cccc"),
    ("route", "#ead1dc"),
    ("queue", "#ffffff"),
];
