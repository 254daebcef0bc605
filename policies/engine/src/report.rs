//! Verdicts as diagnostics: the policy's line, the configuration's line, and the values.

use std::collections::BTreeMap;

use poolwright_diagnostics::{Diagnostic, Severity, Span};
use poolwright_expression::Value;
use poolwright_model::program::{Policy, PolicySeverity};
use poolwright_model::{Address, Origin};

use crate::codes;
use crate::judge::{Judged, Verdict};

/// What made a value what it is: given an object's address and a reference such as `self.cost.monthly.ceiling`, the
/// place of the one attribute behind it, a few words on it, and a value that would satisfy the rule, if one is known.
pub type Causes<'a> = dyn Fn(&str, &str) -> Option<(Span, String, Option<String>)> + 'a;

/// Diagnostics of all verdicts that count for something.
///
/// `origin` says where an object was written.
#[must_use]
pub fn diagnose(
    policies: &[Policy],
    judged: &[Judged],
    origin: &dyn Fn(&str) -> Option<Origin>,
    cause: &Causes<'_>,
) -> Vec<Diagnostic> {
    let by_address: BTreeMap<&Address, &Policy> =
        policies.iter().map(|policy| (&policy.meta.address, policy)).collect();
    judged
        .iter()
        .filter_map(|judged| {
            let policy = by_address.get(&judged.policy)?;
            let severity = judged.severity?;
            Some(one(policy, judged, severity, origin, cause))
        })
        .collect()
}

fn one(
    policy: &Policy,
    judged: &Judged,
    severity: PolicySeverity,
    origin: &dyn Fn(&str) -> Option<Origin>,
    cause: &Causes<'_>,
) -> Diagnostic {
    let name = &policy.meta.name;
    let object = &judged.object;
    if let Verdict::Error(inside) = &judged.verdict {
        let mut diagnostic = Diagnostic::error(
            codes::NO_VERDICT,
            format!("policy \"{name}\" cannot judge `{object}`: {}", inside.message),
        );
        diagnostic.labels.clone_from(&inside.labels);
        diagnostic.values.clone_from(&inside.values);
        diagnostic.helps.clone_from(&inside.helps);
        return diagnostic.with_note("what cannot be judged is denied, never let through");
    }
    let unknown = judged.verdict == Verdict::Unknown;
    let (code, level, verb) = match severity {
        PolicySeverity::Deny => (codes::DENIED, Severity::Error, "denies"),
        PolicySeverity::Approve => (codes::APPROVAL, Severity::Error, "asks for an approval of"),
        PolicySeverity::Warn => (codes::WARNED, Severity::Warning, "warns of"),
        PolicySeverity::Info | PolicySeverity::Defer => (codes::INFORMED, Severity::Note, "remarks on"),
    };
    let why = if unknown { ": its rule is unknown" } else { "" };
    let mut diagnostic = Diagnostic::error(code, format!("policy \"{name}\" {verb} `{object}`{why}"));
    diagnostic.severity = level;
    let mut fits = None;
    let mut marked = false;
    for (_, text, _) in &judged.values {
        if let Some((span, words, fit)) = cause(object, text) {
            diagnostic = diagnostic.at(span, words);
            fits = fits.or(fit);
            marked = true;
        }
    }
    if !marked && let Some(origin) = origin(object) {
        for (_, text, value) in &judged.values {
            let written = text.strip_prefix("self.").filter(|path| origin.wrote(path));
            if let Some(path) = written {
                diagnostic = diagnostic.at(origin.of(path), shown(value));
                marked = true;
            }
        }
        if !marked {
            diagnostic = diagnostic.at(origin.header, "this one");
        }
    }
    for (span, text, value) in &judged.values {
        diagnostic = diagnostic.also(*span, shown(value)).with_value(text.clone(), shown(value));
    }
    if judged.values.is_empty() {
        diagnostic = diagnostic.also(policy.require.span, "the rule");
    }
    if let Some(message) = &judged.message {
        diagnostic = diagnostic.with_note(message.clone());
    }
    if severity == PolicySeverity::Approve {
        let who = policy.approvers.join(", ");
        diagnostic = diagnostic.with_note(if who.is_empty() {
            "an approval is needed; the policy names no approvers".to_owned()
        } else {
            format!("{} approval of {who} is needed", policy.quorum)
        });
    }
    for help in [&policy.remedy, &fits].into_iter().flatten() {
        diagnostic = diagnostic.with_help(help.clone());
    }
    let stops = matches!(severity, PolicySeverity::Deny | PolicySeverity::Approve);
    if stops && !unknown && diagnostic.helps.is_empty() {
        let rule = "change what is marked, so that the rule holds";
        diagnostic =
            diagnostic.with_help(format!("{rule}; the policy's `remedy` can say how, in its own words"));
    }
    diagnostic
}

fn shown(value: &Value) -> String {
    if let Value::Unknown(_) = value { "unknown".to_owned() } else { value.to_string() }
}
