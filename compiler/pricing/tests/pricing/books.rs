//! Looking prices up, and what is wrong with books.

use std::collections::BTreeMap;

use crate::common::{quickstart, text};
use poolwright_diagnostics::{Diagnostic, Severity};
use poolwright_expression::quantity::{Money, Percent};
use poolwright_model::fleet::{PriceRow, TierKind};
use poolwright_model::{Address, Fleet, Prices};
use poolwright_pricing::{codes, cost, price};

const AZ2: &str = "pool.aws-a100-spot.lot.az2";
const ALIYUN: &str = "pool.aliyun-a100.lot.main";

fn row(zone: Option<&str>, spot: &str) -> PriceRow {
    PriceRow {
        provider: "aws".into(),
        region: Some("us-east-1".into()),
        zone: zone.map(Into::into),
        instance_type: "p4d.24xlarge".into(),
        on_demand: None,
        spot: Some(Money::parse(spot).unwrap()),
        reserved: None,
        date: None,
        source: None,
    }
}

fn with_rows(rows: Vec<PriceRow>) -> Fleet {
    let mut fleet = quickstart();
    fleet.price_books.get_mut("price_book.contracts").unwrap().prices.extend(rows);
    fleet
}

fn run(fleet: &Fleet) -> (Prices, Vec<Diagnostic>) {
    price(fleet, &BTreeMap::new())
}

fn spot_of(fleet: &Fleet, lot: &str) -> String {
    text(&run(fleet).0.lots[lot].price)
}

#[test]
fn the_first_book_wins_and_in_it_the_zone_before_the_region() {
    let az4 = "pool.aws-a100-spot.lot.az4";
    let fleet = with_rows(vec![row(Some("use1-az4"), "$0.90/gpu/h"), row(Some("use1-az6"), "$1.20/gpu/h")]);
    assert_eq!(spot_of(&fleet, az4), "$0.9000/gpu/h", "its own zone");
    assert_eq!(
        spot_of(&fleet, AZ2),
        "$1.2000/gpu/h",
        "the dearest of the region in the first book, not the second's zone"
    );
    let mut swapped = fleet.clone();
    swapped.prices.reverse();
    assert_eq!(spot_of(&swapped, AZ2), "$1.0069/gpu/h", "the other book first");
    let fleet = with_rows(vec![PriceRow { region: None, ..row(None, "$0.70/gpu/h") }]);
    assert_eq!(spot_of(&fleet, AZ2), "$0.7000/gpu/h", "a row for every region");
    let other = with_rows(vec![PriceRow { region: Some("us-west-2".into()), ..row(None, "$0.70/gpu/h") }]);
    assert_eq!(spot_of(&other, AZ2), "$1.0069/gpu/h", "another region is not ours");
}

#[test]
fn node_and_gpu_prices_compare_by_value() {
    let fleet = with_rows(vec![row(Some("use1-az2"), "$8/node/h"), row(Some("use1-az2"), "$24.24/gpu/day")]);
    assert_eq!(spot_of(&fleet, AZ2), "$1.0100/gpu/h");
}

#[test]
fn a_lot_of_several_types_and_zones_has_the_dearest_price() {
    let mut fleet =
        with_rows(vec![row(Some("use1-az4"), "$1.10/gpu/h"), row(Some("use1-az2"), "$1.00/gpu/h")]);
    let lot = &mut fleet.pools.get_mut("pool.aws-a100-spot").unwrap().lots[0];
    lot.zones.push("use1-az4".into());
    assert_eq!(spot_of(&fleet, AZ2), "$1.1000/gpu/h");
    fleet.pools.get_mut("pool.aws-a100-spot").unwrap().lots[0].instance_types.push("p9.huge".into());
    let (prices, diagnostics) = run(&fleet);
    assert_eq!(prices.lots[AZ2].price, None);
    assert_eq!(
        prices.lots[AZ2].unknown.as_deref(),
        Some("no price book has a spot price of aws p9.huge in us-east-1")
    );
    assert_eq!(diagnostics[0].code, codes::NO_PRICE);
    assert!(diagnostics[0].helps[0].contains("price_book"));
}

#[test]
fn an_unknown_price_makes_costs_unknown_and_never_zero() {
    let mut fleet = quickstart();
    fleet.price_books.get_mut("price_book.contracts").unwrap().prices.clear();
    for step in &mut fleet.routes.get_mut("route.cost-optimized").unwrap().steps {
        step.max_price = None;
    }
    let (prices, _) = run(&fleet);
    let costs = cost(&fleet, &prices);
    let line = &costs.pools["pool.aliyun-a100"].monthly;
    assert_eq!(text(&line.floor), "$0.00/month", "no nodes at least: nothing, at any price");
    assert_eq!((&line.expected, &line.ceiling), (&None, &None));
    assert_eq!(
        line.unknown,
        [format!(
            "{ALIYUN}: no price book has an on-demand price of alibaba ecs.gn7-c13g1.26xlarge in cn-hangzhou"
        )]
    );
    assert_eq!(costs.total.monthly.ceiling, None);
    assert_eq!(costs.tenants["tenant.nlp"].cost.monthly.ceiling, None);
    let part = costs.tenants["tenant.nlp"]
        .parts
        .iter()
        .find(|part| part.pool.as_str() == "pool.aliyun-a100")
        .unwrap();
    assert_eq!((part.gpus, &part.price, &part.monthly), (48, &None, &None));
    fleet.pools.get_mut("pool.aliyun-a100").unwrap().lots[0].nodes.min = 1;
    assert_eq!(cost(&fleet, &prices).pools["pool.aliyun-a100"].monthly.floor, None);
}

