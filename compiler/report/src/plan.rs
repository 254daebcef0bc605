//! A plan as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use poolwright_engine::Report;
use poolwright_model::money::Cost;
use poolwright_model::plan::{Action, Change, PlanTarget, Settle};
use poolwright_model::{Address, Plan};

use crate::layout::{WIDTH, count, ends, table};
use crate::{field, money};

/// The text of a plan: destroys, then every target with its objects, then capacity, money, routes and policies, then
/// the counts and what to type next: `next` is the command that would apply this plan, without its digest; none where
/// the plan is being applied.
#[must_use]
pub fn plan(plan: &Plan, next: Option<&str>) -> String {
    let mut text = head(plan);
    let (gone, other): (Vec<&Change>, Vec<&Change>) =
        plan.changes.iter().partition(|change| destroys(change.action));
    if !gone.is_empty() {
        text.push_str("\ndestroys\n");
        for change in &gone {
            object(&mut text, change, true);
        }
    }
    let mut by_target: BTreeMap<&Address, Vec<&Change>> = BTreeMap::new();
    for change in other {
        by_target.entry(&change.target).or_default().push(change);
    }
    for target in &plan.targets {
        section(&mut text, target, by_target.get(&target.address).map(Vec::as_slice).unwrap_or_default());
    }
    text.push('\n');
    summary(&mut text, plan, next);
    text
}

fn destroys(action: Action) -> bool {
    matches!(action, Action::Delete | Action::Replace)
}

/// Work that no object shows, counted: `1 target moves`. `done`: what was done of it, `1 target moved`.
fn settled<'a>(all: impl Iterator<Item = &'a Settle>, done: bool) -> Vec<String> {
    let (mut finish, mut remember, mut moves, mut remove) = (0, 0, 0, 0);
    for settle in all {
        *match settle {
            Settle::Finish => &mut finish,
            Settle::Remember => &mut remember,
            Settle::Move { .. } => &mut moves,
            Settle::Remove => &mut remove,
        } += 1;
    }
    let one = |many: usize, one: &'static str, more: &'static str| if many == 1 { one } else { more };
    let words = [
        (finish, "interrupted write", "to finish", "finished"),
        (remember, "target", "to write down", "written down"),
        (moves, "target", one(moves, "moves", "move"), "moved"),
        (remove, "target", one(remove, "goes away", "go away"), "removed"),
    ];
    let words = words.into_iter().filter(|(many, ..)| *many > 0);
    words
        .map(|(many, what, does, did)| format!("{} {}", count(many, what), if done { did } else { does }))
        .collect()
}

fn to_settle(plan: &Plan) -> Vec<String> {
    settled(plan.targets.iter().filter_map(|target| target.settle.as_ref()), false)
}

fn head(plan: &Plan) -> String {
    let changed: BTreeSet<&Address> = plan.changes.iter().map(|change| &change.target).collect();
    let touched =
        plan.targets.iter().filter(|it| it.settle.is_some() || changed.contains(&it.address)).count();
    let prices = format!(" · prices: {}", money::books(&plan.books));
    let changes = match plan.changes.len() {
        0 => format!("no changes on {}", count(plan.targets.len(), "target")),
        some => format!("{} on {touched} of {}", count(some, "change"), count(plan.targets.len(), "target")),
    };
    let mut parts = vec![plan.fleet.clone(), changes];
    parts.extend(to_settle(plan));
    format!("{}{prices}\n", parts.join(" · "))
}

/// `kubernetes.eks`
fn short(address: &Address) -> &str {
    address.as_str().strip_prefix("target.").unwrap_or(address.as_str())
}

