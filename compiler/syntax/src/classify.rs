//! From the place where the expression parser gave up to what is wrong there. Strings, numbers and brackets are sound
//! by then, so that two neighbouring tokens tell nearly always.

use poolwright_diagnostics::{Applicability, Diagnostic, Span};

use crate::codes;
use crate::faults;
use crate::source::{Source, replace};
use crate::token::{Kind, Token};

/// What the parser stumbled over.
struct Place<'s, 'a> {
    source: &'s Source<'a>,
    /// The token before, and its index.
    before: usize,
    /// The token at the place, if the expression goes on there.
    at: Option<usize>,
    /// What opened the list, object, call or template sequence around it.
    around: Option<Token>,
    /// The index at which the expression ends.
    to: usize,
    message: &'s str,
}

/// The diagnostic for the parser's `message` at byte `offset`, in the expression of the tokens `from..to`.
pub(crate) fn classify(source: &Source, from: usize, to: usize, offset: u32, message: &str) -> Diagnostic {
    let span = source.span(offset, offset);
    if message.contains("nesting depth") {
        return faults::too_deep(span, crate::brackets::MAX_DEPTH);
    }
    if message.contains("chained binary operators") {
        return faults::too_many_operators(span);
    }
    // This one is placed after the character that was found instead.
    let assignment = message.contains("object value assignment");
    let offset = if assignment { before_character(source, offset) } else { offset };
    let all = source.tokens.get(from..to).unwrap_or_default();
    let index = from + all.partition_point(|token| token.end <= offset);
    // Line ends inside brackets separate nothing here, but the parser may have stopped at one.
    let next = (index..to).find(|index| source.kind(*index) != Kind::Newline);
    let before = (0..index).rev().find(|index| source.kind(*index) != Kind::Newline).unwrap_or(0);
    let around = opener(source, from, next.unwrap_or(to));
    Place { source, before, at: next, around, to, message }.judge()
}

/// The byte at which the character before `offset` begins.
fn before_character(source: &Source, offset: u32) -> u32 {
    let before = source.text.get(..offset as usize).unwrap_or("");
    before.char_indices().next_back().map_or(offset, |(at, _)| at as u32)
}

/// The innermost token of `from..` that is still open at `index`.
fn opener(source: &Source, from: usize, index: usize) -> Option<Token> {
    let mut found = None;
    let mut at = from;
    while at < index {
        let token = source.token(at);
        if token.kind.opens() && token.closed && token.partner as usize >= index {
            found = Some(token);
            at += 1;
        } else {
            at = source.after(at, usize::MAX);
        }
    }
    found
}

impl Place<'_, '_> {
    fn judge(&self) -> Diagnostic {
        let before = self.source.kind(self.before);
        let Some(at) = self.at else { return self.at_end(before) };
        let kind = self.source.kind(at);
        self.conditional(kind)
            .or_else(|| self.operators(before, kind, at))
            .or_else(|| if self.in_for() { Some(self.unexpected(at)) } else { None })
            .or_else(|| self.commas(before, kind, at))
            .or_else(|| self.object(before, kind, at))
            .or_else(|| self.neighbours(before, kind, at))
            .unwrap_or_else(|| self.unexpected(at))
    }

    fn span(&self, index: usize) -> Span {
        self.source.token_span(index)
    }

    fn text(&self, index: usize) -> &str {
        self.source.token_text(index)
    }

    fn around(&self) -> Option<Kind> {
        self.around.map(|token| token.kind)
    }

    /// The expression ends where more was expected.
    fn at_end(&self, before: Kind) -> Diagnostic {
        if before.ends_value() {
            return self.conditional(Kind::Newline).unwrap_or_else(|| {
                Diagnostic::error(codes::UNEXPECTED_TOKEN, "this expression is not complete")
                    .at(self.span(self.before).at_end(), expected(self.message))
            });
        }
        self.missing_operand()
    }

    fn missing_operand(&self) -> Diagnostic {
        let text = self.text(self.before);
        Diagnostic::error(codes::MISSING_OPERAND, format!("expected a value after `{text}`"))
            .at(self.span(self.before), "")
    }

