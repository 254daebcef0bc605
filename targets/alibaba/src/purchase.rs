//! How a pool's nodes are bought: tier, allocation and bid cap as arguments of the node pool.

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::quantity::Currency;
use poolwright_model::fleet::{Allocation, TierKind};
use poolwright_target_cloud::{Bids, Group};
use serde_json::{Map, Value, json};

use crate::codes;

/// Instance types of which ESS takes the cheapest, at most.
const MOST_SPOT_POOLS: usize = 10;

/// Bids that ECS takes.
const BIDS: Bids = Bids {
    code: codes::MAX_PRICE_UNIT,
    currencies: &[Currency::USD, Currency(*b"CNY")],
    no_other: "Alibaba Cloud bills in US dollars or in yuan",
    help: "write it like \"$12.50/node/h\" or \"CNY 11/gpu/h\"",
};

/// Arguments of the purchase.
pub(crate) fn arguments(group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) -> Map<String, Value> {
    let mut arguments = Map::new();
    let mut set = |key: &str, value: Value| {
        arguments.insert(key.to_owned(), value);
    };
    set("instance_charge_type", json!("PostPaid"));
    check_tier(group, diagnostics);
    let spot = group.tier.kind == TierKind::Spot;
    set("multi_az_policy", json!(policy(group, spot, diagnostics)));
    if !spot {
        set("spot_strategy", json!("NoSpot"));
        return arguments;
    }
    let allocation = group.lot.allocation;
    if matches!(allocation, Allocation::Price | Allocation::PriceCapacity) {
        // Without these ESS may buy on-demand instances for a pool that is to be spot.
        set("compensate_with_on_demand", json!(false));
        set("on_demand_base_capacity", json!("0"));
        set("on_demand_percentage_above_base_capacity", json!("0"));
        let types = group.lot.instance_types.len().clamp(1, MOST_SPOT_POOLS);
        set("spot_instance_pools", json!(if allocation == Allocation::Price { 1 } else { types }));
    }
    match max_price(group, diagnostics) {
        None => set("spot_strategy", json!("SpotAsPriceGo")),
        Some(price) => {
            set("spot_strategy", json!("SpotWithPriceLimit"));
            let limits = group.lot.instance_types.iter();
            set(
                "spot_price_limit",
                limits.map(|name| json!({ "instance_type": name, "price_limit": price })).collect(),
            );
        }
    }
    arguments
}

fn check_tier(group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let tier = group.tier;
    let why = match tier.kind {
        TierKind::Spot | TierKind::OnDemand => return,
        // A subscription is bought and renewed node by node, for a period that the tier does not state.
        TierKind::Reserved => "a node pool would buy subscriptions, whose period no tier states",
        TierKind::Owned | TierKind::Edge => "Alibaba Cloud sells none",
    };
    diagnostics.push(
        Diagnostic::error(
            codes::TIER_NOT_SOLD,
            format!("`{}` is {} capacity: {why}", tier.meta.address, tier.kind.as_str()),
        )
        .at(group.span("tier"), "on-demand or spot on Alibaba Cloud")
        .also(tier.meta.origin.of("kind"), "")
        .with_help("name a tier of another kind, or leave out `provision` if the nodes exist"),
    );
}

/// Among types and zones.
fn policy(group: &Group<'_>, spot: bool, diagnostics: &mut Vec<Diagnostic>) -> &'static str {
    let several = group.lot.instance_types.len() > 1 || group.layout.zones.len() > 1;
    match group.lot.allocation {
        Allocation::Preference => "PRIORITY",
        Allocation::Price => "COST_OPTIMIZED",
        Allocation::PriceCapacity if spot => {
            if several {
                diagnostics.push(
                    Diagnostic::warning(
                        codes::ALLOCATION_NEAREST,
                        format!(
                            "`{}` is allocated by price: ACK does not weigh capacity",
                            group.lot.meta.address
                        ),
                    )
                    .at(group.span("allocation"), "`price-capacity`, the default of spot")
                    .with_note("written as COST_OPTIMIZED over the cheapest types, 10 at most")
                    .with_help("write `allocation = \"price\"` or `\"preference\"` to say what is meant"),
                );
            }
            "COST_OPTIMIZED"
        }
        Allocation::Capacity | Allocation::PriceCapacity => {
            let message = format!(
                "`{}` cannot be allocated by capacity: ACK has no such policy",
                group.lot.meta.address
            );
            diagnostics.push(
                Diagnostic::error(codes::ALLOCATION, message)
                    .at(group.span("allocation"), "")
                    .with_help("write `allocation = \"preference\"` or `\"price\"`"),
            );
            "PRIORITY"
        }
    }
}

/// The cap as text, and that its currency is the account's to know.
fn max_price(group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<String> {
    let bid = group.bid(BIDS, diagnostics)?;
    let price = group.lot.max_price.as_ref()?;
    diagnostics.push(
        Diagnostic::note(
            codes::MAX_PRICE_CURRENCY,
            format!(
                "the cap {price} of `{}` counts in what the account is billed in",
                group.lot.meta.address
            ),
        )
        .at(group.span("max_price"), format!("right only if that is {}", price.currency))
        .with_note("accounts of the international site are billed in USD, those of aliyun.com in CNY")
        .with_help("write the cap in the account's own currency"),
    );
    Some(bid)
}
