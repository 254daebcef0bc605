//! Escapes in strings and templates, resolved.

use std::borrow::Cow;

/// The text of a quoted literal, its escapes resolved. An invalid escape stays as it is; it has been reported.
pub(crate) fn quoted(raw: &str) -> Cow<'_, str> {
    if !raw.contains(['\\', '$', '%']) {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(c) = rest.chars().next() {
        let (character, length) = if c == '\\' { backslash(rest) } else { (c, c.len_utf8()) };
        out.push(character);
        rest = after_marker(rest, &mut out).unwrap_or_else(|| rest.get(length..).unwrap_or(""));
    }
    Cow::Owned(out)
}

/// The text of a heredoc's literal: only `$${` and `%%{` are escapes.
pub(crate) fn heredoc(raw: &str) -> Cow<'_, str> {
    if !raw.contains("$${") && !raw.contains("%%{") {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(c) = rest.chars().next() {
        out.push(c);
        rest = after_marker(rest, &mut out).unwrap_or_else(|| rest.get(c.len_utf8()..).unwrap_or(""));
    }
    Cow::Owned(out)
}

/// At `$${` or `%%{`, of which the first character is written already: writes the brace, and returns what follows.
fn after_marker<'a>(rest: &'a str, out: &mut String) -> Option<&'a str> {
    let after = rest.strip_prefix("$${").or_else(|| rest.strip_prefix("%%{"))?;
    out.push('{');
    Some(after)
}

/// The character of the escape at the beginning of `rest`, and how many bytes it takes.
fn backslash(rest: &str) -> (char, usize) {
    let digits = match rest.as_bytes().get(1) {
        Some(b'n') => return ('\n', 2),
        Some(b'r') => return ('\r', 2),
        Some(b't') => return ('\t', 2),
        Some(b'\\') => return ('\\', 2),
        Some(b'"') => return ('"', 2),
        Some(b'u') => 4,
        Some(b'U') => 8,
        _ => return ('\\', 1),
    };
    let hex = rest.get(2..2 + digits).and_then(|hex| u32::from_str_radix(hex, 16).ok());
    hex.and_then(char::from_u32).map_or(('\\', 1), |character| (character, 2 + digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_resolved() {
        assert_eq!(quoted(r#"a\n\t\"\\é\u00e9\U0001F600"#), "a\n\t\"\\éé😀");
        assert_eq!(quoted("$${a} %%{b} $$ % $$${c"), "${a} %{b} $$ % $${c");
        assert_eq!(heredoc("\\n $${a} €%%{"), "\\n ${a} €%{");
    }
}
