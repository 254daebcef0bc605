//! Where targets are: folders that become others, go away with their target, or have something in the way.

use std::path::Path;

use serde_json::Value;

use crate::support::{base, edit, example, poolwright, tree};

/// A second cluster with a pool and a queue, in a file that can be taken away.
const EXTRA: &str = r#"
target "kubernetes" "extra" {
  directory = "live/extra"
  region    = "eu-fra"
  kueue     = { version = "0.17" }
}

pool "extra" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.extra
  select      = { accelerator-type = "gaudi" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 2
}

queue "extra" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.extra]
}
"#;

fn with_extra() -> tempfile::TempDir {
    let folder = base();
    std::fs::write(folder.path().join("extra.pool.hcl"), EXTRA).unwrap();
    poolwright(folder.path(), &["apply", "--auto-approve"]).expect(0);
    folder
}

/// Paths below a folder.
fn below(folder: &Path, path: &str) -> Vec<String> {
    tree(folder).into_keys().filter(|name| name.starts_with(path)).collect()
}

#[test]
fn a_target_that_is_gone_takes_its_files_and_its_money_along() {
    let folder = with_extra();
    std::fs::write(folder.path().join("live/extra/NOTES.md"), "theirs").unwrap();
    std::fs::remove_file(folder.path().join("extra.pool.hcl")).unwrap();
    let run = poolwright(folder.path(), &["plan"]).expect(2);
    let destroys = run.stdout.matches("  - kubernetes.extra  ").count();
    let files = below(folder.path(), "live/extra/").len() - 2;
    assert_eq!(destroys, files, "{}", run.all());
    let namespace = "Namespace nlp   and everything in it, also what Poolwright did not write   not in";
    assert!(run.stdout.contains(namespace), "{}", run.all());
    assert!(run.stdout.contains("  - live/extra and what is remembered of it\n"), "{}", run.all());
    assert!(run.stdout.contains("capacity    extra"), "{}", run.all());
    assert!(run.stderr.contains("PW6011"), "{}", run.all());

    poolwright(folder.path(), &["plan", "-o", "saved"]).expect(2);
    poolwright(folder.path(), &["apply", "saved"]).expect(0);
    assert_eq!(below(folder.path(), "live/extra"), ["live/extra/NOTES.md"]);
    assert_eq!(below(folder.path(), "live/.poolwright/kubernetes.extra"), Vec::<String>::new());
    let run = poolwright(folder.path(), &["plan"]).expect(0);
    assert!(!run.stderr.contains("extra"), "{}", run.all());
}

#[test]
fn a_gone_target_of_each_kind_leaves_nothing() {
    let folder = base();
    let extra = folder.path().join("extra.pool.hcl");
    std::fs::write(
        &extra,
        r#"
target "slurm" "second" {
  name       = "second-cluster"
  directory  = "live/second"
  version    = "24.11"
  region     = "eu-fra"
  accounting = true
}
target "aws" "second" {
  directory        = "live/aws-second"
  region           = "us-east-1"
  image            = "ami-0123456789abcdef0"
  instance_profile = "eks-node"
  user_data        = "node.tera"
  zones            = { use1-az2 = "subnet-2" }
}
target "alibaba" "second" {
  directory  = "live/alibaba-second"
  region     = "cn-hangzhou"
  cluster_id = "c0123456789abcdef"
  zones      = { cn-hangzhou-i = "vsw-1" }
}
pool "second" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.second
  node        = { gpus = 8, sockets = 2, cores = 56, threads = 2, memory = "2000GiB" }
  hosts       = "second[001-004]"
}
pool "aws-second" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.second
  instance_types = ["p4d.24xlarge"]
  zones          = ["use1-az2"]
  nodes          = "0..4"
  idle_after     = "10m"
}
pool "alibaba-second" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.onprem
  provision      = target.alibaba.second
  instance_types = ["ecs.gn7-c13g1.26xlarge"]
  zones          = ["cn-hangzhou-i"]
  nodes          = "0..4"
  idle_after     = "10m"
}
queue "second" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.second]
}
"#,
    )
    .unwrap();
    let without = |path: &str| -> Vec<String> {
        let all = below(folder.path(), path).into_iter();
        all.filter(|name| name.contains("second")).collect()
    };
    poolwright(folder.path(), &["apply", "--auto-approve"]).expect(0);
    assert!(without("live").len() > 12);
    std::fs::remove_file(extra).unwrap();
    let run = poolwright(folder.path(), &["apply", "--auto-approve"]).expect(0);
    assert!(!run.stderr.contains("PW6004"), "every file is read as what it is: {}", run.all());
    assert_eq!(without("live"), Vec::<String>::new());
    poolwright(folder.path(), &["plan"]).expect(0);
}

