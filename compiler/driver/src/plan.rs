//! A plan of a compiled fleet, its verdicts, and carrying it out.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::{Diagnostic, SourceMap, Span, render};
use poolwright_engine::assemble::{Parts, assemble, seal};
use poolwright_engine::diff::{Difference, Sides, compare};
use poolwright_engine::state::{Memory, capacity_changes, cost_before, cost_change, sum, target_state};
use poolwright_expression::{Scope, Value};
use poolwright_model::fleet::Target;
use poolwright_model::plan::{PlanTarget, RouteLine, Settle, Verdict};
use poolwright_model::program::{PolicySeverity, Subject};
use poolwright_model::view::{self, View};
use poolwright_model::{Address, Origin, Plan, Resource};
use poolwright_policies::{Judged, Object};
use poolwright_target::backend::{Observation, Obstacle};
use poolwright_target::codes::FOREIGN_FOLDER;
use poolwright_target::directory::Directory;
use poolwright_target::files::Files;
use poolwright_target::inventory::Inventory;
use poolwright_target::{Backend, TargetError};

use crate::cause::Causes;
use crate::days;
use crate::former::{Former, former};

use crate::renamed::Blocks;
use crate::{Clock, Compiled, Counts, kind};

/// Name and version of this program, as plans carry it.
#[must_use]
pub fn program_name() -> String {
    format!("poolwright {}", env!("CARGO_PKG_VERSION"))
}

/// A plan and everything that was found while it was made.
#[derive(Debug)]
pub struct Planned {
    /// The plan.
    pub plan: Plan,
    /// Of the comparison: refusals, warnings, unreachable targets.
    pub diagnostics: Vec<Diagnostic>,
    /// Of the policies.
    pub policies: Vec<Diagnostic>,
    /// The worst that a policy says: deny stops an apply, approve asks for one.
    pub worst: Option<PolicySeverity>,
    /// Targets that could not be read, with the exit code of the reason.
    pub unreachable: Vec<(Address, u8)>,
}

/// The folder of a target as a backend, with what a plan has to settle on it.
///
/// # Errors
/// A folder's path leaves the fleet's folder.
pub(crate) fn directory<'a>(
    target: &'a Target,
    settle: Option<&'a Settle>,
    fleet: &'a str,
    files: &'a dyn Files,
) -> Result<Directory<'a>, TargetError> {
    let folder = target.directory.as_deref().unwrap_or_default();
    let directory = Directory::new(kind(target), target, fleet, folder, files)?.live();
    match settle {
        Some(Settle::Move { from }) => directory.moved_from(from),
        Some(Settle::Remove) => Ok(directory.gone()),
        Some(Settle::Finish | Settle::Remember) | None => Ok(directory),
    }
}

/// An apply that was stopped between the last file and the inventory left nothing to change, and a wrong "before".
fn remember(planned: &mut PlanTarget, difference: &Difference, inventory: Option<&Inventory>) {
    let wanted = planned.state.as_ref().map(|state| state.input_digest.as_str());
    let behind = inventory.is_some_and(|inventory| Some(inventory.input_digest.as_str()) != wanted);
    if planned.settle.is_none() && planned.reachable && difference.changes.is_empty() && behind {
        planned.settle = Some(Settle::Remember);
    }
}

/// What was read of one target.
struct Seen {
    identity: String,
    found: Result<(Observation, Vec<Obstacle>), TargetError>,
    inventory: Option<Inventory>,
}

fn look(backend: Result<Directory<'_>, TargetError>, wanted: &[Resource]) -> Seen {
    let backend = match backend {
        Ok(backend) => backend,
        Err(error) => return Seen { identity: String::new(), found: Err(error), inventory: None },
    };
    let identity = backend.identity();
    match backend.inventory() {
        Ok(inventory) => {
            let found = backend.observe().and_then(|found| {
                let there: BTreeSet<&str> =
                    found.objects.iter().map(|object| object.address.as_str()).collect();
                let new = found.settle.is_some()
                    || wanted.iter().any(|resource| !there.contains(resource.address.as_str()));
                let obstacles = if new { backend.obstacles(wanted)? } else { Vec::new() };
                Ok((found, obstacles))
            });
            Seen { identity, found, inventory }
        }
        Err(error) => Seen { identity, found: Err(error), inventory: None },
    }
}

