//! A target's folder that becomes another, one whose target is gone, and what stands in the way of either.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests")]

#[cfg(test)]
mod fake;

use std::collections::BTreeMap;

use fake::{Fake, resource, target};
use poolwright_model::plan::{Action, Change, FieldChange, PROTECT, Settle};
use poolwright_model::{Resource, fleet};
use poolwright_target::backend::{Backend, Batch};
use poolwright_target::directory::Directory;
use poolwright_target::error::TargetError;
use poolwright_target::files::{Fault, Files, MemoryFiles};
use poolwright_target::input_digest;
use poolwright_target::inventory::{INVENTORY_SCHEMA, Inventory};
use serde_json::json;

const OLD: &str = "before/a";
const NEW: &str = "live/a";

fn world(target: &fleet::Target) -> Vec<Resource> {
    let mut all = vec![
        resource(target, "Thing", "x", json!({"size": 1})),
        resource(target, "Thing", "y", json!({"size": 2})),
        resource(target, "Row", "r", json!({"size": 3})),
    ];
    all[0].protected = true;
    all
}

fn at<'a>(target: &'a fleet::Target, folder: &'a str, files: &'a dyn Files) -> Directory<'a> {
    Directory::new(&Fake, target, "acme", folder, files).unwrap().live()
}

/// As the driver does: the old folder counts as long as the new one has no manifest.
fn moving<'a>(target: &'a fleet::Target, files: &'a dyn Files) -> Directory<'a> {
    let manifest = |folder: &str| files.kind(&format!("{folder}/manifest.lock.json")).unwrap().is_some();
    let here = at(target, NEW, files);
    if !manifest(NEW) && manifest(OLD) { here.moved_from(OLD).unwrap() } else { here }
}

fn inventory(objects: bool) -> Inventory {
    let mut inventory = Inventory {
        schema: INVENTORY_SCHEMA.to_owned(),
        fleet: "acme".to_owned(),
        target: target("a").meta.address,
        input_digest: String::new(),
        objects: Vec::new(),
        cost: None,
        capacity: BTreeMap::from([("pool.p".into(), 7)]),
    };
    if objects {
        inventory.objects.push(poolwright_target::inventory::InventoryObject {
            address: "alibaba.a/Thing/x".to_owned(),
            kind: "Thing".to_owned(),
            identity: "Thing/x".to_owned(),
            digest: String::new(),
            depends_on: Vec::new(),
        });
    }
    inventory
}

/// A world in the old folder, with somebody else's file.
fn old_world() -> MemoryFiles {
    let files = MemoryFiles::new();
    let target = target("a");
    let folder = at(&target, OLD, &files);
    folder.compile(&world(&target)).unwrap();
    folder.record(&inventory(true)).unwrap();
    files.put("before/a/README.md", "theirs");
    files
}

/// One apply without changes.
fn settle(directory: &Directory<'_>, target: &fleet::Target) -> Result<(), TargetError> {
    directory.settle(&input_digest(&world(target)))?;
    directory.record(&inventory(true))
}

#[test]
fn a_move_takes_everything_along_and_leaves_what_is_theirs() {
    let (target, files) = (target("a"), old_world());
    let folder = moving(&target, &files);
    let seen = folder.observe().unwrap();
    assert_eq!(seen.settle, Some(Settle::Move { from: OLD.to_owned() }));
    let names: Vec<(&str, bool)> =
        seen.objects.iter().map(|object| (object.identity.as_str(), object.protected)).collect();
    assert_eq!(names, [("Row/r", false), ("Thing/x", true), ("Thing/y", false)]);
    assert_eq!(folder.inventory().unwrap().unwrap().capacity.len(), 1, "the old inventory counts");

    settle(&folder, &target).unwrap();
    let left: Vec<String> = files.files().into_keys().collect();
    assert_eq!(
        left,
        [
            "before/a/README.md",
            "live/.poolwright/alibaba.a/inventory.json",
            "live/a/manifest.lock.json",
            "live/a/rows.conf",
            "live/a/sum.conf",
            "live/a/things/x.json",
            "live/a/things/y.json",
        ]
    );
    let fresh = MemoryFiles::new();
    at(&target, NEW, &fresh).compile(&world(&target)).unwrap();
    for (path, contents) in fresh.files() {
        assert_eq!(files.files().get(&path), Some(&contents), "{path} is as if it had never moved");
    }
    let again = moving(&target, &files);
    assert_eq!(again.observe().unwrap().settle, None);
    let mutations = files.mutations();
    settle(&again, &target).unwrap();
    assert_eq!(files.mutations(), mutations, "nothing is left to do");
}

