//! What holds of every fleet.

use crate::common::{address, priced, quickstart};
use poolwright_expression::quantity::{Money, Percent, Range};
use poolwright_model::Fleet;
use poolwright_model::fleet::Borrow;
use poolwright_model::money::CostLine;
use proptest::prelude::*;

#[derive(Clone, Debug)]
struct Change {
    least: u64,
    more: u64,
    utilisation: Option<u8>,
    spot_cap: Option<u16>,
    step_cap: Option<u16>,
    borrow: Option<u64>,
    max_gpus: Option<u64>,
}

fn change() -> impl Strategy<Value = Change> {
    (
        0..9_u64,
        0..20_u64,
        prop::option::of(0..=100_u8),
        prop::option::of(1..500_u16),
        prop::option::of(1..500_u16),
        prop::option::of(0..200_u64),
        prop::option::of(0..400_u64),
    )
        .prop_map(|(least, more, utilisation, spot_cap, step_cap, borrow, max_gpus)| Change {
            least,
            more,
            utilisation,
            spot_cap,
            step_cap,
            borrow,
            max_gpus,
        })
}

fn cents(amount: u16) -> Money {
    Money::parse(&format!("${}.{:02}/gpu/h", amount / 100, amount % 100)).unwrap()
}

fn changed(change: &Change) -> Fleet {
    let mut fleet = quickstart();
    for name in ["pool.aws-a100-spot", "pool.aliyun-a100"] {
        for lot in &mut fleet.pools.get_mut(name).unwrap().lots {
            lot.nodes = Range { min: change.least, max: Some(change.least + change.more) };
            lot.utilisation = change.utilisation.map(|share| Percent::parse(&format!("{share}%")).unwrap());
            if name == "pool.aws-a100-spot" {
                lot.max_price = change.spot_cap.map(cents);
            }
        }
    }
    for step in &mut fleet.routes.get_mut("route.cost-optimized").unwrap().steps {
        step.max_price = change.step_cap.map(cents);
    }
    for tenant in fleet.tenants.values_mut() {
        tenant.max_gpus = change.max_gpus;
        for quota in &mut tenant.quotas {
            quota.borrow = change.borrow.map_or(Borrow::ALL, Borrow::Gpus);
        }
    }
    fleet
}

fn at_most(low: &Option<Money>, high: &Option<Money>) -> bool {
    match (low, high) {
        (Some(low), Some(high)) => low.compare(high).unwrap().is_le(),
        _ => true,
    }
}

fn ordered(line: &CostLine) -> bool {
    at_most(&line.floor, &line.expected)
        && at_most(&line.expected, &line.ceiling)
        && at_most(&line.floor, &line.ceiling)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn floor_expected_and_ceiling_are_in_order(change in change()) {
        let (_, costs) = priced(&changed(&change));
        let parts = costs.pools.values().chain(costs.lots.values()).chain(costs.queues.values());
        for cost in parts.chain(costs.tenants.values().map(|tenant| &tenant.cost)).chain([&costs.total]) {
            prop_assert!(ordered(&cost.monthly), "{cost:?}");
            prop_assert!(ordered(&cost.hourly), "{cost:?}");
        }
    }

    #[test]
    fn what_is_unknown_has_a_reason_and_what_has_none_is_known(change in change()) {
        let (_, costs) = priced(&changed(&change));
        let parts = costs.pools.values().chain(costs.lots.values()).chain(costs.queues.values());
        for cost in parts.chain(costs.tenants.values().map(|tenant| &tenant.cost)).chain([&costs.total]) {
            let line = &cost.monthly;
            let known = line.floor.is_some() && line.expected.is_some() && line.ceiling.is_some();
            prop_assert_eq!(known, line.unknown.is_empty());
        }
    }

    #[test]
    fn more_nodes_never_cost_less(change in change(), more in 1..5_u64) {
        let (_, before) = priced(&changed(&change));
        let (_, after) = priced(&changed(&Change { more: change.more + more, ..change.clone() }));
        prop_assert!(at_most(&before.total.monthly.floor, &after.total.monthly.floor));
        prop_assert!(at_most(&before.total.monthly.ceiling, &after.total.monthly.ceiling));
        if change.utilisation.is_some() {
            prop_assert!(at_most(&before.total.monthly.expected, &after.total.monthly.expected));
        }
        for (tenant, cost) in &before.tenants {
            prop_assert!(at_most(&cost.cost.monthly.ceiling, &after.tenants[tenant].cost.monthly.ceiling));
        }
        let (_, least) = priced(&changed(&Change { least: change.least + more, ..change.clone() }));
        prop_assert!(at_most(&before.total.monthly.floor, &least.total.monthly.floor));
    }

    #[test]
    fn a_tenant_holds_no_more_than_its_quotas_and_the_fleet(change in change()) {
        let fleet = changed(&change);
        let (_, costs) = priced(&fleet);
        for (address, tenant) in &costs.tenants {
            let all: u64 = tenant.parts.iter().map(|part| part.gpus).sum();
            prop_assert!(change.max_gpus.is_none_or(|most| all <= most));
            for part in &tenant.parts {
                let whole: u64 = fleet.pools[&part.pool].lots.iter().map(|lot| lot.most_gpus()).sum();
                prop_assert!(part.gpus <= whole);
                let quota = fleet.tenants[address].quotas.iter().find(|quota| quota.pool == part.pool);
                if let (Some(quota), Some(borrow)) = (quota, change.borrow) {
                    let Some(poolwright_model::fleet::GpuAmount::Gpus(own)) = quota.gpus else { panic!("written so") };
                    prop_assert!(part.gpus <= own + borrow);
                }
            }
        }
    }
}

#[test]
fn spot_is_never_cheaper_as_interruptions_come_faster() {
    let mut before = None;
    for mean in ["1000h", "10h", "1h", "10m", "1m", "1s"] {
        let mut fleet = quickstart();
        let tier = fleet.tiers.get_mut(&address("tier.spot")).unwrap();
        let interruption = tier.interruption.as_mut().unwrap();
        interruption.mean_time = Some(poolwright_expression::quantity::Duration::parse(mean).unwrap());
        let (prices, _) = priced(&fleet);
        let lot = &prices.lots[&address("pool.aws-a100-spot.lot.az2")];
        assert!(at_most(&before, &lot.effective), "{mean}: {before:?} and then {:?}", lot.effective);
        assert!(at_most(&lot.price, &lot.effective) && at_most(&lot.effective, &lot.on_demand), "{mean}");
        before = lot.effective.clone();
    }
}
