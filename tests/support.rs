//! Runs the program in folders of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// What a run gave.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Both streams, for messages.
    pub(crate) fn all(&self) -> String {
        format!("exit {}\n--- stdout\n{}--- stderr\n{}", self.code, self.stdout, self.stderr)
    }

    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}", self.all());
        self
    }
}

/// Runs `poolwright` in a folder, without a terminal and with an environment of its own.
pub(crate) fn poolwright(folder: &Path, arguments: &[&str]) -> Run {
    run_with(folder, arguments, &[])
}

/// Runs `poolwright` with these variables and no others.
pub(crate) fn run_with(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Run {
    let output: Output = Command::new(env!("CARGO_BIN_EXE_poolwright"))
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Run {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A folder that goes away with the value.
pub(crate) fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// A copy of an example.
pub(crate) fn example(name: &str) -> tempfile::TempDir {
    let folder = scratch();
    copy(&root().join("examples").join(name), folder.path());
    folder
}

/// A copy of the fleet that the ui cases are written beside.
pub(crate) fn base() -> tempfile::TempDir {
    let folder = scratch();
    copy(&root().join("tests/ui/base"), folder.path());
    folder
}

pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_name() == "live" {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Replaces one text by another in a file; exactly one place must have it.
pub(crate) fn edit(file: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    assert_eq!(text.matches(from).count(), 1, "{} has not exactly one `{from}`", file.display());
    std::fs::write(file, text.replace(from, to)).unwrap();
}

/// Every file below a folder, with its bytes, by relative path.
pub(crate) fn tree(folder: &Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    let mut files = std::collections::BTreeMap::new();
    collect(folder, folder, &mut files);
    files
}

fn collect(root: &Path, folder: &Path, files: &mut std::collections::BTreeMap<String, Vec<u8>>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            files.insert(name, std::fs::read(&path).unwrap());
        }
    }
}

/// Compares a text with a golden file, or writes it.
#[track_caller]
pub(crate) fn golden(file: &Path, text: &str) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
        return;
    }
    let expected =
        std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    assert!(
        text == expected,
        "{} differs (UPDATE_GOLDEN=1 writes it anew)\n--- expected\n{expected}\n--- found\n{text}",
        file.display()
    );
}
