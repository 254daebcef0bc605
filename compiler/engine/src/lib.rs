//! From what is wanted and what is there to a plan, and from a plan to what is wanted.
//!
//! [`diff`](diff()) compares one target, [`assemble`](assemble()) puts a plan together with the digest that people approve,
//! [`saved`] writes and reads it, [`apply`](apply()) carries it out over a [`poolwright_target::Backend`] and tells an
//! [`Observer`]. All but the last are pure. This crate names no kind of target, prints nothing, and reads no clock.
//!
//! Enter at [`diff`](diff()), then [`assemble`](assemble()), then [`apply`](apply()):
//!
//! ```text
//! lower -> Directory::observe -> diff -> assemble -> (policies judge, seal) -> apply
//! ```

pub mod apply;
pub mod assemble;
pub mod codes;
pub mod diff;
mod fields;
pub mod order;
pub mod saved;
pub mod stale;
pub mod state;

pub use apply::{Event, Observer, Report, Site, apply};
pub use assemble::{Guards, Parts, assemble, guard, seal};
pub use diff::{Difference, Sides, diff};
