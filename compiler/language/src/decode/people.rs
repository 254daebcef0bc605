//! `tenant`, `class` and `queue` blocks.

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::Value;
use poolwright_model::fleet::{Class, Queue, Quota, Tenant};
use poolwright_model::{Address, Meta};

use super::{from_values, model};
use crate::codes;
use crate::instances::Block;
use crate::values::{Values, meta};

/// Decodes a tenant.
pub(super) fn tenant<'t>(values: &Values<'_, 't>, block: &Block<'t>) -> Option<(Address, Tenant)> {
    let attributes = values.attributes(block);
    let mut tenant: Tenant = model(values, &attributes, block)?;
    tenant.meta = meta(block, &attributes);
    let origin = &tenant.meta.origin;
    let mut seen: BTreeMap<&Address, usize> = BTreeMap::new();
    for (index, quota) in tenant.quotas.iter().enumerate() {
        if let Some(first) = seen.insert(&quota.pool, index) {
            let path = |index: usize| format!("quotas[{index}].pool");
            values.report(
                Diagnostic::error(
                    codes::QUOTA_TWICE,
                    format!("`{}` has two quotas for `{}`", block.address, quota.pool),
                )
                .at(origin.of(&path(index)), "again here")
                .also(origin.of(&path(first)), "first here")
                .with_help("add the two up in one entry"),
            );
        }
    }
    everybody(values, &tenant.meta, "namespaces", &tenant.namespaces);
    everybody(values, &tenant.meta, "accounts", &tenant.accounts);
    if tenant.accounts.iter().any(|account| account == "*") {
        for (name, there) in [
            ("quotas", !tenant.quotas.is_empty()),
            ("max_gpus", tenant.max_gpus.is_some()),
            ("budget", tenant.budget.is_some()),
        ] {
            if there {
                values.report(
                    Diagnostic::error(
                        codes::EVERYBODY,
                        format!("`{}` is everybody and has `{name}`", block.address),
                    )
                    .at(origin.of(name), "there is no account to cap")
                    .also(origin.of("accounts"), "everybody")
                    .with_help("give the limit to a tenant with accounts of its own"),
                );
            }
        }
    }
    quotas(values, &tenant.meta, &tenant.quotas);
    Some((tenant.meta.address.clone(), tenant))
}

/// What a quota may say besides its numbers.
fn quotas(values: &Values<'_, '_>, meta: &Meta, quotas: &[Quota]) {
    const LIMITS: [&str; 6] = ["gpus", "cpus", "memory", "tokens", "borrow", "lend"];
    for (index, quota) in quotas.iter().enumerate() {
        for name in quota.foreign.keys().filter(|name| !LIMITS.contains(&name.as_str())) {
            let diagnostic = Diagnostic::error(
                codes::FOREIGN,
                format!("a quota of `{}` leaves `{name}` to others, which is no limit", meta.address),
            )
            .at(meta.origin.of(&format!("quotas[{index}].foreign.{name}")), "no limit of a quota");
            let help = poolwright_diagnostics::suggestion_help("limit", name, LIMITS);
            let help = help.unwrap_or_else(|| format!("limits: {}", LIMITS.join(", ")));
            values.report(diagnostic.with_help(help));
        }
    }
}

/// `["*"]` is everybody and stands alone; every other entry is a name that the systems take.
fn everybody(values: &Values<'_, '_>, meta: &Meta, attribute: &str, names: &[String]) {
    for (index, name) in names.iter().enumerate() {
        let span = meta.origin.of(&format!("{attribute}[{index}]"));
        if name == "*" {
            if names.len() > 1 {
                values.report(
                    Diagnostic::error(codes::EVERYBODY, "`*` is everybody and stands beside names")
                        .at(span, "covers the others")
                        .with_help("write `[\"*\"]` alone, or the names"),
                );
            }
            continue;
        }
        if let Some((severe, why)) = reserved(attribute, name) {
            let message = format!("`{name}` is no {} for a tenant", attribute.trim_end_matches('s'));
            let diagnostic = if severe {
                Diagnostic::error(codes::RESERVED, message)
            } else {
                Diagnostic::warning(codes::RESERVED, message)
            };
            values.report(diagnostic.at(span, why).with_help("give the tenant one of its own"));
            continue;
        }
        let ends = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        let inside = |c: char| {
            c.is_ascii_lowercase()
                || c.is_ascii_digit()
                || c == '-'
                || (attribute == "accounts" && matches!(c, '_' | '.'))
        };
        let length = (1..=63).contains(&name.len());
        if !(length && ends(name.chars().next()) && ends(name.chars().last()) && name.chars().all(inside)) {
            let what = attribute.trim_end_matches('s');
            values.report(
                Diagnostic::error(codes::NAME_RULE, format!("`{name}` is no {what}"))
                    .at(span, format!("a {what} is expected"))
                    .with_help("lower-case letters, digits and hyphens, a letter or digit at both ends, at most 63 characters"),
            );
        }
    }
}

