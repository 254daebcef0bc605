//! Accelerators of several vendors in one fleet: what pods ask for, and images for each of them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::support::{base, edit, poolwright};

/// A pool of each vendor on one cluster, one of them an accelerator of the house's own, and a queue over all.
const FLEET: &str = r#"
accelerator "acme-npu" {
  vendor   = "habana"
  memory   = "96GiB"
  resource = "acme.dev/npu"
}

pool "h100" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { accelerator-type = "h100" }
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  nodes       = 4
}

pool "mi300x" {
  accelerator = accelerator.amd-mi300x
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { accelerator-type = "mi300x" }
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  nodes       = 3
}

pool "npu" {
  accelerator = accelerator.acme-npu
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { accelerator-type = "npu" }
  node        = { gpus = 16, cpus = 112, memory = "2000GiB" }
  nodes       = 2
}

pool "max" {
  accelerator = accelerator.intel-max-1550
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { accelerator-type = "max" }
  node        = { gpus = 6, cpus = 112, memory = "1000GiB" }
  nodes       = 1
}

class "any" {
  priority = 50
  images   = { nvidia = "registry/cuda:1", amd = "registry/rocm:1", habana = "registry/gaudi:1", intel = "registry/xe:1" }
}

queue "any" {
  class   = class.any
  tenants = [tenant.nlp]
  route   = route.vendors
}

route "vendors" {
  step "nvidia" {
    pools = [pool.h100]
    for   = "15m"
  }
  step "amd" {
    pools = [pool.mi300x]
    for   = "15m"
  }
  step "gaudi" {
    pools = [pool.gaudi]
    for   = "15m"
  }
  step "own" {
    pools = [pool.npu]
    for   = "15m"
  }
  step "intel" { pools = [pool.max] }
}
"#;

fn fleet() -> tempfile::TempDir {
    let folder = base();
    std::fs::write(folder.path().join("vendors.pool.hcl"), FLEET).unwrap();
    folder
}

/// The devices that a flavor gives out, by name and with how many of them, over all ClusterQueues and Cohorts.
fn devices(plan: &Value) -> BTreeMap<String, BTreeSet<(String, u64)>> {
    let mut found: BTreeMap<String, BTreeSet<(String, u64)>> = BTreeMap::new();
    for change in plan["changes"].as_array().unwrap() {
        let Some(groups) = change["body"]["spec"]["resourceGroups"].as_array() else { continue };
        for flavor in groups.iter().flat_map(|group| group["flavors"].as_array().unwrap()) {
            for quota in flavor["resources"].as_array().unwrap() {
                let name = quota["name"].as_str().unwrap();
                let amount = &quota["nominalQuota"];
                let amount = amount.as_u64().or_else(|| amount.as_str()?.parse().ok());
                // Every flavor of a group names all that the group covers; what it has not, it has none of.
                if let Some(amount) = amount.filter(|amount| name.contains('/') && *amount > 0) {
                    let own = found.entry(flavor["name"].as_str().unwrap().to_owned()).or_default();
                    own.insert((name.to_owned(), amount));
                }
            }
        }
    }
    found
}

/// A17: four vendors and an accelerator of one's own, each with the resource of its device plugin.
#[test]
fn a17_each_flavor_gives_out_what_its_vendor_calls_its_devices() {
    let plan = planned(&fleet());
    let found = devices(&plan);
    let wanted = [
        ("gaudi", "habana.ai/gaudi", 32),
        ("h100", "nvidia.com/gpu", 32),
        ("max", "gpu.intel.com/xe", 6),
        ("mi300x", "amd.com/gpu", 24),
        ("npu", "acme.dev/npu", 32),
    ];
    for (flavor, resource, amount) in wanted {
        let only = BTreeSet::from([(resource.to_owned(), amount)]);
        assert_eq!(found.get(flavor), Some(&only), "{flavor} of {found:#?}");
    }
    // "each covered by the ClusterQueue": a stage each, and each covers the device of its pool.
    let queues = covered(&plan);
    for (queue, resource) in [
        ("any--nlp", "nvidia.com/gpu"),
        ("any--amd--nlp", "amd.com/gpu"),
        ("any--gaudi--nlp", "habana.ai/gaudi"),
        ("any--own--nlp", "acme.dev/npu"),
        ("any--intel--nlp", "gpu.intel.com/xe"),
    ] {
        assert_eq!(queues[queue], [resource], "{queue} of {queues:#?}");
    }
}

