//! "A teaching service: per project at most 10 GPUs, 80 cores, 800 GiB of each of six kinds of card, half of it
//! guaranteed. -> Kueue"

use poolwright_expression::quantity::{Bytes, Duration};

use crate::compiled::{Found, compiled, quotas, refused, remarks};

const EDU: &str = "target.kubernetes.edu";

#[test]
fn a_project_has_ten_gpus_of_each_of_six_kinds() {
    let compiled = compiled("08-teaching");
    let cohorts = &compiled.kueue(EDU).cohorts;
    assert_eq!(cohorts.len(), 1 + 3, "a root, and three projects");
    for cohort in &cohorts[1..] {
        let lines = quotas(cohort);
        let mut wanted = Vec::new();
        // Two of the six are slices, seven of a card; quotas count cards.
        for (card, devices) in
            [("a100", 5), ("a100-1g", 35), ("h100", 5), ("h100-1g", 35), ("l40s", 5), ("v100", 5)]
        {
            // 40 cores and 400 GiB are theirs, and as much again is borrowed with as many GPUs.
            wanted.push(format!("{card} cpu 40 (+40)"));
            wanted.push(format!("{card} memory 409600Mi (+409600Mi)"));
            wanted.push(format!("{card} nvidia.com/gpu {devices} (+{devices})"));
        }
        assert_eq!(lines, wanted, "{}", cohort.name);
    }
}

/// Field notes: "six flavors that all use one resource name, four of them whole cards and two slices"; "exact product
/// strings come from the catalogue".
#[test]
fn nodes_are_told_apart_by_the_catalogues_labels() {
    let compiled = compiled("08-teaching");
    let flavors = compiled.kueue(EDU).flavors.iter();
    let flavors = flavors.map(|flavor| {
        assert_eq!(flavor.device.as_deref(), Some("nvidia.com/gpu"), "{}", flavor.name);
        (
            flavor.name.as_str(),
            flavor.select["nvidia.com/gpu.product"].as_str(),
            flavor.capacity["nvidia.com/gpu"].value,
        )
    });
    assert_eq!(
        flavors.collect::<Vec<_>>(),
        [
            ("a100", "NVIDIA-A100-SXM4-40GB", 48),
            ("a100-1g", "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", 168),
            ("h100", "NVIDIA-H100-80GB-HBM3", 64),
            ("h100-1g", "NVIDIA-H100-80GB-HBM3-MIG-1g.10gb", 168),
            ("l40s", "NVIDIA-L40S", 48),
            ("v100", "Tesla-V100-SXM2-32GB", 32),
        ]
    );
}

/// Field notes: "run limit 4 h by default, site registry with pull secret".
#[test]
fn four_hours_and_a_registry_of_the_site() {
    let compiled = compiled("08-teaching");
    let fleet = &compiled.fleet;
    let class = &fleet.classes["class.lab"];
    assert_eq!(class.limits.run_time, Some(Duration::parse("4h").unwrap()));
    assert_eq!(class.images["nvidia"], "registry.uni.example/lab/torch:2.8");
    assert_eq!(fleet.private_registries, ["registry.uni.example"]);
    for tenant in fleet.tenants.values() {
        assert_eq!(tenant.pull_secret.as_deref(), Some("registry-uni"));
        assert_eq!(tenant.groups, [format!("students-{}", tenant.namespaces[0])]);
        assert_eq!(tenant.quotas.len(), 6);
        assert!(tenant.quotas.iter().all(|quota| quota.memory == Some(Bytes::parse("400GiB").unwrap())));
    }
    let queues = compiled.objects(EDU, "LocalQueue");
    let bindings = compiled.objects(EDU, "RoleBinding");
    assert_eq!(
        queues.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        ["ml-101/lab", "robotics/lab", "vision-lab/lab"]
    );
    assert_eq!(bindings.len(), 3, "each project's students may submit to it");
    for (name, queue) in &queues {
        let limit = &queue.body["metadata"]["labels"]["kueue.x-k8s.io/max-exec-time-seconds"];
        assert!(limit.is_null() || limit == "14400", "{name}: {limit}");
    }
}

#[test]
fn slices_come_later_and_nothing_else() {
    assert_eq!(refused("08-teaching"), ["pool.card[\"a100-1g\"].partition, 1 more block of this place"]);
    let compiled = compiled("08-teaching");
    assert_eq!(
        remarks(&compiled),
        ["PW4154 nodes of `pool.card[\"v100\"]` are found by one of 2 labels that nvidia-v100-32gb may have"]
    );
    // 30 nodes × 8 GPUs × $0.80 × 730 h.
    assert_eq!(compiled.costs.total.monthly.expected.as_ref().unwrap().to_string(), "$140,160.00/month");
}
