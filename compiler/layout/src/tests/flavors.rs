//! LANGUAGE §4.1: which lots share a flavor, how nodes are recognised; §4.2: groups of nodes.

use poolwright_model::{Address, Fleet};

use super::{ALI_POOL, AWS_POOL, EKS, Edit, GAUDI_POOL, ONPREM, codes, laid_out};
use crate::codes::SELECT_OVERLAP;

/// The names of a cluster's flavors, each with the labels of its lots.
fn flavors(change: impl FnOnce(&mut Fleet)) -> Vec<(String, String)> {
    let (layout, _) = laid_out(change);
    let lots = |lots: &[Address]| lots.iter().map(Address::label).collect::<Vec<_>>().join(" ");
    layout.kueue[EKS].flavors.iter().map(|flavor| (flavor.name.clone(), lots(&flavor.lots))).collect()
}

fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
    of.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

#[test]
fn lots_share_a_flavor_until_they_must_be_told_apart() {
    assert_eq!(flavors(|_| {}), pairs(&[("aws-a100-spot", "az2 az4")]));
    let apart = pairs(&[("aws-a100-spot", "az2"), ("aws-a100-spot--az4", "az4")]);
    assert_eq!(flavors(|f| f.pool(AWS_POOL).lots[1].distinct = true), apart);
    let named = |f: &mut Fleet| {
        f.route().steps[0].pools = vec![Address::new("pool.aws-a100-spot.lot.az4"), Address::new(AWS_POOL)];
    };
    assert_eq!(flavors(named), apart);
    assert_eq!(
        flavors(|f| f.pool(AWS_POOL).fabric = Some(Address::new("fabric.ndr"))),
        apart,
        "a fabric ends at the zone"
    );
    let (layout, _) = laid_out(named);
    let order: Vec<&str> =
        layout.kueue[EKS].cluster_queues[0].groups[0].flavors.iter().map(|f| f.flavor.as_str()).collect();
    assert_eq!(order, ["aws-a100-spot--az4", "aws-a100-spot"], "in the order of the step, each once");
}

#[test]
fn selects_that_can_match_one_node_are_refused() {
    let overlap = |change: fn(&mut Fleet)| codes(&laid_out(change).1).contains(&SELECT_OVERLAP);
    let second = |f: &mut Fleet, key: &str, value: &str| {
        f.copy_pool(GAUDI_POOL, "gaudi-b").select = Some([(key.to_owned(), value.to_owned())].into());
    };
    assert!(overlap(|f| _ = f.copy_pool(GAUDI_POOL, "gaudi-b")), "the same labels");
    assert!(overlap(|f| f.copy_pool(GAUDI_POOL, "gaudi-b").select = Some([].into())), "everything");
    assert!(
        overlap(
            |f| f.copy_pool(GAUDI_POOL, "gaudi-b").select = Some([("x".to_owned(), "y".to_owned())].into())
        ),
        "other keys"
    );
    assert!(!overlap(|f| {
        f.copy_pool(GAUDI_POOL, "gaudi-b").select =
            Some([("accelerator-type".to_owned(), "b".to_owned())].into());
    }));
    assert!(!overlap(|f| f.pool(GAUDI_POOL).select = Some([].into())), "one flavor of its resource");
    // Nodes that Poolwright makes have the labels that it gives them, and those of their cloud.
    let beside = |key: &str, value: &str| {
        let found = laid_out(|f| {
            second(f, key, value);
            let pool = f.pool("pool.gaudi-b");
            pool.cluster = Address::new(EKS);
            pool.accelerator = Some(Address::new("accelerator.nvidia-a100-40gb"));
        });
        codes(&found.1).contains(&SELECT_OVERLAP)
    };
    assert!(beside("gpu-type", "nvidia-a100"), "a label that they get");
    assert!(!beside("gpu-type", "nvidia-h100"), "another value of it");
    assert!(!beside("rack", "7"), "a label that they do not get");
    assert!(beside("node.kubernetes.io/instance-type", "p4d.24xlarge"), "a label that the cloud may set");
}

