//! `target` blocks.

use std::sync::Arc;

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::Value;
use poolwright_expression::quantity::Version;
use poolwright_model::fleet::{
    Autodetect, CloudTarget, GroupKind, KubernetesTarget, Operator, SlurmTarget, Target, TargetKind,
};
use poolwright_model::{Address, Fleet};

use super::from_values;
use crate::collect::not_built;
use crate::instances::Block;
use crate::later::Written;
use crate::values::{Values, meta};
use crate::{Inputs, codes};

/// Decodes a target: what all targets have, and what its kind has.
pub(super) fn target<'t>(
    values: &Values<'_, 't>,
    block: &Block<'t>,
    inputs: &Inputs<'_>,
) -> Option<(Address, Target)> {
    let mut attributes = values.attributes(block);
    if !attributes.complete {
        return None;
    }
    let kind = block.schema.kind.strip_prefix("target.").unwrap_or_default();
    let head = meta(block, &attributes);
    let map = &mut attributes.values;
    let header = block.tree.header;
    let fleet_kind = match kind {
        "kubernetes" => TargetKind::Kubernetes(from_values(values, map, &block.address, header)?),
        "slurm" => {
            // With accounting preemption is by QoS; without it there is none (LANGUAGE §3.2).
            let accounting = map.get("accounting") == Some(&Value::Bool(true));
            let default = Value::string(if accounting { "qos" } else { "tier" });
            map.entry(Arc::from("preempt_by")).or_insert(default);
            TargetKind::Slurm(from_values(values, map, &block.address, header)?)
        }
        "coreweave" => TargetKind::Coreweave(from_values(values, map, &block.address, header)?),
        "inventory" => TargetKind::Inventory(from_values(values, map, &block.address, header)?),
        _ => {
            let cloud = cloud(values, block, map, kind, inputs)?;
            match kind {
                "aws" => TargetKind::Aws(cloud),
                "alibaba" => TargetKind::Alibaba(cloud),
                "gcp" => TargetKind::Gcp(cloud),
                "azure" => TargetKind::Azure(cloud),
                "nebius" => TargetKind::Nebius(cloud),
                "crusoe" => TargetKind::Crusoe(cloud),
                other => {
                    values.report(not_built(&format!("targets of kind `{other}`"), header));
                    return None;
                }
            }
        }
    };
    let text = |name: &str| match map.get(name) {
        Some(Value::String(text)) => Some(text.to_string()),
        _ => None,
    };
    let ring = match map.get("ring") {
        Some(Value::Number(ring)) => ring.to_u64().and_then(|ring| u8::try_from(ring).ok()).unwrap_or(0),
        _ => 0,
    };
    let target = Target {
        directory: text("directory"),
        region: text("region"),
        ring,
        router: map.get("router") != Some(&Value::Bool(false)),
        meta: head,
        kind: fleet_kind,
    };
    connection(values, &target);
    match &target.kind {
        TargetKind::Kubernetes(kubernetes) => scheduler(values, &target, kubernetes),
        TargetKind::Slurm(slurm) => operator(values, &target, slurm),
        _ => {}
    }
    let placed = target.cloud().is_some()
        || matches!(target.kind, TargetKind::Coreweave(_) | TargetKind::Inventory(_));
    if placed && target.region.is_none() {
        values.report(
            Diagnostic::error(
                codes::TARGET_CONNECTION,
                format!("`{}` does not say its region", block.address),
            )
            .at(header, "needs `region`")
            .with_help("prices and `class.regions` go by it: add `region = \"…\"`"),
        );
    }
    super::zones::check(values, &target);
    unwritten(values, block, &target);
    Some((target.meta.address.clone(), target))
}

/// Says of a target that this version writes nothing to it.
fn unwritten(values: &Values<'_, '_>, block: &Block<'_>, target: &Target) {
    let origin = &target.meta.origin;
    let (span, part) = match (&target.kind, &block.schema.later) {
        (_, Some(part)) => (origin.header, part.as_str()),
        (TargetKind::Kubernetes(kubernetes), _) if kubernetes.volcano.is_some() => {
            (origin.of("volcano"), "objects of Volcano")
        }
        (TargetKind::Kubernetes(kubernetes), _) if kubernetes.kai.is_some() => {
            (origin.of("kai"), "objects of KAI")
        }
        (TargetKind::Slurm(slurm), _) if slurm.operator != Operator::None => {
            (origin.of("operator"), "NodeSets of Slinky and Soperator")
        }
        (TargetKind::Aws(_) | TargetKind::Alibaba(_), _) if !target.is_written() => {
            let groups = target.cloud().map_or(GroupKind::Own, |cloud| cloud.groups);
            let part = match groups {
                GroupKind::Eks => "managed node groups of EKS",
                GroupKind::Karpenter => "NodePools of Karpenter",
                _ => "scaling groups of ESS",
            };
            (origin.of("groups"), part)
        }
        _ => return,
    };
    let block = target.meta.address.clone();
    values.later(Written { block, path: String::new(), span, part, at: None, whole: true });
}

