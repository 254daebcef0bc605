//! The Auto Scaling group of a node group, and its cluster placement group.
//!
//! Always a mixed instances policy, also for one type: a second type is then a change in place. Rules: Auto Scaling
//! API 2011-01-01, `CreateAutoScalingGroup`, `InstancesDistribution`.

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::quantity::Currency;
use poolwright_model::fleet::{Allocation, Placement, TierKind};
use poolwright_model::resource::object;
use poolwright_target_cloud::{Bids, Draft, Group, SizeOwner};
use serde_json::{Value, json};

use crate::launch_template::{put, specification};
use crate::tags::Tags;
use crate::{Kind, codes};

/// Instance types of one group at most.
const MOST_TYPES: usize = 40;
const MOST_NAME: usize = 255;
/// Bids that EC2 takes.
const BIDS: Bids = Bids {
    code: codes::MAX_PRICE_UNIT,
    currencies: &[Currency::USD],
    no_other: "AWS takes bids in US dollars only",
    help: "write it like \"$12.50/node/h\" or \"$1.60/gpu/h\"",
};

/// A group without a fault.
pub(crate) struct Checked<'a> {
    placement: Option<&'a str>,
    distribution: Value,
    tags: Tags,
}

/// Checks the group; nothing when diagnostics say what is wrong.
pub(crate) fn checked<'a>(group: &Group<'a>, diagnostics: &mut Vec<Diagnostic>) -> Option<Checked<'a>> {
    let before = diagnostics.len();
    check_name(group, diagnostics);
    group.check_types(codes::INSTANCE_TYPES, "a group", MOST_TYPES, diagnostics);
    group.check_zones(codes::NO_ZONE, diagnostics);
    note_rebalance(group, diagnostics);
    let placement = placement(group, diagnostics);
    let distribution = distribution(group, diagnostics);
    group.check_scaler(codes::NOBODY_SCALES, diagnostics);
    let tags = Tags::scaling_group(group);
    tags.check(group, diagnostics);
    let sound = !diagnostics.iter().skip(before).any(Diagnostic::is_error);
    sound.then_some(Checked { placement, distribution, tags })
}

/// The document.
pub(crate) fn draft(group: &Group<'_>, checked: Checked<'_>) -> Draft {
    let Checked { placement, distribution, mut tags } = checked;
    let owner = group.size_owner();
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
        ("MaxSize", json!(group.most())),
        ("MinSize", json!(group.layout.nodes.min)),
        ("MixedInstancesPolicy", policy),
        // Whoever owns the size names the instance that goes; AWS choosing one would end somebody's job.
        ("NewInstancesProtectedFromScaleIn", json!(owner != SizeOwner::Poolwright)),
        ("VPCZoneIdentifier", json!(group.subnets().join(","))),
    ]);
    if owner == SizeOwner::Poolwright {
        put(&mut body, "DesiredCapacity", json!(group.layout.nodes.min));
    }
    if let Some(name) = placement {
        put(&mut body, "PlacementGroup", json!(name));
    }
    if group.protected() {
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
    Draft { body, origins }
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

fn note_rebalance(group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) {
    if let Some(remark) = rebalance_remark(group) {
        diagnostics.push(
            Diagnostic::note(codes::ZONE_REBALANCE, format!("`{}` is {remark}", group.name()))
                .at(group.span("zones"), "")
                .with_note("AWS evens out zones by ending instances, whatever runs on them")
                .with_help("or give each zone a lot of its own"),
        );
    }
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
        if let Some(price) = group.bid(BIDS, diagnostics) {
            put(&mut distribution, "SpotMaxPrice", json!(price));
        }
        return distribution;
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
