//! What names mean inside a module, for the evaluator.

use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::quantity::{Currency, Quantity};
use poolwright_expression::{
    BlockRef, FileFault, Host, Number, Scope, Symbol, Template, TemplateFault, Value,
};

use super::Values;
use super::absent::no_such_part;
use super::chain::{Key, follows};
use crate::codes;
use crate::instances::{Block, Instances, ModuleId};
use crate::template;

/// Answers the evaluator: names mean what they mean in a module.
pub(super) struct In<'v, 'a, 't> {
    pub(super) values: &'v Values<'a, 't>,
    pub(super) module: ModuleId,
}

impl Host for In<'_, '_, '_> {
    fn symbol(&self, symbol: &Symbol, span: Span) -> Result<Value, Box<Diagnostic>> {
        let values = self.values;
        match symbol {
            Symbol::Local(name) => values.local(self.module, name, span),
            Symbol::Variable(name) => values.variable(self.module, name, span),
            Symbol::Block(block) => Ok(Value::Block(block.clone())),
            Symbol::Instances(kind, label) => {
                let module = values.blocks.module(self.module);
                let declared = format!("{kind}.{label}");
                values.instances(self.module, &module, &declared, span)?.value().ok_or_else(follows)
            }
            Symbol::Root(root) if &**root == "fleet" => {
                let fleet = values.blocks.fleet().ok_or_else(follows)?;
                let part = |name: &str| values.declared(fleet, name, span).unwrap_or(Ok(Value::Null));
                Ok(Value::object([("name", part("name")?), ("currency", part("currency")?)]))
            }
            Symbol::Root(root) if &**root == "path" => {
                let module = values.blocks.module(self.module);
                let folder = if module.declared.folder.is_empty() { "." } else { &module.declared.folder };
                Ok(Value::object([("module", Value::string(folder)), ("root", Value::string("."))]))
            }
            Symbol::Root(_) | Symbol::Scoped(_) => Err(Box::new(
                Diagnostic::error(codes::INTERNAL, format!("`{symbol:?}` has no value")).at(span, "here"),
            )),
        }
    }

    fn read_file(&self, path: &str) -> Option<Result<Vec<u8>, FileFault>> {
        self.values.inputs.files.map(|files| files.read(path))
    }

    fn list_files(&self, folder: &str) -> Option<Result<Vec<String>, FileFault>> {
        self.values.inputs.files.map(|files| files.list(folder))
    }

    fn template(&self, text: &str, names: &[Arc<str>]) -> Option<Result<Template, TemplateFault>> {
        Some(template(text, names))
    }

    fn attribute(&self, block: &BlockRef, name: &str, span: Span) -> Result<Value, Box<Diagnostic>> {
        let values = self.values;
        let Some(found) = values.blocks.get(&block.address) else {
            if let Some(found) = values.main_lot(block) {
                return self.attribute(&found.reference(), name, span);
            }
            return values.of_catalogue(block, name, span);
        };
        if &*block.kind == "accelerator"
            && let Some(value) = values.of_accelerator(&found, name, span)
        {
            return value;
        }
        if let Some(inner) = found.inner {
            return values.output(inner, name, span);
        }
        match name {
            "address" => return Ok(Value::string(&block.address)),
            "name" => {
                let written = values.declared(&found, name, span).unwrap_or(Ok(Value::Null))?;
                return Ok(if written == Value::Null {
                    Value::string(&found.default_name())
                } else {
                    written
                });
            }
            _ => {}
        }
        if let Some(value) = values.declared(&found, name, span) {
            return value;
        }
        if found.schema.nested.iter().any(|nested| nested == name) {
            return values.nested(&found, name, span);
        }
        let subject = block.kind.split('.').next().unwrap_or(&block.kind);
        if values.schema.computed_of(subject).any(|computed| computed.name == name) {
            return values.computed(block, name, span);
        }
        let computed = values.schema.computed_of(subject).map(|computed| computed.name.as_str());
        let declared = found.schema.attributes.keys().map(String::as_str);
        let known = declared.chain(computed).chain(found.schema.nested.iter().map(String::as_str));
        Err(Box::new(no_such_part(&block.address, name, span, known)))
    }

    fn exchange_rate(&self, from: Currency, to: Currency) -> Option<Number> {
        let values = self.values;
        let said = |of: Currency, into: Currency| {
            values.blocks.of_kind("price_book").iter().find_map(|book| {
                let rates = values.declared(book, "rates", book.tree.header)?.ok()?;
                match rates.get(&of.to_string())? {
                    Value::Quantity(Quantity::Money(rate)) if rate.currency == into => {
                        Some(rate.amount.clone())
                    }
                    _ => None,
                }
            })
        };
        said(from, to).or_else(|| Number::from(1_i64).checked_div(&said(to, from)?).ok())
    }

    fn call(&self, name: &str, arguments: &[Value], span: Span) -> Option<Result<Value, Box<Diagnostic>>> {
        match name {
            "price" => Some(self.values.price(arguments, span)),
            "decide" => Some(Err(Box::new(
                Diagnostic::error(
                    codes::KNOWN_LAST,
                    "`decide` can be asked when all blocks are known, not before",
                )
                .at(span, "asked for while blocks are still made")
                .with_help("ask in a test or check: they are evaluated last"),
            ))),
            _ => None,
        }
    }
}

