//! The source under the labels. One line of source at a time is laid out by miette, which knows how to place several
//! labels under a line; the frame around the lines, the line numbers and the file names are ours, because miette shows
//! one file a diagnostic and counts columns in bytes.

use std::collections::BTreeMap;
use std::fmt;

use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode, ThemeCharacters, ThemeStyles};

use super::line::Line;
use super::style::{Part, paint};
use super::{Options, clean};
use crate::{Diagnostic, FileId, Label, SourceFile, SourceMap};

/// All labelled lines of a diagnostic, file by file, the file of the primary label first. `gutter` is the width of the
/// line numbers.
pub(crate) fn write(
    out: &mut String,
    diagnostic: &Diagnostic,
    sources: &SourceMap,
    options: &Options,
    gutter: usize,
) {
    let frame = Frame::new(options, gutter);
    let mut files: Vec<FileId> = Vec::new();
    let primary = diagnostic.primary().map(|label| label.span.file);
    for file in primary.into_iter().chain(diagnostic.labels.iter().map(|label| label.span.file)) {
        if !files.contains(&file) {
            files.push(file);
        }
    }
    for id in files {
        let Some(file) = sources.get(id) else { continue };
        let mut lines: BTreeMap<u32, Vec<&Label>> = BTreeMap::new();
        for label in diagnostic.labels.iter().filter(|label| label.span.file == id) {
            lines.entry(file.line_column(label.span.start).line).or_default().push(label);
        }
        // The place in the head is that of the primary label, else of the file's first one.
        let first = diagnostic.primary().filter(|label| label.span.file == id);
        let first = first.or_else(|| lines.values().next().and_then(|labels| labels.first().copied()));
        if let Some(label) = first {
            frame.head(out, &sources.place(label.span));
        }
        let mut last = None;
        for (number, labels) in lines {
            match last {
                None => frame.line(out, None, ""),
                Some(last) if last + 1 < number => frame.gap(out),
                Some(_) => {}
            }
            last = Some(number);
            let line_start = file.line_start(number);
            source_line(out, file, number, line_start, &labels, diagnostic, options, &frame);
        }
    }
}

/// The lines' numbers and the stroke beside them.
pub(crate) struct Frame<'o> {
    options: &'o Options,
    gutter: usize,
    bar: &'static str,
    corner: &'static str,
    gap: &'static str,
}

impl<'o> Frame<'o> {
    pub(crate) fn new(options: &'o Options, gutter: usize) -> Self {
        let (bar, corner, gap) = if options.unicode { ("│", "┌─", "·") } else { ("|", "-->", ".") };
        Self { options, gutter, bar, corner, gap }
    }

    fn head(&self, out: &mut String, place: &str) {
        let corner = paint(self.options, Part::Frame, self.corner);
        out.push_str(&format!("{:width$} {corner} {}\n", "", clean(place), width = self.gutter));
    }

    pub(crate) fn line(&self, out: &mut String, number: Option<u32>, text: &str) {
        let number = number.map_or(String::new(), |number| number.to_string());
        let edge = format!("{number:>width$} {}", self.bar, width = self.gutter);
        out.push_str(&paint(self.options, Part::Frame, &edge));
        if !text.is_empty() {
            out.push(' ');
            out.push_str(text);
        }
        out.push('\n');
    }

    fn gap(&self, out: &mut String) {
        let edge = format!("{:width$} {}", "", self.gap, width = self.gutter);
        out.push_str(&paint(self.options, Part::Frame, &edge));
        out.push('\n');
    }
}

/// A line of source and what is said about it.
#[expect(clippy::too_many_arguments, reason = "one place calls it, with what it has at hand")]
fn source_line(
    out: &mut String,
    file: &SourceFile,
    number: u32,
    start: u32,
    labels: &[&Label],
    diagnostic: &Diagnostic,
    options: &Options,
    frame: &Frame,
) {
    let room = options.width.saturating_sub(frame.gutter + 5);
    let ellipsis = if options.unicode { "…" } else { "..." };
    let text = file.line(number);
    let focus = labels.iter().find(|label| label.primary).or(labels.first());
    let focus = focus.map_or(0, |label| (label.span.start - start) as usize);
    let line = Line::new(text, focus, room, ellipsis);
    frame.line(out, Some(number), line.text.trim_end());

    let mut spans: Vec<(usize, usize, &Label)> = labels
        .iter()
        .map(|label| {
            let from = (label.span.start - start) as usize;
            // Of a label over several lines its first line is shown.
            let to = (label.span.end.saturating_sub(start) as usize).min(text.len());
            let (from, to) = line.range(from, to.max(from));
            (from, to, *label)
        })
        .collect();
    spans.sort_by_key(|(from, to, _)| (*from, *to));
    // A stroke from the middle of a label without text leads nowhere; where others stand in it, it is only underlined.
    let silent = |(from, to, label): &(usize, usize, &Label)| {
        let inside = |(a, b, other): &(usize, usize, &Label)| !other.text.is_empty() && from <= a && b <= to;
        label.text.is_empty() && spans.iter().any(inside)
    };
    let (whole, speaking): (Vec<_>, Vec<_>) = spans.iter().copied().partition(silent);
    let mut below = layout(&line, &speaking, options);
    underline(&mut below, &line, &whole, options);
    emphasise(&mut below, &line, &spans, options);
    let severity = diagnostic.severity;
    let primary = labels.iter().any(|label| label.primary);
    let part = if primary { Part::Primary(severity) } else { Part::Secondary };
    for text in beside(below, labels, options, room) {
        let indent = text.len() - text.trim_start().len();
        let (spaces, rest) = text.split_at_checked(indent).unwrap_or(("", &text));
        frame.line(out, None, &format!("{spaces}{}", paint(options, part, rest)));
    }
}

