//! The scanner: text to tokens. It alone knows where strings, heredocs, templates and comments begin and end, and it
//! reports what is wrong inside them. Every opening token of a string or template gets its partner here, in a broken
//! text too, so that later passes can step over strings without looking into them.

use std::borrow::Cow;

use poolwright_diagnostics::FileId;

use crate::brackets::MAX_DEPTH;
use crate::faults;
use crate::source::{Problems, Source, Words};
use crate::token::{Kind, NONE, Token, begins_attribute, begins_block, is_name_start, name_length};

/// Where the scanner is.
#[derive(Clone, Copy)]
pub(crate) enum Mode {
    /// In a quoted string that the token `open` begins.
    Quoted { open: usize, several_lines: bool },
    /// In a heredoc; its end marker is the text of the bytes `marker`.
    Heredoc { open: usize, marker: (usize, usize) },
    /// In a `${…}` or `%{…}`, with so many braces open inside.
    Template { open: usize, braces: u32 },
}

pub(crate) struct Scanner<'a> {
    pub(crate) file: FileId,
    pub(crate) text: &'a str,
    pub(crate) at: usize,
    pub(crate) tokens: Vec<Token>,
    pub(crate) modes: Vec<Mode>,
    pub(crate) problems: Problems,
    /// Bytes to overwrite before the expression parser sees the text.
    pub(crate) masks: Vec<(usize, u8)>,
    /// Comments that end with their line.
    comments: Vec<(usize, usize)>,
    /// Whether a `*/` may still come: its absence is found once, so that a file of open comments is not searched again for each.
    comments_end: bool,
    /// How many heredocs had no end.
    pub(crate) open_heredocs: usize,
}

/// Cuts `text` into tokens.
pub(crate) fn scan(file: FileId, text: &str) -> (Source<'_>, Problems) {
    let scanner = scanned(file, text);
    let masked = mask(text, &scanner.masks);
    (Source { file, text, masked, tokens: scanner.tokens, words: Words::default() }, scanner.problems)
}

/// The comments of `text` that end with their line: first byte, and one past the last.
pub(crate) fn comments(text: &str) -> Vec<(usize, usize)> {
    scanned(FileId(0), text).comments
}

fn scanned(file: FileId, text: &str) -> Scanner<'_> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let tokens = Vec::with_capacity(text.len() / 4);
    let mut scanner = Scanner {
        file,
        text,
        at: start,
        tokens,
        modes: Vec::new(),
        problems: Problems::default(),
        masks: Vec::new(),
        comments: Vec::new(),
        comments_end: true,
        open_heredocs: 0,
    };
    while scanner.at < text.len() {
        match scanner.modes.last().copied() {
            None | Some(Mode::Template { .. }) => scanner.code(),
            Some(Mode::Quoted { open, .. }) => scanner.quoted(open),
            Some(Mode::Heredoc { open, marker }) => scanner.heredoc(open, marker),
        }
    }
    scanner.end_of_text();
    scanner
}

fn mask<'a>(text: &'a str, masks: &[(usize, u8)]) -> Cow<'a, str> {
    if masks.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for (at, with) in masks {
        if let Some(byte) = bytes.get_mut(*at) {
            *byte = *with;
        }
    }
    // Whole characters are overwritten, never a part of one, so that this stays text.
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

