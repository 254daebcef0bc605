//! The decision itself (LANGUAGE §5).

use std::collections::BTreeSet;

use poolwright_model::Address;
use poolwright_model::fleet::{Reason, Return, Until};

use crate::facts::{Job, PlaceState, Second, World};
use crate::ladder::{Cap, Ladder, Place, Rung};

/// How long an earlier step must have had room before a running job is brought back to it, in seconds (LANGUAGE §5.3).
pub const ROOM_BEFORE_RETURN: u64 = 600;

/// What is to be done about a job now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decision {
    /// Steps that are open from now on, by position. What was open and is not here closes.
    pub open: Vec<usize>,
    /// Where the job starts, or has started.
    pub admit: Option<Admission>,
    /// Why it does not start; none when it does or runs.
    pub reason: Option<Why>,
    /// The next moment at which time alone may change the decision.
    pub next: Option<Second>,
    /// Every place of the open steps that blocks the job.
    pub blocked: Vec<Blocked>,
    /// Places whose reservation is to be given up, because the job starts elsewhere.
    pub release: Vec<Address>,
    /// Places where making nodes failed and is to be tried again.
    pub renew: Vec<Address>,
    /// Where a running job is to be restarted after its next checkpoint.
    pub restart: Option<Admission>,
}

/// A job starts on a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admission {
    /// The step, by position.
    pub step: usize,
    /// The pool or lot.
    pub pool: Address,
    /// When the step's `until` came; none: there is room now, and the scheduler has not yet said so.
    pub at: Option<Second>,
}

/// Why a job does not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is held, or not eligible yet.
    Held,
    /// The reasons of the last open step.
    Blocked(BTreeSet<Reason>),
    /// It is larger than every place: to be refused at submission.
    NoStepHoldsIt,
    /// It has waited longer than `limits.wait`: it fails, and nothing is tried again.
    WaitLimit,
}

impl Why {
    /// As people and tests read it: `no-capacity`, `no step can hold it`, `WaitLimit`.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Held => "held".to_owned(),
            Self::Blocked(reasons) => {
                reasons.iter().map(|reason| reason.as_str()).collect::<Vec<_>>().join(", ")
            }
            Self::NoStepHoldsIt => "no step can hold it".to_owned(),
            Self::WaitLimit => "WaitLimit".to_owned(),
        }
    }
}

/// A place of an open step that blocks the job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// The step, by position.
    pub step: usize,
    /// The pool or lot.
    pub pool: Address,
    /// Why.
    pub reasons: BTreeSet<Reason>,
}

/// When a step opens at the earliest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// From this second on, when the step before blocks the job by a reason in its `on`.
    At(Second),
    /// Never: no place of it can hold the job, or the attempt began after it.
    Skipped,
    /// Never: a step before it waits for ever, or the job is held.
    Never,
}

/// When each step opens at the earliest. Fixed as soon as the clock has started: the world has no part in it.
#[must_use]
pub fn openings(ladder: &Ladder, job: &Job) -> Vec<Opening> {
    let first = first_step(ladder, job);
    let mut at = job.clock.start;
    let each = ladder.rungs.iter().enumerate().map(|(step, rung)| {
        if step < first || !usable(rung, job) {
            return Opening::Skipped;
        }
        let opening = at.map_or(Opening::Never, Opening::At);
        at = at.zip(rung.patience).map(|(at, patience)| at.saturating_add(patience));
        opening
    });
    each.collect()
}

/// What is to be done about a job. Pure: the same input gives the same decision, whatever was decided before.
///
/// A step whose places block for different reasons can be left by any of them. Places that can never hold the job are
/// as if they were not there, and a step of only such places takes no time. What a scheduler has already done counts
/// whatever this clock says, so that a clock that jumps back undoes nothing. When two steps end the waiting in one
/// second, the earlier step counts.
#[must_use]
pub fn decide(ladder: &Ladder, job: &Job, now: Second, world: &World) -> Decision {
    if let Some(decision) = running(ladder, job, now, world) {
        return decision;
    }
    if !ladder.rungs.iter().any(|rung| usable(rung, job)) {
        return Decision { reason: Some(Why::NoStepHoldsIt), ..Decision::default() };
    }
    let limit = ladder
        .wait_limit
        .map(|limit| job.clock.first_seen.saturating_add(job.clock.ran).saturating_add(limit));
    let expired = limit.is_some_and(|limit| now >= limit);
    let fail = || Decision { reason: Some(Why::WaitLimit), ..Decision::default() };
    if job.clock.start.is_none() {
        return if expired {
            fail()
        } else {
            Decision { reason: Some(Why::Held), next: limit, ..Decision::default() }
        };
    }
    let openings = openings(ladder, job);
    let mut open = recorded(ladder, job);
    if open.is_empty() {
        open.extend(next_step(&openings, None).map(|(step, _)| step));
    }
    join(ladder, now, &openings, &mut open);
    // What ended the waiting is looked for before another step opens: an event at the deadline beats the deadline.
    let mut admit = ended(ladder, job, world, &open);
    let mut pending = None;
    if admit.is_none() {
        if expired {
            return fail();
        }
        pending = climb(ladder, job, now, world, &openings, &mut open);
        admit = ended(ladder, job, world, &open).or_else(|| room(ladder, job, world, &open));
    }
    let blocked = blocked(ladder, job, world, &open);
    match admit {
        Some(admit) => Decision {
            release: others(ladder, world, &open, &admit),
            open,
            admit: Some(admit),
            ..Decision::default()
        },
        None => Decision {
            reason: Some(Why::Blocked(last_reasons(&blocked, &open))),
            next: [pending.filter(|at| *at > now), limit].into_iter().flatten().min(),
            renew: failed(ladder, world, &open),
            open,
            blocked,
            ..Decision::default()
        },
    }
}

