//! Carrying out a plan: exactly its changes, ring after ring, target after target, needed objects first.
//!
//! Before anything is written every target is read again; one stale object and nothing is written anywhere. After
//! that targets are independent: one that fails does not stop another of its ring. What was applied is remembered.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::Diagnostic;
use poolwright_model::plan::{Action, Change, PlanTarget, Settle};
use poolwright_model::resource::Observed;
use poolwright_model::{Address, Plan, canonical};
use poolwright_target::backend::{Batch, Batching, Observation};
use poolwright_target::error::{ErrorClass, TargetError};
use poolwright_target::inventory::{INVENTORY_SCHEMA, Inventory, InventoryObject};
use poolwright_target::{Backend, Target};

use crate::diff::destroys;
use crate::stale::{Stale, stale, stale_diagnostic, stale_place};
use crate::{codes, order, saved};

/// Where a target's changes are carried out.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    /// Its kind.
    pub kind: &'a dyn Target,
    /// The system.
    pub backend: &'a dyn Backend,
}

/// What happens during an apply, as it happens.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names are those of CONTRACT §4")]
pub enum Event<'a> {
    /// Everything was checked; the first write follows.
    Start { plan: &'a Plan },
    /// The object is being changed.
    OpBegin { change: &'a Change },
    /// It is changed, or it failed.
    OpEnd { change: &'a Change, error: Option<&'a TargetError> },
    /// It is not tried.
    Skip { change: &'a Change, reason: &'a str },
    /// A target as a whole failed: it could not be read, or what was applied could not be remembered.
    TargetFailed { target: &'a Address, error: &'a TargetError },
    /// The last event.
    End { report: &'a Report },
}

/// Who is told. Nothing here prints.
pub trait Observer {
    /// Something happened.
    fn event(&mut self, event: Event<'_>);

    /// Asked before each call: once it says true nothing new is begun.
    fn cancelled(&self) -> bool {
        false
    }
}

/// An observer who is not interested.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn event(&mut self, _: Event<'_>) {}
}

/// A change that is done.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Applied {
    pub address: String,
    pub target: Address,
    pub action: Action,
}

/// A change that was tried and is not done.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Failed {
    pub address: String,
    pub target: Address,
    pub action: Action,
    pub error: TargetError,
}

/// A change that was not tried.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Skipped {
    pub address: String,
    pub target: Address,
    pub action: Action,
    pub reason: String,
}

/// What an apply did. Every change of the plan is in exactly one of the first three lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Done, in the order in which it was done.
    pub applied: Vec<Applied>,
    /// Tried and not done.
    pub failed: Vec<Failed>,
    /// Not tried.
    pub skipped: Vec<Skipped>,
    /// Work that no object shows and that is done, one a target.
    pub settled: Vec<Settle>,
    /// Targets that could not be read, or not be remembered.
    pub targets: Vec<(Address, TargetError)>,
    /// Objects that changed since the plan; then nothing was written.
    pub stale: Vec<Stale>,
    /// Why the plan was refused as a whole; then nothing was written.
    pub refused: Vec<Diagnostic>,
    /// Whether it was stopped.
    pub cancelled: bool,
}

impl Report {
    /// The exit code of CONTRACT §2.
    #[must_use]
    pub fn exit(&self) -> u8 {
        let mut codes: BTreeSet<u8> = self.failed.iter().map(|failed| failed.error.class.exit()).collect();
        codes.extend(self.targets.iter().map(|(_, error)| error.class.exit()));
        if !self.stale.is_empty() || !self.refused.is_empty() {
            codes.insert(5);
        }
        if self.cancelled {
            codes.insert(8);
        }
        let missing = !self.failed.is_empty() || !self.skipped.is_empty();
        if missing {
            codes.insert(if self.applied.is_empty() { 1 } else { 7 });
        }
        [3, 10, 6, 5, 4, 8, 7, 9, 1].into_iter().find(|code| codes.contains(code)).unwrap_or(0)
    }

