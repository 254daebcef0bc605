//! From the node groups of the layout to documents.

use poolwright_diagnostics::Diagnostic;
use poolwright_model::Resource;
use poolwright_model::fleet::{CloudTarget, FabricKind, GroupKind, TargetKind};
use poolwright_target::{Input, Lowered};
use poolwright_target_cloud::{Draft, Group, groups, lower_each};

use crate::user_data::Template;
use crate::{Kind, codes, launch_template, names, scaling_group, tags};

/// All documents of one target.
pub(crate) fn lower(input: Input<'_>) -> Lowered {
    each(input, true)
}

/// What is wrong with them, without keeping any.
pub(crate) fn check(input: Input<'_>) -> Vec<Diagnostic> {
    each(input, false).diagnostics
}

fn each(input: Input<'_>, keep: bool) -> Lowered {
    let mut diagnostics = Vec::new();
    let TargetKind::Aws(cloud) = &input.target.kind else { return Lowered::default() };
    let user_data = cloud.user_data_template.as_deref().map(Template::parse);
    let groups = groups(input, cloud, codes::NODE_GROUP, &mut diagnostics);
    check_target(input, cloud, &groups, &mut diagnostics);
    let mut lowered =
        lower_each(&groups, |group, diagnostics| lower_group(group, user_data.as_ref(), keep, diagnostics));
    lowered.diagnostics.extend(diagnostics);
    Diagnostic::sort(&mut lowered.diagnostics);
    lowered
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

/// Checks a group; with `keep` its documents.
fn lower_group(
    group: &Group<'_>,
    user_data: Option<&Template>,
    keep: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Resource> {
    let mut resources = Vec::new();
    check_fabric(group, diagnostics);
    tags::check_sources(group, diagnostics);
    let template = launch_template::checked(group, user_data, diagnostics);
    let scaling = scaling_group::checked(group, diagnostics);
    if !keep {
        return resources;
    }
    let placement = scaling_group::placement_group(group);

    let mut depends_on = Vec::new();
    if let Some(checked) = template {
        let resource = resource(group, Kind::LaunchTemplate, checked.draft(group));
        depends_on.push(resource.address.clone());
        resources.push(resource);
    }
    if let Some(draft) = placement {
        let resource = resource(group, Kind::PlacementGroup, draft);
        depends_on.push(resource.address.clone());
        resources.push(resource);
    }
    if let Some(checked) = scaling {
        let draft = scaling_group::draft(group, checked);
        let mut resource = resource(group, Kind::AutoScalingGroup, draft);
        resource.depends_on = depends_on;
        resource.remark = scaling_group::rebalance_remark(group);
        // Absent from the document: a new group starts at its least, later the owner writes it.
        resource.ownership = group.size_ownership("/DesiredCapacity");
        resources.push(resource);
    }
    resources
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
    draft.into_resource(group, kind.as_str(), names::identity(kind, group.name()))
}
