//! The quickstart: LANGUAGE §1 (what it becomes) and §4.3 (its numbers), and the golden file for those downstream.

use std::path::Path;

use poolwright_model::layout::{Mechanism, NodeGroup};

use super::{ACK, EKS, HPC, ONPREM, cluster, cohort, laid_out, quickstart, quotas};
use crate::layout;

#[test]
fn the_layout_is_the_golden_one() {
    let (layout, diagnostics) = layout(&quickstart());
    assert_eq!(diagnostics, []);
    let value = serde_json::to_value(&layout).unwrap();
    let text = serde_json::to_string_pretty(&value).unwrap() + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/quickstart/layout.json");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, golden, "UPDATE_GOLDEN=1 rewrites it");
    let read: poolwright_model::Layout = serde_json::from_str(&golden).unwrap();
    assert_eq!(read, layout, "what is written is read back");
}

#[test]
fn the_entry_gets_what_the_table_says() {
    let (layout, _) = layout(&quickstart());
    let onprem = cluster(&layout, ONPREM);
    let names = |list: Vec<&String>| list.into_iter().cloned().collect::<Vec<_>>();
    assert_eq!(names(onprem.flavors.iter().map(|f| &f.name).collect()), ["onprem-gaudi"]);
    assert_eq!(
        names(onprem.dispatch_flavors.iter().map(|f| &f.name).collect()),
        ["dispatch--cost-optimized"]
    );
    assert_eq!(
        names(onprem.cohorts.iter().map(|c| &c.name).collect()),
        ["acme", "acme--nlp", "acme--vision"]
    );
    let queues = names(onprem.cluster_queues.iter().map(|q| &q.name).collect());
    assert_eq!(queues, ["cost-optimized--nlp", "cost-optimized--vision", "inference--nlp"]);
    let local: Vec<(&str, &str)> =
        onprem.local_queues.iter().map(|q| (q.namespace.as_str(), q.name.as_str())).collect();
    assert_eq!(local, [("nlp", "cost-optimized"), ("nlp", "inference"), ("vision", "cost-optimized")]);
    assert_eq!(onprem.multikueue.len(), 1);
    assert_eq!(onprem.multikueue[0].name, "cost-optimized");
    assert_eq!(onprem.multikueue[0].clusters, ["eks", "ack"], "in the order of the steps");
    assert_eq!(onprem.workers.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["ack", "eks"]);
    let classes: Vec<&str> = onprem.classes.iter().map(|class| class.label()).collect();
    assert_eq!(classes, ["inference", "interruptible"]);
    assert_eq!(
        onprem.namespaces.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["nlp", "vision"]
    );
    assert_eq!(onprem.provisioning, []);
    assert_eq!(onprem.cluster_queues[0].checks, [("cost-optimized".to_owned(), vec![])]);
    assert_eq!(onprem.cluster_queues[2].checks, []);
}

#[test]
fn the_workers_get_what_the_table_says() {
    let (layout, _) = layout(&quickstart());
    for (address, flavor) in [(EKS, "aws-a100-spot"), (ACK, "aliyun-a100")] {
        let worker = cluster(&layout, address);
        assert_eq!(worker.flavors.iter().map(|f| f.name.as_str()).collect::<Vec<_>>(), [flavor]);
        assert_eq!(worker.flavors[0].select[crate::flavors::FLAVOR_LABEL], flavor);
        assert!(
            worker.dispatch_flavors.is_empty() && worker.multikueue.is_empty() && worker.workers.is_empty()
        );
        assert_eq!(worker.provisioning.len(), 1);
        assert_eq!(worker.provisioning[0].name, "provisioning");
        assert_eq!(worker.provisioning[0].managed_resources, ["nvidia.com/gpu"]);
        let queues: Vec<&str> = worker.cluster_queues.iter().map(|q| q.name.as_str()).collect();
        assert_eq!(queues, ["cost-optimized--nlp", "cost-optimized--vision"]);
        for queue in &worker.cluster_queues {
            assert_eq!(queue.checks, [("provisioning".to_owned(), vec![flavor.to_owned()])]);
            for quota in queue.groups.iter().flat_map(|g| &g.flavors).flat_map(|f| &f.quotas) {
                assert_eq!((quota.nominal.value, quota.borrowing, quota.lending), (0, None, None));
            }
        }
        let local: Vec<(&str, &str)> =
            worker.local_queues.iter().map(|q| (q.namespace.as_str(), q.name.as_str())).collect();
        assert_eq!(local, [("nlp", "cost-optimized"), ("vision", "cost-optimized")], "as on the entry");
        let classes: Vec<&str> = worker.classes.iter().map(|class| class.label()).collect();
        assert_eq!(classes, ["interruptible"]);
    }
}

