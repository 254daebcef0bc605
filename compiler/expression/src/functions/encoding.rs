//! Data formats: JSON, YAML, CSV, addresses of the web.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::call::{Call, returns, text};
use super::{Function, json, yaml};
use crate::{Fault, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "jsonencode",
        &[("value", "anything")],
        "The value as JSON, keys sorted, numbers exact.",
        returns::text,
        json::jsonencode,
    )
    .examples(&[
        (r#"jsonencode({ b = [1, 0.1, null], a = "x" })"#, r#""{\"a\":\"x\",\"b\":[1,0.1,null]}""#),
        (r#"jsonencode("a<b")"#, r#""\"a\\u003cb\"""#),
    ])
    .notes(&[
        "`<`, `>`, `&` and the separators U+2028 and U+2029 are written by their numbers, as OpenTofu does.",
        "A quantity is its number in its base unit (a duration in seconds), a reference the block's address. A number \
         without an end has 20 significant digits.",
    ]),
    Function::new(
        "jsondecode",
        &[("text", "JSON")],
        "The value of a JSON text.",
        returns::any,
        json::jsondecode,
    )
    .examples(&[
        (r#"jsondecode("{\"a\":[1.5,true]}")"#, "{ a = [1.5, true] }"),
        (r#"jsondecode("12345678901234567890.5")"#, "12345678901234567890.5"),
        (
            r#"jsondecode("{")"#,
            "error: `jsondecode`: not JSON: EOF while parsing an object at line 1 column 1",
        ),
    ])
    .notes(&["Numbers keep all their digits. Of a key that is there twice the last value counts."]),
    Function::new(
        "yamlencode",
        &[("value", "anything")],
        "The value as YAML in block style, keys sorted, texts in quotes.",
        returns::text,
        yaml::yamlencode,
    )
    .examples(&[
        (r#"yamlencode({ b = [1, { c = "no" }], a = [] })"#, r#""\"a\": []\n\"b\":\n- 1\n- \"c\": \"no\"\n""#),
        (r#"yamlencode({ a = "x\ny\n" })"#, r#""\"a\": |\n  x\n  y\n""#),
    ])
    .notes(&["Poolwright writes the objects of a target itself; this is for texts that go into them."]),
    Function::new(
        "yamldecode",
        &[("text", "YAML, one document")],
        "The value of a YAML text.",
        returns::any,
        yaml::yamldecode,
    )
    .examples(&[
        (r#"yamldecode("a: &x [1, 2.50]\nb: *x\nc: no")"#, r#"{ a = [1, 2.5], b = [1, 2.5], c = "no" }"#),
        (
            r#"yamldecode("a: !secret x")"#,
            "error: `yamldecode`: not YAML that can be read: line 1: the tag `!secret` is not supported here",
        ),
    ])
    .notes(&[
        "By the core schema of YAML 1.2: `yes`, `no`, `on`, `off` are texts. Numbers keep all their digits. `<<` merges \
         maps. Dates and binary data are text.",
        "A document stands for at most 1000000 values, aliases counted each time.",
    ]),
    Function::new(
        "csvdecode",
        &[("text", "CSV (RFC 4180) with a line of names")],
        "A list of objects, one a line; the first line has their keys.",
        returns::list,
        csvdecode,
    )
    .examples(&[
        (
            r#"csvdecode("name,gpus\na,8\nb,16\n")"#,
            r#"[{ gpus = "8", name = "a" }, { gpus = "16", name = "b" }]"#,
        ),
        (r#"csvdecode("a,b\n1\n")"#, "error: `csvdecode`: line 2 has 1 fields and the first line 2"),
    ])
    .notes(&["All values are text: `tonumber` makes numbers of them."]),
    Function::new(
        "urlencode",
        &[("text", "any text")],
        "The text as a part of the query of a web address.",
        returns::text,
        urlencode,
    )
    .examples(&[(r#"urlencode("a b&c/ä")"#, r#""a+b%26c%2F%C3%A4""#)]),
    Function::new(
        "urldecode",
        &[("text", "a part of the query of a web address")],
        "The text of a part of the query of a web address.",
        returns::text,
        urldecode,
    )
    .examples(&[
        (r#"urldecode("a+b%26c%2F%C3%A4")"#, r#""a b&c/ä""#),
        (r#"urldecode("%2")"#, "error: `urldecode`: after `%` there are two hexadecimal digits, not \"2\""),
    ]),
];

fn csvdecode(call: &Call<'_>) -> Result<Value, Fault> {
    let whole = call.text(0)?;
    call.work(whole.len() / 16)?;
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(whole.as_bytes());
    let mut names: Option<Vec<Arc<str>>> = None;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| call.fault(0, format_args!("not CSV: {error}")))?;
        let line = record.position().map_or(1, csv::Position::line);
        let Some(names) = &names else {
            let mut seen = BTreeSet::new();
            let mut found = Vec::new();
            for name in &record {
                if !seen.insert(name.to_owned()) {
                    return Err(
                        call.fault(0, format_args!("two columns have the name {}", Value::string(name)))
                    );
                }
                if let Value::String(name) = Value::string(name) {
                    found.push(name);
                }
            }
            names = Some(found);
            continue;
        };
        if record.len() != names.len() {
            let (fields, first) = (record.len(), names.len());
            return Err(
                call.fault(0, format_args!("line {line} has {fields} fields and the first line {first}"))
            );
        }
        rows.push(Value::object(names.iter().cloned().zip(record.iter().map(Value::string))));
        call.room_for(rows.len())?;
    }
    if names.is_none() {
        return Err(call.fault(0, "the text has no line with the names of the columns"));
    }
    Ok(Value::list(rows))
}

fn urlencode(call: &Call<'_>) -> Result<Value, Fault> {
    let whole = call.text(0)?;
    let mut out = String::with_capacity(whole.len());
    for byte in whole.bytes() {
        match byte {
            b' ' => out.push('+'),
            b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    text(out)
}

fn urldecode(call: &Call<'_>) -> Result<Value, Fault> {
    let whole = call.text(0)?;
    let mut bytes = Vec::with_capacity(whole.len());
    let mut rest = whole.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'+' => bytes.push(b' '),
            b'%' => {
                let pair: Vec<u8> = rest.by_ref().take(2).collect();
                let digits = String::from_utf8_lossy(&pair);
                let is_hex = pair.len() == 2 && pair.iter().all(u8::is_ascii_hexdigit);
                match u8::from_str_radix(&digits, 16) {
                    Ok(byte) if is_hex => bytes.push(byte),
                    _ => {
                        let found = Value::string(&digits);
                        let message = format!("after `%` there are two hexadecimal digits, not {found}");
                        return Err(call.fault(0, message));
                    }
                }
            }
            byte => bytes.push(byte),
        }
    }
    let decoded = String::from_utf8(bytes).map_err(|_| call.fault(0, "the bytes are not UTF-8 text"))?;
    text(decoded)
}
