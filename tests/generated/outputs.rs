//! Real output against the schemas of outputs. They are closed: a field that is not documented fails here.

use std::path::Path;

use serde_json::{Value, json};

use super::{faults, printed};
use crate::support::{Run, edit, example, poolwright, tree};

#[track_caller]
fn fits(schema: &Value, value: &Value) {
    let faults = faults(schema, value);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.all()))
}

#[test]
fn plans() {
    let schema = printed(&["plan"]);
    let folder = example("quickstart");
    let plan = |code: i32| json(&poolwright(folder.path(), &["plan", "--json"]).expect(code));
    let first = plan(2);
    fits(&schema, &first);
    // The saved form, and what `show` makes of it, are the same.
    poolwright(folder.path(), &["plan", "-o", "p.json"]).expect(2);
    let saved: Value = serde_json::from_slice(&std::fs::read(folder.path().join("p.json")).unwrap()).unwrap();
    assert_eq!(saved, first);
    assert_eq!(json(&poolwright(folder.path(), &["show", "p.json", "--json"]).expect(0)), first);
    poolwright(folder.path(), &["apply", "--auto-approve"]).expect(0);
    let nothing = plan(0);
    fits(&schema, &nothing);
    assert_eq!(nothing["changes"], json!([]));

    edit(&folder.path().join("pools.pool.hcl"), "nodes = \"0..12\"", "nodes = \"0..20\"");
    let edited = plan(2);
    fits(&schema, &edited);
    assert!(edited["changes"].as_array().unwrap().iter().any(|change| change["fields"] != json!([])));
    assert!(edited["summary"]["cost"]["delta"].is_object() && edited["capacity"] != json!([]));

    // A protected block, a destroy, somebody else's edit, a file of theirs, and an unreadable target.
    let queues = folder.path().join("queues.pool.hcl");
    edit(&queues, "queue \"dev\" {", "queue \"dev\" {\n  protect = true");
    edit(
        &queues,
        "queue \"inference\" {\n  class   = class.inference\n  tenants = [tenant.nlp]\n  pools   = [pool.onprem-gaudi]\n}\n",
        "",
    );
    let cohort = folder.path().join("live/eks/kueue.x-k8s.io/cohort/acme.yaml");
    let text = std::fs::read_to_string(&cohort).unwrap();
    std::fs::write(&cohort, text.replace("32", "33")).unwrap();
    std::fs::write(folder.path().join("live/ack/manifest.lock.json"), "{").unwrap();
    let run = poolwright(folder.path(), &["plan", "--json"]);
    let mixed = json(&run);
    fits(&schema, &mixed);
    let actions: Vec<&str> =
        mixed["changes"].as_array().unwrap().iter().filter_map(|change| change["action"].as_str()).collect();
    assert!(actions.contains(&"delete") && actions.contains(&"update"), "{actions:?}");
    let reachable =
        |wanted: bool| mixed["targets"].as_array().unwrap().iter().any(|it| it["reachable"] == wanted);
    assert!(reachable(true) && reachable(false), "{}", run.stderr);
}

#[test]
fn a_denied_plan() {
    let folder = example("quickstart");
    edit(
        &folder.path().join("queues.pool.hcl"),
        "{ pool = pool.aws-a100-spot, gpus = 32, borrow = 32 }",
        "{ pool = pool.aws-a100-spot, gpus = 32, borrow = \"all\" }",
    );
    let run = poolwright(folder.path(), &["plan", "--json", "--format", "json"]).expect(4);
    let plan = json(&run);
    fits(&printed(&["plan"]), &plan);
    assert!(plan["policies"].as_array().unwrap().iter().any(|it| it["severity"] == "deny"));
    // What speaks against it is JSON on the other stream.
    let said: Value = serde_json::from_str(&run.stderr).unwrap();
    fits(&printed(&["diagnostics"]), &said);
    assert_eq!(said["diagnostics"][0]["code"], "PW8001");
}

/// A cap without a price book: parts of costs and prices are unknown, and say why.
#[test]
fn unknown_money() {
    let folder = example("quickstart");
    edit(
        &folder.path().join("fleet.pool.hcl"),
        "[price_book.contracts, price_book.list]",
        "[price_book.contracts]",
    );
    let cost = json(&poolwright(folder.path(), &["cost", "--json"]).expect(0));
    fits(&printed(&["cost"]), &cost);
    assert!(cost["prices"]["pool.aws-a100-spot.lot.az2"]["unknown"].is_string(), "{cost:#}");
    let plan = poolwright(folder.path(), &["plan", "--json"]);
    fits(&printed(&["plan"]), &json(&plan));
}

