//! What lives in slurmdbd: Qos of classes, Account of tenants.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::Number;
use poolwright_expression::quantity::{Money, PerTime};
use poolwright_model::Address;
use poolwright_model::fleet::{Billing, Class, Tenant};
use poolwright_model::layout::SlurmAccount;
use serde_json::{Map, Value};

use super::nodes::Nodes;
use super::numbers;
use super::partitions::{grace_of, preempt_mode, run_time_of};
use super::prices::Weights;
use super::{Lowering, Object};
use crate::codes;

impl<'a> Lowering<'a> {
    /// One Qos per class reached.
    pub(super) fn qos(&mut self) {
        let cluster = self.cluster;
        if !self.slurm.accounting {
            return;
        }
        let mut names: BTreeMap<&str, &Address> = BTreeMap::new();
        for qos in &cluster.qos {
            let Some(class) = self.fleet().classes.get(&qos.class) else {
                self.dangling(&format!("QoS `{}`", qos.name), &qos.class, None);
                continue;
            };
            if !self.small_name_fits("class", &qos.name, class.meta.origin.of("name")) {
                continue;
            }
            if let Some(first) = names.insert(&qos.name, &qos.class) {
                self.clash("QoS", &qos.name, &class.meta, first);
            }
            let origin = &class.meta.origin;
            let mut object = self.object("Qos", &qos.name, &class.meta);
            object.set("Priority", class.priority, origin.of("priority"));
            for victim in &qos.preempts {
                if self.cluster.qos.iter().any(|known| known.name == *victim) {
                    object.after(self.address_of("Qos", victim));
                } else {
                    self.dangling(
                        &format!("QoS `{}`", qos.name),
                        &Address::new(victim.as_str()),
                        Some(&class.meta),
                    );
                }
            }
            object.set("Preempt", qos.preempts.clone(), origin.of("preempts"));
            object.set("PreemptMode", preempt_mode(class), origin.of("when_preempted.action"));
            let when = &class.when_preempted;
            let span = origin.of("when_preempted.grace");
            if let Some(grace) = self.grace(&grace_of(class), &when.grace, span) {
                object.set("GraceTime", grace, span);
            }
            if !when.exempt.0.is_zero() {
                let span = origin.of("when_preempted.exempt");
                let what = format!("the exempt time of class `{}`", class.meta.name);
                if let Some(exempt) = self.clock(&what, &when.exempt, span) {
                    object.set("PreemptExemptTime", exempt, span);
                }
            }
            self.limits(&mut object, class);
            self.push(object);
        }
    }

