//! "Two InfiniBand islands and plain Ethernet hosts in one Slurm. -> plain Slurm, Slinky, Soperator"

use crate::compiled::{Found, compiled, compiled_with, hosts, refused, refused_with, remarks};

const PLAIN: &str = "target.slurm.as[\"none\"]";

#[test]
fn two_islands_and_plain_hosts() {
    let compiled = compiled("07-two-fabrics");
    let slurm = compiled.slurm(PLAIN);
    let sets: Vec<_> = slurm.node_sets.iter().map(|set| (set.name.as_str(), set.hosts.0.len())).collect();
    assert_eq!(sets, [("cpu", 30), ("gpu--a", 40), ("gpu--b", 24)]);
    let fabrics =
        compiled.fleet.fabrics.values().map(|fabric| {
            (fabric.meta.name.as_str(), fabric.rails, fabric.rate.as_ref().unwrap().to_string())
        });
    assert_eq!(
        fabrics.collect::<Vec<_>>(),
        [("island--a", 8, "400Gbps".to_owned()), ("island--b", 8, "200Gbps".to_owned())]
    );
    let cards = compiled.fleet.pools.values().filter_map(|pool| pool.accelerator.as_ref());
    let cards: Vec<&str> = cards.map(|card| card.label()).collect();
    assert_eq!(cards, ["nvidia-h100-80gb-sxm", "nvidia-a100-80gb-sxm"]);
}

/// "train: two roots, so no job spans A and B"; field notes: "CPU hosts are in no IB tree".
#[test]
fn no_job_spans_the_islands() {
    let compiled = compiled("07-two-fabrics");
    let switches: Vec<_> =
        compiled.objects(PLAIN, "Switch").into_iter().map(|(name, switch)| (name, &switch.body)).collect();
    let roots: Vec<_> =
        switches.iter().map(|(name, body)| (*name, body["Nodes"].as_str().unwrap())).collect();
    assert_eq!(roots, [("leaf-a", "a[01-40]"), ("leaf-b", "b[01-24]"), ("unlinked", "e[01-30]")]);
    assert!(switches.iter().all(|(_, body)| body.get("Switches").is_none()), "nothing joins them");
    let slurm = compiled.slurm(PLAIN);
    let seen: Vec<_> = slurm.partitions.iter().map(|it| (it.name.as_str(), hosts(slurm, it))).collect();
    assert_eq!(seen, [("prep", 30), ("train", 64)]);
    assert_eq!(
        remarks(&compiled),
        ["PW5221 partition `train` has hosts of fabrics `island--a` and `island--b`: no job spans them"]
    );
}

/// One variable chooses: the same hosts, partitions and costs on each of the three.
#[test]
fn one_variable_chooses_who_runs_slurm() {
    let plain = compiled("07-two-fabrics");
    for operator in ["none", "slinky", "soperator"] {
        let chosen = compiled_with("07-two-fabrics", &[&format!("on=target.slurm.as[\"{operator}\"]")]);
        let target = format!("target.slurm.as[\"{operator}\"]");
        assert_eq!(chosen.slurm(&target), plain.slurm(PLAIN), "{operator}");
        let others = chosen.layout.slurm.iter().filter(|(address, _)| address.as_str() != target);
        assert!(others.into_iter().all(|(_, slurm)| slurm.nodes.is_empty()), "{operator}");
        let kubernetes = chosen.fleet.targets[target.as_str()].slurm().unwrap().kubernetes.as_ref();
        assert_eq!(kubernetes.is_some(), operator != "none");
        assert_eq!(chosen.costs.total, plain.costs.total);
    }
    // 94 hosts × $12.80 × 730 h.
    assert_eq!(plain.costs.total.monthly.expected.as_ref().unwrap().to_string(), "$878,336.00/month");
}

#[test]
fn operators_come_later_and_nothing_else() {
    let both = ["target.slurm.as[\"slinky\"], target.slurm.as[\"soperator\"]"];
    assert_eq!(refused("07-two-fabrics"), both);
    assert_eq!(refused_with("07-two-fabrics", &["on=target.slurm.as[\"soperator\"]"]), both);
}
