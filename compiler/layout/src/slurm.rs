//! Everything that one Slurm cluster gets (LANGUAGE §4.2 to §4.6): hosts, NodeSets, partitions, accounts, QoS.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::quantity::{Hosts, MAX_HOSTS};
use poolwright_model::fleet::{
    Class, Lot, Pool, PreemptAction, PreemptBy, Preempts, SlurmTarget, Target, Tenant,
};
use poolwright_model::layout::{NodeSet, SlurmCluster, SlurmNodes, SlurmPartition, SlurmQos};
use poolwright_model::{Address, Fleet};

use crate::across::Way;
use crate::flavors::Flavors;
use crate::kueue::Parts;
use crate::names::{self, LIMIT, Names};
use crate::{accounts, codes};

/// Every Slurm cluster, by target.
pub(crate) fn clusters<'a>(
    parts: &Parts<'_, 'a>,
    names: &mut Names<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) -> BTreeMap<Address, SlurmCluster> {
    let fleet: &'a Fleet = parts.flavors.fleet;
    let mut ways: BTreeMap<&Address, Vec<&Way<'a>>> = BTreeMap::new();
    for way in parts.ways {
        ways.entry(way.entry()).or_default().push(way);
    }
    let mut clusters = BTreeMap::new();
    for (address, target) in &fleet.targets {
        if let Some(slurm) = target.slurm() {
            let here = ways.get(address).map_or(&[][..], Vec::as_slice);
            let one = One { parts, fleet, target, slurm, ways: here };
            clusters.insert(address.clone(), one.assemble(names, diagnostics));
        }
    }
    clusters
}

/// One cluster while it is being put together.
pub(crate) struct One<'p, 'a> {
    pub(crate) parts: &'p Parts<'p, 'a>,
    pub(crate) fleet: &'a Fleet,
    pub(crate) target: &'a Target,
    pub(crate) slurm: &'a SlurmTarget,
    pub(crate) ways: &'p [&'p Way<'a>],
}

