//! Calls of functions.

use std::sync::Arc;

use poolwright_diagnostics::{Span, suggestion_help};

use super::fault::{Fault, Outcome, gave_up};
use super::{Evaluator, Expr, Host, Limits, Scope, check_size};
use crate::functions::{self, Function, Implementation, Reads};
use crate::{Type, Value, codes};

impl Evaluator<'_> {
    #[inline(never)]
    pub(super) fn call(
        &self,
        name: &Arc<str>,
        name_span: Span,
        arguments: &[Expr],
        expand: bool,
        span: Span,
        scope: &Scope,
    ) -> Outcome {
        let function = functions::find(name);
        match function.map(|function| &function.implementation) {
            Some(Implementation::Try) => return self.attempt(arguments, span, scope),
            Some(Implementation::Can) => return self.can(arguments, span, scope),
            Some(Implementation::TemplateString) => {
                return self.template_string(arguments, name_span, span, scope);
            }
            Some(Implementation::TemplateFile) => {
                return self.template_file(arguments, name_span, span, scope);
            }
            _ => {}
        }
        let Some((values, places)) = self.arguments(arguments, expand, scope)? else {
            return Ok(Value::Unknown(function.map_or(Type::Any, |function| (function.returns)())));
        };
        let place = |index: Option<usize>| index.and_then(|index| places.get(index)).copied().unwrap_or(span);
        let result = match function {
            Some(function) => invoke(function, &values, self.host, &self.limits).map_err(|fault| {
                let at = if fault.code == codes::WRONG_ARGUMENTS { name_span } else { place(fault.argument) };
                fault.at(at)
            })?,
            None => match self.host.call(name, &values, name_span) {
                Some(result) => result?,
                None => return Err(unknown_function(name, self.host.function_names()).at(name_span)),
            },
        };
        self.limits.take_result(&result, span)?;
        Ok(result)
    }

    /// The values of the arguments with their places; `None`: the expanded one is not known yet.
    fn arguments(
        &self,
        arguments: &[Expr],
        expand: bool,
        scope: &Scope,
    ) -> Outcome<Option<(Vec<Value>, Vec<Span>)>> {
        let (mut values, mut places) = (Vec::new(), Vec::new());
        for (index, argument) in arguments.iter().enumerate() {
            let value = self.eval(argument, scope)?;
            if !expand || index + 1 < arguments.len() {
                values.push(value);
                places.push(argument.span);
                continue;
            }
            let (value, mark) = value.unmark();
            match &value {
                Value::List(items) | Value::Set(items) => {
                    values.extend(items.iter().map(|item| item.clone().marked(mark)));
                    places.extend(items.iter().map(|_| argument.span));
                }
                Value::Unknown(_) => return Ok(None),
                other => {
                    let message =
                        format!("only a list can be expanded with `...`, not {}", other.type_name());
                    return Err(Fault::new(codes::NOT_ITERABLE, message).at(argument.span));
                }
            }
        }
        Ok(Some((values, places)))
    }

    /// `try(a, b)`: the first that can be evaluated. One on whose way something is not known may still fail later.
    #[inline(never)]
    fn attempt(&self, arguments: &[Expr], span: Span, scope: &Scope) -> Outcome {
        let mut last = None;
        for argument in arguments {
            let (result, met) = self.met.during(|| self.eval(argument, scope));
            match result {
                Ok(value) if met.unknown || value.is_unknown() => {
                    return Ok(Value::Unknown(Type::Any).marked(value.is_sensitive()));
                }
                Ok(value) => return Ok(value),
                Err(diagnostic) if gave_up(&diagnostic) => return Err(diagnostic),
                Err(diagnostic) => last = Some(diagnostic),
            }
        }
        let Some(last) = last else {
            return Err(Fault::new(codes::WRONG_ARGUMENTS, "`try` takes at least one argument").at(span));
        };
        let fault = Fault::new(codes::ALL_FAILED, "no argument of `try` can be evaluated");
        Err(Box::new(fault.at(span).with_note(format!("the last one failed with: {}", last.message))))
    }

    /// `can(a)`: whether it can be evaluated.
    #[inline(never)]
    fn can(&self, arguments: &[Expr], span: Span, scope: &Scope) -> Outcome {
        let [argument] = arguments else {
            return Err(Fault::new(codes::WRONG_ARGUMENTS, "`can` takes one argument").at(span));
        };
        let (result, met) = self.met.during(|| self.eval(argument, scope));
        match result {
            Ok(value) if met.unknown || value.is_unknown() => Ok(Value::Unknown(Type::Bool)),
            Ok(_) => Ok(Value::Bool(true)),
            Err(diagnostic) if gave_up(&diagnostic) => Err(diagnostic),
            Err(_) => Ok(Value::Bool(false)),
        }
    }
}

