//! The tests of a fleet, and what `route explain` shows.

use poolwright_diagnostics::{Diagnostic, suggestion_help};
use poolwright_model::program::Test;
use poolwright_policies::TestRun;

use crate::{Compiled, Loaded, VariableSource, codes, compile};

/// Runs the tests inside policies.
#[must_use]
pub fn run_policy_tests(compiled: &Compiled) -> Vec<TestRun> {
    let view = compiled.view(None, compiled.counts());
    let host = compiled.host(&view);
    poolwright_policies::run_policy_tests(&compiled.program.policies, &host)
}

/// Runs the `test` blocks. `again` loads the fleet with other values of variables.
#[must_use]
pub fn run_tests(compiled: &Compiled, again: &dyn Fn(Vec<VariableSource>) -> Loaded) -> Vec<TestRun> {
    let view = compiled.view(None, compiled.counts());
    let host = compiled.host(&view);
    let run = |test: &Test| {
        if test.variables.is_empty() && test.expect_errors.is_empty() {
            return poolwright_policies::run_test(test, &host);
        }
        let values = test.variables.iter();
        let values = values.map(|(name, value)| {
            VariableSource::Value(name.clone(), value.clone(), test.meta.origin.of("variables"))
        });
        with_variables(test, again(values.collect()))
    };
    compiled.program.tests.iter().map(run).collect()
}

/// Runs a test on the fleet that its variables make.
fn with_variables(test: &Test, loaded: Loaded) -> TestRun {
    let failed = |failure: Diagnostic| TestRun { name: test.meta.name.clone(), failure: Some(failure) };
    let compiled = match compile(loaded, crate::Purpose::Look) {
        Ok(compiled) if test.expect_errors.is_empty() => compiled,
        Ok(_) => return failed(unexpected(test, &[])),
        Err(faulty) => {
            let errors: Vec<Diagnostic> =
                faulty.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
            let is_expected =
                |error: &&Diagnostic| test.expect_errors.iter().any(|code| code == error.code.0);
            let all_come =
                test.expect_errors.iter().all(|code| errors.iter().any(|error| error.code.0 == code));
            let expected = all_come && errors.iter().all(|error| is_expected(&error));
            return if expected && !test.expect_errors.is_empty() {
                TestRun { name: test.meta.name.clone(), failure: None }
            } else {
                failed(unexpected(test, &errors))
            };
        }
    };
    let view = compiled.view(None, compiled.counts());
    let host = compiled.host(&view);
    let same = compiled.program.tests.iter().find(|other| other.meta.name == test.meta.name);
    poolwright_policies::run_test(same.unwrap_or(test), &host)
}

fn unexpected(test: &Test, errors: &[Diagnostic]) -> Diagnostic {
    let list = |codes: Vec<&str>| if codes.is_empty() { "no error".to_owned() } else { codes.join(", ") };
    let found = list(errors.iter().map(|error| error.code.0).collect());
    let wanted = list(test.expect_errors.iter().map(String::as_str).collect());
    let name = &test.meta.name;
    let place = test.meta.origin.of("expect_errors");
    let diagnostic = Diagnostic::error(
        poolwright_policies::codes::UNEXPECTED,
        format!("test \"{name}\" expects {wanted} and gets {found}"),
    )
    .at(place, format!("{wanted} expected"));
    let diagnostic = errors.iter().take(3).fold(diagnostic, |diagnostic, error| {
        diagnostic.with_note(format!("{}: {}", error.code.0, error.message))
    });
    diagnostic.with_help("change the test's `variables`, or the codes in `expect_errors`")
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
