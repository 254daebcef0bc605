//! What is left when all objects are as wanted: an interrupted write to finish, a folder that became another, a folder
//! of a target that is gone.
//!
//! A move survives a crash at any point: the new folder's manifest names the old one (`moved_from`) from its first
//! write until nothing of ours is left there, and as long as files of the new folder are pending, the old one counts.

use std::collections::{BTreeMap, BTreeSet};

use super::observe::Moving;
use super::write::Intent;
use super::{Directory, FileDifference, MOST_MOVES};
use crate::backend::Batch;
use crate::error::TargetError;
use crate::files::parents;
use crate::manifest::{MANIFEST, STAGING};

impl Directory<'_> {
    /// Removes all that is ours from the folder of a target that is gone. Returns the paths that were removed.
    ///
    /// # Errors
    /// The folder is another's, or the disk fails.
    pub fn remove(&self) -> Result<Vec<FileDifference>, TargetError> {
        let differences = self.check(&[])?;
        self.clear(false)?;
        Ok(differences)
    }

    pub(super) fn settle_folder(&self, input_digest: &str) -> Result<(), TargetError> {
        let mut seen = self.seen()?;
        let behind = seen.manifest.as_ref().is_some_and(|manifest| {
            manifest.pending.is_some()
                || manifest.input_digest != input_digest
                || (self.live && manifest.directory.is_none())
        });
        if seen.leftovers || behind || matches!(seen.moving, Some(Moving::Begin { .. })) {
            let observation = self.observation(&seen);
            let batch = Batch { changes: &[], observation: &observation, input_digest: Some(input_digest) };
            let (_, failures) = self.bring(&batch)?;
            if let Some(error) = failures.into_values().next() {
                return Err(error);
            }
            seen = self.seen()?;
        }
        if let Some(Moving::Rest { from }) = &seen.moving {
            self.finish_move(from)?;
        }
        if self.gone { self.clear(true) } else { Ok(()) }
    }

    /// Removes what is ours from the old folder, then forgets that there was one.
    pub(super) fn finish_move(&self, from: &str) -> Result<(), TargetError> {
        self.leave(from, MOST_MOVES)?;
        let Some(mut manifest) = self.manifest()? else { return Ok(()) };
        manifest.moved_from = None;
        manifest.directory = self.live.then(|| self.folder.to_owned());
        let staging = self.path(&format!("{STAGING}{:016x}", 0));
        self.files.create_folder(&staging)?;
        self.settle_manifest(&staging, &manifest)
    }

    /// Empties a folder that the target was in, after those that it was in before, if an earlier move was interrupted.
    fn leave(&self, from: &str, moves: u8) -> Result<(), TargetError> {
        let old = self.at(from);
        // Under two names it is one folder all the same.
        if self.files.same(from, self.folder) || !old.is_ours()? {
            return Ok(());
        }
        let before = old.manifest()?.and_then(|manifest| manifest.moved_from);
        if let Some(before) = before.filter(|_| moves > 0) {
            self.leave(&before, moves - 1)?;
        }
        let apart = old.state_folder() != self.state_folder();
        if apart
            && self.read_inventory()?.is_none()
            && let Some(inventory) = old.read_inventory()?
        {
            self.write_inventory(&inventory)?;
        }
        old.clear(apart)
    }

    /// Removes every file of ours, what is remembered if that is wanted, the manifest last, and the folder if nobody
    /// else keeps anything in it.
    fn clear(&self, forget: bool) -> Result<(), TargetError> {
        let seen = self.seen_here(self.manifest()?)?;
        let Some(mut manifest) = seen.manifest else { return Ok(()) };
        // What an interrupted write finished is ours until it is removed.
        for (path, digest) in &seen.digests {
            manifest.files.entry(path.clone()).or_insert_with(|| digest.clone());
        }
        let intent = Intent {
            manifest,
            exists: true,
            write: BTreeMap::new(),
            remove: seen.digests.into_keys().collect(),
            keep: BTreeMap::new(),
            input_digest: String::new(),
            protected: BTreeSet::new(),
        };
        if let Some(error) = self.carry_out(&intent)?.into_values().next() {
            return Err(error);
        }
        if forget {
            self.forget()?;
        }
        self.files.remove(&self.path(MANIFEST))?;
        self.remove_if_empty(self.folder)?;
        // Those around were made with it, unless somebody keeps something in them.
        for around in parents(self.folder) {
            if self.files.remove_folder(around).is_err() {
                break;
            }
        }
        Ok(())
    }
}
