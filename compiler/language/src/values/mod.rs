//! Values of attributes and locals: resolved, evaluated, brought to the type that the schema asks for.

mod absent;
mod accelerators;
mod chain;
mod computed;
mod expand;
mod host;
mod late;
mod spans;
mod together;
mod variables;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::{ConvertFault, Expr, ExprKind, PathStep, Scope, Type, Value, convert, evaluate};
use poolwright_model::{Address, Foreign, Meta, Origin};
use poolwright_syntax::tree;

pub(crate) use self::absent::no_such_part;
use self::absent::{missing, needed, null_for_required, unknown_attribute};
pub(crate) use self::accelerators::{DOMAIN, gres_type};
use self::chain::{Key, Known};
use self::host::In;
use self::spans::{place, span_of, text_at};
pub use self::variables::{Given, GivenValue};
use crate::collect::{Declared, not_built};
use crate::instances::{Block, Blocks, ModuleId};
use crate::later::Written;
use crate::resolve::{self, resolve};
use crate::schema::{AttributeSchema, Schema, Status};
use crate::words;
use crate::{Inputs, codes, others, rules};

/// Blocks that make no object that `protect` could be stored on.
const WITHOUT_OBJECTS: [&str; 10] = [
    "fleet",
    "tier",
    "accelerator",
    "partition",
    "price_book",
    "policy",
    "route",
    "test",
    "target.aws",
    "target.alibaba",
];

/// Gives values of attributes and locals, each reference evaluated once.
pub(crate) struct Values<'a, 't> {
    schema: &'static Schema,
    pub(crate) blocks: &'a Blocks<'t>,
    pub(crate) inputs: &'a Inputs<'a>,
    /// What the folders of modules declare, by folder.
    folders: &'a BTreeMap<Arc<str>, Arc<Declared<'t>>>,
    /// What was known before blocks were decoded side by side.
    before: Option<&'a Known>,
    known: RefCell<Known>,
    chain: RefCell<Vec<(Key, Span)>>,
    /// The blocks that are being worked on, the innermost last: what is reported is reported of it.
    places: RefCell<Vec<Arc<Block<'t>>>>,
    diagnostics: RefCell<Vec<Diagnostic>>,
    /// The fleet without what depends on pools, if somebody wanted it.
    base: RefCell<Option<Arc<computed::Base>>>,
    /// Paths inside of attributes (`node.gpus`), each once: every block has the same.
    paths: RefCell<BTreeSet<Arc<str>>>,
    /// Spans of attributes that are checked and not emitted.
    checked: RefCell<Vec<(Span, String)>>,
    /// What is checked and written by a later version.
    later: RefCell<Vec<Written>>,
    /// Texts of files that were read, by their paths.
    files: RefCell<BTreeMap<String, String>>,
}

