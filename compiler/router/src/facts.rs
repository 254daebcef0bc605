//! What a decision is made from: the job, and the world as that job meets it.

use std::collections::BTreeMap;

use poolwright_expression::quantity::Money;
use poolwright_model::Address;

/// Whole seconds since any fixed moment, the same for a job, its world and the clock.
pub type Second = u64;

/// A job that waits or runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Job {
    /// GPUs in all.
    pub gpus: u64,
    /// Nodes, where the job says.
    pub nodes: Option<u64>,
    /// When it became eligible, read from the job.
    pub clock: JobClock,
    /// Steps that are open on it, as recorded on it.
    pub opened: Option<Opened>,
    /// Where it ran before it came back to the queue.
    pub last: Option<LastRun>,
    /// Where it runs now.
    pub running: Option<Running>,
}

/// Steps that are open on a job. Counts only for the clock that it was written for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The clock's start.
    pub start: Second,
    /// Names of the steps that are open.
    pub steps: Vec<String>,
}

/// The run before a job came back to the queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastRun {
    /// The step that it ran on.
    pub step: String,
    /// Whether the nodes under it went away; preemption is not that.
    pub lost: bool,
}

/// The run of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    /// The step that it runs on.
    pub step: String,
    /// The pool or lot of that step.
    pub pool: Address,
}

/// When a job waits, as the job itself tells it (LANGUAGE §5.1). The router remembers none of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobClock {
    /// When it was submitted. Nothing resets it.
    pub first_seen: Second,
    /// When its clock started; none: it is held, or not eligible yet.
    pub start: Option<Second>,
    /// 1, and one more each time that it comes back after it had been ready.
    pub attempt: u32,
    /// Seconds that it has run in earlier attempts.
    pub ran: u64,
}

/// What happened to a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// It was submitted and may start.
    Submitted(Second),
    /// It was put on hold.
    Held(Second),
    /// The hold was released.
    Released(Second),
    /// Its dependencies are met, or its begin time is reached.
    Eligible(Second),
    /// It was ready: all of its pods, all of its nodes ran.
    Ready(Second),
    /// It is in the queue again: preempted, lost its nodes, or provisioning failed.
    Requeued(Second),
}

impl JobClock {
    /// The clock after these events, in their order. It starts anew when a hold is released, and when a job that had
    /// been ready comes back. A job that comes back before it was ready keeps its clock.
    #[must_use]
    pub fn read(events: &[Event]) -> Self {
        let mut clock = Self { attempt: 1, ..Self::default() };
        let mut ready: Option<Second> = None;
        for event in events {
            match *event {
                Event::Submitted(at) => (clock.first_seen, clock.start) = (at, Some(at)),
                Event::Held(_) => clock.start = None,
                Event::Released(at) | Event::Eligible(at) => clock.start = Some(at),
                Event::Ready(at) => ready = Some(at),
                Event::Requeued(at) => {
                    if let Some(since) = ready.take() {
                        clock.ran = clock.ran.saturating_add(at.saturating_sub(since));
                        clock.attempt = clock.attempt.saturating_add(1);
                        clock.start = clock.start.map(|_| at);
                    }
                }
            }
        }
        clock
    }
}

/// The world as one job of one tenant meets it. A pool that is not listed has room and no known price.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct World {
    /// By pool or lot, as the ladder names it.
    pub places: BTreeMap<Address, PlaceState>,
    /// Whether the tenant holds `max_gpus`: then there is no quota anywhere.
    pub tenant_full: bool,
}

/// A place as a job meets it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceState {
    /// Guarantee or borrowing is left for the job.
    pub quota: bool,
    /// Nodes are there or will come.
    pub capacity: bool,
    /// What a GPU-hour costs now; none: not known. In the unit of [`crate::Cap`].
    pub price: Option<Money>,
    /// When quota was reserved for the job here, if it still is.
    pub reserved: Option<Second>,
    /// When it was admitted here, if it still is.
    pub admitted: Option<Second>,
    /// When it was ready here, if it still is.
    pub ready: Option<Second>,
    /// When making nodes failed here last, if nothing was tried again since.
    pub failed: Option<Second>,
    /// Since when the place has had room for the job without a break.
    pub room_since: Option<Second>,
}

impl Default for PlaceState {
    fn default() -> Self {
        Self {
            quota: true,
            capacity: true,
            price: None,
            reserved: None,
            admitted: None,
            ready: None,
            failed: None,
            room_since: None,
        }
    }
}
