//! Cohort, ClusterQueue and LocalQueue.

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::Number;
use poolwright_model::Address;
use poolwright_model::fleet::{Class, Discipline, Hold, Preempts, Queue, Tenant};
use poolwright_model::layout::{Amount, AmountUnit, ClusterQueue, Cohort, ResourceGroup};
use poolwright_model::resource::object;
use serde_json::{Map, Value, json};

use super::{Draft, Lowering};
use crate::codes;
use crate::facts::minor;
use crate::normalise::format_of;
use crate::quantity::{Format, Quantity};

/// From here on a queue with both kinds of checks is never active (Kueue 0.16, `MultiKueueWithProvisioningRequest`).
const NO_MIXED_CHECKS: (u64, u64) = (0, 16);

impl<'a> Lowering<'a> {
    pub(super) fn cohorts(&mut self) {
        for cohort in &self.cluster.cohorts {
            let tenant = match &cohort.tenant {
                Some(address) => match self.block(self.fleet.tenants.get(address), address) {
                    Some(tenant) => Some(tenant),
                    None => continue,
                },
                None => None,
            };
            let meta = tenant.map_or(self.target_meta(), |tenant| &tenant.meta);
            self.check_groups(&cohort.groups, &format!("Cohort {}", cohort.name), meta.origin.header);
            let mut spec = Map::new();
            let mut draft = Draft::new("Cohort", &cohort.name, meta);
            if let Some(parent) = &cohort.parent {
                spec.insert("parentName".into(), json!(parent));
                draft = draft.after(self.address("Cohort", None, parent));
            } else {
                draft = draft
                    .remark("root of the cluster's quota")
                    .from("/metadata/name", meta.origin.of("kueue.cohort"));
            }
            if let Some(weight) = &cohort.weight {
                let span = meta.origin.of("weight");
                spec.insert(
                    "fairSharing".into(),
                    json!({ "weight": self.weight(weight, &cohort.name, span) }),
                );
                draft = draft.from("/spec/fairSharing/weight", span);
            }
            if !cohort.groups.is_empty() {
                spec.insert("resourceGroups".into(), groups(&cohort.groups));
            }
            draft = self.after_flavors(draft, &cohort.groups).origins(self.quota_origins(cohort, tenant));
            self.push(draft.spec(Value::Object(spec)));
        }
    }

    /// Where each number of a Cohort comes from: a tenant's quotas, or for the root the nodes that there are.
    fn quota_origins(&self, cohort: &Cohort, tenant: Option<&Tenant>) -> Vec<(String, Span)> {
        let mut all = Vec::new();
        for (g, group) in cohort.groups.iter().enumerate() {
            for (f, flavor) in group.flavors.iter().enumerate() {
                let place = format!("/spec/resourceGroups/{g}/flavors/{f}");
                let Some(tenant) = tenant else {
                    all.extend(self.capacity_origin(&flavor.flavor).map(|span| (place, span)));
                    continue;
                };
                let origin = &tenant.meta.origin;
                let Some(quota) = self.quota_of(&flavor.flavor, tenant) else { continue };
                all.push((place.clone(), origin.of(&quota)));
                for (r, resource) in flavor.quotas.iter().enumerate() {
                    let guarantee = match resource.resource.as_str() {
                        "cpu" if origin.wrote(&format!("{quota}.cpus")) => "cpus",
                        "memory" if origin.wrote(&format!("{quota}.memory")) => "memory",
                        _ => "gpus",
                    };
                    for (field, part) in
                        [("nominalQuota", guarantee), ("borrowingLimit", "borrow"), ("lendingLimit", "lend")]
                    {
                        let at = format!("{place}/resources/{r}/{field}");
                        all.push((at, origin.of(&format!("{quota}.{part}"))));
                    }
                }
            }
        }
        all
    }

    /// The path of the quota that gives a tenant its part of a flavor; of all of them for a dispatch flavor.
    fn quota_of(&self, flavor: &str, tenant: &Tenant) -> Option<String> {
        let Some(flavor) = self.cluster.flavors.iter().find(|known| known.name == flavor) else {
            return Some("quotas".into());
        };
        let at = tenant.quotas.iter().position(|quota| flavor.lots.contains(&quota.pool));
        let at = at.or_else(|| tenant.quotas.iter().position(|quota| quota.pool == flavor.pool))?;
        Some(format!("quotas[{at}]"))
    }