fn section(text: &mut String, target: &PlanTarget, changes: &[&Change]) {
    if changes.is_empty() && target.settle.is_none() && target.reachable {
        return;
    }
    let support = if target.reachable { target.support.clone() } else { "unknown, unreachable".to_owned() };
    let _ =
        writeln!(text, "\n{}", ends(&format!("{}  {}", short(&target.address), target.identity), &support));
    if !target.reachable {
        let _ = writeln!(text, "  ? {} not compared", count(changes.len(), "object"));
        return;
    }
    for change in changes {
        object(text, change, false);
    }
    let settles = match &target.settle {
        None => return,
        Some(Settle::Finish) => "~ finishes an interrupted write".to_owned(),
        Some(Settle::Remember) => "~ writes down what is applied".to_owned(),
        Some(Settle::Move { from }) => format!("~ moves here from {from}"),
        Some(Settle::Remove) => format!("- {} and what is remembered of it", target.identity),
    };
    let _ = writeln!(text, "  {settles}");
}

fn sign(action: Action) -> &'static str {
    match action {
        Action::Create => "+",
        Action::Update => "~",
        Action::Delete => "-",
        Action::Replace => "-/+",
        Action::Adopt => "→",
        Action::Forget => "←",
        Action::NoOp => " ",
        Action::Unknown => "?",
    }
}

fn object(text: &mut String, change: &Change, with_target: bool) {
    let name = change
        .identity
        .rsplit_once(&format!("{}/", change.kind))
        .map_or(change.identity.as_str(), |(_, name)| name);
    let target = if with_target { format!("{}  ", short(&change.target)) } else { String::new() };
    let place =
        change.origin.as_ref().map(|place| format!("{}:{}", place.file, place.line)).unwrap_or_default();
    let remark = change.remark.as_ref().map(|remark| format!("   {remark}")).unwrap_or_default();
    let reason = change.reason.as_ref().map(|reason| format!("   {reason}")).unwrap_or_default();
    let left = format!("  {} {target}{} {name}{remark}{reason}", sign(change.action), change.kind);
    let _ = writeln!(text, "{}", ends(&left, &place));
    if change.action == Action::Create {
        return;
    }
    let rows: Vec<Vec<String>> = change
        .fields
        .iter()
        .filter(|field| field::shown(field))
        .map(|field| {
            let mut sides = field::sides(field);
            if field.forces_replace {
                sides.push_str("   forces a new object");
            }
            if let Some(owner) = &field.owner {
                let _ = write!(sides, "   observed, owned by {owner}");
            }
            vec![format!("      {}", field::path(&field.path)), sides]
        })
        .collect();
    text.push_str(&table(&rows, &[]));
}

fn summary(text: &mut String, plan: &Plan, next: Option<&str>) {
    for change in &plan.capacity {
        let side = |gpus: Option<u64>| gpus.map_or_else(|| "–".to_owned(), |gpus| gpus.to_string());
        let line = match change.before {
            None => format!("{} GPUs", side(change.after)),
            Some(_) => format!("{} → {} GPUs", side(change.before), side(change.after)),
        };
        let _ = writeln!(text, "{}", labelled("capacity", &format!("{:<24} {line}", change.pool.label())));
    }
    if let Some(costs) = &plan.summary.cost {
        cost_lines(text, plan, costs.before.as_ref(), &costs.after, costs.delta.as_ref());
    }
    for route in &plan.routes {
        let on = format!("{} × {}", route.route.label(), short(&route.target));
        let _ = writeln!(text, "{}", labelled("routes", &format!("{on}: {}", route.fidelity)));
        for line in route.note.iter().flat_map(|note| note.split("; ")) {
            let _ = writeln!(text, "{}", labelled("", &format!("  {line}")));
        }
    }
    if !plan.policies.is_empty() {
        let _ = writeln!(text, "{}", labelled("policies", &verdicts(plan)));
    }
    for (index, (name, output)) in plan.outputs.iter().enumerate() {
        let label = if index == 0 { "outputs" } else { "" };
        let value = output.text.as_deref().unwrap_or("(sensitive)");
        let _ = writeln!(text, "{}", labelled(label, &format!("{name} = {value}")));
    }
    text.push('\n');
    let counts = &plan.summary;
    let mut parts = vec![
        format!("{} to create", counts.create),
        format!("{} to change", counts.update),
        format!("{} to destroy", counts.delete + counts.replace),
    ];
    if counts.replace > 0 {
        parts.push(format!("{} of them replaced", counts.replace));
    }
    if counts.unknown > 0 {
        parts.push(format!("{} unknown", counts.unknown));
    }
    parts.extend(to_settle(plan));
    parts.push(plan.digest.clone());
    let _ = writeln!(text, "{}", parts.join(" · "));
    let severe =
        |severity: &str| plan.policies.iter().any(|verdict| verdict.severity.as_deref() == Some(severity));
    if severe("deny") {
        text.push_str("a policy denies this change: nothing can be applied\n");
    } else if severe("approve") {
        // Approvals are files bound to the digest (CONTRACT §1, `--approval`); they are not built yet.
        text.push_str(
            "a policy asks for an approval, and approvals are not built yet: nothing can be applied\n",
        );
    } else if plan.diagnostics.iter().any(|diagnostic| diagnostic["severity"] == "error") {
        text.push_str("the errors stand against this plan: nothing can be applied\n");
    } else if plan.is_stuck() {
        text.push_str("what would change could not be read: nothing can be applied\n");
    } else if let Some(next) = next.filter(|_| !plan.is_empty()) {
        let _ = writeln!(text, "apply exactly this:  {next} --approved {}", plan.digest);
    }
}

