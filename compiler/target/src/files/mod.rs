//! The one edge to a file system. Everything above it is the same on a disk and in memory.

mod memory;
mod os;
mod path;

pub use memory::{Fault, MemoryFiles};
pub use os::OsFiles;
pub use path::{check_path, join, parents};

/// What stands at a path; links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum EntryKind {
    File,
    Folder,
    Symlink,
    /// A socket, a device, a pipe.
    Other,
}

impl EntryKind {
    /// With its article, for messages.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::File => "a file",
            Self::Folder => "a folder",
            Self::Symlink => "a symbolic link",
            Self::Other => "neither a file nor a folder",
        }
    }
}

/// Why a call on files failed, as far as anybody can act on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum FileErrorKind {
    NotFound,
    Permission,
    Exists,
    NotEmpty,
    /// A folder where a file was expected, or the other way round.
    WrongKind,
    Full,
    TooLarge,
    /// The process is gone; only a fake says this.
    Crashed,
    Other,
}

/// A failed call on files.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot {operation} {path}: {message}")]
pub struct FileError {
    /// `read`, `write`, `rename`, …
    pub operation: &'static str,
    /// The path that was given.
    pub path: String,
    /// What can be done about it.
    pub kind: FileErrorKind,
    /// The system's words.
    pub message: String,
}

/// A tree of files. Paths are relative to its root, `/` between parts, "" for the root itself.
///
/// What the directory backend relies on: `rename` replaces the destination at once, so that a reader sees the old
/// contents or the new; a file's contents are safe from a crash after `sync` and not before.
pub trait Files: Send + Sync {
    /// What stands at a path, without following a link in its last part; none if nothing does.
    ///
    /// # Errors
    /// The system refuses to say.
    fn kind(&self, path: &str) -> Result<Option<EntryKind>, FileError>;

    /// Whether two paths lead to one and the same thing, links followed; no when either leads nowhere.
    fn same(&self, one: &str, other: &str) -> bool;

    /// Names in a folder, sorted.
    ///
    /// # Errors
    /// There is no such folder, or it cannot be read.
    fn list(&self, path: &str) -> Result<Vec<(String, EntryKind)>, FileError>;

    /// A whole file.
    ///
    /// # Errors
    /// It is not there, cannot be read, or has more than `limit` bytes.
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, FileError>;

    /// Makes or replaces a file, not safely: a crash may leave a part of it.
    ///
    /// # Errors
    /// Its folder is not there or cannot be written.
    fn write(&self, path: &str, contents: &[u8]) -> Result<(), FileError>;

    /// Returns when a file's contents, or a folder's names, are on the disk.
    ///
    /// # Errors
    /// The disk fails.
    fn sync(&self, path: &str) -> Result<(), FileError>;

    /// [`Files::sync`] of many files, in any order; a disk may take them together.
    ///
    /// # Errors
    /// The disk fails.
    fn sync_all(&self, paths: &[&str]) -> Result<(), FileError> {
        paths.iter().try_for_each(|path| self.sync(path))
    }

    /// Moves a file; a file at the destination is replaced at once.
    ///
    /// # Errors
    /// The destination's folder is not there, or a folder stands at the destination.
    fn rename(&self, from: &str, to: &str) -> Result<(), FileError>;

    /// Removes a file, or a link itself.
    ///
    /// # Errors
    /// It is not there or cannot be removed.
    fn remove(&self, path: &str) -> Result<(), FileError>;

    /// Makes a folder and those around it; no error when it is there.
    ///
    /// # Errors
    /// A file stands in the way, or the place cannot be written.
    fn create_folder(&self, path: &str) -> Result<(), FileError>;

    /// Removes an empty folder.
    ///
    /// # Errors
    /// It is not empty, not there, or cannot be removed.
    fn remove_folder(&self, path: &str) -> Result<(), FileError>;
}