    fn capacity_origin(&self, flavor: &str) -> Option<Span> {
        if let Some(dispatch) = self.cluster.dispatch_flavors.iter().find(|known| known.name == flavor) {
            return self.fleet.routes.get(&dispatch.route).map(|route| route.meta.origin.header);
        }
        let flavor = self.cluster.flavors.iter().find(|known| known.name == flavor)?;
        let (_, lot) = flavor.lots.first().and_then(|lot| self.fleet.lot(lot))?;
        let origin = &lot.meta.origin;
        Some(origin.of(if origin.wrote("hosts") { "hosts" } else { "nodes" }))
    }

    pub(super) fn cluster_queues(&mut self) {
        for cluster_queue in &self.cluster.cluster_queues {
            let Some(queue) = self.block(self.fleet.queues.get(&cluster_queue.queue), &cluster_queue.queue)
            else {
                continue;
            };
            let Some(class) = self.block(self.fleet.classes.get(&cluster_queue.class), &cluster_queue.class)
            else {
                continue;
            };
            let Some(tenant) =
                self.block(self.fleet.tenants.get(&cluster_queue.tenant), &cluster_queue.tenant)
            else {
                continue;
            };
            self.cluster_queue(cluster_queue, queue, class, tenant);
        }
    }

    fn cluster_queue(
        &mut self,
        it: &'a ClusterQueue,
        queue: &'a Queue,
        class: &'a Class,
        tenant: &'a Tenant,
    ) {
        let origin = &queue.meta.origin;
        let of = format!("ClusterQueue {}", it.name);
        self.check_groups(&it.groups, &of, origin.header);
        self.check_checks(it, queue);
        if it.namespaces.is_empty() {
            let message = format!(
                "tenant \"{}\" has no namespace to submit to queue \"{}\" from",
                tenant.meta.name, queue.meta.name
            );
            let diagnostic = Diagnostic::error(codes::NO_NAMESPACE, message)
                .at(tenant.meta.origin.of("namespaces"), "no `namespaces`")
                .also(origin.of("tenants"), "may submit here")
                .with_help("name the tenant's namespaces, or [\"*\"] for everybody: namespaces = [\"nlp\"]");
            self.say(diagnostic);
        }
        let strategy = match queue.discipline {
            Discipline::BestEffort => "BestEffortFIFO",
            Discipline::Strict => "StrictFIFO",
        };
        let stop = match queue.hold {
            Hold::None => "None",
            Hold::Hold => "Hold",
            Hold::Drain => "HoldAndDrain",
        };
        let fungibility = json!({ "whenCanBorrow": "MayStopSearch", "whenCanPreempt": "TryNextFlavor" });
        let mut spec = object([
            ("cohortName", json!(it.cohort)),
            ("flavorFungibility", fungibility),
            ("namespaceSelector", selector(&it.namespaces)),
            ("preemption", preemption(class.preempts)),
            ("queueingStrategy", json!(strategy)),
            ("resourceGroups", groups(&it.groups)),
            ("stopPolicy", json!(stop)),
        ]);
        let mut draft = Draft::new("ClusterQueue", &it.name, &queue.meta)
            .after(self.address("Cohort", None, &it.cohort))
            .from("/spec/cohortName", origin.of("tenants"))
            .from("/spec/namespaceSelector", tenant.meta.origin.of("namespaces"))
            .from("/spec/preemption", class.meta.origin.of("preempts"))
            .from("/spec/queueingStrategy", origin.of("discipline"))
            .from("/spec/resourceGroups", origin.of(if queue.route.is_some() { "route" } else { "pools" }))
            .from("/spec/stopPolicy", origin.of("hold"))
            .origins(self.step_origins(it, queue));
        if !it.checks.is_empty() {
            let mut checks = Vec::new();
            for (name, flavors) in &it.checks {
                let mut flavors = flavors.clone();
                flavors.sort();
                checks.push(if flavors.is_empty() {
                    json!({ "name": name })
                } else {
                    json!({ "name": name, "onFlavors": flavors })
                });
                draft = draft.after(self.address("AdmissionCheck", None, name));
            }
            if let Some(map) = spec.as_object_mut() {
                map.insert("admissionChecksStrategy".into(), json!({ "admissionChecks": checks }));
            }
            let multikueue = it
                .checks
                .iter()
                .any(|(name, _)| self.cluster.multikueue.iter().any(|check| check.name == *name));
            let autoscaler = self.target.meta.origin.of("cluster_autoscaler.provisioning_requests");
            draft = draft.from(
                "/spec/admissionChecksStrategy",
                if multikueue { origin.of("entry") } else { autoscaler },
            );
        }
        draft = self.after_flavors(draft, &it.groups);
        self.push(draft.spec(spec));
    }

