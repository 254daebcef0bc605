//! Where targets are: folders that go away with their target, have something in the way, or become others.

mod interrupted;
mod moves;
mod stale;

use std::path::Path;

use serde_json::Value;

use crate::support::{base, edit, poolwright, tree};

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

fn copy_folder(folder: &Path, from: &str, to: &str) {
    let done = std::process::Command::new("cp").args(["-r", from, to]).current_dir(folder).status().unwrap();
    assert!(done.success());
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
