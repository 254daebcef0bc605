//! What a plan says of one object: fields, actions, owners, refusals.

#[cfg(test)]
#[path = "../../target/tests/fake/mod.rs"]
mod fake;

use std::collections::BTreeMap;

use fake::{Fake, resource, target};
use poolwright_diagnostics::{SourceMap, Span};
use poolwright_engine::{Difference, Guards, Parts, Sides, assemble, codes, diff, guard};
use poolwright_model::plan::{Action, Change, PlanTarget, Settle, TargetState};
use poolwright_model::resource::{Observed, Ownership};
use poolwright_model::{Address, Resource, fleet};
use poolwright_target::backend::{Observation, Obstacle};
use poolwright_target::error::{ErrorClass, TargetError};
use poolwright_target::inventory::{INVENTORY_SCHEMA, Inventory, InventoryObject};
use poolwright_target::{FileFault, Target as _};
use serde_json::{Value, json};

fn found(resource: &Resource, body: Value) -> Observed {
    Observed {
        address: resource.address.clone(),
        kind: resource.kind.clone(),
        identity: resource.identity.clone(),
        body,
        precondition: Some("sha256:x".into()),
        owned: true,
        protected: false,
    }
}

fn run(wanted: &[Resource], objects: Vec<Observed>, inventory: Option<&Inventory>) -> Difference {
    let target = target("a");
    let observation = Observation { objects, ..Observation::default() };
    diff(Sides { inventory, ..sides(&target, wanted, &observation, &SourceMap::default()) })
}

fn sides<'a>(
    target: &'a fleet::Target,
    wanted: &'a [Resource],
    observation: &'a Observation,
    sources: &'a SourceMap,
) -> Sides<'a> {
    Sides { kind: &Fake, target, wanted, found: Ok(observation), obstacles: &[], inventory: None, sources }
}

fn one(before: Value, after: Value) -> Option<Change> {
    let wanted = resource(&target("a"), "Thing", "x", after);
    let there = found(&wanted, before);
    run(&[wanted], vec![there], None).changes.pop()
}

fn lines(change: &Change) -> Vec<String> {
    let side = |value: &Option<Value>| value.as_ref().map_or_else(|| "-".to_owned(), Value::to_string);
    let line = |field: &poolwright_model::plan::FieldChange| {
        let owner = field.owner.as_ref().map_or_else(String::new, |owner| format!(" ({owner})"));
        let force = if field.forces_replace { " !" } else { "" };
        format!("{}: {} → {}{owner}{force}", field.path, side(&field.before), side(&field.after))
    };
    change.fields.iter().map(line).collect()
}

#[test]
fn fields_are_named_as_people_read_them() {
    let flavors = |list: Value| json!({"groups": [{"flavors": list}]});
    let table: Vec<(Value, Value, Vec<&str>)> = vec![
        (json!({"a": 1}), json!({"a": 2}), vec!["a: 1 → 2"]),
        (json!({"a": {"b": [1, 2]}}), json!({"a": {"b": [2]}}), vec!["a.b: [1,2] → [2]"]),
        (json!({"a": 1}), json!({"b": {"c": 2}}), vec!["a: 1 → -", "b: - → {\"c\":2}"]),
        (
            json!({"labels": {"poolwright.dev/fleet": "x", "": 1}}),
            json!({"labels": {"poolwright.dev/fleet": "y", "": 2}}),
            vec!["labels[\"\"]: 1 → 2", "labels[\"poolwright.dev/fleet\"]: \"x\" → \"y\""],
        ),
        (
            flavors(json!([{"name": "aws-a100-spot", "q": {"cpu": 1}}])),
            flavors(json!([{"name": "aws-a100-spot", "q": {"cpu": 2}}])),
            vec!["groups[0].flavors[aws-a100-spot].q.cpu: 1 → 2"],
        ),
        // An element that comes in front shifts nothing else, and the order is said.
        (
            flavors(json!([{"name": "a", "q": 1}])),
            flavors(json!([{"name": "b", "q": 1}, {"name": "a", "q": 1}])),
            vec![
                "groups[0].flavors[b]: - → {\"name\":\"b\",\"q\":1}",
                "groups[0].flavors[].name: [\"a\"] → [\"b\",\"a\"]",
            ],
        ),
        // At the end, the element alone says it.
        (
            flavors(json!([{"name": "a"}, {"name": "c"}])),
            flavors(json!([{"name": "a"}, {"name": "b"}])),
            vec!["groups[0].flavors[b]: - → {\"name\":\"b\"}", "groups[0].flavors[c]: {\"name\":\"c\"} → -"],
        ),
        (
            flavors(json!([{"name": "a"}, {"name": "b"}])),
            flavors(json!([{"name": "b"}, {"name": "a"}])),
            vec!["groups[0].flavors[].name: [\"a\",\"b\"] → [\"b\",\"a\"]"],
        ),
        // Without unique keys, by position.
        (
            json!({"items": [{"name": "a"}, {"name": "a", "v": 1}]}),
            json!({"items": [{"name": "a"}, {"name": "a", "v": 2}]}),
            vec!["items[1].v: 1 → 2"],
        ),
        (
            json!({"other": [{"v": 1}, {"v": 2}]}),
            json!({"other": [{"v": 1}, {"v": 3}, {"v": 4}]}),
            vec!["other[1].v: 2 → 3", "other[2]: - → {\"v\":4}"],
        ),
        (
            json!({"items": [{"name": "x[1]"}]}),
            json!({"items": []}),
            vec!["items[\"x[1]\"]: {\"name\":\"x[1]\"} → -"],
        ),
    ];
    for (before, after, expected) in table {
        let change = one(before.clone(), after.clone()).unwrap();
        assert_eq!(lines(&change), expected, "{before} → {after}");
        assert_eq!(change.action, Action::Update);
    }
}

