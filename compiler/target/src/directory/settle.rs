//! What is left when all objects are as wanted: an interrupted write to finish, a folder that became another, a folder
//! of a target that is gone.
//!
//! A move survives a crash at any point: the new folder's manifest names the old one (`moved_from`) from its first
//! write until nothing of ours is left there, and as long as files of the new folder are pending, the old one counts.

use std::collections::BTreeSet;

use super::observe::Moving;
use super::write::Intent;
use super::{Directory, FileDifference};
use crate::backend::Batch;
use crate::error::TargetError;
use crate::manifest::{MANIFEST, STAGING};

impl Directory<'_> {
    /// Removes all that is ours from the folder of a target that is gone. Returns the paths that were removed.
    ///
    /// # Errors
    /// The folder is another's, or the disk fails.
    pub fn remove(&self) -> Result<Vec<FileDifference>, TargetError> {
        let differences = self.check(&[])?;
        self.clear()?;
        Ok(differences)
    }

    pub(super) fn settle_folder(&self, input_digest: &str) -> Result<(), TargetError> {
        let mut seen = self.seen()?;
        let interrupted = seen.leftovers || seen.manifest.as_ref().is_some_and(|it| it.pending.is_some());
        if interrupted || matches!(seen.moving, Some(Moving::Begin { .. })) {
            let observation = self.observation(&seen);
            let batch = Batch { changes: &[], observation: &observation, input_digest: Some(input_digest) };
            let (_, failures) = self.bring(&batch)?;
            if let Some(error) = failures.into_values().next() {
                return Err(error);
            }
            seen = self.seen()?;
        }
        match seen.moving {
            Some(Moving::Rest { from }) => self.finish_move(&from),
            None if self.gone => self.clear(),
            Some(Moving::Begin { .. }) | None => Ok(()),
        }
    }

    /// Removes what is ours from the old folder, then forgets that there was one.
    pub(super) fn finish_move(&self, from: &str) -> Result<(), TargetError> {
        let old = self.at(from);
        if old.state_folder() != self.state_folder() {
            if self.read_inventory()?.is_none()
                && let Some(inventory) = old.read_inventory()?
            {
                self.write_inventory(&inventory)?;
            }
            old.forget()?;
        }
        old.clear()?;
        let Some(mut manifest) = self.manifest()? else { return Ok(()) };
        manifest.moved_from = None;
        let staging = self.path(&format!("{STAGING}{:016x}", 0));
        self.files.create_folder(&staging)?;
        self.settle_manifest(&staging, &manifest)
    }

    /// Removes every file of ours, the manifest last, and the folder if nobody else keeps anything in it.
    fn clear(&self) -> Result<(), TargetError> {
        let seen = self.seen_here(self.manifest()?)?;
        let Some(manifest) = seen.manifest else { return self.remove_if_empty(self.folder) };
        let intent = Intent {
            manifest,
            exists: true,
            write: std::collections::BTreeMap::new(),
            remove: seen.digests.into_keys().collect(),
            keep: std::collections::BTreeMap::new(),
            input_digest: String::new(),
            protected: BTreeSet::new(),
        };
        if let Some(error) = self.carry_out(&intent)?.into_values().next() {
            return Err(error);
        }
        self.files.remove(&self.path(MANIFEST))?;
        self.remove_if_empty(self.folder)
    }
}
