//! From objects to files: a whole target for `compile`, a batch of changes for `apply`.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_model::plan::{Action, Change};
use poolwright_model::resource::Observed;
use poolwright_model::{Resource, canonical};

use super::Directory;
use super::observe::{Moving, Seen};
use super::write::{Failures, Intent};
use crate::backend::{Backend, Batch, Batching, Observation, Obstacle};
use crate::codes;
use crate::error::{ErrorClass, TargetError};
use crate::inventory::Inventory;
use crate::manifest::{MANIFEST, Manifest, check_owned_path};
use crate::{as_resource, input_digest, ownership};

/// How a file differs from what `compile` would write.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileDifference {
    /// Its path below the folder.
    pub path: String,
    /// `missing`, `changed`, `left over`.
    pub what: &'static str,
}

impl Directory<'_> {
    /// Writes the files of a whole target and removes those of ours that are no longer wanted. Returns the paths
    /// that changed; none: nothing was touched.
    ///
    /// # Errors
    /// The folder is another's, a file is in the way, or the disk fails.
    pub fn compile(&self, resources: &[Resource]) -> Result<Vec<FileDifference>, TargetError> {
        let seen = self.seen()?;
        let rendered = self.render(resources)?;
        let protected = protected(resources);
        let differences = differences(&seen, &rendered, &protected);
        let intent = self.intent(&seen, rendered, &|_| true, input_digest(resources), protected);
        let failures = self.carry(&seen, intent)?;
        match failures.into_values().next() {
            None => Ok(differences),
            Some(error) => Err(error),
        }
    }

    /// What [`Directory::compile`] would change. Writes nothing.
    ///
    /// # Errors
    /// The folder is another's or cannot be read.
    pub fn check(&self, resources: &[Resource]) -> Result<Vec<FileDifference>, TargetError> {
        let seen = self.seen()?;
        Ok(differences(&seen, &self.render(resources)?, &protected(resources)))
    }

    /// The files of objects by path; two objects that want one file are refused.
    pub(super) fn render(&self, resources: &[Resource]) -> Result<BTreeMap<String, Vec<u8>>, TargetError> {
        let mut all: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        let mut shared = BTreeSet::new();
        for file in self.kind.to_files(self.target, self.fleet, resources) {
            check_owned_path(&file.path).map_err(|why| {
                TargetError::new(
                    ErrorClass::Invalid,
                    codes::BAD_PATH,
                    format!(
                        "{} would write {:?} in {}: {why}",
                        self.target.meta.address, file.path, self.folder
                    ),
                )
            })?;
            if all.get(&file.path).is_some_and(|contents| *contents != file.contents) {
                shared.insert(file.path.clone());
            }
            all.insert(file.path, file.contents);
        }
        if let Some(first) = shared.first() {
            let mut error = TargetError::new(
                ErrorClass::Invalid,
                codes::SHARED_FILE,
                format!("two objects of {} want the file {first}", self.target.meta.address),
            )
            .with_help("give one of them another name");
            error.notes = shared.into_iter().collect();
            return Err(error);
        }
        Ok(all)
    }

    /// `touched` says which files are brought to what is rendered; the others stay as they are.
    fn intent(
        &self,
        seen: &Seen,
        rendered: BTreeMap<String, Vec<u8>>,
        touched: &dyn Fn(&str) -> bool,
        input_digest: String,
        protected: BTreeSet<String>,
    ) -> Intent {
        if let Some(Moving::Begin { from, here }) = &seen.moving {
            // Everything is written anew where the target is now.
            let mut intent = self.intent(here, rendered, &|_| true, input_digest, protected);
            intent.manifest.moved_from = Some(from.clone());
            intent.manifest.protected = seen.protected();
            // The manifest has to say so, also where every file is right already.
            intent.exists = false;
            return intent;
        }
        let exists = seen.manifest.is_some();
        let mut manifest = seen.manifest.clone().unwrap_or_else(|| self.new_manifest());
        // What an interrupted write finished is ours from here on, also if this one is interrupted.
        for (path, digest) in &seen.digests {
            manifest.files.entry(path.clone()).or_insert_with(|| digest.clone());
        }
        let mut keep = BTreeMap::new();
        let mut remove = BTreeSet::new();
        for (path, found) in &seen.digests {
            let same = rendered.get(path).is_some_and(|contents| canonical::digest(contents) == *found);
            if same {
                keep.insert(path.clone(), found.clone());
            } else if !touched(path) {
                // What an interrupted write put there is as it was written; somebody's edit of a file that we leave
                // alone stays visible as drift.
                let written = manifest.pending.as_ref().and_then(|pending| pending.get(path)) == Some(found);
                let recorded = manifest.files.get(path).filter(|_| !written);
                keep.insert(path.clone(), recorded.unwrap_or(found).clone());
            } else if !rendered.contains_key(path) {
                remove.insert(path.clone());
            }
        }
        let write =
            rendered.into_iter().filter(|(path, _)| touched(path) && !keep.contains_key(path)).collect();
        Intent { manifest, exists, write, remove, keep, input_digest, protected }
    }

    /// The manifest of a folder that has none.
    pub(super) fn new_manifest(&self) -> Manifest {
        let directory = self.live.then(|| self.folder.to_owned());
        Manifest { directory, ..Manifest::new(self.fleet, &self.target.meta.address) }
    }

    /// Every path that an object is, or will be, held by.
    pub(super) fn paths(&self, object: &Observed) -> Vec<String> {
        self.kind.files_of(self.target, object)
    }

    /// An old folder is emptied before the new one changes again: an interrupted write would make the old one count.
    fn carry(&self, seen: &Seen, mut intent: Intent) -> Result<Failures, TargetError> {
        if let Some(Moving::Rest { from }) = &seen.moving {
            self.finish_move(from)?;
            intent.manifest.moved_from = None;
        }
        self.carry_out(&intent)
    }

    /// Brings the folder to where a batch wants it: for each change the files that hold its object, and the files
    /// that could not be written.
    pub(super) fn bring(&self, batch: &Batch<'_>) -> Result<(Vec<BTreeSet<String>>, Failures), TargetError> {
        let seen = self.seen()?;
        if self.gone && seen.manifest.is_none() {
            // It went before: nothing is left to remove.
            return Ok((batch.changes.iter().map(|_| BTreeSet::new()).collect(), Failures::new()));
        }
        let found: BTreeMap<&str, &Observed> =
            batch.observation.objects.iter().map(|object| (object.address.as_str(), object)).collect();
        let mut objects: BTreeMap<&str, Resource> =
            found.iter().map(|(address, object)| (*address, as_resource(self.target, object))).collect();
        let old_digest =
            seen.manifest.as_ref().map(|manifest| manifest.input_digest.clone()).unwrap_or_default();
        let input_digest = batch.input_digest.map_or(old_digest, str::to_owned);
        let all_before: Vec<Resource> = objects.values().cloned().collect();
        let before = self.render(&all_before)?;
        drop(all_before);

        let mut protected = seen.protected();
        let mut held: Vec<BTreeSet<String>> = Vec::with_capacity(batch.changes.len());
        for change in batch.changes {
            let there = found.get(change.address.as_str());
            let mut paths: BTreeSet<String> =
                there.into_iter().flat_map(|object| self.paths(object)).collect();
            let drift =
                batch.observation.drift.iter().filter(|file| file.made_from.contains(&change.address));
            paths.extend(drift.map(|file| file.path.clone()));
            if change.protects() {
                protected.insert(change.address.clone());
            } else {
                protected.remove(&change.address);
            }
            match body_to_write(change, there.copied()) {
                None => {
                    objects.remove(change.address.as_str());
                }
                Some(body) => {
                    let after = Observed {
                        address: change.address.clone(),
                        kind: change.kind.clone(),
                        identity: change.identity.clone(),
                        body,
                        precondition: None,
                        owned: true,
                        protected: false,
                    };
                    paths.extend(self.paths(&after));
                    objects.insert(&change.address, as_resource(self.target, &after));
                }
            }
            held.push(paths);
        }
        // Of an object that cannot be read it is still known that it is protected.
        if batch.observation.faults.is_empty() {
            protected.retain(|address| objects.contains_key(address.as_str()));
        }
        let objects: Vec<Resource> = objects.into_values().collect();
        let rendered = self.render(&objects)?;
        // A file is touched when this batch changes what is rendered into it; an object may reach into files
        // that do not hold it.
        let mut touched: BTreeSet<&str> = held.iter().flatten().map(String::as_str).collect();
        let changed = |path: &&String| before.get(*path) != rendered.get(*path);
        let reached: BTreeSet<String> =
            before.keys().chain(rendered.keys()).filter(changed).cloned().collect();
        touched.extend(reached.iter().map(String::as_str));
        let unfinished = self.unfinished(&seen, &rendered);
        touched.extend(unfinished.iter().map(String::as_str));
        // Nothing of ours stays where the target is no more.
        let leaves = seen.moving.is_some() || (self.gone && objects.is_empty());
        if leaves {
            touched.extend(seen.digests.keys().map(String::as_str));
        }
        self.refuse_moved_on(&seen, batch.observation, &touched)?;

        let intent = self.intent(&seen, rendered, &|path| touched.contains(path), input_digest, protected);
        Ok((held, self.carry(&seen, intent)?))
    }

    /// Files that an interrupted write did not bring to where it wanted them, and that no object speaks for.
    fn unfinished(&self, seen: &Seen, rendered: &BTreeMap<String, Vec<u8>>) -> BTreeSet<String> {
        let Some(pending) = seen.manifest.as_ref().and_then(|manifest| manifest.pending.as_ref()) else {
            return BTreeSet::new();
        };
        let unwritten = pending.iter().filter(|(path, digest)| seen.digests.get(*path) != Some(*digest));
        let unremoved =
            seen.files.iter().filter(|file| !rendered.contains_key(&file.path) && self.is_bare(file));
        unwritten.map(|(path, _)| path.clone()).chain(unremoved.map(|file| file.path.clone())).collect()
    }

    /// Files that this batch writes must be what the plan was checked against.
    fn refuse_moved_on(
        &self,
        seen: &Seen,
        observation: &Observation,
        touched: &BTreeSet<&str>,
    ) -> Result<(), TargetError> {
        let moved = touched.iter().filter(|path| seen.digests.get(**path) != observation.files.get(**path));
        let moved: Vec<String> = moved.map(|path| self.path(path)).collect();
        let Some(first) = moved.first() else { return Ok(()) };
        let mut error = TargetError::new(
            ErrorClass::Conflict,
            codes::FILE_MOVED_ON,
            format!("{first} changed while the plan was being applied; nothing was written"),
        )
        .with_help("plan again");
        error.notes = moved;
        Err(error)
    }
}

