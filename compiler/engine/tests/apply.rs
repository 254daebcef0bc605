//! The executor over a backend that takes one object at a time and fails where it is told to.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

#[cfg(test)]
#[path = "../../target/tests/fake/mod.rs"]
mod fake;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use fake::{Fake, resource, target};
use poolwright_diagnostics::SourceMap;
use poolwright_engine::apply::Silent;
use poolwright_engine::{Parts, Report, Sides, Site, apply, assemble, diff};
use poolwright_model::Plan;
use poolwright_model::plan::{Action, PlanTarget};
use poolwright_model::resource::Observed;
use poolwright_target::backend::{Backend, Batch, Batching, Observation};
use poolwright_target::codes;
use poolwright_target::error::{ErrorClass, TargetError};
use poolwright_target::inventory::Inventory;
use serde_json::json;

#[derive(Default)]
struct Live {
    name: String,
    objects: Mutex<BTreeMap<String, Observed>>,
    calls: Mutex<Vec<String>>,
    fails: BTreeSet<String>,
    down: bool,
    memory: Mutex<Option<Inventory>>,
}

impl Backend for Live {
    fn identity(&self) -> String {
        self.name.clone()
    }

    fn observe(&self) -> Result<Observation, TargetError> {
        if self.down {
            return Err(TargetError::new(ErrorClass::Unreachable, codes::FILE_ACCESS, "no answer"));
        }
        let objects = self.objects.lock().unwrap().values().cloned().collect();
        Ok(Observation { objects, ..Observation::default() })
    }

    fn batching(&self) -> Batching {
        Batching::Each
    }

    fn apply(&self, batch: Batch<'_>) -> Vec<Result<(), TargetError>> {
        let [change] = batch.changes else { return vec![] };
        self.calls.lock().unwrap().push(change.identity.clone());
        if self.fails.contains(&change.identity) {
            return vec![Err(TargetError::new(ErrorClass::Failed, codes::FILE_ACCESS, "rejected"))];
        }
        let mut objects = self.objects.lock().unwrap();
        match &change.body {
            None => {
                objects.remove(&change.address);
            }
            Some(body) => {
                let object = Observed {
                    address: change.address.clone(),
                    kind: change.kind.clone(),
                    identity: change.identity.clone(),
                    body: body.clone(),
                    precondition: None,
                    owned: true,
                    protected: change.protects(),
                };
                objects.insert(change.address.clone(), object);
            }
        }
        vec![Ok(())]
    }

    fn inventory(&self) -> Result<Option<Inventory>, TargetError> {
        Ok(self.memory.lock().unwrap().clone())
    }

    fn record(&self, inventory: &Inventory) -> Result<(), TargetError> {
        *self.memory.lock().unwrap() = Some(inventory.clone());
        Ok(())
    }
}

