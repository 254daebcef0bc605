//! How the language does with the rules of HashiCorp's: cases of our own for each of theirs, and laws over random
//! expressions. `tests/conformance/run.sh` compares with HashiCorp's implementation itself.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that meets what it does not expect fails at that place"
)]

mod cases;
#[path = "differential/generate.rs"]
mod generate;
mod language;
mod laws;
mod notation;
mod page;
mod suite;

use std::path::Path;

#[test]
fn every_expression_and_template_of_the_table() {
    let table = cases::table();
    let mut wrong = Vec::new();
    for case in &table {
        let found = language::run(&case.text, &notation::values(&case.names));
        let good = match (&found, &case.wanted) {
            (Ok(found), Some(wanted)) => notation::agree(found, &notation::value(wanted)),
            (Err(_), None) => true,
            _ => false,
        };
        if good == case.miss.is_some() {
            wrong.push(format!(
                "{} {}\n{}\n  wanted {:?}\n  found  {found:?}\n",
                case.id, case.rule, case.text, case.wanted
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), table.len(), wrong.join("\n"));
    assert_eq!(table.len(), 283, "one for each of theirs");
    assert!(table.iter().filter(|case| case.miss.is_none()).count() >= 275, "the goal");
}

#[test]
fn every_file_of_the_suite() {
    let suite = cases::suite();
    let wrong: Vec<String> = suite
        .iter()
        .filter_map(|case| {
            suite::fault(case).map(|fault| format!("{} {}: {fault}\n{}", case.id, case.rule, case.text))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), suite.len(), wrong.join("\n"));
    assert_eq!(suite.len(), 15, "one for each of theirs");
}

/// A rule is there for a reason, and a reason for a rule.
#[test]
fn every_difference_has_its_reason() {
    let code = include_str!("differential/differences.rs");
    let differences = page::differences(include_str!("differences.txt"));
    for difference in &differences {
        assert!(code.contains(&format!("\"{}\"", difference.id)), "no rule finds {}", difference.id);
    }
    let rules = code.matches("(\n        \"").count() + code.matches("    (\"").count();
    assert_eq!(rules + 1, differences.len(), "a rule without a reason");
}

/// A case that becomes worse or better changes the page.
#[test]
fn the_score_is_published() {
    let page =
        page::page(&cases::suite(), &cases::table(), &page::differences(include_str!("differences.txt")));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/conformance.md");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(&path).unwrap_or_default(),
        page,
        "docs/conformance.md; UPDATE_GOLDEN=1 writes it"
    );
}
