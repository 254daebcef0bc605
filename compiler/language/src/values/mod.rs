//! Values of attributes and locals: resolved, evaluated, brought to the type that the schema asks for.

mod absent;
mod spans;
mod together;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::{
    BlockRef, ConvertFault, Expr, Host, PathStep, Scope, Symbol, Type, Value, convert, evaluate,
};
use poolwright_model::{Address, Meta, Origin};
use poolwright_syntax::tree;

pub(crate) use self::absent::no_such_part;
use self::absent::{missing, null_for_required, unknown_attribute};
use self::spans::{place, span_of, text_at};
use crate::codes;
use crate::collect::{Block, Blocks, not_built};
use crate::resolve::resolve;
use crate::rules;
use crate::schema::{AttributeSchema, Schema, Status};
use crate::words;

/// How many references may hang on each other; far above any real fleet, far below the stack's end.
const LONGEST_CHAIN: usize = 100;

/// Blocks that make no object that `protect` could be stored on.
const WITHOUT_OBJECTS: [&str; 8] =
    ["fleet", "tier", "price_book", "policy", "route", "test", "target.aws", "target.alibaba"];

/// What was evaluated: none where it failed, which has been reported.
type Known = BTreeMap<Key, Option<Value>>;

/// Gives values of attributes and locals, each reference evaluated once.
pub(crate) struct Values<'a, 't> {
    schema: &'static Schema,
    pub(crate) blocks: &'a Blocks<'t>,
    /// What was known before blocks were decoded side by side.
    before: Option<&'a Known>,
    known: RefCell<Known>,
    chain: RefCell<Vec<(Key, Span)>>,
    diagnostics: RefCell<Vec<Diagnostic>>,
    /// Paths inside of attributes (`node.gpus`), each once: every block has the same.
    paths: RefCell<BTreeSet<Arc<str>>>,
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
            before: None,
            known: RefCell::default(),
            chain: RefCell::default(),
            diagnostics: RefCell::default(),
            paths: RefCell::default(),
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

    /// Adds an attribute to the note about those that no target gets.
    pub(crate) fn checked_only(&self, span: Span, path: String) {
        self.checked.borrow_mut().push((span, path));
    }

    /// Everything reported, and the attributes that no target gets yet.
    pub(crate) fn finish(self) -> (Vec<Diagnostic>, Vec<(Span, String)>) {
        (self.diagnostics.into_inner(), self.checked.into_inner())
    }

    /// What is known of a key.
    fn recall(&self, key: &Key) -> Option<Option<Value>> {
        let own = self.known.borrow().get(key).cloned();
        own.or_else(|| self.before.and_then(|before| before.get(key).cloned()))
    }

