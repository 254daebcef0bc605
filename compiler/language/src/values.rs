//! Values of attributes and locals: resolved, evaluated, brought to the type that the schema asks for.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_diagnostics::{Applicability, Diagnostic, Edit, Span, did_you_mean, suggestion_help};
use poolwright_expression::{
    BlockRef, ConvertFault, Expr, ExprKind, Host, PathStep, Scope, Symbol, Type, Value, convert, evaluate,
};
use poolwright_model::{Address, Meta, Origin};
use poolwright_syntax::tree;

use crate::codes;
use crate::collect::{Block, Blocks, not_built};
use crate::resolve::resolve;
use crate::schema::{AttributeSchema, Schema, Status};

/// How many references may hang on each other; far above any real fleet, far below the stack's end.
const LONGEST_CHAIN: usize = 100;

/// Gives values of attributes and locals, each reference evaluated once.
pub(crate) struct Values<'a, 't> {
    schema: &'static Schema,
    pub(crate) blocks: &'a Blocks<'t>,
    known: RefCell<BTreeMap<Key, Option<Value>>>,
    chain: RefCell<Vec<(Key, Span)>>,
    diagnostics: RefCell<Vec<Diagnostic>>,
    /// Spans of attributes that are checked and not emitted.
    checked: RefCell<Vec<(Span, String)>>,
}

/// What can be referred to: an attribute of a block (address, attribute), a local (empty address).
type Key = (Arc<str>, Arc<str>);

/// The attributes of a block: their values, complete with defaults, and where they were written.
pub(crate) struct Attributes {
    /// By name. What was not written and has no default is missing.
    pub values: BTreeMap<Arc<str>, Value>,
    /// Where.
    pub spans: Vec<(Arc<str>, Span)>,
    /// Whether every written attribute has a value: a block that failed is not decoded.
    pub complete: bool,
}

impl<'a, 't> Values<'a, 't> {
    pub(crate) fn new(schema: &'static Schema, blocks: &'a Blocks<'t>) -> Self {
        Self {
            schema,
            blocks,
            known: RefCell::default(),
            chain: RefCell::default(),
            diagnostics: RefCell::default(),
            checked: RefCell::default(),
        }
    }

