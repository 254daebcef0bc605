//! Each kind of block with its declared and computed attributes.

use poolwright_expression::quantity::{Bandwidth, CountUnit, Duration, Percent};
use poolwright_expression::{Number, Type, Value};

use super::View;
use super::parts::{
    bounds, common, cost, known, number, quantity, reference, references, text, text_map, text_set, texts,
};
use crate::Address;
use crate::fleet::{
    Accelerator, Borrow, Class, Fabric, GpuAmount, Lot, Partition, Placement, Pool, Queue, Quota, Route,
    Step, Target, Tenant, Tier,
};
use crate::money::{Cost, LotPrice};

impl View<'_> {
    pub(super) fn pool(&self, pool: &Pool) -> Value {
        let mut all = common(&pool.meta);
        let first = pool.lots.first();
        let price = first.and_then(|lot| self.prices.lots.get(&lot.meta.address));
        let sum = |of: fn(&Lot) -> u64| pool.lots.iter().map(of).fold(0, u64::saturating_add);
        let queues = self.queues_of_pool.get(&pool.meta.address).map(Vec::as_slice).unwrap_or_default();
        all.extend(self.place(pool));
        all.extend(self.price(price));
        all.extend([
            ("accelerator", pool.accelerator.as_ref().map_or(Value::Null, reference)),
            ("cost_tier", text(pool.cost_tier.map(crate::fleet::CostTier::as_str))),
            ("cluster", reference(&pool.cluster)),
            ("provision", pool.provision.as_ref().map_or(Value::Null, reference)),
            ("fabric", pool.fabric.as_ref().map_or(Value::Null, reference)),
            ("node_labels", text_map(&pool.node_labels)),
            ("select", pool.select.as_ref().map_or(Value::Null, text_map)),
            ("taints", Value::list(pool.taints.iter().map(|taint| Value::quantity(taint.clone())))),
            ("opt_in", Value::Bool(pool.opt_in)),
            ("gpus", bounds(CountUnit::Gpus, sum(least_gpus), sum(Lot::most_gpus))),
            (
                "nodes",
                if pool.lots.iter().any(|lot| lot.max.is_some()) {
                    Value::Null
                } else {
                    bounds(CountUnit::Nodes, sum(|lot| lot.nodes.min), sum(Lot::most))
                },
            ),
            ("gpus_per_node", number(first.map_or(0, |lot| u64::from(lot.node.gpus)))),
            ("zones", text_set(pool.lots.iter().flat_map(|lot| lot.zones.clone()))),
            ("cost", self.cost_of(self.costs.pools.get(&pool.meta.address), pool.lots.iter())),
            (
                "throughput",
                Value::object(pool.throughput.iter().map(|(k, v)| (k.as_str(), Value::Number(v.clone())))),
            ),
            ("driver", quantity(pool.driver.as_ref())),
            ("stores", texts(&pool.stores)),
            ("tokens", pool.tokens.as_ref().map_or(Value::Null, counts)),
            ("queues", references(queues)),
            ("tenants", self.tenants_of(queues)),
            ("elastic", Value::Bool(pool.lots.iter().any(Lot::elastic))),
            // Attributes of lots that a pool gives as a default: those of the first lot, when all agree.
            ("tier", agreed(pool, |lot| reference(&lot.tier))),
            ("max_price", agreed(pool, |lot| quantity(lot.max_price.as_ref()))),
            ("utilisation", agreed(pool, |lot| quantity(lot.utilisation.as_ref()))),
            ("idle_after", agreed(pool, |lot| quantity(lot.idle_after.as_ref()))),
            ("instance_types", agreed(pool, |lot| texts(&lot.instance_types))),
            ("hosts", agreed(pool, |lot| quantity(lot.hosts.as_ref()))),
            ("allocation", Value::Null),
            ("placement", Value::Null),
            ("provisioning", agreed(pool, |lot| Value::string(&lot.provisioning))),
            ("features", agreed(pool, |lot| texts(&lot.features))),
            ("node", agreed(pool, node)),
        ]);
        for name in OF_PURCHASE {
            all.push((name, agreed(pool, |lot| purchase(lot, name))));
        }
        Value::object(all)
    }

    pub(super) fn lot(&self, pool: &Pool, lot: &Lot) -> Value {
        let mut all = common(&lot.meta);
        let queues: Vec<Address> = self
            .queues_of_pool
            .get(&pool.meta.address)
            .into_iter()
            .flatten()
            .filter(|queue| self.reaches_lot(queue, lot))
            .cloned()
            .collect();
        all.extend(self.place(pool));
        all.extend(self.price(self.prices.lots.get(&lot.meta.address)));
        all.extend([
            ("pool", reference(&pool.meta.address)),
            ("tier", reference(&lot.tier)),
            ("hosts", quantity(lot.hosts.as_ref())),
            ("instance_types", texts(&lot.instance_types)),
            ("zones", texts(&lot.zones)),
            ("allocation", word(lot.allocation)),
            (
                "placement",
                match &lot.placement {
                    Placement::Cluster => Value::string("cluster"),
                    Placement::None => Value::string("none"),
                    Placement::Group(name) => Value::string(name),
                },
            ),
            ("max_price", quantity(lot.max_price.as_ref())),
            ("utilisation", quantity(lot.utilisation.as_ref())),
            ("idle_after", quantity(lot.idle_after.as_ref())),
            ("provisioning", Value::string(&lot.provisioning)),
            ("features", texts(&lot.features)),
            ("node", node(lot)),
            ("gpus", bounds(CountUnit::Gpus, least_gpus(lot), lot.most_gpus())),
            (
                "nodes",
                if lot.max.is_some() {
                    Value::Null
                } else {
                    bounds(CountUnit::Nodes, lot.nodes.min, lot.most())
                },
            ),
            ("gpus_per_node", number(u64::from(lot.node.gpus))),
            ("cost", self.cost_of(self.costs.lots.get(&lot.meta.address), [lot])),
            ("queues", references(&queues)),
            ("tenants", self.tenants_of(&queues)),
            ("elastic", Value::Bool(lot.elastic())),
        ]);
        all.extend(OF_PURCHASE.map(|name| (name, purchase(lot, name))));
        Value::object(all)
    }

    fn reaches_lot(&self, queue: &Address, lot: &Lot) -> bool {
        let ladder = self.fleet.queues.get(queue).map(|queue| self.fleet.ladder(queue)).unwrap_or_default();
        ladder.iter().any(|step| {
            self.fleet.lots_of(&step.pools).any(|(_, found)| found.meta.address == lot.meta.address)
        })
    }

    /// Vendor, provider, region and network of a pool's nodes.
    fn place(&self, pool: &Pool) -> Vec<(&'static str, Value)> {
        let accelerator = pool.accelerator.as_ref().and_then(|address| self.fleet.accelerators.get(address));
        let fabric = pool.fabric.as_ref().and_then(|address| self.fleet.fabrics.get(address));
        let rate = fabric.and_then(|fabric| {
            let rate = fabric.rate.as_ref()?;
            rate.0.checked_mul(&Number::from(u64::from(fabric.rails))).ok().map(Bandwidth)
        });
        vec![
            ("vendor", text(accelerator.map(|accelerator| accelerator.vendor.as_str()))),
            ("provider", Value::string(self.provider(pool))),
            ("region", text(self.region(pool))),
            ("rate_per_node", quantity(rate.as_ref())),
        ]
    }

    /// Whose machines they are; nobody provisions: on-premise.
    fn provider(&self, pool: &Pool) -> &str {
        let provision = pool.provision.as_ref().and_then(|address| self.fleet.targets.get(address));
        provision.map_or("on-premise", Target::provider)
    }

    fn region(&self, pool: &Pool) -> Option<&str> {
        let place = pool.provision.as_ref().unwrap_or(&pool.cluster);
        self.fleet.targets.get(place)?.region.as_deref()
    }

    /// Whether a price is older than its book lets it be: then policies do not know it. Without a day nobody knows.
    fn stale(&self, price: &LotPrice) -> bool {
        let (Some(most), Some(now)) = (&price.max_age, self.now) else { return false };
        let days = price.date.and_then(|date| now.days_since(date));
        days.is_none_or(|days| Number::from(days.saturating_mul(86_400)) > most.0)
    }

    /// A cost; unknown where a price of one of these lots is too old.
    fn cost_of<'l>(&self, found: Option<&Cost>, lots: impl IntoIterator<Item = &'l Lot>) -> Value {
        let stale =
            |lot: &Lot| self.prices.lots.get(&lot.meta.address).is_some_and(|price| self.stale(price));
        cost(if lots.into_iter().any(stale) { None } else { found })
    }

    fn price(&self, price: Option<&LotPrice>) -> Vec<(&'static str, Value)> {
        let fresh = price.filter(|price| !self.stale(price));
        let age = price.and_then(|price| price.date).zip(self.now).and_then(|(date, now)| {
            let days = now.days_since(date)?;
            Some(Duration(Number::from(days.saturating_mul(86_400))))
        });
        vec![
            ("price", known(fresh.and_then(|price| price.price.as_ref()))),
            ("on_demand_price", known(fresh.and_then(|price| price.on_demand.as_ref()))),
            ("effective_price", known(fresh.and_then(|price| price.effective.as_ref()))),
            ("price_age", age.map_or(Value::Unknown(Type::Duration), Value::quantity)),
        ]
    }

    fn tenants_of(&self, queues: &[Address]) -> Value {
        let mut tenants: Vec<&Address> = queues
            .iter()
            .filter_map(|queue| self.fleet.queues.get(queue))
            .flat_map(|queue| &queue.tenants)
            .collect();
        tenants.sort();
        tenants.dedup();
        references(tenants)
    }

    /// The pools of some steps, each once, in order.
    fn pools_of<'s>(&self, steps: impl IntoIterator<Item = &'s Step>) -> Vec<&Pool> {
        let mut pools: Vec<&Pool> = Vec::new();
        for pool in steps
            .into_iter()
            .flat_map(|step| &step.pools)
            .filter_map(|address| self.fleet.pools.get(&address.pool()))
        {
            if !pools.iter().any(|known| known.meta.address == pool.meta.address) {
                pools.push(pool);
            }
        }
        pools
    }

    fn vendors(&self, pools: &[&Pool]) -> Value {
        let vendor = |pool: &&Pool| {
            let accelerator =
                pool.accelerator.as_ref().and_then(|address| self.fleet.accelerators.get(address));
            accelerator.map(|accelerator| accelerator.vendor.clone())
        };
        text_set(pools.iter().filter_map(vendor))
    }

    fn regions(&self, pools: &[&Pool]) -> Value {
        text_set(pools.iter().filter_map(|pool| self.region(pool)).map(str::to_owned))
    }

    pub(super) fn queue(&self, queue: &Queue) -> Value {
        let ladder = self.fleet.ladder(queue);
        let pools = self.pools_of(&ladder);
        let lots: Vec<&Lot> = pools.iter().flat_map(|pool| &pool.lots).collect();
        let kinds = lots
            .iter()
            .filter_map(|lot| self.fleet.tiers.get(&lot.tier))
            .map(|tier| tier.kind.as_str().to_owned());
        let fidelity = self.layout.routes.iter().find(|route| Some(&route.route) == queue.route.as_ref());
        let mut all = common(&queue.meta);
        all.extend([
            ("class", reference(&queue.class)),
            ("allow", references(&queue.allow)),
            ("tenants", references(&queue.tenants)),
            ("pools", references(pools.iter().map(|pool| &pool.meta.address))),
            ("route", queue.route.as_ref().map_or(Value::Null, reference)),
            ("entry", queue.entry.as_ref().map_or(Value::Null, reference)),
            ("discipline", word(queue.discipline)),
            ("hold", word(queue.hold)),
            ("default", Value::Bool(queue.default)),
            ("hidden", Value::Bool(queue.hidden)),
            ("deny", references(&queue.deny)),
            ("tokens", references(&queue.tokens)),
            ("shared", Value::Bool(queue.shared)),
            ("quotas", Value::list(queue.quotas.iter().map(quota))),
            (
                "maintenance",
                queue.maintenance.as_ref().map_or(Value::Null, |twin| {
                    Value::object([
                        ("active", Value::Bool(twin.active)),
                        ("tenants", references(&twin.tenants)),
                    ])
                }),
            ),
            (
                "trial",
                queue.trial.as_ref().map_or(Value::Null, |trial| {
                    Value::object([
                        ("route", reference(&trial.route)),
                        ("share", Value::quantity(trial.share.clone())),
                    ])
                }),
            ),
            (
                "gpus",
                bounds(
                    CountUnit::Gpus,
                    lots.iter().map(|lot| least_gpus(lot)).fold(0, u64::saturating_add),
                    lots.iter().map(|lot| lot.most_gpus()).fold(0, u64::saturating_add),
                ),
            ),
            ("vendors", self.vendors(&pools)),
            ("regions", self.regions(&pools)),
            ("tier_kinds", text_set(kinds)),
            ("cost", self.cost_of(self.costs.queues.get(&queue.meta.address), lots)),
            ("fidelity", fidelity.map_or_else(|| Value::string("exact"), |route| Value::string(&route.line))),
        ]);
        Value::object(all)
    }

    pub(super) fn route(&self, route: &Route) -> Value {
        let pools = self.pools_of(&route.steps);
        let mut opens_at = Number::from(0_i64);
        let mut steps = Vec::new();
        for step in &route.steps {
            let price = self
                .fleet
                .lots_of(&step.pools)
                .next()
                .and_then(|(_, lot)| self.prices.lots.get(&lot.meta.address))
                .and_then(|price| price.price.as_ref());
            steps.push(Value::object([
                ("name", Value::string(step.meta.address.label())),
                ("pools", references(&step.pools)),
                ("opens_at", Value::quantity(Duration(opens_at.clone()))),
                ("max_price", quantity(step.max_price.as_ref())),
                ("price", known(price)),
            ]));
            if let Some(sum) =
                step.patience.as_ref().and_then(|patience| opens_at.checked_add(&patience.0).ok())
            {
                opens_at = sum;
            }
        }
        let queues = self.queues_of.get(&route.meta.address).map(Vec::as_slice).unwrap_or_default();
        let mut all = common(&route.meta);
        all.extend([
            ("strict", Value::Bool(route.strict)),
            ("return", word(route.returns)),
            (
                "candidates",
                if route.order.is_some() {
                    references(pools.iter().map(|it| &it.meta.address))
                } else {
                    Value::Null
                },
            ),
            ("order", text(route.order.map(crate::fleet::Order::as_str))),
            ("near", Value::list(route.near.iter().map(|pattern| Value::quantity(pattern.clone())))),
            ("last", steps.last().cloned().unwrap_or(Value::Null)),
            ("steps", Value::list(steps)),
            ("vendors", self.vendors(&pools)),
            ("regions", self.regions(&pools)),
            ("queues", references(queues)),
        ]);
        Value::object(all)
    }

    pub(super) fn class(&self, class: &Class) -> Value {
        let queues = self.queues_of.get(&class.meta.address).map(Vec::as_slice).unwrap_or_default();
        let limits = &class.limits;
        let mut all = common(&class.meta);
        all.extend([
            ("kind", word(class.kind)),
            ("priority", number(u64::from(class.priority))),
            ("preempts", word(class.preempts)),
            (
                "when_preempted",
                Value::object([
                    ("action", word(class.when_preempted.action)),
                    ("grace", Value::quantity(class.when_preempted.grace.clone())),
                    ("exempt", Value::quantity(class.when_preempted.exempt.clone())),
                ]),
            ),
            ("tiers", Value::list(class.tiers.iter().map(|kind| Value::string(kind.as_str())))),
            ("regions", Value::list(class.regions.iter().map(|pattern| Value::quantity(pattern.clone())))),
            ("images", text_map(&class.images)),
            (
                "limits",
                Value::object([
                    ("gpus", quantity(limits.gpus.as_ref())),
                    ("nodes", quantity(limits.nodes.as_ref())),
                    ("run_time", quantity(limits.run_time.as_ref())),
                    ("wait", quantity(limits.wait.as_ref())),
                ]),
            ),
            (
                "checkpoint",
                class.checkpoint.as_ref().map_or(Value::Null, |checkpoint| {
                    Value::object([
                        ("every", Value::quantity(checkpoint.every.clone())),
                        ("write", Value::quantity(checkpoint.write.clone())),
                        ("restore", Value::quantity(checkpoint.restore.clone())),
                    ])
                }),
            ),
            ("retries", number(u64::from(class.retries))),
            (
                "topology",
                class.topology.as_ref().map_or(Value::Null, |topology| {
                    Value::object([
                        ("require", text(topology.require.as_deref())),
                        ("prefer", text(topology.prefer.as_deref())),
                    ])
                }),
            ),
            ("guaranteed", Value::Bool(class.guaranteed)),
            ("work", text(class.work.as_deref())),
            ("cuda", quantity(class.cuda.as_ref())),
            ("stores", texts(&class.stores)),
            ("same_model", Value::Bool(class.same_model)),
            (
                "roles",
                Value::object(class.roles.iter().map(|(name, role)| {
                    let tiers = Value::list(role.tiers.iter().map(|kind| Value::string(kind.as_str())));
                    (name.as_str(), Value::object([("tiers", tiers), ("pools", references(&role.pools))]))
                })),
            ),
            ("queues", references(queues)),
            ("tenants", self.tenants_of(queues)),
        ]);
        Value::object(all)
    }

    pub(super) fn tenant(&self, tenant: &Tenant) -> Value {
        let queues = self.queues_of.get(&tenant.meta.address).map(Vec::as_slice).unwrap_or_default();
        let ladders: Vec<Step> = queues
            .iter()
            .filter_map(|queue| self.fleet.queues.get(queue))
            .flat_map(|queue| self.fleet.ladder(queue))
            .collect();
        let pools = self.pools_of(&ladders);
        let costs = self.costs.tenants.get(&tenant.meta.address);
        let guaranteed = tenant.quotas.iter().map(|quota| self.guarantee(quota)).fold(0, u64::saturating_add);
        let most =
            costs.map_or(0, |costs| costs.parts.iter().map(|part| part.gpus).fold(0, u64::saturating_add));
        let mut all = common(&tenant.meta);
        all.extend([
            ("namespaces", texts(&tenant.namespaces)),
            ("accounts", texts(&tenant.accounts)),
            ("groups", texts(&tenant.groups)),
            ("weight", Value::Number(tenant.weight.clone())),
            ("budget", quantity(tenant.budget.as_ref())),
            ("max_gpus", tenant.max_gpus.map_or(Value::Null, number)),
            ("quotas", Value::list(tenant.quotas.iter().map(quota))),
            ("pull_secret", text(tenant.pull_secret.as_deref())),
            ("gpus", Value::object([("guaranteed", number(guaranteed)), ("max", number(most))])),
            ("pools", references(pools.iter().map(|pool| &pool.meta.address))),
            ("queues", references(queues)),
            ("cost", self.cost_of(costs.map(|costs| &costs.cost), pools.iter().flat_map(|pool| &pool.lots))),
        ]);
        Value::object(all)
    }

    /// The guarantee of a quota in GPUs; a share is rounded down (LANGUAGE §3.8).
    fn guarantee(&self, quota: &Quota) -> u64 {
        match &quota.gpus {
            None => 0,
            Some(GpuAmount::Gpus(gpus)) => *gpus,
            Some(GpuAmount::Share(Percent(share))) => {
                let pool = [quota.pool.clone()];
                let all: u64 =
                    self.fleet.lots_of(&pool).map(|(_, lot)| lot.most_gpus()).fold(0, u64::saturating_add);
                share.checked_mul(&Number::from(all)).ok().and_then(|gpus| gpus.floor().to_u64()).unwrap_or(0)
            }
        }
    }

    pub(super) fn tier(&self, tier: &Tier) -> Value {
        let mut all = common(&tier.meta);
        all.extend([
            ("kind", Value::string(tier.kind.as_str())),
            (
                "interruption",
                tier.interruption.as_ref().map_or(Value::Null, |interruption| {
                    Value::object([
                        ("notice", Value::quantity(interruption.notice.clone())),
                        ("mean_time", quantity(interruption.mean_time.as_ref())),
                    ])
                }),
            ),
        ]);
        Value::object(all)
    }

    pub(super) fn fabric(&self, fabric: &Fabric) -> Value {
        let mut all = common(&fabric.meta);
        all.extend([
            ("kind", word(fabric.kind)),
            ("rails", number(u64::from(fabric.rails))),
            ("rate", quantity(fabric.rate.as_ref())),
            ("resource", text(fabric.resource.as_deref())),
            ("per_node", number(u64::from(fabric.per_node))),
            ("layout", word(fabric.layout)),
            ("id", text(fabric.id.as_deref())),
            ("pkey", fabric.pkey.map_or(Value::Null, |key| number(u64::from(key)))),
            ("networks", texts(&fabric.networks)),
            ("maintained_by", text(fabric.maintained_by.as_deref())),
        ]);
        Value::object(all)
    }

    fn slice(slice: &Partition) -> Value {
        Value::object([
            ("per_gpu", number(u64::from(slice.per_gpu))),
            ("memory", Value::quantity(slice.memory.clone())),
            ("resource", text(slice.resource.as_deref())),
        ])
    }

    pub(super) fn accelerator(&self, accelerator: &Accelerator) -> Value {
        let mut all = common(&accelerator.meta);
        all.extend([
            ("vendor", Value::string(&accelerator.vendor)),
            ("memory", Value::quantity(accelerator.memory.clone())),
            ("resource", Value::string(&accelerator.resource)),
            ("products", texts(&accelerator.products)),
            ("gres_type", Value::string(&accelerator.gres_type)),
            ("domain", number(u64::from(accelerator.domain))),
            (
                "partition",
                Value::object(
                    accelerator.partitions.iter().map(|(form, slice)| (form.as_str(), Self::slice(slice))),
                ),
            ),
        ]);
        Value::object(all)
    }

    pub(super) fn target(&self, target: &Target) -> Value {
        let address = &target.meta.address;
        let objects = self.objects.get(address).map_or_else(
            || Value::Unknown(Type::Map(Box::new(Type::Number))),
            |counts| Value::object(counts.iter().map(|(kind, count)| (kind.as_str(), number(*count)))),
        );
        let pools = self
            .fleet
            .pools
            .values()
            .filter(|pool| pool.cluster == *address || pool.provision.as_ref() == Some(address));
        let mut all = common(&target.meta);
        all.extend([
            ("kind", Value::string(target.kind.as_str())),
            ("directory", text(target.directory.as_deref())),
            ("region", text(target.region.as_deref())),
            ("router", Value::Bool(target.router)),
            ("ring", number(u64::from(target.ring))),
            ("objects", objects),
            ("pools", references(pools.map(|pool| &pool.meta.address))),
        ]);
        Value::object(all)
    }
}