    /// What went wrong, for people: every failure, and the skipped ones behind it.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut all = self.refused.clone();
        all.extend(stale_diagnostic(&self.stale));
        all.extend(self.targets.iter().map(|(target, error)| {
            let mut diagnostic = error.to_diagnostic();
            diagnostic.message = format!("{target}: {}", error.message);
            diagnostic
        }));
        for failed in &self.failed {
            let message = format!("{} failed: {}", failed.address, failed.error.message);
            let mut diagnostic = Diagnostic::error(codes::NOT_APPLIED, message);
            diagnostic.notes.push(format!("{} ({})", failed.error.code, failed.error.class.as_str()));
            diagnostic.notes.extend(failed.error.notes.iter().cloned());
            diagnostic.helps.extend(failed.error.helps.iter().cloned());
            all.push(diagnostic);
        }
        let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for skipped in &self.skipped {
            by_reason.entry(&skipped.reason).or_default().push(&skipped.address);
        }
        for (reason, addresses) in by_reason {
            let count = addresses.len();
            let objects = if count == 1 { "1 change was" } else { &format!("{count} changes were") };
            let message = format!("{objects} not tried: {reason}");
            let mut diagnostic = Diagnostic::warning(codes::SKIPPED, message);
            diagnostic.notes.extend(addresses.into_iter().map(str::to_owned));
            all.push(diagnostic);
        }
        all
    }
}

/// Carries out a plan. `sites` has a site for every target of the plan.
pub fn apply(plan: &Plan, sites: &BTreeMap<Address, Site<'_>>, observer: &mut dyn Observer) -> Report {
    let mut run = Run { plan, sites, observer, report: Report::default(), bad: BTreeMap::new() };
    run.all();
    let Run { mut report, observer, .. } = run;
    report.skipped.sort_by(|a, b| a.address.cmp(&b.address));
    observer.event(Event::End { report: &report });
    report
}

struct Run<'a> {
    plan: &'a Plan,
    sites: &'a BTreeMap<Address, Site<'a>>,
    observer: &'a mut dyn Observer,
    report: Report,
    /// Objects of the plan that are not as wanted, and why in a few words.
    bad: BTreeMap<&'a str, String>,
}

/// A target with what was just read of it.
struct Ready<'a> {
    target: &'a PlanTarget,
    site: Site<'a>,
    changes: Vec<&'a Change>,
    observation: Observation,
    inventory: Option<Inventory>,
}

impl<'a> Run<'a> {
    fn all(&mut self) {
        if let Err(diagnostic) = saved::verify(self.plan) {
            self.report.refused.push(*diagnostic);
        }
        let cycles = order::cycles(&self.plan.changes);
        self.report.refused.extend(cycles.iter().map(|cycle| order::cycle_diagnostic(cycle)));
        let known: BTreeSet<&Address> = self.plan.targets.iter().map(|target| &target.address).collect();
        if let Some(lost) = self.plan.changes.iter().find(|change| !known.contains(&change.target)) {
            let message = format!("{} is on {}, which the plan does not list", lost.address, lost.target);
            self.report.refused.push(Diagnostic::error(codes::OTHER_TARGET, message));
        }
        for target in &self.plan.targets {
            if let Some(site) = self.sites.get(&target.address)
                && site.backend.identity() != target.identity
            {
                let message = format!(
                    "the plan is for {} at {}, this is {}",
                    target.address,
                    target.identity,
                    site.backend.identity()
                );
                let help = "plan again, or apply where the plan was made for";
                self.report.refused.push(Diagnostic::error(codes::OTHER_TARGET, message).with_help(help));
            }
        }
        if !self.report.refused.is_empty() {
            return self.skip_all("the plan was refused");
        }
        let mut ready = self.read_all();
        for target in &ready {
            let found = stale(target.site.kind, &target.changes, &target.observation);
            self.report.stale.extend(found);
            self.report.stale.extend(stale_place(target.target, &target.changes, &target.observation));
        }
        if !self.report.stale.is_empty() {
            return self.skip_all("the plan is stale");
        }
        self.observer.event(Event::Start { plan: self.plan });

        ready.sort_by(|a, b| (a.target.ring, &a.target.address).cmp(&(b.target.ring, &b.target.address)));
        let ready = by_need(ready);
        let mut behind: Option<(u8, String)> = self.unread_ring();
        for target in ready {
            if let Some((ring, why)) = behind.as_ref().filter(|(ring, _)| *ring < target.target.ring) {
                let reason = format!("ring {ring} is not done: {why}");
                for change in &target.changes {
                    self.skip(change, &reason);
                }
                continue;
            }
            let done = self.target(&target);
            if !done && behind.as_ref().is_none_or(|(ring, _)| *ring > target.target.ring) {
                behind = Some((target.target.ring, format!("{} failed", target.target.address)));
            }
        }
    }

