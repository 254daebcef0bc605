//! LANGUAGE §4.3: guarantees, borrowing, what is spread and what is left.

use poolwright_expression::Number;
use poolwright_expression::quantity::{Bytes, Percent, Range};
use poolwright_model::Address;
use poolwright_model::fleet::{Borrow, GpuAmount};
use proptest::prelude::*;

use super::{AWS_POOL, EKS, Edit, ONPREM, codes, cohort, laid_out, quotas};
use crate::codes::{MAX_GPUS_NOT_HELD, PROMISED_TOO_MUCH, QUOTA_ON_SHARED_LOT};

fn gpus(lines: &[String]) -> Vec<&str> {
    lines.iter().filter(|line| line.contains("nvidia.com/gpu")).map(String::as_str).collect()
}

#[test]
fn a_quota_of_a_pool_is_spread_over_its_flavors() {
    let (layout, diagnostics) = laid_out(|fleet| {
        fleet.pool(AWS_POOL).lots[1].distinct = true;
        fleet.quota("nlp", 0).gpus = Some(GpuAmount::Gpus(63));
    });
    assert_eq!(diagnostics, []);
    let lines = quotas(cohort(&layout, EKS, "acme--nlp"));
    // 63 × 96/128 = 47.25, 63 × 32/128 = 15.75: the GPU that is left goes to the earlier lot; 32 borrowed: 24 + 8.
    assert_eq!(
        gpus(&lines),
        ["aws-a100-spot nvidia.com/gpu 48 (+24)", "aws-a100-spot--az4 nvidia.com/gpu 15 (+8)"]
    );
}

#[test]
fn a_lot_is_named_to_choose() {
    let to_lot = |fleet: &mut poolwright_model::Fleet| {
        let quota = fleet.quota("nlp", 0);
        quota.pool = Address::new("pool.aws-a100-spot.lot.az4");
        quota.gpus = Some(GpuAmount::Gpus(32));
    };
    let (layout, diagnostics) = laid_out(|fleet| {
        fleet.pool(AWS_POOL).lots[1].distinct = true;
        fleet.quota("vision", 0).gpus = None;
        fleet.quota("vision", 0).borrow = Borrow::ALL;
        to_lot(fleet);
    });
    assert_eq!(diagnostics, []);
    assert_eq!(
        gpus(&quotas(cohort(&layout, EKS, "acme--nlp"))),
        ["aws-a100-spot--az4 nvidia.com/gpu 32 (+32)"]
    );
    let (_, diagnostics) = laid_out(to_lot);
    assert!(codes(&diagnostics).contains(&QUOTA_ON_SHARED_LOT));
}

#[test]
fn shares_are_of_the_pool_and_rounded_down() {
    let (layout, _) = laid_out(|fleet| {
        fleet.quota("nlp", 0).gpus = Some(GpuAmount::Share(Percent::parse("33%").unwrap()));
        fleet.quota("nlp", 0).borrow = Borrow::ALL;
        fleet.quota("nlp", 0).lend = Borrow::Gpus(0);
    });
    // 33 % of 128 = 42.24; cpu 42/128 of 1504 = 493.5; memory 42/128 of 16986928 = 5573835.75.
    assert_eq!(
        quotas(cohort(&layout, EKS, "acme--nlp")),
        [
            "aws-a100-spot cpu 493500m [0]",
            "aws-a100-spot memory 5573835Mi [0Mi]",
            "aws-a100-spot nvidia.com/gpu 42 [0]"
        ]
    );
}

#[test]
fn cpus_and_memory_may_be_given() {
    let (layout, _) = laid_out(|fleet| {
        fleet.quota("nlp", 0).cpus = Some(Number::ratio(1001, 10).unwrap());
        fleet.quota("nlp", 0).memory = Some(Bytes::parse("1TiB").unwrap());
    });
    assert_eq!(
        quotas(cohort(&layout, EKS, "acme--nlp")),
        [
            // Borrowed: 32 of 64 GPUs, so half of each.
            "aws-a100-spot cpu 100100m (+50050m)",
            "aws-a100-spot memory 1048576Mi (+524288Mi)",
            "aws-a100-spot nvidia.com/gpu 64 (+32)"
        ]
    );
    assert_eq!(quotas(cohort(&layout, EKS, "acme"))[0], "aws-a100-spot cpu 1027900m");
}

