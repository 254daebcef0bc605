//! The graph as a flowchart of Mermaid, which GitHub and GitLab draw in Markdown.

use std::collections::BTreeSet;

use poolwright_model::Fleet;
use poolwright_model::graph::Graph;

use super::notes::note;
use super::{COLOURS, Cluster, clusters, is_faint, kind, label, last, own};

/// The most edges that Mermaid draws unless it is configured otherwise (`maxEdges`, mermaid.js.org, "Config").
pub const MOST_EDGES: usize = 500;

/// A flowchart, from left to right. Names of nodes are made of addresses, so that an edit changes only its own lines.
#[must_use]
pub fn mermaid(fleet: &Fleet, graph: &Graph) -> String {
    let mut text = "flowchart LR\n".to_owned();
    cluster(fleet, &clusters(graph), "", 1, &mut text);
    for edge in &graph.edges {
        let arrow = match (is_faint(edge), edge.step.is_some()) {
            (true, _) => "-.->",
            (_, true) => "==>",
            _ => "-->",
        };
        text.push_str(&format!(
            "  {} {arrow}|\"{}\"| {}\n",
            name(edge.from.as_str()),
            escaped(&label(edge)),
            name(edge.to.as_str()),
        ));
    }
    let used: BTreeSet<&str> = graph.nodes.iter().map(|node| kind(&node.address)).collect();
    for (kind, colour) in COLOURS.iter().filter(|(kind, _)| used.contains(kind)) {
        text.push_str(&format!("  classDef is-{kind} fill:{colour},stroke:#666666,color:#000000\n"));
    }
    text
}

fn cluster(fleet: &Fleet, of: &Cluster<'_>, around: &str, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    for node in &of.nodes {
        let note = note(fleet, &node.address);
        let lines = [own(&node.address), &note].map(escaped);
        let lines: Vec<&str> = lines.iter().map(String::as_str).filter(|line| !line.is_empty()).collect();
        let kind = kind(&node.address);
        let styled = COLOURS.iter().any(|(known, _)| *known == kind);
        let style = if styled { format!(":::is-{kind}") } else { String::new() };
        text.push_str(&format!(
            "{indent}{}[\"{}\"]{style}\n",
            name(node.address.as_str()),
            lines.join("<br/>")
        ));
    }
    for (path, inner) in &of.within {
        text.push_str(&format!("{indent}subgraph {}[\"{}\"]\n", name(path), escaped(last(path, around))));
        cluster(fleet, inner, path, depth + 1, text);
        text.push_str(&format!("{indent}end\n"));
    }
}

/// A name of letters, digits and `_` that no other address has: other bytes as `_` and two digits of their code. It
/// begins with a letter that begins no word of Mermaid's own, as `class` and `end` do.
fn name(address: &str) -> String {
    let mut name = String::from("n_");
    for byte in address.bytes() {
        if byte.is_ascii_alphanumeric() {
            name.push(char::from(byte));
        } else {
            name.push_str(&format!("_{byte:02x}"));
        }
    }
    name
}

/// A text between quotes. Characters that Mermaid, Markdown or HTML could read as their own are given by their codes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() || "\"#&<>;`\\".contains(character) {
            escaped.push_str(&format!("#{};", u32::from(character)));
        } else {
            escaped.push(character);
        }
    }
    escaped
}