#[test]
fn what_means_the_same_is_no_difference() {
    assert_eq!(
        one(json!({"status": "busy", "a": 1}), json!({"a": 1, "size": 1})),
        None,
        "defaults and status"
    );
    let wanted = resource(&target("a"), "Thing", "x", json!({"size": 1}));
    let there = found(&wanted, json!({}));
    assert_eq!(run(&[wanted], vec![there], None).no_op, 1);
}

#[test]
fn an_immutable_field_replaces_and_says_why() {
    let change = one(json!({"color": "red", "a": 1}), json!({"color": "blue", "a": 2})).unwrap();
    assert_eq!(change.action, Action::Replace);
    assert_eq!(change.reason.as_deref(), Some("color is immutable in Fake 1"));
    assert_eq!(lines(&change), ["a: 1 → 2", "color: \"red\" → \"blue\" !"]);
    // What can be set once is set in place, and changed by a new object.
    assert_eq!(one(json!({}), json!({"once": 1})).unwrap().action, Action::Update);
    let again = one(json!({"once": 1}), json!({"once": 2})).unwrap();
    assert_eq!(again.reason.as_deref(), Some("once can be set once"));
    // Below an immutable field, and above one.
    let below = one(json!({"spec": {"labels": {"a": 1}}}), json!({"spec": {"labels": {"a": 2}}})).unwrap();
    assert_eq!(below.reason.as_deref(), Some("spec.labels is immutable in Fake 1"));
    let above = one(json!({}), json!({"spec": {"labels": {"a": 2}}})).unwrap();
    assert_eq!(above.reason.as_deref(), Some("spec is immutable in Fake 1"));
}

#[test]
fn fields_of_others_are_shown_and_make_no_change() {
    let mut wanted =
        resource(&target("a"), "Thing", "x", json!({"desired": 1, "max": 9, "topology": {"a": 1}}));
    wanted.ownership = BTreeMap::from([
        ("/desired".into(), Ownership::Seed("autoscaler".into())),
        ("/topology".into(), Ownership::Observe("topology daemon".into())),
    ]);
    let there = |max: i64| vec![found(&wanted, json!({"desired": 7, "max": max, "topology": {"a": 2}}))];
    assert_eq!(run(std::slice::from_ref(&wanted), there(9), None).no_op, 1);
    let change = run(std::slice::from_ref(&wanted), there(8), None).changes.pop().unwrap();
    assert_eq!(
        lines(&change),
        ["desired: 7 → 1 (autoscaler)", "max: 8 → 9", "topology: {\"a\":2} → {\"a\":1} (topology daemon)"]
    );
    // What others do in between changes neither the digest of what was found nor that of the plan.
    let mut later = there(8);
    later[0].body["desired"] = json!(8);
    later[0].precondition = Some("sha256:other".into());
    let again = run(std::slice::from_ref(&wanted), later, None).changes.pop().unwrap();
    assert_eq!(again.found, change.found);
    let plan = |change: Change| {
        let difference = Difference { changes: vec![change], ..Difference::default() };
        assemble(Parts { differences: vec![difference], ..Parts::default() }).0.digest
    };
    assert_eq!(plan(change.clone()), plan(again));
    let mut ours = there(7);
    ours[0].precondition = Some("sha256:other".into());
    assert_ne!(plan(change), plan(run(&[wanted.clone()], ours, None).changes.pop().unwrap()));
}

