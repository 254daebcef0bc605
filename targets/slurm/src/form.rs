//! Values between a file's text and a body's JSON, by [`Form`].

use poolwright_expression::quantity::Hosts;
use serde_json::{Map, Value};

use crate::keys::Form;

/// The text of a value, without quotes around it.
pub(crate) fn write(form: Form, value: &Value) -> String {
    match (form, value) {
        (Form::Flag, Value::Bool(yes)) => if *yes { "YES" } else { "NO" }.to_owned(),
        (_, Value::Array(words)) => words.iter().map(plain).collect::<Vec<_>>().join(","),
        (_, Value::Object(weights)) => weights
            .iter()
            .map(|(name, weight)| format!("{name}={}", plain(weight)))
            .collect::<Vec<_>>()
            .join(","),
        (_, other) => plain(other),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The value of a text, or what was expected instead.
pub(crate) fn read(form: Form, text: &str) -> Result<Value, String> {
    match form {
        Form::Text => Ok(Value::from(text)),
        Form::Number => number(text).ok_or_else(|| format!("\"{text}\" is not a whole number")),
        Form::Flag => match text.to_ascii_uppercase().as_str() {
            "YES" => Ok(Value::from(true)),
            "NO" => Ok(Value::from(false)),
            _ => Err(format!("\"{text}\" is neither YES nor NO")),
        },
        Form::List => Ok(text.split(',').filter(|word| !word.is_empty()).map(Value::from).collect()),
        Form::Hosts => Hosts::parse(text)
            .map(|hosts| Value::from(canonical_hosts(hosts)))
            .map_err(|error| format!("\"{text}\" is not a list of hosts: {}", error.message)),
        Form::Time | Form::Clock => seconds(text)
            .and_then(|seconds| match form {
                Form::Time => seconds.div_ceil(60).checked_mul(60),
                _ => Some(seconds),
            })
            .map(|seconds| Value::from(time(seconds)))
            .ok_or_else(|| format!("\"{text}\" is not a time: minutes, HH:MM:SS or D-HH:MM:SS")),
        Form::Weights => {
            let mut weights = Map::new();
            for part in text.split(',').filter(|part| !part.is_empty()) {
                let (name, weight) =
                    part.rsplit_once('=').ok_or_else(|| format!("\"{part}\" is not name=number"))?;
                weights.insert(name.to_owned(), number(weight).unwrap_or_else(|| Value::from(weight)));
            }
            Ok(Value::Object(weights))
        }
    }
}

fn number(text: &str) -> Option<Value> {
    text.strip_suffix(".0").unwrap_or(text).parse::<u64>().ok().map(Value::from)
}

/// Hosts sorted by their numbers, not their digits, and folded: one text for one set of hosts.
#[must_use]
pub(crate) fn canonical_hosts(mut hosts: Hosts) -> String {
    hosts.0.sort_by_cached_key(|name| natural(name));
    hosts.fold()
}

/// A name cut into text and numbers, so that `n2` comes before `n10`.
fn natural(name: &str) -> Vec<(String, u64)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let (text, after) = rest.split_at(rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len()));
        let (digits, after) =
            after.split_at(after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len()));
        parts.push((text.to_owned(), digits.parse().unwrap_or(u64::MAX)));
        rest = after;
    }
    parts.push((name.to_owned(), 0));
    parts
}

/// Seconds as Slurm shows a time: `08:00:00`, `2-00:00:00`.
#[must_use]
pub(crate) fn time(seconds: u64) -> String {
    let (days, hours, minutes, seconds) =
        (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    if days == 0 {
        format!("{hours:02}:{minutes:02}:{seconds:02}")
    } else {
        format!("{days}-{hours:02}:{minutes:02}:{seconds:02}")
    }
}

/// Seconds of `90`, `90:30`, `01:30:00`, `2-12`, `2-12:30`, `2-12:30:00`; a number alone is minutes.
fn seconds(text: &str) -> Option<u64> {
    let (days, rest) = match text.split_once('-') {
        Some((days, rest)) => (Some(days.parse::<u64>().ok()?), rest),
        None => (None, text),
    };
    let parts = rest.split(':').map(|part| part.parse::<u64>().ok()).collect::<Option<Vec<_>>>()?;
    let (hours, minutes, seconds) = match (days.is_some(), parts.as_slice()) {
        (false, [minutes]) => (0, *minutes, 0),
        (false, [minutes, seconds]) => (0, *minutes, *seconds),
        (true, [hours]) => (*hours, 0, 0),
        (true, [hours, minutes]) => (*hours, *minutes, 0),
        (_, [hours, minutes, seconds]) => (*hours, *minutes, *seconds),
        _ => return None,
    };
    days.unwrap_or(0)
        .checked_mul(86_400)?
        .checked_add(hours.checked_mul(3600)?)?
        .checked_add(minutes.checked_mul(60)?)?
        .checked_add(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_one_text() {
        for (written, shown) in [
            ("2880", "2-00:00:00"),
            ("480", "08:00:00"),
            ("08:00:00", "08:00:00"),
            ("2-0", "2-00:00:00"),
            ("1-12:30", "1-12:30:00"),
            ("90:30", "01:31:00"),
        ] {
            assert_eq!(read(Form::Time, written), Ok(Value::from(shown)), "{written}");
        }
        for (written, shown) in [("90:30", "01:30:30"), ("5", "00:05:00"), ("1-0:0:1", "1-00:00:01")] {
            assert_eq!(read(Form::Clock, written), Ok(Value::from(shown)), "{written}");
        }
        assert!(read(Form::Time, "2 days").is_err());
        assert!(read(Form::Time, "1:2:3:4").is_err());
        assert!(read(Form::Time, "99999999999999999999").is_err());
    }

    #[test]
    fn hosts_have_one_text() {
        for (written, shown) in
            [("gpu[003-004],gpu[001-002]", "gpu[001-004]"), ("n10,n2,n1", "n[1-2,10]"), ("b1,a1", "a1,b1")]
        {
            assert_eq!(read(Form::Hosts, written), Ok(Value::from(shown)), "{written}");
        }
        assert!(read(Form::Hosts, "gpu[1-").is_err());
    }

    #[test]
    fn weights_keep_colons_and_refuse_what_has_no_number() {
        let weights = read(Form::Weights, "GRES/gpu:h100=223,Node=4.0").unwrap();
        assert_eq!(weights["GRES/gpu:h100"], 223);
        assert_eq!(weights["Node"], 4);
        assert!(read(Form::Weights, "GRES/gpu").is_err());
    }
}
