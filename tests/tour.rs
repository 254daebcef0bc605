//! The tour: "What the quickstart does not use: neoclouds, an own accelerator, Karpenter, Slurm bursting beside a
//! site's own files, computed ladders, modules, history."

use poolwright_model::fleet::{
    Borrow, Discipline, GroupKind, LocalDisk, Order, Reason, Return, SizeOwner, SlurmPart, TargetKind,
    TierKind,
};

use crate::compiled::{Found, asked, compiled, compiled_with, refused, remarks};
use crate::support::{poolwright, root};

/// Every pool: its target that makes nodes or lists them, its accelerator, its lots with tier and size.
#[test]
fn neoclouds_an_own_accelerator_and_bursting() {
    let fleet = compiled("tour").fleet;
    let pools = fleet.pools.values().map(|pool| {
        let place = pool.provision.as_ref().map_or("-", |it| it.as_str());
        let lots = pool.lots.iter().map(|lot| {
            let tier = fleet.tiers[&lot.tier].kind.as_str();
            format!("{} {tier} {} × {}", lot.meta.name, lot.nodes, lot.node.gpus)
        });
        let lots: Vec<String> = lots.collect();
        format!(
            "{} {} {}: {}",
            pool.meta.name,
            place.trim_start_matches("target."),
            pool.accelerator.as_ref().unwrap().label(),
            lots.join(", ")
        )
    });
    assert_eq!(
        pools.collect::<Vec<_>>(),
        [
            "burst aws.use1 nvidia-h100-80gb-sxm: spot spot 0..8 × 8, held reserved 2 × 8, od on-demand 0..4 × 8",
            "cw-h100 coreweave.ord1 nvidia-h100-80gb-sxm: main reserved 16 × 8",
            "nb-h100 nebius.eu-north1 nvidia-h100-80gb-sxm: main on-demand 0..8 × 8",
            "nb-h200 nebius.eu-north1 nvidia-h200-141gb-sxm: main on-demand 0..4 × 8",
            "npu inventory.lambda acme-npu: main reserved 2 × 8",
            "serve aws.serve nvidia-h100-80gb-sxm: main on-demand 0..32 × 1",
        ]
    );
    let npu = &fleet.accelerators["accelerator.acme-npu"];
    assert_eq!((npu.vendor.as_str(), npu.resource.as_str()), ("habana", "acme.dev/npu"));
    assert_eq!(npu.products, ["ACME-NPU-96"]);
    assert_eq!(
        (npu.partitions["half"].per_gpu, npu.partitions["half"].memory.to_string().as_str()),
        (2, "48GiB")
    );
    assert!(fleet.pools["pool.npu"].opt_in && fleet.pools["pool.cw-h100"].meta.protect);
}

/// `output "gpus"`.
#[test]
fn the_output_counts_gpus() {
    let [gpus] = asked("tour", ["{ for k, p in fleet.pools : k => p.gpus.max }"]);
    assert_eq!(
        gpus,
        "{ burst = 112 GPUs, cw-h100 = 128 GPUs, nb-h100 = 64 GPUs, nb-h200 = 32 GPUs, npu = 16 GPUs, serve = 32 GPUs }"
    );
}

/// "how often training writes a checkpoint", "between 5 minutes and 2 hours".
#[test]
fn checkpoints_are_between_five_minutes_and_two_hours() {
    let every = |given: &[&str]| {
        compiled_with("tour", given).fleet.classes["class.pretrain"]
            .checkpoint
            .as_ref()
            .unwrap()
            .every
            .to_string()
    };
    assert_eq!([every(&[]), every(&["ckpt_every=2h"]), every(&["ckpt_every=300s"])], ["20m", "2h", "5m"]);
    for outside in ["4m59s", "121m"] {
        let given = format!("ckpt_every={outside}");
        let run = poolwright(&root(), &["validate", "examples/tour", "--var", &given, "--format", "short"])
            .expect(3);
        assert!(run.stdout.contains("between 5 minutes and 2 hours"), "{}", run.all());
    }
}

