//! The graph as JSON: `poolwright/graph/v1`.

use poolwright_model::Fleet;
use poolwright_model::graph::{Edge, Graph, Node};
use serde_json::{Value, json};

use super::notes::note;

/// Blocks and references, in the order of [`poolwright_model::graph`].
#[must_use]
pub fn graph_json(fleet: &Fleet, graph: &Graph) -> Value {
    json!({
        "schema": "poolwright/graph/v1",
        "fleet": fleet.meta.name,
        "nodes": graph.nodes.iter().map(|it| node(fleet, it)).collect::<Vec<_>>(),
        "edges": graph.edges.iter().map(edge).collect::<Vec<_>>(),
    })
}

fn node(fleet: &Fleet, node: &Node) -> Value {
    let note = note(fleet, &node.address);
    json!({
        "address": node.address,
        "kind": node.address.kind(),
        "name": node.name,
        "module": node.address.split_module().0,
        "note": if note.is_empty() { Value::Null } else { Value::String(note) },
    })
}

fn edge(edge: &Edge) -> Value {
    let step = edge.step.as_ref().map(|step| {
        json!({ "number": step.number, "name": step.name, "opens_at": step.opens_at, "for": step.patience })
    });
    json!({ "from": edge.from, "to": edge.to, "attribute": edge.attribute, "step": step })
}
