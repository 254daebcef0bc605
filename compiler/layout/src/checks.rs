//! Checks of a whole fleet that follow from the layout (LANGUAGE §4.5, §4.8): where a class may run, what a step can
//! see, what a cluster does to priorities and weights.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::Number;
use poolwright_model::fleet::{
    Class, ClassKind, Kueue, Lot, Pool, PreemptAction, Preempts, Reason, Return, Step, Target, TierKind,
    Until,
};
use poolwright_model::{Address, Fleet};

use crate::across::{Place, Way};
use crate::codes;
use crate::flavors::fabric_of;
use crate::kueue::Parts;

/// All of them.
pub(crate) fn check(parts: &Parts<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    let fleet = parts.flavors.fleet;
    idle(fleet, diagnostics);
    levels_have_labels(fleet, diagnostics);
    let mut seen: BTreeSet<(&Address, usize)> = BTreeSet::new();
    for way in parts.ways {
        for class in way.classes().filter_map(|class| fleet.classes.get(class)) {
            allowed(fleet, way, class, diagnostics);
            images(fleet, way, class, diagnostics);
            levels(fleet, way, class, diagnostics);
            checkpoints(fleet, way, class, diagnostics);
        }
        let Some(route) = &way.queue.route else { continue };
        for (at, step) in way.ladder.iter().enumerate() {
            // A step is looked at once, however many queues take its route.
            if seen.insert((route, at)) {
                stock_out(fleet, step, diagnostics);
                events(fleet, way, step, diagnostics);
            }
        }
    }
    clusters(parts, diagnostics);
}

/// The lots of a step, with their pools.
fn lots<'f>(fleet: &'f Fleet, step: &'f Step) -> Vec<(&'f Pool, &'f Lot)> {
    fleet.lots_of(&step.pools).collect()
}

/// The Kueue of a pool's cluster.
fn kueue_of<'f>(fleet: &'f Fleet, pool: &Pool) -> Option<(&'f Target, &'f Kueue)> {
    let target = fleet.targets.get(&pool.cluster)?;
    Some((target, target.kubernetes()?.kueue.as_ref()?))
}

/// Where a list's element was written: `on[1]`.
fn element(step: &Step, reason: Reason) -> Span {
    let at = step.on.iter().position(|on| *on == reason).unwrap_or(0);
    step.meta.origin.of(&format!("on[{at}]"))
}

/// Elastic on-demand lots whose empty nodes stay.
fn idle(fleet: &Fleet, diagnostics: &mut Vec<Diagnostic>) {
    for lot in fleet.pools.values().flat_map(|pool| pool.lots.iter()) {
        let on_demand = fleet.tiers.get(&lot.tier).is_some_and(|tier| tier.kind == TierKind::OnDemand);
        if on_demand && lot.elastic() && lot.idle_after.is_none() {
            diagnostics.push(
                Diagnostic::warning(
                    codes::NEVER_IDLE,
                    format!("empty nodes of `{}` are paid for until somebody removes them", lot.meta.address),
                )
                .at(lot.meta.origin.of("nodes"), "elastic and on-demand, without `idle_after`")
                .with_help("say when empty nodes go: idle_after = \"10m\""),
            );
        }
    }
}

/// Under Kubernetes a level is the node label of its domains.
fn levels_have_labels(fleet: &Fleet, diagnostics: &mut Vec<Diagnostic>) {
    let mut used = BTreeSet::new();
    for pool in fleet.pools.values() {
        let kubernetes = fleet.targets.get(&pool.cluster).filter(|target| target.kubernetes().is_some());
        let (Some(target), Some(fabric)) = (kubernetes, fabric_of(fleet, pool)) else { continue };
        if !used.insert(&fabric.meta.address) {
            continue;
        }
        for level in fabric.levels.iter().filter(|level| level.label.is_none()) {
            diagnostics.push(
                Diagnostic::error(
                    codes::LEVEL_WITHOUT_LABEL,
                    format!(
                        "level \"{}\" of `{}` has no node label",
                        level.meta.address.label(),
                        fabric.meta.address
                    ),
                )
                .at(level.meta.origin.header, "has no `label`")
                .also(pool.meta.origin.of("fabric"), format!("`{}` uses it", pool.meta.address))
                .also(target.meta.origin.header, "finds domains by node labels")
                .with_help(
                    "name the label that nodes of one domain share: label = \"topology.example.com/leaf\"",
                ),
            );
        }
    }
}

