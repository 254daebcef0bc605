//! What Slurm cannot do, or would do wrong in silence: each has a diagnostic, and the table shows what makes it.

#[cfg(test)]
mod common;

use common::World;
use poolwright_diagnostics::Severity;
use poolwright_expression::quantity::{Duration, Hosts, Money, Range, Version};
use poolwright_model::Address;
use poolwright_model::fleet::{
    Billing, ClassTopology, Devices, FabricKind, Hold, PreemptAction, PreemptBy, TopologyLayout,
};
use poolwright_target_slurm::codes;

type Change = fn(&mut World);

/// Code, a part of the message, and the change of the quickstart that makes it.
#[cfg(test)]
const TABLE: &[(&str, &str, Change)] = &[
    ("PW5201", "Slurm 21.08 is older than 22.05", |world| version(world, "21.08")),
    ("PW5201", "Slurm 26.11 is newer than 26.05", |world| version(world, "26.11")),
    ("PW5202", "Block `su1` needs `BlockName`", |world| fabric(world).layout = TopologyLayout::Block),
    ("PW5202", "BlockSizes `ndr` needs `BlockSizes`", |world| fabric(world).layout = TopologyLayout::Block),
    ("PW5203", "queue \"a b\"", |world| world.cluster().partitions[0].name = "a b".to_owned()),
    ("PW5203", "queue \"DEFAULT\"", |world| world.cluster().partitions[0].name = "DEFAULT".to_owned()),
    ("PW5203", "account \"NLP\" has capital letters", |world| {
        world.cluster().accounts[0].name = "NLP".to_owned()
    }),
    ("PW5203", "class \"Dev\" has capital letters", |world| world.cluster().qos[0].name = "Dev".to_owned()),
    ("PW5203", "feature \"a,b\"", |world| lot(world).features = vec!["a,b".to_owned()]),
    ("PW5203", "GRES type \"h100 80\"", |world| {
        world.fleet.accelerators.get_mut("accelerator.nvidia-h100-80gb-sxm").unwrap().gres_type =
            "h100 80".to_owned();
    }),
    ("PW5203", "ends with 20 digits", |world| {
        fabric(world).switches[0].meta.name = "sw98765432109876543210".to_owned();
    }),
    ("PW5207", "named like one of the cluster's hosts", |world| {
        world.cluster().node_sets[0].name = "gpu001".to_owned()
    }),
    ("PW5207", "two partitions are named `dev`", |world| {
        world.cluster().partitions[1].name = "dev".to_owned()
    }),
    ("PW5207", "two accounts are named `nlp`", |world| world.cluster().accounts[1].name = "nlp".to_owned()),
    ("PW5207", "two QoS are named `dev`", |world| world.cluster().qos[1].name = "dev".to_owned()),
    ("PW5207", "two switches are named `su1`", |world| {
        fabric(world).switches[0].switches[1].meta.name = "su1".to_owned();
    }),
    ("PW5207", "two switches are named `unlinked`", |world| {
        fabric(world).switches[0].meta.name = "unlinked".to_owned();
        world.add_pool("free", "free[1-2]", None, 8);
    }),
    ("PW5208", "are both the default", |world| {
        world.fleet.queues.get_mut("queue.urgent").unwrap().default = true;
    }),
    ("PW5209", "partition `dev` has no billing weight", |world| world.prices.lots.clear()),
    ("PW5210", "the exempt time of class `dev` does not hold", |world| {
        world.slurm().preempt_by = PreemptBy::Tier;
        world.fleet.classes.get_mut("class.dev").unwrap().when_preempted.exempt = Duration::from_seconds(60);
    }),
    ("PW5211", "are on no switch of `fabric.", |world| {
        fabric(world).switches[0].switches.truncate(1);
    }),
    ("PW5211", "host `gpu001` hangs on two switches", |world| {
        fabric(world).switches[0].switches[1].hosts = Some(Hosts::parse("gpu001,gpu[009-016]").unwrap());
    }),
    ("PW5211", "has host `gpu017`, which no pool", |world| {
        fabric(world).switches[0].switches[1].hosts = Some(Hosts::parse("gpu[009-017]").unwrap());
    }),
    ("PW5211", "has both hosts and switches", |world| {
        fabric(world).switches[0].switches[1].hosts = None;
        fabric(world).switches[0].hosts = Some(Hosts::parse("gpu[009-016]").unwrap());
    }),
    ("PW5211", "its pool `other` has another fabric or none", |world| {
        world.add_pool("other", "o1", None, 8);
        fabric(world).switches[0].switches[1].hosts = Some(Hosts::parse("gpu[009-016],o1").unwrap());
    }),
    ("PW5212", "have two layouts on one cluster", |world| {
        let mut other = fabric(world).clone();
        other.meta.address = Address::new("fabric.nvl");
        other.meta.name = "nvl".to_owned();
        other.kind = FabricKind::Nvlink;
        other.layout = TopologyLayout::Block;
        world.fleet.fabrics.insert(other.meta.address.clone(), other);
        world.cluster().fabrics.push(Address::new("fabric.nvl"));
    }),
    ("PW5212", "free[1-2] are in no block", |world| {
        version(world, "24.11");
        fabric(world).layout = TopologyLayout::Block;
        world.add_pool("free", "free[1-2]", None, 8);
    }),
    ("PW5213", "100 CPUs are neither the 112 cores nor the 224 threads", |world| lot(world).node.cpus = 100),
    ("PW5213", "have no CPUs", |world| {
        let node = &mut lot(world).node;
        node.cpus = 0;
        (node.sockets, node.cores) = (None, None);
    }),
    ("PW5213", "have no memory for jobs", |world| {
        lot(world).node.memory = poolwright_expression::quantity::Bytes::parse("1KiB").unwrap();
    }),
    ("PW5213", "has no hosts", |world| world.cluster().nodes[0].hosts = Hosts(Vec::new())),
    ("PW5214", "promises 8 GPUs a host, its devices are 4", |world| {
        lot(world).node.devices = vec![Devices {
            accelerator: Address::new("accelerator.nvidia-h100-80gb-sxm"),
            files: Hosts::parse("nvidia[0-3]").unwrap(),
            cores: None,
        }];
    }),
    ("PW5214", "cannot be written", |world| {
        lot(world).node.devices = vec![Devices {
            accelerator: Address::new("accelerator.nvidia-h100-80gb-sxm"),
            files: Hosts::parse("nvidia[0-7]").unwrap(),
            cores: Some("0 to 3".to_owned()),
        }];
    }),
    ("PW5214", "device files of acme accelerators are not known", |world| {
        world.fleet.accelerators.get_mut("accelerator.nvidia-h100-80gb-sxm").unwrap().vendor =
            "acme".to_owned();
    }),
    ("PW5215", "only for `max_switch_wait`", |world| require(world, "unit")),
    ("PW5215", "cannot keep jobs of class `urgent` within one rack", |world| require(world, "rack")),
    ("PW5216", "does not hold the budget of tenant `nlp`", |world| {
        let twin = world.cluster().accounts[0].clone();
        world
            .cluster()
            .accounts
            .push(poolwright_model::layout::SlurmAccount { name: "nlp2".to_owned(), ..twin });
    }),
    ("PW5217", "starts no jobs, and those that run go on", |world| {
        world.fleet.queues.get_mut("queue.dev").unwrap().hold = Hold::Drain;
    }),
    ("PW5218", "partition `dev` has no hosts", |world| world.cluster().partitions[0].node_sets.clear()),
    ("PW5218", "names `gone`", |world| world.cluster().partitions[0].node_sets.push("gone".to_owned())),
    ("PW5218", "names `pool.x.lot.y`", |world| world.cluster().nodes[0].lot = Address::new("pool.x.lot.y")),
    ("PW5218", "names `class.dev`", |world| {
        world.cluster().qos.remove(0);
    }),
    ("PW5218", "which no lot of the cluster has", |world| {
        world.cluster().node_sets[0].hosts = Hosts::parse("gpu[001-017]").unwrap();
    }),
    ("PW5218", "has a limit on `gres/gpu:b200`", |world| {
        world.cluster().accounts[0].caps = [("gres/gpu:b200".to_owned(), 8)].into();
    }),
    ("PW5220", "has pools of different price", |world| {
        world.add_pool("b", "b1", Some("accelerator.nvidia-a100-40gb"), 8);
        let mut price = world.prices.lots["pool.hpc-h100.lot.main"].clone();
        price.price = Some(Money::parse("$1/gpu/h").unwrap());
        world.prices.lots.insert(Address::new("pool.b.lot.main"), price);
        let partition = &mut world.cluster().partitions[0];
        partition.node_sets.push("b".to_owned());
        partition.pools.push(Address::new("pool.b"));
    }),
    ("PW5221", "fabrics `ndr` and `hdr` stand beside each other on `slurm.hpc`", |world| {
        island(world, "hdr")
    }),
    ("PW5221", "partition `dev` has hosts of fabrics `ndr` and `hdr`: no job spans them", |world| {
        island(world, "hdr");
        into_dev(world, "hdr");
    }),
    ("PW5221", "partition `dev` has hosts of fabrics `ndr`, `edr` and `hdr`: no job spans them", |world| {
        for name in ["edr", "hdr"] {
            island(world, name);
            into_dev(world, name);
        }
    }),
    ("PW5221", "partition `dev` has hosts of fabrics `ndr` and `hdr`: a job may span them", |world| {
        version(world, "25.05");
        fabric(world).layout = TopologyLayout::Block;
        island(world, "hdr");
        into_dev(world, "hdr");
    }),
    ("PW5221", "partition `dev` has hosts of fabric `ndr` and hosts of none: no job spans them", |world| {
        world.add_pool("free", "free[1-2]", None, 8);
        into_dev(world, "free");
    }),
    ("PW5222", "the run time of class `dev`, 35791394 minutes, is more", |world| {
        dev(world).limits.run_time = Some(Duration::from_seconds(35_791_393 * 60 + 1));
    }),
    ("PW5222", "the grace of class `dev`, 4294967294 seconds, is more", |world| {
        dev(world).when_preempted.grace = Duration::from_seconds(0xffff_fffe);
    }),
    ("PW5222", "the grace of class `dev`, 4294967294 seconds, is more", |world| {
        world.slurm().accounting = false;
        world.slurm().preempt_by = PreemptBy::Tier;
        dev(world).when_preempted.grace = Duration::from_seconds(0xffff_fffe);
    }),
    ("PW5222", "the exempt time of class `dev`, 2147483648 seconds, is more", |world| {
        dev(world).when_preempted.exempt = Duration::from_seconds(0x8000_0000);
    }),
    ("PW5222", "`limits.gpus` of class `dev`, 18446744073709551614, is more", |world| {
        dev(world).limits.gpus = Some(Range { min: 1, max: Some(u64::MAX - 1) });
    }),
    ("PW5222", "the limit of tenant `nlp` on `gres/gpu`, 18446744073709551615, is more", |world| {
        world.cluster().accounts[0].caps = [("gres/gpu".to_owned(), u64::MAX)].into();
    }),
    ("PW5222", "the Fairshare of tenant `nlp`, 2147483647 shares, is more", |world| {
        world.cluster().accounts[0].fairshare = 0x7fff_ffff;
    }),
    ("PW5209", "partition `dev` has no billing weight", |world| {
        let lot = world.prices.lots.get_mut("pool.hpc-h100.lot.main").unwrap();
        lot.price = Some(Money::parse("$999999999999999999/gpu/h").unwrap());
    }),
    ("PW5216", "does not hold the budget of tenant `nlp`", |world| {
        world.fleet.tenants.get_mut("tenant.nlp").unwrap().budget =
            Some(Money::parse("$9999999999999999999/month").unwrap());
    }),
];