#[test]
fn without_utilisation_the_expected_cost_is_unknown_and_says_why() {
    let mut fleet = quickstart();
    fleet.pools.get_mut("pool.aliyun-a100").unwrap().lots[0].utilisation = None;
    let costs = cost(&fleet, &run(&fleet).0);
    assert_eq!(costs.total.monthly.expected, None);
    assert_eq!(costs.total.monthly.unknown, [format!("{ALIYUN}: no utilisation is declared")]);
    assert!(costs.total.monthly.ceiling.is_some());
}

#[test]
fn reserved_capacity_is_a_bill() {
    let mut fleet = with_rows(vec![]);
    fleet.tiers.get_mut("tier.on-demand").unwrap().kind = TierKind::Reserved;
    let (prices, _) = run(&fleet);
    assert_eq!(text(&prices.lots[ALIYUN].bill), "$22.4000/node/h", "without a reserved price, on demand");
    let line = cost(&fleet, &prices).pools["pool.aliyun-a100"].monthly.clone();
    assert_eq!([&line.floor, &line.expected, &line.ceiling].map(text), ["$130,816.00/month"; 3]);
    fleet.price_books.get_mut("price_book.contracts").unwrap().prices[0].reserved =
        Some(Money::parse("$2/gpu/h").unwrap());
    assert_eq!(text(&run(&fleet).0.lots[ALIYUN].bill), "$16.0000/node/h");
}

#[test]
fn spot_is_bounded_by_its_cap_and_by_the_step() {
    let mut fleet = quickstart();
    let cap = |text: &str| Some(Money::parse(text).unwrap());
    for lot in &mut fleet.pools.get_mut("pool.aws-a100-spot").unwrap().lots {
        lot.max_price = cap("$12/node/h");
    }
    let (prices, _) = run(&fleet);
    assert_eq!(text(&prices.lots[AZ2].ceiling), "$1.5000/gpu/h");
    let ceiling = |fleet: &Fleet| text(&cost(fleet, &prices).pools["pool.aws-a100-spot"].monthly.ceiling);
    assert_eq!(ceiling(&fleet), "$140,160.00/month");
    fleet.routes.get_mut("route.cost-optimized").unwrap().steps[0].max_price = cap("$1.25/gpu/h");
    assert_eq!(ceiling(&fleet), "$116,800.00/month");
}

#[test]
fn the_gang_decides_how_much_of_spot_is_useful() {
    let effective = |fleet: &Fleet| text(&run(fleet).0.lots[AZ2].effective);
    let mut fleet = quickstart();
    let class = |fleet: &mut Fleet, gpus: Option<&str>| {
        let limits = &mut fleet.classes.get_mut("class.interruptible").unwrap().limits;
        limits.gpus = gpus.map(|text| poolwright_expression::quantity::Range::parse(text).unwrap());
    };
    class(&mut fleet, Some("1..8"));
    let one = effective(&fleet);
    class(&mut fleet, None);
    assert_eq!(effective(&fleet), one, "without a limit: one node");
    class(&mut fleet, Some("1..96"));
    assert!(effective(&fleet) > one);
    let tier = fleet.tiers.get_mut("tier.spot").unwrap();
    tier.interruption.as_mut().unwrap().mean_time = None;
    assert_eq!(effective(&fleet), "$1.0069/gpu/h", "without a mean time: the price");
}

#[test]
fn faults_of_rows_are_all_shown() {
    let mut above = row(None, "$3/gpu/h");
    above.on_demand = Some(Money::parse("$2/gpu/h").unwrap());
    let fleet = with_rows(vec![
        above,
        row(None, "$3/month"),
        row(None, "$0/gpu/h"),
        row(Some("use1-az2"), "€1/gpu/h"),
    ]);
    let (prices, diagnostics) = run(&fleet);
    let found: Vec<_> = diagnostics.iter().map(|fault| (fault.code, fault.severity)).collect();
    assert_eq!(
        found,
        [
            (codes::PRICE_FORM, Severity::Error),
            (codes::PRICE_FORM, Severity::Error),
            (codes::PRICE_CURRENCY, Severity::Warning),
            (codes::SPOT_ABOVE_ON_DEMAND, Severity::Warning),
        ]
    );
    assert_eq!(text(&prices.lots[AZ2].price), "$1.0069/gpu/h", "the next book has a price that can be used");
    assert!(diagnostics.iter().all(|fault| !fault.helps.is_empty()));
}

