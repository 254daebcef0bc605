//! Any text at all: parsing never panics, and every place it names lies in the text.

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_syntax::tree::{Body, Expr, ExprKind, Item, ObjectKey, Step, TemplatePart};
use proptest::prelude::*;

/// Fragments that meet each other badly.
pub(crate) const FRAGMENTS: [&str; 58] = [
    "a", "b-c", "pool", "for", "in", "if", "null", "x.y", " ", " ", "\n", "\n", "\n", "\r\n", "\t", "{", "}",
    "[", "]", "(", ")", "=", "==", "=>", ":", "::", ",", ".", "...", "?", "+", "-", "!", "&", "&&", "\"",
    "\"", "\"a\"", "${", "%{", "~}", "$${", "\\", "\\u12", "'", "<<A\n", "<<-A\n", "\nA\n", "1", "1.5e9",
    "5.", "15m", "#", "//", "/*", "*/", "é", "\u{a0}",
];

/// Checks what holds for every text.
fn check(text: &str) {
    let (file, found) = crate::parse(text);
    let ok = |span: Span| {
        assert!(span.start <= span.end && span.end as usize <= text.len(), "{span:?} of {text:?}");
        assert!(
            text.is_char_boundary(span.start as usize) && text.is_char_boundary(span.end as usize),
            "{text:?}"
        );
    };
    for diagnostic in &found {
        diagnostic.labels.iter().for_each(|label| ok(label.span));
        diagnostic.fixes.iter().flat_map(|fix| &fix.edits).for_each(|edit| ok(edit.span));
        assert!(diagnostic.primary().is_some() && !diagnostic.message.is_empty());
    }
    assert!(!is_incomplete(&file.body) || found.iter().any(Diagnostic::is_error), "silent loss in {text:?}");
    body(&file.body, &ok);
}

fn is_incomplete(body: &Body) -> bool {
    body.incomplete || body.blocks().any(|block| is_incomplete(&block.body))
}

fn body(it: &Body, ok: &dyn Fn(Span)) {
    ok(it.span);
    for item in &it.items {
        match item {
            Item::Attribute(attribute) => {
                ok(attribute.name.span);
                ok(attribute.span);
                expr(&attribute.value, ok);
            }
            Item::Block(block) => {
                ok(block.header);
                ok(block.span);
                block.labels.iter().for_each(|label| ok(label.span));
                body(&block.body, ok);
            }
        }
    }
}

fn expr(it: &Expr, ok: &dyn Fn(Span)) {
    ok(it.span);
    match &it.kind {
        ExprKind::Null | ExprKind::Bool(_) | ExprKind::Number(_) | ExprKind::String(_) => {}
        ExprKind::Name(name) => ok(name.span),
        ExprKind::Template(parts) => template(parts, ok),
        ExprKind::List(all) => all.iter().for_each(|it| expr(it, ok)),
        ExprKind::Object(items) => {
            for item in items {
                match &item.key {
                    ObjectKey::Name(name) => ok(name.span),
                    ObjectKey::Expr(key) => expr(key, ok),
                }
                expr(&item.value, ok);
            }
        }
        ExprKind::Traversal(base, steps) => {
            expr(base, ok);
            steps.iter().for_each(|step| ok(Step::span(step)));
        }
        ExprKind::Call(call) => {
            ok(call.name.span);
            call.arguments.iter().for_each(|it| expr(it, ok));
        }
        ExprKind::Unary(_, inner) | ExprKind::Parenthesis(inner) => expr(inner, ok),
        ExprKind::Binary(it) => {
            ok(it.op_span);
            expr(&it.left, ok);
            expr(&it.right, ok);
        }
        ExprKind::Conditional(it) => {
            expr(&it.condition, ok);
            expr(&it.then, ok);
            expr(&it.otherwise, ok);
        }
        ExprKind::For(it) => {
            ok(it.value.span);
            expr(&it.collection, ok);
            expr(&it.result, ok);
        }
    }
}

fn template(parts: &[TemplatePart], ok: &dyn Fn(Span)) {
    for part in parts {
        match part {
            TemplatePart::Literal(_) => {}
            TemplatePart::Interpolation(inner) => expr(inner, ok),
            TemplatePart::If { condition, then, otherwise, span } => {
                ok(*span);
                expr(condition, ok);
                template(then, ok);
                template(otherwise, ok);
            }
            TemplatePart::For { collection, body, span, .. } => {
                ok(*span);
                expr(collection, ok);
                template(body, ok);
            }
        }
    }
}

/// The text with bytes `at..at + length` replaced by `with`, moved to character boundaries.
pub(crate) fn mutate(text: &str, at: usize, length: usize, with: &str) -> String {
    let mut start = at % (text.len() + 1);
    let mut end = (start + length).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    format!("{}{with}{}", &text[..start], &text[end..])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn any_sequence_of_fragments(parts in prop::collection::vec(prop::sample::select(&FRAGMENTS[..]), 0..40)) {
        check(&parts.concat());
    }

    #[test]
    fn changed_files(file in any::<prop::sample::Index>(), changes in prop::collection::vec(
        (any::<usize>(), 0usize..12, prop::sample::select(&FRAGMENTS[..])), 1..4)) {
        let mut files = crate::files::files();
        files.push(("".into(), include_str!("sample.hcl").to_owned()));
        let mut text = files[file.index(files.len())].1.clone();
        for (at, length, with) in changes {
            text = mutate(&text, at, length, with);
        }
        check(&text);
    }
}

/// `PROPTEST_CASES` for a longer run.
pub(crate) fn cases(default: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(default)
}

/// Nesting of any kind is refused, not followed until the stack ends.
#[test]
fn deep_nesting_is_a_diagnostic() {
    let n = 5_000;
    let texts = [
        "a {\n".repeat(n) + &"}\n".repeat(n),
        format!("x = {}1{}", "[".repeat(n), "]".repeat(n)),
        format!("x = {}1{}", "(".repeat(n), ")".repeat(n)),
        format!("x = {}1{}", "{ a = ".repeat(n), "}".repeat(n)),
        format!("x = {}1{}", "f(".repeat(n), ")".repeat(n)),
        format!("x = {}a{}", "\"${".repeat(n), "}\"".repeat(n)),
        format!("x = \"{}{}\"", "%{ if a }".repeat(n), "%{ endif }".repeat(n)),
        format!("x = {}a", "!".repeat(n)),
        format!("x = {}a", "-".repeat(n)),
        format!("x = {}a", "a ? b : ".repeat(n)),
        format!("x = a{}", " + a".repeat(n)),
        format!("x = {}a{}", "a[".repeat(n), "]".repeat(n)),
        format!("x = {}a{}", "[for x in y : ".repeat(n), "]".repeat(n)),
        "[".repeat(n),
        "a {".repeat(n),
        "\"${".repeat(n),
    ];
    for text in texts {
        let start: String = text.chars().take(30).collect();
        let found = crate::codes(&text);
        assert!(found.iter().any(|code| code.starts_with("PW0012")), "{start}: {found:?}");
        check(&text);
    }
    // Long is not deep.
    for text in [format!("x = a{}", ".b".repeat(n)), format!("x = [{}]", "1,".repeat(n)), "a {}\n".repeat(n)]
    {
        assert_eq!(crate::codes(&text), Vec::<String>::new());
    }
}