/// What was found in blocks besides their values.
pub(crate) struct Found {
    /// Faults, warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
    /// Attributes that are checked and not emitted.
    pub checked: Vec<(Span, String)>,
    /// What is checked and written by a later version.
    pub later: Vec<Written>,
    /// Texts of files that were read, by their paths as written.
    pub files: BTreeMap<String, String>,
}

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
    pub(crate) fn new(
        schema: &'static Schema,
        blocks: &'a Blocks<'t>,
        folders: &'a BTreeMap<Arc<str>, Arc<Declared<'t>>>,
        inputs: &'a Inputs<'a>,
    ) -> Self {
        Self {
            schema,
            blocks,
            inputs,
            folders,
            before: None,
            known: RefCell::default(),
            chain: RefCell::default(),
            places: RefCell::default(),
            diagnostics: RefCell::default(),
            base: RefCell::default(),
            paths: RefCell::default(),
            checked: RefCell::default(),
            later: RefCell::default(),
            files: RefCell::default(),
        }
    }

    /// The schema of the language.
    pub(crate) fn schema(&self) -> &'static Schema {
        self.schema
    }

    /// Works on a block: what is reported meanwhile is reported of it.
    pub(crate) fn within<T>(&self, block: &Arc<Block<'t>>, work: impl FnOnce() -> T) -> T {
        self.places.borrow_mut().push(block.clone());
        let done = work();
        self.places.borrow_mut().pop();
        done
    }

    /// Adds a diagnostic, unless it only follows from another one. What is reported of one of several blocks says of
    /// which, and who made it.
    pub(crate) fn report(&self, diagnostic: Diagnostic) {
        if diagnostic.code == codes::FOLLOWS {
            return;
        }
        let place = self.places.borrow().last().cloned();
        let diagnostic = match place {
            Some(block) if diagnostic.trail.is_empty() => self.traced(diagnostic, block),
            _ => diagnostic,
        };
        self.diagnostics.borrow_mut().push(diagnostic);
    }

    /// Says which of several blocks a diagnostic is about, and which modules made it.
    fn traced(&self, mut diagnostic: Diagnostic, block: Arc<Block<'t>>) -> Diagnostic {
        let mut module = self.blocks.module(block.module);
        let own = block.address.strip_prefix(&*module.path).unwrap_or(&block.address);
        if own.contains('[') {
            diagnostic = diagnostic.with_frame(format!("in `{}`", block.address), Some(block.tree.header));
        }
        while let Some(call) = module.call.clone() {
            diagnostic = diagnostic.with_frame(format!("in `{}`", call.address), Some(call.tree.header));
            module = self.blocks.module(call.module);
        }
        diagnostic
    }

    /// Adds an attribute to the note about those that no target gets.
    pub(crate) fn checked_only(&self, span: Span, path: String) {
        self.checked.borrow_mut().push((span, path));
    }

    /// Adds what a later version writes.
    pub(crate) fn later(&self, written: Written) {
        self.later.borrow_mut().push(written);
    }

    /// Everything reported, the attributes that no target gets yet, and what a later version writes.
    pub(crate) fn finish(self) -> Found {
        Found {
            diagnostics: self.diagnostics.into_inner(),
            checked: self.checked.into_inner(),
            later: self.later.into_inner(),
            files: self.files.into_inner(),
        }
    }

    /// Reads a file below the fleet's folder, to be kept for those who need its text.
    ///
    /// # Errors
    /// Why it cannot be read, in a few words for a label.
    pub(crate) fn read(&self, path: &str, inputs: &Inputs<'_>) -> Result<(), String> {
        if !self.files.borrow().contains_key(path) {
            let text = (inputs.read)(path)?;
            self.files.borrow_mut().insert(path.to_owned(), text);
        }
        Ok(())
    }

    /// All attributes of a block by its schema.
    pub(crate) fn attributes(&self, block: &Block<'t>) -> Attributes {
        let body = &block.tree.body;
        // With a block in it that was refused, what the block says is not known either.
        let mut attributes =
            Attributes { values: BTreeMap::new(), spans: Vec::new(), complete: !block.is_incomplete() };
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
                Status::Complete | Status::Later => {}
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
                    if let (Some(part), false) = (&schema.later, is_default(schema, &value)) {
                        self.later(Written {
                            block: Address::new(block.address.clone()),
                            path: name.to_owned(),
                            span: written.value.span,
                            part,
                            at: schema.at,
                            whole: false,
                        });
                    }
                    attributes.values.insert(written.name.text.clone(), value);
                }
                None => attributes.complete = false,
            }
        }
        for schema in &block.schema.absent {
            let name: &str = &schema.key;
            if let Some(default) = &schema.filled
                && !attributes.values.contains_key(name)
            {
                attributes.values.insert(schema.key.clone(), default.clone());
            }
            if !schema.required || body.incomplete || seen.contains(name) {
                continue;
            }
            if !body.blocks().any(|inner| *inner.kind.text == *name) {
                let foreign = given_by_others(&attributes.values, name);
                self.report(if foreign {
                    needed(block, schema, &attributes.spans)
                } else {
                    missing(block, schema)
                });
                attributes.complete = false;
            }
        }
        attributes.spans.sort();
        for fault in others::check(block, &attributes) {
            self.report(fault);
            attributes.complete = false;
        }
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
                let Some(value) = keys.get(field.name.as_str()).filter(|value| **value != Value::Null) else {
                    continue;
                };
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
                if let Some(part) = &field.later {
                    if !is_default(field, value) {
                        let block = Address::new(block.address.clone());
                        self.later(Written { block, path, span, part, at: field.at, whole: false });
                    }
                    continue;
                }
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
        let key = Key::Attribute(block.address.clone(), written.name.text.clone());
        if let Some(known) = self.recall(&key) {
            return known;
        }
        let expr = self.resolve(&written.value, block, &[], Some(&schema.ty))?;
        if let Some(spans) = spans {
            self.nested_spans(&written.name.text, &expr, spans);
        }
        let value = self.evaluated(&expr, block.module, &block.scope)?;
        self.converted(&value, &schema.ty, &expr, (&written.name.text, &block.address))
            .map(|value| schema.defaults.fill(&value))
    }

    /// The value of an expression of a module, reporting why there is none.
    pub(crate) fn evaluated(&self, expr: &Expr, module: ModuleId, scope: &Scope) -> Option<Value> {
        let host = In { values: self, module };
        evaluate(expr, scope, &host).map_err(|diagnostic| self.report(*diagnostic)).ok()
    }

    /// Resolves an expression of a block at a place that takes `wanted`, reporting what does not resolve. `bound` are
    /// names that mean something there, besides those that the block's own place gives.
    pub(crate) fn resolve(
        &self,
        expr: &tree::Expr,
        block: &Block<'t>,
        bound: &[&str],
        wanted: Option<&Type>,
    ) -> Option<Expr> {
        // Most attributes are.
        if let Some(value) = resolve::literal(expr) {
            return Some(Expr { kind: ExprKind::Literal(value), span: expr.span });
        }
        let names: Vec<&str> = bound.iter().copied().chain(block.scope.names()).collect();
        self.resolve_in(expr, block.module, &names, wanted)
    }

    /// Resolves an expression of a module.
    pub(crate) fn resolve_in(
        &self,
        expr: &tree::Expr,
        module: ModuleId,
        bound: &[&str],
        wanted: Option<&Type>,
    ) -> Option<Expr> {
        let mut diagnostics = Vec::new();
        let resolved = resolve(expr, &self.blocks.module(module), bound, wanted, &mut diagnostics);
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
            return words::reference_for_text(&self.blocks.root().declared, &kinds, text, span, diagnostic);
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
                    .flat_map(|kind| self.blocks.root().declared.of_kind(kind))
                    .map(|block| format!("`{}`", block.declared))
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
}

