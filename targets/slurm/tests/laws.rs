//! Laws: files give back the objects that made them, whatever the fleet; files that were edited are faults, not panics.

#[cfg(test)]
mod common;

use common::World;
use poolwright_expression::quantity::{Duration, Range, Version};
use poolwright_model::fleet::{Billing, Hold, PreemptAction, PreemptBy};
use poolwright_model::resource::File;
use poolwright_target::Target;
use poolwright_target_slurm::Slurm;
use proptest::prelude::*;

prop_compose! {
    /// A cluster with one thing after the other changed.
    #[cfg(test)]
    fn world()(
        wide in any::<bool>(),
        version in prop::sample::select(vec!["22.05", "23.11.4", "24.11", "25.05", "25.11", "26.05"]),
        accounting in any::<bool>(),
        tier in any::<bool>(),
        billing in any::<bool>(),
        priorities in (0_u32..65_534, 0_u32..65_534),
        run_time in prop::option::of(0_u64..10_000_000),
        grace in 0_u64..100_000,
        exempt in 0_u64..100_000,
        action in prop::sample::select(vec![PreemptAction::Requeue, PreemptAction::Cancel, PreemptAction::Never]),
        gpus in prop::option::of((0_u64..9, prop::option::of(9_u64..99))),
        caps in prop::collection::btree_map("gres/gpu(:[a-z][a-z0-9-]{0,8})?", 0_u64..1000, 0..3),
        features in prop::collection::vec("[A-Za-z0-9_.][A-Za-z0-9_.-]{0,12}", 0..4),
        hold in prop::sample::select(vec![Hold::None, Hold::Hold, Hold::Drain]),
        names in prop::collection::vec("[a-z][a-z0-9._-]{0,20}", 2),
        hidden in any::<bool>(),
    ) -> World {
        let mut world = if wide { World::wide() } else { World::quickstart() };
        let slurm = world.slurm();
        slurm.version = Version::parse(version).unwrap();
        slurm.accounting = accounting;
        slurm.preempt_by = if tier { PreemptBy::Tier } else { PreemptBy::Qos };
        slurm.billing = if billing { Billing::Price } else { Billing::None };
        let dev = world.fleet.classes.get_mut("class.dev").unwrap();
        dev.priority = priorities.0;
        dev.limits.run_time = run_time.map(Duration::from_seconds);
        dev.limits.nodes = gpus.map(|(min, max)| Range { min, max });
        dev.when_preempted.grace = Duration::from_seconds(grace);
        dev.when_preempted.exempt = Duration::from_seconds(exempt);
        dev.when_preempted.action = action;
        world.fleet.classes.get_mut("class.urgent").unwrap().priority = priorities.1;
        let queue = world.fleet.queues.get_mut("queue.dev").unwrap();
        queue.hold = hold;
        queue.hidden = hidden;
        world.fleet.pools.get_mut("pool.hpc-h100").unwrap().lots[0].features = features;
        let cluster = world.cluster();
        cluster.accounts[0].caps = caps;
        cluster.partitions[0].name.clone_from(&names[0]);
        cluster.accounts[1].name.clone_from(&names[1]);
        world
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn files_give_back_their_objects(world in world()) {
        common::assert_round_trip(&world);
    }

    #[test]
    fn normalising_twice_is_normalising_once(world in world()) {
        for object in world.lower().resources {
            let mut once = object.body.clone();
            Slurm.normalise(&object.kind, &mut once);
            prop_assert_eq!(&once, &object.body, "a lowering gives normal bodies");
            let mut twice = once.clone();
            Slurm.normalise(&object.kind, &mut twice);
            prop_assert_eq!(once, twice);
        }
    }

    #[test]
    fn edited_files_are_read_without_panic(at in 0_usize..4000, text in "\\PC{0,12}", which in 0_usize..6) {
        let world = World::wide();
        let mut files = world.files(&world.lower().resources);
        let count = files.len();
        let contents = &mut files[which % count].contents;
        let place = at % contents.len();
        contents.splice(place..place, text.bytes());
        let _ = Slurm.from_files(world.target(), &files);
    }
}

/// A change by hand is seen as a changed object or a fault, never lost.
#[test]
fn every_line_that_is_taken_out_is_noticed() {
    let world = World::wide();
    let files = world.files(&world.lower().resources);
    let (whole, _) = Slurm.from_files(world.target(), &files);
    for (which, file) in files.iter().enumerate() {
        let text = String::from_utf8(file.contents.clone()).unwrap();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
            let remark = line.starts_with('#') || line.starts_with("-- ");
            // What sets nothing, or what another file says too, may go.
            let silent = line.starts_with("add qos")
                || line.starts_with("add account")
                || line == "local partitions = {}";
            let clears = line.ends_with("=-1") && line.contains("MinTRESPerJob=gres/gpu=-1");
            if remark || silent || clears {
                continue;
            }
            let kept: Vec<&str> =
                text.lines().enumerate().filter(|(other, _)| *other != at).map(|(_, line)| line).collect();
            let mut edited = files.clone();
            edited[which] = File { path: file.path.clone(), contents: (kept.join("\n") + "\n").into_bytes() };
            let (found, faults) = Slurm.from_files(world.target(), &edited);
            let same = found.len() == whole.len() && found.iter().zip(&whole).all(|(a, b)| a.body == b.body);
            assert!(!same || !faults.is_empty(), "{}:{}: {line}", file.path, at + 1);
        }
    }
}

