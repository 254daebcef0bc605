//! Attributes and blocks, from tokens. Each body is cut into items at its line ends, and each item is read alone, so
//! that a fault in one of them costs only that one.

use poolwright_diagnostics::{Applicability, Diagnostic, Edit, Label, Span};

use crate::brackets::MAX_DEPTH;
use crate::duplicate;
use crate::expression;
use crate::item_faults as faults;
use crate::source::{Problems, Source, replace};
use crate::token::{Kind, name_length};
use crate::tree::{Attribute, Block, Body, Ident, Item};

pub(crate) struct Reader<'s, 'a> {
    pub(crate) source: &'s Source<'a>,
    pub(crate) problems: &'s mut Problems,
    /// Whether the body being read stands on one line with its braces.
    pub(crate) one_line: OneLine,
    /// How many blocks are around.
    pub(crate) depth: usize,
}

/// A body on one line with its braces can hold one attribute. When it holds more, one fix breaks the line everywhere.
pub(crate) enum OneLine {
    /// It has lines of its own.
    No,
    /// The edits that put the braces on lines of their own, for the fix to come.
    Fresh(Vec<Edit>),
    /// The fix is that of this diagnostic.
    Reported(usize),
}

/// Reads the whole file.
pub(crate) fn read(source: &Source, problems: &mut Problems) -> Body {
    problems.fatal.sort_unstable();
    let span = source.span(0, source.text.len() as u32);
    let mut reader = Reader { source, problems, one_line: OneLine::No, depth: 0 };
    reader.body(0, source.tokens.len(), span)
}

impl Reader<'_, '_> {
    /// The items of the tokens `from..to`.
    fn body(&mut self, from: usize, to: usize, span: Span) -> Body {
        let mut body = Body { items: Vec::new(), span, incomplete: false };
        let mut index = from;
        while index < to {
            match self.source.kind(index) {
                Kind::Newline => index += 1,
                Kind::Stray => {
                    if self.source.token_text(index) == "}" {
                        self.reopen_last_block(&mut body);
                    }
                    body.incomplete = true;
                    index += 1;
                }
                _ => {
                    let end = self.item_end(index, to);
                    index = self.line(index, end, &mut body);
                }
            }
        }
        duplicate::attributes(&body, &mut self.problems.found);
        // A tree is kept as a whole; growing leaves almost half of it empty.
        body.items.shrink_to_fit();
        body
    }

    /// The index of the newline that ends the item, or `to`.
    pub(crate) fn item_end(&self, from: usize, to: usize) -> usize {
        let mut index = from;
        while index < to && self.source.kind(index) != Kind::Newline && !self.source.kind(index).closes() {
            index = self.source.after(index, to);
        }
        index.min(to)
    }

    /// Everything on the line of an item: one, unless the user put several there. Returns where it ended, which is
    /// past `to` when a part of the item stood on the next line.
    fn line(&mut self, from: usize, to: usize, body: &mut Body) -> usize {
        let mut index = from;
        let mut first = true;
        while index < to {
            match self.source.kind(index) {
                Kind::Stray => {
                    body.incomplete = true;
                    index += 1;
                    continue;
                }
                Kind::Comma if !first => {
                    self.comma(from, index, to);
                    index += 1;
                    // `a = 1, b = 2`: the comma has been reported, that is enough.
                    first = true;
                    continue;
                }
                _ => {}
            }
            if !first {
                let place = self.source.token_span(index);
                let gap = self.source.gap_or_end(self.source.token(index - 1).end, place.start);
                self.break_line(from, gap, faults::several_on_a_line(place));
            }
            let before = self.problems.found.len();
            let (item, next) = self.item(index, to);
            match item {
                Some(item) => body.items.push(item),
                None => body.incomplete = true,
            }
            let next = next.max(index + 1);
            // After a line that could not be read at all the rest of it means nothing.
            if self.problems.found.len() > before && next < to && !self.begins_item(next, to) {
                body.incomplete = true;
                return to;
            }
            index = next;
            first = false;
        }
        index
    }

