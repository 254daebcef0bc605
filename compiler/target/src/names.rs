//! Names inside of addresses and paths: what would end them there is escaped, and two names never become one.

use std::fmt::Write as _;

use poolwright_model::canonical;

/// The longest part of a path that is written as it is, in bytes. File systems hold 255; an extension and an editor's
/// suffix need room.
const LONGEST: usize = 200;

/// Names that Windows takes for devices, with any extension.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul", "com", "lpt", "conin$", "conout$"];

/// A name with the bytes of every character that is not plain as `mark` and two hexadecimal digits each. No two names
/// become one as long as `mark` itself is not plain.
#[must_use]
pub fn escape(name: &str, mark: char, plain: impl Fn(char) -> bool) -> String {
    let mut escaped = String::with_capacity(name.len());
    for c in name.chars() {
        if plain(c) {
            escaped.push(c);
        } else {
            push_bytes(&mut escaped, c, mark);
        }
    }
    escaped
}

fn push_bytes(text: &mut String, c: char, mark: char) {
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        // Writing to a text never fails.
        let _ = write!(text, "{mark}{byte:02X}");
    }
}

/// A name as a part of an address: a slash, a quote, and the sign of escapes itself are percent-escaped (CONTRACT §5).
#[must_use]
pub fn address_part(name: &str) -> String {
    escape(name, '%', |c| !matches!(c, '/' | '"' | '%'))
}

/// A name as a part of a path, without an extension, as every file system holds it (CONTRACT §3).
#[must_use]
pub fn path_part(name: &str) -> String {
    let device = name.split('.').next().unwrap_or_default().trim_end_matches(|c: char| c.is_ascii_digit());
    let reserved = DEVICES.contains(&device.to_lowercase().as_str()) || name.starts_with('.');
    let mut text = String::with_capacity(name.len());
    let mut rest = name.chars();
    if reserved && let Some(first) = rest.next() {
        push_bytes(&mut text, first, '%');
    }
    text += &escape(rest.as_str(), '%', |c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    if text.len() <= LONGEST {
        return text;
    }
    let digest = canonical::digest(name.as_bytes());
    let short: String = digest.trim_start_matches("sha256:").chars().take(8).collect();
    let head: String = text.chars().take(LONGEST - 9).collect();
    format!("{}-{short}", head.trim_end_matches('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_addresses() {
        assert_eq!(address_part("a--b é.c"), "a--b é.c");
        assert_eq!(address_part("a/b\"%"), "a%2Fb%22%25");
    }

    #[test]
    fn parts_of_paths() {
        for (name, part) in [
            ("a--b_c.d", "a--b_c.d"),
            (".a/(b)", "%2Ea%2F%28b%29"),
            ("é", "%C3%A9"),
            ("con", "%63on"),
            ("com1.x", "%63om1.x"),
            ("console", "console"),
        ] {
            assert_eq!(path_part(name), part);
        }
        let long = path_part(&"x".repeat(300));
        assert_eq!(long.len(), LONGEST);
        assert_ne!(long, path_part(&"x".repeat(301)));
    }
}