/// "Slurm bursting beside a site's own files": "the site's job_submit.lua calls poolwright_submit.lua".
#[test]
fn the_site_keeps_its_own_files() {
    let fleet = compiled("tour").fleet;
    let slurm = fleet.targets["target.slurm.burst"].slurm().unwrap();
    let owns = [SlurmPart::Nodes, SlurmPart::Partitions, SlurmPart::Gres, SlurmPart::Accounts];
    assert_eq!(slurm.owns.as_deref(), Some(&owns[..]));
    assert!(!owns.contains(&SlurmPart::JobSubmit) && !owns.contains(&SlurmPart::Globals));
    let power = slurm.power.as_ref().unwrap();
    assert_eq!(
        (power.resume.as_str(), power.suspend.as_str()),
        ("/opt/poolwright/resume", "/opt/poolwright/suspend")
    );
    assert_eq!(
        (power.resume_timeout.to_string(), power.requeue_delay.to_string()),
        ("8m".into(), "30s".into())
    );
    let disk = fleet.pools["pool.burst"].lots[0].disk.as_ref().unwrap();
    assert_eq!((disk.root.as_ref().unwrap().to_string().as_str(), disk.local), ("200GiB", LocalDisk::Raid0));
    // Cloud hosts have names of their pool and lot.
    let compiled = compiled("tour");
    let nodes = &compiled.slurm("target.slurm.burst").nodes;
    let hosts: Vec<_> = nodes.iter().map(|nodes| nodes.hosts.fold()).collect();
    assert_eq!(hosts, ["burst--held-[0001-0002]", "burst--od-[0001-0004]", "burst--spot-[0001-0008]"]);
}

/// "a reservation without a contract: the on-demand price, used or not".
#[test]
fn a_held_reservation_is_billed_at_the_on_demand_price() {
    let compiled = compiled("tour");
    let tier = &compiled.fleet.tiers["tier.held"];
    assert!(tier.kind == TierKind::Reserved && tier.commitment.as_ref().is_none_or(|it| it.hourly.is_none()));
    let prices = &compiled.prices.lots["pool.burst.lot.held"];
    assert_eq!(prices.price, prices.on_demand);
    // Two nodes at $55.04 an hour for 730 hours.
    let monthly = &compiled.costs.lots["pool.burst.lot.held"].monthly;
    let said =
        [&monthly.floor, &monthly.expected, &monthly.ceiling].map(|it| it.as_ref().unwrap().to_string());
    assert_eq!(said, ["$80,358.40/month"; 3]);
}

/// "One Karpenter NodePool over types with one and with eight H100: its bound is in GPUs."
#[test]
fn the_karpenter_pool_is_bounded_in_gpus() {
    let compiled = compiled("tour");
    let target = &compiled.fleet.targets["target.aws.serve"];
    assert_eq!(target.cloud().unwrap().groups, GroupKind::Karpenter);
    let lot = &compiled.fleet.pools["pool.serve"].lots[0];
    let max = lot.max.as_ref().unwrap();
    assert_eq!((max.gpus, max.cpus.to_string().as_str(), lot.most_gpus()), (32, "768", 32));
    assert_eq!(
        lot.usual_size_owner(&compiled.fleet.targets["target.kubernetes.serve"]),
        SizeOwner::Karpenter
    );
    // A GPU costs $6.88 an hour in either type, so 32 of them are $160,716.80 a month at most.
    assert_eq!(
        compiled.prices.lots["pool.serve.lot.main"].price.as_ref().unwrap().to_string(),
        "$6.8800/gpu/h"
    );
    let ceiling = compiled.costs.pools["pool.serve"].monthly.ceiling.as_ref().unwrap();
    assert_eq!(ceiling.to_string(), "$160,716.80/month");
}

/// "Computed ladders": H200 does 1.31 for $3.50, H100 0.96 for $2.95: the dearer card is the cheaper work.
#[test]
fn the_ladder_is_ordered_by_the_cost_of_work() {
    let compiled = compiled("tour");
    let route = &compiled.fleet.routes["route.best-value"];
    assert_eq!((route.order, route.strict), (Some(Order::CostPerWork), false));
    let steps = route.steps.iter().map(|step| {
        let patience = step.patience.as_ref().map_or("-".to_owned(), ToString::to_string);
        (step.pools[0].as_str(), patience, step.max_price.as_ref().unwrap().to_string())
    });
    let cap = || "$4.0000/gpu/h".to_owned();
    assert_eq!(
        steps.collect::<Vec<_>>(),
        [("pool.nb-h200", "10m".to_owned(), cap()), ("pool.nb-h100", "-".to_owned(), cap())]
    );
    // 3.50 ÷ 1.31 = 2.67 < 2.95 ÷ 0.96 = 3.07.
    let [cheaper] = asked("tour", ["price(pool.nb-h200) / 1.31 < price(pool.nb-h100) / 0.96"]);
    assert_eq!(cheaper, "true");
}

