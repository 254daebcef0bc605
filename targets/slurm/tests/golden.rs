//! The quickstart's Slurm cluster: its objects and its files, byte by byte. `UPDATE_GOLDEN=1` writes them anew.

#[cfg(test)]
mod common;

use std::collections::BTreeMap;

use common::{GOLDEN, World};
use poolwright_target::Target;
use poolwright_target_slurm::Slurm;

const OWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden");

/// Compares with what is on disk, or writes it.
#[cfg(test)]
fn check(folder: &str, found: &BTreeMap<String, String>) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(folder).unwrap();
        for (path, text) in found {
            std::fs::write(format!("{folder}/{path}"), text).unwrap();
        }
    }
    for (path, text) in found {
        let wanted = std::fs::read_to_string(format!("{folder}/{path}")).unwrap_or_default();
        assert_eq!(*text, wanted, "{path}: run with UPDATE_GOLDEN=1 after a wanted change");
    }
    let mut on_disk: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    on_disk.sort();
    assert_eq!(on_disk, found.keys().cloned().collect::<Vec<_>>());
}

#[cfg(test)]
fn texts(world: &World, resources: &[poolwright_model::Resource]) -> BTreeMap<String, String> {
    let files = world.files(resources).into_iter();
    files.map(|file| (file.path, String::from_utf8(file.contents).unwrap())).collect()
}

#[test]
fn a_wider_cluster_has_its_files() {
    let world = World::wide();
    let lowered = world.lower();
    let reports: Vec<&str> = lowered.diagnostics.iter().map(|found| found.code.0).collect();
    // The CPU partition has no GPU price, so that no budget holds; the level is kept for a while only.
    assert_eq!(reports, ["PW5216", "PW5216", "PW5215"]);
    check(&format!("{OWN}/wide"), &texts(&world, &lowered.resources));
    common::assert_round_trip(&world);
}

#[test]
fn the_quickstart_has_its_objects_and_files() {
    let world = World::quickstart();
    let lowered = world.lower();
    assert!(lowered.diagnostics.is_empty(), "{:?}", lowered.diagnostics);
    let mut resources = lowered.resources;
    let found = texts(&world, &resources);
    resources.sort_by(|a, b| a.address.cmp(&b.address));
    let objects = serde_json::to_string_pretty(&resources).unwrap() + "\n";
    check(&format!("{GOLDEN}/objects/slurm.hpc"), &found);
    check(&format!("{OWN}/quickstart"), &BTreeMap::from([("objects.json".to_owned(), objects)]));
}

#[test]
fn the_quickstarts_files_give_its_objects_again() {
    common::assert_round_trip(&World::quickstart());
}

#[test]
fn files_do_not_depend_on_the_order_of_objects() {
    let world = World::quickstart();
    let mut resources = world.lower().resources;
    let files = world.files(&resources);
    resources.reverse();
    assert_eq!(files, world.files(&resources));
}

#[test]
fn every_object_knows_the_files_that_hold_it() {
    let world = World::quickstart();
    let files = world.files(&world.lower().resources);
    let (observed, _) = Slurm.from_files(world.target(), &files);
    let mut named: Vec<String> =
        observed.iter().flat_map(|object| Slurm.files_of(world.target(), object)).collect();
    named.sort();
    named.dedup();
    assert_eq!(named, files.into_iter().map(|file| file.path).collect::<Vec<_>>());
}