impl<'t> Values<'_, 't> {
    fn local(&self, module: ModuleId, name: &Arc<str>, span: Span) -> Result<Value, Box<Diagnostic>> {
        let place = self.blocks.module(module);
        let Some(local) = place.declared.locals.get(name) else { return Err(follows()) };
        self.once(Key::Local(place.path.clone(), name.clone()), span, place.call.as_ref(), || {
            let expr = self.resolve_in(&local.value, module, &[], None)?;
            self.evaluated(&expr, module, &Scope::default())
        })
    }

    /// Evaluates all locals, so that one that nobody uses is checked too.
    pub(crate) fn locals(&self) {
        for (id, module) in self.blocks.modules() {
            for (name, attribute) in &module.declared.locals {
                if let Err(diagnostic) = self.local(id, name, attribute.name.span) {
                    self.report(*diagnostic);
                }
            }
        }
    }

    /// A declared attribute of a block; none: its kind has no such attribute.
    pub(super) fn declared(
        &self,
        block: &Arc<Block<'t>>,
        name: &str,
        span: Span,
    ) -> Option<Result<Value, Box<Diagnostic>>> {
        let schema = block.schema.attributes.get(name)?;
        let key = Key::Attribute(block.address.clone(), Arc::from(name));
        let default = || schema.filled.clone().unwrap_or(Value::Null);
        Some(match block.attribute(name) {
            Some(written) => self.once(key, span, Some(block), || self.value(block, schema, written, None)),
            None => Ok(default()),
        })
    }

    /// The blocks of one kind in a block, by their labels.
    pub(super) fn nested(
        &self,
        block: &Arc<Block<'t>>,
        kind: &str,
        span: Span,
    ) -> Result<Value, Box<Diagnostic>> {
        self.expand_children(block, span)?;
        let labels = block.nested.iter().filter(|nested| nested.kind() == kind);
        let entry = |label: &Arc<str>| {
            let of_label = |child: &&Arc<Block<'t>>| child.kind() == kind && child.label == *label;
            let children: Vec<Arc<Block<'t>>> = block.children().iter().filter(of_label).cloned().collect();
            let shape = super::expand::shape(block.nested.iter().find(|nested| nested.label == *label)?);
            Some((label.clone(), Instances::new(shape, children).value()?))
        };
        Ok(Value::object(labels.filter_map(|nested| entry(&nested.label))))
    }

    /// The pool behind `pool.x.lot.main` where the pool has no lots: it is that lot.
    fn main_lot(&self, block: &BlockRef) -> Option<Arc<Block<'t>>> {
        self.blocks.get(block.address.strip_suffix(".lot.main")?)
    }

    /// A result of a module.
    fn output(&self, module: ModuleId, name: &str, span: Span) -> Result<Value, Box<Diagnostic>> {
        let place = self.blocks.module(module);
        let Some(output) = place.known(&format!("output.{name}")).and_then(|found| found.blocks.first())
        else {
            if place.declared.may_exist(&format!("output.{name}"), name) {
                return Err(follows());
            }
            let known: Vec<&str> = place.declared.of_kind("output").map(|output| &*output.label).collect();
            return Err(Box::new(no_such_part(&place.path, name, span, known)));
        };
        let key = Key::Output(place.path.clone(), output.label.clone());
        self.once(key, span, Some(output), || {
            let written = output.attribute("value")?;
            let constraint = self.constraint(output)?;
            let expr = self.resolve(&written.value, output, &[], Some(&constraint.ty))?;
            let value = self.evaluated(&expr, module, &output.scope)?;
            let value = self.fitting(&value, &expr, &constraint, "value", &output.address)?;
            Some(value.marked(self.is_sensitive(output)))
        })
    }
}
