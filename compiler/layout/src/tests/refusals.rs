//! Every code by a fleet that earns it, and PW4120 word by word.

use std::collections::BTreeSet;

use poolwright_diagnostics::{Code, FileId, Severity, Span};
use poolwright_expression::Number;
use poolwright_expression::quantity::{Duration, Pattern, Range, Version};
use poolwright_model::fleet::{
    Borrow, ClassTopology, FabricKind, GpuAmount, PreemptAction, PreemptBy, Preempts, Quota, Reason, Return,
    TierKind, Until,
};
use poolwright_model::{Address, Origin};

use super::{ACK, ALI_POOL, AWS_POOL, Change, EKS, Edit, GAUDI_POOL, HPC, HPC_POOL, ONPREM, codes, laid_out};
use crate::codes as c;

fn version(text: &str) -> Version {
    Version::parse(text).unwrap()
}

fn range(max: u64) -> Option<Range> {
    Some(Range { min: 1, max: Some(max) })
}

fn quota(pool: &str) -> Quota {
    Quota {
        pool: Address::new(pool),
        gpus: Some(GpuAmount::Gpus(8)),
        cpus: None,
        memory: None,
        borrow: Borrow::Gpus(8),
        lend: Borrow::ALL,
        tokens: std::collections::BTreeMap::new(),
        foreign: std::collections::BTreeMap::new(),
    }
}