#[test]
fn the_numbers_of_the_quotas_are_those_of_the_language() {
    let (layout, _) = layout(&quickstart());
    let of = |name: &str| quotas(cohort(&layout, EKS, name));
    assert_eq!(
        of("acme"),
        ["aws-a100-spot cpu 376", "aws-a100-spot memory 4246732Mi", "aws-a100-spot nvidia.com/gpu 32"]
    );
    assert_eq!(
        of("acme--nlp"),
        [
            "aws-a100-spot cpu 752 (+376)",
            "aws-a100-spot memory 8493464Mi (+4246732Mi)",
            "aws-a100-spot nvidia.com/gpu 64 (+32)"
        ]
    );
    assert_eq!(
        of("acme--vision"),
        [
            "aws-a100-spot cpu 376 (+376)",
            "aws-a100-spot memory 4246732Mi (+4246732Mi)",
            "aws-a100-spot nvidia.com/gpu 32 (+32)"
        ]
    );
    let gpus = |name: &str| -> Vec<String> {
        quotas(cohort(&layout, ONPREM, name)).into_iter().filter(|line| line.contains("nvidia")).collect()
    };
    assert_eq!(gpus("acme"), ["dispatch--cost-optimized nvidia.com/gpu 48", "onprem-gaudi nvidia.com/gpu 0"]);
    assert_eq!(gpus("acme--nlp"), ["dispatch--cost-optimized nvidia.com/gpu 96 (+48)"]);
    assert_eq!(gpus("acme--vision"), ["dispatch--cost-optimized nvidia.com/gpu 48 (+48)"]);
}

#[test]
fn four_more_nodes_go_to_the_roots() {
    // UX.md, "plan, after one edit": 12 → 20 nodes add 64 GPUs to both roots.
    let (layout, _) = laid_out(|fleet| {
        fleet.pools.get_mut("pool.aws-a100-spot").unwrap().lots[0].nodes.max = Some(20);
    });
    assert_eq!(quotas(cohort(&layout, EKS, "acme"))[2], "aws-a100-spot nvidia.com/gpu 96");
    assert_eq!(quotas(cohort(&layout, ONPREM, "acme"))[3], "dispatch--cost-optimized nvidia.com/gpu 112");
}

#[test]
fn slurm_gets_what_the_table_says() {
    let (layout, _) = layout(&quickstart());
    let hpc = &layout.slurm[HPC];
    assert_eq!(hpc.nodes.len(), 1);
    assert_eq!(
        (hpc.nodes[0].name.as_str(), hpc.nodes[0].hosts.fold().as_str()),
        ("hpc-h100--main", "gpu[001-016]")
    );
    assert_eq!(hpc.node_sets.iter().map(|set| set.name.as_str()).collect::<Vec<_>>(), ["hpc-h100"]);
    let partitions: Vec<&str> = hpc.partitions.iter().map(|partition| partition.name.as_str()).collect();
    assert_eq!(partitions, ["dev", "urgent"]);
    assert!(hpc.partitions.iter().all(|p| p.accounts == ["nlp", "vision"] && p.step.is_none()));
    let accounts: Vec<(&str, u64)> = hpc.accounts.iter().map(|a| (a.name.as_str(), a.fairshare)).collect();
    assert_eq!(accounts, [("nlp", 1), ("vision", 1)]);
    let qos: Vec<(&str, &[String])> =
        hpc.qos.iter().map(|q| (q.name.as_str(), q.preempts.as_slice())).collect();
    assert_eq!(qos, [("dev", &[][..]), ("urgent", &["dev".to_owned()][..])]);
}

#[test]
fn clouds_get_what_the_table_says() {
    let (layout, _) = layout(&quickstart());
    let groups = |address: &str| -> Vec<&NodeGroup> { layout.groups[address].iter().collect() };
    let aws = groups("target.aws.use1");
    assert_eq!(
        aws.iter().map(|g| g.name.as_str()).collect::<Vec<_>>(),
        ["aws-a100-spot--az2", "aws-a100-spot--az4"]
    );
    assert!(aws.iter().all(|g| g.cluster_id == "eks" && g.flavor == "aws-a100-spot"));
    let labels: Vec<(&str, &str)> =
        aws[0].node_labels.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    assert_eq!(
        labels,
        [
            ("cloud-provider", "aws"),
            ("cost-tier", "high-performance"),
            ("gpu-type", "nvidia-a100"),
            ("poolwright.dev/cost-tier", "high-performance"),
            ("poolwright.dev/flavor", "aws-a100-spot"),
            ("poolwright.dev/pool", "aws-a100-spot"),
            ("poolwright.dev/tier", "spot"),
        ]
    );
    let alibaba = groups("target.alibaba.hangzhou");
    assert_eq!(alibaba.iter().map(|g| g.name.as_str()).collect::<Vec<_>>(), ["aliyun-a100--main"]);
    assert_eq!(alibaba[0].cluster_id, "c0123456789abcdef");
}

#[test]
fn the_route_has_the_line_of_the_language() {
    let (layout, _) = layout(&quickstart());
    assert_eq!(layout.routes.len(), 1);
    let route = &layout.routes[0];
    assert_eq!((route.route.as_str(), route.target.as_str()), ("route.cost-optimized", ONPREM));
    assert_eq!(route.mechanism, Mechanism::RouterDispatch);
    assert!(route.exact);
    assert_eq!(route.line, "exact, by the router (MultiKueue dispatcher; not shipped yet)");
}