    /// The schema of the language.
    pub(crate) fn schema(&self) -> &'static Schema {
        self.schema
    }

    /// Adds a diagnostic, unless it only follows from another one.
    pub(crate) fn report(&self, diagnostic: Diagnostic) {
        if diagnostic.code != codes::FOLLOWS {
            self.diagnostics.borrow_mut().push(diagnostic);
        }
    }

    /// Everything reported, and the attributes that no target gets yet.
    pub(crate) fn finish(self) -> (Vec<Diagnostic>, Vec<(Span, String)>) {
        (self.diagnostics.into_inner(), self.checked.into_inner())
    }

    /// All attributes of a block by its schema.
    pub(crate) fn attributes(&self, block: &Block<'t>) -> Attributes {
        let mut attributes = Attributes { values: BTreeMap::new(), spans: Vec::new(), complete: true };
        for written in block.tree.body.attributes() {
            let name: &str = &written.name.text;
            let Some(schema) = block.schema.attributes.get(name) else {
                self.report(unknown_attribute(block, written));
                attributes.complete = false;
                continue;
            };
            match schema.status {
                Status::Planned => {
                    self.report(not_built(
                        &format!("`{name}` attributes of `{}`", shown_kind(block)),
                        written.name.span,
                    ));
                    attributes.complete = false;
                    continue;
                }
                Status::Checked => {
                    self.checked.borrow_mut().push((written.span, format!("{}.{name}", block.address)))
                }
                Status::Complete => {}
            }
            attributes.spans.push((written.name.text.clone(), written.value.span));
            if schema.is_expression() {
                continue;
            }
            match self.value(block, schema, written, Some(&mut attributes.spans)) {
                Some(Value::Null) => {}
                Some(value) => {
                    attributes.values.insert(written.name.text.clone(), value);
                }
                None => attributes.complete = false,
            }
        }
        for (name, schema) in &block.schema.attributes {
            let there = attributes.values.contains_key(name.as_str());
            if let (false, Some(default)) = (there, &schema.default) {
                attributes.values.insert(Arc::from(name.as_str()), schema.defaults.fill(default));
            }
            let written = attributes.spans.iter().any(|(written, _)| **written == **name);
            if schema.required && !written {
                self.report(missing(block, schema));
                attributes.complete = false;
            }
        }
        attributes.spans.sort();
        attributes
    }

    /// The value of one written attribute; none when it failed, which has been reported.
    fn value(
        &self,
        block: &Block<'t>,
        schema: &AttributeSchema,
        written: &tree::Attribute,
        spans: Option<&mut Vec<(Arc<str>, Span)>>,
    ) -> Option<Value> {
        let key = (block.address.clone(), written.name.text.clone());
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let expr = self.resolve(&written.value, &[])?;
        if let Some(spans) = spans {
            nested_spans(&written.name.text, &expr, spans);
        }
        let value = match evaluate(&expr, &Scope::default(), self) {
            Ok(value) => value,
            Err(diagnostic) => {
                self.report(*diagnostic);
                return None;
            }
        };
        let what = format!("`{}` of `{}`", written.name.text, block.address);
        self.converted(&value, &schema.ty, &expr, &what).map(|value| schema.defaults.fill(&value))
    }

    /// Resolves an expression, reporting what does not resolve.
    pub(crate) fn resolve(&self, expr: &tree::Expr, bound: &[&str]) -> Option<Expr> {
        let mut diagnostics = Vec::new();
        let resolved = resolve(expr, self.blocks, bound, &mut diagnostics);
        diagnostics.into_iter().for_each(|diagnostic| self.report(diagnostic));
        resolved
    }

    /// Brings a value to a type, reporting what does not fit at its place in the expression.
    pub(crate) fn converted(&self, value: &Value, ty: &Type, expr: &Expr, what: &str) -> Option<Value> {
        match convert(value, ty) {
            Ok(value) => Some(value),
            Err(faults) => {
                for fault in faults {
                    self.report(fault_diagnostic(&fault, expr, what));
                }
                None
            }
        }
    }

    /// The value behind a key, evaluated once. A circle and a long chain are errors.
    fn once(
        &self,
        key: Key,
        span: Span,
        compute: impl FnOnce() -> Option<Value>,
    ) -> Result<Value, Box<Diagnostic>> {
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone().ok_or_else(follows);
        }
        let position = self.chain.borrow().iter().position(|(open, _)| *open == key);
        if let Some(position) = position {
            return Err(Box::new(self.cycle(position, span)));
        }
        if self.chain.borrow().len() >= LONGEST_CHAIN {
            let message =
                format!("a chain of more than {LONGEST_CHAIN} references ends at `{}`", shown_key(&key));
            return Err(Box::new(
                Diagnostic::error(codes::DEEP_CHAIN, message).at(span, "too far from its beginning"),
            ));
        }
        self.chain.borrow_mut().push((key.clone(), span));
        let value = compute();
        self.chain.borrow_mut().pop();
        self.known.borrow_mut().insert(key, value.clone());
        value.ok_or_else(follows)
    }

    fn cycle(&self, position: usize, span: Span) -> Diagnostic {
        let chain = self.chain.borrow();
        let circle: Vec<String> = chain.iter().skip(position).map(|(key, _)| shown_key(key)).collect();
        let first = circle.first().cloned().unwrap_or_default();
        let loop_text =
            circle.iter().chain([&first]).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" → ");
        let mut diagnostic =
            Diagnostic::error(codes::CYCLE, format!("values depend on each other in a circle: {loop_text}"))
                .at(span, format!("needs `{first}` again"));
        for (key, place) in chain.iter().skip(position + 1) {
            diagnostic = diagnostic.also(*place, format!("needs `{}`", shown_key(key)));
        }
        diagnostic.with_help("break the circle: give one of them a value of its own")
    }

    fn local(&self, name: &Arc<str>, span: Span) -> Result<Value, Box<Diagnostic>> {
        let Some(local) = self.blocks.locals.get(name) else { return Err(follows()) };
        self.once((Arc::from(""), name.clone()), span, || {
            let expr = self.resolve(&local.value, &[])?;
            evaluate(&expr, &Scope::default(), self).map_err(|diagnostic| self.report(*diagnostic)).ok()
        })
    }

    /// Evaluates all locals, so that one that nobody uses is checked too.
    pub(crate) fn locals(&self) {
        for (name, attribute) in &self.blocks.locals {
            if let Err(diagnostic) = self.local(name, attribute.name.span) {
                self.report(*diagnostic);
            }
        }
    }

    fn declared(&self, block: &Block<'t>, name: &str, span: Span) -> Option<Result<Value, Box<Diagnostic>>> {
        let schema = block.schema.attributes.get(name)?;
        let key = (block.address.clone(), Arc::from(name));
        let default = || schema.default.as_ref().map_or(Value::Null, |default| schema.defaults.fill(default));
        Some(match block.attribute(name) {
            Some(written) => self.once(key, span, || self.value(block, schema, written, None)),
            None => Ok(default()),
        })
    }
}

