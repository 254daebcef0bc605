//! Which bracket closes which, and which is never closed.
//!
//! A file whose brackets balance is taken at its word, whatever its layout. Only when they do not, the layout decides:
//! a line in the first column that begins a block ends everything open before it, `name =` cannot stand in a list,
//! and a `}` closes the block that is indented like it.

use crate::codes;
use crate::faults;
use crate::source::{Problems, Source};
use crate::token::{Kind, begins_attribute, begins_block};

/// How many brackets, blocks and template sequences may be open at one place.
pub(crate) const MAX_DEPTH: usize = 64;

/// Of the brackets left open at one place so many are reported; the rest follow from them.
const MOST_UNCLOSED: usize = 3;

struct Matcher<'s, 'a> {
    source: &'s mut Source<'a>,
    problems: &'s mut Problems,
    /// Indices of open tokens.
    open: Vec<usize>,
    /// The layout decides.
    by_layout: bool,
    /// Of the last item: a `}` that is not indented like the line it closes.
    suspect: Option<usize>,
    too_deep: bool,
    /// How many of the open tokens count as a level, and how many belong to strings.
    levels: usize,
    strings: usize,
}

/// How far out a partner is looked for. More cannot be open in a file that is not refused for its depth.
const REACH: usize = 2 * MAX_DEPTH;

/// Gives every opening token its partner, and reports those without.
pub(crate) fn pair(source: &mut Source, problems: &mut Problems) {
    let mut matcher = Matcher {
        source,
        problems,
        open: Vec::new(),
        by_layout: false,
        suspect: None,
        too_deep: false,
        levels: 0,
        strings: 0,
    };
    let mut index = 0;
    let mut item = 0;
    while index < matcher.source.tokens.len() {
        let balanced = matcher.token(index);
        if !balanced {
            // Once more from the beginning of the item, now by layout.
            index = matcher.again(item);
            continue;
        }
        index += 1;
        if matcher.open.is_empty() {
            item = index;
            matcher.too_deep = false;
        }
        if index == matcher.source.tokens.len() && !matcher.open.is_empty() {
            if !matcher.by_layout {
                index = matcher.again(item);
            } else {
                matcher.give_up(0, index);
            }
        }
    }
}

impl Matcher<'_, '_> {
    /// Goes back to the token `item`, now by layout.
    fn again(&mut self, item: usize) -> usize {
        self.by_layout = true;
        self.open.clear();
        self.levels = 0;
        self.strings = 0;
        item
    }

    fn count(&mut self, kind: Kind, up: bool) {
        let by = if up { 1 } else { -1 };
        self.levels = self.levels.saturating_add_signed(if is_quote(kind) { 0 } else { by });
        self.strings = self.strings.saturating_add_signed(if is_string(kind) { by } else { 0 });
    }

    /// The depth of the innermost open token, at most [`REACH`] out, of which `wanted` is true.
    fn innermost(&self, wanted: impl Fn(usize) -> bool) -> Option<usize> {
        let found = self.open.iter().rev().take(REACH).position(|open| wanted(*open))?;
        Some(self.open.len() - 1 - found)
    }

    /// Takes one token; false when the brackets do not balance and the layout has not been asked yet.
    fn token(&mut self, index: usize) -> bool {
        let kind = self.source.kind(index);
        if kind.opens() {
            self.open.push(index);
            self.count(kind, true);
            self.check_depth(index);
            return true;
        }
        if kind == Kind::Newline {
            return self.newline(index);
        }
        if !kind.closes() {
            return true;
        }
        let top = self.open.last().copied();
        if top.is_some_and(|top| self.source.kind(top).closer() == Some(kind)) {
            if self.by_layout && kind == Kind::RightBrace {
                self.give_up_deeper_blocks(index);
            }
            self.close(index);
            return true;
        }
        if !self.by_layout && !matches!(kind, Kind::TemplateEnd | Kind::QuoteEnd | Kind::HeredocEnd) {
            return false;
        }
        // Something further out may match; brackets inside a template sequence never match one outside.
        let within = self.innermost(|open| {
            let candidate = self.source.kind(open);
            candidate.closer() == Some(kind) || is_string(candidate)
        });
        match within {
            Some(depth) if self.matches(depth, kind) => {
                self.give_up(depth + 1, index);
                self.close(index);
            }
            _ if self.is_mistaken(index) => self.mistaken(index),
            _ => self.stray(index),
        }
        true
    }

    /// Whether the closing token, which matches nothing, was meant for what is open: anything that is not a block.
    fn is_mistaken(&self, index: usize) -> bool {
        let Some(top) = self.open.last() else { return false };
        let (open, close) = (self.source.token(*top), self.source.token(index));
        match open.kind {
            Kind::LeftBracket | Kind::LeftParen => true,
            Kind::LeftBrace => !self.source.slice(open.start, close.start).contains('\n'),
            _ => false,
        }
    }

    fn mistaken(&mut self, index: usize) {
        let Some(top) = self.open.last().copied() else { return };
        let (open, close) = (self.source.token(top), self.source.token(index));
        let right = faults::closer(self.source.slice(open.start, open.end));
        let fault = faults::mismatched(
            self.source.span(open.start, open.end),
            self.source.slice(open.start, open.end),
            self.source.span(close.start, close.end),
            self.source.slice(close.start, close.end),
            right,
        );
        self.problems.fatal(close.start, fault);
        self.close(index);
    }

    fn matches(&self, depth: usize, kind: Kind) -> bool {
        self.open.get(depth).is_some_and(|open| self.source.kind(*open).closer() == Some(kind))
    }