/// Names of the systems themselves, whether one is refused, and why.
fn reserved(attribute: &str, name: &str) -> Option<(bool, &'static str)> {
    match attribute {
        // Kubernetes, "Namespaces": the prefix `kube-` is for its own.
        "namespaces" if name.starts_with("kube-") => Some((true, "a namespace of Kubernetes itself")),
        "namespaces" if name == "default" => Some((false, "everybody's, when no namespace is named")),
        // Slurm, "Accounting": the root account is the parent of all others and is never changed by a fleet.
        "accounts" if name == "root" => Some((true, "Slurm's own account, the parent of all")),
        _ => None,
    }
}

/// Decodes a class.
pub(super) fn class<'t>(values: &Values<'_, 't>, block: &Block<'t>) -> Option<(Address, Class)> {
    let mut attributes = values.attributes(block);
    // An inference class does not run on spot unless it says so (LANGUAGE §3.4).
    if attributes.values.get("kind") == Some(&Value::string("inference")) {
        let kinds = ["on-demand", "reserved", "owned", "edge"].into_iter().map(Value::string).collect();
        attributes.values.entry(Arc::from("tiers")).or_insert_with(|| Value::List(Arc::new(kinds)));
    }
    if !attributes.complete {
        return None;
    }
    let mut class: Class = from_values(values, &attributes.values, &block.address, block.tree.header)?;
    class.meta = meta(block, &attributes);
    if let Some(topology) = &class.topology {
        let origin = &class.meta.origin;
        let report = |message: String, label: &str| {
            let diagnostic = Diagnostic::error(codes::TOPOLOGY, message).at(origin.of("topology"), label);
            values.report(diagnostic.with_help(
                "write `topology = { require = \"…\" }` for must, or `prefer` for should, with a level of the fabric",
            ));
        };
        match (&topology.require, &topology.prefer) {
            (None, None) => report(format!("`topology` of `{}` names no level", block.address), "no level"),
            (Some(_), Some(_)) => {
                report(format!("`topology` of `{}` both requires and prefers", block.address), "two levels");
            }
            _ => {}
        }
    }
    checkpoint(values, &class);
    Some((class.meta.address.clone(), class))
}

/// A checkpoint is written before the next one begins, and before the job ends.
fn checkpoint(values: &Values<'_, '_>, class: &Class) {
    let (Some(checkpoint), origin) = (&class.checkpoint, &class.meta.origin) else { return };
    let (every, write, address) = (&checkpoint.every, &checkpoint.write, &class.meta.address);
    if write >= every {
        values.report(
            Diagnostic::error(
                codes::CHECKPOINT,
                format!("`{address}` begins a checkpoint every {every}, and writing one takes {write}"),
            )
            .at(origin.of("checkpoint.write"), "blocks the job all the time")
            .also(origin.of("checkpoint.every"), "between the starts of two")
            .with_help(
                "save less often, or write faster: `write` is the time for which the job stands still",
            ),
        );
    }
    if let Some(run_time) = class.limits.run_time.as_ref().filter(|run_time| *run_time <= every) {
        values.report(
            Diagnostic::warning(
                codes::CHECKPOINT,
                format!("jobs of `{address}` end after {run_time}, before their first checkpoint"),
            )
            .at(origin.of("checkpoint.every"), format!("the first one begins after {every}"))
            .also(origin.of("limits.run_time"), "the job is over by then")
            .with_help("save more often, or leave `checkpoint` out: such a job begins again from nothing"),
        );
    }
}