fn labelled(label: &str, rest: &str) -> String {
    format!("{label:<12}{rest}").trim_end().to_owned()
}

fn cost_lines(text: &mut String, plan: &Plan, before: Option<&Cost>, after: &Cost, delta: Option<&Cost>) {
    type Pick = fn(&Cost) -> Option<&poolwright_expression::quantity::Money>;
    let picks: [(&str, Pick); 3] = [
        ("floor", |cost| cost.monthly.floor.as_ref()),
        ("expected", |cost| cost.monthly.expected.as_ref()),
        ("ceiling", |cost| cost.monthly.ceiling.as_ref()),
    ];
    let mut rows = Vec::new();
    for (index, (name, pick)) in picks.into_iter().enumerate() {
        let label = if index == 0 { "cost/month  " } else { "            " };
        let mut row = vec![format!("{label}{name}")];
        match before.filter(|_| !plan.changes.is_empty()) {
            Some(before) => {
                row.push(money::total(pick(before)));
                row.push(format!("→ {}", money::total(pick(after))));
                row.push(money::delta(delta.and_then(pick)));
            }
            None => row.push(money::total(pick(after))),
        }
        rows.push(row);
    }
    text.push_str(&table(&rows, &[1, 2, 3]));
    for why in &after.monthly.unknown {
        let _ = writeln!(text, "            {why}");
    }
}

fn verdicts(plan: &Plan) -> String {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for verdict in &plan.policies {
        let word = match (verdict.verdict.as_str(), &verdict.severity) {
            ("not-applicable", _) => continue,
            (_, Some(severity)) => severity.clone(),
            (word, None) => word.to_owned(),
        };
        match counts.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((word, 1)),
        }
    }
    if counts.is_empty() {
        return "none applies".to_owned();
    }
    counts.into_iter().map(|(word, count)| format!("{count} {word}")).collect::<Vec<_>>().join(" · ")
}

/// What an apply did, in a line or two.
#[must_use]
pub fn applied(report: &Report) -> String {
    let mut parts = settled(report.settled.iter(), true);
    if !report.applied.is_empty() || parts.is_empty() {
        parts.insert(0, format!("{} changed", report.applied.len()));
    }
    if !report.failed.is_empty() {
        parts.push(format!("{} failed", report.failed.len()));
    }
    if !report.skipped.is_empty() {
        parts.push(format!("{} not tried", report.skipped.len()));
    }
    let word = if report.exit() == 0 { "done" } else { "not done" };
    let line = format!("{word} · {}\n", parts.join(" · "));
    debug_assert!(line.chars().count() <= WIDTH, "a summary fits a line");
    line
}
