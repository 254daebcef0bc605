//! Regular expressions, in the syntax of RE2 that OpenTofu has. Matching takes time in proportion to the text.

use std::sync::Arc;

use regex::{Captures, Regex, RegexBuilder};

use super::Function;
use super::call::{Call, returns, shown, text};
use crate::{Fault, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "regex",
        &[("pattern", "a regular expression"), ("text", "what is searched")],
        "The first match of a regular expression.",
        returns::any,
        regex,
    )
    .examples(&[
        (r#"regex("[a-z]+", "53a-b")"#, r#""a""#),
        (r#"regex("([a-z]+)-([0-9]+)", "us-east-1")"#, r#"["east", "1"]"#),
        (r#"regex("(?P<area>[a-z]+)-(?P<zone>[a-z]+)", "eu-west")"#, r#"{ area = "eu", zone = "west" }"#),
    ])
    .notes(&[
        "Without groups it is the text of the match; with groups a list of their texts; with named groups an object. A \
         group that took no part in the match is null.",
        "Where nothing matches it is an error: ask `can(regex(…))`, or `regexall`.",
        "The syntax is that of RE2: no look-around, no references back to groups; `\\d`, `\\w`, `\\s` and `\\b` \
         mean ASCII.",
    ]),
    Function::new(
        "regexall",
        &[("pattern", "a regular expression"), ("text", "what is searched")],
        "All matches of a regular expression that do not overlap.",
        returns::list,
        regexall,
    )
    .examples(&[
        (r#"regexall("[a-z]+", "1a2bc")"#, r#"["a", "bc"]"#),
        (r#"regexall("([a-z])=([0-9])", "a=1,b=2")"#, r#"[["a", "1"], ["b", "2"]]"#),
        (r#"length(regexall("x", "abc"))"#, "0"),
    ])
    .notes(&["Each match is what `regex` gives."]),
    Function::new(
        "replace",
        &[
            ("text", "any text"),
            ("old", "what is replaced; between slashes it is a regular expression"),
            ("new", "what stands there then; `$1` or `${name}` is a group of a regular expression"),
        ],
        "With each occurrence of a text replaced.",
        returns::text,
        replace,
    )
    .examples(&[
        (r#"replace("a.b.c", ".", "-")"#, r#""a-b-c""#),
        (r#"replace("gpu-08", "/([a-z]+)-0*([0-9]+)/", "$2 $1")"#, r#""8 gpu""#),
    ]),
];

/// The longest pattern, in bytes.
const MAX_PATTERN: usize = 10_000;

/// How large a pattern may become when it is made ready, in bytes.
const MAX_COMPILED: usize = 1 << 20;

/// Steps that it costs to make a pattern ready; one that this evaluation has ready costs nothing.
const STEPS: usize = 100;

/// The pattern of an argument.
fn compiled(call: &Call<'_>, index: usize, pattern: &Arc<str>) -> Result<Regex, Fault> {
    if pattern.len() > MAX_PATTERN {
        return Err(call.fault(index, format_args!("the pattern is longer than {MAX_PATTERN} bytes")));
    }
    call.limits.pattern(pattern, || {
        call.work(STEPS + pattern.len() * 4)?;
        let translated = translate(pattern);
        let made = RegexBuilder::new(&translated).size_limit(MAX_COMPILED).nest_limit(100).build();
        made.map_err(|error| {
            let why = match error {
                regex::Error::CompiledTooBig(_) => "it is too large: repeat less often".to_owned(),
                // The first lines draw the pattern; the last says what is wrong.
                error => {
                    error.to_string().lines().last().unwrap_or("").trim_start_matches("error: ").to_owned()
                }
            };
            call.fault(
                index,
                format_args!("{} is not a regular expression: {why}", shown(&Value::string(pattern))),
            )
        })
    })
}

/// From RE2's syntax to that of the crate: classes of ASCII, `\Q…\E`, and signs that mean nothing in a class there.
fn translate(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len() + 16);
    let mut chars = pattern.chars().peekable();
    let mut class: Option<bool> = None;
    while let Some(c) = chars.next() {
        match (c, class) {
            ('\\', _) => match chars.next() {
                Some('d') => out.push_str("[0-9]"),
                Some('D') => out.push_str("[^0-9]"),
                Some('w') => out.push_str("[0-9A-Za-z_]"),
                Some('W') => out.push_str("[^0-9A-Za-z_]"),
                Some('s') => out.push_str(r"[\t\n\x0C\r ]"),
                Some('S') => out.push_str(r"[^\t\n\x0C\r ]"),
                Some('b') if class.is_none() => out.push_str(r"(?-u:\b)"),
                Some('Q') if class.is_none() => {
                    let mut literal = String::new();
                    while let Some(next) = chars.next() {
                        if next == '\\' && chars.next_if_eq(&'E').is_some() {
                            break;
                        }
                        literal.push(next);
                    }
                    out.push_str(&regex::escape(&literal));
                }
                Some('E') if class.is_none() => {}
                Some(other) => {
                    out.push('\\');
                    out.push(other);
                }
                None => out.push('\\'),
            },
            ('[', None) => {
                out.push('[');
                if chars.next_if_eq(&'^').is_some() {
                    out.push('^');
                }
                class = Some(true);
                continue;
            }
            // At the start of a class a bracket stands for itself.
            (']', Some(true)) => out.push_str(r"\]"),
            (']', Some(false)) => {
                out.push(']');
                class = None;
                continue;
            }
            ('[', Some(_)) if chars.peek() == Some(&':') => {
                out.push('[');
                while let Some(next) = chars.next() {
                    out.push(next);
                    if next == ':' && chars.next_if_eq(&']').is_some() {
                        out.push(']');
                        break;
                    }
                }
            }
            ('[' | '&' | '~', Some(_)) => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
        class = class.map(|_| false);
    }
    out
}

/// What one match gives.
fn found(call: &Call<'_>, pattern: &Regex, captures: &Captures<'_>) -> Result<Value, Fault> {
    let part = |index: usize| captures.get(index).map_or(Value::Null, |part| Value::string(part.as_str()));
    let count = pattern.captures_len();
    if count == 1 {
        return Ok(part(0));
    }
    let names: Vec<Option<&str>> = pattern.capture_names().skip(1).collect();
    if names.iter().all(Option::is_none) {
        return Ok(Value::list((1..count).map(part)));
    }
    if names.iter().any(Option::is_none) {
        return Err(call
            .fault(0, "some groups have names and some have none")
            .help("name all of them, or write `(?:…)` for a group that gives nothing"));
    }
    let named = names.into_iter().flatten();
    Ok(Value::object(named.zip((1..count).map(part))))
}

fn regex(call: &Call<'_>) -> Result<Value, Fault> {
    let (source, whole) = (call.text(0)?, call.text(1)?);
    let pattern = compiled(call, 0, &source)?;
    call.work(whole.len() / 32)?;
    match pattern.captures(&whole) {
        Some(captures) => found(call, &pattern, &captures),
        None => Err(call
            .fault(
                1,
                format_args!(
                    "{} does not match {}",
                    shown(&Value::string(&whole)),
                    shown(&Value::string(&source))
                ),
            )
            .help("`can(regex(…))` asks whether it does")),
    }
}

fn regexall(call: &Call<'_>) -> Result<Value, Fault> {
    let (source, whole) = (call.text(0)?, call.text(1)?);
    let pattern = compiled(call, 0, &source)?;
    call.work(whole.len() / 32)?;
    let mut all = Vec::new();
    for captures in pattern.captures_iter(&whole) {
        // The rest of the text may have to be looked at for each match: a pattern can look far ahead for a longer one.
        let rest = captures.get(0).map_or(0, |found| whole.len() - found.end());
        call.work(1 + rest / 4096)?;
        all.push(found(call, &pattern, &captures)?);
        call.room_for(all.len())?;
    }
    Ok(Value::list(all))
}

fn replace(call: &Call<'_>) -> Result<Value, Fault> {
    let (whole, old, new) = (call.text(0)?, call.text(1)?, call.text(2)?);
    let source = old.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
    let Some(source) = source else {
        let count = whole.matches(&*old).count();
        call.room_for_text(whole.len().saturating_add(count.saturating_mul(new.len())))?;
        return text(whole.replace(&*old, &new));
    };
    let pattern = compiled(call, 1, &source.into())?;
    call.work(whole.len() / 32)?;
    let (mut result, mut last) = (String::new(), 0);
    for captures in pattern.captures_iter(&whole) {
        let Some(part) = captures.get(0) else { continue };
        call.work(1 + (whole.len() - part.end()) / 4096)?;
        result.push_str(whole.get(last..part.start()).unwrap_or(""));
        // Each `$` may stand for a group, which is no longer than the whole match.
        let most = new.len().saturating_add(new.matches('$').count().saturating_mul(part.len()));
        call.room_for_text(result.len().saturating_add(most))?;
        captures.expand(&new, &mut result);
        last = part.end();
        call.room_for_text(result.len())?;
    }
    result.push_str(whole.get(last..).unwrap_or(""));
    text(result)
}
