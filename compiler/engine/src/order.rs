//! In which order changes are carried out: what others need comes first, deletes run in reverse, last of all.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use poolwright_diagnostics::Diagnostic;
use poolwright_model::plan::{Action, Change};

use crate::codes;

/// Groups of objects that need each other in a circle, each sorted; empty: there is an order.
#[must_use]
pub fn cycles(changes: &[Change]) -> Vec<Vec<String>> {
    let mut graph: DiGraph<&str, ()> = DiGraph::new();
    let nodes: BTreeMap<&str, NodeIndex> =
        changes.iter().map(|change| (change.address.as_str(), graph.add_node(&change.address))).collect();
    let mut own = BTreeSet::new();
    for change in changes {
        for needed in &change.depends_on {
            if let (Some(from), Some(to)) = (nodes.get(needed.as_str()), nodes.get(change.address.as_str())) {
                graph.add_edge(*from, *to, ());
                if from == to {
                    own.insert(*from);
                }
            }
        }
    }
    // Not Tarjan's: its recursion would be as deep as the longest chain of a plan.
    let groups = kosaraju_scc(&graph)
        .into_iter()
        .filter(|group| group.len() > 1 || group.first().is_some_and(|node| own.contains(node)));
    let named = groups.map(|group| {
        let mut names: Vec<String> =
            group.iter().filter_map(|node| graph.node_weight(*node)).map(|name| (*name).to_owned()).collect();
        names.sort();
        names
    });
    let mut all: Vec<Vec<String>> = named.collect();
    all.sort();
    all
}

/// A circle as a diagnostic.
#[must_use]
pub fn cycle_diagnostic(cycle: &[String]) -> Diagnostic {
    let first = cycle.first().map_or("", String::as_str);
    let mut diagnostic = Diagnostic::error(
        codes::CYCLE,
        if cycle.len() == 1 {
            format!("{first} needs itself")
        } else {
            format!("{first} and {} more need each other in a circle", cycle.len().saturating_sub(1))
        },
    )
    .with_help("take one of the references away");
    diagnostic.notes.extend(cycle.iter().cloned());
    diagnostic
}

/// Indexes of the changes in the order in which they are carried out. What is in a circle is left out: a plan with
/// a circle is refused before.
#[must_use]
pub fn order(changes: &[&Change]) -> Vec<usize> {
    let pick = |deletes: bool| {
        let chosen = changes
            .iter()
            .enumerate()
            .filter(move |(_, change)| (change.action == Action::Delete) == deletes);
        chosen.map(|(index, change)| (index, *change)).collect::<Vec<_>>()
    };
    let mut all = forward(&pick(false));
    let mut deletes = forward(&pick(true));
    deletes.reverse();
    all.append(&mut deletes);
    all
}

/// Needed first; among those that could be next, by address.
fn forward(changes: &[(usize, &Change)]) -> Vec<usize> {
    let by_address: BTreeMap<&str, usize> =
        changes.iter().map(|(index, change)| (change.address.as_str(), *index)).collect();
    let mut waits: BTreeMap<usize, usize> = BTreeMap::new();
    let mut needed_by: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, change) in changes {
        let needs: BTreeSet<usize> =
            change.depends_on.iter().filter_map(|name| by_address.get(name.as_str()).copied()).collect();
        waits.insert(*index, needs.len());
        for need in needs {
            needed_by.entry(need).or_default().push(*index);
        }
    }
    let names: BTreeMap<usize, &str> =
        changes.iter().map(|(index, change)| (*index, change.address.as_str())).collect();
    let name = |index: usize| names.get(&index).copied().unwrap_or_default();
    let free = waits.iter().filter(|(_, count)| **count == 0).map(|(index, _)| (name(*index), *index));
    let mut ready: BTreeSet<(&str, usize)> = free.collect();
    let mut out = Vec::with_capacity(changes.len());
    while let Some((_, index)) = ready.pop_first() {
        out.push(index);
        for next in needed_by.get(&index).into_iter().flatten() {
            if let Some(count) = waits.get_mut(next) {
                *count -= 1;
                if *count == 0 {
                    ready.insert((name(*next), *next));
                }
            }
        }
    }
    out
}