impl Scanner<'_> {
    pub(crate) fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// The text from `at` on.
    pub(crate) fn rest(&self, at: usize) -> &str {
        self.text.get(at..).unwrap_or("")
    }

    pub(crate) fn slice(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or("")
    }

    pub(crate) fn span(&self, start: usize, end: usize) -> poolwright_diagnostics::Span {
        poolwright_diagnostics::Span::new(self.file, start as u32, end as u32)
    }

    /// The end of the line of `at`: of its `\n`, or of the text.
    pub(crate) fn line_end(&self, at: usize) -> usize {
        let end = self.rest(at).find('\n').map_or(self.text.len(), |length| at + length);
        if end > at && self.byte(end) == b'\n' && self.byte(end - 1) == b'\r' { end - 1 } else { end }
    }

    /// Adds a token and moves to its end.
    pub(crate) fn push(&mut self, kind: Kind, start: usize, end: usize) -> usize {
        self.tokens.push(Token { kind, start: start as u32, end: end as u32, partner: NONE, closed: false });
        self.at = end;
        self.tokens.len() - 1
    }

    /// Adds the partner of the token `open`.
    pub(crate) fn close(&mut self, open: usize, kind: Kind, start: usize, end: usize) {
        let partner = self.push(kind, start, end) as u32;
        if let Some(token) = self.tokens.get_mut(open) {
            token.partner = partner;
            token.closed = true;
        }
    }

    pub(crate) fn mask_range(&mut self, start: usize, end: usize, with: u8) {
        self.masks.extend((start..end).map(|at| (at, with)));
    }

    /// One token outside strings.
    fn code(&mut self) {
        let at = self.at;
        let next = self.byte(at + 1);
        match self.byte(at) {
            b' ' | b'\t' => self.at += 1,
            b'\r' if next == b'\n' => self.newline(at + 2),
            b'\n' => self.newline(at + 1),
            b'#' => self.line_comment(),
            b'/' if next == b'/' => self.line_comment(),
            b'/' if next == b'*' => self.comment(),
            b'"' => {
                let open = self.push(Kind::Quote, at, at + 1);
                self.modes.push(Mode::Quoted { open, several_lines: false });
            }
            b'0'..=b'9' => self.number(),
            b'<' if next == b'<' => self.heredoc_start(),
            b'$' if next == b'{' => {
                // Read as a parenthesis, reported when its end is known.
                self.push(Kind::LeftBrace, at, at + 2);
                self.braces(1);
            }
            b'{' => {
                self.push(Kind::LeftBrace, at, at + 1);
                self.braces(1);
            }
            b'}' | b'~' if self.ends_template() => {}
            b'}' => {
                self.push(Kind::RightBrace, at, at + 1);
                self.braces(-1);
            }
            other => match operator(other, next, self.byte(at + 2)) {
                Some((kind, length)) => {
                    self.push(kind, at, at + length);
                }
                None => self.name_or_other(),
            },
        }
    }

    fn name_or_other(&mut self) {
        let at = self.at;
        let Some(c) = self.rest(at).chars().next() else {
            // Not between two characters: cannot happen, and must not loop.
            self.at += 1;
            return;
        };
        if is_name_start(c) {
            let length = name_length(self.rest(at));
            self.push(Kind::Ident, at, at + length);
        } else {
            self.unexpected(c);
        }
    }

    fn braces(&mut self, by: i32) {
        if let Some(Mode::Template { braces, .. }) = self.modes.last_mut() {
            *braces = braces.saturating_add_signed(by);
        }
    }

    /// Takes the `}` or `~}` that ends a template sequence, if one stands here.
    fn ends_template(&mut self) -> bool {
        let Some(Mode::Template { open, braces: 0 }) = self.modes.last().copied() else { return false };
        let length = if self.byte(self.at) == b'}' {
            1
        } else if self.byte(self.at + 1) == b'}' {
            2
        } else {
            return false;
        };
        self.modes.pop();
        self.close(open, Kind::TemplateEnd, self.at, self.at + length);
        true
    }

    fn line_comment(&mut self) {
        let end = self.line_end(self.at);
        self.comments.push((self.at, end));
        self.at = end;
    }

    fn comment(&mut self) {
        let at = self.at;
        if self.comments_end
            && let Some(length) = self.rest(at + 2).find("*/")
        {
            self.at = at + 2 + length + 2;
            return;
        }
        self.comments_end = false;
        let open = self.span(at, at + 2);
        self.problems.fatal(at as u32, faults::unterminated_comment(open));
        // The rest of the line is lost; what follows may well be meant.
        self.push(Kind::Other, at, at + 2);
        self.at = self.line_end(at);
    }

    fn newline(&mut self, end: usize) {
        let at = self.at;
        if let Some(Mode::Template { braces, .. }) = self.modes.last().copied()
            && self.template_is_lost(end, braces)
        {
            self.give_up_template(at);
            return;
        }
        self.push(Kind::Newline, at, end);
    }

    /// Whether the line that begins at `start` shows that the template sequence we are in was never closed.
    fn template_is_lost(&self, start: usize, braces: u32) -> bool {
        let line = self.rest(start);
        if line.is_empty() || begins_block(line) || (braces == 0 && begins_attribute(line)) {
            return true;
        }
        // Strings in templates in strings: of the innermost levels only, which is all that a readable file has.
        let heredoc = self.modes.iter().rev().take(2 * MAX_DEPTH).find_map(|mode| match mode {
            Mode::Heredoc { marker, .. } => Some(*marker),
            _ => None,
        });
        heredoc.is_some_and(|marker| self.marker_at(start, marker).is_some())
    }

    /// Closes the unclosed template sequence, and the string around it, before byte `at`.
    pub(crate) fn give_up_template(&mut self, at: usize) {
        // The outermost mode is a string, and what is in it is a template sequence.
        let first = 1;
        if let Some(Mode::Template { open, .. }) = self.modes.get(first).copied() {
            let token = self.tokens.get(open).copied();
            let (start, end) = token.map_or((at, at), |token| (token.start as usize, token.end as usize));
            let fault = faults::unclosed_interpolation(self.span(start, end), self.slice(start, end));
            self.problems.fatal(start as u32, fault);
        }
        // A quoted string ends with its line; a heredoc goes on to its marker.
        let keep = usize::from(matches!(self.modes.first(), Some(Mode::Heredoc { .. })));
        self.unwind(keep, at);
    }

    /// Whether a `${` or `%{` is open.
    pub(crate) fn in_template(&self) -> bool {
        self.modes.len() > 1
    }

    /// Closes every mode but the first `keep` at byte `at`.
    pub(crate) fn unwind(&mut self, keep: usize, at: usize) {
        while self.modes.len() > keep {
            match self.modes.pop() {
                Some(Mode::Quoted { open, .. }) => self.close(open, Kind::QuoteEnd, at, at),
                Some(Mode::Heredoc { open, .. }) => self.close(open, Kind::HeredocEnd, at, at),
                Some(Mode::Template { open, .. }) => self.close(open, Kind::TemplateEnd, at, at),
                None => {}
            }
        }
    }

    fn end_of_text(&mut self) {
        let at = self.text.len();
        while let Some(mode) = self.modes.last().copied() {
            if self.in_template() {
                self.give_up_template(at);
                continue;
            }
            match mode {
                Mode::Quoted { open, .. } => self.unterminated(open, at),
                Mode::Heredoc { open, marker } => self.unterminated_heredoc(open, marker),
                Mode::Template { .. } => {}
            }
            self.unwind(self.modes.len().saturating_sub(1), self.at);
            // What was given up may have left text to read.
            if self.at < at {
                while self.at < at {
                    match self.modes.last().copied() {
                        None | Some(Mode::Template { .. }) => self.code(),
                        Some(Mode::Quoted { open, .. }) => self.quoted(open),
                        Some(Mode::Heredoc { open, marker }) => self.heredoc(open, marker),
                    }
                }
            }
        }
    }

    /// A character that is no part of the language.
    fn unexpected(&mut self, c: char) {
        let at = self.at;
        let end = at + c.len_utf8();
        let span = self.span(at, end);
        let closing: &[char] = match c {
            '\'' => &['\''],
            '`' => &['`'],
            '“' | '”' | '„' => &['“', '”', '"'],
            '‘' | '’' => &['‘', '’', '\''],
            _ => &[],
        };
        if !closing.is_empty() {
            let line = self.slice(end, self.line_end(end));
            let close = line.find(closing).map(|length| end + length);
            return self.other_quotes(at, end, close);
        }
        match c {
            '\u{a0}' | '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{202f}'
            | '\u{3000}' => {
                self.problems.report(faults::invisible_character(span, c));
                self.mask_range(at, end, b' ');
                self.at = end;
            }
            '$' if self.byte(end).is_ascii_digit() => {
                let line = self.slice(end, self.line_end(end));
                let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ']' | '}' | ')' | '#' | '"');
                let length = line.find(ends).unwrap_or(line.len());
                let money = self.span(at, end + length);
                let fault = faults::bare_money(money, self.slice(at, end + length));
                self.problems.fatal(at as u32, fault);
                self.push(Kind::Other, at, end + length);
            }
            ';' if self.slice(end, self.line_end(end)).trim_start().is_empty() => {
                self.problems.report(faults::semicolon(span));
                self.mask_range(at, end, b' ');
                self.at = end;
            }
            _ => {
                self.problems.fatal(at as u32, faults::unexpected_character(span, c));
                self.push(Kind::Other, at, end);
            }
        }
    }

    /// A string in quotes that the language does not have, from `start`; its text is from `inner` to `close`.
    fn other_quotes(&mut self, start: usize, inner: usize, close: Option<usize>) {
        let Some(close) = close else {
            let fault = faults::other_quotes(self.span(start, inner), None);
            self.problems.fatal(start as u32, fault);
            self.push(Kind::Other, start, inner);
            return;
        };
        let end = close + self.rest(close).chars().next().map_or(1, char::len_utf8);
        let content = self.slice(inner, close);
        let plain = !content.contains(['"', '\\']) && !content.contains("${") && !content.contains("%{");
        let fault = faults::other_quotes(self.span(start, end), plain.then_some(content));
        if plain && inner - start == 1 && end - close == 1 {
            // The same string with the right quotes is as long, so the tree can keep it.
            self.problems.report(fault);
            self.masks.push((start, b'"'));
            self.masks.push((close, b'"'));
        } else {
            self.problems.fatal(start as u32, fault);
        }
        let open = self.push(Kind::Quote, start, inner);
        if close > inner {
            self.push(Kind::Text, inner, close);
        }
        self.close(open, Kind::QuoteEnd, close, end);
    }
}

