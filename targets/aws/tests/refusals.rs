//! What AWS cannot express is said, with its code, at the place in the source.

#[cfg(test)]
mod common;

use common::{POOL, TARGET, cloud, efa, lot, lower, mark, pool, span};
use poolwright_diagnostics::{Code, Diagnostic, Span};
use poolwright_expression::quantity::{Money, Taint};
use poolwright_model::Fleet;
use poolwright_model::fleet::{Allocation, FabricKind, GroupKind, Placement};
use poolwright_target_aws::codes;

/// Lowers a changed quickstart whose first lot, pool, target, fabric and tier have spans in files 1 to 5.
#[cfg(test)]
fn faults(change: impl FnOnce(&mut Fleet)) -> Vec<Diagnostic> {
    lower(|fleet| {
        change(fleet);
        pool(fleet).lots.truncate(1);
        let of_lot = ["zones", "nodes", "instance_types", "max_price", "allocation", "placement", "tier"];
        mark(&mut lot(fleet).meta, 1, &of_lot);
        mark(&mut pool(fleet).meta, 2, &["labels", "taints", "fabric"]);
        mark(&mut fleet.targets.get_mut(TARGET).unwrap().meta, 3, &["user_data", "zones", "groups"]);
        for fabric in fleet.fabrics.values_mut() {
            mark(&mut fabric.meta, 4, &["rails", "kind"]);
        }
        for tier in fleet.tiers.values_mut() {
            mark(&mut tier.meta, 5, &["kind"]);
        }
    })
    .diagnostics
}

#[cfg(test)]
fn only(change: impl FnOnce(&mut Fleet)) -> (Code, Span, String) {
    let found = faults(change);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(!found[0].helps.is_empty(), "no next step: {found:#?}");
    (found[0].code, found[0].primary().unwrap().span, found[0].message.clone())
}

#[cfg(test)]
fn money(text: &str) -> Option<Money> {
    Some(Money::parse(text).unwrap())
}

#[test]
fn the_marked_quickstart_is_fine() {
    assert_eq!(faults(|_| {}), []);
}

#[test]
fn the_target_lacks() {
    let (code, at, message) = only(|fleet| cloud(fleet).image = None);
    assert_eq!((code, at), (codes::TARGET_LACKS, span(3, 100)));
    assert_eq!(message, "`aws.use1` has no `image`");
    let (code, at, message) = only(|fleet| cloud(fleet).instance_profile = None);
    assert_eq!((code, at), (codes::TARGET_LACKS, span(3, 100)));
    assert_eq!(message, "`aws.use1` has no `instance_profile`");
    let (code, _, message) = only(|fleet| {
        cloud(fleet).user_data = None;
        cloud(fleet).user_data_template = None;
    });
    assert_eq!((code, message.as_str()), (codes::TARGET_LACKS, "`aws.use1` has no `user_data`"));
    let (code, at, _) = only(|fleet| cloud(fleet).groups = GroupKind::Ack);
    assert_eq!((code, at), (codes::GROUPS_KIND, span(3, 130)));
}

#[test]
fn a_slurm_pool_needs_neither_profile_nor_user_data() {
    let found = faults(|fleet| {
        pool(fleet).cluster = "target.slurm.hpc".into();
        let cloud = cloud(fleet);
        (cloud.instance_profile, cloud.user_data, cloud.user_data_template) = (None, None, None);
    });
    assert_eq!(found, []);
}

#[test]
fn zones_and_placement() {
    let (code, at, message) = only(|fleet| lot(fleet).zones = vec!["use1-az3".into()]);
    assert_eq!((code, at), (codes::NODE_GROUP, span(3, 100)));
    assert_eq!(message, "the node group `aws-a100-spot--az2` has no pool, lot, tier or zone");
    let (code, at, _) = only(|fleet| lot(fleet).zones.clear());
    assert_eq!((code, at), (codes::NO_ZONE, span(1, 110)));

    let both = || vec!["use1-az2".to_owned(), "use1-az4".to_owned()];
    let found = faults(|fleet| {
        lot(fleet).zones = both();
        lot(fleet).placement = Placement::Cluster;
    });
    let found: Vec<_> = found.iter().map(|fault| (fault.code, fault.primary().unwrap().span)).collect();
    assert_eq!(found, [(codes::ZONE_REBALANCE, span(1, 110)), (codes::PLACEMENT_ZONES, span(1, 160))]);

    let lowered = lower(|fleet| lot(fleet).zones = both());
    let group = lowered.resources.iter().find(|resource| resource.kind == "AutoScalingGroup").unwrap();
    assert_eq!(group.body["VPCZoneIdentifier"], "subnet-0aaa2222,subnet-0aaa4444");
    assert!(group.remark.as_ref().unwrap().contains("--scaling-processes AZRebalance"));
    assert!(lowered.diagnostics.iter().all(|fault| !fault.is_error()));
}

