//! Folders of targets that become others: by the block, by hand, by a copy or a link.

use std::path::Path;

use super::{below, copy_folder, directory, manifest, protect_queue, put_manifest, remove_block, with_extra};
use crate::support::{edit, poolwright, tree};

#[test]
fn a_folder_that_becomes_another_moves_with_all_that_is_known_of_it() {
    let folder = with_extra();
    let before = below(folder.path(), "live/extra/");
    edit(&folder.path().join("extra.pool.hcl"), "live/extra", "clusters/second");
    let run = poolwright(folder.path(), &["plan", "-o", "saved"]).expect(2);
    assert!(run.stdout.starts_with("acme · no changes on 6 targets · 1 target moves · "), "{}", run.all());
    assert!(run.stdout.contains(" · 0 to destroy · 1 target moves · sha256:"), "{}", run.all());
    assert!(run.stdout.contains("kubernetes.extra  clusters/second"), "{}", run.all());
    assert!(run.stdout.contains("  ~ moves here from live/extra\n"), "{}", run.all());
    assert!(run.stderr.contains("PW6010"), "{}", run.all());
    let run = poolwright(folder.path(), &["apply", "saved"]).expect(0);
    assert_eq!(run.stdout, "done · 1 target moved\n");
    assert_eq!(below(folder.path(), "live/extra"), Vec::<String>::new());
    let moved: Vec<String> = below(folder.path(), "clusters/second/")
        .into_iter()
        .map(|name| name.replace("clusters/second", "live/extra"))
        .collect();
    assert_eq!(moved, before);
    assert_eq!(
        below(folder.path(), "clusters/.poolwright"),
        ["clusters/.poolwright/kubernetes.extra/inventory.json"]
    );
    assert_eq!(below(folder.path(), "live/.poolwright/kubernetes.extra"), Vec::<String>::new());
    let run = poolwright(folder.path(), &["plan"]).expect(0);
    assert_eq!(run.stderr, "");
    // The plan is done; what it moved from is not there any more.
    poolwright(folder.path(), &["apply", "saved"]).expect(0);
    poolwright(folder.path(), &["plan"]).expect(0);
}

/// Two targets change places with a third name: each is followed.
#[test]
fn a_folder_that_another_target_leaves_can_be_taken_over() {
    let folder = with_extra();
    edit(&folder.path().join("targets.pool.hcl"), "live/onprem", "live/first");
    edit(&folder.path().join("extra.pool.hcl"), "live/extra", "live/onprem");
    let run = poolwright(folder.path(), &["apply", "--auto-approve"]).expect(5);
    assert!(run.stderr.contains("PW6006") && !run.stderr.contains("PW6091"), "{}", run.all());
    let help = "target.kubernetes.onprem leaves the folder: apply this plan, then plan again";
    assert!(run.stderr.contains(help), "{}", run.all());
    poolwright(folder.path(), &["apply", "--auto-approve"]).expect(0);
    poolwright(folder.path(), &["plan"]).expect(0);
    assert_eq!(below(folder.path(), "live/extra"), Vec::<String>::new());
    assert!(below(folder.path(), "live/first").len() == 3 && below(folder.path(), "live/onprem").len() > 3);
}

