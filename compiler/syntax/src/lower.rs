//! The parser's expressions to ours. Text is taken from the source wherever the parser's own idea of it is not exact:
//! numbers, names, heredocs.

use std::ops::Range;
use std::sync::Arc;

use hcl_edit::Span as _;
use hcl_edit::expr::{self, BinaryOperator, Expression, TraversalOperator, UnaryOperator};
use hcl_edit::{Decorated, Ident as ParsedIdent};
use poolwright_diagnostics::Span;

use crate::source::{Problems, Source};
use crate::tree::{
    Binary, BinaryOp, Call, Conditional, Expr, ExprKind, For, Ident, ObjectItem, ObjectKey, Step, UnaryOp,
};
use crate::{duplicate, escape, item_faults};

/// Lowers the expressions of one value, which begins at byte `base` of the file.
pub(crate) struct Lower<'s, 'a> {
    pub(crate) source: &'s Source<'a>,
    pub(crate) base: u32,
    pub(crate) problems: &'s mut Problems,
}

/// Words that begin something else where an expression stands.
pub(crate) const RESERVED: [&str; 7] = ["for", "if", "in", "else", "endif", "endfor", "then"];

impl Lower<'_, '_> {
    /// The place of a node; `around` when the parser has none for it.
    pub(crate) fn span(&self, range: Option<Range<usize>>, around: Span) -> Span {
        range.map_or(around, |range| {
            self.source.span(self.base + range.start as u32, self.base + range.end as u32)
        })
    }

    pub(crate) fn text(&self, span: Span) -> &str {
        self.source.slice(span.start, span.end)
    }

    pub(crate) fn ident(&self, ident: &Decorated<ParsedIdent>, around: Span) -> Ident {
        match ident.span() {
            Some(range) => {
                let span = self.span(Some(range), around);
                Ident { text: self.source.words.get(self.text(span)), span }
            }
            None => Ident { text: Arc::from(ident.as_str()), span: around },
        }
    }

    /// A name that a `for` binds.
    pub(crate) fn binding(&mut self, ident: &Decorated<ParsedIdent>, around: Span) -> Ident {
        let name = self.ident(ident, around);
        if matches!(name.text.as_ref(), "true" | "false" | "null") || RESERVED.contains(&name.text.as_ref()) {
            self.problems.report(item_faults::reserved_word(&name));
        }
        name
    }

    pub(crate) fn expression(&mut self, expression: &Expression, around: Span) -> Expr {
        let span = self.span(expression.span(), around);
        let kind = match expression {
            Expression::Null(_) => ExprKind::Null,
            Expression::Bool(value) => ExprKind::Bool(*value.value()),
            Expression::Number(_) => self.number(span),
            Expression::String(_) => self.string(span),
            Expression::Array(array) => {
                if array.is_empty() && array.trailing_comma() {
                    self.problems.report(crate::classify::extra_comma(self.source, span));
                }
                ExprKind::List(array.iter().map(|value| self.expression(value, span)).collect())
            }
            Expression::Object(object) => self.object(object, span),
            Expression::StringTemplate(template) => {
                ExprKind::Template(crate::template::lower(self, template, false, false, span))
            }
            Expression::HeredocTemplate(heredoc) => self.heredoc(heredoc, span),
            Expression::Parenthesis(inner) => {
                ExprKind::Parenthesis(Box::new(self.expression(inner.inner(), span)))
            }
            Expression::Variable(_) => {
                let name = Ident { text: self.source.words.get(self.text(span)), span };
                if RESERVED.contains(&name.text.as_ref()) {
                    self.problems.report(item_faults::reserved_word(&name));
                }
                ExprKind::Name(name)
            }
            Expression::Conditional(conditional) => ExprKind::Conditional(Box::new(Conditional {
                condition: self.expression(&conditional.cond_expr, span),
                then: self.expression(&conditional.true_expr, span),
                otherwise: self.expression(&conditional.false_expr, span),
            })),
            Expression::FuncCall(call) => self.call(call, span),
            Expression::Traversal(traversal) => return self.traversal(traversal, span),
            Expression::UnaryOp(unary) => {
                let op = match unary.operator.value() {
                    UnaryOperator::Neg => UnaryOp::Negate,
                    UnaryOperator::Not => UnaryOp::Not,
                };
                ExprKind::Unary(op, Box::new(self.expression(&unary.expr, span)))
            }
            Expression::BinaryOp(binary) => ExprKind::Binary(Box::new(Binary {
                op: binary_operator(*binary.operator.value()),
                op_span: self.span(binary.operator.span(), span),
                left: self.expression(&binary.lhs_expr, span),
                right: self.expression(&binary.rhs_expr, span),
            })),
            Expression::ForExpr(each) => self.for_expression(each, span),
        };
        Expr { kind, span }
    }

    /// A number as written. The parser makes one number of `-5`; here the sign is an operator, as in the language.
    fn number(&self, span: Span) -> ExprKind {
        let text = self.text(span);
        if !text.starts_with('-') {
            return ExprKind::Number(self.source.words.get(text));
        }
        let start = text.rfind([' ', '\t', '/']).or(Some(0)).map_or(1, |at| at + 1);
        let digits = text.get(start..).unwrap_or("");
        let number = Span { start: span.start + start as u32, ..span };
        let operand = Expr { kind: ExprKind::Number(self.source.words.get(digits)), span: number };
        ExprKind::Unary(UnaryOp::Negate, Box::new(operand))
    }

    /// A quoted string without templates.
    fn string(&self, span: Span) -> ExprKind {
        // Quotes that are longer than a byte are not ours, and not parsed.
        let raw = self.source.slice(span.start + 1, span.end.saturating_sub(1));
        // A heredoc without lines is masked as a quoted string.
        let raw = if self.text(span).starts_with("<<") { "" } else { raw };
        ExprKind::String(self.source.words.get(&escape::quoted(raw)))
    }