impl Host for Values<'_, '_> {
    fn symbol(&self, symbol: &Symbol, span: Span) -> Result<Value, Box<Diagnostic>> {
        match symbol {
            Symbol::Local(name) => self.local(name, span),
            Symbol::Block(block) => Ok(Value::Block(block.clone())),
            Symbol::Root(root) if &**root == "fleet" => {
                let fleet = self.blocks.top.get("fleet").ok_or_else(follows)?;
                let part = |name: &str| self.declared(fleet, name, span).unwrap_or(Ok(Value::Null));
                let parts = [("name", part("name")?), ("currency", part("currency")?)];
                let parts = parts.into_iter().map(|(name, value)| (Arc::from(name), value)).collect();
                Ok(Value::Object(Arc::new(parts)))
            }
            Symbol::Root(_) | Symbol::Variable(_) | Symbol::Instances(..) | Symbol::Scoped(_) => {
                Err(Box::new(
                    Diagnostic::error(codes::INTERNAL, format!("`{symbol:?}` has no value")).at(span, "here"),
                ))
            }
        }
    }

    fn attribute(&self, block: &BlockRef, name: &str, span: Span) -> Result<Value, Box<Diagnostic>> {
        let Some(found) = self.blocks.get(&block.address) else {
            let what = format!("attributes of `{}`, which is of the catalogue,", block.address);
            return Err(Box::new(not_built(&what, span)));
        };
        match name {
            "address" => return Ok(Value::string(&block.address)),
            "name" => {
                let written = self.declared(found, name, span).unwrap_or(Ok(Value::Null))?;
                return Ok(if written == Value::Null { Value::string(&found.label) } else { written });
            }
            _ => {}
        }
        if let Some(value) = self.declared(found, name, span) {
            return value;
        }
        let subject = block.kind.split('.').next().unwrap_or(&block.kind);
        if self.schema.computed_of(subject).any(|computed| computed.name == name) {
            let what =
                format!("computed attributes such as `{}.{name}` in a block's own attributes", block.address);
            let diagnostic =
                not_built(&what, span).with_note("policies and tests can read it: they are evaluated last");
            return Err(Box::new(diagnostic));
        }
        let known = found.schema.attributes.keys().map(String::as_str);
        Err(Box::new(no_such_part(&block.address, name, span, known)))
    }

    fn call(&self, name: &str, _: &[Value], span: Span) -> Option<Result<Value, Box<Diagnostic>>> {
        match name {
            "price" | "decide" => {
                let what = format!("calls of `{name}` in a block's own attributes");
                Some(Err(Box::new(not_built(&what, span))))
            }
            _ => None,
        }
    }
}

/// A block or object has no such attribute.
pub(crate) fn no_such_part<'n>(
    of: &str,
    name: &str,
    span: Span,
    known: impl IntoIterator<Item = &'n str>,
) -> Diagnostic {
    let diagnostic = Diagnostic::error(codes::NO_SUCH_PART, format!("`{of}` has no attribute `{name}`"))
        .at(span, "unknown attribute");
    match suggestion_help("attribute", name, known) {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    }
}

fn follows() -> Box<Diagnostic> {
    Box::new(Diagnostic::error(codes::FOLLOWS, "follows from another error"))
}

fn shown_key((address, name): &Key) -> String {
    if address.is_empty() { format!("local.{name}") } else { format!("{address}.{name}") }
}

/// The kind as people write it: `target "aws"`, `lot`.
pub(crate) fn shown_kind(block: &Block<'_>) -> String {
    match block.schema.kind.strip_prefix("target.") {
        Some(kind) => format!("target \"{kind}\""),
        None => block.kind().to_owned(),
    }
}

fn unknown_attribute(block: &Block<'_>, written: &tree::Attribute) -> Diagnostic {
    let name: &str = &written.name.text;
    let known: Vec<&str> = block.schema.attributes.keys().map(String::as_str).collect();
    let diagnostic = Diagnostic::error(
        codes::UNKNOWN_ATTRIBUTE,
        format!("unknown attribute `{name}` in `{}`", shown_kind(block)),
    );
    let close = did_you_mean(name, known.iter().copied());
    match close.first() {
        Some(closest) => diagnostic.at(written.name.span, format!("did you mean `{closest}`?")).with_fix(
            format!("write `{closest}`"),
            Applicability::Safe,
            vec![Edit { span: written.name.span, text: (*closest).to_owned() }],
        ),
        None if block.schema.nested.iter().any(|nested| nested == name) => diagnostic
            .at(written.name.span, "is a block, not an attribute")
            .with_help(format!("write `{name} \"…\" {{ … }}`")),
        None => diagnostic.at(written.name.span, "not an attribute of this block").with_help(format!(
            "`{}` has: {}",
            shown_kind(block),
            list(&block.schema.order)
        )),
    }
}