/// A copy of a folder carries the manifest too: it is named and left alone.
#[test]
fn a_copy_of_a_folder_is_left_alone() {
    let folder = with_extra();
    let copy = |to: &str| {
        let run = std::process::Command::new("cp")
            .arg("-r")
            .arg(folder.path().join("live/extra"))
            .arg(folder.path().join(to))
            .status()
            .unwrap();
        assert!(run.success());
    };
    copy("live/backup");
    let run = poolwright(folder.path(), &["plan"]).expect(0);
    assert!(run.stderr.contains("PW6091") && run.stderr.contains("live/backup"), "{}", run.all());
    // Two that both say that they are the place of a target that is gone: none is touched.
    let mut second = manifest(folder.path(), "live/backup");
    second["directory"] = "live/backup".into();
    let first = std::fs::read(folder.path().join("live/backup/manifest.lock.json")).unwrap();
    put_manifest(folder.path(), "live/backup", &second);
    std::fs::remove_file(folder.path().join("extra.pool.hcl")).unwrap();
    let before = tree(folder.path());
    let run = poolwright(folder.path(), &["apply", "--auto-approve"]).expect(5);
    assert!(run.stderr.contains("error[PW6091]"), "{}", run.all());
    assert_eq!(tree(folder.path()), before);
    // The copy stays when the target goes.
    std::fs::write(folder.path().join("live/backup/manifest.lock.json"), first).unwrap();
    let copied = below(folder.path(), "live/backup");
    poolwright(folder.path(), &["apply", "--auto-approve"]).expect(0);
    assert_eq!(below(folder.path(), "live/extra"), Vec::<String>::new());
    assert_eq!(below(folder.path(), "live/backup"), copied);
}

/// Somebody moved the folder with its files and then the block: nothing is left to do but to say so in the manifest.
#[test]
fn a_folder_that_was_moved_by_hand_is_taken_over() {
    let folder = with_extra();
    let path = folder.path();
    std::fs::create_dir_all(path.join("clusters")).unwrap();
    std::fs::rename(path.join("live/extra"), path.join("clusters/second")).unwrap();
    directory(path, "live/extra", "clusters/second");
    let run = poolwright(path, &["plan"]).expect(2);
    assert!(run.stdout.contains("  ~ moves here from live/extra\n"), "{}", run.all());
    assert!(run.stdout.contains("0 to create · 0 to change · 0 to destroy"), "{}", run.all());
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    poolwright(path, &["plan"]).expect(0);
    assert_eq!(manifest(path, "clusters/second")["directory"], "clusters/second");
}

/// A former folder is never passed over in silence: what it protects would go with nobody the wiser.
#[test]
fn a_former_folder_that_cannot_be_read_stops_the_plan() {
    for damage in ["<<<<<<< HEAD\n", "", "{\"schema\": \"poolwright/manifest/v9\"}"] {
        let folder = with_extra();
        let path = folder.path();
        protect_queue(path);
        let place = path.join("live/extra/manifest.lock.json");
        let text = std::fs::read_to_string(&place).unwrap();
        let damaged = if damage.starts_with('<') { format!("{damage}{text}") } else { damage.to_owned() };
        std::fs::write(&place, damaged).unwrap();
        let moved = path.join("extra.pool.hcl");
        let block = std::fs::read_to_string(&moved).unwrap();
        for edited in [None, Some(block.replace("live/extra", "live/y"))] {
            match &edited {
                None => remove_block(path),
                Some(text) => std::fs::write(&moved, text).unwrap(),
            }
            let before = tree(path);
            let run = poolwright(path, &["plan"]).expect(5);
            assert!(run.stderr.contains("live/extra/manifest.lock.json"), "{}", run.all());
            poolwright(path, &["apply", "--auto-approve"]).expect(5);
            assert_eq!(tree(path), before);
        }
    }
    // Another program's file of that name is its own business.
    let folder = with_extra();
    std::fs::create_dir_all(folder.path().join("web")).unwrap();
    std::fs::write(folder.path().join("web/manifest.lock.json"), "{\"packages\": {}}").unwrap();
    poolwright(folder.path(), &["plan"]).expect(0);
}

