//! A target as a folder: what `compile` writes, what GitOps watches, and what works with nothing else installed.
//!
//! The manifest in the folder says which files are ours; everything else there is somebody else's and is neither
//! read nor touched. How a write survives a crash: `write.rs`; how a folder becomes another, or none: `settle.rs`.

mod apply;
mod conflicts;
mod observe;
mod settle;
mod state;
mod write;

use poolwright_model::fleet;

use crate::Target;
use crate::codes;
use crate::error::{ErrorClass, TargetError};
use crate::files::{Files, check_path, join};

pub use apply::FileDifference;

/// How many interrupted moves are followed, one from the other. More than one needs a crash in each.
pub const MOST_MOVES: u8 = 8;
/// The largest file of a target that is read, bytes.
pub const FILE_LIMIT: u64 = 64 << 20;

/// A target's folder.
#[derive(Clone, Copy)]
pub struct Directory<'a> {
    kind: &'a dyn Target,
    target: &'a fleet::Target,
    fleet: &'a str,
    folder: &'a str,
    files: &'a dyn Files,
    /// Whether it is what applies go to, and not what `compile` writes for somebody else.
    live: bool,
    /// The folder that the target was in before, if it moved.
    former: Option<&'a str>,
    /// Whether the fleet has no such target any more.
    gone: bool,
}

impl std::fmt::Debug for Directory<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Directory({} at {})", self.target.meta.address, self.folder)
    }
}

impl<'a> Directory<'a> {
    /// The folder of a target: its own `directory`, or `OUT/<kind>/<name>` for `compile`. `folder` is relative to
    /// the root of `files`; `kind` is the target's.
    ///
    /// # Errors
    /// The folder's path would leave the root.
    pub fn new(
        kind: &'a dyn Target,
        target: &'a fleet::Target,
        fleet: &'a str,
        folder: &'a str,
        files: &'a dyn Files,
    ) -> Result<Self, TargetError> {
        check_folder(folder, target)?;
        Ok(Self { kind, target, fleet, folder, files, live: false, former: None, gone: false })
    }

    /// The same folder, as the one that the target lives in: its manifest says so, so that a copy is told apart.
    #[must_use]
    pub fn live(self) -> Self {
        Self { live: true, ..self }
    }

    /// The same target, which was in another folder before. As long as its own folder has no manifest, what is there
    /// is what is in the old one.
    ///
    /// # Errors
    /// The old folder's path would leave the root.
    pub fn moved_from(self, former: &'a str) -> Result<Self, TargetError> {
        check_folder(former, self.target)?;
        Ok(Self { former: Some(former), ..self })
    }

    /// The same folder, of a target that the fleet has no more: once it holds nothing of ours it goes away.
    #[must_use]
    pub fn gone(self) -> Self {
        Self { gone: true, ..self }
    }

    /// The same target in another folder.
    fn at<'b>(&self, folder: &'b str) -> Directory<'b>
    where
        'a: 'b,
    {
        Directory { folder, former: None, gone: false, ..*self }
    }

    /// The folder, relative to the root of its files.
    #[must_use]
    pub fn folder(&self) -> &str {
        self.folder
    }

    fn path(&self, path: &str) -> String {
        join(self.folder, path)
    }
}

fn check_folder(folder: &str, target: &fleet::Target) -> Result<(), TargetError> {
    check_path(folder).map_err(|why| {
        TargetError::new(
            ErrorClass::Invalid,
            codes::BAD_PATH,
            format!("`{folder}` cannot be the folder of {}: {why}", target.meta.address),
        )
        .with_help("name a folder below the fleet's own, such as `live/eks`")
    })
}
