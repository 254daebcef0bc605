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
    let name = queue.strip_prefix("queue.").or(queue.strip_prefix("route.")).unwrap_or(queue);
    let found = fleet.queues.values().find(|queue| queue.meta.address.label() == name);
    match found {
        Some(found) => Ok(poolwright_router::explain(fleet, &compiled.prices, found)),
        None => {
            let label = poolwright_model::Address::label;
            if let Some(route) = fleet.routes.keys().find(|route| label(route) == name) {
                let message = format!("`{name}` is a route, and there is no queue of this name");
                let diagnostic = Diagnostic::error(codes::NO_ROUTE, message);
                let takers = fleet.queues.values().filter(|queue| queue.route.as_ref() == Some(route));
                let takers: Vec<String> =
                    takers.map(|queue| format!("`{}`", queue.meta.address.label())).collect();
                return Err(Box::new(match takers.as_slice() {
                    [] => diagnostic.with_help("no queue takes it: give a queue this `route`"),
                    takers => {
                        diagnostic.with_help(format!("name a queue that takes it: {}", takers.join(", ")))
                    }
                }));
            }
            let diagnostic = Diagnostic::error(codes::NO_ROUTE, format!("there is no queue `{name}`"));
            let known: Vec<&str> = fleet.queues.keys().map(label).collect();
            Err(Box::new(match suggestion_help("queue", name, known.iter().copied()) {
                Some(help) => diagnostic.with_help(help),
                None if known.is_empty() => {
                    diagnostic.with_help("the fleet has no queue yet: add a `queue` block")
                }
                None => diagnostic.with_help(format!("the fleet's queues: {}", known.join(", "))),
            }))
        }
    }
}