fn inventory(object: &Resource) -> Inventory {
    Inventory {
        schema: INVENTORY_SCHEMA.into(),
        fleet: "acme".into(),
        target: object.target.clone(),
        input_digest: String::new(),
        objects: vec![InventoryObject {
            address: object.address.clone(),
            kind: object.kind.clone(),
            identity: object.identity.clone(),
            digest: String::new(),
            depends_on: vec!["n".into()],
        }],
        cost: None,
        capacity: BTreeMap::new(),
    }
}

#[test]
fn protection_is_kept_when_the_block_is_gone() {
    let mut wanted = resource(&target("a"), "Thing", "x", json!({"color": "red"}));
    let free = found(&wanted, json!({"color": "red"}));
    let there = Observed { protected: true, ..free.clone() };
    let gone = run(&[], vec![there.clone()], Some(&inventory(&wanted)));
    assert_eq!(gone.diagnostics.iter().map(|it| it.code).collect::<Vec<_>>(), [codes::PROTECTED]);
    assert!(gone.changes[0].protected);
    assert_eq!(gone.changes[0].depends_on, ["n"]);
    // It is the target that remembers it, not what was applied last.
    assert_eq!(run(&[], vec![there.clone()], None).diagnostics[0].code, codes::PROTECTED);
    let free = run(&[], vec![free], Some(&inventory(&wanted)));
    assert!(free.diagnostics.is_empty() && free.changes[0].action == Action::Delete);

    wanted.protected = true;
    wanted.body = json!({"color": "blue"});
    let replaced = run(std::slice::from_ref(&wanted), vec![there.clone()], None);
    assert_eq!(replaced.diagnostics[0].code, codes::PROTECTED);
    assert!(replaced.diagnostics[0].message.contains("replace"));

    // Taking protection off is a change of its own, seen and applied before anything is destroyed.
    wanted.body = json!({"color": "red"});
    wanted.protected = false;
    let off = run(&[wanted.clone()], vec![there], None);
    assert_eq!(lines(&off.changes[0]), ["protect: true → false"]);
    assert!(off.diagnostics.is_empty() && off.changes[0].protected && !off.changes[0].protects());

    // And so is putting it on.
    wanted.protected = true;
    let free = found(&wanted, json!({"color": "red"}));
    let on = run(&[wanted], vec![free], None);
    assert_eq!(lines(&on.changes[0]), ["protect: false → true"]);
    assert!(on.changes[0].protects());
}

#[test]
fn what_stands_in_the_way_is_refused_with_every_object_that_needs_the_place() {
    let target = target("a");
    let wanted: Vec<Resource> =
        ["x", "y", "z"].map(|name| resource(&target, "Thing", name, json!({}))).to_vec();
    let observation = Observation::default();
    let address = |name: &str| format!("alibaba.a/Thing/{name}");
    let obstacles = [
        Obstacle {
            place: "live/a/things".into(),
            what: "a file",
            needed_by: vec![address("x"), address("y")],
        },
        Obstacle { place: "live/a/sum.conf".into(), what: "a folder", needed_by: vec![] },
    ];
    let out =
        diff(Sides { obstacles: &obstacles, ..sides(&target, &wanted, &observation, &SourceMap::default()) });
    let said: Vec<&str> = out.diagnostics.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(
        said,
        [
            "live/a/sum.conf is a folder that Poolwright did not write, in the way of target.alibaba.a",
            "live/a/things is a file that Poolwright did not write, in the way of alibaba.a/Thing/x",
        ]
    );
    assert_eq!(out.diagnostics[1].notes, ["alibaba.a/Thing/y needs the place too"]);
    assert!(
        out.diagnostics.iter().all(|it| it.is_error() && it.code == poolwright_target::codes::UNOWNED_PATH)
    );
    let actions: Vec<(Action, Option<&str>)> =
        out.changes.iter().map(|change| (change.action, change.reason.as_deref())).collect();
    let blocked = (Action::Unknown, Some("live/a/things is in the way"));
    assert_eq!(actions, [blocked, blocked, (Action::Create, None)]);
}

