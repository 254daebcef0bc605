//! From a loaded fleet to the objects of every target: prices, layout, lowering.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::{Diagnostic, SourceMap};
use poolwright_expression::quantity::Date;
use poolwright_language::Later;
use poolwright_model::canonical::Digester;
use poolwright_model::fleet::Pool;
use poolwright_model::plan::PlanOutput;
use poolwright_model::view::View;
use poolwright_model::{Address, Costs, Fleet, Layout, Prices, Program, Resource, canonical};
use poolwright_model::{Meta, Origin};
use poolwright_target::{Input, Lowered, Target};
use rayon::prelude::*;

use crate::Loaded;
use crate::allow::silence;
use crate::host::FleetHost;
use crate::outputs;
use crate::targets::kind;

/// A fleet with everything that follows from it.
#[derive(Debug)]
pub struct Compiled {
    /// The files.
    pub sources: SourceMap,
    /// The fleet.
    pub fleet: Fleet,
    /// Policies and tests.
    pub program: Program,
    /// What the rules make of it.
    pub layout: Layout,
    /// Prices of its lots.
    pub prices: Prices,
    /// What it costs.
    pub costs: Costs,
    /// Objects of every target, sorted by address.
    pub objects: BTreeMap<Address, Vec<Resource>>,
    /// Warnings and notes of all steps.
    pub diagnostics: Vec<Diagnostic>,
    /// Over the canonical fleet, the policies and the prices (CONTRACT §4).
    pub input_digest: String,
}

/// How many objects of each kind, by target.
pub type Counts = BTreeMap<Address, BTreeMap<String, u64>>;

/// Why there is no [`Compiled`]: the files and everything found in them.
#[derive(Debug)]
pub struct Faulty {
    /// The files.
    pub sources: SourceMap,
    /// At least one error among them.
    pub diagnostics: Vec<Diagnostic>,
    /// How many files there are.
    pub files: usize,
}

/// What a fleet is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To look at it: what a later version writes is a warning.
    Look,
    /// To write it to its targets: what a later version writes is an error, nothing of it would be there.
    Write,
}

/// Compiles a loaded fleet. All faults of a stage are found before the next stage is given up.
///
/// # Errors
/// Everything that is wrong, when anything is an error.
pub fn compile(loaded: Loaded, purpose: Purpose) -> Result<Compiled, Box<Faulty>> {
    let Sound { sources, fleet, program, layout, prices, objects, diagnostics } =
        sound(loaded, purpose, |kind, input| {
            let mut lowered = kind.lower(input);
            lowered.resources.sort_by(|a, b| a.address.cmp(&b.address));
            lowered
        })?;
    let costs = poolwright_pricing::cost(&fleet, &prices);
    let input_digest = input_digest(&fleet, &program, &prices, &sources);
    Ok(Compiled { sources, fleet, program, layout, prices, costs, objects, diagnostics, input_digest })
}

/// Checks all that [`compile`] checks and keeps no object: the files, and all warnings and notes.
///
/// # Errors
/// Everything that is wrong, when anything is an error.
pub fn check(loaded: Loaded) -> Result<(SourceMap, Vec<Diagnostic>), Box<Faulty>> {
    sound(loaded, Purpose::Look, |kind, input| Lowered {
        resources: Vec::new(),
        diagnostics: kind.check(input),
    })
    .map(|sound| (sound.sources, sound.diagnostics))
}

/// A fleet without errors.
struct Sound {
    sources: SourceMap,
    fleet: Fleet,
    program: Program,
    layout: Layout,
    prices: Prices,
    objects: BTreeMap<Address, Vec<Resource>>,
    diagnostics: Vec<Diagnostic>,
}

