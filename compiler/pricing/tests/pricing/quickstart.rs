//! The quickstart's prices and costs, as LANGUAGE §6.4 works them out and as golden files.

use crate::common::{address, golden, priced, quickstart, text};
use poolwright_expression::quantity::Money;
use poolwright_model::fleet::Borrow;

fn check(name: &str, value: &impl serde::Serialize) {
    let mut found = serde_json::to_string_pretty(&serde_json::to_value(value).unwrap()).unwrap();
    found.push('\n');
    let path = golden(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    let wanted = std::fs::read_to_string(&path).unwrap();
    assert_eq!(found, wanted, "{name} differs; UPDATE_GOLDEN=1 writes it");
}

#[test]
fn prices_and_costs_are_the_golden_files() {
    let fleet = quickstart();
    let (prices, costs) = priced(&fleet);
    check("prices.json", &prices);
    check("costs.json", &costs);
}

#[test]
fn nothing_in_the_quickstart_deserves_a_remark() {
    let (_, diagnostics) = poolwright_pricing::price(&quickstart(), &std::collections::BTreeMap::new());
    assert_eq!(diagnostics, []);
}

#[test]
fn every_lot_has_the_price_of_the_text() {
    let (prices, _) = priced(&quickstart());
    let lot = |name: &str| prices.lots.get(name).unwrap();
    for (name, price, on_demand, ceiling, source) in [
        ("pool.aws-a100-spot.lot.az2", "$1.0069/gpu/h", "$2.7447/gpu/h", "$2.7447/gpu/h", "price_book.list"),
        // No row for its zone: the dearest of the region.
        ("pool.aws-a100-spot.lot.az4", "$1.0069/gpu/h", "$2.7447/gpu/h", "$2.7447/gpu/h", "price_book.list"),
        (
            "pool.aliyun-a100.lot.main",
            "$2.8000/gpu/h",
            "$2.8000/gpu/h",
            "$2.8000/gpu/h",
            "price_book.contracts",
        ),
        ("pool.hpc-h100.lot.main", "$1.8912/gpu/h", "unknown", "$1.8912/gpu/h", "tier.owned-h100"),
        ("pool.onprem-gaudi.lot.main", "$1.0902/gpu/h", "unknown", "$1.0902/gpu/h", "tier.owned-gaudi"),
    ] {
        let lot = lot(name);
        assert_eq!(
            [text(&lot.price), text(&lot.on_demand), text(&lot.ceiling), lot.source.clone()],
            [price, on_demand, ceiling, source],
            "{name}"
        );
    }
    assert_eq!(text(&lot("pool.hpc-h100.lot.main").bill), "$12.1034/node/h");
    // 4 nodes at 10 h each, 20 min between checkpoints of 60 s, 5 min to restart: 85.9425 % is useful.
    assert_eq!(text(&lot("pool.aws-a100-spot.lot.az2").effective), "$1.1716/gpu/h");
    let books: Vec<_> =
        prices.books.iter().map(|book| (book.name.as_str(), book.date.unwrap().to_string())).collect();
    assert_eq!(books, [("contracts", "2026-11-01".to_owned()), ("shipped", "2026-07-20".to_owned())]);
}

#[test]
fn tenants_and_the_floor_come_out_to_the_cent() {
    let mut fleet = quickstart();
    let (_, costs) = priced(&fleet);
    let ceiling =
        |costs: &poolwright_model::Costs, tenant: &str| text(&costs.tenants[tenant].cost.monthly.ceiling);
    assert_eq!(ceiling(&costs, "tenant.nlp"), "$455,073.74/month");
    assert_eq!(ceiling(&costs, "tenant.vision"), "$342,016.31/month");
    assert_eq!(text(&costs.total.monthly.floor), "$154,100.80/month");
    let parts: Vec<_> = costs.tenants["tenant.nlp"]
        .parts
        .iter()
        .map(|part| (part.pool.label().to_owned(), part.gpus, text(&part.monthly), part.by_bill))
        .collect();
    let part =
        |pool: &str, gpus, monthly: &str, by_bill| (pool.to_owned(), gpus, monthly.to_owned(), by_bill);
    assert_eq!(
        parts,
        [
            part("aliyun-a100", 48, "$108,624.00/month", false),
            part("aws-a100-spot", 96, "$192,348.94/month", false),
            part("hpc-h100", 128, "$141,367.68/month", true),
            part("onprem-gaudi", 32, "$12,733.12/month", true),
        ]
    );
    fleet.tenants.get_mut("tenant.vision").unwrap().quotas[0].borrow = Borrow::ALL;
    assert_eq!(ceiling(&priced(&fleet).1, "tenant.vision"), "$470,248.94/month");
}

#[test]
fn pools_have_floor_expected_and_ceiling() {
    let (_, costs) = priced(&quickstart());
    let pool = |name: &str| {
        let line = &costs.pools[name].monthly;
        assert_eq!(line.unknown, Vec::<String>::new());
        [text(&line.floor), text(&line.expected), text(&line.ceiling)]
    };
    assert_eq!(pool("pool.hpc-h100"), ["$141,367.68/month"; 3]);
    assert_eq!(pool("pool.onprem-gaudi"), ["$12,733.12/month"; 3]);
    // 64 GPUs: a quarter of them at $2.80, all of them at the step's cap of $3.10.
    assert_eq!(pool("pool.aliyun-a100"), ["$0.00/month", "$32,704.00/month", "$144,832.00/month"]);
    // 128 GPUs: 60 % at the effective price, all of them on demand.
    assert_eq!(pool("pool.aws-a100-spot"), ["$0.00/month", "$65,685.17/month", "$256,465.26/month"]);
}

#[test]
fn a_queue_can_spend_what_its_tenants_can_hold() {
    let (_, costs) = priced(&quickstart());
    let ceiling = |queue: &str| text(&costs.queues[queue].monthly.ceiling);
    // nlp and vision together: 160 GPUs of 128, and 80 of 64.
    assert_eq!(ceiling("queue.cost-optimized"), "$401,297.26/month");
    assert_eq!(ceiling("queue.urgent"), "$141,367.68/month");
    assert_eq!(costs.queues["queue.urgent"].monthly.expected, None);
    assert!(costs.queues["queue.urgent"].monthly.unknown[0].contains("not declared"));
}

#[test]
fn the_borrowing_that_fits_is_found() {
    let fleet = quickstart();
    let (prices, _) = priced(&fleet);
    let fits = |budget: &str| {
        let (tenant, pool) = (address("tenant.vision"), address("pool.aws-a100-spot"));
        poolwright_pricing::fitting_borrow(&fleet, &prices, &tenant, &pool, &Money::parse(budget).unwrap())
    };
    assert_eq!(fits("$450000/month"), Some(85));
    assert_eq!(fits("$1000000/month"), Some(128));
    assert_eq!(fits("$100000/month"), None);
}
