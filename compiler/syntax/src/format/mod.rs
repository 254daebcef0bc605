//! How a file should be laid out, as edits of the spaces in it: docs/format.md states the rules.
//!
//! No tree is printed. The file is cut into pieces (`pieces`), its lines get their indentation (here), their spaces
//! (`spacing`) and their columns (`columns`), and where what stands between two pieces is something else, that is an
//! edit. Tokens are never touched, so that a value cannot change; of comments only the `//`.
//! What is wanted follows from the pieces and the lines alone, not from the spaces that are there: to format twice is
//! to format once.

mod columns;
mod pieces;
mod spacing;

use poolwright_diagnostics::{Diagnostic, Edit, FileId};

use self::pieces::{Piece, What, pieces};
use self::spacing::{Role, Roles, space};
use crate::source::Source;

/// Spaces for each level.
const STEP: usize = 2;

/// The edits after which the text is laid out by the rules; none when it is already.
///
/// # Errors
/// What is wrong with the text, and warnings beside it: what cannot be read is not laid out.
pub fn format(file: FileId, text: &str) -> Result<Vec<Edit>, Vec<Diagnostic>> {
    if let Some(fault) = crate::too_large(file, text) {
        return Err(vec![fault]);
    }
    let (source, _, found) = crate::read(file, text);
    if found.iter().any(Diagnostic::is_error) {
        return Err(found);
    }
    let pieces = pieces(&source);
    let mut lines = Reader::default().lines(&source, &pieces);
    columns::align(&source, &pieces, &mut lines);
    Ok(edits(&source, &pieces, &lines))
}

/// A line with something on it.
struct Line {
    /// Its first piece, and one past its last.
    from: usize,
    to: usize,
    /// Spaces before the first piece.
    indent: usize,
    /// Spaces before each of the others, in order.
    spaces: Vec<usize>,
    /// The `=` of an attribute or of an entry of an object, when its value ends on this line.
    equal: Option<usize>,
    /// Whether an empty line stands before it.
    apart: bool,
}

/// Reads lines off the pieces.
#[derive(Default)]
struct Reader {
    roles: Roles,
    /// Of each open bracket, the indentation of the line on which it was opened.
    open: Vec<usize>,
}

impl Reader {
    fn lines(mut self, source: &Source, pieces: &[Piece]) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let mut from = 0;
        let mut breaks = 0;
        while let Some(first) = pieces.get(from) {
            if first.what == What::Newline {
                breaks += 1;
                from += 1;
                continue;
            }
            let rest = pieces.get(from..).unwrap_or_default();
            let length = rest.iter().position(|piece| piece.what == What::Newline);
            let to = from + length.unwrap_or(rest.len());
            let opened = lines.last().is_some_and(|line| ends_open(pieces, line));
            let apart = breaks > 1 && !lines.is_empty() && !opened && !first.what.closes();
            let line = self.line(source, pieces, from, to);
            lines.push(Line { apart, ..line });
            from = to;
            breaks = 0;
        }
        lines
    }

    /// The line of the pieces `from..to`.
    fn line(&mut self, source: &Source, pieces: &[Piece], from: usize, to: usize) -> Line {
        let on_line = pieces.get(from..to).unwrap_or_default();
        let closers = on_line.iter().take_while(|piece| piece.what.closes()).count();
        // What closes several lines stands below the outermost.
        let indent = match closers {
            0 => self.open.last().map_or(0, |outer| outer + STEP),
            _ => self.open.get(self.open.len().saturating_sub(closers)).copied().unwrap_or(0),
        };
        let mut line =
            Line { from, to, indent, spaces: Vec::with_capacity(to - from), equal: None, apart: false };
        let mut before: Option<(Piece, Role)> = None;
        let mut depth = 0_usize;
        let mut whole = closers == 0;
        for (index, piece) in (from..).zip(on_line.iter().copied()) {
            // Of a comment nobody asks, and a row of comments is gone through once.
            let mut rest = pieces.iter().skip(index + 1).filter(|next| !next.what.is_comment());
            let next = if piece.what.is_comment() { None } else { rest.next().copied() };
            let role = self.roles.of(source, piece, next);
            if let Some((before, its)) = before {
                let last = index + 1 == to && piece.what.is_comment();
                let there = usize::from(before.end < piece.start);
                let wanted = if last { Some(true) } else { space(its, role) };
                line.spaces.push(wanted.map_or(there, usize::from));
            }
            if piece.what.opens() {
                self.open.push(indent);
                depth += 1;
            } else if piece.what.closes() {
                self.open.pop();
                whole &= depth > 0;
                depth = depth.saturating_sub(1);
            } else if depth == 0 && line.equal.is_none() && before.is_some() {
                let equal = piece.what == What::Token(crate::token::Kind::Equal);
                line.equal = equal.then_some(index);
            }
            before = Some((piece, role));
        }
        if !whole || depth > 0 {
            line.equal = None;
        }
        line
    }
}