/// `tiers` and `regions` hold on every step.
fn allowed(fleet: &Fleet, way: &Way<'_>, class: &Class, diagnostics: &mut Vec<Diagnostic>) {
    for step in &way.ladder {
        let (mut said, mut said_regions) = (BTreeSet::new(), BTreeSet::new());
        for (pool, lot) in lots(fleet, step) {
            if said_regions.insert(&pool.meta.address) {
                regions(fleet, way, class, step, pool, diagnostics);
            }
            let Some(tier) = fleet.tiers.get(&lot.tier) else { continue };
            // A class of kind inference that lists no tiers runs anywhere but on spot.
            let fine = if class.tiers.is_empty() {
                class.kind != ClassKind::Inference || tier.kind != TierKind::Spot
            } else {
                class.tiers.contains(&tier.kind)
            };
            if !fine && said.insert((&pool.meta.address, tier.kind)) {
                let kind = tier.kind.as_str();
                let allowed: Vec<&str> = class.tiers.iter().map(|tier| tier.as_str()).collect();
                let rule = if allowed.is_empty() {
                    "inference does not run on spot unless `tiers` says so".to_owned()
                } else {
                    format!("allows {}", allowed.join(", "))
                };
                diagnostics.push(
                    Diagnostic::error(
                        codes::TIER_REFUSED,
                        format!(
                            "`{}` may not run on {kind}, but `{}` leads to `{}`",
                            class.meta.address, way.queue.meta.address, lot.meta.address
                        ),
                    )
                    .at(way.step_span(step, "pools"), format!("`{}` is bought as {kind}", pool.meta.address))
                    .also(class.meta.origin.of("tiers"), rule)
                    .also(way.queue.meta.origin.header, "brings the class here")
                    .with_help(format!("take the pool out of the way, or add \"{kind}\" to `tiers`")),
                );
            }
        }
    }
}

fn regions(
    fleet: &Fleet,
    way: &Way<'_>,
    class: &Class,
    step: &Step,
    pool: &Pool,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if class.regions.is_empty() {
        return;
    }
    let owner = pool.provision.as_ref().unwrap_or(&pool.cluster);
    let Some(target) = fleet.targets.get(owner) else { return };
    let fine = target
        .region
        .as_ref()
        .is_some_and(|region| class.regions.iter().any(|pattern| pattern.matches(region)));
    if fine {
        return;
    }
    let patterns: Vec<String> = class.regions.iter().map(|pattern| format!("\"{pattern}\"")).collect();
    let (what, help) = match &target.region {
        Some(region) => {
            (format!("lies in \"{region}\""), "take the pool out of the way, or add its region to `regions`")
        }
        None => ("lies in no known region".to_owned(), "set `region` on the target"),
    };
    diagnostics.push(
        Diagnostic::error(
            codes::REGION_REFUSED,
            format!("`{}` may not run where `{}` {what}", class.meta.address, pool.meta.address),
        )
        .at(way.step_span(step, "pools"), format!("`{}` {what}", pool.meta.address))
        .also(class.meta.origin.of("regions"), format!("allows {}", patterns.join(", ")))
        .also(target.meta.origin.of("region"), "its region")
        .with_help(help),
    );
}

/// Every vendor on the way has an image, if any has.
fn images(fleet: &Fleet, way: &Way<'_>, class: &Class, diagnostics: &mut Vec<Diagnostic>) {
    if class.images.is_empty() {
        return;
    }
    let mut said = BTreeSet::new();
    for step in &way.ladder {
        for named in &step.pools {
            let Some(pool) = fleet.pools.get(&named.pool()) else { continue };
            let accelerator =
                pool.accelerator.as_ref().and_then(|accelerator| fleet.accelerators.get(accelerator));
            let Some(vendor) = accelerator.map(|accelerator| &accelerator.vendor) else { continue };
            if class.images.contains_key(vendor) || !said.insert(vendor) {
                continue;
            }
            diagnostics.push(
                Diagnostic::error(
                    codes::IMAGE_MISSING,
                    format!(
                        "`{}` has no image for {vendor}, but `{}` leads to `{}`",
                        class.meta.address, way.queue.meta.address, pool.meta.address
                    ),
                )
                .at(
                    class.meta.origin.of("images"),
                    format!("has images for {}", class.images.keys().cloned().collect::<Vec<_>>().join(", ")),
                )
                .also(way.step_span(step, "pools"), format!("`{}` has {vendor}", pool.meta.address))
                .with_help(format!("add {vendor} = \"…\" to `images`, or take the pool out of the way")),
            );
        }
    }
}

