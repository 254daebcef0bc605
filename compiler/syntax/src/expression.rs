//! The value of an attribute: given to the expression parser, and lowered to our tree. A plain one needs no parser.

use std::borrow::Cow;
use std::thread;

use hcl_edit::expr::Expression;
use hcl_edit::parser::{Error, parse_expr};

use crate::brackets;
use crate::classify;
use crate::faults;
use crate::lower::Lower;
use crate::plain;
use crate::source::{Problems, Source};
use crate::token::Kind;
use crate::tree::Expr;

/// How often an object's repeated key is renamed before the parser's word is taken for it.
const RENAMES: usize = 200;

/// Reads the tokens `from..to` as one expression; `None` when they are none, which has been reported then.
pub(crate) fn read(source: &Source, problems: &mut Problems, from: usize, to: usize) -> Option<Expr> {
    let start = source.token(from).start;
    let end = source.token(to - 1).end;
    if problems.is_fatal(start, end) {
        return None;
    }
    if let Some(plain) = plain::plain(source, from, to) {
        return Some(plain);
    }
    if depth(source, from, to) <= SHALLOW {
        return parse_and_lower(source, problems, from, to);
    }
    let deep = thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(DEEP_STACK);
        let work = builder.spawn_scoped(scope, || parse_and_lower(source, &mut *problems, from, to));
        work.ok().and_then(|work| work.join().ok())
    });
    deep.unwrap_or_else(|| {
        problems.report(faults::too_deep(source.span(start, start), brackets::MAX_DEPTH));
        None
    })
}

/// How deep an expression may be so that any stack is enough for the parser.
const SHALLOW: usize = 12;

/// Stack for a deeper one: the parser needs up to 32 KiB a level when built for debugging.
const DEEP_STACK: usize = 16 << 20;

/// At least how deep the parser will recurse for the tokens `from..to`, counted in its own way.
fn depth(source: &Source, from: usize, to: usize) -> usize {
    let (mut open, mut deepest, mut run, mut longest_run, mut chained) = (0usize, 0, 0, 0, 0);
    for token in source.tokens.get(from..to).unwrap_or_default() {
        if token.kind.opens() {
            open += 1;
            deepest = deepest.max(open);
        } else if token.kind.closes() {
            open = open.saturating_sub(1);
        }
        run = if token.kind == Kind::Operator { run + 1 } else { 0 };
        longest_run = longest_run.max(run);
        chained += usize::from(matches!(token.kind, Kind::Question | Kind::Directive));
    }
    deepest + longest_run + chained
}

pub(crate) fn parse_and_lower(
    source: &Source,
    problems: &mut Problems,
    from: usize,
    to: usize,
) -> Option<Expr> {
    let start = source.token(from).start;
    let end = source.token(to - 1).end;
    let text = source.masked.get(start as usize..end as usize).unwrap_or("");
    let text = joined(text, source, from, to);
    match parse(&text, source, from, to) {
        Ok(expression) => {
            let mut lower = Lower { source, base: start, problems };
            let whole = source.span(start, end);
            Some(lower.expression(&expression, whole))
        }
        Err(error) => {
            let offset = start + error.location().offset() as u32;
            let fault = classify::classify(source, from, to, offset.min(end), error.message());
            problems.report(fault);
            None
        }
    }
}

/// The text with spaces for whatever stands between a sign and its operand on another line: within brackets ends of
/// lines do not count, and the parser takes none there.
fn joined<'a>(text: &'a str, source: &Source, from: usize, to: usize) -> Cow<'a, str> {
    let start = source.token(from).start;
    let mut joined = Cow::Borrowed(text);
    for at in from..to {
        let token = source.token(at);
        if token.kind != Kind::Operator || source.kind(at + 1) != Kind::Newline {
            continue;
        }
        let sign =
            matches!(text.get((token.start - start) as usize..(token.end - start) as usize), Some("-" | "!"));
        let next = (at + 1..to).find(|next| source.kind(*next) != Kind::Newline).filter(|_| sign);
        let Some(next) = next.map(|next| source.token(next).start) else { continue };
        let gap = (token.end - start) as usize..(next - start) as usize;
        joined.to_mut().replace_range(gap.clone(), &" ".repeat(gap.len()));
    }
    joined
}

/// Parses; repeated object keys are given other names, because who finds them must see both places. Their texts are
/// read from the source afterwards.
fn parse(text: &str, source: &Source, from: usize, to: usize) -> Result<Expression, Error> {
    let start = source.token(from).start;
    let mut text = Cow::Borrowed(text);
    let mut renamed = 0;
    loop {
        let error = match parse_expr(&text) {
            Ok(expression) => return Ok(expression),
            Err(error) => error,
        };
        let is_repeated = error.message().contains("unique object key");
        if !is_repeated || renamed == RENAMES {
            return Err(error);
        }
        let offset = start + error.location().offset() as u32;
        let Some((key_start, key_end)) = key_at(source, from, to, offset) else { return Err(error) };
        renamed += 1;
        let name = other_name((key_end - key_start) as usize, renamed);
        let range = (key_start - start) as usize..(key_end - start) as usize;
        text.to_mut().replace_range(range, &name);
    }
}

/// The text of the key at byte `offset`: a bare name, or what stands between quotes.
fn key_at(source: &Source, from: usize, to: usize, offset: u32) -> Option<(u32, u32)> {
    let all = source.tokens.get(from..to)?;
    let index = from + all.partition_point(|token| token.start < offset);
    let token = source.token(index);
    match token.kind {
        Kind::Ident => Some((token.start, token.end)),
        Kind::Quote if source.kind(index + 1) == Kind::Text && source.kind(index + 2) == Kind::QuoteEnd => {
            let text = source.token(index + 1);
            Some((text.start, text.end))
        }
        _ => None,
    }
}

/// The `n`th name of so many bytes.
fn other_name(length: usize, n: usize) -> String {
    let letters = b"zyxwvutsrqponmlkjihgfedcbaZYXWVUTSRQPONMLKJIHGFEDCBA";
    let mut rest = n;
    let name = (0..length).map(|_| {
        let letter = letters.get(rest % letters.len()).copied().unwrap_or(b'_');
        rest /= letters.len();
        char::from(letter)
    });
    name.collect()
}
