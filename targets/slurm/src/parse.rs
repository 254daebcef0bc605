//! From the files of the target's folder to objects: our own lines of `Key=Value`, with quotes, without includes.

use std::collections::BTreeMap;

use poolwright_model::canonical::digest;
use poolwright_model::fleet::Target;
use poolwright_model::resource::{File, Observed};
use poolwright_target::FileFault;
use serde_json::{Map, Value};

use crate::keys::{self, Form};
use crate::{address, form, lua, normal};

/// Objects found so far, by kind and name: some are in two files.
type Found = BTreeMap<(String, String), Entry>;

struct Entry {
    body: Map<String, Value>,
    /// Digests of the files that it is in.
    files: Vec<String>,
}

/// The objects in these files, and what is no longer as this target writes it.
pub(crate) fn from_files(target: &Target, files: &[File]) -> (Vec<Observed>, Vec<FileFault>) {
    let mut found = Found::new();
    let mut faults = Vec::new();
    for file in files {
        let mut sheet =
            Sheet { target, file, digest: digest(&file.contents), found: &mut found, faults: &mut faults };
        sheet.read();
    }
    let short = target.short();
    let observed = found.into_iter().map(|((kind, name), entry)| {
        let mut body = Value::Object(entry.body);
        normal::normalise(&kind, &mut body);
        Observed {
            address: address::address(&short, &kind, &name),
            identity: address::identity(&kind, &name),
            kind,
            body,
            precondition: Some(entry.files.join(" ")),
            owned: true,
            protected: false,
        }
    });
    (observed.collect(), faults)
}

/// One file on its way.
struct Sheet<'a> {
    target: &'a Target,
    file: &'a File,
    digest: String,
    found: &'a mut Found,
    faults: &'a mut Vec<FileFault>,
}

impl Sheet<'_> {
    fn fault(&mut self, line: Option<u32>, message: impl Into<String>) {
        self.faults.push(FileFault { path: self.file.path.clone(), line, message: message.into() });
    }

    fn entry(&mut self, kind: &str, name: &str) -> &mut Map<String, Value> {
        let digest = self.digest.clone();
        let entry = self
            .found
            .entry((kind.to_owned(), name.to_owned()))
            .or_insert_with(|| Entry { body: Map::new(), files: Vec::new() });
        if entry.files.last() != Some(&digest) {
            entry.files.push(digest);
        }
        &mut entry.body
    }

    fn read(&mut self) {
        let path = self.file.path.clone();
        let known =
            ["accounts.cfg", "gres.conf", "job_submit.lua", "poolwright.conf", "qos.cfg", "topology.conf"];
        if !known.contains(&path.as_str()) {
            self.fault(None, "not a file of a Slurm target");
            return;
        }
        let Ok(text) = String::from_utf8(self.file.contents.clone()) else {
            self.fault(None, "not a text in UTF-8");
            return;
        };
        let remark = if path.ends_with(".lua") { "--" } else { "#" };
        let header = format!("{remark} poolwright: fleet ");
        if !text.starts_with(&header) {
            self.fault(Some(1), format!("does not begin with `{header}…`: not written by Poolwright"));
            return;
        }
        if path == "job_submit.lua" {
            match lua::read(&text) {
                Ok(Value::Object(body)) => *self.entry("JobSubmit", "job_submit") = body,
                Ok(_) => {}
                Err((line, message)) => self.fault(Some(line), message),
            }
            return;
        }
        let mut name: Option<String> = None;
        for (line, number) in text.lines().zip(1_u32..) {
            if let Some(remark) = line.strip_prefix('#') {
                let prefix = format!(" {}/slurm/", self.target.short());
                name = remark
                    .strip_prefix(&prefix)
                    .and_then(|rest| rest.split_once('/'))
                    .map(|(_, name)| name.to_owned());
                continue;
            }
            if line.trim().is_empty() {
                continue;
            }
            let outcome = match path.as_str() {
                "accounts.cfg" | "qos.cfg" => self.command(line),
                _ => self.line(line, name.as_deref()),
            };
            if let Err(message) = outcome {
                self.fault(Some(number), message);
            }
        }
    }

    /// A line of `Key=Value` of a Slurm file.
    fn line(&mut self, line: &str, name: Option<&str>) -> Result<(), String> {
        let words = words(line)?;
        let Some((head, value)) = words.first() else { return Ok(()) };
        let path = self.file.path.as_str();
        let own = |key: &str| head.eq_ignore_ascii_case(key);
        let kind = match path {
            "gres.conf" if own("NodeName") => "Gres",
            "topology.conf" if own("SwitchName") => "Switch",
            "topology.conf" if own("BlockName") => "Block",
            "topology.conf" if own("BlockSizes") => "BlockSizes",
            "poolwright.conf" if own("NodeName") => "Node",
            "poolwright.conf" if own("NodeSet") => "NodeSet",
            "poolwright.conf" if own("PartitionName") => "Partition",
            "poolwright.conf" => "Config",
            _ => return Err(format!("`{head}` begins no line that Poolwright writes in {path}")),
        };
        let name = match kind {
            "Config" => "globals",
            "Node" | "Gres" | "BlockSizes" => {
                name.ok_or("the remark with the object's address is missing above")?
            }
            _ => value.as_str(),
        };
        let mut read = Map::new();
        for (key, text) in &words {
            let key = keys::find(kind, key)
                .ok_or_else(|| format!("`{key}` is not a key that Poolwright writes"))?;
            if read.insert(key.name.to_owned(), value_of(key, text)?).is_some() {
                return Err(format!("`{}` stands twice", key.name));
            }
        }
        let body = self.entry(kind, name);
        if kind == "Gres" {
            let hosts = read.remove("NodeName").unwrap_or_default();
            if body.get("NodeName").is_some_and(|before| *before != hosts) {
                return Err("the lines of one lot have the same NodeName".to_owned());
            }
            body.insert("NodeName".to_owned(), hosts);
            let devices = body.entry("Devices").or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(devices) = devices {
                devices.push(Value::Object(read));
            }
            return Ok(());
        }
        if let Some(twice) = read.keys().find(|key| body.contains_key(*key)) {
            return Err(format!("`{twice}` of {kind} `{name}` stands twice"));
        }
        body.append(&mut read);
        Ok(())
    }

    /// A command of sacctmgr: `add qos x`, `modify account where name=x cluster=y set K=V`.
    fn command(&mut self, line: &str) -> Result<(), String> {
        let form = "not a line `add …` or `modify … where name=… set …`";
        let (verb, rest) = line.split_once(' ').ok_or(form)?;
        let (noun, rest) = rest.split_once(' ').ok_or(form)?;
        let kind = match noun {
            "qos" => "Qos",
            "account" => "Account",
            _ => return Err(form.to_owned()),
        };
        let (name, cluster, settings) = match verb {
            "add" => {
                let (name, rest) = rest.split_once(' ').unwrap_or((rest, ""));
                let (cluster, rest) = match rest.strip_prefix("Cluster=") {
                    Some(rest) => rest.split_once(' ').unwrap_or((rest, "")),
                    None => ("", rest),
                };
                (name, cluster, rest)
            }
            "modify" => {
                let rest = rest.strip_prefix("where name=").ok_or(form)?;
                let (place, settings) = rest.split_once(" set ").ok_or(form)?;
                let (name, cluster) = place.split_once(" cluster=").unwrap_or((place, ""));
                (name, cluster, settings)
            }
            _ => return Err(form.to_owned()),
        };
        if kind == "Account" && !self.target.meta.name.is_empty() && cluster != self.target.meta.name {
            return Err(format!("cluster \"{cluster}\" is not \"{}\"", self.target.meta.name));
        }
        let mut read = Map::new();
        for (key, text) in words(settings)? {
            if key.ends_with('-') {
                // Takes away what is not wanted.
                continue;
            }
            let key = key.strip_suffix('+').unwrap_or(&key);
            let key = keys::find(kind, key)
                .ok_or_else(|| format!("`{key}` is not a key that Poolwright writes"))?;
            let text = match key.form {
                Form::Weights => set_only(&text),
                _ if text == "-1" => String::new(),
                _ => text,
            };
            if !text.is_empty() {
                read.insert(key.name.to_owned(), value_of(key, &text)?);
            }
        }
        self.entry(kind, name).append(&mut read);
        Ok(())
    }
}

