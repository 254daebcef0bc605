//! The tests of a fleet, and what `route explain` shows.

use poolwright_diagnostics::{Diagnostic, suggestion_help};
use poolwright_policies::TestRun;

use crate::host::FleetHost;
use crate::{Compiled, codes};

/// Runs the tests inside policies.
#[must_use]
pub fn run_policy_tests(compiled: &Compiled) -> Vec<TestRun> {
    let view = compiled.view(None, compiled.counts());
    let host = FleetHost { fleet: &compiled.fleet, prices: &compiled.prices, view: &view };
    poolwright_policies::run_policy_tests(&compiled.program.policies, &host)
}

/// Runs the `test` blocks.
#[must_use]
pub fn run_tests(compiled: &Compiled) -> Vec<TestRun> {
    let view = compiled.view(None, compiled.counts());
    let host = FleetHost { fleet: &compiled.fleet, prices: &compiled.prices, view: &view };
    poolwright_policies::run_tests(&compiled.program.tests, &host)
}

/// The ladder of a queue.
///
/// # Errors
/// There is no such queue.
pub fn explain_route(
    compiled: &Compiled,
    queue: &str,
) -> Result<poolwright_router::Explanation, Box<Diagnostic>> {
    let fleet = &compiled.fleet;
    let name = queue.strip_prefix("queue.").unwrap_or(queue);
    let found = fleet.queues.values().find(|queue| queue.meta.address.label() == name);
    match found {
        Some(found) => Ok(poolwright_router::explain(fleet, &compiled.prices, found)),
        None => {
            let diagnostic = Diagnostic::error(codes::NO_ROUTE, format!("there is no queue `{name}`"));
            let known = fleet.queues.keys().map(poolwright_model::Address::label);
            Err(Box::new(match suggestion_help("queue", name, known) {
                Some(help) => diagnostic.with_help(help),
                None => diagnostic.with_help("jobs are explained when the router runs; today queues are"),
            }))
        }
    }
}
