//! From the text of an expression to its value, with the parser and the evaluator of the product and names that the
//! case gives. The language's own names (`pool.x`, `var.y`) are left out: they are no part of what is compared.

use std::collections::BTreeMap;

use poolwright_diagnostics::{Diagnostic, FileId, Span};
use poolwright_expression::{
    BinaryOp, BlockRef, Expr, ExprKind, ForExpr, Host, Number, ObjectItem, Scope, Step, Symbol, TemplatePart,
    Type, UnaryOp, Value, codes, evaluate,
};
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

/// The text is the value of an attribute: in parentheses, so that it may begin and end with empty lines.
pub(crate) fn parse(text: &str) -> Result<Expr, Vec<Diagnostic>> {
    let (file, found) = poolwright_syntax::parse(FileId(0), &format!("x = ({text}\n)\n"));
    let faults: Vec<Diagnostic> = found.into_iter().filter(Diagnostic::is_error).collect();
    match file.body.items.as_slice() {
        [tree::Item::Attribute(attribute)] if faults.is_empty() => {
            expr(&attribute.value).map_err(|fault| vec![*fault])
        }
        _ => Err(faults),
    }
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

/// A tree with resolved names, or why it has none.
pub(crate) type Lowered<T = Expr> = Result<T, Box<Diagnostic>>;

pub(crate) fn expr(expr: &tree::Expr) -> Lowered {
    let span = expr.span;
    let kind = match &expr.kind {
        tree::ExprKind::Null => ExprKind::Literal(Value::Null),
        tree::ExprKind::Bool(value) => ExprKind::Literal(Value::Bool(*value)),
        tree::ExprKind::Number(text) => match Number::parse(text) {
            Ok(number) => ExprKind::Literal(Value::Number(number)),
            Err(error) => {
                return Err(Box::new(
                    Diagnostic::error(codes::NUMBER_TOO_LARGE, error.to_string()).at(span, ""),
                ));
            }
        },
        tree::ExprKind::String(text) => ExprKind::Literal(Value::string(text)),
        tree::ExprKind::Template(parts) => ExprKind::Template(template(parts)?),
        tree::ExprKind::List(items) => ExprKind::List(all(items)?),
        tree::ExprKind::Object(items) => ExprKind::Object(items.iter().map(item).collect::<Lowered<_>>()?),
        tree::ExprKind::Name(name) => ExprKind::Symbol(Symbol::Scoped(name.text.clone())),
        tree::ExprKind::Traversal(base, steps) => {
            ExprKind::Traversal(boxed(base)?, steps.iter().map(step).collect::<Lowered<_>>()?)
        }
        tree::ExprKind::Call(call) => {
            ExprKind::Call(call.name.text.clone(), call.name.span, all(&call.arguments)?, call.expand_last)
        }
        tree::ExprKind::Unary(tree::UnaryOp::Not, operand) => ExprKind::Unary(UnaryOp::Not, boxed(operand)?),
        tree::ExprKind::Unary(tree::UnaryOp::Negate, operand) => {
            ExprKind::Unary(UnaryOp::Negate, boxed(operand)?)
        }
        tree::ExprKind::Binary(binary) => {
            let operands = (self::expr(&binary.left)?, self::expr(&binary.right)?);
            ExprKind::Binary(operator(binary.op), binary.op_span, Box::new(operands))
        }
        tree::ExprKind::Conditional(parts) => ExprKind::Conditional(Box::new((
            self::expr(&parts.condition)?,
            self::expr(&parts.then)?,
            self::expr(&parts.otherwise)?,
        ))),
        tree::ExprKind::For(parts) => ExprKind::For(Box::new(ForExpr {
            key: parts.key.as_ref().map(|key| key.text.clone()),
            value: parts.value.text.clone(),
            collection: self::expr(&parts.collection)?,
            key_result: parts.key_result.as_ref().map(self::expr).transpose()?,
            result: self::expr(&parts.result)?,
            condition: parts.condition.as_ref().map(self::expr).transpose()?,
            grouping: parts.grouping,
        })),
        tree::ExprKind::Parenthesis(inner) => return self::expr(inner),
    };
    Ok(Expr { kind, span })
}

fn boxed(inner: &tree::Expr) -> Lowered<Box<Expr>> {
    expr(inner).map(Box::new)
}

fn all(items: &[tree::Expr]) -> Lowered<Vec<Expr>> {
    items.iter().map(expr).collect()
}

fn item(item: &tree::ObjectItem) -> Lowered<ObjectItem> {
    let key = match &item.key {
        tree::ObjectKey::Name(name) => {
            Expr { kind: ExprKind::Literal(Value::string(&name.text)), span: name.span }
        }
        tree::ObjectKey::Expr(key) => expr(key)?,
    };
    Ok(ObjectItem { key, value: expr(&item.value)? })
}

fn step(step: &tree::Step) -> Lowered<Step> {
    Ok(match step {
        tree::Step::Attribute(name) => Step::Attribute(name.text.clone(), name.span),
        tree::Step::Index(key) => Step::Index(expr(key)?),
        tree::Step::LegacyIndex(index, span) => Step::LegacyIndex(*index, *span),
        tree::Step::AttributeSplat(span) => Step::AttributeSplat(*span),
        tree::Step::FullSplat(span) => Step::FullSplat(*span),
    })
}

fn template(parts: &[tree::TemplatePart]) -> Lowered<Vec<TemplatePart>> {
    let part = |part: &tree::TemplatePart| {
        Ok(match part {
            tree::TemplatePart::Literal(text) => TemplatePart::Literal(text.clone()),
            tree::TemplatePart::Interpolation(inner) => TemplatePart::Interpolation(expr(inner)?),
            tree::TemplatePart::If { condition, then, otherwise, .. } => {
                TemplatePart::If(expr(condition)?, template(then)?, template(otherwise)?)
            }
            tree::TemplatePart::For { key, value, collection, body, .. } => TemplatePart::For(
                key.as_ref().map(|key| key.text.clone()),
                value.text.clone(),
                expr(collection)?,
                template(body)?,
            ),
        })
    };
    parts.iter().map(part).collect()
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
