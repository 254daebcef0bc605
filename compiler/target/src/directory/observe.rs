//! Reading a folder: the manifest, then exactly the files that it names, each once.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_model::canonical;
use poolwright_model::resource::File;

use super::{Directory, FILE_LIMIT};
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
}

impl Directory<'_> {
    /// The manifest, if there is one, refused when it is another fleet's or another target's.
    pub(super) fn manifest(&self) -> Result<Option<(Manifest, Vec<u8>)>, TargetError> {
        let place = self.path(MANIFEST);
        match self.files.kind(self.folder)? {
            None => return Ok(None),
            // The folder itself may be a link: where a fleet's folders are kept is its own business.
            Some(EntryKind::Folder | EntryKind::Symlink) => {}
            Some(kind) => {
                return Err(TargetError::new(
                    ErrorClass::Invalid,
                    codes::FILE_ACCESS,
                    format!(
                        "{} should be the folder of {}, and is {}",
                        self.folder,
                        self.target.meta.address,
                        kind.as_str()
                    ),
                ));
            }
        }
        match self.files.kind(&place)? {
            None => return Ok(None),
            Some(EntryKind::Symlink) => return Err(self.symlink(MANIFEST)),
            Some(EntryKind::File | EntryKind::Folder | EntryKind::Other) => {}
        }
        let bytes = self.files.read(&place, MANIFEST_LIMIT)?;
        let manifest = Manifest::decode(&bytes, &place)?;
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
        Ok(Some((manifest, bytes)))
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

    /// Our files as they are.
    pub(super) fn seen(&self) -> Result<Seen, TargetError> {
        let Some((manifest, _)) = self.manifest()? else {
            return Ok(Seen {
                manifest: None,
                files: Vec::new(),
                digests: BTreeMap::new(),
                leftovers: false,
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
        Ok(Seen { manifest: Some(manifest), files, digests, leftovers })
    }

    pub(super) fn observation(&self, seen: &Seen) -> Observation {
        let (mut objects, faults) = self.kind.from_files(self.target, &seen.files);
        let all = || seen.digests.iter().collect::<Vec<_>>();
        for object in &mut objects {
            // The manifest says that it is ours, whatever became of the marks in the file.
            object.owned = true;
            let paths: BTreeSet<String> = self.kind.files_of(self.target, object).into_iter().collect();
            let mut held: Vec<(&String, &String)> =
                paths.iter().filter_map(|path| seen.digests.get_key_value(path)).collect();
            // An object in a file where this version would not put it: any of our files may hold it.
            if held.is_empty() {
                held = all();
            }
            object.precondition = match held.as_slice() {
                [(_, digest)] => Some((*digest).clone()),
                several => {
                    let lines: String =
                        several.iter().map(|(path, digest)| format!("{path} {digest}\n")).collect();
                    Some(canonical::digest(lines.as_bytes()))
                }
            };
        }
        let written = seen.manifest.iter().flat_map(|manifest| &manifest.files);
        let drift = written.filter_map(|(path, digest)| match seen.digests.get(path) {
            None => Some(FileDrift { path: path.clone(), missing: true }),
            Some(found) if found != digest => Some(FileDrift { path: path.clone(), missing: false }),
            Some(_) => None,
        });
        Observation {
            objects,
            faults,
            drift: drift.collect(),
            interrupted: seen.leftovers || seen.manifest.as_ref().is_some_and(|it| it.pending.is_some()),
            files: seen.digests.clone(),
        }
    }
}
