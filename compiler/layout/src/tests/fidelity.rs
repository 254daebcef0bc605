//! LANGUAGE §5.5, row by row.

use poolwright_expression::quantity::{Duration, Version};
use poolwright_model::fleet::{Reason, Return};
use poolwright_model::layout::Mechanism;
use poolwright_model::{Address, Fleet};

use super::{ALI_POOL, AWS_POOL, Change, EKS, Edit, HPC, HPC_POOL, ONPREM, codes, laid_out};
use crate::codes::{NO_MECHANISM, NOT_EXACT};

fn one_cluster(fleet: &mut Fleet) {
    fleet.pool(ALI_POOL).cluster = Address::new(EKS);
    fleet.queue("cost-optimized").entry = None;
}

fn patience(fleet: &mut Fleet, seconds: u64) {
    fleet.route().steps[0].patience = Some(Duration::from_seconds(seconds));
}

/// A second step on the worker of the first, like it.
fn again(fleet: &mut Fleet) {
    let mut step = fleet.route().steps[0].clone();
    step.meta.address = Address::new("route.cost-optimized.step.again");
    step.meta.name = "again".to_owned();
    step.pools = vec![fleet.copy_pool(AWS_POOL, "aws-b").meta.address.clone()];
    fleet.route().steps.insert(1, step);
}

/// Kueue's own dispatcher instead of the router.
fn incremental(fleet: &mut Fleet) {
    fleet.target(ONPREM).router = false;
    fleet.kueue(ONPREM).version = Version::parse("0.19").unwrap();
}

fn on_slurm(fleet: &mut Fleet) {
    for pool in [ALI_POOL, AWS_POOL] {
        fleet.pool(pool).cluster = Address::new(HPC);
    }
    fleet.queue("cost-optimized").entry = None;
}

