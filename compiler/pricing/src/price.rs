//! Fleet and price books to the prices of every lot.

use std::collections::BTreeMap;

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::Number;
use poolwright_expression::quantity::{Money, PerTime};
use poolwright_model::fleet::{Lot, Pool, Tier, TierKind};
use poolwright_model::money::{HOURS_PER_MONTH, LotPrice, per_node_hour, per_unit_hour};
use poolwright_model::{Fleet, Prices};

use crate::book::{Books, Column, Found, Wanted};
use crate::unit::{Known, exact};
use crate::{codes, owned, spot};

/// The prices of every lot.
///
/// `files` are the texts of the books that name a file, by the path as written in `source`. Books are asked in the
/// order of `fleet.prices`. A lot that may buy several types in several zones has the dearest of their prices: what it
/// costs at most, whichever it gets; one of them without a price makes the lot's price unknown.
#[must_use]
pub fn price(fleet: &Fleet, files: &BTreeMap<String, String>) -> (Prices, Vec<Diagnostic>) {
    let (books, mut diagnostics) = Books::read(fleet, files);
    let reach = spot::Reach::of(fleet);
    let mut lots = BTreeMap::new();
    for pool in fleet.pools.values() {
        for lot in &pool.lots {
            let price = lot_price(fleet, &books, &reach, pool, lot);
            diagnostics.extend(remarks(lot, fleet.tiers.get(&lot.tier), &price));
            lots.insert(lot.meta.address.clone(), price);
        }
    }
    let prices = Prices { currency: fleet.currency, lots, books: books.used };
    diagnostics.extend(crate::caps::check(fleet, &prices));
    Diagnostic::sort(&mut diagnostics);
    (prices, diagnostics)
}

fn lot_price(fleet: &Fleet, books: &Books, reach: &spot::Reach<'_>, pool: &Pool, lot: &Lot) -> LotPrice {
    let Some(tier) = fleet.tiers.get(&lot.tier) else {
        return unknown(lot.tier.to_string(), format!("there is no {}", lot.tier));
    };
    let on_demand = dearest(fleet, books, pool, lot, Column::OnDemand);
    match tier.kind {
        TierKind::Owned | TierKind::Edge => owned_price(fleet, lot, tier),
        TierKind::OnDemand => bought(on_demand.clone(), on_demand, lot, |price| Ok(price.clone())),
        TierKind::Reserved => {
            let found = dearest(fleet, books, pool, lot, Column::Reserved).or_else(|_| on_demand.clone());
            let found = match tier.commitment.as_ref().and_then(|it| it.hourly.as_ref()) {
                Some(hourly) => committed(fleet, lot, tier, hourly),
                None => found,
            };
            let found = found.and_then(|found| with_upfront(fleet, lot, tier, found));
            let mut result = bought(found, on_demand, lot, |price| Ok(price.clone()));
            result.bill = result.price.as_ref().and_then(|price| per_node_hour(price, lot.node.gpus).ok());
            result
        }
        TierKind::Spot => {
            let found = dearest(fleet, books, pool, lot, Column::Spot);
            let worth = spot::worst_share(reach, pool, lot, tier);
            // Work on spot is never worth more than the same hour on demand: who pays more would buy that.
            let most = on_demand.as_ref().ok().map(|found| found.price.clone());
            let mut result = bought(found, on_demand, lot, |price| match &worth {
                spot::Worth::NotAsked => Ok(price.clone()),
                spot::Worth::Share(share) => {
                    let effective = exact(price.checked_div(share))?;
                    match &most {
                        // Where spot itself is dearer than on demand, its price stays.
                        Some(most)
                            if exact(effective.compare(most))?.is_gt()
                                && exact(price.compare(most))?.is_le() =>
                        {
                            Ok(most.clone())
                        }
                        _ => Ok(effective),
                    }
                }
                spot::Worth::Nothing => match &most {
                    Some(most) if exact(price.compare(most))?.is_le() => Ok(most.clone()),
                    Some(_) => Ok(price.clone()),
                    None => Err("nothing useful is left between interruptions".to_owned()),
                },
            });
            result.ceiling = match &lot.max_price {
                Some(cap) => per_unit_hour(cap, lot.node.gpus, fleet.currency).ok(),
                None => result.on_demand.clone(),
            };
            result
        }
    }
}

/// What a contract says an hour costs.
fn committed(fleet: &Fleet, lot: &Lot, tier: &Tier, hourly: &Money) -> Known<Found> {
    let price = per_unit_hour(hourly, lot.node.gpus, fleet.currency)
        .map_err(|why| format!("{}: {why}", tier.meta.address))?;
    Ok(Found { price, book: tier.meta.address.clone(), date: None, max_age: None })
}

/// What is paid upfront, spread over the hours of its months.
fn with_upfront(fleet: &Fleet, lot: &Lot, tier: &Tier, found: Found) -> Known<Found> {
    let Some(commitment) = tier.commitment.as_ref().filter(|it| !it.upfront.amount.is_zero()) else {
        return Ok(found);
    };
    let months = commitment.months.ok_or_else(|| format!("{}: no months are declared", tier.meta.address))?;
    let hours = exact(Number::from(months).checked_mul(&HOURS_PER_MONTH.into()))?;
    let amount = exact(commitment.upfront.amount.checked_div(&hours))?;
    let upfront = Money { amount, time: Some(PerTime::Hour), ..commitment.upfront.clone() };
    let upfront = per_unit_hour(&upfront, lot.node.gpus, fleet.currency)
        .map_err(|why| format!("{}: {why}", tier.meta.address))?;
    Ok(Found { price: exact(found.price.checked_add(&upfront))?, ..found })
}

