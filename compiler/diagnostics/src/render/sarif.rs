//! For code scanning: SARIF 2.1.0 (OASIS, 2020).
//!
//! Columns count Unicode code points, and say so. A result has its primary place as location, all other places as
//! related ones; fixes with a place to fill in are left out, since a viewer would apply them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::located::{Findings, Located, LocatedFix, Place};
use crate::Applicability;

/// What the document says of the program.
#[derive(Clone, Copy, Debug)]
pub struct Tool<'a> {
    /// Its version.
    pub version: &'a str,
    /// Where it lives: an `https` address without `/` at its end.
    pub home: &'a str,
    /// Headline and meaning of a code, from its page.
    pub page: fn(&str) -> Option<(String, String)>,
}

/// The findings as one SARIF log, with a newline at its end.
#[must_use]
pub fn sarif(findings: &Findings, tool: &Tool<'_>) -> String {
    let codes: BTreeSet<&str> = findings.found.iter().map(|found| found.code).collect();
    let rules: Vec<Value> = codes.iter().map(|code| rule(code, findings, tool)).collect();
    let index: BTreeMap<&str, usize> = codes.iter().enumerate().map(|(at, code)| (*code, at)).collect();
    let results: Vec<Value> =
        findings.found.iter().map(|found| result(found, index.get(found.code).copied())).collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "poolwright",
                "version": tool.version,
                "semanticVersion": tool.version,
                "informationUri": tool.home,
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{document:#}\n")
}

fn rule(code: &str, findings: &Findings, tool: &Tool<'_>) -> Value {
    let (headline, meaning) =
        (tool.page)(code).unwrap_or_else(|| (format!("code {code}"), format!("code {code}")));
    // The worst that was found of it: some codes are errors here and warnings there.
    let level = findings.found.iter().filter(|found| found.code == code).map(|found| found.severity).min();
    json!({
        "id": code,
        "shortDescription": { "text": sentence(&headline) },
        "fullDescription": { "text": meaning },
        "helpUri": format!("{}/blob/main/docs/codes/{code}.md", tool.home),
        "help": { "text": super::docs(code) },
        "defaultConfiguration": { "level": level.map_or("error", crate::Severity::as_str) },
    })
}

/// Viewers show it alone.
fn sentence(headline: &str) -> String {
    let mut chars = headline.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", chars.as_str())
}

fn result(found: &Located, rule: Option<usize>) -> Value {
    let primary = found.primary();
    let mut result = json!({
        "ruleId": found.code,
        "level": found.severity.as_str(),
        "message": { "text": found.lines().join("\n") },
    });
    let mut set = |key: &str, value: Value| {
        if let Some(result) = result.as_object_mut() {
            result.insert(key.to_owned(), value);
        }
    };
    if let Some(rule) = rule {
        set("ruleIndex", json!(rule));
    }
    if let Some(place) = primary.and_then(|label| physical(&label.place)) {
        set("locations", json!([{ "physicalLocation": place }]));
    }
    let others = found.labels.iter().filter(|label| !primary.is_some_and(|it| std::ptr::eq(it, *label)));
    let related: Vec<Value> = others
        .filter_map(|label| Some((physical(&label.place)?, &label.text)))
        .enumerate()
        .map(|(id, (place, text))| match text.is_empty() {
            true => json!({ "id": id, "physicalLocation": place }),
            false => json!({ "id": id, "physicalLocation": place, "message": { "text": text } }),
        })
        .collect();
    if !related.is_empty() {
        set("relatedLocations", json!(related));
    }
    let fixes: Vec<Value> = found.fixes.iter().filter_map(fix).collect();
    if !fixes.is_empty() {
        set("fixes", json!(fixes));
    }
    result
}

fn physical(place: &Place) -> Option<Value> {
    Some(json!({ "artifactLocation": { "uri": uri(place.path.as_deref()?) }, "region": region(place)? }))
}

fn region(place: &Place) -> Option<Value> {
    let (start, end) = (place.start?, place.end?);
    Some(json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
        "charOffset": place.char_start,
        "charLength": place.char_length,
        "byteOffset": place.byte_start,
        "byteLength": place.byte_end - place.byte_start,
    }))
}

fn fix(fix: &LocatedFix) -> Option<Value> {
    if fix.applicability == Applicability::HasPlaceholders || fix.edits.is_empty() {
        return None;
    }
    let mut changes: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for (place, text) in &fix.edits {
        let replacement = json!({ "deletedRegion": region(place)?, "insertedContent": { "text": text } });
        changes.entry(place.path.as_deref()?).or_default().push(replacement);
    }
    let changes = changes.into_iter().map(|(path, replacements)| {
        json!({ "artifactLocation": { "uri": uri(path) }, "replacements": replacements })
    });
    Some(json!({ "description": { "text": fix.title }, "artifactChanges": changes.collect::<Vec<_>>() }))
}

/// A path as a URI: relative ones stay so, absolute ones are of the machine. What a URI cannot hold is
/// percent-escaped (RFC 3986, `pchar` and `/`); a colon too, which would begin a scheme.
fn uri(path: &str) -> String {
    let mut out = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => out.push(char::from(byte)),
            b'-' | b'.' | b'_' | b'~' | b'/' | b'@' | b'+' | b',' | b'=' => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
