//! Price books: reading them, and finding a price in them.

use std::collections::BTreeMap;

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::Number;
use poolwright_expression::quantity::{Currency, Date, Duration, Money, PerUnit};
use poolwright_model::fleet::{PriceBook, PriceRow};
use poolwright_model::money::{BookUse, per_unit_hour};
use poolwright_model::{Address, Fleet};

use crate::unit::{Known, exact};
use crate::{codes, files};

/// Columns of our own form of price files.
pub(crate) const COLUMNS: [&str; 11] = [
    "provider",
    "region",
    "zone",
    "instance_type",
    "on_demand",
    "spot",
    "reserved",
    "date",
    "source",
    "used",
    "note",
];

/// Which of a row's prices is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    OnDemand,
    Spot,
    Reserved,
}

impl Column {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::OnDemand => "on-demand",
            Self::Spot => "spot",
            Self::Reserved => "reserved",
        }
    }

    fn of(self, row: &PriceRow) -> Option<&Money> {
        match self {
            Self::OnDemand => row.on_demand.as_ref(),
            Self::Spot => row.spot.as_ref(),
            Self::Reserved => row.reserved.as_ref(),
        }
    }
}

/// What a price is wanted for.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a> {
    pub(crate) provider: &'a str,
    pub(crate) region: Option<&'a str>,
    pub(crate) zone: Option<&'a str>,
    pub(crate) instance_type: &'a str,
    pub(crate) gpus: u32,
    pub(crate) currency: Currency,
}

/// A price that was found.
#[derive(Clone)]
pub(crate) struct Found {
    /// In the unit of the node's shape, per hour.
    pub(crate) price: Money,
    pub(crate) book: Address,
    pub(crate) date: Option<Date>,
    /// Older is not to be relied upon.
    pub(crate) max_age: Option<Duration>,
}

/// The books of a fleet, in the order in which they are asked, with the rows that may be used.
pub(crate) struct Books {
    books: Vec<(Address, Vec<PriceRow>, Option<Duration>)>,
    pub(crate) used: Vec<BookUse>,
}

impl Books {
    pub(crate) fn read(fleet: &Fleet, files: &BTreeMap<String, String>) -> (Self, Vec<Diagnostic>) {
        let (mut books, mut used, mut faults) = (Vec::new(), Vec::new(), Vec::new());
        for address in &fleet.prices {
            // A reference to no book is refused before (PW1010).
            let Some(book) = fleet.price_books.get(address) else { continue };
            let mut rows = own_rows(fleet, book, &mut faults);
            if let Some(source) = &book.source {
                rows.extend(files::rows(book, source, files, fleet.currency, &mut faults));
            }
            settle(fleet, book, &mut rows);
            let shipped = book.source.as_deref() == Some("shipped");
            used.push(BookUse {
                name: if shipped { "shipped".to_owned() } else { book.meta.address.label().to_owned() },
                date: rows.iter().filter_map(|row| row.date).max(),
            });
            books.push((address.clone(), rows, book.max_age.clone()));
        }
        (Self { books, used }, faults)
    }

    /// The first book that has such a price wins; in it the exact zone, then the dearest of the region, then the
    /// dearest of rows that name no region (LANGUAGE §3.5). The last is why there is none.
    pub(crate) fn find(&self, column: Column, wanted: Wanted<'_>) -> Known<Found> {
        let mut why = None;
        for (book, rows, max_age) in &self.books {
            let fits = |row: &&PriceRow| {
                (row.provider == wanted.provider || row.provider == files::ANY)
                    && row.instance_type == wanted.instance_type
                    && column.of(row).is_some()
                    && (row.region.is_none() || row.region.as_deref() == wanted.region)
            };
            let zone = |row: &&PriceRow| row.zone.is_some() && row.zone.as_deref() == wanted.zone;
            let regional = |row: &&PriceRow| row.region.is_some();
            let all: Vec<&PriceRow> = rows.iter().filter(fits).collect();
            let mut best: Vec<&PriceRow> = all.iter().copied().filter(zone).collect();
            if best.is_empty() {
                best = all.iter().copied().filter(regional).collect();
            }
            if best.is_empty() {
                best = all;
            }
            let mut dearest: Option<Found> = None;
            for row in best {
                let Some(money) = column.of(row) else { continue };
                match per_unit_hour(money, wanted.gpus, wanted.currency) {
                    Ok(price) => {
                        if match &dearest {
                            Some(found) => exact(found.price.compare(&price))?.is_lt(),
                            None => true,
                        } {
                            dearest = Some(Found {
                                price,
                                book: book.clone(),
                                date: row.date,
                                max_age: max_age.clone(),
                            });
                        }
                    }
                    Err(reason) => {
                        why.get_or_insert(format!("{book}: {reason}"));
                    }
                }
            }
            if let Some(found) = dearest {
                return Ok(found);
            }
        }
        Err(why.unwrap_or_else(|| {
            let place = wanted.region.map(|region| format!(" in {region}")).unwrap_or_default();
            let (kind, provider, instance_type) = (column.as_str(), wanted.provider, wanted.instance_type);
            format!(
                "no price book has {article} {kind} price of {provider} {instance_type}{place}",
                article = article(kind)
            )
        }))
    }
}

