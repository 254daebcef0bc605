//! Text.

use super::{Call, Function, returns};
use crate::evaluate::{to_number, to_text};
use crate::{Fault, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "tostring",
        &["value"],
        "The text of a number, bool or quantity.",
        "tostring(1.5) = \"1.5\"",
        returns::text,
        tostring,
    ),
    Function::new(
        "join",
        &["separator", "lists"],
        "One text of many, with a separator between.",
        "join(\", \", [\"a\", \"b\"]) = \"a, b\"",
        returns::text,
        join,
    )
    .variadic()
    .required(2),
    Function::new(
        "split",
        &["separator", "text"],
        "The parts of a text between separators.",
        "split(\",\", \"a,b\") = [\"a\", \"b\"]",
        returns::texts,
        split,
    ),
    Function::new(
        "format",
        &["format", "values"],
        "A text with values at its verbs: %s %d %f %q %v %x, %% for a percent sign.",
        "format(\"n-%03d\", 7) = \"n-007\"",
        returns::text,
        format,
    )
    .variadic()
    .required(1),
    Function::new("upper", &["text"], "In capitals.", "upper(\"ab\") = \"AB\"", returns::text, upper),
    Function::new("lower", &["text"], "Without capitals.", "lower(\"AB\") = \"ab\"", returns::text, lower),
    Function::new(
        "title",
        &["text"],
        "With a capital at the start of each word.",
        "title(\"a word\") = \"A Word\"",
        returns::text,
        title,
    ),
    Function::new(
        "trim",
        &["text", "characters"],
        "Without these characters at both ends.",
        "trim(\"--a-\", \"-\") = \"a\"",
        returns::text,
        trim,
    ),
    Function::new(
        "trimspace",
        &["text"],
        "Without white space at both ends.",
        "trimspace(\" a \") = \"a\"",
        returns::text,
        trimspace,
    ),
    Function::new(
        "trimprefix",
        &["text", "prefix"],
        "Without a text at the start.",
        "trimprefix(\"gpu-a\", \"gpu-\") = \"a\"",
        returns::text,
        trimprefix,
    ),
    Function::new(
        "trimsuffix",
        &["text", "suffix"],
        "Without a text at the end.",
        "trimsuffix(\"a.yaml\", \".yaml\") = \"a\"",
        returns::text,
        trimsuffix,
    ),
    Function::new(
        "chomp",
        &["text"],
        "Without line ends at the end.",
        "chomp(\"a\\n\") = \"a\"",
        returns::text,
        chomp,
    ),
    Function::new(
        "indent",
        &["spaces", "text"],
        "With spaces before every line but the first.",
        "indent(2, \"a\\nb\") = \"a\\n  b\"",
        returns::text,
        indent,
    ),
    Function::new(
        "replace",
        &["text", "old", "new"],
        "With each occurrence of a text replaced.",
        "replace(\"a.b\", \".\", \"-\") = \"a-b\"",
        returns::text,
        replace,
    ),
    Function::new(
        "startswith",
        &["text", "prefix"],
        "Whether the text starts with another.",
        "startswith(\"eu-west-1\", \"eu-\") = true",
        returns::bool,
        startswith,
    ),
    Function::new(
        "endswith",
        &["text", "suffix"],
        "Whether the text ends with another.",
        "endswith(\"a.hcl\", \".hcl\") = true",
        returns::bool,
        endswith,
    ),
    Function::new(
        "strcontains",
        &["text", "part"],
        "Whether the text contains another.",
        "strcontains(\"abc\", \"b\") = true",
        returns::bool,
        strcontains,
    ),
    Function::new(
        "substr",
        &["text", "offset", "length"],
        "So many characters from an offset; -1: to the end; a negative offset counts from the end.",
        "substr(\"hello\", 1, 3) = \"ell\"",
        returns::text,
        substr,
    ),
    Function::new(
        "strrev",
        &["text"],
        "The characters from last to first.",
        "strrev(\"ab\") = \"ba\"",
        returns::text,
        strrev,
    ),
];

/// The widest field that `format` pads to.
const MAX_WIDTH: usize = 1_000;