    /// One Account per account of a tenant; gives whether a budget is held by one of them.
    pub(super) fn accounts(&mut self, nodes: &[Nodes<'a>], weights: &Weights) -> bool {
        let cluster = self.cluster;
        let mut budgets = false;
        if !self.slurm.accounting {
            return budgets;
        }
        let mut names: BTreeMap<&str, &Address> = BTreeMap::new();
        for account in &cluster.accounts {
            let Some(tenant) = self.fleet().tenants.get(&account.tenant) else {
                self.dangling(&format!("account `{}`", account.name), &account.tenant, None);
                continue;
            };
            if !self.small_name_fits("account", &account.name, tenant.meta.origin.of("accounts")) {
                continue;
            }
            if let Some(first) = names.insert(&account.name, &account.tenant) {
                self.clash("accounts", &account.name, &tenant.meta, first);
            }
            self.check_caps(account, tenant, nodes);
            budgets |= self.account(account, tenant, weights);
        }
        budgets
    }

    /// A limit on GPUs that no host has: sacctmgr refuses the whole line.
    fn check_caps(&mut self, account: &SlurmAccount, tenant: &Tenant, nodes: &[Nodes<'a>]) {
        let types: BTreeSet<&str> =
            nodes.iter().flat_map(|nodes| &nodes.devices).map(|device| device.gres_type).collect();
        for tres in account.caps.keys() {
            let Some(of_gpu) = tres.strip_prefix("gres/gpu") else { continue };
            let known =
                of_gpu.strip_prefix(':').map_or(!types.is_empty(), |gres_type| types.contains(gres_type));
            if !known {
                self.report(
                    Diagnostic::error(
                        codes::DANGLING,
                        format!("account `{}` has a limit on `{tres}`, which no host of the cluster has", account.name),
                    )
                    .at(tenant.meta.origin.of("quotas"), "from these quotas")
                    .with_note("slurmdbd knows only what the cluster counts, and refuses all of the account's limits")
                    .with_help("take the quota out, or give the cluster a pool with such GPUs"),
                );
            }
        }
    }

    fn account(&mut self, account: &'a SlurmAccount, tenant: &'a Tenant, weights: &Weights) -> bool {
        let origin = &tenant.meta.origin;
        let mut object = self.object("Account", &account.name, &tenant.meta);
        object.set("Description", tenant.meta.address.as_str(), origin.header);
        object.set("Organization", self.fleet().meta.name.as_str(), self.fleet().meta.origin.header);
        let name = &tenant.meta.name;
        let (what, span) = (format!("the Fairshare of tenant `{name}`"), origin.of("weight"));
        if let Some(shares) = self.at_most(&what, &account.fairshare.into(), numbers::SHARES, span) {
            object.set("Fairshare", shares, span);
        }
        let mut caps = Map::new();
        for (tres, cap) in &account.caps {
            let span = origin.of(if tres == "gres/gpu" { "max_gpus" } else { "quotas" });
            let what = format!("the limit of tenant `{name}` on `{tres}`");
            if let Some(cap) = self.at_most(&what, &(*cap).into(), numbers::TRES, span) {
                caps.insert(tres.clone(), cap.into());
            }
        }
        if !caps.is_empty() {
            object.set("GrpTRES", caps, origin.of("quotas"));
        }
        let mut budgeted = false;
        if let Some(budget) = &tenant.budget
            && let Some(minutes) = self.budget(account, tenant, budget, weights)
        {
            object.set("GrpTRESMins", serde_json::json!({ "billing": minutes }), origin.of("budget"));
            budgeted = true;
        }
        let mut allowed = BTreeSet::new();
        for queue in self.cluster.partitions.iter().filter_map(|known| self.fleet().queues.get(&known.queue))
        {
            if queue.tenants.contains(&account.tenant) {
                let classes = std::iter::once(&queue.class).chain(&queue.allow);
                allowed.extend(classes.filter_map(|class| self.qos_of(class)));
            }
        }
        // slurmdbd learns the types of GPUs, which limits name, from a controller that counts them.
        object.after(self.address_of("Config", "globals"));
        for qos in &allowed {
            object.after(self.address_of("Qos", qos));
        }
        object.set("QOS", allowed.iter().map(|qos| Value::from(*qos)).collect::<Vec<_>>(), origin.header);
        self.push(object);
        budgeted
    }

    /// A monthly budget in billing units × minutes: cents per hour × minutes of an hour.
    fn budget(
        &mut self,
        account: &SlurmAccount,
        tenant: &'a Tenant,
        budget: &Money,
        weights: &Weights,
    ) -> Option<u64> {
        if self.slurm.billing == Billing::None {
            return None;
        }
        let same = self.cluster.accounts.iter().filter(|other| other.tenant == account.tenant).count();
        let unpriced =
            self.cluster.partitions.iter().find(|partition| !weights.contains_key(&partition.name));
        let why = if same > 1 {
            Some(format!("it has {same} accounts, and each would have the whole budget"))
        } else if let Some(partition) = unpriced {
            Some(format!("partition `{}` has no billing weight", partition.name))
        } else if budget.currency != self.fleet().currency {
            Some(format!("it is in {}, prices are in {}", budget.currency, self.fleet().currency))
        } else {
            None
        };
        let minutes = budget
            .to_time(PerTime::Month)
            .and_then(|budget| budget.amount.checked_mul(&Number::from(6_000_u64)).ok()?.floor().to_u64());
        let why = match (why, minutes) {
            (None, Some(minutes)) if numbers::TRES.holds(minutes) => return Some(minutes),
            (Some(why), _) => why,
            (None, _) if budget.to_time(PerTime::Month).is_some() => {
                "in cents × minutes it is more than Slurm keeps in 64 bits".to_owned()
            }
            (None, _) => "it is not money per time".to_owned(),
        };
        self.report(
            Diagnostic::warning(
                codes::BUDGET,
                format!("Slurm does not hold the budget of tenant `{}`", tenant.meta.name),
            )
            .at(tenant.meta.origin.of("budget"), why)
            .with_note("policies still judge it")
            .with_help("give the tenant one account and its pools a price, or leave it to policies"),
        );
        None
    }

    /// What one job of a class may have; a job outside is refused when it is submitted, not left waiting.
    fn limits(&mut self, object: &mut Object, class: &Class) {
        let origin = &class.meta.origin;
        let limits = &class.limits;
        if let Some(run_time) = &limits.run_time {
            let span = origin.of("limits.run_time");
            if let Some(limit) = self.minutes(&run_time_of(class), run_time, span) {
                object.set("MaxWall", limit, span);
            }
        }
        let (mut most, mut least) = (Map::new(), Map::new());
        for (tres, path, range) in
            [("gres/gpu", "limits.gpus", &limits.gpus), ("node", "limits.nodes", &limits.nodes)]
        {
            let Some(range) = range else { continue };
            let (what, span) = (format!("`{path}` of class `{}`", class.meta.name), origin.of(path));
            let max = range.max.and_then(|max| self.at_most(&what, &max.into(), numbers::TRES, span));
            if let Some(max) = max {
                most.insert(tres.to_owned(), max.into());
            }
            let min = self.at_most(&what, &range.min.into(), numbers::TRES, span);
            if let Some(min) = min.filter(|min| *min > 0) {
                least.insert(tres.to_owned(), min.into());
            }
        }
        let limited = limits.run_time.is_some() || !most.is_empty() || !least.is_empty();
        if !most.is_empty() {
            object.set("MaxTRESPerJob", most, origin.of("limits"));
        }
        if !least.is_empty() {
            object.set("MinTRESPerJob", least, origin.of("limits"));
        }
        if limited {
            object.set("Flags", vec!["DenyOnLimit"], origin.of("limits"));
        }
    }
}