#[cfg(test)]
fn dev(world: &mut World) -> &mut poolwright_model::fleet::Class {
    world.fleet.classes.get_mut("class.dev").unwrap()
}

/// A fabric of four hosts in two units beside the quickstart's, with a pool named alike.
#[cfg(test)]
fn island(world: &mut World, name: &str) {
    let mut fabric = fabric(world).clone();
    fabric.meta.address = Address::new(format!("fabric.{name}"));
    fabric.meta.name = name.to_owned();
    fabric.switches[0].meta.name = format!("{name}-top");
    for (unit, hosts) in fabric.switches[0].switches.iter_mut().zip(["[1-2]", "[3-4]"]) {
        unit.meta.name = format!("{name}-{}", unit.meta.name);
        unit.hosts = Some(Hosts::parse(&format!("{name}{hosts}")).unwrap());
    }
    world.add_pool(name, &format!("{name}[1-4]"), None, 8);
    world.fleet.pools.get_mut(format!("pool.{name}").as_str()).unwrap().fabric =
        Some(fabric.meta.address.clone());
    world.cluster().fabrics.push(fabric.meta.address.clone());
    world.fleet.fabrics.insert(fabric.meta.address.clone(), fabric);
}

/// Puts a pool's hosts into partition `dev`.
#[cfg(test)]
fn into_dev(world: &mut World, pool: &str) {
    let partition = &mut world.cluster().partitions[0];
    partition.node_sets.push(pool.to_owned());
    partition.pools.push(Address::new(format!("pool.{pool}")));
}