impl<'a> One<'_, 'a> {
    fn assemble(&self, names: &mut Names<'a>, diagnostics: &mut Vec<Diagnostic>) -> SlurmCluster {
        let address = &self.target.meta.address;
        let places = self.parts.flavors.of_cluster(address);
        let mut cluster = SlurmCluster::default();
        self.hosts(places, &mut cluster, names, diagnostics);
        let fabrics = self.parts.flavors.pick(places).filter_map(|flavor| self.parts.flavors.pool(flavor));
        let fabrics: BTreeSet<&Address> = fabrics.filter_map(|pool| pool.fabric.as_ref()).collect();
        cluster.fabrics = fabrics.into_iter().cloned().collect();
        self.partitions(&mut cluster, names, diagnostics);
        cluster.accounts = accounts::accounts(self, names, diagnostics);
        cluster.qos = self.qos(names, diagnostics);
        cluster
    }

    /// Tenants with a queue here, by address.
    pub(crate) fn tenants(&self) -> Vec<&'a Tenant> {
        let tenants: BTreeSet<&Address> = self.ways.iter().flat_map(|way| way.queue.tenants.iter()).collect();
        tenants.into_iter().filter_map(|tenant| self.fleet.tenants.get(tenant)).collect()
    }

    /// Nodes of each lot and NodeSets of each flavor.
    fn hosts(
        &self,
        places: &[usize],
        cluster: &mut SlurmCluster,
        names: &mut Names<'a>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let target = &self.target.meta.address;
        let flavors: &Flavors<'a> = self.parts.flavors;
        let mut taken: BTreeMap<String, &'a Lot> = BTreeMap::new();
        for flavor in flavors.pick(places) {
            let Some(pool) = flavors.pool(flavor) else { continue };
            let mut all = Vec::new();
            for &lot in flavors.lots(flavor) {
                let name = names::compose(&[&pool.meta.name, &lot.meta.name], LIMIT);
                names.take(target, "Node", &name, (&lot.meta.address, lot.meta.origin.header), diagnostics);
                let hosts = hosts_of(pool, lot, diagnostics);
                // One error for each pair of lots, about the first host that they share.
                let mut said = BTreeSet::new();
                for host in &hosts.0 {
                    let Some(other) = taken.insert(host.clone(), lot) else { continue };
                    if said.insert(&other.meta.address) {
                        diagnostics.push(host_twice(self.fleet, host, lot, other));
                    }
                }
                all.extend(hosts.0.iter().cloned());
                cluster.nodes.push(SlurmNodes { name, lot: lot.meta.address.clone(), hosts });
            }
            names.take(
                target,
                "NodeSet",
                &flavor.name,
                (&pool.meta.address, pool.meta.origin.header),
                diagnostics,
            );
            cluster.node_sets.push(NodeSet {
                name: flavor.name.clone(),
                pool: flavor.pool.clone(),
                lots: flavor.lots.clone(),
                hosts: Hosts(all),
            });
        }
        cluster.nodes.sort_by(|a, b| a.name.cmp(&b.name));
        cluster.node_sets.sort_by(|a, b| a.name.cmp(&b.name));
    }

    fn partitions(
        &self,
        cluster: &mut SlurmCluster,
        names: &mut Names<'a>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let target = &self.target.meta.address;
        for way in self.ways {
            let tenants = way.tenants(self.fleet);
            let everybody =
                tenants.iter().any(|tenant| accounts::everybody(tenant)) || !self.slurm.accounting;
            let once = |list: &mut dyn Iterator<Item = &String>| -> Vec<String> {
                list.collect::<BTreeSet<_>>().into_iter().cloned().collect()
            };
            let accounts = if everybody {
                Vec::new()
            } else {
                once(&mut tenants.iter().flat_map(|tenant| tenant.accounts.iter()))
            };
            let groups = if tenants.iter().all(|tenant| !tenant.groups.is_empty()) {
                once(&mut tenants.iter().flat_map(|tenant| tenant.groups.iter()))
            } else {
                Vec::new()
            };
            for stage in way.stages.get(target).map_or(&[][..], Vec::as_slice) {
                let mut parts: Vec<&str> = vec![&way.queue.meta.name];
                parts.extend(stage.step.as_ref().map(|(_, name)| name.as_str()));
                let name = names::compose(&parts, LIMIT);
                let from = (&way.queue.meta.address, way.queue.meta.origin.header);
                names.take(target, "Partition", &name, from, diagnostics);
                cluster.partitions.push(SlurmPartition {
                    name,
                    queue: way.queue.meta.address.clone(),
                    step: stage.step.as_ref().map(|(address, _)| address.clone()),
                    node_sets: self
                        .parts
                        .flavors
                        .pick(&stage.flavors)
                        .map(|flavor| flavor.name.clone())
                        .collect(),
                    accounts: accounts.clone(),
                    groups: groups.clone(),
                    pools: stage.pools.clone(),
                });
            }
        }
        cluster.partitions.sort_by(|a, b| a.name.cmp(&b.name));
    }

    /// One QoS per class reached; with `preempt/qos` its victims.
    fn qos(&self, names: &mut Names<'a>, diagnostics: &mut Vec<Diagnostic>) -> Vec<SlurmQos> {
        let reached: BTreeSet<&Address> = self.ways.iter().flat_map(|way| way.classes()).collect();
        let classes: Vec<&'a Class> =
            reached.into_iter().filter_map(|class| self.fleet.classes.get(class)).collect();
        let header = self.target.meta.origin.header;
        if self.slurm.preempt_by == PreemptBy::Qos && !self.slurm.accounting {
            diagnostics.push(
                Diagnostic::error(
                    codes::QOS_WITHOUT_ACCOUNTING,
                    format!("{} preempts by QoS without accounting", self.target.meta.address),
                )
                .at(self.target.meta.origin.of("preempt_by"), "a QoS lives in slurmdbd")
                .with_note("without slurmdbd `preempt/qos` starts, says nothing, and never preempts")
                .with_help("set accounting = true, or preempt_by = \"tier\""),
            );
        }
        for class in &classes {
            let lower = classes.iter().find(|other| other.priority < class.priority);
            if self.slurm.preempt_by == PreemptBy::Tier
                && class.preempts == Preempts::Nobody
                && let Some(lower) = lower
            {
                diagnostics.push(
                    Diagnostic::error(
                        codes::NOBODY_WITH_TIERS,
                        format!(
                            "`{}` preempts nobody, but on {} it would",
                            class.meta.address, self.target.meta.address
                        ),
                    )
                    .at(class.meta.origin.of("preempts"), "evicts nobody")
                    .also(lower.meta.origin.of("priority"), format!("`{}` is below it", lower.meta.address))
                    .also(header, "preempts by partition tier")
                    .with_help("use preempt_by = \"qos\" with accounting, or give the classes one priority"),
                );
            }
            let equal = classes.iter().any(|other| {
                other.priority == class.priority && other.when_preempted.action != PreemptAction::Never
            });
            if class.preempts == Preempts::LowerOrNewer && equal {
                diagnostics.push(
                    Diagnostic::warning(
                        codes::NEWER_NOT_EVICTED,
                        format!(
                            "on {} `{}` evicts no younger jobs of its own priority",
                            self.target.meta.address, class.meta.address
                        ),
                    )
                    .at(class.meta.origin.of("preempts"), "holds as \"lower\" on Slurm")
                    .with_note("Slurm preempts by QoS or partition, never by age"),
                );
            }
        }
        if !self.slurm.accounting {
            return Vec::new();
        }
        // Victims of a class are a prefix of the classes in order of priority.
        let mut victims: Vec<(u32, &String)> = classes
            .iter()
            .filter(|class| class.when_preempted.action != PreemptAction::Never)
            .map(|class| (class.priority, &class.meta.name))
            .collect();
        victims.sort();
        let mut qos: Vec<SlurmQos> = Vec::new();
        for class in classes {
            names.take(
                &self.target.meta.address,
                "QoS",
                &class.meta.name,
                (&class.meta.address, class.meta.origin.header),
                diagnostics,
            );
            let evicts = self.slurm.preempt_by == PreemptBy::Qos && class.preempts != Preempts::Nobody;
            let below = victims.iter().take_while(|(priority, _)| evicts && *priority < class.priority);
            let mut preempts: Vec<String> = below.map(|(_, name)| (*name).clone()).collect();
            preempts.sort();
            qos.push(SlurmQos { name: class.meta.name.clone(), class: class.meta.address.clone(), preempts });
        }
        qos.sort_by(|a, b| a.name.cmp(&b.name));
        qos
    }
}

