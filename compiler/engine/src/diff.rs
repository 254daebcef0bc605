//! What is wanted on one target against what is there: one change an object, none where they are equal.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use poolwright_diagnostics::{Diagnostic, SourceMap, Span};
use poolwright_model::plan::{Action, Change, FieldChange, PROTECT, Place, Settle};
use poolwright_model::resource::{Observed, Ownership};
use poolwright_model::{Resource, canonical, fleet};
use poolwright_target::Target;
use poolwright_target::backend::{FileDrift, Observation, Obstacle};
use poolwright_target::error::TargetError;
use poolwright_target::inventory::Inventory;
use poolwright_target::ownership::{Rules, strip};
use serde_json::Value;

use crate::{codes, fields};

/// The two sides of one target.
#[derive(Clone, Copy)]
pub struct Sides<'a> {
    /// The target's kind.
    pub kind: &'a dyn Target,
    /// The target.
    pub target: &'a fleet::Target,
    /// What is wanted, in any order.
    pub wanted: &'a [Resource],
    /// What is there, or why nobody knows.
    pub found: Result<&'a Observation, &'a TargetError>,
    /// What stands where wanted objects are to be and is not ours.
    pub obstacles: &'a [Obstacle],
    /// What was applied last, if it is remembered.
    pub inventory: Option<&'a Inventory>,
    /// For places in files.
    pub sources: &'a SourceMap,
}

