//! Laws of the normal form: what AWS or a person writes differently is equal, and nothing is lost on the way.

#[cfg(test)]
mod common;

use common::{TARGET, fleet, lot, lower, pool};
use poolwright_target::Target as _;
use poolwright_target_aws::{Aws, Kind};
use proptest::prelude::*;
use serde_json::{Value, json};

#[test]
fn what_the_api_answers_is_what_was_asked_for() {
    let lowered = lower(|_| {});
    let wanted = &lowered.resources[0];
    let mut answered = wanted.body.clone();
    answered["AutoScalingGroupARN"] = json!("arn:aws:autoscaling:…");
    answered["Instances"] = json!([]);
    answered["MinSize"] = json!("0");
    answered["PlacementGroup"] = Value::Null;
    answered["DeletionProtection"] = json!("none");
    let policy = &mut answered["MixedInstancesPolicy"];
    policy["InstancesDistribution"]["OnDemandAllocationStrategy"] = json!("prioritized");
    policy["InstancesDistribution"]["SpotMaxPrice"] = json!("");
    policy["LaunchTemplate"]["LaunchTemplateSpecification"]["LaunchTemplateId"] = json!("lt-1");
    let tags = answered["Tags"].as_array_mut().unwrap();
    tags.reverse();
    for tag in tags.iter_mut() {
        tag["ResourceId"] = json!("aws-a100-spot--az2");
        tag["ResourceType"] = json!("auto-scaling-group");
    }
    tags.push(json!({ "Key": "aws:cloudformation:stack-id", "Value": "x", "PropagateAtLaunch": false }));
    let mut body = wanted.body.clone();
    Aws.normalise("AutoScalingGroup", &mut body);
    Aws.normalise("AutoScalingGroup", &mut answered);
    assert_eq!(body, answered);
}

/// Recorded: the quickstart's first group and template, created and described by moto 5.2.5 through boto3.
#[test]
fn what_moto_answers_is_what_was_asked_for() {
    let mut asked: Value = serde_json::from_str(include_str!("data/moto-5.2.5/group-asked.json")).unwrap();
    let mut answered: Value =
        serde_json::from_str(include_str!("data/moto-5.2.5/group-answered.json")).unwrap();
    Aws.normalise("AutoScalingGroup", &mut asked);
    Aws.normalise("AutoScalingGroup", &mut answered);
    // The autoscaler's, left to it by the ownership rules.
    assert_eq!(answered.as_object_mut().unwrap().remove("DesiredCapacity"), Some(json!(0)));
    assert_eq!(asked, answered);

    let mut asked: Value = serde_json::from_str(include_str!("data/moto-5.2.5/template-asked.json")).unwrap();
    let mut answered = asked.clone();
    answered["LaunchTemplateData"] =
        serde_json::from_str(include_str!("data/moto-5.2.5/template-data-answered.json")).unwrap();
    assert_ne!(asked, answered);
    Aws.normalise("LaunchTemplate", &mut asked);
    Aws.normalise("LaunchTemplate", &mut answered);
    assert_eq!(asked, answered);
}

#[test]
fn a_real_difference_stays() {
    for (pointer, value) in [
        ("/MaxSize", json!(13)),
        ("/VPCZoneIdentifier", json!("subnet-1")),
        ("/MixedInstancesPolicy/InstancesDistribution/OnDemandPercentageAboveBaseCapacity", json!(100)),
        ("/MixedInstancesPolicy/LaunchTemplate/Overrides", json!([{ "InstanceType": "p5.48xlarge" }])),
        ("/Tags/0/Value", json!("other")),
        ("/Tags/0/PropagateAtLaunch", json!(true)),
        ("/NewInstancesProtectedFromScaleIn", json!(false)),
    ] {
        let lowered = lower(|_| {});
        let mut body = lowered.resources[0].body.clone();
        let mut changed = body.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        Aws.normalise("AutoScalingGroup", &mut body);
        Aws.normalise("AutoScalingGroup", &mut changed);
        assert_ne!(body, changed, "{pointer}");
    }
}

