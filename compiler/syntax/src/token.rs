//! Tokens: what the scanner cuts a file into. Spaces and comments are not kept.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// The end of a line.
    Newline,
    /// A name.
    Ident,
    /// Digits.
    Number,
    /// `"`, opening.
    Quote,
    /// `"`, closing.
    QuoteEnd,
    /// `<<EOT` with its end of line.
    Heredoc,
    /// The end marker with the spaces before it.
    HeredocEnd,
    /// Literal text in a string or heredoc.
    Text,
    /// `${` in a string or heredoc.
    Interpolation,
    /// `%{` in a string or heredoc.
    Directive,
    /// The `}` of one of the two.
    TemplateEnd,
    /// `{`
    LeftBrace,
    /// `}`
    RightBrace,
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `(`
    LeftParen,
    /// `)`
    RightParen,
    /// `=`
    Equal,
    /// `==`
    EqualEqual,
    /// `:`
    Colon,
    /// `::`
    DoubleColon,
    /// `,`
    Comma,
    /// `.`
    Dot,
    /// `...`
    Ellipsis,
    /// `?`
    Question,
    /// `=>`
    Arrow,
    /// Every other operator.
    Operator,
    /// A closing bracket that closes nothing; reported, and passed over from then on.
    Stray,
    /// Something that is no part of the language; reported by the scanner.
    Other,
}

/// A token: kind, bytes, and for an opening one the index of its partner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Of an opening token: the index of its closing one; of an unclosed one the index of the token before which it
    /// was given up. [`NONE`] otherwise.
    pub(crate) partner: u32,
    /// Of an opening token: whether the partner closes it.
    pub(crate) closed: bool,
}

/// No partner.
pub(crate) const NONE: u32 = u32::MAX;

impl Kind {
    /// Whether it opens something that a partner closes.
    pub(crate) fn opens(self) -> bool {
        self.closer().is_some()
    }

    /// What closes it.
    pub(crate) fn closer(self) -> Option<Self> {
        Some(match self {
            Self::Quote => Self::QuoteEnd,
            Self::Heredoc => Self::HeredocEnd,
            Self::Interpolation | Self::Directive => Self::TemplateEnd,
            Self::LeftBrace => Self::RightBrace,
            Self::LeftBracket => Self::RightBracket,
            Self::LeftParen => Self::RightParen,
            _ => return None,
        })
    }

    /// Whether it closes something.
    pub(crate) fn closes(self) -> bool {
        use Kind::{HeredocEnd, QuoteEnd, RightBrace, RightBracket, RightParen, TemplateEnd};
        matches!(self, QuoteEnd | HeredocEnd | TemplateEnd | RightBrace | RightBracket | RightParen)
    }

    /// Whether a value may end with it.
    pub(crate) fn ends_value(self) -> bool {
        use Kind::{HeredocEnd, Ident, Number, QuoteEnd, RightBrace, RightBracket, RightParen};
        matches!(self, Ident | Number | QuoteEnd | HeredocEnd | RightBrace | RightBracket | RightParen)
    }

    /// Whether a value may begin with it.
    pub(crate) fn begins_value(self) -> bool {
        use Kind::{Heredoc, Ident, LeftBrace, LeftBracket, LeftParen, Number, Quote};
        matches!(self, Ident | Number | Quote | Heredoc | LeftBrace | LeftBracket | LeftParen)
    }
}

/// Whether a name may begin with it. The parser's own notion, so that both always agree.
pub(crate) fn is_name_start(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphabetic() || c == '_';
    }
    hcl_edit::Ident::try_new(c.to_string()).is_ok()
}

/// Whether a name may go on with it.
pub(crate) fn is_name_continue(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_' || c == '-';
    }
    hcl_edit::Ident::try_new(format!("a{c}")).is_ok()
}

/// The length in bytes of the name at the beginning of `text`; 0 when there is none.
pub(crate) fn name_length(text: &str) -> usize {
    if !text.chars().next().is_some_and(is_name_start) {
        return 0;
    }
    text.char_indices().find(|(_, c)| !is_name_continue(*c)).map_or(text.len(), |(at, _)| at)
}

/// Whether `text` begins with a line such as `pool "a" {`, the first line of a block, in its first column.
pub(crate) fn begins_block(text: &str) -> bool {
    let line = text.split('\n').next().unwrap_or("");
    let mut rest = line;
    let mut words = 0;
    if line.starts_with([' ', '\t']) {
        return false;
    }
    loop {
        rest = rest.trim_start_matches([' ', '\t']);
        if rest.starts_with('{') {
            return words > 0;
        }
        let length = match rest.strip_prefix('"') {
            Some(label) if words > 0 => label.find('"').map_or(0, |at| at + 2),
            _ => name_length(rest),
        };
        let Some(next) = rest.get(length..).filter(|_| length > 0) else { return false };
        rest = next;
        words += 1;
    }
}

/// Whether `text` begins with `name =`, the first part of an attribute.
pub(crate) fn begins_attribute(text: &str) -> bool {
    let rest = text.trim_start_matches([' ', '\t']);
    let length = name_length(rest);
    let Some(rest) = rest.get(length..).filter(|_| length > 0) else { return false };
    let rest = rest.trim_start_matches([' ', '\t']);
    rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_recognised() {
        assert!(begins_block("pool \"a\" {\n"));
        assert!(begins_block("a{"));
        assert!(begins_block("a b \"c\" { x = 1 }"));
        assert!(!begins_block("\"a\" {"));
        assert!(!begins_block("  a {"));
        assert!(!begins_block("{"));
        assert!(!begins_block("a = {"));
        assert!(!begins_block("  a(b) {\n{"));
        assert!(begins_attribute("  a-b = 1"));
        assert!(!begins_attribute("a == 1"));
        assert!(!begins_attribute("a => 1"));
        assert!(!begins_attribute("= 1"));
    }
}