/// The difference on one target.
#[derive(Clone, Debug, Default)]
pub struct Difference {
    /// Destroys first, then by address.
    pub changes: Vec<Change>,
    /// Objects that are as wanted.
    pub no_op: usize,
    /// Refusals and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

impl Difference {
    /// Gives each change the body of its object, without a copy.
    pub fn give_bodies(&mut self, wanted: Vec<Resource>) {
        let mut wanted = wanted;
        wanted.sort_by(by_address);
        let mut bodies: BTreeMap<String, Value> = BTreeMap::new();
        for resource in wanted {
            bodies.entry(resource.address).or_insert(resource.body);
        }
        for change in self.changes.iter_mut().filter(|change| change.action != Action::Delete) {
            change.body = bodies.remove(&change.address);
        }
    }
}

/// Objects of one address: the first of them counts.
fn by_address(a: &Resource, b: &Resource) -> std::cmp::Ordering {
    (&a.address, &a.block, a.origin).cmp(&(&b.address, &b.block, b.origin))
}

/// Compares. Pure: equal arguments, equal results, whatever the order of either side.
#[must_use]
pub fn diff(sides: Sides<'_>) -> Difference {
    let mut difference = compare(sides);
    difference.give_bodies(sides.wanted.to_vec());
    difference
}

/// As [`diff`], and the changes have no bodies yet: [`Difference::give_bodies`] moves them where there are many.
#[must_use]
pub fn compare(sides: Sides<'_>) -> Difference {
    let mut out = Difference::default();
    let mut sorted: Vec<&Resource> = sides.wanted.iter().collect();
    sorted.sort_by(|a, b| by_address(a, b));
    let mut wanted: BTreeMap<&str, &Resource> = BTreeMap::new();
    for resource in sorted {
        match wanted.entry(&resource.address) {
            Entry::Vacant(free) => {
                free.insert(resource);
            }
            Entry::Occupied(first) => out.diagnostics.push(twice(first.get(), resource)),
        }
    }
    match sides.found {
        Ok(found) => reachable(sides, &wanted, found, &mut out),
        Err(error) => unreachable(sides, &wanted, error, &mut out),
    }
    sort_changes(&mut out.changes);
    Diagnostic::sort(&mut out.diagnostics);
    out
}

/// Destroys first, then by address: the one change that hurts is not lost in a long plan.
pub fn sort_changes(changes: &mut [Change]) {
    changes.sort_by(|a, b| (!destroys(a.action), &a.address).cmp(&(!destroys(b.action), &b.address)));
}

/// Whether an action destroys what is there.
#[must_use]
pub fn destroys(action: Action) -> bool {
    matches!(action, Action::Delete | Action::Replace)
}

/// The digest over a found object, less what others own: equal as long as what is ours is.
#[must_use]
pub fn found_digest(kind: &dyn Target, object: &Observed, ownership: &BTreeMap<String, Ownership>) -> String {
    let mut body = object.body.clone();
    kind.normalise(&object.kind, &mut body);
    strip(&mut body, &Rules::new(ownership), &|_| true);
    canonical::digest_value(&body)
}

fn reachable(
    sides: Sides<'_>,
    wanted: &BTreeMap<&str, &Resource>,
    found: &Observation,
    out: &mut Difference,
) {
    for fault in &found.faults {
        let line = fault.line.map_or_else(String::new, |line| format!(":{line}"));
        let file = format!("{}{line} of {}", fault.path, sides.target.meta.address);
        out.diagnostics.push(
            Diagnostic::warning(codes::DAMAGED_FILE, format!("{file} cannot be read: {}", fault.message))
                .with_note("its objects count as gone")
                .with_help("apply writes it again; or bring it back from Git"),
        );
    }
    out.diagnostics.extend(settles(sides.target, found.settle.as_ref()));
    let blocked = obstacles(sides, wanted, out);
    let mut there: BTreeMap<&str, &Observed> = BTreeMap::new();
    for object in &found.objects {
        there.insert(&object.address, object);
    }
    for (address, resource) in wanted {
        match there.get(address) {
            None => match blocked.get(address) {
                None => out.changes.push(create(sides, resource)),
                Some(obstacle) => {
                    let mut change = change(sides, resource, Action::Unknown);
                    change.reason = Some(format!("{} is in the way", obstacle.place));
                    out.changes.push(change);
                }
            },
            Some(object) if !object.owned => {
                let mut change = change(sides, resource, Action::Unknown);
                change.reason = Some(String::from("exists and is not ours"));
                out.changes.push(change);
                out.diagnostics.push(not_ours(resource));
            }
            Some(object) => match update(sides, resource, object) {
                Some(change) => {
                    if change.action == Action::Replace && change.protected {
                        out.diagnostics.push(protected(&change, resource.origin));
                    }
                    out.changes.push(change);
                }
                None => out.no_op += 1,
            },
        }
    }
    for drift in &found.drift {
        restore(sides, drift, wanted, &there, out);
    }
    if !found.faults.is_empty() {
        for address in found.lost.iter().filter(|address| !wanted.contains_key(address.as_str())) {
            let message = format!("the plan would destroy {address}, which is protected");
            out.diagnostics.push(
                Diagnostic::error(codes::PROTECTED, message)
                    .with_note("its block is gone, and its file cannot be read; protection stays with the object")
                    .with_help("bring the file back from Git; then set protect = false, apply that, and make this change"),
            );
        }
    }
    for (address, object) in there {
        if object.owned && !wanted.contains_key(address) {
            let change = delete(sides, object);
            if change.protected {
                out.diagnostics.push(protected(&change, Span::default()));
            }
            out.changes.push(change);
        }
    }
}

/// What is said of work on a target that no object shows.
fn settles(target: &fleet::Target, settle: Option<&Settle>) -> Option<Diagnostic> {
    let address = &target.meta.address;
    match settle? {
        Settle::Finish => Some(
            Diagnostic::note(codes::INTERRUPTED, format!("an earlier write to {address} was interrupted"))
                .with_note("no file is half-written; this plan is the rest of it")
                .with_help("apply"),
        ),
        Settle::Remember => None,
        Settle::Move { from } => {
            let to = target.directory.as_deref().unwrap_or_default();
            let message = format!("{address} moves from `{from}` to `{to}`");
            Some(
                Diagnostic::warning(codes::MOVES, message)
                    .with_note(format!("what reads `{from}` finds nothing of ours there afterwards, and may destroy what runs"))
                    .with_help(format!("stop it from pruning, apply, point it at `{to}`, then let it prune again"))
                    .with_help(format!("or set `directory` back to `{from}`")),
            )
        }
        Settle::Remove => Some(
            Diagnostic::warning(codes::GONE, format!("the fleet has no {address} any more: what is ours on it is removed"))
                .with_help("if it only has another name now, give it the old one back: nothing follows a target's name yet"),
        ),
    }
}

/// Says what is in the way, and gives it by the addresses of wanted objects.
fn obstacles<'a>(
    sides: Sides<'a>,
    wanted: &BTreeMap<&str, &Resource>,
    out: &mut Difference,
) -> BTreeMap<&'a str, &'a Obstacle> {
    let mut blocked = BTreeMap::new();
    for obstacle in sides.obstacles {
        let needed = obstacle.needed_by.iter().map(|address| (address.as_str(), obstacle));
        blocked.extend(needed);
        let first = obstacle.needed_by.first().and_then(|address| wanted.get(address.as_str()));
        let of = first.map_or(&sides.target.meta.address as &dyn std::fmt::Display, |first| &first.address);
        let message = format!(
            "{} is {} that Poolwright did not write, in the way of {of}",
            obstacle.place, obstacle.what
        );
        let mut diagnostic = Diagnostic::error(poolwright_target::codes::UNOWNED_PATH, message)
            .with_help("move it away, or give the target a folder of its own; Poolwright touches only what its manifest names");
        if let Some(first) = first {
            diagnostic = at(diagnostic, first.origin, "wants the place");
        }
        diagnostic.notes.extend(
            obstacle.needed_by.iter().skip(1).map(|address| format!("{address} needs the place too")),
        );
        out.diagnostics.push(diagnostic);
    }
    blocked
}

