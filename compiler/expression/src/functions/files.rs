//! Files below the fleet's folder, and templates. The host reads them; what is outside of that folder cannot be named.

use std::sync::Arc;

use poolwright_diagnostics::suggestion_help;
use regex::Regex;

use super::base64::encode;
use super::call::{Call, returns, text};
use super::{Function, Implementation, by_the_evaluator, hash};
use crate::evaluate::to_text;
use crate::{Fault, FileFault, Host, Value, codes};

const PATH: &[(&str, &str)] = &[("path", "a path below the fleet's folder, `/` between its parts")];

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new("file", PATH, "The text of a file.", returns::text, file)
        .examples(&[
            (r#"chomp(file("files/motd.txt"))"#, r#""welcome""#),
            (r#"file("files/none.txt")"#, "error: `file`: there is no file \"files/none.txt\""),
            (
                r#"file("../secret")"#,
                "error: `file`: \"../secret\" is not below the fleet's folder",
            ),
        ])
        .notes(&["The file is text in UTF-8. Files outside of the fleet's folder cannot be read: a plan must not depend \
                  on the machine that makes it."]),
    Function::new("filebase64", PATH, "The bytes of a file in base64.", returns::text, |call| {
        hashed(call, encode)
    })
    .examples(&[(r#"filebase64("files/logo.bin")"#, r#""AP8=""#)])
    .notes(&["For files that are not text."]),
    Function::new("fileexists", PATH, "Whether there is a file.", returns::bool, fileexists)
        .examples(&[
            (r#"fileexists("files/motd.txt")"#, "true"),
            (r#"fileexists("files/none.txt")"#, "false"),
        ])
        .notes(&["A folder is an error, not a file."]),
    Function::new(
        "fileset",
        &[("folder", "a folder of the fleet's folder"), ("pattern", "which paths below it")],
        "The paths of files that match a pattern, relative to the folder.",
        returns::set,
        fileset,
    )
    .examples(&[
        (r#"fileset("files", "*.txt")"#, r#"toset(["hello.txt", "motd.txt"])"#),
        (r#"fileset(".", "**/{motd,logo}.*")"#, r#"toset(["files/logo.bin", "files/motd.txt"])"#),
    ])
    .notes(&["`*` any signs but `/`, `**` any folders, `?` one sign, `[a-z]` and `[^a-z]` one of a class, `{a,b}` one of \
              several. A name that begins with a point is taken only by a pattern that says so; folders with such a \
              name, and links, are not looked into."]),
    Function::new("filemd5", PATH, "The MD5 hash of a file, hexadecimal.", returns::text, |call| {
        hashed(call, hash::md5)
    })
    .examples(&[(r#"filemd5("files/logo.bin")"#, r#""d07d34efac6328007ad67c7e0a985e00""#)]),
    Function::new("filesha1", PATH, "The SHA-1 hash of a file, hexadecimal.", returns::text, |call| {
        hashed(call, hash::sha1)
    })
    .examples(&[(r#"filesha1("files/logo.bin")"#, r#""aa3e5dcdd77b153f2e59bd0d8794fde33cb4e486""#)]),
    Function::new("filesha256", PATH, "The SHA-256 hash of a file, hexadecimal.", returns::text, |call| {
        hashed(call, hash::sha256)
    })
    .examples(&[(r#"filesha256("files/motd.txt") == sha256(file("files/motd.txt"))"#, "true")]),
    Function::new("filesha512", PATH, "The SHA-512 hash of a file, hexadecimal.", returns::text, |call| {
        hashed(call, hash::sha512)
    })
    .examples(&[(r#"filesha512("files/motd.txt") == sha512(file("files/motd.txt"))"#, "true")]),
    Function::new("filebase64sha256", PATH, "The SHA-256 hash of a file in base64.", returns::text, |call| {
        hashed(call, hash::base64sha256)
    })
    .examples(&[(r#"filebase64sha256("files/motd.txt") == base64sha256(file("files/motd.txt"))"#, "true")]),
    Function::new("filebase64sha512", PATH, "The SHA-512 hash of a file in base64.", returns::text, |call| {
        hashed(call, hash::base64sha512)
    })
    .examples(&[(r#"filebase64sha512("files/motd.txt") == base64sha512(file("files/motd.txt"))"#, "true")]),
    Function::new(
        "templatefile",
        &[("path", "a path below the fleet's folder"), ("variables", "an object: what the template may name")],
        "The text of a template in a file, filled in.",
        returns::any,
        by_the_evaluator,
    )
    .special(Implementation::TemplateFile)
    .examples(&[
        (r#"chomp(templatefile("files/hello.txt", { name = "eu" }))"#, r#""hello eu""#),
        (
            r#"templatefile("files/hello.txt", {})"#,
            "error: the template \"files/hello.txt\" cannot be read: line 1: there is no `name` here",
        ),
    ])
    .notes(&[
        "Holes `${…}` and directives `%{ if … }` and `%{ for … }` as in a text of the language; a template sees its \
         variables and all functions, no blocks and no locals.",
        "A template that is nothing but one hole gives its value, not a text.",
    ]),
    Function::new(
        "templatestring",
        &[("template", "text; its own holes are written `$${…}`"), ("variables", "an object: what it may name")],
        "The text of a template that is a value, filled in.",
        returns::any,
        by_the_evaluator,
    )
    .special(Implementation::TemplateString)
    .examples(&[(r#"templatestring("hello $${name}", { name = "eu" })"#, r#""hello eu""#)])
    .notes(&["The template may come from anywhere: a local, a variable, a decoded file. OpenTofu's rules of `templatefile` \
              hold for it."]),
    Function::new(
        "basename",
        &[("path", "any path")],
        "The last part of a path.",
        returns::text,
        basename,
    )
    .examples(&[(r#"basename("live/eks/a.yaml")"#, r#""a.yaml""#), (r#"basename("")"#, r#"".""#)]),
    Function::new(
        "dirname",
        &[("path", "any path")],
        "A path without its last part.",
        returns::text,
        dirname,
    )
    .examples(&[(r#"dirname("live/eks/a.yaml")"#, r#""live/eks""#), (r#"dirname("a.yaml")"#, r#"".""#)]),
];

/// A path below the fleet's folder without `.` and `..`; `None`: it leads out of it. The folder itself is empty.
fn below(path: &str) -> Option<String> {
    if path.starts_with('/') || path.contains('\\') || path.contains('\0') {
        return None;
    }
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn fault(name: &str, message: String) -> Fault {
    Fault::new(codes::BAD_ARGUMENT, format!("`{name}`: {message}")).argument(0)
}

fn path_of(name: &str, path: &Value) -> Result<String, Fault> {
    let written =
        to_text(path).map_err(|_| fault(name, format!("a path is wanted, not {}", path.type_name())))?;
    below(&written).ok_or_else(|| {
        fault(name, format!("{} is not below the fleet's folder", Value::string(&written)))
            .help("paths are relative to that folder, with `/` between their parts")
    })
}

/// The bytes of a file; none where there is no such file.
fn bytes_of(name: &str, path: &Value, host: &dyn Host) -> Result<Option<Vec<u8>>, Fault> {
    match host.read_file(&path_of(name, path)?) {
        Some(Ok(bytes)) => Ok(Some(bytes)),
        Some(Err(FileFault::Missing)) => Ok(None),
        Some(Err(FileFault::Other(why))) => Err(fault(name, format!("{path} cannot be read: {why}"))),
        None => Err(fault(name, "files cannot be read here".into())
            .help("read the file in `locals` or in a block's attribute, and use that")),
    }
}

fn bytes(name: &str, path: &Value, host: &dyn Host) -> Result<Vec<u8>, Fault> {
    if let Some(bytes) = bytes_of(name, path, host)? {
        return Ok(bytes);
    }
    let wanted = path_of(name, path)?;
    let there = host.list_files("").and_then(Result::ok).unwrap_or_default();
    let help = suggestion_help("file", &wanted, there.iter().map(String::as_str));
    Err(fault(name, format!("there is no file {path}")).maybe_help(help))
}

/// The text of a file.
pub(crate) fn read_text(name: &str, path: &Value, host: &dyn Host) -> Result<Arc<str>, Fault> {
    let text = String::from_utf8(bytes(name, path, host)?).map_err(|_| {
        fault(name, format!("{path} is not text in UTF-8")).help("`filebase64` reads any file")
    })?;
    match Value::string(&text) {
        Value::String(text) => Ok(text),
        _ => Ok(text.into()),
    }
}

fn file(call: &Call<'_>) -> Result<Value, Fault> {
    read_text(call.name, call.argument(0), call.host).map(Value::String)
}

fn hashed(call: &Call<'_>, hash: fn(&[u8]) -> String) -> Result<Value, Fault> {
    let bytes = bytes(call.name, call.argument(0), call.host)?;
    call.work(bytes.len() / 32)?;
    text(hash(&bytes))
}

fn fileexists(call: &Call<'_>) -> Result<Value, Fault> {
    Ok(Value::Bool(bytes_of(call.name, call.argument(0), call.host)?.is_some()))
}

fn fileset(call: &Call<'_>) -> Result<Value, Fault> {
    let folder = path_of(call.name, call.argument(0))?;
    let written = call.text(1)?;
    let pattern = glob(&written).ok_or_else(|| {
        call.fault(1, format_args!("{} is not a pattern of paths", Value::string(&written)))
            .help("`*`, `**`, `?`, `[a-z]` and `{a,b}` stand for signs of a path")
    })?;
    let files = match call.host.list_files(&folder) {
        Some(Ok(files)) => files,
        Some(Err(FileFault::Missing)) => Vec::new(),
        Some(Err(FileFault::Other(why))) => {
            return Err(call.fault(0, format_args!("{} cannot be read: {why}", call.argument(0))));
        }
        None => {
            return Err(call
                .fault(0, "files cannot be read here")
                .help("read the folder in `locals` or in a block's attribute, and use that"));
        }
    };
    call.work(files.len())?;
    Ok(Value::set(files.iter().filter(|path| pattern.is_match(path)).map(|path| Value::string(path))))
}

/// The regular expression of a pattern of paths.
fn glob(pattern: &str) -> Option<Regex> {
    let mut out = String::from("^");
    let mut rest = pattern.strip_prefix("./").unwrap_or(pattern);
    let mut open = 0_u32;
    let mut start = true;
    while let Some(c) = rest.chars().next() {
        let first = start;
        start = c == '/';
        // `**` is a part of its own: any number of folders.
        if first && let Some(after) = rest.strip_prefix("**/") {
            out.push_str("(?:[^/.][^/]*/)*");
            (rest, start) = (after, true);
            continue;
        }
        if first && rest == "**" {
            out.push_str("(?:[^/.][^/]*/)*[^/.][^/]*");
            break;
        }
        let mut after = rest.get(c.len_utf8()..).unwrap_or("");
        match c {
            // Hidden names are not meant by a pattern that begins with a star.
            '*' if first => {
                after = after.trim_start_matches('*');
                out.push_str("(?:[^/.][^/]*)?");
            }
            '*' => {
                after = after.trim_start_matches('*');
                out.push_str("[^/]*");
            }
            '?' => out.push_str(if first { "[^/.]" } else { "[^/]" }),
            '{' => {
                open += 1;
                out.push_str("(?:");
            }
            '}' => {
                open = open.checked_sub(1)?;
                out.push(')');
            }
            ',' if open > 0 => out.push('|'),
            '[' => {
                let end = after.find(']')?;
                let (class, behind) = after.split_at(end);
                let (negated, class) = match class.strip_prefix(['^', '!']) {
                    Some(class) => ("^/", class),
                    None => ("", class),
                };
                out.push('[');
                out.push_str(negated);
                for c in class.chars() {
                    if c == '-' {
                        out.push('-')
                    } else {
                        out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])))
                    }
                }
                out.push(']');
                after = behind.get(1..).unwrap_or("");
            }
            '\\' => {
                let literal = after.chars().next()?;
                out.push_str(&regex::escape(literal.encode_utf8(&mut [0; 4])));
                after = after.get(literal.len_utf8()..).unwrap_or("");
            }
            c => out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
        }
        rest = after;
    }
    out.push('$');
    if open > 0 || pattern.len() > 1_000 { None } else { Regex::new(&out).ok() }
}

fn basename(call: &Call<'_>) -> Result<Value, Fault> {
    let whole = call.text(0)?;
    let path = whole.trim_end_matches('/');
    text(match (path.rsplit_once('/'), path, whole.is_empty()) {
        (_, _, true) => ".",
        (_, "", false) => "/",
        (Some((_, last)), ..) => last,
        (None, path, _) => path,
    })
}

fn dirname(call: &Call<'_>) -> Result<Value, Fault> {
    let whole = call.text(0)?;
    let Some((path, _)) = whole.rsplit_once('/') else { return text(".") };
    let rooted = path.starts_with('/') || path.is_empty();
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if rooted => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    text(match (rooted, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    })
}
