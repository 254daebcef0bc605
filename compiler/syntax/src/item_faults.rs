//! What the structure of a file can have wrong: one function a fault.

use poolwright_diagnostics::{Applicability, Diagnostic, Edit, Span};

use crate::codes;
use crate::source::replace;
use crate::tree::Ident;

pub(crate) fn comma(place: Span) -> Diagnostic {
    Diagnostic::error(codes::COMMA_AFTER_ITEM, "attributes and blocks are not separated by commas")
        .at(place, "")
        .with_help("each stands on a line of its own; entries of a list or an object take commas")
}

pub(crate) fn several_on_a_line(place: Span) -> Diagnostic {
    Diagnostic::error(codes::SEVERAL_ON_A_LINE, "each attribute and block stands on a line of its own")
        .at(place, "another one begins here")
}

pub(crate) fn lone_name(name: &Ident) -> Diagnostic {
    Diagnostic::error(codes::NOT_AN_ITEM, format!("`{}` is neither an attribute nor a block", name.text))
        .at(name.span, "")
        .with_help(format!("write `{0} = …`, or `{0} {{`", name.text))
}

pub(crate) fn after_name(name: &Ident, place: Span, found: &str) -> Diagnostic {
    let fault =
        Diagnostic::error(codes::MISSING_EQUALS, format!("expected `=` or `{{` after `{}`", name.text))
            .at(place, format!("found `{found}`"));
    match found {
        "." => fault.with_help("an attribute is set in its own block, by its name alone"),
        _ => fault,
    }
}

/// `gap` reaches from the name to the end of what stands in place of `=`.
pub(crate) fn wrong_assignment(place: Span, gap: Span, found: &str) -> Diagnostic {
    let message = match found {
        "==" => "`==` compares; an attribute is set with `=`".to_owned(),
        _ => format!("an attribute is set with `=`, not with `{found}`"),
    };
    Diagnostic::error(codes::WRONG_ASSIGNMENT, message).at(place, "").with_fix(
        "use `=`",
        Applicability::Safe,
        replace(gap, " ="),
    )
}

pub(crate) fn second_equals(place: Span) -> Diagnostic {
    Diagnostic::error(codes::WRONG_ASSIGNMENT, "an attribute is set with one `=`").at(place, "").with_fix(
        "remove it",
        Applicability::Safe,
        replace(place, ""),
    )
}

pub(crate) fn missing_equals(name: &Ident, value: Span) -> Diagnostic {
    let gap = Span { start: name.span.end, end: name.span.end, ..name.span };
    Diagnostic::error(codes::MISSING_EQUALS, format!("`{}` has no `=` before its value", name.text))
        .at(value, "expected `=`")
        .with_fix("insert `=`", Applicability::Safe, replace(gap, " ="))
}

/// `colon` is the colon behind the name, as JSON has it.
pub(crate) fn quoted_name(name: &Ident, is_name: bool, colon: Option<Span>) -> Diagnostic {
    let text = &name.text;
    let message = match colon {
        Some(_) => "an attribute is written without quotes and colon",
        None => "an attribute's name has no quotes",
    };
    let fault = Diagnostic::error(codes::NOT_AN_ITEM, message).at(name.span, "");
    match colon {
        _ if !is_name => {
            fault.with_note("a name holds letters, digits, `-` and `_`, and begins with a letter or `_`")
        }
        Some(colon) => fault.with_fix(
            format!("write `{text} = …`"),
            Applicability::Safe,
            replace(name.span.to(colon), format!("{text} =")),
        ),
        None => fault.with_fix("remove the quotes", Applicability::Safe, replace(name.span, text.as_ref())),
    }
}

/// The line that opens a block of this kind and label.
fn opening(kind: &str, label: Option<&str>) -> String {
    match label {
        Some(label) => format!("{kind} \"{label}\""),
        None => kind.to_owned(),
    }
}

pub(crate) fn colon_in_header(header: Span, kind: &str, label: Option<&str>) -> Diagnostic {
    let opening = opening(kind, label);
    Diagnostic::error(codes::BLOCK_HEADER, format!("a block is opened with `{opening} {{`"))
        .at(header, "no colon here")
        .with_fix("open it like this", Applicability::Safe, replace(header, opening))
}

pub(crate) fn block_without_braces(header: Span, kind: &str, label: Option<&str>) -> Diagnostic {
    let opening = opening(kind, label);
    Diagnostic::error(codes::BLOCK_HEADER, format!("a block is opened with `{opening} {{`"))
        .at(header, "opens no block")
        .with_help("close it with `}` after its last line; each attribute in it is written `name = value`")
}

pub(crate) fn mapping(header: Span, name: &str) -> Diagnostic {
    Diagnostic::error(codes::MISSING_VALUE, format!("the object of `{name}` has no braces"))
        .at(header, "the lines below are indented, which means nothing here")
        .with_help(format!("write `{name} = {{`, each entry as `key = value`, and `}}` after the last"))
}

/// `all` reaches from the name to the last element, `list` is what to write for it.
pub(crate) fn dashes(
    name: &Ident,
    head: Span,
    all: Span,
    list: Option<String>,
    applicability: Applicability,
) -> Diagnostic {
    let fault =
        Diagnostic::error(codes::MISSING_VALUE, format!("the list of `{}` has no brackets", name.text))
            .at(head, "lines with dashes are no list here");
    match list {
        Some(list) => fault.with_fix(format!("write `{list}`"), applicability, replace(all, list)),
        None => fault.with_help(format!("write `{} = [`, the elements with commas, and `]`", name.text)),
    }
}

