//! Reading a folder: the manifest, then exactly the files that it names, each once.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_model::canonical;
use poolwright_model::plan::Settle;
use poolwright_model::resource::File;

use super::{Directory, FILE_LIMIT, MOST_MOVES};
use crate::as_resource;
use crate::backend::{FileDrift, Observation};
use crate::codes;
use crate::error::{ErrorClass, TargetError};
use crate::files::{EntryKind, FileErrorKind, Files, join, parents};
use crate::manifest::{MANIFEST, MANIFEST_LIMIT, Manifest};

/// Folders of which it is known what they are, so that each is looked at once.
pub(super) struct Folders<'a> {
    files: &'a dyn Files,
    root: &'a str,
    known: BTreeMap<String, Option<EntryKind>>,
}

impl<'a> Folders<'a> {
    pub(super) fn new(files: &'a dyn Files, root: &'a str) -> Self {
        Self { files, root, known: BTreeMap::new() }
    }

    /// What stands at a folder's path below the root; a missing or wrong folder further up makes it missing.
    fn kind(&mut self, folder: &str) -> Result<Option<EntryKind>, TargetError> {
        if let Some(known) = self.known.get(folder) {
            return Ok(*known);
        }
        let kind = self.files.kind(&join(self.root, folder))?;
        self.known.insert(folder.to_owned(), kind);
        Ok(kind)
    }

    /// The first thing around a path, from the outside in, that is not a folder.
    pub(super) fn obstacle(
        &mut self,
        path: &str,
    ) -> Result<Option<(String, Option<EntryKind>)>, TargetError> {
        let mut around: Vec<&str> = parents(path).collect();
        around.reverse();
        for folder in around {
            let kind = self.kind(folder)?;
            if kind != Some(EntryKind::Folder) {
                return Ok(Some((folder.to_owned(), kind)));
            }
        }
        Ok(None)
    }
}

/// The files of a folder that are ours.
pub(super) struct Seen {
    /// The manifest; none: nothing is ours.
    pub(super) manifest: Option<Manifest>,
    /// Our files that are there, sorted.
    pub(super) files: Vec<File>,
    /// Their digests.
    pub(super) digests: BTreeMap<String, String>,
    /// Whether an interrupted write left something to sweep.
    pub(super) leftovers: bool,
    /// Where a move of the whole folder stands; none: there is none.
    pub(super) moving: Option<Moving>,
}

/// A target between two folders.
pub(super) enum Moving {
    /// All is in the old folder, and was read from there.
    Begin {
        /// The old folder.
        from: String,
        /// What an interrupted move left in the new one.
        here: Box<Seen>,
    },
    /// All is in the new folder; files of ours may still be in the old one.
    Rest {
        /// The old folder.
        from: String,
    },
}

impl Seen {
    /// Addresses of objects that the manifest protects.
    pub(super) fn protected(&self) -> BTreeSet<String> {
        self.manifest.as_ref().map(|manifest| manifest.protected.clone()).unwrap_or_default()
    }
}

