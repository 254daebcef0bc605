//! The form in which two equal documents are equal.
//!
//! AWS answers with its own defaults written out, with tags that name their resource, and with some numbers as text;
//! people write files by hand. Defaults: Auto Scaling API 2011-01-01, EC2 API 2016-11-15.

use poolwright_expression::Number;
use serde_json::{Map, Value, json};

use crate::Kind;

/// Brings a body to its normal form. Applying it again changes nothing.
pub(crate) fn normalise(kind: &str, body: &mut Value) {
    let Some(kind) = Kind::parse(kind) else { return };
    let Value::Object(map) = body else { return };
    map.retain(|_, value| !value.is_null());
    match kind {
        Kind::AutoScalingGroup => scaling_group(map),
        Kind::LaunchTemplate => launch_template(map),
        Kind::PlacementGroup => tag_specifications(map),
    }
}

fn scaling_group(map: &mut Map<String, Value>) {
    // An answer of the API, not a document of ours: it says more than anybody asks for.
    if map.remove("AutoScalingGroupARN").is_some() {
        for added in ["CreatedTime", "Instances", "Status", "AvailabilityZones", "AvailabilityZoneIds"] {
            map.remove(added);
        }
        // Set by another call, if at all; 300 s is what some answer for a grace period that nobody set.
        map.remove("SuspendedProcesses");
        remove_default(map, "HealthCheckGracePeriod", &json!(300));
        let role = map.get("ServiceLinkedRoleARN").and_then(Value::as_str).unwrap_or_default();
        if role.ends_with("/AWSServiceRoleForAutoScaling") {
            map.remove("ServiceLinkedRoleARN");
        }
    }
    for (key, default) in [
        ("DefaultCooldown", json!(300)),
        ("DeletionProtection", json!("none")),
        ("EnabledMetrics", json!([])),
        ("HealthCheckGracePeriod", json!(0)),
        ("HealthCheckType", json!("EC2")),
        ("LoadBalancerNames", json!([])),
        ("TargetGroupARNs", json!([])),
        ("TerminationPolicies", json!(["Default"])),
        ("TrafficSources", json!([])),
    ] {
        remove_default(map, key, &default);
    }
    for key in ["CapacityRebalance", "NewInstancesProtectedFromScaleIn"] {
        map.entry(key).or_insert(json!(false));
    }
    for key in ["MinSize", "MaxSize", "DesiredCapacity"] {
        integer(map, key);
    }
    if let Some(Value::String(subnets)) = map.get_mut("VPCZoneIdentifier") {
        let mut each: Vec<&str> =
            subnets.split(',').map(str::trim).filter(|subnet| !subnet.is_empty()).collect();
        each.sort_unstable();
        each.dedup();
        *subnets = each.join(",");
    }
    if let Some(policy) = map.get_mut("MixedInstancesPolicy") {
        mixed_instances(policy);
    }
    if let Some(tags) = map.get_mut("Tags") {
        sort_tags(tags, true);
    }
}

fn remove_default(map: &mut Map<String, Value>, key: &str, default: &Value) {
    if map.get(key) == Some(default) {
        map.remove(key);
    }
}

fn mixed_instances(policy: &mut Value) {
    if let Some(Value::Object(distribution)) = policy.get_mut("InstancesDistribution") {
        distribution.retain(|_, value| !value.is_null());
        for key in ["OnDemandBaseCapacity", "OnDemandPercentageAboveBaseCapacity", "SpotInstancePools"] {
            integer(distribution, key);
        }
        for (key, default) in [
            ("OnDemandAllocationStrategy", json!("prioritized")),
            ("OnDemandBaseCapacity", json!(0)),
            ("OnDemandPercentageAboveBaseCapacity", json!(100)),
            ("SpotAllocationStrategy", json!("lowest-price")),
        ] {
            distribution.entry(key).or_insert(default);
        }
        if distribution.get("SpotAllocationStrategy").and_then(Value::as_str) == Some("lowest-price") {
            distribution.entry("SpotInstancePools").or_insert(json!(2));
        }
        match distribution.get_mut("SpotMaxPrice") {
            // AWS spells "no cap" as an empty text.
            Some(Value::String(price)) if price.is_empty() => {
                distribution.remove("SpotMaxPrice");
            }
            Some(Value::String(price)) => {
                if let Some(exact) = Number::parse(price).ok().and_then(|price| price.to_exact_decimal()) {
                    *price = exact;
                }
            }
            _ => {}
        }
    }
    if let Some(Value::Object(specification)) =
        policy.pointer_mut("/LaunchTemplate/LaunchTemplateSpecification")
    {
        // AWS adds the id to the name by which the group was made.
        if specification.contains_key("LaunchTemplateName") {
            specification.remove("LaunchTemplateId");
        }
        specification.entry("Version").or_insert(json!("$Default"));
    }
    if let Some(Value::Array(overrides)) = policy.pointer_mut("/LaunchTemplate/Overrides") {
        // Their order is preference and stays. The weight is a number that the API has as text.
        for weight in overrides.iter_mut().filter_map(|one| one.get_mut("WeightedCapacity")) {
            if let Value::Number(number) = weight {
                *weight = Value::String(number.to_string());
            }
        }
    }
}

