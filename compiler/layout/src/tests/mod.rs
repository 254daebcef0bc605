//! Whole layouts: the quickstart by name and number, and every rule by a fleet that breaks it.

mod devices;
mod fidelity;
mod flavors;
mod needs;
mod quickstart;
mod quotas;
mod refusals;
mod slurm;

use poolwright_diagnostics::{Code, Diagnostic};
use poolwright_model::fleet::{
    Class, KubernetesTarget, Kueue, Pool, Queue, Quota, Route, SlurmTarget, Target, TargetKind, Tenant,
};
use poolwright_model::layout::{Cohort, KueueCluster};
use poolwright_model::{Address, Fleet, Layout};

pub(crate) const EKS: &str = "target.kubernetes.eks";
pub(crate) const ACK: &str = "target.kubernetes.ack";
pub(crate) const ONPREM: &str = "target.kubernetes.onprem";
pub(crate) const HPC: &str = "target.slurm.hpc";
pub(crate) const AWS_POOL: &str = "pool.aws-a100-spot";
pub(crate) const ALI_POOL: &str = "pool.aliyun-a100";
pub(crate) const GAUDI_POOL: &str = "pool.onprem-gaudi";
pub(crate) const HPC_POOL: &str = "pool.hpc-h100";

/// A change of a fleet.
pub(crate) type Change = fn(&mut Fleet);

/// The quickstart, as the golden file has it.
pub(crate) fn quickstart() -> Fleet {
    serde_json::from_str(include_str!("../../../../tests/golden/quickstart/fleet.json")).unwrap()
}

/// The quickstart with a change.
pub(crate) fn changed(change: impl FnOnce(&mut Fleet)) -> Fleet {
    let mut fleet = quickstart();
    change(&mut fleet);
    fleet
}

/// The layout of the quickstart with a change, and what is wrong with it.
pub(crate) fn laid_out(change: impl FnOnce(&mut Fleet)) -> (Layout, Vec<Diagnostic>) {
    crate::layout(&changed(change))
}

pub(crate) fn codes(diagnostics: &[Diagnostic]) -> Vec<Code> {
    diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

pub(crate) fn cluster<'l>(layout: &'l Layout, address: &str) -> &'l KueueCluster {
    &layout.kueue[address]
}

pub(crate) fn cohort<'l>(layout: &'l Layout, cluster: &str, name: &str) -> &'l Cohort {
    layout.kueue[cluster].cohorts.iter().find(|cohort| cohort.name == name).unwrap()
}

/// `flavor resource nominal (+borrowing) [lending]` of a cohort, as people read it.
pub(crate) fn quotas(cohort: &Cohort) -> Vec<String> {
    let flavors = cohort.groups.iter().flat_map(|group| group.flavors.iter());
    let quotas = flavors.flat_map(|flavor| flavor.quotas.iter().map(move |quota| (flavor, quota)));
    let text = quotas.map(|(flavor, quota)| {
        let borrow = quota.borrowing.map(|amount| format!(" (+{amount})")).unwrap_or_default();
        let lend = quota.lending.map(|amount| format!(" [{amount}]")).unwrap_or_default();
        format!("{} {} {}{borrow}{lend}", flavor.flavor, quota.resource, quota.nominal)
    });
    text.collect()
}

pub(crate) trait Edit {
    fn target(&mut self, address: &str) -> &mut Target;
    fn pool(&mut self, address: &str) -> &mut Pool;
    fn tenant(&mut self, name: &str) -> &mut Tenant;
    fn class(&mut self, name: &str) -> &mut Class;
    fn queue(&mut self, name: &str) -> &mut Queue;
    fn route(&mut self) -> &mut Route;
    fn kubernetes(&mut self, address: &str) -> &mut KubernetesTarget;
    fn kueue(&mut self, address: &str) -> &mut Kueue;
    fn slurm(&mut self) -> &mut SlurmTarget;
    fn quota(&mut self, tenant: &str, at: usize) -> &mut Quota;
    /// A copy of a pool under another name; its lots move with it.
    fn copy_pool(&mut self, of: &str, name: &str) -> &mut Pool;
    /// A copy of a target under another name.
    fn copy_target(&mut self, of: &str, name: &str) -> Address;
}

impl Edit for Fleet {
    fn target(&mut self, address: &str) -> &mut Target {
        self.targets.get_mut(address).unwrap()
    }
    fn pool(&mut self, address: &str) -> &mut Pool {
        self.pools.get_mut(address).unwrap()
    }
    fn tenant(&mut self, name: &str) -> &mut Tenant {
        self.tenants.get_mut(format!("tenant.{name}").as_str()).unwrap()
    }
    fn class(&mut self, name: &str) -> &mut Class {
        self.classes.get_mut(format!("class.{name}").as_str()).unwrap()
    }
    fn queue(&mut self, name: &str) -> &mut Queue {
        self.queues.get_mut(format!("queue.{name}").as_str()).unwrap()
    }
    fn route(&mut self) -> &mut Route {
        self.routes.get_mut("route.cost-optimized").unwrap()
    }
    fn kubernetes(&mut self, address: &str) -> &mut KubernetesTarget {
        match &mut self.target(address).kind {
            TargetKind::Kubernetes(kubernetes) => kubernetes,
            other => panic!("{address} is {}", other.as_str()),
        }
    }
    fn kueue(&mut self, address: &str) -> &mut Kueue {
        self.kubernetes(address).kueue.as_mut().unwrap()
    }
    fn slurm(&mut self) -> &mut SlurmTarget {
        match &mut self.target(HPC).kind {
            TargetKind::Slurm(slurm) => slurm,
            other => panic!("{HPC} is {}", other.as_str()),
        }
    }
    fn quota(&mut self, tenant: &str, at: usize) -> &mut Quota {
        &mut self.tenant(tenant).quotas[at]
    }
    fn copy_pool(&mut self, of: &str, name: &str) -> &mut Pool {
        let mut pool = self.pools[of].clone();
        let address = Address::new(format!("pool.{name}"));
        pool.meta.address = address.clone();
        name.clone_into(&mut pool.meta.name);
        for lot in &mut pool.lots {
            lot.meta.address = address.nested("lot", &lot.meta.name);
        }
        self.pools.insert(address.clone(), pool);
        self.pools.get_mut(&address).unwrap()
    }
    fn copy_target(&mut self, of: &str, name: &str) -> Address {
        let mut target = self.targets[of].clone();
        let address = Address::new(format!("target.{}.{name}", target.kind.as_str()));
        target.meta.address = address.clone();
        name.clone_into(&mut target.meta.name);
        self.targets.insert(address.clone(), target);
        address
    }
}
