//! "Six groups own hosts; one low-priority queue over all of them. -> Slurm"

use crate::compiled::{Found, compiled, hosts, refused, remarks};

const LAB: &str = "target.slurm.lab";

#[test]
fn six_groups_own_their_hosts_and_one_queue_has_all() {
    let compiled = compiled("03-owners");
    let slurm = compiled.slurm(LAB);
    let owners = slurm
        .partitions
        .iter()
        .map(|partition| (partition.name.as_str(), hosts(slurm, partition), partition.accounts.join(",")));
    let of = |name, hosts, accounts: &str| (name, hosts, accounts.to_owned());
    assert_eq!(
        owners.collect::<Vec<_>>(),
        [
            of("bio", 18, "bio"),
            of("chem", 10, "chem"),
            of("geo", 3, "geo"),
            of("ling", 6, "ling"),
            of("robot", 12, "robot"),
            of("scavenge", 54, "bio,chem,geo,ling,robot,vision"),
            of("vision", 5, "vision"),
        ]
    );
}

/// Field notes: "an owner's job evicts a scavenger": the owners' QoS preempts the scavengers', which preempts nothing.
#[test]
fn an_owner_evicts_a_scavenger() {
    let compiled = compiled("03-owners");
    let qos: Vec<_> = compiled.objects(LAB, "Qos").into_iter().map(|(name, qos)| (name, &qos.body)).collect();
    let [("owner", owner), ("scavenger", scavenger)] = qos.as_slice() else { panic!("{qos:?}") };
    assert_eq!(owner["Preempt"], serde_json::json!(["scavenger"]));
    assert!(scavenger.get("Preempt").is_none());
    assert_eq!((&owner["Priority"], &scavenger["Priority"]), (&1000.into(), &1.into()));
    assert_eq!(scavenger["PreemptMode"], "REQUEUE");
    let tiers = compiled.objects(LAB, "Partition").into_iter();
    for (name, partition) in tiers {
        assert_eq!(partition.body["PriorityTier"], if name == "scavenge" { 1 } else { 1000 }, "{name}");
    }
}

/// Field notes: "consumer cards of four models"; "mixed host gives two typed GRES lines with right device numbers".
#[test]
fn the_mixed_host_has_two_models_between_each_other() {
    let compiled = compiled("03-owners");
    let gres = compiled.objects(LAB, "Gres");
    let (_, mixed) = gres.iter().find(|(name, _)| *name == "mixed--main").unwrap();
    assert_eq!(
        mixed.body,
        serde_json::json!({ "NodeName": "c10", "Devices": [
            { "Name": "gpu", "Type": "rtx-3090", "File": "/dev/nvidia[0,2,4,6]" },
            { "Name": "gpu", "Type": "rtx-4090", "File": "/dev/nvidia[1,3,5,7]" },
        ] })
    );
    let nodes = compiled.objects(LAB, "Node");
    let (_, node) = nodes.iter().find(|(name, _)| *name == "mixed--main").unwrap();
    assert_eq!(node.body["Gres"], serde_json::json!(["gpu:rtx-3090:4", "gpu:rtx-4090:4"]));
    let mut models: Vec<&str> = gres
        .iter()
        .flat_map(|(_, it)| it.body["Devices"].as_array().unwrap())
        .map(|device| device["Type"].as_str().unwrap())
        .collect();
    models.sort_unstable();
    models.dedup();
    assert_eq!(models, ["rtx-2080ti", "rtx-3090", "rtx-4090", "rtx-a6000"]);
}

#[test]
fn it_costs_the_internal_rate_and_all_of_it_is_written() {
    let compiled = compiled("03-owners");
    // 54 hosts × 8 GPUs × $0.20 × 730 h.
    assert_eq!(compiled.costs.total.monthly.expected.as_ref().unwrap().to_string(), "$63,072.00/month");
    assert_eq!((refused("03-owners"), remarks(&compiled)), (vec![], vec![]));
}