#[test]
fn work_that_no_object_shows_is_said() {
    let target = target("a");
    let said = |settle: Settle| {
        let observation = Observation { settle: Some(settle), ..Observation::default() };
        let out = diff(sides(&target, &[], &observation, &SourceMap::default()));
        let first = &out.diagnostics[0];
        (first.code, first.message.clone())
    };
    assert_eq!(said(Settle::Finish).0, codes::INTERRUPTED);
    assert_eq!(
        said(Settle::Move { from: "old/a".into() }),
        (codes::MOVES, "target.alibaba.a moves from `old/a` to `live/a`".to_owned())
    );
    assert_eq!(
        said(Settle::Remove),
        (codes::GONE, "the fleet has no target.alibaba.a any more: what is ours on it is removed".to_owned())
    );
}

#[test]
fn what_is_not_ours_is_refused_or_left_alone() {
    let wanted = resource(&target("a"), "Thing", "x", json!({}));
    let mut there = found(&wanted, json!({"b": 1}));
    there.owned = false;
    let run_one = run(&[wanted], vec![there.clone()], None);
    assert_eq!(run_one.diagnostics[0].code, codes::NOT_OURS);
    assert_eq!(
        run_one.diagnostics[0].helps[0],
        "take it into this fleet: poolwright adopt alibaba.a/Thing/x=Thing/x"
    );
    assert_eq!(run_one.changes[0].action, Action::Unknown);
    let alone = run(&[], vec![there], None);
    assert!(alone.changes.is_empty() && alone.diagnostics.is_empty());
}

#[test]
fn a_target_that_cannot_be_read_makes_unknown_never_create() {
    let target = target("a");
    let wanted = [resource(&target, "Thing", "x", json!({})), resource(&target, "Thing", "y", json!({}))];
    let error = TargetError::new(ErrorClass::Unreachable, poolwright_target::codes::FILE_ACCESS, "no answer");
    let (observation, sources) = (Observation::default(), SourceMap::default());
    let out = diff(Sides { found: Err(&error), ..sides(&target, &wanted, &observation, &sources) });
    assert!(out.changes.iter().all(|change| change.action == Action::Unknown) && out.changes.len() == 2);
    assert_eq!(out.changes[0].reason.as_deref(), Some("unreachable: no answer"));
    assert_eq!(out.diagnostics[0].code, codes::UNREACHABLE);
}

#[test]
fn faults_and_doubles_are_said() {
    let target = target("a");
    let mut sources = SourceMap::default();
    let file = sources.add("pools.pool.hcl", "pool \"x\" {}\npool \"y\" {}\n");
    let (mut a, mut b) =
        (resource(&target, "Thing", "x", json!({"v": 1})), resource(&target, "Thing", "x", json!({"v": 2})));
    (a.origin, b.origin) = (Span::new(file, 0, 4), Span::new(file, 12, 16));
    b.block = Address::new("pool.y");
    let fault = FileFault { path: "things/z.json".into(), line: Some(3), message: "no json".into() };
    let observation =
        Observation { faults: vec![fault], settle: Some(Settle::Finish), ..Observation::default() };
    let run = |wanted: &[Resource]| diff(sides(&target, wanted, &observation, &sources));
    let out = run(&[a.clone(), b.clone()]);
    let back = run(&[b, a]);
    assert_eq!(out.changes, back.changes);
    assert_eq!(out.diagnostics, back.diagnostics);
    let codes_seen: Vec<_> = out.diagnostics.iter().map(|it| it.code).collect();
    assert_eq!(codes_seen, [codes::DAMAGED_FILE, codes::INTERRUPTED, codes::TWICE]);
    assert!(out.diagnostics[0].message.contains("things/z.json:3"));
    let place = out.changes[0].origin.clone().unwrap();
    assert_eq!((place.file.as_str(), place.line, place.column), ("pools.pool.hcl", 1, 1));
}

