//! From the node groups of the layout to node pools.

use poolwright_diagnostics::Diagnostic;
use poolwright_model::Resource;
use poolwright_model::fleet::{CloudTarget, GroupKind, TargetKind};
use poolwright_model::layout::NodeGroup;
use poolwright_model::resource::Ownership;
use poolwright_target::{Input, Lowered};

use crate::group::{Group, SizeOwner};
use crate::{NODE_POOL, codes, names, node_pool};

/// All node pools of one target.
pub(crate) fn lower(input: Input<'_>) -> Lowered {
    let mut lowered = Lowered::default();
    let TargetKind::Alibaba(cloud) = &input.target.kind else { return lowered };
    let layouts = input.layout.groups.get(&input.target.meta.address).map_or(&[][..], Vec::as_slice);
    if !layouts.is_empty() {
        check_target(input, cloud, &mut lowered.diagnostics);
    }
    for layout in layouts {
        let Some(group) = group(input, cloud, layout) else {
            lowered.diagnostics.push(
                Diagnostic::error(
                    codes::NODE_GROUP,
                    format!("the node group `{}` has no pool, lot or tier", layout.name),
                )
                .at(input.target.meta.origin.header, "on this target"),
            );
            continue;
        };
        if let Some(draft) = node_pool::draft(&group, &mut lowered.diagnostics) {
            lowered.resources.push(resource(&group, draft));
        }
    }
    Diagnostic::sort(&mut lowered.diagnostics);
    lowered.resources.sort_by(|a, b| a.address.cmp(&b.address));
    lowered
}

fn group<'a>(input: Input<'a>, cloud: &'a CloudTarget, layout: &'a NodeGroup) -> Option<Group<'a>> {
    let (pool, lot) = input.fleet.lot(&layout.lot)?;
    let tier = input.fleet.tiers.get(&lot.tier)?;
    let fabric = pool.fabric.as_ref().and_then(|fabric| input.fleet.fabrics.get(fabric));
    Some(Group { input, cloud, layout, pool, lot, tier, fabric })
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

fn resource(group: &Group<'_>, draft: node_pool::Draft) -> Resource {
    let name = group.name();
    let owner = group.size_owner();
    let seed = (owner != SizeOwner::Poolwright)
        .then(|| ("/desired_size".to_owned(), Ownership::Seed(owner.as_str().to_owned())));
    Resource {
        address: names::address(group.target(), name),
        target: group.target().meta.address.clone(),
        kind: NODE_POOL.to_owned(),
        identity: names::identity(name),
        body: draft.body,
        depends_on: Vec::new(),
        block: group.lot.meta.address.clone(),
        origin: group.lot.meta.origin.header,
        field_origins: draft.origins.into_iter().map(|(path, span)| (path.into(), span)).collect(),
        remark: node_pool::idle_remark(group),
        ownership: seed.into_iter().collect(),
        protected: group.pool.meta.protect || group.lot.meta.protect,
    }
}