    /// `a ? b` without its other half.
    fn conditional(&self, kind: Kind) -> Option<Diagnostic> {
        let wants_colon = self.message == "expected `:`";
        if !wants_colon || kind == Kind::Colon {
            return None;
        }
        let mut index = self.before;
        let floor = self.around.map_or(0, |token| token.start);
        let mut question = None;
        while index > 0 && self.source.token(index).start > floor {
            if self.source.kind(index) == Kind::Question {
                question = Some(index);
                break;
            }
            if self.source.kind(index) == Kind::Newline && self.around.is_none() {
                break;
            }
            index -= 1;
        }
        // The parser may have stopped already where the value for `true` begins.
        let mut end = self.at.unwrap_or(self.to);
        let ends = |kind: Kind| kind.closes() || matches!(kind, Kind::Comma | Kind::Newline);
        while question == Some(self.before) && end < self.to && !ends(self.source.kind(end)) {
            end = self.source.after(end, self.to);
        }
        let last = (self.before..end).rev().find(|index| self.source.kind(*index) != Kind::Newline);
        let place = self.span(last.unwrap_or(self.before)).at_end();
        Some(match question {
            Some(question) => {
                Diagnostic::error(codes::INCOMPLETE_CONDITIONAL, "this conditional says nothing for `false`")
                    .at(self.span(question), "the value after `?` is for `true`")
                    .also(place, "expected `:` and another value here")
                    .with_fix("add `: null`", Applicability::HasPlaceholders, replace(place, " : null"))
            }
            None => {
                Diagnostic::error(codes::UNEXPECTED_TOKEN, "expected `:` before the result of this `for`")
                    .at(place, "expected `:`")
            }
        })
    }

    /// Operators that the language does not have, or that stand alone.
    fn operators(&self, before: Kind, kind: Kind, at: usize) -> Option<Diagnostic> {
        let text = self.text(at);
        let span = self.span(at);
        let error = |message: String| Diagnostic::error(codes::UNKNOWN_OPERATOR, message).at(span, "");
        if kind == Kind::Ident && before.ends_value() {
            let operator = match text {
                "and" => "&&",
                "or" => "||",
                "is" | "eq" => "==",
                _ => "",
            };
            if !operator.is_empty() {
                return Some(error(format!("the language has no operator `{text}`")).with_fix(
                    format!("use `{operator}`"),
                    Applicability::Safe,
                    replace(span, operator),
                ));
            }
        }
        if before == Kind::Ident && self.text(self.before) == "not" && kind.begins_value() {
            let span = self.span(self.before).to(span.at_start());
            return Some(
                Diagnostic::error(codes::UNKNOWN_OPERATOR, "the language has no operator `not`")
                    .at(self.span(self.before), "")
                    .with_fix("use `!`", Applicability::Safe, replace(span, "!")),
            );
        }
        if kind == Kind::Operator && matches!(text, "&" | "|") {
            return Some(single_operator(span, text));
        }
        if before == Kind::EqualEqual && matches!(kind, Kind::Equal | Kind::EqualEqual) {
            return Some(error("`===` is no operator".to_owned()).with_fix(
                "use `==`",
                Applicability::Safe,
                replace(span, ""),
            ));
        }
        if kind == Kind::Equal && !matches!(self.around(), Some(Kind::LeftBrace)) {
            return Some(
                Diagnostic::error(
                    codes::UNEXPECTED_TOKEN,
                    "`=` sets an attribute; it does not stand in an expression",
                )
                .at(span, "")
                .with_fix("compare with `==`", Applicability::Unsafe, replace(span, "==")),
            );
        }
        if before == Kind::Operator && matches!(self.text(self.before), "&" | "|") {
            return Some(single_operator(self.span(self.before), self.text(self.before)));
        }
        if kind == Kind::Dot && !before.ends_value() && self.source.kind(at + 1) == Kind::Number {
            let fraction = span.to(self.span(at + 1));
            return Some(
                Diagnostic::error(codes::BAD_NUMBER, "a fraction begins with a digit")
                    .at(fraction, "")
                    .with_fix("put a 0 before the point", Applicability::Safe, replace(span.at_start(), "0")),
            );
        }
        // The parser sees an operator only with something behind it, so that it may stop before the last one.
        let joins = matches!(kind, Kind::Operator | Kind::EqualEqual | Kind::Question | Kind::Dot);
        if joins && text != "!" && before.ends_value() && !self.value_follows(at) {
            let what = if kind == Kind::Dot { "name" } else { "value" };
            let message = format!("expected a {what} after `{text}`");
            return Some(Diagnostic::error(codes::MISSING_OPERAND, message).at(span, ""));
        }
        let is_operator = matches!(before, Kind::Operator | Kind::EqualEqual | Kind::Question | Kind::Dot);
        let is_assignment = matches!(before, Kind::Equal | Kind::Colon | Kind::Arrow);
        let is_sequence = matches!(before, Kind::Interpolation | Kind::Directive);
        if is_sequence && kind == Kind::TemplateEnd {
            return Some(
                Diagnostic::error(codes::MISSING_VALUE, "this interpolation has no value")
                    .at(self.span(self.before).to(span), "")
                    .with_help("a literal `${` is written `$${`"),
            );
        }
        if before == Kind::Dot && kind != Kind::Other {
            return Some(
                Diagnostic::error(codes::MISSING_OPERAND, "expected a name after `.`")
                    .at(self.span(self.before), "")
                    .also(span, format!("found `{text}`")),
            );
        }
        (is_operator || is_assignment).then(|| {
            let shown = if matches!(kind, Kind::Newline) { "the end of the line" } else { text };
            self.missing_operand().also(span, format!("found `{shown}`"))
        })
    }