/// Whether a line ends with an opening bracket, and perhaps a comment.
fn ends_open(pieces: &[Piece], line: &Line) -> bool {
    let on_line = pieces.get(line.from..line.to).unwrap_or_default();
    on_line.iter().rev().find(|piece| !piece.what.is_comment()).is_some_and(|piece| piece.what.opens())
}

/// The edits that make the lines of what is there.
fn edits(source: &Source, pieces: &[Piece], lines: &[Line]) -> Vec<Edit> {
    let mut writer = Writer { source, at: 0, edits: Vec::new() };
    let mut breaks: &[Piece] = &[];
    for (index, line) in lines.iter().enumerate() {
        let first = pieces.get(line.from..line.to).unwrap_or_default();
        let mut gap = String::new();
        if index > 0 {
            // The file's own line ends.
            for piece in breaks.iter().take(if line.apart { 2 } else { 1 }) {
                gap.push_str(source.slice(piece.start, piece.end));
            }
        }
        gap.extend(std::iter::repeat_n(' ', line.indent));
        let mut spaces = line.spaces.iter();
        for piece in first {
            writer.piece(*piece, &gap);
            gap.clear();
            gap.extend(std::iter::repeat_n(' ', spaces.next().copied().unwrap_or(0)));
        }
        let after = lines.get(index + 1).map_or(pieces.len(), |next| next.from);
        breaks = pieces.get(line.to..after).unwrap_or_default();
    }
    let end = match (lines.is_empty(), breaks.first()) {
        (true, _) => "",
        (false, Some(newline)) => source.slice(newline.start, newline.end),
        (false, None) => newline_of(source, pieces),
    };
    writer.gap(source.text.len() as u32, end);
    writer.edits
}

/// The line end of a file whose last line has none: that of its first line.
fn newline_of<'a>(source: &'a Source, pieces: &[Piece]) -> &'a str {
    let first = pieces.iter().find(|piece| piece.what == What::Newline);
    first.map_or("\n", |newline| source.slice(newline.start, newline.end))
}

struct Writer<'s, 'a> {
    source: &'s Source<'a>,
    /// The end of the last piece.
    at: u32,
    edits: Vec<Edit>,
}

impl Writer<'_, '_> {
    fn piece(&mut self, piece: Piece, gap: &str) {
        self.gap(piece.start, gap);
        let text = self.source.slice(piece.start, piece.end);
        // More slashes are somebody's rule or heading.
        if piece.what == What::LineComment && text.starts_with("//") && !text.starts_with("///") {
            let span = self.source.span(piece.start, piece.start + 2);
            self.edits.push(Edit { span, text: "#".to_owned() });
        }
        self.at = piece.end;
    }

    /// What stands between the last piece and `to` should be `wanted`.
    fn gap(&mut self, to: u32, wanted: &str) {
        if self.source.slice(self.at, to) != wanted {
            let span = self.source.span(self.at, to);
            self.edits.push(Edit { span, text: wanted.to_owned() });
        }
    }
}
