//! Values that need no expression parser: a word, a whole number, a text without templates, a name with its attributes,
//! and lists and objects of these. Most of what fleets say is one of them, and a large fleet says it a hundred thousand times.
//!
//! What comes out is what the parser and [`crate::lower`] would make of it, which a property holds; whatever is
//! anything else in the least is left to them.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::lower::RESERVED;
use crate::source::Source;
use crate::token::Kind;
use crate::tree::{Expr, ExprKind, Ident, ObjectItem, ObjectKey, Step};

/// How many digits a number may have here: no more than any parser takes as they stand.
const DIGITS: usize = 15;

/// How deep lists may be in each other here.
const DEPTH: u32 = 4;

/// The tokens `from..to` as one expression; none: it is for the parser.
pub(crate) fn plain(source: &Source, from: usize, to: usize) -> Option<Expr> {
    let (expr, next) = value(source, from, DEPTH)?;
    (next == to).then_some(expr)
}

/// The value that begins at a token, and the index of the token behind it.
fn value(source: &Source, at: usize, depth: u32) -> Option<(Expr, usize)> {
    let text = source.token_text(at);
    let span = source.token_span(at);
    match source.kind(at) {
        Kind::Number => {
            let whole = text.len() <= DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
            let leading = text.len() > 1 && text.starts_with('0');
            (whole && !leading)
                .then(|| (Expr { kind: ExprKind::Number(source.words.get(text)), span }, at + 1))
        }
        Kind::Ident => name(source, at),
        Kind::Quote => string(source, at),
        Kind::LeftBracket if depth > 0 => list(source, at, depth - 1),
        Kind::LeftBrace if depth > 0 => object(source, at, depth - 1),
        _ => None,
    }
}

/// A bare word, or a name with attributes: no spaces are around the points.
fn name(source: &Source, at: usize) -> Option<(Expr, usize)> {
    let word = |at: usize| {
        let text = source.token_text(at);
        (source.kind(at) == Kind::Ident && text.is_ascii()).then_some(text)
    };
    let text = word(at)?;
    let span = source.token_span(at);
    let mut steps = Vec::new();
    let (mut next, mut end) = (at + 1, span);
    while source.kind(next) == Kind::Dot {
        let (point, attribute) = (source.token_span(next), source.token_span(next + 1));
        if (point.start, attribute.start) != (end.end, point.end) {
            return None;
        }
        let text = word(next + 1)?;
        steps.push(Step::Attribute(Ident { text: source.words.get(text), span: attribute }));
        (next, end) = (next + 2, attribute);
    }
    let kind = match text {
        "true" | "false" | "null" if !steps.is_empty() => return None,
        "true" => ExprKind::Bool(true),
        "false" => ExprKind::Bool(false),
        "null" => ExprKind::Null,
        word if RESERVED.contains(&word) => return None,
        word => ExprKind::Name(Ident { text: source.words.get(word), span }),
    };
    let base = Expr { kind, span };
    if steps.is_empty() {
        return Some((base, next));
    }
    let span = span.to(end);
    Some((Expr { kind: ExprKind::Traversal(Box::new(base), steps), span }, next))
}

/// A quoted text with nothing in it that stands for something else.
fn string(source: &Source, at: usize) -> Option<(Expr, usize)> {
    let (text, close): (Arc<str>, usize) = match (source.kind(at + 1), source.kind(at + 2)) {
        (Kind::QuoteEnd, _) => (Arc::from(""), at + 1),
        (Kind::Text, Kind::QuoteEnd) => {
            let text = source.token_text(at + 1);
            if text.contains(['\\', '$', '%']) || text.contains(char::is_control) {
                return None;
            }
            (source.words.get(text), at + 2)
        }
        _ => return None,
    };
    // Quotes that are longer than a byte are not ours.
    let is_quote = |at: usize| source.token_text(at) == "\"";
    let span = source.token_span(at).to(source.token_span(close));
    (is_quote(at) && is_quote(close)).then(|| (Expr { kind: ExprKind::String(text), span }, close + 1))
}

fn past_newlines(source: &Source, mut at: usize, end: usize) -> usize {
    while at < end && source.kind(at) == Kind::Newline {
        at += 1;
    }
    at
}

/// An object, each entry `name = value` or `"text" = value`, a comma or a new line behind it.
fn object(source: &Source, at: usize, depth: u32) -> Option<(Expr, usize)> {
    let open = source.token(at);
    if !open.closed {
        return None;
    }
    let end = open.partner as usize;
    let mut items: Vec<ObjectItem> = Vec::new();
    let mut next = past_newlines(source, at + 1, end);
    while next < end {
        let (key, behind) = value(source, next, 0)?;
        let key = match key.kind {
            ExprKind::Name(name) => ObjectKey::Name(name),
            ExprKind::String(_) => ObjectKey::Expr(key),
            _ => return None,
        };
        if source.kind(behind) != Kind::Equal {
            return None;
        }
        let (value, behind) = value(source, behind + 1, depth)?;
        items.push(ObjectItem { key, value });
        let line = past_newlines(source, behind, end);
        next = match source.kind(behind) {
            Kind::Comma => past_newlines(source, behind + 1, end),
            _ if line > behind || line == end => line,
            _ => return None,
        };
    }
    // Of a key that is there twice the parser is asked what to say.
    let text = |item: &ObjectItem| match &item.key {
        ObjectKey::Name(name) => Some(name.text.clone()),
        ObjectKey::Expr(Expr { kind: ExprKind::String(text), .. }) => Some(text.clone()),
        ObjectKey::Expr(_) => None,
    };
    let keys: BTreeSet<Option<Arc<str>>> = items.iter().map(text).collect();
    if keys.len() < items.len() {
        return None;
    }
    let span = source.token_span(at).to(source.token_span(end));
    Some((Expr { kind: ExprKind::Object(items), span }, end + 1))
}

