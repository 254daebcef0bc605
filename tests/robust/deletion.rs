//! Each token of every example deleted in turn: an error in the file, or a fleet that is as good as before by a rule.
//!
//! Most deletions are faults of syntax, which reading the file alone shows. All that are not are compiled to the end,
//! and of the others each tenth; with `POOLWRIGHT_ROBUST=all` all of them.

use std::collections::BTreeMap;

use poolwright_diagnostics::{Diagnostic, FileId};
use poolwright_syntax::tree::{Body, Expr, ExprKind, ObjectKey, Step, TemplatePart};
use poolwright_syntax::{TokenKind, parse, tokens};
use rayon::prelude::*;

use crate::fleets::{Fleet, examples};
use crate::page;

/// Of deletions that are faults of syntax each which one is compiled.
const EACH: usize = 10;

/// One deletion.
struct Deletion<'f> {
    fleet: &'f Fleet,
    file: &'f str,
    kind: TokenKind,
    start: usize,
    end: usize,
    number: usize,
}

impl Deletion<'_> {
    fn before(&self) -> &str {
        &self.fleet.files[self.file]
    }

    fn after(&self) -> String {
        let text = self.before();
        format!("{}{}", &text[..self.start], &text[self.end..])
    }

    fn shown(&self) -> String {
        let line = self.before()[..self.start].matches('\n').count();
        let text = self.before().lines().nth(line).unwrap_or("").trim();
        let token = self.before()[self.start..self.end].escape_debug();
        format!("{}:{}: `{token}` in {text}", self.file, line + 1)
    }
}

fn deletions(fleets: &[Fleet]) -> Vec<Deletion<'_>> {
    let mut all = Vec::new();
    for fleet in fleets {
        for file in &fleet.broken {
            for (kind, span) in tokens(FileId(0), &fleet.files[file]) {
                let (start, end) = (span.start as usize, span.end as usize);
                all.push(Deletion { fleet, file, kind, start, end, number: all.len() });
            }
        }
    }
    all
}

/// Why a deletion may leave a fleet without an error.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Rule {
    Layout,
    Comment,
    People,
    Template,
    Label,
    Outside,
    Operand,
    Parenthesis,
    LastArgument,
    Index,
}

impl Rule {
    fn title(self) -> &'static str {
        match self {
            Self::Layout => "an end of a line or a comma that separates nothing: the tree is the same",
            Self::Comment => "the end of a comment: what follows is a part of it",
            Self::People => "a text for people, which may be empty",
            Self::Template => "a part of a text with `${…}` in it: the rest is a text too",
            Self::Label => {
                "a value of a label or of a variable of an environment, which may be empty; a key in quotes of an open map"
            }
            Self::Outside => {
                "what is outside of the fleet: a row of a price book, the facts of a policy's test, `extra`"
            }
            Self::Operand => {
                "a text in an expression: another text, of which nothing can be said before it is evaluated"
            }
            Self::Parenthesis => "the name of a function: its one argument in parentheses is an expression",
            Self::LastArgument => "the last argument or element: the comma before it may stand there",
            Self::Index => "an operator before `[`: what follows is an index",
        }
    }
}

/// The tree without places.
fn shape(text: &str) -> String {
    let (file, _) = parse(FileId(0), text);
    let printed = format!("{:?}", file.body);
    let mut plain = String::with_capacity(printed.len());
    for (index, part) in printed.split("Span {").enumerate() {
        plain.push_str(if index == 0 { part } else { part.split_once('}').map_or(part, |(_, rest)| rest) });
    }
    plain
}

/// Where a text stands: the attribute, and whether an operator, function or index has it.
#[derive(Default)]
struct Place {
    attribute: String,
    template: bool,
    operand: bool,
    key: bool,
}

/// Finds the innermost expression at a place.
fn find(body: &Body, at: u32, place: &mut Place) {
    for block in body.blocks().filter(|block| block.span.start <= at && at < block.span.end) {
        find(&block.body, at, place);
    }
    for attribute in body.attributes().filter(|it| it.span.start <= at && at < it.span.end) {
        place.attribute = attribute.name.text.to_string();
        descend(&attribute.value, at, place);
    }
}

fn descend(expr: &Expr, at: u32, place: &mut Place) {
    if at < expr.span.start || expr.span.end <= at {
        return;
    }
    let all = |exprs: &mut dyn Iterator<Item = &Expr>, operand: bool, place: &mut Place| {
        for expr in exprs {
            if expr.span.start <= at && at < expr.span.end {
                place.operand |= operand;
                descend(expr, at, place);
            }
        }
    };
    match &expr.kind {
        ExprKind::Template(parts) => {
            place.template = true;
            let inner = parts.iter().filter_map(|part| match part {
                TemplatePart::Interpolation(expr) => Some(expr),
                _ => None,
            });
            for expr in inner.filter(|it| it.span.start <= at && at < it.span.end) {
                place.template = false;
                place.operand = true;
                descend(expr, at, place);
            }
        }
        ExprKind::List(items) => all(&mut items.iter(), false, place),
        ExprKind::Object(items) => {
            for item in items {
                if let ObjectKey::Expr(key) = &item.key
                    && key.span.start <= at
                    && at < key.span.end
                {
                    place.key = true;
                }
                all(&mut [&item.value].into_iter(), false, place);
            }
        }
        ExprKind::Traversal(base, steps) => {
            let indices = steps.iter().filter_map(|step| match step {
                Step::Index(index) => Some(index),
                _ => None,
            });
            all(&mut std::iter::once(&**base).chain(indices), true, place);
        }
        ExprKind::Call(call) => all(&mut call.arguments.iter(), true, place),
        ExprKind::Unary(_, inner) | ExprKind::Parenthesis(inner) => {
            all(&mut [&**inner].into_iter(), true, place)
        }
        ExprKind::Binary(sides) => all(&mut [&sides.left, &sides.right].into_iter(), true, place),
        ExprKind::Conditional(parts) => {
            all(&mut [&parts.condition].into_iter(), true, place);
            all(&mut [&parts.then, &parts.otherwise].into_iter(), false, place);
        }
        ExprKind::For(it) => {
            all(&mut [&it.collection].into_iter(), true, place);
            all(&mut it.key_result.iter().chain(&it.condition), true, place);
            all(&mut [&it.result].into_iter(), false, place);
        }
        _ => {}
    }
}

