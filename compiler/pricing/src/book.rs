//! Price books: reading them, and finding a price in them.

use std::collections::BTreeMap;

use poolwright_diagnostics::{Diagnostic, Span, suggestion_help};
use poolwright_expression::quantity::{Currency, Date, Money, PerUnit};
use poolwright_model::fleet::{PriceBook, PriceRow};
use poolwright_model::money::{BookUse, per_unit_hour};
use poolwright_model::{Address, Fleet};

use crate::codes;
use crate::unit::{Known, exact};

/// The book that comes with Poolwright: `source = "shipped"`.
const SHIPPED: &str = include_str!("../data/shipped.csv");
const COLUMNS: [&str; 11] = [
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
}

/// The books of a fleet, in the order in which they are asked, with the rows that may be used.
pub(crate) struct Books {
    books: Vec<(Address, Vec<PriceRow>)>,
    pub(crate) used: Vec<BookUse>,
}

impl Books {
    pub(crate) fn read(fleet: &Fleet, files: &BTreeMap<String, String>) -> (Self, Vec<Diagnostic>) {
        let (mut books, mut used, mut faults) = (Vec::new(), Vec::new(), Vec::new());
        for address in &fleet.prices {
            let Some(book) = fleet.price_books.get(address) else {
                let known = fleet.price_books.keys().map(Address::as_str);
                let mut fault = Diagnostic::error(codes::NO_BOOK, format!("there is no {address}"))
                    .at(fleet.meta.origin.of("prices"), "asked here");
                if let Some(help) = suggestion_help("price book", address.as_str(), known) {
                    fault = fault.with_help(help);
                }
                faults.push(fault);
                continue;
            };
            let mut rows = own_rows(book, fleet.currency, &mut faults);
            if let Some(source) = &book.source {
                rows.extend(file_rows(book, source, files, &mut faults));
            }
            let shipped = book.source.as_deref() == Some("shipped");
            used.push(BookUse {
                name: if shipped { "shipped".to_owned() } else { book.meta.address.label().to_owned() },
                date: rows.iter().filter_map(|row| row.date).max(),
            });
            books.push((address.clone(), rows));
        }
        (Self { books, used }, faults)
    }

