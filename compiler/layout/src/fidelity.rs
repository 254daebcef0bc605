//! By which mechanism each route is carried out, and how exactly (LANGUAGE §5.5).

use std::collections::BTreeMap;

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::quantity::{Duration, Version};
use poolwright_model::fleet::{Kueue, Reason, Return, Route, Step, Target};
use poolwright_model::layout::{Mechanism, RouteFidelity};
use poolwright_model::{Address, Fleet};

use crate::across::{Place, Way};
use crate::codes;
use crate::flavors::Flavors;
use crate::stages::{lies_in, no_patience};

/// Said of mechanisms that need a running router. Empty it when `poolwright route run` is shipped.
const ROUTER_NOTE: &str = "not shipped yet";

/// Said where later steps are queues of the same cluster. It goes when admission policies are emitted.
const STEPS_OPEN: &str =
    "users can submit to its later steps themselves: no admission policy keeps them out yet";

/// Ordered flavors, where a job also leaves for other reasons than its quota.
const QUOTA_ONLY: &str = "quota only";

/// The gate of Kueue's concurrent admission.
const CONCURRENT: &str = "ConcurrentAdmission";

/// What carries out a route, and how well.
#[derive(Clone, Debug, PartialEq)]
struct Choice {
    mechanism: Mechanism,
    line: String,
    note: Option<String>,
}

impl Choice {
    fn new(mechanism: Mechanism, line: &str) -> Self {
        Self { mechanism, line: line.to_owned(), note: None }
    }

    /// One that needs the router to run.
    fn routed(mechanism: Mechanism, line: &str) -> Self {
        Self { mechanism, line: by_router(line), note: None }
    }

    /// Weakened by one of its steps: the line says how, and the note which step besides what it said before.
    fn weakened(self, line: &str, which: String) -> Self {
        let line = if self.line.contains(ROUTER_NOTE) { by_router(line) } else { line.to_owned() };
        let note = Some(self.note.map_or(which.clone(), |note| format!("{which}; {note}")));
        Self { line, note, ..self }
    }
}

/// A line that holds once the router runs.
fn by_router(line: &str) -> String {
    match line.strip_suffix(')') {
        _ if ROUTER_NOTE.is_empty() => line.to_owned(),
        Some(open) => format!("{open}; {ROUTER_NOTE})"),
        None => format!("{line}, by the router ({ROUTER_NOTE})"),
    }
}

