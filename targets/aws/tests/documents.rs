//! Fields of documents, by table: purchase options, bid caps, sizes, fabrics, protection.

#[cfg(test)]
mod common;

use common::{cloud, efa, lot, lower, pool};
use poolwright_expression::quantity::{Money, Range};
use poolwright_model::fleet::{Allocation, Placement};
use poolwright_model::{Fleet, Resource};
use serde_json::{Value, json};

#[cfg(test)]
fn resources(change: impl FnOnce(&mut Fleet)) -> Vec<Resource> {
    let lowered = lower(|fleet| {
        change(fleet);
        pool(fleet).lots.truncate(1);
    });
    assert_eq!(lowered.diagnostics, []);
    lowered.resources
}

#[cfg(test)]
fn body(kind: &str, change: impl FnOnce(&mut Fleet)) -> Value {
    resources(change).into_iter().find(|resource| resource.kind == kind).unwrap().body
}

#[cfg(test)]
fn group(change: impl FnOnce(&mut Fleet)) -> Value {
    body("AutoScalingGroup", change)
}

#[cfg(test)]
fn tag<'a>(body: &'a Value, key: &str) -> Option<&'a Value> {
    body["Tags"].as_array().unwrap().iter().find(|tag| tag["Key"] == key)
}

#[test]
fn distribution_by_tier_and_allocation() {
    use Allocation::{Capacity, Preference, Price, PriceCapacity};
    for (tier, allocation, percentage, strategy) in [
        ("tier.spot", PriceCapacity, 0, json!({ "SpotAllocationStrategy": "price-capacity-optimized" })),
        ("tier.spot", Capacity, 0, json!({ "SpotAllocationStrategy": "capacity-optimized" })),
        ("tier.spot", Price, 0, json!({ "SpotAllocationStrategy": "lowest-price", "SpotInstancePools": 1 })),
        ("tier.spot", Preference, 0, json!({ "SpotAllocationStrategy": "capacity-optimized-prioritized" })),
        ("tier.on-demand", Preference, 100, json!({ "OnDemandAllocationStrategy": "prioritized" })),
        ("tier.on-demand", Price, 100, json!({ "OnDemandAllocationStrategy": "lowest-price" })),
    ] {
        let mut wanted = strategy;
        wanted["OnDemandBaseCapacity"] = json!(0);
        wanted["OnDemandPercentageAboveBaseCapacity"] = json!(percentage);
        let body = group(|fleet| {
            lot(fleet).tier = tier.into();
            lot(fleet).allocation = allocation;
        });
        assert_eq!(body["MixedInstancesPolicy"]["InstancesDistribution"], wanted, "{tier} {allocation:?}");
    }
}

#[test]
fn bid_caps_are_rounded_down_per_node_hour() {
    for (text, wanted) in [
        ("$12.50/node/h", "12.5000"),
        ("$1.60/gpu/h", "12.8000"),
        ("$0.333333/gpu/h", "2.6666"),
        ("$7300/node/month", "10.0000"),
        ("$0.0001/node/h", "0.0001"),
    ] {
        let body = group(|fleet| lot(fleet).max_price = Some(Money::parse(text).unwrap()));
        assert_eq!(body["MixedInstancesPolicy"]["InstancesDistribution"]["SpotMaxPrice"], wanted, "{text}");
    }
}

#[test]
fn sizes_and_who_owns_them() {
    let elastic = group(|_| {});
    assert_eq!(
        (&elastic["MinSize"], &elastic["MaxSize"], elastic.get("DesiredCapacity")),
        (&json!(0), &json!(12), None)
    );
    assert_eq!(elastic["NewInstancesProtectedFromScaleIn"], true);
    let fixed = group(|fleet| lot(fleet).nodes = Range::exactly(3));
    assert_eq!(
        (&fixed["MinSize"], &fixed["MaxSize"], &fixed["DesiredCapacity"]),
        (&json!(3), &json!(3), &json!(3))
    );
    assert_eq!(fixed["NewInstancesProtectedFromScaleIn"], false);
    // Nobody scales it, so nothing is said to an autoscaler.
    assert_eq!(tag(&fixed, "k8s.io/cluster-autoscaler/enabled"), None);
    assert!(tag(&fixed, "kubernetes.io/cluster/eks").is_some());
    let slurm = group(|fleet| pool(fleet).cluster = "target.slurm.hpc".into());
    assert_eq!(tag(&slurm, "k8s.io/cluster-autoscaler/enabled"), None);
    assert_eq!(tag(&slurm, "kubernetes.io/cluster/eks"), None);
    assert_eq!(slurm.get("DesiredCapacity"), None);
}

#[test]
fn a_group_has_its_zones_part_of_the_lot() {
    let fleet = common::fleet();
    let mut layout = common::layout_by_hand(&fleet);
    layout.groups.get_mut(common::TARGET).unwrap()[0].nodes = Range::exactly(2);
    let lowered = common::lower_with(&fleet, &layout);
    let group = &lowered.resources[0];
    assert_eq!((&group.body["MinSize"], &group.body["DesiredCapacity"]), (&json!(2), &json!(2)));
    assert!(group.ownership.is_empty());
}

