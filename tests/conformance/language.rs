//! From the text of an expression to its value, with the parser, the resolver and the evaluator of the product and names
//! that the case gives. The language's own names (`pool.x`, `var.y`) are left out: they are no part of what is compared.

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, FileId, Span};
use poolwright_expression::{BlockRef, Expr, Host, Scope, Symbol, Type, Value, codes, evaluate};
use poolwright_syntax::tree;

/// What an expression gives: its value, or the messages of what is wrong with it.
pub(crate) type Outcome = Result<Value, Vec<Diagnostic>>;

/// Evaluates the text of an expression with the values of its names.
pub(crate) fn run(text: &str, names: &BTreeMap<String, Value>) -> Outcome {
    let expr = parse(text)?;
    let scope =
        names.iter().fold(Scope::default(), |scope, (name, value)| scope.with(name.as_str(), value.clone()));
    evaluate(&expr, &scope, &Lab).map_err(|diagnostic| vec![*diagnostic])
}

/// The text is the value of an attribute: in parentheses, so that it may begin and end with empty lines. Every word in it
/// is a name, so that one without a value is a fault of the evaluation, as it is for HashiCorp's implementation.
pub(crate) fn parse(text: &str) -> Result<Expr, Vec<Diagnostic>> {
    let (file, found) = poolwright_syntax::parse(FileId(0), &format!("x = ({text}\n)\n"));
    let faults: Vec<Diagnostic> = found.into_iter().filter(Diagnostic::is_error).collect();
    // A `-` belongs to a name or stands before one.
    let other = |c: char| !c.is_alphanumeric() && c != '_';
    let words = text.split(other).chain(text.split(|c| other(c) && c != '-'));
    match file.body.items.as_slice() {
        [tree::Item::Attribute(attribute)] if faults.is_empty() => match &attribute.value.kind {
            // The place of an expression in parentheses is that of the parentheses, and these are not its own.
            tree::ExprKind::Parenthesis(inner) => expr(inner, words),
            _ => expr(&attribute.value, words),
        },
        _ => Err(faults),
    }
}

/// An expression that uses these names alone.
pub(crate) fn expr<S: AsRef<str>>(
    expr: &tree::Expr,
    names: impl IntoIterator<Item = S>,
) -> Result<Expr, Vec<Diagnostic>> {
    let names: Vec<Arc<str>> = names.into_iter().map(|name| Arc::from(name.as_ref())).collect();
    poolwright_language::resolve_alone(expr, &names)
}

/// A host with two functions of its own, one of them in a namespace.
pub(crate) struct Lab;

impl Host for Lab {
    fn symbol(&self, symbol: &Symbol, span: Span) -> Result<Value, Box<Diagnostic>> {
        Err(Box::new(Diagnostic::error(codes::NO_ATTRIBUTE, format!("nobody knows {symbol:?}")).at(span, "")))
    }

    fn attribute(&self, _: &BlockRef, name: &str, span: Span) -> Result<Value, Box<Diagnostic>> {
        Err(Box::new(Diagnostic::error(codes::NO_ATTRIBUTE, format!("no attribute {name}")).at(span, "")))
    }

    fn call(&self, name: &str, arguments: &[Value], span: Span) -> Option<Result<Value, Box<Diagnostic>>> {
        let (plain, marked): (Vec<Value>, Vec<bool>) =
            arguments.iter().map(|value| value.clone().unmark_deep()).unzip();
        let marked = marked.contains(&true);
        match (name, plain.as_slice()) {
            ("lab::upper", [Value::Unknown(_)]) => Some(Ok(Value::Unknown(Type::String).marked(marked))),
            ("lab::upper", [text @ (Value::String(_) | Value::Number(_) | Value::Bool(_))]) => {
                let text = text.as_str().map_or_else(|| text.to_string(), str::to_owned);
                Some(Ok(Value::string(&text.to_uppercase()).marked(marked)))
            }
            ("lab::upper" | "refuse", _) => {
                let message = format!("`{name}` does not work with these");
                Some(Err(Box::new(Diagnostic::error(codes::BAD_ARGUMENT, message).at(span, ""))))
            }
            _ => None,
        }
    }
}