/// Compares every target with what is wanted there, and judges the result. The objects go from the compiled fleet into
/// the plan: there may be a hundred thousand of them.
#[must_use]
pub fn plan(compiled: &mut Compiled, files: &dyn Files, clock: &dyn Clock) -> Planned {
    let counts = compiled.counts();
    let mut objects = std::mem::take(&mut compiled.objects);
    let compiled = &*compiled;
    let fleet = &compiled.fleet;
    let mut targets = Vec::new();
    let mut differences = Vec::new();
    let mut seen = Vec::new();
    let mut unreachable = Vec::new();
    let mut blocks = Blocks::default();
    let mut unread: BTreeSet<Address> = BTreeSet::new();
    let homes = compiled.pools_of_targets();
    let Former { moved, gone, renamed, diagnostics: left_alone } = former(fleet, files);
    let moved: BTreeMap<Address, Settle> =
        moved.into_iter().map(|(address, from)| (address, Settle::Move { from })).collect();
    for target in fleet.targets.values().chain(&gone) {
        let address = &target.meta.address;
        let settle =
            if fleet.targets.contains_key(address) { moved.get(address) } else { Some(&Settle::Remove) };
        let wanted = objects.remove(address).unwrap_or_default();
        let mut look = look(directory(target, settle, &fleet.meta.name, files), &wanted);
        if let Err(error) = &mut look.found {
            let home = target.directory.as_deref().unwrap_or_default();
            if let Some(old) = renamed.get(home).filter(|_| error.code == FOREIGN_FOLDER) {
                error.helps = rename_helps(target, old);
            }
            let leaves = |settle: &Settle| matches!(settle, Settle::Move { from } if from == home);
            let leaver = moved.iter().find(|(_, settle)| leaves(settle));
            if let Some((leaver, _)) = leaver.filter(|_| error.code == FOREIGN_FOLDER) {
                error.helps = vec![format!("{leaver} leaves the folder: apply this plan, then plan again")];
            }
            unreachable.push((address.clone(), error.class.exit()));
        }
        let (found, obstacles) = match &look.found {
            Ok((found, obstacles)) => (Ok(found), obstacles.as_slice()),
            Err(error) => (Err(error), [].as_slice()),
        };
        let pools = homes.get(address).map(Vec::as_slice).unwrap_or_default();
        let cost = sum(pools.iter().filter_map(|pool| compiled.costs.pools.get(&pool.meta.address)));
        let capacity = pools.iter().map(|pool| (pool.meta.address.clone(), most_gpus(pool))).collect();
        targets.push(PlanTarget {
            address: address.clone(),
            kind: target.kind.as_str().to_owned(),
            identity: look.identity,
            reachable: found.is_ok(),
            support: kind(target).support(target).to_owned(),
            ring: target.ring,
            settle: found.ok().and_then(|found| found.settle.clone()),
            state: Some(target_state(&wanted, cost, capacity)),
        });
        let planned = targets.len() - 1;
        let mut difference = compare(Sides {
            kind: kind(target),
            target,
            wanted: &wanted,
            found,
            obstacles,
            inventory: look.inventory.as_ref(),
            sources: &compiled.sources,
        });
        if let Some(planned) = targets.get_mut(planned) {
            remember(planned, &difference, look.inventory.as_ref());
        }
        if let Ok(found) = found {
            blocks.see(kind(target), &found.objects, &wanted, &difference.changes);
        }
        difference.give_bodies(wanted);
        differences.push(difference);
        // What cannot be read may hold objects of ours, and nothing is planned for its pools.
        let populated = found.is_err() || found.is_ok_and(|it| it.objects.iter().any(|object| object.owned));
        if found.is_err() {
            unread.extend(pools.iter().map(|pool| pool.meta.address.clone()));
        }
        seen.push((look.inventory, populated));
    }
    let memories: Vec<Memory<'_>> = seen
        .iter()
        .map(|(inventory, populated)| Memory { inventory: inventory.as_ref(), populated: *populated })
        .collect();
    let capacity: BTreeMap<Address, u64> =
        fleet.pools.values().map(|pool| (pool.meta.address.clone(), most_gpus(pool))).collect();
    let mut capacity = capacity_changes(&memories, &capacity);
    capacity.retain(|change| !unread.contains(&change.pool));
    let parts = Parts {
        tool: program_name(),
        fleet: fleet.meta.name.clone(),
        input_digest: compiled.input_digest.clone(),
        targets,
        differences: differences.into_iter().collect::<Vec<Difference>>(),
        cost: Some(cost_change(cost_before(&memories), compiled.costs.total.clone())),
        capacity,
        routes: routes(compiled),
        policies: Vec::new(),
        books: compiled.prices.books.clone(),
        outputs: compiled.outputs(),
        diagnostics: Vec::new(),
    };
    let (mut plan, mut diagnostics) = assemble(parts);
    diagnostics.extend(left_alone);
    diagnostics.extend(blocks.diagnostics(compiled));
    diagnostics.extend(days::check(fleet, clock.today()));
    let (judged, policies) = judge(compiled, &plan, counts, clock);
    plan.policies = judged.iter().map(|judged| verdict(judged, compiled)).collect();
    plan.policies.sort_by(|a, b| (&a.policy, &a.object).cmp(&(&b.policy, &b.object)));
    let shown = compiled.diagnostics.iter().chain(&diagnostics);
    plan.diagnostics = shown.map(|diagnostic| render::to_json(diagnostic, &compiled.sources)).collect();
    if !plan.policies.is_empty() {
        seal(&mut plan);
    }
    let worst = judged.iter().filter_map(|judged| judged.severity).max();
    Planned { plan, diagnostics, policies, worst, unreachable }
}

