//! `check` blocks, whose failures are warnings, and conditions of blocks, whose failures are errors.

use poolwright_diagnostics::{Diagnostic, Severity};
use poolwright_expression::{Host, Scope, Value};
use poolwright_model::program::{Condition, Test};

use crate::assertion::{Held, holds, not_evaluated};
use crate::codes;

/// What the checks of a fleet find: warnings.
#[must_use]
pub fn run_checks(checks: &[Test], host: &dyn Host) -> Vec<Diagnostic> {
    let scope = Scope::default();
    let mut found = Vec::new();
    for check in checks {
        let of = format!("check \"{}\"", check.meta.name);
        for assert in &check.asserts {
            let diagnostic = match holds(assert, &scope, host) {
                Held::Yes => continue,
                Held::No(failed) => failed
                    .diagnostic(codes::CHECK_FAILED, Some(&of))
                    .with_help("change the fleet so that it holds, or what the check asserts"),
                Held::Error(inside) => {
                    not_evaluated(codes::CONDITION_ERROR, &format!("the condition of {of}"), *inside)
                }
            };
            found.push(Diagnostic { severity: Severity::Warning, ..diagnostic });
        }
    }
    found
}

/// The conditions of blocks that do not hold: errors. What is not known yet is no failure.
#[must_use]
pub fn run_conditions(conditions: &[Condition], host: &dyn Host) -> Vec<Diagnostic> {
    let failure = |condition: &Condition| {
        let of = format!("`{}`", condition.of);
        let this = Value::block(condition.of.kind(), condition.of.as_str());
        let scope = Scope::default().with("self", this);
        let diagnostic = match holds(&condition.assert, &scope, host) {
            Held::Yes => return None,
            Held::No(failed) if !failed.known => return None,
            Held::No(failed) => failed
                .diagnostic(codes::CONDITION_FAILED, Some(&of))
                .with_help(format!("change the block so that it holds, or its {}", condition.kind)),
            Held::Error(inside) => {
                let what = format!("a {} of {of}", condition.kind);
                not_evaluated(codes::CONDITION_ERROR, &what, *inside)
            }
        };
        Some(diagnostic.also(condition.assert.span, format!("a {} of {of}", condition.kind)))
    };
    conditions.iter().filter_map(failure).collect()
}