/// What a change writes; none: it removes.
fn body_to_write(change: &Change, before: Option<&Observed>) -> Option<serde_json::Value> {
    let wanted = change.body.as_ref();
    match (change.action, before) {
        (Action::Delete, _) => None,
        (Action::Update | Action::Adopt, Some(before)) => {
            wanted.map(|body| ownership::keep_theirs(body, &before.body, &change.ownership))
        }
        // Not ours to decide: what is there stays.
        (Action::NoOp | Action::Unknown | Action::Forget, before) => before.map(|object| object.body.clone()),
        _ => wanted.map(|body| ownership::at_creation(body, &change.ownership)),
    }
}

fn protected(resources: &[Resource]) -> BTreeSet<String> {
    resources.iter().filter(|it| it.protected).map(|it| it.address.clone()).collect()
}

fn differences(
    seen: &Seen,
    rendered: &BTreeMap<String, Vec<u8>>,
    protected: &BTreeSet<String>,
) -> Vec<FileDifference> {
    let mut all = Vec::new();
    // What is protected is in no file of some kinds, and in the manifest for all of them.
    if seen.manifest.is_some() && seen.protected() != *protected {
        all.push(FileDifference { path: MANIFEST.to_owned(), what: "changed" });
    }
    for (path, contents) in rendered {
        match seen.digests.get(path) {
            None => all.push(FileDifference { path: path.clone(), what: "missing" }),
            Some(found) if *found != canonical::digest(contents) => {
                all.push(FileDifference { path: path.clone(), what: "changed" });
            }
            Some(_) => {}
        }
    }
    for path in seen.digests.keys().filter(|path| !rendered.contains_key(*path)) {
        all.push(FileDifference { path: path.clone(), what: "left over" });
    }
    all.sort();
    all
}

