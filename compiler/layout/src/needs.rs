//! What classes and queues need of the places that they lead to (LANGUAGE §3.4, §4.8): capacity that stays, stores,
//! drivers, one model of accelerator, pull secrets, room for roles, tokens.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_model::fleet::{Class, Pool, Queue, Target, TierKind};
use poolwright_model::{Address, Fleet};

use crate::across::{Place, Way};
use crate::codes;
use crate::kueue::Parts;

/// All of them.
pub(crate) fn check(parts: &Parts<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    let fleet = parts.flavors.fleet;
    for way in parts.ways {
        for class in way.classes().filter_map(|class| fleet.classes.get(class)) {
            guaranteed(fleet, way, class, diagnostics);
            stores(fleet, way, class, diagnostics);
            cuda(fleet, way, class, diagnostics);
            model(fleet, way, class, diagnostics);
            pull_secrets(fleet, way, class, diagnostics);
            roles(fleet, way, class, diagnostics);
        }
        power(fleet, way, diagnostics);
        trial(fleet, way, diagnostics);
    }
    token_quotas(fleet, diagnostics);
    for queue in fleet.queues.values() {
        deny(fleet, queue, diagnostics);
        tokens(fleet, queue, diagnostics);
    }
    let reached: BTreeSet<&Address> = parts.ways.iter().flat_map(|way| way.classes()).collect();
    for class in reached.into_iter().filter_map(|class| fleet.classes.get(class)) {
        work(parts, class, diagnostics);
    }
}

/// Pools on a way, each once with the step that leads there first.
fn pools<'f>(fleet: &'f Fleet, way: &Way<'_>) -> Vec<(usize, &'f Pool)> {
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for (at, step) in way.ladder.iter().enumerate() {
        for pool in step.pools.iter().filter_map(|named| fleet.pools.get(&named.pool())) {
            if seen.insert(&pool.meta.address) {
                all.push((at, pool));
            }
        }
    }
    all
}

/// The last step is capacity that cannot be taken away.
fn guaranteed(fleet: &Fleet, way: &Way<'_>, class: &Class, diagnostics: &mut Vec<Diagnostic>) {
    let Some(last) = way.ladder.last().filter(|_| class.guaranteed) else { return };
    let spot = fleet
        .lots_of(&last.pools)
        .filter_map(|(pool, lot)| Some((pool, fleet.tiers.get(&lot.tier)?)))
        .find(|(_, tier)| tier.kind == TierKind::Spot);
    if let Some((pool, tier)) = spot {
        diagnostics.push(
            Diagnostic::error(
                codes::NOT_GUARANTEED,
                format!(
                    "`{}` is guaranteed, and `{}` ends on spot",
                    class.meta.address, way.queue.meta.address
                ),
            )
            .at(way.step_span(last, "pools"), format!("`{}` can be taken away", pool.meta.address))
            .also(class.meta.origin.of("guaranteed"), "must keep what it has")
            .also(tier.meta.origin.of("kind"), "how it is bought")
            .with_help("add a last step that is on-demand, reserved or owned, or leave `guaranteed` out"),
        );
    }
}

/// Every step reaches every store.
fn stores(fleet: &Fleet, way: &Way<'_>, class: &Class, diagnostics: &mut Vec<Diagnostic>) {
    for (at, pool) in pools(fleet, way) {
        let Some(step) = way.ladder.get(at) else { continue };
        let lacking: Vec<String> = class
            .stores
            .iter()
            .filter(|store| !pool.stores.contains(store))
            .map(|store| format!("\"{store}\""))
            .collect();
        if lacking.is_empty() {
            continue;
        }
        let has = match pool.stores.as_slice() {
            [] => "names no store".to_owned(),
            stores => format!("reaches {}", stores.join(", ")),
        };
        diagnostics.push(
            Diagnostic::error(
                codes::STORE_UNREACHED,
                format!(
                    "`{}` needs {}, which `{}` does not reach",
                    class.meta.address,
                    lacking.join(", "),
                    pool.meta.address
                ),
            )
            .at(way.step_span(step, "pools"), format!("`{}` leads there", way.queue.meta.address))
            .also(class.meta.origin.of("stores"), "needs them")
            .also(pool.meta.origin.of("stores"), has)
            .with_help(
                "take the pool out of the way, or add the store to its `stores` if its nodes reach it",
            ),
        );
    }
}

