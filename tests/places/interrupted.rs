//! What a kill leaves: a write, a move or a memory that is not finished, and how the next runs end it.

use std::path::Path;

use serde_json::Value;

use super::{below, copy_folder, directory, manifest, protect_queue, put_manifest, remove_block, with_extra};
use crate::support::{edit, example, poolwright};

/// A move that was killed before its end and then taken back by hand must not empty the only folder there is.
#[test]
fn a_folder_that_says_it_moved_from_itself_is_not_emptied() {
    let folder = with_extra();
    let path = folder.path();
    protect_queue(path);
    let mut changed = manifest(path, "live/extra");
    changed["moved_from"] = "live/extra".into();
    put_manifest(path, "live/extra", &changed);
    let objects = below(path, "live/extra/");
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    assert_eq!(below(path, "live/extra/"), objects);

    // The same as it comes about: the files are moved back with the mark of the move in their manifest.
    changed["directory"] = "live/y".into();
    put_manifest(path, "live/extra", &changed);
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    assert_eq!(below(path, "live/extra/"), objects);
    assert_eq!(manifest(path, "live/extra")["directory"], "live/extra");
    poolwright(path, &["plan"]).expect(0);
}

/// As a kill leaves them: the new folder has all, or a part of it, and names the old one.
#[test]
fn an_interrupted_move_is_finished_wherever_the_target_goes_next() {
    type Next = fn(&Path);
    let nexts: [(Next, bool); 3] = [
        (|path| directory(path, "live/extra", "live/y"), true),
        (|path| directory(path, "live/extra", "live/z"), true),
        (remove_block, false),
    ];
    for (next, stays) in nexts {
        for whole in [true, false] {
            let folder = with_extra();
            let path = folder.path();
            let old = manifest(path, "live/extra");
            let copy = std::process::Command::new("cp")
                .args(["-r", "live/extra", "live/y"])
                .current_dir(path)
                .status()
                .unwrap();
            assert!(copy.success());
            let mut new = old.clone();
            new["directory"] = "live/y".into();
            new["moved_from"] = "live/extra".into();
            if !whole {
                new["pending"] = old["files"].clone();
                new["files"] = serde_json::json!({});
                std::fs::remove_dir_all(path.join("live/y/kueue.x-k8s.io")).unwrap();
            }
            put_manifest(path, "live/y", &new);
            next(path);
            let run = poolwright(path, &["plan"]).expect(2);
            assert!(
                run.stdout.contains(if stays {
                    "0 to create · 0 to change · 0 to destroy"
                } else {
                    " 0 to create"
                }) || !stays,
                "{}",
                run.all()
            );
            poolwright(path, &["apply", "--auto-approve"]).expect(0);
            poolwright(path, &["plan"]).expect(0);
            assert_eq!(below(path, "live/extra"), Vec::<String>::new());
            let left = below(path, "live/y").len() + below(path, "live/z").len();
            assert_eq!(left, if stays { old["files"].as_object().unwrap().len() + 1 } else { 0 });
        }
    }
}

/// As a kill between the last file and the inventory leaves it.
#[test]
fn what_was_not_written_down_is_before_the_next_change() {
    let folder = example("quickstart");
    let path = folder.path();
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    let place = path.join("live/.poolwright/aws.use1/inventory.json");
    let old = std::fs::read(&place).unwrap();
    edit(&path.join("pools.pool.hcl"), "nodes = \"0..12\"", "nodes = \"0..20\"");
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    let remembered = || {
        let inventory: Value = serde_json::from_slice(&std::fs::read(&place).unwrap()).unwrap();
        (inventory["input_digest"].clone(), inventory["capacity"].clone(), inventory["cost"].clone())
    };
    let new = remembered();
    std::fs::write(&place, old).unwrap();
    assert_ne!(remembered(), new);
    let run = poolwright(path, &["plan"]).expect(2);
    assert!(run.stdout.contains("  ~ writes down what is applied\n"), "{}", run.all());
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    assert!(remembered() == new);
    poolwright(path, &["plan"]).expect(0);

    // Deleted, it is written again by an apply that changes nothing.
    std::fs::remove_dir_all(path.join("live/.poolwright")).unwrap();
    poolwright(path, &["plan"]).expect(0);
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    assert!(place.exists());
}

/// A file that an interrupted write put in its place is as it was written.
#[test]
fn the_manifest_has_the_digest_of_what_an_interrupted_write_wrote() {
    let folder = example("quickstart");
    let path = folder.path();
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    let mut old = manifest(path, "live/aws-use1");
    edit(&path.join("pools.pool.hcl"), "nodes = \"0..12\"", "nodes = \"0..20\"");
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    let new = manifest(path, "live/aws-use1");
    let differ = |name: &String| old["files"][name] != new["files"][name];
    let pending: serde_json::Map<String, Value> = new["files"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(name, _)| differ(name))
        .map(|(name, digest)| (name.clone(), digest.clone()))
        .collect();
    assert_eq!(pending.len(), 1);
    old["pending"] = pending.into();
    put_manifest(path, "live/aws-use1", &old);
    poolwright(path, &["plan"]).expect(2);
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    assert_eq!(manifest(path, "live/aws-use1"), new);
    poolwright(path, &["plan"]).expect(0);
}

/// As a kill leaves a first write, and a move that was taken back before and after it was whole.
#[test]
fn an_interrupted_first_write_and_a_move_taken_back_leave_nothing_behind() {
    let folder = with_extra();
    let path = folder.path();
    let mut first = manifest(path, "live/extra");
    first["pending"] = first["files"].take();
    first["files"] = serde_json::json!({});
    first["input_digest"] = "".into();
    put_manifest(path, "live/extra", &first);
    std::fs::remove_dir_all(path.join("live/extra/kueue.x-k8s.io/localqueue")).unwrap();
    directory(path, "live/extra", "live/y");
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    assert_eq!(below(path, "live/extra"), Vec::<String>::new());
    poolwright(path, &["plan"]).expect(0);

    for (whole, emptied) in [(true, true), (true, false), (false, false)] {
        let folder = with_extra();
        let path = folder.path();
        let old = manifest(path, "live/extra");
        copy_folder(path, "live/extra", "live/y");
        let mut new = old.clone();
        new["directory"] = "live/y".into();
        new["moved_from"] = "live/extra".into();
        if emptied {
            // The old folder was being emptied.
            std::fs::remove_dir_all(path.join("live/extra/kueue.x-k8s.io")).unwrap();
        }
        if !whole {
            new["pending"] = new["files"].take();
            new["files"] = serde_json::json!({});
            std::fs::remove_dir_all(path.join("live/y/kueue.x-k8s.io")).unwrap();
        }
        put_manifest(path, "live/y", &new);
        let run = poolwright(path, &["plan"]).expect(2);
        assert!(run.stdout.contains("0 to create · 0 to change · 0 to destroy"), "{}", run.all());
        poolwright(path, &["apply", "--auto-approve"]).expect(0);
        assert_eq!(below(path, "live/y"), Vec::<String>::new(), "{whole}");
        assert_eq!(below(path, "live/extra").len(), old["files"].as_object().unwrap().len() + 1);
        poolwright(path, &["plan"]).expect(0);
    }
}