fn text(result: impl AsRef<str>) -> Result<Value, Fault> {
    Ok(Value::string(result.as_ref()))
}

fn tostring(call: &Call<'_>) -> Result<Value, Fault> {
    if call.argument(0).is_null() {
        return Ok(Value::Null);
    }
    to_text(call.argument(0)).map(Value::String)
}

fn join(call: &Call<'_>) -> Result<Value, Fault> {
    let separator = call.text(0)?;
    let mut parts = Vec::new();
    for index in 1..call.arguments.len() {
        for item in call.list(index)? {
            parts.push(to_text(item).map_err(|fault| fault.argument(index))?);
        }
    }
    text(parts.join(&*separator))
}

fn split(call: &Call<'_>) -> Result<Value, Fault> {
    let (separator, whole) = (call.text(0)?, call.text(1)?);
    if whole.is_empty() {
        return Ok(Value::list([]));
    }
    if separator.is_empty() {
        return Ok(Value::list(whole.chars().map(|c| Value::string(c.encode_utf8(&mut [0; 4])))));
    }
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
            result.extend(c.to_uppercase())
        } else {
            result.push(c)
        }
        start = !c.is_alphanumeric();
    }
    text(result)
}

fn trim(call: &Call<'_>) -> Result<Value, Fault> {
    let cut = call.text(1)?;
    text(call.text(0)?.trim_matches(|c| cut.contains(c)))
}

fn trimspace(call: &Call<'_>) -> Result<Value, Fault> {
    text(call.text(0)?.trim())
}

fn trimprefix(call: &Call<'_>) -> Result<Value, Fault> {
    let whole = call.text(0)?;
    text(whole.strip_prefix(&*call.text(1)?).unwrap_or(&whole))
}

fn trimsuffix(call: &Call<'_>) -> Result<Value, Fault> {
    let whole = call.text(0)?;
    text(whole.strip_suffix(&*call.text(1)?).unwrap_or(&whole))
}

fn chomp(call: &Call<'_>) -> Result<Value, Fault> {
    text(call.text(0)?.trim_end_matches(['\n', '\r']))
}

fn indent(call: &Call<'_>) -> Result<Value, Fault> {
    let spaces = call.size(0)?;
    if spaces > MAX_WIDTH {
        return Err(call.fault(0, format_args!("at most {MAX_WIDTH} spaces")));
    }
    text(call.text(1)?.replace('\n', &format!("\n{}", " ".repeat(spaces))))
}

fn replace(call: &Call<'_>) -> Result<Value, Fault> {
    let (whole, old, new) = (call.text(0)?, call.text(1)?, call.text(2)?);
    if old.len() > 1 && old.starts_with('/') && old.ends_with('/') {
        return Err(
            call.fault(1, "regular expressions are not supported; a text between slashes would be one")
        );
    }
    let size = whole.len().saturating_add(whole.matches(&*old).count().saturating_mul(new.len()));
    if size > 64 << 20 {
        return Err(call.fault(2, "the result would be longer than any text needs to be"));
    }
    text(whole.replace(&*old, &new))
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
    let count = i64::try_from(whole.chars().count()).unwrap_or(i64::MAX);
    let start = if offset < 0 { count.saturating_add(offset).max(0) } else { offset };
    let rest = whole.chars().skip(usize::try_from(start).unwrap_or(usize::MAX));
    match length {
        -1 => text(rest.collect::<String>()),
        length => {
            let length = usize::try_from(length).map_err(|_| call.wanted(2, "a length of at least -1"))?;
            text(rest.take(length).collect::<String>())
        }
    }
}

fn strrev(call: &Call<'_>) -> Result<Value, Fault> {
    text(call.text(0)?.chars().rev().collect::<String>())
}

/// A verb of `format`: `%-08.2f`.
#[derive(Default)]
struct Verb {
    left: bool,
    zeros: bool,
    plus: bool,
    width: usize,
    precision: Option<usize>,
}

