//! The Auto Scaling group of a node group, and its cluster placement group.
//!
//! Always a mixed instances policy, also for one type: a second type is then a change in place. Rules: Auto Scaling
//! API 2011-01-01, `CreateAutoScalingGroup`, `InstancesDistribution`.

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::quantity::{Currency, Money, PerTime, PerUnit};
use poolwright_model::fleet::{Allocation, Placement, TierKind};
use poolwright_model::resource::object;
use serde_json::{Value, json};

use crate::group::{Group, SizeOwner};
use crate::launch_template::{Draft, put, specification};
use crate::tags::Tags;
use crate::{Kind, codes};

/// Instance types of one group at most.
const MOST_TYPES: usize = 40;
const MOST_NAME: usize = 255;

/// The group, or nothing when diagnostics say why not.
pub(crate) fn draft(group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Draft> {
    let before = diagnostics.len();
    check_name(group, diagnostics);
    check_types(group, diagnostics);
    let subnets = subnets(group, diagnostics);
    let placement = placement(group, diagnostics);
    let distribution = distribution(group, diagnostics);
    let most = most(group, diagnostics);
    let owner = size_owner(group, diagnostics);
    let mut tags = Tags::scaling_group(group);
    tags.check(group, diagnostics);
    if diagnostics.iter().skip(before).any(Diagnostic::is_error) {
        return None;
    }

    let overrides: Value =
        group.lot.instance_types.iter().map(|name| object([("InstanceType", json!(name))])).collect();
    let specification = json!({ "LaunchTemplateName": group.name(), "Version": "$Latest" });
    let template = object([("LaunchTemplateSpecification", specification), ("Overrides", overrides)]);
    let policy = object([("InstancesDistribution", distribution), ("LaunchTemplate", template)]);
    let mut body = object([
        ("AutoScalingGroupName", json!(group.name())),
        // A rebalance recommendation is a risk, not an interruption: acting on it would end running jobs, and in a
        // placement group there may be no room for the second instance.
        ("CapacityRebalance", json!(false)),
        ("MaxSize", json!(most?)),
        ("MinSize", json!(group.layout.nodes.min)),
        ("MixedInstancesPolicy", policy),
        // Whoever owns the size names the instance that goes; AWS choosing one would end somebody's job.
        ("NewInstancesProtectedFromScaleIn", json!(owner != SizeOwner::Poolwright)),
        ("VPCZoneIdentifier", json!(subnets.join(","))),
    ]);
    if owner == SizeOwner::Poolwright {
        put(&mut body, "DesiredCapacity", json!(group.layout.nodes.min));
    }
    if let Some(name) = placement {
        put(&mut body, "PlacementGroup", json!(name));
    }
    if group.pool.meta.protect || group.lot.meta.protect {
        put(&mut body, "DeletionProtection", json!("prevent-all-deletion"));
    }
    tags.sign(&body);
    put(&mut body, "Tags", tags.propagated());

    let origins = vec![
        ("/AutoScalingGroupName", group.lot.meta.origin.header),
        ("/DesiredCapacity", group.span("nodes")),
        ("/MaxSize", group.span("nodes")),
        ("/MinSize", group.span("nodes")),
        ("/MixedInstancesPolicy/InstancesDistribution", group.span("tier")),
        ("/MixedInstancesPolicy/InstancesDistribution/OnDemandAllocationStrategy", group.span("allocation")),
        ("/MixedInstancesPolicy/InstancesDistribution/SpotAllocationStrategy", group.span("allocation")),
        ("/MixedInstancesPolicy/InstancesDistribution/SpotMaxPrice", group.span("max_price")),
        ("/MixedInstancesPolicy/LaunchTemplate/Overrides", group.span("instance_types")),
        ("/PlacementGroup", group.span("placement")),
        ("/Tags", group.pool.meta.origin.header),
        ("/VPCZoneIdentifier", group.span("zones")),
    ];
    Some(Draft { body, origins })
}

/// The cluster placement group that the lot asks for, of the group's own name.
pub(crate) fn placement_group(group: &Group<'_>) -> Option<Draft> {
    if group.lot.placement != Placement::Cluster {
        return None;
    }
    let mut body = json!({ "GroupName": group.name(), "Strategy": "cluster" });
    let mut tags = Tags::owned(group, Kind::PlacementGroup, group.name());
    tags.sign(&body);
    put(&mut body, "TagSpecifications", Value::Array(vec![specification("placement-group", tags.plain())]));
    Some(Draft { body, origins: vec![("/Strategy", group.span("placement"))] })
}

/// How a group over several zones is kept from ending jobs; a create document cannot say it.
pub(crate) fn rebalance_remark(group: &Group<'_>) -> Option<String> {
    (group.layout.zones.len() > 1).then(|| {
        format!(
            "over {} zones: after creation run `aws autoscaling suspend-processes --auto-scaling-group-name {} \
             --scaling-processes AZRebalance`",
            group.layout.zones.len(),
            group.name()
        )
    })
}

fn subnets<'a>(group: &Group<'a>, diagnostics: &mut Vec<Diagnostic>) -> Vec<&'a str> {
    let at = group.span("zones");
    let mut subnets = Vec::new();
    for zone in &group.layout.zones {
        if let Some(subnet) = group.cloud.zones.get(zone) {
            subnets.push(subnet.as_str());
            continue;
        }
        let known: Vec<&str> = group.cloud.zones.keys().map(String::as_str).collect();
        let target = group.target();
        let mut fault =
            Diagnostic::error(codes::UNKNOWN_ZONE, format!("`{}` has no zone \"{zone}\"", target.short()))
                .at(at, format!("zones of the target: {}", known.join(", ")))
                .also(target.meta.origin.of("zones"), "zones and their subnets");
        fault = match poolwright_diagnostics::suggestion_help("zone", zone, known) {
            Some(help) => fault.with_help(help),
            None => fault.with_help(
                "AWS zones are written by id (\"use1-az2\"): names differ from account to account",
            ),
        };
        diagnostics.push(fault);
    }
    if group.layout.zones.is_empty() {
        diagnostics.push(
            Diagnostic::error(codes::NO_ZONE, format!("`{}` has no zone to launch in", group.name()))
                .at(at, "")
                .with_help("write `zones` in the lot, its pool or its target"),
        );
    }
    if let (true, Some(remark)) = (group.layout.zones.len() > 1, rebalance_remark(group)) {
        diagnostics.push(
            Diagnostic::note(codes::ZONE_REBALANCE, format!("`{}` is {remark}", group.name()))
                .at(at, "")
                .with_note("AWS evens out zones by ending instances, whatever runs on them")
                .with_help("or give each zone a lot of its own"),
        );
    }
    subnets
}

