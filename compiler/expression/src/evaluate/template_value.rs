//! Templates that are values: `templatestring` and `templatefile`.
//!
//! The host parses them, since this crate knows no syntax; they are evaluated here, by the same rules and within the
//! same bounds as the expression that calls them. A template sees the names that it is given and nothing else.

use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span};

use super::call::check_arity;
use super::fault::{Fault, Outcome};
use super::{Evaluator, Expr, Scope, check_size, to_text};
use crate::functions::{self, read_text};
use crate::{Type, Value, codes};

/// A template that was a value, with its names resolved.
#[derive(Clone, Debug)]
pub struct Template {
    /// What it is.
    pub expr: Expr,
    /// The byte offset that its first byte has in the spans of the expression.
    pub start: u32,
}

/// Why a text is no template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateFault {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl Evaluator<'_> {
    #[inline(never)]
    pub(super) fn template_string(
        &self,
        arguments: &[Expr],
        name_span: Span,
        span: Span,
        scope: &Scope,
    ) -> Outcome {
        let (text, variables) = self.template_arguments("templatestring", arguments, name_span, scope)?;
        self.filled(text, &variables, "the template", arguments, span)
    }

    #[inline(never)]
    pub(super) fn template_file(
        &self,
        arguments: &[Expr],
        name_span: Span,
        span: Span,
        scope: &Scope,
    ) -> Outcome {
        let (path, variables) = self.template_arguments("templatefile", arguments, name_span, scope)?;
        let (path, mark) = path.unmark();
        let at = arguments.first().map_or(span, |argument| argument.span);
        if let Value::Unknown(_) = path {
            return Ok(Value::Unknown(Type::Any).marked(mark));
        }
        let text = read_text("templatefile", &path, self.host).map_err(|fault| fault.hidden(mark).at(at))?;
        self.limits.take_result(&Value::String(text.clone()), span)?;
        let what = if mark { "the template".to_owned() } else { format!("the template {path}") };
        self.filled(Value::String(text).marked(mark), &variables, &what, arguments, span)
    }

    /// The values of the two arguments.
    fn template_arguments(
        &self,
        name: &str,
        arguments: &[Expr],
        name_span: Span,
        scope: &Scope,
    ) -> Outcome<(Value, Value)> {
        if let Some(function) = functions::find(name) {
            check_arity(function, arguments.len()).map_err(|fault| fault.at(name_span))?;
        }
        let mut values = Vec::with_capacity(2);
        for argument in arguments {
            values.push(self.eval(argument, scope)?);
        }
        let variables = values.pop().unwrap_or(Value::Null);
        Ok((values.pop().unwrap_or(Value::Null), variables))
    }

    /// The template of a text with its variables.
    fn filled(&self, text: Value, variables: &Value, what: &str, arguments: &[Expr], span: Span) -> Outcome {
        let place = |index: usize| arguments.get(index).map_or(span, |argument| argument.span);
        let (text, mark) = text.unmark();
        let (variables, marked) = variables.clone().unmark();
        if matches!(text, Value::Unknown(_)) || matches!(variables, Value::Unknown(_)) {
            return Ok(Value::Unknown(Type::Any).marked(mark || marked));
        }
        let text = to_text(&text).map_err(|fault| fault.hidden(mark).at(place(0)))?;
        let Value::Object(entries) = &variables else {
            let message = format!("the variables of a template are an object, not {}", variables.type_name());
            return Err(Fault::new(codes::BAD_ARGUMENT, message).at(place(1)));
        };
        let names: Vec<Arc<str>> = entries.keys().cloned().collect();
        if let Some(wrong) = names.iter().find(|name| !is_name(name)) {
            let message = format!("{} cannot be the name of a variable", Value::string(wrong));
            let fault = Fault::new(codes::BAD_ARGUMENT, message)
                .help("names have letters, digits, `_` and `-`, a letter first");
            return Err(fault.hidden(marked).at(place(1)));
        }
        // Reading it is work too, and a loop may do it for each element.
        self.limits.charge(20 + text.len() as u64 / 8).map_err(|fault| fault.at(span))?;
        let template = match self.host.template(&text, &names) {
            Some(Ok(template)) => template,
            Some(Err(fault)) => {
                let message = format!("{what} cannot be read: line {}: {}", fault.line, fault.message);
                let fault = Fault::new(codes::BAD_ARGUMENT, message).maybe_help(fault.help);
                return Err(fault.hidden(mark).at(place(0)));
            }
            None => {
                let message = "templates that are values cannot be read here";
                return Err(Fault::new(codes::BAD_ARGUMENT, message).at(span));
            }
        };
        let scope = entries.iter().fold(Scope::default(), |scope, (name, value)| {
            scope.with(name.clone(), value.clone().marked(marked))
        });
        let value = self
            .eval(&template.expr, &scope)
            .map_err(|diagnostic| moved(*diagnostic, &text, template.start, what, mark, place(0)))?;
        check_size(&value).map_err(|fault| fault.at(span))?;
        self.limits.take_result(&value, span)?;
        Ok(value.marked(mark))
    }
}

/// A fault inside of the template, told at the call: the text is in no file of the language.
fn moved(
    diagnostic: Diagnostic,
    text: &str,
    start: u32,
    what: &str,
    mark: bool,
    at: Span,
) -> Box<Diagnostic> {
    let place = diagnostic.primary().map_or(0, |label| label.span.start.saturating_sub(start));
    let line = text.bytes().take(place as usize).filter(|byte| *byte == b'\n').count() + 1;
    if mark {
        return Fault::new(diagnostic.code, "").hidden(true).at(at);
    }
    let message = format!("{what}, line {line}: {}", diagnostic.message);
    let mut told = Diagnostic::error(diagnostic.code, message).at(at, "");
    for help in diagnostic.helps {
        told = told.with_help(help);
    }
    Box::new(told)
}

/// Whether a template can use a name: what may stand as a bare word.
fn is_name(name: &str) -> bool {
    let reserved = ["true", "false", "null"];
    name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || "_-".contains(c))
        && !reserved.contains(&name)
}