/// Brings the rows of a book to the fleet's currency, where there is a rate, and takes its discount off. A rate of the
/// book itself comes before those of the other books that are asked.
fn settle(fleet: &Fleet, book: &PriceBook, rows: &mut [PriceRow]) {
    let left = book.discount.as_ref().and_then(|it| Number::ONE.checked_sub(&it.0).ok());
    let others = || fleet.prices.iter().filter_map(|address| fleet.price_books.get(address));
    let rate = |from: Currency| {
        std::iter::once(book)
            .chain(others())
            .find_map(|it| it.rates.get(&from.to_string()).filter(|rate| rate.currency == fleet.currency))
    };
    for money in rows.iter_mut().flat_map(|row| [&mut row.on_demand, &mut row.spot, &mut row.reserved]) {
        let Some(price) = money else { continue };
        if let Some(rate) = Some(price.currency).filter(|it| *it != fleet.currency).and_then(rate)
            && let Ok(amount) = price.amount.checked_mul(&rate.amount)
        {
            *price = Money { amount, currency: rate.currency, ..price.clone() };
        }
        if let Some(Ok(amount)) = left.as_ref().map(|left| price.amount.checked_mul(left)) {
            price.amount = amount;
        }
    }
}

fn article(word: &str) -> &'static str {
    if word.starts_with('o') { "an" } else { "a" }
}

/// Rows written in the block, without those that cannot be right.
fn own_rows(fleet: &Fleet, book: &PriceBook, faults: &mut Vec<Diagnostic>) -> Vec<PriceRow> {
    let currency = fleet.currency;
    let rated = |code: Currency| {
        let books = fleet.prices.iter().filter_map(|address| fleet.price_books.get(address));
        books
            .chain([book])
            .any(|it| it.rates.get(&code.to_string()).is_some_and(|rate| rate.currency == currency))
    };
    let mut rows = Vec::new();
    for (index, row) in book.prices.iter().enumerate() {
        let at = |column: &str| book.meta.origin.of(&format!("prices[{index}].{column}"));
        let mut good = true;
        for (column, money) in
            [("on_demand", &row.on_demand), ("spot", &row.spot), ("reserved", &row.reserved)]
        {
            let Some(money) = money else { continue };
            if let Err(why) = well_formed(money) {
                good = false;
                faults.push(bad_price(&row.instance_type, &why, at(column)));
            } else if money.currency != currency && !rated(money.currency) {
                let message = format!("the price {money} of \"{}\" is not in {currency}", row.instance_type);
                faults.push(
                    Diagnostic::warning(codes::PRICE_CURRENCY, message)
                        .at(at(column), format!("in {}", money.currency))
                        .with_note(format!(
                            "the fleet's currency is {currency}; without a rate the price is unknown"
                        ))
                        .with_help(format!(
                            "add `rates = {{ {} = \"{currency} …\" }}` to the book, or write the price in {currency}",
                            money.currency
                        )),
                );
            }
        }
        if let (Some(spot), Some(on_demand)) = (&row.spot, &row.on_demand)
            && good
            && spot.compare(on_demand).is_ok_and(std::cmp::Ordering::is_gt)
        {
            good = false;
            let message = format!("spot {spot} of \"{}\" is above on-demand {on_demand}", row.instance_type);
            faults.push(
                Diagnostic::warning(codes::SPOT_ABOVE_ON_DEMAND, message)
                    .at(at("spot"), "above on-demand")
                    .also(at("on_demand"), "")
                    .with_note("the row is not used: one of its two prices cannot be right")
                    .with_help("look both up again; a committed price belongs in `reserved`"),
            );
        }
        if good {
            rows.push(row.clone());
        }
    }
    rows
}

fn bad_price(instance_type: &str, why: &str, span: Span) -> Diagnostic {
    Diagnostic::error(codes::PRICE_FORM, format!("the price of \"{instance_type}\" {why}"))
        .at(span, "not usable as a price")
        .with_help("write it per GPU-hour or node-hour: \"$2.80/gpu/h\", \"$22.40/node/h\"")
}

/// Why money cannot be the price of capacity.
pub(crate) fn well_formed(money: &Money) -> Result<(), String> {
    if !matches!(money.per, Some(PerUnit::Gpu | PerUnit::Node)) || money.time.is_none() {
        return Err(format!("is {money}, which is not per GPU-hour or node-hour"));
    }
    if money.amount.is_negative() || money.amount.is_zero() {
        return Err(format!("is {money}, which is not above zero"));
    }
    Ok(())
}