#[test]
fn purchase_options() {
    for allocation in [Allocation::Capacity, Allocation::PriceCapacity] {
        let (code, at, _) = only(|fleet| {
            lot(fleet).tier = "tier.on-demand".into();
            lot(fleet).allocation = allocation;
        });
        assert_eq!((code, at), (codes::ALLOCATION_TIER, span(1, 150)));
    }
    let (code, at, message) = only(|fleet| {
        lot(fleet).tier = "tier.owned-h100".into();
        lot(fleet).allocation = Allocation::Preference;
    });
    assert_eq!((code, at), (codes::TIER_NOT_SOLD, span(1, 170)));
    assert_eq!(message, "`tier.owned-h100` is owned capacity, AWS sells none");
}

#[test]
fn bid_caps() {
    for text in ["€12/node/h", "$12", "$0.00001/node/h", "$300/node"] {
        let (code, at, _) = only(|fleet| lot(fleet).max_price = money(text));
        assert_eq!((code, at), (codes::MAX_PRICE_UNIT, span(1, 140)), "{text}");
    }
    let (code, _, _) = only(|fleet| {
        lot(fleet).node.gpus = 0;
        lot(fleet).max_price = money("$1/gpu/h");
    });
    assert_eq!(code, codes::MAX_PRICE_UNIT);
}

#[test]
fn types_and_sizes() {
    let (code, at, _) = only(|fleet| lot(fleet).instance_types.clear());
    assert_eq!((code, at), (codes::INSTANCE_TYPES, span(1, 130)));
    let many = |n: usize| (0..n).map(|n| format!("m{n}.large")).collect::<Vec<_>>();
    let (code, _, message) = only(|fleet| lot(fleet).instance_types = many(41));
    assert_eq!(code, codes::INSTANCE_TYPES);
    assert_eq!(message, "`pool.aws-a100-spot.lot.az2` has 41 instance types, a group takes 40");
    assert_eq!(faults(|fleet| lot(fleet).instance_types = many(40)), []);
    let found = faults(|fleet| pool(fleet).cluster = "target.kubernetes.onprem".into());
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].code, found[0].is_error()), (codes::NOBODY_SCALES, false));
}

#[test]
fn user_data_templates() {
    let template = |text: &str| {
        let text = text.to_owned();
        move |fleet: &mut Fleet| cloud(fleet).user_data_template = Some(text)
    };
    let (code, at, message) = only(template("line\n{{ pol }}\n"));
    assert_eq!((code, at), (codes::USER_DATA, span(3, 110)));
    assert!(
        message
            .starts_with("templates/eks-node.tera does not render for `aws-a100-spot--az2`: Variable `pol`"),
        "{message}"
    );
    let found = faults(template("line\n{{ pool \n"));
    assert!(found[0].notes[0].contains("templates/eks-node.tera:2:"), "{found:#?}");
    let (code, _, message) = only(template(&"x".repeat(16 * 1024 + 1)));
    assert_eq!(code, codes::USER_DATA_SIZE);
    assert_eq!(message, "user data of `aws-a100-spot--az2` has 16385 bytes, EC2 takes 16384");
    assert_eq!(faults(template(&"x".repeat(16 * 1024))), []);
    let (code, at, _) = only(|fleet| cloud(fleet).user_data_template = None);
    assert_eq!((code, at), (codes::USER_DATA, span(3, 110)));
}

#[test]
fn names() {
    // Too long for both, a colon for the group only, a space for the template only.
    for (name, wanted) in [("x".repeat(300), 2), ("a:b".into(), 2), ("a b".into(), 1), ("é".into(), 2)] {
        let mut fleet = common::fleet();
        pool(&mut fleet).lots.truncate(1);
        let mut layout = common::layout_by_hand(&fleet);
        let groups = layout.groups.get_mut(TARGET).unwrap();
        groups[0].name.clone_from(&name);
        let found = common::lower_with(&fleet, &layout).diagnostics;
        let names: Vec<_> = found.iter().filter(|fault| fault.code == codes::NAME).collect();
        assert_eq!(names.len(), wanted, "{name}: {found:#?}");
    }
}

