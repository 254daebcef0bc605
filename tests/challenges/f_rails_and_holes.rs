//! "8 units x 4 rails x 16 hosts read from discovery, one leaf missing, unnamed adapters. -> Slurm and Kueue"

use poolwright_model::fleet::{DiscoveryFormat, Holes};

use crate::compiled::{Found, asked, compiled, refused, remarks};

#[test]
fn eight_units_of_four_rails_and_sixteen_hosts() {
    let compiled = compiled("06-rails-and-holes");
    let fabric = &compiled.fleet.fabrics["fabric.ib"];
    assert_eq!((fabric.rails, fabric.rate.as_ref().unwrap().to_string().as_str()), (4, "400Gbps"));
    let levels: Vec<_> = fabric.levels.iter().map(|level| (level.meta.name.as_str(), level.nodes)).collect();
    assert_eq!(levels, [("spine", None), ("unit", Some(16))]);
    let hosts = compiled
        .fleet
        .pools
        .values()
        .flat_map(|pool| &pool.lots)
        .map(|lot| lot.hosts.as_ref().unwrap().0.len());
    assert_eq!(hosts.sum::<usize>(), 8 * 16);
    // A port for each rail of a host: 1.6 Tb/s a node.
    assert_eq!(asked("06-rails-and-holes", ["fleet.pools[\"batch\"].rate_per_node"]), ["1.6Tbps"]);
    let adapters = &fabric.env.as_ref().unwrap().hcas;
    assert_eq!(adapters.fold(), "mlx5_[0-3]");
}

/// "One leaf missing": a finding, not a failure. The tree itself is read by a later version.
#[test]
fn holes_are_reported() {
    let compiled = compiled("06-rails-and-holes");
    let fabric = &compiled.fleet.fabrics["fabric.ib"];
    let discovery = fabric.discovery.as_ref().unwrap();
    assert_eq!(
        (discovery.file.as_str(), discovery.format),
        ("fabric/ibnetdiscover.txt", DiscoveryFormat::Ibnetdiscover)
    );
    assert_eq!((fabric.holes, fabric.switches.len()), (Holes::Report, 0));
}

/// One fabric under two schedulers.
#[test]
fn slurm_and_kueue_share_the_fabric() {
    let compiled = compiled("06-rails-and-holes");
    let (slurm, kueue) = (compiled.slurm("target.slurm.hpc"), compiled.kueue("target.kubernetes.k"));
    assert_eq!((slurm.fabrics.as_slice(), &slurm.fabrics), (kueue.topologies.as_slice(), &kueue.topologies));
    assert_eq!(slurm.nodes[0].hosts.0.len(), 96);
    let topology = compiled.objects("target.kubernetes.k", "Topology");
    let labels =
        topology[0].1.body["spec"]["levels"].as_array().unwrap().iter().map(|level| &level["nodeLabel"]);
    assert_eq!(
        labels.collect::<Vec<_>>(),
        ["fabric.topograph.run/tier-1", "fabric.topograph.run/tier-0", "kubernetes.io/hostname"]
    );
    let flavors = compiled.objects("target.kubernetes.k", "ResourceFlavor");
    assert_eq!(flavors[0].1.body["spec"]["topologyName"], "ib");
}

#[test]
fn discovery_comes_later_and_nothing_else() {
    assert_eq!(refused("06-rails-and-holes"), ["fabric.ib.discovery"]);
    let compiled = compiled("06-rails-and-holes");
    assert_eq!(remarks(&compiled), ["PW5022 no queue covers the adapters of `fabric.ib`"]);
    // 128 hosts × 4 GPUs × $1.46 × 730 h.
    assert_eq!(compiled.costs.total.monthly.expected.as_ref().unwrap().to_string(), "$545,689.60/month");
}