fn cases() -> Vec<(Code, Change)> {
    vec![
        (c::SEVERAL_SLURM, |f| {
            let other = f.copy_target(HPC, "hpc2");
            f.copy_pool(HPC_POOL, "b").cluster = other;
            f.queue("urgent").pools.push(Address::new("pool.b"));
        }),
        (c::SLURM_AND_KUBERNETES, |f| f.queue("urgent").pools.push(Address::new(GAUDI_POOL))),
        (c::POOLS_IN_SEVERAL_CLUSTERS, |f| f.queue("inference").pools.push(Address::new(AWS_POOL))),
        (c::ENTRY_MISSING, |f| f.queue("cost-optimized").entry = None),
        (c::ENTRY_IS_WORKER, |f| f.queue("cost-optimized").entry = Some(Address::new(ACK))),
        (c::ENTRY_WITHOUT_KUEUE, |f| f.queue("cost-optimized").entry = Some(Address::new(HPC))),
        (c::ENTRY_UNUSED, |f| f.queue("inference").entry = Some(Address::new(EKS))),
        (c::STEPS_APART, |f| {
            let mut step = f.route().steps[1].clone();
            step.pools = vec![f.copy_pool(AWS_POOL, "b").meta.address.clone()];
            f.route().steps.push(step);
        }),
        (c::NO_SCHEDULER, |f| f.kubernetes(EKS).kueue = None),
        (c::NAME_TAKEN, |f| "urgent".clone_into(&mut f.queue("dev").meta.name)),
        (c::SELECT_MISSING, |f| f.pool(GAUDI_POOL).select = None),
        (c::SELECT_OVERLAP, |f| _ = f.copy_pool(GAUDI_POOL, "b")),
        (c::SELECT_CONTRADICTED, |f| {
            f.pool(AWS_POOL).select = Some([("gpu-type".to_owned(), "x".to_owned())].into())
        }),
        (c::RESERVED_LABEL, |f| {
            _ = f.pool(AWS_POOL).node_labels.insert("poolwright.dev/pool".to_owned(), "x".to_owned())
        }),
        (c::TOPOLOGY_MIXED, |f| {
            f.copy_pool(GAUDI_POOL, "b").fabric = Some(Address::new("fabric.ndr"));
            f.queue("inference").pools.push(Address::new("pool.b"));
        }),
        (c::HOST_TWICE, |f| _ = f.copy_pool(HPC_POOL, "b")),
        (c::ALL_RESERVED, |f| f.pool(AWS_POOL).lots[0].node.reserve_cpus = 96),
        (c::LEVEL_WITHOUT_LABEL, |f| f.pool(GAUDI_POOL).fabric = Some(Address::new("fabric.ndr"))),
        (c::VICTIM_UNPROTECTED, |f| f.class("interruptible").when_preempted.action = PreemptAction::Never),
        (c::STOCK_OUT_UNSEEN, |f| f.kubernetes(EKS).cluster_autoscaler = None),
        (c::TIER_REFUSED, |f| f.class("interruptible").tiers = vec![TierKind::OnDemand]),
        (c::REGION_REFUSED, |f| f.class("interruptible").regions = vec![Pattern::parse("us-*").unwrap()]),
        (c::LEVEL_UNKNOWN, |f| {
            f.class("urgent").topology =
                Some(ClassTopology { require: None, prefer: Some("unti".to_owned()) });
        }),
        (c::IMAGE_MISSING, |f| f.class("interruptible").images = [("amd".to_owned(), "x".to_owned())].into()),
        (c::NO_CHECKPOINT, |f| f.class("interruptible").checkpoint = None),
        (c::NEVER_IDLE, |f| f.pool(ALI_POOL).lots[0].idle_after = None),
        (c::LAST_STEP_TOO_SMALL, |f| f.class("interruptible").limits.gpus = range(40)),
        (c::STEP_TOO_SMALL, |f| {
            f.quota("vision", 0).gpus = None;
            f.quota("vision", 0).borrow = Borrow::Gpus(31);
        }),
        (c::READY_TIMEOUT_SHORT, |f| {
            f.route().steps[0].until = Until::Ready;
            f.kueue(EKS).ready_timeout = Some(Duration::from_seconds(899));
        }),
        (c::LOSS_UNSEEN, |f| f.route().steps[0].on.push(Reason::Lost)),
        (c::RETURN_WITHOUT_CHECKPOINT, |f| {
            f.route().returns = Return::Prefer;
            f.class("interruptible").checkpoint = None;
        }),
        (c::GANG_TOO_LARGE, |f| {
            let fabric = f.fabrics.get_mut("fabric.ndr").unwrap();
            fabric.switches = fabric.switches[0].switches.clone();
            f.class("urgent").limits.gpus = range(65);
        }),
        (c::DOMAIN_TOO_LARGE, |f| f.fabrics.get_mut("fabric.ndr").unwrap().kind = FabricKind::Nvlink),
        (c::PROMISED_TOO_MUCH, |f| f.quota("nlp", 0).gpus = Some(GpuAmount::Gpus(97))),
        (c::QUOTA_ON_SHARED_LOT, |f| f.quota("nlp", 0).pool = Address::new("pool.aws-a100-spot.lot.az2")),
        (c::QUOTA_WITHOUT_GPUS, |f| {
            f.pool(GAUDI_POOL).accelerator = None;
            f.pool(GAUDI_POOL).lots[0].node.gpus = 0;
            f.tenant("nlp").quotas.push(quota(GAUDI_POOL));
        }),
        (c::QUOTA_UNREACHED, |f| f.tenant("vision").quotas.push(quota(GAUDI_POOL))),
        (c::NOT_EXACT, |f| {
            f.target(ONPREM).router = false;
            f.kueue(ONPREM).version = version("0.19");
        }),
        (c::NO_MECHANISM, |f| f.target(ONPREM).router = false),
        (c::WORKER_ADMISSION_UNSEEN, |f| f.kueue(ONPREM).version = version("0.15")),
        (c::TOO_MANY_WORKERS, |f| {
            for at in 0..19 {
                let cluster = f.copy_target(ACK, &format!("w{at}"));
                let pool = f.copy_pool(ALI_POOL, &format!("w{at}"));
                pool.cluster = cluster;
                let address = pool.meta.address.clone();
                f.route().steps[1].pools.push(address);
            }
        }),
        (c::TOO_MANY_FLAVORS, |f| {
            for at in 0..64 {
                f.copy_pool(AWS_POOL, &format!("x{at}"));
            }
        }),
        (c::WEIGHT_UNUSED, |f| f.tenant("nlp").weight = Number::from(2_u64)),
        (c::SHARE_BEFORE_PRIORITY, |f| f.kueue(ONPREM).fair_sharing = true),
        (c::GATE_TOO_EARLY, |f| f.kueue(EKS).gates = vec!["ConcurrentAdmission".to_owned()]),
        (c::MAX_GPUS_NOT_HELD, |f| f.tenant("nlp").max_gpus = Some(128)),
        (c::TENANTS_NOT_TOLD_APART, |f| f.slurm().accounting = false),
        (c::WEIGHT_NOT_WHOLE, |f| f.tenant("nlp").weight = Number::ratio(1, 3).unwrap()),
        (c::CAP_PER_ACCOUNT, |f| {
            f.tenant("nlp").accounts.push("nlp2".to_owned());
            f.tenant("nlp").quotas.push(quota(HPC_POOL));
        }),
        (c::RDMA_NOT_COVERED, |f| f.pool(GAUDI_POOL).fabric = Some(Address::new("fabric.ndr"))),
        (c::FAIR_SHARE_ONLY, |f| f.tenant("nlp").quotas.push(quota(HPC_POOL))),
        (c::NOT_ENFORCED, |f| {
            let queue = f.queues.get_mut("queue.inference").unwrap();
            queue.allow.push("class.interruptible".into());
        }),
        (c::LATER_STAGE_OPEN, |f| {
            f.pool(ALI_POOL).cluster = EKS.into();
            f.queues.get_mut("queue.cost-optimized").unwrap().entry = None;
        }),
        (c::TENANT_WITHOUT_ACCOUNT, |f| f.tenant("nlp").accounts.clear()),
        (c::NEWER_NOT_EVICTED, |f| f.class("urgent").preempts = Preempts::LowerOrNewer),
        (c::NOBODY_WITH_TIERS, |f| {
            f.slurm().preempt_by = PreemptBy::Tier;
            f.class("urgent").preempts = Preempts::Nobody;
        }),
        (c::QOS_WITHOUT_ACCOUNTING, |f| f.slurm().accounting = false),
        (c::TOO_MANY_HOSTS, |f| {
            f.pool(HPC_POOL).lots[0].hosts = None;
            f.pool(HPC_POOL).lots[0].nodes = Range::exactly(65_537);
        }),
        (c::MIXED_DEVICES_CAPPED, |f| {
            f.pool(HPC_POOL).accelerator = None;
            f.tenant("nlp").quotas.push(quota(HPC_POOL));
        }),
    ]
}

