//! docs/checks.md, the table of what is checked without looking at a running system: it is whole and true. Each row
//! names a code, a case that has it and a near one that has it no more: a file of tests/ui, or the two examples of the
//! code's page, which tests/codes.rs runs.

use std::collections::{BTreeMap, BTreeSet};

use crate::codes::{codes, pages};
use crate::support::root;
use crate::ui;

/// A row of the table.
struct Row {
    subject: String,
    check: String,
    code: String,
    fails: String,
    passes: String,
    source: String,
}

/// The cells of a line of a table, without those that frame it.
fn cells(line: &str) -> Vec<String> {
    line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect()
}

/// The code that a cell links to.
fn code(cell: &str) -> String {
    cell.trim_start_matches('[').split(']').next().unwrap_or_default().to_owned()
}

/// Rows with an example, and codes that have none, with the reason.
fn table() -> (Vec<Row>, BTreeMap<String, String>) {
    let text = std::fs::read_to_string(root().join("docs/checks.md")).unwrap();
    let (mut rows, mut without, mut subject) = (Vec::new(), BTreeMap::new(), String::new());
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            subject = heading.to_owned();
        }
        if !line.starts_with("| ") || line.starts_with("| code ") || line.starts_with("| check ") {
            continue;
        }
        match cells(line).as_slice() {
            [check, linked, fails, passes, source] => rows.push(Row {
                subject: subject.clone(),
                check: check.clone(),
                code: code(linked),
                fails: fails.clone(),
                passes: passes.clone(),
                source: source.clone(),
            }),
            [linked, reason] => {
                without.insert(code(linked), reason.clone());
            }
            other => panic!("a line of {} cells: {line}", other.len()),
        }
    }
    (rows, without)
}

/// Subjects that people look for.
const SUBJECTS: [&str; 16] = [
    "Quota",
    "Flavors and their order",
    "Topology",
    "Taints and labels",
    "Gres and devices",
    "Partitions and QoS",
    "Routes",
    "Classes and tiers",
    "Regions and zones",
    "Stores and images",
    "Drivers and CUDA",
    "CPUs and memory of hosts",
    "Checkpoints",
    "Prices",
    "Fabrics and ports",
    "NCCL and its kin",
];

#[test]
fn the_table_is_whole() {
    let (rows, without) = table();
    assert!(rows.len() >= 80, "only {} checks", rows.len());
    let (codes, pages) = (codes(), pages());
    let subjects: BTreeSet<&str> = rows.iter().map(|row| row.subject.as_str()).collect();
    let mut faults: Vec<String> = SUBJECTS
        .iter()
        .filter(|subject| !subjects.contains(*subject))
        .map(|subject| format!("no check of \"{subject}\""))
        .collect();
    let mut seen = BTreeSet::new();
    for row in &rows {
        if !codes.contains_key(row.code.as_str()) {
            faults.push(format!("{} is no code", row.code));
        }
        if !seen.insert((&row.code, &row.fails)) {
            faults.push(format!("{} has two rows with {}", row.code, row.fails));
        }
        if row.check.is_empty() || row.source.is_empty() {
            faults.push(format!("{} does not say what is checked, or where that comes from", row.code));
        }
    }
    let told: BTreeSet<&str> = rows.iter().map(|row| row.code.as_str()).collect();
    for code in codes.keys().filter(|code| code.starts_with("PW4") || code.starts_with("PW5")) {
        match (told.contains(code), without.contains_key(*code)) {
            (false, false) => faults.push(format!("{code} is in no row")),
            (true, true) => faults.push(format!("{code} has an example, and is said to have none")),
            _ => {}
        }
    }
    // Who has an example cannot hide among those that have none.
    for code in without.keys() {
        let shown =
            pages.get(code).is_some_and(|page| page.examples.iter().any(|it| it.kind.starts_with("hcl ")));
        if shown || !codes.contains_key(code.as_str()) {
            faults.push(format!("{code} has an example on its page, or is no code"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_row_is_true() {
    let (rows, _) = table();
    let pages = pages();
    let mut faults = Vec::new();
    for row in &rows {
        let page = &pages[&row.code];
        let of_page = |examples: &[poolwright_report::Example]| {
            examples.iter().find(|example| example.kind.starts_with("hcl ")).map(|it| it.text.clone())
        };
        let (fails, passes) = (of_page(&page.examples), of_page(&page.fixed));
        // tests/codes.rs runs both, and holds that the first has the code and the second has no error either.
        if row.fails == "page" && fails.is_none() || row.passes == "page" && passes.is_none() {
            faults.push(format!("{}: its page has no such example", row.code));
        }
        if let (Some(fails), Some(passes)) = (&fails, &passes)
            && !near(fails, passes)
        {
            faults.push(format!("{}: the two examples of its page are not near each other", row.code));
        }
        for (cell, expected) in [(&row.fails, true), (&row.passes, false)] {
            if cell == "page" {
                continue;
            }
            let Some(found) = ui::found(cell.trim_matches('`')) else {
                faults.push(format!("{}: there is no case {cell}", row.code));
                continue;
            };
            if found.contains(&row.code) != expected {
                faults.push(format!("{}: {cell} has {found:?}", row.code));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Neighbours have most of the shorter one in common, line by line.
fn near(a: &str, b: &str) -> bool {
    let lines = |text: &str| -> Vec<String> {
        text.lines()
            .map(|line| line.split_whitespace().collect())
            .filter(|line: &String| line.len() > 1)
            .collect()
    };
    let (a, b) = (lines(a), lines(b));
    let common = a.iter().filter(|line| b.contains(line)).count();
    // A repaired example may leave a block out, or need one more; a line that changes counts once.
    common * 2 >= a.len().min(b.len()) || a.len().min(b.len()) - common <= 2
}
