//! The engine's laws over the folder backend, with worlds made at random.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

#[cfg(test)]
#[path = "../../target/tests/fake/mod.rs"]
mod fake;

use std::collections::BTreeMap;

use fake::{Fake, resource, target};
use poolwright_diagnostics::SourceMap;
use poolwright_engine::apply::Silent;
use poolwright_engine::{
    Event, Observer, Parts, Report, Sides, Site, apply, assemble, codes, diff, order, saved, stale, state,
};
use poolwright_model::plan::{Action, Change, PlanTarget};
use poolwright_model::resource::Ownership;
use poolwright_model::{Plan, Resource, fleet};
use poolwright_target::backend::Backend as _;
use poolwright_target::directory::Directory;
use poolwright_target::files::{Fault, MemoryFiles};
use proptest::prelude::*;
use serde_json::{Value, json};

fn directory<'a>(target: &'a fleet::Target, files: &'a MemoryFiles) -> Directory<'a> {
    Directory::new(&Fake, target, "acme", target.directory.as_deref().unwrap(), files).unwrap()
}

fn plan(target: &fleet::Target, files: &MemoryFiles, wanted: &[Resource]) -> Plan {
    let folder = directory(target, files);
    let found = folder.observe();
    let inventory = folder.inventory().ok().flatten();
    let difference = diff(Sides {
        kind: &Fake,
        target,
        wanted,
        found: found.as_ref(),
        obstacles: &folder.obstacles(wanted).unwrap_or_default(),
        inventory: inventory.as_ref(),
        sources: &SourceMap::default(),
    });
    let targets = vec![PlanTarget {
        address: target.meta.address.clone(),
        kind: "fake".into(),
        identity: folder.identity(),
        reachable: found.is_ok(),
        support: "schema-checked".into(),
        ring: 0,
        settle: found.as_ref().ok().and_then(|found| found.settle.clone()),
        state: Some(state::target_state(
            wanted,
            None,
            BTreeMap::from([("pool.x".into(), wanted.len() as u64)]),
        )),
    }];
    assemble(Parts { fleet: "acme".into(), targets, differences: vec![difference], ..Parts::default() }).0
}

fn run(target: &fleet::Target, files: &MemoryFiles, plan: &Plan) -> Report {
    let folder = directory(target, files);
    let sites = BTreeMap::from([(target.meta.address.clone(), Site { kind: &Fake, backend: &folder })]);
    apply(plan, &sites, &mut Silent)
}

fn steady(target: &fleet::Target, files: &MemoryFiles, wanted: &[Resource]) -> Report {
    let plan = plan(target, files, wanted);
    run(target, files, &plan)
}

/// Name, size, whether a row, whether it has a seeded field.
type World = Vec<(bool, String, i64, bool)>;

fn some_world() -> impl Strategy<Value = World> {
    prop::collection::vec((any::<bool>(), "[a-e]", 0_i64..3, any::<bool>()), 0..6).prop_map(|mut all| {
        all.sort();
        all.dedup_by(|a, b| (a.0, &a.1) == (b.0, &b.1));
        all
    })
}

