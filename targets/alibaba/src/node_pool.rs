//! The node pool of a node group.

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::quantity::Duration;
use poolwright_model::canonical;
use poolwright_model::fleet::{FabricKind, Placement, TierKind};
use poolwright_target_cloud::tags::SPEC;
use poolwright_target_cloud::{Draft, Group, SizeOwner};
use serde_json::{Map, Value, json};

use crate::{codes, purchase, tags};

/// Characters of a node pool's name at most (LANGUAGE §4.2, unconfirmed).
const MOST_NAME: usize = 40;
/// Instance types of one pool at most: ESS scaling configurations take 10.
const MOST_TYPES: usize = 10;
/// `scaling_config.max_size` of the provider.
const MOST_NODES: u64 = 1000;
/// `unneeded_duration` of `alicloud_cs_autoscaling_config`, if nobody sets it.
const IDLE_DEFAULT_SECONDS: u64 = 600;

/// The pool, or nothing when diagnostics say why not.
pub(crate) fn draft(group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Draft> {
    let before = diagnostics.len();
    check(group, diagnostics);
    let size = size(group, diagnostics);
    let purchase = purchase::arguments(group, diagnostics);
    let mut tags = tags::tags(group, diagnostics);
    if diagnostics.iter().skip(before).any(Diagnostic::is_error) {
        return None;
    }

    let mut body = purchase;
    let mut set = |key: &str, value: Value| {
        body.insert(key.to_owned(), value);
    };
    set("node_pool_name", json!(group.name()));
    set("cluster_id", json!(group.layout.cluster_id));
    set("vswitch_ids", json!(group.subnets()));
    set("instance_types", json!(group.lot.instance_types));
    if !group.cloud.security_groups.is_empty() {
        set("security_group_ids", json!(group.cloud.security_groups));
    }
    if let Some(image) = &group.cloud.image {
        set("image_id", json!(image));
    }
    if let Some(role) = &group.cloud.instance_profile {
        set("ram_role_name", json!(role));
    }
    let labels = group.layout.node_labels.iter();
    set("labels", labels.map(|(key, value)| json!({ "key": key, "value": value })).collect());
    if !group.pool.taints.is_empty() {
        set("taints", taints(group));
    }
    body.extend(size);
    if let Some(lifecycle) = lifecycle(group) {
        body.insert("lifecycle".to_owned(), lifecycle);
    }
    let mut body = Value::Object(body);
    tags.insert(SPEC.to_owned(), canonical::digest(body.to_string().as_bytes()));
    if let Value::Object(map) = &mut body {
        map.insert("tags".to_owned(), json!(tags));
    }
    Some(Draft { body, origins: origins(group) })
}

fn origins(group: &Group<'_>) -> Vec<(&'static str, Span)> {
    let target = &group.target().meta.origin;
    vec![
        ("/cluster_id", target.of("cluster_id")),
        ("/compensate_with_on_demand", group.span("tier")),
        ("/desired_size", group.span("nodes")),
        ("/image_id", target.of("image")),
        ("/instance_types", group.span("instance_types")),
        ("/labels", group.pool.meta.origin.of("node_labels")),
        ("/multi_az_policy", group.span("allocation")),
        ("/node_pool_name", group.lot.meta.origin.header),
        ("/ram_role_name", target.of("instance_profile")),
        ("/scaling_config", group.span("nodes")),
        ("/security_group_ids", target.of("security_groups")),
        ("/spot_price_limit", group.span("max_price")),
        ("/spot_strategy", group.span("tier")),
        ("/tags", group.pool.meta.origin.of("labels")),
        ("/taints", group.pool.meta.origin.of("taints")),
        ("/vswitch_ids", group.span("zones")),
    ]
}

fn taints(group: &Group<'_>) -> Value {
    let mut taints: Vec<_> = group.pool.taints.iter().collect();
    taints.sort_by_key(|taint| (&taint.key, &taint.effect));
    taints
        .into_iter()
        .map(|taint| {
            let mut block = json!({ "effect": taint.effect, "key": taint.key });
            if let (Value::Object(block), Some(value)) = (&mut block, &taint.value) {
                block.insert("value".to_owned(), json!(value));
            }
            block
        })
        .collect()
}

/// The provider refuses a wished size beside an enabled scaling configuration, so there is one of the two.
fn size(group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) -> Map<String, Value> {
    let (nodes, most) = (&group.layout.nodes, group.most());
    if most > MOST_NODES {
        diagnostics.push(
            Diagnostic::error(
                codes::SIZE,
                format!("`{}` has more nodes than ACK scales to", group.lot.meta.address),
            )
            .at(group.span("nodes"), format!("{nodes}; {MOST_NODES} at most"))
            .with_help("divide the nodes among several lots"),
        );
        return Map::new();
    }
    if !group.elastic() {
        return Map::from_iter([("desired_size".to_owned(), json!(nodes.min.to_string()))]);
    }
    group.check_scaler(codes::NOBODY_SCALES, diagnostics);
    // What the autoscaler supposes of the pool's instances.
    let class = match (group.tier.kind, group.lot.node.gpus) {
        (TierKind::Spot, _) => "spot",
        (_, 0) => "cpu",
        _ => "gpu",
    };
    let scaling = json!({ "enable": true, "max_size": most, "min_size": nodes.min, "type": class });
    Map::from_iter([("scaling_config".to_owned(), scaling)])
}

fn lifecycle(group: &Group<'_>) -> Option<Value> {
    let mut lifecycle = Map::new();
    if group.size_owner() != SizeOwner::Poolwright {
        // Read back from the pool: without this Terraform would undo what the autoscaler did.
        lifecycle.insert("ignore_changes".to_owned(), json!(["desired_size"]));
    }
    if group.protected() {
        lifecycle.insert("prevent_destroy".to_owned(), json!(true));
    }
    (!lifecycle.is_empty()).then_some(Value::Object(lifecycle))
}

/// What the pool's line in a plan says about the scale-down delay.
pub(crate) fn idle_remark(group: &Group<'_>) -> Option<String> {
    let idle = group.lot.idle_after.as_ref().filter(|_| group.elastic())?;
    Some(format!(
        "empty nodes go after the cluster's own scale-down delay (wanted {idle}, ACK's default is 10m)"
    ))
}

fn check(group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) {
    check_cluster(group, diagnostics);
    check_fabric(group, diagnostics);
    let lot = &group.lot.meta.address;
    let name = group.name();
    // ACK API: letters, digits, Chinese characters and hyphens, no hyphen first; counted in characters.
    let characters = name.chars().count();
    let letters = name.chars().all(|c| c.is_alphanumeric() || c == '-') && !name.starts_with('-');
    if !(1..=MOST_NAME).contains(&characters) || !letters {
        diagnostics.push(
            Diagnostic::error(codes::NAME, format!("\"{name}\" cannot name a node pool"))
                .at(group.span("name"), "the node pool is named after its pool and lot")
                .with_help("node pool names have 1 to 40 letters, digits and hyphens, no hyphen first"),
        );
    }
    group.check_zones(codes::NO_ZONE, diagnostics);
    group.check_types(codes::INSTANCE_TYPES, "a node pool", MOST_TYPES, diagnostics);
    if group.switches_off_threads() {
        diagnostics.push(
            Diagnostic::error(
                codes::THREADS,
                format!("`{lot}` wants one thread a core: an ACK node pool cannot say so"),
            )
            .at(group.span("node"), "")
            .with_help("leave out `threads`, or choose an instance type without them"),
        );
    }
    let idle = group.lot.idle_after.as_ref().filter(|_| group.elastic());
    if let Some(idle) = idle.filter(|idle| **idle != Duration::from_seconds(IDLE_DEFAULT_SECONDS)) {
        diagnostics.push(
            Diagnostic::warning(
                codes::IDLE_AFTER,
                format!("ACK cannot take empty nodes of `{lot}` away after {idle}"),
            )
            .at(group.span("idle_after"), "the delay belongs to the whole cluster, 10m if nobody changed it")
            .with_help(format!(
                "set the cluster's scale-down delay (`unneeded_duration`) to {idle}, or write \"10m\""
            )),
        );
    }
}

fn check_cluster(group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let Some(cluster) = group.cluster().filter(|cluster| cluster.kubernetes().is_none()) else { return };
    diagnostics.push(
        Diagnostic::error(
            codes::CLUSTER_KIND,
            format!(
                "`{}` schedules `{}`: nodes of an ACK node pool join Kubernetes",
                cluster.short(),
                group.pool.meta.address
            ),
        )
        .at(group.pool.meta.origin.of("cluster"), "not a Kubernetes cluster")
        .also(group.pool.meta.origin.of("provision"), "makes ACK node pools")
        .with_help("name a `target.kubernetes` as `cluster`, or provision the nodes elsewhere"),
    );
}

fn check_fabric(group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut joined = false;
    if let Some(fabric) = group.fabric {
        let name = match fabric.kind {
            FabricKind::Ethernet | FabricKind::Nvlink => None,
            FabricKind::Infiniband => Some("infiniband"),
            FabricKind::Roce => Some("roce"),
            FabricKind::Efa => Some("efa"),
            FabricKind::Tcpx => Some("tcpx"),
        };
        if let Some(name) = name {
            joined = true;
            diagnostics.push(
                Diagnostic::error(
                    codes::FABRIC_KIND,
                    format!(
                        "`{}` is {name}: nodes of an ACK node pool have Ethernet only",
                        fabric.meta.address
                    ),
                )
                .at(
                    group.pool.meta.origin.of("fabric"),
                    format!("the fabric of `{}`", group.pool.meta.address),
                )
                .also(fabric.meta.origin.of("kind"), "its kind")
                .with_note("RDMA is on Lingjun nodes, which are not written yet")
                .with_help(
                    "leave out `fabric`, or declare the Lingjun nodes as existing hosts, without `provision`",
                ),
            );
        }
    }
    // Such a fabric asks for a placement by itself: one fault, unless somebody wrote it.
    if group.lot.placement != Placement::None && (!joined || group.lot.meta.origin.wrote("placement")) {
        diagnostics.push(
            Diagnostic::error(
                codes::PLACEMENT,
                format!("`{}` asks for a placement that ACK does not have", group.lot.meta.address),
            )
            .at(group.span("placement"), "")
            .with_note("deployment sets of ECS spread nodes over hosts, the opposite of a placement group")
            .with_help("write `placement = \"none\"`"),
        );
    }
}
