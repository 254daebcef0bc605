//! What only the whole fleet knows, for expressions that are evaluated last: attributes of blocks, prices, decisions.

use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span, suggestion_help};
use poolwright_expression::quantity::Currency;
use poolwright_expression::{BlockRef, Host, Number, Symbol, Template, TemplateFault, Value};
use poolwright_model::program::Output;
use poolwright_model::view::View;
use poolwright_model::{Fleet, Prices};

use crate::{codes, outputs};

/// Answers for policies and tests.
pub(crate) struct FleetHost<'a> {
    pub(crate) fleet: &'a Fleet,
    pub(crate) prices: &'a Prices,
    pub(crate) view: &'a View<'a>,
    /// Results of modules.
    pub(crate) outputs: &'a [Output],
}

impl Host for FleetHost<'_> {
    fn symbol(&self, symbol: &Symbol, span: Span) -> Result<Value, Box<Diagnostic>> {
        match symbol {
            Symbol::Block(block) => Ok(Value::Block(block.clone())),
            Symbol::Root(root) if &**root == "fleet" => Ok(self.view.fleet()),
            other => Err(Box::new(
                Diagnostic::error(poolwright_language::codes::INTERNAL, format!("`{other:?}` has no value"))
                    .at(span, "asked here"),
            )),
        }
    }

    fn attribute(&self, block: &BlockRef, name: &str, span: Span) -> Result<Value, Box<Diagnostic>> {
        let address = &block.address;
        if &*block.kind == "module" {
            return self.output(address, name, span);
        }
        match self.view.attribute(block, name) {
            Some(Some(value)) => Ok(value),
            Some(None) => {
                let known: Vec<Arc<str>> = match self.view.block(address) {
                    Some(Value::Object(attributes)) => attributes.keys().cloned().collect(),
                    _ => Vec::new(),
                };
                let message = format!("`{address}` has no attribute `{name}`");
                let diagnostic = Diagnostic::error(poolwright_language::codes::NO_SUCH_PART, message)
                    .at(span, "unknown attribute");
                Err(Box::new(match suggestion_help("attribute", name, known.iter().map(|name| &**name)) {
                    Some(help) => diagnostic.with_help(help),
                    None => diagnostic,
                }))
            }
            None => {
                let message = format!("attributes of `{address}` cannot be read here");
                Err(Box::new(
                    Diagnostic::error(poolwright_language::codes::NOT_BUILT, message)
                        .at(span, "not built yet"),
                ))
            }
        }
    }

    fn template(&self, text: &str, names: &[Arc<str>]) -> Option<Result<Template, TemplateFault>> {
        Some(poolwright_language::template(text, names))
    }

    fn exchange_rate(&self, from: Currency, to: Currency) -> Option<Number> {
        self.fleet.exchange_rate(from, to)
    }

    fn call(&self, name: &str, arguments: &[Value], span: Span) -> Option<Result<Value, Box<Diagnostic>>> {
        match name {
            "price" => Some(self.price(arguments, span)),
            "decide" => Some(match arguments {
                [facts] => poolwright_router::decide_call(facts, self.fleet, self.prices, span),
                _ => Err(Box::new(
                    Diagnostic::error(
                        codes::DECIDE_ARGUMENTS,
                        format!("`decide` takes one object, found {} arguments", arguments.len()),
                    )
                    .at(span, "called here")
                    .with_help("write `decide({ queue = queue.NAME, gpus = 8, waited = \"900s\" })`"),
                )),
            }),
            _ => None,
        }
    }
}

impl FleetHost<'_> {
    /// A result of a module.
    fn output(&self, module: &str, name: &str, span: Span) -> Result<Value, Box<Diagnostic>> {
        let of_module = || self.outputs.iter().filter(|output| output.module == module);
        if let Some(output) = of_module().find(|output| output.name == name) {
            return outputs::value(output, self);
        }
        let message = format!("`{module}` has no attribute `{name}`");
        let diagnostic =
            Diagnostic::error(poolwright_language::codes::NO_SUCH_PART, message).at(span, "no output of it");
        let known: Vec<&str> = of_module().map(|output| output.name.as_str()).collect();
        Err(Box::new(match suggestion_help("output", name, known.iter().copied()) {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic.with_help(format!("declare it in the module: `output \"{name}\" {{ … }}`")),
        }))
    }

    /// `price(pool.x)`: money/gpu/h of its first lot.
    fn price(&self, arguments: &[Value], span: Span) -> Result<Value, Box<Diagnostic>> {
        if let [Value::Block(block)] = arguments
            && matches!(&*block.kind, "pool" | "lot")
        {
            return self.attribute(block, "price", span);
        }
        let found = arguments.iter().map(|value| value.type_name()).collect::<Vec<_>>().join(", ");
        Err(Box::new(
            Diagnostic::error(
                codes::UNKNOWN_PRICE_OF,
                format!("`price` takes one pool or lot, found {found}"),
            )
            .at(span, "no pool")
            .with_help("write `price(pool.NAME)`"),
        ))
    }
}