#[test]
fn a_move_survives_a_crash_and_a_fault_at_every_call() {
    let target = target("a");
    let undisturbed = old_world();
    let folder = moving(&target, &undisturbed);
    let start = undisturbed.calls();
    settle(&folder, &target).unwrap();
    let calls = undisturbed.calls() - start;
    assert!(calls > 30, "{calls}");
    for fault in [Fault::Crash, Fault::Torn(7), Fault::Fail(poolwright_target::files::FileErrorKind::Full)] {
        for call in 1..=calls {
            let files = old_world();
            let folder = moving(&target, &files);
            files.inject(call, fault);
            let _ = settle(&folder, &target);
            files.restart();
            let seen = moving(&target, &files).observe().unwrap();
            assert_eq!(seen.objects.len(), 3, "{fault:?} at {call}: all objects are seen at any time");
            assert_eq!(seen.faults, [], "{fault:?} at {call}");
            assert!(seen.objects.iter().any(|object| object.protected), "{fault:?} at {call}");
            // Again, and early and late in the repair.
            let folder = moving(&target, &files);
            files.inject(call / 2 + 1, fault);
            let _ = settle(&folder, &target);
            files.restart();
            settle(&moving(&target, &files), &target).unwrap();
            assert_eq!(files.files(), undisturbed.files(), "{fault:?} at {call}");
            assert_eq!(moving(&target, &files).observe().unwrap().settle, None, "{fault:?} at {call}");
        }
    }
}

#[test]
fn an_object_that_changes_while_its_target_moves_is_written_once_in_the_new_folder() {
    let (target, files) = (target("a"), old_world());
    let folder = moving(&target, &files);
    let change = change(&target, "Thing", "y", Some(json!({"size": 9})));
    let observation = folder.observe().unwrap();
    let batch = Batch { changes: &[&change], observation: &observation, input_digest: Some("d") };
    assert_eq!(folder.apply(batch), [Ok(())]);
    // Until the old folder is empty the next run sees the new one.
    let seen = moving(&target, &files).observe().unwrap();
    assert_eq!(seen.settle, Some(Settle::Move { from: OLD.to_owned() }));
    assert!(seen.objects.iter().any(|object| object.body["size"] == 9));
    moving(&target, &files).settle("d").unwrap();
    let ours: Vec<String> = files.files().into_keys().filter(|path| path.starts_with(OLD)).collect();
    assert_eq!(ours, ["before/a/README.md"]);
}

#[test]
fn the_folder_of_a_target_that_is_gone_goes_with_it() {
    let target = target("a");
    let gone = |files: &MemoryFiles| -> Result<(), TargetError> {
        let folder = at(&target, OLD, files).gone();
        let observation = folder.observe()?;
        let deletes: Vec<Change> = observation
            .objects
            .iter()
            .map(|object| {
                let (kind, name) = object.identity.split_once('/').unwrap();
                change(&target, kind, name, None)
            })
            .collect();
        let deletes: Vec<&Change> = deletes.iter().collect();
        if !deletes.is_empty() {
            let batch = Batch { changes: &deletes, observation: &observation, input_digest: Some("d") };
            folder.apply(batch).into_iter().collect::<Result<Vec<()>, _>>()?;
        }
        folder.settle("d")?;
        folder.record(&inventory(false))
    };
    let undisturbed = old_world();
    assert_eq!(at(&target, OLD, &undisturbed).gone().observe().unwrap().settle, Some(Settle::Remove));
    let start = undisturbed.calls();
    gone(&undisturbed).unwrap();
    let calls = undisturbed.calls() - start;
    assert_eq!(undisturbed.files().into_keys().collect::<Vec<_>>(), ["before/a/README.md"]);
    for fault in [Fault::Crash, Fault::Torn(7)] {
        for call in 1..=calls {
            let files = old_world();
            files.inject(call, fault);
            let _ = gone(&files);
            files.restart();
            gone(&files).unwrap();
            assert_eq!(files.files(), undisturbed.files(), "{fault:?} at {call}");
        }
    }
}

#[test]
fn a_file_that_holds_no_object_goes_with_its_target_too() {
    let (target, files) = (target("a"), old_world());
    files.put("before/a/things/x.json", "no json");
    let folder = at(&target, OLD, &files).gone();
    let observation = folder.observe().unwrap();
    assert_eq!(observation.faults.len(), 1);
    let deletes = [change(&target, "Thing", "y", None), change(&target, "Row", "r", None)];
    let deletes: Vec<&Change> = deletes.iter().collect();
    let batch = Batch { changes: &deletes, observation: &observation, input_digest: Some("d") };
    assert_eq!(folder.apply(batch), [Ok(()), Ok(())]);
    folder.settle("d").unwrap();
    assert!(!files.files().contains_key("before/a/things/x.json"));
}