#[test]
fn files_are_books_too() {
    let mut fleet = quickstart();
    fleet.price_books.get_mut("price_book.contracts").unwrap().source = Some("prices.csv".into());
    let (_, diagnostics) = run(&fleet);
    assert_eq!(diagnostics.iter().map(|fault| fault.code).collect::<Vec<_>>(), [codes::PRICE_FILE]);
    let file = "provider,region,zone,instance_type,spot,on_demand,date\n\
                aws,us-east-1,use1-az2,p4d.24xlarge,$0.80/gpu/h,,2026-10-02\n\
                aws,us-east-1,,p4d.24xlarge,$0.80/month,,\n\
                aws,us-east-1,,p4d.24xlarge,$3/gpu/h,$2/gpu/h,\n\
                aws,us-east-1,,p4d.24xlarge,,,\n";
    let (prices, diagnostics) = price(&fleet, &BTreeMap::from([("prices.csv".to_owned(), file.to_owned())]));
    assert_eq!(text(&prices.lots[AZ2].price), "$0.8000/gpu/h");
    let lines: Vec<_> = diagnostics.iter().map(|fault| fault.message.split(" of").next().unwrap()).collect();
    assert_eq!(lines, ["line 3", "line 4", "line 5"]);
    let wrong = BTreeMap::from([("prices.csv".to_owned(), "provider,price\n".to_owned())]);
    assert!(price(&fleet, &wrong).1[0].message.contains("no column \"price\""));
    fleet.prices.push(Address::new("price_book.lst"));
    assert_eq!(price(&fleet, &wrong).1[0].code, codes::PRICE_FILE);
}

#[test]
fn spot_without_a_discount_is_worth_a_warning() {
    let fleet = with_rows(vec![row(None, "$2.70/gpu/h")]);
    let (_, diagnostics) = run(&fleet);
    assert_eq!(diagnostics.len(), 2, "one a lot");
    assert_eq!(diagnostics[0].code, codes::SPOT_RATIO);
    assert!(diagnostics[0].message.ends_with("is 98 % of on-demand"), "{}", diagnostics[0].message);
}

/// A7: "warn outside 0.10-0.40, silent inside; boundary values accepted". On demand is $2.74470525 a GPU-hour.
#[test]
fn spot_is_from_ten_to_forty_percent_of_on_demand() {
    for (price, warned) in [
        ("$0.27447/gpu/h", true),
        ("$0.274470525/gpu/h", false),
        ("$0.70/gpu/h", false),
        ("$1.0978821/gpu/h", false),
        ("$1.0979/gpu/h", true),
    ] {
        let (_, diagnostics) = run(&with_rows(vec![row(None, price)]));
        assert_eq!(diagnostics.iter().any(|found| found.code == codes::SPOT_RATIO), warned, "{price}");
    }
}

/// The shipped book holds every price that was collected; what is left out says why.
#[test]
fn every_collected_price_is_in_the_shipped_book_or_left_out_with_a_reason() {
    let read = |text: &str| -> Vec<BTreeMap<String, String>> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().unwrap().clone();
        let cells = |record: csv::StringRecord| {
            header.iter().zip(&record).map(|(a, b)| (a.to_owned(), b.to_owned())).collect()
        };
        reader.records().map(|record| cells(record.unwrap())).collect()
    };
    let shipped = read(include_str!("../../data/shipped.csv"));
    let facts = read(include_str!("../../../catalog/tests/gpu-facts.csv"));
    assert!(facts.len() >= 60);
    for fact in &facts {
        let price = format!("${}/node/h", fact["on_demand_usd_hr"]);
        let row = shipped.iter().find(|row| {
            let place = &fact["region_or_zone"];
            let (region, zone) = (&row["region"], &row["zone"]);
            let here =
                region.is_empty() || [zone, region].contains(&place) || *place == format!("{region}/{zone}");
            row["instance_type"] == fact["instance_type"] && row["on_demand"] == price && here
        });
        let row = row.unwrap_or_else(|| panic!("{} {price} is lost", fact["instance_type"]));
        let spot = &fact["spot_usd_hr"];
        assert!(
            row["spot"] == format!("${spot}/node/h") || spot.is_empty() || row["note"].contains("left out")
        );
        if fact["spot_note"].contains("ANOMALY") {
            assert_eq!(row["used"], "no");
        }
    }
    for row in &shipped {
        assert!(!row["source"].is_empty());
        assert!(row["used"] == "yes" || row["note"].starts_with("left out: "), "{row:?}");
    }
}

#[test]
fn the_expected_cost_is_never_above_the_ceiling() {
    let mut fleet = quickstart();
    for lot in &mut fleet.pools.get_mut("pool.aws-a100-spot").unwrap().lots {
        lot.utilisation = Some(Percent::parse("100%").unwrap());
        lot.max_price = Some(Money::parse("$1.05/gpu/h").unwrap());
    }
    let line = cost(&fleet, &run(&fleet).0).pools["pool.aws-a100-spot"].monthly.clone();
    assert_eq!(text(&line.expected), text(&line.ceiling));
}
