//! Text patterns.

use std::fmt;

use super::unit::UnitError;

/// A text with `*` for any run of characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern(pub String);

impl Pattern {
    /// Any text but the empty one.
    ///
    /// # Errors
    /// The text is empty.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        if text.is_empty() {
            return Err(UnitError::new("the pattern is empty", "\"*\" matches everything"));
        }
        Ok(Self(text.to_owned()))
    }

    /// Whether the whole text matches. Time is linear in text × pattern: a `*` never backtracks past the one before.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        let mut parts = self.0.split('*');
        let first = parts.next().unwrap_or("");
        let Some(mut rest) = text.strip_prefix(first) else { return false };
        let mut parts: Vec<&str> = parts.collect();
        let Some(last) = parts.pop() else { return rest.is_empty() };
        for part in parts {
            let Some((_, after)) = rest.split_once(part) else { return false };
            rest = after;
        }
        rest.ends_with(last)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