#[test]
fn what_is_in_the_way_is_found_before_anything_is_written() {
    let target = target("a");
    let wanted = world(&target);
    let obstacles = |files: &MemoryFiles| -> Vec<(String, &'static str, Vec<String>)> {
        let all = at(&target, NEW, files).obstacles(&wanted).unwrap();
        all.into_iter().map(|it| (it.place, it.what, it.needed_by)).collect()
    };
    let address = |name: &str| format!("alibaba.a/{name}");
    let files = MemoryFiles::new();
    assert_eq!(obstacles(&files), [], "no folder, nothing in the way");
    files.put("live/a/README.md", "theirs, where nothing of ours goes");
    assert_eq!(obstacles(&files), []);
    files.put("live/a/things", "a file where a folder is to be");
    files.put("live/a/sum.conf/notes.txt", "a folder where a file is to be");
    assert_eq!(
        obstacles(&files),
        [
            ("live/a/sum.conf".to_owned(), "a folder", vec![address("Row/r")]),
            ("live/a/things".to_owned(), "a file", vec![address("Thing/x"), address("Thing/y")]),
        ]
    );
    files.take("live/a/things");
    files.take("live/a/sum.conf");
    files.put("live/a/things/x.json", "{}");
    files.put_symlink("live/a/rows.conf");
    let found = obstacles(&files);
    assert_eq!(
        found,
        [
            ("live/a/rows.conf".to_owned(), "a symbolic link", vec![address("Row/r")]),
            ("live/a/things/x.json".to_owned(), "a file", vec![address("Thing/x")]),
        ]
    );
    assert_eq!(files.mutations(), 0);

    // The same folder is refused by a write, and what is ours is in nobody's way.
    assert!(at(&target, NEW, &files).compile(&wanted).is_err());
    files.take("live/a/rows.conf");
    files.take("live/a/things/x.json");
    at(&target, NEW, &files).compile(&wanted).unwrap();
    assert_eq!(obstacles(&files), []);

    let files = MemoryFiles::new();
    files.put("live", "a file");
    let error = at(&target, NEW, &files).observe().unwrap_err();
    assert_eq!(error.message, "live should be a folder around the folder of target.alibaba.a, and is a file");
    assert_eq!(error.class.exit(), 3);
}

#[test]
fn protection_is_in_the_manifest_whatever_the_kind_keeps_of_it() {
    let (target, files) = (target("a"), MemoryFiles::new());
    let folder = at(&target, NEW, &files);
    let mut wanted = world(&target);
    wanted[0].protected = false;
    folder.compile(&wanted).unwrap();
    let protected = || -> Vec<String> {
        let all = folder.observe().unwrap().objects.into_iter();
        all.filter(|object| object.protected).map(|object| object.identity).collect()
    };
    assert_eq!(protected(), Vec::<String>::new());

    let put = |name: &str, before: bool, after: bool| {
        let mut change = change(&target, "Thing", name, Some(json!({"size": 1})));
        change.protected = before || after;
        change.fields.push(FieldChange {
            path: PROTECT.to_owned(),
            before: Some(before.into()),
            after: Some(after.into()),
            sensitive: false,
            forces_replace: false,
            owner: None,
        });
        let observation = folder.observe().unwrap();
        let batch = Batch { changes: &[&change], observation: &observation, input_digest: None };
        assert_eq!(folder.apply(batch), [Ok(())]);
    };
    put("x", false, true);
    assert_eq!(protected(), ["Thing/x"]);
    put("x", true, false);
    assert_eq!(protected(), Vec::<String>::new());

    // `compile` keeps it too, and `--check` sees that it is missing.
    wanted[0].protected = true;
    let what: Vec<String> = folder.check(&wanted).unwrap().into_iter().map(|it| it.path).collect();
    assert_eq!(what, ["manifest.lock.json"]);
    folder.compile(&wanted).unwrap();
    assert_eq!(protected(), ["Thing/x"]);
    assert_eq!(folder.check(&wanted).unwrap(), []);
}

/// A change as a plan has it: with a body it updates, without it deletes.
fn change(target: &fleet::Target, kind: &str, name: &str, body: Option<serde_json::Value>) -> Change {
    let made = resource(target, kind, name, json!({}));
    Change {
        address: made.address,
        target: made.target,
        kind: made.kind,
        identity: made.identity,
        action: if body.is_some() { Action::Update } else { Action::Delete },
        reason: None,
        protected: false,
        depends_on: Vec::new(),
        fields: Vec::new(),
        precondition: None,
        found: None,
        body,
        ownership: BTreeMap::new(),
        origin: None,
        remark: None,
    }
}
