//! For programs: the shape that docs/contract.md fixes. Lines and columns count from 1, bytes from 0.

use serde_json::{Value, json};

use super::located::{Findings, Located, Place};
use crate::{Applicability, Diagnostic, SourceMap};

/// The findings as one JSON document, with a newline at its end.
#[must_use]
pub fn json(findings: &Findings) -> String {
    let all: Vec<Value> = findings.found.iter().map(value).collect();
    let document = json!({ "schema": "poolwright/diagnostics/v1", "diagnostics": all });
    format!("{document:#}\n")
}

/// One diagnostic, as it stands in every JSON output that has some.
#[must_use]
pub fn to_json(diagnostic: &Diagnostic, sources: &SourceMap) -> Value {
    value(&Located::new(diagnostic, sources, ""))
}

fn value(diagnostic: &Located) -> Value {
    let spans = diagnostic.labels.iter().map(|label| {
        let mut span = span(&label.place);
        set(&mut span, "label", json!(label.text));
        set(&mut span, "primary", json!(label.primary));
        span
    });
    let fixes = diagnostic.fixes.iter().map(|fix| {
        let edits = fix.edits.iter().map(|(place, text)| {
            let mut edit = span(place);
            set(&mut edit, "text", json!(text));
            edit
        });
        json!({
            "title": fix.title,
            "applicability": applicability(fix.applicability),
            "edits": edits.collect::<Vec<_>>(),
        })
    });
    let values = diagnostic.values.iter().map(|(of, value)| json!({ "of": of, "value": value }));
    let trail = diagnostic.trail.iter().map(|(text, place)| {
        let mut step = place.as_ref().map_or_else(|| json!({}), span);
        set(&mut step, "text", json!(text));
        step
    });
    json!({
        "code": diagnostic.code,
        "severity": diagnostic.severity.as_str(),
        "message": diagnostic.message,
        "spans": spans.collect::<Vec<_>>(),
        "notes": diagnostic.notes,
        "helps": diagnostic.helps,
        "fixes": fixes.collect::<Vec<_>>(),
        "values": values.collect::<Vec<_>>(),
        "trail": trail.collect::<Vec<_>>(),
        "docs": super::docs(diagnostic.code),
    })
}

fn span(place: &Place) -> Value {
    json!({
        "file": place.file,
        "byte_start": place.byte_start,
        "byte_end": place.byte_end,
        "line": place.start.map(|at| at.line),
        "column": place.start.map(|at| at.column),
        "line_end": place.end.map(|at| at.line),
        "column_end": place.end.map(|at| at.column),
    })
}

fn set(object: &mut Value, key: &str, value: Value) {
    if let Some(object) = object.as_object_mut() {
        object.insert(key.to_owned(), value);
    }
}

fn applicability(applicability: Applicability) -> &'static str {
    match applicability {
        Applicability::Safe => "safe",
        Applicability::Unsafe => "unsafe",
        Applicability::HasPlaceholders => "has-placeholders",
    }
}