/// What to do about a folder that a target of the fleet left to one of another name.
fn rename_helps(target: &Target, old: &Address) -> Vec<String> {
    let (kind, address) = (target.kind.as_str(), &target.meta.address);
    let mut helps = Vec::new();
    if let Some(name) = old.as_str().strip_prefix(&format!("target.{kind}.")) {
        helps.push(format!(
            "if this is a rename, take the old name back: target \"{kind}\" \"{name}\"; nothing follows a target's name yet"
        ));
    }
    helps.push(format!(
        "if {address} is another system, give it a folder of its own: what is ours on {old} is then destroyed"
    ));
    helps
}

fn most_gpus(pool: &poolwright_model::fleet::Pool) -> u64 {
    pool.lots.iter().map(poolwright_model::fleet::Lot::most_gpus).fold(0, u64::saturating_add)
}

fn routes(compiled: &Compiled) -> Vec<RouteLine> {
    let line = |route: &poolwright_model::layout::RouteFidelity| RouteLine {
        route: route.route.clone(),
        target: route.target.clone(),
        mechanism: route.mechanism.as_str().to_owned(),
        fidelity: route.line.clone(),
        note: route.note.clone(),
    };
    compiled.layout.routes.iter().map(line).collect()
}

/// Judges the policies on the fleet and on the plan.
fn judge(
    compiled: &Compiled,
    plan: &Plan,
    counts: Counts,
    clock: &dyn Clock,
) -> (Vec<Judged>, Vec<Diagnostic>) {
    if compiled.program.policies.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let today = clock.today();
    let view = compiled.view(today, counts);
    let host = compiled.host(&view);
    let plan_value = view::plan(&compiled.fleet, &plan.summary, &plan.changes, plan.summary.cost.as_ref());
    let now = today.map_or(Value::Null, Value::quantity);
    let names = Scope::default().with("plan", plan_value.clone()).with("now", now);
    let objects = |subject: Subject| -> Vec<Object> {
        match subject {
            Subject::Plan => vec![Object {
                address: "plan".to_owned(),
                value: plan_value.clone(),
                origin: Origin::default(),
            }],
            Subject::Change => plan
                .changes
                .iter()
                .map(|change| Object {
                    address: change.address.clone(),
                    value: view::change(change),
                    origin: Origin {
                        header: change.origin.as_ref().map_or_else(Span::default, |place| place.span),
                        attributes: std::sync::Arc::default(),
                    },
                })
                .collect(),
            _ => blocks(compiled, &view, subject),
        }
    };
    let policies = &compiled.program.policies;
    let judged = poolwright_policies::judge(policies, &objects, &names, &host);
    let origin = |address: &str| compiled.origin(address).or_else(|| change_origin(plan, address));
    let causes = Causes { compiled };
    let diagnostics =
        poolwright_policies::diagnose(policies, &judged, &origin, &|object, text| causes.of(object, text));
    (judged, diagnostics)
}

fn change_origin(plan: &Plan, address: &str) -> Option<Origin> {
    let change = plan.changes.iter().find(|change| change.address == address)?;
    Some(Origin { header: change.origin.as_ref()?.span, attributes: std::sync::Arc::default() })
}

fn blocks(compiled: &Compiled, view: &View<'_>, subject: Subject) -> Vec<Object> {
    view.addresses(subject)
        .into_iter()
        .filter_map(|address| {
            Some(Object {
                value: view.block(address.as_str())?,
                origin: compiled.origin(address.as_str()).unwrap_or_default(),
                address: address.to_string(),
            })
        })
        .collect()
}

fn verdict(judged: &Judged, compiled: &Compiled) -> Verdict {
    let policy = compiled.program.policies.iter().find(|policy| policy.meta.address == judged.policy);
    Verdict {
        policy: judged.policy.clone(),
        object: judged.object.clone(),
        verdict: judged.verdict.as_str().to_owned(),
        severity: judged.severity.map(|severity| severity.as_str().to_owned()),
        message: judged.message.clone(),
        origin: policy.and_then(|policy| place(&compiled.sources, policy.require.span)),
    }
}

fn place(sources: &SourceMap, span: Span) -> Option<poolwright_model::plan::Place> {
    let file = sources.get(span.file)?;
    let at = file.line_column(span.start);
    Some(poolwright_model::plan::Place {
        file: file.name().to_owned(),
        line: at.line,
        column: at.column,
        span,
    })
}
