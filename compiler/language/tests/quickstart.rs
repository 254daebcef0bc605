//! The quickstart's files give the fleet of the golden file, whatever their order.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its files fails here")]

use std::collections::BTreeMap;
use std::path::Path;

use poolwright_diagnostics::{SourceMap, render};
use poolwright_expression::quantity::Version;
use poolwright_language::{Evaluated, Inputs, evaluate};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");

fn run(reverse: bool) -> (Evaluated, String) {
    let folder = Path::new(ROOT).join("examples/quickstart");
    let mut names = ["fleet", "policies", "pools", "queues"].map(|name| format!("{name}.pool.hcl"));
    if reverse {
        names.reverse();
    }
    let mut sources = SourceMap::default();
    let mut diagnostics = Vec::new();
    let mut files = Vec::new();
    for name in names {
        let text = std::fs::read_to_string(folder.join(&name)).unwrap();
        let id = sources.add(name, text.clone());
        let (file, faults) = poolwright_syntax::parse(id, &text);
        diagnostics.extend(faults);
        files.push(file);
    }
    let read = |path: &str| std::fs::read_to_string(folder.join(path)).map_err(|error| error.to_string());
    let version = Version::parse("0.1.0").unwrap();
    let evaluated = evaluate(
        &files,
        Inputs {
            version: &version,
            read: &read,
            files: None,
            variables: &BTreeMap::new(),
            computed: None,
            asked: &[],
            modules: None,
        },
    );
    diagnostics.extend(evaluated.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).cloned());
    let shown = render::short(&diagnostics, &sources);
    (evaluated, shown)
}

#[test]
fn the_files_give_the_golden_fleet() {
    let (evaluated, faults) = run(false);
    assert_eq!(faults, "");
    let fleet = serde_json::to_value(evaluated.fleet.unwrap()).unwrap();
    let text = serde_json::to_string_pretty(&fleet).unwrap() + "\n";
    let golden = Path::new(ROOT).join("tests/golden/quickstart/fleet.json");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&golden, &text).unwrap();
    }
    let expected = std::fs::read_to_string(golden).unwrap();
    if text != expected {
        let place = text.lines().zip(expected.lines()).enumerate().find(|(_, (a, b))| a != b);
        panic!("another fleet than the golden one, first at {place:?}");
    }
    assert_eq!(evaluated.program.policies.len(), 1);
    assert_eq!(evaluated.program.policies[0].tests.len(), 2);
    assert_eq!(evaluated.program.tests.len(), 1);
}

#[test]
fn the_order_of_files_does_not_matter() {
    let (one, _) = run(false);
    let (other, _) = run(true);
    let json = |evaluated: &Evaluated| serde_json::to_value(evaluated.fleet.as_ref().unwrap()).unwrap();
    assert_eq!(json(&one), json(&other));
}
