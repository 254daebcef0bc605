//! Folders that this fleet wrote and no target of it is any more: of a target whose `directory` changed, and of one
//! whose block is gone. Only a manifest of this fleet makes a folder one of these, and where two folders could be
//! meant neither is touched.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::Diagnostic;
use poolwright_model::fleet::Target;
use poolwright_model::{Address, Fleet};
use poolwright_target::files::{EntryKind, Files, join, parents};
use poolwright_target::manifest::{MANIFEST, MANIFEST_LIMIT, Manifest};

use crate::codes;

/// Where targets live that say nothing else.
const DEFAULT: &str = "live";

/// What became of targets that the fleet had elsewhere, or had.
#[derive(Debug, Default)]
pub(crate) struct Former {
    /// The folder that a target of the fleet was in before, by its address.
    pub(crate) moved: BTreeMap<Address, String>,
    /// Targets that the fleet has no more, with the folder of each as its `directory`.
    pub(crate) gone: Vec<Target>,
    /// Folders that are left alone, and why.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Looks beside the folder of every target, and in `live/`, for folders with a manifest of this fleet.
pub(crate) fn former(fleet: &Fleet, files: &dyn Files) -> Former {
    let homes: BTreeMap<&Address, &str> = fleet
        .targets
        .iter()
        .map(|(address, target)| (address, target.directory.as_deref().unwrap_or_default()))
        .collect();
    let current: BTreeSet<&str> = homes.values().copied().collect();
    let mut places: BTreeSet<&str> =
        current.iter().map(|folder| parents(folder).next().unwrap_or_default()).collect();
    places.insert(DEFAULT);
    let mut by_target: BTreeMap<Address, Vec<String>> = BTreeMap::new();
    for (folder, manifest) in written(&fleet.meta.name, places, files) {
        let at_home = homes.get(&manifest.target).is_some_and(|home| *home == folder);
        // A folder that another target took over is not ours to empty: that target says so.
        let taken = current.contains(folder.as_str()) && !homes.contains_key(&manifest.target);
        if !at_home && !taken {
            by_target.entry(manifest.target).or_default().push(folder);
        }
    }
    let mut found = Former::default();
    for (address, folders) in by_target {
        let home = homes.get(&address).copied();
        match (home.map(|home| moved_in(home, &address, files)), folders.as_slice()) {
            // An interrupted move knows its old folder.
            (Some(Home::From(from)), [folder]) if from == *folder => {}
            (Some(Home::Taken), _) => {}
            (Some(Home::Empty), [folder]) => {
                found.moved.insert(address, folder.clone());
            }
            (None, [folder]) => match Target::gone(&address, folder) {
                Some(target) => found.gone.push(target),
                None => found.diagnostics.push(unknown_kind(&address, folder)),
            },
            (_, folders) => {
                found
                    .diagnostics
                    .extend(folders.iter().map(|folder| left_alone(&address, home, folder, folders)));
            }
        }
    }
    found
}

/// Folders below `out` that `compile` wrote for targets that the fleet has no more.
#[must_use]
pub fn gone_from(fleet: &Fleet, out: &dyn Files) -> Vec<Target> {
    let kinds = out.list("").unwrap_or_default();
    let kinds = kinds.iter().filter(|(_, kind)| *kind == EntryKind::Folder).map(|(name, _)| name.as_str());
    let all = written(&fleet.meta.name, kinds, out).into_iter();
    let gone = all.filter(|(folder, manifest)| {
        let place =
            manifest.target.as_str().strip_prefix("target.").unwrap_or_default().replacen('.', "/", 1);
        *folder == place && !fleet.targets.contains_key(&manifest.target)
    });
    gone.filter_map(|(folder, manifest)| Target::gone(&manifest.target, &folder)).collect()
}

/// Folders in these places whose manifest is this fleet's.
fn written<'a>(
    fleet: &str,
    places: impl IntoIterator<Item = &'a str>,
    files: &dyn Files,
) -> Vec<(String, Manifest)> {
    let mut all = Vec::new();
    for place in places {
        // A folder that is not there holds nothing; one that cannot be read is said by the target in it.
        for (name, kind) in files.list(place).unwrap_or_default() {
            let folder = join(place, &name);
            if kind != EntryKind::Folder {
                continue;
            }
            if let Some(manifest) = manifest(&folder, files).filter(|manifest| manifest.fleet == fleet) {
                all.push((folder, manifest));
            }
        }
    }
    all
}

fn manifest(folder: &str, files: &dyn Files) -> Option<Manifest> {
    let place = join(folder, MANIFEST);
    if !matches!(files.kind(&place), Ok(Some(EntryKind::File))) {
        return None;
    }
    Manifest::decode(&files.read(&place, MANIFEST_LIMIT).ok()?, &place).ok()
}

/// What the folder that a target is in now says of it.
enum Home {
    /// It has no manifest: the target was never here.
    Empty,
    /// It is on its way here from another folder.
    From(String),
    /// It is here.
    Settled,
    /// Another target is, or it cannot be told; comparing the target says so.
    Taken,
}

fn moved_in(home: &str, address: &Address, files: &dyn Files) -> Home {
    if matches!(files.kind(&join(home, MANIFEST)), Ok(None)) {
        return Home::Empty;
    }
    match manifest(home, files).filter(|manifest| manifest.target == *address) {
        None => Home::Taken,
        Some(manifest) => manifest.moved_from.map_or(Home::Settled, Home::From),
    }
}

fn left_alone(address: &Address, home: Option<&str>, folder: &str, folders: &[String]) -> Diagnostic {
    let message = match home {
        Some(home) => format!("`{folder}` holds a manifest of {address} too, which is in `{home}`"),
        None => format!("`{folder}` is left over: the fleet has no {address} any more"),
    };
    let mut made = Diagnostic::warning(codes::LEFT_OVER, message);
    let others: Vec<String> =
        folders.iter().filter(|other| *other != folder).map(|other| format!("`{other}`")).collect();
    if !others.is_empty() {
        made = made.with_note(format!(
            "so does {}; which of them was the target's cannot be told",
            others.join(", ")
        ));
    }
    made.with_note("neither plan nor apply touches it, and what reads it still runs its objects")
        .with_help(format!("delete `{folder}` once nothing reads it"))
}

fn unknown_kind(address: &Address, folder: &str) -> Diagnostic {
    Diagnostic::warning(
        codes::LEFT_OVER,
        format!("`{folder}` is left over: the fleet has no {address} any more, and this version knows no such kind"),
    )
    .with_note("neither plan nor apply touches it, and what reads it still runs its objects")
    .with_help("use the version of Poolwright that wrote it; or delete the folder once nothing reads it")
}
