//! Values, exact numbers, quantities with units, and the one evaluator.
//!
//! An [`Expr`] is an expression whose names are resolved; [`evaluate`] gives its [`Value`]. Evaluation is pure and
//! total: no clock, no network, bounded depth, work and size. What only the caller can know (a block's attribute, a
//! price, a routing decision, the text of a file of the fleet) is asked of a [`Host`]. This crate knows no block, no schema and no target.
//!
//! Enter at [`evaluate`] for expressions, [`Type`] and [`convert`] for the way from a value to what a schema
//! wants, [`quantity`] for units.

pub mod codes;
mod convert;
mod evaluate;
mod expr;
pub mod functions;
mod number;
pub mod quantity;
mod types;
mod value;

pub use convert::{ConvertFault, PathStep, convert};
pub use evaluate::{
    Fault, FileFault, Host, Scope, Template, TemplateFault, check_call, evaluate, expression_text,
    reference_values,
};
pub use expr::{BinaryOp, Expr, ExprKind, ForExpr, ObjectItem, Step, Symbol, TemplatePart, UnaryOp};
pub use number::{Number, NumberError};
pub use types::{Defaults, Field, FieldDefault, ObjectType, Type};
pub use value::{BlockRef, Value, ValueError, to_json};

#[cfg(test)]
mod tests;
