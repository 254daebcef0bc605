//! The order of a route's candidates (LANGUAGE §3.4, `order`), once prices are known.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use poolwright_diagnostics::{Diagnostic, suggestion_help};
use poolwright_expression::Number;
use poolwright_expression::quantity::Money;
use poolwright_model::fleet::{Order, Pool, Route, Step};
use poolwright_model::{Address, Fleet, Prices};

use crate::codes;
use crate::unit::{Known, exact};

/// Puts the steps that were made of candidates into the order that their routes ask for, and gives the last of them no
/// deadline. What decides the order and is not known is reported; such routes stay in the order written.
#[must_use]
pub fn order(fleet: &mut Fleet, prices: &Prices) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    let mut ordered: Vec<(Address, Vec<Step>)> = Vec::new();
    for route in fleet.routes.values() {
        if let Some(by) = route.order
            && let Some(steps) = steps(fleet, prices, route, by, &mut faults)
        {
            ordered.push((route.meta.address.clone(), steps));
        }
    }
    for (address, steps) in ordered {
        if let Some(route) = fleet.routes.get_mut(&address) {
            route.steps = steps;
        }
    }
    faults
}

/// The next step where a price is missing and no book is there at all.
pub(crate) const NO_BOOK: &str =
    "the fleet has no price_book: `price_book \"list\" { source = \"shipped\" }` has list prices of clouds";

/// What a step is ordered by: less comes first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Number(Number),
    /// Behind all that are known.
    Last,
}

fn steps(
    fleet: &Fleet,
    prices: &Prices,
    route: &Route,
    by: Order,
    faults: &mut Vec<Diagnostic>,
) -> Option<Vec<Step>> {
    let work = if by.by_work() { Some(work(fleet, route, by, faults)?) } else { None };
    let mut keyed: Vec<(Key, Step)> = Vec::new();
    let mut sound = true;
    for step in &route.steps {
        let pool = step.pools.first().and_then(|pool| fleet.pools.get(pool))?;
        let key = match by {
            Order::Cheapest => price(prices, pool).map(|price| Key::Number(price.amount.clone())),
            Order::Nearest => Ok(nearest(fleet, route, pool)),
            Order::Fastest | Order::CostPerWork => {
                speed(pool, work.as_deref().unwrap_or_default()).and_then(|speed| match by {
                    Order::Fastest => exact(Number::ZERO.checked_sub(speed)).map(Key::Number),
                    _ => exact(price(prices, pool)?.amount.checked_div(speed)).map(Key::Number),
                })
            }
        };
        match key {
            Ok(key) => keyed.push((key, step.clone())),
            Err(why) => {
                sound = false;
                let known = || pool.throughput.keys().map(String::as_str);
                // A pool that does the work lacks only its price.
                let lacks = work.as_deref().filter(|work| !pool.throughput.contains_key(*work));
                let mut fault = Diagnostic::error(
                    codes::NO_ORDER,
                    format!("nothing says where `{}` stands in `{}`", pool.meta.address, route.meta.address),
                )
                .at(step.meta.origin.header, why)
                .also(route.meta.origin.of("order"), format!("ordered by `{}`", by.as_str()));
                let help = lacks.and_then(|work| suggestion_help("kind of work", work, known()));
                fault = fault.with_help(help.unwrap_or_else(|| {
                    if lacks.is_some() {
                        "say in `throughput` of the pool how much work a GPU does in an hour".to_owned()
                    } else {
                        "add a row to a price_book, or write the ladder with `step` blocks".to_owned()
                    }
                }));
                if lacks.is_none() && fleet.price_books.is_empty() {
                    fault = fault.with_help(NO_BOOK);
                }
                faults.push(fault);
            }
        }
    }
    if !sound {
        return None;
    }
    let patience = route.steps.iter().find_map(|step| step.patience.clone());
    keyed.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap_or(Ordering::Equal));
    let last = keyed.len().saturating_sub(1);
    let mut steps: Vec<Step> = keyed.into_iter().map(|(_, step)| step).collect();
    for (at, step) in steps.iter_mut().enumerate() {
        step.patience = patience.clone().filter(|_| at < last);
    }
    Some(steps)
}

/// The kind of work of the classes that take the route: one, or the order would depend on the job.
fn work(fleet: &Fleet, route: &Route, by: Order, faults: &mut Vec<Diagnostic>) -> Option<String> {
    let takes = |queue: &&poolwright_model::fleet::Queue| queue.route.as_ref() == Some(&route.meta.address);
    let queues: Vec<_> = fleet.queues.values().filter(takes).collect();
    let classes: BTreeSet<&Address> =
        queues.iter().flat_map(|queue| std::iter::once(&queue.class).chain(&queue.allow)).collect();
    let classes: Vec<_> = classes.into_iter().filter_map(|class| fleet.classes.get(class)).collect();
    let mut works: Vec<&str> = classes.iter().filter_map(|class| class.work.as_deref()).collect();
    works.sort_unstable();
    works.dedup();
    if let [only] = works.as_slice() {
        return Some((*only).to_owned());
    }
    // Nobody takes it: nothing is ordered for anybody.
    if queues.is_empty() {
        return None;
    }
    let message = format!("nobody says by which work `{}` is ordered", route.meta.address);
    let mut fault = Diagnostic::error(codes::NO_ORDER, message)
        .at(route.meta.origin.of("order"), format!("`{}` depends on the work", by.as_str()));
    for class in classes {
        let (span, text) = match &class.work {
            Some(work) => (class.meta.origin.of("work"), format!("`{work}`")),
            None => (class.meta.origin.header, "has no `work`".to_owned()),
        };
        fault = fault.also(span, text);
    }
    faults.push(fault.with_help(if works.is_empty() {
        "add `work = \"…\"` to the class, a key of `throughput` of the pools"
    } else {
        "make a route for each kind of work"
    }));
    None
}

fn price<'p>(prices: &'p Prices, pool: &Pool) -> Known<&'p Money> {
    let lot = pool.lots.first().ok_or_else(|| "has no lot".to_owned())?;
    let price = prices.lots.get(&lot.meta.address).and_then(|price| price.price.as_ref());
    price.ok_or_else(|| "its price is not known".to_owned())
}

fn speed<'p>(pool: &'p Pool, work: &str) -> Known<&'p Number> {
    pool.throughput.get(work).ok_or_else(|| format!("has no `throughput` of \"{work}\""))
}

fn nearest(fleet: &Fleet, route: &Route, pool: &Pool) -> Key {
    let place = pool.provision.as_ref().unwrap_or(&pool.cluster);
    let region = fleet.targets.get(place).and_then(|target| target.region.as_deref());
    let at = region.and_then(|region| route.near.iter().position(|pattern| pattern.matches(region)));
    at.map_or(Key::Last, |at| Key::Number(Number::from(at as u64)))
}
