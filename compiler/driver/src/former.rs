//! Folders that this fleet wrote and no target of it is any more: of a target whose `directory` changed, and of one
//! whose block is gone.
//!
//! They are found by their manifests anywhere below the fleet's folder: there is no list that could get lost. A
//! manifest says where it was written, so that a copy, and what `compile` wrote, is none of them; and a folder with
//! fleet files of its own is another fleet's. Where two folders could be meant nothing is done.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use poolwright_diagnostics::Diagnostic;
use poolwright_model::fleet::Target;
use poolwright_model::{Address, Fleet};
use poolwright_target::TargetError;
use poolwright_target::directory::MOST_MOVES;
use poolwright_target::files::{EntryKind, FileErrorKind, Files, join, parents};
use poolwright_target::manifest::{MANIFEST, MANIFEST_LIMIT, Manifest};

use crate::codes;
use crate::load::ENDING;

/// Where targets live that say nothing else.
const DEFAULT: &str = "live";

/// How many folders are looked into, so that a fleet beside a huge tree does not wait for it. What is beyond is said.
const MOST_FOLDERS: usize = 20_000;

/// What became of targets that the fleet had elsewhere, or had.
#[derive(Debug, Default)]
pub(crate) struct Former {
    /// The folder that a target of the fleet was in before, by its address.
    pub(crate) moved: BTreeMap<Address, String>,
    /// Targets that the fleet has no more, with the folder of each as its `directory`.
    pub(crate) gone: Vec<Target>,
    /// Targets that the fleet has no more and in whose folder another target is to be, by that folder: mostly a target
    /// with a new name.
    pub(crate) renamed: BTreeMap<String, Address>,
    /// Folders that are left alone, and why.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Looks for manifests of this fleet outside of the folders of its targets.
pub(crate) fn former(fleet: &Fleet, files: &dyn Files) -> Former {
    let homes: BTreeMap<&Address, &str> = fleet
        .targets
        .iter()
        .map(|(address, target)| (address, target.directory.as_deref().unwrap_or_default()))
        .collect();
    let current: BTreeSet<&str> = homes.values().copied().collect();
    let mut found = Former::default();
    let mut by_target: BTreeMap<Address, BTreeMap<String, Manifest>> = BTreeMap::new();
    for (folder, manifest) in walk(files, &current, &mut found.diagnostics) {
        let home = homes.get(&manifest.target).copied();
        // A folder that another target took over is not ours to empty: that target says so.
        let taken = current.contains(folder.as_str()) && home.is_none();
        let at_home = home.is_some_and(|home| home == folder || files.same(home, &folder));
        if manifest.fleet != fleet.meta.name || at_home {
            continue;
        }
        if taken {
            found.renamed.insert(folder, manifest.target);
            continue;
        }
        match &manifest.directory {
            // `compile` wrote it.
            None => {}
            Some(written) if *written == folder => {
                by_target.entry(manifest.target.clone()).or_default().insert(folder, manifest);
            }
            // Another name of the same folder.
            Some(written) if files.same(written, &folder) => {}
            Some(_) => found.diagnostics.push(copy(&manifest, &folder)),
        }
    }
    for (address, mut folders) in by_target {
        let home = homes.get(&address).copied();
        let state = home.map(|home| state_of(home, &address, files));
        // Where a move was interrupted, the folder that it came from is known to the one that it went to.
        let left: BTreeSet<String> = folders
            .values()
            .filter_map(|manifest| manifest.moved_from.clone())
            .chain(match &state {
                Some(Home::Here { from: Some(from) }) => Some(from.clone()),
                _ => None,
            })
            .collect();
        let comes_from = |folder: &str| folders.get(folder).and_then(|it| it.moved_from.clone());
        let back: BTreeSet<String> =
            folders.keys().filter(|folder| leads(folder, home, &comes_from)).cloned().collect();
        folders.retain(|folder, _| !left.contains(folder));
        let names: Vec<&String> = folders.keys().collect();
        match (state, names.as_slice()) {
            (_, []) | (Some(Home::Taken), _) => {}
            (Some(Home::Empty), [folder]) => {
                found.moved.insert(address, (*folder).clone());
            }
            (None, [folder]) => match Target::gone(&address, folder) {
                Some(target) => found.gone.push(target),
                None => found.diagnostics.push(unknown_kind(&address, folder)),
            },
            // On its way from here, and taken back.
            (Some(Home::Here { .. }), [folder]) if back.contains(*folder) => {
                found.moved.insert(address, (*folder).clone());
            }
            (Some(Home::Here { .. }), names) => {
                found.diagnostics.extend(names.iter().map(|folder| second(&address, home, folder)));
            }
            (_, names) => found.diagnostics.push(ambiguous(&address, names)),
        }
    }
    found
}

/// Whether the moves that ended in a folder, one after the other interrupted, began at home.
fn leads(folder: &str, home: Option<&str>, comes_from: &dyn Fn(&str) -> Option<String>) -> bool {
    let mut at = folder.to_owned();
    for _ in 0..MOST_MOVES {
        match comes_from(&at) {
            Some(from) if Some(from.as_str()) == home => return true,
            Some(from) => at = from,
            None => return false,
        }
    }
    false
}

/// Folders below `out` that `compile` wrote for targets that the fleet has no more.
#[must_use]
pub fn gone_from(fleet: &Fleet, out: &dyn Files) -> Vec<Target> {
    let mut gone = Vec::new();
    for (kind, _) in folders_in(out, "") {
        for (name, _) in folders_in(out, &kind) {
            let folder = join(&kind, &name);
            let Ok(Some(manifest)) = manifest(&folder, false, out) else { continue };
            let place = manifest.target.as_str().strip_prefix("target.").unwrap_or_default();
            // What is applied goes by a plan.
            if manifest.directory.is_none()
                && manifest.fleet == fleet.meta.name
                && place.replacen('.', "/", 1) == folder
                && !fleet.targets.contains_key(&manifest.target)
            {
                gone.extend(Target::gone(&manifest.target, &folder));
            }
        }
    }
    gone
}

/// Folders in a folder; of one that cannot be read, none.
fn folders_in(files: &dyn Files, folder: &str) -> Vec<(String, EntryKind)> {
    let all = files.list(folder).unwrap_or_default();
    all.into_iter().filter(|(_, kind)| *kind == EntryKind::Folder).collect()
}

/// Every manifest below the root, with its folder. Hidden folders are left out, and links are looked at and followed
/// only where targets live: around the folders of targets, and in `live`. These are looked into first.
fn walk(
    files: &dyn Files,
    current: &BTreeSet<&str>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(String, Manifest)> {
    let near: BTreeSet<&str> = current.iter().flat_map(|folder| parents(folder)).chain([DEFAULT]).collect();
    let mut all = Vec::new();
    let mut open: VecDeque<String> = near.iter().map(|folder| (*folder).to_owned()).collect();
    open.push_back(String::new());
    let mut looked: BTreeSet<String> = BTreeSet::new();
    while let Some(folder) = open.pop_front() {
        if looked.contains(&folder) {
            continue;
        }
        if looked.len() >= MOST_FOLDERS {
            diagnostics.push(too_many());
            break;
        }
        let entries = match files.list(&folder) {
            Ok(entries) => entries,
            Err(error) if matches!(error.kind, FileErrorKind::NotFound | FileErrorKind::WrongKind) => {
                continue;
            }
            // The root was read before; a target's own folder is told of by its target.
            Err(_) if current.contains(folder.as_str()) => continue,
            Err(error) => {
                diagnostics.push(unread(&folder, &error.message));
                continue;
            }
        };
        looked.insert(folder.clone());
        if !folder.is_empty() && entries.iter().any(|(name, _)| name.ends_with(ENDING)) {
            continue;
        }
        for (name, kind) in entries {
            if name.starts_with('.') || !matches!(kind, EntryKind::Folder | EntryKind::Symlink) {
                continue;
            }
            let inside = join(&folder, &name);
            match manifest(&inside, near.contains(folder.as_str()), files) {
                Ok(Some(manifest)) => all.push((inside.clone(), manifest)),
                Ok(None) => {}
                Err(_) if current.contains(inside.as_str()) => {}
                Err(error) => diagnostics.push(*error),
            }
            if kind == EntryKind::Folder {
                open.push_back(inside);
            }
        }
    }
    all
}

/// The manifest of a folder, if one stands in it. `near`: where targets live, an empty one is ours too.
fn manifest(folder: &str, near: bool, files: &dyn Files) -> Result<Option<Manifest>, Box<Diagnostic>> {
    let place = join(folder, MANIFEST);
    match files.kind(&place) {
        Ok(Some(EntryKind::File)) => {}
        Ok(_) => return Ok(None),
        // The folder may be listed and not entered.
        Err(error) => return Err(Box::new(unread(folder, &error.message))),
    }
    let bytes =
        files.read(&place, MANIFEST_LIMIT).map_err(|error| Box::new(damaged(folder, &error.into())))?;
    match Manifest::decode(&bytes, &place) {
        // Other programs may call a file of theirs so.
        Err(_) if !looks_like_ours(&bytes, near) => Ok(None),
        decoded => decoded.map(Some).map_err(|error| Box::new(damaged(folder, &error))),
    }
}

/// Whether bytes are, or may be the rest of, a manifest of ours.
fn looks_like_ours(bytes: &[u8], near: bool) -> bool {
    let text = String::from_utf8_lossy(bytes);
    (near && text.trim().is_empty()) || ["poolwright", "\"target."].iter().any(|mark| text.contains(mark))
}

/// What the folder that a target is in now says of it.
enum Home {
    /// It has no manifest: the target was never here.
    Empty,
    /// The target is here, and may be on its way from another folder.
    Here { from: Option<String> },
    /// Another target is, or it cannot be told; comparing the target says so.
    Taken,
}

fn state_of(home: &str, address: &Address, files: &dyn Files) -> Home {
    match manifest(home, true, files) {
        Ok(None) => Home::Empty,
        Ok(Some(manifest)) if manifest.target == *address => {
            let by_hand = manifest.directory.filter(|written| written != home);
            Home::Here { from: manifest.moved_from.filter(|from| from != home).or(by_hand) }
        }
        _ => Home::Taken,
    }
}

const ALONE: &str = "neither plan nor apply touches it, and what reads it still runs its objects";

fn copy(manifest: &Manifest, folder: &str) -> Diagnostic {
    let written = manifest.directory.as_deref().unwrap_or_default();
    left_alone(folder, format!("`{folder}` is a copy of `{written}`, the folder of {}", manifest.target))
}

fn second(address: &Address, home: Option<&str>, folder: &str) -> Diagnostic {
    let home = home.unwrap_or_default();
    left_alone(folder, format!("`{folder}` was the folder of {address}, which is in `{home}`"))
}

fn left_alone(folder: &str, message: String) -> Diagnostic {
    Diagnostic::warning(codes::LEFT_OVER, message)
        .with_note(ALONE)
        .with_help(format!("delete `{folder}` once nothing reads it"))
}

fn ambiguous(address: &Address, folders: &[&String]) -> Diagnostic {
    let named: Vec<String> = folders.iter().map(|folder| format!("`{folder}`")).collect();
    Diagnostic::error(
        codes::LEFT_OVER,
        format!("{} each say that they are the folder of {address}", named.join(" and ")),
    )
    .with_note("which of them counts cannot be told, and protection would be lost with the other")
    .with_help("move away those that nothing reads")
}

fn unknown_kind(address: &Address, folder: &str) -> Diagnostic {
    Diagnostic::warning(
        codes::LEFT_OVER,
        format!("`{folder}` is left over: the fleet has no {address} any more, and this version knows no such kind"),
    )
    .with_note(ALONE)
    .with_help("use the version of Poolwright that wrote it; or delete the folder once nothing reads it")
}

fn damaged(folder: &str, error: &TargetError) -> Diagnostic {
    let mut made = error.to_diagnostic();
    made.code = poolwright_target::codes::DAMAGED_MANIFEST;
    made.notes.push(format!("`{folder}` may be the former folder of a target, with protected objects in it"));
    made.helps = vec![
        "bring the manifest back from Git".to_owned(),
        format!("or, if nothing reads `{folder}` and nothing in it must stay, delete the folder"),
    ];
    made
}

fn unread(folder: &str, why: &str) -> Diagnostic {
    Diagnostic::warning(codes::LEFT_OVER, format!("`{folder}` cannot be looked into: {why}"))
        .with_note("if a target of this fleet was in it, nothing of it is removed")
        .with_help("let the user who runs Poolwright read it, or move it out of the fleet's folder")
}

fn too_many() -> Diagnostic {
    Diagnostic::warning(
        codes::LEFT_OVER,
        format!("the fleet's folder has more than {MOST_FOLDERS} folders; the rest was not looked into"),
    )
    .with_note("a target's former folder among the rest is not found, and nothing of it is removed")
    .with_help("give the fleet a folder of its own")
}
