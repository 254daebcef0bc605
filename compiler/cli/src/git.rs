//! Modules from Git, fetched with the `git` program: it knows the user's keys, proxies and certificates.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use poolwright_driver::{Fetch, Repository};

/// Fetches into a fleet's folder.
pub(crate) struct Git<'a> {
    pub(crate) folder: &'a Path,
}

impl Fetch for Git<'_> {
    fn fetch(&self, repository: &Repository, commit: Option<&str>, folder: &str) -> Result<String, String> {
        let destination = self.folder.join(folder);
        let parent = destination.parent().unwrap_or(self.folder);
        fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
        // What is fetched is nobody's to keep: the lock says what it is.
        let ignore = self.folder.join(".poolwright/.gitignore");
        if !ignore.exists() {
            fs::write(&ignore, "*\n").map_err(|error| format!("{}: {error}", ignore.display()))?;
        }
        let aside = Aside::new(parent)?;
        let wanted = commit.or(repository.reference.as_deref()).unwrap_or("HEAD");
        run(&aside.0, &["init", "--quiet"])?;
        run(&aside.0, &["remote", "add", "origin", &repository.url])?;
        // Some servers give a commit by its name only with everything around it.
        let shallow = run(&aside.0, &["fetch", "--quiet", "--depth", "1", "origin", wanted]);
        let from = match shallow {
            Ok(_) => "FETCH_HEAD",
            Err(first) => {
                run(
                    &aside.0,
                    &["fetch", "--quiet", "--tags", "origin", "+refs/heads/*:refs/remotes/origin/*"],
                )
                .map_err(|_| first.clone())?;
                run(&aside.0, &["rev-parse", "--quiet", "--verify", &format!("{wanted}^{{commit}}")])
                    .map_err(|_| first)?;
                wanted
            }
        };
        run(&aside.0, &["checkout", "--quiet", "--detach", from])?;
        let found = run(&aside.0, &["rev-parse", "HEAD"])?;
        let found = found.trim().to_owned();
        if commit.is_some_and(|commit| commit != found) {
            return Err(format!("commit {wanted} was wanted and {found} came"));
        }
        fs::remove_dir_all(aside.0.join(".git")).map_err(|error| error.to_string())?;
        if destination.exists() {
            fs::remove_dir_all(&destination)
                .map_err(|error| format!("{}: {error}", destination.display()))?;
        }
        fs::rename(&aside.0, &destination).map_err(|error| format!("{}: {error}", destination.display()))?;
        Ok(found)
    }
}

/// A folder that goes away unless it was given another name.
struct Aside(PathBuf);

impl Aside {
    fn new(parent: &Path) -> Result<Self, String> {
        let aside = parent.join(format!(".fetching-{}", std::process::id()));
        let _ = fs::remove_dir_all(&aside);
        fs::create_dir(&aside).map_err(|error| format!("{}: {error}", aside.display()))?;
        Ok(Self(aside))
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs `git` in a folder: it asks nothing, follows no submodule and runs nothing of the repository.
fn run(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let settings = [
        "protocol.ext.allow=never",
        "core.hooksPath=/dev/null",
        "advice.detachedHead=false",
        "core.symlinks=false",
    ];
    let mut command = Command::new("git");
    for setting in settings {
        command.args(["-c", setting]);
    }
    let done = command
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .env("GIT_TERMINAL_PROMPT", "0")
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => "the program `git` is not installed".to_owned(),
            _ => format!("`git` cannot be run: {error}"),
        })?;
    if done.status.success() {
        return Ok(String::from_utf8_lossy(&done.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let line = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("git gave no reason");
    Err(line.trim_start_matches("fatal: ").trim_start_matches("error: ").to_owned())
}
