//! What classes and queues need of the places that they lead to: a fleet for each code.

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_diagnostics::{Code, Span};
use poolwright_expression::quantity::{Bytes, Duration, Percent, Range, Version};
use poolwright_model::fleet::{
    Component, FabricKind, GpuAmount, GpuOperator, MigStrategy, Partition, Power, Role, TierKind, Trial,
};
use poolwright_model::{Address, Origin};

use super::{ACK, ALI_POOL, AWS_POOL, Change, EKS, Edit, GAUDI_POOL, HPC_POOL, ONPREM};
use crate::codes as c;

pub(super) fn cases() -> Vec<(Code, Change)> {
    vec![
        (c::NOT_GUARANTEED, |f| {
            f.class("interruptible").guaranteed = true;
            f.tiers.get_mut("tier.on-demand").unwrap().kind = TierKind::Spot;
        }),
        (c::STORE_UNREACHED, |f| f.class("dev").stores = vec!["s3://acme".to_owned()]),
        (c::DRIVER_TOO_OLD, |f| {
            f.class("dev").cuda = Version::parse("13.0").ok();
            f.pool(HPC_POOL).driver = Version::parse("535.183").ok();
        }),
        (c::DRIVER_UNKNOWN, |f| f.class("dev").cuda = Version::parse("9.2").ok()),
        (c::DRIVER_TOO_NEW, |f| {
            let volta = poolwright_catalog::accelerator("nvidia-v100-32gb").unwrap();
            let pool = f.pool(HPC_POOL);
            pool.driver = Version::parse("590.44").ok();
            let accelerator = pool.accelerator.clone().unwrap();
            f.accelerators.get_mut(&accelerator).unwrap().meta.name.clone_from(&volta.name);
        }),
        (c::CUDA_BEFORE_ACCELERATOR, |f| f.class("dev").cuda = Version::parse("11.0").ok()),
        (c::ZONE_NOT_OFFERED, |f| f.pool(AWS_POOL).lots[0].zones = vec!["use1-az3".to_owned()]),
        (c::PORT_FACTS, |f| {
            let fabric = f.fabrics.get_mut("fabric.ndr").unwrap();
            fabric.kind = FabricKind::Efa;
            f.pool(AWS_POOL).fabric = Some(Address::new("fabric.ndr"));
        }),
        (c::HOST_TOO_SMALL, |f| {
            let lot = &mut f.pool(HPC_POOL).lots[0];
            (lot.node.sockets, lot.node.cores, lot.node.cpus) = (None, None, 32);
            let attributes = vec![("node.cpus".into(), Span::default())];
            lot.meta.origin = Origin { header: Span::default(), attributes: Arc::new(attributes) };
        }),
        (c::NOTICE_SHORT, |f| {
            f.class("interruptible").checkpoint.as_mut().unwrap().write = Duration::from_seconds(121);
        }),
        (c::SAVED_TOO_SELDOM, |f| {
            f.class("interruptible").checkpoint.as_mut().unwrap().every = Duration::from_seconds(36_000);
        }),
        (c::WAIT_TOO_SHORT, |f| {
            f.class("interruptible").limits.wait = Some(Duration::from_seconds(900));
        }),
        (c::TOPOLOGY_WITHOUT_NODES, |f| {
            f.kubernetes(ACK).cluster_autoscaler = None;
            f.pool(ALI_POOL).fabric = Some(Address::new("fabric.ndr"));
        }),
        (c::QUOTA_NOT_WHOLE, |f| {
            f.class("interruptible").limits.gpus = Some(Range { min: 8, max: Some(16) });
            f.quota("nlp", 0).gpus = Some(GpuAmount::Gpus(60));
        }),
        (c::MODEL_DIFFERS, |f| {
            f.class("interruptible").same_model = true;
            f.pool(ALI_POOL).accelerator = Some(Address::new("accelerator.habana-gaudi2"));
        }),
        (c::PULL_SECRET_MISSING, |f| f.private_registries = vec!["registry.acme.dev".to_owned()]),
        (c::ROLE_NOWHERE, |f| {
            let role = Role { tiers: vec![TierKind::Edge], pools: Vec::new() };
            f.class("dev").roles = BTreeMap::from([("head".to_owned(), role)]);
        }),
        (c::WORK_UNKNOWN, |f| f.class("dev").work = Some("pretrain".to_owned())),
        (c::DENY_UNUSED, |f| f.queue("dev").deny = vec![Address::new("tenant.vision")]),
        (c::TOKENS_PLACE, |f| f.queue("inference").tokens = vec![Address::new(GAUDI_POOL)]),
        (c::TOKENS_QUOTA, |f| {
            f.quota("nlp", 0).tokens = BTreeMap::from([("licence/seat".to_owned(), 1)]);
        }),
        (c::POWER_TOO_SLOW, |f| {
            let minutes = |count: u64| Duration::from_seconds(count * 60);
            f.slurm().power = Some(Power {
                resume: "/opt/resume".to_owned(),
                suspend: "/opt/suspend".to_owned(),
                resume_timeout: minutes(14),
                suspend_timeout: minutes(1),
                requeue_delay: minutes(1),
            });
            let lot = &mut f.pool(HPC_POOL).lots[0];
            lot.hosts = None;
            lot.nodes = Range { min: 0, max: Some(16) };
            f.route().steps.iter_mut().for_each(|step| step.pools = vec![Address::new(HPC_POOL)]);
            f.queue("cost-optimized").entry = None;
        }),
        (c::TRIAL_ELSEWHERE, |f| {
            let share = Percent::parse("10%").unwrap();
            f.queue("dev").trial = Some(Trial { route: Address::new("route.cost-optimized"), share });
        }),
        (c::PARTITION_UNKNOWN, |f| f.pool(AWS_POOL).lots[0].partition = Some("9g.99gb".to_owned())),
        (c::SLICES_UNTOLD, |f| {
            let accelerator = f.pool(AWS_POOL).accelerator.clone().unwrap();
            let form = Partition { per_gpu: 7, memory: Bytes::parse("5GiB").unwrap(), resource: None };
            f.accelerators.get_mut(&accelerator).unwrap().partitions =
                BTreeMap::from([("1g.5gb".to_owned(), form)]);
            f.pool(AWS_POOL).lots[0].partition = Some("1g.5gb".to_owned());
        }),
        (c::BATCH_AND_OTHERS, |f| {
            let kubernetes = f.kubernetes(EKS);
            kubernetes.kueue = None;
            kubernetes.volcano = Some(Component { version: Version::parse("1.12").unwrap() });
        }),
        (c::PRODUCT_AMBIGUOUS, |f| {
            f.kubernetes(ONPREM).gpu_operator = Some(GpuOperator { version: None, mig: MigStrategy::None });
            let pool = f.pool(GAUDI_POOL);
            pool.select = None;
            pool.accelerator = Some(Address::new("accelerator.nvidia-a100-40gb"));
            f.accelerators
                .get_mut("accelerator.nvidia-a100-40gb")
                .unwrap()
                .products
                .push("NVIDIA-A100-PCIE-40GB".to_owned());
        }),
    ]
}