#[cfg(test)]
fn version(world: &mut World, text: &str) {
    world.slurm().version = Version::parse(text).unwrap();
}

#[cfg(test)]
fn fabric(world: &mut World) -> &mut poolwright_model::fleet::Fabric {
    world.fleet.fabrics.get_mut("fabric.ndr").unwrap()
}

#[cfg(test)]
fn lot(world: &mut World) -> &mut poolwright_model::fleet::Lot {
    &mut world.fleet.pools.get_mut("pool.hpc-h100").unwrap().lots[0]
}

#[cfg(test)]
fn require(world: &mut World, level: &str) {
    let class = world.fleet.classes.get_mut("class.urgent").unwrap();
    class.topology = Some(ClassTopology { require: Some(level.to_owned()), prefer: None });
}

#[test]
fn each_change_is_reported() {
    for (code, part, change) in TABLE {
        let mut world = World::quickstart();
        change(&mut world);
        let reports = world.reports();
        let found = reports.iter().any(|(found, message)| found == code && message.contains(part));
        assert!(found, "{code} {part:?} is not among {reports:#?}");
    }
}

#[test]
fn each_code_has_a_row() {
    for info in codes::CODES {
        assert!(TABLE.iter().any(|(code, ..)| *code == info.code.0), "{}", info.code);
    }
}

