//! Money in one form: per GPU-hour where nodes have GPUs, per node-hour where they have none.

use poolwright_expression::quantity::{Money, PerUnit};

/// A value, or the reason why it is not known.
pub(crate) type Known<T> = Result<T, String>;

/// Arithmetic on numbers that outgrow every price.
pub(crate) fn exact<T, E: std::fmt::Display>(result: Result<T, E>) -> Known<T> {
    result.map_err(|error| error.to_string())
}

/// The unit in which the prices of a node of this shape are kept.
pub(crate) fn unit(gpus: u32) -> PerUnit {
    if gpus == 0 { PerUnit::Node } else { PerUnit::Gpu }
}

/// The larger of two amounts of one form.
pub(crate) fn larger(a: Money, b: Money) -> Known<Money> {
    Ok(if exact(a.compare(&b))?.is_lt() { b } else { a })
}

/// The smaller of two amounts of one form.
pub(crate) fn smaller(a: Money, b: Money) -> Known<Money> {
    Ok(if exact(a.compare(&b))?.is_gt() { b } else { a })
}
