//! The quickstart, its ladder, and a small language for situations.

use poolwright_expression::quantity::{Duration, Money};
use poolwright_model::fleet::Return;
use poolwright_model::{Address, Fleet, Prices};
use poolwright_router::{
    Admission, Decision, Event, Job, JobClock, Ladder, LastRun, Opened, PlaceState, Running, Second, World,
    decide,
};

pub(crate) const SPOT: &str = "pool.aws-a100-spot";
pub(crate) const ALIYUN: &str = "pool.aliyun-a100";

fn read<T: serde::de::DeserializeOwned>(name: &str) -> T {
    let path = format!("{}/../../tests/golden/quickstart/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

pub(crate) fn fleet() -> Fleet {
    read("fleet.json")
}

pub(crate) fn prices() -> Prices {
    read("prices.json")
}

pub(crate) fn money(text: &str) -> Money {
    Money::parse(text).unwrap()
}

pub(crate) fn duration(text: &str) -> Option<Duration> {
    Some(Duration::parse(text).unwrap())
}

/// The fleet with a change of its only route.
pub(crate) fn fleet_with(change: impl FnOnce(&mut poolwright_model::fleet::Route)) -> Fleet {
    let mut fleet = fleet();
    change(fleet.routes.get_mut("route.cost-optimized").unwrap());
    fleet
}

pub(crate) fn ladder_of(fleet: &Fleet) -> Ladder {
    let queue = &fleet.queues["queue.cost-optimized"];
    Ladder::of(fleet, queue, None, &fleet.classes[&queue.class])
}

pub(crate) fn ladder() -> Ladder {
    ladder_of(&fleet())
}

pub(crate) fn returning(returns: Return) -> Ladder {
    Ladder { returns, ..ladder() }
}

/// An 8-GPU job that was submitted at 0 s.
pub(crate) fn job() -> Job {
    job_after(&[Event::Submitted(0)])
}

pub(crate) fn job_after(events: &[Event]) -> Job {
    Job { gpus: 8, clock: JobClock::read(events), ..Job::default() }
}

pub(crate) trait Recorded {
    fn opened(self, steps: &[&str]) -> Job;
    fn ran(self, step: &str, lost: bool) -> Job;
    fn running(self, step: &str, pool: &str) -> Job;
}

impl Recorded for Job {
    /// With these steps recorded as open under its clock.
    fn opened(mut self, steps: &[&str]) -> Job {
        let steps = steps.iter().map(|step| (*step).to_owned()).collect();
        self.opened = Some(Opened { start: self.clock.start.unwrap(), steps });
        self
    }

    fn ran(mut self, step: &str, lost: bool) -> Job {
        self.last = Some(LastRun { step: step.to_owned(), lost });
        self
    }

    fn running(mut self, step: &str, pool: &str) -> Job {
        self.running = Some(Running { step: step.to_owned(), pool: Address::new(pool) });
        self
    }
}

/// A world in which both pools have room at the book's prices.
pub(crate) fn world() -> World {
    let place = |price: &str| PlaceState { price: Some(money(price)), ..PlaceState::default() };
    World {
        places: [(Address::new(SPOT), place("$1.0069/gpu/h")), (Address::new(ALIYUN), place("$2.80/gpu/h"))]
            .into(),
        tenant_full: false,
    }
}

pub(crate) trait Situation {
    fn with(self, pool: &str, change: impl FnOnce(&mut PlaceState)) -> World;
    fn no_capacity(self, pool: &str) -> World;
    fn no_quota(self, pool: &str) -> World;
    fn admitted(self, pool: &str, at: Second) -> World;
}

impl Situation for World {
    fn with(mut self, pool: &str, change: impl FnOnce(&mut PlaceState)) -> World {
        change(self.places.entry(Address::new(pool)).or_default());
        self
    }

    fn no_capacity(self, pool: &str) -> World {
        self.with(pool, |place| place.capacity = false)
    }

    fn no_quota(self, pool: &str) -> World {
        self.with(pool, |place| place.quota = false)
    }

    fn admitted(self, pool: &str, at: Second) -> World {
        self.with(pool, |place| (place.reserved, place.admitted) = (Some(at), Some(at)))
    }
}

/// Names of the steps that a decision leaves open.
pub(crate) fn open(ladder: &Ladder, decision: &Decision) -> Vec<String> {
    decision.open.iter().map(|step| ladder.rungs[*step].name.clone()).collect()
}

pub(crate) fn admits(decision: &Decision) -> Option<(&str, Option<Second>)> {
    decision.admit.as_ref().map(|Admission { pool, at, .. }| (pool.as_str(), *at))
}

pub(crate) fn why(decision: &Decision) -> String {
    decision.reason.as_ref().map(|why| why.text()).unwrap_or_default()
}

/// A router at a fake clock: decides, and records on the job what is open, as a real one does.
pub(crate) fn step(ladder: &Ladder, job: &mut Job, now: Second, world: &World) -> Decision {
    let decision = decide(ladder, job, now, world);
    if let Some(start) = job.clock.start {
        job.opened = Some(Opened { start, steps: open(ladder, &decision) });
    }
    decision
}