/// Decodes a queue.
pub(super) fn queue<'t>(values: &Values<'_, 't>, block: &Block<'t>) -> Option<(Address, Queue)> {
    let attributes = values.attributes(block);
    let mut queue: Queue = model(values, &attributes, block)?;
    queue.meta = meta(block, &attributes);
    super::named_twice(values, &queue.meta, "tenants", &queue.tenants);
    super::named_twice(values, &queue.meta, "pools", &queue.pools);
    super::named_twice(values, &queue.meta, "allow", &queue.allow);
    super::named_twice(values, &queue.meta, "deny", &queue.deny);
    super::named_twice(values, &queue.meta, "tokens", &queue.tokens);
    of_its_own(values, &queue);
    let origin = &queue.meta.origin;
    // A list that is computed, such as all classes, may hold it: only who writes it is told that it says nothing.
    let own = queue.allow.iter().position(|class| *class == queue.class);
    if let Some(index) = own.filter(|index| origin.wrote(&format!("allow[{index}]"))) {
        values.report(
            Diagnostic::warning(codes::TWICE, format!("`{}` allows its own class", block.address))
                .at(origin.of(&format!("allow[{index}]")), "is its class already")
                .also(origin.of("class"), "its class")
                .with_help("remove it from `allow`, which names the others"),
        );
    }
    let report = |diagnostic: Diagnostic| {
        values.report(diagnostic);
        None
    };
    match (&queue.route, queue.pools.is_empty()) {
        (Some(_), false) => {
            return report(
                Diagnostic::error(codes::PLACE, format!("`{}` has `pools` and a `route`", block.address))
                    .at(origin.of("pools"), "one place")
                    .also(origin.of("route"), "a ladder of places")
                    .with_help("keep one of the two: a route may have a single step"),
            );
        }
        (None, true) if queue.tokens.is_empty() => {
            return report(
                Diagnostic::error(
                    codes::PLACE,
                    format!("`{}` does not say where its jobs go", block.address),
                )
                .at(origin.header, "needs `pools` or `route`")
                .with_help("add `pools = [pool.…]` for one place, `route = route.…` for a ladder"),
            );
        }
        _ => {}
    }
    if queue.tenants.is_empty() {
        return report(
            Diagnostic::error(codes::PLACE, format!("nobody may submit to `{}`", block.address))
                .at(origin.of("tenants"), "no tenant")
                .with_help("name its tenants; a tenant with `accounts = [\"*\"]` is everybody"),
        );
    }
    Some((queue.meta.address.clone(), queue))
}

/// A queue's own quotas, its trial and its twin.
fn of_its_own(values: &Values<'_, '_>, queue: &Queue) {
    let (origin, address) = (&queue.meta.origin, &queue.meta.address);
    quotas(values, &queue.meta, &queue.quotas);
    if !queue.quotas.is_empty() && !queue.shared {
        values.report(
            Diagnostic::error(codes::SHARED, format!("`{address}` has quotas of its own and is not shared"))
                .at(origin.of("quotas"), "only with `shared`")
                .with_help("add `shared = true`, or give the quotas to its tenants"),
        );
    }
    let mut seen: BTreeMap<&Address, usize> = BTreeMap::new();
    for (index, quota) in queue.quotas.iter().enumerate() {
        if let Some(first) = seen.insert(&quota.pool, index) {
            let path = |index: usize| format!("quotas[{index}].pool");
            values.report(
                Diagnostic::error(
                    codes::QUOTA_TWICE,
                    format!("`{address}` has two quotas for `{}`", quota.pool),
                )
                .at(origin.of(&path(index)), "again here")
                .also(origin.of(&path(first)), "first here")
                .with_help("add the two up in one entry"),
            );
        }
    }
    if let Some(trial) = &queue.trial {
        super::share(values, &queue.meta, "trial.share", &trial.share, true);
        if queue.route.as_ref() == Some(&trial.route) {
            values.report(
                Diagnostic::error(codes::TRIAL, format!("the trial of `{address}` is the route that it has"))
                    .at(origin.of("trial.route"), "the same route")
                    .also(origin.of("route"), "is taken already")
                    .with_help("name another route, or remove `trial`"),
            );
        }
    }
    if let Some(maintenance) = &queue.maintenance {
        super::named_twice(values, &queue.meta, "maintenance.tenants", &maintenance.tenants);
        if maintenance.tenants.is_empty() {
            values.report(
                Diagnostic::error(codes::TRIAL, format!("nobody may submit to the twin of `{address}`"))
                    .at(origin.of("maintenance.tenants"), "no tenant")
                    .with_help("name who maintains its nodes"),
            );
        }
    }
}