#[test]
fn destroys_come_first_then_addresses() {
    let target = target("a");
    let thing = |name: &str, body: Value| resource(&target, "Thing", name, body);
    let wanted = [thing("a", json!({})), thing("z", json!({"color": 2})), thing("b", json!({"v": 1}))];
    let there = vec![
        found(&wanted[1], json!({"color": 1})),
        found(&wanted[2], json!({"v": 0})),
        found(&thing("m", json!({})), json!({})),
    ];
    let changes = run(&wanted, there, None).changes;
    let order: Vec<(Action, &str)> = changes.iter().map(|it| (it.action, it.identity.as_str())).collect();
    assert_eq!(
        order,
        [
            (Action::Delete, "Thing/m"),
            (Action::Replace, "Thing/z"),
            (Action::Create, "Thing/a"),
            (Action::Update, "Thing/b"),
        ]
    );
}

#[test]
fn guards_refuse_a_plan_that_leaves_nothing_or_destroys_too_much() {
    let thing = resource(&target("a"), "Thing", "m", json!({}));
    let delete = |wanted: &[Resource]| {
        let other = resource(&target("a"), "Thing", "n", json!({}));
        let there = vec![found(&thing, json!({})), found(&other, json!({}))];
        assemble(Parts { differences: vec![run(wanted, there, None)], ..Parts::default() }).0
    };
    let refused = |plan: &poolwright_model::Plan, guards| {
        guard(plan, guards).iter().map(|it| it.code).collect::<Vec<_>>()
    };
    let all = delete(&[]);
    assert_eq!(refused(&all, Guards::default()), [codes::EMPTY]);
    assert_eq!(refused(&all, Guards { allow_empty: true, allow_destroy: None }), []);
    assert_eq!(
        refused(&all, Guards { allow_empty: true, allow_destroy: Some(1) }),
        [codes::TOO_MANY_DESTROYS]
    );
    assert_eq!(
        refused(&delete(std::slice::from_ref(&thing)), Guards { allow_empty: false, allow_destroy: Some(1) }),
        []
    );
    // What belongs to the target itself stays, but no pool is left.
    let mut poolless = delete(std::slice::from_ref(&thing));
    let state = |capacity| TargetState { input_digest: String::new(), cost: None, capacity };
    let mut on = PlanTarget {
        address: Address::new("target.alibaba.a"),
        kind: String::from("alibaba"),
        identity: String::from("live/a"),
        reachable: true,
        support: String::from("schema-checked"),
        ring: 0,
        settle: None,
        state: Some(state(BTreeMap::new())),
    };
    poolless.targets = vec![on.clone()];
    assert_eq!(refused(&poolless, Guards::default()), [codes::EMPTY]);
    assert_eq!(refused(&poolless, Guards { allow_empty: true, allow_destroy: None }), []);
    on.state = Some(state(BTreeMap::from([(Address::new("pool.p"), 8)])));
    poolless.targets = vec![on];
    assert_eq!(refused(&poolless, Guards::default()), []);
    assert_eq!(Fake.support(&target("a")), "schema-checked");
}

#[test]
fn circles_are_errors_that_name_their_objects() {
    let target = target("a");
    let with = |name: &str, needs: &[&str]| {
        let mut made = resource(&target, "Thing", name, json!({}));
        made.depends_on = needs.iter().map(|need| format!("alibaba.a/Thing/{need}")).collect();
        made
    };
    let wanted = [
        with("a", &["b"]),
        with("b", &["c"]),
        with("c", &["a"]),
        with("d", &["d"]),
        with("e", &["a", "gone"]),
    ];
    let (_, diagnostics) =
        assemble(Parts { differences: vec![run(&wanted, vec![], None)], ..Parts::default() });
    let seen: Vec<(&str, usize)> =
        diagnostics.iter().map(|it| (it.message.as_str(), it.notes.len())).collect();
    assert_eq!(
        seen,
        [
            ("alibaba.a/Thing/a and 2 more need each other in a circle", 3),
            ("alibaba.a/Thing/d needs itself", 1),
        ]
    );
}

#[test]
fn a_long_chain_has_an_order_and_no_circle() {
    let target = target("a");
    let name = |index: usize| format!("t{index:06}");
    let wanted: Vec<Resource> = (0..50_000)
        .map(|index| {
            let mut made = resource(&target, "Thing", &name(index), json!({}));
            made.depends_on.push(format!("alibaba.a/Thing/{}", name(index + 1)));
            made
        })
        .collect();
    let (plan, diagnostics) =
        assemble(Parts { differences: vec![run(&wanted, vec![], None)], ..Parts::default() });
    assert_eq!(diagnostics, []);
    let changes: Vec<&Change> = plan.changes.iter().collect();
    assert!(poolwright_engine::order::order(&changes).into_iter().eq((0..50_000).rev()));
}