#[test]
fn every_report_says_where_and_what_to_do() {
    for (code, part, change) in TABLE {
        let mut world = World::quickstart();
        change(&mut world);
        for report in world.lower().diagnostics {
            assert!(!report.labels.is_empty() && !report.helps.is_empty(), "{code} {part}: {report:?}");
        }
    }
}

#[test]
fn a_key_that_the_version_does_not_know_is_never_written() {
    let mut world = World::quickstart();
    fabric(&mut world).layout = TopologyLayout::Block;
    let old = world.files(&world.lower().resources);
    assert!(!common::text(&old).contains("BlockName="));
    version(&mut world, "23.11");
    assert!(world.reports().is_empty(), "{:?}", world.reports());
    let new = world.files(&world.lower().resources);
    assert!(common::text(&new).contains("BlockName=su1 Nodes=gpu[001-008]"));
    assert!(common::text(&new).contains("BlockSizes=8,16"));
    common::assert_round_trip(&world);
}

/// Two fabrics are two roots on every version, and fabrics that share no partition are no fault.
#[test]
fn fabrics_beside_each_other_are_roots_of_one_tree() {
    for of in ["22.05", "25.05"] {
        let mut world = World::quickstart();
        version(&mut world, of);
        island(&mut world, "hdr");
        let lowered = world.lower();
        let said: Vec<_> = lowered.diagnostics.iter().map(|found| (found.code.0, found.severity)).collect();
        assert_eq!(said, [("PW5221", Severity::Note)], "{of}");
        let text = common::text(&world.files(&lowered.resources));
        for line in ["SwitchName=spine Switches=su1,su2", "SwitchName=hdr-top Switches=hdr-su1,hdr-su2"] {
            assert!(text.contains(line), "{of}: {line}\n{text}");
        }
        common::assert_round_trip(&world);
    }
}

/// A coarser size would join the last block of one fabric with the first of the other; a second line would hide the
/// first.
#[test]
fn blocks_of_two_fabrics_have_one_size() {
    let mut world = World::quickstart();
    version(&mut world, "25.05");
    fabric(&mut world).layout = TopologyLayout::Block;
    island(&mut world, "hdr");
    let text = common::text(&world.files(&world.lower().resources));
    assert_eq!(text.matches("BlockSizes=").count(), 1, "{text}");
    assert!(text.contains("BlockSizes=2\n"), "{text}");
    common::assert_round_trip(&world);
}

