//! Arguments by table, refusals with their code and place, and the laws of the normal form.

#[cfg(test)]
mod common;

use common::{TARGET, cloud, fleet, lot, lower, mark, pool, span};
use poolwright_diagnostics::{Code, Diagnostic, Span};
use poolwright_expression::quantity::{Duration, Money, Range, Taint};
use poolwright_model::fleet::{Allocation, GroupKind, Placement};
use poolwright_model::{Fleet, Layout};
use poolwright_target::Target as _;
use poolwright_target_alibaba::{Alibaba, NODE_POOL, codes};
use proptest::prelude::*;
use serde_json::{Value, json};

#[cfg(test)]
fn body(change: impl FnOnce(&mut Fleet)) -> Value {
    let lowered = lower(change);
    assert!(!lowered.diagnostics.iter().any(Diagnostic::is_error), "{:#?}", lowered.diagnostics);
    lowered.resources[0].body.clone()
}

#[cfg(test)]
fn faults(change: impl FnOnce(&mut Fleet)) -> Vec<Diagnostic> {
    lower(|fleet| {
        change(fleet);
        let of_lot = [
            "zones",
            "nodes",
            "instance_types",
            "max_price",
            "allocation",
            "placement",
            "tier",
            "node",
            "idle_after",
        ];
        mark(&mut lot(fleet).meta, 1, &of_lot);
        mark(&mut pool(fleet).meta, 2, &["labels", "cluster", "fabric"]);
        mark(&mut fleet.targets.get_mut(TARGET).unwrap().meta, 3, &["user_data", "zones", "groups"]);
    })
    .diagnostics
}

#[cfg(test)]
fn only(change: impl FnOnce(&mut Fleet)) -> (Code, Span) {
    let found = faults(change);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(!found[0].helps.is_empty(), "no next step: {found:#?}");
    (found[0].code, found[0].primary().unwrap().span)
}

#[cfg(test)]
fn money(text: &str) -> Option<Money> {
    Some(Money::parse(text).unwrap())
}

#[test]
fn purchase_by_tier_and_allocation() {
    use Allocation::{Preference, Price, PriceCapacity};
    let keys = ["multi_az_policy", "spot_strategy", "spot_instance_pools", "compensate_with_on_demand"];
    for (tier, allocation, wanted, class) in [
        ("tier.on-demand", Preference, [json!("PRIORITY"), json!("NoSpot"), Value::Null, Value::Null], "gpu"),
        (
            "tier.on-demand",
            Price,
            [json!("COST_OPTIMIZED"), json!("NoSpot"), Value::Null, Value::Null],
            "gpu",
        ),
        (
            "tier.spot",
            Preference,
            [json!("PRIORITY"), json!("SpotAsPriceGo"), Value::Null, Value::Null],
            "spot",
        ),
        (
            "tier.spot",
            Price,
            [json!("COST_OPTIMIZED"), json!("SpotAsPriceGo"), json!(1), json!(false)],
            "spot",
        ),
        (
            "tier.spot",
            PriceCapacity,
            [json!("COST_OPTIMIZED"), json!("SpotAsPriceGo"), json!(1), json!(false)],
            "spot",
        ),
    ] {
        let body = body(|fleet| {
            lot(fleet).tier = tier.into();
            lot(fleet).allocation = allocation;
        });
        assert_eq!(
            keys.map(|key| body.get(key).cloned().unwrap_or_default()),
            wanted,
            "{tier} {allocation:?}"
        );
        assert_eq!(body["scaling_config"]["type"], class);
    }
}

#[test]
fn sizes_protection_and_taints() {
    let elastic = body(|_| {});
    let scaling = json!({ "enable": true, "max_size": 8, "min_size": 0, "type": "gpu" });
    assert_eq!((&elastic["scaling_config"], elastic.get("desired_size")), (&scaling, None));
    assert_eq!(elastic["lifecycle"], json!({ "ignore_changes": ["desired_size"] }));
    let fixed = body(|fleet| {
        lot(fleet).nodes = Range::exactly(3);
        pool(fleet).meta.protect = true;
        pool(fleet).taints =
            ["b=1:NoExecute", "a:NoSchedule"].map(|text| Taint::parse(text).unwrap()).to_vec();
        cloud(fleet).security_groups = vec!["sg-1".into()];
        cloud(fleet).image = Some("m-1".into());
        cloud(fleet).instance_profile = Some("worker".into());
    });
    assert_eq!((fixed.get("scaling_config"), &fixed["desired_size"]), (None, &json!("3")));
    assert_eq!(fixed["lifecycle"], json!({ "prevent_destroy": true }));
    assert_eq!(
        fixed["taints"],
        json!([{ "effect": "NoSchedule", "key": "a" }, { "effect": "NoExecute", "key": "b", "value": "1" }])
    );
    assert_eq!(
        (&fixed["security_group_ids"], &fixed["image_id"], &fixed["ram_role_name"]),
        (&json!(["sg-1"]), &json!("m-1"), &json!("worker"))
    );
}