    fn heredoc(&mut self, heredoc: &hcl_edit::template::HeredocTemplate, span: Span) -> ExprKind {
        let flush = self.text(span).starts_with("<<-");
        let parts = crate::template::lower(self, &heredoc.template, true, flush, span);
        match parts.as_slice() {
            [] => ExprKind::String(Arc::from("")),
            [crate::tree::TemplatePart::Literal(text)] => ExprKind::String(text.clone()),
            _ => ExprKind::Template(parts),
        }
    }

    fn object(&mut self, object: &expr::Object, span: Span) -> ExprKind {
        let mut items = Vec::with_capacity(object.len());
        for (key, value) in object {
            let value = self.expression(value.expr(), span);
            let key = match key {
                expr::ObjectKey::Ident(ident) => ObjectKey::Name(self.ident(ident, span)),
                expr::ObjectKey::Expression(key) => self.object_key(key, span),
            };
            items.push(ObjectItem { key, value });
        }
        duplicate::keys(&items, &mut self.problems.found);
        ExprKind::Object(items)
    }

    fn object_key(&mut self, key: &Expression, around: Span) -> ObjectKey {
        match key {
            // `true = 1`: a bare word, whatever it means elsewhere.
            Expression::Null(_) | Expression::Bool(_) => {
                let span = self.span(key.span(), around);
                ObjectKey::Name(Ident { text: self.source.words.get(self.text(span)), span })
            }
            Expression::Traversal(_) => {
                let key = self.expression(key, around);
                let fault = item_faults::ambiguous_key(key.span, self.text(key.span));
                self.problems.report(fault);
                ObjectKey::Expr(key)
            }
            _ => ObjectKey::Expr(self.expression(key, around)),
        }
    }

    fn call(&mut self, call: &expr::FuncCall, span: Span) -> ExprKind {
        let last = self.ident(&call.name.name, span);
        let first = call.name.namespace.first().map(|first| self.ident(first, span));
        let name = match first {
            None => last,
            Some(first) => {
                let mut text = String::new();
                for part in &call.name.namespace {
                    text.push_str(part.as_str());
                    text.push_str("::");
                }
                text.push_str(&last.text);
                Ident { text: Arc::from(text), span: first.span.to(last.span) }
            }
        };
        let arguments = call.args.iter().map(|argument| self.expression(argument, span)).collect();
        ExprKind::Call(Box::new(Call { name, arguments, expand_last: call.args.expand_final() }))
    }

    fn traversal(&mut self, traversal: &expr::Traversal, span: Span) -> Expr {
        let base = self.expression(&traversal.expr, span);
        let steps: Vec<Step> = traversal.operators.iter().map(|step| self.step(step, span)).collect();
        if let Some(fault) = crate::traversal::fault(self.source, &steps) {
            self.problems.report(fault);
        }
        // The sign of a number applies to all that follows it, as it does before a name.
        match base.kind {
            ExprKind::Unary(op, operand) => {
                let inner = Span { start: operand.span.start, ..span };
                let operand = Expr { kind: ExprKind::Traversal(operand, steps), span: inner };
                Expr { kind: ExprKind::Unary(op, Box::new(operand)), span }
            }
            _ => Expr { kind: ExprKind::Traversal(Box::new(base), steps), span },
        }
    }

    fn step(&mut self, step: &Decorated<TraversalOperator>, around: Span) -> Step {
        let whole = self.span(step.span(), around);
        match step.value() {
            TraversalOperator::GetAttr(name) => Step::Attribute(self.ident(name, whole)),
            TraversalOperator::Index(index) => Step::Index(self.expression(index, whole)),
            TraversalOperator::LegacyIndex(index) => Step::LegacyIndex(*index.value(), whole),
            TraversalOperator::AttrSplat(_) => Step::AttributeSplat(whole),
            TraversalOperator::FullSplat(_) => Step::FullSplat(whole),
        }
    }

    fn for_expression(&mut self, each: &expr::ForExpr, span: Span) -> ExprKind {
        let key = each.intro.key_var.as_ref().map(|key| self.binding(key, span));
        let value = self.binding(&each.intro.value_var, span);
        let collection = self.expression(&each.intro.collection_expr, span);
        let key_result = each.key_expr.as_ref().map(|key| self.expression(key, span));
        let result = self.expression(&each.value_expr, span);
        let condition = each.cond.as_ref().map(|condition| self.expression(&condition.expr, span));
        ExprKind::For(Box::new(For {
            key,
            value,
            collection,
            key_result,
            result,
            condition,
            grouping: each.grouping,
        }))
    }
}

fn binary_operator(operator: BinaryOperator) -> BinaryOp {
    match operator {
        BinaryOperator::Eq => BinaryOp::Equal,
        BinaryOperator::NotEq => BinaryOp::NotEqual,
        BinaryOperator::LessEq => BinaryOp::LessOrEqual,
        BinaryOperator::GreaterEq => BinaryOp::GreaterOrEqual,
        BinaryOperator::Less => BinaryOp::Less,
        BinaryOperator::Greater => BinaryOp::Greater,
        BinaryOperator::Plus => BinaryOp::Add,
        BinaryOperator::Minus => BinaryOp::Subtract,
        BinaryOperator::Mul => BinaryOp::Multiply,
        BinaryOperator::Div => BinaryOp::Divide,
        BinaryOperator::Mod => BinaryOp::Remainder,
        BinaryOperator::And => BinaryOp::And,
        BinaryOperator::Or => BinaryOp::Or,
    }
}