/// Limits without those that are -1, which means none.
fn set_only(text: &str) -> String {
    text.split(',').filter(|part| !part.ends_with("=-1")).collect::<Vec<_>>().join(",")
}

fn value_of(key: &keys::Key, text: &str) -> Result<Value, String> {
    // Words such as UNLIMITED stand for no limit, and normalising takes them off.
    form::read(key.form, text).or_else(|error| {
        let word =
            matches!(key.form, Form::Time | Form::Clock) && text.chars().all(|c| c.is_ascii_alphabetic());
        if word { Ok(Value::from(text)) } else { Err(format!("{}: {error}", key.name)) }
    })
}

/// `A=b C="d e" F='g'` as pairs.
fn words(line: &str) -> Result<Vec<(String, String)>, String> {
    let mut pairs = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let (key, after) = rest.split_once('=').ok_or_else(|| format!("`{rest}` is not Key=Value"))?;
        if key.contains(char::is_whitespace) || key.is_empty() {
            return Err(format!("`{}` is not Key=Value", key.trim()));
        }
        let quote = after.chars().next().filter(|c| *c == '"' || *c == '\'');
        let (value, after) = match quote {
            Some(quote) => {
                let inside = after.strip_prefix(quote).unwrap_or(after);
                inside.split_once(quote).ok_or_else(|| format!("the quote after {key}= is not closed"))?
            }
            None => after.split_at(after.find(char::is_whitespace).unwrap_or(after.len())),
        };
        if !after.is_empty() && !after.starts_with(char::is_whitespace) {
            return Err(format!("something follows the quote after {key}="));
        }
        pairs.push((key.to_owned(), value.to_owned()));
        rest = after.trim_start();
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_have_quotes_where_needed() {
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(
            words("A=b  C=\"d=e f\" G='h' I= J+=k"),
            Ok(vec![pair("A", "b"), pair("C", "d=e f"), pair("G", "h"), pair("I", ""), pair("J+", "k")])
        );
        for bad in ["A", "A b=c", "=c", "A=\"b", "A=\"b\"c"] {
            assert!(words(bad).is_err(), "{bad}");
        }
    }
}
