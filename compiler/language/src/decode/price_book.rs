//! `price_book` blocks.

use std::collections::BTreeMap;

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::quantity::Percent;
use poolwright_expression::{Number, Value};
use poolwright_model::Address;
use poolwright_model::fleet::PriceBook;

use super::{currency, from_values, share};
use crate::instances::Block;
use crate::values::{Values, meta, no_effect};
use crate::{Inputs, codes};

/// Decodes a price book.
pub(super) fn price_book<'t>(
    values: &Values<'_, 't>,
    block: &Block<'t>,
    inputs: &Inputs<'_>,
) -> Option<(Address, PriceBook)> {
    let mut attributes = values.attributes(block);
    if !attributes.complete {
        return None;
    }
    if let Some(Value::String(code)) = attributes.values.get("currency") {
        let span = block.attribute("currency").map_or(block.tree.header, |written| written.value.span);
        currency(values, code, span)?;
    }
    // Nothing off is as if it was not written.
    if attributes.values.get("discount").is_some_and(|it| *it == Value::quantity(Percent(Number::ZERO))) {
        attributes.values.remove("discount");
    }
    let mut book: PriceBook = from_values(values, &attributes.values, &block.address, block.tree.header)?;
    book.meta = meta(block, &attributes);
    rows_twice(values, &book);
    let origin = &book.meta.origin;
    if let Some(discount) = &book.discount {
        share(values, &book.meta, "discount", discount, false);
    }
    for (code, worth) in &book.rates {
        currency(values, code, origin.of(&format!("rates.{code}")))?;
        if worth.amount.is_zero() {
            values.report(
                Diagnostic::error(
                    codes::CURRENCY,
                    format!("one {code} is worth nothing in `{}`", book.meta.address),
                )
                .at(origin.of(&format!("rates.{code}")), "a rate above zero is expected")
                .with_help("write what one unit is worth: `rates = { CNY = \"$0.14\" }`"),
            );
            return None;
        }
    }
    match book.source.as_deref() {
        None | Some("shipped") => {
            for (attribute, why) in [("format", "it is no file"), ("currency", "its prices say theirs")] {
                if origin.wrote(attribute) {
                    values.report(no_effect(
                        attribute,
                        book.meta.address.as_str(),
                        origin.of(attribute),
                        why,
                        "remove it, or name a file in `source`",
                    ));
                }
            }
        }
        Some(path) => {
            if let Err(why) = values.read(path, inputs) {
                values.report(
                    Diagnostic::error(codes::BOOK_FILE, format!("the price file `{path}` cannot be read"))
                        .at(origin.of("source"), why)
                        .with_help("the path counts from the fleet's folder and stays inside it; `\"shipped\"` is the book that comes with Poolwright"),
                );
                return None;
            }
        }
    }
    Some((book.meta.address.clone(), book))
}

/// Two rows for the same thing: only one of them can be meant.
fn rows_twice(values: &Values<'_, '_>, book: &PriceBook) {
    let mut seen = BTreeMap::new();
    for (index, row) in book.prices.iter().enumerate() {
        let key = (&row.provider, &row.region, &row.zone, &row.instance_type);
        let Some(first) = seen.insert(key, index) else { continue };
        let place = |index: usize| book.meta.origin.of(&format!("prices[{index}]"));
        values.report(
            Diagnostic::warning(
                codes::TWICE,
                format!("`{}` has two rows for `{}`", book.meta.address, row.instance_type),
            )
            .at(place(index), "again here")
            .also(place(first), "first here")
            .with_note("provider, region, zone and instance type are the same")
            .with_help("keep one of the two; one row holds `on_demand`, `spot` and `reserved`"),
        );
    }
}
