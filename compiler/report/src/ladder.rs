//! A ladder as text: when each step opens, what it has, what it costs, and what becomes of a job on it.

use poolwright_model::fleet::{Reason, Return, TierKind};
use poolwright_model::layout::RouteFidelity;
use poolwright_router::{ExplainedPlace, ExplainedStep, Explanation};

use crate::layout::table;
use crate::money;

/// `route explain QUEUE`. `fidelity` says how exactly the route is carried out, if the queue has one.
#[must_use]
pub fn ladder(explained: &Explanation, fidelity: Option<&RouteFidelity>) -> String {
    // With their modules: each may have a tenant of the same label.
    let tenants: Vec<String> =
        explained.tenants.iter().map(poolwright_model::Address::without_kind).collect();
    let enter = explained.enter.as_ref().map(|target| format!(" · jobs enter at {}", short(target.as_str())));
    let mut text = format!(
        "{} · class {} · {}{}\n",
        explained.queue.label(),
        explained.class.label(),
        tenants.join(", "),
        enter.unwrap_or_default(),
    );
    let rows: Vec<Vec<String>> = explained
        .steps
        .iter()
        .flat_map(|step| {
            step.places.iter().enumerate().map(move |(index, place)| row(step, index == 0, place))
        })
        .collect();
    text.push_str(&table(&rows, &[3]));
    if explained.steps.len() > 1 {
        let kept = match explained.returns {
            Return::Never => "an earlier step closes when a later one opens",
            Return::WhenIdle => "the earlier step stays open · a job that comes back begins at",
            Return::Prefer => {
                "the earlier step stays open · a running job goes back after a checkpoint, and one that comes back begins at"
            }
        };
        let first = explained.steps.first().map_or("", |step| step.name.as_str());
        let names = explained.returns != Return::Never;
        text.push_str(&format!("  {kept}{}\n", if names { format!(" {first}") } else { String::new() }));
    }
    if let Some(fidelity) = fidelity {
        text.push_str(&format!("  on {}: {}\n", short(fidelity.target.as_str()), fidelity.line));
        for line in fidelity.note.iter().flat_map(|note| note.split("; ")) {
            text.push_str(&format!("    {line}\n"));
        }
    }
    text
}

fn short(target: &str) -> &str {
    target.strip_prefix("target.").unwrap_or(target)
}

fn row(step: &ExplainedStep, first: bool, place: &ExplainedPlace) -> Vec<String> {
    let at = match step.opens_at {
        Some(seconds) => format!("  at {}", clock(seconds)),
        None => "  never".to_owned(),
    };
    let (at, name) = if first { (at, step.name.clone()) } else { (String::new(), String::new()) };
    let mut price = match &place.unknown {
        Some(why) if place.price.is_none() => format!("price unknown: {why}"),
        _ => money::price(place.price.as_ref()),
    };
    if let Some(most) = &place.at_most {
        price.push_str(&format!(" now, {} at most", money::price(Some(most))));
    }
    if let Some(cap) = &place.cap {
        price.push_str(&format!(", cap {}", money::price(Some(cap))));
    }
    vec![
        at,
        name,
        place.pool.label().to_owned(),
        format!("{} GPUs", place.gpus),
        price,
        note(step, first, place),
    ]
}

/// What is worth knowing of a place: how it is bought, and why the step opens.
fn note(step: &ExplainedStep, first: bool, place: &ExplainedPlace) -> String {
    let mut parts: Vec<String> = Vec::new();
    if first && !step.opens_on.is_empty() {
        let reasons: Vec<&str> = step.opens_on.iter().map(|reason| words(*reason)).collect();
        parts.push(format!("opens as well if the step before gave {}", reasons.join(" or ")));
    }
    let kinds: Vec<&str> = place.tiers.iter().map(|kind| kind.as_str()).collect();
    let mut bought = kinds.join(", ");
    if let (true, Some(mean)) = (place.tiers.contains(&TierKind::Spot), &place.mean_time) {
        bought.push_str(&format!(", about {mean} between interruptions"));
    }
    parts.push(bought);
    parts.join(" · ")
}

fn words(reason: Reason) -> &'static str {
    match reason {
        Reason::NoQuota => "no quota",
        Reason::NoCapacity => "no nodes",
        Reason::PriceAbove => "a price above its cap",
        Reason::Lost => "nodes that went away",
    }
}

/// Seconds as hours and minutes: `0:15`, with seconds where there are any.
fn clock(seconds: u64) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if rest == 0 { format!("{hours}:{minutes:02}") } else { format!("{hours}:{minutes:02}:{rest:02}") }
}
