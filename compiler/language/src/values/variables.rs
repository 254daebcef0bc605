//! Inputs of modules: their types, what is given, their conditions.

use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span, suggestion_help};
use poolwright_expression::{Expr, ExprKind, Scope, Type, Value};
use poolwright_syntax::tree;

use super::Values;
use super::chain::{Key, follows};
use crate::codes;
use crate::constraint::{Constraint, constraint};
use crate::instances::{Block, ModuleId};

impl<'t> Values<'_, 't> {
    /// The value of an input.
    pub(super) fn variable(
        &self,
        module: ModuleId,
        name: &Arc<str>,
        span: Span,
    ) -> Result<Value, Box<Diagnostic>> {
        let place = self.blocks.module(module);
        let found = place.known(&format!("variable.{name}")).and_then(|found| found.blocks.first().cloned());
        let Some(variable) = found else { return Err(follows()) };
        let key = Key::Variable(place.path.clone(), name.clone());
        self.once(key, span, place.call.as_ref(), || {
            let constraint = self.constraint(&variable)?;
            let given = match &place.call {
                Some(call) => self.given_by_call(call, &variable, &constraint)?,
                None => self.given_outside(&variable, &constraint)?,
            };
            let nullable = self.flag(&variable, "nullable", true);
            let value = match given {
                Some(Value::Null) if !nullable => None,
                given => given,
            };
            let value = match value {
                Some(value) => value,
                None => self.default(&variable, &constraint, nullable)?,
            };
            Some(value.marked(self.is_sensitive(&variable)))
        })
    }

    /// The type of an input or result.
    pub(crate) fn constraint(&self, of: &Block<'t>) -> Option<Constraint> {
        let Some(written) = of.attribute("type") else { return Some(Constraint::any()) };
        let mut faults = Vec::new();
        let found = constraint(&written.value, &mut faults);
        // A default inside of a type is a constant.
        faults.into_iter().for_each(|fault| self.report(fault));
        found
    }

    /// What the block that uses the module gives; the inner none: nothing.
    fn given_by_call(
        &self,
        call: &Arc<Block<'t>>,
        variable: &Arc<Block<'t>>,
        constraint: &Constraint,
    ) -> Option<Option<Value>> {
        let Some(written) = call.attribute(&variable.label) else { return Some(None) };
        let expr = self.resolve(&written.value, call, &[], Some(&constraint.ty))?;
        let value = self.evaluated(&expr, call.module, &call.scope)?;
        self.fitting(&value, &expr, constraint, &variable.label, &call.address).map(Some)
    }

    /// What is given from outside: by the command line or a file; the inner none: nothing.
    fn given_outside(&self, variable: &Arc<Block<'t>>, constraint: &Constraint) -> Option<Option<Value>> {
        let Some(given) = self.inputs.variables.get(&*variable.label) else { return Some(None) };
        let of = "the values given";
        let constant = |value: &Value| Expr { kind: ExprKind::Literal(value.clone()), span: given.span };
        let expr = match &given.value {
            GivenValue::Value(value) => constant(value),
            // Text is taken as it stands where text is wanted, as in OpenTofu.
            GivenValue::Text(text, _) if takes_text(&constraint.ty) => constant(&Value::string(text)),
            GivenValue::Expr(expr) | GivenValue::Text(_, Some(expr)) => {
                self.resolve_in(expr, ModuleId::ROOT, &[], Some(&constraint.ty))?
            }
            GivenValue::Text(text, None) => {
                self.report(
                    Diagnostic::error(
                        codes::VALUE_NOT_READ,
                        format!("the value of `var.{}` is no expression: {text}", variable.label),
                    )
                    .at(given.span, "given here")
                    .also(variable.tree.header, "declared here")
                    .with_help(format!("write {}, as in a file", constraint.ty.describe())),
                );
                return None;
            }
        };
        let value = self.evaluated(&expr, ModuleId::ROOT, &Scope::default())?;
        self.fitting(&value, &expr, constraint, &variable.label, of).map(Some)
    }

    /// The default of an input. Without one there has to be a value.
    fn default(&self, variable: &Arc<Block<'t>>, constraint: &Constraint, nullable: bool) -> Option<Value> {
        let Some(written) = variable.attribute("default") else {
            // Of a module in use this has been said, at the block that uses it.
            if variable.module == ModuleId::ROOT && !variable.incomplete {
                let name = &variable.label;
                self.report(
                    Diagnostic::error(codes::MISSING_INPUT, format!("`var.{name}` has no value"))
                        .at(variable.tree.header, "has no default, and no value is given")
                        .with_help(format!(
                            "give one: `--var {name}=…`, or `--var-file FILE` with `{name} = …`"
                        )),
                );
            }
            return None;
        };
        let expr = self.resolve(&written.value, variable, &[], Some(&constraint.ty))?;
        let value = self.evaluated(&expr, variable.module, &variable.scope)?;
        if value.is_null() {
            if nullable {
                return Some(Value::Null);
            }
            self.report(
                Diagnostic::error(
                    poolwright_expression::codes::NULL_VALUE,
                    format!("the default of `var.{}` is null, which it does not take", variable.label),
                )
                .at(written.value.span, "null")
                .with_help("remove `nullable = false`, or write another default"),
            );
            return None;
        }
        self.fitting(&value, &expr, constraint, "default", &variable.address)
    }

    /// A value brought to the type of an input or result, with the defaults of its parts.
    pub(super) fn fitting(
        &self,
        value: &Value,
        expr: &Expr,
        constraint: &Constraint,
        name: &str,
        of: &str,
    ) -> Option<Value> {
        if value.is_null() {
            return Some(Value::Null);
        }
        let (plain, mark) = value.clone().unmark();
        let value = self.converted(&plain, &constraint.ty, expr, (name, of))?;
        Some(constraint.defaults.fill(&value).marked(mark))
    }

    /// Whether an input or result is `sensitive`.
    pub(super) fn is_sensitive(&self, block: &Arc<Block<'t>>) -> bool {
        self.flag(block, "sensitive", false)
    }

    fn flag(&self, block: &Arc<Block<'t>>, name: &str, default: bool) -> bool {
        match self.declared(block, name, block.tree.header) {
            Some(Ok(Value::Bool(value))) => value,
            _ => default,
        }
    }

    /// Evaluates all inputs with their conditions, so that one that nobody uses is checked too.
    pub(crate) fn variables(&self) {
        self.unknown_variables();
        for (id, module) in self.blocks.modules() {
            for declaration in module.declared.of_kind("variable") {
                let Some(variable) =
                    module.known(&declaration.declared).and_then(|found| found.blocks.first().cloned())
                else {
                    continue;
                };
                self.within(&variable, || {
                    self.attributes(&variable);
                    match self.variable(id, &variable.label, variable.tree.header) {
                        Ok(_) if self.validations(&variable) => {}
                        Ok(_) => self.forget(&module.path, &variable.label),
                        Err(diagnostic) => self.report(*diagnostic),
                    }
                });
            }
        }
    }

    /// Values that are given to no variable.
    fn unknown_variables(&self) {
        let root = &self.blocks.root().declared;
        for (name, given) in self.inputs.variables {
            let declared = format!("variable.{name}");
            if root.top.contains_key(declared.as_str()) || root.may_exist(&declared, name) {
                continue;
            }
            let known: Vec<&str> = root.of_kind("variable").map(|variable| &*variable.label).collect();
            let diagnostic = Diagnostic::error(
                codes::UNKNOWN_INPUT,
                format!("a value is given to `{name}`, which is no variable"),
            )
            .at(given.span, "no variable of the fleet");
            self.report(match suggestion_help("variable", name, known.iter().copied()) {
                Some(help) => diagnostic.with_help(help),
                None => diagnostic.with_help(format!("declare it: `variable \"{name}\" {{ … }}`")),
            });
        }
    }

    /// Whether the value of an input passes its conditions.
    fn validations(&self, variable: &Arc<Block<'t>>) -> bool {
        let mut passes = true;
        for validation in variable.children_of("validation") {
            self.attributes(validation);
            let Some(condition) = validation.attribute("condition") else { continue };
            let holds = self
                .resolve(&condition.value, validation, &[], Some(&Type::Bool))
                .and_then(|expr| Some((self.evaluated(&expr, validation.module, &validation.scope)?, expr)))
                .and_then(|(value, expr)| {
                    let (value, _) = value.unmark_deep();
                    self.converted(&value, &Type::Bool, &expr, ("condition", &validation.address))
                });
            if holds != Some(Value::Bool(false)) {
                continue;
            }
            passes = false;
            let message = self.message(validation);
            let name = &variable.label;
            let mut diagnostic = Diagnostic::error(
                codes::VALIDATION,
                format!("the value of `var.{name}` is refused: {message}"),
            )
            .at(condition.value.span, "is false");
            diagnostic = match self.given(variable) {
                Some(span) => diagnostic.also(span, "the value is given here"),
                None => diagnostic,
            };
            if let Ok(value) = self.variable(variable.module, name, condition.value.span) {
                diagnostic = diagnostic.with_value(format!("var.{name}"), value.to_string());
            }
            self.report(diagnostic.with_help("give a value for which the condition holds"));
        }
        passes
    }

    /// Where the value of an input was written.
    fn given(&self, variable: &Arc<Block<'t>>) -> Option<Span> {
        let call = self.blocks.module(variable.module).call.clone();
        let outside = self.inputs.variables.get(&*variable.label).filter(|_| call.is_none());
        let written = call.and_then(|call| Some(call.attribute(&variable.label)?.value.span));
        written
            .or(outside.map(|given| given.span))
            .or_else(|| Some(variable.attribute("default")?.value.span))
    }

    /// The text of an `error_message`; what is wrong with it has been reported.
    fn message(&self, block: &Arc<Block<'t>>) -> String {
        let text = block
            .attribute("error_message")
            .and_then(|written| self.resolve(&written.value, block, &[], Some(&Type::String)))
            .and_then(|expr| self.evaluated(&expr, block.module, &block.scope));
        match text {
            Some(Value::String(text)) => text.to_string(),
            Some(Value::Sensitive(_)) => "the message is sensitive".to_owned(),
            _ => "its condition does not hold".to_owned(),
        }
    }
}

/// Whether a text that stands on a command line is meant as it stands: where one value is wanted that is written as
/// text.
fn takes_text(ty: &Type) -> bool {
    !matches!(
        ty,
        Type::List(_)
            | Type::Set(_)
            | Type::Map(_)
            | Type::Object(_)
            | Type::Block(_)
            | Type::Any
            | Type::OneOf(_)
    )
}

/// The value of a variable that is given from outside of the fleet's files.
#[derive(Debug)]
pub struct Given {
    /// What is given.
    pub value: GivenValue,
    /// Where it was written.
    pub span: Span,
}

/// How a value is given.
#[derive(Debug)]
pub enum GivenValue {
    /// As an expression, in a file.
    Expr(tree::Expr),
    /// Without quotes, on a command line: the text, and the expression that it is, if it is one.
    Text(String, Option<tree::Expr>),
    /// As a value, by a test.
    Value(Value),
}