fn resources(target: &fleet::Target, world: &World) -> Vec<Resource> {
    let one = |(row, name, size, seeded): &(bool, String, i64, bool)| {
        let kind = if *row { "Row" } else { "Thing" };
        let mut made = resource(target, kind, name, json!({"size": size, "desired": 0, "watched": "ours"}));
        if *seeded {
            made.ownership.insert("/desired".into(), Ownership::Seed("autoscaler".into()));
            made.ownership.insert("/watched".into(), Ownership::Observe("daemon".into()));
        }
        made
    };
    world.iter().map(one).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// P1: plan, apply, plan: nothing. P2: the apply of an empty plan makes no mutating call.
    #[test]
    fn a_plan_after_apply_is_empty_and_applying_it_touches_nothing(before in some_world(), after in some_world()) {
        let target = target("a");
        let files = MemoryFiles::new();
        files.put("live/a/things/foreign.txt", "theirs");
        for world in [&before, &after] {
            let wanted = resources(&target, world);
            let first = plan(&target, &files, &wanted);
            let report = run(&target, &files, &first);
            prop_assert_eq!(report.exit(), 0, "{:?}", report);
            prop_assert_eq!(report.applied.len(), first.changes.len());
            let again = plan(&target, &files, &wanted);
            prop_assert_eq!(&again.changes, &[], "re-plan");
            prop_assert_eq!(again.summary.no_op, wanted.len());
            let (mutations, world) = (files.mutations(), files.files());
            prop_assert_eq!(run(&target, &files, &again).exit(), 0);
            prop_assert_eq!((files.mutations(), &files.files()), (mutations, &world));
            prop_assert_eq!(world["live/a/things/foreign.txt"].as_slice(), b"theirs");
        }
    }

    /// Apply writes the bytes that compile writes, as long as all of it is ours.
    #[test]
    fn apply_and_compile_write_the_same_bytes(before in some_world(), after in some_world()) {
        let target = target("a");
        let (applied, compiled) = (MemoryFiles::new(), MemoryFiles::new());
        for world in [&before, &after] {
            let mut wanted = resources(&target, world);
            wanted.iter_mut().for_each(|it| it.ownership.clear());
            steady(&target, &applied, &wanted);
            directory(&target, &compiled).compile(&wanted).unwrap();
        }
        let mut files = applied.files();
        prop_assert!(files.remove("live/.poolwright/alibaba.a/inventory.json").is_some());
        // Nothing to apply makes no folder; compile always says that the folder is its own.
        prop_assume!(!files.is_empty());
        prop_assert_eq!(files, compiled.files());
    }

    /// P3: apply, killed at any call, then planned and applied again, ends in the world of an apply not killed.
    #[test]
    fn a_crash_at_every_call_of_apply_ends_in_the_same_world(
        before in some_world(), after in some_world(), torn in prop::option::of(0_usize..60),
    ) {
        let target = target("a");
        let (before, after) = (resources(&target, &before), resources(&target, &after));
        let fresh = || {
            let files = MemoryFiles::new();
            files.put("live/a/rows.txt", "theirs");
            steady(&target, &files, &before);
            files
        };
        let clean = fresh();
        let start = clean.calls();
        steady(&target, &clean, &after);
        for call in 1..=clean.calls() - start {
            let files = fresh();
            let old = files.files();
            files.inject(call, torn.map_or(Fault::Crash, Fault::Torn));
            let _ = steady(&target, &files, &after);
            files.restart();
            for (path, contents) in files.files() {
                let hidden = path.contains(".poolwright-staging-") || path.ends_with(".json.new");
                if hidden || path.ends_with("manifest.lock.json") {
                    continue;
                }
                let whole = old.get(&path) == Some(&contents) || clean.files().get(&path) == Some(&contents);
                prop_assert!(whole, "call {}: {} is neither old nor new", call, path);
            }
            let report = steady(&target, &files, &after);
            prop_assert_eq!(report.exit(), 0, "call {}: {:?}", call, report);
            prop_assert_eq!(&plan(&target, &files, &after).changes, &[]);
            let mut left = files.files();
            left.remove("live/.poolwright/alibaba.a/inventory.json.new");
            // An object's memory may be of its found or its written form; the objects are the same.
            let ours = |files: &mut BTreeMap<String, Vec<u8>>| files.remove("live/.poolwright/alibaba.a/inventory.json");
            let mut expected = clean.files();
            prop_assert_eq!(ours(&mut left).is_some(), ours(&mut expected).is_some());
            prop_assert_eq!(left, expected, "crash at call {}", call);
        }
    }

    /// P4: equal input gives equal bytes, whatever the order of resources.
    #[test]
    fn a_plan_does_not_depend_on_the_order_of_resources(before in some_world(), after in some_world()) {
        let target = target("a");
        let files = MemoryFiles::new();
        steady(&target, &files, &resources(&target, &before));
        let mut wanted = resources(&target, &after);
        let one = saved::write(&plan(&target, &files, &wanted)).unwrap();
        wanted.reverse();
        let other = saved::write(&plan(&target, &files, &wanted)).unwrap();
        prop_assert_eq!(&one, &other);
        let read = saved::read(one.as_bytes()).unwrap();
        prop_assert_eq!(saved::write(&read).unwrap(), one);
    }

    /// A plan that was saved and read is applied like the one in memory; the world moved on makes it stale.
    #[test]
    fn a_saved_plan_is_applied_or_stale(before in some_world(), after in some_world(), drift in some_world()) {
        let target = target("a");
        let files = MemoryFiles::new();
        steady(&target, &files, &resources(&target, &before));
        let wanted = resources(&target, &after);
        let made = plan(&target, &files, &wanted);
        let read = saved::read(saved::write(&made).unwrap().as_bytes()).unwrap();
        steady(&target, &files, &resources(&target, &drift));
        let moved = plan(&target, &files, &wanted).digest != made.digest;
        let world = files.files();
        let report = run(&target, &files, &read);
        if report.exit() == 0 {
            prop_assert_eq!(report.applied.len(), read.changes.len());
        } else {
            prop_assert!(moved, "{:?}", report);
            prop_assert_eq!(report.exit(), 5);
            prop_assert!(!report.stale.is_empty());
            prop_assert_eq!(files.files(), world, "nothing was written");
            prop_assert_eq!(report.skipped.len(), read.changes.len());
        }
    }

    /// P6: the order is a linear extension of the graph; deletes are its reverse, after everything else.
    #[test]
    fn the_order_respects_every_dependency(
        edges in prop::collection::vec((0_usize..12, 0_usize..12), 0..30), deletes in prop::collection::vec(any::<bool>(), 12),
    ) {
        let target = target("a");
        let changes: Vec<Change> = (0..12).map(|index| {
            let mut made = plan(&target, &MemoryFiles::new(), &[resource(&target, "Thing", &format!("t{index:02}"), json!({}))])
                .changes.remove(0);
            // Edges to smaller numbers only: no circles.
            let needs = edges.iter().filter(|(a, b)| a.max(b) == &index && a != b);
            made.depends_on = needs.map(|(a, b)| format!("alibaba.a/Thing/t{:02}", a.min(b))).collect();
            if deletes[index] { made.action = Action::Delete; }
            made
        }).collect();
        prop_assert!(order::cycles(&changes).is_empty());
        let refs: Vec<&Change> = changes.iter().collect();
        let order = order::order(&refs);
        let mut seen = order.clone();
        seen.sort_unstable();
        prop_assert_eq!(seen, (0..12).collect::<Vec<_>>());
        let at = |wanted: usize| order.iter().position(|index| *index == wanted).unwrap();
        for (a, b) in edges.iter().filter(|(a, b)| a != b) {
            let (needed, needing) = (*a.min(b), *a.max(b));
            match (deletes[needed], deletes[needing]) {
                (false, false) => prop_assert!(at(needed) < at(needing)),
                (true, true) => prop_assert!(at(needing) < at(needed)),
                (true, false) => prop_assert!(at(needing) < at(needed)),
                (false, true) => prop_assert!(at(needed) < at(needing)),
            }
        }
    }

    /// P12: the reader of plans survives any bytes.
    #[test]
    fn a_plan_of_any_bytes_is_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(saved::read(&bytes).is_err());
    }
}

