//! `policy` and `test` blocks: their expressions are kept, to be evaluated when prices and layout exist.

use std::sync::Arc;

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::{Expr, Scope, Value, evaluate};
use poolwright_model::program::{Assert, Policy, PolicySeverity, PolicyTest, Program, Subject, Test};

use crate::codes;
use crate::collect::Block;
use crate::subject;
use crate::values::{Attributes, Values, meta};

/// What policies may name beside blocks (LANGUAGE §2).
const POLICY_NAMES: [&str; 3] = ["self", "plan", "now"];

/// Decodes all policies and tests.
pub(super) fn program(values: &Values<'_, '_>) -> Program {
    Program {
        policies: values.blocks.of_kind("policy").filter_map(|block| policy(values, block)).collect(),
        tests: values.blocks.of_kind("test").filter_map(|block| test(values, block)).collect(),
    }
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

fn policy(values: &Values<'_, '_>, block: &Block<'_>) -> Option<Policy> {
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
        let expr = values.resolve(&written.value, &POLICY_NAMES, None)?;
        let mut faults = Vec::new();
        subject::check(&expr, subject, &mut faults);
        let clean = faults.is_empty();
        faults.into_iter().for_each(|fault| values.report(fault));
        clean.then_some(Some(expr))
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
    Some(Policy {
        subject,
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

fn policy_test(values: &Values<'_, '_>, block: &Block<'_>, subject: Subject) -> Option<PolicyTest> {
    let attributes = values.attributes(block);
    if !attributes.complete {
        return None;
    }
    let written = block.attribute("given")?;
    // Typed by the subject's schema, so that "$1200/month" is money here; what is left out is null.
    let ty = subject::given_type(subject);
    let expr = values.resolve(&written.value, &[], Some(&ty))?;
    let value = match evaluate(&expr, &Scope::default(), values) {
        Ok(value) => value,
        Err(diagnostic) => {
            values.report(*diagnostic);
            return None;
        }
    };
    let given = values.converted(&value, &ty, &expr, ("given", &block.address))?;
    Some(PolicyTest {
        meta: meta(block, &attributes),
        given: subject::complete(&given, &ty),
        expect: word(&attributes, "expect")?.to_string(),
    })
}

fn test(values: &Values<'_, '_>, block: &Block<'_>) -> Option<Test> {
    let attributes = values.attributes(block);
    let children: Vec<&Block<'_>> = block.children_of("assert").collect();
    if children.is_empty() && !block.incomplete {
        values.report(
            Diagnostic::error(codes::MISSING_BLOCK, format!("test \"{}\" asserts nothing", block.label))
                .at(block.tree.header, "needs an `assert` block")
                .with_help("add `assert { … }` with `condition` and `error_message`"),
        );
    }
    let mut asserts = Vec::new();
    for child in &children {
        let inner = values.attributes(child);
        let expression = |name: &str| values.resolve(&child.attribute(name)?.value, &[], None);
        let (condition, error_message) = (expression("condition"), expression("error_message"));
        if let (true, Some(condition), Some(error_message)) = (inner.complete, condition, error_message) {
            asserts.push(Assert { span: child.tree.header, condition, error_message });
        }
    }
    (attributes.complete && asserts.len() == children.len())
        .then(|| Test { meta: meta(block, &attributes), asserts })
}
