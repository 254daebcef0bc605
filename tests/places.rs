//! Where targets are: folders that become others, go away with their target, or have something in the way.

use std::path::Path;

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

#[test]
fn a_target_that_is_gone_takes_its_files_and_its_money_along() {
    let folder = with_extra();
    std::fs::write(folder.path().join("live/extra/NOTES.md"), "theirs").unwrap();
    std::fs::remove_file(folder.path().join("extra.pool.hcl")).unwrap();
    let run = poolwright(folder.path(), &["plan"]).expect(2);
    let destroys = run.stdout.matches("  - kubernetes.extra  ").count();
    let files = below(folder.path(), "live/extra/").len() - 2;
    assert_eq!(destroys, files, "{}", run.all());
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
    assert!(run.stdout.contains("0 changes on 1 of 6 targets"), "{}", run.all());
    assert!(run.stdout.contains("kubernetes.extra  clusters/second"), "{}", run.all());
    assert!(run.stdout.contains("  ~ moves here from live/extra\n"), "{}", run.all());
    assert!(run.stderr.contains("PW6010"), "{}", run.all());
    poolwright(folder.path(), &["apply", "saved"]).expect(0);
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
    // Of two folders of a target that is gone none is touched.
    std::fs::remove_file(folder.path().join("extra.pool.hcl")).unwrap();
    let before = tree(folder.path());
    let run = poolwright(folder.path(), &["apply", "--auto-approve"]).expect(0);
    assert_eq!(run.stderr.matches("PW6091").count(), 2, "{}", run.all());
    assert_eq!(tree(folder.path()), before);
    std::fs::remove_dir_all(folder.path().join("live/backup")).unwrap();
    poolwright(folder.path(), &["apply", "--auto-approve"]).expect(0);
    assert_eq!(below(folder.path(), "live/extra"), Vec::<String>::new());
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