#[test]
fn a_protected_object_keeps_its_target_from_going_without_the_memory_of_an_apply_too() {
    let folder = with_extra();
    let extra = folder.path().join("extra.pool.hcl");
    edit(&extra, "queue \"extra\" {", "queue \"extra\" {\n  protect = true");
    poolwright(folder.path(), &["apply", "--auto-approve"]).expect(0);
    std::fs::remove_file(extra).unwrap();
    std::fs::remove_dir_all(folder.path().join("live/.poolwright")).unwrap();
    let before = tree(folder.path());
    for command in [&["plan"][..], &["apply", "--auto-approve"]] {
        let run = poolwright(folder.path(), command).expect(1);
        assert!(run.stderr.contains("PW6001"), "{}", run.all());
    }
    assert_eq!(tree(folder.path()), before);
}

/// AWS, Alibaba and Slurm keep no mark on the object: the manifest does.
#[test]
fn protection_of_every_kind_outlives_the_memory_of_an_apply() {
    for (file, block, kind) in [
        ("capacity.pool.hcl", "pool \"cloud\" {", "aws.use1"),
        ("people.pool.hcl", "queue \"batch\" {", "slurm.hpc"),
    ] {
        let folder = base();
        let file = folder.path().join(file);
        edit(&file, block, &format!("{block}\n  protect = true"));
        poolwright(folder.path(), &["apply", "--auto-approve"]).expect(0);
        std::fs::remove_dir_all(folder.path().join("live/.poolwright")).unwrap();
        poolwright(folder.path(), &["plan"]).expect(0);
        let text = std::fs::read_to_string(&file).unwrap();
        let start = text.find(block).unwrap();
        let end = start + text[start..].find("\n}\n").unwrap() + 3;
        std::fs::write(&file, format!("{}{}", &text[..start], &text[end..])).unwrap();
        let run = poolwright(folder.path(), &["plan"]).expect(1);
        let refused = format!("the plan would destroy {kind}");
        assert!(run.stderr.contains("PW6001") && run.stderr.contains(&refused), "{}", run.all());
    }
}

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

/// A new name for a target is not followed yet: what helps is the old name, and nothing is counted on.
#[test]
fn a_renamed_target_is_led_back_to_its_name() {
    let folder = with_extra();
    let file = folder.path().join("extra.pool.hcl");
    let text = std::fs::read_to_string(&file).unwrap();
    let renamed = text.replace("\"kubernetes\" \"extra\"", "\"kubernetes\" \"second\"");
    std::fs::write(&file, renamed.replace("target.kubernetes.extra", "target.kubernetes.second")).unwrap();
    let run = poolwright(folder.path(), &["plan"]).expect(5);
    assert!(run.stderr.contains("take the old name back: target \"kubernetes\" \"extra\""), "{}", run.all());
    assert!(run.stdout.ends_with("nothing can be applied\n"), "{}", run.all());
    for words in ["apply exactly", "capacity ", " → $"] {
        assert!(!run.stdout.contains(words), "{words}: {}", run.all());
    }
    let run = poolwright(folder.path(), &["apply", "--auto-approve"]).expect(5);
    assert!(run.stderr.ends_with("nothing was changed\n"), "{}", run.all());
    std::fs::write(&file, text).unwrap();
    poolwright(folder.path(), &["plan"]).expect(0);
}

