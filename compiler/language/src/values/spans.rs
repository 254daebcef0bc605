//! Where the parts of an attribute's value were written.

use std::sync::Arc;

use poolwright_diagnostics::Span;
use poolwright_expression::{Expr, ExprKind, ObjectItem, PathStep, Value};

use super::Values;

impl Values<'_, '_> {
    /// Spans of the parts of a literal: `limits.gpus`, `quotas[0].borrow`.
    pub(super) fn nested_spans(&self, path: &str, expr: &Expr, spans: &mut Vec<(Arc<str>, Span)>) {
        match &expr.kind {
            ExprKind::Object(items) => {
                for item in items {
                    let ExprKind::Literal(Value::String(key)) = &item.key.kind else { continue };
                    let path = format!("{path}.{key}");
                    self.nested_spans(&path, &item.value, spans);
                    spans.push((self.path(path), item.value.span));
                }
            }
            ExprKind::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    let path = format!("{path}[{index}]");
                    self.nested_spans(&path, item, spans);
                    spans.push((self.path(path), item.span));
                }
            }
            _ => {}
        }
    }

    fn path(&self, path: String) -> Arc<str> {
        let mut paths = self.paths.borrow_mut();
        if let Some(known) = paths.get(path.as_str()) {
            return known.clone();
        }
        let path: Arc<str> = Arc::from(path);
        paths.insert(path.clone());
        path
    }
}

/// The span of a path, or of the nearest one around it.
pub(super) fn span_of(spans: &[(Arc<str>, Span)], path: &str, whole: Span) -> Span {
    let mut path = path;
    loop {
        if let Some((_, span)) = spans.iter().find(|(written, _)| &**written == path) {
            return *span;
        }
        match path.rfind(['.', '[']).and_then(|at| path.get(..at)) {
            Some(shorter) => path = shorter,
            None => return whole,
        }
    }
}

/// The text that a part of a literal is, if it is written as one.
pub(super) fn text_at<'e>(path: &[PathStep], expr: &'e Expr) -> Option<&'e str> {
    let Some((step, rest)) = path.split_first() else {
        return match &expr.kind {
            ExprKind::Literal(Value::String(text)) => Some(text),
            _ => None,
        };
    };
    match (step, &expr.kind) {
        (PathStep::Index(index), ExprKind::List(items)) => text_at(rest, items.get(*index)?),
        (PathStep::Key(key), ExprKind::Object(items)) => {
            let is_key = |item: &&ObjectItem| matches!(&item.key.kind, ExprKind::Literal(Value::String(k)) if k == key);
            text_at(rest, &items.iter().find(is_key)?.value)
        }
        _ => None,
    }
}

/// The span of a part of a literal, or of what it comes from.
pub(super) fn place(path: &[PathStep], expr: &Expr) -> Span {
    let Some((step, rest)) = path.split_first() else { return expr.span };
    match (step, &expr.kind) {
        (PathStep::Index(index), ExprKind::List(items)) => {
            items.get(*index).map_or(expr.span, |item| place(rest, item))
        }
        (PathStep::Key(key) | PathStep::KeyName(key), ExprKind::Object(items)) => {
            let is_key = |item: &&ObjectItem| matches!(&item.key.kind, ExprKind::Literal(Value::String(k)) if k == key);
            match (items.iter().find(is_key), step) {
                (Some(item), PathStep::KeyName(_)) => item.key.span,
                (Some(item), _) => place(rest, &item.value),
                (None, _) => expr.span,
            }
        }
        _ => expr.span,
    }
}
