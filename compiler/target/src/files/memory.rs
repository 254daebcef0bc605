//! Files in memory, for tests and for whoever wants the output without a disk. Faults can be injected by the
//! number of the call; a crash forgets what was not synced, as a disk may.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{EntryKind, FileError, FileErrorKind, Files, parents};

/// What happens at a chosen call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The call fails without effect, and later calls work.
    Fail(FileErrorKind),
    /// The process dies before the call has any effect.
    Crash,
    /// The process dies while the call writes: so many bytes are there. Other calls die before their effect.
    Torn(usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    File { contents: Vec<u8>, synced: bool },
    Folder,
    Symlink,
}

#[derive(Clone, Debug, Default)]
struct State {
    nodes: BTreeMap<String, Node>,
    calls: u64,
    mutations: u64,
    faults: BTreeMap<u64, Fault>,
    crashed: bool,
}

/// A tree of files in memory.
#[derive(Debug, Default)]
pub struct MemoryFiles {
    state: Mutex<State>,
}

impl MemoryFiles {
    /// An empty tree.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a file there with its folders, as if somebody else did: not counted, never failing.
    pub fn put(&self, path: &str, contents: impl Into<Vec<u8>>) {
        let mut state = self.lock();
        for folder in parents(path) {
            state.nodes.insert(folder.to_owned(), Node::Folder);
        }
        state.nodes.insert(path.to_owned(), Node::File { contents: contents.into(), synced: true });
    }

    /// Puts a symbolic link there, as if somebody else did.
    pub fn put_symlink(&self, path: &str) {
        let mut state = self.lock();
        for folder in parents(path) {
            state.nodes.insert(folder.to_owned(), Node::Folder);
        }
        state.nodes.insert(path.to_owned(), Node::Symlink);
    }

    /// Takes away whatever is at or below a path, as if somebody else did.
    pub fn take(&self, path: &str) {
        let below = format!("{path}/");
        self.lock().nodes.retain(|at, _| at != path && !at.starts_with(&below));
    }

    /// All files and their contents.
    #[must_use]
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let state = self.lock();
        let file = |(path, node): (&String, &Node)| match node {
            Node::File { contents, .. } => Some((path.clone(), contents.clone())),
            Node::Folder | Node::Symlink => None,
        };
        state.nodes.iter().filter_map(file).collect()
    }

    /// All folders.
    #[must_use]
    pub fn folders(&self) -> Vec<String> {
        let state = self.lock();
        state.nodes.iter().filter(|(_, node)| **node == Node::Folder).map(|(path, _)| path.clone()).collect()
    }

    /// Calls so far.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.lock().calls
    }

    /// Calls so far that would change something.
    #[must_use]
    pub fn mutations(&self) -> u64 {
        self.lock().mutations
    }

    /// Injects a fault at the call with this number, counted from 1 from now on.
    pub fn inject(&self, call: u64, fault: Fault) {
        let mut state = self.lock();
        let at = state.calls.saturating_add(call);
        state.faults.insert(at, fault);
    }

    /// Starts again after a crash: calls work, faults are gone, and so is what was not synced. Returns whether
    /// there was a crash.
    pub fn restart(&self) -> bool {
        let mut state = self.lock();
        state.faults.clear();
        let crashed = std::mem::take(&mut state.crashed);
        if crashed {
            for node in state.nodes.values_mut() {
                if let Node::File { contents, synced: synced @ false } = node {
                    contents.truncate(contents.len() / 2);
                    *synced = true;
                }
            }
        }
        crashed
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call; gives its error, or how many bytes of it still get through before the crash.
    fn begin(
        &self,
        operation: &'static str,
        path: &str,
        mutates: bool,
    ) -> Result<(MutexGuard<'_, State>, Option<usize>), FileError> {
        let mut state = self.lock();
        let error = |kind, message: &str| FileError {
            operation,
            path: path.to_owned(),
            kind,
            message: message.to_owned(),
        };
        if state.crashed {
            return Err(error(FileErrorKind::Crashed, "the process is gone"));
        }
        state.calls += 1;
        state.mutations += u64::from(mutates);
        let number = state.calls;
        match state.faults.get(&number).copied() {
            None => Ok((state, None)),
            Some(Fault::Fail(kind)) => Err(error(kind, "injected")),
            Some(Fault::Torn(bytes)) if operation == "write" => {
                state.crashed = true;
                Ok((state, Some(bytes)))
            }
            Some(Fault::Crash | Fault::Torn(_)) => {
                state.crashed = true;
                Err(error(FileErrorKind::Crashed, "the process is gone"))
            }
        }
    }
}

fn fail<T>(operation: &'static str, path: &str, kind: FileErrorKind, message: &str) -> Result<T, FileError> {
    Err(FileError { operation, path: path.to_owned(), kind, message: message.to_owned() })
}

impl State {
    fn folder(&self, path: &str) -> bool {
        path.is_empty() || self.nodes.get(path) == Some(&Node::Folder)
    }

    fn parent_is_folder(&self, path: &str) -> bool {
        parents(path).next().is_none_or(|folder| self.folder(folder))
    }
}

impl Files for MemoryFiles {
    fn same(&self, one: &str, other: &str) -> bool {
        one == other
    }