#[test]
fn cpu_nodes_are_promised_by_cpus() {
    let (layout, diagnostics) = laid_out(|fleet| {
        let pool = fleet.pool(AWS_POOL);
        pool.accelerator = None;
        for lot in &mut pool.lots {
            lot.node.gpus = 0;
        }
        for tenant in ["nlp", "vision"] {
            let quota = fleet.quota(tenant, 0);
            quota.gpus = None;
            quota.borrow = Borrow::Gpus(0);
            quota.cpus = Some(Number::from(376_u64));
        }
        fleet.class("interruptible").limits.gpus = None;
    });
    assert_eq!(diagnostics, []);
    assert_eq!(
        quotas(cohort(&layout, EKS, "acme--nlp")),
        ["aws-a100-spot cpu 376 (+0)", "aws-a100-spot memory 4246732Mi (+0Mi)"]
    );
}

#[test]
fn promises_above_capacity_list_who_was_promised_what() {
    let (_, diagnostics) = laid_out(|fleet| fleet.quota("nlp", 0).gpus = Some(GpuAmount::Gpus(100)));
    assert_eq!(codes(&diagnostics), [PROMISED_TOO_MUCH]);
    assert_eq!(
        diagnostics[0].message,
        "132 GPUs of `pool.aws-a100-spot` are promised, it has 128 (16 nodes × 8)"
    );
    let labels: Vec<&str> = diagnostics[0].labels.iter().map(|label| label.text.as_str()).collect();
    assert_eq!(labels, ["100 GPUs to `tenant.nlp`", "32 GPUs to `tenant.vision`"]);
}

#[test]
fn an_entry_keeps_max_gpus_exactly() {
    let (layout, diagnostics) = laid_out(|fleet| {
        fleet.tenant("vision").max_gpus = Some(60);
        fleet.queue("urgent").tenants.truncate(1);
        fleet.queue("dev").tenants.truncate(1);
    });
    assert_eq!(diagnostics, []);
    let lines = quotas(cohort(&layout, ONPREM, "acme--vision"));
    assert_eq!(gpus(&lines), ["dispatch--cost-optimized nvidia.com/gpu 48 (+12)"]);
    assert!(lines.contains(&"dispatch--cost-optimized cpu 580".to_owned()), "no tighter limit: {lines:?}");
    let (_, diagnostics) = laid_out(|fleet| fleet.tenant("vision").max_gpus = Some(60));
    assert_eq!(codes(&diagnostics), [MAX_GPUS_NOT_HELD], "Slurm has jobs of it too");
}

#[test]
fn what_is_idle_may_be_used_through_the_entry_too() {
    let (layout, _) = laid_out(|fleet| _ = fleet.tenant("nlp").quotas.remove(1));
    let lines = quotas(cohort(&layout, ONPREM, "acme--nlp"));
    assert_eq!(
        gpus(&lines),
        ["dispatch--cost-optimized nvidia.com/gpu 64 (+96)"],
        "32 of its own + 64 of Alibaba"
    );
    assert_eq!(quotas(cohort(&layout, "target.kubernetes.ack", "acme--nlp")), Vec::<String>::new());
    let (layout, _) = laid_out(|fleet| fleet.quota("nlp", 1).borrow = Borrow::ALL);
    let lines = quotas(cohort(&layout, ONPREM, "acme--nlp"));
    assert_eq!(gpus(&lines), ["dispatch--cost-optimized nvidia.com/gpu 96"], "no limit there, none here");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn cohorts_add_up_to_capacity(nlp in 0_u64..90, vision in 0_u64..90, az2 in 1_u64..14, az4 in 0_u64..14, apart: bool) {
        let (layout, diagnostics) = laid_out(|fleet| {
            fleet.pool(AWS_POOL).lots[0].nodes = Range { min: 0, max: Some(az2) };
            fleet.pool(AWS_POOL).lots[1].nodes = Range { min: 0, max: Some(az4) };
            fleet.pool(AWS_POOL).lots[1].distinct = apart;
            fleet.quota("nlp", 0).gpus = Some(GpuAmount::Gpus(nlp));
            fleet.quota("vision", 0).gpus = Some(GpuAmount::Gpus(vision));
        });
        let promised = codes(&diagnostics).contains(&PROMISED_TOO_MUCH);
        // Spread over flavors, both remainders may fall on the earlier one: then it may be refused a GPU early.
        let whole = (az2 + az4) * 8;
        if nlp + vision > whole {
            prop_assert!(promised);
        } else if !apart {
            prop_assert!(!promised);
        }
        if !promised {
            for flavor in &layout.kueue[EKS].flavors {
                for (resource, capacity) in &flavor.capacity {
                    let sum: u64 = layout.kueue[EKS].cohorts.iter().flat_map(|c| &c.groups).flat_map(|g| &g.flavors)
                        .filter(|f| f.flavor == flavor.name).flat_map(|f| &f.quotas)
                        .filter(|q| q.resource == *resource).map(|q| q.nominal.value).sum();
                    prop_assert_eq!(sum, capacity.value, "{} {}", flavor.name, resource);
                }
            }
        }
    }
}
