//! "Five service queues with a maintenance twin each, and a grid of ten QoS. -> Slurm"

use std::collections::BTreeMap;

use poolwright_expression::quantity::Hosts;

use crate::compiled::{Found, compiled, compiled_with, refused, remarks};

const CENTRE: &str = "target.slurm.centre";

/// "true closes every service queue and opens its twin to operations": the twin of each of five, from one flag.
#[test]
fn one_flag_closes_five_queues_for_operations() {
    for (given, active) in [(&[][..], false), (&["maintenance=true"][..], true)] {
        let fleet = compiled_with("04-maintenance-grid", given).fleet;
        let twins: Vec<_> = fleet
            .queues
            .values()
            .map(|queue| {
                let maintenance = queue.maintenance.as_ref().unwrap();
                let tenants: Vec<&str> = maintenance.tenants.iter().map(|tenant| tenant.as_str()).collect();
                (queue.meta.name.as_str(), maintenance.active, tenants.join(","))
            })
            .collect();
        let of = |name| (name, active, "tenant.ops".to_owned());
        assert_eq!(twins, [of("batch"), of("data"), of("gpu"), of("mixed"), of("viz")]);
    }
}

#[test]
fn a_grid_of_ten_qos() {
    let compiled = compiled("04-maintenance-grid");
    let qos = compiled.objects(CENTRE, "Qos").into_iter();
    let grid: BTreeMap<_, _> = qos
        .map(|(name, qos)| {
            (
                name.to_owned(),
                (qos.body["Priority"].as_u64().unwrap(), qos.body["MaxWall"].as_str().unwrap().to_owned()),
            )
        })
        .collect();
    let times = [
        ("debug", "00:30:00"),
        ("short", "04:00:00"),
        ("normal", "1-00:00:00"),
        ("long", "3-00:00:00"),
        ("xlong", "7-00:00:00"),
    ];
    let wanted = times.iter().flat_map(|(kind, time)| {
        [("std", 100), ("high", 500)]
            .map(|(grade, priority)| (format!("{kind}-{grade}"), (priority, (*time).to_owned())))
    });
    assert_eq!(grid, wanted.collect());
    // Any of them may be asked for in each of the five.
    let partitions = compiled.objects(CENTRE, "Partition");
    assert_eq!(partitions.len(), 5);
    let mut allowed = partitions.iter().map(|(_, it)| it.body["AllowQos"].as_array().unwrap().len());
    assert!(allowed.all(|allowed| allowed == 10));
}

/// Field notes: "400 hosts in racks with two-range names, 150 GPUs"; "host ranges printed compactly and equal to the
/// input after expansion".
#[test]
fn two_ranges_a_name_stay_as_they_were_written() {
    let compiled = compiled("04-maintenance-grid");
    let sets = compiled.objects(CENTRE, "NodeSet");
    let lists: Vec<&str> = sets.iter().map(|(_, set)| set.body["Nodes"].as_str().unwrap()).collect();
    assert_eq!(lists, ["r[01-10]n[01-35]", "r[01-10]g[01-05]"]);
    let expanded: Vec<Hosts> = lists.iter().map(|list| Hosts::parse(list).unwrap()).collect();
    assert_eq!(expanded.iter().map(|hosts| hosts.0.len()).sum::<usize>(), 400);
    assert_eq!(expanded[1].0.first().unwrap(), "r01g01");
    assert_eq!(expanded[1].0.last().unwrap(), "r10g05");
    let pools = compiled.fleet.pools.values().flat_map(|pool| &pool.lots);
    assert_eq!(pools.map(|lot| lot.most_gpus()).sum::<u64>(), 150);
}

#[test]
fn the_twins_come_later_and_nothing_else() {
    assert_eq!(
        refused("04-maintenance-grid"),
        ["queue.service[\"batch\"].maintenance, 4 more blocks of this place"]
    );
    let compiled = compiled("04-maintenance-grid");
    assert_eq!(remarks(&compiled), Vec::<String>::new());
    // 400 hosts × $3.30 × 730 h.
    assert_eq!(compiled.costs.total.monthly.expected.as_ref().unwrap().to_string(), "$963,600.00/month");
}