/// A target is a folder or is reached live, exactly one of them.
fn connection(values: &Values<'_, '_>, target: &Target) {
    let origin = &target.meta.origin;
    let live = match &target.kind {
        TargetKind::Kubernetes(_) => ["kubeconfig", "context"].into_iter().find(|name| origin.wrote(name)),
        TargetKind::Slurm(_) => origin.wrote("host").then_some("host"),
        _ => None,
    };
    // A cloud is reached with the credentials that `profile` names; beside a folder they are for who applies its files.
    let by_profile = target.cloud().is_some() && target.directory.is_none() && origin.wrote("profile");
    let address = &target.meta.address;
    match (&target.directory, live) {
        (Some(_), Some(live)) => values.report(
            Diagnostic::error(
                codes::TARGET_CONNECTION,
                format!("`{address}` is a folder, and has a live connection"),
            )
            .at(origin.of(live), "reaches the system itself")
            .also(origin.of("directory"), "writes its files")
            .with_help("keep one of the two: a target is a folder or the system itself"),
        ),
        (None, None) if by_profile => values.later(Written {
            block: address.clone(),
            path: "profile".to_owned(),
            span: origin.of("profile"),
            part: "live connections",
            at: None,
            whole: false,
        }),
        (None, None) => values.report(
            Diagnostic::error(codes::TARGET_CONNECTION, format!("`{address}` does not say where it lives"))
                .at(origin.header, "needs `directory`")
                .with_help(format!(
                    "add `directory = \"live/{}\"`; live connections are not built yet",
                    address.label()
                )),
        ),
        _ => {}
    }
}

/// Kueue, Volcano and KAI exclude each other: each would schedule all pods of a job.
fn scheduler(values: &Values<'_, '_>, target: &Target, kubernetes: &KubernetesTarget) {
    let origin = &target.meta.origin;
    let there: Vec<&str> = [
        ("kueue", kubernetes.kueue.is_some()),
        ("volcano", kubernetes.volcano.is_some()),
        ("kai", kubernetes.kai.is_some()),
    ]
    .into_iter()
    .filter_map(|(name, there)| there.then_some(name))
    .collect();
    if let [first, second, ..] = there.as_slice() {
        values.report(
            Diagnostic::error(
                codes::TARGET_CONNECTION,
                format!("`{}` has `{first}` and `{second}`", target.meta.address),
            )
            .at(origin.of(second), "schedules jobs too")
            .also(origin.of(first), "schedules jobs")
            .with_help("say which of them the jobs of this cluster go to; make a target of each"),
        );
    }
}

/// Slurm on Kubernetes names the cluster that it runs on; a version knows some ways of finding GPUs only.
fn operator(values: &Values<'_, '_>, target: &Target, slurm: &SlurmTarget) {
    let (origin, address) = (&target.meta.origin, &target.meta.address);
    match (slurm.operator, &slurm.kubernetes) {
        (Operator::None, Some(_)) => values.report(
            Diagnostic::error(codes::TARGET_CONNECTION, format!("`{address}` is no Slurm on Kubernetes"))
                .at(origin.of("kubernetes"), "only with an `operator`")
                .with_help("remove it, or set `operator` to `\"slinky\"` or `\"soperator\"`"),
        ),
        (Operator::Slinky | Operator::Soperator, None) => values.report(
            Diagnostic::error(
                codes::TARGET_CONNECTION,
                format!("`{address}` runs on Kubernetes and does not say where"),
            )
            .at(origin.of("operator"), "needs `kubernetes`")
            .with_help("add `kubernetes = target.kubernetes.…`"),
        ),
        _ => {}
    }
    let since = Version::parse("24.11");
    if slurm.autodetect == Autodetect::Nvidia && since.is_ok_and(|since| slurm.version < since) {
        values.report(
            Diagnostic::error(
                codes::TARGET_CONNECTION,
                format!("Slurm {} of `{address}` cannot find GPUs by `nvidia`", slurm.version),
            )
            .at(origin.of("autodetect"), "from Slurm 24.11")
            .also(origin.of("version"), "is older")
            .with_help("write `\"nvml\"`, or leave it out for `File=` lines"),
        );
    }
}