#[test]
fn other_provisioning_classes_have_their_own_check() {
    let (layout, diagnostics) = laid_out(|fleet| {
        let lot = &mut fleet.pool(AWS_POOL).lots[1];
        lot.distinct = true;
        "check-capacity.autoscaling.x-k8s.io".clone_into(&mut lot.provisioning);
    });
    assert_eq!(diagnostics, []);
    let checks: Vec<(&str, &[String])> =
        layout.kueue[EKS].provisioning.iter().map(|c| (c.name.as_str(), c.flavors.as_slice())).collect();
    assert_eq!(
        checks,
        [
            ("provisioning", &["aws-a100-spot".to_owned()][..]),
            ("provisioning--check-capacity", &["aws-a100-spot--az4".to_owned()][..])
        ]
    );
    assert_eq!(layout.kueue[EKS].cluster_queues[0].checks.len(), 2);
}

#[test]
fn a_default_queue_catches_jobs_without_a_name() {
    let (layout, diagnostics) = laid_out(|fleet| fleet.queue("inference").default = true);
    assert_eq!(diagnostics, []);
    let local: Vec<(&str, &str)> = layout.kueue[ONPREM]
        .local_queues
        .iter()
        .map(|q| (q.name.as_str(), q.cluster_queue.as_str()))
        .collect();
    assert!(
        local.contains(&("default", "inference--nlp")) && local.contains(&("inference", "inference--nlp"))
    );
}

#[test]
fn everybody_makes_their_own_namespaces() {
    let (layout, _) = laid_out(|fleet| fleet.tenant("nlp").namespaces = vec!["*".to_owned()]);
    let onprem = &layout.kueue[ONPREM];
    assert!(onprem.local_queues.iter().all(|queue| queue.namespace == "vision"));
    assert_eq!(onprem.namespaces.len(), 1);
    assert_eq!(onprem.cluster_queues[0].namespaces, ["*"]);
}

#[test]
fn groups_end_at_the_zone_where_a_fabric_does() {
    let (layout, _) = laid_out(|fleet| {
        let pool = fleet.pool(ALI_POOL);
        pool.fabric = Some(Address::new("fabric.ndr"));
        pool.lots[0].zones =
            vec!["cn-hangzhou-i".to_owned(), "cn-hangzhou-j".to_owned(), "cn-hangzhou-k".to_owned()];
    });
    let groups = &layout.groups["target.alibaba.hangzhou"];
    let seen: Vec<(&str, String)> = groups.iter().map(|g| (g.name.as_str(), g.nodes.to_string())).collect();
    let expected = [
        ("aliyun-a100--main--cn-hangzhou-i", "0..3"),
        ("aliyun-a100--main--cn-hangzhou-j", "0..3"),
        ("aliyun-a100--main--cn-hangzhou-k", "0..2"),
    ];
    assert_eq!(seen, expected.map(|(name, nodes)| (name, nodes.to_owned())));
    assert!(groups.iter().all(|group| group.zones.len() == 1));
}

#[test]
fn long_names_keep_to_the_limit_of_their_target() {
    let (layout, diagnostics) = laid_out(|fleet| {
        "a-very-long-name-of-a-pool-in-hangzhou-x".clone_into(&mut fleet.pool(ALI_POOL).meta.name);
    });
    assert_eq!(diagnostics, []);
    let name = &layout.groups["target.alibaba.hangzhou"][0].name;
    // printf %s a-very-long-name-of-a-pool-in-hangzhou-x--main | sha256sum
    assert_eq!(name, "a-very-long-name-of-a-pool-in-h-6ba5c448");
    assert!(name.len() <= 40);
}

#[test]
fn ten_thousand_pools_are_laid_out() {
    let (layout, diagnostics) = laid_out(|fleet| {
        for cluster in 0..200 {
            let target = fleet.copy_target(EKS, &format!("c{cluster}"));
            for pool in 0..50 {
                fleet.copy_pool(AWS_POOL, &format!("p{cluster}-{pool}")).cluster = target.clone();
            }
        }
    });
    assert_eq!(diagnostics, []);
    assert_eq!(layout.groups["target.aws.use1"].len(), 20_002);
    assert_eq!(layout.kueue.len(), 203);
}
