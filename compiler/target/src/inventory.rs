//! What was applied last on a target: kept beside its folder, never in the tree that GitOps watches (CONTRACT §3).
//! It answers "before" for money and capacity, and remembers the order of objects whose blocks are gone.

use std::collections::BTreeMap;

use poolwright_model::{Address, Cost};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::codes;
use crate::error::TargetError;
use crate::manifest::{damaged, parse};

/// The inventory's name in a target's state folder.
pub const INVENTORY: &str = "inventory.json";
/// The value of `schema`.
pub const INVENTORY_SCHEMA: &str = "poolwright/inventory/v1";
/// The largest inventory that is read, bytes: room for a million objects.
pub const INVENTORY_LIMIT: u64 = 512 << 20;

/// What was applied last on one target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inventory {
    /// [`INVENTORY_SCHEMA`].
    pub schema: String,
    /// Whose it is.
    pub fleet: String,
    /// The target.
    pub target: Address,
    /// Over the target's lowered objects when all of them were applied.
    pub input_digest: String,
    /// Objects that are ours, by address.
    pub objects: Vec<InventoryObject>,
    /// Of the target's pools; none: not priced.
    pub cost: Option<Cost>,
    /// GPUs at most, by pool.
    pub capacity: BTreeMap<Address, u64>,
}

/// One object of an [`Inventory`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InventoryObject {
    /// Its address.
    pub address: String,
    /// Its kind.
    pub kind: String,
    /// Its identity on the target.
    pub identity: String,
    /// Over its body as it was written, or found.
    pub digest: String,
    /// Objects that it needs: they are destroyed after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<String>,
}

impl Inventory {
    /// The bytes: sorted keys, a newline at the end.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let value = serde_json::to_value(self).unwrap_or(Value::Null);
        let mut text = serde_json::to_string_pretty(&value).unwrap_or_default();
        text.push('\n');
        text.into_bytes()
    }

    /// Reads an inventory; `place` is its path as people know it.
    ///
    /// # Errors
    /// It is not an inventory of this version.
    pub fn decode(bytes: &[u8], place: &str) -> Result<Self, TargetError> {
        let advise = |error: TargetError| {
            error.with_help(
                "bring it back from a backup; or delete it: the next plan then says `before` unknown",
            )
        };
        let value = parse(bytes, place, codes::DAMAGED_INVENTORY, INVENTORY_SCHEMA).map_err(advise)?;
        let mut inventory: Self = serde_json::from_value(value)
            .map_err(|error| damaged(codes::DAMAGED_INVENTORY, place, &error.to_string()))
            .map_err(advise)?;
        inventory.objects.sort_by(|a, b| a.address.cmp(&b.address));
        Ok(inventory)
    }

    /// The object with this address.
    #[must_use]
    pub fn object(&self, address: &str) -> Option<&InventoryObject> {
        let at = self.objects.binary_search_by(|object| object.address.as_str().cmp(address)).ok()?;
        self.objects.get(at)
    }
}