/// The strokes, which differ for the primary label, and the other characters of a layout.
fn strokes(options: &Options) -> (char, char, ThemeCharacters) {
    let mut characters = if options.unicode { ThemeCharacters::unicode() } else { ThemeCharacters::ascii() };
    characters.vbar_break = characters.vbar;
    if !options.unicode {
        characters.underline = '-';
    }
    let strong = if options.unicode { '━' } else { '^' };
    (strong, characters.underline, characters)
}

/// What stands under a line, as miette lays it out.
fn layout(line: &Line, spans: &[(usize, usize, &Label)], options: &Options) -> Vec<String> {
    let (_, _, characters) = strokes(options);
    let (bar, corner, end) = (characters.vbar, characters.ltop, characters.lbot);
    let theme = GraphicalTheme { characters, styles: ThemeStyles::none() };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_links(false)
        .without_cause_chain()
        .without_syntax_highlighting()
        // With none the text would begin at the label instead of at its line.
        .with_context_lines(1)
        .with_width(10_000);
    let labels = spans.iter().map(|(from, to, label)| {
        let text = clean(&label.text);
        LabeledSpan::new((!text.is_empty()).then_some(text), *from, to - from)
    });
    let report = Report { text: format!("{} ", line.text), labels: labels.collect() };
    let mut text = String::new();
    if handler.render_report(&mut text, &report).is_err() {
        return Vec::new();
    }
    let body = text.lines().skip_while(|line| !line.trim_start().starts_with(corner)).skip(2);
    let body = body.take_while(|line| !line.trim_start().starts_with(end));
    let rest = body.filter_map(|line| line.split_once(bar).map(|(_, rest)| rest));
    rest.map(|rest| rest.strip_prefix(' ').unwrap_or(rest).trim_end().to_owned()).collect()
}

/// Underlines what no stroke is under yet. Where characters are not one column wide it leaves them.
fn underline(below: &mut [String], line: &Line, spans: &[(usize, usize, &Label)], options: &Options) {
    let (_, weak, _) = strokes(options);
    let Some(first) = below.first_mut().filter(|_| line.text.is_ascii() && !spans.is_empty()) else { return };
    let end = spans.iter().map(|(_, to, _)| *to).max().unwrap_or(0);
    let within = |at: usize| spans.iter().any(|(from, to, _)| (*from..*to).contains(&at));
    let columns = first.chars().chain(std::iter::repeat(' ')).enumerate();
    let stroke = |(at, c): (usize, char)| if c == ' ' && within(at) { weak } else { c };
    *first = columns.take(end.max(first.chars().count())).map(stroke).collect();
}

/// Draws the primary labels' strokes stronger. Where characters are not one column wide it leaves them.
fn emphasise(below: &mut [String], line: &Line, spans: &[(usize, usize, &Label)], options: &Options) {
    let (strong, weak, _) = strokes(options);
    let Some(underline) = below.first_mut().filter(|_| line.text.is_ascii()) else { return };
    let is_primary =
        |at: usize| spans.iter().any(|(from, to, label)| label.primary && (*from..*to).contains(&at));
    let stroke = |(at, c): (usize, char)| if c == weak && is_primary(at) { strong } else { c };
    *underline = underline.chars().enumerate().map(stroke).collect();
}

/// Puts the text of a lone label behind its stroke, where it is read at once, or below when there is no room.
fn beside(below: Vec<String>, labels: &[&Label], options: &Options, room: usize) -> Vec<String> {
    let (strong, weak, characters) = strokes(options);
    let [label] = labels else { return below };
    let stroke = if label.primary { strong } else { weak };
    let straight = |c: char| if c == weak || c == characters.underbar { stroke } else { c };
    let Some(underline) = below.first().map(|line| line.chars().map(straight).collect::<String>()) else {
        return below;
    };
    let text = clean(&label.text);
    if text.is_empty() {
        return vec![underline];
    }
    if underline.chars().count() + 1 + text.chars().count() <= room {
        return vec![format!("{underline} {text}")];
    }
    let indent = underline.len() - underline.trim_start().len();
    // So far to the right that nothing would fit: begin at the left.
    let indent = if indent + 30 > room { 0 } else { indent };
    let mut lines = vec![underline];
    let wrapped = super::human::wrap(&text, room - indent);
    lines.extend(wrapped.into_iter().map(|line| format!("{:indent$}{line}", "")));
    lines
}

/// A line of source and its labels, in the shape that miette reads.
#[derive(Debug)]
struct Report {
    text: String,
    labels: Vec<LabeledSpan>,
}

impl fmt::Display for Report {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl std::error::Error for Report {}

impl miette::Diagnostic for Report {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.text)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}