    fn kind(&self, path: &str) -> Result<Option<EntryKind>, FileError> {
        let (state, _) = self.begin("look at", path, false)?;
        if path.is_empty() {
            return Ok(Some(EntryKind::Folder));
        }
        Ok(state.nodes.get(path).map(|node| match node {
            Node::File { .. } => EntryKind::File,
            Node::Folder => EntryKind::Folder,
            Node::Symlink => EntryKind::Symlink,
        }))
    }

    fn list(&self, path: &str) -> Result<Vec<(String, EntryKind)>, FileError> {
        let (state, _) = self.begin("list", path, false)?;
        if !state.folder(path) {
            return fail("list", path, FileErrorKind::NotFound, "no such folder");
        }
        let prefix = if path.is_empty() { String::new() } else { format!("{path}/") };
        let named = |(at, node): (&String, &Node)| {
            let name = at.strip_prefix(&prefix).filter(|name| !name.is_empty() && !name.contains('/'))?;
            let kind = match node {
                Node::File { .. } => EntryKind::File,
                Node::Folder => EntryKind::Folder,
                Node::Symlink => EntryKind::Symlink,
            };
            Some((name.to_owned(), kind))
        };
        Ok(state.nodes.iter().filter_map(named).collect())
    }

    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, FileError> {
        let (state, _) = self.begin("read", path, false)?;
        match state.nodes.get(path) {
            Some(Node::File { contents, .. }) if contents.len() as u64 > limit => {
                fail("read", path, FileErrorKind::TooLarge, &format!("more than {limit} bytes"))
            }
            Some(Node::File { contents, .. }) => Ok(contents.clone()),
            Some(Node::Folder | Node::Symlink) => fail("read", path, FileErrorKind::WrongKind, "not a file"),
            None => fail("read", path, FileErrorKind::NotFound, "no such file"),
        }
    }

    fn write(&self, path: &str, contents: &[u8]) -> Result<(), FileError> {
        let (mut state, torn) = self.begin("write", path, true)?;
        if !state.parent_is_folder(path) {
            return fail("write", path, FileErrorKind::NotFound, "no such folder");
        }
        if matches!(state.nodes.get(path), Some(Node::Folder | Node::Symlink)) {
            return fail("write", path, FileErrorKind::WrongKind, "not a file");
        }
        let kept = contents.iter().copied().take(torn.unwrap_or(usize::MAX)).collect();
        state.nodes.insert(path.to_owned(), Node::File { contents: kept, synced: torn.is_some() });
        if torn.is_some() {
            return fail("write", path, FileErrorKind::Crashed, "the process is gone");
        }
        Ok(())
    }

    fn sync(&self, path: &str) -> Result<(), FileError> {
        let (mut state, _) = self.begin("sync", path, true)?;
        if path.is_empty() {
            return Ok(());
        }
        match state.nodes.get_mut(path) {
            Some(Node::File { synced, .. }) => {
                *synced = true;
                Ok(())
            }
            Some(Node::Folder | Node::Symlink) => Ok(()),
            None => fail("sync", path, FileErrorKind::NotFound, "no such file"),
        }
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), FileError> {
        let (mut state, _) = self.begin("rename", to, true)?;
        if !state.parent_is_folder(to) {
            return fail("rename", to, FileErrorKind::NotFound, "no such folder");
        }
        if state.nodes.get(to) == Some(&Node::Folder) {
            return fail("rename", to, FileErrorKind::WrongKind, "a folder is in the way");
        }
        match state.nodes.remove(from) {
            Some(node @ Node::File { .. }) => {
                state.nodes.insert(to.to_owned(), node);
                Ok(())
            }
            Some(node) => {
                state.nodes.insert(from.to_owned(), node);
                fail("rename", from, FileErrorKind::WrongKind, "not a file")
            }
            None => fail("rename", from, FileErrorKind::NotFound, "no such file"),
        }
    }

    fn remove(&self, path: &str) -> Result<(), FileError> {
        let (mut state, _) = self.begin("remove", path, true)?;
        match state.nodes.get(path) {
            Some(Node::Folder) => fail("remove", path, FileErrorKind::WrongKind, "a folder"),
            Some(Node::File { .. } | Node::Symlink) => {
                state.nodes.remove(path);
                Ok(())
            }
            None => fail("remove", path, FileErrorKind::NotFound, "no such file"),
        }
    }

    fn create_folder(&self, path: &str) -> Result<(), FileError> {
        let (mut state, _) = self.begin("create", path, true)?;
        let all: Vec<String> =
            parents(path).chain([path]).map(str::to_owned).filter(|at| !at.is_empty()).collect();
        if all.iter().any(|at| state.nodes.get(at).is_some_and(|node| *node != Node::Folder)) {
            return fail("create", path, FileErrorKind::Exists, "a file is in the way");
        }
        for at in all {
            state.nodes.insert(at, Node::Folder);
        }
        Ok(())
    }

    fn remove_folder(&self, path: &str) -> Result<(), FileError> {
        let (mut state, _) = self.begin("remove", path, true)?;
        if state.nodes.get(path) != Some(&Node::Folder) {
            return fail("remove", path, FileErrorKind::NotFound, "no such folder");
        }
        let below = format!("{path}/");
        if state.nodes.range(below.clone()..).next().is_some_and(|(at, _)| at.starts_with(&below)) {
            return fail("remove", path, FileErrorKind::NotEmpty, "not empty");
        }
        state.nodes.remove(path);
        Ok(())
    }
}