    /// The step that brings each flavor into a queue with a route.
    fn step_origins(&self, it: &ClusterQueue, queue: &Queue) -> Vec<(String, Span)> {
        let Some(route) = queue.route.as_ref().and_then(|route| self.fleet.routes.get(route)) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        for (g, group) in it.groups.iter().enumerate() {
            for (f, quota) in group.flavors.iter().enumerate() {
                let Some(flavor) = self.cluster.flavors.iter().find(|flavor| flavor.name == quota.flavor)
                else {
                    continue;
                };
                let named = |address: &Address| *address == flavor.pool || flavor.lots.contains(address);
                if let Some(step) = route.steps.iter().find(|step| step.pools.iter().any(named)) {
                    all.push((format!("/spec/resourceGroups/{g}/flavors/{f}"), step.meta.origin.of("pools")));
                }
            }
        }
        all
    }

    fn check_checks(&mut self, it: &'a ClusterQueue, queue: &'a Queue) {
        let of = format!("ClusterQueue {}", it.name);
        let span = queue.meta.origin.header;
        self.at_most("admission_checks", it.checks.len(), "admission checks", &of, span);
        for (_, flavors) in &it.checks {
            self.at_most("check_flavors", flavors.len(), "flavors with one admission check", &of, span);
        }
        let named = |name: &String| it.checks.iter().any(|(check, _)| check == name);
        let away = self.cluster.multikueue.iter().any(|check| named(&check.name));
        let here = self.cluster.provisioning.iter().any(|check| named(&check.name));
        if away && here && minor(&self.kueue.version) >= NO_MIXED_CHECKS {
            let message = format!(
                "queue \"{}\" would hand jobs to other clusters and make nodes on {}",
                queue.meta.name, self.short
            );
            let diagnostic = Diagnostic::error(codes::CHECKS_TOGETHER, message)
                .at(queue.meta.origin.of("entry"), "jobs enter here and run elsewhere")
                .also(self.kueue_span(), "Kueue never activates a queue with both checks from 0.16 on")
                .with_help("make nodes on the workers: keep the entry cluster's own pools out of the route");
            self.say(diagnostic);
        }
    }

    pub(super) fn local_queues(&mut self) {
        for local in &self.cluster.local_queues {
            let Some(queue) = self.block(self.fleet.queues.get(&local.queue), &local.queue) else { continue };
            let draft = Draft::new("LocalQueue", &local.name, &queue.meta)
                .namespace(&local.namespace)
                .spec(json!({ "clusterQueue": local.cluster_queue, "stopPolicy": "None" }))
                .after(self.address("ClusterQueue", None, &local.cluster_queue))
                .after(self.address("Namespace", None, &local.namespace))
                .from("/spec/clusterQueue", queue.meta.origin.of("tenants"));
            self.push(draft);
        }
    }

