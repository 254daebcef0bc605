//! What the scanner and the bracket matcher report: one function a fault, so that wording and fixes stand in one place.

use poolwright_diagnostics::{Applicability, Diagnostic, Edit, Span};

use crate::codes;
use crate::source::replace;

pub(crate) fn unterminated_string(open: Span, end: Span, certain: bool) -> Diagnostic {
    let applicability = if certain { Applicability::Safe } else { Applicability::Unsafe };
    Diagnostic::error(codes::UNTERMINATED_STRING, "this string is not closed on its line")
        .at(open, "opened here")
        .with_help("close it with `\"`")
        .with_fix("insert the closing quote", applicability, replace(end, "\""))
}

pub(crate) fn raw_newline(string: Span, newline: Span) -> Diagnostic {
    Diagnostic::error(codes::RAW_NEWLINE, "a quoted string cannot run over several lines")
        .at(string, "its line ends here")
        .with_help("write a line break as `\\n`, or use a heredoc: `<<-EOT`, the lines, `EOT`")
        .with_fix("replace the line break with `\\n`", Applicability::Unsafe, replace(newline, "\\n"))
}

pub(crate) fn unterminated_heredoc(open: Span, marker: &str, near: Option<Span>) -> Diagnostic {
    let fault =
        Diagnostic::error(codes::UNTERMINATED_HEREDOC, format!("this heredoc has no end marker `{marker}`"))
            .at(open, "begins here");
    match near {
        Some(near) => fault.also(near, "not the marker: upper and lower case differ").with_fix(
            format!("write it as `{marker}`"),
            Applicability::Safe,
            replace(near, marker),
        ),
        None => fault.with_help(format!("end it with a line that holds only `{marker}`")),
    }
}

pub(crate) fn quoted_marker(place: Span, marker: &str) -> Diagnostic {
    Diagnostic::error(codes::UNTERMINATED_HEREDOC, "a heredoc's marker has no quotes").at(place, "").with_fix(
        "remove the quotes",
        Applicability::Safe,
        replace(place, marker),
    )
}

pub(crate) fn heredoc_marker(place: Span, message: &str) -> Diagnostic {
    Diagnostic::error(codes::UNTERMINATED_HEREDOC, message)
        .at(place, "")
        .with_help("a heredoc begins with `<<-EOT` at the end of a line")
}

pub(crate) fn unterminated_comment(open: Span) -> Diagnostic {
    Diagnostic::error(codes::UNTERMINATED_COMMENT, "this comment is never closed")
        .at(open, "opened here")
        .with_help("close it with `*/`, or begin each line of it with `#`")
}

pub(crate) fn invalid_escape(place: Span, escaped: char) -> Diagnostic {
    let shown = escaped.escape_debug();
    let fault = Diagnostic::error(codes::INVALID_ESCAPE, format!("`\\{shown}` is no escape")).at(place, "");
    match escaped {
        '$' | '%' => fault
            .with_note(format!(
                "`{escaped}` needs no escape; a literal `{escaped}{{` is written `{escaped}{escaped}{{`"
            ))
            .with_fix("remove the backslash", Applicability::Unsafe, replace(place, escaped)),
        '\'' => fault.with_fix("remove the backslash", Applicability::Safe, replace(place, "'")),
        _ => fault
            .with_note("escapes are `\\n`, `\\r`, `\\t`, `\\\"`, `\\\\`, `\\uXXXX` and `\\UXXXXXXXX`")
            .with_fix(
                "write the backslash as `\\\\`",
                Applicability::Safe,
                replace(place, format!("\\\\{escaped}")),
            ),
    }
}

pub(crate) fn invalid_unicode_escape(place: Span, digits: usize, found: usize) -> Diagnostic {
    let fault = Diagnostic::error(codes::INVALID_ESCAPE, "this unicode escape names no character");
    if found < digits {
        fault.at(place, format!("{found} of {digits} hexadecimal digits"))
    } else {
        fault.at(place, "").with_note("the highest is 10FFFF, and D800 to DFFF are no characters")
    }
}

pub(crate) fn other_quotes(place: Span, content: Option<&str>) -> Diagnostic {
    let fault = Diagnostic::error(codes::WRONG_QUOTES, "strings are written in double quotes").at(place, "");
    match content {
        Some(content) => {
            fault.with_fix("use double quotes", Applicability::Safe, replace(place, format!("\"{content}\"")))
        }
        None => fault.with_help("use `\"`"),
    }
}

pub(crate) fn invisible_character(place: Span, c: char) -> Diagnostic {
    let code = u32::from(c);
    Diagnostic::error(codes::UNEXPECTED_CHARACTER, format!("an invisible character, U+{code:04X}"))
        .at(place, "here")
        .with_note("it often comes with text copied from a web page")
        .with_fix("replace it with a space", Applicability::Safe, replace(place, " "))
}

pub(crate) fn semicolon(place: Span) -> Diagnostic {
    Diagnostic::error(codes::UNEXPECTED_CHARACTER, "a line does not end with `;`").at(place, "").with_fix(
        "remove it",
        Applicability::Safe,
        replace(place, ""),
    )
}

pub(crate) fn unexpected_character(place: Span, c: char) -> Diagnostic {
    let fault = Diagnostic::error(
        codes::UNEXPECTED_CHARACTER,
        format!("unexpected character `{}`", c.escape_debug()),
    )
    .at(place, "");
    match c {
        ';' => fault.with_help("begin a new line instead"),
        '@' | '$' | '^' | '~' | '\\' => fault.with_help("text is written in double quotes"),
        _ => fault,
    }
}

