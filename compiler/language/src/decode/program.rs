//! `policy`, `test`, `check` and `output` blocks and conditions: their expressions are kept, to be evaluated when
//! prices and layout exist.

use std::sync::Arc;

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::quantity::Quantity;
use poolwright_expression::{Expr, Value};
use poolwright_model::Address;
use poolwright_model::program::{
    Assert, Condition, Enforce, Exempt, Output, Policy, PolicySeverity, PolicyTest, Program, Subject, Test,
};
use poolwright_syntax::tree;

use super::statements;
use crate::codes;
use crate::instances::Block;
use crate::subject;
use crate::typed;
use crate::values::{Attributes, Values, meta};

/// What policies may name beside blocks (LANGUAGE §2).
const POLICY_NAMES: [&str; 3] = ["self", "plan", "now"];

/// Decodes all that is evaluated last, and what is said of addresses.
pub(super) fn program(values: &Values<'_, '_>) -> Program {
    Program {
        policies: all(values, "policy", policy),
        tests: all(values, "test", test),
        checks: all(values, "check", test),
        outputs: all(values, "output", output),
        conditions: conditions(values),
        moved: all(values, "moved", statements::moved),
        removed: all(values, "removed", statements::removed),
        imports: all(values, "import", statements::import),
    }
}

/// Everything of one kind of block.
fn all<'t, T>(
    values: &Values<'_, 't>,
    kind: &str,
    decode: fn(&Values<'_, 't>, &Block<'t>) -> Option<T>,
) -> Vec<T> {
    let blocks = values.blocks.of_kind(kind);
    blocks.iter().filter_map(|block| values.within(block, || decode(values, block))).collect()
}

/// Conditions of all blocks, and of the blocks in them.
fn conditions(values: &Values<'_, '_>) -> Vec<Condition> {
    let mut found = Vec::new();
    for (_, module) in values.blocks.modules() {
        for declared in module.declared.top.keys() {
            for block in module.known(declared).into_iter().flat_map(|known| &known.blocks) {
                values.within(block, || conditions_of(values, block, &mut found));
            }
        }
    }
    found.sort_by(|a, b| (&a.of, a.kind).cmp(&(&b.of, b.kind)));
    found
}

fn conditions_of<'t>(values: &Values<'_, 't>, block: &Block<'t>, found: &mut Vec<Condition>) {
    for child in block.children() {
        let Some(kind) = child.schema.kind.strip_prefix("meta.") else {
            conditions_of(values, child, found);
            continue;
        };
        let kind = if kind == "precondition" { "precondition" } else { "postcondition" };
        let of = Address::new(block.address.clone());
        found.extend(assert(values, child, &["self"]).map(|assert| Condition { of, kind, assert }));
    }
}

fn output<'t>(values: &Values<'_, 't>, block: &Block<'t>) -> Option<Output> {
    let attributes = values.attributes(block);
    let constraint = values.constraint(block)?;
    let value = values.late(&block.attribute("value")?.value, block, &[], Some(&constraint.ty))?;
    let value = sound(values, value, None)?;
    attributes.complete.then(|| Output {
        module: values.blocks.module(block.module).path.to_string(),
        name: block.label.to_string(),
        description: word(&attributes, "description").map(|text| text.to_string()),
        value,
        ty: (constraint.ty, constraint.defaults),
        sensitive: attributes.values.get("sensitive") == Some(&Value::Bool(true)),
        span: block.tree.header,
    })
}

/// An expression to be evaluated last, without certain faults. `subject`: what `self` is.
fn checked<'t>(
    values: &Values<'_, 't>,
    written: &tree::Expr,
    block: &Block<'t>,
    bound: &[&str],
    subject: Option<Subject>,
) -> Option<Expr> {
    sound(values, values.late(written, block, bound, None)?, subject)
}

/// The same of an expression whose names are resolved.
fn sound(values: &Values<'_, '_>, expr: Expr, subject: Option<Subject>) -> Option<Expr> {
    let faults = typed::check(&expr, subject);
    let sound = faults.is_empty();
    faults.into_iter().for_each(|fault| values.report(fault));
    sound.then_some(expr)
}

/// A block with `condition` and `error_message`.
fn assert<'t>(values: &Values<'_, 't>, block: &Block<'t>, bound: &[&str]) -> Option<Assert> {
    let attributes = values.attributes(block);
    let expression = |name: &str| checked(values, &block.attribute(name)?.value, block, bound, None);
    let (condition, error_message) = (expression("condition"), expression("error_message"));
    attributes.complete.then_some(())?;
    Some(Assert { span: block.tree.header, condition: condition?, error_message: error_message? })
}

fn word(attributes: &Attributes, name: &str) -> Option<Arc<str>> {
    if let Some(Value::String(text)) = attributes.values.get(name) { Some(text.clone()) } else { None }
}

fn severity(word: &str) -> Option<PolicySeverity> {
    let all = [
        PolicySeverity::Defer,
        PolicySeverity::Info,
        PolicySeverity::Warn,
        PolicySeverity::Approve,
        PolicySeverity::Deny,
    ];
    all.into_iter().find(|severity| severity.as_str() == word)
}

