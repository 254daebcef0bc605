//! A target as a folder: what `compile` writes, what GitOps watches, and what works with nothing else installed.
//!
//! The manifest in the folder says which files are ours; everything else there is somebody else's and is neither
//! read nor touched. How a write survives a crash: [`write`].

mod apply;
mod observe;
mod state;
mod write;

use poolwright_model::fleet;

use crate::Target;
use crate::codes;
use crate::error::{ErrorClass, TargetError};
use crate::files::{Files, check_path, join};

pub use apply::FileDifference;

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
        check_path(folder).map_err(|why| {
            TargetError::new(
                ErrorClass::Invalid,
                codes::BAD_PATH,
                format!("`{folder}` cannot be the folder of {}: {why}", target.meta.address),
            )
            .with_help("name a folder below the fleet's own, such as `live/eks`")
        })?;
        Ok(Self { kind, target, fleet, folder, files })
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