/// The topology level exists in every pool's fabric.
fn levels(fleet: &Fleet, way: &Way<'_>, class: &Class, diagnostics: &mut Vec<Diagnostic>) {
    let Some(topology) = &class.topology else { return };
    let wanted = [("topology.require", &topology.require), ("topology.prefer", &topology.prefer)];
    for (path, level) in
        wanted.into_iter().filter_map(|(path, level)| level.as_ref().map(|level| (path, level)))
    {
        let mut said = BTreeSet::new();
        for step in &way.ladder {
            for named in &step.pools {
                let Some(pool) = fleet.pools.get(&named.pool()) else { continue };
                let fabric = fabric_of(fleet, pool);
                let names: Vec<&str> = fabric
                    .into_iter()
                    .flat_map(|fabric| fabric.levels.iter().map(|level| level.meta.address.label()))
                    .collect();
                if names.contains(&level.as_str()) || !said.insert(&pool.meta.address) {
                    continue;
                }
                let (span, text) = match fabric {
                    None => (pool.meta.origin.header, "has no fabric".to_owned()),
                    Some(fabric) if names.is_empty() => {
                        (fabric.meta.origin.header, "has no levels".to_owned())
                    }
                    Some(fabric) => (fabric.meta.origin.header, format!("has {}", names.join(", "))),
                };
                let mut diagnostic = Diagnostic::error(
                    codes::LEVEL_UNKNOWN,
                    format!(
                        "`{}` asks for level \"{level}\", which `{}` does not have",
                        class.meta.address, pool.meta.address
                    ),
                )
                .at(class.meta.origin.of(path), "asks for it")
                .also(way.step_span(step, "pools"), format!("`{}` leads there", way.queue.meta.address))
                .also(span, text);
                diagnostic =
                    match poolwright_diagnostics::suggestion_help("level", level, names.iter().copied()) {
                        Some(help) => diagnostic.with_help(help),
                        None => diagnostic
                            .with_help("add the level to the pool's fabric, or take the pool out of the way"),
                    };
                diagnostics.push(diagnostic);
            }
        }
    }
}

/// Interruptible tiers without `checkpoint`, and `return = "prefer"`, which stops a job after its next one.
fn checkpoints(fleet: &Fleet, way: &Way<'_>, class: &Class, diagnostics: &mut Vec<Diagnostic>) {
    if class.checkpoint.is_some() {
        return;
    }
    let spot = |lot: &Lot| fleet.tiers.get(&lot.tier).is_some_and(|tier| tier.kind == TierKind::Spot);
    let found = way.ladder.iter().find_map(|step| {
        lots(fleet, step).into_iter().find(|(_, lot)| spot(lot)).map(|(pool, _)| (step, pool))
    });
    if let Some((step, pool)) = found {
        diagnostics.push(
            Diagnostic::warning(
                codes::NO_CHECKPOINT,
                format!("`{}` never saves its work, and `{}` can be taken away", class.meta.address, pool.meta.address),
            )
            .at(class.meta.origin.header, "has no `checkpoint`")
            .also(way.step_span(step, "pools"), "leads to interruptible capacity")
            .with_note("an interrupted job begins again from nothing; what spot really costs cannot be said")
            .with_help("say how it saves its work: checkpoint = { every = \"20m\", write = \"60s\", restore = \"5m\" }"),
        );
    }
    let route = way.queue.route.as_ref().and_then(|route| fleet.routes.get(route));
    if let Some(route) = route.filter(|route| route.returns == Return::Prefer) {
        diagnostics.push(
            Diagnostic::error(
                codes::RETURN_WITHOUT_CHECKPOINT,
                format!(
                    "`{}` brings jobs of `{}` back after a checkpoint that they never make",
                    route.meta.address, class.meta.address
                ),
            )
            .at(route.meta.origin.of("return"), "stops a job after its next checkpoint")
            .also(class.meta.origin.header, "has no `checkpoint`")
            .with_help("give the class a `checkpoint`, or use return = \"when-idle\""),
        );
    }
}