    /// A comma after an attribute or block.
    fn comma(&mut self, from: usize, index: usize, to: usize) {
        let place = self.source.token_span(index);
        let more = index + 1 < to && self.source.kind(index + 1) != Kind::Stray;
        if more {
            let next = self.source.token(index + 1).start;
            let gap = self.source.gap(place.end, next).map_or(place, |gap| place.to(gap));
            self.break_line(from, gap, faults::comma(place));
        } else {
            self.problems.report(faults::comma(place).with_fix(
                "remove the comma",
                Applicability::Safe,
                replace(place, ""),
            ));
        }
    }

    /// Reports that a new line has to begin at `gap`, on the line of the token `from`.
    fn break_line(&mut self, from: usize, gap: Span, fault: Diagnostic) {
        let mut indentation = self.source.line_indentation(self.source.token(from).start).to_owned();
        if !matches!(self.one_line, OneLine::No) {
            indentation.push_str("  ");
        }
        let edit = Edit { span: gap, text: format!("\n{indentation}") };
        if let OneLine::Reported(at) = self.one_line
            && let Some(earlier) = self.problems.found.get_mut(at)
        {
            earlier.labels.extend(fault.primary().map(|label| Label { primary: false, ..label.clone() }));
            earlier.fixes.iter_mut().for_each(|fix| fix.edits.push(edit.clone()));
            return;
        }
        let at = self.problems.found.len();
        let mut edits = match std::mem::replace(&mut self.one_line, OneLine::Reported(at)) {
            OneLine::Fresh(edits) => edits,
            OneLine::No | OneLine::Reported(_) => {
                self.one_line = OneLine::No;
                Vec::new()
            }
        };
        edits.push(edit);
        self.problems.report(fault.with_fix("begin a new line", Applicability::Safe, edits));
    }

    /// Whether an attribute or block may begin at `index`.
    fn begins_item(&self, index: usize, to: usize) -> bool {
        match self.source.kind(index) {
            Kind::Comma | Kind::Stray => true,
            Kind::Ident if index + 1 < to => {
                matches!(self.source.kind(index + 1), Kind::Equal | Kind::LeftBrace | Kind::Quote)
            }
            _ => false,
        }
    }

    /// One attribute or block of the tokens `from..to`, and the index where it ends.
    fn item(&mut self, from: usize, to: usize) -> (Option<Item>, usize) {
        let kind = self.source.kind(from);
        let quoted_name = kind == Kind::Quote && {
            let next = self.source.after(from, to);
            next < to && matches!(self.source.kind(next), Kind::Equal | Kind::Colon)
        };
        if quoted_name {
            return self.quoted_attribute(from, to);
        }
        if kind != Kind::Ident {
            return (self.no_item(from, to), to);
        }
        let name = self.ident(from);
        let next = from + 1;
        if next >= to {
            if self.source.kind(self.next_line(to)) == Kind::LeftBrace {
                return self.block_or_value(name, from, to);
            }
            self.problems.report(faults::lone_name(&name));
            return (None, to);
        }
        match self.source.kind(next) {
            Kind::Equal => self.attribute(name, next, to),
            Kind::EqualEqual | Kind::Colon | Kind::Arrow => {
                if self.source.kind(next) == Kind::Colon
                    && let Some(read) = self.colon(&name, next, to)
                {
                    return read;
                }
                let at = self.problems.found.len();
                let place = self.source.token_span(next);
                let gap = self.source.gap(name.span.end, place.start).map_or(place, |gap| gap.to(place));
                self.problems.report(faults::wrong_assignment(place, gap, self.source.token_text(next)));
                let (item, end) = self.attribute(name, next, to);
                (item, self.json_comma(at, end, to))
            }
            Kind::LeftBrace | Kind::Quote | Kind::Ident => self.block_or_value(name, from, to),
            _ if self.source.kind(next).begins_value() => {
                self.problems.report(faults::missing_equals(&name, self.source.token_span(next)));
                self.attribute(name, from, to)
            }
            Kind::Stray => (None, to),
            _ => {
                let place = self.source.token_span(next);
                self.problems.report(faults::after_name(&name, place, self.source.token_text(next)));
                (None, to)
            }
        }
    }

    fn ident(&self, index: usize) -> Ident {
        Ident {
            text: self.source.words.get(self.source.token_text(index)),
            span: self.source.token_span(index),
        }
    }