fn sample() -> Plan {
    let target = target("a");
    let files = MemoryFiles::new();
    let world = vec![(false, "a".to_owned(), 1, true), (true, "b".to_owned(), 2, false)];
    steady(&target, &files, &resources(&target, &world));
    plan(
        &target,
        &files,
        &resources(&target, &vec![(false, "a".to_owned(), 2, true), (true, "c".to_owned(), 2, false)]),
    )
}

#[test]
fn a_plan_cut_short_anywhere_is_refused() {
    let text = saved::write(&sample()).unwrap();
    for length in 0..text.len() - 1 {
        let error = saved::read(&text.as_bytes()[..length]).unwrap_err();
        assert_eq!(error.code, codes::PLAN_TRUNCATED, "at {length}: {}", error.message);
    }
    assert!(saved::read(text.trim_end().as_bytes()).is_ok());
}

/// Every value of the JSON, changed alone, is noticed; with a new seal, everything that is applied or approved.
#[test]
fn a_plan_changed_in_any_value_is_refused() {
    let text = saved::write(&sample()).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    let mut pointers = Vec::new();
    collect(&value, "", &mut pointers);
    assert!(pointers.len() > 60, "{}", pointers.len());
    for pointer in &pointers {
        let mut changed = value.clone();
        let place = changed.pointer_mut(pointer).unwrap();
        *place = match place {
            Value::String(text) => Value::String(format!("{text}x")),
            Value::Bool(flag) => Value::Bool(!*flag),
            Value::Number(number) => json!(number.as_i64().unwrap() + 1),
            _ => json!("x"),
        };
        let error = saved::read(changed.to_string().as_bytes()).unwrap_err();
        let expected = if pointer == "/schema" { codes::PLAN_SCHEMA } else { codes::PLAN_TAMPERED };
        assert_eq!(error.code, expected, "{pointer}: {}", error.message);
    }
    // A forger who also makes a new seal cannot change what is applied without changing the approved digest.
    for (pointer, what) in [
        ("/changes/0/identity", json!("Thing/zz")),
        ("/changes/0/body", json!({"size": 99})),
        ("/changes/0/action", json!("create")),
        ("/changes/0/found", json!("sha256:x")),
        ("/targets/0/identity", json!("live/b")),
        ("/targets/0/state/input_digest", json!("sha256:x")),
        ("/input_digest", json!("sha256:x")),
    ] {
        let mut plan: Value = serde_json::to_value(sample()).unwrap();
        *plan.pointer_mut(pointer).unwrap() = what;
        let plan: Plan = serde_json::from_value(plan).unwrap();
        let sealed = saved::write(&plan).unwrap();
        assert_eq!(saved::read(sealed.as_bytes()).unwrap_err().code, codes::PLAN_TAMPERED, "{pointer}");
        assert_eq!(run(&target("a"), &MemoryFiles::new(), &plan).exit(), 5, "{pointer}");
    }
}

