//! The quickstart from file to plan to apply, as a user runs it: its objects name by name, its money to the cent.

use std::collections::BTreeMap;

use crate::support::{edit, example, golden, poolwright, root, scratch, tree};

fn plan_json(folder: &std::path::Path, code: i32) -> serde_json::Value {
    serde_json::from_str(&poolwright(folder, &["plan", "--json"]).expect(code).stdout).unwrap()
}

/// The table at the end of LANGUAGE §1.
fn wanted() -> BTreeMap<&'static str, Vec<&'static str>> {
    let worker = |flavor: &'static str| {
        vec![
            flavor,
            "Cohort acme",
            "Cohort acme--nlp",
            "Cohort acme--vision",
            "ClusterQueue cost-optimized--nlp",
            "ClusterQueue cost-optimized--vision",
            "LocalQueue nlp/cost-optimized",
            "LocalQueue vision/cost-optimized",
            "AdmissionCheck provisioning",
            "ProvisioningRequestConfig provisioning",
            "WorkloadPriorityClass interruptible",
            "PriorityClass interruptible",
            "Namespace nlp",
            "Namespace vision",
        ]
    };
    BTreeMap::from([
        (
            "target.kubernetes.onprem",
            vec![
                "ResourceFlavor onprem-gaudi",
                "ResourceFlavor dispatch--cost-optimized",
                "Cohort acme",
                "Cohort acme--nlp",
                "Cohort acme--vision",
                "ClusterQueue cost-optimized--nlp",
                "ClusterQueue cost-optimized--vision",
                "ClusterQueue inference--nlp",
                "LocalQueue nlp/cost-optimized",
                "LocalQueue vision/cost-optimized",
                "LocalQueue nlp/inference",
                "AdmissionCheck cost-optimized",
                "MultiKueueConfig cost-optimized",
                "MultiKueueCluster eks",
                "MultiKueueCluster ack",
                "WorkloadPriorityClass interruptible",
                "WorkloadPriorityClass inference",
                "PriorityClass interruptible",
                "PriorityClass inference",
                "Namespace nlp",
                "Namespace vision",
            ],
        ),
        ("target.kubernetes.eks", worker("ResourceFlavor aws-a100-spot")),
        ("target.kubernetes.ack", worker("ResourceFlavor aliyun-a100")),
        (
            "target.aws.use1",
            vec![
                "LaunchTemplate aws-a100-spot--az2",
                "LaunchTemplate aws-a100-spot--az4",
                "AutoScalingGroup aws-a100-spot--az2",
                "AutoScalingGroup aws-a100-spot--az4",
            ],
        ),
        ("target.alibaba.hangzhou", vec!["alicloud_cs_kubernetes_node_pool aliyun-a100--main"]),
        (
            "target.slurm.hpc",
            vec![
                "Node hpc-h100--main",
                "Gres hpc-h100--main",
                "NodeSet hpc-h100",
                "Partition urgent",
                "Partition dev",
                "Switch spine",
                "Switch su1",
                "Switch su2",
                "Account nlp",
                "Account vision",
                "Qos urgent",
                "Qos dev",
                "JobSubmit job_submit",
                "Config globals",
            ],
        ),
    ])
}

