//! Canonical JSON: sorted keys, no spaces, exact numbers as text where JSON would lose them. What digests are over.

use std::collections::BTreeMap;

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::Address;

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
    let mut digest = Digester::default();
    digest.add(bytes);
    digest.finish()
}

/// A digest over bytes that are never all in memory: equal to [`digest`] of them joined.
#[derive(Clone, Debug, Default)]
pub struct Digester(Sha256);

impl Digester {
    /// More bytes.
    pub fn add(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.update(bytes);
    }

    /// `sha256:` and the hex digest.
    #[must_use]
    pub fn finish(self) -> String {
        let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or_default();
        let mut text = String::with_capacity("sha256:".len() + 64);
        text.push_str("sha256:");
        for byte in self.0.finalize() {
            text.extend([digit(byte >> 4), digit(byte & 15)]);
        }
        text
    }
}

impl std::io::Write for Digester {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// [`digest`] of the text of a JSON value, which is never in memory as a whole.
#[must_use]
pub fn digest_value(value: &serde_json::Value) -> String {
    let mut digest = Digester::default();
    // Keys of a value are text and a digester takes every byte, so this cannot fail.
    let _ = serde_json::to_writer(&mut digest, value);
    digest.finish()
}

/// Adds the canonical JSON of a map, one entry at a time, so that the whole is never in memory as JSON.
///
/// # Errors
/// As [`to_string`].
pub fn add_map<V: Serialize>(
    digest: &mut Digester,
    map: &BTreeMap<Address, V>,
) -> Result<(), serde_json::Error> {
    digest.add("{");
    for (index, (key, value)) in map.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        digest.add(format!("{comma}{}:{}", to_string(key)?, to_string(value)?));
    }
    digest.add("}");
    Ok(())
}
