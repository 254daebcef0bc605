//! What in a route cannot work, found before anything is written.

use std::collections::BTreeMap;

use poolwright_diagnostics::Diagnostic;
use poolwright_model::fleet::{Reason, Return};
use poolwright_model::{Address, Fleet};

use crate::codes;

/// Routes that promise what their clusters or classes cannot give: `lost` where nobody notices it (LANGUAGE §5.4 row
/// 14), `return = "prefer"` without checkpoints (§5.3).
#[must_use]
pub fn check(fleet: &Fleet) -> Vec<Diagnostic> {
    let mut found = BTreeMap::new();
    for queue in fleet.queues.values() {
        let Some(route) = queue.route.as_ref().and_then(|route| fleet.routes.get(route)) else { continue };
        for step in route.steps.iter().filter(|step| step.on.contains(&Reason::Lost)) {
            for (pool, _) in fleet.lots_of(&step.pools) {
                let Some(target) = fleet.targets.get(&pool.cluster) else { continue };
                let Some(kueue) = target.kubernetes().and_then(|cluster| cluster.kueue.as_ref()) else {
                    continue;
                };
                if kueue.ready_timeout.is_some() {
                    continue;
                }
                let (name, cluster) = (step.meta.address.label(), target.short());
                found.entry((step.meta.address.clone(), pool.cluster.clone())).or_insert_with(|| {
                    Diagnostic::error(
                        codes::LOST_UNSEEN,
                        format!("step \"{name}\" can never see lost nodes on {cluster}"),
                    )
                    .at(step.meta.origin.of("on"), "so this reason never occurs")
                    .also(target.meta.origin.of("kueue"), "has no ready_timeout")
                    .with_note(
                        "Kueue notices that the pods of an admitted job are gone only with waitForPodsReady",
                    )
                    .with_help(
                        "say how long pods may take: kueue = { version = \"…\", ready_timeout = \"15m\" }",
                    )
                    .with_help("or leave \"lost\" out of `on`")
                });
            }
        }
        if route.returns != Return::Prefer {
            continue;
        }
        for class in
            std::iter::once(&queue.class).chain(&queue.allow).filter_map(|class| fleet.classes.get(class))
        {
            if class.checkpoint.is_some() {
                continue;
            }
            let (name, address) = (route.meta.address.label(), class.meta.address.clone());
            found.entry((route.meta.address.clone(), address.clone())).or_insert_with(|| {
                Diagnostic::error(
                    codes::RETURN_WITHOUT_CHECKPOINT,
                    format!(
                        "route \"{name}\" would stop running jobs of {address}, which write no checkpoints"
                    ),
                )
                .at(route.meta.origin.of("return"), "brings running jobs back to an earlier step")
                .also(class.meta.origin.header, "has no checkpoint")
                .with_help(
                    "say how its jobs save their work: checkpoint = { every = \"20m\", write = \"60s\" }",
                )
                .with_help("or let jobs stay where they run: return = \"when-idle\"")
            });
        }
    }
    let found: BTreeMap<(Address, Address), Diagnostic> = found;
    let mut all: Vec<Diagnostic> = found.into_values().collect();
    Diagnostic::sort(&mut all);
    all
}