/// Attributes of lots about how they are bought and run.
const OF_PURCHASE: [&str; 10] = [
    "reservation",
    "reservation_nodes",
    "from",
    "until",
    "partition",
    "size_owner",
    "refresh",
    "image",
    "user_data",
    "max",
];

fn purchase(lot: &Lot, name: &str) -> Value {
    match name {
        "reservation" => text(lot.reservation.as_deref()),
        "reservation_nodes" => lot.reservation_nodes.map_or(Value::Null, number),
        "from" => quantity(lot.from.as_ref()),
        "until" => quantity(lot.until.as_ref()),
        "partition" => text(lot.partition.as_deref()),
        "size_owner" => lot.size_owner.map_or(Value::Null, word),
        "refresh" => word(lot.refresh),
        "image" => text(lot.image.as_deref()),
        "user_data" => text(lot.user_data.as_deref()),
        "max" => lot.max.as_ref().map_or(Value::Null, |max| {
            Value::object([("gpus", number(max.gpus)), ("cpus", Value::Number(max.cpus.clone()))])
        }),
        _ => Value::Null,
    }
}

fn counts(counts: &std::collections::BTreeMap<String, u64>) -> Value {
    Value::object(counts.iter().map(|(name, count)| (name.as_str(), number(*count))))
}

