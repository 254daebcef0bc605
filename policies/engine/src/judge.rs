//! Verdicts of policies on objects.

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::quantity::{Money, Quantity};
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
    /// `require` is false, and an exception that has not ended lets this object be.
    Exempt(String),
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
            Self::Exempt(_) => "exempt",
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
        Verdict::NotApplicable | Verdict::Pass | Verdict::Exempt(_) => None,
        Verdict::Violation => Some(policy.severity),
        Verdict::Unknown => Some(policy.on_unknown),
        Verdict::Error(_) => Some(PolicySeverity::Deny),
    };
    let exempt = matches!(verdict, Verdict::Exempt(_));
    let (message, values) = if severity.is_some() || exempt {
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
        Ok(Some(false)) => exempted(policy, scope, host),
        Ok(None) => Verdict::Unknown,
        Err(diagnostic) => Verdict::Error(diagnostic),
    }
}

/// What becomes of a violation: exempt, if an exception matches the object, has not ended, and its cap holds. What is
/// not known lets nothing be.
fn exempted(policy: &Policy, scope: &Scope, host: &dyn Host) -> Verdict {
    let today = match scope.get("now") {
        Some(Value::Quantity(Quantity::Date(today))) => Some(*today),
        _ => None,
    };
    for exempt in &policy.exempts {
        // Both days count; without a day, as in a test that gives none, nothing has ended.
        if today.is_some_and(|today| today > exempt.until) {
            continue;
        }
        match truth(evaluate(&exempt.matches, scope, host), exempt.matches.span) {
            Ok(Some(true)) => {}
            Ok(_) => continue,
            Err(diagnostic) => return Verdict::Error(diagnostic),
        }
        let holds = exempt.max_monthly.as_ref().is_none_or(|most| {
            ceiling(scope.get("self"))
                .is_some_and(|cost| cost.compare(most).is_ok_and(std::cmp::Ordering::is_le))
        });
        if holds {
            return Verdict::Exempt(exempt.meta.name.clone());
        }
    }
    Verdict::Violation
}

/// What an object costs a month at most; of a plan what the fleet costs after it.
fn ceiling(object: Option<&Value>) -> Option<Money> {
    let cost = object?.get("cost")?;
    let cost = cost.get("after").unwrap_or(cost);
    match cost.get("monthly")?.get("ceiling")? {
        Value::Quantity(Quantity::Money(money)) => Some(money.clone()),
        _ => None,
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

#[cfg(test)]
mod tests {
    use poolwright_expression::quantity::Date;
    use poolwright_expression::{BlockRef, Expr, ExprKind, Symbol};
    use poolwright_model::Meta;
    use poolwright_model::program::{Enforce, Exempt};

    use super::*;

    /// Nothing is asked of it.
    struct NoHost;

    impl Host for NoHost {
        fn symbol(&self, _: &Symbol, span: Span) -> Result<Value, Box<Diagnostic>> {
            Err(nothing(span))
        }
        fn attribute(&self, _: &BlockRef, _: &str, span: Span) -> Result<Value, Box<Diagnostic>> {
            Err(nothing(span))
        }
        fn call(&self, _: &str, _: &[Value], _: Span) -> Option<Result<Value, Box<Diagnostic>>> {
            None
        }
    }

    fn nothing(span: Span) -> Box<Diagnostic> {
        let code = poolwright_expression::codes::WRONG_TYPE;
        Box::new(Diagnostic::error(code, "there is nothing").at(span, "here"))
    }

    fn literal(value: Value) -> Expr {
        Expr { kind: ExprKind::Literal(value), span: Span::default() }
    }

    /// A policy that everything violates, with one exception.
    fn policy(matches: Value, max_monthly: Option<&str>) -> Policy {
        let exempt = Exempt {
            meta: Meta { name: "once".to_owned(), ..Meta::default() },
            matches: literal(matches),
            until: Date::parse("2027-03-31").unwrap(),
            owner: "mlops".to_owned(),
            ticket: None,
            max_monthly: max_monthly.map(|text| Money::parse(text).unwrap()),
        };
        Policy {
            meta: Meta::default(),
            subject: Subject::Pool,
            when: None,
            require: literal(Value::Bool(false)),
            severity: PolicySeverity::Deny,
            on_unknown: PolicySeverity::Deny,
            approvers: Vec::new(),
            quorum: 1,
            message: literal(Value::string("no")),
            remedy: None,
            enforce: vec![Enforce::Plan],
            exempts: vec![exempt],
            tests: Vec::new(),
        }
    }

    fn judged(
        policy: &Policy,
        today: Option<&str>,
        ceiling: Value,
    ) -> (&'static str, Option<PolicySeverity>) {
        let cost = Value::object([("monthly", Value::object([("ceiling", ceiling)]))]);
        let object = Value::object([("cost", cost)]);
        let now = today.map_or(Value::Null, |day| Value::quantity(Date::parse(day).unwrap()));
        let names = Scope::default().with("now", now);
        let judged = judge_one(policy, "pool.x", &object, &names, &NoHost);
        (judged.verdict.as_str(), judged.severity)
    }

    #[test]
    fn an_exception_lets_be_until_its_last_day_and_up_to_its_cap() {
        let dollars = |text: &str| Value::quantity(Money::parse(text).unwrap());
        let (exempt, violation) = (("exempt", None), ("violation", Some(PolicySeverity::Deny)));
        let yes = policy(Value::Bool(true), Some("$1000/month"));
        let unknown = || Value::Unknown(poolwright_expression::Type::Any);
        for (policy, today, ceiling, expected) in [
            (&yes, Some("2027-03-31"), dollars("$1000/month"), exempt),
            (&yes, Some("2027-04-01"), dollars("$1000/month"), violation),
            (&yes, None, dollars("$1000/month"), exempt),
            (&yes, Some("2027-03-31"), dollars("$1000.01/month"), violation),
            (&yes, Some("2027-03-31"), unknown(), violation),
            (&policy(Value::Bool(false), None), Some("2027-01-01"), unknown(), violation),
            (&policy(unknown(), None), Some("2027-01-01"), unknown(), violation),
            (&policy(Value::Bool(true), None), Some("2027-01-01"), unknown(), exempt),
            (
                &policy(Value::string("yes"), None),
                Some("2027-01-01"),
                unknown(),
                ("error", Some(PolicySeverity::Deny)),
            ),
        ] {
            assert_eq!(judged(policy, today, ceiling.clone()), expected, "{today:?} {ceiling}");
        }
    }
}
