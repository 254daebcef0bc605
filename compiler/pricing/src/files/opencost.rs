//! The custom pricing CSV of OpenCost: `AssetClass` `node` has the price of a node-hour by `InstanceType`; rows of other
//! classes are not ours to use. `EndTimestamp` is the day of the price.

use poolwright_expression::quantity::Date;
use poolwright_model::fleet::PriceRow;

use super::{Problem, Reading, records};

/// Its rows.
pub(crate) fn csv(text: &str, reading: &Reading) -> (Vec<PriceRow>, Vec<Problem>) {
    records(text, &["AssetClass", "InstanceType", "MarketPriceHourly"], |cells| {
        let Some(instance_type) =
            cells.get("InstanceType").filter(|_| cells.get("AssetClass") == Some("node"))
        else {
            return Ok(None);
        };
        let Some(cell) = cells.get("MarketPriceHourly") else { return Ok(None) };
        let on_demand = reading
            .node_hour(cell)
            .ok_or_else(|| format!("\"MarketPriceHourly\" is \"{cell}\", which is no price"))?;
        let day = cells.get("EndTimestamp").and_then(|stamp| stamp.get(..10));
        Ok(Some(PriceRow {
            provider: reading.provider.clone(),
            region: cells.get("Region").map(str::to_owned),
            zone: None,
            instance_type: instance_type.to_owned(),
            on_demand: Some(on_demand),
            spot: None,
            reserved: None,
            date: day.and_then(|day| Date::parse(day).ok()),
            source: None,
        }))
    })
}