fn list(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().map(String::as_str).take(12).collect();
    let rest = names.len().saturating_sub(shown.len());
    if rest == 0 { shown.join(", ") } else { format!("{} and {rest} more", shown.join(", ")) }
}

fn missing(block: &Block<'_>, schema: &AttributeSchema) -> Diagnostic {
    let name = &schema.name;
    Diagnostic::error(codes::MISSING_ATTRIBUTE, format!("`{name}` is missing in `{}`", block.address))
        .at(block.tree.header, format!("needs `{name}`"))
        .with_help(format!("add `{name} = …`: {}, {}", schema.ty.describe(), schema.doc))
}

/// Spans of the parts of a literal: `limits.gpus`, `quotas[0].borrow`.
fn nested_spans(path: &str, expr: &Expr, spans: &mut Vec<(Arc<str>, Span)>) {
    match &expr.kind {
        ExprKind::Object(items) => {
            for item in items {
                let ExprKind::Literal(Value::String(key)) = &item.key.kind else { continue };
                let path = format!("{path}.{key}");
                nested_spans(&path, &item.value, spans);
                spans.push((Arc::from(path), item.value.span));
            }
        }
        ExprKind::List(items) => {
            for (index, item) in items.iter().enumerate() {
                let path = format!("{path}[{index}]");
                nested_spans(&path, item, spans);
                spans.push((Arc::from(path), item.span));
            }
        }
        _ => {}
    }
}

/// A conversion fault as a diagnostic at its place in the expression.
fn fault_diagnostic(fault: &ConvertFault, expr: &Expr, what: &str) -> Diagnostic {
    let (span, exact) = place(&fault.path, expr);
    let mut shown = what.to_owned();
    if !exact {
        for step in &fault.path {
            match step {
                PathStep::Index(index) => shown.push_str(&format!("[{index}]")),
                PathStep::Key(key) | PathStep::KeyName(key) => shown.push_str(&format!(".{key}")),
            }
        }
    }
    let diagnostic = Diagnostic::error(fault.code, fault.message.clone()).at(span, format!("in {shown}"));
    match &fault.help {
        Some(help) => diagnostic.with_help(help.clone()),
        None => diagnostic,
    }
}

/// The span of a part of a literal, and whether the whole path was found in it.
fn place(path: &[PathStep], expr: &Expr) -> (Span, bool) {
    let Some((step, rest)) = path.split_first() else { return (expr.span, true) };
    match (step, &expr.kind) {
        (PathStep::Index(index), ExprKind::List(items)) => {
            items.get(*index).map_or((expr.span, false), |item| place(rest, item))
        }
        (PathStep::Key(key) | PathStep::KeyName(key), ExprKind::Object(items)) => {
            let found = items
                .iter()
                .find(|item| matches!(&item.key.kind, ExprKind::Literal(Value::String(k)) if k == key));
            match (found, step) {
                (Some(item), PathStep::KeyName(_)) => (item.key.span, true),
                (Some(item), _) => place(rest, &item.value),
                (None, _) => (expr.span, false),
            }
        }
        _ => (expr.span, false),
    }
}

/// The head of a block from its attributes.
pub(crate) fn meta(block: &Block<'_>, attributes: &Attributes) -> Meta {
    let text = |name: &str| match attributes.values.get(name) {
        Some(Value::String(text)) => Some(text.to_string()),
        _ => None,
    };
    let labels = match attributes.values.get("labels") {
        Some(Value::Object(labels)) => labels
            .iter()
            .filter_map(|(key, value)| {
                if let Value::String(text) = value { Some((key.to_string(), text.to_string())) } else { None }
            })
            .collect(),
        _ => BTreeMap::new(),
    };
    Meta {
        address: Address::new(block.address.clone()),
        name: text("name").unwrap_or_else(|| block.label.to_string()),
        description: text("description"),
        labels,
        protect: attributes.values.get("protect") == Some(&Value::Bool(true)),
        origin: Origin { header: block.tree.header, attributes: Arc::new(attributes.spans.clone()) },
    }
}