/// A stock-out that can never be seen: the step would never be left, however long its patience.
fn stock_out(fleet: &Fleet, step: &Step, diagnostics: &mut Vec<Diagnostic>) {
    if step.patience.is_none() || !step.on.contains(&Reason::NoCapacity) {
        return;
    }
    let message = format!("step \"{}\" can never see a stock-out", step.meta.name);
    let on = element(step, Reason::NoCapacity);
    let unseen = |why: &str| {
        let origin = &step.meta.origin;
        let or_default = |name: &str, text: &str| if origin.wrote(name) { "" } else { text }.to_owned();
        let text = format!(
            "`no-capacity`{} never occurs with `until = \"{}\"`{}",
            or_default("on", " (default of `on`)"),
            if step.until == Until::Quota { "quota" } else { "admitted" },
            or_default("until", " (default)"),
        );
        let diagnostic = Diagnostic::error(codes::STOCK_OUT_UNSEEN, message.clone()).at(on, text);
        // What was not written has no place of its own.
        if origin.wrote("until") { diagnostic.also(origin.of("until"), why) } else { diagnostic }
    };
    if step.until == Until::Quota {
        diagnostics.push(
            unseen("ends when quota is reserved, before anybody asks for nodes")
                .with_note("A job that has quota has left the step; without nodes its pods stay Pending and the route never moves on.")
                .with_help("wait for the nodes too         until = \"admitted\"")
                .with_help("or leave on quota alone        on = [\"no-quota\"]"),
        );
        return;
    }
    if step.until != Until::Admitted {
        return;
    }
    let mut blind: Vec<&Target> = Vec::new();
    for (pool, lot) in lots(fleet, step) {
        let Some((target, _)) = kueue_of(fleet, pool) else { continue };
        let autoscaler = target.kubernetes().and_then(|cluster| cluster.cluster_autoscaler.as_ref());
        let asks = autoscaler.is_some_and(|autoscaler| autoscaler.provisioning_requests);
        if lot.elastic() && !asks && !blind.iter().any(|known| known.meta.address == target.meta.address) {
            blind.push(target);
        }
    }
    let Some(first) = blind.first().and_then(|target| target.kubernetes()) else { return };
    let version = first.cluster_autoscaler.as_ref().map_or(&first.version, |autoscaler| &autoscaler.version);
    let mut diagnostic = unseen("waits for nodes only where a provisioning check exists");
    for target in &blind {
        diagnostic =
            diagnostic.also(target.meta.origin.header, "has no cluster_autoscaler.provisioning_requests");
    }
    diagnostics.push(
        diagnostic
            .with_note("Kueue admits the job as soon as quota fits; without nodes its pods stay Pending and the route never moves on.")
            .with_help(format!("turn the check on             cluster_autoscaler = {{ version = \"{version}\", provisioning_requests = true }}"))
            .with_help("or wait for running pods      until = \"ready\""),
    );
}

/// What Kueue's `waitForPodsReady` does to a step: it must not give up before the step does, and only with it a loss
/// of nodes is noticed.
fn events(fleet: &Fleet, way: &Way<'_>, step: &Step, diagnostics: &mut Vec<Diagnostic>) {
    let mut seen = BTreeSet::new();
    for named in &step.pools {
        let Some((target, kueue)) = fleet.pools.get(&named.pool()).and_then(|pool| kueue_of(fleet, pool))
        else {
            continue;
        };
        if !seen.insert(&target.meta.address) {
            continue;
        }
        if let (Some(timeout), Some(patience), Until::Ready) =
            (&kueue.ready_timeout, &step.patience, step.until)
            && timeout < patience
        {
            diagnostics.push(
                Diagnostic::error(
                    codes::READY_TIMEOUT_SHORT,
                    format!(
                        "{} evicts a job after {timeout} without running pods, step \"{}\" waits {patience}",
                        target.meta.address, step.meta.name
                    ),
                )
                .at(way.step_span(step, "for"), "patience for running pods")
                .also(target.meta.origin.of("kueue.ready_timeout"), "gives up before")
                .with_help(format!("set kueue.ready_timeout to at least \"{patience}\"")),
            );
        }
        if step.on.contains(&Reason::Lost) && kueue.ready_timeout.is_none() {
            diagnostics.push(
                Diagnostic::error(
                    codes::LOSS_UNSEEN,
                    format!(
                        "step \"{}\" leaves on lost nodes, which {} does not notice",
                        step.meta.name, target.meta.address
                    ),
                )
                .at(element(step, Reason::Lost), "so this reason never occurs")
                .also(target.meta.origin.of("kueue"), "has no `ready_timeout`")
                .with_help("set kueue.ready_timeout, the `waitForPodsReady.timeout` of that Kueue"),
            );
        }
    }
}

