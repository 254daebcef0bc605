//! Slurm accounts of tenants (LANGUAGE §4.3): caps in place of guarantees, fair share in place of weights.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::Number;
use poolwright_model::Address;
use poolwright_model::fleet::{Pool, Tenant};
use poolwright_model::layout::SlurmAccount;

use crate::across::Way;
use crate::codes;
use crate::names::Names;
use crate::quotas::physical_gpus;
use crate::slurm::One;

/// Whether a tenant stands for every account.
pub(crate) fn everybody(tenant: &Tenant) -> bool {
    tenant.accounts.iter().any(|account| account == "*")
}

/// The accounts of a cluster's tenants, by name.
pub(crate) fn accounts<'a>(
    one: &One<'_, 'a>,
    names: &mut Names<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<SlurmAccount> {
    let tenants = one.tenants();
    if !one.slurm.accounting {
        untold(one, &tenants, diagnostics);
        return Vec::new();
    }
    let scale = scale(&tenants);
    let mut accounts = Vec::new();
    for tenant in tenants {
        // Everybody has no account that could be capped.
        if everybody(tenant) {
            continue;
        }
        if tenant.accounts.is_empty() {
            diagnostics.push(without_account(one, tenant));
            continue;
        }
        let caps = caps(one, tenant, diagnostics);
        if tenant.accounts.len() > 1 && !caps.is_empty() {
            diagnostics.push(
                Diagnostic::error(
                    codes::CAP_PER_ACCOUNT,
                    format!(
                        "the {} accounts of `{}` would each be capped on their own",
                        tenant.accounts.len(),
                        tenant.meta.address
                    ),
                )
                .at(tenant.meta.origin.of("accounts"), "several accounts")
                .also(
                    tenant.meta.origin.of(if tenant.max_gpus.is_some() { "max_gpus" } else { "quotas" }),
                    "one number for all of them",
                )
                .with_note(format!(
                    "together they could hold {} times as much on {}",
                    tenant.accounts.len(),
                    one.target.meta.address
                ))
                .with_help(
                    "make a tenant of each account, or let the quotas borrow \"all\" and leave max_gpus out",
                ),
            );
        }
        let weight = tenant.weight.checked_mul(&scale.clone().unwrap_or(Number::ONE)).ok();
        let fairshare = weight.filter(Number::is_integer).and_then(|weight| weight.to_u64());
        if fairshare.is_none() {
            diagnostics.push(
                Diagnostic::error(
                    codes::WEIGHT_NOT_WHOLE,
                    format!("the weight of `{}` cannot be written as whole shares", tenant.meta.address),
                )
                .at(tenant.meta.origin.of("weight"), "Fairshare is a whole number, 0 or more")
                .with_help("write all weights as whole numbers"),
            );
        }
        for account in &tenant.accounts {
            let from = (&tenant.meta.address, tenant.meta.origin.of("accounts"));
            names.take(&one.target.meta.address, "Account", account, from, diagnostics);
            accounts.push(SlurmAccount {
                name: account.clone(),
                tenant: tenant.meta.address.clone(),
                fairshare: fairshare.unwrap_or(1),
                caps: caps.clone(),
            });
        }
    }
    accounts.sort_by(|a, b| a.name.cmp(&b.name));
    accounts
}

/// A partition without accounts is open to everybody in Slurm, and one with others' accounts is closed to this tenant:
/// neither is what a queue with this tenant says.
fn without_account(one: &One<'_, '_>, tenant: &Tenant) -> Diagnostic {
    let address = &tenant.meta.address;
    let mut diagnostic = Diagnostic::error(
        codes::TENANT_WITHOUT_ACCOUNT,
        format!("`{address}` has no account, and its queue runs on {}", one.target.meta.address),
    )
    .at(tenant.meta.origin.header, "needs `accounts`");
    if let Some(way) = one.ways.iter().find(|way| way.queue.tenants.contains(address)) {
        diagnostic = diagnostic.also(way.queue.meta.origin.of("tenants"), "may submit here");
    }
    diagnostic
        .with_note("Slurm tells tenants apart by their accounts")
        .with_help(format!("add `accounts = [\"{}\"]`; `[\"*\"]` is everybody", tenant.meta.name))
}

/// What makes all weights whole: 10 to the most decimals among them, so that their proportions stay.
fn scale(tenants: &[&Tenant]) -> Option<Number> {
    let decimals: Option<Vec<u32>> = tenants.iter().map(|tenant| tenant.weight.decimals()).collect();
    Number::from(10_u64).powi(decimals?.into_iter().max().unwrap_or(0)).ok()
}