    /// Whether a value, or an operator before one, follows the token `at`.
    fn value_follows(&self, at: usize) -> bool {
        let next = self.source.kind(at + 1);
        at + 1 < self.to && (next.begins_value() || next == Kind::Operator && self.text(at + 1) != "%")
    }

    /// Whether the head of a `for` is wrong: the parser says exactly what it wants there.
    fn in_for(&self) -> bool {
        matches!(self.message, "expected `in`" | "expected `=>`" | "expected identifier")
    }

    /// Commas too many and commas too few.
    fn commas(&self, before: Kind, kind: Kind, at: usize) -> Option<Diagnostic> {
        let opens = matches!(before, Kind::LeftBrace | Kind::LeftBracket | Kind::LeftParen);
        if kind == Kind::Comma && (before == Kind::Comma || opens) {
            return Some(one_comma(self.span(at)));
        }
        let around = self.around()?;
        let separated = matches!(around, Kind::LeftBrace | Kind::LeftBracket)
            || around == Kind::LeftParen && self.message.contains("expression");
        if !separated || !before.ends_value() || !(kind.begins_value() || kind == Kind::Operator) {
            return None;
        }
        if kind == Kind::Operator && !matches!(self.text(at), "!" | "-") {
            return None;
        }
        if around == Kind::LeftBrace && self.message.contains("assignment") {
            return None;
        }
        let what = match around {
            Kind::LeftBrace => "entries of an object on one line",
            Kind::LeftBracket => "elements of a list",
            _ => "arguments of a function",
        };
        let gap = self.span(self.before).at_end();
        Some(
            Diagnostic::error(codes::MISSING_COMMA, format!("{what} are separated by commas"))
                .at(gap, "a comma is missing here")
                .also(self.span(at), "before this")
                .with_fix("insert a comma", Applicability::Safe, replace(gap, ",")),
        )
    }