#[test]
fn the_burst_route_leaves_on_loss_and_goes_back() {
    let fleet = compiled("tour").fleet;
    let route = &fleet.routes["route.burst"];
    assert_eq!(route.returns, Return::Prefer);
    let reasons = [Reason::NoQuota, Reason::NoCapacity, Reason::PriceAbove, Reason::Lost];
    assert_eq!(route.steps[0].on, reasons);
    let pools: Vec<&str> = route.steps[1].pools.iter().map(|pool| pool.label()).collect();
    assert_eq!(pools, ["held", "od"]);
    let trial = fleet.queues["queue.burst"].trial.as_ref().unwrap();
    assert_eq!((trial.route.as_str(), trial.share.to_string().as_str()), ("route.burst", "10%"));
    assert_eq!(fleet.queues["queue.pretrain"].discipline, Discipline::Strict);
}

/// "A tenant with a guarantee on one pool and a budget that follows from it."
#[test]
fn a_module_makes_a_tenant_for_each_team() {
    let fleet = compiled("tour").fleet;
    let teams = fleet.tenants.values().filter(|tenant| tenant.budget.is_some()).map(|tenant| {
        let quota = &tenant.quotas[0];
        assert_eq!(
            (quota.pool.as_str(), quota.borrow, quota.lend),
            ("pool.cw-h100", Borrow::ALL, Borrow::ALL)
        );
        let gpus = serde_json::to_value(&quota.gpus).unwrap();
        (
            tenant.meta.address.as_str(),
            tenant.meta.name.as_str(),
            gpus,
            tenant.budget.as_ref().unwrap().to_string(),
        )
    });
    // $17.60 a node and hour are $2.20 a GPU: 1.5 × 2.20 × 32 and × 64.
    assert_eq!(
        teams.collect::<Vec<_>>(),
        [
            ("module.team[\"robotics\"].tenant.this", "robotics", 32.into(), "$105.60/h".to_owned()),
            ("module.team[\"speech\"].tenant.this", "speech", 64.into(), "$211.20/h".to_owned()),
        ]
    );
    let everyone = &fleet.tenants["tenant.everyone"];
    assert_eq!(everyone.accounts, ["*"]);
    let open = &fleet.queues["queue.open"];
    assert_eq!(
        open.deny.iter().map(|it| it.as_str()).collect::<Vec<_>>(),
        ["module.team[\"robotics\"].tenant.this"]
    );
}

/// Each of its targets, neoclouds among them, and whether this version writes it.
#[test]
fn nine_targets_of_six_kinds() {
    let fleet = compiled("tour").fleet;
    let written = |written: bool| {
        let mine = fleet.targets.values().filter(|target| target.is_written() == written);
        mine.map(poolwright_model::fleet::Target::short).collect::<Vec<_>>()
    };
    assert_eq!(
        written(true),
        ["aws.use1", "kubernetes.cks", "kubernetes.mk8s", "kubernetes.serve", "slurm.burst"]
    );
    assert_eq!(written(false), ["aws.serve", "coreweave.ord1", "inventory.lambda", "nebius.eu-north1"]);
    let listed = fleet.targets.values().filter(|target| matches!(target.kind, TargetKind::Inventory(_)));
    assert_eq!(listed.map(|target| target.provider()).collect::<Vec<_>>(), ["lambda"]);
}

/// The check at the end, "money is known", holds: nothing is said of it, nor of any price but the spot that is none.
#[test]
fn money_is_known() {
    let compiled = compiled("tour");
    assert!(compiled.prices.lots.values().all(|lot| lot.price.is_some()));
    assert_eq!(
        remarks(&compiled),
        [
            "PW4406 spot of pool.burst.lot.spot is 100 % of on-demand",
            "PW5021 users can submit to `best-value--nb-h100` on target.kubernetes.mk8s without waiting",
        ]
    );
    let costs = &compiled.costs.total.monthly;
    // 16 nodes at $17.60 + 2 at $17.60 + 2 at $55.04, for 730 hours: what is paid in any case.
    assert_eq!(costs.floor.as_ref().unwrap().to_string(), "$311,622.40/month");
}

#[test]
fn what_comes_later_is_refused_and_nothing_else() {
    assert_eq!(
        refused("tour"),
        [
            "target.kubernetes.cks.kueue.uncovered",
            "target.coreweave.ord1",
            "target.nebius.eu-north1",
            "target.inventory.lambda",
            "target.slurm.burst.owns",
            "target.slurm.burst.power",
            "target.aws.serve",
            "fabric.nb.maintained_by",
            "pool.burst.disk",
            "pool.burst.lot.held.reservation",
            "pool.burst.lot.od.refresh",
            "queue.pretrain.extra",
            "queue.burst.trial",
            "queue.open.deny",
            "pool.cw-h100 as the former pool.h100",
            "the removal of queue.old",
            "queue.pretrain as owner of kubernetes.cks/kueue.x-k8s.io/ClusterQueue/pretrain--speech",
        ]
    );
}
