//! `format`: text with values at its verbs.

use std::sync::Arc;

use super::Function;
use super::call::{Call, characters, returns, text};
use super::json::{json_text, quoted};
use crate::evaluate::{to_bool, to_number, to_text};
use crate::{Fault, Number, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "format",
        &[("format", "text with verbs"), ("values", "a value for each verb")],
        "A text with values at its verbs: `%s`, `%d`, `%f` and others; `%%` is a percent sign.",
        returns::text,
        format,
    )
    .variadic()
    .required(1)
    .examples(&[
        (r#"format("n-%03d: %-5s|%5.1f", 7, "ab", 2.25)"#, r#""n-007: ab   |  2.2""#),
        (r#"format("%#x %b %q %v", 255, 5, "a\"b", [1, null])"#, r#""0xff 101 \"a\\\"b\" [1,null]""#),
        (r#"format("%[2]s-%[1]s", "a", "b")"#, r#""b-a""#),
    ])
    .notes(&[
        "Verbs: `%v` the text of a plain value, else its JSON; `%#v` JSON; `%t` a bool; `%b` `%o` `%d` `%x` `%X` a whole \
         number in base 2, 8, 10, 16; `%e` `%E` with an exponent; `%f` with decimals, 6 unless it says otherwise; `%g` \
         `%G` the shorter of both; `%s` text; `%q` text in quotes.",
        "Between `%` and the verb, in this order: signs (`-` to the left, `0` with zeros, `+` and a space for the sign of \
         a positive number, `#` for the mark of the base), the width, `.` and the precision, `[n]` for the value number \
         n. Width and precision are at most 1000.",
        "Numbers are exact and rounded half to even. `%v` of a number is its text, `1000000`, where OpenTofu writes \
         `1e+06`; `%g` does so here too. `%d` of a fraction is an error: round it first.",
    ]),
    Function::new(
        "formatlist",
        &[("format", "text with verbs"), ("values", "a value for each verb, or a list of them")],
        "A list of texts: `format` for the first element of each list, for the second, and so on.",
        returns::texts,
        formatlist,
    )
    .variadic()
    .required(1)
    .examples(&[
        (r#"formatlist("%s-%d", ["a", "b"], [1, 2])"#, r#"["a-1", "b-2"]"#),
        (r#"formatlist("%s/%s", "eu", ["a", "b"])"#, r#"["eu/a", "eu/b"]"#),
        (
            r#"formatlist("%s%s", ["a"], ["b", "c"])"#,
            "error: `formatlist`: this list has 2 elements and an earlier one 1",
        ),
    ])
    .notes(&["Lists are of one length; what is no list is the same each time."]),
];

/// The widest field, and the most digits after the point.
const MAX_WIDTH: usize = 1_000;

/// A verb: `%-08.2f`.
#[derive(Default)]
struct Verb {
    left: bool,
    zeros: bool,
    plus: bool,
    space: bool,
    sharp: bool,
    width: usize,
    precision: Option<usize>,
    letter: char,
}

impl Verb {
    fn decimals(&self, default: u32) -> u32 {
        self.precision.map_or(default, |precision| u32::try_from(precision).unwrap_or(default))
    }

    /// A number with the sign that is asked for.
    fn signed(&self, number: String) -> String {
        match (number.starts_with('-'), self.plus, self.space) {
            (false, true, _) => format!("+{number}"),
            (false, false, true) => format!(" {number}"),
            _ => number,
        }
    }
}

fn format(call: &Call<'_>) -> Result<Value, Fault> {
    let pattern = call.text(0)?;
    let values: Vec<&Value> = call.arguments.iter().skip(1).collect();
    text(filled(call, &pattern, &values)?)
}

fn formatlist(call: &Call<'_>) -> Result<Value, Fault> {
    let pattern = call.text(0)?;
    let mut length = None;
    for (index, argument) in call.arguments.iter().enumerate().skip(1) {
        let Some(items) = argument.elements() else { continue };
        match length {
            None => length = Some(items.len()),
            Some(length) if length == items.len() => {}
            Some(length) => {
                let found = items.len();
                let message = format!("this list has {found} elements and an earlier one {length}");
                return Err(call.fault(index, message));
            }
        }
    }
    let mut all = Vec::new();
    let mut size = 0;
    for index in 0..length.unwrap_or(1) {
        let values: Vec<&Value> = call
            .arguments
            .iter()
            .skip(1)
            .map(|argument| {
                argument.elements().map_or(argument, |items| items.get(index).unwrap_or(argument))
            })
            .collect();
        let one = filled(call, &pattern, &values)?;
        size += one.len();
        call.room_for_text(size)?;
        call.work(1 + pattern.len() / 32)?;
        all.push(Value::string(&one));
    }
    Ok(Value::List(Arc::new(all)))
}

/// The text with its values; value 0 is the call's argument 1.
fn filled(call: &Call<'_>, pattern: &str, values: &[&Value]) -> Result<String, Fault> {
    let mut result = String::new();
    let mut rest = pattern;
    let (mut next, mut used) = (0_usize, 0_usize);
    while let Some((before, after)) = rest.split_once('%') {
        result.push_str(before);
        if let Some(after) = after.strip_prefix('%') {
            result.push('%');
            rest = after;
            continue;
        }
        let (verb, chosen, after) = verb(call, after)?;
        let index = chosen.unwrap_or(next);
        let Some(value) = values.get(index) else {
            let message = format!("there is no value for the verb `%{}`, number {}", verb.letter, index + 1);
            return Err(call.fault(0, message));
        };
        result.push_str(&field(call, index + 1, value, &verb)?);
        call.room_for_text(result.len())?;
        next = index + 1;
        used = used.max(next);
        rest = after;
    }
    result.push_str(rest);
    match values.get(used) {
        Some(value) => Err(call.fault(used + 1, format_args!("there are more values than verbs: {value}"))),
        None => Ok(result),
    }
}

/// The verb that a text begins with, the index of the value that it names, and what follows.
fn verb<'t>(call: &Call<'_>, text: &'t str) -> Result<(Verb, Option<usize>, &'t str), Fault> {
    let mut verb = Verb::default();
    let mut rest = text;
    while let Some(sign) = rest.chars().next().filter(|c| "-0+ #".contains(*c)) {
        match sign {
            '-' => verb.left = true,
            '+' => verb.plus = true,
            ' ' => verb.space = true,
            '#' => verb.sharp = true,
            _ => verb.zeros = true,
        }
        rest = rest.get(1..).unwrap_or("");
    }
    let digits = |text: &'t str| {
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (digits, rest) = text.split_at(end);
        // So many digits are too wide anyway.
        ((!digits.is_empty()).then(|| digits.parse().unwrap_or(usize::MAX)), rest)
    };
    let (width, after) = digits(rest);
    verb.width = width.unwrap_or(0);
    rest = after;
    if let Some(after) = rest.strip_prefix('.') {
        let (precision, after) = digits(after);
        verb.precision = Some(precision.unwrap_or(0));
        rest = after;
    }
    if verb.width > MAX_WIDTH || verb.precision.is_some_and(|precision| precision > MAX_WIDTH) {
        return Err(call.fault(0, format_args!("a field is wider than {MAX_WIDTH}")));
    }
    let mut chosen = None;
    if let Some(after) = rest.strip_prefix('[') {
        let (index, after) = digits(after);
        match (index, after.strip_prefix(']')) {
            (Some(index @ 1..), Some(after)) => {
                chosen = Some(index - 1);
                rest = after;
            }
            _ => return Err(call.fault(0, "the number of a value is written `[1]`, from 1")),
        }
    }
    let mut chars = rest.chars();
    match chars.next() {
        Some(letter) => {
            verb.letter = letter;
            Ok((verb, chosen, chars.as_str()))
        }
        None => Err(call.fault(0, "the text ends after `%`; a percent sign is written `%%`")),
    }
}

/// One value by its verb, padded.
fn field(call: &Call<'_>, index: usize, value: &Value, verb: &Verb) -> Result<String, Fault> {
    let letter = verb.letter;
    let wanted = |wanted: &str| {
        let found = if value.is_null() {
            "and the value is null".to_owned()
        } else {
            format!("not {}: {value}", value.type_name())
        };
        let comma = if value.is_null() { " " } else { ", " };
        call.fault(index, format_args!("{wanted} for `%{letter}` is wanted{comma}{found}"))
    };
    let number = || to_number(value).map_err(|_| wanted("a number"));
    let whole = |base: u32, mark: &str| -> Result<String, Fault> {
        let digits = number()?.to_radix(base).ok_or_else(|| {
            wanted("a whole number").help("round it with `floor` or `ceil`, or write `%.0f`")
        })?;
        let digits = match (verb.sharp, digits.strip_prefix('-')) {
            (true, Some(digits)) => format!("-{mark}{digits}"),
            (true, None) => format!("{mark}{digits}"),
            (false, _) => digits,
        };
        Ok(verb.signed(digits))
    };
    let as_text = || to_text(value).map_err(|fault| fault.argument(index));
    let cut = |text: &str| match verb.precision {
        Some(precision @ 1..) => characters(text).take(precision).collect(),
        _ => text.to_owned(),
    };
    let body = match letter {
        'v' if verb.sharp => json_text(value)?,
        'v' => match value {
            Value::Null | Value::List(_) | Value::Set(_) | Value::Object(_) => json_text(value)?,
            Value::Number(_) => verb.signed(as_text()?.to_string()),
            _ => cut(&as_text()?),
        },
        's' => cut(&as_text()?),
        'q' => quoted(&cut(&as_text()?)),
        't' => match to_bool(value) {
            Ok(Some(value)) => value.to_string(),
            _ => return Err(wanted("a bool")),
        },
        'b' => whole(2, "0b")?,
        'o' => whole(8, "0")?,
        'd' => whole(10, "")?,
        'x' => whole(16, "0x")?,
        'X' => whole(16, "0x")?.to_uppercase(),
        'f' => verb.signed(number()?.to_decimal_string(verb.decimals(6))),
        'e' | 'E' => verb.signed(exponent(&number()?, verb.decimals(6), letter)),
        'g' | 'G' => verb.signed(shorter(&number()?, verb.precision, letter)),
        other => {
            return Err(call
                .fault(0, format_args!("there is no verb `%{other}`"))
                .help("the verbs are v t b o d x X e E f g G s q"));
        }
    };
    let missing = verb.width.saturating_sub(characters(&body).count());
    Ok(if verb.left {
        body + &" ".repeat(missing)
    } else if verb.zeros && to_number(value).is_ok() && !"sqvt".contains(letter) {
        let (sign, digits) = body.split_at(usize::from(body.starts_with(['-', '+', ' '])));
        format!("{sign}{}{digits}", "0".repeat(missing))
    } else {
        " ".repeat(missing) + &body
    })
}

/// A number as `1.5e+06`, with so many digits after the point.
fn exponent(number: &Number, decimals: u32, letter: char) -> String {
    let (digits, exponent) = number.scientific(decimals.saturating_add(1));
    with_exponent(number, &digits, exponent, letter)
}

fn with_exponent(number: &Number, digits: &str, exponent: i64, letter: char) -> String {
    let sign = if number.is_negative() { "-" } else { "" };
    let (first, rest) = digits.split_at(1.min(digits.len()));
    let point = if rest.is_empty() { "" } else { "." };
    let direction = if exponent < 0 { '-' } else { '+' };
    let letter = if letter.is_ascii_uppercase() { 'E' } else { 'e' };
    format!("{sign}{first}{point}{rest}{letter}{direction}{:02}", exponent.unsigned_abs())
}

/// The exponent form for numbers that are very large or small, else the plain one; without zeros at the end. The
/// precision is that of significant digits.
fn shorter(number: &Number, precision: Option<usize>, letter: char) -> String {
    let (digits, exponent) = match precision {
        Some(precision) => number.scientific(u32::try_from(precision.max(1)).unwrap_or(1)),
        None => number.shortest(),
    };
    let digits = digits.trim_end_matches('0');
    let digits = if digits.is_empty() { "0" } else { digits };
    let count = i64::try_from(digits.len()).unwrap_or(i64::MAX);
    // From how many digits before the point on the exponent form is taken: Go's rule.
    let most = match precision.map(|precision| i64::try_from(precision.max(1)).unwrap_or(i64::MAX)) {
        None => 6,
        Some(precision) if precision > count && count > exponent => count,
        Some(precision) => precision,
    };
    if exponent < -4 || exponent >= most.max(1) {
        return with_exponent(number, digits, exponent, letter);
    }
    number.to_decimal_string(u32::try_from((count - 1 - exponent).max(0)).unwrap_or(0))
}