    fn close(&mut self, index: usize) {
        let Some(open) = self.open.pop() else { return };
        self.count(self.source.kind(open), false);
        if let Some(token) = self.source.tokens.get_mut(open) {
            token.partner = index as u32;
            token.closed = true;
        }
        let (from, to) = (self.source.token(open), self.source.token(index));
        if to.kind == Kind::RightBrace {
            let own = self.source.indentation(to.start);
            let differs = own.is_some_and(|own| own != self.source.line_indentation(from.start));
            if differs {
                self.suspect = Some(index);
            } else if self.open.is_empty() && own.is_some() {
                self.suspect = None;
            }
        }
        if from.kind == Kind::LeftBrace && from.end - from.start == 2 {
            let fault = faults::bare_interpolation(
                self.source.span(from.start, from.end),
                self.source.span(to.start, to.end),
                self.source.slice(from.end, to.start).trim(),
            );
            self.problems.report(fault);
            let masked = self.source.masked.to_mut();
            // A parenthesis means the same, and is as long.
            if masked.is_char_boundary(from.start as usize) && masked.is_char_boundary(to.end as usize) {
                masked.replace_range(from.start as usize..from.end as usize, "( ");
                masked.replace_range(to.start as usize..to.end as usize, ")");
            }
        }
    }

    /// Declares the open tokens from `depth` on unclosed; they end before the token `index`.
    fn give_up(&mut self, depth: usize, index: usize) {
        let given_up = self.open.split_off(depth);
        let mut reported = 0;
        // A heredoc or comment without end has swallowed what would close them, and has been reported.
        let swallowed = index >= self.source.tokens.len()
            && self.problems.found.iter().any(|fault| {
                [codes::UNTERMINATED_HEREDOC, codes::UNTERMINATED_COMMENT].contains(&fault.code)
            });
        for open in given_up {
            let token = self.source.token(open);
            self.count(token.kind, false);
            if let Some(token) = self.source.tokens.get_mut(open) {
                token.partner = index as u32;
                token.closed = false;
            }
            if is_string(token.kind) {
                continue;
            }
            if swallowed || reported == MOST_UNCLOSED {
                self.problems.fatal.push(token.start);
                continue;
            }
            reported += 1;
            let next = (index..).find(|index| {
                self.source.kind(*index) != Kind::Newline || *index >= self.source.tokens.len()
            });
            let fault = faults::unclosed(
                self.source.span(token.start, token.end),
                self.source.slice(token.start, token.end),
                self.source.token_span(next.unwrap_or(index)),
            );
            self.problems.fatal(token.start, fault);
        }
    }

    fn newline(&mut self, index: usize) -> bool {
        let Some(top) = self.open.last().copied() else { return true };
        let start = self.source.token(index).end as usize;
        let line = self.source.text.get(start..).unwrap_or("");
        if self.strings > 0 {
            return true;
        }
        if self.by_layout && begins_block(line) {
            self.give_up(0, index);
            return true;
        }
        if !matches!(self.source.kind(top), Kind::LeftBracket | Kind::LeftParen) || !begins_attribute(line) {
            return true;
        }
        if !self.by_layout {
            return false;
        }
        let depth = self.innermost(|open| self.source.kind(open) == Kind::LeftBrace);
        self.give_up(depth.map_or(0, |depth| depth + 1), index);
        true
    }

    /// Before a `}` that stands alone at the beginning of its line: when the block that it would close is indented
    /// deeper, and one further out is indented like it, the deeper ones were never closed.
    fn give_up_deeper_blocks(&mut self, index: usize) {
        let Some(own) = self.source.indentation(self.source.token(index).start) else { return };
        let indentation = |open: &usize| self.source.line_indentation(self.source.token(*open).start);
        let Some(top) = self.open.last() else { return };
        if indentation(top).len() <= own.len() {
            return;
        }
        let from = self.innermost(|open| is_string(self.source.kind(open))).map_or(0, |depth| depth + 1);
        let like =
            self.innermost(|open| self.source.kind(open) == Kind::LeftBrace && indentation(&open) == own);
        if let Some(depth) = like.filter(|depth| *depth >= from) {
            self.give_up(depth + 1, index);
        }
    }

    fn stray(&mut self, index: usize) {
        let token = self.source.token(index);
        let suspect = self.suspect.take().filter(|_| token.kind == Kind::RightBrace && self.open.is_empty());
        let fault = faults::stray_closer(
            self.source.span(token.start, token.end),
            self.source.slice(token.start, token.end),
            suspect.map(|suspect| self.source.token_span(suspect)),
        );
        self.problems.report(fault);
        if let Some(token) = self.source.tokens.get_mut(index) {
            token.kind = Kind::Stray;
        }
    }

    fn check_depth(&mut self, index: usize) {
        if self.levels <= MAX_DEPTH {
            return;
        }
        let token = self.source.token(index);
        self.problems.fatal.push(token.start);
        if !self.too_deep {
            self.too_deep = true;
            let place = self.source.span(token.start, token.end);
            self.problems.report(faults::too_deep(place, MAX_DEPTH));
        }
    }
}

/// Strings and the sequences in them: their partners are known from the scanner.
fn is_string(kind: Kind) -> bool {
    is_quote(kind) || matches!(kind, Kind::Interpolation | Kind::Directive)
}

fn is_quote(kind: Kind) -> bool {
    matches!(kind, Kind::Quote | Kind::Heredoc)
}