/// Finds all faults. `lower` says what is wrong with the objects of each target, and gives them if they are wanted;
/// targets know nothing of each other, so that several are lowered at a time.
fn sound(
    loaded: Loaded,
    purpose: Purpose,
    lower: impl Fn(&dyn Target, Input<'_>) -> Lowered + Sync,
) -> Result<Sound, Box<Faulty>> {
    let Loaded { sources, fleet, program, texts, later, mut diagnostics, files, .. } = loaded;
    let Some(fleet) = fleet.filter(|_| !diagnostics.iter().any(Diagnostic::is_error)) else {
        silence(&sources, &mut diagnostics, false);
        return Err(Box::new(Faulty { sources, diagnostics, files }));
    };
    let mut fleet = fleet;
    let price = |fleet: &Fleet| poolwright_pricing::price(fleet, &texts);
    // Only where candidates have to be ordered the layout waits for the prices.
    let ((prices, unpriced), (layout, misplaced)) = if fleet.routes.values().any(|it| it.order.is_some()) {
        let (prices, mut found) = price(&fleet);
        found.extend(poolwright_pricing::order(&mut fleet, &prices));
        let laid = poolwright_layout::layout(&fleet);
        ((prices, found), laid)
    } else {
        rayon::join(|| price(&fleet), || poolwright_layout::layout(&fleet))
    };
    diagnostics.extend(unpriced);
    diagnostics.extend(misplaced);
    let unwritten: BTreeSet<Address> = later.iter().filter_map(|it| it.target.clone()).collect();
    let said = |it: &Later| if purpose == Purpose::Write { it.error() } else { it.warning() };
    let mut objects = BTreeMap::new();
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let targets: Vec<_> = fleet.targets.values().collect();
        let lowered: Vec<Lowered> = targets
            .par_iter()
            .map(|target| {
                // Nothing is written to it, whatever its kind.
                if unwritten.contains(&target.meta.address) {
                    return Lowered::default();
                }
                lower(kind(target), Input { fleet: &fleet, layout: &layout, prices: &prices, target })
            })
            .collect();
        for (target, lowered) in targets.into_iter().zip(lowered) {
            objects.insert(target.meta.address.clone(), lowered.resources);
            diagnostics.extend(lowered.diagnostics);
        }
    }
    if !diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.extend(conditions(&fleet, &program, &layout, &prices));
    }
    diagnostics.extend(later.iter().map(said));
    Diagnostic::sort(&mut diagnostics);
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    silence(&sources, &mut diagnostics, !failed);
    if failed {
        return Err(Box::new(Faulty { sources, diagnostics, files }));
    }
    Ok(Sound { sources, fleet, program, layout, prices, objects, diagnostics })
}

/// What the fleet says of itself: conditions of its blocks, its checks, and its outputs, which must have a value.
fn conditions(fleet: &Fleet, program: &Program, layout: &Layout, prices: &Prices) -> Vec<Diagnostic> {
    if program.conditions.is_empty() && program.checks.is_empty() && program.outputs.is_empty() {
        return Vec::new();
    }
    let costs = poolwright_pricing::cost(fleet, prices);
    let view = View::new(fleet, layout, prices, &costs, None, Counts::new());
    let host = FleetHost { fleet, prices, view: &view, outputs: &program.outputs };
    let mut found = poolwright_policies::run_conditions(&program.conditions, &host);
    found.extend(poolwright_policies::run_checks(&program.checks, &host));
    found.extend(outputs::faults(&program.outputs, &host));
    found
}

/// The digest of what a plan is made from. Policies enter by the text of their expressions, not by where they stand.
fn input_digest(fleet: &Fleet, program: &Program, prices: &Prices, sources: &SourceMap) -> String {
    let policies: Vec<serde_json::Value> = program
        .policies
        .iter()
        .map(|policy| {
            let text = |expr: &poolwright_expression::Expr| sources.text(expr.span).to_owned();
            let mut json = serde_json::json!({
                "address": policy.meta.address, "subject": policy.subject.as_str(),
                "when": policy.when.as_ref().map(text), "require": text(&policy.require),
                "severity": policy.severity.as_str(), "on_unknown": policy.on_unknown.as_str(),
                "approvers": policy.approvers, "quorum": policy.quorum,
            });
            if let (Some(json), false) = (json.as_object_mut(), policy.exempts.is_empty()) {
                let exempts = policy.exempts.iter().map(|it| {
                    serde_json::json!({
                        "match": text(&it.matches), "until": it.until.to_string(), "owner": it.owner,
                        "max_monthly": it.max_monthly.as_ref().map(ToString::to_string),
                    })
                });
                json.insert("exempts".to_owned(), exempts.collect());
            }
            json
        })
        .collect();
    let mut digest = Digester::default();
    // Only a map with keys that are no text is no JSON, and there is none.
    let _ = add_inputs(&mut digest, fleet, &policies, prices);
    digest.finish()
}