/// The driver of every step is new enough for what the images need.
fn cuda(fleet: &Fleet, way: &Way<'_>, class: &Class, diagnostics: &mut Vec<Diagnostic>) {
    let Some(cuda) = &class.cuda else { return };
    let least = poolwright_catalog::least_driver(cuda).map(|facts| &facts.driver);
    let Some(least) = least else {
        let fault = Diagnostic::warning(
            codes::DRIVER_UNKNOWN,
            format!("no driver is known for the CUDA {cuda} of `{}`", class.meta.address),
        )
        .at(class.meta.origin.of("cuda"), "before 11.0");
        if !diagnostics
            .iter()
            .any(|other| other.code == codes::DRIVER_UNKNOWN && other.message == fault.message)
        {
            diagnostics
                .push(fault.with_help("write the version of the toolkit that its images have: `\"12.8\"`"));
        }
        return;
    };
    for (at, pool) in pools(fleet, way) {
        let (Some(step), Some(driver)) = (way.ladder.get(at), &pool.driver) else { continue };
        if driver < least {
            diagnostics.push(
                Diagnostic::error(
                    codes::DRIVER_TOO_OLD,
                    format!(
                        "`{}` needs driver {least} for CUDA {cuda}, `{}` has {driver}",
                        class.meta.address, pool.meta.address
                    ),
                )
                .at(way.step_span(step, "pools"), format!("`{}` leads there", way.queue.meta.address))
                .also(pool.meta.origin.of("driver"), "is older")
                .also(class.meta.origin.of("cuda"), "asked for here")
                .with_help("take the pool out of the way, or update its driver"),
            );
        }
    }
}

/// Every step has the same accelerator.
fn model(fleet: &Fleet, way: &Way<'_>, class: &Class, diagnostics: &mut Vec<Diagnostic>) {
    if !class.same_model {
        return;
    }
    let all = pools(fleet, way);
    let Some((first_at, first)) = all.first() else { return };
    let name = |pool: &Pool| {
        pool.accelerator.as_ref().map_or_else(|| "no accelerator".to_owned(), |it| format!("`{it}`"))
    };
    let Some((at, other)) = all.iter().find(|(_, pool)| pool.accelerator != first.accelerator) else {
        return;
    };
    let (Some(step), Some(first_step)) = (way.ladder.get(*at), way.ladder.get(*first_at)) else { return };
    diagnostics.push(
        Diagnostic::error(
            codes::MODEL_DIFFERS,
            format!(
                "`{}` wants one model, and `{}` leads to several",
                class.meta.address, way.queue.meta.address
            ),
        )
        .at(way.step_span(step, "pools"), format!("`{}` has {}", other.meta.address, name(other)))
        .also(way.step_span(first_step, "pools"), format!("`{}` has {}", first.meta.address, name(first)))
        .also(class.meta.origin.of("same_model"), "results must not depend on hardware")
        .with_help("keep pools of one accelerator on the way, or leave `same_model` out"),
    );
}

/// Who pulls images of a private registry has a secret for it.
fn pull_secrets(fleet: &Fleet, way: &Way<'_>, class: &Class, diagnostics: &mut Vec<Diagnostic>) {
    if matches!(way.place, Place::Slurm(_)) {
        return;
    }
    let of = |image: &String| {
        let host = image.split('/').next().unwrap_or_default();
        fleet.private_registries.iter().position(|registry| registry == host)
    };
    let Some((vendor, at)) = class.images.iter().find_map(|(vendor, image)| Some((vendor, of(image)?)))
    else {
        return;
    };
    for tenant in way.tenants(fleet).into_iter().filter(|tenant| tenant.pull_secret.is_none()) {
        let fault = Diagnostic::error(
            codes::PULL_SECRET_MISSING,
            format!("jobs of `{}` cannot pull the images of `{}`", tenant.meta.address, class.meta.address),
        )
        .at(tenant.meta.origin.header, "has no `pull_secret`")
        .also(class.meta.origin.of(&format!("images.{vendor}")), "of a private registry")
        .also(fleet.meta.origin.of(&format!("private_registries[{at}]")), "private")
        .with_help(
            "name the Secret in its namespaces that holds the registry's credentials: pull_secret = \"…\"",
        );
        if !diagnostics.contains(&fault) {
            diagnostics.push(fault);
        }
    }
}

