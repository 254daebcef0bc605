//! Diagnostics as text, one file per format. Pure: the same diagnostics give the same bytes.

mod human;
mod json;
mod line;
mod short;
mod snippet;
mod style;

pub use human::human;
pub use json::{json, to_json};
pub use short::short;

/// How the human form looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Columns to keep within, where the source allows it.
    pub width: usize,
    /// Whether to colour it; nothing is said by colour alone.
    pub color: bool,
    /// Whether lines may be drawn with characters outside ASCII.
    pub unicode: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { width: 100, color: false, unicode: true }
    }
}

/// Text of one line, without characters that would move the cursor, hide text or turn its direction around.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c == '\n' || c == '\t' { ' ' } else { line::visible(c) }).collect()
}
