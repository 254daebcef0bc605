//! Everything that one Kueue cluster gets, put together: flavors, cohorts, queues, namespaces, checks.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::Diagnostic;
use poolwright_model::fleet::{Kueue, Target, Tenant};
use poolwright_model::layout::{ClusterQueue, Cohort, Flavor, KueueCluster, LocalQueue, ResourceGroup};
use poolwright_model::{Address, Fleet};

use crate::across::{Place, Way};
use crate::flavors::Flavors;
use crate::multikueue::{self, Dispatch};
use crate::names::{self, LIMIT, Names};
use crate::provisioning::{self, Check};
use crate::quotas::{self, FlavorAmounts, Limits, Shares};
use crate::stages::Stage;
use crate::{codes, selects};

/// Flavors of one resource group (Kueue 0.14 to 0.19, `ResourceGroup.flavors`: `MaxItems=64`).
pub(crate) const MOST_FLAVORS: usize = 64;

/// What all clusters are made from.
pub(crate) struct Parts<'p, 'a> {
    /// The flavors.
    pub(crate) flavors: &'p Flavors<'a>,
    /// The ways of all queues.
    pub(crate) ways: &'p [Way<'a>],
    /// What is whose.
    pub(crate) shares: &'p Shares<'a>,
}

/// Every cluster with Kueue, by target. Their flavors come at the end ([`Flavors::give`]).
pub(crate) fn clusters<'a>(
    parts: &Parts<'_, 'a>,
    names: &mut Names<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) -> BTreeMap<Address, KueueCluster> {
    let fleet: &'a Fleet = parts.flavors.fleet;
    let mut ways: BTreeMap<&Address, Vec<&Way<'a>>> = BTreeMap::new();
    for way in parts.ways {
        for cluster in way.clusters() {
            ways.entry(cluster).or_default().push(way);
        }
    }
    let mut clusters = BTreeMap::new();
    for (address, target) in &fleet.targets {
        if let Some(kueue) = target.kubernetes().and_then(|kubernetes| kubernetes.kueue.as_ref()) {
            let here = ways.get(address).map_or(&[][..], Vec::as_slice);
            let one = One { parts, fleet, target, kueue, ways: here };
            clusters.insert(address.clone(), one.assemble(names, diagnostics));
        }
    }
    clusters
}

/// One cluster while it is being put together.
struct One<'p, 'a> {
    parts: &'p Parts<'p, 'a>,
    fleet: &'a Fleet,
    target: &'a Target,
    kueue: &'a Kueue,
    ways: &'p [&'p Way<'a>],
}

