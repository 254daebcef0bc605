//! The part of a fleet that is evaluated after prices and layout exist: policies, tests, conditions and results, as
//! expressions; and what is said of addresses: `moved`, `removed`, `import`.
//!
//! Locals, variables and `each` are values already: what is left to ask of a host are blocks and `fleet`.

use std::collections::BTreeMap;

use poolwright_diagnostics::Span;
use poolwright_expression::quantity::{Date, Money};
use poolwright_expression::{Defaults, Expr, Type, Value};

use crate::{Address, Meta};

/// What a fleet says besides its blocks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// By address.
    pub policies: Vec<Policy>,
    /// In the order of their names.
    pub tests: Vec<Test>,
    /// `check` blocks, in the order of their names: a failure is a warning.
    pub checks: Vec<Test>,
    /// `precondition` and `postcondition` blocks, by the address of the block that they stand in.
    pub conditions: Vec<Condition>,
    /// `output` blocks of all modules, by address.
    pub outputs: Vec<Output>,
    /// `moved` blocks, in the order of the files.
    pub moved: Vec<Moved>,
    /// `removed` blocks, in the order of the files.
    pub removed: Vec<Removed>,
    /// `import` blocks, in the order of the files.
    pub imports: Vec<Import>,
}

/// A `precondition` or `postcondition` block: a failure is an error.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The block that it stands in, which is `self`.
    pub of: Address,
    /// `precondition` or `postcondition`.
    pub kind: &'static str,
    /// What must hold.
    pub assert: Assert,
}

/// An `output` block.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// The path of its module; of the fleet itself: empty.
    pub module: String,
    /// Its name.
    pub name: String,
    /// `description`.
    pub description: Option<String>,
    /// What it is.
    pub value: Expr,
    /// What the value is brought to, and what stands in for parts that it lacks.
    pub ty: (Type, Defaults),
    /// Never printed.
    pub sensitive: bool,
    /// The block's header.
    pub span: Span,
}

/// A `moved` block: a block that has a new address.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// The address that it had.
    pub from: Address,
    /// The address that it has.
    pub to: Address,
    /// The block's header.
    pub span: Span,
}

/// A `removed` block: a block that is gone.
#[derive(Clone, Debug, PartialEq)]
pub struct Removed {
    /// The address that it had.
    pub from: Address,
    /// Whether its objects are destroyed; otherwise they are forgotten and stay.
    pub destroy: bool,
    /// The block's header.
    pub span: Span,
}

/// An `import` block: an existing object that becomes a block's.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The block's address.
    pub to: Address,
    /// The object's address.
    pub id: String,
    /// The block's header.
    pub span: Span,
}

/// A `policy` block (LANGUAGE §3.5, §6.1).
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// The head.
    pub meta: Meta,
    /// What it is judged on, once per object, as `self`.
    pub subject: Subject,
    /// Scope; none: always.
    pub when: Option<Expr>,
    /// The rule.
    pub require: Expr,
    /// How bad a violation is.
    pub severity: PolicySeverity,
    /// What an unknown rule counts as.
    pub on_unknown: PolicySeverity,
    /// Who may approve.
    pub approvers: Vec<String>,
    /// How many of them.
    pub quorum: u32,
    /// Template.
    pub message: Expr,
    /// What to do.
    pub remedy: Option<String>,
    /// When it is enforced.
    pub enforce: Vec<Enforce>,
    /// Exceptions, in the order written.
    pub exempts: Vec<Exempt>,
    /// Its inline tests.
    pub tests: Vec<PolicyTest>,
}

/// When a policy is enforced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Enforce {
    /// When a plan is made.
    Plan,
    /// When a job or an object is let in.
    Admission,
    /// While the fleet runs.
    Reconcile,
}

impl Enforce {
    /// As written in the language.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Admission => "admission",
            Self::Reconcile => "reconcile",
        }
    }
}

/// An `exempt` block: an exception with an end.
#[derive(Clone, Debug, PartialEq)]
pub struct Exempt {
    /// The head; the label names it.
    pub meta: Meta,
    /// Over `self`: which objects.
    pub matches: Expr,
    /// Last day it counts, UTC.
    pub until: Date,
    /// Who answers for it.
    pub owner: String,
    /// Where it was agreed.
    pub ticket: Option<String>,
    /// Void when the object's ceiling of a month is above; money/month.
    pub max_monthly: Option<Money>,
}

/// What a policy is judged on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Subject {
    Plan,
    Change,
    Pool,
    Lot,
    Queue,
    Route,
    Class,
    Tenant,
    Target,
}

impl Subject {
    /// All of them, in the order of LANGUAGE §3.5.
    pub const ALL: [Self; 9] = [
        Self::Plan,
        Self::Change,
        Self::Pool,
        Self::Lot,
        Self::Queue,
        Self::Route,
        Self::Class,
        Self::Tenant,
        Self::Target,
    ];

    /// As written in the language.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Change => "change",
            Self::Pool => "pool",
            Self::Lot => "lot",
            Self::Queue => "queue",
            Self::Route => "route",
            Self::Class => "class",
            Self::Tenant => "tenant",
            Self::Target => "target",
        }
    }
}

/// How bad a violation is; also what `on_unknown` may say. Ordered: later is worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum PolicySeverity {
    /// `on_unknown` only: judged again at run time.
    Defer,
    Info,
    Warn,
    Approve,
    Deny,
}

impl PolicySeverity {
    /// As written in the language.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Defer => "defer",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Approve => "approve",
            Self::Deny => "deny",
        }
    }
}

/// A `test` block inside a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyTest {
    /// The head; the label is free text.
    pub meta: Meta,
    /// `self`, `plan`, `now`: an object, typed by the subject's schema, null where nothing was given.
    pub given: Value,
    /// `pass`, a severity, `exempt`, `not-applicable` or `unknown`.
    pub expect: String,
}

/// A `test` or `check` block at the top level.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// The head; the label is free text.
    pub meta: Meta,
    /// Values of variables for this test alone.
    pub variables: BTreeMap<String, Value>,
    /// Codes of errors that must come; then nothing is asserted.
    pub expect_errors: Vec<String>,
    /// What must hold.
    pub asserts: Vec<Assert>,
}

/// An `assert` block.
#[derive(Clone, Debug, PartialEq)]
pub struct Assert {
    /// The block's header.
    pub span: Span,
    /// Must be true.
    pub condition: Expr,
    /// Said when it is not.
    pub error_message: Expr,
}
