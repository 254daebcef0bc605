//! Expressions that are evaluated last, when prices and layout exist: what is known now is put into them.

use std::sync::Arc;

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::{
    Expr, ExprKind, ForExpr, Host, ObjectItem, Scope, Step, Symbol, TemplatePart, Type, Value,
};
use poolwright_syntax::tree;

use super::Values;
use super::host::In;
use crate::instances::{Block, ModuleId};

impl<'t> Values<'_, 't> {
    /// An expression of a block to be evaluated last: its locals, variables and `each` are values already.
    pub(crate) fn late(
        &self,
        expr: &tree::Expr,
        block: &Block<'t>,
        bound: &[&str],
        wanted: Option<&Type>,
    ) -> Option<Expr> {
        let expr = self.resolve(expr, block, bound, wanted)?;
        self.closed(&expr, block.module, &block.scope)
    }

    /// Expressions of the fleet's own folder that stand in no file, to be evaluated last; or what is wrong with them.
    pub(crate) fn asked(&self, exprs: &[tree::Expr]) -> Vec<Result<Expr, Vec<Diagnostic>>> {
        let ask = |expr: &tree::Expr| {
            let before = self.diagnostics.borrow().len();
            let closed = self
                .resolve_in(expr, ModuleId::ROOT, &[], None)
                .and_then(|expr| self.closed(&expr, ModuleId::ROOT, &Scope::default()));
            let found = self.diagnostics.borrow_mut().split_off(before);
            closed.ok_or(found)
        };
        exprs.iter().map(ask).collect()
    }

    fn closed(&self, expr: &Expr, module: ModuleId, scope: &Scope) -> Option<Expr> {
        let host = In { values: self, module };
        let mut closing = Closing { values: self, host, scope, bound: Vec::new(), whole: true };
        let closed = closing.expr(expr);
        closing.whole.then_some(closed)
    }
}

struct Closing<'c, 'a, 't> {
    values: &'c Values<'a, 't>,
    host: In<'c, 'a, 't>,
    scope: &'c Scope,
    /// Names that a `for` binds here.
    bound: Vec<Arc<str>>,
    /// Whether everything had a value.
    whole: bool,
}

impl Closing<'_, '_, '_> {
    fn expr(&mut self, expr: &Expr) -> Expr {
        let kind = match &expr.kind {
            ExprKind::Literal(value) => ExprKind::Literal(value.clone()),
            ExprKind::Symbol(symbol) => self.symbol(symbol, expr),
            ExprKind::Template(parts) => ExprKind::Template(self.template(parts)),
            ExprKind::List(items) => ExprKind::List(self.all(items)),
            ExprKind::Object(items) => ExprKind::Object(items.iter().map(|item| self.item(item)).collect()),
            ExprKind::Traversal(base, steps) => {
                let base = Box::new(self.expr(base));
                ExprKind::Traversal(base, steps.iter().map(|step| self.step(step)).collect())
            }
            ExprKind::Call(name, span, arguments, expand) => {
                ExprKind::Call(name.clone(), *span, self.all(arguments), *expand)
            }
            ExprKind::Unary(op, operand) => ExprKind::Unary(*op, Box::new(self.expr(operand))),
            ExprKind::Binary(op, span, sides) => {
                ExprKind::Binary(*op, *span, Box::new((self.expr(&sides.0), self.expr(&sides.1))))
            }
            ExprKind::Conditional(parts) => {
                let (condition, then, otherwise) = &**parts;
                let parts = (self.expr(condition), self.expr(then), self.expr(otherwise));
                ExprKind::Conditional(Box::new(parts))
            }
            ExprKind::For(parts) => self.for_expr(parts),
        };
        Expr { kind, span: expr.span }
    }

    /// What is not known before the end stays a name.
    fn symbol(&mut self, symbol: &Symbol, expr: &Expr) -> ExprKind {
        let value = match symbol {
            Symbol::Scoped(name) if !self.bound.contains(name) => self.scope.get(name).cloned(),
            Symbol::Root(root) if &**root == "path" => self.ask(symbol, expr),
            Symbol::Local(_) | Symbol::Variable(_) | Symbol::Instances(..) => self.ask(symbol, expr),
            Symbol::Scoped(_) | Symbol::Root(_) | Symbol::Block(_) => None,
        };
        value.map_or_else(|| ExprKind::Symbol(symbol.clone()), ExprKind::Literal)
    }

    fn ask(&mut self, symbol: &Symbol, expr: &Expr) -> Option<Value> {
        match self.host.symbol(symbol, expr.span) {
            Ok(value) => Some(value),
            Err(diagnostic) => {
                self.values.report(*diagnostic);
                self.whole = false;
                None
            }
        }
    }

    fn all(&mut self, exprs: &[Expr]) -> Vec<Expr> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn item(&mut self, item: &ObjectItem) -> ObjectItem {
        ObjectItem { key: self.expr(&item.key), value: self.expr(&item.value) }
    }

    fn step(&mut self, step: &Step) -> Step {
        match step {
            Step::Index(index) => Step::Index(self.expr(index)),
            other => other.clone(),
        }
    }

    fn template(&mut self, parts: &[TemplatePart]) -> Vec<TemplatePart> {
        let part = |part: &TemplatePart| match part {
            TemplatePart::Literal(text) => TemplatePart::Literal(text.clone()),
            TemplatePart::Interpolation(expr) => TemplatePart::Interpolation(self.expr(expr)),
            TemplatePart::If(condition, then, otherwise) => {
                TemplatePart::If(self.expr(condition), self.template(then), self.template(otherwise))
            }
            TemplatePart::For(key, value, collection, body) => {
                let collection = self.expr(collection);
                let body = self.with(key.iter().chain([value]), |inner| inner.template(body));
                TemplatePart::For(key.clone(), value.clone(), collection, body)
            }
        };
        parts.iter().map(part).collect()
    }

    fn for_expr(&mut self, parts: &ForExpr) -> ExprKind {
        let collection = self.expr(&parts.collection);
        let names = parts.key.iter().chain([&parts.value]);
        self.with(names, |inner| {
            ExprKind::For(Box::new(ForExpr {
                key: parts.key.clone(),
                value: parts.value.clone(),
                collection,
                key_result: parts.key_result.as_ref().map(|expr| inner.expr(expr)),
                result: inner.expr(&parts.result),
                condition: parts.condition.as_ref().map(|expr| inner.expr(expr)),
                grouping: parts.grouping,
            }))
        })
    }

    fn with<'n, T>(
        &mut self,
        names: impl Iterator<Item = &'n Arc<str>>,
        inside: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = self.bound.len();
        self.bound.extend(names.cloned());
        let result = inside(self);
        self.bound.truncate(before);
        result
    }
}