/// Whether a comment ends at a place with its line.
fn in_comment(text: &str, at: usize) -> bool {
    poolwright_syntax::line_comments(FileId(0), text).iter().any(|comment| comment.end as usize == at)
}

/// The rule by which a deletion may be without an error.
fn rule(deletion: &Deletion<'_>, after: &str) -> Option<Rule> {
    let (before, end) = (deletion.before(), deletion.end);
    let rest = before[end..].trim_start();
    match deletion.kind {
        TokenKind::Newline | TokenKind::Comma if shape(before) == shape(after) => Some(Rule::Layout),
        TokenKind::Newline if in_comment(before, deletion.start) => Some(Rule::Comment),
        TokenKind::Interpolation => Some(Rule::Template),
        TokenKind::Ident if rest.starts_with('(') => Some(Rule::Parenthesis),
        TokenKind::Number | TokenKind::Ident if rest.starts_with([')', ']']) => Some(Rule::LastArgument),
        TokenKind::EqualEqual | TokenKind::Operator if rest.starts_with('[') => Some(Rule::Index),
        TokenKind::Text => {
            let (file, _) = parse(FileId(0), before);
            let mut place = Place::default();
            find(&file.body, u32::try_from(deletion.start).unwrap(), &mut place);
            match place.attribute.as_str() {
                _ if place.template => Some(Rule::Template),
                "description" | "message" | "error_message" | "remedy" => Some(Rule::People),
                "labels" | "node_labels" | "select" | "env" => Some(Rule::Label),
                _ if place.key => Some(Rule::Label),
                "prices" | "given" | "extra" => Some(Rule::Outside),
                _ if place.operand => Some(Rule::Operand),
                _ => None,
            }
        }
        _ => None,
    }
}

enum Outcome {
    Error,
    Sound(Rule),
    Wrong(String),
}

fn judge(deletion: &Deletion<'_>, known: &[Diagnostic], all: bool) -> Outcome {
    let after = deletion.after();
    let syntax = parse(FileId(0), &after).1.iter().any(Diagnostic::is_error);
    if syntax && !all && !deletion.number.is_multiple_of(EACH) {
        return Outcome::Error;
    }
    let found = match deletion.fleet.with(deletion.file, &after).run() {
        Ok(found) => found,
        Err(panic) => return Outcome::Wrong(format!("{}: a panic: {panic}", deletion.shown())),
    };
    let old =
        |it: &&&Diagnostic| known.iter().any(|known| (known.code, &known.message) == (it.code, &it.message));
    if found.errors_in(deletion.file).iter().any(|it| !old(&it)) {
        return Outcome::Error;
    }
    match rule(deletion, &after) {
        Some(rule) => Outcome::Sound(rule),
        None => Outcome::Wrong(format!("{}: no error and no rule", deletion.shown())),
    }
}

#[test]
fn each_token_of_every_example() {
    let all = std::env::var("POOLWRIGHT_ROBUST").is_ok_and(|it| it == "all");
    let fleets = examples();
    let known: BTreeMap<&str, Vec<Diagnostic>> = fleets
        .iter()
        .map(|fleet| {
            let found = fleet.run().unwrap().diagnostics;
            (fleet.name.as_str(), found.into_iter().filter(Diagnostic::is_error).collect())
        })
        .collect();
    let deletions = deletions(&fleets);
    let outcomes: Vec<Outcome> =
        deletions.par_iter().map(|it| judge(it, &known[it.fleet.name.as_str()], all)).collect();
    let mut rules: BTreeMap<Rule, usize> = BTreeMap::new();
    let (mut errors, mut wrong) = (0, Vec::new());
    for outcome in outcomes {
        match outcome {
            Outcome::Error => errors += 1,
            Outcome::Sound(rule) => *rules.entry(rule).or_default() += 1,
            Outcome::Wrong(text) => wrong.push(text),
        }
    }
    assert!(wrong.is_empty(), "{} deletions:\n{}", wrong.len(), wrong.join("\n"));
    let mut text = format!(
        "{} tokens of {} files: {errors} deletions are an error in the file, {} leave a fleet without one:\n\n",
        deletions.len(),
        fleets.iter().map(|fleet| fleet.broken.len()).sum::<usize>(),
        deletions.len() - errors
    );
    text.push_str("| what is deleted | how often |\n|---|---|\n");
    for (rule, count) in rules {
        text.push_str(&format!("| {} | {count} |\n", rule.title()));
    }
    page::hold("deletions", &text);
}