fn collect(value: &Value, at: &str, out: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, member)| {
                collect(member, &format!("{at}/{}", name.replace('/', "~1")), out)
            });
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| collect(item, &format!("{at}/{index}"), out));
        }
        Value::Null => {}
        _ => out.push(at.to_owned()),
    }
}

#[test]
fn foreign_json_is_named() {
    for (text, code, part) in [
        ("{}", codes::PLAN_SCHEMA, "no schema"),
        (r#"{"schema":"poolwright/plan/v2"}"#, codes::PLAN_SCHEMA, "`poolwright/plan/v2`"),
        (r#"{"schema":"poolwright/cost/v1"}"#, codes::PLAN_SCHEMA, "no plan"),
        (r#"{"schema":"poolwright/plan/v1"}"#, codes::PLAN_TAMPERED, "seal is gone"),
        ("PK\u{3}\u{4}", codes::PLAN_UNREADABLE, "not JSON"),
        (&"[".repeat(5000), codes::PLAN_UNREADABLE, "recursion limit"),
        ("", codes::PLAN_TRUNCATED, "0 bytes"),
    ] {
        let error = saved::read(text.as_bytes()).unwrap_err();
        assert_eq!(error.code, code, "{text:.40}");
        assert!(error.message.contains(part), "{}", error.message);
        assert!(!error.helps.is_empty());
    }
}

#[test]
fn an_approval_is_of_exactly_one_plan_and_says_what_differs() {
    let approved = sample();
    assert_eq!(stale::not_approved(&approved, &approved.digest, None), None);
    let short: String = approved.digest.chars().take("sha256:".len() + 12).collect();
    assert_eq!(stale::not_approved(&approved, &short, None), None);
    assert!(stale::not_approved(&approved, "sha256:", None).is_some(), "too short to mean one plan");
    let mut now = sample();
    let update = now.changes.iter_mut().find(|change| change.action == Action::Update).unwrap();
    update.fields.iter_mut().find(|field| field.path == "size").unwrap().after = Some(json!(5));
    poolwright_engine::seal(&mut now);
    let refused = stale::not_approved(&now, &approved.digest, Some(&approved)).unwrap();
    assert_eq!(refused.code, codes::NOT_APPROVED);
    assert_eq!(refused.notes, ["alibaba.a/Thing/a: size differs", "nothing was applied"]);
}

#[test]
fn the_next_plan_knows_what_was_applied_last() {
    let target = target("a");
    let files = MemoryFiles::new();
    let folder = directory(&target, &files);
    assert_eq!(folder.inventory().unwrap(), None);
    let wanted = resources(&target, &vec![(false, "a".to_owned(), 1, false)]);
    steady(&target, &files, &wanted);
    let inventory = folder.inventory().unwrap().unwrap();
    assert_eq!(inventory.input_digest, poolwright_target::input_digest(&wanted));
    assert_eq!(inventory.capacity, BTreeMap::from([("pool.x".into(), 1)]));
    assert_eq!(inventory.objects.len(), 1);
    let memory = [state::Memory { inventory: Some(&inventory), populated: true }];
    let after = BTreeMap::from([("pool.x".into(), 3), ("pool.y".into(), 8)]);
    let changes = state::capacity_changes(&memory, &after);
    let shown: Vec<(&str, Option<u64>, Option<u64>)> =
        changes.iter().map(|it| (it.pool.as_str(), it.before, it.after)).collect();
    assert_eq!(shown, [("pool.x", Some(1), Some(3)), ("pool.y", None, Some(8))]);

    // Gone by somebody else's hand: created again, and the plan says that it was there.
    files.take("live/a/things/a.json");
    let change = plan(&target, &files, &wanted).changes.remove(0);
    assert_eq!(change.action, Action::Create);
    assert_eq!(change.reason.as_deref(), Some("was applied before and is gone"));

    files.put("live/.poolwright/alibaba.a/inventory.json", "{");
    let error = folder.inventory().unwrap_err();
    assert!(error.message.contains("live/.poolwright/alibaba.a/inventory.json"), "{error}");
}

#[test]
fn what_others_own_survives_an_update_and_is_not_written_at_creation() {
    let target = target("a");
    let files = MemoryFiles::new();
    let world = |size| resources(&target, &vec![(false, "a".to_owned(), size, true)]);
    steady(&target, &files, &world(1));
    let path = "live/a/things/a.json";
    let read = || -> Value {
        let text = String::from_utf8(files.files()[path].clone()).unwrap();
        serde_json::from_str(text.split_once('\n').unwrap().1).unwrap()
    };
    assert_eq!(read(), json!({"desired": 0, "size": 1}));
    let made = plan(&target, &files, &world(2));
    // The autoscaler moves between plan and apply: its value stays, and the plan is not stale.
    files.put(path, "# fleet acme\n{\"desired\": 7, \"size\": 1, \"watched\": \"theirs\"}\n");
    assert_eq!(run(&target, &files, &made).exit(), 0);
    assert_eq!(read(), json!({"desired": 7, "size": 2, "watched": "theirs"}));
}

#[test]
fn a_file_that_holds_no_object_is_drift_all_the_same() {
    let target = target("a");
    let files = MemoryFiles::new();
    let wanted =
        resources(&target, &vec![(true, "r".to_owned(), 2, false), (true, "s".to_owned(), 1, false)]);
    steady(&target, &files, &wanted);
    let clean = files.files();
    for (file, contents, what) in [
        ("live/a/sum.conf", None, "sum.conf is missing"),
        ("live/a/sum.conf", Some("99\n"), "sum.conf is changed by hand"),
        ("live/a/many.conf", None, "many.conf is missing"),
        ("live/a/many.conf", Some(""), "many.conf is changed by hand"),
    ] {
        files.take(file);
        contents.iter().for_each(|text| files.put(file, *text));
        let made = plan(&target, &files, &wanted);
        assert_eq!(made.changes.len(), 1, "{what}");
        assert_eq!(made.changes[0].reason.as_deref(), Some(what));
        assert_eq!((made.changes[0].action, made.summary.no_op), (Action::Update, 1));
        assert_eq!(run(&target, &files, &made).exit(), 0);
        assert_eq!(files.files(), clean);
    }
    // A comment in a file of objects is nobody's drift and stays.
    let things = resources(&target, &vec![(false, "t".to_owned(), 1, false)]);
    steady(&target, &files, &things);
    let path = "live/a/things/t.json";
    let edited = [files.files()[path].clone(), b"# a note\n".to_vec()].concat();
    files.put(path, edited.clone());
    assert_eq!(plan(&target, &files, &things).changes, []);
    assert_eq!(files.files()[path], edited);
}

struct Stop(usize);

impl Observer for Stop {
    fn event(&mut self, event: Event<'_>) {
        if matches!(event, Event::Start { .. }) {
            self.0 += 1;
        }
    }

    fn cancelled(&self) -> bool {
        self.0 > 0
    }
}

#[test]
fn a_stopped_run_begins_nothing_new() {
    let target = target("a");
    let files = MemoryFiles::new();
    let folder = directory(&target, &files);
    let made = plan(&target, &files, &resources(&target, &vec![(false, "a".to_owned(), 1, false)]));
    let sites = BTreeMap::from([(target.meta.address.clone(), Site { kind: &Fake, backend: &folder })]);
    let report = apply(&made, &sites, &mut Stop(0));
    assert_eq!((report.exit(), report.applied.len(), report.skipped.len()), (8, 0, 1));
    assert_eq!(files.files().len(), 0);
}