#[test]
fn each_row_of_the_table() {
    type Case = (&'static str, Change, Mechanism, &'static str, &'static [poolwright_diagnostics::Code]);
    let cases: &[Case] = &[
        (
            "one step",
            |f| {
                one_cluster(f);
                f.route().steps.remove(0);
            },
            Mechanism::Direct,
            "exact",
            &[],
        ),
        (
            "one stage, by capacity",
            |f| {
                one_cluster(f);
                patience(f, 0);
            },
            Mechanism::OrderedFlavors,
            "quota only",
            &[NOT_EXACT],
        ),
        (
            "one stage, by quota",
            |f| {
                one_cluster(f);
                patience(f, 0);
                f.route().steps[0].on = vec![Reason::NoQuota];
            },
            Mechanism::OrderedFlavors,
            "exact",
            &[],
        ),
        (
            "gate",
            |f| {
                one_cluster(f);
                f.kueue(EKS).gates = vec!["ConcurrentAdmission".to_owned()];
                f.kueue(EKS).version = Version::parse("0.18").unwrap();
            },
            Mechanism::ConcurrentAdmission,
            "exact (alpha; the fallback holds its quota while it waits; not shipped yet)",
            &[],
        ),
        (
            "stages",
            one_cluster,
            Mechanism::RouterQueues,
            "exact, moves on no-capacity, by the router (not shipped yet)",
            &[],
        ),
        (
            "stages by quota",
            |f| {
                one_cluster(f);
                f.route().steps[0].on = vec![Reason::NoQuota];
            },
            Mechanism::RouterQueues,
            "exact, by the router (not shipped yet)",
            &[],
        ),
        (
            "several clusters",
            |_| {},
            Mechanism::RouterDispatch,
            "exact, by the router (MultiKueue dispatcher; not shipped yet)",
            &[],
        ),
        (
            "several clusters, 15m, no router",
            incremental,
            Mechanism::IncrementalDispatch,
            "rounded to 5m",
            &[NOT_EXACT],
        ),
        (
            "several clusters, 5m, no router",
            |f| {
                incremental(f);
                patience(f, 300);
            },
            Mechanism::IncrementalDispatch,
            "exact",
            &[],
        ),
        (
            "two patient steps on one worker",
            again,
            Mechanism::RouterDispatch,
            "quota only, by the router (not shipped yet)",
            &[NOT_EXACT],
        ),
        (
            "two joined steps on one worker, by capacity",
            |f| {
                again(f);
                patience(f, 0);
            },
            Mechanism::RouterDispatch,
            "quota only, by the router (not shipped yet)",
            &[NOT_EXACT],
        ),
        (
            "two joined steps on one worker, by quota",
            |f| {
                again(f);
                patience(f, 0);
                f.route().steps[0].on = vec![Reason::NoQuota];
            },
            Mechanism::RouterDispatch,
            "exact, by the router (MultiKueue dispatcher; not shipped yet)",
            &[],
        ),
        (
            "two patient steps on one worker, no router",
            |f| {
                again(f);
                incremental(f);
            },
            Mechanism::IncrementalDispatch,
            "quota only",
            &[NOT_EXACT],
        ),
        (
            "two joined steps on one worker by capacity, no router",
            |f| {
                again(f);
                incremental(f);
                patience(f, 0);
                f.route().steps[1].patience = Some(Duration::from_seconds(300));
            },
            Mechanism::IncrementalDispatch,
            "quota only",
            &[NOT_EXACT],
        ),
        (
            "two joined steps on one worker by quota, then 5m, no router",
            |f| {
                again(f);
                incremental(f);
                patience(f, 0);
                f.route().steps[0].on = vec![Reason::NoQuota];
                f.route().steps[1].patience = Some(Duration::from_seconds(300));
            },
            Mechanism::IncrementalDispatch,
            "exact",
            &[],
        ),
        (
            "two joined steps on one worker by quota, then 15m, no router",
            |f| {
                again(f);
                incremental(f);
                patience(f, 0);
                f.route().steps[0].on = vec![Reason::NoQuota];
            },
            Mechanism::IncrementalDispatch,
            "rounded to 5m",
            &[NOT_EXACT],
        ),
        ("slurm", on_slurm, Mechanism::RouterPartitions, "exact, by the router (not shipped yet)", &[]),
        (
            "slurm, no router",
            |f| {
                on_slurm(f);
                f.target(HPC).router = false;
            },
            Mechanism::AllPartitions,
            "no wait",
            &[NOT_EXACT],
        ),
        (
            "no return",
            |f| {
                one_cluster(f);
                patience(f, 0);
                f.route().steps[0].on = vec![Reason::NoQuota];
                f.route().returns = Return::Prefer;
                f.target(EKS).router = false;
            },
            Mechanism::OrderedFlavors,
            "no return",
            &[NOT_EXACT],
        ),
    ];
    for (name, change, mechanism, line, expected) in cases {
        for strict in [true, false] {
            let (layout, diagnostics) = laid_out(|fleet| {
                change(fleet);
                fleet.route().strict = strict;
            });
            let lines: Vec<_> = layout.routes.iter().map(|r| (r.mechanism, r.line.as_str())).collect();
            assert_eq!(lines, [(*mechanism, *line)], "{name}: {diagnostics:?}");
            assert_eq!(layout.routes[0].exact, expected.is_empty(), "{name}");
            let mut found = codes(&diagnostics);
            found.retain(|code| [NOT_EXACT, NO_MECHANISM].contains(code));
            assert_eq!(found, if strict { expected.to_vec() } else { Vec::new() }, "{name}, strict {strict}");
        }
    }
}

/// Which steps are the weak ones stands beside what the dispatcher needs, not in its place.
#[test]
fn the_note_names_the_steps_and_keeps_what_was_needed() {
    let (layout, diagnostics) = laid_out(|fleet| {
        again(fleet);
        incremental(fleet);
    });
    let steps = "steps \"aws-spot\" and \"again\" are ordered flavors on target.kubernetes.eks";
    let needed = "Kueue's Configuration on the entry must name the incremental dispatcher, with stepSize 1";
    assert_eq!(layout.routes[0].note.as_deref(), Some(format!("{steps}; {needed}").as_str()));
    let refused = diagnostics.iter().find(|found| found.code == NOT_EXACT).unwrap();
    assert!(refused.notes.iter().any(|note| note.contains(steps)), "{refused:?}");
}

#[test]
fn without_any_mechanism_even_a_loose_route_is_refused() {
    let cases: [(&str, Change); 3] = [
        ("stages without a router", |f| {
            one_cluster(f);
            f.target(EKS).router = false;
        }),
        ("clusters in alphabetical order", |f| f.target(ONPREM).router = false),
        ("a step over two clusters", |f| {
            incremental(f);
            f.route().steps[0].pools.push(Address::new(ALI_POOL));
            f.route().steps[1].pools = vec![Address::new(ALI_POOL)];
        }),
    ];
    for (name, change) in cases {
        let (layout, diagnostics) = laid_out(|fleet| {
            change(fleet);
            fleet.route().strict = false;
        });
        assert_eq!(layout.routes, [], "{name}");
        assert!(codes(&diagnostics).contains(&NO_MECHANISM), "{name}: {diagnostics:?}");
    }
}

#[test]
fn joined_steps_are_one_stage_and_others_carry_their_names() {
    let names = |change: fn(&mut Fleet)| -> Vec<String> {
        let (layout, _) = laid_out(change);
        layout.kueue[EKS].cluster_queues.iter().map(|queue| queue.name.clone()).collect()
    };
    assert_eq!(
        names(one_cluster),
        [
            "cost-optimized--aliyun--nlp",
            "cost-optimized--aliyun--vision",
            "cost-optimized--nlp",
            "cost-optimized--vision"
        ]
    );
    let joined = |f: &mut Fleet| {
        one_cluster(f);
        patience(f, 0);
    };
    assert_eq!(names(joined), ["cost-optimized--nlp", "cost-optimized--vision"]);
    let (layout, _) = laid_out(joined);
    let flavors: Vec<&str> =
        layout.kueue[EKS].cluster_queues[0].groups[0].flavors.iter().map(|f| f.flavor.as_str()).collect();
    assert_eq!(flavors, ["aws-a100-spot", "aliyun-a100"], "in the order of the steps");
    let (layout, _) = laid_out(one_cluster);
    let local: Vec<&str> = layout.kueue[EKS].local_queues.iter().map(|queue| queue.name.as_str()).collect();
    assert_eq!(
        local,
        ["cost-optimized", "cost-optimized--aliyun", "cost-optimized", "cost-optimized--aliyun"]
    );
}

#[test]
fn partitions_of_later_stages_carry_the_step() {
    let (layout, _) = laid_out(|fleet| {
        on_slurm(fleet);
        fleet.route().steps[1].pools = vec![Address::new(HPC_POOL), Address::new(ALI_POOL)];
    });
    let partitions: Vec<(&str, Vec<&str>)> = layout.slurm[HPC]
        .partitions
        .iter()
        .map(|p| (p.name.as_str(), p.node_sets.iter().map(String::as_str).collect()))
        .collect();
    assert_eq!(
        partitions,
        [
            ("cost-optimized", vec!["aws-a100-spot"]),
            ("cost-optimized--aliyun", vec!["hpc-h100", "aliyun-a100"]),
            ("dev", vec!["hpc-h100"]),
            ("urgent", vec!["hpc-h100"])
        ]
    );
    let step = layout.slurm[HPC].partitions[1].step.as_ref().unwrap();
    assert_eq!(step.as_str(), "route.cost-optimized.step.aliyun");
}