#[test]
fn bid_caps_are_rounded_down_per_node_hour_and_say_their_currency() {
    for (text, wanted) in [("CNY 12.5/node/h", "12.5000"), ("$0.333333/gpu/h", "2.6666")] {
        let capped = |fleet: &mut Fleet| {
            lot(fleet).tier = "tier.spot".into();
            lot(fleet).max_price = money(text);
        };
        let limit = json!([{ "instance_type": "ecs.gn7-c13g1.26xlarge", "price_limit": wanted }]);
        let body = body(capped);
        assert_eq!(
            (&body["spot_strategy"], &body["spot_price_limit"]),
            (&json!("SpotWithPriceLimit"), &limit)
        );
        assert_eq!(only(capped), (codes::MAX_PRICE_CURRENCY, span(1, 140)));
    }
    for text in ["€12/node/h", "$12", "$0.00001/node/h"] {
        let found = only(|fleet| {
            lot(fleet).tier = "tier.spot".into();
            lot(fleet).max_price = money(text);
        });
        assert_eq!(found, (codes::MAX_PRICE_UNIT, span(1, 140)), "{text}");
    }
}

#[test]
fn the_marked_quickstart_is_fine() {
    assert_eq!(faults(|_| {}), []);
}

#[test]
fn refusals() {
    let at_lot = |code, at| (code, span(1, at));
    assert_eq!(only(|fleet| lot(fleet).zones.clear()), at_lot(codes::NO_ZONE, 110));
    assert_eq!(only(|fleet| lot(fleet).nodes = Range { min: 0, max: Some(1001) }), at_lot(codes::SIZE, 120));
    assert_eq!(faults(|fleet| lot(fleet).nodes = Range { min: 0, max: Some(1000) }), []);
    assert_eq!(only(|fleet| lot(fleet).instance_types.clear()), at_lot(codes::INSTANCE_TYPES, 130));
    let many = (0..11).map(|n| format!("ecs.g{n}")).collect::<Vec<_>>();
    assert_eq!(only(|fleet| lot(fleet).instance_types = many), at_lot(codes::INSTANCE_TYPES, 130));
    assert_eq!(only(|fleet| lot(fleet).allocation = Allocation::Capacity), at_lot(codes::ALLOCATION, 150));
    assert_eq!(
        only(|fleet| lot(fleet).allocation = Allocation::PriceCapacity),
        at_lot(codes::ALLOCATION, 150)
    );
    for placement in [Placement::Cluster, Placement::Group("x".into())] {
        assert_eq!(only(|fleet| lot(fleet).placement = placement), at_lot(codes::PLACEMENT, 160));
    }
    assert_eq!(only(|fleet| lot(fleet).tier = "tier.owned-h100".into()), at_lot(codes::TIER_NOT_SOLD, 170));
    assert_eq!(only(|fleet| lot(fleet).node.threads = Some(1)), at_lot(codes::THREADS, 180));
    assert_eq!(
        only(|fleet| pool(fleet).cluster = "target.slurm.hpc".into()),
        (codes::CLUSTER_KIND, span(2, 120))
    );
    assert_eq!(
        only(|fleet| pool(fleet).fabric = Some("fabric.ndr".into())),
        (codes::FABRIC_KIND, span(2, 130))
    );
    assert_eq!(only(|fleet| cloud(fleet).groups = GroupKind::Asg), (codes::GROUPS_KIND, span(3, 130)));
    assert_eq!(only(|fleet| cloud(fleet).user_data = Some("x".into())), (codes::USER_DATA, span(3, 110)));
}

#[test]
fn warnings() {
    let found = faults(|fleet| lot(fleet).idle_after = Some(Duration::from_seconds(300)));
    assert_eq!((found.len(), found[0].code, found[0].is_error()), (1, codes::IDLE_AFTER, false));
    let found = faults(|fleet| pool(fleet).cluster = "target.kubernetes.onprem".into());
    assert_eq!((found.len(), found[0].code, found[0].is_error()), (1, codes::NOBODY_SCALES, false));
    let found = faults(|fleet| {
        lot(fleet).tier = "tier.spot".into();
        lot(fleet).allocation = Allocation::PriceCapacity;
        lot(fleet).instance_types.push("ecs.gn7-c12g1.24xlarge".into());
    });
    assert_eq!((found.len(), found[0].code, found[0].is_error()), (1, codes::ALLOCATION_NEAREST, false));
}

