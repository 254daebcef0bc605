//! An offer file of AWS's price list (`offers/v1.0/aws/AmazonEC2/…/index.json`): products by SKU, their terms apart. Used
//! are shared Linux instances without other software: on demand, and reserved for a year of the standard class with
//! nothing upfront. Capacity blocks are quoted by offer and are not in the list.

use poolwright_expression::quantity::{Currency, Date, Money};
use poolwright_model::fleet::PriceRow;
use serde_json::Value;

use super::{Problem, money};

/// Its rows.
pub(crate) fn json(text: &str) -> (Vec<PriceRow>, Vec<Problem>) {
    let whole: Value = match serde_json::from_str(text) {
        Ok(whole) => whole,
        Err(error) => return (Vec::new(), vec![(error.line(), error.to_string())]),
    };
    let Some(products) = whole.get("products").and_then(Value::as_object) else {
        return (Vec::new(), vec![(1, "it has no `products`: it is no offer file".to_owned())]);
    };
    let day = whole.get("publicationDate").and_then(Value::as_str).and_then(|stamp| stamp.get(..10));
    let date = day.and_then(|day| Date::parse(day).ok());
    let mut rows = Vec::new();
    for (sku, product) in products {
        let Some(attributes) = product.get("attributes").filter(|it| is_ours(it)) else { continue };
        let text = |name: &str| attributes.get(name).and_then(Value::as_str);
        let Some(instance_type) = text("instanceType") else { continue };
        let terms = |kind: &str| whole.get("terms")?.get(kind)?.get(sku)?.as_object();
        let on_demand = terms("OnDemand").and_then(|offers| offers.values().find_map(hourly));
        let reserved = terms("Reserved")
            .and_then(|offers| offers.values().filter(|offer| is_plain(offer)).find_map(hourly));
        if on_demand.is_none() && reserved.is_none() {
            continue;
        }
        rows.push(PriceRow {
            provider: "aws".to_owned(),
            region: text("regionCode").map(str::to_owned),
            zone: None,
            instance_type: instance_type.to_owned(),
            on_demand,
            spot: None,
            reserved,
            date,
            source: None,
        });
    }
    (rows, Vec::new())
}

/// A shared Linux instance without other software, used and not held.
fn is_ours(attributes: &Value) -> bool {
    let is = |name: &str, wanted: &str| {
        attributes.get(name).and_then(Value::as_str).is_none_or(|found| found == wanted)
    };
    is("operatingSystem", "Linux")
        && is("tenancy", "Shared")
        && is("preInstalledSw", "NA")
        && is("capacitystatus", "Used")
        && is("marketoption", "OnDemand")
}

fn is_plain(offer: &Value) -> bool {
    let is = |name: &str, wanted: &str| {
        offer.get("termAttributes").and_then(|it| it.get(name)).and_then(Value::as_str) == Some(wanted)
    };
    is("LeaseContractLength", "1yr") && is("OfferingClass", "standard") && is("PurchaseOption", "No Upfront")
}

/// The price of an hour of an offer.
fn hourly(offer: &Value) -> Option<Money> {
    let dimensions = offer.get("priceDimensions")?.as_object()?;
    let per_hour = dimensions.values().filter(|it| it.get("unit").and_then(Value::as_str) == Some("Hrs"));
    per_hour.filter_map(|it| it.get("pricePerUnit")?.as_object()).find_map(|prices| {
        prices.iter().find_map(|(code, amount)| money(amount.as_str()?, Currency::parse(code).ok()?))
    })
}
