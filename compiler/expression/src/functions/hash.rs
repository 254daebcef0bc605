//! Hashes of texts, and names made of them.

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

use super::Function;
use super::base64::encode;
use super::call::{Call, returns, text};
use crate::{Fault, Value};

const TEXT: &[(&str, &str)] = &[("text", "any text; its bytes in UTF-8 are hashed")];

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new("md5", TEXT, "The MD5 hash, hexadecimal.", returns::text, |call| of_text(call, md5))
        .examples(&[(r#"md5("a")"#, r#""0cc175b9c0f1b6a831c399e269772661""#)])
        .notes(&["Not safe against people who mean harm: use `sha256` where it matters."]),
    Function::new("sha1", TEXT, "The SHA-1 hash, hexadecimal.", returns::text, |call| of_text(call, sha1))
        .examples(&[(r#"sha1("a")"#, r#""86f7e437faa5a7fce15d1ddcb9eaeaea377667b8""#)])
        .notes(&["Not safe against people who mean harm: use `sha256` where it matters."]),
    Function::new("sha256", TEXT, "The SHA-256 hash, hexadecimal.", returns::text, |call| {
        of_text(call, sha256)
    })
    .examples(&[(r#"sha256("a")"#, r#""ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb""#)]),
    Function::new("sha512", TEXT, "The SHA-512 hash, hexadecimal.", returns::text, |call| {
        of_text(call, sha512)
    })
    .examples(&[(r#"substr(sha512("a"), 0, 16)"#, r#""1f40fc92da241694""#)]),
    Function::new("base64sha256", TEXT, "The SHA-256 hash in base64.", returns::text, |call| {
        of_text(call, base64sha256)
    })
    .examples(&[(r#"base64sha256("a")"#, r#""ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=""#)])
    .notes(&["Of the hash's bytes, not of its hexadecimal digits: not `base64encode(sha256(x))`."]),
    Function::new("base64sha512", TEXT, "The SHA-512 hash in base64.", returns::text, |call| {
        of_text(call, base64sha512)
    })
    .examples(&[(r#"substr(base64sha512("a"), 0, 16)"#, r#""H0D8ktokFpR1CXnu""#)])
    .notes(&["Of the hash's bytes, not of its hexadecimal digits."]),
    Function::new(
        "uuidv5",
        &[("namespace", "`dns`, `url`, `oid`, `x500` or a UUID"), ("name", "any text")],
        "The UUID of a name in a namespace: the same for the same name.",
        returns::text,
        uuidv5,
    )
    .examples(&[
        (r#"uuidv5("dns", "example.com")"#, r#""cfbff0d1-9375-5685-968c-48ce8b15ae17""#),
        (
            r#"uuidv5("mine", "a")"#,
            "error: `uuidv5`: a namespace is dns, url, oid, x500 or a UUID, not \"mine\"",
        ),
    ]),
];

fn of_text(call: &Call<'_>, hash: fn(&[u8]) -> String) -> Result<Value, Fault> {
    let whole = call.text(0)?;
    call.work(whole.len() / 32)?;
    text(hash(whole.as_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(super) fn md5(bytes: &[u8]) -> String {
    hex(&Md5::digest(bytes))
}

pub(super) fn sha1(bytes: &[u8]) -> String {
    hex(&Sha1::digest(bytes))
}

pub(super) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

pub(super) fn sha512(bytes: &[u8]) -> String {
    hex(&Sha512::digest(bytes))
}

pub(super) fn base64sha256(bytes: &[u8]) -> String {
    encode(&Sha256::digest(bytes))
}

pub(super) fn base64sha512(bytes: &[u8]) -> String {
    encode(&Sha512::digest(bytes))
}

/// The namespaces of RFC 9562: they differ in one digit.
fn namespace(name: &str) -> Option<u128> {
    let digit = match name {
        "dns" => 0,
        "url" => 1,
        "oid" => 2,
        "x500" => 4,
        _ => return parse_uuid(name),
    };
    Some(0x6ba7_b810_9dad_11d1_80b4_00c0_4fd4_30c8 + (digit << 96))
}

/// `8-4-4-4-12` hexadecimal digits.
fn parse_uuid(text: &str) -> Option<u128> {
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    let digits = text.replace('-', "");
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if lengths == [8, 4, 4, 4, 12] && is_hex { u128::from_str_radix(&digits, 16).ok() } else { None }
}

fn uuidv5(call: &Call<'_>) -> Result<Value, Fault> {
    let (space, name) = (call.text(0)?, call.text(1)?);
    let space = namespace(&space).ok_or_else(|| {
        let found = Value::string(&space);
        call.fault(0, format_args!("a namespace is dns, url, oid, x500 or a UUID, not {found}"))
    })?;
    call.work(name.len() / 32)?;
    let digest = Sha1::new().chain_update(space.to_be_bytes()).chain_update(name.as_bytes()).finalize();
    let number = digest.iter().take(16).fold(0_u128, |number, byte| (number << 8) | u128::from(*byte));
    // Version 5, and the variant of RFC 9562.
    let number = number & !(0xf << 76) | (5 << 76);
    let number = number & !(0b11 << 62) | (0b10 << 62);
    let digits = format!("{number:032x}");
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or("");
    text(format!("{}-{}-{}-{}-{}", part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)))
}
