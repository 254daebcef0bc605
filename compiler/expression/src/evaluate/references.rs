//! The references in an expression and their values: what a violated rule shows.

use std::collections::BTreeSet;
use std::sync::Arc;

use poolwright_diagnostics::Span;

use super::{Evaluator, Expr, ExprKind, Host, Scope};
use crate::Value;
use crate::expr::{Step, Symbol, TemplatePart};

/// Every reference in an expression with its place, its text and its value: `self.cost.monthly.ceiling`. Each text
/// once; references to the variables of a `for` inside it are left out, and so are those without a value.
#[must_use]
pub fn reference_values(expr: &Expr, scope: &Scope, host: &dyn Host) -> Vec<(Span, String, Value)> {
    reference_values_of(&Evaluator::new(host), expr, scope)
}

#[inline(never)]
pub(super) fn reference_values_of(
    evaluator: &Evaluator<'_>,
    expr: &Expr,
    scope: &Scope,
) -> Vec<(Span, String, Value)> {
    let mut found = Vec::new();
    collect(expr, &mut Vec::new(), &mut found, 0);
    let mut seen = BTreeSet::new();
    let mut values = Vec::new();
    for (reference, text) in found {
        if seen.insert(text.clone())
            && let Ok(value) = evaluator.eval(reference, scope)
        {
            // A block is its own value: `pool.a is pool.a` says nothing.
            if !matches!(&value, Value::Block(block) if *block.address == *text) {
                values.push((reference.span, text, value));
            }
        }
    }
    values
}

/// How deep references are looked for; deeper ones are not shown.
const MAX_DEPTH: u32 = 200;

fn collect<'e>(expr: &'e Expr, bound: &mut Vec<Arc<str>>, found: &mut Vec<(&'e Expr, String)>, depth: u32) {
    if depth > MAX_DEPTH {
        return;
    }
    // What is asked of a call is what counts: `decide(…).admit`.
    if let ExprKind::Traversal(base, steps) = &expr.kind
        && let ExprKind::Call(name, ..) = &base.kind
        && let Some(text) = steps_text(steps)
        && bound.is_empty()
    {
        found.push((expr, format!("{name}(…){text}")));
    }
    let mut visit = |inner: &'e Expr, bound: &mut Vec<Arc<str>>| collect(inner, bound, found, depth + 1);
    match &expr.kind {
        ExprKind::Literal(_) => {}
        ExprKind::Symbol(symbol) => {
            if is_free(symbol, bound) {
                found.push((expr, symbol_text(symbol)));
            }
        }
        ExprKind::Traversal(base, steps) => match expression_text(base, steps) {
            Some(text) => {
                let free = match &base.kind {
                    ExprKind::Symbol(symbol) => is_free(symbol, bound),
                    _ => true,
                };
                let bound_index =
                    steps.iter().any(|step| matches!(step, Step::Index(key) if mentions(key, bound)));
                if free && !bound_index {
                    found.push((expr, text));
                }
            }
            None => {
                visit(base, bound);
                for step in steps {
                    if let Step::Index(key) = step {
                        visit(key, bound);
                    }
                }
            }
        },
        ExprKind::Template(parts) => template(parts, bound, &mut visit),
        ExprKind::List(items) => items.iter().for_each(|item| visit(item, bound)),
        ExprKind::Object(items) => items.iter().for_each(|item| {
            visit(&item.key, bound);
            visit(&item.value, bound);
        }),
        ExprKind::Call(_, _, arguments, _) => arguments.iter().for_each(|argument| visit(argument, bound)),
        ExprKind::Unary(_, operand) => visit(operand, bound),
        ExprKind::Binary(_, _, operands) => {
            visit(&operands.0, bound);
            visit(&operands.1, bound);
        }
        ExprKind::Conditional(parts) => {
            visit(&parts.0, bound);
            visit(&parts.1, bound);
            visit(&parts.2, bound);
        }
        ExprKind::For(parts) => {
            visit(&parts.collection, bound);
            let before = bound.len();
            bound.extend(parts.key.iter().cloned());
            bound.push(parts.value.clone());
            let results = parts.key_result.iter().chain([&parts.result]).chain(parts.condition.iter());
            results.for_each(|inner| visit(inner, bound));
            bound.truncate(before);
        }
    }
}

fn template<'e>(
    parts: &'e [TemplatePart],
    bound: &mut Vec<Arc<str>>,
    visit: &mut dyn FnMut(&'e Expr, &mut Vec<Arc<str>>),
) {
    for part in parts {
        match part {
            TemplatePart::Literal(_) => {}
            TemplatePart::Interpolation(expr) => visit(expr, bound),
            TemplatePart::If(condition, then, otherwise) => {
                visit(condition, bound);
                template(then, bound, visit);
                template(otherwise, bound, visit);
            }
            TemplatePart::For(key, value, collection, body) => {
                visit(collection, bound);
                let before = bound.len();
                bound.extend(key.iter().cloned());
                bound.push(value.clone());
                template(body, bound, visit);
                bound.truncate(before);
            }
        }
    }
}

fn is_free(symbol: &Symbol, bound: &[Arc<str>]) -> bool {
    !matches!(symbol, Symbol::Scoped(name) if bound.contains(name))
}

/// Whether an index uses a variable that is bound inside.
fn mentions(expr: &Expr, bound: &[Arc<str>]) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) => false,
        ExprKind::Symbol(symbol) => !is_free(symbol, bound),
        ExprKind::Traversal(base, steps) => {
            mentions(base, bound)
                || steps.iter().any(|step| matches!(step, Step::Index(key) if mentions(key, bound)))
        }
        // Rare in an index; left out rather than evaluated without its variables.
        _ => !bound.is_empty(),
    }
}

/// The text of a reference: `self.cost.monthly["a"]`; `None` if the expression is more than that.
#[must_use]
pub fn expression_text(base: &Expr, steps: &[Step]) -> Option<String> {
    let mut text = match &base.kind {
        ExprKind::Symbol(symbol) => symbol_text(symbol),
        ExprKind::Traversal(inner, inner_steps) => expression_text(inner, inner_steps)?,
        _ => return None,
    };
    text.push_str(&steps_text(steps)?);
    Some(text)
}

/// The text of the steps of a reference: `.cost["a"]`.
fn steps_text(steps: &[Step]) -> Option<String> {
    let mut text = String::new();
    for step in steps {
        match step {
            Step::Attribute(name, _) => {
                text.push('.');
                text.push_str(name);
            }
            Step::LegacyIndex(index, _) => text.push_str(&format!(".{index}")),
            Step::AttributeSplat(_) => text.push_str(".*"),
            Step::FullSplat(_) => text.push_str("[*]"),
            Step::Index(key) => {
                let key = match &key.kind {
                    ExprKind::Literal(value) => value.to_string(),
                    ExprKind::Symbol(_) | ExprKind::Traversal(..) => expression_text(key, &[])?,
                    _ => return None,
                };
                text.push_str(&format!("[{key}]"));
            }
        }
    }
    Some(text)
}

fn symbol_text(symbol: &Symbol) -> String {
    match symbol {
        Symbol::Block(block) => block.address.to_string(),
        Symbol::Instances(kind, label) => format!("{kind}.{label}"),
        Symbol::Local(name) => format!("local.{name}"),
        Symbol::Variable(name) => format!("var.{name}"),
        Symbol::Root(name) | Symbol::Scoped(name) => name.to_string(),
    }
}
