//! The catalogue CSV of SkyPilot (skypilot-catalog, `catalogs/v8`): a row a type and zone, prices of a node-hour. The
//! order of its columns differs by cloud, and it has no date.

use poolwright_model::fleet::PriceRow;

use super::{Problem, Reading, records};

/// Its rows. Zones of AWS are names there, which differ by account; ours are ids, so that only the region counts.
pub(crate) fn csv(text: &str, reading: &Reading) -> (Vec<PriceRow>, Vec<Problem>) {
    records(text, &["InstanceType", "Price"], |cells| {
        let price = |name: &str| cells.get(name).and_then(|cell| reading.node_hour(cell));
        let (on_demand, spot) = (price("Price"), price("SpotPrice"));
        let Some(instance_type) = cells.get("InstanceType") else { return Ok(None) };
        if on_demand.is_none() && spot.is_none() {
            return Ok(None);
        }
        let zone = cells.get("AvailabilityZone").filter(|_| reading.provider != "aws");
        Ok(Some(PriceRow {
            provider: reading.provider.clone(),
            region: cells.get("Region").map(str::to_owned),
            zone: zone.map(str::to_owned),
            instance_type: instance_type.to_owned(),
            on_demand,
            spot,
            reserved: None,
            date: None,
            source: None,
        }))
    })
}
