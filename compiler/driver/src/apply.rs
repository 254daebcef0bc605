//! Carrying out a plan on the folders of its targets.

use std::collections::BTreeMap;

use poolwright_engine::apply::{Observer, Report, Site, apply as carry_out};
use poolwright_model::fleet::Target;
use poolwright_model::plan::Settle;
use poolwright_model::{Address, Plan};
use poolwright_target::directory::Directory;
use poolwright_target::files::Files;
use poolwright_target::{Backend, TargetError};

use crate::kind;
use crate::plan::directory;

/// Carries out a plan. `targets` are those of the fleet; what the fleet had no more when the plan was made goes away,
/// whatever the fleet says now.
///
/// # Errors
/// A target's folder cannot be one; nothing was written.
pub fn apply(
    plan: &Plan,
    targets: &BTreeMap<Address, Target>,
    files: &dyn Files,
    observer: &mut dyn Observer,
) -> Result<Report, TargetError> {
    let gone: BTreeMap<&Address, Target> = plan
        .targets
        .iter()
        .filter(|target| target.settle == Some(Settle::Remove))
        .filter_map(|target| Some((&target.address, Target::gone(&target.address, &target.identity)?)))
        .collect();
    let mut backends: BTreeMap<&Address, (&Target, Directory<'_>)> = BTreeMap::new();
    for planned in &plan.targets {
        let Some(target) = gone.get(&planned.address).or_else(|| targets.get(&planned.address)) else {
            continue;
        };
        let backend = directory(target, planned.settle.as_ref(), &plan.fleet, files)?;
        backends.insert(&planned.address, (target, backend));
    }
    let sites: BTreeMap<Address, Site<'_>> = backends
        .iter()
        .map(|(address, (target, backend))| {
            let backend: &dyn Backend = backend;
            ((*address).clone(), Site { kind: kind(target), backend })
        })
        .collect();
    Ok(carry_out(plan, &sites, observer))
}