impl Backend for Directory<'_> {
    fn identity(&self) -> String {
        self.folder.to_owned()
    }

    fn observe(&self) -> Result<Observation, TargetError> {
        let seen = self.seen()?;
        Ok(self.observation(&seen))
    }

    fn obstacles(&self, wanted: &[Resource]) -> Result<Vec<Obstacle>, TargetError> {
        self.find_obstacles(wanted)
    }

    fn batching(&self) -> Batching {
        Batching::Whole
    }

    fn apply(&self, batch: Batch<'_>) -> Vec<Result<(), TargetError>> {
        let (held, failures) = match self.bring(&batch) {
            Ok(brought) => brought,
            Err(error) => return batch.changes.iter().map(|_| Err(error.clone())).collect(),
        };
        // A failed file that holds none of the objects alone concerns them all.
        let common = failures.iter().find(|(path, _)| !held.iter().any(|paths| paths.contains(*path)));
        let outcome = |paths: &BTreeSet<String>| {
            let own = failures.iter().find(|(path, _)| paths.contains(*path));
            own.or(common).map_or(Ok(()), |(_, error)| Err(error.clone()))
        };
        held.iter().map(outcome).collect()
    }

    fn settle(&self, input_digest: &str) -> Result<(), TargetError> {
        self.settle_folder(input_digest)
    }

    fn inventory(&self) -> Result<Option<Inventory>, TargetError> {
        if let Some(own) = self.read_inventory()? {
            return Ok(Some(own));
        }
        let moved = self.manifest()?.and_then(|manifest| manifest.moved_from);
        match self.former.or(moved.as_deref()) {
            Some(former) => self.at(former).read_inventory(),
            None => Ok(None),
        }
    }

    fn record(&self, inventory: &Inventory) -> Result<(), TargetError> {
        // With the folder went what was remembered of it.
        if self.gone && inventory.objects.is_empty() { Ok(()) } else { self.write_inventory(inventory) }
    }
}
