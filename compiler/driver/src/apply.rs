//! Carrying out a plan on the folders of its targets.

use std::collections::BTreeMap;

use poolwright_engine::apply::{Observer, Report, Site, apply as carry_out};
use poolwright_model::fleet::Target;
use poolwright_model::plan::{PlanTarget, Settle};
use poolwright_model::{Address, Plan};
use poolwright_target::directory::Directory;
use poolwright_target::files::Files;
use poolwright_target::{Backend, ErrorClass, TargetError};

use crate::kind;
use crate::plan::directory;

/// Carries out a plan. `targets` are those of the fleet now.
///
/// # Errors
/// A target of the plan came or went since, or its folder cannot be one; nothing was written.
pub fn apply(
    plan: &Plan,
    targets: &BTreeMap<Address, Target>,
    files: &dyn Files,
    observer: &mut dyn Observer,
) -> Result<Report, TargetError> {
    for planned in &plan.targets {
        let there = targets.contains_key(&planned.address);
        let remove = planned.settle == Some(Settle::Remove);
        let work =
            remove || planned.settle.is_some() || plan.changes.iter().any(|it| it.target == planned.address);
        if there == remove && work {
            return Err(moved_on(planned, there));
        }
    }
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

fn moved_on(planned: &PlanTarget, there: bool) -> TargetError {
    let (plan, fleet) = if there { ("removes", "has it again") } else { ("is for", "has it no more") };
    TargetError::new(
        ErrorClass::Conflict,
        poolwright_engine::codes::OTHER_TARGET,
        format!("the plan {plan} {}, and the fleet {fleet}", planned.address),
    )
    .with_note("nothing was applied")
    .with_help("plan again")
}