fn least_gpus(lot: &Lot) -> u64 {
    lot.nodes.min.saturating_mul(u64::from(lot.node.gpus))
}

/// The value that all lots of a pool have; null when they differ.
fn agreed(pool: &Pool, of: impl Fn(&Lot) -> Value) -> Value {
    let mut values = pool.lots.iter().map(of);
    let first = values.next().unwrap_or(Value::Null);
    if values.all(|value| value == first) { first } else { Value::Null }
}

fn node(lot: &Lot) -> Value {
    let node = &lot.node;
    let count = |count: Option<u32>| count.map_or(Value::Null, |count| number(u64::from(count)));
    Value::object([
        ("gpus", number(u64::from(node.gpus))),
        ("cpus", number(u64::from(node.cpus))),
        ("sockets", count(node.sockets)),
        ("cores", count(node.cores)),
        ("threads", count(node.threads)),
        ("memory", Value::quantity(node.memory.clone())),
        ("reserve_cpus", number(u64::from(node.reserve_cpus))),
        ("reserve_memory", Value::quantity(node.reserve_memory.clone())),
    ])
}

fn quota(quota: &Quota) -> Value {
    let borrow = |borrow: Borrow| borrow.limit().map_or_else(|| Value::string("all"), number);
    Value::object([
        ("pool", reference(&quota.pool)),
        (
            "gpus",
            match &quota.gpus {
                None => Value::Null,
                Some(GpuAmount::Gpus(gpus)) => number(*gpus),
                Some(GpuAmount::Share(share)) => Value::quantity(share.clone()),
            },
        ),
        ("cpus", quota.cpus.clone().map_or(Value::Null, Value::Number)),
        ("memory", quantity(quota.memory.as_ref())),
        ("borrow", borrow(quota.borrow)),
        ("lend", borrow(quota.lend)),
    ])
}

/// A word of the language as its own text.
fn word(word: impl serde::Serialize) -> Value {
    match serde_json::to_value(word) {
        Ok(serde_json::Value::String(text)) => Value::string(&text),
        _ => Value::Null,
    }
}
