//! The difference between what is wanted and what is there (CONTRACT §4).

use std::collections::BTreeMap;

use poolwright_diagnostics::Span;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::resource::Ownership;
use crate::{Address, Cost};

/// A plan. Its JSON holds no secret; equal input gives equal bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// `poolwright/plan/v1`.
    pub schema: String,
    /// Name and version of the program that made it.
    pub tool: String,
    /// Name of the fleet.
    pub fleet: String,
    /// Over the canonical fleet, the policies and the prices.
    pub input_digest: String,
    /// Over what is intended: changes, preconditions of what is ours, verdicts, prices.
    pub digest: String,
    /// Counts and money.
    pub summary: Summary,
    /// Every target, by address.
    pub targets: Vec<PlanTarget>,
    /// Every object that is not as wanted, and none that is; destroys first, then by address.
    pub changes: Vec<Change>,
    /// One line per route × target.
    pub routes: Vec<RouteLine>,
    /// Verdicts of policies.
    pub policies: Vec<Verdict>,
    /// Capacity of pools that changes, GPUs at most: pool, before, after.
    pub capacity: Vec<CapacityChange>,
    /// Books that prices come from, with the date of the newest row of each.
    pub books: Vec<crate::money::BookUse>,
    /// `output` blocks of the fleet's own folder, by name. Not in the digest: they change nothing.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub outputs: BTreeMap<String, PlanOutput>,
    /// Warnings and notes, as JSON of CONTRACT §4.
    pub diagnostics: Vec<Value>,
}

/// A result of the fleet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanOutput {
    /// `description`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether the value is kept out of the plan.
    pub sensitive: bool,
    /// The value as JSON; none: it is sensitive, or null.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The value as the language writes it; none: it is sensitive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Plan {
    /// Whether an apply has nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.targets.iter().all(|target| target.settle.is_none())
    }

    /// Whether there are changes, and none that an apply could carry out: all are of targets that could not be read.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        !self.is_empty()
            && self.changes.iter().all(|change| change.action == Action::Unknown)
            && self.targets.iter().all(|target| target.settle.is_none())
    }
}

/// Counts and money of a plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub struct Summary {
    pub create: usize,
    pub update: usize,
    pub replace: usize,
    pub delete: usize,
    pub adopt: usize,
    pub forget: usize,
    pub no_op: usize,
    pub unknown: usize,
    /// None: nothing is priced.
    pub cost: Option<CostChange>,
}

/// Money before and after.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CostChange {
    /// Of what was applied last; none on the first plan.
    pub before: Option<Cost>,
    /// Of what is wanted.
    pub after: Cost,
    /// After − before; none when either is unknown.
    pub delta: Option<Cost>,
}

/// A target of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanTarget {
    /// `target.kubernetes.eks`.
    pub address: Address,
    /// `kubernetes`.
    pub kind: String,
    /// Which system it is: the folder, the account and region, the API server.
    pub identity: String,
    /// Whether it could be read.
    pub reachable: bool,
    /// What is proven of it: `live-proven`, `schema-checked`, `rendered, not schema-checked`, `inventory-only`.
    pub support: String,
    /// Applied when all of the ring before is ready; 0 to 9.
    #[serde(default)]
    pub ring: u8,
    /// What an apply settles on it beside its objects; none: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settle: Option<Settle>,
    /// What is remembered of it once all its changes are applied; none: a part is applied, what was is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<TargetState>,
}

/// Work on a target that no object shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Settle {
    /// An earlier write was interrupted; the rest of it is done.
    Finish,
    /// The target is somewhere else now: everything goes there, and what is ours at the old place goes away.
    Move {
        /// The old place, as an identity.
        from: String,
    },
    /// All objects are as wanted, and what is remembered of them is not: an apply was stopped before it wrote it down.
    Remember,
    /// The fleet has no such target any more: its place, and what is remembered of it, go away.
    Remove,
}

/// What is remembered of a target after an apply, beside its objects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TargetState {
    /// Over the target's own lowered objects.
    pub input_digest: String,
    /// Of its pools; none: not priced.
    pub cost: Option<Cost>,
    /// GPUs at most, by pool.
    pub capacity: BTreeMap<Address, u64>,
}

/// What a plan does to one object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The object's address.
    pub address: String,
    /// Its target.
    pub target: Address,
    /// Its kind.
    pub kind: String,
    /// Its identity on the target.
    pub identity: String,
    /// What is done.
    pub action: Action,
    /// Why, when it is more than a difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether destroy and replace are refused: it is protected now, or is to be.
    pub protected: bool,
    /// Objects that come first.
    pub depends_on: Vec<String>,
    /// Differences, by path.
    pub fields: Vec<FieldChange>,
    /// What must still be so at apply.
    pub precondition: Option<String>,
    /// Over the object as it was found, less what others own; none: it was not there. Unlike the precondition
    /// it does not change when somebody else's field does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// The whole object as it is wanted; none for a delete.
    pub body: Option<Value>,
    /// Fields of `body` that are not ours once the object exists, as in a resource.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ownership: BTreeMap<String, Ownership>,
    /// Where the block behind it was written.
    pub origin: Option<Place>,
    /// A word for the plan's line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

/// Path of the field of a [`Change`] that says that protection is put on or taken off.
pub const PROTECT: &str = "protect";

impl Change {
    /// Whether the object is protected once this is carried out.
    #[must_use]
    pub fn protects(&self) -> bool {
        match self.fields.iter().find(|field| field.path == PROTECT) {
            Some(field) => field.after == Some(Value::Bool(true)),
            None => self.protected && self.action != Action::Delete,
        }
    }
}

/// A place in a file as people count it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Relative to the fleet's folder.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// The span itself, while the sources are at hand.
    #[serde(skip)]
    pub span: Span,
}

/// What is done to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Action {
    Delete,
    Replace,
    Create,
    Update,
    Adopt,
    Forget,
    NoOp,
    Unknown,
}

/// A difference in one field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldChange {
    /// Readable path: `spec.resourceGroups[0].flavors[aws-a100-spot].resources[cpu].nominalQuota`.
    pub path: String,
    /// As found; none: absent.
    pub before: Option<Value>,
    /// As wanted; none: absent.
    pub after: Option<Value>,
    /// Whether the values must not be shown.
    #[serde(default)]
    pub sensitive: bool,
    /// Whether it cannot be changed in place.
    #[serde(default)]
    pub forces_replace: bool,
    /// Who writes it, if not we.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}

/// The fidelity of a route on a target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are those of CONTRACT §4")]
pub struct RouteLine {
    pub route: Address,
    pub target: Address,
    pub mechanism: String,
    pub fidelity: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The verdict of a policy on an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The policy's address.
    pub policy: Address,
    /// The object's address, `plan` for the plan as a whole.
    pub object: String,
    /// `pass`, `violation`, `exempt`, `not-applicable`, `unknown`, `error`.
    pub verdict: String,
    /// What it counts as: `info`, `warn`, `approve`, `deny`; none on pass.
    pub severity: Option<String>,
    /// The policy's message with the values in it.
    pub message: Option<String>,
    /// Where the policy's rule was written.
    pub origin: Option<Place>,
}

/// Capacity of a pool that changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapacityChange {
    /// The pool.
    pub pool: Address,
    /// GPUs at most as applied last; none: it was not there.
    pub before: Option<u64>,
    /// GPUs at most as wanted; none: it goes.
    pub after: Option<u64>,
}