/// The step at which this attempt begins (LANGUAGE §5.3).
fn first_step(ladder: &Ladder, job: &Job) -> usize {
    let Some(last) = &job.last else { return 0 };
    let Some(step) = ladder.position(&last.step) else { return 0 };
    let leaves = ladder.rungs.get(step).is_some_and(|rung| last.lost && rung.on.contains(&Reason::Lost));
    let after = ladder.rungs.iter().enumerate().skip(step + 1).find(|(_, rung)| usable(rung, job));
    match after {
        // Behind the last step there is nothing: then the attempt begins like any other.
        Some((next, _)) if leaves => next,
        _ if ladder.returns == Return::Never => step,
        _ => 0,
    }
}

/// Steps that are open on the job under this clock, in their order.
fn recorded(ladder: &Ladder, job: &Job) -> Vec<usize> {
    let opened = job.opened.as_ref().filter(|opened| Some(opened.start) == job.clock.start);
    let mut steps: Vec<usize> =
        opened.iter().flat_map(|opened| &opened.steps).filter_map(|name| ladder.position(name)).collect();
    steps.sort_unstable();
    steps.dedup();
    steps
}

/// The next step that ever opens after one, and when.
fn next_step(openings: &[Opening], after: Option<usize>) -> Option<(usize, Second)> {
    let from = after.map_or(0, |step| step + 1);
    let rest = openings.iter().enumerate().skip(from);
    rest.filter(|(_, opening)| **opening != Opening::Skipped)
        .map(|(step, opening)| (step, *opening))
        .next()
        .and_then(|(step, opening)| match opening {
            Opening::At(at) => Some((step, at)),
            Opening::Skipped | Opening::Never => None,
        })
}

/// Opens the steps that are joined to the last open one by `for = "0s"`: together they are one.
fn join(ladder: &Ladder, now: Second, openings: &[Opening], open: &mut Vec<usize>) {
    while let Some(last) = open.last().copied()
        && ladder.rungs.get(last).is_some_and(|rung| rung.patience == Some(0))
        && let Some((next, at)) = next_step(openings, Some(last))
        && now >= at
    {
        open.push(next);
    }
}

/// Opens every step whose moment has come. Gives the moment of the next one.
fn climb(
    ladder: &Ladder,
    job: &Job,
    now: Second,
    world: &World,
    openings: &[Opening],
    open: &mut Vec<usize>,
) -> Option<Second> {
    loop {
        let last = *open.last()?;
        let rung = ladder.rungs.get(last)?;
        let (next, at) = next_step(openings, Some(last))?;
        if now < at || !may_leave(rung, job, world) {
            return Some(at);
        }
        if ladder.moves(rung) {
            let joined = |step: &usize| ladder.rungs.get(*step).is_some_and(|rung| rung.patience == Some(0));
            open.pop();
            while open.last().is_some_and(joined) {
                open.pop();
            }
        }
        open.push(next);
        join(ladder, now, openings, open);
    }
}

/// Whether every place of a step blocks, by a reason that lets the job leave.
fn may_leave(rung: &Rung, job: &Job, world: &World) -> bool {
    let mut any = false;
    for place in usable_places(rung, job) {
        let reasons = reasons(place, world);
        if reasons.is_empty() {
            return false;
        }
        any |= reasons.iter().any(|reason| rung.on.contains(reason));
    }
    any
}

fn usable(rung: &Rung, job: &Job) -> bool {
    usable_places(rung, job).next().is_some()
}

fn usable_places<'a>(rung: &'a Rung, job: &Job) -> impl Iterator<Item = &'a Place> {
    let (gpus, nodes) = (job.gpus, job.nodes.unwrap_or(0));
    rung.places.iter().filter(move |place| place.gpus >= gpus && place.nodes >= nodes)
}

/// Why a place blocks a job; nothing: it has room.
pub(crate) fn reasons(place: &Place, world: &World) -> BTreeSet<Reason> {
    let state = world.places.get(&place.pool);
    let mut reasons = BTreeSet::new();
    if world.tenant_full || state.is_some_and(|state| !state.quota) {
        reasons.insert(Reason::NoQuota);
    } else if state.is_some_and(|state| !state.capacity) {
        reasons.insert(Reason::NoCapacity);
    }
    if !affordable(place, state) {
        reasons.insert(Reason::PriceAbove);
    }
    reasons
}

