//! For people: head, source with labels, values, notes, helps, the way there.

use std::collections::BTreeSet;

use super::style::{Part, paint};
use super::{Options, clean, snippet};
use crate::{Diagnostic, Fix, Severity, SourceMap};

/// So many diagnostics are shown; of the others only their number.
const MOST: usize = 100;

/// The diagnostics as text for people, each followed by an empty line.
#[must_use]
pub fn human(diagnostics: &[Diagnostic], sources: &SourceMap, options: &Options) -> String {
    let mut out = String::new();
    let (shown, left) = most(diagnostics);
    let mut explained = BTreeSet::new();
    for diagnostic in shown {
        // The page is named once a run, and only where the reason lies in another system.
        let page = has_reasons(diagnostic) && explained.insert(diagnostic.code);
        one(&mut out, diagnostic, sources, options, page);
        out.push('\n');
    }
    if !left.is_empty() {
        out.push_str(&format!("and {} more; `--format short` lists all\n", left.join(", ")));
    }
    out
}

/// Those that are shown, in their order, and the numbers of the others: a warning never takes the place of an error.
fn most(diagnostics: &[Diagnostic]) -> (Vec<&Diagnostic>, Vec<String>) {
    if diagnostics.len() <= MOST {
        return (diagnostics.iter().collect(), Vec::new());
    }
    let mut order: Vec<usize> = (0..diagnostics.len()).collect();
    order.sort_by_key(|at| diagnostics.get(*at).map(|diagnostic| diagnostic.severity));
    let shown: BTreeSet<usize> = order.into_iter().take(MOST).collect();
    let (mut kept, mut left) = (Vec::new(), Vec::new());
    for (at, diagnostic) in diagnostics.iter().enumerate() {
        if shown.contains(&at) { kept.push(diagnostic) } else { left.push(diagnostic) }
    }
    let count = |severity: Severity| {
        let count = left.iter().filter(|diagnostic| diagnostic.severity == severity).count();
        let end = if count == 1 { "" } else { "s" };
        (count > 0).then(|| format!("{count} {}{end}", severity.as_str()))
    };
    let left = [Severity::Error, Severity::Warning, Severity::Note].into_iter().filter_map(count).collect();
    (kept, left)
}

/// Rules between blocks and limits of targets: what Kueue, Slurm or a cloud does is not to be seen in the file.
fn has_reasons(diagnostic: &Diagnostic) -> bool {
    let code = diagnostic.code.0;
    !diagnostic.labels.is_empty() && (code.starts_with("PW4") || code.starts_with("PW5"))
}

fn one(out: &mut String, diagnostic: &Diagnostic, sources: &SourceMap, options: &Options, page: bool) {
    let head = format!("{}[{}]", diagnostic.severity.as_str(), diagnostic.code);
    let message = wrap(&clean(&diagnostic.message), options.width.saturating_sub(head.len() + 2));
    out.push_str(&paint(options, Part::Severity(diagnostic.severity), &head));
    out.push_str(": ");
    for (index, line) in message.iter().enumerate() {
        if index > 0 {
            out.push_str(&" ".repeat(head.len() + 2));
        }
        out.push_str(&paint(options, Part::Message, line));
        out.push('\n');
    }
    let last = diagnostic.labels.iter().filter_map(|label| {
        let file = sources.get(label.span.file)?;
        Some(file.line_column(label.span.start).line)
    });
    let gutter = last.max().unwrap_or(1).to_string().len().max(2);
    snippet::write(out, diagnostic, sources, options, gutter);

    let shown = diagnostic.labels.iter().any(|label| sources.get(label.span.file).is_some());
    let below = diagnostic.values.len()
        + diagnostic.notes.len()
        + diagnostic.trail.len()
        + diagnostic.helps.len()
        + diagnostic.fixes.len()
        + usize::from(page);
    if shown && below > 0 {
        snippet::Frame::new(options, gutter).line(out, None, "");
    }
    let mut text = Text { out, options, indent: gutter + 1 };
    for label in diagnostic.labels.iter().filter(|label| sources.get(label.span.file).is_none()) {
        text.fact(&label.text);
    }
    for (of, value) in &diagnostic.values {
        text.fact(&format!("{of} is {value}"));
    }
    for note in &diagnostic.notes {
        text.fact(note);
    }
    for frame in &diagnostic.trail {
        let place = frame.span.map(|span| sources.place(span)).unwrap_or_default();
        let place = if place.is_empty() { String::new() } else { format!("  ({place})") };
        text.fact(&format!("{}{place}", frame.text));
    }
    for help in &diagnostic.helps {
        text.help(help);
    }
    for fix in &diagnostic.fixes {
        text.help(&fix.title);
        if let Some(line) = fixed_line(fix, sources) {
            text.code(&line);
        }
    }
    if page {
        text.docs(&super::docs(diagnostic.code.0));
    }
}

