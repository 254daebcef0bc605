//! Diagnostics as text, one file per format. Pure: the same diagnostics give the same bytes.

mod github;
mod human;
mod json;
mod junit;
mod line;
mod located;
mod sarif;
mod short;
mod snippet;
mod style;

pub use github::github;
pub use human::human;
pub use json::{json, to_json};
pub use junit::junit;
pub use located::{Findings, Located, LocatedFix, LocatedLabel, Place};
pub use sarif::{Tool, sarif};
pub use short::short;

/// Where a code is explained: what to type.
fn docs(code: &str) -> String {
    format!("poolwright explain {code}")
}

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
