//! What Slurm gets: caps, shares, victims, hosts.

use std::collections::BTreeMap;

use poolwright_expression::Number;
use poolwright_expression::quantity::Range;
use poolwright_model::Address;
use poolwright_model::fleet::{Borrow, GpuAmount, PreemptAction, Quota};

use super::{Edit, HPC, HPC_POOL, codes, laid_out};
use crate::codes::TENANTS_NOT_TOLD_APART;

fn quota(pool: &str, gpus: u64, borrow: Borrow) -> Quota {
    Quota {
        pool: Address::new(pool),
        gpus: Some(GpuAmount::Gpus(gpus)),
        cpus: None,
        memory: None,
        borrow,
        lend: Borrow::ALL,
        tokens: BTreeMap::new(),
        foreign: BTreeMap::new(),
    }
}

fn caps(change: impl FnOnce(&mut poolwright_model::Fleet)) -> BTreeMap<String, u64> {
    let (layout, _) = laid_out(change);
    layout.slurm[HPC].accounts[0].caps.clone()
}

#[test]
fn caps_are_gpus_and_borrow_by_type() {
    let gres = "gres/gpu:h100-80gb-sxm".to_owned();
    assert_eq!(caps(|_| {}), BTreeMap::new(), "no quota, no cap");
    assert_eq!(
        caps(|f| f.tenant("nlp").quotas.push(quota(HPC_POOL, 24, Borrow::Gpus(8)))),
        [(gres.clone(), 32)].into()
    );
    assert_eq!(caps(|f| f.tenant("nlp").quotas.push(quota(HPC_POOL, 24, Borrow::ALL))), BTreeMap::new());
    let second = |f: &mut poolwright_model::Fleet, borrow: Option<Borrow>| {
        f.copy_pool(HPC_POOL, "hpc-b").lots[0].hosts = None;
        f.queue("urgent").pools.push(Address::new("pool.hpc-b"));
        f.tenant("nlp").quotas.push(quota(HPC_POOL, 24, Borrow::Gpus(8)));
        f.tenant("nlp").quotas.extend(borrow.map(|borrow| quota("pool.hpc-b", 8, borrow)));
    };
    assert_eq!(caps(|f| second(f, Some(Borrow::Gpus(0)))), [(gres.clone(), 40)].into(), "summed over pools");
    assert_eq!(caps(|f| second(f, Some(Borrow::ALL))), BTreeMap::new(), "one without a limit");
    assert_eq!(caps(|f| second(f, None)), [(gres, 32 + 128)].into(), "idle GPUs of the other may be used");
    assert_eq!(caps(|f| f.tenant("nlp").max_gpus = Some(64)), [("gres/gpu".to_owned(), 64)].into());
}

#[test]
fn shares_keep_the_proportion_of_weights() {
    let (layout, diagnostics) = laid_out(|fleet| {
        fleet.tenant("nlp").weight = Number::ratio(3, 2).unwrap();
        fleet.tenant("vision").weight = Number::ratio(1, 4).unwrap();
    });
    let shares: Vec<u64> = layout.slurm[HPC].accounts.iter().map(|account| account.fairshare).collect();
    assert_eq!(shares, [150, 25], "{diagnostics:?}");
}

#[test]
fn a_qos_evicts_lower_classes_that_may_be_evicted() {
    let preempts = |change: fn(&mut poolwright_model::Fleet)| -> Vec<(String, Vec<String>)> {
        let (layout, _) = laid_out(|fleet| {
            fleet.queue("urgent").allow =
                vec![Address::new("class.interruptible"), Address::new("class.inference")];
            change(fleet);
        });
        layout.slurm[HPC].qos.iter().map(|qos| (qos.name.clone(), qos.preempts.clone())).collect()
    };
    let row =
        |name: &str, victims: &[&str]| (name.to_owned(), victims.iter().map(|v| (*v).to_owned()).collect());
    assert_eq!(
        preempts(|_| {}),
        [
            row("dev", &[]),
            row("inference", &["dev", "interruptible"]),
            row("interruptible", &["dev"]),
            row("urgent", &["dev", "inference", "interruptible"])
        ]
    );
    assert_eq!(
        preempts(|f| f.class("interruptible").when_preempted.action = PreemptAction::Never)[3],
        row("urgent", &["dev", "inference"])
    );
    assert_eq!(
        preempts(|f| f.class("urgent").preempts = poolwright_model::fleet::Preempts::Nobody)[3],
        row("urgent", &[])
    );
}

#[test]
fn elastic_hosts_are_named_by_pool_and_lot() {
    let (layout, _) = laid_out(|fleet| {
        let lot = &mut fleet.pool(HPC_POOL).lots[0];
        lot.hosts = None;
        lot.nodes = Range { min: 2, max: Some(16) };
    });
    let hpc = &layout.slurm[HPC];
    assert_eq!(hpc.nodes[0].hosts.fold(), "hpc-h100--main-[0001-0016]");
    assert_eq!(hpc.node_sets[0].hosts, hpc.nodes[0].hosts);
}

#[test]
fn without_accounting_tenants_are_not_told_apart() {
    let (layout, diagnostics) = laid_out(|fleet| {
        fleet.slurm().accounting = false;
        fleet.slurm().preempt_by = poolwright_model::fleet::PreemptBy::Tier;
    });
    assert_eq!(codes(&diagnostics), [TENANTS_NOT_TOLD_APART]);
    // The quickstart's class `dev` limits the GPUs of one job, which only a QoS could hold.
    let said: Vec<&str> = diagnostics[0].labels.iter().map(|label| label.text.as_str()).collect();
    assert_eq!(said, ["has no slurmdbd", "does not limit jobs there"]);
    let hpc = &layout.slurm[HPC];
    assert!(hpc.accounts.is_empty() && hpc.qos.is_empty());
    assert!(hpc.partitions.iter().all(|partition| partition.accounts.is_empty()));
}
