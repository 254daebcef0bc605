//! Our own form of price files: CSV with the columns of a row, or JSON with the same keys.

use poolwright_expression::quantity::{Date, Money};
use poolwright_model::fleet::PriceRow;
use serde_json::Value;

use super::Problem;
use crate::book::{COLUMNS, well_formed};
use crate::unit::{Known, exact};

/// The rows of a CSV text that may be used, and line and reason of those that cannot be read. Rows whose `used` is
/// `no` are known to be wrong: they stay in the file with the reason in `note`, and are passed over here.
pub(crate) fn csv(text: &str) -> (Vec<PriceRow>, Vec<Problem>) {
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
    row(&|name: &str| {
        let at = header.iter().position(|column| column == name);
        at.and_then(|at| record.get(at)).map(str::trim).filter(|cell| !cell.is_empty())
    })
}

/// A list of rows, or an object with one in `prices`. Cells are texts, as in the CSV.
pub(crate) fn json(text: &str) -> (Vec<PriceRow>, Vec<Problem>) {
    let (mut rows, mut problems) = (Vec::new(), Vec::new());
    let whole: Value = match serde_json::from_str(text) {
        Ok(whole) => whole,
        Err(error) => return (rows, vec![(error.line(), error.to_string())]),
    };
    let list = whole.as_array().or_else(|| whole.get("prices")?.as_array());
    let Some(list) = list else {
        return (rows, vec![(1, "it is neither a list of rows nor an object with `prices`".to_owned())]);
    };
    for (index, item) in list.iter().enumerate() {
        let at = |why: String| (1, format!("row {}: {why}", index + 1));
        let Some(keys) = item.as_object() else {
            problems.push(at("it is no object".to_owned()));
            continue;
        };
        if let Some(unknown) = keys.keys().find(|key| !COLUMNS.contains(&key.as_str())) {
            problems.push(at(format!("there is no key \"{unknown}\" in a price file")));
            continue;
        }
        let cell =
            |name: &str| keys.get(name).and_then(Value::as_str).map(str::trim).filter(|it| !it.is_empty());
        match row(&cell) {
            Ok(found) => rows.extend(found),
            Err(why) => problems.push(at(why)),
        }
    }
    (rows, problems)
}

/// A row by the texts of its cells.
fn row<'a>(cell: &dyn Fn(&str) -> Option<&'a str>) -> Known<Option<PriceRow>> {
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