#[test]
fn every_code_is_earned_and_says_what_to_do() {
    let mut seen = BTreeSet::new();
    for (code, change) in cases().into_iter().chain(super::needs::cases()) {
        let (_, diagnostics) = laid_out(change);
        assert!(codes(&diagnostics).contains(&code), "{code}: {diagnostics:#?}");
        seen.insert(code);
        for diagnostic in &diagnostics {
            assert!(diagnostic.primary().is_some(), "{diagnostic:#?} has no place");
            assert!(
                !diagnostic.message.ends_with('.') && !diagnostic.message.is_empty(),
                "{}",
                diagnostic.message
            );
            let said =
                diagnostic.helps.len() + if diagnostic.is_error() { 0 } else { diagnostic.notes.len() };
            assert!(said > 0, "{diagnostic:#?} does not say what to do");
        }
    }
    let all: BTreeSet<Code> = c::CODES.iter().map(|info| info.code).collect();
    assert_eq!(seen, all, "every code has a case");
    assert_eq!(all.len(), c::CODES.len(), "no code twice");
}

#[test]
fn adapters_are_noted_only_where_a_pod_could_ask_for_them_in_vain() {
    use poolwright_model::fleet::Fabric;
    type Case = (&'static str, &'static str, fn(&mut Fabric), bool);
    let cases: [Case; 6] = [
        (GAUDI_POOL, "infiniband", |_| {}, true),
        (GAUDI_POOL, "roce", |fabric| fabric.kind = FabricKind::Roce, true),
        (GAUDI_POOL, "ethernet", |fabric| fabric.kind = FabricKind::Ethernet, false),
        (GAUDI_POOL, "named", |fabric| fabric.resource = Some("rdma/ib".to_owned()), false),
        (AWS_POOL, "nodes of a cloud", |_| {}, false),
        (HPC_POOL, "Slurm", |_| {}, false),
    ];
    for (pool, name, change, noted) in cases {
        let (_, diagnostics) = laid_out(|fleet| {
            change(fleet.fabrics.get_mut("fabric.ndr").unwrap());
            fleet.pool(pool).fabric = Some(Address::new("fabric.ndr"));
        });
        assert_eq!(codes(&diagnostics).contains(&c::RDMA_NOT_COVERED), noted, "{name}");
    }
}