/// Target, ring, system, and the names of wanted objects with what each needs (`b/x` is on another target).
type Cell<'a> = (&'a str, u8, &'a Live, &'a [(&'a str, &'a [&'a str])]);

fn plan(cells: &[Cell<'_>]) -> Plan {
    let mut parts = Parts { fleet: "acme".into(), ..Parts::default() };
    for (name, ring, live, objects) in cells {
        let target = target(name);
        let wanted: Vec<_> = (objects.iter())
            .map(|(object, needs)| {
                let mut made = resource(&target, "Thing", object, json!({}));
                let full = |need: &&str| match need.split_once('/') {
                    Some((other, need)) => format!("alibaba.{other}/Thing/{need}"),
                    None => format!("alibaba.{name}/Thing/{need}"),
                };
                made.depends_on = needs.iter().map(full).collect();
                made
            })
            .collect();
        let found = live.observe();
        let inventory = live.inventory().unwrap();
        parts.targets.push(PlanTarget {
            address: target.meta.address.clone(),
            kind: "fake".into(),
            identity: live.identity(),
            reachable: found.is_ok(),
            support: "schema-checked".into(),
            ring: *ring,
            settle: None,
            state: Some(poolwright_engine::state::target_state(&wanted, None, BTreeMap::new())),
        });
        parts.differences.push(diff(Sides {
            kind: &Fake,
            obstacles: &[],
            target: &target,
            wanted: &wanted,
            found: found.as_ref(),
            inventory: inventory.as_ref(),
            sources: &SourceMap::default(),
        }));
    }
    assemble(parts).0
}

fn run(cells: &[Cell<'_>], plan: &Plan) -> Report {
    let mut sites = BTreeMap::new();
    for (name, _, live, _) in cells {
        let backend: &Live = live;
        sites.insert(target(name).meta.address, Site { kind: &Fake, backend });
    }
    apply(plan, &sites, &mut Silent)
}

fn live(name: &str, fails: &[&str]) -> Live {
    Live {
        name: name.into(),
        fails: fails.iter().map(|it| format!("Thing/{it}")).collect(),
        ..Live::default()
    }
}

fn calls(live: &Live) -> Vec<String> {
    live.calls.lock().unwrap().iter().map(|it| it.trim_start_matches("Thing/").to_owned()).collect()
}

fn skipped(report: &Report) -> Vec<(&str, &str)> {
    report.skipped.iter().map(|it| (it.address.as_str(), it.reason.as_str())).collect()
}

#[test]
fn independent_branches_go_on_and_dependents_are_skipped_with_the_reason() {
    let a = live("a", &["base"]);
    let cells: [Cell<'_>; 1] = [(
        "a",
        0,
        &a,
        &[("base", &[]), ("mid", &["base"]), ("top", &["mid"]), ("other", &[]), ("zz", &["other"])],
    )];
    let first = plan(&cells);
    let report = run(&cells, &first);
    assert_eq!(calls(&a), ["base", "other", "zz"]);
    assert_eq!(
        skipped(&report),
        [
            ("alibaba.a/Thing/mid", "it needs alibaba.a/Thing/base, which failed"),
            ("alibaba.a/Thing/top", "it needs alibaba.a/Thing/mid, which was not tried"),
        ]
    );
    assert_eq!(report.failed.len(), 1);
    assert_eq!(report.exit(), 7);
    assert_eq!(report.diagnostics().len(), 3);
    // The next plan is exactly the rest; what was applied is remembered, what was not is not.
    let rest: Vec<String> = plan(&cells).changes.into_iter().map(|it| it.identity).collect();
    assert_eq!(rest, ["Thing/base", "Thing/mid", "Thing/top"]);
    let memory = a.memory.lock().unwrap().clone().unwrap();
    assert_eq!(memory.input_digest, "");
    assert_eq!(
        memory.objects.iter().map(|it| it.identity.as_str()).collect::<Vec<_>>(),
        ["Thing/other", "Thing/zz"]
    );
}

#[test]
fn deletes_come_last_in_reverse_and_not_at_all_after_a_failure() {
    let mut a = live("a", &[]);
    let old: Cell<'_> = ("a", 0, &a, &[("base", &[]), ("mid", &["base"]), ("top", &["mid"])]);
    assert_eq!(run(&[old], &plan(&[old])).exit(), 0);
    a.calls.lock().unwrap().clear();
    a.fails.insert("Thing/new".into());
    let new: Cell<'_> = ("a", 0, &a, &[("new", &[])]);
    let report = run(&[new], &plan(&[new]));
    assert_eq!(calls(&a), ["new"]);
    assert_eq!(report.skipped.len(), 3);
    assert_eq!(report.exit(), 1, "nothing was applied");

    a.fails.clear();
    a.calls.lock().unwrap().clear();
    let new: Cell<'_> = ("a", 0, &a, &[("new", &[])]);
    assert_eq!(run(&[new], &plan(&[new])).exit(), 0);
    assert_eq!(calls(&a), ["new", "top", "mid", "base"]);
}

#[test]
fn a_ring_waits_for_the_ring_before_and_targets_of_one_ring_do_not_wait() {
    let (a, b, c) = (live("a", &["x"]), live("b", &[]), live("c", &[]));
    let cells: [Cell<'_>; 3] =
        [("a", 0, &a, &[("x", &[])]), ("b", 0, &b, &[("x", &[])]), ("c", 1, &c, &[("x", &[])])];
    let report = run(&cells, &plan(&cells));
    assert_eq!((calls(&a).len(), calls(&b).len(), calls(&c).len()), (1, 1, 0));
    assert_eq!(skipped(&report), [("alibaba.c/Thing/x", "ring 0 is not done: target.alibaba.a failed")]);

    let (a, c) = (live("a", &[]), live("c", &[]));
    let down = Live { down: true, ..live("b", &[]) };
    let cells: [Cell<'_>; 3] =
        [("a", 0, &a, &[("x", &[])]), ("b", 0, &down, &[("x", &[])]), ("c", 1, &c, &[("x", &[])])];
    let report = run(&cells, &plan(&cells));
    assert_eq!((calls(&a).len(), calls(&c).len()), (1, 0));
    assert_eq!(
        skipped(&report),
        [
            ("alibaba.b/Thing/x", "nothing was known of it when the plan was made"),
            ("alibaba.c/Thing/x", "ring 0 is not done: target.alibaba.b cannot be read"),
        ]
    );
}

#[test]
fn a_target_that_goes_away_after_the_plan_does_not_stop_the_others() {
    let (a, mut b) = (live("a", &[]), live("b", &[]));
    let made = plan(&[("a", 0, &a, &[("x", &[])]), ("b", 0, &b, &[("x", &[])])]);
    b.down = true;
    let report = run(&[("a", 0, &a, &[]), ("b", 0, &b, &[])], &made);
    assert_eq!(calls(&a), ["x"]);
    assert_eq!(skipped(&report), [("alibaba.b/Thing/x", "its target cannot be read")]);
    assert_eq!(report.exit(), 7, "partial comes before unreachable");
    assert_eq!(report.targets.len(), 1);
}

#[test]
fn objects_on_other_targets_come_first_when_they_are_needed() {
    let (a, b) = (live("a", &[]), live("b", &["x"]));
    let cells: [Cell<'_>; 2] = [("a", 0, &a, &[("w", &["b/x"]), ("free", &[])]), ("b", 0, &b, &[("x", &[])])];
    let report = run(&cells, &plan(&cells));
    assert_eq!(calls(&b), ["x"]);
    assert_eq!(calls(&a), ["free"]);
    assert_eq!(skipped(&report), [("alibaba.a/Thing/w", "it needs alibaba.b/Thing/x, which failed")]);
}

#[test]
fn a_plan_for_another_system_is_refused_before_anything() {
    let (a, other) = (live("a", &[]), live("elsewhere", &[]));
    let made = plan(&[("a", 0, &a, &[("x", &[])])]);
    let report = run(&[("a", 0, &other, &[])], &made);
    assert_eq!(report.exit(), 5);
    assert_eq!(report.refused[0].message, "the plan is for target.alibaba.a at a, this is elsewhere");
    assert_eq!(report.skipped.len(), 1);
    assert!(calls(&other).is_empty());
}

#[test]
fn what_appeared_since_makes_the_plan_stale_and_what_is_gone_needs_no_delete() {
    let a = live("a", &[]);
    let cell: Cell<'_> = ("a", 0, &a, &[("x", &[])]);
    let create = plan(&[cell]);
    assert_eq!(run(&[cell], &create).exit(), 0);
    let report = run(&[cell], &create);
    assert_eq!(report.exit(), 5);
    assert_eq!(report.diagnostics()[0].message, "the plan is stale: alibaba.a/Thing/x appeared since");

    let gone: Cell<'_> = ("a", 0, &a, &[]);
    let delete = plan(&[gone]);
    assert_eq!(delete.changes[0].action, Action::Delete);
    a.objects.lock().unwrap().clear();
    assert_eq!(run(&[gone], &delete).exit(), 0);
}

#[test]
fn a_protected_object_is_not_destroyed_even_by_a_plan_that_says_so() {
    let a = live("a", &[]);
    let cell: Cell<'_> = ("a", 0, &a, &[("x", &[])]);
    run(&[cell], &plan(&[cell]));
    a.objects.lock().unwrap().values_mut().for_each(|object| object.protected = true);
    let gone: Cell<'_> = ("a", 0, &a, &[]);
    let report = run(&[gone], &plan(&[gone]));
    assert_eq!(skipped(&report), [("alibaba.a/Thing/x", "it is protected")]);
    assert_eq!(a.objects.lock().unwrap().len(), 1);
    assert_ne!(report.exit(), 0);
}
