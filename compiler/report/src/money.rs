//! Money in columns.

use poolwright_expression::quantity::Money;

/// A total with its sign and two decimals, without what it is per: `$154,100.80`; unknown when it is not known.
pub(crate) fn total(money: Option<&Money>) -> String {
    money.map_or_else(
        || "unknown".to_owned(),
        |money| Money::total(money.amount.clone(), money.currency).to_string(),
    )
}

/// A difference: `+$37,436.76`, `0.00`.
pub(crate) fn delta(money: Option<&Money>) -> String {
    match money {
        None => String::new(),
        // What was applied is remembered with 12 digits: less than half a cent is no difference.
        Some(money) if money.amount.round_half_even(2).is_zero() => "0.00".to_owned(),
        Some(money) => {
            let sign = if money.amount.is_negative() { "" } else { "+" };
            format!("{sign}{}", total(Some(money)))
        }
    }
}

/// A unit price: `$1.0069/gpu/h`.
pub(crate) fn price(money: Option<&Money>) -> String {
    money.map_or_else(|| "unknown".to_owned(), ToString::to_string)
}
