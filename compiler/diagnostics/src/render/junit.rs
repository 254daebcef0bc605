//! For everything that reads test results: JUnit's XML.
//!
//! A file of the fleet is a test case. It fails when an error has its place there; warnings and notes are its output.
//! What has no place in a file is one more case, `the whole fleet`. A case has one `failure` with all errors in it:
//! most readers take the first and drop the others.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::line::visible;
use super::located::{Findings, Located};
use crate::Severity;

/// The case of what has no place in a file.
const WHOLE: &str = "the whole fleet";

/// The findings as an XML document, with a newline at its end.
#[must_use]
pub fn junit(findings: &Findings) -> String {
    let mut cases: BTreeMap<Option<&str>, Vec<&Located>> =
        findings.files.iter().map(|path| (Some(path.as_str()), Vec::new())).collect();
    for found in &findings.found {
        let path = found.primary().and_then(|label| label.place.path.as_deref());
        cases.entry(path).or_default().push(found);
    }
    let failed = cases.values().filter(|found| found.iter().any(|found| is_error(found))).count();
    let counts = format!("tests=\"{}\" failures=\"{failed}\" errors=\"0\"", cases.len());
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"poolwright\" {counts}>\n  \
         <testsuite name=\"poolwright\" {counts}>\n"
    );
    for (path, found) in cases {
        case(&mut out, path, &found);
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

fn case(out: &mut String, path: Option<&str>, found: &[&Located]) {
    let _ =
        write!(out, "    <testcase classname=\"poolwright\" name=\"{}\"", attribute(path.unwrap_or(WHOLE)));
    if let Some(path) = path {
        let _ = write!(out, " file=\"{}\"", attribute(path));
    }
    let (errors, remarks): (Vec<&Located>, Vec<&Located>) = found.iter().partition(|found| is_error(found));
    if found.is_empty() {
        out.push_str("/>\n");
        return;
    }
    out.push_str(">\n");
    if let Some(first) = errors.first() {
        let more = errors.len() - 1;
        let message =
            if more == 0 { first.message.clone() } else { format!("{} (and {more} more)", first.message) };
        let _ = writeln!(
            out,
            "      <failure type=\"{}\" message=\"{}\">{}</failure>",
            first.code,
            attribute(&message),
            text(&paragraphs(&errors))
        );
    }
    if !remarks.is_empty() {
        let _ = writeln!(out, "      <system-out>{}</system-out>", text(&paragraphs(&remarks)));
    }
    out.push_str("    </testcase>\n");
}

fn is_error(found: &Located) -> bool {
    found.severity == Severity::Error
}

/// Each with its place and everything said of it.
fn paragraphs(found: &[&Located]) -> String {
    let mut out = String::new();
    for found in found {
        let place = found.primary().map(|label| &label.place);
        if let Some((Some(path), Some(start))) = place.map(|place| (&place.path, place.start)) {
            let _ = write!(out, "{path}:{}:{}: ", start.line, start.column);
        }
        let _ = writeln!(out, "{}[{}]: {}", found.severity.as_str(), found.code, found.lines().join("\n  "));
    }
    out
}

/// Text between tags. What XML 1.0 cannot hold, and what would hide text, has a stand-in.
fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            // So that `]]>` cannot stand there either.
            '>' => out.push_str("&gt;"),
            '\n' => out.push('\n'),
            '\t' => out.push(' '),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(visible(c)),
        }
    }
    out
}

/// Text between quotes; a reader would make a space of a line break that is written as itself.
fn attribute(value: &str) -> String {
    text(value).replace('"', "&quot;").replace('\n', "&#10;")
}
