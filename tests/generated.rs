//! What is generated: reference pages and JSON Schemas are up to date, the schemas are schemas, real output fits
//! them, and those of blocks take and refuse what the language takes and refuses.

mod agreement;
mod blocks;
mod everything;
mod outputs;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use poolwright_language::schema::{export, schema};
use serde_json::Value;

use crate::support::{golden, poolwright, root, tree};

/// The program's own codes: its crate is no library, so that their file is read a second time.
#[path = "../compiler/cli/src/codes.rs"]
pub(crate) mod program_codes;

/// The schema that `poolwright schema` prints for these words.
fn printed(words: &[&str]) -> Value {
    let arguments: Vec<&str> = ["schema"].iter().chain(words).copied().collect();
    serde_json::from_str(&poolwright(Path::new("/"), &arguments).expect(0).stdout).unwrap()
}

/// What a value has wrong, with the place in it.
fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let validator = jsonschema::draft202012::new(schema).unwrap_or_else(|fault| panic!("{fault}"));
    validator.iter_errors(value).map(|fault| format!("{}: {fault}", fault.instance_path())).collect()
}

/// The names that `poolwright schema` lists, as words of its command line.
fn names() -> Vec<Vec<String>> {
    let list = poolwright(Path::new("/"), &["schema"]).expect(0).stdout;
    let name = |line: &str| line.split("  ").next().unwrap().split(' ').map(str::to_owned).collect();
    list.lines().map(name).collect()
}

/// Compares a folder with what should be in it, and nothing else.
fn folder(place: &str, files: &[(String, String)]) {
    let place = root().join(place);
    for (name, text) in files {
        golden(&place.join(name), text);
    }
    let wanted: BTreeSet<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let there = tree(&place);
    let there: BTreeSet<&str> = there.keys().map(String::as_str).collect();
    assert_eq!(there, wanted, "{} has what is generated and nothing else", place.display());
}

/// The pages of the reference.
fn pages() -> Vec<(String, String)> {
    let mut pages = export::markdown(schema());
    pages.extend(poolwright_report::functions());
    pages.push(("codes.md".to_owned(), poolwright_report::codes(program_codes::CODES)));
    pages
}

#[test]
fn the_reference_is_up_to_date() {
    folder("docs/reference", &pages());
}

#[test]
fn the_schemas_are_up_to_date() {
    let file = |words: Vec<String>| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        (format!("{}.json", words.join(".")), format!("{:#}\n", printed(&words)))
    };
    let files: Vec<(String, String)> = names().into_iter().map(file).collect();
    folder("docs/schemas", &files);
}

/// Every link of a page leads to a page, and to a heading of it.
#[test]
fn links_of_the_reference_lead_somewhere() {
    let pages: BTreeMap<String, String> = pages().into_iter().collect();
    let anchor = |heading: &str| heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
    let mut count = 0;
    for name in pages.keys() {
        for link in pages[name].split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            let (page, heading) =
                link.split_once('#').map_or((link, None), |(page, heading)| (page, Some(heading)));
            // docs.rs looks at links to files.
            if page == "../schemas/" || page.starts_with("../codes/") {
                continue;
            }
            // Pages of functions are in a folder of their own.
            let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
            let target = match page.strip_prefix("../") {
                _ if page.is_empty() => name.clone(),
                Some(page) => page.to_owned(),
                None if folder.is_empty() => page.to_owned(),
                None => format!("{folder}/{page}"),
            };
            let target = pages.get(&target).unwrap_or_else(|| panic!("{name}: there is no page {page}"));
            let mut headings = target.lines().filter(|line| line.starts_with('#'));
            let found = heading.is_none_or(|heading| headings.any(|line| anchor(line) == heading));
            assert!(found, "{name}: {link} has no heading");
            count += 1;
        }
    }
    assert!(count > 60, "the links are found");
}

/// Every attribute of every block is on the block's page.
#[test]
fn the_reference_is_complete() {
    let pages: BTreeMap<String, String> = pages().into_iter().collect();
    for (kind, block) in &schema().blocks {
        let page = format!("{}.md", kind.split('.').next().unwrap()).replace("meta.md", "index.md");
        let both = [&pages[&page][..], &pages["index.md"][..]].concat();
        for (name, attribute) in &block.attributes {
            assert!(!attribute.doc.is_empty(), "{kind}.{name} says what it means");
            assert!(both.contains(&format!("| `{name}` |")), "{kind}.{name} is on {page}");
        }
    }
}

#[test]
fn schemas_are_valid_and_every_property_is_described() {
    let names = names();
    assert!(names.len() > 40, "the names are found");
    for words in names {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let schema = printed(&words);
        assert!(jsonschema::meta::is_valid(&schema), "{words:?}");
        jsonschema::draft202012::new(&schema).unwrap_or_else(|fault| panic!("{words:?}: {fault}"));
        let mut count = 0;
        described(&schema, &schema, &words.join(" "), &mut count);
        assert!(count > 0 || schema["additionalProperties"] == true, "{words:?} has properties");
    }
}

/// Goes through a schema; each property has a description, itself or where it refers to.
fn described(whole: &Value, schema: &Value, place: &str, count: &mut usize) {
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        for (name, property) in properties {
            let at = property
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|it| whole.pointer(it.trim_start_matches('#')));
            let text = property.get("description").or_else(|| at?.get("description")).and_then(Value::as_str);
            assert!(text.is_some_and(|text| text.len() > 4), "{place}.{name} has no description");
            assert!(!text.unwrap().starts_with('.'), "{place}.{name} has no meaning: {text:?}");
            *count += 1;
        }
    }
    match schema {
        Value::Object(members) => {
            members
                .iter()
                .for_each(|(name, member)| described(whole, member, &format!("{place}/{name}"), count));
        }
        Value::Array(items) => items.iter().for_each(|item| described(whole, item, place, count)),
        _ => {}
    }
}

#[test]
fn an_unknown_name_is_refused_with_the_one_that_was_meant() {
    for (words, suggestion) in [
        (&["plann"][..], "`plan`"),
        (&["polo"], "`pool`"),
        (&["block", "tiers"], "`tier`"),
        (&["target"], "target.kubernetes"),
        (&["block", "plan"], "poolwright schema"),
        (&["pool", "lot"], "schema block pool"),
    ] {
        let arguments: Vec<&str> = ["schema"].iter().chain(words).copied().collect();
        let run = poolwright(Path::new("/"), &arguments).expect(3);
        assert!(run.stderr.contains("PW9209") && run.stderr.contains(suggestion), "{words:?}: {}", run.all());
        assert!(run.stdout.is_empty());
    }
}