pub(crate) fn no_item(place: Span, found: &str) -> Diagnostic {
    let fault = Diagnostic::error(codes::NOT_AN_ITEM, "this line begins neither an attribute nor a block")
        .at(place, "expected a name");
    match found {
        "{" => fault.with_help("a block begins with its kind, on the line of its `{`"),
        _ => fault,
    }
}

pub(crate) fn missing_value(name: &Ident, equals: Span) -> Diagnostic {
    Diagnostic::error(codes::MISSING_VALUE, format!("`{}` has no value", name.text))
        .at(equals, "a value must follow, on this line")
        .with_help("remove the attribute if it shall be unset, or write `null`")
}

/// `gap` is what to join, if nothing is lost by it.
pub(crate) fn value_on_next_line(name: &Ident, value: Span, gap: Option<Span>) -> Diagnostic {
    let fault = Diagnostic::error(
        codes::MISSING_VALUE,
        format!("the value of `{}` begins on another line than its `=`", name.text),
    )
    .at(value, "");
    match gap {
        Some(gap) => fault.with_fix("join the lines", Applicability::Safe, replace(gap, " ")),
        None => fault.with_help("begin the value behind the `=`"),
    }
}

pub(crate) fn equals_before_brace(equals: Span, kind: &Ident) -> Diagnostic {
    Diagnostic::error(codes::BLOCK_HEADER, format!("block `{}` has a `=` before its brace", kind.text))
        .at(equals, "")
        .with_fix("remove it", Applicability::Safe, replace(equals, ""))
}

pub(crate) fn brace_on_next_line(header: Span, brace: Span, gap: Option<Span>) -> Diagnostic {
    let fault =
        Diagnostic::error(codes::BLOCK_SHAPE, "a block's `{` stands on the line of its kind and labels")
            .at(brace, "")
            .also(header, "the block begins here");
    match gap {
        Some(gap) => fault.with_fix("move it up", Applicability::Safe, replace(gap, " ")),
        None => fault.with_help("move it up"),
    }
}

pub(crate) fn missing_brace(header: Span) -> Diagnostic {
    Diagnostic::error(codes::BLOCK_HEADER, "this block has no `{`")
        .at(header, "")
        .with_help("write `{` at the end of this line and `}` after the block's last line")
}

pub(crate) fn template_label(label: Span) -> Diagnostic {
    Diagnostic::error(codes::BLOCK_HEADER, "a block's label is plain text, without `${…}`")
        .at(label, "")
        .with_help("use `for_each` to make several blocks")
}

pub(crate) fn after_opening_brace(first: Span, gap: Span, indentation: &str) -> Diagnostic {
    Diagnostic::error(
        codes::BLOCK_SHAPE,
        "in a block of several lines, nothing follows its `{` on the same line",
    )
    .at(first, "")
    .with_fix("begin a new line", Applicability::Safe, replace(gap, format!("\n{indentation}  ")))
}

pub(crate) fn before_closing_brace(brace: Span, gap: Span, indentation: &str) -> Diagnostic {
    Diagnostic::error(codes::BLOCK_SHAPE, "in a block of several lines, the `}` stands on a line of its own")
        .at(brace, "")
        .with_fix("begin a new line", Applicability::Safe, replace(gap, format!("\n{indentation}")))
}

pub(crate) fn block_in_line(inner: Span) -> Diagnostic {
    Diagnostic::error(codes::BLOCK_SHAPE, "a block on one line holds at most one attribute, and no block")
        .at(inner, "")
        .with_help("write the outer block over several lines")
}

pub(crate) fn duplicate_attribute(name: &Ident, first: Span) -> Diagnostic {
    Diagnostic::error(codes::DUPLICATE_ATTRIBUTE, format!("`{}` is set twice in this block", name.text))
        .at(name.span, "again here")
        .also(first, "first set here")
        .with_help("keep one of them")
}

pub(crate) fn duplicate_key(key: &str, place: Span, first: Span) -> Diagnostic {
    Diagnostic::error(codes::DUPLICATE_KEY, format!("key `{key}` stands twice in this object"))
        .at(place, "again here")
        .also(first, "first here")
        .with_help("keep one of them")
}

pub(crate) fn reserved_word(word: &Ident) -> Diagnostic {
    Diagnostic::error(codes::RESERVED_WORD, format!("`{}` is a word of the language, not a name", word.text))
        .at(word.span, "")
}

pub(crate) fn ambiguous_key(key: Span, text: &str) -> Diagnostic {
    let edits = vec![
        Edit { span: key.at_start(), text: "(".to_owned() },
        Edit { span: key.at_end(), text: ")".to_owned() },
    ];
    Diagnostic::error(
        codes::AMBIGUOUS_KEY,
        format!("the key `{text}` could be meant as a name or as a reference"),
    )
    .at(key, "")
    .with_help("put a reference in parentheses, or a name in quotes")
    .with_fix("put it in parentheses", Applicability::Unsafe, edits)
}
