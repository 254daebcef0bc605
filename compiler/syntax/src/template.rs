//! Templates: literals with their escapes, strip markers and heredoc indentation applied.
//!
//! The rules work on a flat sequence of tokens, as they do in HashiCorp's implementation: a heredoc's literal counts
//! line by line, a strip marker trims only the token beside it, and `<<-` looks only at tokens that begin a line. So
//! a template is flattened first, the rules are applied, and then it is built as a tree.

use std::sync::Arc;

use hcl_edit::Span as _;
use hcl_edit::template::{Directive, Element, Strip, Template};
use poolwright_diagnostics::Span;

use crate::escape;
use crate::lower::Lower;
use crate::tree::TemplatePart;

/// A token of the flat sequence.
enum Flat {
    Literal(String),
    Sequence,
}

/// Lowers a template; `heredoc` says how its literals are escaped, `flush` is `<<-`.
pub(crate) fn lower(
    lower: &mut Lower,
    template: &Template,
    heredoc: bool,
    flush: bool,
    around: Span,
) -> Vec<TemplatePart> {
    let mut flat = Flatten { lower, heredoc, tokens: Vec::new(), counts: Vec::new(), trim_next: false };
    flat.template(template, around);
    let Flatten { mut tokens, counts, .. } = flat;
    if flush {
        remove_indentation(&mut tokens);
    }
    let literals = tokens.into_iter().filter_map(|token| match token {
        Flat::Literal(text) => Some(text),
        Flat::Sequence => None,
    });
    let mut literals = literals.collect::<Vec<_>>().into_iter();
    let texts = counts.into_iter().map(|count| literals.by_ref().take(count).collect::<String>());
    let mut texts = texts.collect::<Vec<_>>().into_iter();
    let mut parts = build(lower, template, &mut texts, around);
    // A hole that is all of a template is its value; one that had text beside it, stripped or not, makes text.
    if matches!(parts.as_slice(), [TemplatePart::Interpolation(_)]) && template.into_iter().count() > 1 {
        parts.push(TemplatePart::Literal(Arc::from("")));
    }
    parts
}

struct Flatten<'l, 's, 'a> {
    lower: &'l Lower<'s, 'a>,
    heredoc: bool,
    tokens: Vec<Flat>,
    /// Of how many tokens each literal of the parser's tree consists, in order.
    counts: Vec<usize>,
    /// The next token, if it is a literal, loses its leading space.
    trim_next: bool,
}

impl Flatten<'_, '_, '_> {
    fn template(&mut self, template: &Template, around: Span) {
        for element in template {
            match element {
                Element::Literal(literal) => {
                    let span = self.lower.span(literal.span(), around);
                    self.literal(span);
                }
                Element::Interpolation(interpolation) => self.sequence(interpolation.strip),
                Element::Directive(directive) => match directive.as_ref() {
                    Directive::If(directive) => {
                        self.sequence(directive.if_expr.strip);
                        self.template(&directive.if_expr.template, around);
                        if let Some(otherwise) = &directive.else_expr {
                            self.sequence(otherwise.strip);
                            self.template(&otherwise.template, around);
                        }
                        self.sequence(directive.endif_expr.strip);
                    }
                    Directive::For(directive) => {
                        self.sequence(directive.for_expr.strip);
                        self.template(&directive.for_expr.template, around);
                        self.sequence(directive.endfor_expr.strip);
                    }
                },
            }
        }
    }

    fn literal(&mut self, span: Span) {
        let before = self.tokens.len();
        if self.heredoc {
            let raw = self.lower.text(span).to_owned();
            for line in raw.split_inclusive('\n') {
                self.push(escape::heredoc(line).into_owned());
            }
        } else {
            self.push(escape::quoted(self.lower.text(span)).into_owned());
        }
        self.counts.push(self.tokens.len() - before);
    }

    fn push(&mut self, text: String) {
        let text = if self.trim_next { text.trim_start().to_owned() } else { text };
        self.trim_next = false;
        self.tokens.push(Flat::Literal(text));
    }

    fn sequence(&mut self, strip: Strip) {
        if matches!(strip, Strip::Start | Strip::Both)
            && let Some(Flat::Literal(text)) = self.tokens.last_mut()
        {
            text.truncate(text.trim_end().len());
        }
        self.tokens.push(Flat::Sequence);
        self.trim_next = matches!(strip, Strip::End | Strip::Both);
    }
}

/// Removes from each line the spaces that all lines have in front.
fn remove_indentation(tokens: &mut [Flat]) {
    let mut least = usize::MAX;
    let mut begins_line = true;
    let mut lines = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let text = match token {
            Flat::Literal(text) => text.as_str(),
            Flat::Sequence => "",
        };
        if begins_line {
            begins_line = false;
            let spaces = text.chars().take_while(|c| c.is_whitespace()).count();
            let blank = text.ends_with('\n') && text.trim_start().is_empty();
            if !blank {
                least = least.min(spaces);
                lines.push(index);
            }
        }
        begins_line |= text.ends_with('\n');
    }
    for index in lines {
        if let Some(Flat::Literal(text)) = tokens.get_mut(index) {
            *text = text.chars().skip(least).collect();
        }
    }
}

fn build(
    lower: &mut Lower,
    template: &Template,
    texts: &mut std::vec::IntoIter<String>,
    around: Span,
) -> Vec<TemplatePart> {
    let mut parts = Vec::new();
    for element in template {
        let span = lower.span(element.span(), around);
        match element {
            Element::Literal(_) => {
                let text = texts.next().unwrap_or_default();
                if !text.is_empty() {
                    parts.push(TemplatePart::Literal(Arc::from(text)));
                }
            }
            Element::Interpolation(interpolation) => {
                parts.push(TemplatePart::Interpolation(lower.expression(&interpolation.expr, span)));
            }
            Element::Directive(directive) => parts.push(match directive.as_ref() {
                Directive::If(directive) => {
                    let condition = lower.expression(&directive.if_expr.cond_expr, span);
                    let then = build(lower, &directive.if_expr.template, texts, span);
                    let otherwise = match &directive.else_expr {
                        Some(otherwise) => build(lower, &otherwise.template, texts, span),
                        None => Vec::new(),
                    };
                    TemplatePart::If { condition, then, otherwise, span }
                }
                Directive::For(directive) => {
                    let each = &directive.for_expr;
                    let key = each.key_var.as_ref().map(|key| lower.binding(key, span));
                    let value = lower.binding(&each.value_var, span);
                    let collection = lower.expression(&each.collection_expr, span);
                    let body = build(lower, &each.template, texts, span);
                    TemplatePart::For { key, value, collection, body, span }
                }
            }),
        }
    }
    parts
}