fn format(call: &Call<'_>) -> Result<Value, Fault> {
    let pattern = call.text(0)?;
    let mut result = String::new();
    let mut chars = pattern.chars().peekable();
    let mut next = 1;
    while let Some(c) = chars.next() {
        if c != '%' {
            result.push(c);
            continue;
        }
        let mut verb = Verb::default();
        while let Some(flag) = chars.next_if(|c| "-0+".contains(*c)) {
            match flag {
                '-' => verb.left = true,
                '+' => verb.plus = true,
                _ => verb.zeros = true,
            }
        }
        let mut digits = || {
            let mut number = None;
            while let Some(digit) = chars.next_if(char::is_ascii_digit) {
                let value = usize::try_from(digit.to_digit(10).unwrap_or(0)).unwrap_or(0);
                number = Some((number.unwrap_or(0) * 10 + value).min(MAX_WIDTH + 1));
            }
            number
        };
        verb.width = digits().unwrap_or(0);
        let point = chars.next_if_eq(&'.').is_some();
        if point {
            let mut precision = 0;
            while let Some(digit) = chars.next_if(char::is_ascii_digit) {
                let value = usize::try_from(digit.to_digit(10).unwrap_or(0)).unwrap_or(0);
                precision = (precision * 10 + value).min(MAX_WIDTH + 1);
            }
            verb.precision = Some(precision);
        }
        if verb.width > MAX_WIDTH || verb.precision.is_some_and(|precision| precision > MAX_WIDTH) {
            return Err(call.fault(0, format_args!("a field is wider than {MAX_WIDTH}")));
        }
        match chars.next() {
            Some('%') => result.push('%'),
            Some(letter) => {
                if next >= call.arguments.len() {
                    return Err(call.fault(
                        0,
                        format_args!("there is no value for the verb `%{letter}`, number {next}"),
                    ));
                }
                result.push_str(&field(call, next, letter, &verb)?);
                next += 1;
            }
            None => return Err(call.fault(0, "the text ends after `%`; a percent sign is written `%%`")),
        }
    }
    if next < call.arguments.len() {
        return Err(
            call.fault(next, format_args!("there are more values than verbs: {}", call.argument(next)))
        );
    }
    text(result)
}

fn field(call: &Call<'_>, index: usize, letter: char, verb: &Verb) -> Result<String, Fault> {
    let value = call.argument(index);
    let number = || to_number(value).map_err(|_| call.wanted(index, &format!("a number for `%{letter}`")));
    let plus = |text: String| if verb.plus && !text.starts_with('-') { format!("+{text}") } else { text };
    let body = match letter {
        's' | 'v' => {
            let whole = match (letter, value) {
                ('v', Value::Null | Value::List(_) | Value::Set(_) | Value::Object(_)) => {
                    super::encoding::json_text(value).into()
                }
                _ => to_text(value).map_err(|fault| fault.argument(index))?,
            };
            match verb.precision {
                Some(precision) => whole.chars().take(precision).collect(),
                None => whole.to_string(),
            }
        }
        'q' => {
            super::encoding::json_text(&Value::String(to_text(value).map_err(|fault| fault.argument(index))?))
        }
        'd' => plus(number()?.round_half_even(0).to_string()),
        'f' => plus(number()?.to_decimal_string(u32::try_from(verb.precision.unwrap_or(6)).unwrap_or(6))),
        'g' => plus(number()?.to_string()),
        'x' => number()?
            .to_i64()
            .map(|n| format!("{n:x}"))
            .ok_or_else(|| call.wanted(index, "a whole number for `%x`"))?,
        't' => match value {
            Value::Bool(value) => value.to_string(),
            _ => return Err(call.wanted(index, "a bool for `%t`")),
        },
        other => return Err(call.fault(0, format_args!("there is no verb `%{other}`"))),
    };
    let missing = verb.width.saturating_sub(body.chars().count());
    Ok(match (verb.left, verb.zeros && "dfgx".contains(letter)) {
        (true, _) => body + &" ".repeat(missing),
        (false, true) => {
            let (sign, digits) = body.split_at(usize::from(body.starts_with(['-', '+'])));
            format!("{sign}{}{digits}", "0".repeat(missing))
        }
        (false, false) => " ".repeat(missing) + &body,
    })
}