/// The operator or separator at the beginning of three bytes.
fn operator(first: u8, second: u8, third: u8) -> Option<(Kind, usize)> {
    Some(match (first, second) {
        (b'=', b'=') => (Kind::EqualEqual, 2),
        (b'=', b'>') => (Kind::Arrow, 2),
        (b'=', _) => (Kind::Equal, 1),
        (b':', b':') => (Kind::DoubleColon, 2),
        (b':', _) => (Kind::Colon, 1),
        (b',', _) => (Kind::Comma, 1),
        (b'.', b'.') if third == b'.' => (Kind::Ellipsis, 3),
        (b'.', _) => (Kind::Dot, 1),
        (b'?', _) => (Kind::Question, 1),
        (b'[', _) => (Kind::LeftBracket, 1),
        (b']', _) => (Kind::RightBracket, 1),
        (b'(', _) => (Kind::LeftParen, 1),
        (b')', _) => (Kind::RightParen, 1),
        (b'!' | b'<' | b'>', b'=') | (b'&', b'&') | (b'|', b'|') => (Kind::Operator, 2),
        (b'!' | b'<' | b'>' | b'&' | b'|' | b'+' | b'-' | b'*' | b'/' | b'%', _) => (Kind::Operator, 1),
        _ => return None,
    })
}
