//! Templates and heredocs against the values that HashiCorp's implementation (hcl 2.24) gives, for `t = true`,
//! `a = "A"`, `l = ["x", "y"]`. `POOLWRIGHT_TEMPLATES` names a file with more cases of the same form.

use poolwright_syntax::tree::{Expr, ExprKind, TemplatePart};

/// Enough of an evaluator for those three variables.
fn value(expr: &Expr, x: &str) -> String {
    match &expr.kind {
        ExprKind::String(text) => text.to_string(),
        ExprKind::Name(name) if &*name.text == "a" => "A".to_owned(),
        ExprKind::Name(name) if &*name.text == "x" => x.to_owned(),
        ExprKind::Template(parts) => template(parts, x),
        other => panic!("not in these cases: {other:?}"),
    }
}

fn template(parts: &[TemplatePart], x: &str) -> String {
    let part = |part: &TemplatePart| match part {
        TemplatePart::Literal(text) => text.to_string(),
        TemplatePart::Interpolation(inner) => value(inner, x),
        TemplatePart::If { then, .. } => template(then, x),
        TemplatePart::For { body, .. } => ["x", "y"].iter().map(|x| template(body, x)).collect(),
    };
    parts.iter().map(part).collect()
}

#[test]
fn templates_have_the_values_of_the_reference_implementation() {
    let mut cases = include_str!("templates.jsonl").to_owned();
    if let Some(more) = std::env::var_os("POOLWRIGHT_TEMPLATES") {
        cases.push_str(&std::fs::read_to_string(more).unwrap());
    }
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in cases.lines() {
        let (source, expected): (String, String) = serde_json::from_str(line).unwrap();
        let (file, found) = crate::parse(&source);
        assert!(found.is_empty(), "{source:?}: {found:?}");
        let attribute = file.body.attributes().next().unwrap();
        let got = value(&attribute.value, "");
        count += 1;
        if got != expected {
            wrong.push(format!("{source:?}\n  got      {got:?}\n  expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n"));
}
