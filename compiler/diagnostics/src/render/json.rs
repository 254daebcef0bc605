//! For programs: the shape that docs/contract.md fixes. Lines and columns count from 1, bytes from 0.

use serde_json::{Value, json};

use crate::{Applicability, Diagnostic, SourceMap, Span};

/// The diagnostics as one JSON document, with a newline at its end.
#[must_use]
pub fn json(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    let all: Vec<Value> = diagnostics.iter().map(|diagnostic| to_json(diagnostic, sources)).collect();
    let document = json!({ "schema": "poolwright/diagnostics/v1", "diagnostics": all });
    format!("{document:#}\n")
}

/// One diagnostic, as it stands in every JSON output that has some.
#[must_use]
pub fn to_json(diagnostic: &Diagnostic, sources: &SourceMap) -> Value {
    let spans = diagnostic.labels.iter().map(|label| {
        let mut span = place(label.span, sources);
        set(&mut span, "label", json!(label.text));
        set(&mut span, "primary", json!(label.primary));
        span
    });
    let fixes = diagnostic.fixes.iter().map(|fix| {
        let edits = fix.edits.iter().map(|edit| {
            let mut span = place(edit.span, sources);
            set(&mut span, "text", json!(edit.text));
            span
        });
        json!({
            "title": fix.title,
            "applicability": applicability(fix.applicability),
            "edits": edits.collect::<Vec<_>>(),
        })
    });
    let values = diagnostic.values.iter().map(|(of, value)| json!({ "of": of, "value": value }));
    let trail = diagnostic.trail.iter().map(|frame| {
        let mut step = frame.span.map_or_else(|| json!({}), |span| place(span, sources));
        set(&mut step, "text", json!(frame.text));
        step
    });
    json!({
        "code": diagnostic.code.0,
        "severity": diagnostic.severity.as_str(),
        "message": diagnostic.message,
        "spans": spans.collect::<Vec<_>>(),
        "notes": diagnostic.notes,
        "helps": diagnostic.helps,
        "fixes": fixes.collect::<Vec<_>>(),
        "values": values.collect::<Vec<_>>(),
        "trail": trail.collect::<Vec<_>>(),
        // A page for each code does not exist yet.
        "docs": null,
    })
}

fn place(span: Span, sources: &SourceMap) -> Value {
    let Some(file) = sources.get(span.file) else {
        return json!({
            "file": null, "byte_start": span.start, "byte_end": span.end, "line": null, "column": null,
        });
    };
    let at = file.line_column(span.start);
    json!({
        "file": file.name(),
        "byte_start": span.start,
        "byte_end": span.end,
        "line": at.line,
        "column": at.column,
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
