//! Billing weights: what a GPU-hour of a partition costs, in whole cents.

use std::collections::BTreeMap;

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::Number;
use poolwright_expression::quantity::{Money, PerTime, PerUnit};
use poolwright_model::fleet::Billing;
use poolwright_model::layout::SlurmPartition;
use poolwright_model::{Address, Meta};

use super::Lowering;
use super::nodes::Nodes;
use crate::codes;

/// `TRESBillingWeights` by partition; a partition without is left out.
pub(super) type Weights = BTreeMap<String, BTreeMap<String, u64>>;

impl<'a> Lowering<'a> {
    /// The weights of every partition that has prices.
    pub(super) fn weights(&mut self, nodes: &[Nodes<'a>]) -> Weights {
        let cluster = self.cluster;
        let mut all = Weights::new();
        if self.slurm.billing == Billing::None || !self.slurm.accounting {
            return all;
        }
        for partition in &cluster.partitions {
            if let Some(weights) = self.weights_of(partition, nodes) {
                all.insert(partition.name.clone(), weights);
            }
        }
        all
    }

    fn weights_of(
        &mut self,
        partition: &'a SlurmPartition,
        nodes: &[Nodes<'a>],
    ) -> Option<BTreeMap<String, u64>> {
        let queue = self.fleet().queues.get(&partition.queue)?;
        let lots = self.lots_of(partition);
        let mut dearest: BTreeMap<&str, Money> = BTreeMap::new();
        let mut by_pool: BTreeMap<&Address, Money> = BTreeMap::new();
        let mut unknown = Vec::new();
        for nodes in nodes.iter().filter(|nodes| lots.contains(&&nodes.lot.meta.address)) {
            if nodes.devices.is_empty() {
                continue;
            }
            let price = self.input.prices.lots.get(&nodes.lot.meta.address);
            let Some(money) = price.and_then(|price| price.price.as_ref()).and_then(gpu_hour) else {
                let why = price.and_then(|price| price.unknown.as_deref()).unwrap_or("no price per GPU-hour");
                unknown.push(format!("lot `{}`: {why}", nodes.name));
                continue;
            };
            raise(&mut by_pool, &nodes.pool.meta.address, &money);
            for device in &nodes.devices {
                raise(&mut dearest, device.gres_type, &money);
            }
        }
        let prices: Vec<&Money> = by_pool.values().collect();
        if prices.windows(2).any(|pair| matches!(pair, [a, b] if a.amount != b.amount)) {
            let list: Vec<String> =
                by_pool.iter().map(|(pool, money)| format!("`{}` {money}", pool.label())).collect();
            self.unordered(&partition.name, &queue.meta, &list);
        }
        let mut weights = BTreeMap::new();
        for (gres_type, money) in dearest {
            match cents(&money) {
                Some(cents) => {
                    weights.insert(format!("GRES/gpu:{gres_type}"), cents);
                }
                None => unknown.push(format!("{money} in cents is no number of 64 bits")),
            }
        }
        if !unknown.is_empty() {
            let mut diagnostic = Diagnostic::warning(
                codes::NO_PRICE,
                format!("partition `{}` has no billing weight", partition.name),
            )
            .at(queue.meta.origin.header, "the price of a pool of this queue is not known");
            for reason in unknown {
                diagnostic = diagnostic.with_note(reason);
            }
            self.report(diagnostic.with_help("price the pool, or set the target's `billing = \"none\"`"));
            return None;
        }
        (!weights.is_empty()).then_some(weights)
    }

    fn unordered(&mut self, partition: &str, queue: &Meta, prices: &[String]) {
        self.report(
            Diagnostic::warning(
                codes::UNORDERED,
                format!("partition `{partition}` has pools of different price, in no order"),
            )
            .at(queue.origin.header, prices.join(", "))
            .with_note("Slurm takes any host of a partition; an order by node weight would defeat topology")
            .with_help("make them two steps of a route"),
        );
    }

    /// The lots whose hosts a partition has.
    pub(super) fn lots_of(&self, partition: &'a SlurmPartition) -> Vec<&'a Address> {
        self.cluster
            .node_sets
            .iter()
            .filter(|set| partition.node_sets.contains(&set.name))
            .flat_map(|set| &set.lots)
            .collect()
    }
}

/// A price per GPU-hour, if it is one.
fn gpu_hour(money: &Money) -> Option<Money> {
    (money.per == Some(PerUnit::Gpu)).then(|| money.to_time(PerTime::Hour)).flatten()
}

fn cents(money: &Money) -> Option<u64> {
    money.amount.checked_mul(&Number::from(100_u64)).ok()?.round_half_even(0).to_u64()
}

fn raise<K: Ord>(dearest: &mut BTreeMap<K, Money>, key: K, money: &Money) {
    match dearest.get_mut(&key) {
        Some(known) if known.amount >= money.amount => {}
        Some(known) => *known = money.clone(),
        None => {
            dearest.insert(key, money.clone());
        }
    }
}
