//! Whether what a plan was made from is still so.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::Diagnostic;
use poolwright_model::Plan;
use poolwright_model::plan::{Action, Change, PlanTarget, Settle};
use poolwright_model::resource::Observed;
use poolwright_target::Target;
use poolwright_target::backend::Observation;

use crate::codes;
use crate::diff::found_digest;

/// An object that is not as it was when the plan was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stale {
    /// Its address.
    pub address: String,
    /// What happened to it: `appeared since`, `is gone`, `changed since`, `is protected since`, `is not where it was`.
    pub what: &'static str,
}

/// Compares changes with what is there now. A field that others own may differ, and so may the spelling.
#[must_use]
pub fn stale(kind: &dyn Target, changes: &[&Change], now: &Observation) -> Vec<Stale> {
    let there: BTreeMap<&str, &Observed> =
        now.objects.iter().map(|object| (object.address.as_str(), object)).collect();
    let judge = |change: &&Change| {
        let found = there.get(change.address.as_str());
        let what = match (change.action, &change.found, found) {
            (Action::Unknown | Action::NoOp, _, _) | (_, None, None) => return None,
            (_, None, Some(_)) => "appeared since",
            // Somebody else did what we wanted to do.
            (Action::Delete | Action::Forget, Some(_), None) => return None,
            (_, Some(_), None) => "is gone",
            (Action::Delete | Action::Replace, Some(_), Some(object))
                if object.protected && !change.protected =>
            {
                "is protected since"
            }
            (_, Some(digest), Some(object)) => {
                if change.precondition.is_some() && change.precondition == object.precondition {
                    return None;
                }
                if found_digest(kind, object, &change.ownership) == *digest {
                    return None;
                }
                "changed since"
            }
        };
        Some(Stale { address: change.address.clone(), what })
    };
    changes.iter().filter_map(judge).collect()
}

/// Whether the place of a target is still what the plan has to settle of it. One that goes away takes all with it that
/// stands in it, and one that moves is nothing without what it moves.
#[must_use]
pub fn stale_place(target: &PlanTarget, changes: &[&Change], now: &Observation) -> Vec<Stale> {
    match target.settle {
        Some(Settle::Remove) => {
            let planned: BTreeSet<&str> = changes.iter().map(|change| change.address.as_str()).collect();
            let ours = now.objects.iter().filter(|object| object.owned);
            let more = ours.filter(|object| !planned.contains(object.address.as_str()));
            more.map(|object| Stale { address: object.address.clone(), what: "appeared since" }).collect()
        }
        Some(Settle::Move { .. }) if now.settle.is_none() && now.objects.is_empty() => {
            vec![Stale { address: target.address.to_string(), what: "is not where it was" }]
        }
        _ => Vec::new(),
    }
}

/// Stale objects as one diagnostic.
#[must_use]
pub fn stale_diagnostic(all: &[Stale]) -> Option<Diagnostic> {
    let first = all.first()?;
    let more = if all.len() > 1 { format!(", and {} more", all.len() - 1) } else { String::new() };
    let mut diagnostic =
        Diagnostic::error(codes::STALE, format!("the plan is stale: {} {}{more}", first.address, first.what))
            .with_help("plan again and look at what changed");
    diagnostic.notes.extend(all.iter().map(|stale| format!("{} {}", stale.address, stale.what)));
    diagnostic.notes.push(String::from("nothing was applied"));
    Some(diagnostic)
}

/// Whether a plan is the approved one; `approved` may be cut short, to at least 12 digits. With the approved plan
/// at hand the diagnostic names what differs.
#[must_use]
pub fn not_approved(plan: &Plan, approved: &str, approved_plan: Option<&Plan>) -> Option<Diagnostic> {
    let digits = |text: &str| text.strip_prefix("sha256:").unwrap_or(text).to_owned();
    let (given, actual) = (digits(approved), digits(&plan.digest));
    if given.len() >= 12 && actual.starts_with(&given) {
        return None;
    }
    let message = format!("the plan is {} now, approved was {approved}", plan.digest);
    let mut diagnostic = Diagnostic::error(codes::NOT_APPROVED, message)
        .with_help("look at the plan again: poolwright plan; then approve its digest");
    diagnostic.notes = approved_plan.map_or_else(Vec::new, |approved| differences(approved, plan));
    diagnostic.notes.push(String::from("nothing was applied"));
    Some(diagnostic)
}

/// What differs between two plans, one line each.
#[must_use]
pub fn differences(before: &Plan, after: &Plan) -> Vec<String> {
    let mut all = Vec::new();
    let by_address = |plan: &'_ Plan| -> BTreeMap<String, Change> {
        plan.changes.iter().map(|change| (change.address.clone(), change.clone())).collect()
    };
    let (old, new) = (by_address(before), by_address(after));
    for (address, change) in &new {
        match old.get(address) {
            None => all.push(format!("{address}: {} is new", action(change))),
            Some(was) if was.action != change.action => {
                all.push(format!("{address}: {} instead of {}", action(change), action(was)));
            }
            Some(was) => {
                let ours = |change: &Change| -> BTreeMap<String, String> {
                    let fields = change.fields.iter().filter(|field| field.owner.is_none());
                    fields
                        .map(|field| (field.path.clone(), format!("{:?} → {:?}", field.before, field.after)))
                        .collect()
                };
                let (was_fields, is_fields) = (ours(was), ours(change));
                let paths: BTreeSet<&String> = was_fields.keys().chain(is_fields.keys()).collect();
                let differ = paths.into_iter().filter(|path| was_fields.get(*path) != is_fields.get(*path));
                let named: Vec<String> = differ.map(|path| format!("{address}: {path} differs")).collect();
                if named.is_empty() && (was.found != change.found || was.body != change.body) {
                    all.push(format!("{address}: its contents differ"));
                }
                all.extend(named);
            }
        }
    }
    for (address, change) in old.iter().filter(|(address, _)| !new.contains_key(*address)) {
        all.push(format!("{address}: {} is no longer planned", action(change)));
    }
    if before.input_digest != after.input_digest {
        all.push(String::from("the fleet, its policies or its prices differ"));
    }
    if before.targets != after.targets {
        all.push(String::from("the targets differ"));
    }
    if before.policies != after.policies {
        all.push(String::from("the verdicts of policies differ"));
    }
    all
}

fn action(change: &Change) -> &'static str {
    match change.action {
        Action::Delete => "delete",
        Action::Replace => "replace",
        Action::Create => "create",
        Action::Update => "update",
        Action::Adopt => "adopt",
        Action::Forget => "forget",
        Action::NoOp => "no-op",
        Action::Unknown => "unknown",
    }
}