#[test]
fn a_former_folder_is_found_wherever_it_was() {
    // Behind a link, deep and without a neighbour, and inside of the folder that the target moves to.
    let folder = with_extra();
    let path = folder.path();
    std::fs::rename(path.join("live/extra"), path.join("elsewhere")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", path.join("live/extra")).unwrap();
    poolwright(path, &["plan"]).expect(0);
    remove_block(path);
    let run = poolwright(path, &["plan"]).expect(2);
    assert!(run.stdout.contains("- kubernetes.extra  ClusterQueue"), "{}", run.all());

    let folder = with_extra();
    let path = folder.path();
    for (from, to) in [
        ("live/extra", "prod/eu/extra"),
        ("prod/eu/extra", "prod/us/extra"),
        ("prod/us/extra", "prod/us/extra/sub"),
        ("prod/us/extra/sub", "prod/us/extra"),
    ] {
        directory(path, from, to);
        let run = poolwright(path, &["plan"]).expect(2);
        assert!(run.stdout.contains(&format!("  ~ moves here from {from}\n")), "{}", run.all());
        poolwright(path, &["apply", "--auto-approve"]).expect(0);
        poolwright(path, &["plan"]).expect(0);
        let manifests: Vec<String> =
            below(path, "").into_iter().filter(|name| name.ends_with("extra/manifest.lock.json")).collect();
        assert!(below(path, to).len() > 3, "{to}");
        assert!(manifests.len() <= 1, "{manifests:?}");
    }
    remove_block(path);
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    assert_eq!(below(path, "prod"), Vec::<String>::new());
}

/// A copy that becomes the folder is compared with what it was copied from.
#[test]
fn a_copy_as_the_new_folder_does_not_hide_what_is_in_the_old() {
    let folder = with_extra();
    let path = folder.path();
    copy_folder(path, "live/extra", "live/y");
    protect_queue(path);
    let file = path.join("extra.pool.hcl");
    let text = std::fs::read_to_string(&file).unwrap();
    let without = text.split("queue \"extra\"").next().unwrap().replace("live/extra", "live/y");
    std::fs::write(&file, without).unwrap();
    let before = tree(path);
    let run = poolwright(path, &["apply", "--auto-approve"]).expect(1);
    assert!(run.stderr.contains("PW6001"), "{}", run.all());
    assert_eq!(tree(path), before);
    std::fs::write(&file, text.replace("live/extra", "live/y")).unwrap();
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    assert_eq!(below(path, "live/extra"), Vec::<String>::new());
    poolwright(path, &["plan"]).expect(0);
}

/// One folder under two names is one folder.
#[test]
fn a_link_to_the_same_folder_is_no_move() {
    type Link = fn(&Path) -> &'static str;
    let links: [Link; 2] = [
        |path| {
            std::fs::rename(path.join("live"), path.join("store")).unwrap();
            std::os::unix::fs::symlink("store", path.join("live")).unwrap();
            "store/extra"
        },
        |path| {
            std::os::unix::fs::symlink("extra", path.join("live/y")).unwrap();
            "live/y"
        },
    ];
    for link in links {
        let folder = with_extra();
        let path = folder.path();
        protect_queue(path);
        let objects = below(path, "live/extra/").len();
        let other = link(path);
        let run = poolwright(path, &["plan"]).expect(0);
        assert!(!run.stderr.contains("PW6091"), "{}", run.all());
        directory(path, "live/extra", other);
        poolwright(path, &["apply", "--auto-approve"]).expect(0);
        assert_eq!(below(path, &format!("{other}/")).len(), objects, "{other}");
        poolwright(path, &["plan"]).expect(0);
    }
}

#[test]
fn former_folders_are_found_where_live_itself_is_a_link() {
    let folder = with_extra();
    let path = folder.path();
    let outside = crate::support::scratch();
    let store = outside.path().join("store");
    copy_folder(path, "live", store.to_str().unwrap());
    std::fs::remove_dir_all(path.join("live")).unwrap();
    std::os::unix::fs::symlink(&store, path.join("live")).unwrap();
    poolwright(path, &["plan"]).expect(0);
    directory(path, "live/extra", "live/y");
    let run = poolwright(path, &["plan"]).expect(2);
    assert!(run.stdout.contains("  ~ moves here from live/extra\n"), "{}", run.all());
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    remove_block(path);
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    assert!(!store.join("y").exists() && !store.join("extra").exists());
}