fn policy<'t>(values: &Values<'_, 't>, block: &Block<'t>) -> Option<Policy> {
    let attributes = values.attributes(block);
    if !attributes.complete {
        return None;
    }
    let head = meta(block, &attributes);
    let word = |name: &str| word(&attributes, name);
    let subject =
        Subject::ALL.into_iter().find(|subject| Some(subject.as_str()) == word("subject").as_deref())?;
    let expression = |name: &str| -> Option<Option<Expr>> {
        let Some(written) = block.attribute(name) else { return Some(None) };
        checked(values, &written.value, block, &POLICY_NAMES, Some(subject)).map(Some)
    };
    let (when, require, message) = (expression("when"), expression("require"), expression("message"));
    let severity_word = severity(&word("severity")?)?;
    let approvers: Vec<String> = match attributes.values.get("approvers") {
        Some(Value::List(names)) => names
            .iter()
            .filter_map(|name| if let Value::String(text) = name { Some(text.to_string()) } else { None })
            .collect(),
        _ => Vec::new(),
    };
    if severity_word == PolicySeverity::Approve && approvers.is_empty() {
        values.report(
            Diagnostic::error(
                codes::POLICY_FACTS,
                format!("`{}` asks for approval and does not say whose", block.address),
            )
            .at(head.origin.of("severity"), "needs `approvers`")
            .with_help("add `approvers = [\"group:…\"]`"),
        );
    }
    let quorum = match attributes.values.get("quorum") {
        Some(Value::Number(number)) => {
            number.to_u64().and_then(|number| u32::try_from(number).ok()).unwrap_or(1)
        }
        _ => 1,
    };
    let tests = block.children_of("test").filter_map(|child| policy_test(values, child, subject)).collect();
    let enforce = match attributes.values.get("enforce") {
        Some(Value::List(words)) => words.iter().filter_map(enforced).collect(),
        _ => vec![Enforce::Plan],
    };
    let children: Vec<&Arc<Block<'_>>> = block.children_of("exempt").collect();
    let exempts: Vec<Exempt> = children.iter().filter_map(|child| exempt(values, child, subject)).collect();
    if exempts.len() < children.len() {
        return None;
    }
    Some(Policy {
        subject,
        enforce,
        exempts,
        when: when?,
        require: require??,
        message: message??,
        severity: severity_word,
        on_unknown: word("on_unknown").as_deref().and_then(severity).unwrap_or(severity_word),
        approvers,
        quorum,
        remedy: word("remedy").map(|text| text.to_string()),
        tests,
        meta: head,
    })
}

fn enforced(word: &Value) -> Option<Enforce> {
    let all = [Enforce::Plan, Enforce::Admission, Enforce::Reconcile];
    all.into_iter().find(|enforce| *word == Value::string(enforce.as_str()))
}

/// An exception: which objects, until when, who answers for it.
fn exempt<'t>(values: &Values<'_, 't>, block: &Block<'t>, subject: Subject) -> Option<Exempt> {
    let attributes = values.attributes(block);
    if !attributes.complete {
        return None;
    }
    let written = &block.attribute("match")?.value;
    let matches = checked(values, written, block, &POLICY_NAMES, Some(subject));
    let Some(Value::Quantity(Quantity::Date(until))) = attributes.values.get("until") else { return None };
    let max_monthly = match attributes.values.get("max_monthly") {
        Some(Value::Quantity(Quantity::Money(money))) => Some(money.clone()),
        _ => None,
    };
    let head = meta(block, &attributes);
    if max_monthly.is_some() && !subject::has_cost(subject) {
        values.report(
            Diagnostic::error(
                codes::EXEMPT,
                format!("an exception of a policy over a {} has no cost to cap", subject.as_str()),
            )
            .at(head.origin.of("max_monthly"), format!("a {} has no `cost`", subject.as_str()))
            .with_help("remove it, or judge pools, lots, queues or tenants"),
        );
        return None;
    }
    matches.map(|matches| Exempt {
        matches,
        until: *until,
        owner: word(&attributes, "owner").map(|text| text.to_string()).unwrap_or_default(),
        ticket: word(&attributes, "ticket").map(|text| text.to_string()),
        max_monthly,
        meta: head,
    })
}

fn policy_test<'t>(values: &Values<'_, 't>, block: &Block<'t>, subject: Subject) -> Option<PolicyTest> {
    let attributes = values.attributes(block);
    if !attributes.complete {
        return None;
    }
    let written = block.attribute("given")?;
    // Typed by the subject's schema, so that "$1200/month" is money here; what is left out is null.
    let ty = subject::given_type(subject);
    let expr = values.resolve(&written.value, block, &[], Some(&ty))?;
    let value = values.evaluated(&expr, block.module, &block.scope)?;
    let given = values.converted(&value, &ty, &expr, ("given", &block.address))?;
    Some(PolicyTest {
        meta: meta(block, &attributes),
        given: subject::complete(&given, &ty),
        expect: word(&attributes, "expect")?.to_string(),
    })
}

fn test<'t>(values: &Values<'_, 't>, block: &Block<'t>) -> Option<Test> {
    let attributes = values.attributes(block);
    let texts = |name: &str| match attributes.values.get(name) {
        Some(Value::List(items)) => {
            items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
        }
        _ => Vec::new(),
    };
    let expect_errors: Vec<String> = texts("expect_errors");
    let children: Vec<&Arc<Block<'_>>> = block.children_of("assert").collect();
    if children.is_empty() && expect_errors.is_empty() && !block.is_incomplete() {
        let kind = block.kind();
        values.report(
            Diagnostic::error(codes::MISSING_BLOCK, format!("{kind} \"{}\" asserts nothing", block.label))
                .at(block.tree.header, "needs an `assert` block")
                .with_help("add `assert { … }` with `condition` and `error_message`"),
        );
    }
    let asserts: Vec<Assert> = children.iter().filter_map(|child| assert(values, child, &[])).collect();
    let variables = match attributes.values.get("variables") {
        Some(Value::Object(given)) => {
            given.iter().map(|(name, value)| (name.to_string(), value.clone())).collect()
        }
        _ => Default::default(),
    };
    (attributes.complete && asserts.len() == children.len()).then(|| Test {
        meta: meta(block, &attributes),
        variables,
        expect_errors,
        asserts,
    })
}