/// The fidelity of every route on every target where its jobs enter, by route and target.
pub(crate) fn routes(
    flavors: &Flavors<'_>,
    ways: &[Way<'_>],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<RouteFidelity> {
    let fleet = flavors.fleet;
    let mut lines: BTreeMap<(Address, Address), Option<RouteFidelity>> = BTreeMap::new();
    for way in ways {
        let Some(route) = way.queue.route.as_ref().and_then(|route| fleet.routes.get(route)) else {
            continue;
        };
        let Some(target) = fleet.targets.get(way.entry()) else { continue };
        let key = (route.meta.address.clone(), target.meta.address.clone());
        if lines.contains_key(&key) {
            continue;
        }
        let line = match choose(fleet, way, route, target) {
            Ok(choice) => Some(judge(way, route, target, choice, diagnostics)),
            Err(why) => {
                diagnostics.push(
                    Diagnostic::error(
                        codes::NO_MECHANISM,
                        format!("nothing on {} can carry out `{}`", target.meta.address, route.meta.address),
                    )
                    .at(route.meta.origin.header, why.reason)
                    .also(target.meta.origin.of("router"), "has no router")
                    .also(way.queue.meta.origin.of("route"), format!("taken by `{}`", way.queue.meta.address))
                    .with_help(why.help),
                );
                None
            }
        };
        lines.insert(key, line);
    }
    lines.into_values().flatten().collect()
}

/// Why there is no mechanism, and what to do.
#[derive(Debug, PartialEq)]
struct Refused {
    reason: String,
    help: String,
}

/// The table of LANGUAGE §5.5, in order.
fn choose(fleet: &Fleet, way: &Way<'_>, route: &Route, target: &Target) -> Result<Choice, Refused> {
    let kueue = target.kubernetes().and_then(|cluster| cluster.kueue.as_ref());
    let concurrent = kueue.is_some_and(|kueue| kueue.gates.iter().any(|gate| gate == CONCURRENT));
    let stages = way.stages.values().map(Vec::len).max().unwrap_or(0);
    let mut choice = match (&way.place, kueue) {
        _ if way.ladder.len() <= 1 => return Ok(Choice::new(Mechanism::Direct, "exact")),
        // Volcano, KAI: everything at once, in order where there is one.
        (Place::Kueue(_), None) => Choice::new(Mechanism::OrderedFlavors, "no wait"),
        (Place::Kueue(_), _) if stages <= 1 => {
            let seen = way.ladder.iter().any(leaves_for_capacity);
            Choice::new(Mechanism::OrderedFlavors, if seen { QUOTA_ONLY } else { "exact" })
        }
        (Place::Kueue(_), _) if concurrent => Choice::routed(
            Mechanism::ConcurrentAdmission,
            "exact (alpha; the fallback holds its quota while it waits)",
        ),
        (Place::Kueue(_), _) if target.router => {
            let moves = way.ladder.iter().any(leaves_for_capacity);
            let line = if moves { "exact, moves on no-capacity" } else { "exact" };
            Choice { note: Some(STEPS_OPEN.to_owned()), ..Choice::routed(Mechanism::RouterQueues, line) }
        }
        (Place::Kueue(_), _) => {
            return Err(Refused {
                reason: "its steps wait in one cluster".to_owned(),
                help: format!(
                    "set router = true there, turn on the gate {CONCURRENT} (Kueue 0.18 or later), or join the steps with for = \"0s\""
                ),
            });
        }
        (Place::Dispatch { .. }, _) if target.router => Choice {
            note: Some("while every worker's API server answers".to_owned()),
            ..Choice::routed(Mechanism::RouterDispatch, "exact, by the router (MultiKueue dispatcher)")
        },
        (Place::Dispatch { .. }, Some(kueue)) => incremental(fleet, way, kueue)?,
        (Place::Dispatch { .. }, None) => {
            return Err(Refused {
                reason: "its jobs enter where Kueue is not".to_owned(),
                help: "name a cluster with Kueue".to_owned(),
            });
        }
        (Place::Slurm(_), _) if target.router => Choice::routed(Mechanism::RouterPartitions, "exact"),
        (Place::Slurm(_), _) => Choice::new(Mechanism::AllPartitions, "no wait"),
    };
    if let Some((a, b, worker)) = by_flavors(fleet, way) {
        // Whatever sends the job there: the order of the worker's flavors decides between the steps.
        let which =
            format!("steps \"{}\" and \"{}\" are ordered flavors on {worker}", a.meta.name, b.meta.name);
        choice = choice.weakened(QUOTA_ONLY, which);
    }
    if route.returns == Return::Prefer && !target.router && choice.mechanism != Mechanism::ConcurrentAdmission
    {
        "no return".clone_into(&mut choice.line);
    }
    Ok(choice)
}

/// Kueue's own dispatcher: a cluster every 5 minutes in the order of the configuration, from 0.19.
fn incremental(fleet: &Fleet, way: &Way<'_>, kueue: &Kueue) -> Result<Choice, Refused> {
    let router = "set router = true on the entry";
    if Version::parse("0.19").is_ok_and(|version| kueue.version < version) {
        return Err(Refused {
            reason: format!("Kueue {} tries three clusters a round, in alphabetical order", kueue.version),
            help: format!("{router}, or use Kueue 0.19 or later"),
        });
    }
    let clusters = |step: &Step| {
        let of = |pool: &Address| fleet.pools.get(&pool.pool()).map(|pool| pool.cluster.clone());
        step.pools.iter().filter_map(of).collect::<std::collections::BTreeSet<_>>().len()
    };
    if let Some(step) = way.ladder.iter().find(|step| clusters(step) > 1) {
        return Err(Refused {
            reason: format!(
                "step \"{}\" leads to several clusters, Kueue's dispatcher takes one a round",
                step.meta.name
            ),
            help: format!("{router}, or write a step for each cluster"),
        });
    }
    // A round opens the next cluster: patience between two steps of one cluster is nothing to the dispatcher.
    let round = Duration::from_seconds(300);
    let leaving = pairs(way).filter(|(a, b)| common_worker(fleet, way, a, b).is_none());
    let exact = leaving.filter_map(|(a, _)| a.patience.as_ref()).all(|patience| *patience == round);
    Ok(Choice {
        note: Some(
            "Kueue's Configuration on the entry must name the incremental dispatcher, with stepSize 1"
                .to_owned(),
        ),
        ..Choice::new(Mechanism::IncrementalDispatch, if exact { "exact" } else { "rounded to 5m" })
    })
}

/// Whether a job is to leave a step because nodes do not come, which an order of flavors never sees.
fn leaves_for_capacity(step: &Step) -> bool {
    step.patience.is_some() && step.on.contains(&Reason::NoCapacity)
}

/// Each step with the next one.
fn pairs<'w>(way: &'w Way<'_>) -> impl Iterator<Item = (&'w Step, &'w Step)> {
    way.ladder.iter().zip(way.ladder.iter().skip(1))
}

