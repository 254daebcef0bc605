//! `target` blocks.

use std::sync::Arc;

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::Value;
use poolwright_model::fleet::{CloudTarget, Target, TargetKind};
use poolwright_model::{Address, Fleet};

use super::from_values;
use crate::collect::not_built;
use crate::instances::Block;
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
    let kind = match kind {
        "kubernetes" => TargetKind::Kubernetes(from_values(values, map, &block.address, header)?),
        "slurm" => {
            // With accounting preemption is by QoS; without it there is none (LANGUAGE §3.2).
            let accounting = map.get("accounting") == Some(&Value::Bool(true));
            let default = Value::string(if accounting { "qos" } else { "tier" });
            map.entry(Arc::from("preempt_by")).or_insert(default);
            TargetKind::Slurm(from_values(values, map, &block.address, header)?)
        }
        "aws" => TargetKind::Aws(cloud(values, block, map, "asg", inputs)?),
        "alibaba" => TargetKind::Alibaba(cloud(values, block, map, "ack", inputs)?),
        other => {
            values.report(not_built(&format!("targets of kind `{other}`"), header));
            return None;
        }
    };
    let text = |name: &str| match map.get(name) {
        Some(Value::String(text)) => Some(text.to_string()),
        _ => None,
    };
    let target = Target {
        directory: text("directory"),
        region: text("region"),
        ring: 0,
        router: map.get("router") != Some(&Value::Bool(false)),
        meta: head,
        kind,
    };
    if target.directory.is_none() {
        values.report(
            Diagnostic::error(
                codes::TARGET_CONNECTION,
                format!("`{}` does not say where it lives", block.address),
            )
            .at(header, "needs `directory`")
            .with_help(format!(
                "add `directory = \"live/{}\"`; live connections are not built yet",
                block.label
            )),
        );
    }
    if target.cloud().is_some() && target.region.is_none() {
        values.report(
            Diagnostic::error(
                codes::TARGET_CONNECTION,
                format!("`{}` does not say its region", block.address),
            )
            .at(header, "needs `region`")
            .with_help("prices and `class.regions` go by it: add `region = \"…\"`"),
        );
    }
    Some((target.meta.address.clone(), target))
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
    first: &str,
    inputs: &Inputs<'_>,
) -> Option<CloudTarget> {
    let groups = map.entry(Arc::from("groups")).or_insert_with(|| Value::string(first)).clone();
    let span = block.attribute("groups").map_or(block.tree.header, |written| written.value.span);
    if groups != Value::string(first) {
        values.report(not_built(&format!("node groups other than `{first}`"), span));
        return None;
    }
    let mut cloud: CloudTarget = from_values(values, map, &block.address, block.tree.header)?;
    if let Some(path) = &cloud.user_data {
        match (inputs.read)(path) {
            Ok(text) => cloud.user_data_template = Some(text),
            Err(error) => {
                let span =
                    block.attribute("user_data").map_or(block.tree.header, |written| written.value.span);
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
