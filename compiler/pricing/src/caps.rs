//! `max_price` of a step, against what its pools cost.

use std::collections::BTreeSet;

use poolwright_diagnostics::Diagnostic;
use poolwright_model::fleet::{Step, TierKind};
use poolwright_model::money::per_unit_hour;
use poolwright_model::{Fleet, Prices};

use crate::{codes, reach};

/// A cap below every price of a step: no job is ever admitted there. Where spot is among them nothing is said, its
/// price moves.
pub(crate) fn check(fleet: &Fleet, prices: &Prices) -> Vec<Diagnostic> {
    let mut seen = BTreeSet::new();
    let steps = fleet.routes.values().flat_map(|route| route.steps.iter());
    steps
        .filter(|step| seen.insert(step.meta.origin.of("max_price")))
        .filter_map(|step| below(fleet, prices, step))
        .collect()
}

fn below(fleet: &Fleet, prices: &Prices, step: &Step) -> Option<Diagnostic> {
    let cap = step.max_price.as_ref()?;
    let mut least: Option<(String, poolwright_expression::quantity::Money)> = None;
    for (_, lot) in fleet.lots_of(&step.pools) {
        if fleet.tiers.get(&lot.tier)?.kind == TierKind::Spot {
            return None;
        }
        let price = reach::now(prices, lot).ok()?;
        let most = per_unit_hour(cap, lot.node.gpus, fleet.currency).ok()?;
        if price.compare(&most).ok()?.is_le() {
            return None;
        }
        let cheaper = match &least {
            Some((_, known)) => price.compare(known).ok()?.is_lt(),
            None => true,
        };
        if cheaper {
            least = Some((lot.meta.address.pool().to_string(), price));
        }
    }
    let (pool, price) = least?;
    Some(
        Diagnostic::warning(
            codes::CAP_BELOW_PRICE,
            format!("step \"{}\" takes no job: each of its pools costs more than {cap}", step.meta.name),
        )
        .at(step.meta.origin.of("max_price"), "the most that is paid")
        .also(step.meta.origin.of("pools"), format!("`{pool}`, the cheapest, costs {price}"))
        .with_help("raise `max_price`, or take the step out"),
    )
}
