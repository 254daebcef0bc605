//! What a flavor has in each resource (LANGUAGE §4.3): the most nodes of its lots × what one node leaves for jobs.

use std::collections::BTreeMap;

use poolwright_expression::Number;
use poolwright_expression::quantity::Bytes;
use poolwright_model::fleet::{Fabric, Lot, LotMax, NodeShape};
use poolwright_model::layout::{Amount, AmountUnit};

/// The resource of CPUs, as Kubernetes names it.
pub(crate) const CPU: &str = "cpu";
/// The resource of memory, as Kubernetes names it.
pub(crate) const MEMORY: &str = "memory";

/// `cap(f, r)` of all lots of a flavor. `device` is what its GPUs, or slices of them, are called, and how many each GPU is. Memory is rounded down to MiB for each node, then multiplied.
pub(crate) fn of<'a>(
    lots: impl Iterator<Item = &'a Lot>,
    device: Option<(&str, u64)>,
    fabric: Option<&Fabric>,
) -> BTreeMap<String, Amount> {
    let mut capacity = BTreeMap::new();
    for lot in lots {
        let nodes = lot.most();
        let mut add = |resource: &str, unit: AmountUnit, value: u64| {
            let amount = capacity.entry(resource.to_owned()).or_insert(Amount { value: 0, unit });
            amount.value = amount.value.saturating_add(value);
        };
        if let Some((device, per_gpu)) = device {
            add(device, AmountUnit::Count, lot.most_gpus().saturating_mul(per_gpu));
        }
        let (cpus, memory) = match &lot.max {
            Some(max) => (max_milli_cpu(max), whole_mebibytes(&max.memory)),
            None => (milli_cpu(&lot.node).saturating_mul(nodes), mebibytes(&lot.node).saturating_mul(nodes)),
        };
        add(CPU, AmountUnit::MilliCpu, cpus);
        add(MEMORY, AmountUnit::Mebibyte, memory);
        if let Some((resource, per_node)) = fabric.and_then(|f| f.resource.as_ref().map(|r| (r, f.per_node)))
        {
            add(resource, AmountUnit::Count, u64::from(per_node).saturating_mul(nodes));
        }
    }
    capacity
}

/// Thousandths of a CPU that a lot has at most, which says it in CPUs.
fn max_milli_cpu(max: &LotMax) -> u64 {
    let thousandths = max.cpus.checked_mul(&1000_u64.into()).ok();
    thousandths.and_then(|it| it.floor().to_u64()).unwrap_or(u64::MAX)
}

/// Thousandths of a CPU that one node leaves for jobs.
fn milli_cpu(node: &NodeShape) -> u64 {
    u64::from(node.cpus.saturating_sub(node.reserve_cpus)) * 1000
}

/// MiB that one node leaves for jobs, rounded down.
fn mebibytes(node: &NodeShape) -> u64 {
    let Ok(left) = Number::ONE.checked_sub(&node.reserve_memory.0) else { return 0 };
    if left.is_negative() {
        return 0;
    }
    node.memory.0.checked_mul(&left).map_or(u64::MAX, |bytes| whole_mebibytes(&Bytes(bytes)))
}

/// MiB, rounded down. What 64 bits do not hold is the greatest number, never none: targets refuse it as too large.
pub(crate) fn whole_mebibytes(bytes: &Bytes) -> u64 {
    bytes.mebibytes().unwrap_or(if bytes.0.is_negative() { 0 } else { u64::MAX })
}

/// Whether reserves leave nothing, or less: nothing of the node could be given to a job.
pub(crate) fn nothing_left(node: &NodeShape) -> Option<&'static str> {
    if node.reserve_cpus >= node.cpus {
        Some("node.reserve_cpus")
    } else if mebibytes(node) == 0 {
        Some("node.reserve_memory")
    } else {
        None
    }
}

/// `part × amount ÷ whole`, rounded down; the amount itself is not exceeded only while `part <= whole`.
pub(crate) fn proportion(part: u64, amount: u64, whole: u64) -> u64 {
    if whole == 0 {
        return 0;
    }
    let exact = u128::from(part) * u128::from(amount) / u128::from(whole);
    u64::try_from(exact).unwrap_or(u64::MAX)
}

/// Spreads a total in proportion to weights, in whole units; what is left over goes to earlier ones that have any.
pub(crate) fn spread(total: u64, weights: &[u64]) -> Vec<u64> {
    let whole = weights.iter().fold(0_u64, |sum, weight| sum.saturating_add(*weight));
    if whole == 0 {
        return weights.iter().enumerate().map(|(at, _)| if at == 0 { total } else { 0 }).collect();
    }
    let mut shares: Vec<u64> = weights.iter().map(|weight| proportion(total, *weight, whole)).collect();
    let mut left = total.saturating_sub(shares.iter().fold(0_u64, |sum, share| sum.saturating_add(*share)));
    for (share, weight) in shares.iter_mut().zip(weights) {
        if left > 0 && *weight > 0 {
            *share += 1;
            left -= 1;
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn memory_that_no_number_holds_is_not_none() {
        for (text, mebibytes) in
            [("1MiB", 1), ("1536KiB", 1), ("1KiB", 0), ("99999999999999999999PiB", u64::MAX)]
        {
            assert_eq!(whole_mebibytes(&Bytes::parse(text).unwrap()), mebibytes, "{text}");
        }
    }

    #[test]
    fn remainders_go_to_earlier_lots() {
        assert_eq!(spread(64, &[96, 32]), [48, 16]);
        assert_eq!(spread(7, &[8, 8]), [4, 3]);
        assert_eq!(spread(5, &[0, 8, 8]), [0, 3, 2]);
        assert_eq!(spread(5, &[0, 0]), [5, 0]);
        assert_eq!(spread(5, &[]), Vec::<u64>::new());
    }

    proptest! {
        #[test]
        fn spreading_loses_nothing_and_overfills_nothing(total in 0_u64..10_000, weights in prop::collection::vec(0_u64..500, 1..9)) {
            let shares = spread(total, &weights);
            prop_assert_eq!(shares.iter().sum::<u64>(), total);
            if total <= weights.iter().sum() {
                for (share, weight) in shares.iter().zip(&weights) {
                    prop_assert!(share <= weight, "{} of {}", share, weight);
                }
            }
        }

        #[test]
        fn proportions_never_add_up_to_more(parts in prop::collection::vec(0_u64..200, 1..6), amount in 0_u64..u64::MAX) {
            let whole: u64 = parts.iter().sum();
            let given: u128 = parts.iter().map(|part| u128::from(proportion(*part, amount, whole))).sum();
            prop_assert!(given <= u128::from(amount));
        }
    }
}
