//! "Four teams and a slack queue whose lending limit a health controller lowers; two vendors. -> Kueue"

use poolwright_model::fleet::{Borrow, GpuAmount, Quota};

use crate::compiled::{Found, compiled, compiled_with, quotas, refused, remarks};
use crate::support::{edit, example, poolwright};

const K: &str = "target.kubernetes.k";

fn gpus(quota: &Quota) -> u64 {
    let Some(GpuAmount::Gpus(gpus)) = quota.gpus else { panic!("{quota:?}") };
    gpus
}

#[test]
fn four_teams_and_a_slack_queue_have_every_gpu() {
    let fleet = compiled("10-slack").fleet;
    let teams = fleet.tenants.values().filter(|tenant| !tenant.quotas.is_empty());
    let teams: Vec<_> = teams.map(|tenant| (tenant.meta.address.as_str(), gpus(&tenant.quotas[0]))).collect();
    assert_eq!(
        teams,
        [
            ("tenant.team[\"blue\"]", 32),
            ("tenant.team[\"green\"]", 32),
            ("tenant.team[\"red\"]", 64),
            ("tenant.team[\"white\"]", 16)
        ]
    );
    let slack = &fleet.queues["queue.slack"];
    assert!(slack.shared);
    assert_eq!((slack.quotas.len(), gpus(&slack.quotas[0])), (1, 16));
    let physical: u64 = fleet.pools["pool.amd"].lots.iter().map(|lot| lot.most_gpus()).sum();
    assert_eq!(teams.iter().map(|(_, gpus)| gpus).sum::<u64>() + 16, physical);
}

/// "whose lending limit a health controller lowers": its value is ours at the beginning, then the controller's.
#[test]
fn the_lending_limit_is_the_controllers() {
    let fleet = compiled("10-slack").fleet;
    let quota = &fleet.queues["queue.slack"].quotas[0];
    assert_eq!(quota.lend, Borrow::Gpus(16));
    assert_eq!(
        quota.foreign.iter().collect::<Vec<_>>(),
        [(&"lend".to_owned(), &"mlbatch-controller".to_owned())]
    );
}

/// "spx-nps1: 8 devices a host; cpx-nps1: 64 devices a host": 20 hosts, and what is promised fits in either mode.
#[test]
fn promises_fit_in_every_partition_mode() {
    for (mode, devices, team, root) in [("spx-nps1", 8, 1, 16), ("cpx-nps1", 64, 8, 128)] {
        let compiled = compiled_with("10-slack", &[&format!("mode={mode}")]);
        let kueue = compiled.kueue(K);
        let amd = kueue.flavors.iter().find(|flavor| flavor.name == "amd").unwrap();
        assert_eq!(amd.device.as_deref(), Some("amd.com/gpu"));
        assert_eq!(amd.capacity["amd.com/gpu"].value, 20 * devices, "{mode}");
        let nominal = |name: &str| {
            let cohort = kueue.cohorts.iter().find(|cohort| cohort.name == name).unwrap();
            let line = quotas(cohort).into_iter().find(|line| line.starts_with("amd amd.com/gpu ")).unwrap();
            line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()
        };
        let teams = ["blue", "green", "red", "white"].map(|team| nominal(&format!("slack--team--{team}")));
        assert_eq!(teams, [32, 32, 64, 16].map(|gpus| gpus * team), "{mode}");
        // What no team has, the slack queue's 16 among it.
        assert_eq!(nominal("slack"), root, "{mode}");
    }
    // One GPU more for slack, and it is promised twice.
    let folder = example("challenges/10-slack");
    edit(&folder.path().join("slack.pool.hcl"), "gpus = 16, lend = 16", "gpus = 17, lend = 16");
    let run = poolwright(folder.path(), &["validate", "--format", "short"]).expect(3);
    assert!(run.stdout.contains("161 GPUs of `pool.amd` are promised, it has 160"), "{}", run.all());
}

#[test]
fn two_vendors_have_their_own_resource() {
    let compiled = compiled("10-slack");
    let devices = compiled.kueue(K).flavors.iter().map(|flavor| {
        let device = flavor.device.as_deref().unwrap();
        (flavor.name.as_str(), device, flavor.capacity[device].value)
    });
    assert_eq!(devices.collect::<Vec<_>>(), [("amd", "amd.com/gpu", 160), ("gaudi", "habana.ai/gaudi", 32)]);
}

#[test]
fn modes_and_the_slack_queue_come_later_and_nothing_else() {
    assert_eq!(
        refused("10-slack"),
        ["pool.amd.partition", "queue.slack.shared", "queue.slack.quotas", "queue.slack.quotas[0].foreign"]
    );
    let compiled = compiled("10-slack");
    assert_eq!(remarks(&compiled), Vec::<String>::new());
    // 24 hosts × 8 accelerators × $1.20 × 730 h.
    assert_eq!(compiled.costs.total.monthly.expected.as_ref().unwrap().to_string(), "$168,192.00/month");
}
