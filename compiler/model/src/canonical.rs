//! Canonical JSON: sorted keys, no spaces, exact numbers as text where JSON would lose them. What digests are over.

use serde::Serialize;
use sha2::{Digest, Sha256};

/// Canonical JSON of a value. Keys are sorted because `serde_json::Value` keeps its maps sorted.
///
/// # Errors
/// When the value cannot be JSON at all: a map with keys that are no text.
pub fn to_string(value: &impl Serialize) -> Result<String, serde_json::Error> {
    serde_json::to_value(value).map(|value| value.to_string())
}

/// `sha256:` and the hex digest of some bytes.
#[must_use]
pub fn digest(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    Sha256::digest(bytes).iter().fold(String::from("sha256:"), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
