//! `tier` blocks: how capacity is bought, and what that costs.

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_model::Address;
use poolwright_model::fleet::{Tier, TierKind};

use super::{model, share};
use crate::codes;
use crate::instances::Block;
use crate::values::{Values, meta};

/// Decodes a tier.
pub(super) fn tier<'t>(values: &Values<'_, 't>, block: &Block<'t>) -> Option<(Address, Tier)> {
    let attributes = values.attributes(block);
    let mut tier: Tier = model(values, &attributes, block)?;
    tier.meta = meta(block, &attributes);
    let origin = &tier.meta.origin;
    let kind = tier.kind.as_str();
    let fault = |span: Span, message: String, label: &str, help: &str| {
        values.report(
            Diagnostic::error(codes::TIER_FACTS, message)
                .at(span, label)
                .also(origin.of("kind"), "its kind")
                .with_help(help),
        );
    };
    let name = block.address.clone();
    match (tier.kind, &tier.interruption) {
        (TierKind::Spot, None) => fault(
            origin.header,
            format!("`{name}` is spot and does not say how it is interrupted"),
            "needs `interruption`",
            "add `interruption = { notice = \"2m\", mean_time = \"10h\" }`",
        ),
        (TierKind::Spot, Some(_)) | (_, None) => {}
        (_, Some(_)) => fault(
            origin.of("interruption"),
            format!("`{name}` is {kind}, which is not interrupted"),
            "only for spot",
            "remove it, or set `kind = \"spot\"`",
        ),
    }
    let owned = matches!(tier.kind, TierKind::Owned | TierKind::Edge);
    match &tier.ownership {
        None if owned => fault(
            origin.header,
            format!("`{name}` is {kind} and does not say what it costs"),
            "needs `ownership`",
            "add `ownership = { price = \"$1.20/gpu/h\" }`, or its cost, months, power and tariff",
        ),
        Some(_) if !owned => fault(
            origin.of("ownership"),
            format!("`{name}` is {kind}, which is not owned"),
            "only for owned and edge",
            "remove it, or set `kind = \"owned\"`",
        ),
        Some(ownership) if ownership.price.is_none() => {
            let power = tier.kind == TierKind::Owned;
            let facts = [
                ("cost", ownership.cost.is_some()),
                ("months", ownership.months.is_some()),
                ("power", ownership.power.is_some() || !power),
                ("tariff", ownership.tariff.is_some() || !power),
            ];
            let lacking: Vec<&str> =
                facts.into_iter().filter(|(_, there)| !there).map(|(name, _)| name).collect();
            if !lacking.is_empty() {
                fault(
                    origin.of("ownership"),
                    format!("the cost of `{name}` lacks {}", lacking.join(", ")),
                    "not enough for a rate",
                    "give `price`, or all of `cost`, `months`, `power` and `tariff`",
                );
            }
        }
        Some(ownership) => {
            let facts = ["cost", "months", "salvage", "power", "pue", "tariff", "opex"];
            let both = facts.iter().find(|name| origin.wrote(&format!("ownership.{name}")));
            let cost = ownership.cost.is_some().then_some(&"cost");
            if let Some(name) = both.or(cost) {
                fault(
                    origin.of(&format!("ownership.{name}")),
                    format!("`{}` has a `price` and `{name}`: one of them says what it costs", block.address),
                    "beside `price`",
                    "keep `price` alone, or remove it and let the rate follow from cost, months, power and tariff",
                );
            }
        }
        None => {}
    }
    if let Some(commitment) = &tier.commitment {
        if tier.kind != TierKind::Reserved {
            fault(
                origin.of("commitment"),
                format!("`{name}` is {kind}, to which nobody commits"),
                "only for reserved",
                "remove it, or set `kind = \"reserved\"`",
            );
        }
        if !commitment.upfront.amount.is_zero() && commitment.months.is_none() {
            fault(
                origin.of("commitment.upfront"),
                format!("`{name}` is paid upfront and does not say for how long"),
                "spread over which months?",
                "add `months = 12`",
            );
        }
    }
    if let Some(ownership) = &tier.ownership {
        share(values, &tier.meta, "ownership.salvage", &ownership.salvage, false);
        share(values, &tier.meta, "ownership.utilisation", &ownership.utilisation, true);
    }
    Some((tier.meta.address.clone(), tier))
}
