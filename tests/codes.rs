//! Pages of diagnostic codes, docs/codes: every code has one, and their examples are true. An `hcl fail` has the code,
//! an `hcl ok` has it no more and no error either. Both stand in the small fleet of tests/ui/base with what
//! tests/codes/more.pool.hcl adds to it, or alone where they say so.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use poolwright_report::{Example, Page};
use serde_json::Value;

use crate::architecture::RETIRED;
use crate::generated::program_codes;
use crate::support::{base, poolwright, root, scratch};

/// Lines of an example: beyond this it shows a fleet and not a fault.
const MOST_LINES: usize = 31;

/// Every code that the program can give, with its summary.
pub(crate) fn codes() -> BTreeMap<&'static str, &'static str> {
    let tables = poolwright_report::code_tables();
    let all = tables.iter().flat_map(|(_, table)| *table).chain(program_codes::CODES);
    all.map(|row| (row.code.0, row.summary)).collect()
}

/// The pages, by the name of their file.
pub(crate) fn pages() -> BTreeMap<String, Page> {
    let mut pages = BTreeMap::new();
    for entry in std::fs::read_dir(root().join("docs/codes")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if name == "README" {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let page = Page::parse(&text).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        pages.insert(name, page);
    }
    pages
}

#[test]
fn every_code_has_its_page() {
    let (codes, pages) = (codes(), pages());
    let mut faults = Vec::new();
    for (code, summary) in &codes {
        match pages.get(*code) {
            None => faults.push(format!("{code} has no page: write docs/codes/{code}.md")),
            Some(page) if page.headline != *summary => {
                faults.push(format!("{code} is headed `{}`, its summary is `{summary}`", page.headline));
            }
            Some(page) if page.retired() => {
                faults.push(format!("{code} is emitted, its page says otherwise"))
            }
            Some(_) => {}
        }
    }
    for name in pages.keys().filter(|name| !codes.contains_key(name.as_str())) {
        if !RETIRED.contains(&name.as_str()) {
            faults
                .push(format!("{name} is no code: delete its page, or put it on the list of retired codes"));
        } else if !pages[name].retired() {
            faults.push(format!("{name} is retired: its page has to say `No longer emitted.`"));
        }
    }
    faults.extend(
        RETIRED.iter().filter(|code| !pages.contains_key(**code)).map(|code| format!("{code} has no page")),
    );
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn pages_are_whole_and_short() {
    let pages = pages();
    let mut faults = Vec::new();
    for (name, page) in &pages {
        let mut fault = |what: &str| faults.push(format!("{name}: {what}"));
        if page.code != *name {
            fault("is headed with another code");
        }
        if page.meaning.is_empty() || page.meaning.len() > 500 {
            fault("says in one to three sentences what it means");
        }
        for other in &page.see_also {
            if other == name || !pages.contains_key(other) {
                fault(&format!("leads to {other}"));
            }
        }
        if page.retired() {
            continue;
        }
        if page.why.is_empty() || page.examples.is_empty() || page.fixed.is_empty() {
            fault("has an example, why, and what is right");
        }
        let kinds = |examples: &[Example], hcl: &[&str]| {
            examples.iter().all(|example| example.kind == "console" || hcl.contains(&example.kind.as_str()))
        };
        if !kinds(&page.examples, &["hcl fail", "hcl fail alone"])
            || !kinds(&page.fixed, &["hcl ok", "hcl ok alone"])
        {
            fault("has an example of another kind");
        }
        for example in page.examples.iter().chain(&page.fixed) {
            let lines = example.text.lines().count();
            if lines > MOST_LINES || lines == 0 {
                fault(&format!("has an example of {lines} lines"));
            }
            if let Some(line) = example.text.lines().find(|line| line.chars().count() > 130) {
                fault(&format!("has a line that is too wide: {line}"));
            }
        }
        // What is shown on a terminal shows the code, or the one that tells of it.
        for example in page.examples.iter().filter(|example| example.kind == "console") {
            let shown = example.text.split("[PW").skip(1).map(|rest| format!("PW{}", &rest[..4]));
            let shown: Vec<String> = shown.collect();
            if shown.is_empty()
                || !shown.iter().any(|code| code == name || page.see_also.contains(code) || told(code))
            {
                fault("shows no diagnostic of its own");
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Codes that tell of others: a test or policy that cannot be evaluated, a target that cannot be read.
fn told(code: &str) -> bool {
    ["PW8005", "PW8012", "PW6006"].contains(&code)
}

/// What `validate` finds: code and severity.
fn found(example: &Example) -> BTreeSet<(String, String)> {
    let folder = if example.kind.ends_with(" alone") {
        scratch()
    } else {
        let folder = base();
        let more = root().join("tests/codes/more.pool.hcl");
        std::fs::copy(more, folder.path().join("more.pool.hcl")).unwrap();
        folder
    };
    std::fs::write(folder.path().join("example.pool.hcl"), &example.text).unwrap();
    let run = poolwright(folder.path(), &["validate", "--format", "json"]);
    let document: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.all()));
    let word = |diagnostic: &Value, key: &str| diagnostic[key].as_str().unwrap().to_owned();
    let all = document["diagnostics"].as_array().unwrap();
    all.iter().map(|diagnostic| (word(diagnostic, "code"), word(diagnostic, "severity"))).collect()
}

#[test]
fn examples_are_true() {
    let pages: Vec<Page> = pages().into_values().collect();
    let hcl = |example: &&Example| example.kind.starts_with("hcl ");
    let count = pages.iter().flat_map(|page| page.examples.iter().chain(&page.fixed)).filter(hcl).count();
    assert!(count > 400, "the examples are found: {count}");
    let judge = |page: &Page| -> Vec<String> {
        let mut faults = Vec::new();
        for example in page.examples.iter().filter(hcl) {
            let found = found(example);
            if !found.iter().any(|(code, _)| *code == page.code) {
                faults.push(format!("{}: its example has {found:?}", page.code));
            }
        }
        for example in page.fixed.iter().filter(hcl) {
            let found = found(example);
            if found.iter().any(|(code, severity)| *code == page.code || severity == "error") {
                faults.push(format!("{}: what should be right has {found:?}", page.code));
            }
        }
        faults
    };
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    let faults: Vec<String> = std::thread::scope(|scope| {
        let parts = pages.chunks(pages.len().div_ceil(workers));
        let handles: Vec<_> =
            parts.map(|part| scope.spawn(move || part.iter().flat_map(judge).collect())).collect();
        handles.into_iter().flat_map(|handle| -> Vec<String> { handle.join().unwrap() }).collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The fleet around the examples has nothing to say itself.
#[test]
fn the_fleet_around_the_examples_is_sound() {
    let nothing = Example { kind: "hcl ok".to_owned(), text: String::new() };
    assert_eq!(found(&nothing), BTreeSet::new());
}

// ------------------------------------------------------------------------------------------------------------ explain

#[test]
fn explain_shows_a_page_however_the_code_is_written() {
    let page = poolwright(Path::new("/"), &["explain", "PW4120"]).expect(0).stdout;
    assert!(page.starts_with("PW4120: a step waits for a stock-out that can never be seen\n\n"), "{page}");
    for part in
        ["\nExample\n\n    route \"ladder\" {", "\nWhy\n\nKueue admits", "\nFixed\n\n", "\nSee also: PW4130"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    for written in ["pw4120", "4120", " Pw4120 "] {
        assert_eq!(poolwright(Path::new("/"), &["explain", written]).expect(0).stdout, page);
    }
    let text: Vec<&str> = page.lines().filter(|line| !line.starts_with("    ")).collect();
    assert!(text.iter().all(|line| line.chars().count() <= 100), "{page}");
}

#[test]
fn explain_of_no_code_lists_all_by_range() {
    let list = poolwright(Path::new("/"), &["explain"]).expect(0).stdout;
    for (code, summary) in codes() {
        assert!(list.contains(&format!("  {code}  {summary}\n")), "{code}");
    }
    for (begin, about) in poolwright_report::RANGES {
        assert!(list.contains(&format!("{begin}xxx  {about}\n")), "{begin}");
    }
    assert_eq!(list.matches("(no longer emitted)\n").count(), RETIRED.len());
    let ranges: Vec<usize> = poolwright_report::RANGES
        .iter()
        .map(|(begin, _)| list.find(&format!("{begin}xxx")).unwrap())
        .collect();
    assert!(ranges.is_sorted());
}

#[test]
fn explain_of_an_unknown_code_names_those_that_are_near() {
    for (asked, near) in [("PW412", "`PW4120`"), ("pw41200", "`PW4120`"), ("PX1003", "`PW1003`")] {
        let run = poolwright(Path::new("/"), &["explain", asked]).expect(3);
        assert!(run.stdout.is_empty());
        assert!(
            run.stderr.starts_with(&format!("error[PW9230]: there is no code `{asked}`")),
            "{}",
            run.all()
        );
        assert!(run.stderr.contains(near) || asked == "PW412", "{}", run.all());
        assert!(run.stderr.contains("all codes: poolwright explain"), "{}", run.all());
    }
    let run = poolwright(Path::new("/"), &["explain", "E0382", "--format", "json"]).expect(3);
    let said: Value = serde_json::from_str(&run.stderr).unwrap();
    assert_eq!(said["diagnostics"][0]["docs"], "poolwright explain PW9230");
}

#[test]
fn explain_as_json_fits_its_schema() {
    let json = |arguments: &[&str]| -> Value {
        let run = poolwright(Path::new("/"), arguments).expect(0);
        serde_json::from_str(&run.stdout).unwrap()
    };
    let schema = json(&["schema", "explain"]);
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let list = json(&["explain", "--json"]);
    let one = json(&["explain", "1003", "--json"]);
    for value in [&list, &one] {
        let faults: Vec<String> = validator.iter_errors(value).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{faults:?}");
    }
    assert_eq!(list["codes"].as_array().unwrap().len(), codes().len() + RETIRED.len());
    assert_eq!(one["codes"][0]["code"], "PW1003");
    assert_eq!(one["codes"][0]["examples"][0]["kind"], "hcl fail");
    assert_eq!(one["codes"][0]["see_also"][0], "PW1001");
    assert!(list["codes"][0].get("why").is_none());
}
