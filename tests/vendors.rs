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
fn each_flavor_gives_out_what_its_vendor_calls_its_devices() {
    let folder = fleet();
    let run = poolwright(folder.path(), &["plan", "--json"]).expect(2);
    let found = devices(&serde_json::from_str(&run.stdout).unwrap());
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
}

/// A16: a class with images needs one for each vendor on its way, the own accelerator's among them.
#[test]
fn a_vendor_without_an_image_is_named() {
    for (image, pool) in [(", amd = \"registry/rocm:1\"", "mi300x"), (", intel = \"registry/xe:1\"", "max")] {
        let folder = fleet();
        edit(&folder.path().join("vendors.pool.hcl"), image, "");
        let run = poolwright(folder.path(), &["validate", "--format", "short"]);
        assert!(run.all().contains("PW4124") && run.all().contains(pool), "{}", run.all());
    }
    let folder = fleet();
    let run = poolwright(folder.path(), &["validate", "--format", "short"]);
    assert!(!run.all().contains("PW4124"), "{}", run.all());
}