/// Whether a place's price is known to be within the step's cap, if it has one.
fn affordable(place: &Place, state: Option<&PlaceState>) -> bool {
    match (&place.cap, state.and_then(|state| state.price.as_ref())) {
        (Cap::None, _) => true,
        (Cap::At(cap), Some(price)) => price.compare(cap).is_ok_and(std::cmp::Ordering::is_le),
        (Cap::At(_), None) | (Cap::Never, _) => false,
    }
}

/// The places of these steps that can hold the job, in order.
fn places<'a>(
    ladder: &'a Ladder,
    job: &'a Job,
    open: &'a [usize],
) -> impl Iterator<Item = (usize, &'a Rung, &'a Place)> {
    open.iter()
        .filter_map(|step| ladder.rungs.get(*step).map(|rung| (*step, rung)))
        .flat_map(move |(step, rung)| usable_places(rung, job).map(move |place| (step, rung, place)))
}

/// The place whose `until` came first.
fn ended(ladder: &Ladder, job: &Job, world: &World, open: &[usize]) -> Option<Admission> {
    let ends = places(ladder, job, open).filter_map(|(step, rung, place)| {
        let state = world.places.get(&place.pool)?;
        let at = match rung.until {
            Until::Quota => state.reserved,
            Until::Admitted => state.admitted,
            Until::Ready => state.ready,
        }?;
        Some(Admission { step, pool: place.pool.clone(), at: Some(at) })
    });
    ends.min_by_key(|end| (end.at, end.step))
}

/// The first place that has room.
fn room(ladder: &Ladder, job: &Job, world: &World, open: &[usize]) -> Option<Admission> {
    places(ladder, job, open)
        .find(|(_, _, place)| reasons(place, world).is_empty())
        .map(|(step, _, place)| Admission { step, pool: place.pool.clone(), at: None })
}

fn blocked(ladder: &Ladder, job: &Job, world: &World, open: &[usize]) -> Vec<Blocked> {
    let all = places(ladder, job, open).map(|(step, _, place)| Blocked {
        step,
        pool: place.pool.clone(),
        reasons: reasons(place, world),
    });
    all.filter(|blocked| !blocked.reasons.is_empty()).collect()
}

fn last_reasons(blocked: &[Blocked], open: &[usize]) -> BTreeSet<Reason> {
    let last = open.last().copied();
    blocked
        .iter()
        .filter(|place| Some(place.step) == last)
        .flat_map(|place| place.reasons.iter().copied())
        .collect()
}

/// Other places on which something is reserved for a job that starts.
fn others(ladder: &Ladder, world: &World, open: &[usize], admit: &Admission) -> Vec<Address> {
    if admit.at.is_none() {
        return Vec::new();
    }
    let places = open.iter().filter_map(|step| ladder.rungs.get(*step)).flat_map(|rung| &rung.places);
    let reserved = places.filter(|place| place.pool != admit.pool).filter(|place| {
        world
            .places
            .get(&place.pool)
            .is_some_and(|state| state.reserved.is_some() || state.admitted.is_some())
    });
    reserved.map(|place| place.pool.clone()).collect()
}

fn failed(ladder: &Ladder, world: &World, open: &[usize]) -> Vec<Address> {
    let places = open.iter().filter_map(|step| ladder.rungs.get(*step)).flat_map(|rung| &rung.places);
    let failed =
        places.filter(|place| world.places.get(&place.pool).is_some_and(|state| state.failed.is_some()));
    failed.map(|place| place.pool.clone()).collect()
}

/// A running job stays where it is, unless the route brings it back to an earlier step.
fn running(ladder: &Ladder, job: &Job, now: Second, world: &World) -> Option<Decision> {
    let running = job.running.as_ref()?;
    let here = ladder.position(&running.step);
    let mut decision = Decision { open: here.into_iter().collect(), ..Decision::default() };
    if ladder.returns != Return::Prefer || !ladder.checkpoint {
        return Some(decision);
    }
    let earlier: Vec<usize> = (0..here.unwrap_or(0)).collect();
    let rooms = places(ladder, job, &earlier).filter_map(|(step, _, place)| {
        let since = world.places.get(&place.pool)?.room_since?;
        reasons(place, world)
            .is_empty()
            .then(|| (since.saturating_add(ROOM_BEFORE_RETURN), step, place.pool.clone()))
    });
    let rooms: Vec<(Second, usize, Address)> = rooms.collect();
    let back = rooms.iter().filter(|(from, _, _)| now >= *from).min_by_key(|(_, step, _)| *step);
    decision.restart = back.map(|(_, step, pool)| Admission { step: *step, pool: pool.clone(), at: None });
    if decision.restart.is_none() {
        decision.next = rooms.iter().map(|(from, _, _)| *from).min();
    }
    Some(decision)
}
