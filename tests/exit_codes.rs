//! Each exit code that this version can give (CONTRACT §2).

use crate::support::{edit, example, poolwright, scratch};

#[test]
fn zero_done() {
    let folder = example("quickstart");
    poolwright(folder.path(), &["validate"]).expect(0);
    poolwright(folder.path(), &["help", "exit-codes"]).expect(0);
    poolwright(folder.path(), &["version"]).expect(0);
    poolwright(folder.path(), &["--help"]).expect(0);
}

#[test]
fn one_a_failed_test() {
    let folder = example("quickstart");
    edit(&folder.path().join("policies.pool.hcl"), "waited = \"900s\"", "waited = \"899s\"");
    poolwright(folder.path(), &["test"]).expect(1);
}

#[test]
fn two_changes() {
    let folder = example("quickstart");
    poolwright(folder.path(), &["plan"]).expect(2);
    poolwright(folder.path(), &["compile", "--out", "out", "--check"]).expect(2);
    poolwright(folder.path(), &["fmt", "--check"]).expect(0);
    edit(
        &folder.path().join("queues.pool.hcl"),
        "budget     = \"$600000/month\"",
        "budget = \"$600000/month\",",
    );
    poolwright(folder.path(), &["fix", "--dry-run"]).expect(2);
    poolwright(folder.path(), &["fix"]).expect(0);
    poolwright(folder.path(), &["fmt", "--check"]).expect(2);
}

#[test]
fn three_invalid_input_and_a_wrong_command_line() {
    let folder = scratch();
    poolwright(folder.path(), &["validate"]).expect(3);
    poolwright(folder.path(), &["plan", "--no-such-flag"]).expect(3);
    poolwright(folder.path(), &["validdate"]).expect(3);
    for planned in [&["drift"][..], &["policy", "coverage"], &["route", "run"]] {
        let run = poolwright(folder.path(), planned).expect(3);
        assert!(run.stderr.contains("PW9201") && run.stderr.contains("is not built yet"), "{}", run.stderr);
    }
    for planned in [&["plan", "--only", "x"][..], &["cost", "--against=other"], &["apply", "--json"]] {
        let run = poolwright(folder.path(), planned).expect(3);
        assert!(run.stderr.contains("PW9201") && run.stderr.contains("is not built yet"), "{}", run.stderr);
    }
    let run = poolwright(folder.path(), &["policy", "tset"]).expect(3);
    assert!(run.stderr.contains("`test`"), "{}", run.stderr);
    poolwright(folder.path(), &[]).expect(3);
    poolwright(folder.path(), &["apply", "no-such-plan.json"]).expect(3);
    poolwright(folder.path(), &["compile"]).expect(3);
    poolwright(folder.path(), &["fix"]).expect(3);
    poolwright(folder.path(), &["fmt", "nowhere"]).expect(3);
}

#[test]
fn four_denied_or_not_approved() {
    let folder = example("quickstart");
    poolwright(folder.path(), &["apply"]).expect(4);
    edit(
        &folder.path().join("policies.pool.hcl"),
        "severity    = \"deny\"",
        "severity    = \"approve\"\n  approvers   = [\"group:finops\"]",
    );
    edit(
        &folder.path().join("queues.pool.hcl"),
        "budget     = \"$600000/month\"",
        "budget     = \"$6/month\"",
    );
    poolwright(folder.path(), &["plan"]).expect(4);
    poolwright(folder.path(), &["apply", "--auto-approve"]).expect(4);
}

#[test]
fn five_a_conflict() {
    let folder = example("quickstart");
    std::fs::create_dir_all(folder.path().join("live/hpc")).unwrap();
    std::fs::write(folder.path().join("live/hpc/poolwright.conf"), "# somebody's own\n").unwrap();
    poolwright(folder.path(), &["apply", "--auto-approve"]).expect(5);
    assert_eq!(
        std::fs::read_to_string(folder.path().join("live/hpc/poolwright.conf")).unwrap(),
        "# somebody's own\n"
    );
}

#[test]
fn a_closed_pipe_is_no_error() {
    use std::process::{Command, Stdio};
    let folder = example("quickstart");
    let mut child = Command::new(env!("CARGO_BIN_EXE_poolwright"))
        .args(["plan", "--json"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_starter_fleet_is_sound() {
    let folder = scratch();
    poolwright(folder.path(), &["init", "mine"]).expect(0);
    poolwright(folder.path(), &["validate", "mine"]).expect(0);
    poolwright(folder.path(), &["plan", "mine"]).expect(2);
    poolwright(folder.path(), &["init", "mine"]).expect(3);
}

#[test]
fn data_that_cannot_be_printed_is_an_error() {
    let folder = example("quickstart");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_poolwright"))
        .arg("plan")
        .current_dir(folder.path())
        .stdout(full)
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("standard output cannot be written"), "{stderr}");
}

#[test]
fn a_pipe_that_is_named_like_a_file_of_the_fleet_is_refused() {
    let folder = example("quickstart");
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("z.pool.hcl")).status().unwrap();
    assert!(made.success());
    let run = poolwright(folder.path(), &["validate", "--format", "short"]).expect(3);
    assert!(run.stdout.contains("not a regular file"), "{}", run.stdout);
}

#[test]
fn a_target_that_cannot_be_read_does_not_stop_the_others() {
    let folder = example("quickstart");
    let ack = folder.path().join("live/ack");
    std::fs::create_dir_all(&ack).unwrap();
    std::fs::write(ack.join("manifest.lock.json"), "{").unwrap();
    poolwright(folder.path(), &["plan"]).expect(5);
    let run = poolwright(folder.path(), &["apply", "--auto-approve"]).expect(5);
    assert!(run.stderr.contains("PW6006") && run.stderr.contains("live/ack"), "{}", run.stderr);
    assert!(folder.path().join("live/eks/manifest.lock.json").exists());
}

#[test]
fn a_saved_plan_of_a_fleet_that_changed_since_is_applied_with_a_warning() {
    let folder = example("quickstart");
    poolwright(folder.path(), &["plan", "-o", "saved"]).expect(2);
    edit(&folder.path().join("fleet.pool.hcl"), "ami-0123456789abcdef0", "ami-0123456789abcdef1");
    let run = poolwright(folder.path(), &["apply", "saved"]).expect(0);
    assert!(run.stderr.contains("PW9210"), "{}", run.stderr);
}

#[test]
fn an_inventory_of_another_fleet_is_refused() {
    let folder = example("quickstart");
    poolwright(folder.path(), &["apply", "--auto-approve"]).expect(0);
    let place = folder.path().join("live/.poolwright/kubernetes.eks/inventory.json");
    let text = std::fs::read_to_string(&place).unwrap();
    let other = text.replace("\"fleet\": \"acme\"", "\"fleet\": \"other\"");
    assert_ne!(text, other);
    std::fs::write(&place, other).unwrap();
    let run = poolwright(folder.path(), &["plan"]).expect(5);
    assert!(run.stderr.contains("PW6006") && run.stderr.contains("`other`"), "{}", run.stderr);
}
