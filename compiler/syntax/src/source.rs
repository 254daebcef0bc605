//! What the passes share: the text, its tokens, and what has been found wrong so far.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use poolwright_diagnostics::{Diagnostic, Edit, FileId, Span};

use crate::token::{Kind, Token};

/// A scanned file.
pub(crate) struct Source<'a> {
    pub(crate) file: FileId,
    pub(crate) text: &'a str,
    /// The text as the expression parser is to see it: of the same length, with what it refuses although we accept
    /// it, or have already reported it, written in a way that it accepts.
    pub(crate) masked: Cow<'a, str>,
    pub(crate) tokens: Vec<Token>,
    pub(crate) words: Words,
}

/// The words of a file, each once: names of attributes and most values are written again in every block. Behind a lock,
/// since a deep expression is read by a thread of its own.
#[derive(Default)]
#[expect(clippy::disallowed_types, reason = "it is only asked, never gone through")]
pub(crate) struct Words(Mutex<std::collections::HashSet<Arc<str>>>);

impl Words {
    pub(crate) fn get(&self, text: &str) -> Arc<str> {
        let mut words = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = words.get(text) {
            return known.clone();
        }
        let new: Arc<str> = Arc::from(text);
        words.insert(new.clone());
        new
    }
}

/// What has been found wrong.
#[derive(Default)]
pub(crate) struct Problems {
    pub(crate) found: Vec<Diagnostic>,
    /// Byte offsets of faults that make the expression around them unreadable; sorted before they are asked for.
    pub(crate) fatal: Vec<u32>,
}

impl Problems {
    /// Reports a fault beside which the parser can go on.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    /// Reports a fault that makes the expression around byte `at` unreadable.
    pub(crate) fn fatal(&mut self, at: u32, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
        self.fatal.push(at);
    }

    /// Whether something between the bytes `start` and `end` is unreadable.
    pub(crate) fn is_fatal(&self, start: u32, end: u32) -> bool {
        let first = self.fatal.partition_point(|at| *at < start);
        self.fatal.get(first).is_some_and(|at| *at < end)
    }
}

impl Source<'_> {
    pub(crate) fn span(&self, start: u32, end: u32) -> Span {
        Span::new(self.file, start, end)
    }

    /// The token of an index; past the end an empty newline at the end of the text.
    pub(crate) fn token(&self, index: usize) -> Token {
        let end = self.text.len() as u32;
        let nothing =
            Token { kind: Kind::Newline, start: end, end, partner: crate::token::NONE, closed: false };
        self.tokens.get(index).copied().unwrap_or(nothing)
    }

    pub(crate) fn kind(&self, index: usize) -> Kind {
        self.token(index).kind
    }

    pub(crate) fn token_span(&self, index: usize) -> Span {
        let token = self.token(index);
        self.span(token.start, token.end)
    }

    pub(crate) fn token_text(&self, index: usize) -> &str {
        let token = self.token(index);
        self.slice(token.start, token.end)
    }

    pub(crate) fn slice(&self, start: u32, end: u32) -> &str {
        self.text.get(start as usize..end as usize).unwrap_or("")
    }

    /// The index after the token, or after the partner of an opening token; at most `limit`.
    pub(crate) fn after(&self, index: usize, limit: usize) -> usize {
        let token = self.token(index);
        if !token.kind.opens() || token.partner == crate::token::NONE {
            return (index + 1).min(limit);
        }
        let partner = token.partner as usize;
        // The partner of an unclosed token is what comes next, not a part of it.
        let next = if token.closed { partner + 1 } else { partner };
        next.clamp(index + 1, limit.max(index + 1))
    }

    /// The place between two tokens, when nothing but space stands there: a fix must not take a comment away.
    pub(crate) fn gap(&self, start: u32, end: u32) -> Option<Span> {
        self.slice(start, end).trim().is_empty().then(|| self.span(start, end))
    }

    /// The same as a place to insert something: before what follows a comment.
    pub(crate) fn gap_or_end(&self, start: u32, end: u32) -> Span {
        self.gap(start, end).unwrap_or_else(|| self.span(end, end))
    }

    /// The text of the line before `at`, if it is only spaces.
    pub(crate) fn indentation(&self, at: u32) -> Option<&str> {
        let before = self.text.get(..at as usize).unwrap_or("");
        let line = before.trim_end_matches([' ', '\t']);
        let begins = line.is_empty() || line.ends_with('\n');
        before.get(line.len()..).filter(|_| begins)
    }

    /// The spaces with which the line of `at` begins. Of a line longer than any that is indented by hand: none, so
    /// that a file on one line takes no quadratic time.
    pub(crate) fn line_indentation(&self, at: u32) -> &str {
        let near = (at as usize).saturating_sub(LONG_LINE);
        let before = self.text.as_bytes().get(near..at as usize).unwrap_or_default();
        let start = match before.iter().rposition(|byte| *byte == b'\n') {
            Some(newline) => near + newline + 1,
            None if near == 0 => 0,
            None => return "",
        };
        let line = self.text.get(start..at as usize).unwrap_or("");
        let text = line.trim_start_matches([' ', '\t']);
        line.get(..line.len() - text.len()).unwrap_or("")
    }
}

/// How far back the beginning of a line is looked for.
const LONG_LINE: usize = 4096;

/// Replaces what is under `span`.
pub(crate) fn replace(span: Span, text: impl Into<String>) -> Vec<Edit> {
    vec![Edit { span, text: text.into() }]
}