    /// All attributes of a block by its schema.
    pub(crate) fn attributes(&self, block: &Block<'t>) -> Attributes {
        let body = &block.tree.body;
        // With a block in it that was refused, what the block says is not known either.
        let mut attributes =
            Attributes { values: BTreeMap::new(), spans: Vec::new(), complete: !block.incomplete };
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        for written in body.attributes() {
            let name: &str = &written.name.text;
            // Twice: the reader of the syntax has said so, the first counts.
            if !seen.insert(name) {
                continue;
            }
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
                Some(Value::Null) if schema.required => {
                    self.report(null_for_required(block, schema, written.value.span));
                    attributes.complete = false;
                }
                Some(Value::Null) => {}
                Some(value) => {
                    if self.keys_not_built(block, schema, &value, &attributes.spans) {
                        attributes.complete = false;
                    }
                    let span = |path: &str| span_of(&attributes.spans, path, written.value.span);
                    for fault in rules::check(self.schema, schema, &value, &span) {
                        self.report(fault);
                        attributes.complete = false;
                    }
                    if name == "protect"
                        && value == Value::Bool(true)
                        && WITHOUT_OBJECTS.contains(&block.kind())
                    {
                        self.report(no_effect(
                            "protect",
                            &block.address,
                            written.value.span,
                            "makes no object of its own",
                            "remove it; protect the pools, queues or tenants that must stay",
                        ));
                    }
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
            let as_block = || body.blocks().any(|inner| *inner.kind.text == **name);
            let absent = !seen.contains(name.as_str()) && !body.incomplete && !as_block();
            if schema.required && absent {
                self.report(missing(block, schema));
                attributes.complete = false;
            }
        }
        attributes.spans.sort();
        attributes
    }

    /// Reports keys of an object that are known and not built yet, so that nothing written is lost in silence.
    fn keys_not_built(
        &self,
        block: &Block<'t>,
        schema: &AttributeSchema,
        value: &Value,
        spans: &[(Arc<str>, Span)],
    ) -> bool {
        let inside = |text: &str, head: &str| Some(text.strip_prefix(head)?.strip_suffix(')')?.to_owned());
        let text = inside(&schema.type_text, "list(").unwrap_or_else(|| schema.type_text.clone());
        let Some(object) = inside(&text, "object(").and_then(|name| self.schema.objects.get(&name)) else {
            return false;
        };
        let objects: Vec<(String, &Value)> = match value {
            Value::List(items) => items
                .iter()
                .enumerate()
                .map(|(index, item)| (format!("{}[{index}]", schema.name), item))
                .collect(),
            other => vec![(schema.name.clone(), other)],
        };
        let mut found = false;
        for (path, value) in objects {
            let Value::Object(keys) = value else { continue };
            for field in object.fields.iter().filter(|field| field.status != Status::Complete) {
                if keys.get(field.name.as_str()).is_none_or(|value| *value == Value::Null) {
                    continue;
                }
                let path = format!("{path}.{}", field.name);
                let exact = spans.iter().find(|(name, _)| **name == *path);
                if field.status == Status::Checked {
                    if let Some((_, span)) = exact {
                        self.checked_only(*span, format!("{}.{path}", block.address));
                    }
                    continue;
                }
                let whole =
                    || block.attribute(&schema.name).map_or(block.tree.header, |written| written.name.span);
                let span = exact.map_or_else(whole, |(_, span)| *span);
                self.report(not_built(&format!("`{}` keys of `{}`", field.name, schema.name), span));
                found = true;
            }
        }
        found
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
        if let Some(known) = self.recall(&key) {
            return known;
        }
        let expr = self.resolve(&written.value, &[], Some(&schema.ty))?;
        if let Some(spans) = spans {
            self.nested_spans(&written.name.text, &expr, spans);
        }
        let value = match evaluate(&expr, &Scope::default(), self) {
            Ok(value) => value,
            Err(diagnostic) => {
                self.report(*diagnostic);
                return None;
            }
        };
        self.converted(&value, &schema.ty, &expr, (&written.name.text, &block.address))
            .map(|value| schema.defaults.fill(&value))
    }

    /// Resolves an expression at a place that takes `wanted`, reporting what does not resolve.
    pub(crate) fn resolve(&self, expr: &tree::Expr, bound: &[&str], wanted: Option<&Type>) -> Option<Expr> {
        let mut diagnostics = Vec::new();
        let resolved = resolve(expr, self.blocks, bound, wanted, &mut diagnostics);
        diagnostics.into_iter().for_each(|diagnostic| self.report(diagnostic));
        resolved
    }

    /// Brings a value to a type, reporting what does not fit at its place in the expression. `of` are the attribute
    /// and its block.
    pub(crate) fn converted(&self, value: &Value, ty: &Type, expr: &Expr, of: (&str, &str)) -> Option<Value> {
        match convert(value, ty) {
            Ok(value) => Some(value),
            Err(faults) => {
                for fault in faults {
                    self.report(self.fault_diagnostic(&fault, expr, ty, of));
                }
                None
            }
        }
    }

    /// A conversion fault as a diagnostic at its place in the expression.
    fn fault_diagnostic(&self, fault: &ConvertFault, expr: &Expr, ty: &Type, of: (&str, &str)) -> Diagnostic {
        let (attribute, block) = of;
        let mut path = attribute.to_owned();
        for step in &fault.path {
            match step {
                PathStep::Index(index) => path.push_str(&format!("[{index}]")),
                PathStep::Key(key) => path.push_str(&format!(".{key}")),
                // The key itself is what the message is about.
                PathStep::KeyName(_) => {}
            }
        }
        let span = place(&fault.path, expr);
        let diagnostic = Diagnostic::error(fault.code, fault.message.clone())
            .at(span, format!("in `{path}` of `{block}`"));
        let wanted = type_at(ty, &fault.path);
        if let (Type::Block(kinds), Some(text)) = (wanted, text_at(&fault.path, expr)) {
            let kinds: Vec<&str> = kinds.iter().map(|kind| &**kind).collect();
            return words::reference_for_text(self.blocks, &kinds, text, span, diagnostic);
        }
        // The message lists the words already.
        let help = fault
            .help
            .clone()
            .filter(|help| !(matches!(wanted, Type::Enum(_)) && help.starts_with("valid here")));
        match help.or_else(|| self.fault_help(fault, wanted)) {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        }
    }

    /// What to do about a fault that does not say it itself.
    fn fault_help(&self, fault: &ConvertFault, ty: &Type) -> Option<String> {
        use poolwright_expression::codes::{MISSING_KEY, NULL_VALUE, OUT_OF_RANGE};
        if fault.code == MISSING_KEY {
            let key = fault.message.split('`').nth(1).unwrap_or("the key");
            return Some(format!("add `{key} = …` to the object"));
        }
        if fault.code == NULL_VALUE {
            return Some(format!("give it a value: {}", ty.describe()));
        }
        if fault.code == OUT_OF_RANGE {
            return Some(format!("write {}", ty.describe()));
        }
        Some(match ty {
            Type::Block(kinds) => {
                let there: Vec<String> = kinds
                    .iter()
                    .flat_map(|kind| self.blocks.of_kind(kind))
                    .map(|block| format!("`{}`", block.address))
                    .take(8)
                    .collect();
                match (there.is_empty(), kinds.first()) {
                    (true, Some(kind)) => format!("declare one: `{} \"…\" {{ … }}`", kind.replace('.', " ")),
                    _ => format!("declared: {}", there.join(", ")),
                }
            }
            Type::Bool => "write `true` or `false`, without quotes".to_owned(),
            Type::Integer { .. } | Type::Number => {
                "write the number alone, without quotes and unit".to_owned()
            }
            Type::Enum(_) => "write one of these words".to_owned(),
            Type::OneOf(_) => format!("what fits: {}", ty.describe()),
            Type::List(_) | Type::Set(_) => "write the elements in brackets: `[…, …]`".to_owned(),
            Type::Object(_) | Type::Map(_) => "write keys and values in braces: `{ … = … }`".to_owned(),
            other => format!("what fits: {}", other.describe()),
        })
    }

    /// The value behind a key, evaluated once. A circle and a long chain are errors.
    fn once(
        &self,
        key: Key,
        span: Span,
        compute: impl FnOnce() -> Option<Value>,
    ) -> Result<Value, Box<Diagnostic>> {
        if let Some(known) = self.recall(&key) {
            return known.ok_or_else(follows);
        }
        let position = self.chain.borrow().iter().position(|(open, _)| *open == key);
        if let Some(position) = position {
            return Err(Box::new(self.cycle(position, span)));
        }
        if self.chain.borrow().len() >= LONGEST_CHAIN {
            let message =
                format!("a chain of more than {LONGEST_CHAIN} references ends at `{}`", shown_key(&key));
            let diagnostic = Diagnostic::error(codes::DEEP_CHAIN, message)
                .at(span, "too far from its beginning")
                .with_help(
                    "shorten it: let later ones name its first value, or put the values into one list",
                );
            return Err(Box::new(diagnostic));
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
        let message = match circle.as_slice() {
            [only] => format!("`{only}` depends on itself"),
            _ => format!("values depend on each other in a circle: {loop_text}"),
        };
        let mut diagnostic =
            Diagnostic::error(codes::CYCLE, message).at(span, format!("needs `{first}` again"));
        for (key, place) in chain.iter().skip(position + 1) {
            diagnostic = diagnostic.also(*place, format!("needs `{}`", shown_key(key)));
        }
        diagnostic.with_help("break the circle: give one of them a value of its own")
    }

    fn local(&self, name: &Arc<str>, span: Span) -> Result<Value, Box<Diagnostic>> {
        let Some(local) = self.blocks.locals.get(name) else { return Err(follows()) };
        self.once((Arc::from(""), name.clone()), span, || {
            let expr = self.resolve(&local.value, &[], None)?;
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

/// An attribute that is accepted and does nothing where it stands.
pub(crate) fn no_effect(attribute: &str, block: &str, span: Span, why: &str, help: &str) -> Diagnostic {
    Diagnostic::warning(codes::NO_EFFECT, format!("`{attribute}` has no effect on `{block}`"))
        .at(span, why)
        .with_help(help)
}

/// The type that a part of a value should have.
fn type_at<'y>(ty: &'y Type, path: &[PathStep]) -> &'y Type {
    let Some((step, rest)) = path.split_first() else { return ty };
    match (step, ty) {
        (PathStep::Index(_), Type::List(element) | Type::Set(element)) => type_at(element, rest),
        (PathStep::Key(_), Type::Map(element)) => type_at(element, rest),
        (PathStep::Key(key), Type::Object(object)) => {
            object.fields.iter().find(|field| field.name == *key).map_or(ty, |field| type_at(&field.ty, rest))
        }
        _ => ty,
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