/// A file that no comparison of objects covers is brought back through an object that it is made from.
fn restore(
    sides: Sides<'_>,
    drift: &FileDrift,
    wanted: &BTreeMap<&str, &Resource>,
    there: &BTreeMap<&str, &Observed>,
    out: &mut Difference,
) {
    let through = |address: &String| {
        let address = address.as_str();
        Some((*wanted.get(address)?, *there.get(address)?))
    };
    let Some((resource, object)) = drift.made_from.iter().find_map(through) else { return };
    let what = if drift.missing { "missing" } else { "changed by hand" };
    let field = FieldChange {
        path: format!("file[{}]", drift.path),
        before: Some(Value::from(what)),
        after: Some(Value::from("as rendered")),
        sensitive: false,
        forces_replace: false,
        owner: None,
    };
    if let Some(change) = out.changes.iter_mut().find(|change| change.address == resource.address) {
        change.fields.push(field);
        return;
    }
    let mut change = change(sides, resource, Action::Update);
    change.reason = Some(format!("{} is {what}", drift.path));
    change.fields.push(field);
    change.precondition.clone_from(&object.precondition);
    change.found = Some(found_digest(sides.kind, object, &resource.ownership));
    out.no_op = out.no_op.saturating_sub(1);
    out.changes.push(change);
}

fn unreachable(
    sides: Sides<'_>,
    wanted: &BTreeMap<&str, &Resource>,
    error: &TargetError,
    out: &mut Difference,
) {
    let target = &sides.target.meta.address;
    let mut diagnostic =
        Diagnostic::warning(codes::UNREACHABLE, format!("{target} could not be read: {}", error.message))
            .with_note(format!("nothing is planned for its {} objects", wanted.len()));
    diagnostic.notes.extend(error.notes.iter().cloned());
    diagnostic.helps.extend(error.helps.iter().cloned());
    out.diagnostics.push(diagnostic);
    for resource in wanted.values() {
        let mut change = change(sides, resource, Action::Unknown);
        change.reason = Some(format!("unreachable: {}", error.message));
        out.changes.push(change);
    }
}

fn change(sides: Sides<'_>, resource: &Resource, action: Action) -> Change {
    Change {
        address: resource.address.clone(),
        target: sides.target.meta.address.clone(),
        kind: resource.kind.clone(),
        identity: resource.identity.clone(),
        action,
        reason: None,
        protected: resource.protected,
        depends_on: sorted(&resource.depends_on),
        fields: Vec::new(),
        precondition: None,
        found: None,
        body: None,
        ownership: resource.ownership.clone(),
        origin: place(sides.sources, resource.origin),
        remark: resource.remark.clone(),
    }
}

fn create(sides: Sides<'_>, resource: &Resource) -> Change {
    let mut change = change(sides, resource, Action::Create);
    if sides.inventory.is_some_and(|inventory| inventory.object(&resource.address).is_some()) {
        change.reason = Some(String::from("was applied before and is gone"));
    }
    change
}