/// A list, its elements on one line or on several.
fn list(source: &Source, at: usize, depth: u32) -> Option<(Expr, usize)> {
    let open = source.token(at);
    if !open.closed {
        return None;
    }
    let end = open.partner as usize;
    let mut items = Vec::new();
    let mut next = past_newlines(source, at + 1, end);
    while next < end {
        let (item, behind) = value(source, next, depth)?;
        items.push(item);
        next = past_newlines(source, behind, end);
        if next < end {
            if source.kind(next) != Kind::Comma {
                return None;
            }
            next = past_newlines(source, next + 1, end);
        }
    }
    let span = source.token_span(at).to(source.token_span(end));
    Some((Expr { kind: ExprKind::List(items), span }, end + 1))
}

#[cfg(test)]
mod tests {
    use poolwright_diagnostics::FileId;
    use proptest::prelude::*;

    use super::*;
    use crate::expression::parse_and_lower;
    use crate::{brackets, scan};

    /// Pieces of values, plain ones and those that look like them.
    const PIECES: [&str; 45] = [
        "{", "}", "{", "}", "=", "=", "a = ", "\"k\" = ", "a", "pool", "x-y", "for", "in", "true", "false",
        "null", "0", "7", "007", "12.5", "1e3", "-", "!", ".", ".", "[", "]", "[", "]", ",", ",", "\"text\"",
        "\"\"", "\"${a}\"", "\"100%\"", "\"é\"", "\"\\n\"", "\n", " ", " ", "# c\n", "(", ")", "::", "é",
    ];

    /// Whether a value is plain; then it is what the parser makes of it, without a fault.
    fn agrees(text: &str) -> bool {
        let text = format!("x = {text}\n");
        let (mut source, mut problems) = scan::scan(FileId(0), &text);
        brackets::pair(&mut source, &mut problems);
        let from = source.tokens.iter().position(|token| token.kind == Kind::Equal).unwrap() + 1;
        let mut to = source.tokens.len();
        while to > from && source.kind(to - 1) == Kind::Newline {
            to -= 1;
        }
        if from == to || problems.is_fatal(source.token(from).start, source.token(to - 1).end) {
            return false;
        }
        let Some(found) = plain(&source, from, to) else { return false };
        let before = problems.found.len();
        let parsed = parse_and_lower(&source, &mut problems, from, to);
        assert_eq!(format!("{:?}", Some(found)), format!("{parsed:?}"), "{text}");
        assert_eq!(problems.found.len(), before, "{text}: {:?}", problems.found);
        true
    }

    #[test]
    fn what_fleets_say_most_is_plain() {
        for text in [
            "true",
            "null",
            "12",
            "\"p4d.24xlarge\"",
            "tier.spot",
            "accelerator.nvidia-h100-80gb-sxm",
            "[]",
            "[pool.a, pool.b]",
            "[\n  \"a\", # one\n  \"b\",\n]",
            "[[1, 2], [3]]",
            "{}",
            "{ a = 1, \"b\" = [x] }",
            "{\n  a = 1 # c\n  b = 2,\n}",
            "\"\"",
        ] {
            assert!(agrees(text), "{text}");
        }
        for text in [
            "1.5",
            "-1",
            "f(x)",
            "a[0]",
            "a . b",
            "\"${a}\"",
            "[,]",
            "[1 2]",
            "for",
            "true.x",
            "a.0",
            "{ a = 1 b = 2 }",
            "{ a = 1, a = 2 }",
            "{ a : 1 }",
            "{,}",
            "{ a.b = 1 }",
        ] {
            assert!(!agrees(text), "{text}");
        }
    }

    /// Values as people write them, some of them with a part that is not plain.
    fn written() -> impl Strategy<Value = String> {
        let leaf = prop::sample::select(vec![
            "a", "pool.x", "7", "\"t\"", "\"\"", "true", "null", "12.5", "f(1)", "for", "-1",
        ]);
        leaf.prop_map(str::to_owned).prop_recursive(3, 16, 4, |inner| {
            let between = prop::sample::select(vec![", ", ",", "\n", ",\n", " # c\n", " , ", " "]);
            let key = prop::sample::select(vec!["a", "b", "\"c\"", "d-e", "(f)", "g.h", "true", "for", "1"]);
            let list = prop::collection::vec((inner.clone(), between.clone()), 0..4).prop_map(|items| {
                let items: Vec<String> = items.into_iter().map(|(item, sign)| item + sign).collect();
                format!("[{}]", items.concat())
            });
            let object = prop::collection::vec((key, inner, between), 0..4).prop_map(|items| {
                let items: Vec<String> =
                    items.into_iter().map(|(key, item, sign)| format!("{key} = {item}{sign}")).collect();
                format!("{{ {} }}", items.concat())
            });
            prop_oneof![list, object]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn a_plain_value_of_signs_is_what_the_parser_makes_of_it(
            pieces in prop::collection::vec(prop::sample::select(PIECES.as_slice()), 1..12),
        ) {
            agrees(&pieces.concat());
        }

        #[test]
        fn a_plain_value_of_people_is_what_the_parser_makes_of_it(text in written()) {
            agrees(&text);
        }
    }
}
