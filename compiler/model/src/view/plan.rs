//! The plan and its changes as values.

use poolwright_expression::Value;
use poolwright_expression::quantity::CountUnit;

use super::parts::{bounds, cost, number, reference};
use crate::fleet::Fleet;
use crate::plan::{Action, Change, CostChange, Summary};

/// What `self` is for the subject `plan`, and what `plan` is for the others.
#[must_use]
pub fn plan(fleet: &Fleet, summary: &Summary, changes: &[Change], money: Option<&CostChange>) -> Value {
    let lots = || fleet.pools.values().flat_map(|pool| &pool.lots);
    let least =
        lots().map(|lot| lot.nodes.min.saturating_mul(u64::from(lot.node.gpus))).fold(0, u64::saturating_add);
    let most = lots().map(crate::fleet::Lot::most_gpus).fold(0, u64::saturating_add);
    let count = |count: usize| number(count as u64);
    let protected = changes
        .iter()
        .any(|change| change.protected && matches!(change.action, Action::Delete | Action::Replace));
    let labels = fleet.meta.labels.iter().map(|(key, value)| (key.as_str(), Value::string(value)));
    Value::object([
        ("name", Value::string(&fleet.meta.name)),
        ("address", Value::string("plan")),
        ("labels", Value::object(labels)),
        ("module", Value::string("")),
        ("changes", Value::list(changes.iter().map(change))),
        (
            "summary",
            Value::object([
                ("create", count(summary.create)),
                ("update", count(summary.update)),
                ("replace", count(summary.replace)),
                ("delete", count(summary.delete)),
            ]),
        ),
        (
            "cost",
            Value::object([
                ("before", cost(money.and_then(|money| money.before.as_ref()))),
                ("after", cost(money.map(|money| &money.after))),
                ("delta", cost(money.and_then(|money| money.delta.as_ref()))),
            ]),
        ),
        ("gpus", bounds(CountUnit::Gpus, least, most)),
        ("destroys_protected", Value::Bool(protected)),
    ])
}

/// What `self` is for the subject `change`.
#[must_use]
pub fn change(change: &Change) -> Value {
    let json = |value: Option<&serde_json::Value>| value.map_or(Value::Null, Value::from_json);
    let diff = change.fields.iter().map(|field| {
        let sides = [("before", json(field.before.as_ref())), ("after", json(field.after.as_ref()))];
        (field.path.as_str(), Value::object(sides))
    });
    let action = serde_json::to_value(change.action).ok();
    Value::object([
        ("name", Value::string(change.identity.rsplit('/').next().unwrap_or(&change.identity))),
        ("address", Value::string(&change.address)),
        ("action", json(action.as_ref())),
        ("kind", Value::string(&change.kind)),
        ("target", reference(&change.target)),
        ("after", json(change.body.as_ref())),
        ("diff", Value::object(diff)),
    ])
}
