//! Writing a folder so that a crash at any point leaves old files or new ones, never half of one, and a manifest
//! that owns all of them:
//!
//! 1. all new files go aside, into a hidden folder on the same file system, and are synced;
//! 2. the manifest becomes the old one plus what is about to come;
//! 3. each new file is renamed into its place, each old one removed;
//! 4. the manifest becomes the new one, and the hidden folder goes.
//!
//! The next run finds either the old manifest and a hidden folder to sweep, or a manifest that owns both worlds.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_model::canonical;

use super::Directory;
use crate::error::TargetError;
use crate::files::{EntryKind, FileErrorKind, join, parents};
use crate::manifest::{MANIFEST, Manifest, STAGING};

/// What a folder is to become.
pub(super) struct Intent {
    /// What the folder's manifest says now; an empty one when there is none.
    pub(super) manifest: Manifest,
    /// Whether there is one.
    pub(super) exists: bool,
    /// Files to write.
    pub(super) write: BTreeMap<String, Vec<u8>>,
    /// Files to remove.
    pub(super) remove: BTreeSet<String>,
    /// Files that are ours and stay: their digests.
    pub(super) keep: BTreeMap<String, String>,
    /// Of the new manifest.
    pub(super) input_digest: String,
    /// Of the new manifest.
    pub(super) protected: BTreeSet<String>,
}

/// Paths that could not be brought to what was intended, and why. Empty: all is done.
pub(super) type Failures = BTreeMap<String, TargetError>;

