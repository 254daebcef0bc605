//! Comments that silence a warning, with the reason beside it:
//!
//! ```text
//! # poolwright:allow(PW4033) the second entry documents the old name
//! ```
//!
//! Such a comment stands on the line of the remark, or alone above it. It silences warnings and notes of the codes that
//! it names, never errors. One without a reason is a warning, and so is one that silences nothing: it would hide the
//! next remark, which nobody has looked at.

use std::collections::BTreeMap;

use poolwright_diagnostics::{Diagnostic, FileId, SourceFile, SourceMap, Span};

use crate::codes;

/// What such a comment begins with, behind its sign.
const MARK: &str = "poolwright:allow";

/// One code of one comment.
struct Allow {
    code: String,
    /// The code in the comment.
    span: Span,
    /// Whether something was silenced.
    used: bool,
}

/// Drops what comments allow, and adds what is wrong with the comments themselves. `whole` says that everything was
/// looked at: only then is it known that a comment silences nothing.
pub(crate) fn silence(sources: &SourceMap, diagnostics: &mut Vec<Diagnostic>, whole: bool) {
    let mut allows: BTreeMap<(FileId, u32), Vec<Allow>> = BTreeMap::new();
    let mut faults = Vec::new();
    for (id, file) in sources.files().filter(|(_, file)| file.text().contains(MARK)) {
        for comment in poolwright_syntax::line_comments(id, file.text()) {
            read(file, comment, sources.text(comment), &mut allows, &mut faults);
        }
    }
    if allows.is_empty() && faults.is_empty() {
        return;
    }
    diagnostics.retain_mut(|diagnostic| {
        let Some(span) = diagnostic.primary().map(|label| label.span) else { return true };
        let line = sources.get(span.file).map_or(0, |file| file.line_column(span.start).line);
        let Some(allows) = allows.get_mut(&(span.file, line)) else { return true };
        let Some(allow) = allows.iter_mut().find(|allow| allow.code == diagnostic.code.0) else {
            return true;
        };
        allow.used = true;
        if diagnostic.is_error() {
            let note = "a comment allows this here, and cannot: only warnings and notes can be allowed";
            diagnostic.notes.push(note.to_owned());
        }
        diagnostic.is_error()
    });
    if whole {
        faults.extend(allows.values().flatten().filter(|allow| !allow.used).map(unused));
    }
    diagnostics.extend(faults);
    Diagnostic::sort(diagnostics);
}

/// Reads a comment, when it is one of these.
fn read(
    file: &SourceFile,
    comment: Span,
    text: &str,
    allows: &mut BTreeMap<(FileId, u32), Vec<Allow>>,
    faults: &mut Vec<Diagnostic>,
) {
    let said = text.trim_start_matches(['#', '/']).trim_start();
    let Some(rest) = said.strip_prefix(MARK) else { return };
    let offset = comment.start + (text.len() - rest.len()) as u32;
    let Some((list, reason)) = rest.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'))
    else {
        faults.push(unreadable(comment));
        return;
    };
    let begin = offset + (rest.len() - rest.trim_start().len()) as u32 + 1;
    let mut at = begin;
    let mut found = Vec::new();
    for word in list.split(',') {
        let code = word.trim();
        let start = at + (word.len() - word.trim_start().len()) as u32;
        let span = Span::new(comment.file, start, start + code.len() as u32);
        at += word.len() as u32 + 1;
        let digits = code.strip_prefix("PW").unwrap_or("");
        if digits.len() != 4 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            faults.push(no_code(span, code));
            continue;
        }
        found.push(Allow { code: code.to_owned(), span, used: false });
    }
    if reason.trim_start_matches([':', '-', ' ']).trim().is_empty() {
        faults.push(without_reason(comment));
    }
    allows.entry((comment.file, subject(file, comment))).or_default().extend(found);
}

/// The line that a comment is about: its own when something stands before it, else the next one that is neither empty
/// nor a comment.
fn subject(file: &SourceFile, comment: Span) -> u32 {
    let own = file.line_column(comment.start).line;
    let start = file.line_start(own) as usize;
    let before = file.text().get(start..comment.start as usize).unwrap_or("");
    if !before.trim().is_empty() {
        return own;
    }
    let last = file.line_column(file.text().len() as u32).line;
    let about = |line: &u32| {
        let text = file.line(*line).trim();
        !text.is_empty() && !text.starts_with('#') && !text.starts_with("//")
    };
    (own + 1..=last).find(about).unwrap_or(own)
}

fn unreadable(comment: Span) -> Diagnostic {
    Diagnostic::warning(codes::BAD_ALLOW, "an allow comment names no code")
        .at(comment, "nothing is silenced by this")
        .with_help("write `# poolwright:allow(PW4033) and the reason`")
}

fn no_code(span: Span, word: &str) -> Diagnostic {
    let message = if word.is_empty() {
        "an allow comment names no code".to_owned()
    } else {
        format!("an allow comment names `{word}`, which is no code")
    };
    Diagnostic::warning(codes::BAD_ALLOW, message)
        .at(span, "a code is `PW` and four digits")
        .with_help("write `# poolwright:allow(PW4033) and the reason`; codes: poolwright explain")
}

fn without_reason(comment: Span) -> Diagnostic {
    Diagnostic::warning(codes::ALLOW_WITHOUT_REASON, "an allow comment gives no reason")
        .at(comment, "why is it right here?")
        .with_help("write the reason behind the parenthesis: the next reader has to know when it is over")
}

fn unused(allow: &Allow) -> Diagnostic {
    let code = &allow.code;
    let diagnostic = Diagnostic::warning(
        codes::UNUSED_ALLOW,
        format!("an allow comment silences nothing: {code} is not found on its line"),
    )
    .at(allow.span, "no such remark there")
    .with_help("remove the comment, or the code from it");
    match code.as_bytes().get(2) {
        Some(b'6'..=b'8') => diagnostic.with_note(
            "remarks of plans and applies cannot be silenced, those of policies by `exempt` blocks",
        ),
        _ => diagnostic,
    }
}