/// What each Kueue cluster does to priorities and weights.
fn clusters(parts: &Parts<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    let fleet = parts.flavors.fleet;
    let mut here: BTreeMap<&Address, Vec<&Way<'_>>> = BTreeMap::new();
    for way in parts.ways.iter().filter(|way| !matches!(way.place, Place::Slurm(_))) {
        for cluster in way.clusters() {
            here.entry(cluster).or_default().push(way);
        }
    }
    let mut weights: BTreeSet<&Address> = BTreeSet::new();
    for (cluster, ways) in here {
        let Some(target) = fleet.targets.get(cluster) else { continue };
        let Some(kueue) = target.kubernetes().and_then(|cluster| cluster.kueue.as_ref()) else { continue };
        let addresses: BTreeSet<&Address> = ways.iter().flat_map(|way| way.classes()).collect();
        let classes: Vec<&Class> =
            addresses.into_iter().filter_map(|class| fleet.classes.get(class)).collect();
        victims(target, &classes, diagnostics);
        gates(target, kueue, diagnostics);
        if kueue.fair_sharing {
            let first = classes.iter().map(|class| class.priority).min();
            if classes.iter().any(|class| Some(class.priority) != first) {
                diagnostics.push(
                    Diagnostic::warning(codes::SHARE_BEFORE_PRIORITY, format!("on {cluster} queues evict each other by share, not by priority"))
                        .at(target.meta.origin.of("kueue.fair_sharing"), "shares fairly")
                        .with_note("a job of high priority waits while its tenant holds more than its share; inside one queue priority still counts"),
                );
            }
            continue;
        }
        let tenants: BTreeSet<&Address> = ways.iter().flat_map(|way| way.queue.tenants.iter()).collect();
        for tenant in tenants.into_iter().filter_map(|tenant| fleet.tenants.get(tenant)) {
            if tenant.weight != Number::ONE && weights.insert(&tenant.meta.address) {
                diagnostics.push(
                    Diagnostic::warning(
                        codes::WEIGHT_UNUSED,
                        format!("the weight of `{}` has no effect on {cluster}", tenant.meta.address),
                    )
                    .at(tenant.meta.origin.of("weight"), "shares only where Kueue shares fairly")
                    .also(target.meta.origin.of("kueue"), "fair_sharing is off")
                    .with_help("set kueue.fair_sharing = true if that Kueue has it, or leave `weight` out"),
                );
            }
        }
    }
}

/// Kueue cannot protect a victim.
fn victims(target: &Target, classes: &[&Class], diagnostics: &mut Vec<Diagnostic>) {
    for class in classes {
        let (path, word) = if class.when_preempted.action == PreemptAction::Never {
            ("when_preempted.action", "is never evicted")
        } else if !class.when_preempted.exempt.0.is_zero() {
            ("when_preempted.exempt", "is safe while it is young")
        } else {
            continue;
        };
        let evicts = |other: &&&Class| match other.preempts {
            Preempts::Nobody => false,
            Preempts::Lower => other.priority > class.priority,
            Preempts::LowerOrNewer => {
                other.priority > class.priority
                    || (other.priority == class.priority && other.meta.address != class.meta.address)
            }
        };
        if let Some(other) = classes.iter().find(evicts) {
            diagnostics.push(
                Diagnostic::error(
                    codes::VICTIM_UNPROTECTED,
                    format!(
                        "Kueue on {} cannot keep `{}` from evicting `{}`",
                        target.meta.address, other.meta.address, class.meta.address
                    ),
                )
                .at(class.meta.origin.of(path), word)
                .also(
                    other.meta.origin.of("preempts"),
                    format!("`{}`, priority {}, evicts it", other.meta.address, other.priority),
                )
                .also(target.meta.origin.header, "both are reached here")
                .with_help(format!(
                    "set preempts = \"nobody\" there, or raise the priority of `{}`",
                    class.meta.address
                )),
            );
        }
    }
}

/// Gates that a version does not have yet.
fn gates(target: &Target, kueue: &Kueue, diagnostics: &mut Vec<Diagnostic>) {
    // Kueue 0.18, CHANGELOG: alpha gate ConcurrentAdmission, off by default.
    let early =
        poolwright_expression::quantity::Version::parse("0.18").is_ok_and(|version| kueue.version < version);
    if early && kueue.gates.iter().any(|gate| gate == "ConcurrentAdmission") {
        diagnostics.push(
            Diagnostic::error(
                codes::GATE_TOO_EARLY,
                format!("Kueue {} on {} has no gate ConcurrentAdmission", kueue.version, target.meta.address),
            )
            .at(target.meta.origin.of("kueue.gates"), "exists from 0.18")
            .also(target.meta.origin.of("kueue.version"), "is older")
            .with_help("remove the gate, or use Kueue 0.18 or later"),
        );
    }
}
