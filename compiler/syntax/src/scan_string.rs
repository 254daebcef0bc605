//! The inside of quoted strings and heredocs.

use crate::faults;
use crate::scan::{Mode, Scanner};
use crate::token::{Kind, begins_block, is_name_continue, name_length};

/// After so many heredocs without end the rest of the file is given up, because each is searched to the end of the
/// text.
const MOST_OPEN_HEREDOCS: usize = 100;

impl Scanner<'_> {
    /// Reads on in a quoted string: literal text, then what ends it.
    pub(crate) fn quoted(&mut self, open: usize) {
        let start = self.at;
        let mut at = start;
        loop {
            match self.byte(at) {
                b'"' => break,
                b'\\' => at = self.escape(at),
                b'$' if self.byte(at + 1) == b'$' && self.byte(at + 2) == b'{' => at += 3,
                b'%' if self.byte(at + 1) == b'%' && self.byte(at + 2) == b'{' => at += 3,
                b'$' | b'%' if self.byte(at + 1) == b'{' => break,
                b'\n' => break,
                b'\r' if self.byte(at + 1) == b'\n' => break,
                0 if at >= self.text.len() => break,
                _ => at += 1,
            }
        }
        if at > start {
            self.push(Kind::Text, start, at);
        }
        match self.byte(at) {
            b'"' => {
                self.modes.pop();
                self.close(open, Kind::QuoteEnd, at, at + 1);
            }
            b'$' | b'%' => self.template_start(at),
            b'\n' | b'\r' => self.line_break_in_string(open, at),
            _ => {}
        }
    }

    fn template_start(&mut self, at: usize) {
        let kind = if self.byte(at) == b'$' { Kind::Interpolation } else { Kind::Directive };
        let end = if self.byte(at + 2) == b'~' { at + 3 } else { at + 2 };
        let open = self.push(kind, at, end);
        self.modes.push(Mode::Template { open, braces: 0 });
    }

    /// Checks the escape at the backslash `at`; returns where it ends.
    fn escape(&mut self, at: usize) -> usize {
        let next = self.rest(at + 1).chars().next();
        let digits = match next {
            Some('n' | 'r' | 't' | '\\' | '"') => return at + 2,
            Some('u') => 4,
            Some('U') => 8,
            // The line's end has its own report.
            None | Some('\n' | '\r') => return at + 1,
            Some(other) => {
                let end = at + 1 + other.len_utf8();
                let fault = faults::invalid_escape(self.span(at, end), other);
                self.problems.report(fault);
                self.mask_range(at, at + 2, b'\\');
                self.mask_range(at + 2, end, b' ');
                return end;
            }
        };
        let hex =
            self.text.get(at + 2..at + 2 + digits).filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
        let character = hex.and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32);
        if character.is_some() {
            return at + 2 + digits;
        }
        let found = self.rest(at + 2).bytes().take(digits).take_while(u8::is_ascii_hexdigit).count();
        let fault = faults::invalid_unicode_escape(self.span(at, at + 2 + found), digits, found);
        self.problems.report(fault);
        self.mask_range(at, at + 2, b'\\');
        at + 2 + found
    }

    /// A quoted string meets the end of its line.
    fn line_break_in_string(&mut self, open: usize, at: usize) {
        if self.in_template() {
            return self.give_up_template(at);
        }
        let end = if self.byte(at) == b'\r' { at + 2 } else { at + 1 };
        let known = matches!(self.modes.last(), Some(Mode::Quoted { several_lines: true, .. }));
        if known || self.goes_on(end) {
            if !known {
                let start = self.tokens.get(open).map_or(at, |token| token.start as usize);
                let fault = faults::raw_newline(self.span(start, at), self.span(at, end));
                self.problems.report(fault);
                self.modes.pop();
                self.modes.push(Mode::Quoted { open, several_lines: true });
            }
            self.push(Kind::Text, at, end);
            return;
        }
        self.unterminated(open, at);
        self.unwind(self.modes.len().saturating_sub(1), self.at);
    }

    /// Whether the string whose line ended just before `start` is closed further down: the next quote ends its line,
    /// and nothing before it looks like the next attribute or block.
    fn goes_on(&self, start: usize) -> bool {
        let Some(length) = self.rest(start).find('"') else { return false };
        let between = self.slice(start, start + length);
        let plain = !between.contains(['=', '{', '}']) || between.contains("${");
        let after = self.slice(start + length + 1, self.line_end(start + length + 1));
        plain && after.chars().all(|c| matches!(c, ' ' | '\t' | ',' | ']' | ')' | '}'))
    }

    /// Reports an unterminated string and moves to where its closing quote was probably meant to be.
    pub(crate) fn unterminated(&mut self, open: usize, line_end: usize) {
        let Some(quote) = self.tokens.get(open).copied() else { return };
        // Interpolations of this string stay in it.
        let begun = self.tokens.iter().skip(open).rev().find(|token| token.kind != Kind::Text);
        let begun = begun.map_or(quote.end as usize, |token| token.end as usize);
        let mut end = begun + self.slice(begun, line_end).trim_end().len();
        let line = self.tokens.iter().take(open).rev().take_while(|token| token.kind != Kind::Newline);
        let (mut assigned, mut bracketed) = (false, false);
        for token in line {
            assigned |= token.kind == Kind::Equal;
            bracketed |= matches!(token.kind, Kind::LeftBracket | Kind::LeftParen | Kind::LeftBrace);
        }
        let text = self.slice(begun, end);
        let trailing: &[char] = match (assigned, bracketed) {
            (false, false) => &['{', ' ', '\t'],
            (_, true) => &[',', ']', ')', '}', ' ', '\t'],
            (true, false) => &[','],
        };
        let kept = text.trim_end_matches(trailing);
        let header = !assigned && text.ends_with('{');
        let certain = (header || kept.len() == text.len()) && !kept.contains(['#', ',', '=', '{', '[', '(']);
        end = begun + kept.len();
        while self.tokens.last().is_some_and(|token| token.kind == Kind::Text && token.end as usize > end) {
            let start = self.tokens.pop().map_or(end, |token| token.start as usize);
            if start < end {
                self.push(Kind::Text, start, end);
                break;
            }
        }
        let start = quote.start as usize;
        let fault = faults::unterminated_string(self.span(start, start + 1), self.span(end, end), certain);
        self.problems.fatal(start as u32, fault);
        self.at = end;
    }

    /// `<<NAME` or `<<-NAME`.
    pub(crate) fn heredoc_start(&mut self) {
        let at = self.at;
        let name = if self.byte(at + 2) == b'-' { at + 3 } else { at + 2 };
        let quote = matches!(self.byte(name), b'"' | b'\'');
        let name = name + usize::from(quote);
        let length = name_length(self.rest(name));
        let end = name + length;
        if length == 0 || quote && self.byte(end) != self.byte(name - 1) {
            self.push(Kind::Operator, at, at + 1);
            self.push(Kind::Operator, at + 1, at + 2);
            return;
        }
        if quote {
            let fault = faults::quoted_marker(self.span(name - 1, end + 1), self.slice(name, end));
            self.problems.fatal(at as u32, fault);
        }
        let marker = (name, end);
        let end = end + usize::from(quote);
        let line = self.line_end(end);
        if line > end {
            let fault = faults::heredoc_marker(self.span(end, line), "nothing may follow a heredoc's marker");
            self.problems.fatal(at as u32, fault);
        }
        let next = (line + self.line_break(line)).min(self.text.len());
        let open = self.push(Kind::Heredoc, at, next);
        self.modes.push(Mode::Heredoc { open, marker });
    }

    fn line_break(&self, at: usize) -> usize {
        match self.byte(at) {
            b'\r' => 2,
            b'\n' => 1,
            _ => 0,
        }
    }

    /// If the end marker stands on the line that begins at `start`: where it ends.
    pub(crate) fn marker_at(&self, start: usize, marker: (usize, usize)) -> Option<usize> {
        let line = self.rest(start);
        let rest = line.trim_start_matches([' ', '\t']);
        let marker = self.slice(marker.0, marker.1);
        let after = rest.strip_prefix(marker)?;
        let ended = !after.chars().next().is_some_and(is_name_continue);
        ended.then(|| start + (line.len() - rest.len()) + marker.len())
    }

    /// Reads on in a heredoc: its end, or text up to the next line or template sequence.
    pub(crate) fn heredoc(&mut self, open: usize, marker: (usize, usize)) {
        let start = self.at;
        let at_line = start == 0 || self.byte(start - 1) == b'\n';
        if at_line && let Some(end) = self.marker_at(start, marker) {
            self.modes.pop();
            if open + 1 == self.tokens.len() {
                self.mask_empty(open, end);
            }
            self.close(open, Kind::HeredocEnd, start, end);
            return;
        }
        let mut at = start;
        loop {
            match self.byte(at) {
                b'$' if self.byte(at + 1) == b'$' && self.byte(at + 2) == b'{' => at += 3,
                b'%' if self.byte(at + 1) == b'%' && self.byte(at + 2) == b'{' => at += 3,
                b'$' | b'%' if self.byte(at + 1) == b'{' => break,
                b'\n' => {
                    at += 1;
                    break;
                }
                0 if at >= self.text.len() => break,
                _ => at += 1,
            }
        }
        if at > start {
            self.push(Kind::Text, start, at);
        }
        let broke = at > start && self.byte(at - 1) == b'\n';
        if !broke && matches!(self.byte(at), b'$' | b'%') && self.byte(at + 1) == b'{' {
            self.template_start(at);
        }
    }

    /// The expression parser finds the end of a heredoc only after a line, so that one without lines would go on to
    /// the next end marker: a quoted text stands in its place.
    fn mask_empty(&mut self, open: usize, end: usize) {
        let Some(token) = self.tokens.get(open) else { return };
        let start = token.start as usize;
        self.mask_range(start, start + 1, b'"');
        self.mask_range(start + 1, end - 1, b' ');
        self.mask_range(end - 1, end, b'"');
    }

    /// Reports a heredoc without end, and moves to the first line after its beginning that looks like a block.
    pub(crate) fn unterminated_heredoc(&mut self, open: usize, marker: (usize, usize)) {
        let Some(token) = self.tokens.get(open).copied() else { return };
        let name = self.slice(marker.0, marker.1).to_owned();
        let mut resume = self.text.len();
        let mut near = None;
        let mut line_start = token.end as usize;
        self.open_heredocs += 1;
        if self.open_heredocs > MOST_OPEN_HEREDOCS {
            line_start = self.text.len();
        }
        while line_start < self.text.len() {
            let line = self.slice(line_start, self.line_end(line_start));
            if begins_block(line) {
                resume = line_start;
                break;
            }
            if near.is_none() && line.trim().eq_ignore_ascii_case(&name) {
                let spaces = line.len() - line.trim_start().len();
                near = Some(self.span(line_start + spaces, line_start + spaces + name.len()));
            }
            line_start =
                self.rest(line_start).find('\n').map_or(self.text.len(), |length| line_start + length + 1);
        }
        let start = token.start as usize;
        let fault = faults::unterminated_heredoc(self.span(start, marker.1), &name, near);
        self.problems.fatal(start as u32, fault);
        if resume < self.text.len() {
            // The line end before it must stay a token of its own, so that the next item begins on a fresh line.
            resume = resume.saturating_sub(1).max(token.end as usize);
        }
        self.tokens.truncate(open + 1);
        self.at = resume;
    }
}