    fn quoted_attribute(&mut self, from: usize, to: usize) -> (Option<Item>, usize) {
        let equals = self.source.after(from, to);
        let span = self.source.token_span(from).to(self.source.token_span(equals - 1));
        let text = self.source.slice(span.start + 1, span.end.saturating_sub(1));
        let is_name = !text.is_empty() && name_length(text) == text.len();
        let name = Ident { text: self.source.words.get(text), span };
        let at = self.problems.found.len();
        let colon = (self.source.kind(equals) == Kind::Colon).then(|| self.source.token_span(equals));
        self.problems.report(faults::quoted_name(&name, is_name, colon));
        let (item, end) = self.attribute(name, equals, to);
        (item.filter(|_| is_name), self.json_comma(at, end, to))
    }

    /// A line that begins neither an attribute nor a block.
    fn no_item(&mut self, from: usize, to: usize) -> Option<Item> {
        let token = self.source.token(from);
        let end = self.source.token(to - 1).end;
        if self.problems.is_fatal(token.start, end) {
            return None;
        }
        let place = self.source.token_span(from);
        self.problems.report(faults::no_item(place, self.source.token_text(from)));
        None
    }

    /// `name = value`; the value begins after the token `equals`.
    fn attribute(&mut self, name: Ident, equals: usize, to: usize) -> (Option<Item>, usize) {
        let mut from = equals + 1;
        if from < to && self.source.kind(equals) == Kind::Equal && self.source.kind(from) == Kind::Equal {
            self.problems.report(faults::second_equals(self.source.token_span(from)));
            from += 1;
        }
        let end = self.value_end(from, to);
        if from >= end {
            return self.no_value(name, from - 1, to);
        }
        let value = expression::read(self.source, self.problems, from, end);
        let item = value.map(|value| {
            let span = name.span.to(value.span);
            Item::Attribute(Attribute { name, value, span })
        });
        (item, end)
    }

    /// An attribute without value: the value may stand on the next line.
    fn no_value(&mut self, name: Ident, equals: usize, to: usize) -> (Option<Item>, usize) {
        let place = self.source.token_span(equals);
        if to > equals + 1 {
            // Something stands there: a stray closer, reported already, or a comma.
            if self.source.kind(equals + 1) == Kind::Comma {
                self.problems.report(faults::missing_value(&name, place));
            }
            return (None, to);
        }
        if let Some(end) = self.dashes(&name, to) {
            return (None, end);
        }
        let next = to + 1;
        let begins_value = match self.source.kind(next) {
            Kind::Ident => !matches!(
                self.source.kind(next + 1),
                Kind::Equal | Kind::LeftBrace | Kind::Quote | Kind::EqualEqual | Kind::Colon | Kind::Ident
            ),
            kind => kind.begins_value(),
        };
        if self.source.kind(to) == Kind::Newline && begins_value {
            let gap = self.source.gap(place.end, self.source.token(next).start);
            self.problems.report(faults::value_on_next_line(&name, self.source.token_span(next), gap));
            let end = self.item_end(next, self.source.tokens.len());
            return self.attribute(name, next - 1, end);
        }
        self.problems.report(faults::missing_value(&name, place));
        (None, to)
    }

    /// Where the value that begins at `from` ends: at the next thing that cannot be a part of it at this depth.
    fn value_end(&self, from: usize, to: usize) -> usize {
        let mut index = from;
        while index < to {
            match self.source.kind(index) {
                Kind::Comma | Kind::Stray => return index,
                // `n = 1 m = 2`: a second attribute begins at its name.
                Kind::Equal if index >= from + 2 && self.source.kind(index - 1) == Kind::Ident => {
                    let before = self.source.kind(index - 2);
                    if before.ends_value() {
                        return index - 1;
                    }
                }
                // `n = 1 tier "x" { … }`
                Kind::LeftBrace if index >= from + 2 => {
                    if let Some(start) = self.header_start(from, index) {
                        return start;
                    }
                }
                _ => {}
            }
            index = self.source.after(index, to);
        }
        to
    }

