//! From the node groups of the layout to node pools.

use poolwright_diagnostics::Diagnostic;
use poolwright_model::fleet::{CloudTarget, GroupKind, TargetKind};
use poolwright_target::{Input, Lowered};
use poolwright_target_cloud::{groups, lower_each};

use crate::{NODE_POOL, codes, names, node_pool};

/// All node pools of one target.
pub(crate) fn lower(input: Input<'_>) -> Lowered {
    let mut diagnostics = Vec::new();
    let TargetKind::Alibaba(cloud) = &input.target.kind else { return Lowered::default() };
    let groups = groups(input, cloud, codes::NODE_GROUP, &mut diagnostics);
    if !groups.is_empty() {
        check_target(input, cloud, &mut diagnostics);
    }
    let mut lowered = lower_each(&groups, |group, diagnostics| {
        let Some(draft) = node_pool::draft(group, diagnostics) else { return Vec::new() };
        let mut resource = draft.into_resource(group, NODE_POOL, names::identity(group.name()));
        resource.remark = node_pool::idle_remark(group);
        resource.ownership = group.size_ownership("/desired_size");
        vec![resource]
    });
    lowered.diagnostics.extend(diagnostics);
    Diagnostic::sort(&mut lowered.diagnostics);
    lowered
}

fn check_target(input: Input<'_>, cloud: &CloudTarget, diagnostics: &mut Vec<Diagnostic>) {
    let target = input.target;
    if cloud.groups != GroupKind::Ack {
        diagnostics.push(
            Diagnostic::error(codes::GROUPS_KIND, format!("`{}` makes ACK node pools only", target.short()))
                .at(target.meta.origin.of("groups"), "Alibaba Cloud: \"ack\"")
                .with_help("remove `groups`, or write `groups = \"ack\"`"),
        );
    }
    if cloud.user_data.is_some() || cloud.user_data_template.is_some() {
        diagnostics.push(
            Diagnostic::error(
                codes::USER_DATA,
                format!("`{}` has `user_data`: ACK node pools are written without", target.short()),
            )
            .at(target.meta.origin.of("user_data"), "ACK makes its nodes join by itself")
            .with_help("remove `user_data`, or put what it does into the machine `image`"),
        );
    }
}
