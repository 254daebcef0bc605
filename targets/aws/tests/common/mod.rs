//! The quickstart as the AWS target sees it.

#![allow(
    dead_code,
    unused_imports,
    clippy::allow_attributes,
    reason = "each test file uses its own part of it"
)]

#[path = "../../../cloud/tests/quickstart/mod.rs"]
mod quickstart;

use poolwright_model::fleet::{Fabric, FabricKind, TopologyLayout};
use poolwright_model::{Address, Fleet, Meta};
use poolwright_target_aws::Aws;

pub(crate) use quickstart::*;

pub(crate) const KIND: Aws = Aws;
pub(crate) const TARGET: &str = "target.aws.use1";
pub(crate) const POOL: &str = "pool.aws-a100-spot";

/// An EFA fabric for the pool; the second lot goes.
pub(crate) fn efa(fleet: &mut Fleet, rails: u32) {
    let address = Address::new("fabric.efa");
    let fabric = Fabric {
        meta: Meta { address: address.clone(), name: "efa".into(), ..Meta::default() },
        kind: FabricKind::Efa,
        rails,
        rate: None,
        resource: None,
        per_node: rails,
        layout: TopologyLayout::Tree,
        levels: Vec::new(),
        switches: Vec::new(),
        env: None,
        id: None,
        pkey: None,
        discovery: None,
        holes: poolwright_model::fleet::Holes::Error,
        networks: Vec::new(),
        maintained_by: None,
    };
    fleet.fabrics.insert(address.clone(), fabric);
    let pool = pool(fleet);
    pool.fabric = Some(address);
    pool.lots.truncate(1);
    pool.lots[0].placement = poolwright_model::fleet::Placement::Cluster;
}