fn update(sides: Sides<'_>, resource: &Resource, object: &Observed) -> Option<Change> {
    let mut before = object.body.clone();
    let mut after = resource.body.clone();
    sides.kind.normalise(&object.kind, &mut before);
    sides.kind.normalise(&resource.kind, &mut after);
    let protection = object.protected != resource.protected;
    if before == after && !protection {
        return None;
    }
    let rules = Rules::new(&resource.ownership);
    if !rules.is_empty() && !protection {
        let (mut ours_before, mut ours_after) = (before.clone(), after.clone());
        strip(&mut ours_before, &rules, &|_| true);
        strip(&mut ours_after, &rules, &|_| true);
        if ours_before == ours_after {
            return None;
        }
    }
    let compared =
        fields::compare(sides.kind, sides.target, &resource.kind, &resource.ownership, &before, &after);
    let action = if compared.replace.is_empty() { Action::Update } else { Action::Replace };
    let mut change = change(sides, resource, action);
    change.reason =
        (!compared.replace.is_empty()).then(|| compared.replace.into_iter().collect::<Vec<_>>().join("; "));
    change.fields = compared.changes;
    if protection {
        change.fields.push(FieldChange {
            path: String::from(PROTECT),
            before: Some(Value::Bool(object.protected)),
            after: Some(Value::Bool(resource.protected)),
            sensitive: false,
            forces_replace: false,
            owner: None,
        });
    }
    // Protection that is being taken off holds until that is applied.
    change.protected |= object.protected;
    change.precondition.clone_from(&object.precondition);
    change.found = Some(found_digest(sides.kind, object, &resource.ownership));
    if action == Action::Replace
        && let Some(along) = sides.kind.takes_along(&resource.kind)
    {
        change.remark = Some(along.to_owned());
    }
    Some(change)
}

fn delete(sides: Sides<'_>, object: &Observed) -> Change {
    let remembered = sides.inventory.and_then(|inventory| inventory.object(&object.address));
    Change {
        address: object.address.clone(),
        target: sides.target.meta.address.clone(),
        kind: object.kind.clone(),
        identity: object.identity.clone(),
        action: Action::Delete,
        reason: Some(String::from("not in the fleet any more")),
        protected: object.protected,
        depends_on: remembered.map_or_else(Vec::new, |remembered| sorted(&remembered.depends_on)),
        fields: Vec::new(),
        precondition: object.precondition.clone(),
        found: Some(found_digest(sides.kind, object, &BTreeMap::new())),
        body: None,
        ownership: BTreeMap::new(),
        origin: None,
        remark: sides.kind.takes_along(&object.kind).map(str::to_owned),
    }
}

fn sorted(names: &[String]) -> Vec<String> {
    let mut names = names.to_vec();
    names.sort();
    names.dedup();
    names
}

fn place(sources: &SourceMap, span: Span) -> Option<Place> {
    if span == Span::default() {
        return None;
    }
    let file = sources.get(span.file)?;
    let at = file.line_column(span.start);
    Some(Place { file: file.name().to_owned(), line: at.line, column: at.column, span })
}

fn at(diagnostic: Diagnostic, span: Span, text: &str) -> Diagnostic {
    if span == Span::default() { diagnostic } else { diagnostic.at(span, text) }
}

fn twice(first: &Resource, second: &Resource) -> Diagnostic {
    let message = format!("{} is wanted twice, by {} and {}", first.address, first.block, second.block);
    let diagnostic = at(Diagnostic::error(codes::TWICE, message), second.origin, "wants it again");
    let known = first.origin != Span::default();
    let diagnostic = if known { diagnostic.also(first.origin, "wants it first") } else { diagnostic };
    diagnostic.with_help("give one of the blocks another name")
}

fn not_ours(resource: &Resource) -> Diagnostic {
    let message = format!("{} exists and is not this fleet's", resource.address);
    at(Diagnostic::error(codes::NOT_OURS, message), resource.origin, "wants it")
        .with_note("it does not carry this fleet's mark, so it is not touched")
        .with_help(format!(
            "take it into this fleet: poolwright adopt {}={}",
            resource.address, resource.identity
        ))
        .with_help("or give the block another name")
}

fn protected(change: &Change, origin: Span) -> Diagnostic {
    let what = if change.action == Action::Delete { "destroy" } else { "replace" };
    let message = format!("the plan would {what} {}, which is protected", change.address);
    let diagnostic = at(Diagnostic::error(codes::PROTECTED, message), origin, "protected here");
    let diagnostic = match (&change.reason, change.action) {
        (Some(reason), Action::Replace) => diagnostic.with_note(reason.clone()),
        _ => diagnostic.with_note("its block is gone; protection stays with the object"),
    };
    diagnostic.with_help("set protect = false, apply that, then make this change")
}
