//! What a file is made of for its layout: tokens and comments, with strings and heredocs as wholes.
//!
//! Between two pieces there are only spaces, and only there the layout changes anything.

use crate::source::Source;
use crate::token::Kind;

/// A part of the text that stays as it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) what: What,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// What a piece is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    Newline,
    /// A quoted string or a heredoc, with all that stands in it.
    Text,
    /// `# …` or `// …`, without spaces at its end.
    LineComment,
    /// `/* … */`
    BlockComment,
    /// Any other token.
    Token(Kind),
}

impl What {
    pub(super) fn is_comment(self) -> bool {
        matches!(self, Self::LineComment | Self::BlockComment)
    }

    pub(super) fn opens(self) -> bool {
        use Kind::{LeftBrace, LeftBracket, LeftParen};
        matches!(self, Self::Token(LeftBrace | LeftBracket | LeftParen))
    }

    pub(super) fn closes(self) -> bool {
        use Kind::{RightBrace, RightBracket, RightParen};
        matches!(self, Self::Token(RightBrace | RightBracket | RightParen))
    }
}

/// All pieces of a file without faults, in order.
pub(super) fn pieces(source: &Source) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(source.tokens.len());
    let bom = if source.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut at = bom as u32;
    let mut index = 0;
    while let Some(token) = source.tokens.get(index).copied() {
        comments(source, at, token.start, &mut pieces);
        let whole = matches!(token.kind, Kind::Quote | Kind::Heredoc);
        let last = if whole { token.partner as usize } else { index };
        let what = match token.kind {
            Kind::Newline => What::Newline,
            _ if whole => What::Text,
            kind => What::Token(kind),
        };
        at = source.token(last).end;
        pieces.push(Piece { what, start: token.start, end: at });
        index = last.max(index) + 1;
    }
    comments(source, at, source.text.len() as u32, &mut pieces);
    pieces
}

/// The comments between two tokens. One that ends with its line is the last of them.
fn comments(source: &Source, from: u32, to: u32, pieces: &mut Vec<Piece>) {
    let mut at = from;
    loop {
        let rest = source.slice(at, to);
        let text = rest.trim_start_matches([' ', '\t']);
        if text.is_empty() {
            return;
        }
        let start = to - text.len() as u32;
        let block = text.strip_prefix("/*").and_then(|inside| inside.find("*/"));
        let (what, length) = match block {
            Some(length) => (What::BlockComment, length + "/**/".len()),
            None => (What::LineComment, text.trim_end_matches([' ', '\t']).len()),
        };
        at = start + length as u32;
        pieces.push(Piece { what, start, end: at });
        if block.is_none() {
            return;
        }
    }
}
