//! What is written in a fleet, checked, and not yet written to its target by this version.
//!
//! Nothing here is refused: who only looks (`validate`, `cost`, `test`) goes on with a warning, who writes (`plan`,
//! `compile`, `apply`) takes the same as errors.

use std::collections::BTreeSet;

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_model::fleet::{Pool, Queue};
use poolwright_model::{Address, Fleet, Program};

use crate::codes;
use crate::schema::Side;

/// Something that a later version writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Later {
    /// Where it was written.
    pub span: Span,
    /// What it is and where it would go, as a sentence.
    pub message: String,
    /// What of it comes later, in words: `groups in a reservation`.
    pub part: String,
    /// The target of which nothing is written at all, if it is one.
    pub target: Option<Address>,
}

impl Later {
    /// As a warning, for those who only look.
    #[must_use]
    pub fn warning(&self) -> Diagnostic {
        self.dressed(Diagnostic::warning(codes::NOT_BUILT, self.message.clone()))
    }

    /// As an error, for those who write.
    #[must_use]
    pub fn error(&self) -> Diagnostic {
        self.dressed(Diagnostic::error(codes::NOT_BUILT, self.message.clone()))
    }

    fn dressed(&self, diagnostic: Diagnostic) -> Diagnostic {
        diagnostic
            .at(self.span, format!("comes later: {}", self.part))
            .with_help("`plan`, `compile` and `apply` refuse it until a version writes it; `validate`, `cost` and `test` take it")
    }
}

/// An attribute, or a block, that a later version writes, as it was found.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    /// Its block.
    pub block: Address,
    /// The attribute in it: `kueue.uncovered`; empty with `whole`.
    pub path: String,
    /// Where.
    pub span: Span,
    /// What comes later.
    pub part: &'static str,
    /// On which target of the block's pools; none: its own.
    pub at: Option<Side>,
    /// The block is a target of which nothing is written.
    pub whole: bool,
}

/// What was found, with the targets that would get it. What only targets would get of which nothing is written is not
/// said again: the target is.
pub(crate) fn later(fleet: &Fleet, program: &Program, written: Vec<Written>) -> Vec<Later> {
    let silent: BTreeSet<Address> = written.iter().filter(|it| it.whole).map(|it| it.block.clone()).collect();
    let mut all: Vec<Later> = written.into_iter().filter_map(|it| one(fleet, &silent, it)).collect();
    all.extend(statements(program));
    all.sort_by(|a, b| (a.span, &a.message).cmp(&(b.span, &b.message)));
    all.dedup();
    // One place is said once, however many blocks it makes; a target is one by itself.
    let mut shown: Vec<(Later, usize)> = Vec::new();
    for it in all {
        match shown.last_mut() {
            Some((last, more)) if last.span == it.span && last.part == it.part && it.target.is_none() => {
                *more += 1
            }
            _ => shown.push((it, 0)),
        }
    }
    let counted = |(mut it, more): (Later, usize)| {
        if more > 0 {
            let blocks = if more == 1 { "block" } else { "blocks" };
            it.message = format!("{}; so it is for {more} more {blocks} of this place", it.message);
        }
        it
    };
    shown.into_iter().map(counted).collect()
}

/// What is said of addresses: no plan of this version acts on it.
fn statements(program: &Program) -> impl Iterator<Item = Later> + '_ {
    let not_acted_on = |span: Span, kind: &str, message: String| Later {
        span,
        message: format!("{message} is checked, and no plan of this version acts on it"),
        part: format!("`{kind}` blocks"),
        target: None,
    };
    let moved = program.moved.iter();
    let moved = moved
        .map(move |it| not_acted_on(it.span, "moved", format!("`{}` as the former `{}`", it.to, it.from)));
    let removed = program.removed.iter();
    let removed =
        removed.map(move |it| not_acted_on(it.span, "removed", format!("the removal of `{}`", it.from)));
    let imports = program.imports.iter();
    let imports = imports
        .map(move |it| not_acted_on(it.span, "import", format!("`{}` as owner of `{}`", it.to, it.id)));
    moved.chain(removed).chain(imports)
}

fn one(fleet: &Fleet, silent: &BTreeSet<Address>, it: Written) -> Option<Later> {
    if it.whole {
        let message = format!("`{}` is checked, and this version writes nothing to it", it.block);
        return Some(Later { span: it.span, message, part: it.part.to_owned(), target: Some(it.block) });
    }
    if it.path == "size_owner" && is_usual(fleet, &it.block) {
        return None;
    }
    let places = places(fleet, &it);
    if !places.is_empty() && places.iter().all(|place| silent.contains(place)) {
        return None;
    }
    let what = format!("`{}.{}` is checked", it.block, it.path);
    let mut names: Vec<String> = places
        .iter()
        .filter(|place| !silent.contains(*place) && **place != it.block)
        .take(3)
        .map(|place| format!("`{}`", place.as_str().trim_start_matches("target.")))
        .collect();
    names.dedup();
    let message = match names.as_slice() {
        [] => format!("{what}, and this version does not write it"),
        names => format!("{what}, and this version does not write it to {}", names.join(", ")),
    };
    Some(Later { span: it.span, message, part: it.part.to_owned(), target: None })
}

/// Whether the lots of a pool, or the lot, say of their size what the rule says anyway.
fn is_usual(fleet: &Fleet, block: &Address) -> bool {
    let Some(pool) = fleet.pools.get(&block.pool()) else { return false };
    let Some(cluster) = fleet.targets.get(&pool.cluster) else { return false };
    let mut lots = pool.lots.iter().filter(|lot| pool.meta.address == *block || lot.meta.address == *block);
    lots.all(|lot| lot.size_owner.is_none_or(|owner| owner == lot.usual_size_owner(cluster)))
}

/// The targets that would get it.
fn places(fleet: &Fleet, it: &Written) -> BTreeSet<Address> {
    let of_pool = |pool: &Pool| match it.at {
        Some(Side::Provision) => pool.provision.clone().unwrap_or_else(|| pool.cluster.clone()),
        _ => pool.cluster.clone(),
    };
    let of_queue = |queue: &Queue| -> Vec<Address> {
        let steps = fleet.ladder(queue);
        let named = steps.iter().flat_map(|step| step.pools.iter()).chain(&queue.tokens);
        named.filter_map(|pool| fleet.pools.get(&pool.pool())).map(|pool| pool.cluster.clone()).collect()
    };
    if fleet.targets.contains_key(&it.block) {
        return BTreeSet::from([it.block.clone()]);
    }
    if let Some(pool) = fleet.pools.get(&it.block.pool()) {
        return BTreeSet::from([of_pool(pool)]);
    }
    if let Some(queue) = fleet.queues.get(&it.block) {
        return of_queue(queue).into_iter().collect();
    }
    if fleet.tenants.contains_key(&it.block) {
        let mine = |queue: &&Queue| queue.tenants.contains(&it.block);
        return fleet.queues.values().filter(mine).flat_map(of_queue).collect();
    }
    // A fabric, or a level or switch in one.
    let inside = |fabric: &Address| {
        it.block
            .as_str()
            .strip_prefix(fabric.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let uses = |pool: &&Pool| pool.fabric.as_ref().is_some_and(inside);
    fleet.pools.values().filter(uses).map(of_pool).collect()
}
