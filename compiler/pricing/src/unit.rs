//! Money in one form: per GPU-hour where nodes have GPUs, per node-hour where they have none.

use poolwright_expression::Number;
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

/// A price of a node of this shape as money/node/h.
pub(crate) fn per_node_hour(price: &Money, gpus: u32) -> Known<Money> {
    let factor = if price.per == Some(PerUnit::Gpu) { Number::from(gpus) } else { Number::ONE };
    Ok(Money { per: Some(PerUnit::Node), ..exact(price.checked_mul(&factor))? })
}

/// The larger of two amounts of one form.
pub(crate) fn larger(a: Money, b: Money) -> Known<Money> {
    Ok(if exact(a.compare(&b))?.is_lt() { b } else { a })
}

/// The smaller of two amounts of one form.
pub(crate) fn smaller(a: Money, b: Money) -> Known<Money> {
    Ok(if exact(a.compare(&b))?.is_gt() { b } else { a })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_costs_what_its_gpus_cost() {
        let money = |text: &str| Money::parse(text).unwrap();
        assert_eq!(per_node_hour(&money("$2/gpu/h"), 8).unwrap(), money("$16/node/h"));
        assert_eq!(per_node_hour(&money("$3/node/h"), 0).unwrap(), money("$3/node/h"));
    }
}