/// The canonical JSON of the three, line by line. The large maps go in entry by entry.
fn add_inputs(
    digest: &mut Digester,
    fleet: &Fleet,
    policies: &[serde_json::Value],
    prices: &Prices,
) -> Result<(), serde_json::Error> {
    let Fleet {
        meta,
        currency,
        prices: books,
        private_registries,
        targets,
        tiers,
        fabrics,
        accelerators,
        pools,
        tenants,
        classes,
        routes,
        queues,
        price_books,
    } = fleet;
    digest.add("{\"accelerators\":");
    canonical::add_map(digest, accelerators)?;
    digest.add(",\"classes\":");
    canonical::add_map(digest, classes)?;
    digest.add(format!(",\"currency\":{},\"fabrics\":", canonical::to_string(currency)?));
    canonical::add_map(digest, fabrics)?;
    digest.add(format!(",\"meta\":{},\"pools\":", canonical::to_string(meta)?));
    canonical::add_map(digest, pools)?;
    digest.add(",\"price_books\":");
    canonical::add_map(digest, price_books)?;
    digest.add(format!(",\"prices\":{}", canonical::to_string(books)?));
    if !private_registries.is_empty() {
        digest.add(format!(",\"private_registries\":{}", canonical::to_string(private_registries)?));
    }
    digest.add(",\"queues\":");
    canonical::add_map(digest, queues)?;
    digest.add(",\"routes\":");
    canonical::add_map(digest, routes)?;
    digest.add(",\"targets\":");
    canonical::add_map(digest, targets)?;
    digest.add(",\"tenants\":");
    canonical::add_map(digest, tenants)?;
    digest.add(",\"tiers\":");
    canonical::add_map(digest, tiers)?;
    digest.add(format!("}}\n{}\n", canonical::to_string(&policies)?));
    let Prices { currency, lots, books } = prices;
    digest.add(format!(
        "{{\"books\":{},\"currency\":{},\"lots\":",
        canonical::to_string(books)?,
        canonical::to_string(currency)?
    ));
    canonical::add_map(digest, lots)?;
    digest.add("}");
    Ok(())
}

impl Compiled {
    /// The objects of one target by kind: how many of each.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let count = |resources: &Vec<Resource>| {
            let mut counts: BTreeMap<String, u64> = BTreeMap::new();
            for resource in resources {
                *counts.entry(resource.kind.clone()).or_default() += 1;
            }
            counts
        };
        self.objects.iter().map(|(address, resources)| (address.clone(), count(resources))).collect()
    }

    /// The fleet as values, for policies and tests.
    pub(crate) fn view(&self, today: Option<Date>, counts: Counts) -> View<'_> {
        View::new(&self.fleet, &self.layout, &self.prices, &self.costs, today, counts)
    }

    /// Answers for expressions that are evaluated last.
    pub(crate) fn host<'a>(&'a self, view: &'a View<'a>) -> FleetHost<'a> {
        FleetHost { fleet: &self.fleet, prices: &self.prices, view, outputs: &self.program.outputs }
    }

    /// The results of the fleet, as a plan shows them.
    pub(crate) fn outputs(&self) -> BTreeMap<String, PlanOutput> {
        let view = self.view(None, Counts::new());
        outputs::shown(&self.program.outputs, &self.host(&view))
    }

    /// Where a block was written.
    #[must_use]
    pub fn origin(&self, address: &str) -> Option<Origin> {
        let fleet = &self.fleet;
        let address = Address::new(address);
        let meta: &Meta = fleet
            .pools
            .get(&address)
            .map(|block| &block.meta)
            .or_else(|| fleet.lot(&address).map(|(_, lot)| &lot.meta))
            .or_else(|| fleet.queues.get(&address).map(|block| &block.meta))
            .or_else(|| fleet.routes.get(&address).map(|block| &block.meta))
            .or_else(|| fleet.classes.get(&address).map(|block| &block.meta))
            .or_else(|| fleet.tenants.get(&address).map(|block| &block.meta))
            .or_else(|| fleet.targets.get(&address).map(|block| &block.meta))?;
        Some(meta.origin.clone())
    }

    /// Pools by the target that their money and capacity are counted to: who makes their nodes, else who schedules
    /// them.
    #[must_use]
    pub fn pools_of_targets(&self) -> BTreeMap<&Address, Vec<&Pool>> {
        let mut homes: BTreeMap<&Address, Vec<&Pool>> = BTreeMap::new();
        for pool in self.fleet.pools.values() {
            homes.entry(pool.provision.as_ref().unwrap_or(&pool.cluster)).or_default().push(pool);
        }
        homes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is streamed is the canonical JSON of the whole.
    #[test]
    fn the_digest_is_over_the_canonical_fleet() {
        let text = include_str!("../../../tests/golden/quickstart/fleet.json");
        let fleet: Fleet = serde_json::from_str(text).unwrap();
        let (prices, _) = poolwright_pricing::price(&fleet, &BTreeMap::new());
        let policies = [serde_json::json!({ "address": "policy.x" })];
        let mut streamed = Digester::default();
        add_inputs(&mut streamed, &fleet, &policies, &prices).unwrap();
        let whole = [
            canonical::to_string(&fleet).unwrap(),
            canonical::to_string(&policies).unwrap(),
            canonical::to_string(&prices).unwrap(),
        ];
        assert_eq!(streamed.finish(), canonical::digest(whole.join("\n").as_bytes()));
    }
}
