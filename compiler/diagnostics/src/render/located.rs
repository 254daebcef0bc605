//! Diagnostics with their places looked up: what every form for programs is made from.

use std::collections::BTreeSet;

use crate::{Applicability, Diagnostic, LineColumn, Severity, SourceMap, Span};

/// A span with everything that the forms say of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file as the fleet names it; none when the span is of no file that is at hand.
    pub file: Option<String>,
    /// The same from the folder that the program runs in, `/` between its parts.
    pub path: Option<String>,
    /// First byte, from 0.
    pub byte_start: u32,
    /// One past the last byte.
    pub byte_end: u32,
    /// First character of the file, from 0.
    pub char_start: u32,
    /// So many characters.
    pub char_length: u32,
    /// Line and column of the first character, from 1.
    pub start: Option<LineColumn>,
    /// Line and column behind the last character, from 1.
    pub end: Option<LineColumn>,
}

impl Place {
    pub(crate) fn new(span: Span, sources: &SourceMap, base: &str) -> Self {
        let (byte_start, byte_end) = (span.start, span.end);
        let Some(file) = sources.get(span.file) else {
            return Self {
                file: None,
                path: None,
                byte_start,
                byte_end,
                char_start: 0,
                char_length: 0,
                start: None,
                end: None,
            };
        };
        let char_start = file.char_offset(byte_start);
        Self {
            file: Some(file.name().to_owned()),
            path: Some(format!("{base}{}", file.name())),
            byte_start,
            byte_end,
            char_start,
            char_length: file.char_offset(byte_end).saturating_sub(char_start),
            start: Some(file.line_column(byte_start)),
            end: Some(file.line_column(byte_end)),
        }
    }
}

/// A label whose place is looked up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocatedLabel {
    /// Where.
    pub place: Place,
    /// What this place has to do with it; may be empty.
    pub text: String,
    /// Whether the fault is here.
    pub primary: bool,
}

/// A fix whose places are looked up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocatedFix {
    /// What it does.
    pub title: String,
    /// Whether it may be applied without asking.
    pub applicability: Applicability,
    /// What is replaced, and by what.
    pub edits: Vec<(Place, String)>,
}

/// A diagnostic whose places are looked up, so that it stands without its sources.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Located {
    /// Stable code.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The one sentence.
    pub message: String,
    /// Where, and what else took part.
    pub labels: Vec<LocatedLabel>,
    /// Facts that explain.
    pub notes: Vec<String>,
    /// What to do.
    pub helps: Vec<String>,
    /// Changes that would remove it.
    pub fixes: Vec<LocatedFix>,
    /// Values of parts of the expression.
    pub values: Vec<(String, String)>,
    /// How the place was reached.
    pub trail: Vec<(String, Option<Place>)>,
}

impl Located {
    /// Looks up the places; `base` stands before every path: empty, or a folder with `/` at its end.
    #[must_use]
    pub fn new(diagnostic: &Diagnostic, sources: &SourceMap, base: &str) -> Self {
        let place = |span: Span| Place::new(span, sources, base);
        let label = |label: &crate::Label| LocatedLabel {
            place: place(label.span),
            text: label.text.clone(),
            primary: label.primary,
        };
        let fix = |fix: &crate::Fix| LocatedFix {
            title: fix.title.clone(),
            applicability: fix.applicability,
            edits: fix.edits.iter().map(|edit| (place(edit.span), edit.text.clone())).collect(),
        };
        Self {
            code: diagnostic.code.0,
            severity: diagnostic.severity,
            message: diagnostic.message.clone(),
            labels: diagnostic.labels.iter().map(label).collect(),
            notes: diagnostic.notes.clone(),
            helps: diagnostic.helps.clone(),
            fixes: diagnostic.fixes.iter().map(fix).collect(),
            values: diagnostic.values.clone(),
            trail: diagnostic.trail.iter().map(|frame| (frame.text.clone(), frame.span.map(place))).collect(),
        }
    }

    /// The label of the fault's place: the first primary one, else the first.
    #[must_use]
    pub fn primary(&self) -> Option<&LocatedLabel> {
        self.labels.iter().find(|label| label.primary).or_else(|| self.labels.first())
    }

    fn place(&self) -> Option<(Option<&str>, u32)> {
        self.primary().map(|label| (label.place.path.as_deref(), label.place.byte_start))
    }

    /// Everything but the source, a line each: message, what is said of places, values, facts, what to do.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.message.clone()];
        let primary = self.primary();
        for label in self.labels.iter().filter(|label| !label.text.is_empty()) {
            let here = primary.is_some_and(|primary| std::ptr::eq(primary, label));
            match (&label.place.path, label.place.start) {
                (Some(path), Some(start)) if !here => {
                    lines.push(format!("{path}:{}:{}: {}", start.line, start.column, label.text));
                }
                _ => lines.push(label.text.clone()),
            }
        }
        lines.extend(self.values.iter().map(|(of, value)| format!("{of} is {value}")));
        lines.extend(self.notes.iter().cloned());
        lines.extend(self.trail.iter().map(|(text, _)| text.clone()));
        lines.extend(self.helps.iter().map(|help| format!("help: {help}")));
        lines.extend(self.fixes.iter().map(|fix| format!("help: {}", fix.title)));
        lines
    }
}

/// What a run found, for forms that are one document a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Findings {
    /// In the order of places.
    pub found: Vec<Located>,
    /// Paths of all files that were read, the sound ones too.
    pub files: BTreeSet<String>,
}

impl Findings {
    /// Adds what one step of the run found. `base` is as in [`Located::new`].
    pub fn add(&mut self, diagnostics: &[Diagnostic], sources: &SourceMap, base: &str) {
        self.files.extend(sources.files().map(|(_, file)| format!("{base}{}", file.name())));
        self.found.extend(diagnostics.iter().map(|diagnostic| Located::new(diagnostic, sources, base)));
        self.found.sort_by(|a, b| (a.place(), a.code, &a.message).cmp(&(b.place(), b.code, &b.message)));
        self.found.dedup();
    }
}
