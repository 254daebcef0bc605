//! Where a job may try to run, from when on, and why not: the decisions of routes.
//!
//! [`decide`] is a pure function of a queue's [`Ladder`], a [`Job`], a second and a [`World`]: it reads no clock,
//! keeps no memory and calls nobody. Whoever runs it (the router, a simulator, a test block) observes the world and
//! carries the decision out. Everything that must outlive a router is on the job: the start of its clock, and which
//! steps are open.
//!
//! Enter at [`decide`]; [`explain`] gives a ladder to show, [`decide_call`] is the language's function `decide`.

mod call;
pub mod codes;
mod decide;
mod explain;
mod facts;
mod ladder;

pub use call::decide_call;
pub use decide::{Admission, Blocked, Decision, Opening, ROOM_BEFORE_RETURN, Why, decide, openings};
pub use explain::{ExplainedPlace, ExplainedStep, Explanation, explain};
pub use facts::{Event, Job, JobClock, LastRun, Opened, PlaceState, Running, Second, World};
pub use ladder::{Cap, Ladder, Place, Rung};