    /// For a `{` inside the tokens of a value: where the block header before it begins, if one does, after a complete
    /// value.
    fn header_start(&self, from: usize, brace: usize) -> Option<usize> {
        let mut index = brace;
        let mut name = None;
        while index > from + 1 {
            let before = index - 1;
            match self.source.kind(before) {
                Kind::Ident => {
                    if self.source.kind(before - 1).ends_value() && before > from {
                        name = Some(before);
                    }
                    index = before;
                }
                Kind::QuoteEnd if name.is_none() => {
                    let mut open = before;
                    while open > from && self.source.kind(open) != Kind::Quote {
                        open -= 1;
                    }
                    index = open;
                }
                _ => break,
            }
        }
        name
    }

    /// After a name: labels and a `{`, or a value whose `=` is missing.
    fn block_or_value(&mut self, kind: Ident, from: usize, to: usize) -> (Option<Item>, usize) {
        let mut labels = Vec::new();
        let mut index = from + 1;
        let mut readable = true;
        while index < to {
            match self.source.kind(index) {
                Kind::Ident => labels.push(self.ident(index)),
                Kind::Quote => match self.label(index, to) {
                    Some(label) => labels.push(label),
                    None => readable = false,
                },
                _ => break,
            }
            index = self.source.after(index, to);
        }
        let mut header = kind.span;
        if index > from + 1 {
            header = header.to(self.source.token_span(index - 1));
        }
        if index < to
            && self.source.kind(index) == Kind::Equal
            && self.source.kind(index + 1) == Kind::LeftBrace
        {
            self.problems.report(faults::equals_before_brace(self.source.token_span(index), &kind));
            index += 1;
        }
        if index < to && self.source.kind(index) == Kind::LeftBrace {
            let (block, next) = self.block(kind, labels, header, index, to);
            return (block.filter(|_| readable), next);
        }
        let (item, next) = self.not_a_block(kind, labels, from, index, to);
        (item.filter(|_| readable), next)
    }

    /// The block whose `{` is the token `brace`.
    pub(crate) fn block(
        &mut self,
        kind: Ident,
        labels: Vec<Ident>,
        header: Span,
        brace: usize,
        to: usize,
    ) -> (Option<Item>, usize) {
        let (body, next) = self.braces(brace, to, &kind);
        let span = header.to(self.source.token_span(next - 1));
        (Some(Item::Block(Box::new(Block { kind, labels, body, header, span }))), next)
    }

    /// A header without a brace.
    fn not_a_block(
        &mut self,
        kind: Ident,
        labels: Vec<Ident>,
        from: usize,
        index: usize,
        to: usize,
    ) -> (Option<Item>, usize) {
        let header = kind.span.to(self.source.token_span(index - 1));
        let first = self.source.token(from + 1);
        let last = self.source.token(to - 1);
        let next = self.next_line(to);
        if index >= to && self.source.kind(next) == Kind::LeftBrace {
            let gap = self.source.gap(header.end, self.source.token(next).start);
            self.problems.report(faults::brace_on_next_line(header, self.source.token_span(next), gap));
            return self.block(kind, labels, header, next, self.source.tokens.len());
        }
        if self.problems.is_fatal(first.start, last.end) {
            return (None, to);
        }
        if index < to
            && self.source.kind(index) == Kind::Colon
            && let Some(read) = self.label_with_colon(&kind, &labels, index, to)
        {
            return read;
        }
        if labels.len() <= 1 || index < to {
            self.problems.report(faults::missing_equals(&kind, self.source.token_span(from + 1)));
            return self.attribute(kind, from, to);
        }
        self.problems.report(faults::missing_brace(header));
        (None, to)
    }

    /// The first token after the line that ends at `index`.
    pub(crate) fn next_line(&self, index: usize) -> usize {
        let mut next = index;
        while self.source.kind(next) == Kind::Newline && next < self.source.tokens.len() {
            next += 1;
        }
        next
    }

    /// A quoted label.
    fn label(&mut self, open: usize, to: usize) -> Option<Ident> {
        let next = self.source.after(open, to.max(open + 1));
        let span = self.source.token_span(open).to(self.source.token_span(next - 1));
        if self.problems.is_fatal(span.start, span.end) {
            return None;
        }
        let inner =
            (open + 1..next - 1).map(|index| self.source.kind(index)).find(|kind| *kind != Kind::Text);
        if inner.is_some() {
            self.problems.report(faults::template_label(span));
            return None;
        }
        let raw = self.source.slice(span.start + 1, span.end.saturating_sub(1));
        Some(Ident { text: self.source.words.get(&crate::escape::quoted(raw)), span })
    }