/// Calls a function: counts arguments, takes marks off and puts them on the result, and spreads unknowns.
pub(crate) fn invoke(
    function: &Function,
    values: &[Value],
    host: &dyn Host,
    limits: &Limits,
) -> Result<Value, Fault> {
    check_arity(function, values.len())?;
    let mut mark = false;
    let mut plain = Vec::with_capacity(values.len());
    for value in values {
        let (value, marked) = match function.reads {
            Reads::Parts | Reads::Unknowns => value.clone().unmark_deep(),
            Reads::Structure => value.clone().unmark(),
            Reads::Marks => (value.clone(), false),
        };
        mark |= marked;
        plain.push(value);
    }
    let unknown = match function.reads {
        Reads::Parts => plain.iter().any(Value::is_unknown),
        Reads::Structure => plain.iter().any(|value| matches!(value, Value::Unknown(_))),
        Reads::Unknowns | Reads::Marks => false,
    };
    if unknown {
        let ty = function.unknown.map_or_else(function.returns, |ty| ty(&plain));
        return Ok(Value::Unknown(ty).marked(mark));
    }
    let Implementation::Pure(implementation) = function.implementation else {
        return Err(Fault::new(codes::WRONG_ARGUMENTS, format!("`{}` cannot be called here", function.name)));
    };
    let call = functions::Call { name: function.name, arguments: &plain, host, limits };
    let result = implementation(&call).map_err(|fault| with_parameter(fault, function).hidden(mark))?;
    check_size(&result)?;
    Ok(result.marked(mark))
}

/// A fault of an argument that does not say what to do says what the parameter is.
fn with_parameter(mut fault: Fault, function: &Function) -> Fault {
    if let (None, Some(index)) = (&fault.help, fault.argument) {
        let last = function.parameters.len().saturating_sub(1);
        if let Some((name, doc)) = function.parameters.get(index.min(last)) {
            fault.help = Some(format!("`{name}` of `{}` is {doc}", function.signature()));
        }
    }
    fault
}

/// Refuses too few or too many arguments.
pub(super) fn check_arity(function: &Function, count: usize) -> Result<(), Fault> {
    let at_most = function.parameters.len();
    if count < function.required || (!function.variadic && count > at_most) {
        let message = format!("`{}` takes {}, not {count}", function.name, function.arity());
        return Err(
            Fault::new(codes::WRONG_ARGUMENTS, message).help(format!("it is {}", function.signature()))
        );
    }
    Ok(())
}

/// Checks a call before it is evaluated: whether there is such a function, and whether it takes so many arguments.
/// `expand`: the last argument is a list of more. `of_host`: functions that the caller has besides.
///
/// # Errors
/// What is wrong, at the name.
pub fn check_call(
    name: &str,
    arguments: usize,
    expand: bool,
    at: Span,
    of_host: &[&str],
) -> Result<(), Box<poolwright_diagnostics::Diagnostic>> {
    match functions::find(name) {
        Some(function) if !expand => check_arity(function, arguments).map_err(|fault| fault.at(at)),
        Some(_) => Ok(()),
        None if of_host.contains(&name) => Ok(()),
        None => Err(unknown_function(name, of_host).at(at)),
    }
}

fn unknown_function(name: &str, of_host: &[&str]) -> Fault {
    if let Some(excluded) = functions::excluded().iter().find(|excluded| excluded.name == name) {
        let message = format!("there is no function `{name}`: {}", excluded.why);
        return Fault::new(codes::UNKNOWN_FUNCTION, message).help(excluded.instead);
    }
    let known = functions::all().map(|function| function.name).chain(of_host.iter().copied());
    Fault::new(codes::UNKNOWN_FUNCTION, format!("there is no function `{name}`"))
        .help("call a function of OpenTofu's pure set, or a constructor such as `duration` or `money`")
        .maybe_help(suggestion_help("function", name, known))
}
