//! Operators: short circuit, three-valued logic, marks.

use poolwright_diagnostics::Diagnostic;

use super::arithmetic::{arithmetic, negate, order, possible};
use super::fault::{Fault, Outcome, gave_up};
use super::references::reference_values_of;
use super::{BinaryOp, Evaluator, Expr, ExprKind, Host, Scope, UnaryOp, equal, to_bool};
use crate::{Type, Value};

/// A chain `a + b + c`, walked in a loop: each operator node with its right operand.
struct Link<'a> {
    node: &'a Expr,
    op: BinaryOp,
    left: &'a Expr,
    right: &'a Expr,
}

impl Evaluator<'_> {
    /// Operators lean to the left, so a long chain is a loop here and not a recursion.
    #[inline(never)]
    pub(super) fn binary(&self, expr: &Expr, scope: &Scope) -> Outcome {
        let mut chain = Vec::new();
        let mut first = expr;
        while let ExprKind::Binary(op, _, operands) = &first.kind {
            chain.push(Link { node: first, op: *op, left: &operands.0, right: &operands.1 });
            first = &operands.0;
        }
        let mut value = self.eval(first, scope)?;
        for link in chain.iter().rev() {
            self.limits.take(link.node.span)?;
            value = match link.op {
                BinaryOp::And | BinaryOp::Or => self.logic(link, value, scope)?,
                _ => self.strict(link, value, scope)?,
            };
        }
        Ok(value)
    }

    fn strict(&self, link: &Link<'_>, left: Value, scope: &Scope) -> Outcome {
        let right = self.eval(link.right, scope)?;
        binary(link.op, &left, &right, self.host)
            .map_err(|fault| self.operator_fault(link, fault, &left, &right, scope))
    }

    /// `&&` and `||` after Kleene; the right side is evaluated only if the left does not decide.
    fn logic(&self, link: &Link<'_>, left: Value, scope: &Scope) -> Outcome {
        let decisive = link.op == BinaryOp::Or;
        let (left, left_mark) = left.unmark();
        let left =
            to_bool(&left).map_err(|fault| self.explained(fault.hidden(left_mark), link.left, scope))?;
        if left == Some(decisive) {
            return Ok(Value::Bool(decisive).marked(left_mark));
        }
        let (right, right_mark) = match self.eval(link.right, scope) {
            Ok(value) => value.unmark(),
            // What the left side turns out to be may keep the right side from being looked at.
            Err(diagnostic) if left.is_none() && !gave_up(&diagnostic) => {
                return Ok(Value::Unknown(Type::Bool).marked(left_mark));
            }
            Err(diagnostic) => return Err(diagnostic),
        };
        let right = match to_bool(&right) {
            Err(_) if left.is_none() => None,
            right => right.map_err(|fault| self.explained(fault.hidden(right_mark), link.right, scope))?,
        };
        let result = match (left, right) {
            (_, Some(right)) if right == decisive => Value::Bool(decisive),
            (Some(_), Some(right)) => Value::Bool(right),
            _ => Value::Unknown(Type::Bool),
        };
        Ok(result.marked(left_mark || right_mark))
    }

    #[inline(never)]
    pub(super) fn unary(&self, op: UnaryOp, operand: &Expr, scope: &Scope) -> Outcome {
        let (value, mark) = self.eval(operand, scope)?.unmark();
        let result = match op {
            UnaryOp::Negate => negate(&value),
            UnaryOp::Not => to_bool(&value).map(|value| match value {
                Some(value) => Value::Bool(!value),
                None => Value::Unknown(Type::Bool),
            }),
        };
        let result = result.map_err(|fault| self.explained(fault.hidden(mark), operand, scope))?;
        Ok(result.marked(mark))
    }

    /// The fault at an operand, with the values of the references in it.
    #[inline(never)]
    pub(super) fn explained(&self, fault: Fault, operand: &Expr, scope: &Scope) -> Box<Diagnostic> {
        let mut diagnostic = *fault.at(operand.span);
        for (_, text, value) in reference_values_of(self, operand, scope) {
            diagnostic = diagnostic.with_value(text, value.to_string());
        }
        Box::new(diagnostic)
    }

    /// The fault at the operator, both operands labelled, with the values of the references in them.
    #[inline(never)]
    fn operator_fault(
        &self,
        link: &Link<'_>,
        fault: Fault,
        left: &Value,
        right: &Value,
        scope: &Scope,
    ) -> Box<Diagnostic> {
        let mut diagnostic = *fault.at(link.node.span);
        for (operand, value) in [(link.left, left), (link.right, right)] {
            diagnostic = diagnostic.also(operand.span, label(value));
        }
        for (_, text, value) in reference_values_of(self, link.node, scope) {
            diagnostic = diagnostic.with_value(text, value.to_string());
        }
        Box::new(diagnostic)
    }
}

/// `a duration: 15m`; `null` alone says enough.
fn label(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Sensitive(_) => "(sensitive)".into(),
        other => format!("{}: {other}", other.type_name()),
    }
}

/// The result of an operator other than `&&` and `||`. Marks of the operands go over to it.
pub(crate) fn binary(op: BinaryOp, left: &Value, right: &Value, host: &dyn Host) -> Result<Value, Fault> {
    let mark = left.is_sensitive() || right.is_sensitive();
    let (left, right) = if mark {
        (left.clone().unmark_deep().0, right.clone().unmark_deep().0)
    } else {
        (left.clone(), right.clone())
    };
    let result = plain(op, &left, &right, host).map_err(|fault| fault.hidden(mark))?;
    Ok(result.marked(mark))
}

/// The same for values without marks.
fn plain(op: BinaryOp, left: &Value, right: &Value, host: &dyn Host) -> Result<Value, Fault> {
    match op {
        BinaryOp::Equal | BinaryOp::NotEqual => Ok(match equal(left, right, host)? {
            Some(same) => Value::Bool(same == (op == BinaryOp::Equal)),
            None => Value::Unknown(Type::Bool),
        }),
        BinaryOp::Less | BinaryOp::LessOrEqual | BinaryOp::Greater | BinaryOp::GreaterOrEqual => {
            compare(op, left, right, host)
        }
        _ => arithmetic(op, left, right, host),
    }
}

fn compare(op: BinaryOp, left: &Value, right: &Value, host: &dyn Host) -> Result<Value, Fault> {
    let unknown = matches!(left, Value::Unknown(_)) || matches!(right, Value::Unknown(_));
    if unknown && !left.is_null() && !right.is_null() {
        possible(op, left, right)?;
        return Ok(Value::Unknown(Type::Bool));
    }
    let order = order(op, left, right, host)?;
    Ok(Value::Bool(match op {
        BinaryOp::Less => order.is_lt(),
        BinaryOp::LessOrEqual => order.is_le(),
        BinaryOp::Greater => order.is_gt(),
        _ => order.is_ge(),
    }))
}
