//! Assembles the flow: folder → trees → fleet → prices → layout → objects → plan → verdicts → apply.
//!
//! The one facade for the command line, the tests and every other front: what happens in which order is written here
//! and nowhere else. It prints nothing and reads no clock: files come in through
//! [`poolwright_target::files::Files`], the day through [`Clock`].
//!
//! Enter at [`load`], then [`compile`] (or [`check`], where only faults are wanted), then [`plan`]. [`fix`](fn@fix)
//! edits what can be mended.

mod allow;
mod apply;
mod cause;
pub mod codes;
mod compile;
mod console;
mod days;
mod fix;
mod folder;
mod former;
mod git;
mod host;
mod load;
mod lock;
mod locking;
mod modules;
mod outputs;
mod plan;
mod renamed;
mod targets;
mod tests;
mod variables;

use poolwright_expression::quantity::{Date, Version};

pub use apply::apply;
pub use compile::{Compiled, Counts, Faulty, Purpose, check, compile};
pub use console::{Answers, console};
pub use fix::{Done, Fixed, Rewritten, fix};
pub use former::gone_from;
pub use load::{ENDING, Loaded, load};
pub use lock::{LOCK_FILE, Lock, Repository};
pub use locking::{Fetch, Locked, lock};
pub use plan::{Planned, plan, program_name};
pub use targets::kind;
pub use tests::{explain_route, run_policy_tests, run_tests};
pub use variables::VariableSource;

/// What day it is; asked once per plan.
pub trait Clock {
    /// Today, UTC.
    fn today(&self) -> Option<Date>;
}

/// The version of this program.
#[must_use]
pub fn version() -> Version {
    Version::parse(env!("CARGO_PKG_VERSION")).unwrap_or(Version { text: String::from("0"), parts: vec![0] })
}