#[test]
fn overrides_by_preference_and_facts_per_lot() {
    let body = group(|fleet| lot(fleet).instance_types = vec!["p4de.24xlarge".into(), "p4d.24xlarge".into()]);
    assert_eq!(
        body["MixedInstancesPolicy"]["LaunchTemplate"]["Overrides"],
        json!([{ "InstanceType": "p4de.24xlarge" }, { "InstanceType": "p4d.24xlarge" }])
    );
    let lowered = lower(|fleet| {
        pool(fleet).lots[1].instance_types = vec!["p5.48xlarge".into()];
        pool(fleet).lots[1].node.gpus = 4;
        pool(fleet).lots[1].idle_after = None;
    });
    let second = lowered
        .resources
        .iter()
        .find(|one| one.address.ends_with("AutoScalingGroup/aws-a100-spot--az4"))
        .unwrap();
    let key = "k8s.io/cluster-autoscaler/node-template/resources/nvidia.com/gpu";
    assert_eq!(tag(&second.body, key).unwrap()["Value"], "4");
    assert_eq!(second.body["VPCZoneIdentifier"], "subnet-0aaa4444");
    let idle = "k8s.io/cluster-autoscaler/node-template/autoscaling-options/scaledownunneededtime";
    assert_eq!(tag(&second.body, idle), None);
}

#[test]
fn an_efa_fabric() {
    let resources = resources(|fleet| efa(fleet, 4));
    let kinds: Vec<_> = resources.iter().map(|resource| resource.address.as_str()).collect();
    assert_eq!(
        kinds,
        [
            "aws.use1/autoscaling/AutoScalingGroup/aws-a100-spot--az2",
            "aws.use1/ec2/LaunchTemplate/aws-a100-spot--az2",
            "aws.use1/ec2/PlacementGroup/aws-a100-spot--az2",
        ]
    );
    let (group, template, placement) = (&resources[0], &resources[1].body, &resources[2].body);
    assert_eq!(group.depends_on.len(), 2);
    assert_eq!(group.body["PlacementGroup"], "aws-a100-spot--az2");
    assert_eq!(placement["Strategy"], "cluster");
    let efa = "k8s.io/cluster-autoscaler/node-template/resources/vpc.amazonaws.com/efa";
    assert_eq!(tag(&group.body, efa).unwrap()["Value"], "4");
    let data = &template["LaunchTemplateData"];
    assert_eq!(data.get("SecurityGroupIds"), None);
    let interfaces: Vec<_> = data["NetworkInterfaces"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            assert_eq!(one["Groups"], json!(["sg-0aaa1111"]));
            assert_eq!(one.get("AssociatePublicIpAddress"), None);
            (
                one["NetworkCardIndex"].as_u64(),
                one["DeviceIndex"].as_u64(),
                one["InterfaceType"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        interfaces,
        [
            (Some(0), Some(0), "efa"),
            (Some(1), Some(1), "efa-only"),
            (Some(2), Some(1), "efa-only"),
            (Some(3), Some(1), "efa-only"),
        ]
    );
}

#[test]
fn the_first_card_of_p6_b300_has_no_efa() {
    let template = body("LaunchTemplate", |fleet| {
        efa(fleet, 16);
        lot(fleet).instance_types = vec!["p6-b300.48xlarge".into()];
    });
    let interfaces = template["LaunchTemplateData"]["NetworkInterfaces"].as_array().unwrap();
    assert_eq!(interfaces.len(), 17);
    assert_eq!(interfaces[0]["InterfaceType"], "interface");
    assert!(interfaces[1..].iter().all(|one| one["InterfaceType"] == "efa-only" && one["DeviceIndex"] == 1));
}

#[test]
fn placement_protection_and_threads() {
    let named = resources(|fleet| lot(fleet).placement = Placement::Group("theirs".into()));
    assert_eq!(named.len(), 2);
    assert_eq!(named[0].body["PlacementGroup"], "theirs");
    let protected = resources(|fleet| pool(fleet).meta.protect = true);
    assert!(protected.iter().all(|resource| resource.protected));
    assert_eq!(protected[0].body["DeletionProtection"], "prevent-all-deletion");
    let threads = body("LaunchTemplate", |fleet| {
        let node = &mut lot(fleet).node;
        (node.sockets, node.cores, node.threads) = (Some(2), Some(24), Some(1));
    });
    assert_eq!(threads["LaunchTemplateData"]["CpuOptions"], json!({ "CoreCount": 48, "ThreadsPerCore": 1 }));
}

#[test]
fn user_data_sees_the_group() {
    use base64::Engine as _;
    let text = "{{ pool }}/{{ lot }}/{{ cluster_id }}/{{ node_labels['gpu-type'] }}/{{ taints | join(sep=\",\") }}/{{ '<' }}";
    let template = body("LaunchTemplate", |fleet| cloud(fleet).user_data_template = Some(text.into()));
    let encoded = template["LaunchTemplateData"]["UserData"].as_str().unwrap();
    let decoded = base64::engine::general_purpose::STANDARD.decode(encoded).unwrap();
    assert_eq!(
        String::from_utf8(decoded).unwrap(),
        "aws-a100-spot/az2/eks/nvidia-a100/eks.amazonaws.com/capacityType=SPOT:NoSchedule/<"
    );
}

#[test]
fn an_equal_fleet_gives_equal_bytes_and_a_changed_one_another_digest() {
    let digest = |body: &Value| tag(body, "poolwright:spec").unwrap()["Value"].clone();
    let (first, second) = (group(|_| {}), group(|_| {}));
    assert_eq!(first, second);
    let changed = group(|fleet| lot(fleet).nodes = Range { min: 0, max: Some(13) });
    assert_ne!(digest(&first), digest(&changed));
}