#[test]
fn tags_that_aws_refuses() {
    let label = |key: &str, value: &str| {
        let (key, value) = (key.to_owned(), value.to_owned());
        move |fleet: &mut Fleet| {
            pool(fleet).meta.labels.insert(key, value);
        }
    };
    for (key, value) in [
        ("aws:x", "1"),
        ("poolwright:fleet", "other"),
        ("k8s.io/cluster-autoscaler/enabled", "false"),
        (&*"k".repeat(129), "1"),
        ("k", &*"v".repeat(257)),
        ("team", "a&b"),
        ("team", "a\nb"),
    ] {
        let found = faults(label(key, value));
        assert!(!found.is_empty(), "{key}");
        for fault in found {
            assert_eq!(
                (fault.code, fault.primary().unwrap().span),
                (codes::TAGS, span(2, 110)),
                "{key} {value}"
            );
        }
    }
    assert_eq!(faults(label(&"k".repeat(128), &"v".repeat(256))), []);
    assert_eq!(faults(label("Büro", "Köln / 3 @ x+y=z")), []);
    // The quickstart's group has 17 tags.
    let many = |n: usize| {
        move |fleet: &mut Fleet| {
            pool(fleet).meta.labels = (0..n).map(|n| (format!("l{n}"), String::new())).collect();
        }
    };
    assert_eq!(faults(many(33)), []);
    let (code, _, message) = only(many(34));
    assert_eq!((code, message.as_str()), (codes::TAGS, "`aws-a100-spot--az2`: 51 tags, AWS takes 50"));
}

#[test]
fn taints_that_share_a_key() {
    let (code, at, _) = only(|fleet| {
        pool(fleet).taints =
            ["k=a:NoSchedule", "k=a:NoExecute"].map(|text| Taint::parse(text).unwrap()).to_vec();
    });
    assert_eq!((code, at), (codes::TAINT_KEY, span(2, 120)));
}

#[test]
fn fabrics() {
    let (code, at, message) = only(|fleet| {
        efa(fleet, 4);
        fleet.fabrics.get_mut("fabric.efa").unwrap().kind = FabricKind::Infiniband;
    });
    assert_eq!((code, at), (codes::FABRIC_KIND, span(2, 130)));
    assert_eq!(message, "`fabric.efa` is infiniband: AWS joins hosts by EFA only");
    let (code, at, message) = only(|fleet| efa(fleet, 5));
    assert_eq!((code, at), (codes::EFA_RAILS, span(4, 110)));
    assert_eq!(message, "`fabric.efa` has 5 rails, `p4d.24xlarge` has 4 EFA interfaces");
    let found = faults(|fleet| efa(fleet, 1));
    assert_eq!((found[0].code, found[0].is_error(), found.len()), (codes::EFA_RAILS, false, 1));
    for name in ["g5.xlarge", "x9.unknown"] {
        let (code, at, _) = only(|fleet| {
            efa(fleet, 1);
            lot(fleet).instance_types = vec![name.into()];
        });
        assert_eq!((code, at), (codes::EFA_TYPE, span(1, 130)), "{name}");
    }
    // Both have EFA, but on p6-b300 it starts at card 1; and half of its interfaces would be idle.
    let found = faults(|fleet| {
        efa(fleet, 8);
        lot(fleet).instance_types = vec!["p6-b200.48xlarge".into(), "p6-b300.48xlarge".into()];
    });
    let found: Vec<_> = found.iter().map(|fault| (fault.code, fault.is_error())).collect();
    assert_eq!(found, [(codes::EFA_TYPE, true), (codes::EFA_RAILS, false)]);
    let (code, at, _) = only(|fleet| {
        efa(fleet, 4);
        cloud(fleet).security_groups.clear();
    });
    assert_eq!((code, at), (codes::EFA_SECURITY_GROUP, span(3, 100)));
}

#[test]
fn a_layout_of_another_fleet() {
    let mut fleet = common::fleet();
    let layout = common::layout_by_hand(&fleet);
    fleet.pools.remove(POOL);
    let found = common::lower_with(&fleet, &layout).diagnostics;
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|fault| fault.code == codes::NODE_GROUP));
}
