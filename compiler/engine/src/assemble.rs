//! A plan from its parts, and the digest that people approve.

use std::borrow::Cow;
use std::collections::BTreeMap;

use poolwright_diagnostics::Diagnostic;
use poolwright_model::money::BookUse;
use poolwright_model::plan::{
    Action, CapacityChange, Change, CostChange, PlanOutput, PlanTarget, RouteLine, Summary, Verdict,
};
use poolwright_model::resource::Ownership;
use poolwright_model::{Address, Plan, canonical};
use poolwright_target::ownership::{Rules, at_creation, strip};
use serde::Serialize;
use serde_json::{Value, json};

use crate::diff::{Difference, destroys, sort_changes};
use crate::{codes, order};

/// The value of `schema`.
pub const PLAN_SCHEMA: &str = "poolwright/plan/v1";

/// Everything that a plan is made of.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// Name and version of the program.
    pub tool: String,
    /// Name of the fleet.
    pub fleet: String,
    /// Over the canonical fleet, the policies and the price lock.
    pub input_digest: String,
    /// Every target.
    pub targets: Vec<PlanTarget>,
    /// The difference on each target.
    pub differences: Vec<Difference>,
    /// Money before and after.
    pub cost: Option<CostChange>,
    /// Pools whose capacity changes.
    pub capacity: Vec<CapacityChange>,
    /// Routes × targets.
    pub routes: Vec<RouteLine>,
    /// Verdicts.
    pub policies: Vec<Verdict>,
    /// Price books.
    pub books: Vec<BookUse>,
    /// Results of the fleet.
    pub outputs: BTreeMap<String, PlanOutput>,
    /// Warnings and notes as JSON of CONTRACT §4, in the order in which they are shown.
    pub diagnostics: Vec<Value>,
}

/// Puts a plan together. The diagnostics are those of the differences, and a circle if there is one; with an error
/// among them the plan is to be shown and not applied. Call it again, or [`seal`], when verdicts come later.
#[must_use]
pub fn assemble(parts: Parts) -> (Plan, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut changes: Vec<Change> = Vec::new();
    let mut summary = Summary { cost: parts.cost, ..Summary::default() };
    for difference in parts.differences {
        changes.extend(difference.changes);
        summary.no_op += difference.no_op;
        diagnostics.extend(difference.diagnostics);
    }
    sort_changes(&mut changes);
    for change in &changes {
        *match change.action {
            Action::Create => &mut summary.create,
            Action::Update => &mut summary.update,
            Action::Replace => &mut summary.replace,
            Action::Delete => &mut summary.delete,
            Action::Adopt => &mut summary.adopt,
            Action::Forget => &mut summary.forget,
            Action::NoOp => &mut summary.no_op,
            Action::Unknown => &mut summary.unknown,
        } += 1;
    }
    diagnostics.extend(order::cycles(&changes).iter().map(|cycle| order::cycle_diagnostic(cycle)));
    Diagnostic::sort(&mut diagnostics);
    let (mut targets, mut routes, mut policies, mut capacity) =
        (parts.targets, parts.routes, parts.policies, parts.capacity);
    targets.sort_by(|a, b| a.address.cmp(&b.address));
    routes.sort_by(|a, b| (&a.route, &a.target).cmp(&(&b.route, &b.target)));
    policies.sort_by(|a, b| (&a.policy, &a.object).cmp(&(&b.policy, &b.object)));
    capacity.sort_by(|a, b| a.pool.cmp(&b.pool));
    let mut plan = Plan {
        schema: PLAN_SCHEMA.to_owned(),
        tool: parts.tool,
        fleet: parts.fleet,
        input_digest: parts.input_digest,
        digest: String::new(),
        summary,
        targets,
        changes,
        routes,
        policies,
        capacity,
        books: parts.books,
        outputs: parts.outputs,
        diagnostics: parts.diagnostics,
    };
    seal(&mut plan);
    (plan, diagnostics)
}

/// Sets a plan's digest to what it holds now.
pub fn seal(plan: &mut Plan) {
    plan.digest = digest(plan);
}