#[test]
fn keys_of_lists_and_fields_that_never_change() {
    let target = &fleet().targets[TARGET];
    assert_eq!(Aws.list_key("AutoScalingGroup", "/Tags"), Some("Key"));
    let overrides = "/MixedInstancesPolicy/LaunchTemplate/Overrides";
    assert_eq!(Aws.list_key("AutoScalingGroup", overrides), Some("InstanceType"));
    assert_eq!(Aws.list_key("LaunchTemplate", "/TagSpecifications/*/Tags"), Some("Key"));
    assert_eq!(Aws.list_key("LaunchTemplate", "/Tags"), None);
    assert_eq!(Aws.list_key("Pod", "/Tags"), None);
    for kind in Kind::ALL {
        let pointer = format!("/{}", kind.name_field());
        assert!(Aws.immutable(target, kind.as_str(), &pointer).is_some());
        assert_eq!(Aws.immutable(target, kind.as_str(), "/MaxSize"), None);
    }
}

/// Any JSON, with the keys that the normal form looks at among its keys.
#[cfg(test)]
fn any_json() -> impl Strategy<Value = Value> {
    let key = prop::sample::select(vec![
        "Tags",
        "Key",
        "Value",
        "MinSize",
        "TagSpecifications",
        "LaunchTemplateData",
        "MixedInstancesPolicy",
        "InstancesDistribution",
        "SpotMaxPrice",
        "LaunchTemplate",
        "Overrides",
        "WeightedCapacity",
        "NetworkInterfaces",
        "NetworkCardIndex",
        "Groups",
        "VPCZoneIdentifier",
        "DeletionProtection",
        "other",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z0-9.,]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key.clone().prop_map(str::to_owned), inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn normalising_twice_is_normalising_once(body in any_json(), at in 0_usize..3) {
        let kind = Kind::ALL[at].as_str();
        let mut once = body;
        Aws.normalise(kind, &mut once);
        let mut twice = once.clone();
        Aws.normalise(kind, &mut twice);
        prop_assert_eq!(once, twice);
    }

    #[test]
    fn any_bytes_are_objects_or_faults(bytes in prop::collection::vec(any::<u8>(), 0..60), at in 0_usize..3) {
        let fleet = fleet();
        let file = poolwright_model::resource::File {
            path: format!("{}/x.json", Kind::ALL[at].folder()),
            contents: bytes,
        };
        let (objects, faults) = Aws.from_files(&fleet.targets[TARGET], &[file]);
        prop_assert_eq!(objects.len() + faults.len(), 1);
    }

    #[test]
    fn whatever_is_lowered_comes_back(
        labels in prop::collection::btree_map("[a-z][a-z0-9-]{0,8}", "[ -~äß]{0,20}", 0..6),
        min in 0_u64..5, more in 0_u64..5, gpus in 0_u32..9,
    ) {
        let lowered = lower(|fleet| {
            pool(fleet).meta.labels = labels;
            lot(fleet).nodes = poolwright_expression::quantity::Range { min, max: Some(min + more) };
            lot(fleet).node.gpus = gpus;
        });
        let refused = lowered.diagnostics.iter().any(poolwright_diagnostics::Diagnostic::is_error);
        prop_assert_eq!(lowered.resources.len() == 4, !refused);
        let fleet = fleet();
        let files = Aws.to_files(&fleet.targets[TARGET], "acme", &lowered.resources);
        prop_assert_eq!(files.len(), lowered.resources.len());
        let (found, faults) = Aws.from_files(&fleet.targets[TARGET], &files);
        prop_assert_eq!(faults, []);
        for (wanted, found) in lowered.resources.iter().zip(found) {
            let mut body = wanted.body.clone();
            Aws.normalise(&wanted.kind, &mut body);
            prop_assert_eq!(&wanted.address, &found.address);
            prop_assert_eq!(body, found.body);
        }
    }
}
