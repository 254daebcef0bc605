//! The parts of an expression: what differs is traced to the smallest parts that do.

use poolwright_expression::{Expr, ExprKind, Step, TemplatePart};

/// How many bytes stand before the expression in what is parsed (`language::parse`).
const BEFORE: usize = "x = (".len();

/// A part of an expression: where it stands, and its text.
pub(crate) type Part = ((usize, usize), String);

/// All parts of an expression, the shortest first; the last is the whole.
pub(crate) fn of(text: &str, expr: &Expr) -> Vec<Part> {
    let mut spans = Vec::new();
    collect(expr, &mut spans);
    spans.sort_by_key(|(start, end)| (end - start, *start));
    spans.dedup();
    let whole = (BEFORE, BEFORE + text.len());
    spans.retain(|span| *span != whole);
    spans.push(whole);
    spans
        .into_iter()
        .filter_map(|(start, end)| Some(((start, end), text.get(start - BEFORE..end - BEFORE)?.to_owned())))
        .collect()
}

/// Whether one place is inside of another one.
pub(crate) fn inside(inner: (usize, usize), outer: (usize, usize)) -> bool {
    inner != outer && outer.0 <= inner.0 && inner.1 <= outer.1
}

fn collect(expr: &Expr, spans: &mut Vec<(usize, usize)>) {
    spans.push((expr.span.start as usize, expr.span.end as usize));
    let mut all = |inner: &Expr| collect(inner, spans);
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Symbol(_) => {}
        ExprKind::Template(parts) => template(parts, &mut all),
        ExprKind::List(items) => items.iter().for_each(all),
        ExprKind::Object(items) => items.iter().for_each(|item| {
            all(&item.key);
            all(&item.value);
        }),
        ExprKind::Traversal(base, steps) => {
            all(base);
            for step in steps {
                if let Step::Index(key) = step {
                    all(key);
                }
            }
        }
        ExprKind::Call(_, _, arguments, _) => arguments.iter().for_each(all),
        ExprKind::Unary(_, operand) => all(operand),
        ExprKind::Binary(_, _, operands) => {
            all(&operands.0);
            all(&operands.1);
        }
        ExprKind::Conditional(parts) => {
            all(&parts.0);
            all(&parts.1);
            all(&parts.2);
        }
        ExprKind::For(parts) => {
            all(&parts.collection);
            parts.key_result.iter().chain([&parts.result]).chain(&parts.condition).for_each(all);
        }
    }
}

fn template(parts: &[TemplatePart], all: &mut dyn FnMut(&Expr)) {
    for part in parts {
        match part {
            TemplatePart::Literal(_) => {}
            TemplatePart::Interpolation(inner) => all(inner),
            TemplatePart::If(condition, then, otherwise) => {
                all(condition);
                template(then, all);
                template(otherwise, all);
            }
            TemplatePart::For(_, _, collection, body) => {
                all(collection);
                template(body, all);
            }
        }
    }
}
