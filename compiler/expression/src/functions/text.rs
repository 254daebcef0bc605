//! Text: joined, split, turned, in capitals.

use super::Function;
use super::call::{Call, characters, returns, text};
use crate::evaluate::to_text;
use crate::{Fault, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "join",
        &[("separator", "what stands between"), ("lists", "lists of texts")],
        "One text of many, with a separator between.",
        returns::text,
        join,
    )
    .variadic()
    .required(2)
    .examples(&[
        (r#"join(", ", ["a", "b"])"#, r#""a, b""#),
        (r#"join("-", ["a"], ["b"])"#, r#""a-b""#),
        (r#"join(",", [null])"#, "error: null has no text"),
    ]),
    Function::new(
        "split",
        &[("separator", "what stands between the parts"), ("text", "what is cut")],
        "The parts of a text between separators.",
        returns::texts,
        split,
    )
    .examples(&[
        (r#"split(",", "a,b")"#, r#"["a", "b"]"#),
        (r#"split("", "abc")"#, r#"["a", "b", "c"]"#),
        (r#"split(",", "")"#, r#"[""]"#),
    ])
    .notes(&["An empty text has one part, the empty one; `compact` leaves it out."]),
    Function::new("upper", &[("text", "any text")], "In capitals.", returns::text, upper)
        .examples(&[(r#"upper("äb")"#, r#""ÄB""#)])
        .notes(&["By Unicode's full mapping: `ß` becomes `SS`."]),
    Function::new("lower", &[("text", "any text")], "Without capitals.", returns::text, lower)
        .examples(&[(r#"lower("ÄB")"#, r#""äb""#)]),
    Function::new(
        "title",
        &[("text", "any text")],
        "With a capital at the start of each word.",
        returns::text,
        title,
    )
    .examples(&[(r#"title("a word, a_word")"#, r#""A Word, A_word""#)])
    .notes(&["The rest of a word stays as it is."]),
    Function::new(
        "startswith",
        &[("text", "any text"), ("prefix", "what it may start with")],
        "Whether the text starts with another.",
        returns::bool,
        startswith,
    )
    .examples(&[(r#"startswith("eu-west-1", "eu-")"#, "true")]),
    Function::new(
        "endswith",
        &[("text", "any text"), ("suffix", "what it may end with")],
        "Whether the text ends with another.",
        returns::bool,
        endswith,
    )
    .examples(&[(r#"endswith("a.hcl", ".hcl")"#, "true")]),
    Function::new(
        "strcontains",
        &[("text", "any text"), ("part", "what it may contain")],
        "Whether the text contains another.",
        returns::bool,
        strcontains,
    )
    .examples(&[(r#"strcontains("abc", "b")"#, "true")]),
    Function::new(
        "substr",
        &[
            ("text", "any text"),
            ("offset", "the first character, from 0; a negative one counts from the end"),
            ("length", "how many characters; -1: to the end"),
        ],
        "So many characters from an offset.",
        returns::text,
        substr,
    )
    .examples(&[
        (r#"substr("hello", 1, 3)"#, r#""ell""#),
        (r#"substr("hello", -2, -1)"#, r#""lo""#),
        (r#"substr("hello", 3, 100)"#, r#""lo""#),
    ])
    .notes(&["Characters are what people see as one: a letter with its accents, a flag, a family."]),
    Function::new(
        "strrev",
        &[("text", "any text")],
        "The characters from last to first.",
        returns::text,
        strrev,
    )
    .examples(&[(r#"strrev("ab")"#, r#""ba""#)])
    .notes(&[
        "Characters are what people see as one: a letter keeps its accents. `reverse` turns a list round.",
    ]),
];

fn join(call: &Call<'_>) -> Result<Value, Fault> {
    let separator = call.text(0)?;
    let mut joined = String::new();
    let mut first = true;
    for index in 1..call.arguments.len() {
        for item in call.list(index)? {
            if !first {
                joined.push_str(&separator);
            }
            first = false;
            joined.push_str(&to_text(item).map_err(|fault| fault.argument(index))?);
            call.room_for_text(joined.len())?;
        }
    }
    text(joined)
}

fn split(call: &Call<'_>) -> Result<Value, Fault> {
    let (separator, whole) = (call.text(0)?, call.text(1)?);
    if separator.is_empty() {
        call.room_for(whole.len() / 4)?;
        return Ok(Value::list(whole.chars().map(|c| Value::string(c.encode_utf8(&mut [0; 4])))));
    }
    call.room_for(whole.matches(&*separator).count())?;
    Ok(Value::list(whole.split(&*separator).map(Value::string)))
}

fn upper(call: &Call<'_>) -> Result<Value, Fault> {
    text(call.text(0)?.to_uppercase())
}

fn lower(call: &Call<'_>) -> Result<Value, Fault> {
    text(call.text(0)?.to_lowercase())
}

fn title(call: &Call<'_>) -> Result<Value, Fault> {
    let mut result = String::new();
    let mut start = true;
    for c in call.text(0)?.chars() {
        if start {
            result.extend(c.to_uppercase());
        } else {
            result.push(c);
        }
        start = if c.is_ascii() { !c.is_ascii_alphanumeric() && c != '_' } else { c.is_whitespace() };
    }
    text(result)
}

fn startswith(call: &Call<'_>) -> Result<Value, Fault> {
    Ok(Value::Bool(call.text(0)?.starts_with(&*call.text(1)?)))
}

fn endswith(call: &Call<'_>) -> Result<Value, Fault> {
    Ok(Value::Bool(call.text(0)?.ends_with(&*call.text(1)?)))
}

fn strcontains(call: &Call<'_>) -> Result<Value, Fault> {
    Ok(Value::Bool(call.text(0)?.contains(&*call.text(1)?)))
}

fn substr(call: &Call<'_>) -> Result<Value, Fault> {
    let (whole, offset, length) = (call.text(0)?, call.whole(1)?, call.whole(2)?);
    let start = if offset < 0 {
        let count = i64::try_from(characters(&whole).count()).unwrap_or(i64::MAX);
        count.saturating_add(offset).max(0)
    } else {
        offset
    };
    let rest = characters(&whole).skip(usize::try_from(start).unwrap_or(usize::MAX));
    match length {
        -1 => text(rest.collect::<String>()),
        length => {
            let length = usize::try_from(length).map_err(|_| call.wanted(2, "a length of at least -1"))?;
            text(rest.take(length).collect::<String>())
        }
    }
}

fn strrev(call: &Call<'_>) -> Result<Value, Fault> {
    text(characters(&call.text(0)?).rev().collect::<String>())
}
