//! Folders that this fleet once wrote and no target of it is any more: a target whose block is gone, or whose
//! `directory` changed. Nothing prunes them, so they are never passed over in silence.

use std::collections::BTreeSet;

use poolwright_diagnostics::Diagnostic;
use poolwright_model::Fleet;
use poolwright_target::files::{EntryKind, Files, join, parents};
use poolwright_target::manifest::{MANIFEST, MANIFEST_LIMIT, Manifest};

use crate::codes;

/// Where targets live that say nothing else.
const DEFAULT: &str = "live";

/// Looks beside the folder of every target, and in `live/`, for folders with a manifest of this fleet.
pub(crate) fn left_over(fleet: &Fleet, files: &dyn Files) -> Vec<Diagnostic> {
    let folder = |target: &poolwright_model::fleet::Target| target.directory.clone().unwrap_or_default();
    let current: BTreeSet<String> = fleet.targets.values().map(folder).collect();
    let mut around: BTreeSet<&str> =
        current.iter().map(|folder| parents(folder).next().unwrap_or_default()).collect();
    around.insert(DEFAULT);
    let mut all = Vec::new();
    for place in around {
        // A folder that is not there holds nothing; one that cannot be read is said by the target in it.
        for (name, kind) in files.list(place).unwrap_or_default() {
            let folder = join(place, &name);
            let manifest = join(&folder, MANIFEST);
            if kind != EntryKind::Folder
                || current.contains(&folder)
                || !matches!(files.kind(&manifest), Ok(Some(EntryKind::File)))
            {
                continue;
            }
            let Ok(bytes) = files.read(&manifest, MANIFEST_LIMIT) else { continue };
            let Ok(found) = Manifest::decode(&bytes, &manifest) else { continue };
            if found.fleet == fleet.meta.name {
                all.push(diagnostic(fleet, &folder, &found));
            }
        }
    }
    all
}

fn diagnostic(fleet: &Fleet, folder: &str, found: &Manifest) -> Diagnostic {
    let now = fleet.targets.get(&found.target);
    let why = match now.and_then(|target| target.directory.as_deref()) {
        Some(directory) => format!("{} is in `{directory}` now", found.target),
        None => format!("the fleet has no {} any more", found.target),
    };
    let message = format!("`{folder}` is left over: {why}, and what reads the folder still runs its objects");
    let mut made = Diagnostic::warning(codes::LEFT_OVER, message)
        .with_note(format!("{} files of this fleet stand in it, listed in its {MANIFEST}", found.files.len()))
        .with_note("neither plan nor apply removes them");
    if now.is_none() {
        made = made.with_help(format!(
            "to destroy its objects, put the target's block back without pools and tenants that use it, apply, then \
             delete the folder; or delete `{folder}` once nothing reads it"
        ));
    } else {
        made = made.with_help(format!("delete `{folder}` once nothing reads it; or set `directory` back"));
    }
    made
}
