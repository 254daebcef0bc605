//! A whole value as people write it, over several lines where it is long.

use std::fmt::Write;

use poolwright_expression::Value;

/// What still stands on one line, characters.
const LINE: usize = 80;

/// The text of a value, as the language writes it; nothing is left out but secrets.
#[must_use]
pub fn value(value: &Value) -> String {
    let mut text = String::new();
    write(&mut text, value, 0, LINE);
    text
}

/// [`value`], always on one line.
#[must_use]
pub fn value_line(value: &Value) -> String {
    let mut text = String::new();
    write(&mut text, value, 0, usize::MAX);
    text
}

fn write(text: &mut String, value: &Value, depth: usize, line: usize) {
    match value {
        Value::List(items) | Value::Set(items) => {
            let set = matches!(value, Value::Set(_));
            let (open, close) = if set { ("toset([", "])") } else { ("[", "]") };
            let parts = items.iter().map(|item| part(item, depth, line));
            several(text, open, close, &parts.collect::<Vec<_>>(), (depth, line), "");
        }
        Value::Object(entries) => {
            let parts = entries
                .iter()
                .map(|(key, value)| format!("{} = {}", key_text(key), part(value, depth, line)));
            several(text, "{", "}", &parts.collect::<Vec<_>>(), (depth, line), " ");
        }
        other => {
            let _ = write!(text, "{other}");
        }
    }
}

fn part(value: &Value, depth: usize, line: usize) -> String {
    let mut text = String::new();
    write(&mut text, value, depth + 1, line);
    text
}

fn several(
    text: &mut String,
    open: &str,
    close: &str,
    parts: &[String],
    (depth, line): (usize, usize),
    pad: &str,
) {
    let length: usize = parts.iter().map(|part| part.chars().count() + 2).sum();
    if parts.is_empty() {
        text.push_str(open);
        text.push_str(close);
    } else if length + depth * 2 <= line && !parts.iter().any(|part| part.contains('\n')) {
        let _ = write!(text, "{open}{pad}{}{pad}{close}", parts.join(", "));
    } else {
        let _ = writeln!(text, "{open}");
        for part in parts {
            let _ = writeln!(text, "{}{part},", "  ".repeat(depth + 1));
        }
        let _ = write!(text, "{}{close}", "  ".repeat(depth));
    }
}

/// A key without quotes where none are needed.
fn key_text(key: &str) -> String {
    let plain = key.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && key.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    if plain { key.to_owned() } else { Value::string(key).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_values_stand_on_a_line_and_long_ones_do_not() {
        let short =
            Value::object([("a", Value::list([Value::number(1_i64), Value::Null])), ("b c", true.into())]);
        assert_eq!(value(&short), "{ a = [1, null], \"b c\" = true }");
        let long = Value::list((0..3).map(|index| Value::string(&format!("{index}").repeat(40))));
        let line = |digit: &str| format!("  \"{}\",\n", digit.repeat(40));
        assert_eq!(value(&long), format!("[\n{}{}{}]", line("0"), line("1"), line("2")));
        assert_eq!(value(&Value::set([])), "toset([])");
        assert_eq!(value(&Value::string("x").sensitive()), "(sensitive)");
    }
}