    fn after_flavors(&self, draft: Draft<'a>, groups: &[ResourceGroup]) -> Draft<'a> {
        groups
            .iter()
            .flat_map(|group| &group.flavors)
            .fold(draft, |draft, flavor| draft.after(self.address("ResourceFlavor", None, &flavor.flavor)))
    }

    fn check_groups(&mut self, groups: &[ResourceGroup], of: &str, span: Span) {
        self.at_most("resource_groups", groups.len(), "groups of resources", of, span);
        let flavors = groups.iter().map(|group| group.flavors.len()).sum();
        self.at_most("total_flavors", flavors, "flavors in all", of, span);
        for (flavor, quota) in
            groups.iter().flat_map(|group| &group.flavors).flat_map(|f| f.quotas.iter().map(move |q| (f, q)))
        {
            // Kueue counts in 64 bits with a sign; an API server would store something less without a word.
            let amounts = [Some(&quota.nominal), quota.borrowing.as_ref(), quota.lending.as_ref()];
            let most = |unit: AmountUnit| match unit {
                AmountUnit::Count | AmountUnit::MilliCpu => u64::MAX >> 1,
                AmountUnit::Mebibyte => (u64::MAX >> 1) >> 20,
            };
            if let Some(amount) =
                amounts.into_iter().flatten().find(|amount| amount.value > most(amount.unit))
            {
                let message = format!(
                    "more {0} of `{1}` than Kubernetes can count: {of} has {2}{3}",
                    quota.resource,
                    flavor.flavor,
                    amount.value,
                    match amount.unit {
                        AmountUnit::Count => "",
                        AmountUnit::MilliCpu => "m",
                        AmountUnit::Mebibyte => "Mi",
                    }
                );
                self.say(
                    Diagnostic::error(codes::TOO_LARGE, message)
                        .at(span, "quotas are 64-bit numbers with a sign")
                        .with_help("write the sizes of nodes and quotas that are really there"),
                );
            }
        }
        for group in groups {
            let (flavors, resources) = (group.flavors.len(), group.resources.len());
            self.at_most("flavors", flavors, "flavors in one group", of, span);
            self.at_most("covered_resources", resources, "resources in one group", of, span);
            self.at_most("pairs", flavors * resources, "quotas in one group", of, span);
        }
    }

    /// A weight as text; nothing finer than 10⁻⁹ can be said, and a third would silently become another number.
    fn weight(&mut self, weight: &Number, cohort: &str, span: Span) -> String {
        let quantity = Quantity::new(weight, Format::Decimal);
        if quantity.value() != weight || weight.is_negative() {
            let message = format!("the weight {weight} of Cohort {cohort} is none that Kubernetes can hold");
            let diagnostic = Diagnostic::error(codes::FINE_WEIGHT, message)
                .at(span, "a quantity has at most 9 decimals and is not negative here")
                .with_note(format!("it would be rounded to {quantity}"))
                .with_help("only the ratio of weights counts: multiply them all by the same number");
            self.say(diagnostic);
        }
        quantity.to_string()
    }
}

/// Resources of a flavor in the group's order: Kueue compares position by position.
fn groups(groups: &[ResourceGroup]) -> Value {
    let group = |group: &ResourceGroup| {
        let flavors: Vec<Value> = group
            .flavors
            .iter()
            .map(|flavor| {
                let resources: Vec<Value> = flavor
                    .quotas
                    .iter()
                    .map(|quota| {
                        let mut map = Map::new();
                        map.insert("name".into(), json!(quota.resource));
                        let limits = [
                            ("nominalQuota", Some(quota.nominal)),
                            ("borrowingLimit", quota.borrowing),
                            ("lendingLimit", quota.lending),
                        ];
                        for (field, amount) in limits {
                            if let Some(amount) = amount {
                                map.insert(field.into(), Value::String(amount_text(amount, &quota.resource)));
                            }
                        }
                        Value::Object(map)
                    })
                    .collect();
                object([("name", json!(flavor.flavor)), ("resources", Value::Array(resources))])
            })
            .collect();
        object([("coveredResources", json!(group.resources)), ("flavors", Value::Array(flavors))])
    };
    groups.iter().map(group).collect()
}

/// An amount as the API server stores it.
fn amount_text(amount: Amount, resource: &str) -> String {
    if amount.value == 0 {
        return "0".to_owned();
    }
    let value = Number::from(amount.value);
    let scaled = match amount.unit {
        AmountUnit::Count => Ok(value.clone()),
        AmountUnit::MilliCpu => value.checked_div(&Number::from(1000_u32)),
        AmountUnit::Mebibyte => value.checked_mul(&Number::from(1_u32 << 20)),
    };
    // Neither a division by 1000 nor a product of two machine words can fail.
    Quantity::new(&scaled.unwrap_or(value), format_of(resource)).to_string()
}

/// LANGUAGE §4.5.
fn preemption(preempts: Preempts) -> Value {
    let (within, borrow) = match preempts {
        Preempts::Nobody => ("Never", "Never"),
        Preempts::Lower => ("LowerPriority", "LowerPriority"),
        Preempts::LowerOrNewer => ("LowerOrNewerEqualPriority", "LowerPriority"),
    };
    json!({ "borrowWithinCohort": { "policy": borrow }, "reclaimWithinCohort": "Any", "withinClusterQueue": within })
}

/// Absent it would match nothing, empty it matches everything.
fn selector(namespaces: &[String]) -> Value {
    const NAME: &str = "kubernetes.io/metadata.name";
    if namespaces.iter().any(|namespace| namespace == "*") {
        return json!({});
    }
    if let [one] = namespaces {
        return json!({ "matchLabels": { NAME: one } });
    }
    let mut values = namespaces.to_vec();
    values.sort();
    values.dedup();
    json!({ "matchExpressions": [{ "key": NAME, "operator": "In", "values": values }] })
}
