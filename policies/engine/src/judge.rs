//! Verdicts of policies on objects.

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::{Host, Scope, Value, evaluate, reference_values};
use poolwright_model::program::{Policy, PolicySeverity, Subject};
use poolwright_model::{Address, Origin};

/// An object that policies are judged on.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its address; `plan` for the plan as a whole.
    pub address: String,
    /// What `self` is.
    pub value: Value,
    /// Where it was written; the default for the plan and for changes without a block.
    pub origin: Origin,
}

/// What a policy says of an object (LANGUAGE §6.1).
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// `when` is false.
    NotApplicable,
    /// `require` is true.
    Pass,
    /// `require` is false.
    Violation,
    /// `when` or `require` is unknown.
    Unknown,
    /// Evaluation failed: counts as deny.
    Error(Box<Diagnostic>),
}

impl Verdict {
    /// As JSON and messages spell it.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::NotApplicable => "not-applicable",
            Self::Pass => "pass",
            Self::Violation => "violation",
            Self::Unknown => "unknown",
            Self::Error(_) => "error",
        }
    }
}

/// A policy's verdict on one object, with what a reader needs to believe it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The policy.
    pub policy: Address,
    /// The object's address.
    pub object: String,
    /// The verdict.
    pub verdict: Verdict,
    /// What it counts as; none on pass and not-applicable.
    pub severity: Option<PolicySeverity>,
    /// The policy's message, with the values in it.
    pub message: Option<String>,
    /// The references in `require`: where, as written, their values.
    pub values: Vec<(Span, String, Value)>,
}

/// Judges every policy on every object of its subject, in the order of policies, then objects.
#[must_use]
pub fn judge(
    policies: &[Policy],
    objects: &dyn Fn(Subject) -> Vec<Object>,
    names: &Scope,
    host: &dyn Host,
) -> Vec<Judged> {
    policies
        .iter()
        .flat_map(|policy| {
            let objects = objects(policy.subject);
            objects
                .into_iter()
                .map(move |object| judge_one(policy, &object.address, &object.value, names, host))
        })
        .collect()
}

/// Judges one policy on one object. `names` binds `plan` and `now`.
#[must_use]
pub fn judge_one(policy: &Policy, address: &str, value: &Value, names: &Scope, host: &dyn Host) -> Judged {
    let scope = names.with("self", value.clone());
    let verdict = verdict(policy, &scope, host);
    let severity = match &verdict {
        Verdict::NotApplicable | Verdict::Pass => None,
        Verdict::Violation => Some(policy.severity),
        Verdict::Unknown => Some(policy.on_unknown),
        Verdict::Error(_) => Some(PolicySeverity::Deny),
    };
    let (message, values) = if severity.is_some() {
        (message(policy, &scope, host), reference_values(&policy.require, &scope, host))
    } else {
        (None, Vec::new())
    };
    Judged {
        policy: policy.meta.address.clone(),
        object: address.to_owned(),
        verdict,
        severity,
        message,
        values,
    }
}

fn verdict(policy: &Policy, scope: &Scope, host: &dyn Host) -> Verdict {
    if let Some(when) = &policy.when {
        match truth(evaluate(when, scope, host), when.span) {
            Ok(Some(true)) => {}
            Ok(Some(false)) => return Verdict::NotApplicable,
            Ok(None) => return Verdict::Unknown,
            Err(diagnostic) => return Verdict::Error(diagnostic),
        }
    }
    match truth(evaluate(&policy.require, scope, host), policy.require.span) {
        Ok(Some(true)) => Verdict::Pass,
        Ok(Some(false)) => Verdict::Violation,
        Ok(None) => Verdict::Unknown,
        Err(diagnostic) => Verdict::Error(diagnostic),
    }
}

/// True, false, or none for unknown.
pub(crate) fn truth(
    value: Result<Value, Box<Diagnostic>>,
    span: Span,
) -> Result<Option<bool>, Box<Diagnostic>> {
    match value? {
        Value::Bool(truth) => Ok(Some(truth)),
        Value::Unknown(_) => Ok(None),
        Value::Sensitive(inside) => truth(Ok(*inside), span),
        other => Err(Box::new(
            Diagnostic::error(
                poolwright_expression::codes::WRONG_TYPE,
                format!("a condition is true or false, found {}", other.type_name()),
            )
            .at(span, "neither true nor false")
            .with_help("compare it with something: `… == …`, `… <= …`, `… != null`"),
        )),
    }
}

/// The text of a template; what cannot be shown is said to be so, for a verdict must not be lost over its message.
fn message(policy: &Policy, scope: &Scope, host: &dyn Host) -> Option<String> {
    Some(text(evaluate(&policy.message, scope, host)))
}

pub(crate) fn text(value: Result<Value, Box<Diagnostic>>) -> String {
    match value {
        Ok(Value::String(text)) => text.to_string(),
        Ok(Value::Unknown(_)) => "(the message has an unknown part)".to_owned(),
        Ok(other) => other.to_string(),
        Err(diagnostic) => format!("(the message could not be made: {})", diagnostic.message),
    }
}
