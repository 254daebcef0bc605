//! Values of the types that are written as JSON with every field set, and with as few as can be: what a run of an
//! example does not happen to show. A new field breaks the build here, until it is set and documented.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::{Applicability, Code, Diagnostic, Edit, SourceMap, Span, render};
use poolwright_engine::saved;
use poolwright_expression::quantity::{Date, Money};
use poolwright_model::money::BookUse;
use poolwright_model::plan::{
    Action, CapacityChange, Change, CostChange, FieldChange, Place, PlanOutput, PlanTarget, RouteLine,
    Settle, Summary, TargetState, Verdict,
};
use poolwright_model::resource::Ownership;
use poolwright_model::{Address, Cost, Plan, money::CostLine};
use poolwright_target::inventory::{INVENTORY_SCHEMA, Inventory, InventoryObject};
use poolwright_target::manifest::Manifest;
use serde_json::{Value, json};

use super::{faults, printed};

#[track_caller]
fn fits(name: &str, value: &Value) {
    let faults = faults(&printed(&[name]), value);
    assert!(faults.is_empty(), "{value:#}\n{}", faults.join("\n"));
}

fn digest() -> String {
    format!("sha256:{}", "0f".repeat(32))
}

fn line(money: Option<&str>) -> CostLine {
    let money = money.map(|text| Money::parse(text).unwrap());
    let unknown = if money.is_some() { Vec::new() } else { vec!["no book has it".to_owned()] };
    CostLine { floor: money.clone(), expected: money.clone(), ceiling: money, unknown }
}

fn cost(hourly: Option<&str>, monthly: Option<&str>) -> Cost {
    Cost { hourly: line(hourly), monthly: line(monthly) }
}

/// A diagnostic of each severity, with everything that one can have; the second place is in no file.
fn diagnostics() -> (Vec<Diagnostic>, SourceMap) {
    let mut sources = SourceMap::default();
    let file = sources.add("a.pool.hcl", "pool \"a\" {\n  nodse = 1\n}\n");
    let span = Span::new(file, 13, 18);
    let code = Code("PW1003");
    let edit = || vec![Edit { span, text: "nodes".to_owned() }];
    let full = Diagnostic::error(code, "there is no attribute `nodse`")
        .at(span, "unknown")
        .also(Span::default(), "in no file")
        .with_note("a fact")
        .with_help("write `nodes`")
        .with_fix("write `nodes`", Applicability::Safe, edit())
        .with_fix("leave it out", Applicability::Unsafe, edit())
        .with_fix("name it", Applicability::HasPlaceholders, edit())
        .with_value("self.nodes", "4")
        .with_frame("in pool.a", Some(span))
        .with_frame("in the fleet", None);
    (vec![full, Diagnostic::warning(code, "a warning"), Diagnostic::note(code, "a note")], sources)
}

fn change(action: Action, full: bool) -> Change {
    let text = |text: &str| full.then(|| text.to_owned());
    let place = Place { file: "a.pool.hcl".to_owned(), line: 1, column: 1, span: Span::default() };
    let ownership = [
        ("/a", Ownership::Enforce),
        ("/b", Ownership::Seed("cluster-autoscaler".to_owned())),
        ("/c", Ownership::Observe("karpenter".to_owned())),
    ];
    Change {
        address: "kubernetes.a/core/Namespace/a".to_owned(),
        target: Address::new("target.kubernetes.a"),
        kind: "Namespace".to_owned(),
        identity: "core/Namespace/a".to_owned(),
        action,
        reason: text("drifted"),
        protected: full,
        depends_on: text("kubernetes.a/core/Namespace/b").into_iter().collect(),
        fields: vec![FieldChange {
            path: "spec.a".to_owned(),
            before: full.then(|| json!([1])),
            after: full.then(|| json!({ "a": null })),
            sensitive: full,
            forces_replace: full,
            owner: text("somebody"),
        }],
        precondition: text("7"),
        found: full.then(digest),
        body: full.then(|| json!({ "kind": "Namespace" })),
        ownership: ownership
            .into_iter()
            .filter(|_| full)
            .map(|(path, owner)| (path.to_owned(), owner))
            .collect(),
        origin: full.then_some(place),
        remark: text("a word"),
    }
}