/// The price of what a market sells. `effective` says what an hour of useful work costs.
fn bought(
    found: Known<Found>,
    on_demand: Known<Found>,
    lot: &Lot,
    effective: impl Fn(&Money) -> Known<Money>,
) -> LotPrice {
    let on_demand = on_demand.ok().map(|found| found.price);
    match found {
        Ok(found) => LotPrice {
            effective: effective(&found.price).ok(),
            ceiling: Some(found.price.clone()),
            price: Some(found.price),
            on_demand,
            bill: None,
            source: found.book.to_string(),
            date: found.date,
            max_age: found.max_age,
            unknown: None,
        },
        Err(why) => LotPrice { on_demand, ..unknown(lot.tier.to_string(), why) },
    }
}

fn owned_price(fleet: &Fleet, lot: &Lot, tier: &Tier) -> LotPrice {
    let source = tier.meta.address.to_string();
    let Some(ownership) = &tier.ownership else {
        return unknown(source, format!("{} has no ownership", tier.meta.address));
    };
    match owned(ownership, tier.kind, lot.node.gpus, fleet.currency) {
        Ok((bill, rate)) => LotPrice {
            price: Some(rate.clone()),
            on_demand: None,
            effective: Some(rate.clone()),
            ceiling: Some(rate),
            bill: Some(bill),
            source,
            date: None,
            max_age: None,
            unknown: None,
        },
        Err(why) => unknown(source, why),
    }
}

fn unknown(source: String, why: String) -> LotPrice {
    LotPrice {
        price: None,
        on_demand: None,
        effective: None,
        ceiling: None,
        bill: None,
        source,
        date: None,
        max_age: None,
        unknown: Some(why),
    }
}

/// The dearest over the types and zones that a lot may buy.
fn dearest(fleet: &Fleet, books: &Books, pool: &Pool, lot: &Lot, column: Column) -> Known<Found> {
    let Some(provision) = &pool.provision else {
        return Err(format!("{} has no provision, so nobody sells its nodes", pool.meta.address));
    };
    let Some(target) = fleet.targets.get(provision) else { return Err(format!("there is no {provision}")) };
    if lot.instance_types.is_empty() {
        return Err(format!("{} names no instance type", lot.meta.address));
    }
    let zones: Vec<Option<&str>> = if lot.zones.is_empty() {
        vec![None]
    } else {
        lot.zones.iter().map(|zone| Some(zone.as_str())).collect()
    };
    let mut best: Option<Found> = None;
    for instance_type in &lot.instance_types {
        for zone in &zones {
            let found = books.find(
                column,
                Wanted {
                    provider: target.provider(),
                    region: target.region.as_deref(),
                    zone: *zone,
                    instance_type,
                    gpus: lot.gpus_of(target.provider(), instance_type),
                    currency: fleet.currency,
                },
            )?;
            best = match best {
                Some(best) if !exact(best.price.compare(&found.price))?.is_lt() => Some(best),
                _ => Some(found),
            };
        }
    }
    best.ok_or_else(|| format!("{} names no instance type", lot.meta.address))
}

/// What is worth a warning in a lot's price.
fn remarks(lot: &Lot, tier: Option<&Tier>, price: &LotPrice) -> Option<Diagnostic> {
    let address = &lot.meta.address;
    if let Some(why) = &price.unknown {
        let diagnostic = Diagnostic::warning(codes::NO_PRICE, format!("the price of {address} is not known"))
            .at(lot.meta.origin.header, "has no price")
            .with_note(why.clone())
            .with_note("its cost is shown as unknown, never as 0, and policies on it follow `on_unknown`");
        return Some(match tier.map(|tier| tier.kind) {
            Some(TierKind::Owned | TierKind::Edge) => {
                diagnostic.with_help("complete the tier's `ownership`: price, or cost, months, power and tariff")
            }
            _ => diagnostic.with_help(
                "add a row to a price_book: { provider = \"…\", region = \"…\", instance_type = \"…\", on_demand = \"$…/node/h\", date = \"…\" }",
            ),
        });
    }
    let (Some(spot), Some(on_demand)) = (&price.price, &price.on_demand) else { return None };
    if tier.is_none_or(|tier| tier.kind != TierKind::Spot) {
        return None;
    }
    let ratio = spot.ratio(on_demand).ok()?;
    let (low, high) = (Number::ratio(1, 10)?, Number::ratio(4, 10)?);
    if ratio >= low && ratio <= high {
        return None;
    }
    let percent = ratio.checked_mul(&100_u32.into()).ok()?.to_decimal_string(0);
    Some(
        Diagnostic::warning(codes::SPOT_RATIO, format!("spot of {address} is {percent} % of on-demand"))
            .at(lot.meta.origin.header, format!("{spot}, on demand {on_demand}"))
            .with_note(format!("from {}; spot of GPUs is mostly 10 % to 40 % of on-demand", price.source))
            .with_help(if ratio > high {
                "choose zones with a discount, or buy on demand: spot at this price is only less safe"
            } else {
                "look the price up again before relying on it"
            }),
    )
}
