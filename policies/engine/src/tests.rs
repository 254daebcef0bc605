//! Tests: those inside policies, and the `test` blocks of a fleet.

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::{Host, Scope, Value};
use poolwright_model::program::{Policy, Test};

use crate::assertion::{Held, holds, not_evaluated};
use crate::codes;
use crate::judge::{Verdict, judge_one};

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

/// Runs one `test` block: the first assertion that fails is its failure.
#[must_use]
pub fn run_test(test: &Test, host: &dyn Host) -> TestRun {
    let scope = Scope::default();
    let failure = test.asserts.iter().find_map(|assert| match holds(assert, &scope, host) {
        Held::Yes => None,
        Held::No(failed) => Some(failed.diagnostic(codes::TEST_FAILED, None)),
        Held::Error(inside) => Some(not_evaluated(codes::TEST_ERROR, "the condition", *inside)),
    });
    TestRun { name: test.meta.name.clone(), failure }
}
