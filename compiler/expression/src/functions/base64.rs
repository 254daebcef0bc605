//! Base64: of text, of text in other character sets, of what gzip makes of it.

use std::io::{Read, Write};

use ::base64::Engine;
use ::base64::engine::general_purpose::STANDARD;
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use flate2::read::MultiGzDecoder;
use flate2::{Compression, GzBuilder};

use super::Function;
use super::call::{Call, returns, text};
use crate::evaluate::MAX_TEXT;
use crate::{Fault, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "base64encode",
        &[("text", "any text")],
        "The text's bytes in base64.",
        returns::text,
        base64encode,
    )
    .examples(&[(r#"base64encode("ab")"#, r#""YWI=""#)]),
    Function::new(
        "base64decode",
        &[("text", "base64 of text in UTF-8")],
        "The text of bytes in base64.",
        returns::text,
        base64decode,
    )
    .examples(&[
        (r#"base64decode("YWI=")"#, r#""ab""#),
        (r#"base64decode("/w==")"#, "error: `base64decode`: the bytes are not UTF-8 text"),
    ])
    .notes(&["Text is brought to Unicode's normal form C, as all text of the language."]),
    Function::new(
        "base64gzip",
        &[("text", "any text")],
        "The text, compressed by gzip, in base64.",
        returns::text,
        base64gzip,
    )
    .examples(&[(r#"base64gunzip(base64gzip("aaaa"))"#, r#""aaaa""#)])
    .notes(&["The same text always gives the same bytes, but not those that OpenTofu's compressor gives: compare what \
              they unpack to."]),
    Function::new(
        "base64gunzip",
        &[("text", "base64 of what gzip made of text in UTF-8")],
        "The text that was compressed by gzip.",
        returns::text,
        base64gunzip,
    )
    .examples(&[
        (r#"base64gunzip("H4sIAAAAAAAC/0vLSU0tAQBHHl6gBQAAAA==")"#, r#""fleet""#),
        (r#"base64gunzip("YWJjZGVmZ2hpamtsbQ==")"#, "error: `base64gunzip`: not gzip: invalid gzip header"),
    ])
    .notes(&["At most 16 MiB of text come out."]),
    Function::new(
        "textencodebase64",
        &[("text", "any text"), ("encoding", "a character set: `UTF-8`, `UTF-16LE`, `windows-1252`, …")],
        "The text's bytes in a character set, in base64.",
        returns::text,
        textencodebase64,
    )
    .examples(&[
        (r#"textencodebase64("ab", "UTF-16LE")"#, r#""YQBiAA==""#),
        (
            r#"textencodebase64("ж", "windows-1252")"#,
            "error: `textencodebase64`: windows-1252 has no \"ж\"",
        ),
    ])
    .notes(&["The names are those of the WHATWG's Encoding Standard, which has those that are in use."]),
    Function::new(
        "textdecodebase64",
        &[("text", "base64 of text"), ("encoding", "the character set of that text")],
        "The text of bytes in a character set, in base64.",
        returns::text,
        textdecodebase64,
    )
    .examples(&[
        (r#"textdecodebase64("YQBiAA==", "UTF-16LE")"#, r#""ab""#),
        (
            r#"textdecodebase64("YQ==", "klingon")"#,
            "error: `textdecodebase64`: there is no character set \"klingon\"",
        ),
    ])
    .notes(&["Text is brought to Unicode's normal form C, as all text of the language."]),
];

/// Bytes as base64.
pub(super) fn encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

fn decode(call: &Call<'_>) -> Result<Vec<u8>, Fault> {
    // Lines may be broken, as Go's decoder takes them.
    let written = call.text(0)?.replace(['\r', '\n'], "");
    STANDARD.decode(written.as_bytes()).map_err(|_| call.fault(0, "the text is not base64"))
}

fn base64encode(call: &Call<'_>) -> Result<Value, Fault> {
    text(encode(call.text(0)?.as_bytes()))
}

fn base64decode(call: &Call<'_>) -> Result<Value, Fault> {
    text(String::from_utf8(decode(call)?).map_err(|_| call.fault(0, "the bytes are not UTF-8 text"))?)
}

fn base64gzip(call: &Call<'_>) -> Result<Value, Fault> {
    let whole = call.text(0)?;
    call.work(whole.len() / 8)?;
    // Without a time and a name in the header: same text, same bytes.
    let mut encoder =
        GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::default());
    let packed = encoder.write_all(whole.as_bytes()).and_then(|()| encoder.finish());
    text(encode(&packed.map_err(|error| call.fault(0, error))?))
}

fn base64gunzip(call: &Call<'_>) -> Result<Value, Fault> {
    let packed = decode(call)?;
    let mut bytes = Vec::new();
    // A byte more than may come out, so that one that is too long is told from one that just fits.
    let mut unpacked = MultiGzDecoder::new(packed.as_slice()).take(MAX_TEXT as u64 + 1);
    unpacked.read_to_end(&mut bytes).map_err(|error| call.fault(0, format_args!("not gzip: {error}")))?;
    call.room_for_text(bytes.len())?;
    call.work(bytes.len() / 32)?;
    text(String::from_utf8(bytes).map_err(|_| call.fault(0, "the bytes are not UTF-8 text"))?)
}

fn encoding(call: &Call<'_>) -> Result<&'static Encoding, Fault> {
    let name = call.text(1)?;
    // "UTF-16" alone is the big-endian one in OpenTofu's table, and the little-endian one of the web.
    match name.to_ascii_lowercase().as_str() {
        "utf-16" => Err(call.fault(1, "UTF-16 has two orders of bytes").help("write UTF-16LE or UTF-16BE")),
        _ => Encoding::for_label_no_replacement(name.as_bytes())
            .ok_or_else(|| call.fault(1, format_args!("there is no character set {}", Value::string(&name)))),
    }
}

fn textencodebase64(call: &Call<'_>) -> Result<Value, Fault> {
    let (whole, encoding) = (call.text(0)?, encoding(call)?);
    if encoding == UTF_16LE || encoding == UTF_16BE {
        let order = if encoding == UTF_16LE { u16::to_le_bytes } else { u16::to_be_bytes };
        let bytes: Vec<u8> = whole.encode_utf16().flat_map(order).collect();
        return text(encode(&bytes));
    }
    // The text can be large, so that the letters are looked at one by one only when one is missing.
    let (bytes, _, missing) = encoding.encode(&whole);
    if missing {
        let letter = whole.chars().find(|c| encoding.encode(c.encode_utf8(&mut [0; 4])).2);
        let letter = Value::string(&letter.map(String::from).unwrap_or_default());
        return Err(call.fault(0, format_args!("{} has no {letter}", encoding.name())));
    }
    text(encode(&bytes))
}

fn textdecodebase64(call: &Call<'_>) -> Result<Value, Fault> {
    let (bytes, encoding) = (decode(call)?, encoding(call)?);
    match encoding.decode_without_bom_handling_and_without_replacement(&bytes) {
        Some(decoded) => text(decoded),
        None => Err(call.fault(0, format_args!("the bytes are no text in {}", encoding.name()))),
    }
}
