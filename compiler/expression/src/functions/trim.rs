//! Text: what is cut off its ends, and what goes before its lines.

use super::Function;
use super::call::{Call, returns, text};
use crate::{Fault, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "trim",
        &[("text", "any text"), ("characters", "the characters that are cut off")],
        "Without these characters at both ends.",
        returns::text,
        trim,
    )
    .examples(&[(r#"trim("--a-b-", "-")"#, r#""a-b""#), (r#"trim("?!a!?", "!?")"#, r#""a""#)]),
    Function::new(
        "trimprefix",
        &[("text", "any text"), ("prefix", "what is cut off")],
        "Without a text at the start.",
        returns::text,
        trimprefix,
    )
    .examples(&[(r#"trimprefix("gpu-a", "gpu-")"#, r#""a""#), (r#"trimprefix("a", "gpu-")"#, r#""a""#)])
    .notes(&["It is cut off once."]),
    Function::new(
        "trimsuffix",
        &[("text", "any text"), ("suffix", "what is cut off")],
        "Without a text at the end.",
        returns::text,
        trimsuffix,
    )
    .examples(&[(r#"trimsuffix("a.yaml", ".yaml")"#, r#""a""#)])
    .notes(&["It is cut off once."]),
    Function::new(
        "trimspace",
        &[("text", "any text")],
        "Without white space at both ends.",
        returns::text,
        trimspace,
    )
    .examples(&[(r#"trimspace(" a b\n")"#, r#""a b""#)]),
    Function::new("chomp", &[("text", "any text")], "Without line ends at the end.", returns::text, chomp)
        .examples(&[(r#"chomp("a\n\n")"#, r#""a""#)]),
    Function::new(
        "indent",
        &[("spaces", "how many, at most 1000"), ("text", "any text")],
        "With spaces before every line but the first.",
        returns::text,
        indent,
    )
    .examples(&[(r#"indent(2, "a\nb")"#, r#""a\n  b""#)]),
];

/// The most spaces that `indent` takes.
const MAX_SPACES: usize = 1_000;

fn trim(call: &Call<'_>) -> Result<Value, Fault> {
    let cut = call.text(1)?;
    call.work(cut.len() / 8)?;
    text(call.text(0)?.trim_matches(|c| cut.contains(c)))
}

fn trimprefix(call: &Call<'_>) -> Result<Value, Fault> {
    let whole = call.text(0)?;
    text(whole.strip_prefix(&*call.text(1)?).unwrap_or(&whole))
}

fn trimsuffix(call: &Call<'_>) -> Result<Value, Fault> {
    let whole = call.text(0)?;
    text(whole.strip_suffix(&*call.text(1)?).unwrap_or(&whole))
}

fn trimspace(call: &Call<'_>) -> Result<Value, Fault> {
    text(call.text(0)?.trim())
}

fn chomp(call: &Call<'_>) -> Result<Value, Fault> {
    text(call.text(0)?.trim_end_matches(['\n', '\r']))
}

fn indent(call: &Call<'_>) -> Result<Value, Fault> {
    let (spaces, whole) = (call.size(0)?, call.text(1)?);
    if spaces > MAX_SPACES {
        return Err(call.fault(0, format_args!("at most {MAX_SPACES} spaces")));
    }
    call.room_for_text(whole.len() + whole.matches('\n').count() * spaces)?;
    text(whole.replace('\n', &format!("\n{}", " ".repeat(spaces))))
}
