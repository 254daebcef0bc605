//! Text to tree. Parsing never fails: it returns what it understood, and a diagnostic for everything else.
//!
//! Only this crate names `hcl_edit`, so that the parser can be replaced without a word elsewhere. It knows
//! no schema: a block may be called anything here. It must not evaluate, resolve names or print.
//!
//! Enter at [`parse`]; the tree is in [`tree`]. [`format`](fn@format) says how the text of a file should be laid out.

mod brackets;
mod classify;
pub mod codes;
mod directive;
mod duplicate;
mod escape;
mod expression;
mod faults;
mod foreign;
mod format;
mod item_faults;
mod lower;
mod plain;
mod scan;
mod scan_number;
mod scan_string;
mod source;
mod structure;
mod template;
mod token;
mod traversal;
pub mod tree;

use poolwright_diagnostics::{Diagnostic, FileId, Span};

pub use format::format;
pub use token::Kind as TokenKind;

/// Reads the text of a file.
///
/// The passes: `scan` cuts the text into tokens, `brackets` pairs them, `structure` makes attributes and blocks
/// of them, and `expression` gives each value that is not `plain` to the expression parser. What one item has wrong never hides another.
#[must_use]
pub fn parse(file: FileId, text: &str) -> (tree::File, Vec<Diagnostic>) {
    if let Some(fault) = too_large(file, text) {
        let body = tree::Body { incomplete: true, ..Default::default() };
        return (tree::File { id: file, body }, vec![fault]);
    }
    let (_, tree, found) = read(file, text);
    (tree, found)
}

/// What is said of a text whose places do not fit in a span.
fn too_large(file: FileId, text: &str) -> Option<Diagnostic> {
    let fault = || Diagnostic::error(codes::FILE_TOO_LARGE, "a file can hold at most 4 GiB");
    u32::try_from(text.len()).is_err().then(|| fault().at(Span::new(file, 0, 0), ""))
}

/// The tokens, the tree and what is wrong.
fn read(file: FileId, text: &str) -> (source::Source<'_>, tree::File, Vec<Diagnostic>) {
    let (mut source, mut problems) = scan::scan(file, text);
    brackets::pair(&mut source, &mut problems);
    directive::check(&source, &mut problems);
    let body = structure::read(&source, &mut problems);
    let mut found = problems.found;
    Diagnostic::sort(&mut found);
    (source, tree::File { id: file, body }, found)
}

/// The tokens of a text, in order: spaces and comments are none. What is no token of the language is one too
/// ([`TokenKind::Other`]), so that nothing that was written is missing.
#[must_use]
pub fn tokens(file: FileId, text: &str) -> Vec<(TokenKind, Span)> {
    if u32::try_from(text.len()).is_err() {
        return Vec::new();
    }
    let (source, _) = scan::scan(file, text);
    source.tokens.iter().map(|token| (token.kind, Span::new(file, token.start, token.end))).collect()
}

/// The places of a file's comments that end with their line, `#` and `//`, in order: what looks like one inside a
/// string is none.
#[must_use]
pub fn line_comments(file: FileId, text: &str) -> Vec<Span> {
    if u32::try_from(text.len()).is_err() {
        return Vec::new();
    }
    scan::comments(text).into_iter().map(|(start, end)| Span::new(file, start as u32, end as u32)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_told_from_strings() {
        let text = "# one\na = \"# no ${b # two\n}\" // three\nc = <<E\n# no\nE\n/* # no */ d = 1 # four\r\n";
        let found: Vec<&str> = line_comments(FileId(0), text)
            .into_iter()
            .map(|span| text.get(span.start as usize..span.end as usize).unwrap())
            .collect();
        assert_eq!(found, ["# one", "# two", "// three", "# four"]);
    }
}
