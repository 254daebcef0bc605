//! "Ninety hosts seen through eight partitions. -> Slurm"

use std::collections::BTreeMap;

use crate::compiled::{Found, compiled, hosts, refused, remarks};

const HPC: &str = "target.slurm.hpc";

#[test]
fn ninety_hosts_are_seen_through_eight_partitions() {
    let compiled = compiled("02-eight-partitions");
    let slurm = compiled.slurm(HPC);
    assert_eq!(slurm.nodes.iter().map(|nodes| nodes.hosts.0.len()).sum::<usize>(), 90);
    let seen = slurm.partitions.iter().map(|partition| (partition.name.as_str(), hosts(slurm, partition)));
    assert_eq!(
        seen.collect::<Vec<_>>(),
        [
            ("adm-drain", 90),
            ("adm-test", 90),
            ("backfill", 90),
            ("ci-fast", 90),
            ("ci-slow", 90),
            ("interactive", 3),
            ("normal", 90),
            ("urgent", 90),
        ]
    );
}

/// Field notes: "partition host lists derived, not repeated".
#[test]
fn hosts_are_written_once() {
    let compiled = compiled("02-eight-partitions");
    let lists: BTreeMap<_, _> =
        compiled.objects(HPC, "NodeSet").into_iter().map(|(name, set)| (name, &set.body["Nodes"])).collect();
    assert_eq!(
        serde_json::json!(lists),
        serde_json::json!({ "main": "n[004-090]", "main--desk": "n[001-003]" })
    );
    for (name, partition) in compiled.objects(HPC, "Partition") {
        let sets = partition.body["Nodes"].as_array().unwrap();
        assert!(sets.iter().all(|set| lists.contains_key(set.as_str().unwrap())), "{name}");
    }
}

/// Field notes: "normal 6 h, interactive, urgent, backfill 20 h, two CI partitions for five accounts, two hidden admin ones".
#[test]
fn each_partition_is_what_its_row_says() {
    let compiled = compiled("02-eight-partitions");
    let rows = compiled.objects(HPC, "Partition").into_iter().map(|(name, partition)| {
        let body = &partition.body;
        let accounts: Vec<&str> = body["AllowAccounts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|account| account.as_str().unwrap())
            .collect();
        let (time, tier) = (body["MaxTime"].as_str().unwrap(), body["PriorityTier"].as_u64().unwrap());
        let flags = (body["Default"] == true, body["Hidden"] == true);
        format!("{name} {tier} {time} {} {flags:?}", accounts.join(","))
    });
    let all = "core,db,docs,tools,web";
    assert_eq!(
        rows.collect::<Vec<_>>(),
        [
            "adm-drain 999 1-00:00:00 ops (false, true)".to_owned(),
            "adm-test 999 1-00:00:00 ops (false, true)".to_owned(),
            format!("backfill 10 20:00:00 {all} (false, false)"),
            "ci-fast 400 01:00:00 core,db,web (false, false)".to_owned(),
            "ci-slow 390 02:00:00 docs,tools (false, false)".to_owned(),
            format!("interactive 500 04:00:00 {all} (false, false)"),
            format!("normal 300 06:00:00 {all} (true, false)"),
            format!("urgent 900 06:00:00 {all} (false, false)"),
        ]
    );
}

/// Field notes: "grace 10 min, exempt first 30 min"; "preemption graph acyclic": urgent takes from backfill, and that is all.
#[test]
fn urgent_takes_from_backfill_and_nobody_else_does() {
    let compiled = compiled("02-eight-partitions");
    let edges = compiled.slurm(HPC).qos.iter().filter(|qos| !qos.preempts.is_empty());
    let edges: Vec<_> = edges.map(|qos| (qos.name.as_str(), qos.preempts.join(","))).collect();
    assert_eq!(edges, [("urgent", "backfill".to_owned())]);
    for (name, qos) in compiled.objects(HPC, "Qos") {
        assert_eq!(
            (&qos.body["GraceTime"], &qos.body["PreemptExemptTime"]),
            (&600.into(), &"00:30:00".into()),
            "{name}"
        );
        assert_eq!(qos.body["PreemptMode"], if name == "backfill" { "REQUEUE" } else { "OFF" }, "{name}");
    }
}

#[test]
fn it_costs_the_internal_rate_and_all_of_it_is_written() {
    let compiled = compiled("02-eight-partitions");
    // 90 hosts × 4 GPUs × $0.45 × 730 h, used or not.
    let monthly = &compiled.costs.total.monthly;
    let bill = "$118,260.00/month";
    let said =
        [&monthly.floor, &monthly.expected, &monthly.ceiling].map(|it| it.as_ref().unwrap().to_string());
    assert_eq!(said, [bill, bill, bill]);
    assert_eq!((refused("02-eight-partitions"), remarks(&compiled)), (vec![], vec![]));
}
