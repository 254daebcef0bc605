//! `route` blocks: ladders of steps, written or made of candidates.

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::Value;
use poolwright_model::fleet::{Route, Step};
use poolwright_model::{Address, Meta, Origin};

use super::{from_values, model, named_twice};
use crate::codes;
use crate::instances::Block;
use crate::values::{Attributes, Values, meta};

/// Decodes a route.
pub(super) fn route<'t>(values: &Values<'_, 't>, block: &Block<'t>) -> Option<(Address, Route)> {
    let attributes = values.attributes(block);
    let children: Vec<&Arc<Block<'_>>> = block.children_of("step").collect();
    let last = children.len().checked_sub(1);
    let mut whole = true;
    let mut steps = Vec::new();
    for (index, child) in children.iter().enumerate() {
        let inner = values.attributes(child);
        let step: Option<Step> = model(values, &inner, child);
        let Some(mut step) = step else {
            whole = false;
            continue;
        };
        step.meta = meta(child, &inner);
        named_twice(values, &step.meta, "pools", &step.pools);
        check_patience(values, &step, Some(index) == last, block.is_incomplete());
        check_reasons(values, &step, Some(index) == last);
        steps.push(step);
    }
    if block.is_incomplete() && children.is_empty() {
        return None;
    }
    if !attributes.complete {
        return None;
    }
    let head = meta(block, &attributes);
    let generated = candidates(values, block, &attributes, &head, !children.is_empty())?;
    if children.is_empty() && generated.is_none() {
        values.report(
            Diagnostic::error(codes::MISSING_BLOCK, format!("`{}` has no step", block.address))
                .at(block.tree.header, "a ladder without a rung")
                .with_help("add `step \"…\" { pools = [pool.…] }`, or `candidates` and their `order`"),
        );
        return None;
    }
    let mut route: Route = model(values, &attributes, block)?;
    route.meta = head;
    route.steps = generated.unwrap_or(steps);
    whole.then(|| (route.meta.address.clone(), route))
}

/// The last step has no `for`, every other has one. Where a step could not be read nobody knows which is the last.
/// A step that nothing lets a job leave never opens the next one.
fn check_reasons(values: &Values<'_, '_>, step: &Step, last: bool) {
    if step.on.is_empty() && !last {
        let label = step.meta.address.label();
        values.report(
            Diagnostic::error(codes::STEP_PATIENCE, format!("no reason lets a job leave step `{label}`"))
                .at(step.meta.origin.of("on"), "so the next step never opens")
                .with_help("leave `on` out for `[\"no-quota\", \"no-capacity\"]`, or name a reason"),
        );
    }
}

fn check_patience(values: &Values<'_, '_>, step: &Step, last: bool, incomplete: bool) {
    let origin = &step.meta.origin;
    let label = step.meta.address.label().to_owned();
    match (&step.patience, last) {
        (None, false) => values.report(
            Diagnostic::error(
                codes::STEP_PATIENCE,
                format!("step `{label}` does not say how long a job waits there"),
            )
            .at(origin.header, "needs `for`: a step comes after it")
            .with_help("add `for = \"15m\"`; `\"0s\"` opens the next step at once"),
        ),
        (Some(_), true) if !incomplete => values.report(
            Diagnostic::error(codes::STEP_PATIENCE, format!("step `{label}` is the last one, and has `for`"))
                .at(origin.of("for"), "there is no step to go to")
                .with_help("remove it; `limits.wait` of the class fails jobs that wait too long"),
        ),
        _ => {}
    }
}

/// What only generated steps take.
const OF_CANDIDATES: [&str; 6] = ["order", "near", "for", "until", "on", "max_price"];