/// A17: "`gpu.intel.com/xe` (or `i915` when declared)".
#[test]
fn a17_the_older_driver_of_intel_is_declared() {
    let folder = fleet();
    let older = "\naccelerator \"intel-max-1550\" {\n  vendor   = \"intel\"\n  memory   = \"128GiB\"\n  resource = \"gpu.intel.com/i915\"\n}\n";
    std::fs::write(folder.path().join("older.pool.hcl"), older).unwrap();
    let plan = planned(&folder);
    assert_eq!(devices(&plan)["max"], BTreeSet::from([("gpu.intel.com/i915".to_owned(), 6)]));
    assert_eq!(covered(&plan)["any--intel--nlp"], ["gpu.intel.com/i915"]);
}

fn planned(folder: &tempfile::TempDir) -> Value {
    let run = poolwright(folder.path(), &["plan", "--json"]).expect(2);
    serde_json::from_str(&run.stdout).unwrap()
}

/// The devices that each ClusterQueue covers.
fn covered(plan: &Value) -> BTreeMap<String, Vec<String>> {
    let queues = plan["changes"].as_array().unwrap().iter().filter(|change| change["kind"] == "ClusterQueue");
    let devices = |queue: &Value| {
        let groups = queue["body"]["spec"]["resourceGroups"].as_array().into_iter().flatten();
        let names = groups.flat_map(|group| group["coveredResources"].as_array().unwrap());
        let names = names.map(|name| name.as_str().unwrap().to_owned());
        names.filter(|name| name.contains('/')).collect()
    };
    queues
        .map(|queue| (queue["body"]["metadata"]["name"].as_str().unwrap().to_owned(), devices(queue)))
        .collect()
}

/// A16: a class with images needs one for each vendor on its way, whichever step it stands on, the own accelerator's
/// among them. Both lines are shown.
#[test]
fn a16_images_per_vendor_on_every_step() {
    let steps = [
        ("nvidia", "nvidia = \"registry/cuda:1\", ", "h100", "nvidia"),
        ("amd", "amd = \"registry/rocm:1\", ", "mi300x", "amd"),
        ("gaudi", "habana = \"registry/gaudi:1\", ", "gaudi", "habana"),
        ("intel", ", intel = \"registry/xe:1\"", "max", "intel"),
    ];
    for (step, image, pool, vendor) in steps {
        let folder = fleet();
        edit(&folder.path().join("vendors.pool.hcl"), image, "");
        let run = poolwright(folder.path(), &["validate", "-q", "--format", "short"]).expect(3);
        let lines: Vec<&str> = run.stdout.lines().collect();
        let said = format!(
            "error[PW4124]: `class.any` has no image for {vendor}, but `queue.any` leads to `pool.{pool}`"
        );
        assert!(lines.len() == 1 && lines[0].ends_with(&said), "{step}: {}", run.all());
    }
    let run = poolwright(fleet().path(), &["validate", "-q", "--format", "short"]).expect(0);
    assert_eq!(run.stdout, "");
}

#[test]
fn a16_the_missing_image_and_the_step_are_both_shown() {
    let folder = fleet();
    edit(&folder.path().join("vendors.pool.hcl"), ", amd = \"registry/rocm:1\"", "");
    let run = poolwright(folder.path(), &["validate", "-q"]).expect(3);
    assert_eq!(
        run.stdout,
        r#"error[PW4124]: `class.any` has no image for amd, but `queue.any` leads to `pool.mi300x`
   ┌─ vendors.pool.hcl:46:14
   │
46 │   images   = { nvidia = "registry/cuda:1", habana = "registry/gaudi:1", intel = "registry/xe:…
   │              ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
   │              has images for habana, intel, nvidia
   ·
61 │     pools = [pool.mi300x]
   │             ───────────── `pool.mi300x` has amd
   │
   help: add amd = "…" to `images`, or take the pool out of the way
   docs: poolwright explain PW4124

1 error in 1 of 4 files
"#
    );
}