#[test]
fn what_is_not_ours_is_a_fault() {
    let world = World::quickstart();
    let file = |path: &str, text: &str| File { path: path.to_owned(), contents: text.as_bytes().to_vec() };
    for (given, part) in [
        (file("slurm.conf", "ClusterName=x\n"), "not a file of a Slurm target"),
        (file("poolwright.conf", "NodeName=a\n"), "does not begin with"),
        (
            file("poolwright.conf", "# poolwright: fleet acme, slurm.hpc\nNodeName=a CPUs=4\n"),
            "address is missing",
        ),
        (file("poolwright.conf", "# poolwright: fleet acme, slurm.hpc\nFoo=1\n"), "`Foo` is not a key"),
        (
            file("poolwright.conf", "# poolwright: fleet acme, slurm.hpc\nPartitionName=a MaxTime=soon5\n"),
            "not a time",
        ),
        (
            file(
                "poolwright.conf",
                "# poolwright: fleet acme, slurm.hpc\nPartitionName=a State=UP State=UP\n",
            ),
            "stands twice",
        ),
        (
            file(
                "poolwright.conf",
                "# poolwright: fleet acme, slurm.hpc\nPartitionName=a\nPartitionName=a\n",
            ),
            "stands twice",
        ),
        (file("topology.conf", "# poolwright: fleet acme, slurm.hpc\nSwitch=a\n"), "begins no line"),
        (file("qos.cfg", "# poolwright: fleet acme, slurm.hpc\ndelete qos dev\n"), "not a line"),
        (
            file("accounts.cfg", "# poolwright: fleet acme, slurm.hpc\nadd account a Cluster=other\n"),
            "is not \"hpc\"",
        ),
    ] {
        let (_, faults) = Slurm.from_files(world.target(), std::slice::from_ref(&given));
        assert!(faults.iter().any(|fault| fault.message.contains(part)), "{given:?}: {faults:?}");
    }
}

#[test]
fn edits_by_hand_are_read_as_slurm_reads_them() {
    let world = World::quickstart();
    let mut files = world.files(&world.lower().resources);
    let (before, _) = Slurm.from_files(world.target(), &files);
    let conf = files.iter_mut().find(|file| file.path == "poolwright.conf").unwrap();
    let text = String::from_utf8(conf.contents.clone()).unwrap();
    // The same in other words: no difference.
    let same = text
        .replace("MaxTime=08:00:00", "maxtime=480")
        .replace("State=UP", "STATE=up")
        .replace("Hidden=NO ", "");
    assert_ne!(same, text);
    conf.contents = same.into_bytes();
    let (after, faults) = Slurm.from_files(world.target(), &files);
    assert!(faults.is_empty(), "{faults:?}");
    let bodies = |list: &[poolwright_model::resource::Observed]| {
        list.iter().map(|one| one.body.clone()).collect::<Vec<_>>()
    };
    assert_eq!(bodies(&before), bodies(&after));
}