/// The first two neighbouring steps of one worker between which its order of flavors does not hold what is written:
/// the first of them waits, or is left for nodes that do not come.
fn by_flavors<'w>(fleet: &Fleet, way: &'w Way<'_>) -> Option<(&'w Step, &'w Step, &'w Address)> {
    let mut weak = pairs(way).filter(|(a, _)| !no_patience(a) || leaves_for_capacity(a));
    weak.find_map(|(a, b)| Some((a, b, common_worker(fleet, way, a, b)?)))
}

/// The worker that two steps share.
fn common_worker<'w>(fleet: &Fleet, way: &'w Way<'_>, a: &Step, b: &Step) -> Option<&'w Address> {
    let Place::Dispatch { workers, .. } = &way.place else { return None };
    let here = |step: &Step, worker: &Address| step.pools.iter().any(|pool| lies_in(fleet, pool, worker));
    workers.iter().find(|worker| here(a, worker) && here(b, worker))
}

/// `strict` refuses every line that does not begin with `exact`.
fn judge(
    way: &Way<'_>,
    route: &Route,
    target: &Target,
    choice: Choice,
    diagnostics: &mut Vec<Diagnostic>,
) -> RouteFidelity {
    let exact = choice.line.starts_with("exact");
    if route.strict && !exact {
        let mut refused = Diagnostic::error(
            codes::NOT_EXACT,
            format!(
                "`{}` on {} would be `{}`, and it is strict",
                route.meta.address, target.meta.address, choice.line
            ),
        )
        .at(route.meta.origin.of("strict"), "its deadlines must hold")
        .also(way.queue.meta.origin.of("route"), format!("taken by `{}`", way.queue.meta.address))
        .also(target.meta.origin.of("router"), format!("carried out here by {}", choice.mechanism.as_str()))
        .with_note(meaning(&choice.line));
        if let Some(note) = &choice.note {
            refused = refused.with_note(note.clone());
        }
        diagnostics.push(
            refused.with_help("set strict = false to accept this").with_help(advice(route, target, &choice)),
        );
    }
    RouteFidelity {
        route: route.meta.address.clone(),
        target: target.meta.address.clone(),
        mechanism: choice.mechanism,
        exact,
        line: choice.line,
        note: choice.note,
    }
}

fn meaning(line: &str) -> &'static str {
    match line {
        _ if line.starts_with(QUOTA_ONLY) => {
            "a job goes on to the next place when its quota is used up, never because nodes do not come or time has passed"
        }
        "no wait" => "all places are open from the start: nothing waits for the deadline",
        "no return" => "a job that runs on a later step stays there",
        "rounded to 5m" => "Kueue's dispatcher opens a cluster every 5 minutes, whatever `for` says",
        _ => "the line does not begin with `exact`",
    }
}

fn advice(route: &Route, target: &Target, choice: &Choice) -> String {
    match choice.mechanism {
        Mechanism::OrderedFlavors if choice.line == QUOTA_ONLY => {
            "or take \"no-capacity\" out of `on`, or give the step a `for` above 0s".to_owned()
        }
        Mechanism::RouterDispatch | Mechanism::IncrementalDispatch if choice.line.starts_with(QUOTA_ONLY) => {
            "or join the steps of one cluster with for = \"0s\", and take \"no-capacity\" out of their `on`"
                .to_owned()
        }
        _ if route.returns == Return::Prefer => "or use another `return`".to_owned(),
        _ => format!("or set router = true on {}", target.meta.address),
    }
}