    /// The body between the brace `open` and its partner, and the index after it.
    fn braces(&mut self, open: usize, to: usize, kind: &Ident) -> (Body, usize) {
        let brace = self.source.token(open);
        let next = self.source.after(open, to);
        let from = open + 1;
        let end = if brace.closed { next - 1 } else { next }.max(from);
        let closer = if brace.closed { self.source.token(end).start } else { self.source.token(next).start };
        let span = self.source.span(brace.end, closer.max(brace.end));
        if brace.end - brace.start > 1 || self.depth == MAX_DEPTH {
            // `${` that no string surrounds, or a level too many: reported when brackets were paired.
            return (Body { items: Vec::new(), span, incomplete: true }, next);
        }
        let lines = self.has_lines(from, end);
        let indentation = self.source.line_indentation(kind.span.start).to_owned();
        let one_line = if brace.closed && !lines && from < end {
            let after = self.source.gap_or_end(brace.end, self.source.token(from).start);
            let before = self.source.gap_or_end(self.source.token(end - 1).end, closer);
            OneLine::Fresh(vec![
                Edit { span: after, text: format!("\n{indentation}  ") },
                Edit { span: before, text: format!("\n{indentation}") },
            ])
        } else {
            OneLine::No
        };
        let outer = std::mem::replace(&mut self.one_line, one_line);
        self.depth += 1;
        let mut body = self.body(from, end, span);
        self.depth -= 1;
        self.one_line = outer;
        body.incomplete |= !brace.closed;
        self.shape(from, end, brace.closed, lines, &body, &indentation);
        (body, next)
    }

    /// Whether a line ends in the tokens `from..to`, outside of brackets.
    fn has_lines(&self, from: usize, to: usize) -> bool {
        let mut index = from;
        while index < to {
            if self.source.kind(index) == Kind::Newline {
                return true;
            }
            index = self.source.after(index, to);
        }
        false
    }

    /// Where the braces of a block may stand: alone at the ends of their lines, or around one attribute on one line.
    fn shape(&mut self, from: usize, end: usize, closed: bool, lines: bool, body: &Body, indentation: &str) {
        if from >= end || body.items.is_empty() {
            return;
        }
        let first = self.source.token_span(from);
        if lines {
            if self.source.kind(from) != Kind::Newline {
                let gap = self.source.gap_or_end(self.source.token(from - 1).end, first.start);
                self.problems.report(faults::after_opening_brace(first, gap, indentation));
            }
            if closed && self.source.kind(end - 1) != Kind::Newline {
                let gap =
                    self.source.gap_or_end(self.source.token(end - 1).end, self.source.token(end).start);
                let brace = self.source.token_span(end);
                self.problems.report(faults::before_closing_brace(brace, gap, indentation));
            }
            return;
        }
        if !closed {
            return;
        }
        match body.items.as_slice() {
            [Item::Block(inner)] => self.problems.report(faults::block_in_line(inner.header)),
            [Item::Attribute(_)] | [] => {}
            // Several on a line have been reported.
            _ => {}
        }
    }

    /// A `}` too many: the block before it ended too early, and the attributes after that block were meant to be in it,
    /// unless they are not indented deeper.
    fn reopen_last_block(&self, body: &mut Body) {
        let Some(last) = body.items.iter().rposition(|item| matches!(item, Item::Block(_))) else { return };
        let (Some(Item::Block(block)), after) = (body.items.get(last), body.items.get(last + 1..)) else {
            return;
        };
        let column = self.column_of(block.header);
        let deeper = |item: &Item| matches!(item, Item::Attribute(attribute) if self.column_of(attribute.span) > column);
        if !after.is_some_and(|after| after.iter().all(deeper)) {
            return;
        }
        let attributes = body.items.split_off(last + 1);
        if let Some(Item::Block(block)) = body.items.last_mut() {
            block.body.items.extend(attributes);
            block.body.incomplete = true;
        }
    }
}