/// A block with a new name: its objects go, and what would keep them is said.
#[test]
fn a_renamed_block_is_told_how_to_keep_its_objects() {
    let folder = with_extra();
    let file = folder.path().join("extra.pool.hcl");
    let text = std::fs::read_to_string(&file).unwrap();
    let rename = |name: &str| {
        let renamed = text.replace("pool \"extra\" {", &format!("pool \"second\" {{{name}"));
        std::fs::write(&file, renamed.replace("pool.extra", "pool.second")).unwrap();
    };
    rename("");
    let run = poolwright(folder.path(), &["plan"]).expect(2);
    assert!(run.stderr.contains("PW6092"), "{}", run.all());
    let help = "`name = \"extra\"` in pool.second keeps the objects";
    assert!(run.stderr.contains(help), "{}", run.all());
    rename("\n  name = \"extra\"");
    let run = poolwright(folder.path(), &["plan"]).expect(2);
    assert!(!run.stderr.contains("PW6092") && run.stdout.contains(" · 0 to destroy · "), "{}", run.all());
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

#[test]
fn compile_removes_what_it_wrote_for_a_target_that_is_gone() {
    let folder = with_extra();
    poolwright(folder.path(), &["compile", "--out", "out"]).expect(0);
    poolwright(folder.path(), &["compile", "--out", "out", "--check"]).expect(0);
    std::fs::remove_file(folder.path().join("extra.pool.hcl")).unwrap();
    let run = poolwright(folder.path(), &["compile", "--out", "out", "--check"]).expect(2);
    assert!(run.stdout.contains("left over kubernetes/extra/"), "{}", run.all());
    let run = poolwright(folder.path(), &["compile", "--out", "out"]).expect(0);
    assert!(run.stdout.contains("removed kubernetes/extra/"), "{}", run.all());
    assert_eq!(below(folder.path(), "out/kubernetes/extra"), Vec::<String>::new());
    poolwright(folder.path(), &["compile", "--out", "out", "--check"]).expect(0);
}

#[test]
fn what_is_in_the_way_is_in_the_plan() {
    let folder = base();
    let path = folder.path();
    std::fs::create_dir_all(path.join("live/eks/kueue.x-k8s.io/cohort")).unwrap();
    std::fs::write(path.join("live/eks/kueue.x-k8s.io/cohort/acme.yaml"), "theirs\n").unwrap();
    std::fs::create_dir_all(path.join("live/use1")).unwrap();
    std::fs::write(path.join("live/use1/launch-template"), "a file\n").unwrap();
    std::fs::write(path.join("live/hpc"), "a file\n").unwrap();
    let before = tree(path);
    let run = poolwright(path, &["plan"]).expect(3);
    for said in [
        "live/eks/kueue.x-k8s.io/cohort/acme.yaml is a file that Poolwright did not write",
        "live/use1/launch-template is a file that Poolwright did not write",
        "live/hpc should be the folder of target.slurm.hpc, and is a file",
    ] {
        let words = run.stderr.replace("\n                 ", " ").replace("\n               ", " ");
        assert!(words.contains(said), "{said}\n{}", run.all());
    }
    poolwright(path, &["apply", "--auto-approve"]).expect(3);
    std::fs::remove_file(path.join("live/hpc")).unwrap();
    poolwright(path, &["plan"]).expect(5);
    poolwright(path, &["apply", "--auto-approve"]).expect(5);
    assert_eq!(tree(path).len(), before.len() - 1, "nothing was written");
}

/// The manifest of a target's folder.
fn manifest(folder: &Path, place: &str) -> Value {
    serde_json::from_slice(&std::fs::read(folder.join(place).join("manifest.lock.json")).unwrap()).unwrap()
}

fn put_manifest(folder: &Path, place: &str, manifest: &Value) {
    std::fs::write(folder.join(place).join("manifest.lock.json"), format!("{manifest:#}\n")).unwrap();
}

fn directory(folder: &Path, from: &str, to: &str) {
    edit(&folder.join("extra.pool.hcl"), &format!("\"{from}\""), &format!("\"{to}\""));
}

fn protect_queue(folder: &Path) {
    edit(&folder.join("extra.pool.hcl"), "queue \"extra\" {", "queue \"extra\" {\n  protect = true");
    poolwright(folder, &["apply", "--auto-approve"]).expect(0);
}

fn remove_block(folder: &Path) {
    std::fs::remove_file(folder.join("extra.pool.hcl")).unwrap();
}

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

#[test]
fn a_protected_object_whose_file_is_damaged_keeps_its_target() {
    let folder = with_extra();
    let path = folder.path();
    protect_queue(path);
    std::fs::write(path.join("live/extra/kueue.x-k8s.io/clusterqueue/extra--nlp.yaml"), "garbage").unwrap();
    remove_block(path);
    let before = tree(path);
    for command in [&["plan"][..], &["apply", "--auto-approve"]] {
        let run = poolwright(path, command).expect(1);
        assert!(
            run.stderr.contains("PW6001") && run.stderr.contains("ClusterQueue/extra--nlp"),
            "{}",
            run.all()
        );
    }
    assert_eq!(tree(path), before);
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

#[test]
fn a_saved_plan_does_not_outlive_the_place_it_is_for() {
    // The target came back, somewhere else.
    let folder = with_extra();
    let path = folder.path();
    let block = std::fs::read_to_string(path.join("extra.pool.hcl")).unwrap();
    remove_block(path);
    poolwright(path, &["plan", "-o", "saved"]).expect(2);
    std::fs::write(path.join("extra.pool.hcl"), block.replace("live/extra", "live/y")).unwrap();
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    let before = tree(path);
    let run = poolwright(path, &["apply", "saved"]).expect(5);
    assert!(run.stderr.contains("PW6108"), "{}", run.all());
    assert_eq!(tree(path), before);

    // It went before the plan was applied: nothing is made to remove it.
    remove_block(path);
    poolwright(path, &["plan", "-o", "saved"]).expect(2);
    poolwright(path, &["apply", "saved"]).expect(0);
    let before = tree(path);
    poolwright(path, &["apply", "saved"]).expect(0);
    assert_eq!(tree(path), before);

    // A move whose target is gone.
    let folder = with_extra();
    let path = folder.path();
    directory(path, "live/extra", "live/y");
    poolwright(path, &["plan", "-o", "saved"]).expect(2);
    remove_block(path);
    let run = poolwright(path, &["apply", "saved"]).expect(5);
    assert!(run.stderr.contains("PW6108"), "{}", run.all());
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

/// Places that cannot be used are told before anything is written anywhere.
#[test]
fn a_place_that_cannot_be_used_is_in_the_plan() {
    type Spoil = fn(&Path);
    let spoils: [(Spoil, i32); 3] = [
        (|path| std::os::unix::fs::symlink("nowhere", path.join("live/eks")).unwrap(), 3),
        (|path| std::fs::write(path.join("live/.poolwright"), "a file").unwrap(), 3),
        (
            |path| {
                std::fs::create_dir(path.join("live/eks")).unwrap();
                let place = path.join("live/eks/manifest.lock.json");
                assert!(std::process::Command::new("mkfifo").arg(place).status().unwrap().success());
            },
            5,
        ),
    ];
    for (spoil, exit) in spoils {
        let folder = base();
        std::fs::create_dir(folder.path().join("live")).unwrap();
        spoil(folder.path());
        let run = poolwright(folder.path(), &["plan"]).expect(exit);
        assert!(run.stderr.contains("PW6006"), "{}", run.all());
    }
    // A file of theirs in a folder that is called like one of ours is nothing to finish.
    let folder = base();
    poolwright(folder.path(), &["apply", "--auto-approve"]).expect(0);
    let staging = folder.path().join("live/eks/.poolwright-staging-0123456789abcdef");
    std::fs::create_dir(&staging).unwrap();
    std::fs::write(staging.join("notes.txt"), "theirs").unwrap();
    poolwright(folder.path(), &["plan"]).expect(0);
}

fn copy_folder(folder: &Path, from: &str, to: &str) {
    let done = std::process::Command::new("cp").args(["-r", from, to]).current_dir(folder).status().unwrap();
    assert!(done.success());
}

/// A saved plan destroys what it lists, and nothing that came or was protected since.
#[test]
fn a_saved_plan_stops_at_what_was_protected_since() {
    let folder = with_extra();
    let path = folder.path();
    let block = std::fs::read_to_string(path.join("extra.pool.hcl")).unwrap();
    remove_block(path);
    poolwright(path, &["plan", "-o", "saved"]).expect(2);
    let more = "\nqueue \"more\" {\n  class   = class.batch\n  tenants = [tenant.nlp]\n  pools   = [pool.extra]\n  protect = true\n}\n";
    std::fs::write(path.join("extra.pool.hcl"), format!("{block}{more}")).unwrap();
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    remove_block(path);
    let before = tree(path);
    let run = poolwright(path, &["apply", "saved"]).expect(5);
    assert!(run.stderr.contains("appeared since"), "{}", run.all());
    assert_eq!(tree(path), before);

    // On Slurm only the manifest knows of protection.
    let folder = base();
    let path = folder.path();
    let people = path.join("people.pool.hcl");
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    let with = std::fs::read_to_string(&people).unwrap();
    let without = with.split("queue \"batch\"").next().unwrap().to_owned();
    std::fs::write(&people, &without).unwrap();
    poolwright(path, &["plan", "-o", "saved"]).expect(2);
    std::fs::write(&people, with.replace("queue \"batch\" {", "queue \"batch\" {\n  protect = true"))
        .unwrap();
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    std::fs::write(&people, without).unwrap();
    let run = poolwright(path, &["apply", "saved"]).expect(5);
    assert!(run.stderr.contains("is protected since"), "{}", run.all());
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

/// `compile` into the folder of a target neither removes what a plan must, nor makes it forget where it is.
#[test]
fn compile_does_not_go_round_a_plan() {
    let folder = base();
    let path = folder.path();
    std::fs::write(path.join("extra.pool.hcl"), EXTRA.replace("live/extra", "live/kubernetes/extra"))
        .unwrap();
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    protect_queue(path);
    poolwright(path, &["compile", "--out", "live", "--target", "kubernetes.extra"]).expect(0);
    assert_eq!(manifest(path, "live/kubernetes/extra")["directory"], "live/kubernetes/extra");
    remove_block(path);
    let objects = below(path, "live/kubernetes/extra");
    poolwright(path, &["compile", "--out", "live"]).expect(0);
    assert_eq!(below(path, "live/kubernetes/extra"), objects);
    poolwright(path, &["plan"]).expect(1);

    // A manifest that lost its place gets it back.
    let folder = with_extra();
    let path = folder.path();
    let whole = manifest(path, "live/extra");
    let mut placeless = whole.clone();
    placeless.as_object_mut().unwrap().remove("directory");
    put_manifest(path, "live/extra", &placeless);
    poolwright(path, &["plan"]).expect(2);
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    assert_eq!(manifest(path, "live/extra"), whole);
    poolwright(path, &["plan"]).expect(0);
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

#[test]
fn a_saved_move_of_what_is_gone_is_stale() {
    let folder = with_extra();
    let path = folder.path();
    directory(path, "live/extra", "live/y");
    poolwright(path, &["plan", "-o", "saved"]).expect(2);
    std::fs::remove_dir_all(path.join("live/extra")).unwrap();
    let run = poolwright(path, &["apply", "saved"]).expect(5);
    assert!(run.stderr.contains("is not where it was"), "{}", run.all());
}
