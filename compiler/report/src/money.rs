//! Money in columns.

use poolwright_expression::quantity::Money;
use poolwright_model::money::BookUse;

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

/// The books that prices come from: `contracts 2026-11-01, shipped 2026-07-20`.
pub(crate) fn books(books: &[BookUse]) -> String {
    if books.is_empty() {
        return "none".to_owned();
    }
    let named = books.iter().map(|book| match book.date {
        Some(date) => format!("{} {date}", book.name),
        None => book.name.clone(),
    });
    named.collect::<Vec<_>>().join(", ")
}