/// Whether a value is what not writing it means: that needs nothing of a target.
fn is_default(schema: &AttributeSchema, value: &Value) -> bool {
    schema.filled.as_ref() == Some(value)
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

/// Whether `foreign` leaves an attribute to somebody else.
fn given_by_others(values: &BTreeMap<Arc<str>, Value>, name: &str) -> bool {
    values.get("foreign").is_some_and(|foreign| foreign.get(name).is_some())
}

/// What others write of a block (LANGUAGE §3.1).
fn foreign(attributes: &Attributes) -> BTreeMap<String, Foreign> {
    let Some(Value::Object(entries)) = attributes.values.get("foreign") else { return BTreeMap::new() };
    let entry = |(name, owner): (&Arc<str>, &Value)| {
        let Value::String(owner) = owner else { return None };
        let seed =
            attributes.spans.iter().any(|(path, _)| path == name) && attributes.values.contains_key(name);
        Some((name.to_string(), Foreign { owner: owner.to_string(), seed }))
    };
    entries.iter().filter_map(entry).collect()
}

/// `extra` as written: target kind, object kind, fields.
fn extra(attributes: &Attributes) -> BTreeMap<String, BTreeMap<String, serde_json::Value>> {
    let Some(Value::Object(targets)) = attributes.values.get("extra") else { return BTreeMap::new() };
    let kinds = |kinds: &Value| match kinds {
        Value::Object(kinds) => kinds
            .iter()
            .map(|(kind, fields)| (kind.to_string(), poolwright_expression::to_json(fields)))
            .collect(),
        _ => BTreeMap::new(),
    };
    targets.iter().map(|(target, inner)| (target.to_string(), kinds(inner))).collect()
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
        name: text("name").unwrap_or_else(|| block.default_name()),
        description: text("description"),
        labels,
        protect: attributes.values.get("protect") == Some(&Value::Bool(true)),
        foreign: foreign(attributes),
        extra: extra(attributes),
        origin: Origin { header: block.tree.header, attributes: Arc::new(attributes.spans.clone()) },
    }
}