/// The steps made of `candidates`, one each, named like its pool; in the order written until prices are known. Some:
/// the route has candidates; the outer none: something is wrong with them.
#[expect(clippy::option_option, reason = "a fault, no candidates, and candidates are three things")]
fn candidates(
    values: &Values<'_, '_>,
    block: &Block<'_>,
    attributes: &Attributes,
    head: &Meta,
    has_steps: bool,
) -> Option<Option<Vec<Step>>> {
    let origin = &head.origin;
    let address = &head.address;
    let report = |diagnostic: Diagnostic| {
        values.report(diagnostic);
        None
    };
    let Some(Value::List(pools)) = attributes.values.get("candidates") else {
        if let Some(name) = OF_CANDIDATES.into_iter().find(|name| origin.wrote(name)) {
            return report(
                Diagnostic::error(codes::CANDIDATES, format!("`{name}` of `{address}` orders no candidates"))
                    .at(origin.of(name), "for steps that are made of `candidates`")
                    .with_help("write it into a `step`, or name the pools in `candidates`"),
            );
        }
        return Some(None);
    };
    if has_steps {
        return report(
            Diagnostic::error(codes::CANDIDATES, format!("`{address}` has `candidates` and steps"))
                .at(origin.of("candidates"), "makes a step of each")
                .also(block.tree.header, "has `step` blocks")
                .with_help("keep one of the two"),
        );
    }
    if pools.is_empty() {
        return report(
            Diagnostic::error(codes::CANDIDATES, format!("`{address}` has no candidate"))
                .at(origin.of("candidates"), "an empty list")
                .with_help("name at least one pool"),
        );
    }
    let Some(Value::String(order)) = attributes.values.get("order") else {
        return report(
            Diagnostic::error(
                codes::CANDIDATES,
                format!("`{address}` does not say how its candidates are ordered"),
            )
            .at(origin.of("candidates"), "needs `order`")
            .with_help("add `order = \"cheapest\"`, or `\"fastest\"`, `\"nearest\"`, `\"cost-per-work\"`"),
        );
    };
    let near = matches!(attributes.values.get("near"), Some(Value::List(near)) if !near.is_empty());
    if (&**order == "nearest") != near {
        let diagnostic = if near {
            Diagnostic::error(
                codes::CANDIDATES,
                format!("`{address}` is ordered by `{order}`, and says what is near"),
            )
            .at(origin.of("near"), "only for `\"nearest\"`")
            .with_help("remove it, or set `order = \"nearest\"`")
        } else {
            Diagnostic::error(codes::CANDIDATES, format!("`{address}` does not say which regions are near"))
                .at(origin.of("order"), "needs `near`")
                .with_help("add `near = [\"eu-*\", \"us-east-*\"]`, nearest first")
        };
        return report(diagnostic);
    }
    let patience = attributes.values.get("for");
    if pools.len() > 1 && patience.is_none() {
        return report(
            Diagnostic::error(
                codes::STEP_PATIENCE,
                format!("`{address}` does not say how long a job waits on each candidate"),
            )
            .at(origin.of("candidates"), "needs `for`: steps come after each other")
            .with_help("add `for = \"15m\"`; `\"0s\"` opens the next step at once"),
        );
    }
    let named: Vec<Address> = pools.iter().filter_map(super::address).collect();
    for (at, pool) in named.iter().enumerate() {
        let first = named.iter().take(at).position(|other| other == pool);
        if let Some(first) = first {
            let place = |at: usize| origin.of(&format!("candidates[{at}]"));
            return report(
                Diagnostic::error(codes::CANDIDATES, format!("`{pool}` is twice a candidate of `{address}`"))
                    .at(place(at), "again here")
                    .also(place(first), "first here")
                    .with_help("remove one of the two: their steps would have one name"),
            );
        }
    }
    let schema = values.schema().blocks.get("route.step");
    let mut steps = Vec::new();
    for (at, pool) in pools.iter().enumerate() {
        let Some(named) = super::address(pool) else { continue };
        let mut map: BTreeMap<Arc<str>, Value> = BTreeMap::new();
        for name in ["until", "on", "max_price"] {
            let default = || schema.and_then(|it| it.attributes.get(name)).and_then(|it| it.default.clone());
            let value = attributes.values.get(name).cloned().or_else(default);
            map.extend(value.map(|value| (Arc::from(name), value)));
        }
        map.extend(patience.filter(|_| at + 1 < pools.len()).map(|value| (Arc::from("for"), value.clone())));
        map.insert(Arc::from("pools"), Value::List(Arc::new(vec![pool.clone()])));
        let mut step: Step = from_values(values, &map, &block.address, block.tree.header)?;
        let label = named.label();
        let span = origin.of(&format!("candidates[{at}]"));
        let mut spans: Vec<(Arc<str>, Span)> =
            vec![(Arc::from("pools"), span), (Arc::from("pools[0]"), span)];
        let given = |(path, _): &&(Arc<str>, Span)| {
            let name = path.split('[').next().unwrap_or(path);
            ["for", "until", "on", "max_price"].contains(&name)
        };
        spans.extend(origin.attributes.iter().filter(given).cloned());
        spans.sort();
        step.meta = Meta {
            address: address.nested("step", label),
            name: values
                .blocks
                .get(named.as_str())
                .map_or_else(|| label.to_owned(), |it| it.label.to_string()),
            origin: Origin { header: span, attributes: Arc::new(spans) },
            ..Meta::default()
        };
        check_reasons(values, &step, at + 1 == pools.len());
        steps.push(step);
    }
    Some(Some(steps))
}
