//! Modules from Git: what is pinned, fetched, refused.

use std::path::Path;
use std::process::Command;

use crate::support::{Run, base, edit, run_with, scratch, tree};

/// A repository with the module `gpu` that the ui cases have as `team`, at the tag `v1`.
fn repository() -> tempfile::TempDir {
    let folder = scratch();
    let module = crate::support::root().join("tests/ui/base/modules/team/team.pool.hcl");
    std::fs::create_dir(folder.path().join("gpu")).unwrap();
    std::fs::copy(module, folder.path().join("gpu/team.pool.hcl")).unwrap();
    git(folder.path(), &["init", "-q", "--initial-branch=main"]);
    commit(folder.path());
    git(folder.path(), &["tag", "v1"]);
    folder
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let run = Command::new("git")
        .args(["-c", "user.name=Test", "-c", "user.email=test@example.com"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(run.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).unwrap().trim().to_owned()
}

fn commit(folder: &Path) -> String {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "-m", "a change"]);
    git(folder, &["rev-parse", "HEAD"])
}

/// A fleet that uses it.
fn fleet(repository: &Path, reference: &str) -> tempfile::TempDir {
    let folder = base();
    let text = format!(
        "module \"team\" {{\n  source = \"git::file://{}//gpu\"\n{reference}  name   = \"speech\"\n  pool   = pool.hpc\n}}\n\n\
         queue \"team\" {{\n  class   = class.batch\n  tenants = [module.team.tenant]\n  pools   = [pool.hpc]\n}}\n",
        repository.display()
    );
    std::fs::write(folder.path().join("module.pool.hcl"), text).unwrap();
    folder
}

/// Runs the program with `git` in reach.
fn poolwright(folder: &Path, arguments: &[&str]) -> Run {
    let path = std::env::var("PATH").unwrap();
    run_with(folder, arguments, &[("PATH", &path), ("HOME", folder.to_str().unwrap())])
}

#[test]
fn a_module_is_pinned_fetched_and_used() {
    let (repository, head) = {
        let repository = repository();
        let head = git(repository.path(), &["rev-parse", "HEAD"]);
        (repository, head)
    };
    let fleet = fleet(repository.path(), "  ref    = \"v1\"\n");
    let before = poolwright(fleet.path(), &["validate"]).expect(3);
    assert!(
        before.stdout.contains("PW0103") && before.stdout.contains("poolwright lock"),
        "{}",
        before.all()
    );

    let run = poolwright(fleet.path(), &["lock"]).expect(0);
    assert!(run.stdout.starts_with(&format!("pinned  {}", &head[..12])), "{}", run.all());
    let lock = std::fs::read_to_string(fleet.path().join("poolwright.lock")).unwrap();
    assert!(lock.contains(&format!("commit = \"{head}\"")), "{lock}");
    poolwright(fleet.path(), &["validate"]).expect(0);
    let plan = poolwright(fleet.path(), &["plan", "--json"]).expect(2);
    assert!(plan.stdout.contains("module.team.tenant.team"), "the objects say whose they are");

    // A second run changes nothing, and what is fetched is ignored by Git.
    let files = tree(fleet.path());
    let again = poolwright(fleet.path(), &["lock"]).expect(0);
    assert!(again.stdout.contains("up to date"), "{}", again.all());
    assert_eq!(tree(fleet.path()), files);
    assert_eq!(files[".poolwright/.gitignore"], b"*\n");
}

#[test]
fn what_was_pinned_stays_until_an_update() {
    let repository = repository();
    let fleet = fleet(repository.path(), "  ref    = \"main\"\n");
    poolwright(fleet.path(), &["lock"]).expect(0);
    let pinned = std::fs::read_to_string(fleet.path().join("poolwright.lock")).unwrap();

    edit(&repository.path().join("gpu/team.pool.hcl"), "default = 8", "default = 16");
    let newer = commit(repository.path());
    // Also on a machine that has nothing fetched yet.
    std::fs::remove_dir_all(fleet.path().join(".poolwright")).unwrap();
    let absent = poolwright(fleet.path(), &["validate"]).expect(3);
    assert!(absent.stdout.contains("has not been fetched"), "{}", absent.all());
    poolwright(fleet.path(), &["lock"]).expect(0);
    assert_eq!(std::fs::read_to_string(fleet.path().join("poolwright.lock")).unwrap(), pinned);

    let update = poolwright(fleet.path(), &["lock", "--update"]).expect(0);
    assert!(update.stdout.contains(&format!("to {}", &newer[..12])), "{}", update.all());
    let lock = std::fs::read_to_string(fleet.path().join("poolwright.lock")).unwrap();
    assert!(lock.contains(&newer) && lock != pinned, "{lock}");
    poolwright(fleet.path(), &["validate"]).expect(0);
}

#[test]
fn a_fetched_module_that_was_changed_is_refused() {
    let repository = repository();
    let fleet = fleet(repository.path(), "");
    poolwright(fleet.path(), &["lock"]).expect(0);
    let fetched = tree(fleet.path()).into_keys().find(|name| name.ends_with("/gpu/team.pool.hcl")).unwrap();
    edit(&fleet.path().join(&fetched), "default = 8", "default = 80");
    let run = poolwright(fleet.path(), &["validate"]).expect(3);
    assert!(run.stdout.contains("PW0104"), "{}", run.all());
    poolwright(fleet.path(), &["lock"]).expect(0);
    poolwright(fleet.path(), &["validate"]).expect(0);

    // The lock says another content for the same commit.
    let lock = fleet.path().join("poolwright.lock");
    let text = std::fs::read_to_string(&lock).unwrap();
    let digest = text.split("sha256:").nth(1).unwrap().split('"').next().unwrap();
    std::fs::write(&lock, text.replace(digest, &"0".repeat(64))).unwrap();
    let run = poolwright(fleet.path(), &["lock"]).expect(3);
    assert!(run.stderr.contains("PW0104") && run.stderr.contains("--update"), "{}", run.all());
}

#[test]
fn what_cannot_be_fetched_leaves_the_lock_alone() {
    let repository = repository();
    let fleet = fleet(repository.path(), "  ref    = \"v1\"\n");
    poolwright(fleet.path(), &["lock"]).expect(0);
    let before = tree(fleet.path());
    edit(&fleet.path().join("module.pool.hcl"), "\"v1\"", "\"v9\"");
    let run = poolwright(fleet.path(), &["lock"]).expect(3);
    assert!(run.stderr.contains("PW0106") && run.stderr.contains("v9"), "{}", run.all());
    assert_eq!(tree(fleet.path())["poolwright.lock"], before["poolwright.lock"]);
    assert!(!tree(fleet.path()).keys().any(|name| name.contains(".fetching")), "nothing half-fetched stays");
}

#[test]
fn a_lock_that_is_none_is_refused() {
    let repository = repository();
    let fleet = fleet(repository.path(), "");
    for text in ["module \"x\" {}\n", "not a lock", "\u{1}", "pool \"x\" { commit = \"1\" }\n"] {
        std::fs::write(fleet.path().join("poolwright.lock"), text).unwrap();
        let run = poolwright(fleet.path(), &["validate", "--format", "short"]).expect(3);
        assert!(run.stdout.contains("poolwright.lock"), "{text}: {}", run.all());
    }
}