/// Pods of a role find a place on the way.
fn roles(fleet: &Fleet, way: &Way<'_>, class: &Class, diagnostics: &mut Vec<Diagnostic>) {
    for (name, role) in &class.roles {
        let fits = |pool: &Address, lot: &poolwright_model::fleet::Lot| {
            let tier = fleet.tiers.get(&lot.tier).map(|tier| tier.kind);
            let tiers = role.tiers.is_empty() || tier.is_some_and(|kind| role.tiers.contains(&kind));
            let pools =
                role.pools.is_empty() || role.pools.iter().any(|it| it == pool || *it == lot.meta.address);
            tiers && pools
        };
        let cluster = way.clusters();
        // A role may have pools of its own beside those of the queue, in the clusters that its jobs reach.
        let own = role.pools.iter().flat_map(|pool| fleet.lots_at(pool));
        let mut lots = way.ladder.iter().flat_map(|step| fleet.lots_of(&step.pools)).chain(own);
        if lots.any(|(pool, lot)| cluster.contains(&pool.cluster) && fits(&pool.meta.address, lot)) {
            continue;
        }
        let Some(step) = way.ladder.first() else { continue };
        diagnostics.push(
            Diagnostic::error(
                codes::ROLE_NOWHERE,
                format!(
                    "pods of role \"{name}\" of `{}` may run nowhere on `{}`",
                    class.meta.address, way.queue.meta.address
                ),
            )
            .at(class.meta.origin.of(&format!("roles.{name}")), "asks for this")
            .also(way.step_span(step, "pools"), "where its jobs run")
            .with_help("allow a tier that a pool on the way has, or name a pool of the same cluster"),
        );
    }
}

/// An elastic Slurm host comes before its step is left.
fn power(fleet: &Fleet, way: &Way<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let Place::Slurm(cluster) = &way.place else { return };
    let Some(target) = fleet.targets.get(cluster) else { return };
    let Some(power) = target.slurm().and_then(|slurm| slurm.power.as_ref()) else { return };
    let Ok(comes) = power.resume_timeout.0.checked_add(&power.requeue_delay.0) else { return };
    for step in &way.ladder {
        let Some(patience) = step.patience.as_ref().filter(|it| !it.0.is_zero() && it.0 <= comes) else {
            continue;
        };
        let Some((pool, _)) = fleet.lots_of(&step.pools).find(|(_, lot)| lot.elastic()) else { continue };
        let fault = Diagnostic::error(
            codes::POWER_TOO_SLOW,
            format!(
                "step \"{}\" waits {patience}, a host of `{}` may take longer to come",
                step.meta.name, pool.meta.address
            ),
        )
        .at(way.step_span(step, "for"), "is over before that")
        .also(
            target.meta.origin.of("power"),
            format!("`resume_timeout` {} and `requeue_delay` {}", power.resume_timeout, power.requeue_delay),
        )
        .with_help("wait longer than both together, or shorten them on the target");
        if !diagnostics.contains(&fault) {
            diagnostics.push(fault);
        }
    }
}

/// A trial is the same jobs on another ladder: they can only be led to clusters of the same kind.
fn trial(fleet: &Fleet, way: &Way<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let Some(trial) = &way.queue.trial else { return };
    let Some(route) = fleet.routes.get(&trial.route) else { return };
    let slurm = |target: &Target| target.slurm().is_some();
    let here = fleet.targets.get(way.entry()).map(slurm);
    let other = route.steps.iter().flat_map(|step| step.pools.iter()).find_map(|named| {
        let pool = fleet.pools.get(&named.pool())?;
        let target = fleet.targets.get(&pool.cluster)?;
        let apart = Some(slurm(target)) != here || (slurm(target) && &pool.cluster != way.entry());
        apart.then_some((pool, target))
    });
    if let Some((pool, target)) = other {
        diagnostics.push(
            Diagnostic::error(
                codes::TRIAL_ELSEWHERE,
                format!("the trial of `{}` leads to {}", way.queue.meta.address, target.meta.address),
            )
            .at(way.queue.meta.origin.of("trial.route"), format!("`{}` lies there", pool.meta.address))
            .also(target.meta.origin.header, "takes other jobs than those of the queue")
            .with_help("try a route over clusters that the same jobs can go to"),
        );
    }
}

