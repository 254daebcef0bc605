//! What stands in columns: the `=` of neighbouring attributes, and the comments at the ends of neighbouring lines.
//!
//! A run is made of lines one below the other. An empty line, a comment of its own and a value of several lines end it.

use super::Line;
use super::pieces::Piece;
use crate::source::Source;

/// Sets the spaces before each `=` and each comment at the end of a line.
pub(super) fn align(source: &Source, pieces: &[Piece], lines: &mut [Line]) {
    in_runs(lines, |line| line.equal, |line, equal| width(source, pieces, line, equal));
    in_runs(
        lines,
        |line| {
            let last = line.to.checked_sub(1)?;
            let comment = pieces.get(last).is_some_and(|piece| piece.what.is_comment());
            (comment && last > line.from).then_some(last)
        },
        |line, comment| width(source, pieces, line, comment),
    );
}

/// Puts one piece of each line of a run in the same column, one space after the longest line before it.
fn in_runs(
    lines: &mut [Line],
    column: impl Fn(&Line) -> Option<usize>,
    width: impl Fn(&Line, usize) -> Option<usize>,
) {
    let mut run: Vec<(usize, usize, usize)> = Vec::new();
    let mut indent = 0;
    for index in 0..lines.len() {
        let Some(line) = lines.get(index) else { continue };
        let found = column(line).and_then(|piece| Some((index, piece, width(line, piece)?)));
        let goes_on = found.is_some() && !line.apart && line.indent == indent;
        indent = line.indent;
        if !goes_on {
            settle(lines, &mut run);
        }
        run.extend(found);
    }
    settle(lines, &mut run);
}

fn settle(lines: &mut [Line], run: &mut Vec<(usize, usize, usize)>) {
    let longest = run.iter().map(|(_, _, width)| *width).max().unwrap_or(0);
    for (line, piece, width) in run.drain(..) {
        let Some(line) = lines.get_mut(line) else { continue };
        let gap = piece.checked_sub(line.from + 1);
        if let Some(spaces) = gap.and_then(|gap| line.spaces.get_mut(gap)) {
            *spaces = longest - width + 1;
        }
    }
}

/// How many characters stand on a line before the piece and the space before it; none when something there has lines
/// of its own.
fn width(source: &Source, pieces: &[Piece], line: &Line, piece: usize) -> Option<usize> {
    let mut width = line.indent;
    let before = pieces.get(line.from..piece).unwrap_or_default();
    let spaces = std::iter::once(&0).chain(&line.spaces);
    for (piece, spaces) in before.iter().zip(spaces) {
        let text = source.slice(piece.start, piece.end);
        if text.contains('\n') {
            return None;
        }
        width += spaces + text.chars().count();
    }
    Some(width)
}