fn placement<'a>(group: &Group<'a>, diagnostics: &mut Vec<Diagnostic>) -> Option<&'a str> {
    match &group.lot.placement {
        Placement::None => None,
        Placement::Group(name) => Some(name),
        Placement::Cluster => {
            if group.layout.zones.len() > 1 {
                let zones = group.layout.zones.join(", ");
                diagnostics.push(
                    Diagnostic::error(
                        codes::PLACEMENT_ZONES,
                        format!("the placement group of `{}` would span the zones {zones}", group.name()),
                    )
                    .at(group.span("placement"), "a cluster placement group lives in one zone")
                    .also(group.span("zones"), "")
                    .with_help("give each zone a lot of its own, or write `placement = \"none\"`"),
                );
            }
            Some(group.name())
        }
    }
}

/// Purchase option and strategy. Percentages are always written: the API's default, 100, means no spot at all.
fn distribution(group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) -> Value {
    let spot = group.tier.kind == TierKind::Spot;
    if matches!(group.tier.kind, TierKind::Owned | TierKind::Edge) {
        let message =
            format!("`{}` is {} capacity, AWS sells none", group.tier.meta.address, group.tier.kind.as_str());
        diagnostics.push(
            Diagnostic::error(codes::TIER_NOT_SOLD, message)
                .at(group.span("tier"), "on-demand, reserved or spot on a cloud")
                .also(group.tier.meta.origin.of("kind"), "")
                .with_help("name a tier of another kind, or leave out `provision` if the nodes exist"),
        );
    }
    let mut distribution = json!({
        "OnDemandBaseCapacity": 0,
        "OnDemandPercentageAboveBaseCapacity": if spot { 0 } else { 100 },
    });
    if spot {
        let strategy = match group.lot.allocation {
            Allocation::Preference => "capacity-optimized-prioritized",
            Allocation::Price => "lowest-price",
            Allocation::Capacity => "capacity-optimized",
            Allocation::PriceCapacity => "price-capacity-optimized",
        };
        put(&mut distribution, "SpotAllocationStrategy", json!(strategy));
        if group.lot.allocation == Allocation::Price {
            // The cheapest, not the API's two cheapest.
            put(&mut distribution, "SpotInstancePools", json!(1));
        }
        if let Some(price) = max_price(group, diagnostics) {
            put(&mut distribution, "SpotMaxPrice", json!(price));
        }
        return distribution;
    }
    if group.lot.max_price.is_some() {
        let message = format!(
            "`{}` is {}: only spot takes a bid cap",
            group.lot.meta.address,
            group.tier.kind.as_str()
        );
        diagnostics.push(
            Diagnostic::error(codes::MAX_PRICE_TIER, message)
                .at(group.span("max_price"), "")
                .also(group.span("tier"), "how it is bought")
                .with_help("remove `max_price`, or cap a route's step with the step's own `max_price`"),
        );
    }
    let strategy = match group.lot.allocation {
        Allocation::Preference => "prioritized",
        Allocation::Price => "lowest-price",
        Allocation::Capacity | Allocation::PriceCapacity => {
            let message = format!(
                "`{}` is {}: it cannot be allocated by capacity",
                group.lot.meta.address,
                group.tier.kind.as_str()
            );
            diagnostics.push(
                Diagnostic::error(codes::ALLOCATION_TIER, message)
                    .at(group.span("allocation"), "only for spot")
                    .with_help("write `allocation = \"preference\"` or `\"price\"`"),
            );
            return distribution;
        }
    };
    put(&mut distribution, "OnDemandAllocationStrategy", json!(strategy));
    distribution
}