    /// Entries of an object.
    fn object(&self, before: Kind, kind: Kind, at: usize) -> Option<Diagnostic> {
        if self.around() != Some(Kind::LeftBrace) {
            return None;
        }
        let span = self.span(at);
        if kind == Kind::Arrow {
            return Some(
                Diagnostic::error(codes::OBJECT_ENTRY, "an entry of an object has `=` between key and value")
                    .at(span, "")
                    .with_note("`=>` is for `for` expressions: `{ for k, v in m : k => v }`")
                    .with_fix("use `=`", Applicability::Safe, replace(span, "=")),
            );
        }
        if !self.message.contains("assignment") || !before.ends_value() {
            return None;
        }
        let entry = (0..self.before).rev().take_while(|index| {
            let token = self.source.token(*index);
            let begun = self.around.is_some_and(|around| token.start <= around.start);
            !begun && !matches!(token.kind, Kind::Comma | Kind::Newline)
        });
        if let Some(compares) = entry.into_iter().find(|index| self.source.kind(*index) == Kind::EqualEqual) {
            return Some(
                Diagnostic::error(codes::OBJECT_ENTRY, "an entry of an object has `=` between key and value")
                    .at(self.span(compares), "")
                    .with_fix("use `=`", Applicability::Safe, replace(self.span(compares), "=")),
            );
        }
        let key = self.text(self.before);
        if kind.begins_value() {
            let gap = self.span(self.before).at_end();
            return Some(
                Diagnostic::error(codes::OBJECT_ENTRY, "this entry has no `=` between its key and its value")
                    .at(gap, "expected `=`")
                    .with_fix("insert `=`", Applicability::Safe, replace(gap, " =")),
            );
        }
        Some(
            Diagnostic::error(codes::OBJECT_ENTRY, "this entry of an object has no value")
                .at(self.span(self.before), "expected `=` and a value after this key")
                .with_help(format!("write `{key} = …`; a list is written in `[` and `]`")),
        )
    }

    /// Two values beside each other, outside of lists.
    fn neighbours(&self, before: Kind, kind: Kind, at: usize) -> Option<Diagnostic> {
        if !before.ends_value() || !kind.begins_value() {
            return None;
        }
        let fault = Diagnostic::error(codes::UNEXPECTED_TOKEN, "two values stand beside each other")
            .at(self.span(at), "expected an operator, or the end, before this")
            .also(self.span(self.before), "the first value ends here");
        if before == Kind::Ident && kind == Kind::Ident {
            return Some(fault.with_help("text is written in double quotes"));
        }
        Some(fault)
    }

    fn unexpected(&self, at: usize) -> Diagnostic {
        let text = self.text(at);
        let shown = if text.len() > 40 || text.contains('\n') { "this" } else { text };
        let fault = Diagnostic::error(codes::UNEXPECTED_TOKEN, format!("`{shown}` does not belong here"));
        // After `{` the word begins an expression, whatever follows it.
        let key = at.checked_sub(1).filter(|key| self.text(*key) == "for" && text == "=");
        match key {
            Some(key) => fault.at(self.span(at), "`for` begins a `for` expression here").with_fix(
                "write the key in quotes",
                Applicability::Safe,
                replace(self.span(key), "\"for\""),
            ),
            None => fault.at(self.span(at), expected(self.message)),
        }
    }
}

/// `&` or `|`.
fn single_operator(span: Span, text: &str) -> Diagnostic {
    let double = text.repeat(2);
    Diagnostic::error(codes::UNKNOWN_OPERATOR, format!("the language has no operator `{text}`"))
        .at(span, "")
        .with_fix(format!("use `{double}`"), Applicability::Safe, replace(span, double))
}

/// What the parser expected, if that is short enough to help.
fn expected(message: &str) -> String {
    let list = message.split("expected ").nth(1).unwrap_or("");
    let list = list.split(';').next().unwrap_or("");
    if list.is_empty() || list.matches(", ").count() > 3 {
        return "expected a value".to_owned();
    }
    format!("expected {}", list.replace("`\n`", "a new line"))
}

fn one_comma(span: Span) -> Diagnostic {
    Diagnostic::error(codes::MISSING_OPERAND, "nothing stands before this comma").at(span, "").with_fix(
        "remove the comma",
        Applicability::Safe,
        replace(span, ""),
    )
}

/// `[,]`, which the parser takes for an empty list.
pub(crate) fn extra_comma(source: &Source, list: Span) -> Diagnostic {
    let at = source.slice(list.start, list.end).find(',').map_or(list.start, |at| list.start + at as u32);
    one_comma(source.span(at, at + 1))
}