fn plan(full: bool) -> Plan {
    let (diagnostics, sources) = diagnostics();
    let known = || cost(Some("$2/h"), Some("$1460/month"));
    let text = |text: &str| full.then(|| text.to_owned());
    let state = || TargetState {
        input_digest: digest(),
        cost: full.then(known),
        capacity: BTreeMap::from([(Address::new("pool.a"), 8)]),
    };
    let actions = [
        Action::Delete,
        Action::Replace,
        Action::Create,
        Action::Update,
        Action::Adopt,
        Action::Forget,
        Action::NoOp,
        Action::Unknown,
    ];
    Plan {
        schema: "poolwright/plan/v1".to_owned(),
        tool: "poolwright 0.1.0".to_owned(),
        fleet: "acme".to_owned(),
        input_digest: digest(),
        digest: digest(),
        summary: Summary {
            create: 1,
            update: 1,
            replace: 1,
            delete: 1,
            adopt: 1,
            forget: 1,
            no_op: 1,
            unknown: 1,
            cost: full.then(|| CostChange {
                before: Some(cost(None, None)),
                after: known(),
                delta: Some(cost(Some("-$2/h"), Some("-$0.005/month"))),
            }),
        },
        targets: [
            Settle::Finish,
            Settle::Move { from: "old/a".to_owned() },
            Settle::Remember,
            Settle::Remove,
        ]
        .map(|settle| PlanTarget {
            address: Address::new("target.kubernetes.a"),
            kind: "kubernetes".to_owned(),
            identity: "live/a".to_owned(),
            reachable: full,
            support: "schema-checked".to_owned(),
            ring: 9,
            settle: full.then_some(settle),
            state: full.then(state),
        })
        .to_vec(),
        changes: actions.into_iter().map(|action| change(action, full)).collect(),
        routes: vec![RouteLine {
            route: Address::new("route.a"),
            target: Address::new("target.kubernetes.a"),
            mechanism: "direct".to_owned(),
            fidelity: "exact".to_owned(),
            note: text("while it answers"),
        }],
        policies: ["pass", "violation", "exempt", "not-applicable", "unknown", "error"]
            .map(|verdict| Verdict {
                policy: Address::new("policy.a"),
                object: "plan".to_owned(),
                verdict: verdict.to_owned(),
                severity: text("approve"),
                message: text("too much"),
                origin: None,
            })
            .to_vec(),
        capacity: vec![CapacityChange {
            pool: Address::new("pool.a"),
            before: full.then_some(8),
            after: None,
        }],
        outputs: [(text("2"), false), (None, true)]
            .into_iter()
            .enumerate()
            .map(|(index, (shown, sensitive))| {
                let output = PlanOutput {
                    description: text("how many"),
                    sensitive,
                    value: shown.as_ref().map(|_| json!(2)),
                    text: shown,
                };
                (format!("o{index}"), output)
            })
            .collect(),
        books: vec![BookUse {
            name: "list".to_owned(),
            date: full.then_some(Date { year: 2027, month: 1, day: 31 }),
        }],
        diagnostics: diagnostics.iter().map(|diagnostic| render::to_json(diagnostic, &sources)).collect(),
    }
}

#[test]
fn plans() {
    for full in [true, false] {
        let text = saved::write(&plan(full)).unwrap();
        fits("plan", &serde_json::from_str(&text).unwrap());
    }
}

#[test]
fn diagnostics_of_every_form() {
    let (diagnostics, sources) = diagnostics();
    let mut findings = render::Findings::default();
    findings.add(&diagnostics, &sources, "");
    let value: Value = serde_json::from_str(&render::json(&findings)).unwrap();
    fits("diagnostics", &value);
    for part in ["spans", "notes", "helps", "fixes", "values", "trail"] {
        let all = value["diagnostics"].as_array().unwrap();
        assert!(all.iter().any(|diagnostic| diagnostic[part] != json!([])), "{part}");
    }
}

/// The manifest that an interrupted first write leaves, and the inventory of a first apply that failed halfway.
#[test]
fn files_of_what_was_interrupted() {
    let target = Address::new("target.kubernetes.a");
    let files = BTreeMap::from([("core/namespace/a.yaml".to_owned(), digest())]);
    let manifest = Manifest {
        pending: Some(files.clone()),
        files,
        protected: BTreeSet::from(["kubernetes.a/core/Namespace/a".to_owned()]),
        directory: Some("live/a".to_owned()),
        moved_from: Some("old/a".to_owned()),
        ..Manifest::new("acme", &target)
    };
    fits("manifest", &serde_json::from_slice(&manifest.encode()).unwrap());
    for full in [true, false] {
        let object = InventoryObject {
            address: "kubernetes.a/core/Namespace/a".to_owned(),
            kind: "Namespace".to_owned(),
            identity: "core/Namespace/a".to_owned(),
            digest: digest(),
            depends_on: full.then(|| "kubernetes.a/core/Namespace/b".to_owned()).into_iter().collect(),
        };
        let inventory = Inventory {
            schema: INVENTORY_SCHEMA.to_owned(),
            fleet: "acme".to_owned(),
            target: target.clone(),
            input_digest: if full { digest() } else { String::new() },
            objects: vec![object],
            cost: full.then(|| cost(Some("CNY 14.5/h"), None)),
            capacity: BTreeMap::new(),
        };
        fits("inventory", &serde_json::from_slice(&inventory.encode()).unwrap());
    }
}