#[test]
fn names_and_tags() {
    for (name, fits) in
        [("a".repeat(40), true), ("a".repeat(41), false), ("-a".into(), false), ("a.b".into(), false)]
    {
        let fleet = fleet();
        let mut layout: Layout = common::layout_by_hand(&fleet);
        layout.groups.get_mut(TARGET).unwrap()[0].name.clone_from(&name);
        let found = common::lower_with(&fleet, &layout).diagnostics;
        assert_eq!(found.iter().all(|fault| fault.code != codes::NAME), fits, "{name}");
    }
    let label = |key: &str, value: &str| {
        let (key, value) = (key.to_owned(), value.to_owned());
        move |fleet: &mut Fleet| {
            pool(fleet).meta.labels.insert(key, value);
        }
    };
    for (key, value) in [
        ("aliyun-x", "1"),
        ("poolwright:fleet", "x"),
        ("x", "https://a"),
        ("x", "acs:1"),
        (&*"k".repeat(129), ""),
    ] {
        assert_eq!(only(label(key, value)), (codes::TAGS, span(2, 110)), "{key}");
    }
    // Three of ours and the fleet's label.
    let many = |n: usize| {
        move |fleet: &mut Fleet| {
            pool(fleet).meta.labels = (0..n).map(|n| (n.to_string(), String::new())).collect()
        }
    };
    assert_eq!(faults(many(16)), []);
    assert_eq!(only(many(17)), (codes::TAGS, span(2, 110)));
}

#[test]
fn what_terraform_or_a_person_writes_differently_is_equal() {
    let mut wanted = body(|fleet| {
        lot(fleet).tier = "tier.spot".into();
        lot(fleet).max_price = money("$1/gpu/h");
    });
    let mut other = wanted.clone();
    let name = other.as_object_mut().unwrap().remove("node_pool_name").unwrap();
    other["name"] = name;
    other["labels"].as_array_mut().unwrap().reverse();
    other["spot_price_limit"][0]["price_limit"] = json!(8);
    other["scaling_config"]["max_size"] = json!("8");
    other["image_id"] = Value::Null;
    Alibaba.normalise(NODE_POOL, &mut wanted);
    Alibaba.normalise(NODE_POOL, &mut other);
    assert_eq!(wanted, other);
    other["scaling_config"]["max_size"] = json!(9);
    assert_ne!(wanted, other);
    assert_eq!(Alibaba.list_key(NODE_POOL, "/labels"), Some("key"));
    assert_eq!(Alibaba.list_key("Pod", "/labels"), None);
    let target = &fleet().targets[TARGET];
    assert!(Alibaba.immutable(target, NODE_POOL, "/cluster_id").is_some());
    assert_eq!(Alibaba.immutable(target, NODE_POOL, "/labels"), None);
}

proptest! {
    /// Whatever texts the fleet has, Terraform reads the same ones.
    #[test]
    fn whatever_is_lowered_comes_back(
        labels in prop::collection::btree_map("[a-z][ -~]{0,8}", "[ -~äß$%{}\"\\\\]{0,12}", 0..6),
        min in 0_u64..5, more in 0_u64..5,
    ) {
        let lowered = lower(|fleet| {
            pool(fleet).meta.labels = labels;
            lot(fleet).nodes = Range { min, max: Some(min + more) };
        });
        let refused = lowered.diagnostics.iter().any(Diagnostic::is_error);
        prop_assert_eq!(lowered.resources.len() == 1, !refused);
        let fleet = fleet();
        let files = Alibaba.to_files(&fleet.targets[TARGET], "acme", &lowered.resources);
        let (found, faults) = Alibaba.from_files(&fleet.targets[TARGET], &files);
        prop_assert_eq!(faults, []);
        prop_assert_eq!(found.len(), lowered.resources.len());
        for (wanted, found) in lowered.resources.iter().zip(found) {
            let mut body = wanted.body.clone();
            Alibaba.normalise(NODE_POOL, &mut body);
            prop_assert_eq!(&body, &found.body);
            let mut twice = found.body.clone();
            Alibaba.normalise(NODE_POOL, &mut twice);
            prop_assert_eq!(twice, found.body);
        }
    }

    #[test]
    fn any_text_is_an_object_or_a_fault(text in "[a-z \"{}=\\[\\]$\n]{0,60}") {
        let fleet = fleet();
        let file = poolwright_model::resource::File { path: "x.tf".into(), contents: text.into_bytes() };
        let (objects, faults) = Alibaba.from_files(&fleet.targets[TARGET], &[file]);
        prop_assert_eq!(objects.len() + faults.len(), 1);
    }
}
