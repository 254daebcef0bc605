//! `manifest.lock.json`: which files of a folder are ours (CONTRACT §3). What is not in it is never touched.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_model::Address;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::codes;
use crate::error::{ErrorClass, TargetError};
use crate::files::check_path;

/// The manifest's name in a target's folder.
pub const MANIFEST: &str = "manifest.lock.json";
/// What names of staging folders begin with.
pub const STAGING: &str = ".poolwright-staging-";
/// The value of `schema`.
pub const MANIFEST_SCHEMA: &str = "poolwright/manifest/v1";
/// The largest manifest that is read, bytes: room for a million files.
pub const MANIFEST_LIMIT: u64 = 256 << 20;

/// The files of one target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`MANIFEST_SCHEMA`].
    pub schema: String,
    /// The fleet that owns the folder.
    pub fleet: String,
    /// The target that the folder is.
    pub target: Address,
    /// Where the folder is, relative to the fleet's. A folder that is somewhere else is a copy, or was moved by hand.
    /// Absent: `compile` wrote it, for nobody to apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// Over the target's own lowered objects ([`crate::input_digest`]).
    pub input_digest: String,
    /// `sha256:…` of every file, by its path below the folder.
    pub files: BTreeMap<String, String>,
    /// Addresses of objects that are protected, also after their blocks are gone. Here and not in the inventory: the
    /// manifest goes through Git with the files that it protects.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub protected: BTreeSet<String>,
    /// The folder that the target was in before, while files of ours may still be there. Only an interrupted move
    /// leaves it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_from: Option<String>,
    /// Files that a write under way is about to put there. Only an interrupted write leaves it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<BTreeMap<String, String>>,
}

impl Manifest {
    /// A manifest without files.
    #[must_use]
    pub fn new(fleet: &str, target: &Address) -> Self {
        Self {
            schema: MANIFEST_SCHEMA.to_owned(),
            fleet: fleet.to_owned(),
            target: target.clone(),
            directory: None,
            input_digest: String::new(),
            files: BTreeMap::new(),
            protected: BTreeSet::new(),
            moved_from: None,
            pending: None,
        }
    }

    /// The bytes: sorted keys, one file a line so that a review shows which files moved, a newline at the end.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        // Through a value, whose maps are sorted; these types always are JSON.
        let value = serde_json::to_value(self).unwrap_or(Value::Null);
        let mut text = serde_json::to_string_pretty(&value).unwrap_or_default();
        text.push('\n');
        text.into_bytes()
    }

    /// Reads a manifest; `place` is its path as people know it.
    ///
    /// # Errors
    /// It is not a manifest of this version, or names a path that leaves the folder.
    pub fn decode(bytes: &[u8], place: &str) -> Result<Self, TargetError> {
        let value = parse(bytes, place, codes::DAMAGED_MANIFEST, MANIFEST_SCHEMA).map_err(advise)?;
        let manifest: Self = serde_json::from_value(value)
            .map_err(|error| damaged(codes::DAMAGED_MANIFEST, place, &error.to_string()))
            .map_err(advise)?;
        let mut bad: Vec<String> = (manifest.files.iter())
            .chain(manifest.pending.iter().flatten())
            .filter_map(|(path, digest)| {
                let path_fault = check_owned_path(path).err().map(str::to_owned);
                let fault = path_fault.or_else(|| (!is_digest(digest)).then(|| String::from("no sha256")))?;
                Some(format!("{path:?}: {fault}"))
            })
            .collect();
        for folder in manifest.directory.iter().chain(&manifest.moved_from) {
            if let Err(fault) = check_path(folder) {
                bad.push(format!("{folder:?}: {fault}"));
            }
        }
        if bad.is_empty() {
            return Ok(manifest);
        }
        let mut error = damaged(codes::DAMAGED_MANIFEST, place, "it names paths that cannot be ours");
        error.notes.extend(bad);
        Err(advise(error))
    }
}

/// Whether a target may own this path in its folder: below it, and not one of the names kept for Poolwright.
///
/// # Errors
/// What is wrong with it.
pub fn check_owned_path(path: &str) -> Result<(), &'static str> {
    check_path(path)?;
    if path == MANIFEST || path.starts_with(STAGING) {
        return Err("the name is kept for Poolwright itself");
    }
    Ok(())
}

fn advise(error: TargetError) -> TargetError {
    error.with_help(
        "bring the file back from Git; or move the whole folder away and apply again: its files are then written anew",
    )
}

fn is_digest(text: &str) -> bool {
    text.strip_prefix("sha256:")
        .is_some_and(|hex| hex.len() == 64 && hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')))
}

/// JSON of a known schema.
pub(crate) fn parse(
    bytes: &[u8],
    place: &str,
    code: poolwright_diagnostics::Code,
    schema: &str,
) -> Result<Value, TargetError> {
    let value: Value =
        serde_json::from_slice(bytes).map_err(|error| damaged(code, place, &error.to_string()))?;
    match value.get("schema").and_then(Value::as_str) {
        Some(found) if found == schema => Ok(value),
        Some(found)
            if found.rsplit_once("/v").map(|parts| parts.0)
                == schema.rsplit_once("/v").map(|parts| parts.0) =>
        {
            Err(TargetError::new(
                ErrorClass::Corrupt,
                codes::NEWER_FORMAT,
                format!("{place} has the format `{found}`, this version knows `{schema}`"),
            )
            .with_help("use the version of Poolwright that wrote it, or a newer one"))
        }
        Some(found) => Err(damaged(code, place, &format!("its schema is `{found}`, expected `{schema}`"))),
        None => Err(damaged(code, place, &format!("it has no `schema`, expected `{schema}`"))),
    }
}

pub(crate) fn damaged(code: poolwright_diagnostics::Code, place: &str, why: &str) -> TargetError {
    TargetError::new(ErrorClass::Corrupt, code, format!("{place} cannot be read: {why}"))
}