impl Directory<'_> {
    /// Carries out an intent. Nothing at all is touched when nothing would change.
    ///
    /// # Errors
    /// It was refused, or failed before any file of the folder changed.
    pub(super) fn carry_out(&self, intent: &Intent) -> Result<Failures, TargetError> {
        let old = &intent.manifest;
        let digests: BTreeMap<String, String> =
            intent.write.iter().map(|(path, bytes)| (path.clone(), canonical::digest(bytes))).collect();
        let mut new = Manifest::new(self.fleet, &self.target.meta.address);
        new.input_digest.clone_from(&intent.input_digest);
        new.protected.clone_from(&intent.protected);
        new.moved_from.clone_from(&old.moved_from);
        // What `compile` writes over stays where it is applied.
        new.directory = if self.live { Some(self.folder.to_owned()) } else { old.directory.clone() };
        new.files =
            intent.keep.iter().chain(&digests).map(|(path, digest)| (path.clone(), digest.clone())).collect();
        if intent.exists && intent.write.is_empty() && intent.remove.is_empty() && new == *old {
            self.sweep()?;
            return Ok(Failures::new());
        }
        self.refuse_conflicts(intent)?;
        self.files.create_folder(self.folder)?;
        self.sweep()?;

        let new_bytes = new.encode();
        let mark: String = canonical::digest(&new_bytes).chars().skip("sha256:".len()).take(16).collect();
        let staging = self.path(&format!("{STAGING}{mark}"));
        let moves = intent.write.keys().enumerate().map(|(index, path)| (path.clone(), index));
        let moves: BTreeMap<String, String> =
            moves.map(|(path, index)| (path, join(&staging, &index.to_string()))).collect();
        let union = Manifest { pending: Some(digests.clone()), ..old.clone() };
        // A folder where files are only kept, or forgotten, has no state in between.
        let between = !(intent.write.is_empty() && intent.remove.is_empty());
        if let Err(error) = self.stage(&staging, intent, &moves, between.then_some(&union)) {
            // Best effort: what cannot be swept now is swept by the next run.
            let _ = self.sweep();
            return Err(error);
        }

        let mut failures = Failures::new();
        let ours = old.files.keys().chain(old.pending.iter().flat_map(BTreeMap::keys));
        let vanished: Vec<String> = ours.filter(|path| !new.files.contains_key(*path)).cloned().collect();
        if between {
            let early = early_removals(intent);
            self.remove_all(early.iter().copied(), &mut failures);
            self.prune(&vanished);
            let mut touched: BTreeSet<String> = BTreeSet::new();
            for (path, aside) in &moves {
                match self.put(path, aside) {
                    Ok(()) => touched.extend(parents(path).map(str::to_owned)),
                    Err(error) => {
                        failures.insert(path.clone(), error);
                    }
                }
            }
            let rest = intent.remove.iter().map(String::as_str).filter(|path| !early.contains(path));
            self.remove_all(rest, &mut failures);
            let touched: Vec<String> = touched.iter().map(|folder| self.path(folder)).collect();
            self.files.sync_all(&touched.iter().map(String::as_str).collect::<Vec<_>>())?;
            self.files.sync(self.folder)?;
        }
        self.prune(&vanished);
        // What failed is as it was: owned if it was owned, with the old digest.
        for path in failures.keys() {
            match old.files.get(path) {
                Some(digest) => new.files.insert(path.clone(), digest.clone()),
                None => new.files.remove(path),
            };
        }
        if !failures.is_empty() {
            new.input_digest.clone_from(&old.input_digest);
            // Until all of them are here, the files of a moving target are where they were.
            if new.moved_from.is_some() {
                new.pending =
                    Some(digests.into_iter().filter(|(path, _)| failures.contains_key(path)).collect());
            }
        }
        self.settle_manifest(&staging, &new)?;
        Ok(failures)
    }

    /// Hidden folders that an interrupted write left, by names that only we give.
    pub(super) fn leftovers(&self) -> Result<Vec<String>, TargetError> {
        let ours = |name: &str| {
            name.strip_prefix(STAGING)
                .is_some_and(|mark| mark.len() == 16 && mark.bytes().all(|b| b.is_ascii_hexdigit()))
        };
        let mut all = Vec::new();
        for (name, kind) in self.files.list(self.folder)? {
            if kind != EntryKind::Folder || !ours(&name) {
                continue;
            }
            // With nothing but somebody else's files in it, it is swept.
            let inside = self.files.list(&self.path(&name))?;
            if inside.is_empty() || inside.iter().any(|(file, _)| staged(file)) {
                all.push(name);
            }
        }
        Ok(all)
    }

    /// Removes the leftovers, and of their files only those that we put there.
    fn sweep(&self) -> Result<(), TargetError> {
        for name in self.leftovers()? {
            self.sweep_folder(&self.path(&name))?;
        }
        Ok(())
    }

    fn sweep_folder(&self, staging: &str) -> Result<(), TargetError> {
        for (file, kind) in self.files.list(staging)? {
            if staged(&file) && kind == EntryKind::File {
                self.files.remove(&join(staging, &file))?;
            }
        }
        self.remove_if_empty(staging)
    }

    fn stage(
        &self,
        staging: &str,
        intent: &Intent,
        moves: &BTreeMap<String, String>,
        union: Option<&Manifest>,
    ) -> Result<(), TargetError> {
        self.files.create_folder(staging)?;
        for (path, bytes) in &intent.write {
            if let Some(aside) = moves.get(path) {
                self.files.write(aside, bytes)?;
            }
        }
        // After all are written: the disk takes them together.
        self.files.sync_all(&moves.values().map(String::as_str).collect::<Vec<_>>())?;
        if let Some(union) = union {
            self.put_manifest(staging, union)?;
        }
        Ok(())
    }

    fn put_manifest(&self, staging: &str, manifest: &Manifest) -> Result<(), TargetError> {
        let aside = join(staging, MANIFEST);
        self.files.write(&aside, &manifest.encode())?;
        self.files.sync(&aside)?;
        self.files.rename(&aside, &self.path(MANIFEST))?;
        self.files.sync(self.folder)?;
        Ok(())
    }

    fn put(&self, path: &str, aside: &str) -> Result<(), TargetError> {
        let place = self.path(path);
        if let Some(folder) = parents(path).next() {
            self.files.create_folder(&self.path(folder))?;
        }
        Ok(self.files.rename(aside, &place)?)
    }

    fn remove_all<'p>(&self, paths: impl Iterator<Item = &'p str>, failures: &mut Failures) {
        for path in paths {
            match self.files.remove(&self.path(path)) {
                Ok(()) => {}
                Err(error) if error.kind == FileErrorKind::NotFound => {}
                Err(error) => {
                    failures.insert(path.to_owned(), error.into());
                }
            }
        }
    }

    /// Removes the folders that are empty because files of ours are gone, also those gone in an earlier run.
    fn prune(&self, gone: &[String]) {
        let around = gone.iter().flat_map(|path| parents(path));
        let deepest: BTreeSet<(usize, &str)> =
            around.map(|folder| (folder.matches('/').count(), folder)).collect();
        // Deepest first. One that is not empty stays, and that is no fault.
        for (_, folder) in deepest.iter().rev() {
            let _ = self.files.remove_folder(&self.path(folder));
        }
    }

    pub(super) fn settle_manifest(&self, staging: &str, new: &Manifest) -> Result<(), TargetError> {
        self.put_manifest(staging, new)?;
        self.sweep_folder(staging)
    }
}

/// Whether a write puts a file of this name aside.
fn staged(file: &str) -> bool {
    file == MANIFEST || file.bytes().all(|b| b.is_ascii_digit())
}

/// Removals that make room: a file where a folder is to be, or files in a folder where a file is to be.
fn early_removals(intent: &Intent) -> BTreeSet<&str> {
    let around: BTreeSet<&str> = intent.write.keys().flat_map(|path| parents(path)).collect();
    let early = intent.remove.iter().map(String::as_str).filter(|gone| {
        around.contains(gone) || parents(gone).any(|folder| intent.write.contains_key(folder))
    });
    early.collect()
}
