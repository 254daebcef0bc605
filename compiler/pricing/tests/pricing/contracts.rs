//! What is paid whatever is used: commitments, reservations; and what books do to all their prices.

use std::collections::BTreeMap;

use poolwright_expression::quantity::{Duration, Money, Percent};
use poolwright_model::Fleet;
use poolwright_model::fleet::{Commitment, Order, TierKind};
use poolwright_pricing::{codes, order};

use crate::common::{priced, quickstart, text};

const AZ2: &str = "pool.aws-a100-spot.lot.az2";

fn money(text: &str) -> Money {
    Money::parse(text).unwrap()
}

/// The quickstart with its spot tier committed to.
fn committed(commitment: Commitment) -> Fleet {
    let mut fleet = quickstart();
    let tier = fleet.tiers.get_mut("tier.spot").unwrap();
    tier.kind = TierKind::Reserved;
    tier.interruption = None;
    tier.commitment = Some(commitment);
    fleet
}

#[test]
fn a_contract_says_what_an_hour_costs() {
    let fleet = committed(Commitment {
        hourly: Some(money("$16/node/h")),
        months: Some(12),
        upfront: money("$0/node"),
    });
    let (prices, costs) = priced(&fleet);
    assert_eq!(text(&prices.lots[AZ2].price), "$2.0000/gpu/h");
    assert_eq!(text(&prices.lots[AZ2].bill), "$16.0000/node/h");
    assert_eq!(prices.lots[AZ2].source, "tier.spot");
    let line = &costs.lots[AZ2].monthly;
    assert_eq!(text(&line.floor), "$140,160.00/month", "12 nodes, used or not");
    assert_eq!(line.floor, line.ceiling);
}

#[test]
fn what_is_paid_upfront_is_spread_over_the_months() {
    let fleet = committed(Commitment {
        hourly: Some(money("$8/node/h")),
        months: Some(10),
        upfront: money("$58400/node"),
    });
    let (prices, _) = priced(&fleet);
    assert_eq!(text(&prices.lots[AZ2].bill), "$16.0000/node/h", "$58400 over 7300 hours are $8");
}

#[test]
fn a_reservation_that_nobody_uses_up_is_paid_all_the_same() {
    let mut fleet =
        committed(Commitment { hourly: Some(money("$10/node/h")), months: None, upfront: money("$0/node") });
    let lot = &mut fleet.pools.get_mut("pool.aws-a100-spot").unwrap().lots[0];
    lot.counted = Some(2);
    lot.billed = Some(5);
    let (_, costs) = priced(&fleet);
    assert_eq!(text(&costs.lots[AZ2].monthly.floor), "$36,500.00/month", "5 nodes × 730 h × $10");
}

#[test]
fn a_discount_is_taken_off_and_a_rate_brings_to_the_fleets_currency() {
    let mut fleet = quickstart();
    let book = fleet.price_books.get_mut("price_book.contracts").unwrap();
    book.prices[0].on_demand = Some(money("CNY 20/gpu/h"));
    let (prices, diagnostics) = poolwright_pricing::price(&fleet, &BTreeMap::new());
    assert_eq!(prices.lots["pool.aliyun-a100.lot.main"].price, None);
    assert!(diagnostics.iter().any(|found| found.code == codes::PRICE_CURRENCY));
    let book = fleet.price_books.get_mut("price_book.contracts").unwrap();
    book.rates.insert("CNY".to_owned(), money("$0.14"));
    book.discount = Some(Percent::parse("10%").unwrap());
    book.max_age = Some(Duration::parse("30d").unwrap());
    let (prices, diagnostics) = poolwright_pricing::price(&fleet, &BTreeMap::new());
    assert_eq!(text(&prices.lots["pool.aliyun-a100.lot.main"].price), "$2.5200/gpu/h");
    assert_eq!(prices.lots["pool.aliyun-a100.lot.main"].max_age, Some(Duration::parse("30d").unwrap()));
    assert!(!diagnostics.iter().any(|found| found.code == codes::PRICE_CURRENCY));
}

#[test]
fn candidates_are_ordered_by_price_and_only_the_last_waits_for_ever() {
    let mut fleet = quickstart();
    let route = fleet.routes.get_mut("route.cost-optimized").unwrap();
    route.order = Some(Order::Cheapest);
    route.steps.reverse();
    let patience = route.steps[1].patience.clone();
    route.steps[0].patience = patience.clone();
    route.steps[1].patience = None;
    let (prices, _) = priced(&fleet);
    assert!(order(&mut fleet, &prices).is_empty());
    let steps = &fleet.routes["route.cost-optimized"].steps;
    let names: Vec<&str> = steps.iter().map(|step| step.meta.address.label()).collect();
    assert_eq!(names, ["aws-spot", "aliyun"], "spot is cheaper");
    assert_eq!((&steps[0].patience, &steps[1].patience), (&patience, &None));
}

#[test]
fn candidates_are_ordered_by_work_and_by_region() {
    let by = |order_by: Order, throughput: [i64; 2], near: &[&str]| {
        let mut fleet = quickstart();
        for (pool, units) in ["pool.aws-a100-spot", "pool.aliyun-a100"].into_iter().zip(throughput) {
            let pool = fleet.pools.get_mut(pool).unwrap();
            pool.throughput.insert("train".to_owned(), units.into());
        }
        fleet.classes.get_mut("class.interruptible").unwrap().work = Some("train".to_owned());
        let route = fleet.routes.get_mut("route.cost-optimized").unwrap();
        route.order = Some(order_by);
        route.near =
            near.iter().map(|text| poolwright_expression::quantity::Pattern::parse(text).unwrap()).collect();
        let (prices, _) = priced(&fleet);
        let found = order(&mut fleet, &prices);
        assert!(found.is_empty(), "{found:?}");
        fleet.routes["route.cost-optimized"].steps[0].meta.address.label().to_owned()
    };
    assert_eq!(by(Order::Fastest, [1, 2], &[]), "aliyun");
    assert_eq!(by(Order::Fastest, [2, 2], &[]), "aws-spot", "a tie keeps the order written");
    assert_eq!(by(Order::CostPerWork, [1, 9], &[]), "aliyun", "dearer, and nine times the work");
    assert_eq!(by(Order::Nearest, [1, 1], &["cn-*"]), "aliyun");
    assert_eq!(by(Order::Nearest, [1, 1], &["eu-*", "us-*"]), "aws-spot");
    let mut fleet = quickstart();
    fleet.routes.get_mut("route.cost-optimized").unwrap().order = Some(Order::Fastest);
    let (prices, _) = priced(&fleet);
    let found = order(&mut fleet, &prices);
    assert_eq!(found.iter().map(|it| it.code).collect::<Vec<_>>(), [codes::NO_ORDER]);
}
