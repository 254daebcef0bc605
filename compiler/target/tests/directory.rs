//! The directory backend: what it writes, what it refuses, and what a crash or a fault leaves.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests")]

#[cfg(test)]
mod fake;

use std::collections::BTreeMap;

use fake::{Fake, resource, target};
use poolwright_model::plan::Settle;
use poolwright_model::{Resource, canonical, fleet};
use poolwright_target::backend::Backend;
use poolwright_target::directory::Directory;
use poolwright_target::error::{ErrorClass, TargetError};
use poolwright_target::files::{Fault, FileErrorKind, Files, MemoryFiles, OsFiles};
use poolwright_target::manifest::Manifest;
use poolwright_target::{codes, input_digest};
use proptest::prelude::*;
use serde_json::json;

const MANIFEST: &str = "live/a/manifest.lock.json";

fn directory<'a>(target: &'a fleet::Target, files: &'a dyn Files) -> Directory<'a> {
    Directory::new(&Fake, target, "acme", target.directory.as_deref().unwrap(), files).unwrap()
}

fn world(target: &fleet::Target, things: &[(&str, i64)], rows: &[(&str, i64)]) -> Vec<Resource> {
    let thing = |(name, size): &(&str, i64)| resource(target, "Thing", name, json!({"size": size}));
    let row = |(name, size): &(&str, i64)| resource(target, "Row", name, json!({"size": size}));
    things.iter().map(thing).chain(rows.iter().map(row)).collect()
}

fn refused(result: Result<impl std::fmt::Debug, TargetError>) -> TargetError {
    result.expect_err("must be refused")
}

#[test]
fn compile_writes_once_and_then_touches_nothing() {
    let target = target("a");
    let files = MemoryFiles::new();
    let folder = directory(&target, &files);
    let wanted = world(&target, &[("x", 1), ("y", 2)], &[("r", 3)]);
    let paths: Vec<String> = folder.check(&wanted).unwrap().into_iter().map(|it| it.path).collect();
    assert_eq!(paths, ["rows.conf", "sum.conf", "things/x.json", "things/y.json"]);
    assert_eq!(folder.compile(&wanted).unwrap().len(), 4);

    let manifest = Manifest::decode(&files.files()[MANIFEST], MANIFEST).unwrap();
    assert_eq!(manifest.fleet, "acme");
    assert_eq!(manifest.input_digest, input_digest(&wanted));
    assert_eq!(
        manifest.files.keys().collect::<Vec<_>>(),
        ["rows.conf", "sum.conf", "things/x.json", "things/y.json"]
    );
    for (path, digest) in &manifest.files {
        assert_eq!(*digest, canonical::digest(&files.files()[&format!("live/a/{path}")]));
    }
    assert_eq!(files.folders(), ["live", "live/a", "live/a/things"], "no staging is left");

    let (mutations, before) = (files.mutations(), files.files());
    let mut reversed = wanted.clone();
    reversed.reverse();
    assert_eq!(folder.compile(&reversed).unwrap(), []);
    assert_eq!(folder.check(&reversed).unwrap(), []);
    assert_eq!((files.mutations(), files.files()), (mutations, before));
}

#[test]
fn what_is_not_in_the_manifest_is_never_touched() {
    let target = target("a");
    let files = MemoryFiles::new();
    let folder = directory(&target, &files);
    files.put("live/a/README.md", "mine");
    files.put("live/a/things/own.json", "{}");
    folder.compile(&world(&target, &[("x", 1)], &[("r", 1)])).unwrap();
    assert_eq!(folder.observe().unwrap().objects.len(), 2, "own.json is not read as ours");
    folder.compile(&[]).unwrap();
    let left: Vec<String> = files.files().into_keys().collect();
    assert_eq!(left, ["live/a/README.md", MANIFEST, "live/a/things/own.json"]);

    files.take("live/a/things/own.json");
    folder.compile(&world(&target, &[("x", 1)], &[])).unwrap();
    folder.compile(&[]).unwrap();
    assert_eq!(files.folders(), ["live", "live/a"], "an emptied folder goes");
}