/// `deny` takes tenants out of everybody, where Slurm does it.
fn deny(fleet: &Fleet, queue: &Queue, diagnostics: &mut Vec<Diagnostic>) {
    if queue.deny.is_empty() {
        return;
    }
    let origin = &queue.meta.origin;
    let everybody = queue
        .tenants
        .iter()
        .filter_map(|tenant| fleet.tenants.get(tenant))
        .any(|tenant| tenant.accounts.iter().any(|account| account == "*"));
    if !everybody {
        diagnostics.push(
            Diagnostic::error(
                codes::DENY_UNUSED,
                format!("`{}` refuses tenants that it does not let in", queue.meta.address),
            )
            .at(origin.of("deny"), "takes tenants out of everybody")
            .also(origin.of("tenants"), "only these may submit anyway")
            .with_help("remove `deny`; it is for queues of a tenant with accounts = [\"*\"]"),
        );
    }
    let ladder = fleet.ladder(queue);
    let kubernetes = ladder
        .iter()
        .flat_map(|step| step.pools.iter())
        .filter_map(|named| fleet.pools.get(&named.pool()))
        .filter_map(|pool| fleet.targets.get(&pool.cluster))
        .find(|target| target.kubernetes().is_some());
    if let Some(target) = kubernetes {
        diagnostics.push(
            Diagnostic::error(
                codes::DENY_UNUSED,
                format!(
                    "nothing on {} refuses the tenants that `{}` denies",
                    target.meta.address, queue.meta.address
                ),
            )
            .at(origin.of("deny"), "Slurm's `DenyAccounts`")
            .also(target.meta.origin.header, "has no such thing")
            .with_help("name in `tenants` who may submit"),
        );
    }
    for (at, tenant) in queue.deny.iter().enumerate() {
        if let Some(both) = queue.tenants.iter().position(|other| other == tenant) {
            diagnostics.push(
                Diagnostic::error(
                    codes::DENY_UNUSED,
                    format!("`{tenant}` may and may not submit to `{}`", queue.meta.address),
                )
                .at(origin.of(&format!("deny[{at}]")), "may not")
                .also(origin.of(&format!("tenants[{both}]")), "may")
                .with_help("remove it from one of the two"),
            );
        }
    }
}

/// Tokens are drawn from token pools, and jobs run on nodes.
fn tokens(fleet: &Fleet, queue: &Queue, diagnostics: &mut Vec<Diagnostic>) {
    let is_tokens =
        |address: &Address| fleet.pools.get(&address.pool()).map(|pool| (pool, pool.tokens.is_some()));
    let wrong = |at: &str, list: &[Address], wanted: bool| {
        list.iter().enumerate().find_map(|(index, address)| {
            let (pool, found) = is_tokens(address)?;
            (found != wanted).then(|| (format!("{at}[{index}]"), pool))
        })
    };
    if let Some((path, pool)) = wrong("tokens", &queue.tokens, true) {
        diagnostics.push(
            Diagnostic::error(
                codes::TOKENS_PLACE,
                format!(
                    "`{}` draws tokens from `{}`, which has nodes",
                    queue.meta.address, pool.meta.address
                ),
            )
            .at(queue.meta.origin.of(&path), "no token pool")
            .also(pool.meta.origin.header, "has no `tokens`")
            .with_help("name it in `pools`"),
        );
    }
    let steps = fleet.ladder(queue);
    for step in &steps {
        let origin = if queue.route.is_some() { &step.meta.origin } else { &queue.meta.origin };
        if let Some((path, pool)) = wrong("pools", &step.pools, false) {
            diagnostics.push(
                Diagnostic::error(
                    codes::TOKENS_PLACE,
                    format!(
                        "jobs of `{}` cannot run on `{}`, which has tokens only",
                        queue.meta.address, pool.meta.address
                    ),
                )
                .at(origin.of(&path), "no nodes")
                .also(pool.meta.origin.of("tokens"), "countable things")
                .with_help("name it in `tokens` of the queue"),
            );
        }
    }
}

