//! What stands where files of ours are to be and is not ours: found for a plan, refused by a write.

use std::collections::BTreeSet;

use poolwright_model::resource::Observed;
use poolwright_model::{Resource, canonical};

use super::observe::Folders;
use super::write::Intent;
use super::{Directory, FILE_LIMIT};
use crate::backend::Obstacle;
use crate::codes;
use crate::error::{ErrorClass, TargetError};
use crate::files::EntryKind;

/// Something in the way of a file of ours.
struct InTheWay {
    /// The file.
    path: String,
    /// What stands at it, or around it.
    at: String,
    kind: EntryKind,
}

impl Directory<'_> {
    /// Everything that stands where an intent would write and is not ours.
    fn in_the_way(&self, intent: &Intent) -> Result<Vec<InTheWay>, TargetError> {
        let mut folders = Folders::new(self.files, self.folder);
        let mut all = Vec::new();
        for path in intent.write.keys() {
            match folders.obstacle(path)? {
                // A file of ours that goes makes room for a folder.
                Some((at, Some(EntryKind::File))) if intent.remove.contains(&at) => continue,
                Some((at, Some(kind))) => {
                    all.push(InTheWay { path: path.clone(), at, kind });
                    continue;
                }
                Some((_, None)) => continue,
                None => {}
            }
            let owned = intent.manifest.files.contains_key(path) || intent.keep.contains_key(path);
            match self.files.kind(&self.path(path))? {
                None => {}
                Some(EntryKind::File) if owned || self.pending_is_ours(intent, path)? => {}
                Some(EntryKind::Folder) if goes_below(intent, path) => {}
                Some(kind) => all.push(InTheWay { path: path.clone(), at: path.clone(), kind }),
            }
        }
        Ok(all)
    }

    /// What a plan says of the files that these objects need and that are not in the manifest yet.
    pub(super) fn find_obstacles(&self, wanted: &[Resource]) -> Result<Vec<Obstacle>, TargetError> {
        if self.files.kind(self.folder)?.is_none() {
            return Ok(Vec::new());
        }
        let manifest = self.manifest()?;
        let exists = manifest.is_some();
        let manifest = manifest.unwrap_or_else(|| self.new_manifest());
        let rendered = self.render(wanted)?;
        let keep = manifest.files.clone();
        // What is ours and not wanted goes, and makes room.
        let remove = keep.keys().filter(|path| !rendered.contains_key(*path)).cloned().collect();
        let write = rendered.into_iter().filter(|(path, _)| !keep.contains_key(path)).collect();
        let intent = Intent {
            manifest,
            exists,
            write,
            remove,
            keep,
            input_digest: String::new(),
            protected: BTreeSet::new(),
        };
        let mut all: Vec<(Obstacle, BTreeSet<String>)> = Vec::new();
        for InTheWay { path, at, kind } in self.in_the_way(&intent)? {
            let place = self.path(&at);
            match all.iter_mut().find(|(known, _)| known.place == place) {
                Some((_, paths)) => {
                    paths.insert(path);
                }
                None => {
                    let obstacle = Obstacle { place, what: kind.as_str(), needed_by: Vec::new() };
                    all.push((obstacle, BTreeSet::from([path])));
                }
            }
        }
        if !all.is_empty() {
            for resource in wanted {
                let held: BTreeSet<String> = self.paths(&as_found(resource)).into_iter().collect();
                for (obstacle, _) in all.iter_mut().filter(|(_, paths)| !paths.is_disjoint(&held)) {
                    obstacle.needed_by.push(resource.address.clone());
                }
            }
        }
        Ok(all.into_iter().map(|(obstacle, _)| obstacle).collect())
    }

    /// Refuses a write where anything is in its way.
    pub(super) fn refuse_conflicts(&self, intent: &Intent) -> Result<(), TargetError> {
        let all = self.in_the_way(intent)?;
        if let Some(link) = all.iter().find(|it| it.kind == EntryKind::Symlink) {
            return Err(self.symlink(&link.at));
        }
        let foreign: Vec<String> = all
            .iter()
            .map(|it| {
                let around = if it.at == it.path { "" } else { " is in the way" };
                format!("{}: {}{around}", self.path(&it.at), it.kind.as_str())
            })
            .collect();
        let Some(first) = foreign.first() else { return Ok(()) };
        let count = foreign.len();
        let more = if count > 1 { format!(" and {} more", count - 1) } else { String::new() };
        let mut error = TargetError::new(
            ErrorClass::Conflict,
            codes::UNOWNED_PATH,
            format!("{} has files that Poolwright did not write: {first}{more}", self.folder),
        )
        .with_help("move these files away, or give the target a folder of its own; Poolwright touches only what its manifest names");
        error.notes = foreign;
        Err(error)
    }

    /// Whether the file at a path is the one that an interrupted write put there.
    fn pending_is_ours(&self, intent: &Intent, path: &str) -> Result<bool, TargetError> {
        let Some(expected) = intent.manifest.pending.as_ref().and_then(|pending| pending.get(path)) else {
            return Ok(false);
        };
        let found = self.files.read(&self.path(path), FILE_LIMIT)?;
        Ok(canonical::digest(&found) == *expected)
    }
}

/// A wanted object as it would be found.
fn as_found(resource: &Resource) -> Observed {
    Observed {
        address: resource.address.clone(),
        kind: resource.kind.clone(),
        identity: resource.identity.clone(),
        body: resource.body.clone(),
        precondition: None,
        owned: true,
        protected: resource.protected,
    }
}

/// Whether a folder at a path is there for files of ours, so that a file may take its place once it is empty.
fn goes_below(intent: &Intent, path: &str) -> bool {
    let below = format!("{path}/");
    intent.manifest.files.range(below.clone()..).next().is_some_and(|(ours, _)| ours.starts_with(&below))
}
