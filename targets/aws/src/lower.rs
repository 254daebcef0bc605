//! From the node groups of the layout to documents.

use std::collections::BTreeMap;

use poolwright_diagnostics::Diagnostic;
use poolwright_model::Resource;
use poolwright_model::fleet::{CloudTarget, FabricKind, GroupKind, TargetKind};
use poolwright_model::layout::NodeGroup;
use poolwright_model::resource::Ownership;
use poolwright_target::{Input, Lowered};

use crate::group::{Group, SizeOwner};
use crate::launch_template::Draft;
use crate::user_data::Template;
use crate::{Kind, codes, launch_template, names, scaling_group, tags};

/// All documents of one target.
pub(crate) fn lower(input: Input<'_>) -> Lowered {
    let mut resources = Vec::new();
    let diagnostics = each(input, |resource| resources.push(resource));
    resources.sort_by(|a, b| a.address.cmp(&b.address));
    Lowered { resources, diagnostics }
}

/// What is wrong with them, without keeping any.
pub(crate) fn check(input: Input<'_>) -> Vec<Diagnostic> {
    each(input, drop)
}

/// Hands out one document after the other, in any order.
fn each(input: Input<'_>, mut keep: impl FnMut(Resource)) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let TargetKind::Aws(cloud) = &input.target.kind else { return diagnostics };
    let layouts = input.layout.groups.get(&input.target.meta.address).map_or(&[][..], Vec::as_slice);
    let user_data = cloud.user_data_template.as_deref().map(Template::parse);
    let mut groups = Vec::new();
    for layout in layouts {
        match group(input, cloud, layout, user_data.as_ref()) {
            Some(group) => groups.push(group),
            None => diagnostics.push(
                Diagnostic::error(
                    codes::NODE_GROUP,
                    format!("the node group `{}` has no pool, lot or tier", layout.name),
                )
                .at(input.target.meta.origin.header, "on this target"),
            ),
        }
    }
    check_target(input, cloud, &groups, &mut diagnostics);
    for group in &groups {
        lower_group(group, &mut keep, &mut diagnostics);
    }
    // Faults of the target would repeat with every group.
    Diagnostic::sort(&mut diagnostics);
    diagnostics
}

fn group<'a>(
    input: Input<'a>,
    cloud: &'a CloudTarget,
    layout: &'a NodeGroup,
    user_data: Option<&'a Template>,
) -> Option<Group<'a>> {
    let (pool, lot) = input.fleet.lot(&layout.lot)?;
    let tier = input.fleet.tiers.get(&lot.tier)?;
    let fabric = pool.fabric.as_ref().and_then(|fabric| input.fleet.fabrics.get(fabric));
    Some(Group { input, cloud, layout, pool, lot, tier, fabric, user_data })
}

/// What the target must say for its groups to come up (LANGUAGE §3.2, `target.cloud`).
fn check_target(
    input: Input<'_>,
    cloud: &CloudTarget,
    groups: &[Group<'_>],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Some(first) = groups.first() else { return };
    let target = input.target;
    let header = target.meta.origin.header;
    if cloud.groups != GroupKind::Asg {
        diagnostics.push(
            Diagnostic::error(
                codes::GROUPS_KIND,
                format!("`{}` cannot make groups of this kind", target.short()),
            )
            .at(target.meta.origin.of("groups"), "AWS: \"asg\"")
            .with_help("remove `groups`, or write `groups = \"asg\"`"),
        );
    }
    let lacks = |attribute: &str, group: &Group<'_>, why: &str, help: &str| {
        Diagnostic::error(codes::TARGET_LACKS, format!("`{}` has no `{attribute}`", target.short()))
            .at(header, why.to_owned())
            .also(group.pool.meta.origin.header, "needed by this pool")
            .with_help(help.to_owned())
    };
    if cloud.image.is_none() {
        let help = "add `image = \"ami-…\"`, the machine image of its nodes";
        diagnostics.push(lacks("image", first, "a launch template needs an image", help));
    }
    if let Some(group) = groups.iter().find(|group| group.kubernetes()) {
        if cloud.instance_profile.is_none() {
            let help = "add `instance_profile`, the name of the nodes' IAM instance profile";
            diagnostics.push(lacks(
                "instance_profile",
                group,
                "a node may not join its cluster without a role",
                help,
            ));
        }
        if cloud.user_data.is_none() && cloud.user_data_template.is_none() {
            let help = "add `user_data`, the path of a template that makes a node join its cluster";
            diagnostics.push(lacks("user_data", group, "a node does not know which cluster to join", help));
        }
    }
    if let (Some(path), None) = (&cloud.user_data, &cloud.user_data_template) {
        diagnostics.push(
            Diagnostic::error(codes::USER_DATA, format!("the template {path} was not read"))
                .at(target.meta.origin.of("user_data"), "no such file, or no text")
                .with_help("the path is relative to the fleet's folder"),
        );
    }
}

fn lower_group(group: &Group<'_>, keep: &mut impl FnMut(Resource), diagnostics: &mut Vec<Diagnostic>) {
    check_fabric(group, diagnostics);
    tags::check_sources(group, diagnostics);
    let template = launch_template::draft(group, diagnostics);
    let scaling = scaling_group::draft(group, diagnostics);
    let placement = scaling_group::placement_group(group);

    let mut depends_on = Vec::new();
    if let Some(draft) = template {
        let resource = resource(group, Kind::LaunchTemplate, draft);
        depends_on.push(resource.address.clone());
        keep(resource);
    }
    if let Some(draft) = placement {
        let resource = resource(group, Kind::PlacementGroup, draft);
        depends_on.push(resource.address.clone());
        keep(resource);
    }
    if let Some(draft) = scaling {
        let mut resource = resource(group, Kind::AutoScalingGroup, draft);
        resource.depends_on = depends_on;
        resource.remark = scaling_group::rebalance_remark(group);
        let owner = group.size_owner();
        if owner != SizeOwner::Poolwright {
            // Absent from the document: a new group starts at its least, later the owner writes it.
            resource
                .ownership
                .insert("/DesiredCapacity".to_owned(), Ownership::Seed(owner.as_str().to_owned()));
        }
        keep(resource);
    }
}

fn check_fabric(group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let Some(fabric) = group.fabric else { return };
    let name = match fabric.kind {
        FabricKind::Efa | FabricKind::Ethernet | FabricKind::Nvlink => return,
        FabricKind::Infiniband => "infiniband",
        FabricKind::Roce => "roce",
        FabricKind::Tcpx => "tcpx",
    };
    diagnostics.push(
        Diagnostic::error(
            codes::FABRIC_KIND,
            format!("`{}` is {name}: AWS joins hosts by EFA only", fabric.meta.address),
        )
        .at(group.pool.meta.origin.of("fabric"), format!("the fabric of `{}`", group.pool.meta.address))
        .also(fabric.meta.origin.of("kind"), "its kind")
        .with_help("use a fabric with `kind = \"efa\"`"),
    );
}

fn resource(group: &Group<'_>, kind: Kind, draft: Draft) -> Resource {
    let name = group.name();
    Resource {
        address: names::address(group.target(), kind, name),
        target: group.target().meta.address.clone(),
        kind: kind.as_str().to_owned(),
        identity: names::identity(kind, name),
        body: draft.body,
        depends_on: Vec::new(),
        block: group.lot.meta.address.clone(),
        origin: group.lot.meta.origin.header,
        field_origins: draft.origins.into_iter().map(|(path, span)| (path.into(), span)).collect(),
        remark: None,
        ownership: BTreeMap::new(),
        protected: group.pool.meta.protect || group.lot.meta.protect,
    }
}
