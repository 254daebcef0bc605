//! Colour, as decoration of lines that are complete without it.

use super::Options;
use crate::Severity;

/// What a piece of text is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Severity(Severity),
    Message,
    Frame,
    Primary(Severity),
    Secondary,
    Help,
}

/// The text in the colour of its part.
pub(crate) fn paint(options: &Options, part: Part, text: &str) -> String {
    if !options.color || text.is_empty() {
        return text.to_owned();
    }
    let code = match part {
        Part::Severity(severity) => of(severity, true),
        Part::Primary(severity) => of(severity, false),
        Part::Message => "1",
        Part::Frame => "34",
        Part::Secondary => "36",
        Part::Help => "32",
    };
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}

fn of(severity: Severity, bold: bool) -> &'static str {
    match (severity, bold) {
        (Severity::Error, true) => "1;31",
        (Severity::Error, false) => "31",
        (Severity::Warning, true) => "1;33",
        (Severity::Warning, false) => "33",
        (Severity::Note, true) => "1;36",
        (Severity::Note, false) => "36",
    }
}
