//! Judges the policies of a fleet on its objects, and runs the tests that are written beside them.
//!
//! LANGUAGE §6.1: each policy gives one verdict per object; what is unknown counts as the policy says, what fails to
//! evaluate counts as deny, never as pass. This crate evaluates expressions with the one evaluator, knows no
//! target and no price: objects come in as values, and what only the fleet knows is asked of the
//! [`poolwright_expression::Host`].
//!
//! Enter at [`judge`] for a plan, [`run_policy_tests`] and [`run_test`] for tests, [`run_checks`] and
//! [`run_conditions`] for what a fleet says of itself.

mod assertion;
pub mod codes;
mod conditions;
mod judge;
mod report;
mod tests;

pub use conditions::{run_checks, run_conditions};
pub use judge::{Judged, Object, Verdict, judge, judge_one};
pub use report::{Causes, diagnose};
pub use tests::{TestRun, run_policy_tests, run_test};