/// The names of a lot's hosts: as written, or `<pool>--<lot>-[0001-0016]` for as many as it may have.
fn hosts_of(pool: &Pool, lot: &Lot, diagnostics: &mut Vec<Diagnostic>) -> Hosts {
    if let Some(hosts) = &lot.hosts {
        return hosts.clone();
    }
    let most = lot.most();
    if most > MAX_HOSTS as u64 {
        diagnostics.push(
            Diagnostic::error(
                codes::TOO_MANY_HOSTS,
                format!("`{}` stands for {most} hosts", lot.meta.address),
            )
            .at(lot.meta.origin.of("nodes"), format!("at most {MAX_HOSTS} hosts of one lot can be named"))
            .with_help("split it into several lots"),
        );
        return Hosts(Vec::new());
    }
    let prefix = names::compose(&[&pool.meta.name, &lot.meta.name], LIMIT - "-65536".len());
    let width = most.to_string().len().max(4);
    Hosts((1..=most).map(|number| format!("{prefix}-{number:0width$}")).collect())
}

fn host_twice(fleet: &Fleet, host: &str, lot: &Lot, other: &Lot) -> Diagnostic {
    let span = |lot: &Lot| {
        if lot.meta.origin.wrote("hosts") {
            return lot.meta.origin.of("hosts");
        }
        fleet
            .pools
            .get(&lot.meta.address.pool())
            .map_or(lot.meta.origin.header, |pool| pool.meta.origin.of("hosts"))
    };
    Diagnostic::error(codes::HOST_TWICE, format!("host \"{host}\" belongs to two lots of one cluster"))
        .at(span(lot), format!("`{}` has it", lot.meta.address))
        .also(span(other), format!("`{}` has it too", other.meta.address))
        .with_help("give it to one of them")
}
