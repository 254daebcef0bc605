//! LANGUAGE §4.3: capacity in slices, of lots that count devices, and of shared queues.

use std::collections::BTreeMap;

use poolwright_expression::Number;
use poolwright_expression::quantity::{Bytes, Range};
use poolwright_model::fleet::{GpuOperator, LotMax, MigStrategy, Partition, Quota};
use poolwright_model::{Address, Fleet};

use super::{AWS_POOL, EKS, Edit, GAUDI_POOL, cluster, codes, cohort, laid_out, quotas};
use crate::codes::{PARTITION_UNKNOWN, PROMISED_TOO_MUCH, SLICES_UNTOLD};

/// The first lot of the spot pool cut into seven, its forms known, and the operator of its cluster.
fn cut(fleet: &mut Fleet, mig: Option<MigStrategy>) {
    let accelerator = fleet.pool(AWS_POOL).accelerator.clone().unwrap();
    let form = Partition { per_gpu: 7, memory: Bytes::parse("5GiB").unwrap(), resource: None };
    fleet.accelerators.get_mut(&accelerator).unwrap().partitions =
        BTreeMap::from([("1g.5gb".to_owned(), form)]);
    fleet.kubernetes(EKS).gpu_operator = mig.map(|mig| GpuOperator { version: None, mig });
    for lot in &mut fleet.pool(AWS_POOL).lots {
        lot.partition = Some("1g.5gb".to_owned());
    }
}

#[test]
fn quotas_count_gpus_and_capacity_counts_slices() {
    let (layout, found) = laid_out(|fleet| cut(fleet, Some(MigStrategy::Mixed)));
    assert_eq!(codes(&found).iter().filter(|code| **code == PARTITION_UNKNOWN).count(), 0);
    let flavor = &cluster(&layout, EKS).flavors[0];
    assert_eq!(flavor.device.as_deref(), Some("nvidia.com/mig-1g.5gb"));
    assert_eq!(flavor.capacity["nvidia.com/mig-1g.5gb"].value, 16 * 8 * 7);
    let nlp = quotas(cohort(&layout, EKS, "acme--nlp"));
    assert!(nlp.contains(&"aws-a100-spot nvidia.com/mig-1g.5gb 448 (+224)".to_owned()), "{nlp:?}");
    let (layout, _) = laid_out(|fleet| cut(fleet, Some(MigStrategy::Single)));
    assert_eq!(cluster(&layout, EKS).flavors[0].device.as_deref(), Some("nvidia.com/gpu"));
}

#[test]
fn a_cluster_that_does_not_tell_of_slices_is_refused() {
    for (mig, refused) in [(None, true), (Some(MigStrategy::None), true), (Some(MigStrategy::Single), false)]
    {
        let (_, found) = laid_out(|fleet| cut(fleet, mig));
        assert_eq!(codes(&found).contains(&SLICES_UNTOLD), refused, "{mig:?}");
    }
    let (_, found) = laid_out(|fleet| {
        cut(fleet, Some(MigStrategy::Mixed));
        fleet.pool(AWS_POOL).lots[0].partition = Some("1g.10gb".to_owned());
    });
    assert!(codes(&found).contains(&PARTITION_UNKNOWN));
}

#[test]
fn nodes_that_nobody_makes_are_found_by_their_product() {
    let select = |mig: MigStrategy, slice: bool| {
        let (layout, _) = laid_out(|fleet| {
            cut(fleet, Some(mig));
            let pool = fleet.pool(AWS_POOL);
            pool.provision = None;
            if !slice {
                pool.lots.iter_mut().for_each(|lot| lot.partition = None);
            }
        });
        cluster(&layout, EKS).flavors[0].select["nvidia.com/gpu.product"].clone()
    };
    assert_eq!(select(MigStrategy::None, false), "NVIDIA-A100-SXM4-40GB");
    assert_eq!(select(MigStrategy::Mixed, true), "NVIDIA-A100-SXM4-40GB");
    assert_eq!(select(MigStrategy::Single, true), "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb");
}

#[test]
fn a_lot_that_counts_devices_has_those() {
    let (layout, _) = laid_out(|fleet| {
        let lot = &mut fleet.pool(AWS_POOL).lots[0];
        lot.nodes = Range { min: 0, max: Some(4) };
        lot.max =
            Some(LotMax { gpus: 20, cpus: Number::from(100_i64), memory: Bytes::parse("1000GiB").unwrap() });
        fleet.pool(AWS_POOL).lots.truncate(1);
        fleet.tenants.values_mut().for_each(|tenant| tenant.quotas.clear());
    });
    let flavor = &cluster(&layout, EKS).flavors[0];
    let have = |resource: &str| flavor.capacity[resource].value;
    assert_eq!((have("nvidia.com/gpu"), have("cpu"), have("memory")), (20, 100_000, 1_024_000));
}

#[test]
fn a_shared_queue_promises_too() {
    let shared = |gpus: u64| {
        let (_, found) = laid_out(|fleet| {
            let quota = Quota {
                gpus: Some(poolwright_model::fleet::GpuAmount::Gpus(gpus)),
                pool: Address::new(GAUDI_POOL),
                ..fleet.quota("nlp", 0).clone()
            };
            let queue = fleet.queue("inference");
            queue.shared = true;
            queue.quotas = vec![quota];
        });
        codes(&found).contains(&PROMISED_TOO_MUCH)
    };
    assert!(!shared(32), "all of it");
    assert!(shared(33));
}