/// The lines below the source.
struct Text<'o> {
    out: &'o mut String,
    options: &'o Options,
    indent: usize,
}

impl Text<'_> {
    fn fact(&mut self, text: &str) {
        let mark = "= ";
        self.wrapped(mark, mark, text, Part::Frame);
    }

    fn help(&mut self, text: &str) {
        self.wrapped("help: ", "help: ", &clean(text), Part::Help);
    }

    fn docs(&mut self, text: &str) {
        self.wrapped("docs: ", "docs: ", text, Part::Frame);
    }

    fn wrapped(&mut self, mark: &str, plain: &str, text: &str, part: Part) {
        let room = self.options.width.saturating_sub(self.indent + plain.len());
        for (index, line) in text.lines().flat_map(|line| wrap(&clean(line), room)).enumerate() {
            let mark = if index == 0 { paint(self.options, part, mark) } else { " ".repeat(plain.len()) };
            self.out.push_str(&format!("{:indent$}{mark}{line}\n", "", indent = self.indent));
        }
    }

    /// A line of source as it would be.
    fn code(&mut self, line: &str) {
        let shown = super::line::Line::new(line, 0, usize::MAX, "").text;
        if shown.chars().count() + self.indent + 8 <= self.options.width {
            self.out.push_str(&format!("{:indent$}{}\n", "", shown.trim_end(), indent = self.indent + 6));
        }
    }
}

/// The line after a fix, when the fix stays within one line.
fn fixed_line(fix: &Fix, sources: &SourceMap) -> Option<String> {
    let first = fix.edits.first()?;
    let file = sources.get(first.span.file)?;
    let number = file.line_column(first.span.start).line;
    let start = file.line_start(number) as usize;
    let line = file.line(number);
    let mut edits: Vec<_> = fix.edits.iter().collect();
    edits.sort_by_key(|edit| edit.span.start);
    let mut out = String::new();
    let mut done = 0;
    for edit in edits {
        let same_file = edit.span.file == first.span.file;
        let from = (edit.span.start as usize).checked_sub(start)?;
        let to = (edit.span.end as usize).checked_sub(start)?;
        if !same_file || edit.text.contains('\n') {
            return None;
        }
        out.push_str(line.get(done..from)?);
        out.push_str(&edit.text);
        done = to;
    }
    out.push_str(line.get(done..)?);
    Some(out.trim().to_owned())
}

/// Breaks text into lines of at most `width` characters, between words; a longer word has a line of its own.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(20);
    if text.chars().count() <= width {
        return vec![text.to_owned()];
    }
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut length = 0;
    for word in text.split(' ') {
        let word_length = word.chars().count();
        if length > 0 && length + 1 + word_length > width {
            lines.push(std::mem::take(&mut line));
            length = 0;
        }
        if length > 0 {
            line.push(' ');
            length += 1;
        }
        line.push_str(word);
        length += word_length;
    }
    lines.push(line);
    lines
}