pub(crate) fn bare_money(place: Span, text: &str) -> Diagnostic {
    Diagnostic::error(codes::BAD_NUMBER, "an amount of money is written as a string").at(place, "").with_fix(
        "put it in quotes",
        Applicability::Safe,
        replace(place, format!("\"{text}\"")),
    )
}

pub(crate) fn bad_number(place: Span, text: &str) -> Diagnostic {
    let fault = |message: &str| Diagnostic::error(codes::BAD_NUMBER, message.to_owned()).at(place, "");
    let quote = |fault: Diagnostic| {
        fault.with_fix("put it in quotes", Applicability::Safe, replace(place, format!("\"{text}\"")))
    };
    let digits: String = text.chars().filter(|c| *c != '_').collect();
    let is_plain = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == '.');
    if let Some(whole) = text.strip_suffix('.').filter(|whole| is_plain(whole)) {
        return fault("a number does not end with a point").with_fix(
            "remove the point",
            Applicability::Safe,
            replace(place, whole),
        );
    }
    if text.contains('_') && is_plain(&digits) {
        return fault("digits are not grouped with `_`").with_fix(
            "remove the `_`",
            Applicability::Safe,
            replace(place, digits),
        );
    }
    if is_plain(text) {
        return quote(fault("a number has one point; a version or an address is written as a string"));
    }
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    if unit == "%" {
        return quote(fault("a percentage is written as a string"));
    }
    if unit == "e" || unit == "E" {
        return fault("this exponent has no digits").with_help("write `1e6`, or the digits themselves");
    }
    if text.starts_with("0x") || text.starts_with("0b") || text.starts_with("0o") {
        return fault("numbers are decimal").with_help("write the value in decimal digits");
    }
    let fault = fault(&format!("`{text}` is no number; a value with a unit is written as a string"));
    let applicability = if is_unit(unit) { Applicability::Safe } else { Applicability::Unsafe };
    fault.with_fix("put it in quotes", applicability, replace(place, format!("\"{text}\"")))
}

/// Whether it looks like a unit of time, size, rate or power, perhaps per something: `m`, `GiB`, `kWh`, `Gbps/gpu`.
fn is_unit(text: &str) -> bool {
    let first = text.split('/').next().unwrap_or("");
    let base = first.trim_start_matches(['k', 'K', 'M', 'G', 'T', 'P', 'm', 'u', 'n']);
    let base = base.strip_prefix('i').unwrap_or(base);
    matches!(first, "m" | "min" | "mo")
        || matches!(base, "s" | "h" | "d" | "w" | "y" | "B" | "b" | "bps" | "W" | "Wh" | "Hz")
}

pub(crate) fn bare_interpolation(open: Span, close: Span, inner: &str) -> Diagnostic {
    let shown = if inner.len() <= 60 && !inner.contains('\n') { inner } else { "…" };
    let edits = vec![Edit { span: open, text: String::new() }, Edit { span: close, text: String::new() }];
    Diagnostic::error(codes::BARE_INTERPOLATION, "`${…}` is only for strings")
        .at(open.to(close), "")
        .with_help(format!("outside a string write the expression alone: `{shown}`"))
        .with_fix("remove `${` and `}`", Applicability::Safe, edits)
}

pub(crate) fn unclosed_interpolation(open: Span, text: &str) -> Diagnostic {
    let start = text.get(..2).unwrap_or(text);
    Diagnostic::error(codes::UNCLOSED_INTERPOLATION, format!("this `{start}` is not closed"))
        .at(open, "opened here")
        .with_help(format!(
            "close it with `}}`; a literal `{start}` is written `{}{start}`",
            start.get(..1).unwrap_or("")
        ))
}

/// What closes `opener`.
pub(crate) fn closer(opener: &str) -> &'static str {
    match opener {
        "[" => "]",
        "(" => ")",
        _ => "}",
    }
}

pub(crate) fn unclosed(open: Span, text: &str, next: Span) -> Diagnostic {
    let closer = closer(text);
    Diagnostic::error(codes::UNCLOSED, format!("this `{text}` is never closed"))
        .at(open, "opened here")
        .also(next, format!("the `{closer}` is missing before this"))
        .with_help(format!("close it with `{closer}`"))
}

pub(crate) fn mismatched(open: Span, opener: &str, close: Span, closer: &str, right: &str) -> Diagnostic {
    Diagnostic::error(codes::UNCLOSED, format!("`{opener}` is closed by `{closer}`"))
        .at(close, format!("expected `{right}`"))
        .also(open, "opened here")
        .with_fix(format!("use `{right}`"), Applicability::Unsafe, replace(close, right))
}

pub(crate) fn stray_closer(place: Span, text: &str, suspect: Option<Span>) -> Diagnostic {
    let fault = Diagnostic::error(codes::STRAY_CLOSER, format!("this `{text}` closes nothing")).at(place, "");
    match suspect {
        Some(suspect) => {
            fault.also(suspect, "the block was already closed here, by a `}` that is not indented like it")
        }
        None => fault.with_help("remove it, or open what it should close"),
    }
}

pub(crate) fn too_deep(place: Span, limit: usize) -> Diagnostic {
    Diagnostic::error(codes::TOO_DEEP, format!("nested deeper than {limit} levels"))
        .at(place, "one level too many")
        .with_help("give an inner part a name with `locals`, or move it into a module")
}

pub(crate) fn too_many_operators(place: Span) -> Diagnostic {
    Diagnostic::error(codes::TOO_DEEP, "more than 128 operators in one expression")
        .at(place, "one too many")
        .with_help("give a part of the expression a name with `locals`")
}
