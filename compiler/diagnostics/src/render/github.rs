//! For GitHub Actions: one workflow command a diagnostic, which the runner shows beside the line.
//!
//! Form and escapes: GitHub's documentation "Workflow commands", and `escapeData` and `escapeProperty` of its toolkit.

use std::fmt::Write;

use super::line::visible;
use super::located::{Findings, Located};
use crate::Severity;

/// The findings as workflow commands, one a line.
#[must_use]
pub fn github(findings: &Findings) -> String {
    findings.found.iter().map(command).collect()
}

fn command(found: &Located) -> String {
    let level = match found.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut out = format!("::{level} ");
    if let Some(place) = found.primary().map(|label| &label.place)
        && let (Some(path), Some(start), Some(end)) = (&place.path, place.start, place.end)
    {
        let _ = write!(out, "file={},line={}", property(path), start.line);
        // Columns are taken only of a place within one line; an empty place is one character.
        if start.line == end.line {
            let end = end.column.max(start.column + 1);
            let _ = write!(out, ",col={},endColumn={end}", start.column);
        } else {
            let _ = write!(out, ",endLine={}", end.line);
        }
        out.push(',');
    }
    let _ = writeln!(out, "title={}::{}", property(found.code), data(&found.lines().join("\n")));
    out
}

/// Text behind `::`.
fn data(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '%' => out.push_str("%25"),
            '\r' => out.push_str("%0D"),
            '\n' => out.push_str("%0A"),
            '\t' => out.push(' '),
            c => out.push(visible(c)),
        }
    }
    out
}

/// Text between `=` and `,`.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
