//! Lines as YAML and JSON have them: a colon behind a name, lists of dashes, blocks by indentation. One error each, with
//! what it is here; the lines that belong to it are passed over.

use poolwright_diagnostics::{Applicability, Edit, Span};

use crate::codes;
use crate::item_faults as faults;
use crate::structure::Reader;
use crate::token::Kind;
use crate::tree::{Ident, Item};

impl Reader<'_, '_> {
    /// `name:` with what follows, when that is no attribute with another sign: a block, a list of dashes or an indented
    /// mapping. `colon` is the index of the colon, `to` that of the end of its line.
    pub(crate) fn colon(&mut self, kind: &Ident, colon: usize, to: usize) -> Option<(Option<Item>, usize)> {
        let after = colon + 1;
        if after >= to {
            if let Some(end) = self.dashes(kind, to) {
                return Some((None, end));
            }
            return self.indented(kind, None, to);
        }
        let label_end = match self.source.kind(after) {
            Kind::Ident | Kind::Quote => self.source.after(after, to),
            // `fleet: {`; inside of a block this is an attribute with an object.
            Kind::LeftBrace if self.depth == 0 => after,
            _ => return None,
        };
        let label = (label_end > after).then(|| self.label_text(after, label_end));
        if label_end < to && self.source.kind(label_end) == Kind::LeftBrace {
            let header = kind.span.to(self.source.token_span(label_end - 1));
            self.problems.report(faults::colon_in_header(header, &kind.text, label.as_deref()));
            let labels = label.map(|text| Ident {
                text: self.source.words.get(&text),
                span: self.source.token_span(after).to(self.source.token_span(label_end - 1)),
            });
            return Some(self.block(kind.clone(), labels.into_iter().collect(), header, label_end, to));
        }
        if label_end == to && self.depth == 0 {
            return self.indented(kind, label, to);
        }
        None
    }

    /// `class train:` at the colon `colon`: a block as YAML or Python would open it.
    pub(crate) fn label_with_colon(
        &mut self,
        kind: &Ident,
        labels: &[Ident],
        colon: usize,
        to: usize,
    ) -> Option<(Option<Item>, usize)> {
        let [label] = labels else { return None };
        let braced = colon + 1 < to && self.source.kind(colon + 1) == Kind::LeftBrace;
        if braced {
            let header = kind.span.to(self.source.token_span(colon));
            self.problems.report(faults::colon_in_header(header, &kind.text, Some(&label.text)));
            return Some(self.block(kind.clone(), labels.to_vec(), header, colon + 1, to));
        }
        if colon + 1 < to {
            return None;
        }
        let header = kind.span.to(self.source.token_span(colon));
        self.problems.report(faults::block_without_braces(header, &kind.text, Some(&label.text)));
        Some((None, self.past_indented(kind, to)))
    }

    /// Reports what stands indented below `name:`; none when nothing does.
    fn indented(&mut self, kind: &Ident, label: Option<String>, to: usize) -> Option<(Option<Item>, usize)> {
        let next = self.next_line(to);
        if next >= self.source.tokens.len() || self.column(next) <= self.column_of(kind.span) {
            return None;
        }
        let header = kind.span.to(self.source.token_span(to - 1));
        self.problems.report(if self.depth == 0 {
            faults::block_without_braces(header, &kind.text, label.as_deref())
        } else {
            faults::mapping(header, &kind.text)
        });
        Some((None, self.past_indented(kind, to)))
    }

    /// The index after the lines that are indented deeper than a name, and after the brace that was meant to close them.
    fn past_indented(&mut self, kind: &Ident, to: usize) -> usize {
        let column = self.column_of(kind.span);
        let mut end = to;
        loop {
            let next = self.next_line(end);
            if next >= self.source.tokens.len() {
                return end;
            }
            let stray = self.source.kind(next) == Kind::Stray && self.column(next) == column;
            if stray {
                // It closes what has just been reported as never opened: no second error.
                let place = self.source.token_span(next);
                self.problems.found.retain(|fault| {
                    fault.code != codes::STRAY_CLOSER
                        || fault.primary().is_none_or(|label| label.span != place)
                });
                return next + 1;
            }
            if self.column(next) <= column || self.source.kind(next).closes() {
                return end;
            }
            end = self.item_end(next, self.source.tokens.len());
            if end == next {
                return end;
            }
        }
    }

