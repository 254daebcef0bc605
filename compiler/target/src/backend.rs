//! A real system behind a target: read it, change it. The engine knows nothing else of it.

use std::collections::BTreeMap;

use poolwright_model::Resource;
use poolwright_model::plan::{Change, Settle};
use poolwright_model::resource::Observed;

use crate::FileFault;
use crate::error::TargetError;
use crate::inventory::Inventory;

/// What is on a target.
#[derive(Clone, Debug, Default)]
pub struct Observation {
    /// Objects, in any order.
    pub objects: Vec<Observed>,
    /// Files that are ours and hold no objects that can be read.
    pub faults: Vec<FileFault>,
    /// Files that are not as they were written.
    pub drift: Vec<FileDrift>,
    /// What [`Backend::settle`] is needed for; none: for nothing.
    pub settle: Option<Settle>,
    /// Addresses of protected objects that are not among `objects`: what holds them is gone, or cannot be read.
    pub lost: Vec<String>,
    /// Digest of every file of ours that is there, by path; empty where a target is no folder.
    pub files: BTreeMap<String, String>,
}

/// A file that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDrift {
    /// Its path below the folder.
    pub path: String,
    /// Whether it is gone, not only changed.
    pub missing: bool,
    /// Objects that the file is made from, by address, where comparing them does not show this drift: a file that
    /// holds no object of its own. Empty: the objects show it, or nothing hangs on it.
    pub made_from: Vec<String>,
}

/// Something that is not ours where something of ours is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// Where it stands: `live/eks/core`.
    pub place: String,
    /// What it is, with its article: `a file`.
    pub what: &'static str,
    /// Objects that need the place, by address. Empty: none alone, all together.
    pub needed_by: Vec<String>,
}

/// How a backend wants its changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Batching {
    /// All of a target at once: a folder is written as a whole.
    Whole,
    /// One call an object, in order.
    Each,
}

/// Changes to carry out, in an order that respects dependencies.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The changes.
    pub changes: &'a [&'a Change],
    /// What was there when the executor looked, just before.
    pub observation: &'a Observation,
    /// Over the target's objects, when after this batch all are as wanted.
    pub input_digest: Option<&'a str>,
}

/// A system that a target is on. What it cannot do must come back as an error, never as silence.
pub trait Backend: Send + Sync {
    /// Which system it is: the folder, the account and region, the API server. As in a plan.
    fn identity(&self) -> String;

    /// Everything on it that the fleet may care for, its own marked as owned. Reads only.
    ///
    /// # Errors
    /// It cannot be read; then nothing is known of any of its objects.
    fn observe(&self) -> Result<Observation, TargetError>;

    /// What stands where these objects are to be and is not ours. Reads only.
    ///
    /// # Errors
    /// It cannot be read.
    fn obstacles(&self, wanted: &[Resource]) -> Result<Vec<Obstacle>, TargetError> {
        let _ = wanted;
        Ok(Vec::new())
    }

    /// How it wants its changes.
    fn batching(&self) -> Batching;

    /// Carries out changes: one result each, in the same order. A create of what exists, an update or a delete
    /// whose precondition no longer holds, are conflicts; a delete of what is gone is done.
    fn apply(&self, batch: Batch<'_>) -> Vec<Result<(), TargetError>>;

    /// Does what an observation says is to be settled, once all objects are as wanted. `input_digest` is over them.
    ///
    /// # Errors
    /// It is not settled, or in part; a later call goes on.
    fn settle(&self, input_digest: &str) -> Result<(), TargetError> {
        let _ = input_digest;
        Ok(())
    }

    /// What was applied last; none when nothing was, or it is not remembered.
    ///
    /// # Errors
    /// It is there and cannot be read.
    fn inventory(&self) -> Result<Option<Inventory>, TargetError>;

    /// Remembers what is applied now. Writes nothing when it is the same.
    ///
    /// # Errors
    /// It cannot be written.
    fn record(&self, inventory: &Inventory) -> Result<(), TargetError>;
}
