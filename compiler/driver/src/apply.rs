//! Carrying out a plan on the folders of its targets.

use std::collections::BTreeMap;

use poolwright_engine::apply::{Observer, Report, Site, apply as carry_out};
use poolwright_model::fleet::Target;
use poolwright_model::{Address, Plan};
use poolwright_target::directory::Directory;
use poolwright_target::files::Files;
use poolwright_target::{Backend, TargetError};

use crate::kind;
use crate::plan::directory;

/// Carries out a plan. `targets` are those of the fleet it was made for.
///
/// # Errors
/// A target's folder cannot be one; nothing was written.
pub fn apply(
    plan: &Plan,
    targets: &BTreeMap<Address, Target>,
    files: &dyn Files,
    observer: &mut dyn Observer,
) -> Result<Report, TargetError> {
    let mut backends: BTreeMap<&Address, (&Target, Directory<'_>)> = BTreeMap::new();
    for (address, target) in targets {
        backends.insert(address, (target, directory(target, &plan.fleet, files)?));
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