/// Folders of targets stay below the fleet's and do not lie in each other: what one writes, another would remove.
pub(super) fn folders(values: &Values<'_, '_>, fleet: &Fleet) {
    let mut seen: Vec<(&str, &Target)> = Vec::new();
    for target in fleet.targets.values() {
        let Some(folder) = target.directory.as_deref() else { continue };
        let span = target.meta.origin.of("directory");
        if folder.split('/').any(|part| matches!(part, "" | "." | "..")) {
            values.report(
                Diagnostic::error(
                    codes::DIRECTORY,
                    format!("the folder of `{}` is not a plain path", target.meta.address),
                )
                .at(span, "has an empty part, `.` or `..`")
                .with_help(format!("name a folder below the fleet's own: `\"live/{}\"`", target.meta.name)),
            );
            continue;
        }
        let hidden = folder.split('/').find(|part| part.starts_with('.'));
        let long = folder.split('/').find(|part| part.len() > 255);
        let unfit = match (hidden, long) {
            (Some(part), _) => {
                Some(format!("`{part}` is hidden: a target that leaves it would not be found again"))
            }
            (None, Some(_)) => Some("a part of it is longer than 255 bytes".to_owned()),
            (None, None) => (folder.len() > 4096).then(|| "it is longer than 4096 bytes".to_owned()),
        };
        if let Some(why) = unfit {
            values.report(
                Diagnostic::error(
                    codes::DIRECTORY,
                    format!("the folder of `{}` is none that it can have", target.meta.address),
                )
                .at(span, why)
                .with_help(format!("name a folder below the fleet's own: `\"live/{}\"`", target.meta.name)),
            );
            continue;
        }
        let inside = |one: &str, other: &str| {
            one == other || one.strip_prefix(other).is_some_and(|rest| rest.starts_with('/'))
        };
        if let Some((other, first)) =
            seen.iter().find(|(other, _)| inside(folder, other) || inside(other, folder))
        {
            let what =
                if folder == *other { "have the same folder" } else { "have folders inside each other" };
            values.report(
                Diagnostic::error(
                    codes::DIRECTORY,
                    format!("`{}` and `{}` {what}", first.meta.address, target.meta.address),
                )
                .at(span.max(first.meta.origin.of("directory")), "this folder")
                .also(span.min(first.meta.origin.of("directory")), "and this one")
                .with_note("each target writes its own manifest, and removes what that no longer lists")
                .with_help("give each a folder of its own, beside the other"),
            );
        }
        seen.push((folder, target));
    }
}

fn cloud(
    values: &Values<'_, '_>,
    block: &Block<'_>,
    map: &mut std::collections::BTreeMap<Arc<str>, Value>,
    kind: &str,
    inputs: &Inputs<'_>,
) -> Option<CloudTarget> {
    let span_of = |name: &str| block.attribute(name).map_or(block.tree.header, |written| written.value.span);
    let kinds = GroupKind::of(kind);
    let first = kinds.first().map_or("own", |first| first.as_str());
    let groups = map.entry(Arc::from("groups")).or_insert_with(|| Value::string(first)).clone();
    if !kinds.iter().any(|known| groups == Value::string(known.as_str())) {
        let words: Vec<String> = kinds.iter().map(|kind| format!("`\"{}\"`", kind.as_str())).collect();
        let help = match kinds {
            [GroupKind::Own] => "remove it: this cloud has one kind of node group".to_owned(),
            _ => format!("what it has: {}", words.join(", ")),
        };
        values.report(
            Diagnostic::error(
                codes::TARGET_CONNECTION,
                format!("`{}` cannot have such node groups", block.address),
            )
            .at(span_of("groups"), "another cloud's")
            .with_help(help),
        );
        return None;
    }
    let mut cloud: CloudTarget = from_values(values, map, &block.address, block.tree.header)?;
    match (kind, &cloud.resource_group) {
        ("azure", None) => values.report(
            Diagnostic::error(
                codes::TARGET_CONNECTION,
                format!("`{}` does not say its resource group", block.address),
            )
            .at(block.tree.header, "needs `resource_group`")
            .with_help("add `resource_group = \"…\"`: everything of Azure lives in one"),
        ),
        ("azure", Some(_)) | (_, None) => {}
        (_, Some(_)) => values.report(
            Diagnostic::error(
                codes::TARGET_CONNECTION,
                format!("`{}` has a resource group, which only Azure has", block.address),
            )
            .at(span_of("resource_group"), "of Azure")
            .with_help("remove it"),
        ),
    }
    if let Some(path) = &cloud.user_data {
        match (inputs.read)(path) {
            Ok(text) => cloud.user_data_template = Some(text),
            Err(error) => {
                let span = span_of("user_data");
                values.report(
                    Diagnostic::error(
                        codes::TARGET_CONNECTION,
                        format!("the template `{path}` cannot be read"),
                    )
                    .at(span, error)
                    .with_help("the path counts from the fleet's folder and stays inside it"),
                );
                return None;
            }
        }
    }
    Some(cloud)
}
