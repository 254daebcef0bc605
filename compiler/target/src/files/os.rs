//! Files on the disk.

use std::fs;
use std::io::{self, ErrorKind, Read as _};
use std::path::PathBuf;

use super::{EntryKind, FileError, FileErrorKind, Files};

/// How many files are synced at once.
const SYNC_THREADS: usize = 64;

/// A folder of the operating system as a tree of files.
#[derive(Clone, Debug)]
pub struct OsFiles {
    root: PathBuf,
}

impl OsFiles {
    /// The tree below a folder.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    fn at(&self, path: &str) -> PathBuf {
        if path.is_empty() {
            // An empty root is the working directory; "" is a name of nothing.
            return if self.root.as_os_str().is_empty() { PathBuf::from(".") } else { self.root.clone() };
        }
        self.root.join(path)
    }
}

fn failed(operation: &'static str, path: &str) -> impl FnOnce(io::Error) -> FileError {
    move |error| FileError {
        operation,
        path: if path.is_empty() { String::from(".") } else { path.to_owned() },
        kind: match error.kind() {
            ErrorKind::NotFound => FileErrorKind::NotFound,
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => FileErrorKind::Permission,
            ErrorKind::AlreadyExists => FileErrorKind::Exists,
            ErrorKind::DirectoryNotEmpty => FileErrorKind::NotEmpty,
            ErrorKind::NotADirectory | ErrorKind::IsADirectory => FileErrorKind::WrongKind,
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => FileErrorKind::Full,
            _ => FileErrorKind::Other,
        },
        message: words(&error),
    }
}

/// The system's words without the number, which differs between systems.
fn words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}

fn entry(kind: fs::FileType) -> EntryKind {
    if kind.is_symlink() {
        EntryKind::Symlink
    } else if kind.is_dir() {
        EntryKind::Folder
    } else if kind.is_file() {
        EntryKind::File
    } else {
        EntryKind::Other
    }
}

impl Files for OsFiles {
    fn kind(&self, path: &str) -> Result<Option<EntryKind>, FileError> {
        match fs::symlink_metadata(self.at(path)) {
            Ok(metadata) => Ok(Some(entry(metadata.file_type()))),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
            Err(error) => Err(failed("look at", path)(error)),
        }
    }

    fn same(&self, one: &str, other: &str) -> bool {
        let real = |path: &str| fs::canonicalize(self.at(path)).ok();
        real(one).is_some_and(|one| real(other) == Some(one))
    }

    fn list(&self, path: &str) -> Result<Vec<(String, EntryKind)>, FileError> {
        let mut all = Vec::new();
        for item in fs::read_dir(self.at(path)).map_err(failed("list", path))? {
            let item = item.map_err(failed("list", path))?;
            let kind = item.file_type().map_err(failed("list", path))?;
            // A name that is no text cannot be one of ours.
            if let Ok(name) = item.file_name().into_string() {
                all.push((name, entry(kind)));
            }
        }
        all.sort_unstable();
        Ok(all)
    }

    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, FileError> {
        // Opening a pipe waits for a writer, and a device may never end: neither holds a file of ours.
        let kind = fs::metadata(self.at(path)).map_err(failed("read", path))?.file_type();
        if !kind.is_file() && !kind.is_dir() {
            return Err(FileError {
                operation: "read",
                path: path.to_owned(),
                kind: FileErrorKind::WrongKind,
                message: String::from("not a regular file"),
            });
        }
        let file = fs::File::open(self.at(path)).map_err(failed("read", path))?;
        let size = file.metadata().map_err(failed("read", path))?.len();
        let mut contents = Vec::with_capacity(usize::try_from(size.min(limit)).unwrap_or(0));
        file.take(limit.saturating_add(1)).read_to_end(&mut contents).map_err(failed("read", path))?;
        if contents.len() as u64 > limit {
            return Err(FileError {
                operation: "read",
                path: path.to_owned(),
                kind: FileErrorKind::TooLarge,
                message: format!("more than {limit} bytes"),
            });
        }
        Ok(contents)
    }

    fn write(&self, path: &str, contents: &[u8]) -> Result<(), FileError> {
        fs::write(self.at(path), contents).map_err(failed("write", path))
    }

    fn sync(&self, path: &str) -> Result<(), FileError> {
        match fs::File::open(self.at(path)).and_then(|file| file.sync_all()) {
            // Some systems cannot open or sync a folder; a rename is then as durable as they make it.
            Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
            other => other.map_err(failed("sync", path)),
        }
    }

    fn sync_all(&self, paths: &[&str]) -> Result<(), FileError> {
        // A journalling file system commits what waits at the same time in one go, so many should wait.
        let share = paths.len().div_ceil(SYNC_THREADS).max(1);
        std::thread::scope(|scope| {
            let work = |part| scope.spawn(move || <[&str]>::iter(part).try_for_each(|path| self.sync(path)));
            let workers: Vec<_> = paths.chunks(share).map(work).collect();
            let results = workers.into_iter().map(|worker| {
                worker.join().unwrap_or_else(|_| {
                    let gone = io::Error::other("the thread that synced it is gone");
                    Err(failed("sync", paths.first().copied().unwrap_or_default())(gone))
                })
            });
            results.fold(Ok(()), Result::and)
        })
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), FileError> {
        fs::rename(self.at(from), self.at(to)).map_err(failed("write", to))
    }

    fn remove(&self, path: &str) -> Result<(), FileError> {
        fs::remove_file(self.at(path)).map_err(failed("remove", path))
    }

    fn create_folder(&self, path: &str) -> Result<(), FileError> {
        fs::create_dir_all(self.at(path)).map_err(failed("create", path))
    }

    fn remove_folder(&self, path: &str) -> Result<(), FileError> {
        fs::remove_dir(self.at(path)).map_err(failed("remove", path))
    }
}
