//! Tests: those inside policies, and the `test` blocks of a fleet.

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::{Host, Scope, Value, evaluate, reference_values};
use poolwright_model::program::{Policy, Test};

use crate::codes;
use crate::judge::{Verdict, judge_one, text, truth};

/// A test and how it went.
#[derive(Clone, Debug)]
pub struct TestRun {
    /// `policy.tenant-budget: over budget`, or the test's own sentence.
    pub name: String,
    /// Why it failed; none: it passed.
    pub failure: Option<Diagnostic>,
}

/// Runs the tests inside policies.
#[must_use]
pub fn run_policy_tests(policies: &[Policy], host: &dyn Host) -> Vec<TestRun> {
    let mut runs = Vec::new();
    for policy in policies {
        for test in &policy.tests {
            let part = |name: &str| test.given.get(name).cloned().unwrap_or(Value::Null);
            let names = Scope::default().with("plan", part("plan")).with("now", part("now"));
            let judged = judge_one(policy, &test.meta.name, &part("self"), &names, host);
            let found = match (&judged.verdict, judged.severity) {
                // A violation is named by what it counts as; an unknown is named unknown.
                (Verdict::Violation, Some(severity)) => severity.as_str(),
                (verdict, _) => verdict.as_str(),
            };
            let failure = (found != test.expect).then(|| {
                let name = &policy.meta.name;
                let message = format!(
                    "policy \"{name}\" gives {found} in its test \"{}\", not {}",
                    test.meta.name, test.expect
                );
                let mut diagnostic = Diagnostic::error(codes::POLICY_TEST_FAILED, message)
                    .at(test.meta.origin.of("expect"), format!("{} expected", test.expect));
                for (span, text, value) in &judged.values {
                    diagnostic =
                        diagnostic.also(*span, value.to_string()).with_value(text.clone(), value.to_string());
                }
                if let Verdict::Error(inside) = &judged.verdict {
                    diagnostic = diagnostic.with_note(inside.message.clone());
                }
                diagnostic
            });
            runs.push(TestRun { name: format!("{}: {}", policy.meta.address, test.meta.name), failure });
        }
    }
    runs
}

/// Runs `test` blocks: each assertion of one, the first that fails is its failure.
#[must_use]
pub fn run_tests(tests: &[Test], host: &dyn Host) -> Vec<TestRun> {
    let run = |test: &Test| {
        let failure = test.asserts.iter().find_map(|assert| {
            let scope = Scope::default();
            let found = truth(evaluate(&assert.condition, &scope, host), assert.condition.span);
            let message = || text(evaluate(&assert.error_message, &scope, host));
            let fault = match found {
                Ok(Some(true)) => return None,
                Ok(Some(false)) => {
                    Diagnostic::error(codes::TEST_FAILED, message()).at(assert.condition.span, "is false")
                }
                Ok(None) => {
                    Diagnostic::error(codes::TEST_FAILED, message()).at(assert.condition.span, "is unknown")
                }
                Err(inside) => {
                    let message = format!("the condition cannot be evaluated: {}", inside.message);
                    let mut diagnostic = Diagnostic::error(codes::TEST_ERROR, message);
                    diagnostic.labels.clone_from(&inside.labels);
                    diagnostic.helps.clone_from(&inside.helps);
                    return Some(diagnostic);
                }
            };
            let values = reference_values(&assert.condition, &scope, host);
            Some(
                values
                    .into_iter()
                    .fold(fault, |fault, (_, text, value)| fault.with_value(text, value.to_string())),
            )
        });
        TestRun { name: test.meta.name.clone(), failure }
    };
    tests.iter().map(run).collect()
}