/// The greatest that Slurm keeps is written as it is; one cause is one error, though partition and QoS both have it.
#[test]
fn the_greatest_numbers_are_written_and_one_more_is_refused_once() {
    let mut world = World::quickstart();
    dev(&mut world).limits.run_time = Some(Duration::from_seconds(35_791_393 * 60));
    dev(&mut world).when_preempted.grace = Duration::from_seconds(0xffff_fffd);
    dev(&mut world).when_preempted.exempt = Duration::from_seconds(0x7fff_ffff);
    world.cluster().accounts[0].fairshare = 0x7fff_fffe;
    assert_eq!(world.reports(), []);
    assert_eq!(world.body("Partition/dev")["MaxTime"], "24855-03:13:00");
    assert_eq!(world.body("Qos/dev")["MaxWall"], "24855-03:13:00");
    assert_eq!(world.body("Qos/dev")["GraceTime"], 0xffff_fffd_u64);
    assert_eq!(world.body("Qos/dev")["PreemptExemptTime"], "24855-03:14:07");
    assert_eq!(world.body("Account/nlp")["Fairshare"], 0x7fff_fffe);
    common::assert_round_trip(&world);

    dev(&mut world).limits.run_time = Some(Duration::from_seconds(35_791_394 * 60));
    assert_eq!(world.reports().len(), 1);
    for object in ["Partition/dev", "Qos/dev"] {
        let body = world.body(object);
        assert!(body.get("MaxTime").is_none() && body.get("MaxWall").is_none(), "{body}");
    }
}

#[test]
fn an_exempt_time_is_kept_to_the_second() {
    let mut world = World::quickstart();
    dev(&mut world).when_preempted.exempt = Duration::from_seconds(90);
    assert_eq!(world.body("Qos/dev")["PreemptExemptTime"], "00:01:30");
    common::assert_round_trip(&world);
}

#[test]
fn without_slurmdbd_nothing_that_lives_there_is_written() {
    let mut world = World::quickstart();
    world.slurm().accounting = false;
    world.slurm().preempt_by = PreemptBy::Tier;
    world.fleet.classes.get_mut("class.dev").unwrap().when_preempted.action = PreemptAction::Cancel;
    let files = common::text(&world.files(&world.lower().resources));
    for word in
        ["AllowQos", "AllowAccounts", "sacctmgr", "AccountingStorage", "TRESBillingWeights", "job_submit.lua"]
    {
        assert!(!files.contains(word), "{word}\n{files}");
    }
    assert_eq!(world.body("Partition/dev")["PreemptMode"], "CANCEL");
    assert_eq!(world.body("Partition/dev")["GraceTime"], 60);
    assert_eq!(world.body("Config/globals")["PreemptType"], "preempt/partition_prio");
    common::assert_round_trip(&world);
}

#[test]
fn billing_none_leaves_the_sites_weights() {
    let mut world = World::quickstart();
    world.slurm().billing = Billing::None;
    assert!(world.body("Partition/dev").get("TRESBillingWeights").is_none());
    assert!(world.body("Account/nlp").get("GrpTRESMins").is_none());
}

#[test]
fn weights_are_whole_cents_half_to_even() {
    for (price, cents) in
        [("$1.885/gpu/h", 188), ("$1.895/gpu/h", 190), ("$1.8951/gpu/h", 190), ("$0.004/gpu/h", 0)]
    {
        let mut world = World::quickstart();
        let lot = world.prices.lots.get_mut("pool.hpc-h100.lot.main").unwrap();
        lot.price = Some(Money::parse(price).unwrap());
        assert_eq!(
            world.body("Partition/dev")["TRESBillingWeights"]["GRES/gpu:h100-80gb-sxm"],
            cents,
            "{price}"
        );
    }
}

#[test]
fn fair_share_never_turns_the_order_of_classes() {
    for (low, high, expected) in
        [(50, 1000, 1_000_000), (65_532, 65_533, 15_258), (0, 0, 1_000_000), (0, 1, 1_000_000)]
    {
        let mut world = World::quickstart();
        world.fleet.classes.get_mut("class.dev").unwrap().priority = low;
        world.fleet.classes.get_mut("class.urgent").unwrap().priority = high;
        let weight = world.body("Config/globals")["PriorityWeightFairshare"].as_u64().unwrap();
        assert_eq!(weight, expected);
        let qos = 1_000_000_000 * u64::from(high - low) / u64::from(high.max(1));
        assert!(high == low || weight < qos);
    }
}

#[test]
fn a_class_without_an_end_keeps_budgets_from_holding_jobs_for_ever() {
    let mut world = World::quickstart();
    assert_eq!(
        world.body("Config/globals")["AccountingStorageEnforce"],
        serde_json::json!(["limits", "qos", "safe"])
    );
    world.fleet.classes.get_mut("class.dev").unwrap().limits.run_time = None;
    assert_eq!(
        world.body("Config/globals")["AccountingStorageEnforce"],
        serde_json::json!(["limits", "qos"])
    );
    assert!(world.body("Partition/dev").get("MaxTime").is_none());
    common::assert_round_trip(&world);
}