/// Tokens that are promised are tokens of that pool, and no more than it has.
fn token_quotas(fleet: &Fleet, diagnostics: &mut Vec<Diagnostic>) {
    let tenants = fleet.tenants.values().map(|tenant| (&tenant.meta, &tenant.quotas));
    let queues = fleet.queues.values().filter(|queue| queue.shared).map(|queue| (&queue.meta, &queue.quotas));
    let mut promised: BTreeMap<(&Address, &str), (u64, Vec<Span>)> = BTreeMap::new();
    for (meta, quotas) in tenants.chain(queues) {
        for (at, quota) in quotas.iter().enumerate() {
            let have = fleet.pools.get(&quota.pool).and_then(|pool| pool.tokens.as_ref());
            for (token, count) in &quota.tokens {
                let span = meta.origin.of(&format!("quotas[{at}].tokens.{token}"));
                if have.is_some_and(|have| have.contains_key(token)) {
                    let (sum, spans) = promised.entry((&quota.pool, token)).or_default();
                    *sum = sum.saturating_add(*count);
                    spans.push(span);
                    continue;
                }
                let known = have.into_iter().flatten().map(|(name, _)| name.as_str());
                let fault = Diagnostic::error(
                    codes::TOKENS_QUOTA,
                    format!(
                        "`{}` has no \"{token}\" that `{}` could have a quota of",
                        quota.pool, meta.address
                    ),
                )
                .at(span, "no token of that pool");
                let help = poolwright_diagnostics::suggestion_help("token", token, known);
                diagnostics.push(fault.with_help(help.unwrap_or_else(|| {
                    "name a token of the pool's `tokens`; of nodes a quota has `gpus`, `cpus` and `memory`".to_owned()
                })));
            }
        }
    }
    for ((address, token), (sum, spans)) in promised {
        let pool = fleet.pools.get(address);
        let Some((pool, have)) = pool.and_then(|pool| Some((pool, *pool.tokens.as_ref()?.get(token)?)))
        else {
            continue;
        };
        if sum <= have {
            continue;
        }
        let mut fault = Diagnostic::error(
            codes::TOKENS_QUOTA,
            format!("{sum} \"{token}\" of `{address}` are promised, it has {have}"),
        );
        for (at, span) in spans.into_iter().enumerate() {
            fault = if at == 0 { fault.at(span, "promised") } else { fault.also(span, "promised") };
        }
        let path = format!("tokens.{token}");
        diagnostics.push(
            fault
                .also(pool.meta.origin.of(&path), format!("{have} of them"))
                .with_help("lower a quota, or let a tenant `borrow` instead"),
        );
    }
}

/// Somewhere on the way of a class its work is counted.
fn work(parts: &Parts<'_, '_>, class: &Class, diagnostics: &mut Vec<Diagnostic>) {
    let fleet = parts.flavors.fleet;
    let Some(work) = &class.work else { return };
    let mine = parts.ways.iter().filter(|way| way.classes().any(|it| *it == class.meta.address));
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for way in mine {
        for (_, pool) in pools(fleet, way) {
            known.extend(pool.throughput.keys().map(String::as_str));
        }
    }
    if known.contains(work.as_str()) {
        return;
    }
    let fault = Diagnostic::warning(
        codes::WORK_UNKNOWN,
        format!("no pool on the way of `{}` says how much \"{work}\" it does", class.meta.address),
    )
    .at(class.meta.origin.of("work"), "counted nowhere");
    let help = poolwright_diagnostics::suggestion_help("kind of work", work, known.iter().copied());
    diagnostics.push(fault.with_help(help.unwrap_or_else(|| {
        format!("add throughput = {{ {work} = 1.0 }} to the pools, or leave `work` out")
    })));
}