    /// A list of lines that begin with a dash, below `name:` or `name =`: reported, with the list as it is written here.
    /// The index after it; none when there is no such list.
    pub(crate) fn dashes(&mut self, name: &Ident, to: usize) -> Option<usize> {
        let column = self.column_of(name.span);
        let mut end = to;
        let mut elements: Vec<String> = Vec::new();
        let (mut plain, mut words) = (true, false);
        loop {
            let next = self.next_line(end);
            let dash = self.is_dash(next) && self.column(next) >= column;
            let below = !elements.is_empty()
                && next < self.source.tokens.len()
                && self.column(next) > column
                && !self.source.kind(next).closes();
            if !dash && !below {
                break;
            }
            let line_end = self.item_end(next, self.source.tokens.len());
            if line_end <= next + usize::from(dash) {
                break;
            }
            let first = next + usize::from(dash);
            let text = self.source.slice(self.source.token(first).start, self.source.token(line_end - 1).end);
            let whole = self.source.after(first, line_end) == line_end;
            match self.source.kind(first) {
                Kind::Ident if dash && whole => {
                    words |= !matches!(text, "true" | "false" | "null");
                    elements.push(if words { format!("\"{text}\"") } else { text.to_owned() });
                }
                Kind::Quote | Kind::Number if dash && whole => elements.push(text.to_owned()),
                Kind::Ident if dash && is_reference(text) => elements.push(text.to_owned()),
                _ => {
                    plain = false;
                    elements.push(String::new());
                }
            }
            end = line_end;
        }
        if elements.is_empty() {
            return None;
        }
        let last = self.source.token_span(end - 1);
        let list = plain.then(|| format!("{} = [{}]", name.text, elements.join(", ")));
        // A bare word may have been meant as a reference.
        let applicability = if words { Applicability::Unsafe } else { Applicability::Safe };
        let colon = self.source.token_span(to - 1);
        self.problems.report(faults::dashes(
            name,
            name.span.to(colon),
            name.span.to(last),
            list,
            applicability,
        ));
        Some(end)
    }

    /// Whether the token is a dash with a space behind it.
    fn is_dash(&self, index: usize) -> bool {
        let end = self.source.token(index).end;
        self.source.token_text(index) == "-" && self.source.slice(end, end + 1) == " "
    }

    /// How far a token's line is indented.
    fn column(&self, index: usize) -> usize {
        self.column_of(self.source.token_span(index))
    }

    pub(crate) fn column_of(&self, span: Span) -> usize {
        self.source.line_indentation(span.start).chars().count()
    }

    /// The text of a label, without its quotes.
    fn label_text(&self, from: usize, to: usize) -> String {
        let text = self.source.slice(self.source.token(from).start, self.source.token(to - 1).end);
        text.trim_matches('"').to_owned()
    }

    /// Adds the comma that ends an attribute's line to the fix of the fault `at`, if it is the only fault of the line: one
    /// line of JSON is one error. The index after it.
    pub(crate) fn json_comma(&mut self, at: usize, end: usize, to: usize) -> usize {
        let last = end + 1 >= to || self.source.kind(end + 1) == Kind::Stray;
        if end >= to || self.source.kind(end) != Kind::Comma || !last || self.problems.found.len() != at + 1 {
            return end;
        }
        let comma = self.source.token_span(end);
        let fix = self.problems.found.get_mut(at).and_then(|fault| fault.fixes.first_mut());
        let Some(fix) = fix else { return end };
        fix.edits.push(Edit { span: comma, text: String::new() });
        end + 1
    }
}

/// `tenant.nlp`: names joined by points.
fn is_reference(text: &str) -> bool {
    text.contains('.')
        && text.split('.').all(|part| {
            !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        })
}