/// `GrpTRES`: GPUs + borrow summed over pools of the same type, none where a part has no limit; `gres/gpu` = max_gpus.
/// A pool that a queue reaches and no quota names may be used whole while it is idle, so it counts whole.
fn caps(one: &One<'_, '_>, tenant: &Tenant, diagnostics: &mut Vec<Diagnostic>) -> BTreeMap<String, u64> {
    let flavors = one.parts.flavors;
    let shares = one.parts.shares.get(&tenant.meta.address);
    let mut reached: BTreeSet<usize> = BTreeSet::new();
    for way in one.ways.iter().filter(|way| way.queue.tenants.contains(&tenant.meta.address)) {
        reached.extend(
            way.stages
                .get(&one.target.meta.address)
                .into_iter()
                .flatten()
                .flat_map(|stage| stage.flavors.iter()),
        );
    }
    let mut caps: BTreeMap<String, Option<u64>> = BTreeMap::new();
    let mut quoted: BTreeSet<String> = BTreeSet::new();
    for place in flavors.of_cluster(&one.target.meta.address) {
        let Some(flavor) = flavors.get(*place) else { continue };
        let Some(pool) = flavors.pool(flavor) else { continue };
        let share = shares.and_then(|shares| shares.get(place));
        let held = match share {
            Some(share) => share.reach(),
            None if reached.contains(place) => Some(physical_gpus(flavors, flavor)),
            None => continue,
        };
        let Some(tres) = tres(one, pool) else {
            if held.is_some() && share.is_some() {
                mixed(tenant, pool, diagnostics);
            }
            continue;
        };
        if share.is_some() {
            quoted.insert(tres.clone());
        }
        let cap = caps.entry(tres).or_insert(Some(0));
        *cap = cap.zip(held).map(|(sum, held)| sum.saturating_add(held));
    }
    // A type of which the tenant has no quota at all is not capped.
    let mut caps: BTreeMap<String, u64> = caps
        .into_iter()
        .filter(|(tres, _)| quoted.contains(tres))
        .filter_map(|(tres, cap)| Some((tres, cap?)))
        .collect();
    caps.extend(tenant.max_gpus.map(|most| ("gres/gpu".to_owned(), most)));
    caps
}

/// The TRES of a pool's GPUs; none for hosts of several types and for CPU nodes.
fn tres(one: &One<'_, '_>, pool: &Pool) -> Option<String> {
    let accelerator =
        pool.accelerator.as_ref().and_then(|accelerator| one.fleet.accelerators.get(accelerator))?;
    Some(format!("gres/gpu:{}", accelerator.gres_type))
}

fn mixed(tenant: &Tenant, pool: &Pool, diagnostics: &mut Vec<Diagnostic>) {
    if !pool.lots.iter().any(|lot| lot.node.gpus > 0) {
        return;
    }
    let at = quota_of(tenant, &pool.meta.address);
    diagnostics.push(
        Diagnostic::error(
            codes::MIXED_DEVICES_CAPPED,
            format!(
                "the quota of `{}` on `{}` cannot be capped by GPU type",
                tenant.meta.address, pool.meta.address
            ),
        )
        .at(tenant.meta.origin.of(&at), "one number for several device types")
        .also(pool.meta.origin.header, "its hosts have `devices` of several types")
        .with_help("let it borrow \"all\", or use max_gpus"),
    );
}

fn quota_of(tenant: &Tenant, pool: &Address) -> String {
    let at = tenant.quotas.iter().position(|quota| quota.pool.pool() == *pool);
    at.map_or_else(|| "quotas".to_owned(), |at| format!("quotas[{at}]"))
}

/// Without slurmdbd there are no accounts: what was said about tenants has no effect there.
fn untold(one: &One<'_, '_>, tenants: &[&Tenant], diagnostics: &mut Vec<Diagnostic>) {
    if tenants.is_empty() {
        return;
    }
    let names: Vec<String> = tenants.iter().map(|tenant| format!("`{}`", tenant.meta.address)).collect();
    let mut diagnostic = Diagnostic::warning(
        codes::TENANTS_NOT_TOLD_APART,
        format!("{} has no accounting, so it does not tell tenants apart", one.target.meta.address),
    )
    .at(one.target.meta.origin.header, "has no slurmdbd");
    for tenant in tenants.iter().filter(|tenant| tenant.max_gpus.is_some()) {
        diagnostic = diagnostic.also(tenant.meta.origin.of("max_gpus"), "has no effect there");
    }
    for tenant in tenants {
        for (at, quota) in tenant.quotas.iter().enumerate() {
            let pool = one.fleet.pools.get(&quota.pool.pool());
            if pool.is_some_and(|pool| pool.cluster == one.target.meta.address) {
                diagnostic =
                    diagnostic.also(tenant.meta.origin.of(&format!("quotas[{at}]")), "has no effect there");
            }
        }
    }
    // What lives in QoS alone: limits of one job, and which classes a queue allows. MaxTime is on the partition too.
    let here = |way: &Way<'_>| way.stages.contains_key(&one.target.meta.address);
    let queues: Vec<_> = one.ways.iter().filter(|way| here(way)).map(|way| way.queue).collect();
    let mut limited: BTreeSet<&Address> = BTreeSet::new();
    for queue in &queues {
        if !queue.allow.is_empty() {
            diagnostic = diagnostic.also(queue.meta.origin.of("allow"), "any class may be asked for there");
        }
        for class in std::iter::once(&queue.class).chain(&queue.allow).filter(|class| limited.insert(class)) {
            let Some(class) = one.fleet.classes.get(class) else { continue };
            for (name, there) in
                [("gpus", class.limits.gpus.is_some()), ("nodes", class.limits.nodes.is_some())]
            {
                if there {
                    let span = class.meta.origin.of(&format!("limits.{name}"));
                    diagnostic = diagnostic.also(span, "does not limit jobs there");
                }
            }
        }
    }
    diagnostics.push(
        diagnostic
            .with_note(format!(
                "accounts, weights, quotas and budgets of {} are not enforced there",
                names.join(", ")
            ))
            .with_note(
                "without QoS there are no limits of GPUs and nodes for one job, and no billing weights",
            )
            .with_help("set accounting = true where slurmdbd runs"),
    );
}
