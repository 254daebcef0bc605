//! Money in one form: per GPU-hour where nodes have GPUs, per node-hour where they have none.

use poolwright_expression::Number;
use poolwright_expression::quantity::{Currency, Money, PerTime, PerUnit};

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

/// Money per GPU-hour or per node-hour, in the unit of a node with so many GPUs.
///
/// # Errors
/// Why it cannot be that: another currency, or per something else.
pub fn per_unit_hour(money: &Money, gpus: u32, currency: Currency) -> Result<Money, String> {
    if money.currency != currency {
        return Err(format!("{money} is not in {currency}, and there is no rate"));
    }
    let hourly = money.to_time(PerTime::Hour).ok_or_else(|| format!("{money} is not per hour"))?;
    match (hourly.per, unit(gpus)) {
        (Some(per), unit) if per == unit => Ok(hourly),
        (Some(PerUnit::Node), _) => {
            let share = exact(hourly.checked_div(&gpus.into()))?;
            Ok(Money { per: Some(PerUnit::Gpu), ..share })
        }
        _ => Err(format!("{money} is not per GPU or node that the lot has")),
    }
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
    fn node_prices_are_shared_by_the_gpus() {
        let money = |text: &str| Money::parse(text).unwrap();
        let usd = Currency::USD;
        assert_eq!(per_unit_hour(&money("$8.0553/node/h"), 8, usd).unwrap(), money("$1.0069125/gpu/h"));
        assert_eq!(per_unit_hour(&money("$48/gpu/day"), 8, usd).unwrap(), money("$2/gpu/h"));
        assert_eq!(per_unit_hour(&money("$3/node/h"), 0, usd).unwrap(), money("$3/node/h"));
        assert!(per_unit_hour(&money("$3/gpu/h"), 0, usd).unwrap_err().contains("not per GPU or node"));
        assert!(per_unit_hour(&money("$3/month"), 8, usd).unwrap_err().contains("not per GPU or node"));
        assert!(per_unit_hour(&money("$3/node"), 8, usd).unwrap_err().contains("not per hour"));
        assert!(per_unit_hour(&money("€3/gpu/h"), 8, usd).unwrap_err().contains("no rate"));
        assert_eq!(per_node_hour(&money("$2/gpu/h"), 8).unwrap(), money("$16/node/h"));
    }
}