impl Directory<'_> {
    /// The manifest, if there is one, refused when it is another fleet's or another target's.
    pub(super) fn manifest(&self) -> Result<Option<Manifest>, TargetError> {
        let place = self.path(MANIFEST);
        let mut around: Vec<&str> = std::iter::once(self.folder).chain(parents(self.folder)).collect();
        around.reverse();
        for folder in around {
            match self.files.kind(folder)? {
                None => return Ok(None),
                Some(EntryKind::Folder) => {}
                // A folder may be a link: where a fleet's folders are kept is its own business.
                Some(EntryKind::Symlink) if self.files.list(folder).is_ok() => {}
                Some(kind) => return Err(self.no_folder(folder, kind)),
            }
        }
        match self.files.kind(&place)? {
            None => return Ok(None),
            Some(EntryKind::Symlink) => return Err(self.symlink(MANIFEST)),
            Some(EntryKind::File) => {}
            Some(kind) => {
                return Err(TargetError::new(
                    ErrorClass::Conflict,
                    codes::UNOWNED_PATH,
                    format!(
                        "{place} should be the manifest of {}, and is {}",
                        self.target.meta.address,
                        kind.as_str()
                    ),
                )
                .with_help("move it away, or give the target a folder of its own"));
            }
        }
        let bytes = self.files.read(&place, MANIFEST_LIMIT)?;
        let mut manifest = Manifest::decode(&bytes, &place)?;
        // Taken back while it was under way.
        manifest.moved_from = manifest.moved_from.filter(|from| from != self.folder);
        if manifest.fleet != self.fleet || manifest.target != self.target.meta.address {
            return Err(TargetError::new(
                ErrorClass::Conflict,
                codes::FOREIGN_FOLDER,
                format!(
                    "{} belongs to {} of fleet \"{}\", not to {} of fleet \"{}\"",
                    self.folder, manifest.target, manifest.fleet, self.target.meta.address, self.fleet
                ),
            )
            .with_note(format!("{place} says so"))
            .with_help(format!("give {} a folder of its own", self.target.meta.address)));
        }
        Ok(Some(manifest))
    }

    /// Something else where the target's folder, or one around it, is to be.
    fn no_folder(&self, folder: &str, kind: EntryKind) -> TargetError {
        let of = if folder == self.folder { "the" } else { "a folder around the" };
        TargetError::new(
            ErrorClass::Invalid,
            codes::FILE_ACCESS,
            format!(
                "{folder} should be {of} folder of {}, and is {}",
                self.target.meta.address,
                kind.as_str()
            ),
        )
        .with_help(format!("move it away, or give {} another `directory`", self.target.meta.address))
    }

    pub(super) fn symlink(&self, path: &str) -> TargetError {
        TargetError::new(
            ErrorClass::Conflict,
            codes::SYMLINK,
            format!(
                "{} is a symbolic link, and Poolwright neither reads nor writes through it",
                self.path(path)
            ),
        )
        .with_help("remove the link; Poolwright then puts its own file or folder there")
    }

    /// Our files as they are: in the folder, or, until all of them are in it, in the one that they move from.
    pub(super) fn seen(&self) -> Result<Seen, TargetError> {
        self.seen_within(MOST_MOVES)
    }

    /// `moves` bounds how many interrupted moves are followed, one from the other.
    fn seen_within(&self, moves: u8) -> Result<Seen, TargetError> {
        let here = self.manifest()?;
        let Some((from, whole)) = self.origin(here.as_ref())? else { return self.seen_here(here) };
        let mut seen = self.seen_here(here)?;
        if whole {
            seen.moving = Some(Moving::Rest { from });
            return Ok(seen);
        }
        let old = self.at(&from);
        if moves == 0 || !old.is_ours()? {
            return Ok(seen);
        }
        let mut there = old.seen_within(moves - 1)?;
        there.moving = Some(Moving::Begin { from, here: Box::new(seen) });
        Ok(there)
    }

    /// The folder that the target comes from, if it comes from one, and whether all of it is here already.
    fn origin(&self, here: Option<&Manifest>) -> Result<Option<(String, bool)>, TargetError> {
        let Some(manifest) = here else { return Ok(self.former.map(|from| (from.to_owned(), false))) };
        let whole = manifest.pending.is_none();
        if let Some(from) = &manifest.moved_from {
            return Ok(Some((from.clone(), whole)));
        }
        // A move that was taken back: as long as it was not whole there, and came from here, all is here.
        if let Some(back) = self.former {
            let begun = |there: Manifest| {
                there.pending.is_some() && there.moved_from.is_some_and(|from| from == self.folder)
            };
            return Ok(Some((back.to_owned(), self.at(back).manifest()?.is_none_or(begun))));
        }
        let Some(written) = self.moved_by_hand(manifest) else { return Ok(None) };
        // A copy counts for nothing as long as what it was copied from is there.
        let copied = !self.files.same(&written, self.folder) && self.at(&written).is_ours()?;
        Ok(Some((written, whole && !copied)))
    }

    /// The folder that a manifest was written in, when somebody moved it here since.
    fn moved_by_hand(&self, manifest: &Manifest) -> Option<String> {
        let written = manifest.directory.clone().filter(|_| self.live)?;
        (written != self.folder && manifest.moved_from.is_none()).then_some(written)
    }

    /// Whether this folder holds files of this target.
    pub(super) fn is_ours(&self) -> Result<bool, TargetError> {
        match self.manifest() {
            Ok(manifest) => Ok(manifest.is_some()),
            // Somebody else has it now.
            Err(error) if error.code == codes::FOREIGN_FOLDER => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Files of ours in the folder itself, by its manifest.
    pub(super) fn seen_here(&self, manifest: Option<Manifest>) -> Result<Seen, TargetError> {
        let Some(manifest) = manifest else {
            return Ok(Seen {
                manifest: None,
                files: Vec::new(),
                digests: BTreeMap::new(),
                leftovers: false,
                moving: None,
            });
        };
        let none = BTreeMap::new();
        let pending = manifest.pending.as_ref().unwrap_or(&none);
        let paths: BTreeSet<&String> = manifest.files.keys().chain(pending.keys()).collect();
        let mut folders = Folders::new(self.files, self.folder);
        let mut files = Vec::with_capacity(paths.len());
        let mut digests = BTreeMap::new();
        for path in paths {
            match folders.obstacle(path)? {
                Some((at, Some(EntryKind::Symlink))) => return Err(self.symlink(&at)),
                Some(_) => continue,
                None => {}
            }
            let place = self.path(path);
            match self.files.kind(&place)? {
                Some(EntryKind::Symlink) => return Err(self.symlink(path)),
                Some(EntryKind::File) => {}
                Some(EntryKind::Folder | EntryKind::Other) | None => continue,
            }
            let contents = match self.files.read(&place, FILE_LIMIT) {
                Ok(contents) => contents,
                // It went between the two looks.
                Err(error) if error.kind == FileErrorKind::NotFound => continue,
                Err(error) => return Err(error.into()),
            };
            let digest = canonical::digest(&contents);
            // An interrupted write meant to put a file here. If it is not that file, somebody else was first.
            if !manifest.files.contains_key(path) && pending.get(path) != Some(&digest) {
                continue;
            }
            digests.insert(path.clone(), digest);
            files.push(File { path: path.clone(), contents });
        }
        let leftovers = !self.leftovers()?.is_empty();
        Ok(Seen { manifest: Some(manifest), files, digests, leftovers, moving: None })
    }

    /// Whether a file of ours holds no object that could be compared, so that its bytes are what counts.
    pub(super) fn is_bare(&self, file: &File) -> bool {
        let (objects, faults) = self.kind.from_files(self.target, std::slice::from_ref(file));
        objects.is_empty() && faults.is_empty()
    }

    pub(super) fn observation(&self, seen: &Seen) -> Observation {
        let (mut objects, faults) = self.kind.from_files(self.target, &seen.files);
        let mut drift = self.drift(seen);
        let mut lost = seen.protected();
        let drifted: BTreeMap<String, usize> =
            drift.iter().enumerate().map(|(index, file)| (file.path.clone(), index)).collect();
        let protected = seen.protected();
        for object in &mut objects {
            // The manifest says that it is ours, whatever became of the marks in the file.
            object.owned = true;
            object.protected |= protected.contains(&object.address);
            lost.remove(&object.address);
            let paths: BTreeSet<String> = self.kind.files_of(self.target, object).into_iter().collect();
            for index in paths.iter().filter_map(|path| drifted.get(path)) {
                if let Some(file) = drift.get_mut(*index) {
                    file.made_from.push(object.address.clone());
                }
            }
            object.precondition = Some(precondition(&paths, &seen.digests));
        }
        let mut orphans: BTreeSet<String> = BTreeSet::new();
        for file in &mut drift {
            let there = seen.files.binary_search_by(|it| it.path.cmp(&file.path)).ok();
            let bare = there.and_then(|at| seen.files.get(at)).is_none_or(|it| self.is_bare(it));
            if !bare {
                file.made_from.clear();
            } else if file.made_from.is_empty() {
                orphans.insert(file.path.clone());
            }
            file.made_from.sort();
        }
        // Made from several objects together, and from none of them alone.
        if !orphans.is_empty()
            && let Some(first) = objects.iter().map(|object| &object.address).min()
        {
            let all: Vec<_> = objects.iter().map(|object| as_resource(self.target, object)).collect();
            for made in self.kind.to_files(self.target, self.fleet, &all) {
                let found =
                    drift.iter_mut().find(|file| file.path == made.path && orphans.contains(&file.path));
                if let Some(file) = found {
                    file.made_from.push(first.clone());
                }
            }
        }
        Observation {
            objects,
            faults,
            drift,
            settle: self.unsettled(seen),
            lost: lost.into_iter().collect(),
            files: seen.digests.clone(),
        }
    }

    fn unsettled(&self, seen: &Seen) -> Option<Settle> {
        match &seen.moving {
            _ if self.gone => seen.manifest.is_some().then_some(Settle::Remove),
            Some(Moving::Begin { from, .. } | Moving::Rest { from }) => {
                Some(Settle::Move { from: from.clone() })
            }
            None => {
                let manifest = seen.manifest.as_ref();
                let pending = manifest.is_some_and(|manifest| manifest.pending.is_some());
                // `compile` wrote over it, or another program.
                let unplaced = self.live && manifest.is_some_and(|manifest| manifest.directory.is_none());
                let finish = (seen.leftovers || pending).then_some(Settle::Finish);
                finish.or(unplaced.then_some(Settle::Remember))
            }
        }
    }

    /// Files that are not as they were written, or as an interrupted write was about to leave them.
    fn drift(&self, seen: &Seen) -> Vec<FileDrift> {
        let Some(manifest) = &seen.manifest else { return Vec::new() };
        let mut written: BTreeMap<&String, &String> = manifest.files.iter().collect();
        written.extend(manifest.pending.iter().flatten());
        let differ = written.into_iter().filter(|(path, digest)| seen.digests.get(*path) != Some(*digest));
        let drift = differ.map(|(path, _)| FileDrift {
            path: path.clone(),
            missing: !seen.digests.contains_key(path),
            made_from: Vec::new(),
        });
        drift.collect()
    }
}

/// Over the files that hold an object; over all of ours when it is in none where this version would put it.
fn precondition(paths: &BTreeSet<String>, digests: &BTreeMap<String, String>) -> String {
    let held: Vec<(&String, &String)> = paths.iter().filter_map(|path| digests.get_key_value(path)).collect();
    let held = if held.is_empty() { digests.iter().collect() } else { held };
    if let [(_, digest)] = held.as_slice() {
        return (*digest).clone();
    }
    let lines: String = held.iter().map(|(path, digest)| format!("{path} {digest}\n")).collect();
    canonical::digest(lines.as_bytes())
}
