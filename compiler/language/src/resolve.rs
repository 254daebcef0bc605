//! From the tree's expressions to expressions with resolved names: `pool.x` becomes that block.

use std::collections::BTreeSet;
use std::sync::Arc;

use poolwright_diagnostics::{Applicability, Diagnostic, Edit, Span, did_you_mean, suggestion_help};
use poolwright_expression::{
    BinaryOp, BlockRef, Expr, ExprKind, ForExpr, Host, Number, ObjectItem, Scope, Step, Symbol, TemplatePart,
    Type, UnaryOp, Value, evaluate,
};
use poolwright_syntax::tree;

use crate::codes;
use crate::collect::{Declared, name_fault};
use crate::instances::Module;
use crate::words;

/// Resolves the names of one expression of a module. `bound` are the names that its place binds: `self`, `each`;
/// `wanted` is the type that its place has, as far as there is one. None when a name does not resolve; the diagnostics
/// say which.
pub(crate) fn resolve(
    expr: &tree::Expr,
    module: &Module<'_>,
    bound: &[&str],
    wanted: Option<&Type>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Expr> {
    let bound = bound.iter().map(|name| Arc::from(*name)).collect();
    let mut found = Vec::new();
    let (blocks, path) = (&*module.declared, &*module.path);
    let resolved = Resolver { blocks, path, bound, wanted, diagnostics: &mut found }.expr(expr);
    let sound = !found.iter().any(Diagnostic::is_error);
    diagnostics.extend(found);
    sound.then_some(resolved)
}

/// The value of an expression that has no names: a text without templates, `true`, `false` or `null`.
pub(crate) fn literal(expr: &tree::Expr) -> Option<Value> {
    match &expr.kind {
        tree::ExprKind::String(text) => Some(Value::shared(text)),
        tree::ExprKind::Bool(value) => Some(Value::Bool(*value)),
        tree::ExprKind::Null => Some(Value::Null),
        _ => None,
    }
}

/// Resolves the names of an expression that may use nothing but `names` and functions, nothing of a fleet.
///
/// # Errors
/// All that is wrong with it.
pub fn resolve_alone(expr: &tree::Expr, names: &[Arc<str>]) -> Result<Expr, Vec<Diagnostic>> {
    let blocks = Declared::default();
    let mut found = Vec::new();
    let bound = names.to_vec();
    let resolver = Resolver { blocks: &blocks, path: "", bound, wanted: None, diagnostics: &mut found };
    let resolved = { resolver }.expr(expr);
    if found.iter().any(Diagnostic::is_error) { Err(found) } else { Ok(resolved) }
}

/// The value of an expression that names nothing; none when it names something, or has a fault.
pub(crate) fn constant(expr: &tree::Expr) -> Option<Value> {
    let mut found = Vec::new();
    let blocks = Declared::default();
    let resolver =
        Resolver { blocks: &blocks, path: "", bound: Vec::new(), wanted: None, diagnostics: &mut found };
    let resolved = { resolver }.expr(expr);
    if found.is_empty() { evaluate(&resolved, &Scope::default(), &Nobody).ok() } else { None }
}

/// Knows no names.
struct Nobody;

impl Host for Nobody {
    fn symbol(&self, symbol: &Symbol, span: Span) -> Result<Value, Box<Diagnostic>> {
        Err(Box::new(
            Diagnostic::error(codes::UNKNOWN_NAME, format!("`{symbol:?}` means nothing")).at(span, ""),
        ))
    }

    fn attribute(&self, block: &BlockRef, _: &str, span: Span) -> Result<Value, Box<Diagnostic>> {
        Err(Box::new(missing_block(&block.address, span)))
    }

    fn call(&self, _: &str, _: &[Value], _: Span) -> Option<Result<Value, Box<Diagnostic>>> {
        None
    }
}

pub(crate) struct Resolver<'a, 't> {
    pub(crate) blocks: &'a Declared<'t>,
    /// The module's path: addresses of blocks begin with it.
    path: &'a str,
    pub(crate) bound: Vec<Arc<str>>,
    /// What the place of the expression that is being resolved takes: what was probably meant by a word depends on it.
    pub(crate) wanted: Option<&'a Type>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

/// Kinds of blocks that expressions may name, longest spelling first.
pub(crate) const REFERENCED: [&str; 12] = [
    "target",
    "tier",
    "fabric",
    "accelerator",
    "pool",
    "tenant",
    "class",
    "queue",
    "route",
    "price_book",
    "policy",
    "module",
];

impl<'a> Resolver<'a, '_> {
    /// An expression at a place that takes `wanted`.
    fn expr_as(&mut self, expr: &tree::Expr, wanted: Option<&'a Type>) -> Expr {
        let outer = std::mem::replace(&mut self.wanted, wanted);
        let resolved = self.expr(expr);
        self.wanted = outer;
        resolved
    }

    /// An expression whose place takes anything.
    fn free(&mut self, expr: &tree::Expr) -> Expr {
        self.expr_as(expr, None)
    }

    /// An expression whose value is that of the expression around it, or a part of it: the same type is wanted there.
    fn expr(&mut self, expr: &tree::Expr) -> Expr {
        let span = expr.span;
        let kind = match &expr.kind {
            tree::ExprKind::Null | tree::ExprKind::Bool(_) | tree::ExprKind::String(_) => {
                ExprKind::Literal(literal(expr).unwrap_or(Value::Null))
            }
            tree::ExprKind::Number(text) => self.number(text, span),
            tree::ExprKind::Template(parts) => {
                let parts = self.template(parts);
                self.quoted_reference(&parts, span);
                ExprKind::Template(parts)
            }
            tree::ExprKind::List(items) => {
                let element = self.wanted.and_then(words::element);
                ExprKind::List(items.iter().map(|item| self.expr_as(item, element)).collect())
            }
            tree::ExprKind::Object(items) => ExprKind::Object(self.items(items)),
            tree::ExprKind::Name(name) => self.name(name, &[], span),
            tree::ExprKind::Traversal(base, steps) => return self.traversal(base, steps, span),
            tree::ExprKind::Call(call) => {
                let arguments = call.arguments.iter().map(|argument| self.free(argument)).collect();
                ExprKind::Call(call.name.text.clone(), call.name.span, arguments, call.expand_last)
            }
            tree::ExprKind::Unary(op, operand) => {
                let op = match op {
                    tree::UnaryOp::Not => UnaryOp::Not,
                    tree::UnaryOp::Negate => UnaryOp::Negate,
                };
                ExprKind::Unary(op, Box::new(self.free(operand)))
            }
            tree::ExprKind::Binary(binary) => {
                let sides = (self.free(&binary.left), self.free(&binary.right));
                ExprKind::Binary(operator(binary.op), binary.op_span, Box::new(sides))
            }
            tree::ExprKind::Conditional(c) => ExprKind::Conditional(Box::new((
                self.free(&c.condition),
                self.expr(&c.then),
                self.expr(&c.otherwise),
            ))),
            tree::ExprKind::For(for_expr) => self.for_expr(for_expr),
            tree::ExprKind::Parenthesis(inner) => return Expr { span, ..self.expr(inner) },
        };
        Expr { kind, span }
    }

    fn number(&mut self, text: &str, span: Span) -> ExprKind {
        match Number::parse(text) {
            Ok(number) => ExprKind::Literal(Value::Number(number)),
            Err(error) => {
                let code = poolwright_expression::codes::NUMBER_TOO_LARGE;
                self.diagnostics.push(
                    Diagnostic::error(code, format!("this is no number that can be used: {error}"))
                        .at(span, "not a number that can be used")
                        .with_help("no quantity needs more than some hundred digits"),
                );
                ExprKind::Literal(Value::Null)
            }
        }
    }

    fn template(&mut self, parts: &[tree::TemplatePart]) -> Vec<TemplatePart> {
        let part = |part: &tree::TemplatePart| match part {
            tree::TemplatePart::Literal(text) => TemplatePart::Literal(text.clone()),
            tree::TemplatePart::Interpolation(expr) => TemplatePart::Interpolation(self.free(expr)),
            tree::TemplatePart::If { condition, then, otherwise, .. } => {
                TemplatePart::If(self.free(condition), self.template(then), self.template(otherwise))
            }
            tree::TemplatePart::For { key, value, collection, body, .. } => {
                let collection = self.free(collection);
                let (key, value) = (key.as_ref().map(|key| key.text.clone()), value.text.clone());
                let body = self.with(key.iter().chain([&value]).cloned(), |inner| inner.template(body));
                TemplatePart::For(key, value, collection, body)
            }
        };
        parts.iter().map(part).collect()
    }

    /// A reference that is all of a string is that reference, so that the quotes are only a disguise. Where the place
    /// takes no reference an error says so.
    fn quoted_reference(&mut self, parts: &[TemplatePart], span: Span) {
        let [TemplatePart::Interpolation(Expr { kind: ExprKind::Symbol(Symbol::Block(block)), .. })] = parts
        else {
            return;
        };
        if self.wanted.is_some_and(|wanted| !words::takes_reference(wanted)) {
            return;
        }
        let address = &block.address;
        self.diagnostics.push(
            Diagnostic::warning(
                codes::QUOTED_REFERENCE,
                format!("the reference to `{address}` stands in quotes"),
            )
            .at(span, "a reference is no text")
            .with_fix(
                format!("write `{address}`, without quotes"),
                Applicability::Safe,
                vec![Edit { span, text: address.to_string() }],
            ),
        );
    }

    fn with<T>(&mut self, names: impl Iterator<Item = Arc<str>>, inside: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.bound.len();
        self.bound.extend(names);
        let result = inside(self);
        self.bound.truncate(before);
        result
    }

    /// Entries of an object. A key that is written twice has been reported by the reader of the syntax: the first counts.
    fn items(&mut self, items: &[tree::ObjectItem]) -> Vec<ObjectItem> {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let fresh = items.iter().filter(|item| literal_key(&item.key).is_none_or(|key| seen.insert(key)));
        fresh.map(|item| self.item(item)).collect()
    }

    fn item(&mut self, item: &tree::ObjectItem) -> ObjectItem {
        let key = match &item.key {
            tree::ObjectKey::Name(name) => {
                Expr { kind: ExprKind::Literal(Value::string(&name.text)), span: name.span }
            }
            tree::ObjectKey::Expr(expr) => self.free(expr),
        };
        let field = self.wanted.and_then(|wanted| words::field(wanted, literal_key(&item.key)));
        ObjectItem { key, value: self.expr_as(&item.value, field) }
    }

    fn for_expr(&mut self, for_expr: &tree::For) -> ExprKind {
        let collection = self.free(&for_expr.collection);
        let element = self.wanted.and_then(words::element);
        let key = for_expr.key.as_ref().map(|key| key.text.clone());
        let value = for_expr.value.text.clone();
        let names: Vec<Arc<str>> = key.iter().chain([&value]).cloned().collect();
        self.with(names.into_iter(), |inner| {
            ExprKind::For(Box::new(ForExpr {
                key,
                value,
                collection,
                key_result: for_expr.key_result.as_ref().map(|expr| inner.free(expr)),
                result: inner.expr_as(&for_expr.result, element),
                condition: for_expr.condition.as_ref().map(|expr| inner.free(expr)),
                grouping: for_expr.grouping,
            }))
        })
    }

    fn traversal(&mut self, base: &tree::Expr, steps: &[tree::Step], span: Span) -> Expr {
        let (base, used) = match &base.kind {
            tree::ExprKind::Name(name) => {
                let names: Vec<&tree::Ident> = steps
                    .iter()
                    .map_while(|step| if let tree::Step::Attribute(name) = step { Some(name) } else { None })
                    .collect();
                let used = self.used(name, &names);
                let end = names.iter().take(used).next_back().map_or(name.span, |last| last.span);
                let span = name.span.to(end);
                (Expr { kind: self.name(name, &names, span), span }, used)
            }
            _ => (self.free(base), 0),
        };
        if let ExprKind::Symbol(Symbol::Block(block)) = &base.kind {
            self.key_of_one(block, steps.get(used));
        }
        let rest: Vec<Step> = steps.iter().skip(used).map(|step| self.step(step)).collect();
        if rest.is_empty() {
            return Expr { span, ..base };
        }
        Expr { kind: ExprKind::Traversal(Box::new(base), rest), span }
    }

    /// `class.batch["a"]`, where `class.batch` is one block. A text in brackets may also be the name of an attribute.
    fn key_of_one(&mut self, block: &BlockRef, step: Option<&tree::Step>) {
        let Some(tree::Step::Index(index)) = step else { return };
        let attribute = match &index.kind {
            tree::ExprKind::String(text) => Some(&**text),
            tree::ExprKind::Number(_) => None,
            _ => return,
        };
        let kind = &*block.kind;
        let known = |name: &str| {
            let schemas = crate::schema::schema().blocks.values();
            let of_kind = |schema: &str| schema == kind || schema.ends_with(&format!(".{kind}"));
            schemas.filter(|schema| of_kind(&schema.kind)).any(|schema| schema.attributes.contains_key(name))
        };
        if attribute.is_some_and(known) || kind == "accelerator" {
            return;
        }
        self.diagnostics.push(
            Diagnostic::error(
                codes::UNKNOWN_REFERENCE,
                format!("`{}` is one block and takes no key", block.address),
            )
            .at(index.span, "picks one of several")
            .with_help("remove the brackets; with `for_each` in the block there are several"),
        );
    }

    fn step(&mut self, step: &tree::Step) -> Step {
        match step {
            tree::Step::Attribute(name) => Step::Attribute(name.text.clone(), name.span),
            tree::Step::Index(index) => Step::Index(self.free(index)),
            tree::Step::LegacyIndex(index, span) => Step::LegacyIndex(*index, *span),
            tree::Step::AttributeSplat(span) => Step::AttributeSplat(*span),
            tree::Step::FullSplat(span) => Step::FullSplat(*span),
        }
    }

    /// How many of the names after the first belong to the reference itself.
    fn used(&self, root: &tree::Ident, names: &[&tree::Ident]) -> usize {
        let kind: &str = &root.text;
        if self.bound.contains(&root.text) {
            return 0;
        }
        match kind {
            "local" | "var" => 1.min(names.len()),
            "target" => 2.min(names.len()),
            _ if REFERENCED.contains(&kind) => match names {
                [name, nested, inner, ..]
                    if ((kind, &*nested.text) == ("pool", "lot")
                        || (kind, &*nested.text) == ("route", "step"))
                        && !self.repeats(kind, &name.text, &nested.text, &inner.text) =>
                {
                    3
                }
                _ => 1.min(names.len()),
            },
            _ => 0,
        }
    }

    /// Whether a block, or the one in it, is one of several: then it is found out by evaluation.
    fn repeats(&self, kind: &str, name: &str, nested: &str, inner: &str) -> bool {
        let Some(parent) = self.blocks.top.get(format!("{kind}.{name}").as_str()) else { return false };
        let child = format!("{kind}.{name}.{nested}.{inner}");
        parent.repeats() || self.blocks.get(&child).is_some_and(|child| child.repeats())
    }

    /// What a name with the names after it stands for.
    fn name(&mut self, root: &tree::Ident, names: &[&tree::Ident], span: Span) -> ExprKind {
        if self.bound.contains(&root.text) {
            return ExprKind::Symbol(Symbol::Scoped(root.text.clone()));
        }
        let kind: &str = &root.text;
        match kind {
            "local" => return self.local(names, span),
            "var" => return self.variable(names, span),
            "fleet" | "path" => return ExprKind::Symbol(Symbol::Root(root.text.clone())),
            "each" | "count" => {
                let (attribute, value) =
                    if kind == "each" { ("for_each", "{ … }") } else { ("count", "…") };
                self.diagnostics.push(
                    Diagnostic::error(codes::UNKNOWN_NAME, format!("`{kind}` means nothing here"))
                        .at(span, format!("stands in no block with `{attribute}`"))
                        .with_help(format!(
                            "write `{attribute} = {value}` in the block that there should be several of"
                        )),
                );
                return ExprKind::Literal(Value::Null);
            }
            "self" | "plan" | "now" => {
                let diagnostic = Diagnostic::error(
                    codes::UNKNOWN_NAME,
                    format!("`{kind}` means nothing here"),
                )
                .at(span, "only in policies")
                .with_help(
                    "a block is named by its kind and its name: `pool.a100.nodes`, `class.batch.priority`",
                );
                self.diagnostics.push(diagnostic);
                return ExprKind::Literal(Value::Null);
            }
            _ => {}
        }
        if REFERENCED.contains(&kind) {
            return self.block(kind, names, span);
        }
        self.diagnostics.push(words::unknown_name(self, root, !names.is_empty()));
        ExprKind::Literal(Value::Null)
    }

    fn local(&mut self, names: &[&tree::Ident], span: Span) -> ExprKind {
        let Some(name) = names.first() else {
            self.diagnostics.push(
                Diagnostic::error(codes::UNKNOWN_NAME, "`local` alone is no value")
                    .at(span, "names no local value")
                    .with_help("write `local.NAME`"),
            );
            return ExprKind::Literal(Value::Null);
        };
        let address = format!("local.{}", name.text);
        if !self.blocks.locals.contains_key(&name.text) && !self.blocks.may_exist(&address, &name.text) {
            let known: Vec<&str> = self.blocks.locals.keys().map(|name| &**name).collect();
            let diagnostic =
                with_suggestion(missing_block(&address, name.span), "local value", &name.text, &known);
            self.diagnostics.push(if diagnostic.helps.is_empty() {
                diagnostic.with_help(format!("declare it: `locals {{ {} = … }}`", name.text))
            } else {
                diagnostic
            });
        }
        ExprKind::Symbol(Symbol::Local(name.text.clone()))
    }

    fn variable(&mut self, names: &[&tree::Ident], span: Span) -> ExprKind {
        let Some(name) = names.first() else {
            self.diagnostics.push(
                Diagnostic::error(codes::UNKNOWN_NAME, "`var` alone is no value")
                    .at(span, "names no variable")
                    .with_help("write `var.NAME`"),
            );
            return ExprKind::Literal(Value::Null);
        };
        let declared = format!("variable.{}", name.text);
        if !self.blocks.top.contains_key(declared.as_str()) && !self.blocks.may_exist(&declared, &name.text) {
            let known: Vec<&str> = self.blocks.of_kind("variable").map(|variable| &*variable.label).collect();
            let missing = missing_block(&format!("var.{}", name.text), name.span);
            let diagnostic = with_suggestion(missing, "variable", &name.text, &known);
            self.diagnostics.push(if diagnostic.helps.is_empty() {
                diagnostic.with_help(format!("declare it: `variable \"{}\" {{ … }}`", name.text))
            } else {
                diagnostic
            });
        }
        ExprKind::Symbol(Symbol::Variable(name.text.clone()))
    }

    fn block(&mut self, kind: &str, names: &[&tree::Ident], span: Span) -> ExprKind {
        let spelt: Vec<&str> = names.iter().map(|name| &*name.text).collect();
        let (address, wanted) = match (kind, spelt.as_slice()) {
            ("target", [target, name, ..]) => (format!("target.{target}.{name}"), *name),
            ("target", _) => {
                let diagnostic = self.half_a_target(spelt.first().copied(), span);
                self.diagnostics.push(diagnostic);
                return ExprKind::Literal(Value::Null);
            }
            (_, [name, nested, inner, ..])
                if matches!((kind, *nested), ("pool", "lot") | ("route", "step"))
                    && !self.repeats(kind, name, nested, inner) =>
            {
                (format!("{kind}.{name}.{nested}.{inner}"), *inner)
            }
            (_, [name, ..]) => (format!("{kind}.{name}"), *name),
            (_, []) => {
                self.diagnostics.push(
                    Diagnostic::error(codes::UNKNOWN_REFERENCE, format!("`{kind}` alone names no block"))
                        .at(span, "names nothing")
                        .with_help(format!("write `{kind}.NAME`")),
                );
                return ExprKind::Literal(Value::Null);
            }
        };
        if let Some(block) = self.blocks.get(&address) {
            if !block.repeats() && block.kind() != "module" {
                return block_ref(block.kind(), &self.address(&address));
            }
            let declared = address.rsplit_once('.').unwrap_or((kind, &address));
            return ExprKind::Symbol(Symbol::Instances(Arc::from(declared.0), Arc::from(declared.1)));
        }
        // The catalogue's are there in every module; a block of the same name stands for it.
        if kind == "accelerator" && poolwright_catalog::accelerator(wanted).is_some() {
            return block_ref("accelerator", &address);
        }
        // A pool without lots is the lot `main`.
        if let Some(pool) = address.strip_suffix(".lot.main").and_then(|pool| self.blocks.get(pool))
            && !pool.nested.iter().any(|nested| nested.kind() == "lot")
        {
            return block_ref("lot", &self.address(&address));
        }
        // Its fault has been reported; what needs it follows, without a word.
        if self.blocks.may_exist(&address, wanted) || self.blocks.misnamed(kind, wanted) {
            self.diagnostics.push(Diagnostic::error(codes::FOLLOWS, "follows from another error"));
            return ExprKind::Literal(Value::Null);
        }
        let pool = names
            .first()
            .filter(|pool| !self.blocks.top.contains_key(format!("{kind}.{}", pool.text).as_str()));
        let last = match (kind, pool) {
            ("target", _) => span,
            (_, Some(pool)) => pool.span,
            _ => names.iter().rfind(|name| *name.text == *wanted).map_or(span, |name| name.span),
        };
        let diagnostic = self.dangling(kind, &address, wanted, last);
        self.diagnostics.push(diagnostic);
        ExprKind::Literal(Value::Null)
    }

    /// The address of a block of this module.
    fn address(&self, declared: &str) -> String {
        if self.path.is_empty() { declared.to_owned() } else { format!("{}.{declared}", self.path) }
    }

    fn dangling(&self, kind: &str, address: &str, wanted: &str, span: Span) -> Diagnostic {
        let prefix = address.rsplit_once('.').map_or("", |(prefix, _)| prefix);
        // Without the pool there is nothing to say of its lots.
        if let Some((parent, _)) = prefix.rsplit_once('.').filter(|(parent, _)| parent.contains('.'))
            && kind != "target"
            && self.blocks.get(parent).is_none()
        {
            let wanted = parent.rsplit_once('.').map_or(parent, |(_, name)| name);
            return self.dangling(kind, parent, wanted, span);
        }
        if kind == "accelerator" {
            return missing_block(address, span).with_help(words::accelerators_like(self.blocks, wanted));
        }
        let siblings: Vec<&str> = if let Some((parent, _)) =
            prefix.rsplit_once('.').filter(|(_, nested)| matches!(*nested, "lot" | "step"))
        {
            let parent = self.blocks.get(parent);
            parent.into_iter().flat_map(|block| &block.nested).map(|child| &*child.label).collect()
        } else {
            self.blocks
                .top
                .range(Arc::from(prefix)..)
                .take_while(|(sibling, _)| sibling.starts_with(prefix))
                .filter_map(|(sibling, _)| sibling.strip_prefix(prefix)?.strip_prefix('.'))
                // A name against the rule has been reported: it is no advice.
                .filter(|sibling| name_fault(sibling).is_none())
                .collect()
        };
        if kind == "target" {
            // The kind is the commoner mistake: the name says what is meant.
            let same_name = self.targets_named(wanted);
            let diagnostic = with_suggestion(missing_block(address, span), kind, wanted, &siblings);
            return match same_name.as_slice() {
                [] if diagnostic.helps.is_empty() => self.target_spelt_alike(address, diagnostic),
                [] => diagnostic.with_help(self.targets()),
                found => diagnostic.with_help(format!("there is {}", found.join(" and "))),
            };
        }
        let diagnostic = with_suggestion(missing_block(address, span), kind, wanted, &siblings);
        if !diagnostic.helps.is_empty() {
            return diagnostic;
        }
        diagnostic.with_help(match prefix.rsplit_once('.') {
            Some((parent, "lot")) => format!("`{parent}` has no lots: name the pool, it is one lot"),
            Some((parent, nested)) => format!("declare it in `{parent}`: `{nested} \"{wanted}\" {{ … }}`"),
            None if siblings.is_empty() => format!("declare it: `{kind} \"{wanted}\" {{ … }}`"),
            None => format!("declare it, or name another: {}", listed(&siblings)),
        })
    }

    /// A target is named by two words; with one of them, what is probably meant.
    fn half_a_target(&self, word: Option<&str>, span: Span) -> Diagnostic {
        let diagnostic =
            Diagnostic::error(codes::UNKNOWN_REFERENCE, "a target is named by its kind and its name");
        match word.map(|word| self.targets_named(word)).unwrap_or_default().as_slice() {
            [only] => {
                let address = only.trim_matches('`').to_owned();
                diagnostic.at(span, "lacks the kind").with_fix(
                    format!("write {only}"),
                    Applicability::Safe,
                    vec![Edit { span, text: address }],
                )
            }
            _ => diagnostic.at(span, "write `target.KIND.NAME`").with_help(self.targets()),
        }
    }

    /// A kind and a name that are both wrong together are as close to another target as one of them alone.
    fn target_spelt_alike(&self, address: &str, diagnostic: Diagnostic) -> Diagnostic {
        let known: Vec<&str> = self.blocks.of_kind("target").map(|block| &*block.declared).collect();
        with_suggestion(diagnostic, "target", address, &known).with_help(self.targets())
    }

    /// Addresses of the targets with a name, in backticks.
    fn targets_named(&self, name: &str) -> Vec<String> {
        let named = self.blocks.of_kind("target").filter(|block| &*block.label == name);
        named.map(|block| format!("`{}`", block.declared)).collect()
    }

    fn targets(&self) -> String {
        let targets: Vec<&str> = self.blocks.of_kind("target").map(|block| &*block.declared).collect();
        if targets.is_empty() {
            "no target is declared".to_owned()
        } else {
            format!("targets: {}", targets.join(", "))
        }
    }
}

fn literal_key(key: &tree::ObjectKey) -> Option<&str> {
    match key {
        tree::ObjectKey::Name(name) => Some(&name.text),
        tree::ObjectKey::Expr(expr) => match &expr.kind {
            tree::ExprKind::String(text) => Some(text),
            _ => None,
        },
    }
}

fn block_ref(kind: &str, address: &str) -> ExprKind {
    ExprKind::Symbol(Symbol::Block(BlockRef { kind: Arc::from(kind), address: Arc::from(address) }))
}

fn missing_block(address: &str, span: Span) -> Diagnostic {
    Diagnostic::error(codes::UNKNOWN_REFERENCE, format!("there is no `{address}`")).at(span, "names nothing")
}

fn with_suggestion(diagnostic: Diagnostic, what: &str, wanted: &str, known: &[&str]) -> Diagnostic {
    if did_you_mean(wanted, known.iter().copied()).is_empty() {
        return diagnostic;
    }
    match suggestion_help(what, wanted, known.iter().copied()) {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    }
}

fn listed(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(8).map(|name| format!("`{name}`")).collect();
    let rest = names.len().saturating_sub(shown.len());
    if rest == 0 { shown.join(", ") } else { format!("{} and {rest} more", shown.join(", ")) }
}

fn operator(op: tree::BinaryOp) -> BinaryOp {
    match op {
        tree::BinaryOp::Or => BinaryOp::Or,
        tree::BinaryOp::And => BinaryOp::And,
        tree::BinaryOp::Equal => BinaryOp::Equal,
        tree::BinaryOp::NotEqual => BinaryOp::NotEqual,
        tree::BinaryOp::Less => BinaryOp::Less,
        tree::BinaryOp::LessOrEqual => BinaryOp::LessOrEqual,
        tree::BinaryOp::Greater => BinaryOp::Greater,
        tree::BinaryOp::GreaterOrEqual => BinaryOp::GreaterOrEqual,
        tree::BinaryOp::Add => BinaryOp::Add,
        tree::BinaryOp::Subtract => BinaryOp::Subtract,
        tree::BinaryOp::Multiply => BinaryOp::Multiply,
        tree::BinaryOp::Divide => BinaryOp::Divide,
        tree::BinaryOp::Remainder => BinaryOp::Remainder,
    }
}