    /// The first book that has such a price wins; in it the exact zone, then the dearest of the region, then the
    /// dearest of rows that name no region (LANGUAGE §3.5). The last is why there is none.
    pub(crate) fn find(&self, column: Column, wanted: Wanted<'_>) -> Known<Found> {
        let mut why = None;
        for (book, rows) in &self.books {
            let fits = |row: &&PriceRow| {
                row.provider == wanted.provider
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
                            dearest = Some(Found { price, book: book.clone(), date: row.date });
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

fn article(word: &str) -> &'static str {
    if word.starts_with('o') { "an" } else { "a" }
}

/// Rows written in the block, without those that cannot be right.
fn own_rows(book: &PriceBook, currency: Currency, faults: &mut Vec<Diagnostic>) -> Vec<PriceRow> {
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
            } else if money.currency != currency {
                let message = format!("the price {money} of \"{}\" is not in {currency}", row.instance_type);
                faults.push(
                    Diagnostic::warning(codes::PRICE_CURRENCY, message)
                        .at(at(column), format!("in {}", money.currency))
                        .with_note(format!(
                            "the fleet's currency is {currency}; without a rate the price is unknown"
                        ))
                        .with_help(format!(
                            "write the price in {currency}, with the day of the rate as its date"
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
fn well_formed(money: &Money) -> Result<(), String> {
    if !matches!(money.per, Some(PerUnit::Gpu | PerUnit::Node)) || money.time.is_none() {
        return Err(format!("is {money}, which is not per GPU-hour or node-hour"));
    }
    if money.amount.is_negative() || money.amount.is_zero() {
        return Err(format!("is {money}, which is not above zero"));
    }
    Ok(())
}

/// Rows of a file: the shipped book, or a text that the caller has read.
fn file_rows(
    book: &PriceBook,
    source: &str,
    files: &BTreeMap<String, String>,
    faults: &mut Vec<Diagnostic>,
) -> Vec<PriceRow> {
    let span = book.meta.origin.of("source");
    let text = if source == "shipped" { Some(SHIPPED) } else { files.get(source).map(String::as_str) };
    let Some(text) = text else {
        faults.push(
            Diagnostic::error(codes::PRICE_FILE, format!("the price file \"{source}\" is not there"))
                .at(span, "named here")
                .with_note("paths are relative to the fleet's folder")
                .with_help("add the file, or use the book that comes with Poolwright: source = \"shipped\""),
        );
        return Vec::new();
    };
    let (rows, problems) = parse(text);
    for (line, why) in problems {
        faults.push(
            Diagnostic::error(
                codes::PRICE_FILE,
                format!("line {line} of the price file \"{source}\" cannot be read: {why}"),
            )
            .at(span, "this file")
            .with_help(format!(
                "its columns are {}; provider, instance_type and one price are required",
                COLUMNS.join(",")
            )),
        );
    }
    rows
}

/// The rows of a CSV text that may be used, and line and reason of those that cannot be read. Rows whose `used` is
/// `no` are known to be wrong: they stay in the file with the reason in `note`, and are passed over here.
pub(crate) fn parse(text: &str) -> (Vec<PriceRow>, Vec<(usize, String)>) {
    let (mut rows, mut problems) = (Vec::new(), Vec::new());
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = match reader.headers() {
        Ok(header) => header.clone(),
        Err(error) => return (rows, vec![(1, error.to_string())]),
    };
    if let Some(unknown) = header.iter().find(|name| !COLUMNS.contains(name)) {
        return (rows, vec![(1, format!("there is no column \"{unknown}\" in a price file"))]);
    }
    for (index, record) in reader.records().enumerate() {
        // The header is line 1.
        let line = index + 2;
        match record.map_err(|error| error.to_string()).and_then(|record| parse_row(&header, &record)) {
            Ok(Some(row)) => rows.push(row),
            Ok(None) => {}
            Err(why) => problems.push((line, why)),
        }
    }
    (rows, problems)
}

fn parse_row(header: &csv::StringRecord, record: &csv::StringRecord) -> Known<Option<PriceRow>> {
    let cell = |name: &str| {
        let at = header.iter().position(|column| column == name);
        at.and_then(|at| record.get(at)).map(str::trim).filter(|cell| !cell.is_empty())
    };
    let text = |name: &str| cell(name).map(str::to_owned);
    let required = |name: &str| text(name).ok_or_else(|| format!("\"{name}\" is empty"));
    match cell("used") {
        None | Some("yes") => {}
        Some("no") => return Ok(None),
        Some(other) => return Err(format!("\"used\" is \"{other}\", not \"yes\" or \"no\"")),
    }
    let money = |name: &str| -> Known<Option<Money>> {
        let Some(cell) = cell(name) else { return Ok(None) };
        let money = Money::parse(cell).map_err(|error| error.message)?;
        well_formed(&money).map_err(|why| format!("\"{name}\" {why}"))?;
        Ok(Some(money))
    };
    let date = cell("date").map(|cell| Date::parse(cell).map_err(|error| error.message)).transpose()?;
    let row = PriceRow {
        provider: required("provider")?,
        region: text("region"),
        zone: text("zone"),
        instance_type: required("instance_type")?,
        on_demand: money("on_demand")?,
        spot: money("spot")?,
        reserved: money("reserved")?,
        date,
        source: text("source"),
    };
    match (&row.on_demand, &row.spot, &row.reserved) {
        (None, None, None) => Err("it has no price".to_owned()),
        (Some(on_demand), Some(spot), _) if exact(spot.compare(on_demand))?.is_gt() => {
            Err(format!("spot {spot} is above on-demand {on_demand}"))
        }
        _ => Ok(Some(row)),
    }
}