#[test]
fn faults_do_not_hide_each_other() {
    let (_, diagnostics) = laid_out(|fleet| {
        fleet.kubernetes(EKS).cluster_autoscaler = None;
        fleet.quota("nlp", 0).gpus = Some(GpuAmount::Gpus(97));
        fleet.pool(ALI_POOL).lots[0].idle_after = None;
    });
    let found: BTreeSet<Code> = codes(&diagnostics).into_iter().collect();
    assert_eq!(found, [c::STOCK_OUT_UNSEEN, c::PROMISED_TOO_MUCH, c::NEVER_IDLE].into());
}

#[test]
fn a_stock_out_that_can_never_be_seen_is_shown_in_three_places() {
    let at = |file: u32, start: u32| Span::new(FileId(file), start, start + 1);
    let (_, diagnostics) = laid_out(|fleet| {
        fleet.kubernetes(EKS).cluster_autoscaler = None;
        fleet.target(EKS).meta.origin.header = at(0, 20);
        let attributes =
            vec![("on".into(), at(1, 62)), ("on[1]".into(), at(1, 64)), ("until".into(), at(1, 61))];
        fleet.route().steps[0].meta.origin =
            Origin { header: at(1, 58), attributes: std::sync::Arc::new(attributes) };
    });
    assert_eq!(codes(&diagnostics), [c::STOCK_OUT_UNSEEN]);
    let found = &diagnostics[0];
    assert_eq!(
        (found.severity, found.message.as_str()),
        (Severity::Error, "step \"aws-spot\" can never see a stock-out")
    );
    let labels: Vec<(Span, &str, bool)> =
        found.labels.iter().map(|label| (label.span, label.text.as_str(), label.primary)).collect();
    assert_eq!(
        labels,
        [
            (at(1, 64), "`no-capacity` never occurs with `until = \"admitted\"`", true),
            (at(1, 61), "waits for nodes only where a provisioning check exists", false),
            (at(0, 20), "has no cluster_autoscaler.provisioning_requests", false),
        ]
    );
    assert_eq!(
        found.notes,
        [
            "Kueue admits the job as soon as quota fits; without nodes its pods stay Pending and the route never moves on."
        ]
    );
    assert_eq!(
        found.helps,
        [
            "turn the check on             cluster_autoscaler = { version = \"1.33\", provisioning_requests = true }",
            "or wait for running pods      until = \"ready\"",
        ]
    );
}

#[test]
fn a_stock_out_is_seen_where_it_can_be() {
    let quiet: [(&str, Change); 5] = [
        ("a check exists", |_| {}),
        ("running pods are waited for", |f| {
            f.kubernetes(EKS).cluster_autoscaler = None;
            f.route().steps[0].until = Until::Ready;
        }),
        ("only quota is a reason", |f| {
            f.kubernetes(EKS).cluster_autoscaler = None;
            f.route().steps[0].on = vec![Reason::NoQuota];
        }),
        ("nodes are there", |f| {
            f.kubernetes(EKS).cluster_autoscaler = None;
            for lot in &mut f.pool(AWS_POOL).lots {
                lot.nodes = Range::exactly(lot.most());
            }
        }),
        ("nobody leaves the last step", |f| f.kubernetes(ACK).cluster_autoscaler = None),
    ];
    for (name, change) in quiet {
        let (_, diagnostics) = laid_out(change);
        assert!(!codes(&diagnostics).contains(&c::STOCK_OUT_UNSEEN), "{name}");
    }
    let (_, diagnostics) = laid_out(|f| f.route().steps[0].until = Until::Quota);
    assert_eq!(codes(&diagnostics), [c::STOCK_OUT_UNSEEN], "quota comes before nodes");
}

#[test]
fn limits_fit_what_a_tenant_can_hold() {
    let (_, diagnostics) = laid_out(|f| f.class("interruptible").limits.gpus = range(40));
    // nlp holds 96 and 48, vision 64 and 32.
    assert_eq!(codes(&diagnostics), [c::LAST_STEP_TOO_SMALL]);
    assert_eq!(
        diagnostics[0].message,
        "the largest job of `class.interruptible`, 40 GPUs, does not fit `tenant.vision` on step \"aliyun\""
    );
    assert!(diagnostics[0].labels.iter().any(|label| label.text == "`tenant.vision` can hold 32"));
    let (_, diagnostics) = laid_out(|f| _ = f.tenant("vision").quotas.remove(1));
    assert_eq!(diagnostics, [], "without a quota the whole pool");
}
