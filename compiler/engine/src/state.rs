//! Before and after: what the inventories remember against what the plan wants.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_expression::quantity::{Money, MoneyError};
use poolwright_model::money::CostLine;
use poolwright_model::plan::{CapacityChange, CostChange, TargetState};
use poolwright_model::{Address, Cost, Resource};
use poolwright_target::inventory::Inventory;

/// What is to be remembered of a target once all its objects are as wanted. `cost` and `capacity` are of the pools
/// that the caller counts to this target; each pool is counted to one target only, so that sums are right.
#[must_use]
pub fn target_state(
    wanted: &[Resource],
    cost: Option<Cost>,
    capacity: BTreeMap<Address, u64>,
) -> TargetState {
    TargetState { input_digest: poolwright_target::input_digest(wanted), cost, capacity }
}

/// What one target remembers.
#[derive(Clone, Copy, Debug)]
pub struct Memory<'a> {
    /// Its inventory, if there is one.
    pub inventory: Option<&'a Inventory>,
    /// Whether any of our objects is there.
    pub populated: bool,
}

/// The cost of what was applied last. None: nothing was applied, or a target does not remember what it cost.
#[must_use]
pub fn cost_before(targets: &[Memory<'_>]) -> Option<Cost> {
    // A target that has our objects and no memory of them makes the sum unknown; one that is new adds nothing.
    if targets.iter().any(|target| target.populated && target.inventory.is_none()) {
        return None;
    }
    let remembered: Vec<&Inventory> = targets.iter().filter_map(|target| target.inventory).collect();
    sum(remembered.iter().filter_map(|inventory| inventory.cost.as_ref()))
}

/// Money before and after, and the difference.
#[must_use]
pub fn cost_change(before: Option<Cost>, after: Cost) -> CostChange {
    let delta = before.as_ref().map(|before| combine(&after, before, subtract));
    CostChange { before, after, delta }
}

/// Pools whose capacity changes, by address.
#[must_use]
pub fn capacity_changes(targets: &[Memory<'_>], after: &BTreeMap<Address, u64>) -> Vec<CapacityChange> {
    let before: BTreeMap<&Address, u64> = targets
        .iter()
        .filter_map(|target| target.inventory)
        .flat_map(|inventory| inventory.capacity.iter().map(|(pool, gpus)| (pool, *gpus)))
        .collect();
    let pools: BTreeSet<&Address> = before.keys().copied().chain(after.keys()).collect();
    let changes = pools.into_iter().map(|pool| CapacityChange {
        pool: pool.clone(),
        before: before.get(pool).copied(),
        after: after.get(pool).copied(),
    });
    changes.filter(|change| change.before != change.after).collect()
}

/// The sum of costs; none of none.
#[must_use]
pub fn sum<'a>(costs: impl IntoIterator<Item = &'a Cost>) -> Option<Cost> {
    costs.into_iter().fold(None, |sum, cost| {
        Some(sum.map_or_else(|| cost.clone(), |sum| combine(&sum, cost, Money::checked_add)))
    })
}

/// What was applied is remembered with 12 significant digits (CONTRACT §4): both sides are taken at a millionth of the
/// currency, far below a cent, so that what did not change differs by nothing.
fn subtract(after: &Money, before: &Money) -> Result<Money, MoneyError> {
    let rounded = |money: &Money| Money { amount: money.amount.round_half_even(6), ..money.clone() };
    rounded(after).checked_sub(&rounded(before))
}

type Operation = fn(&Money, &Money) -> Result<Money, MoneyError>;

fn combine(a: &Cost, b: &Cost, operation: Operation) -> Cost {
    Cost { hourly: line(&a.hourly, &b.hourly, operation), monthly: line(&a.monthly, &b.monthly, operation) }
}

fn line(a: &CostLine, b: &CostLine, operation: Operation) -> CostLine {
    let mut unknown: BTreeSet<String> = a.unknown.iter().chain(&b.unknown).cloned().collect();
    let mut part = |a: &Option<Money>, b: &Option<Money>| match operation(a.as_ref()?, b.as_ref()?) {
        Ok(money) => Some(money),
        Err(error) => {
            unknown.insert(error.to_string());
            None
        }
    };
    let (floor, expected, ceiling) =
        (part(&a.floor, &b.floor), part(&a.expected, &b.expected), part(&a.ceiling, &b.ceiling));
    CostLine { floor, expected, ceiling, unknown: unknown.into_iter().collect() }
}

#[cfg(test)]
mod tests {
    use poolwright_expression::quantity::Currency;
    use poolwright_target::inventory::INVENTORY_SCHEMA;

    use super::*;

    fn cost(floor: i64, ceiling: Option<i64>) -> Cost {
        let money = |amount: i64| Money::total(amount, Currency::USD);
        let unknown = if ceiling.is_none() { vec![String::from("no cap")] } else { Vec::new() };
        let line = CostLine {
            floor: Some(money(floor)),
            expected: Some(money(floor)),
            ceiling: ceiling.map(money),
            unknown,
        };
        Cost { hourly: line.clone(), monthly: line }
    }

    fn inventory(cost: Option<Cost>) -> Inventory {
        Inventory {
            schema: INVENTORY_SCHEMA.to_owned(),
            fleet: String::from("acme"),
            target: Address::new("target.x.y"),
            input_digest: String::new(),
            objects: Vec::new(),
            cost,
            capacity: BTreeMap::new(),
        }
    }

    #[test]
    fn what_was_paid_before_is_the_sum_of_what_targets_remember() {
        let (a, b, c) =
            (inventory(Some(cost(2, Some(9)))), inventory(Some(cost(3, Some(1)))), inventory(None));
        let memory = |inventory, populated| Memory { inventory, populated };
        let all =
            [memory(Some(&a), true), memory(Some(&b), true), memory(Some(&c), true), memory(None, false)];
        assert_eq!(cost_before(&all), Some(cost(5, Some(10))));
        assert_eq!(cost_before(&[memory(None, false)]), None, "the first plan");
        assert_eq!(cost_before(&[memory(Some(&a), true), memory(None, true)]), None, "one has forgotten");
    }

    #[test]
    fn an_unknown_part_makes_the_difference_of_that_part_unknown_and_keeps_the_reason() {
        let change = cost_change(Some(cost(2, Some(9))), cost(7, None));
        assert_eq!(change.delta, Some(cost(5, None)));
        assert_eq!(cost_change(None, cost(7, None)).delta, None);
        assert_eq!(sum([]), None);
    }

    #[test]
    fn an_inventory_survives_its_own_bytes() {
        let written = inventory(Some(cost(2, None)));
        assert_eq!(Inventory::decode(&written.encode(), "inventory.json").as_ref(), Ok(&written));
    }
}