/// US dollars per node-hour, 4 decimals, rounded down: a cap is never raised (LANGUAGE §3.8).
fn max_price(group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<String> {
    let price = group.lot.max_price.as_ref()?;
    let decimals =
        node_hour(price, group.lot.node.gpus).map(|amount| amount.round_down(4).to_decimal_string(4));
    let why = match decimals {
        Some(text)
            if price.currency == Currency::USD
                && text.chars().any(|c| matches!(c, '1'..='9'))
                && !text.starts_with('-') =>
        {
            return Some(text);
        }
        Some(_) if price.currency != Currency::USD => "AWS takes bids in US dollars only",
        Some(_) => "AWS takes bids from $0.0001 a node-hour",
        None => "it is neither per node and time nor per GPU and time of a node with GPUs",
    };
    diagnostics.push(
        Diagnostic::error(
            codes::MAX_PRICE_UNIT,
            format!("`max_price` of `{}` is {price}: {why}", group.lot.meta.address),
        )
        .at(group.span("max_price"), why)
        .with_help("write it like \"$12.50/node/h\" or \"$1.60/gpu/h\""),
    );
    None
}

fn node_hour(price: &Money, gpus: u32) -> Option<poolwright_expression::Number> {
    let hourly = price.to_time(PerTime::Hour)?.amount;
    match price.per {
        Some(PerUnit::Node) => Some(hourly),
        Some(PerUnit::Gpu) if gpus > 0 => hourly.checked_mul(&u64::from(gpus).into()).ok(),
        _ => None,
    }
}

fn most(group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<u64> {
    if group.layout.nodes.max.is_none() {
        diagnostics.push(
            Diagnostic::error(codes::OPEN_RANGE, format!("`{}` has no upper size", group.lot.meta.address))
                .at(group.span("nodes"), format!("{} is open at the top", group.layout.nodes))
                .with_help("write both ends: \"0..16\""),
        );
    }
    group.layout.nodes.max
}

fn size_owner(group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) -> SizeOwner {
    let owner = group.size_owner();
    if owner == SizeOwner::External {
        let message = format!(
            "`{}` may have {} nodes, and nothing in its cluster changes their number",
            group.lot.meta.address, group.layout.nodes
        );
        let mut fault =
            Diagnostic::warning(codes::NOBODY_SCALES, message).at(group.span("nodes"), "stays at its least");
        if let Some(cluster) = group.cluster() {
            fault = fault.also(cluster.meta.origin.header, "has no `cluster_autoscaler`");
        }
        diagnostics.push(
            fault.with_help("add `cluster_autoscaler` to the cluster's target, or fix the number of nodes"),
        );
    }
    owner
}

/// Auto Scaling API: 1 to 255 printable ASCII characters without a colon.
fn check_name(group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let name = group.name();
    let fits = (1..=MOST_NAME).contains(&name.len());
    if fits && name.chars().all(|c| (' '..='~').contains(&c) && c != ':') {
        return;
    }
    diagnostics.push(
        Diagnostic::error(codes::NAME, format!("\"{name}\" cannot name an Auto Scaling group"))
            .at(group.span("name"), "the group is named after its pool and lot")
            .with_help("group names have 1 to 255 printable ASCII characters and no colon"),
    );
}

fn check_types(group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let types = group.lot.instance_types.len();
    if (1..=MOST_TYPES).contains(&types) {
        return;
    }
    let message = if types == 0 {
        format!("`{}` has no instance type", group.lot.meta.address)
    } else {
        format!("`{}` has {types} instance types, a group takes {MOST_TYPES}", group.lot.meta.address)
    };
    diagnostics.push(
        Diagnostic::error(codes::INSTANCE_TYPES, message)
            .at(group.span("instance_types"), "")
            .with_help("write `instance_types` by preference, all with the same accelerator and GPU count"),
    );
}
