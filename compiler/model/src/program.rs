//! The part of a fleet that is evaluated after prices and layout exist: policies and tests, as expressions.

use poolwright_expression::Expr;

use crate::Meta;

/// Policies and tests of a fleet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// By address.
    pub policies: Vec<Policy>,
    /// In the order of their names.
    pub tests: Vec<Test>,
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
    /// Its inline tests.
    pub tests: Vec<PolicyTest>,
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
    pub given: poolwright_expression::Value,
    /// `pass`, a severity, `exempt`, `not-applicable` or `unknown`.
    pub expect: String,
}

/// A `test` block at the top level.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// The head; the label is free text.
    pub meta: Meta,
    /// What must hold.
    pub asserts: Vec<Assert>,
}

/// An `assert` block.
#[derive(Clone, Debug, PartialEq)]
pub struct Assert {
    /// The block's header.
    pub span: poolwright_diagnostics::Span,
    /// Must be true.
    pub condition: Expr,
    /// Said when it is not.
    pub error_message: Expr,
}