#[test]
fn files_in_the_way_are_all_named_and_nothing_is_written() {
    let target = target("a");
    let files = MemoryFiles::new();
    let folder = directory(&target, &files);
    files.put("live/a/things/x.json", "{\"size\": 9}");
    files.put("live/a/rows.conf", "");
    let before = files.files();
    let error = refused(folder.compile(&world(&target, &[("x", 1), ("y", 1)], &[("r", 1)])));
    assert_eq!((error.class, error.code), (ErrorClass::Conflict, codes::UNOWNED_PATH));
    assert_eq!(error.notes, ["live/a/rows.conf: a file", "live/a/things/x.json: a file"]);
    assert_eq!(files.files(), before);
    assert_eq!(files.mutations(), 0);

    files.take("live/a");
    files.put("live/a/things", "a file where a folder should be");
    let error = refused(folder.compile(&world(&target, &[("x", 1)], &[])));
    assert_eq!(error.notes, ["live/a/things: a file is in the way"]);
}

#[test]
fn folders_of_others_and_damaged_manifests_are_refused() {
    let target = target("a");
    let digest = canonical::digest(b"");
    let good = |fleet: &str, target: &str, path: &str, digest: &str| {
        json!({"schema": "poolwright/manifest/v1", "fleet": fleet, "target": target, "input_digest": "",
               "files": {path: digest}})
        .to_string()
    };
    let own = "target.alibaba.a";
    let table = [
        (good("other", own, "x", &digest), codes::FOREIGN_FOLDER, ErrorClass::Conflict),
        (good("acme", "target.alibaba.b", "x", &digest), codes::FOREIGN_FOLDER, ErrorClass::Conflict),
        (good("acme", own, "../x", &digest), codes::DAMAGED_MANIFEST, ErrorClass::Corrupt),
        (good("acme", own, "/etc/passwd", &digest), codes::DAMAGED_MANIFEST, ErrorClass::Corrupt),
        (good("acme", own, "a/../../x", &digest), codes::DAMAGED_MANIFEST, ErrorClass::Corrupt),
        (good("acme", own, "manifest.lock.json", &digest), codes::DAMAGED_MANIFEST, ErrorClass::Corrupt),
        (good("acme", own, "x", "sha256:0"), codes::DAMAGED_MANIFEST, ErrorClass::Corrupt),
        (String::from("{"), codes::DAMAGED_MANIFEST, ErrorClass::Corrupt),
        (String::new(), codes::DAMAGED_MANIFEST, ErrorClass::Corrupt),
        (String::from("{}"), codes::DAMAGED_MANIFEST, ErrorClass::Corrupt),
        (String::from("[1]"), codes::DAMAGED_MANIFEST, ErrorClass::Corrupt),
        (String::from(r#"{"schema":"poolwright/manifest/v9"}"#), codes::NEWER_FORMAT, ErrorClass::Corrupt),
        ("[".repeat(100_000), codes::DAMAGED_MANIFEST, ErrorClass::Corrupt),
    ];
    for (text, code, class) in table {
        let files = MemoryFiles::new();
        files.put(MANIFEST, text.clone());
        let folder = directory(&target, &files);
        let shown: String = text.chars().take(120).collect();
        for error in [refused(folder.observe()), refused(folder.compile(&[])), refused(folder.check(&[]))] {
            assert_eq!((error.code, error.class, error.class.exit()), (code, class, 5), "{shown}");
            assert!(error.message.contains("live/a"), "{}", error.message);
            assert!(!error.helps.is_empty());
        }
        assert_eq!(files.mutations(), 0);
    }
    for bad in ["", "/abs", "../up", "a/../b"] {
        assert!(Directory::new(&Fake, &target, "acme", bad, &MemoryFiles::new()).is_err(), "{bad}");
    }
}

#[test]
fn links_are_neither_read_nor_written_through() {
    let target = target("a");
    let wanted = world(&target, &[("x", 1)], &[("r", 1)]);
    for link in ["live/a/things", "live/a/things/x.json", "live/a/rows.conf", MANIFEST] {
        let files = MemoryFiles::new();
        let folder = directory(&target, &files);
        folder.compile(&wanted).unwrap();
        files.take(link);
        files.put_symlink(link);
        let before = files.files();
        assert_eq!(refused(folder.observe()).code, codes::SYMLINK, "{link}");
        let error = refused(folder.compile(&world(&target, &[("x", 2)], &[])));
        assert_eq!(error.code, codes::SYMLINK, "{link}");
        assert!(error.message.contains(link));
        assert_eq!(files.files(), before);

        let files = MemoryFiles::new();
        files.put_symlink(link);
        assert_eq!(
            refused(directory(&target, &files).compile(&wanted)).code,
            codes::SYMLINK,
            "{link}, first write"
        );
    }
}

#[test]
fn preconditions_are_over_the_files_that_hold_the_object() {
    let target = target("a");
    let files = MemoryFiles::new();
    let folder = directory(&target, &files);
    folder.compile(&world(&target, &[("x", 1), ("y", 2)], &[("r", 3)])).unwrap();
    let preconditions = || -> BTreeMap<String, String> {
        let all = folder.observe().unwrap().objects;
        all.into_iter().map(|object| (object.identity, object.precondition.unwrap())).collect()
    };
    let before = preconditions();
    assert_eq!(before["Thing/x"], canonical::digest(&files.files()["live/a/things/x.json"]));
    files.put("live/a/things/x.json", "{\"size\": 7}");
    let after = preconditions();
    assert_ne!(before["Thing/x"], after["Thing/x"]);
    assert_eq!(before["Thing/y"], after["Thing/y"]);
    assert_eq!(before["Row/r"], after["Row/r"]);

    files.take("live/a/things/y.json");
    files.put("live/a/things/x.json", "no json");
    let seen = folder.observe().unwrap();
    assert_eq!(seen.faults.len(), 1);
    let drift: Vec<(&str, bool)> = seen.drift.iter().map(|it| (it.path.as_str(), it.missing)).collect();
    assert_eq!(drift, [("things/x.json", false), ("things/y.json", true)]);
}

#[test]
fn a_file_may_take_the_place_of_a_folder_and_the_other_way_round() {
    let target = target("a");
    let files = MemoryFiles::new();
    let folder = directory(&target, &files);
    let (file, inside) = (world(&target, &[("a", 1)], &[]), world(&target, &[("a.json/f", 1)], &[]));
    for _ in 0..2 {
        folder.compile(&file).unwrap();
        assert_eq!(files.files().into_keys().collect::<Vec<_>>(), [MANIFEST, "live/a/things/a.json"]);
        folder.compile(&inside).unwrap();
        assert_eq!(files.files().into_keys().collect::<Vec<_>>(), [MANIFEST, "live/a/things/a.json/f.json"]);
    }
    // A stranger's file in the folder keeps it; the object says so, and what is ours stays ours.
    files.put("live/a/things/a.json/own.txt", "mine");
    let error = refused(folder.compile(&file));
    assert!(error.message.contains("live/a/things/a.json"), "{error}");
    assert_eq!(files.files()["live/a/things/a.json/own.txt"], b"mine");
    folder.compile(&inside).unwrap();
    assert_eq!(folder.observe().unwrap().objects.len(), 1);
}

#[test]
fn a_file_that_a_person_puts_where_an_interrupted_write_was_going_stays_theirs() {
    let target = target("a");
    let wanted = world(&target, &[("x", 1)], &[]);
    let mut cases = 0;
    for call in 1..=count_calls(&target, &[], &wanted) {
        let files = MemoryFiles::new();
        let folder = directory(&target, &files);
        files.inject(call, Fault::Crash);
        let _ = folder.compile(&wanted);
        files.restart();
        if !files.files().contains_key(MANIFEST) || files.files().contains_key("live/a/things/x.json") {
            continue;
        }
        cases += 1;
        files.put("live/a/things/x.json", "{\"size\": 5}");
        assert_eq!(folder.observe().unwrap().settle, Some(Settle::Finish));
        assert_eq!(folder.observe().unwrap().objects, []);
        let error = refused(folder.compile(&wanted));
        assert_eq!(
            (error.code, error.notes),
            (codes::UNOWNED_PATH, vec!["live/a/things/x.json: a file".into()])
        );
        assert_eq!(files.files()["live/a/things/x.json"], b"{\"size\": 5}");
    }
    assert!(cases >= 2, "{cases}");
}

#[test]
fn only_our_own_leftovers_are_swept() {
    let target = target("a");
    let files = MemoryFiles::new();
    let folder = directory(&target, &files);
    let ours = "live/a/.poolwright-staging-0123456789abcdef";
    files.put(&format!("{ours}/0"), "x");
    files.put(&format!("{ours}/manifest.lock.json"), "x");
    files.put("live/a/.poolwright-staging-notes/0", "a person's");
    files.put("live/a/.poolwright-staging-fedcba9876543210/notes.txt", "a person's");
    folder.compile(&world(&target, &[("x", 1)], &[])).unwrap();
    let left: Vec<String> = files.files().into_keys().collect();
    assert_eq!(
        left,
        [
            "live/a/.poolwright-staging-fedcba9876543210/notes.txt",
            "live/a/.poolwright-staging-notes/0",
            MANIFEST,
            "live/a/things/x.json",
        ]
    );
}

#[test]
fn a_fault_at_any_call_leaves_old_files_or_new_ones_and_the_next_run_finishes() {
    let target = target("a");
    let before = world(&target, &[("x", 1), ("gone", 1)], &[("r", 3)]);
    let after = world(&target, &[("x", 2), ("new", 1)], &[("s", 4)]);
    let kinds = [FileErrorKind::Full, FileErrorKind::Permission];
    let mut failed = 0;
    for kind in kinds {
        for call in 1..=count_calls(&target, &before, &after) {
            let files = MemoryFiles::new();
            let folder = directory(&target, &files);
            folder.compile(&before).unwrap();
            let old = files.files();
            let new = after_files(&target, &before, &after);
            files.inject(call, Fault::Fail(kind));
            if let Err(error) = folder.compile(&after) {
                failed += 1;
                assert!(
                    error.class == ErrorClass::Permission || error.class == ErrorClass::Failed,
                    "{error:?}"
                );
            }
            assert_old_or_new(&files, &old, &new, call);
            files.restart();
            folder.compile(&after).unwrap();
            assert_eq!(files.files(), new, "fault {kind:?} at call {call}");
        }
    }
    assert!(failed > 40, "{failed}: faults are reported");
}

fn count_calls(target: &fleet::Target, before: &[Resource], after: &[Resource]) -> u64 {
    let files = MemoryFiles::new();
    directory(target, &files).compile(before).unwrap();
    let start = files.calls();
    directory(target, &files).compile(after).unwrap();
    files.calls() - start
}

fn after_files(target: &fleet::Target, before: &[Resource], after: &[Resource]) -> BTreeMap<String, Vec<u8>> {
    let files = MemoryFiles::new();
    directory(target, &files).compile(before).unwrap();
    directory(target, &files).compile(after).unwrap();
    files.files()
}

fn assert_old_or_new(
    files: &MemoryFiles,
    old: &BTreeMap<String, Vec<u8>>,
    new: &BTreeMap<String, Vec<u8>>,
    call: u64,
) {
    for (path, contents) in files.files() {
        if path.contains(".poolwright-staging-") || path == MANIFEST {
            continue;
        }
        let whole = old.get(&path) == Some(&contents) || new.get(&path) == Some(&contents);
        assert!(whole, "call {call}: {path} holds {:?}", String::from_utf8_lossy(&contents));
    }
    if let Some(bytes) = files.files().get(MANIFEST) {
        Manifest::decode(bytes, MANIFEST).unwrap();
    }
}

fn some_world() -> impl Strategy<Value = Vec<(bool, String, i64)>> {
    // `a.json/f` needs a folder where `a` has a file.
    prop::collection::vec((any::<bool>(), "[a-d]|a\\.json/f", 0_i64..3), 0..6).prop_map(|mut all| {
        all.sort();
        all.dedup_by(|a, b| (a.0, &a.1) == (b.0, &b.1));
        if all.iter().any(|it| !it.0 && it.1 == "a") {
            all.retain(|it| it.0 || it.1 != "a.json/f");
        }
        all
    })
}

fn resources(target: &fleet::Target, world: &[(bool, String, i64)]) -> Vec<Resource> {
    let one = |(row, name, size): &(bool, String, i64)| {
        resource(target, if *row { "Row" } else { "Thing" }, name, json!({"size": size}))
    };
    world.iter().map(one).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// P3: any crash point and another run end in the same world as no crash, and no file is ever half-written.
    #[test]
    fn a_crash_at_every_call_ends_in_the_same_world(
        before in some_world(), after in some_world(), torn in prop::option::of(0_usize..40),
    ) {
        let target = target("a");
        let (before, after) = (resources(&target, &before), resources(&target, &after));
        let mut new = after_files(&target, &before, &after);
        new.insert("live/a/things/foreign.txt".into(), b"theirs".to_vec());
        let fault = torn.map_or(Fault::Crash, Fault::Torn);
        for call in 1..=count_calls(&target, &before, &after) {
            let files = MemoryFiles::new();
            let folder = directory(&target, &files);
            folder.compile(&before).unwrap();
            files.put("live/a/things/foreign.txt", "theirs");
            let old = files.files();
            files.inject(call, fault);
            let _ = folder.compile(&after);
            files.restart();
            assert_old_or_new(&files, &old, &new, call);
            folder.observe().unwrap();
            // A second crash in the repair, early and late.
            files.inject(call / 2 + 1, fault);
            let _ = folder.compile(&after);
            files.restart();
            assert_old_or_new(&files, &old, &new, call);
            folder.compile(&after).unwrap();
            prop_assert_eq!(&files.files(), &new, "crash at call {}", call);
            let empty = files.folders().into_iter().find(|folder| {
                !files.files().keys().any(|path| path.starts_with(&format!("{folder}/")))
            });
            prop_assert_eq!(empty, None, "an empty folder is left after a crash at call {}", call);
        }
    }

    /// P4: the order of objects does not reach the bytes.
    #[test]
    fn bytes_do_not_depend_on_the_order_of_objects(world in some_world(), seed in any::<u64>()) {
        let target = target("a");
        let sorted = resources(&target, &world);
        let mut shuffled = sorted.clone();
        let len = shuffled.len();
        for index in 0..len {
            shuffled.swap(index, (seed as usize).wrapping_mul(index + 7) % len);
        }
        prop_assert_eq!(input_digest(&sorted), input_digest(&shuffled));
        prop_assert_eq!(after_files(&target, &[], &sorted), after_files(&target, &[], &shuffled));
    }

    /// P12: the decoder survives any bytes.
    #[test]
    fn a_manifest_of_any_bytes_is_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Manifest::decode(&bytes, "m");
        let _ = poolwright_target::inventory::Inventory::decode(&bytes, "i");
    }
}

#[test]
fn a_disk_and_memory_give_the_same_world() {
    let target = target("a");
    let root = tempfile::tempdir().unwrap();
    let disk = OsFiles::new(root.path());
    let folder = directory(&target, &disk);
    let before = world(&target, &[("x", 1), ("gone", 1)], &[("r", 3)]);
    let after = world(&target, &[("x", 2), ("new", 1)], &[("s", 4)]);
    folder.compile(&before).unwrap();
    folder.compile(&after).unwrap();
    for (path, contents) in after_files(&target, &before, &after) {
        assert_eq!(std::fs::read(root.path().join(&path)).unwrap(), contents, "{path}");
    }
    assert_eq!(folder.compile(&after).unwrap(), []);
    assert!(!root.path().join("live/a/things/gone.json").exists());
    let names = disk.list("live/a").unwrap().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(names, ["manifest.lock.json", "rows.conf", "sum.conf", "things"]);
    folder.compile(&[]).unwrap();
    assert_eq!(disk.list("live/a").unwrap().len(), 1, "an emptied folder goes on the disk too");

    let error = disk.read("live/a/none", 1).unwrap_err();
    assert_eq!(error.kind, FileErrorKind::NotFound);
    assert_eq!(error.to_string(), "cannot read live/a/none: no such file or directory");
    assert_eq!(disk.read(MANIFEST, 1).unwrap_err().kind, FileErrorKind::TooLarge);
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_folder_is_refused_on_the_disk() {
    let target = target("a");
    let root = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(root.path().join("live/a")).unwrap();
    std::os::unix::fs::symlink(outside.path(), root.path().join("live/a/things")).unwrap();
    let disk = OsFiles::new(root.path());
    let error = refused(directory(&target, &disk).compile(&world(&target, &[("x", 1)], &[])));
    assert_eq!(error.code, codes::SYMLINK);
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[test]
fn reading_looks_at_each_file_once_and_lists_nothing() {
    let target = target("a");
    let calls = |count: usize| {
        let files = MemoryFiles::new();
        let folder = directory(&target, &files);
        let all: Vec<Resource> =
            (0..count).map(|n| resource(&target, "Thing", &format!("t{n}"), json!({"size": n}))).collect();
        folder.compile(&all).unwrap();
        let start = files.calls();
        folder.observe().unwrap();
        files.calls() - start
    };
    // Kind and contents of each file; `live`, the folder twice, the manifest twice, and `things`.
    assert_eq!(calls(100), 2 * 100 + 6);
    assert_eq!(calls(1000), 2 * 1000 + 6);
}