#[test]
fn its_objects_are_those_of_the_table() {
    let folder = example("quickstart");
    let plan = plan_json(folder.path(), 2);
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for change in plan["changes"].as_array().unwrap() {
        assert_eq!(change["action"], "create");
        let kind = change["kind"].as_str().unwrap();
        let identity = change["identity"].as_str().unwrap();
        let (_, name) = identity.split_once(&format!("{kind}/")).unwrap();
        found
            .entry(change["target"].as_str().unwrap().to_owned())
            .or_default()
            .push(format!("{kind} {name}"));
    }
    for (target, mut names) in wanted() {
        names.sort_unstable();
        let mut there = found.remove(target).unwrap_or_default();
        there.sort();
        assert_eq!(there, names, "{target}");
    }
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn plan_apply_plan() {
    let folder = example("quickstart");
    let first = poolwright(folder.path(), &["plan"]).expect(2);
    assert!(first.stderr.is_empty(), "{}", first.stderr);
    golden(&root().join("tests/golden/quickstart/plan.txt"), &first.stdout);
    let before = tree(folder.path());
    poolwright(folder.path(), &["apply"]).expect(4);
    assert_eq!(tree(folder.path()), before, "without an approval nothing is written");
    poolwright(folder.path(), &["apply", "--auto-approve"]).expect(0);
    let again = poolwright(folder.path(), &["plan"]).expect(0);
    assert!(again.stdout.starts_with("acme · no changes on 6 targets"), "{}", again.stdout);
    let written = tree(folder.path());
    poolwright(folder.path(), &["apply", "--auto-approve"]).expect(0);
    assert_eq!(tree(folder.path()), written, "an apply without changes writes nothing");
}

#[test]
fn one_edit_changes_only_what_depends_on_it() {
    let folder = example("quickstart");
    poolwright(folder.path(), &["apply", "--auto-approve"]).expect(0);
    edit(&folder.path().join("pools.pool.hcl"), "nodes = \"0..12\"", "nodes = \"0..20\"");
    let plan = plan_json(folder.path(), 2);
    let changed: Vec<&str> = plan["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| change["address"].as_str().unwrap())
        .collect();
    assert_eq!(
        changed,
        [
            "aws.use1/autoscaling/AutoScalingGroup/aws-a100-spot--az2",
            "kubernetes.eks/kueue.x-k8s.io/Cohort/acme",
            "kubernetes.onprem/kueue.x-k8s.io/Cohort/acme",
        ]
    );
    let text = poolwright(folder.path(), &["plan"]).expect(2).stdout;
    golden(&root().join("tests/golden/quickstart/edit.txt"), &text);
    assert!(text.contains("+$128,232.63"), "{text}");
}

/// One tier: its notice is in no object of these targets, its kind in the group, the labels and the price.
#[test]
fn editing_one_tier_changes_only_what_depends_on_it() {
    let folder = example("quickstart");
    poolwright(folder.path(), &["apply", "--auto-approve"]).expect(0);
    edit(
        &folder.path().join("pools.pool.hcl"),
        "tier        = tier.spot\n",
        "tier        = tier.on-demand\n",
    );
    // The class allows both kinds, so that only capacity that is bought changes.
    let plan = plan_json(folder.path(), 2);
    for change in plan["changes"].as_array().unwrap() {
        let address = change["address"].as_str().unwrap();
        assert!(address.starts_with("aws.use1/"), "{address} does not depend on how a node is bought");
    }
    assert!(!plan["changes"].as_array().unwrap().is_empty());
}

#[test]
fn a_denied_edit_shows_policy_configuration_and_values() {
    let folder = example("quickstart");
    poolwright(folder.path(), &["apply", "--auto-approve"]).expect(0);
    let before = tree(&folder.path().join("live"));
    edit(
        &folder.path().join("queues.pool.hcl"),
        "{ pool = pool.aws-a100-spot, gpus = 32, borrow = 32 }",
        "{ pool = pool.aws-a100-spot, gpus = 32, borrow = \"all\" }",
    );
    let plan = poolwright(folder.path(), &["plan"]).expect(4);
    golden(&root().join("tests/golden/quickstart/denied.txt"), &plan.stderr);
    for part in [
        "policies.pool.hcl:7:17",
        "queues.pool.hcl:20:",
        "$470,248.94/month",
        "$450,000.00/month",
        "borrow = 85",
    ] {
        assert!(plan.stderr.contains(part), "{part} is missing in\n{}", plan.stderr);
    }
    poolwright(folder.path(), &["apply", "--auto-approve"]).expect(4);
    assert_eq!(tree(&folder.path().join("live")), before, "a denied apply writes nothing");
}

#[test]
fn the_ceilings_are_right_to_the_cent() {
    let folder = example("quickstart");
    let text = poolwright(folder.path(), &["cost"]).expect(0).stdout;
    golden(&root().join("tests/golden/quickstart/cost.txt"), &text);
    let ceiling = |name: &str| {
        text.lines().find(|line| line.starts_with(name)).and_then(|line| line.split_whitespace().last())
    };
    assert_eq!(ceiling("tenant.nlp"), Some("$455,073.74"));
    assert_eq!(ceiling("tenant.vision"), Some("$342,016.31"));
    let json: serde_json::Value =
        serde_json::from_str(&poolwright(folder.path(), &["cost", "--json"]).expect(0).stdout).unwrap();
    assert_eq!(json["schema"], "poolwright/cost/v1");
}

#[test]
fn the_cohorts_of_eks_have_the_numbers_of_the_language() {
    let folder = example("quickstart");
    let plan = plan_json(folder.path(), 2);
    // LANGUAGE §4.3: guarantee and what may be borrowed above it.
    let expected = [
        ("acme", ["376", "4246732Mi", "32"], [None, None, None]),
        ("acme--nlp", ["752", "8493464Mi", "64"], [Some("376"), Some("4246732Mi"), Some("32")]),
        ("acme--vision", ["376", "4246732Mi", "32"], [Some("376"), Some("4246732Mi"), Some("32")]),
    ];
    for (name, nominal, borrowing) in expected {
        let address = format!("kubernetes.eks/kueue.x-k8s.io/Cohort/{name}");
        let change =
            plan["changes"].as_array().unwrap().iter().find(|change| change["address"] == *address).unwrap();
        let group = &change["body"]["spec"]["resourceGroups"][0];
        assert_eq!(group["coveredResources"], serde_json::json!(["cpu", "memory", "nvidia.com/gpu"]));
        let resources = group["flavors"][0]["resources"].as_array().unwrap();
        for (index, resource) in resources.iter().enumerate() {
            assert_eq!(resource["nominalQuota"], nominal[index], "{name}");
            assert_eq!(
                resource.get("borrowingLimit").and_then(|limit| limit.as_str()),
                borrowing[index],
                "{name}"
            );
        }
    }
}

#[test]
fn another_folder_another_order_the_same_bytes() {
    let one = example("quickstart");
    poolwright(one.path(), &["compile", "--out", "out"]).expect(0);
    let other = scratch();
    // All files in one, last block first.
    let mut text = String::new();
    for name in ["queues", "policies", "pools", "fleet"] {
        text.push_str(&std::fs::read_to_string(one.path().join(format!("{name}.pool.hcl"))).unwrap());
        text.push('\n');
    }
    std::fs::write(other.path().join("all.pool.hcl"), text).unwrap();
    std::fs::create_dir(other.path().join("templates")).unwrap();
    std::fs::copy(one.path().join("templates/eks-node.tera"), other.path().join("templates/eks-node.tera"))
        .unwrap();
    poolwright(other.path(), &["compile", "--out", "out"]).expect(0);
    let (a, b) = (tree(&one.path().join("out")), tree(&other.path().join("out")));
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    for (name, bytes) in &a {
        assert!(b[name] == *bytes, "{name} differs");
    }
    poolwright(other.path(), &["compile", "--out", "out", "--check"]).expect(0);
    poolwright(one.path(), &["apply", "--auto-approve"]).expect(0);
    // What `compile` writes is what `apply` writes, which says besides where it is.
    let (compiled, mut applied) =
        (tree(&one.path().join("out/kubernetes/eks")), tree(&one.path().join("live/eks")));
    let manifest = applied.get_mut("manifest.lock.json").unwrap();
    let text = String::from_utf8(manifest.clone()).unwrap();
    assert!(text.contains("  \"directory\": \"live/eks\",\n"), "{text}");
    *manifest = text.replace("  \"directory\": \"live/eks\",\n", "").into_bytes();
    assert_eq!(compiled, applied);
}

#[test]
fn a_saved_plan_is_applied_verbatim_and_refused_when_stale() {
    let folder = example("quickstart");
    poolwright(folder.path(), &["plan", "-o", "p.json"]).expect(2);
    let shown = poolwright(folder.path(), &["show", "p.json"]).expect(0).stdout;
    let body = |text: &str| {
        text.lines()
            .filter(|line| !line.starts_with("apply exactly this"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(body(&shown), body(&poolwright(folder.path(), &["plan"]).expect(2).stdout));
    assert!(shown.contains("poolwright apply p.json --approved sha256:"), "{shown}");
    poolwright(folder.path(), &["apply", "p.json"]).expect(0);
    poolwright(folder.path(), &["plan"]).expect(0);
    // The same plan again: every object that it would create is there.
    let written = tree(&folder.path().join("live"));
    poolwright(folder.path(), &["apply", "p.json"]).expect(5);
    assert_eq!(tree(&folder.path().join("live")), written);
    // A plan that was edited by hand.
    edit(&folder.path().join("pools.pool.hcl"), "nodes = \"0..12\"", "nodes = \"0..20\"");
    poolwright(folder.path(), &["plan", "-o", "q.json"]).expect(2);
    let text = std::fs::read_to_string(folder.path().join("q.json")).unwrap();
    assert!(text.contains("\"20\"") || text.contains("20"), "{text}");
    std::fs::write(
        folder.path().join("q.json"),
        text.replacen("autoscaling/AutoScalingGroup", "autoscaling/AutoScalingGruop", 1),
    )
    .unwrap();
    poolwright(folder.path(), &["apply", "q.json"]).expect(5);
    assert_eq!(tree(&folder.path().join("live")), written);
}

#[test]
fn an_approved_digest_is_applied_and_another_is_refused() {
    let folder = example("quickstart");
    let plan = plan_json(folder.path(), 2);
    let wrong = format!("sha256:{}", "0".repeat(64));
    poolwright(folder.path(), &["apply", "--approved", &wrong]).expect(5);
    assert!(!folder.path().join("live").exists(), "a refused apply writes nothing");
    poolwright(folder.path(), &["apply", "--approved", plan["digest"].as_str().unwrap()]).expect(0);
    poolwright(folder.path(), &["plan"]).expect(0);
}

#[test]
fn files_of_others_are_kept_and_ours_are_pruned() {
    let folder = example("quickstart");
    poolwright(folder.path(), &["apply", "--auto-approve"]).expect(0);
    let theirs = folder.path().join("live/eks/kustomization.yaml");
    std::fs::write(&theirs, "resources: []\n").unwrap();
    // Take the inference queue, its class and its pool out: their objects go, everything else stays.
    let queues = folder.path().join("queues.pool.hcl");
    edit(
        &queues,
        "queue \"inference\" {\n  class   = class.inference\n  tenants = [tenant.nlp]\n  pools   = [pool.onprem-gaudi]\n}\n",
        "",
    );
    let gone = folder.path().join("live/onprem/kueue.x-k8s.io/clusterqueue/inference--nlp.yaml");
    assert!(gone.exists());
    let text = poolwright(folder.path(), &["plan"]).expect(2).stdout;
    let destroys = text.find("\ndestroys\n").expect("destroys come first");
    assert!(destroys < text.find("to destroy").unwrap());
    poolwright(folder.path(), &["apply", "--auto-approve"]).expect(0);
    assert!(!gone.exists());
    assert_eq!(std::fs::read_to_string(&theirs).unwrap(), "resources: []\n");
    poolwright(folder.path(), &["plan"]).expect(0);
}

#[test]
fn its_tests_pass_and_a_wrong_one_fails() {
    let folder = example("quickstart");
    poolwright(folder.path(), &["test"]).expect(0);
    poolwright(folder.path(), &["policy", "test"]).expect(0);
    let policies = folder.path().join("policies.pool.hcl");
    edit(&policies, "waited = \"900s\"", "waited = \"899s\"");
    let run = poolwright(folder.path(), &["test"]).expect(1);
    assert!(run.stderr.contains("the fallback did not open at 900 s"), "{}", run.stderr);
    edit(&policies, "expect = \"deny\"", "expect = \"warn\"");
    poolwright(folder.path(), &["policy", "test"]).expect(1);
}

#[test]
fn the_ladder_is_explained() {
    let folder = example("quickstart");
    let text = poolwright(folder.path(), &["route", "explain", "cost-optimized"]).expect(0).stdout;
    golden(&root().join("tests/golden/quickstart/route.txt"), &text);
    poolwright(folder.path(), &["route", "explain", "cost-optimised"]).expect(3);
}