impl<'a> One<'_, 'a> {
    fn assemble(&self, names: &mut Names<'a>, diagnostics: &mut Vec<Diagnostic>) -> KueueCluster {
        let flavors = self.parts.flavors;
        let address = &self.target.meta.address;
        let places = flavors.of_cluster(address);
        selects::check(flavors, self.target, places, diagnostics);
        let dispatches = multikueue::dispatches(flavors, address, self.ways);
        let provisioning =
            if self.makes_nodes() { provisioning::checks(flavors, address) } else { Vec::new() };
        for way in self.ways.iter().filter(|way| way.entry() == address) {
            multikueue::check_entry(self.fleet, address, self.kueue, way, diagnostics);
        }
        let mut cluster = KueueCluster {
            dispatch_flavors: sorted(dispatches.values().map(|d| d.flavor.clone()).collect(), |flavor| {
                &flavor.name
            }),
            topologies: flavors
                .pick(places)
                .filter_map(|f| f.topology.clone())
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect(),
            cohorts: self.cohorts(places, &dispatches),
            classes: self.classes(),
            multikueue: sorted(dispatches.values().map(|d| d.check.clone()).collect(), |check| &check.name),
            workers: workers(self.fleet, &dispatches),
            ..KueueCluster::default()
        };
        for way in self.ways {
            self.queue(way, &dispatches, &provisioning, &mut cluster, names, diagnostics);
        }
        cluster.cluster_queues.sort_by(|a, b| a.name.cmp(&b.name));
        cluster.local_queues.sort_by(|a, b| (&a.namespace, &a.name).cmp(&(&b.namespace, &b.name)));
        for tenant in self.tenants() {
            for namespace in tenant.namespaces.iter().filter(|namespace| *namespace != "*") {
                cluster.namespaces.push((namespace.clone(), tenant.meta.address.clone()));
                if !tenant.groups.is_empty() {
                    cluster.submitters.push((namespace.clone(), tenant.meta.address.clone()));
                }
            }
        }
        cluster.namespaces.sort();
        cluster.submitters.sort();
        self.take_names(&cluster, &dispatches, &provisioning, names, diagnostics);
        self.check_groups(&cluster, diagnostics);
        cluster.provisioning = provisioning.into_iter().map(|check| check.check).collect();
        cluster
    }

    /// Whether elastic flavors wait for nodes before a job is admitted.
    fn makes_nodes(&self) -> bool {
        let autoscaler = self.target.kubernetes().and_then(|cluster| cluster.cluster_autoscaler.as_ref());
        autoscaler.is_some_and(|autoscaler| autoscaler.provisioning_requests)
    }

    /// Tenants with a queue here, by address.
    fn tenants(&self) -> Vec<&'a Tenant> {
        let tenants: BTreeSet<&Address> = self.ways.iter().flat_map(|way| way.queue.tenants.iter()).collect();
        tenants.into_iter().filter_map(|tenant| self.fleet.tenants.get(tenant)).collect()
    }

    fn classes(&self) -> Vec<Address> {
        let classes: BTreeSet<&Address> = self.ways.iter().flat_map(|way| way.classes()).collect();
        classes.into_iter().cloned().collect()
    }

    fn cohort_name(&self, tenant: &Tenant) -> String {
        names::compose(&[&self.fleet.meta.name, &tenant.meta.name], LIMIT)
    }

    /// The root, which keeps what nobody was promised, and a cohort for each tenant.
    fn cohorts(&self, places: &[usize], dispatches: &BTreeMap<&Address, Dispatch<'a>>) -> Vec<Cohort> {
        let flavors = self.parts.flavors;
        let root = self.kueue.cohort.clone().unwrap_or_else(|| self.fleet.meta.name.clone());
        // What the root has left, by flavor.
        let mut left: BTreeMap<String, FlavorAmounts> = BTreeMap::new();
        let pools = flavors.pick(places).map(|flavor| (&flavor.name, &flavor.capacity));
        for (name, capacity) in pools.chain(dispatches.values().map(|d| (&d.flavor.name, &d.flavor.capacity)))
        {
            let whole = |value: u64| Limits { nominal: value, ..Limits::default() };
            let amounts =
                capacity.iter().map(|(resource, have)| (resource.clone(), (have.unit, whole(have.value))));
            left.insert(name.clone(), amounts.collect());
        }
        let mut cohorts = Vec::new();
        for tenant in self.tenants() {
            let shares = self.parts.shares.get(&tenant.meta.address);
            let mut own: BTreeMap<String, FlavorAmounts> = BTreeMap::new();
            for place in places {
                let (Some(flavor), Some(share)) =
                    (flavors.get(*place), shares.and_then(|shares| shares.get(place)))
                else {
                    continue;
                };
                let amounts = flavor.capacity.iter().map(|(resource, have)| {
                    (resource.clone(), (have.unit, share.amounts.get(resource).copied().unwrap_or_default()))
                });
                own.insert(flavor.name.clone(), amounts.collect());
            }
            for dispatch in dispatches.values().filter(|d| d.tenants.contains(&tenant.meta.address)) {
                if let Some(amounts) = dispatch.share(flavors, tenant, shares) {
                    own.insert(dispatch.flavor.name.clone(), amounts);
                }
            }
            for (name, amounts) in &own {
                for (resource, (_, limits)) in amounts {
                    if let Some((_, rest)) = left.get_mut(name).and_then(|amounts| amounts.get_mut(resource))
                    {
                        rest.nominal = rest.nominal.saturating_sub(limits.nominal);
                    }
                }
            }
            cohorts.push(Cohort {
                name: self.cohort_name(tenant),
                parent: Some(root.clone()),
                tenant: Some(tenant.meta.address.clone()),
                weight: self.kueue.fair_sharing.then(|| tenant.weight.clone()),
                groups: quotas::group(own.into_iter().collect()),
            });
        }
        cohorts.sort_by(|a, b| a.name.cmp(&b.name));
        let groups = quotas::group(left.into_iter().collect());
        cohorts.insert(0, Cohort { name: root, parent: None, tenant: None, weight: None, groups });
        cohorts
    }

    /// The ClusterQueues and LocalQueues of a queue here.
    fn queue(
        &self,
        way: &Way<'a>,
        dispatches: &BTreeMap<&Address, Dispatch<'a>>,
        provisioning: &[Check],
        cluster: &mut KueueCluster,
        names: &mut Names<'a>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let address = &self.target.meta.address;
        if let Place::Dispatch { entry, .. } = &way.place
            && entry == address
        {
            let Some(dispatch) = way.queue.route.as_ref().and_then(|route| dispatches.get(route)) else {
                return;
            };
            let amounts = dispatch
                .flavor
                .capacity
                .iter()
                .map(|(resource, have)| (resource.clone(), (have.unit, Limits::default())));
            let groups = quotas::group(vec![(dispatch.flavor.name.clone(), amounts.collect())]);
            // MultiKueue checks are for all flavors of a queue (Kueue: `MultiKueueAdmissionCheckAppliedPerFlavor`).
            let checks = vec![(dispatch.check.name.clone(), Vec::new())];
            self.stage(way, None, &groups, &checks, cluster, names, diagnostics);
            return;
        }
        for stage in way.stages.get(address).map_or(&[][..], Vec::as_slice) {
            self.check_topology(way, stage, diagnostics);
            let flavors = self.parts.flavors;
            let amounts = flavors.pick(&stage.flavors).map(|flavor| {
                let zero = flavor
                    .capacity
                    .iter()
                    .map(|(resource, have)| (resource.clone(), (have.unit, Limits::default())));
                (flavor.name.clone(), zero.collect())
            });
            let groups = quotas::group(amounts.collect());
            let checks: Vec<(String, Vec<String>)> = provisioning
                .iter()
                .filter_map(|check| {
                    let of: Vec<usize> =
                        stage.flavors.iter().copied().filter(|at| check.places.contains(at)).collect();
                    let names: Vec<String> = flavors.pick(&of).map(|flavor| flavor.name.clone()).collect();
                    (!names.is_empty()).then(|| (check.check.name.clone(), names))
                })
                .collect();
            self.stage(way, stage.step.as_ref(), &groups, &checks, cluster, names, diagnostics);
        }
    }

    /// The ClusterQueues and LocalQueues of one stage.
    #[expect(clippy::too_many_arguments, reason = "the stage's parts, and where its objects go")]
    fn stage(
        &self,
        way: &Way<'a>,
        step: Option<&(Address, String)>,
        groups: &[ResourceGroup],
        checks: &[(String, Vec<String>)],
        cluster: &mut KueueCluster,
        names: &mut Names<'a>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let queue = way.queue;
        let target = &self.target.meta.address;
        let from = (&queue.meta.address, queue.meta.origin.header);
        let mut parts: Vec<&str> = vec![&queue.meta.name];
        parts.extend(step.map(|(_, name)| name.as_str()));
        let local = names::compose(&parts, LIMIT);
        for tenant in way.tenants(self.fleet) {
            let own: Vec<&str> = parts.iter().copied().chain([tenant.meta.name.as_str()]).collect();
            let name = names::compose(&own, LIMIT);
            names.take(target, "ClusterQueue", &name, from, diagnostics);
            for namespace in tenant.namespaces.iter().filter(|namespace| *namespace != "*") {
                // Kueue gives jobs without a queue's name to the LocalQueue `default` of their namespace.
                let default = (queue.default && step.is_none() && local != "default").then_some("default");
                for local in [local.as_str()].into_iter().chain(default) {
                    names.take(target, "LocalQueue", &format!("{namespace}/{local}"), from, diagnostics);
                    cluster.local_queues.push(LocalQueue {
                        name: local.to_owned(),
                        namespace: namespace.clone(),
                        cluster_queue: name.clone(),
                        queue: queue.meta.address.clone(),
                        tenant: tenant.meta.address.clone(),
                    });
                }
            }
            cluster.cluster_queues.push(ClusterQueue {
                name,
                queue: queue.meta.address.clone(),
                tenant: tenant.meta.address.clone(),
                step: step.map(|(address, _)| address.clone()),
                class: queue.class.clone(),
                cohort: self.cohort_name(tenant),
                namespaces: tenant.namespaces.clone(),
                groups: groups.to_vec(),
                checks: checks.to_vec(),
            });
        }
    }

    /// Kueue never falls back from a flavor with a topology to one without, or the other way round.
    fn check_topology(&self, way: &Way<'a>, stage: &Stage, diagnostics: &mut Vec<Diagnostic>) {
        let flavors = self.parts.flavors;
        let with = flavors.pick(&stage.flavors).find(|flavor| flavor.topology.is_some());
        let without = flavors.pick(&stage.flavors).find(|flavor| flavor.topology.is_none());
        let (Some(with), Some(without)) = (with, without) else { return };
        let header = |pool: &Address| {
            self.fleet.pools.get(pool).map(|pool| pool.meta.origin.header).unwrap_or_default()
        };
        let step = stage.steps.first().and_then(|at| way.ladder.get(*at));
        let span = step.map_or(way.queue.meta.origin.header, |step| way.step_span(step, "pools"));
        diagnostics.push(
            Diagnostic::error(
                codes::TOPOLOGY_MIXED,
                format!("`{}` mixes flavors with and without topology", way.queue.meta.address),
            )
            .at(span, format!("\"{}\" has levels, \"{}\" has none", with.name, without.name))
            .also(header(&with.pool), "has a fabric with levels")
            .also(header(&without.pool), "has none")
            .with_note("Kueue would never fall back from one to the other")
            .with_help("put them into two steps, or give both pools a fabric with levels"),
        );
    }

    fn take_names(
        &self,
        cluster: &KueueCluster,
        dispatches: &BTreeMap<&'a Address, Dispatch<'a>>,
        provisioning: &[Check],
        names: &mut Names<'a>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let target = &self.target.meta.address;
        let mut take = |kind: &'static str, name: &str, from: Option<&'a poolwright_model::Meta>| {
            if let Some(meta) = from {
                names.take(target, kind, name, (&meta.address, meta.origin.header), diagnostics);
            }
        };
        let pool = |address: &Address| self.fleet.pools.get(address).map(|pool| &pool.meta);
        let flavors = self.parts.flavors;
        let mut here: Vec<&Flavor> = flavors.pick(flavors.of_cluster(target)).collect();
        here.sort_by(|a, b| a.name.cmp(&b.name));
        for flavor in here {
            let lot = flavor.lots.first().and_then(|lot| self.fleet.lot(lot)).map(|(_, lot)| &lot.meta);
            let own = lot.filter(|_| flavor.name.contains("--"));
            take("ResourceFlavor", &flavor.name, own.or_else(|| pool(&flavor.pool)));
        }
        for dispatch in dispatches.values() {
            take("ResourceFlavor", &dispatch.flavor.name, Some(&dispatch.route.meta));
            take("AdmissionCheck", &dispatch.check.name, Some(&dispatch.route.meta));
        }
        for check in provisioning {
            take("AdmissionCheck", &check.check.name, pool(&check.pool));
        }
        for (name, worker) in &cluster.workers {
            take("MultiKueueCluster", name, self.fleet.targets.get(worker).map(|target| &target.meta));
        }
        for topology in &cluster.topologies {
            if let Some(fabric) = self.fleet.fabrics.get(topology) {
                take("Topology", &fabric.meta.name, Some(&fabric.meta));
            }
        }
        for cohort in &cluster.cohorts {
            let tenant = cohort.tenant.as_ref().and_then(|tenant| self.fleet.tenants.get(tenant));
            take("Cohort", &cohort.name, Some(tenant.map_or(&self.target.meta, |tenant| &tenant.meta)));
        }
        for class in cluster.classes.iter().filter_map(|class| self.fleet.classes.get(class)) {
            take("WorkloadPriorityClass", &class.meta.name, Some(&class.meta));
        }
        for (namespace, tenant) in &cluster.namespaces {
            take("Namespace", namespace, self.fleet.tenants.get(tenant).map(|tenant| &tenant.meta));
        }
    }

    /// More flavors in one resource group than Kueue takes.
    fn check_groups(&self, cluster: &KueueCluster, diagnostics: &mut Vec<Diagnostic>) {
        let address = &self.target.meta.address;
        let count =
            |groups: &[ResourceGroup]| groups.iter().map(|group| group.flavors.len()).max().unwrap_or(0);
        let mut say = |what: String, flavors: usize| {
            diagnostics.push(
                Diagnostic::error(
                    codes::TOO_MANY_FLAVORS,
                    format!("{what} on {address} has {flavors} flavors in one resource group, Kueue takes {MOST_FLAVORS}"),
                )
                .at(self.target.meta.origin.header, "too many flavors here")
                .with_help("let lots share a flavor, or spread the pools over several clusters"),
            );
        };
        for cohort in &cluster.cohorts {
            if count(&cohort.groups) > MOST_FLAVORS {
                say(format!("Cohort \"{}\"", cohort.name), count(&cohort.groups));
            }
        }
        for queue in &cluster.cluster_queues {
            if count(&queue.groups) > MOST_FLAVORS {
                say(format!("ClusterQueue \"{}\"", queue.name), count(&queue.groups));
            }
        }
    }
}

fn workers(fleet: &Fleet, dispatches: &BTreeMap<&Address, Dispatch<'_>>) -> Vec<(String, Address)> {
    let workers: BTreeSet<&Address> =
        dispatches.values().flat_map(|dispatch| dispatch.workers.iter()).collect();
    let mut workers: Vec<(String, Address)> =
        workers.into_iter().map(|worker| (multikueue::worker_name(fleet, worker), worker.clone())).collect();
    workers.sort();
    workers
}

fn sorted<T>(mut list: Vec<T>, name: impl Fn(&T) -> &String) -> Vec<T> {
    list.sort_by(|a, b| name(a).cmp(name(b)));
    list
}
