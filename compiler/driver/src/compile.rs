//! From a loaded fleet to the objects of every target: prices, layout, lowering.

use std::collections::BTreeMap;

use poolwright_diagnostics::{Diagnostic, SourceMap};
use poolwright_expression::quantity::Date;
use poolwright_model::fleet::Target;
use poolwright_model::view::View;
use poolwright_model::{Address, Costs, Fleet, Layout, Prices, Program, Resource, canonical};
use poolwright_model::{Meta, Origin};
use poolwright_target::Input;

use crate::Loaded;
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

/// Compiles a loaded fleet. All faults of a stage are found before the next stage is given up.
///
/// # Errors
/// Everything that is wrong, when anything is an error.
pub fn compile(loaded: Loaded) -> Result<Compiled, Box<Faulty>> {
    let Loaded { sources, fleet, program, mut diagnostics, files } = loaded;
    let Some(fleet) = fleet.filter(|_| !diagnostics.iter().any(Diagnostic::is_error)) else {
        return Err(Box::new(Faulty { sources, diagnostics, files }));
    };
    let (prices, found) = poolwright_pricing::price(&fleet, &BTreeMap::new());
    diagnostics.extend(found);
    diagnostics.extend(poolwright_router::check(&fleet));
    let (layout, found) = poolwright_layout::layout(&fleet);
    diagnostics.extend(found);
    let mut objects = BTreeMap::new();
    if !diagnostics.iter().any(Diagnostic::is_error) {
        for (address, target) in &fleet.targets {
            let lowered =
                kind(target).lower(Input { fleet: &fleet, layout: &layout, prices: &prices, target });
            diagnostics.extend(lowered.diagnostics);
            let mut resources = lowered.resources;
            resources.sort_by(|a, b| a.address.cmp(&b.address));
            objects.insert(address.clone(), resources);
        }
    }
    Diagnostic::sort(&mut diagnostics);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(Box::new(Faulty { sources, diagnostics, files }));
    }
    let costs = poolwright_pricing::cost(&fleet, &prices);
    let input_digest = input_digest(&fleet, &program, &prices, &sources);
    Ok(Compiled { sources, fleet, program, layout, prices, costs, objects, diagnostics, input_digest })
}

/// The digest of what a plan is made from. Policies enter by the text of their expressions, not by where they stand.
fn input_digest(fleet: &Fleet, program: &Program, prices: &Prices, sources: &SourceMap) -> String {
    let policies: Vec<serde_json::Value> = program
        .policies
        .iter()
        .map(|policy| {
            let text = |expr: &poolwright_expression::Expr| sources.text(expr.span).to_owned();
            serde_json::json!({
                "address": policy.meta.address, "subject": policy.subject.as_str(),
                "when": policy.when.as_ref().map(text), "require": text(&policy.require),
                "severity": policy.severity.as_str(), "on_unknown": policy.on_unknown.as_str(),
                "approvers": policy.approvers, "quorum": policy.quorum,
            })
        })
        .collect();
    let parts = [canonical::to_string(fleet), canonical::to_string(&policies), canonical::to_string(prices)];
    let text: Vec<String> = parts.into_iter().map(Result::unwrap_or_default).collect();
    canonical::digest(text.join("\n").as_bytes())
}

impl Compiled {
    /// The objects of one target by kind: how many of each.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<Address, BTreeMap<String, u64>> {
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
    pub(crate) fn view(&self, today: Option<Date>) -> View<'_> {
        View::new(&self.fleet, &self.layout, &self.prices, &self.costs, today, self.counts())
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

    /// The target that a pool's money and capacity are counted to: who makes its nodes, else who schedules them.
    #[must_use]
    pub fn pools_of(&self, target: &Target) -> Vec<&poolwright_model::fleet::Pool> {
        let address = &target.meta.address;
        let home = |pool: &poolwright_model::fleet::Pool| {
            pool.provision.as_ref().unwrap_or(&pool.cluster) == address
        };
        self.fleet.pools.values().filter(|pool| home(pool)).collect()
    }
}
