//! A strict reader of Mermaid's flowcharts, of what the program may write, a statement a line (mermaid.js.org,
//! "Flowcharts"): nodes with quoted labels, subgraphs, edges with quoted labels, classes. Anything else is a fault.

use std::collections::BTreeSet;

use super::Said;

/// A name is of letters, digits and `_`, and begins with no word of Mermaid's.
fn is_name(word: &str) -> bool {
    word.starts_with("n_") && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The address that a name is made of.
fn address(name: &str) -> String {
    assert!(is_name(name), "{name}");
    let mut bytes = Vec::new();
    let mut rest = name["n_".len()..].bytes();
    while let Some(byte) = rest.next() {
        if byte == b'_' {
            let digits = [rest.next().unwrap(), rest.next().unwrap()];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// A label's text: what could be syntax stands in it as `#` code `;` alone.
fn plain(label: &str) -> String {
    let mut found = String::new();
    let mut rest = label.chars();
    while let Some(character) = rest.next() {
        match character {
            '#' => {
                let code: String = rest.by_ref().take_while(|c| *c != ';').collect();
                found.push(char::from_u32(code.parse().unwrap()).unwrap());
            }
            '"' | '<' | '>' | '&' | ';' | '`' | '\\' => panic!("`{character}` in the label {label}"),
            other => found.push(other),
        }
    }
    found
}

/// `before "label" after`, at the only two quotes of a statement.
fn parts(line: &str) -> (&str, &str, &str) {
    let parts: Vec<&str> = line.split('"').collect();
    let [before, label, after] = parts[..] else { panic!("one label is wanted: {line}") };
    (before, label, after)
}

pub(super) fn read(text: &str) -> Said {
    let mut said = Said::default();
    let (mut frames, mut classes, mut defined) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("flowchart LR"));
    for line in lines.map(str::trim) {
        if line == "end" {
            frames.pop().unwrap();
        } else if let Some(rest) = line.strip_prefix("classDef ") {
            let (class, style) = rest.split_once(' ').unwrap();
            assert!(style.starts_with("fill:#") && !style.contains(' '), "{line}");
            defined.insert(class.to_owned());
        } else if let Some(rest) = line.strip_prefix("subgraph ") {
            let (name, label, after) = parts(rest);
            assert!(is_name(name.strip_suffix('[').unwrap()) && after == "]", "{line}");
            frames.push(plain(label));
        } else if line.contains(">|") {
            let (before, label, after) = parts(line);
            let (from, arrow) = before.split_once(' ').unwrap();
            assert!(["-->|", "-.->|", "==>|"].contains(&arrow), "{line}");
            let to = after.strip_prefix("| ").unwrap();
            said.edges.push((address(from), address(to), plain(label)));
        } else {
            let (name, label, after) = parts(line);
            let name = name.strip_suffix('[').unwrap();
            let class = after.strip_prefix(']').unwrap();
            classes.extend(class.strip_prefix(":::").map(str::to_owned));
            let lines = label.split("<br/>").map(plain).collect();
            let before = said.nodes.insert(address(name), (lines, frames.clone()));
            assert_eq!(before, None, "{name} twice");
        }
    }
    assert!(frames.is_empty(), "a subgraph is not closed");
    assert_eq!(classes, defined, "each class is defined, and no other");
    for (from, to, _) in &said.edges {
        assert!(said.nodes.contains_key(from) && said.nodes.contains_key(to), "{from} to {to}");
    }
    said
}
