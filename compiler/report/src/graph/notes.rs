//! What is said of a block below its name.

use poolwright_model::fleet::{Lot, Pool, TargetKind};
use poolwright_model::{Address, Fleet};

/// A few words on a block; empty where the name says enough.
pub(super) fn note(fleet: &Fleet, address: &Address) -> String {
    let found = match super::kind(address) {
        "target" => fleet.targets.get(address).map(|target| {
            let version = match &target.kind {
                TargetKind::Slurm(slurm) => Some(format!("Slurm {}", slurm.version.text)),
                _ => None,
            };
            [target.region.clone(), version].into_iter().flatten().collect::<Vec<_>>().join(", ")
        }),
        "tier" => fleet.tiers.get(address).map(|tier| tier.kind.as_str().to_owned()),
        "fabric" => fleet
            .fabrics
            .get(address)
            .and_then(|fabric| fabric.rate.as_ref().map(|rate| format!("{} × {rate}", fabric.rails))),
        "pool" => fleet.pools.get(address).map(|pool| capacity(pool, &pool.lots)),
        "lot" => fleet.lot(address).map(|(pool, lot)| capacity(pool, std::slice::from_ref(lot))),
        "tenant" => {
            fleet.tenants.get(address).and_then(|tenant| tenant.budget.as_ref()).map(ToString::to_string)
        }
        "class" => fleet.classes.get(address).map(|class| format!("priority {}", class.priority)),
        _ => None,
    };
    found.unwrap_or_default()
}

/// The most GPUs, or nodes without any, and of which kind.
fn capacity(pool: &Pool, lots: &[Lot]) -> String {
    let sum = |of: fn(&Lot) -> u64| lots.iter().map(of).fold(0, u64::saturating_add);
    match &pool.accelerator {
        Some(accelerator) => format!("{} GPUs, {}", sum(Lot::most_gpus), accelerator.label()),
        None if lots.is_empty() => "tokens".to_owned(),
        None => format!("{} nodes", sum(Lot::most)),
    }
}