fn launch_template(map: &mut Map<String, Value>) {
    // Not part of what is asked for: a token for one call, and the digest of the data beside it.
    map.remove("ClientToken");
    map.remove("VersionDescription");
    tag_specifications(map);
    let Some(Value::Object(data)) = map.get_mut("LaunchTemplateData") else { return };
    data.retain(|_, value| !value.is_null());
    tag_specifications(data);
    // The template's own tags, which moto answers here too; EC2 takes no such entry in the data.
    if let Some(Value::Array(specifications)) = data.get_mut("TagSpecifications") {
        specifications.retain(|one| text_of(one, "ResourceType") != "launch-template");
    }
    if let Some(Value::Array(groups)) = data.get_mut("SecurityGroupIds") {
        sort_texts(groups);
    }
    if let Some(Value::Object(options)) = data.get_mut("MetadataOptions") {
        options.remove("State");
        options.entry("HttpEndpoint").or_insert(json!("enabled"));
        integer(options, "HttpPutResponseHopLimit");
    }
    if let Some(Value::Array(interfaces)) = data.get_mut("NetworkInterfaces") {
        for interface in interfaces.iter_mut() {
            if let Value::Object(interface) = interface {
                for key in ["DeviceIndex", "NetworkCardIndex"] {
                    integer(interface, key);
                    interface.entry(key).or_insert(json!(0));
                }
                if let Some(Value::Array(groups)) = interface.get_mut("Groups") {
                    sort_texts(groups);
                }
            }
        }
        interfaces.sort_by_key(|one| {
            let index = |key| one.get(key).and_then(Value::as_u64).unwrap_or_default();
            (index("NetworkCardIndex"), index("DeviceIndex"))
        });
    }
}

fn tag_specifications(map: &mut Map<String, Value>) {
    let Some(Value::Array(specifications)) = map.get_mut("TagSpecifications") else { return };
    for tags in specifications.iter_mut().filter_map(|one| one.get_mut("Tags")) {
        sort_tags(tags, false);
    }
    specifications.sort_by_key(|one| text_of(one, "ResourceType"));
}

fn sort_tags(tags: &mut Value, propagate: bool) {
    let Value::Array(tags) = tags else { return };
    tags.retain(|tag| !text_of(tag, "Key").starts_with("aws:"));
    for tag in tags.iter_mut() {
        if let Value::Object(tag) = tag {
            tag.remove("ResourceId");
            tag.remove("ResourceType");
            tag.entry("Value").or_insert(json!(""));
            if propagate {
                tag.entry("PropagateAtLaunch").or_insert(json!(false));
            }
        }
    }
    tags.sort_by_key(|tag| text_of(tag, "Key"));
}

fn sort_texts(texts: &mut [Value]) {
    texts.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
}

fn text_of(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// A whole number that somebody wrote as text.
fn integer(map: &mut Map<String, Value>, key: &str) {
    if let Some(value) = map.get_mut(key)
        && let Some(number) = value.as_str().and_then(|text| text.trim().parse::<u64>().ok())
    {
        *value = json!(number);
    }
}

/// What tells the elements of a list apart.
pub(crate) fn list_key(kind: Kind, pointer: &str) -> Option<&'static str> {
    match (kind, pointer) {
        (Kind::AutoScalingGroup, "/Tags")
        | (_, "/TagSpecifications/*/Tags" | "/LaunchTemplateData/TagSpecifications/*/Tags") => Some("Key"),
        (Kind::AutoScalingGroup, "/MixedInstancesPolicy/LaunchTemplate/Overrides") => Some("InstanceType"),
        (_, "/TagSpecifications" | "/LaunchTemplateData/TagSpecifications") => Some("ResourceType"),
        (Kind::LaunchTemplate, "/LaunchTemplateData/NetworkInterfaces") => Some("NetworkCardIndex"),
        _ => None,
    }
}

/// Fields that no call changes.
pub(crate) fn immutable(kind: Kind, pointer: &str) -> Option<String> {
    let why = match (kind, pointer) {
        (Kind::AutoScalingGroup, "/AutoScalingGroupName") => "is the identity of an Auto Scaling group",
        (Kind::LaunchTemplate, "/LaunchTemplateName") => "is the identity of a launch template",
        (Kind::PlacementGroup, "/GroupName") => "is the identity of a placement group",
        (Kind::PlacementGroup, "/Strategy") => {
            "cannot be changed: EC2 has no call that modifies a placement group"
        }
        _ => return None,
    };
    Some(why.to_owned())
}