/// The digest of CONTRACT §4: what is intended, what must still be so of what is ours, the verdicts, the inputs
/// with the price lock. Not in it: what others own, words for people, the tool's version.
#[must_use]
pub fn digest(plan: &Plan) -> String {
    // Line by line, so that a plan of 100,000 objects needs no second copy of itself in memory.
    let mut digest = canonical::Digester::default();
    line(
        &mut digest,
        &json!({"schema": plan.schema, "fleet": plan.fleet, "input_digest": plan.input_digest}),
    );
    for target in &plan.targets {
        line(
            &mut digest,
            &json!({
                "target": target.address, "kind": target.kind, "identity": target.identity,
                "ring": target.ring, "settle": target.settle, "state": target.state,
            }),
        );
    }
    for change in &plan.changes {
        line(&mut digest, &Intent::of(change));
    }
    for verdict in &plan.policies {
        line(
            &mut digest,
            &json!({
                "policy": verdict.policy, "object": verdict.object,
                "verdict": verdict.verdict, "severity": verdict.severity,
            }),
        );
    }
    digest.finish()
}

/// Adds a value whose keys are text, sorted: it is always JSON, and canonical.
fn line(digest: &mut canonical::Digester, value: &impl Serialize) {
    digest.add(serde_json::to_string(value).unwrap_or_default());
    digest.add("\n");
}

/// A change as the digest sees it, its keys sorted.
#[derive(Serialize)]
struct Intent<'a> {
    action: Action,
    address: &'a str,
    body: Option<Cow<'a, Value>>,
    depends_on: &'a [String],
    fields: Vec<(&'a str, &'a Option<Value>, &'a Option<Value>, bool)>,
    found: &'a Option<String>,
    identity: &'a str,
    kind: &'a str,
    ownership: &'a BTreeMap<String, Ownership>,
    protected: bool,
    target: &'a Address,
}

impl<'a> Intent<'a> {
    fn of(change: &'a Change) -> Self {
        let ours = change.fields.iter().filter(|field| field.owner.is_none());
        let body = change.body.as_ref();
        Self {
            action: change.action,
            address: &change.address,
            body: body.map(|body| body_intent(body, change.action, &change.ownership)),
            depends_on: &change.depends_on,
            fields: ours
                .map(|field| (field.path.as_str(), &field.before, &field.after, field.forces_replace))
                .collect(),
            found: &change.found,
            identity: &change.identity,
            kind: &change.kind,
            ownership: &change.ownership,
            protected: change.protected,
            target: &change.target,
        }
    }
}

fn body_intent<'a>(
    body: &'a Value,
    action: Action,
    ownership: &BTreeMap<String, Ownership>,
) -> Cow<'a, Value> {
    if ownership.is_empty() {
        return Cow::Borrowed(body);
    }
    if matches!(action, Action::Create | Action::Replace) {
        return Cow::Owned(at_creation(body, ownership));
    }
    let mut body = body.clone();
    strip(&mut body, &Rules::new(ownership), &|_| true);
    Cow::Owned(body)
}

/// What a user allowed on the command line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guards {
    /// At most so many objects may be destroyed or replaced; none: no limit.
    pub allow_destroy: Option<usize>,
    /// Whether a plan may leave nothing.
    pub allow_empty: bool,
}

/// Refuses a plan that destroys more than was allowed, or everything: a broken generator looks like that.
#[must_use]
pub fn guard(plan: &Plan, guards: Guards) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    let summary = &plan.summary;
    let destroyed = summary.delete + summary.replace;
    let left =
        summary.create + summary.update + summary.replace + summary.adopt + summary.no_op + summary.unknown;
    if summary.delete > 0 && left == 0 && !guards.allow_empty {
        let message = format!("the plan would remove all {} objects and leave nothing", summary.delete);
        all.push(Diagnostic::error(codes::EMPTY, message).with_help("if that is meant: --allow-empty"));
    }
    // Each pool is counted to one target, so that targets without any say that the fleet has none.
    let poolless = !plan.targets.is_empty()
        && (plan.targets.iter())
            .all(|target| target.state.as_ref().is_some_and(|state| state.capacity.is_empty()));
    if summary.delete > 0 && left > 0 && poolless && !guards.allow_empty {
        let message =
            format!("the plan would remove {} objects, and the fleet has no pool any more", summary.delete);
        all.push(
            Diagnostic::error(codes::EMPTY, message)
                .with_note("a fleet that lost its files, or a broken generator, looks like this")
                .with_help("if that is meant: --allow-empty"),
        );
    }
    if let Some(allowed) = guards.allow_destroy.filter(|allowed| destroyed > *allowed) {
        let mut diagnostic = Diagnostic::error(
            codes::TOO_MANY_DESTROYS,
            format!("the plan destroys {destroyed} objects, allowed are {allowed}"),
        )
        .with_help(format!("if that is meant: --allow-destroy {destroyed}"));
        let destroys = plan.changes.iter().filter(|change| destroys(change.action));
        diagnostic.notes.extend(destroys.map(|change| change.address.clone()));
        all.push(diagnostic);
    }
    all
}