    /// Reads every target once. One that cannot be read keeps its changes from being tried.
    fn read_all(&mut self) -> Vec<Ready<'a>> {
        let mut by_target: BTreeMap<&Address, Vec<&'a Change>> = BTreeMap::new();
        for change in &self.plan.changes {
            by_target.entry(&change.target).or_default().push(change);
        }
        let mut ready = Vec::new();
        for target in &self.plan.targets {
            let all = by_target.remove(&target.address).unwrap_or_default();
            let mut changes = Vec::with_capacity(all.len());
            for change in all {
                match refusal(change) {
                    Some(reason) => self.skip(change, reason),
                    None => changes.push(change),
                }
            }
            let Some(site) = self.sites.get(&target.address).copied() else {
                for change in changes {
                    self.skip(change, "there is no connection to its target");
                }
                continue;
            };
            // A target that the plan could not read is none of its business.
            if !target.reachable {
                continue;
            }
            let read = site.backend.observe().and_then(|seen| Ok((seen, site.backend.inventory()?)));
            match read {
                Ok((observation, inventory)) => {
                    ready.push(Ready { target, site, changes, observation, inventory });
                }
                Err(error) => {
                    for change in changes {
                        self.skip(change, "its target cannot be read");
                    }
                    self.target_failed(&target.address, error);
                }
            }
        }
        ready
    }

    /// The first ring with a target that has changes and could not be read.
    fn unread_ring(&self) -> Option<(u8, String)> {
        let unread = self.plan.targets.iter().filter(|target| {
            let failed = self.report.targets.iter().any(|(address, _)| *address == target.address);
            failed || !target.reachable || !self.sites.contains_key(&target.address)
        });
        let first = unread.min_by_key(|target| target.ring)?;
        Some((first.ring, format!("{} cannot be read", first.address)))
    }

    /// Carries out the changes of one target. Returns whether all of it is as wanted.
    fn target(&mut self, target: &Ready<'a>) -> bool {
        let there: BTreeMap<&str, &Observed> =
            target.observation.objects.iter().map(|object| (object.address.as_str(), object)).collect();
        // The object is known to be as the plan saw it in all that is ours; the rest may have moved.
        let fresh: Vec<Change> = target
            .changes
            .iter()
            .map(|change| {
                let precondition =
                    there.get(change.address.as_str()).and_then(|object| object.precondition.clone());
                Change { precondition, ..(*change).clone() }
            })
            .collect();
        let fresh: Vec<&Change> = fresh.iter().collect();
        let ordered = order::order(&fresh);
        let planned = |index: usize| target.changes.get(index).copied();

        let mut done: BTreeSet<&'a str> = BTreeSet::new();
        let mut broken = false;
        let mut batch: Vec<(&'a Change, &Change)> = Vec::new();
        for index in ordered {
            let (Some(change), Some(fresh)) = (planned(index), fresh.get(index).copied()) else { continue };
            if let Some(reason) = self.blocked(change, broken) {
                self.skip(change, &reason);
                broken = true;
                continue;
            }
            batch.push((change, fresh));
            if target.site.backend.batching() == Batching::Each {
                let (ok, stopped) = self.batch(target, &batch, false);
                done.extend(ok);
                broken |= stopped || !done.contains(change.address.as_str());
                batch.clear();
            }
        }
        let whole = target.site.backend.batching() == Batching::Whole;
        if whole && !batch.is_empty() {
            let complete = !broken && batch.len() == self.planned_for(&target.target.address);
            let (ok, _) = self.batch(target, &batch, complete);
            done.extend(ok);
        }
        let complete = done.len() == self.planned_for(&target.target.address);
        if self.report.cancelled && !complete {
            return false;
        }
        if complete && !self.settle(target) {
            return false;
        }
        // A part of a plan that touches nothing here has nothing to remember.
        let news = target.target.state.is_some() || !done.is_empty();
        (!news || self.remember(target, &done, complete)) && complete
    }

    /// Settles what no object shows. Returns whether that worked.
    fn settle(&mut self, target: &Ready<'a>) -> bool {
        let needed = target.observation.settle.is_some() || target.target.settle.is_some();
        let Some(state) = target.target.state.as_ref().filter(|_| needed) else { return true };
        match target.site.backend.settle(&state.input_digest) {
            Ok(()) => {
                // What a plan wanted settled may be by now; only a memory is not seen on the target.
                let remembered = target.target.settle.clone().filter(|settle| *settle == Settle::Remember);
                self.report.settled.extend(target.observation.settle.clone().or(remembered));
                true
            }
            Err(error) => {
                self.target_failed(&target.target.address, error);
                false
            }
        }
    }

    fn planned_for(&self, target: &Address) -> usize {
        self.plan.changes.iter().filter(|change| change.target == *target).count()
    }

    /// Why a change cannot be tried now, if it cannot.
    fn blocked(&self, change: &Change, broken: bool) -> Option<String> {
        if self.report.cancelled || self.observer.cancelled() {
            return Some(String::from("the run was stopped"));
        }
        if change.action == Action::Delete {
            // What failed may still need what would go: nothing is destroyed on a target where something failed.
            return broken
                .then(|| String::from("something else failed on its target, and may still need it"));
        }
        let bad = change.depends_on.iter().find_map(|need| self.bad.get_key_value(need.as_str()));
        bad.map(|(need, why)| format!("it needs {need}, which {why}"))
    }

    /// One call. Returns what is done, and whether the run is being stopped.
    fn batch(
        &mut self,
        target: &Ready<'a>,
        batch: &[(&'a Change, &Change)],
        complete: bool,
    ) -> (Vec<&'a str>, bool) {
        if self.observer.cancelled() {
            self.report.cancelled = true;
            for (change, _) in batch {
                self.skip(change, "the run was stopped");
            }
            return (Vec::new(), true);
        }
        for (change, _) in batch {
            self.observer.event(Event::OpBegin { change });
        }
        let changes: Vec<&Change> = batch.iter().map(|(_, fresh)| *fresh).collect();
        let digest = target.target.state.as_ref().map(|state| state.input_digest.as_str());
        let call = Batch {
            changes: &changes,
            observation: &target.observation,
            input_digest: digest.filter(|_| complete),
        };
        let mut outcomes = target.site.backend.apply(call).into_iter();
        let mut done = Vec::new();
        for (change, _) in batch {
            let outcome = outcomes.next().unwrap_or_else(|| {
                Err(TargetError::new(
                    ErrorClass::Failed,
                    codes::NOT_APPLIED,
                    "the target gave no answer for it",
                ))
            });
            let (address, on, action) = (change.address.clone(), change.target.clone(), change.action);
            match outcome {
                Ok(()) => {
                    self.observer.event(Event::OpEnd { change, error: None });
                    self.report.applied.push(Applied { address, target: on, action });
                    done.push(change.address.as_str());
                }
                Err(error) => {
                    self.observer.event(Event::OpEnd { change, error: Some(&error) });
                    self.report.cancelled |= error.class == ErrorClass::Cancelled;
                    self.bad.insert(&change.address, String::from("failed"));
                    self.report.failed.push(Failed { address, target: on, action, error });
                }
            }
        }
        (done, self.report.cancelled)
    }

    /// Writes down what is there now. Returns whether that worked.
    fn remember(&mut self, target: &Ready<'a>, done: &BTreeSet<&'a str>, complete: bool) -> bool {
        let inventory = inventory_after(self.plan, target, done, complete);
        match target.site.backend.record(&inventory) {
            Ok(()) => true,
            Err(error) => {
                let mut error = error;
                error.code = codes::NOT_REMEMBERED;
                error.message = format!("what was applied could not be written down: {}", error.message);
                error.helps.push(String::from("apply again: it changes nothing and writes it down"));
                self.target_failed(&target.target.address, error);
                false
            }
        }
    }

    fn target_failed(&mut self, target: &Address, error: TargetError) {
        self.observer.event(Event::TargetFailed { target, error: &error });
        self.report.cancelled |= error.class == ErrorClass::Cancelled;
        self.report.targets.push((target.clone(), error));
    }

    fn skip(&mut self, change: &'a Change, reason: &str) {
        if reason == "the run was stopped" {
            self.report.cancelled = true;
        }
        self.observer.event(Event::Skip { change, reason });
        self.bad.insert(&change.address, String::from("was not tried"));
        self.report.skipped.push(Skipped {
            address: change.address.clone(),
            target: change.target.clone(),
            action: change.action,
            reason: reason.to_owned(),
        });
    }

    fn skip_all(&mut self, reason: &str) {
        let known: BTreeSet<String> =
            self.report.skipped.iter().map(|skipped| skipped.address.clone()).collect();
        for change in self.plan.changes.iter().filter(|change| !known.contains(&change.address)) {
            self.skip(change, reason);
        }
    }
}

/// Why a change of this sort is never carried out.
fn refusal(change: &Change) -> Option<&'static str> {
    match change.action {
        Action::Unknown => Some("nothing was known of it when the plan was made"),
        Action::Adopt | Action::Forget => Some("adopting and forgetting are not carried out by this version"),
        _ if destroys(change.action) && change.protected => Some("it is protected"),
        _ => None,
    }
}

/// Within a ring a target comes after those whose objects it needs, as far as that is possible; else by address.
fn by_need(mut targets: Vec<Ready<'_>>) -> Vec<Ready<'_>> {
    let home: BTreeMap<&str, &Address> = targets
        .iter()
        .flat_map(|target| target.changes.iter().map(|change| (change.address.as_str(), &change.target)))
        .collect();
    let mut needs: BTreeMap<Address, BTreeSet<Address>> = BTreeMap::new();
    for target in &targets {
        let all = target.changes.iter().flat_map(|change| &change.depends_on);
        let others =
            all.filter_map(|need| home.get(need.as_str())).filter(|other| ***other != target.target.address);
        needs.insert(target.target.address.clone(), others.map(|other| (*other).clone()).collect());
    }
    let mut out: Vec<Ready<'_>> = Vec::with_capacity(targets.len());
    while !targets.is_empty() {
        let ring = targets.first().map_or(0, |target| target.target.ring);
        let waiting: BTreeSet<Address> =
            targets.iter().filter(|it| it.target.ring == ring).map(|it| it.target.address.clone()).collect();
        let free = |target: &Ready<'_>| {
            target.target.ring == ring
                && needs.get(&target.target.address).is_none_or(|all| all.is_disjoint(&waiting))
        };
        let next = targets.iter().position(free).unwrap_or(0);
        out.push(targets.remove(next));
    }
    out
}

/// The inventory after some changes are done.
fn inventory_after(plan: &Plan, target: &Ready<'_>, done: &BTreeSet<&str>, complete: bool) -> Inventory {
    let previous = target.inventory.as_ref();
    let state = target.target.state.as_ref().filter(|_| complete);
    let mut objects: BTreeMap<&str, InventoryObject> = BTreeMap::new();
    for object in target.observation.objects.iter().filter(|object| object.owned) {
        let kept = previous.and_then(|inventory| inventory.object(&object.address)).cloned();
        let entry = kept.unwrap_or_else(|| InventoryObject {
            address: object.address.clone(),
            kind: object.kind.clone(),
            identity: object.identity.clone(),
            digest: canonical::digest(object.body.to_string().as_bytes()),
            depends_on: Vec::new(),
        });
        objects.insert(&object.address, entry);
    }
    for change in target.changes.iter().filter(|change| done.contains(change.address.as_str())) {
        match &change.body {
            None => {
                objects.remove(change.address.as_str());
            }
            Some(body) => {
                let entry = InventoryObject {
                    address: change.address.clone(),
                    kind: change.kind.clone(),
                    identity: change.identity.clone(),
                    digest: canonical::digest(body.to_string().as_bytes()),
                    depends_on: change.depends_on.clone(),
                };
                objects.insert(&change.address, entry);
            }
        }
    }
    let objects: Vec<InventoryObject> = objects.into_values().collect();
    Inventory {
        schema: INVENTORY_SCHEMA.to_owned(),
        fleet: plan.fleet.clone(),
        target: target.target.address.clone(),
        input_digest: state
            .map(|state| state.input_digest.clone())
            .or_else(|| previous.map(|inventory| inventory.input_digest.clone()))
            .unwrap_or_default(),
        objects,
        cost: match state {
            Some(state) => state.cost.clone(),
            None => previous.and_then(|inventory| inventory.cost.clone()),
        },
        capacity: match state {
            Some(state) => state.capacity.clone(),
            None => previous.map(|inventory| inventory.capacity.clone()).unwrap_or_default(),
        },
    }
}