/// The whole catalogue and each part; a field that nobody wrote down does not fit.
#[test]
fn catalogues() {
    let schema = printed(&["catalog"]);
    let of = |words: &[&str]| json(&poolwright(Path::new("/"), words).expect(0));
    let all = of(&["catalog", "--json"]);
    fits(&schema, &all);
    for (part, members) in [
        ("accelerators", &["vendors", "accelerators"][..]),
        ("instances", &["instances"]),
        ("fabrics", &["fabrics"]),
    ] {
        let one = of(&["catalog", part, "--json"]);
        fits(&schema, &one);
        assert_eq!(one.as_object().unwrap().len(), 2 + members.len(), "{part}");
        for member in members {
            assert_eq!(one[member], all[member], "{part}");
        }
    }
    for path in
        ["/accelerators/0", "/accelerators/0/partitions/0", "/instances/0", "/fabrics/0", "/vendors/0"]
    {
        let mut more = all.clone();
        more.pointer_mut(path).unwrap()["more"] = json!(1);
        assert!(!faults(&schema, &more).is_empty(), "{path}");
    }
}

#[test]
fn diagnostics() {
    let schema = printed(&["diagnostics"]);
    let folder = example("quickstart");
    let validate =
        |code: i32| json(&poolwright(folder.path(), &["validate", "--format", "json"]).expect(code));
    fits(&schema, &validate(0));
    let queues = folder.path().join("queues.pool.hcl");
    edit(&queues, "class   = class.urgent", "clas    = class.urgnt");
    edit(&queues, "default = true", "default = true\n  defualt = 1 +");
    edit(&folder.path().join("pools.pool.hcl"), "\"60%\"", "0.6");
    let faulty = validate(3);
    fits(&schema, &faulty);
    assert!(faulty["diagnostics"].as_array().unwrap().len() > 2, "{faulty:#}");
    // A failing test has values and a trail.
    let folder = example("quickstart");
    edit(&folder.path().join("policies.pool.hcl"), "waited = \"900s\"", "waited = \"899s\"");
    let run = poolwright(folder.path(), &["test", "--format", "json"]).expect(1);
    fits(&schema, &serde_json::from_str(&run.stderr).unwrap());
    // Without a place in a file.
    let run = poolwright(folder.path(), &["schema", "nothing-like-it", "--format", "json"]).expect(3);
    fits(&schema, &serde_json::from_str(&run.stderr).unwrap());
}

#[test]
fn version_and_cost() {
    let folder = example("quickstart");
    fits(&printed(&["version"]), &json(&poolwright(folder.path(), &["version", "--json"]).expect(0)));
    fits(&printed(&["cost"]), &json(&poolwright(folder.path(), &["cost", "--json"]).expect(0)));
}

#[test]
fn written_files() {
    let folder = example("quickstart");
    edit(&folder.path().join("queues.pool.hcl"), "queue \"dev\" {", "queue \"dev\" {\n  protect = true");
    poolwright(folder.path(), &["apply", "--auto-approve"]).expect(0);
    poolwright(folder.path(), &["compile", "--out", "out"]).expect(0);
    let (manifest, inventory) = (printed(&["manifest"]), printed(&["inventory"]));
    let mut counts = (0, 0);
    let mut protected = 0;
    for (name, bytes) in tree(folder.path()) {
        if name.ends_with("manifest.lock.json") {
            let value: Value = serde_json::from_slice(&bytes).unwrap();
            fits(&manifest, &value);
            protected += value["protected"].as_array().map_or(0, Vec::len);
            counts.0 += 1;
        } else if name.ends_with("inventory.json") {
            fits(&inventory, &serde_json::from_slice(&bytes).unwrap());
            counts.1 += 1;
        }
    }
    assert_eq!(
        counts,
        (12, 6),
        "a manifest of each target, live and compiled; an inventory of each live one"
    );
    assert!(protected > 0, "a protected object is written as one");
}

/// The schemas are closed and typed: each of these is refused.
#[test]
fn what_is_not_documented_is_refused() {
    let folder = example("quickstart");
    let plan = json(&poolwright(folder.path(), &["plan", "--json"]).expect(2));
    let cost = json(&poolwright(folder.path(), &["cost", "--json"]).expect(0));
    for (name, value, place, change) in [
        ("plan", &plan, "", json!({ "extra": 1 })),
        ("plan", &plan, "/changes/0", json!({ "extra": 1 })),
        ("plan", &plan, "/changes/0", json!({ "action": "destroy" })),
        ("plan", &plan, "/targets/0/state", json!({ "extra": 1 })),
        ("plan", &plan, "/summary/cost/after/hourly/floor", json!({ "amount": 2.1 })),
        ("plan", &plan, "/summary/cost/after/hourly/floor", json!({ "per": "hour" })),
        ("plan", &plan, "/routes/0", json!({ "extra": 1 })),
        ("plan", &plan, "/policies/0", json!({ "extra": 1 })),
        ("plan", &plan, "/diagnostics/0/spans/0", json!({ "line": 0 })),
        ("plan", &plan, "", json!({ "digest": "4f1c09" })),
        ("cost", &cost, "/tenants/tenant.nlp/parts/0", json!({ "extra": 1 })),
        ("cost", &cost, "/prices/pool.aws-a100-spot.lot.az2", json!({ "price": "$1/gpu/h" })),
        ("cost", &cost, "", json!({ "schema": "poolwright/cost/v2" })),
    ] {
        let mut changed = value.clone();
        let at = changed.pointer_mut(place).unwrap_or_else(|| panic!("{name} has no {place}"));
        at.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        assert!(!faults(&printed(&[name]), &changed).is_empty(), "{name}{place} with {change}");
    }
}
