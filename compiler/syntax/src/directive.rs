//! Whether the `%{…}` of a string pair up. The expression parser would give up somewhere else in the string.

use poolwright_diagnostics::{Diagnostic, Span};

use crate::codes;
use crate::source::{Problems, Source};
use crate::token::Kind;

/// Reports every `if` and `for` without end, and every `else` and end without beginning.
pub(crate) fn check(source: &Source, problems: &mut Problems) {
    // One list of open directives a string.
    let mut open: Vec<Vec<(&str, Span)>> = Vec::new();
    for (index, token) in source.tokens.iter().enumerate() {
        match token.kind {
            Kind::Quote | Kind::Heredoc => open.push(Vec::new()),
            Kind::QuoteEnd | Kind::HeredocEnd => {
                for (word, span) in open.pop().unwrap_or_default() {
                    let word = word.trim_end_matches(" else");
                    let fault = fault(format!("this `%{{ {word} }}` has no `%{{ end{word} }}`"), span);
                    problems.fatal(span.start, fault);
                }
            }
            Kind::Directive => {
                let span = source.token_span(index).to(source.token_span(token.partner as usize));
                let word =
                    if source.kind(index + 1) == Kind::Ident { source.token_text(index + 1) } else { "" };
                let Some(open) = open.last_mut() else { continue };
                if let Some(fault) = step(word, span, open) {
                    problems.fatal(token.start, fault);
                }
            }
            _ => {}
        }
    }
}

fn step<'a>(word: &'a str, span: Span, open: &mut Vec<(&'a str, Span)>) -> Option<Diagnostic> {
    let innermost = open.last().map(|(word, _)| *word);
    match (word, innermost) {
        ("if" | "for", _) => open.push((word, span)),
        ("else", Some("if")) => {
            if let Some(last) = open.last_mut() {
                last.0 = "if else";
            }
        }
        ("endif", Some("if" | "if else")) | ("endfor", Some("for")) => {
            open.pop();
        }
        ("else" | "endif" | "endfor", _) => {
            return Some(fault(format!("this `%{{ {word} }}` ends nothing that is open"), span));
        }
        _ => {
            let known = "a directive is one of `if`, `else`, `endif`, `for`, `endfor`";
            let literal = "a literal `%{` is written `%%{`";
            return Some(fault("unknown directive".to_owned(), span).with_note(known).with_help(literal));
        }
    }
    None
}

fn fault(message: String, span: Span) -> Diagnostic {
    Diagnostic::error(codes::BROKEN_DIRECTIVE, message).at(span, "")
}
