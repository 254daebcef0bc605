//! The graph in the language of Graphviz (DOT, as its manual's grammar has it).

use poolwright_model::Fleet;
use poolwright_model::graph::Graph;

use super::notes::note;
use super::{COLOURS, Cluster, clusters, is_faint, kind, label, last, own};

/// A digraph of the fleet's name. Every name is quoted, so that nothing in it can be read as syntax.
#[must_use]
pub fn dot(fleet: &Fleet, graph: &Graph) -> String {
    let mut text = format!("digraph {} {{\n", name(&fleet.meta.name));
    text.push_str("  rankdir=LR;\n");
    text.push_str(
        "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#ffffff\", fontname=\"Helvetica\"];\n",
    );
    text.push_str("  edge [fontname=\"Helvetica\", fontsize=10];\n");
    cluster(fleet, &clusters(graph), "", 1, &mut text);
    for edge in &graph.edges {
        let mut style = String::new();
        if is_faint(edge) {
            style.push_str(", style=dashed");
        } else if edge.step.is_some() {
            style.push_str(", style=bold");
        }
        text.push_str(&format!(
            "  {} -> {} [label={}{style}];\n",
            name(edge.from.as_str()),
            name(edge.to.as_str()),
            shown(&[&label(edge)]),
        ));
    }
    text.push_str("}\n");
    text
}

fn cluster(fleet: &Fleet, of: &Cluster<'_>, around: &str, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    for node in &of.nodes {
        let note = note(fleet, &node.address);
        let colour = COLOURS.iter().find(|(known, _)| *known == kind(&node.address));
        let fill = colour.map(|(_, colour)| format!(", fillcolor=\"{colour}\"")).unwrap_or_default();
        text.push_str(&format!(
            "{indent}{} [label={}{fill}];\n",
            name(node.address.as_str()),
            shown(&[own(&node.address), &note]),
        ));
    }
    for (path, inner) in &of.within {
        // Only a subgraph whose name begins so is drawn with a frame.
        text.push_str(&format!("{indent}subgraph {} {{\n", name(&format!("cluster {path}"))));
        text.push_str(&format!("{indent}  label={};\n", shown(&[last(path, around)])));
        cluster(fleet, inner, path, depth + 1, text);
        text.push_str(&format!("{indent}}}\n"));
    }
}

/// A text as a name.
fn name(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// Lines as a label: there `\n` ends a line, and entities stand for characters as in HTML.
fn shown(lines: &[&str]) -> String {
    let lines = lines.iter().filter(|line| !line.is_empty()).map(|line| escaped(&line.replace('&', "&amp;")));
    format!("\"{}\"", lines.collect::<Vec<_>>().join("\\n"))
}

/// What may stand between quotes. In a name a backslash escapes a quote and another backslash; in a label it also
/// makes `\N` the node's name. What cannot be seen is written as in Rust, `\u{a}`.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() {
            escaped.push('\\');
            escaped.extend(character.escape_unicode());
        } else {
            if matches!(character, '"' | '\\') {
                escaped.push('\\');
            }
            escaped.push(character);
        }
    }
    escaped
}
