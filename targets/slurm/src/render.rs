//! From objects to the files of the target's folder.

use std::collections::BTreeSet;

use poolwright_model::Resource;
use poolwright_model::fleet::Target;
use poolwright_model::resource::File;
use serde::Serialize;
use serde_json::Value;
use tera::{Context, Tera};

use crate::keys::{self, Form};
use crate::{form, lua};

/// A file, its template, and the kinds of objects in it in order.
struct Sheet {
    path: &'static str,
    template: &'static str,
    kinds: &'static [&'static str],
}

const SHEETS: [Sheet; 6] = [
    Sheet {
        path: "accounts.cfg",
        template: include_str!("../templates/accounts.cfg.tera"),
        kinds: &["Qos", "Account"],
    },
    Sheet { path: "gres.conf", template: include_str!("../templates/gres.conf.tera"), kinds: &["Gres"] },
    Sheet {
        path: "job_submit.lua",
        template: include_str!("../templates/job_submit.lua.tera"),
        kinds: &["JobSubmit"],
    },
    Sheet {
        path: "poolwright.conf",
        template: include_str!("../templates/poolwright.conf.tera"),
        kinds: &["Config", "Node", "NodeSet", "Partition"],
    },
    // Twice: all are added before the first is told whom it preempts.
    Sheet { path: "qos.cfg", template: include_str!("../templates/qos.cfg.tera"), kinds: &["Qos", "Qos"] },
    Sheet {
        path: "topology.conf",
        template: include_str!("../templates/topology.conf.tera"),
        kinds: &["BlockSizes", "Switch", "Block"],
    },
];

/// One object in a template.
#[derive(Serialize)]
struct Entry {
    address: String,
    lines: Vec<String>,
    rules: Vec<Rule>,
    script: String,
}

#[derive(Serialize)]
struct Rule {
    name: String,
    table: String,
}

/// The files of all objects of one target.
pub(crate) fn to_files(target: &Target, fleet: &str, resources: &[Resource]) -> Vec<File> {
    let tracked = tracked(resources);
    let cluster = &target.meta.name;
    let mut files = Vec::new();
    for sheet in &SHEETS {
        let mut entries = Vec::new();
        for (at, kind) in sheet.kinds.iter().enumerate() {
            let first = at == 0;
            let mut objects: Vec<&Resource> =
                resources.iter().filter(|object| object.kind == *kind).collect();
            objects.sort_by(|a, b| order(a).cmp(&order(b)));
            for object in objects {
                let lines = match (sheet.path, *kind) {
                    ("qos.cfg", _) if first => vec![format!("add qos {}", name(object))],
                    ("qos.cfg", _) => vec![qos_line(object, &others(object, resources))],
                    ("accounts.cfg", "Qos") => qos_limit_lines(object, &tracked),
                    ("accounts.cfg", _) => account_lines(object, cluster, &tracked),
                    ("gres.conf", _) => gres_lines(object),
                    ("poolwright.conf", "Config") => pairs(object, &object.body),
                    _ => vec![pairs(object, &object.body).join(" ")],
                };
                if lines.is_empty() {
                    continue;
                }
                let rules = object.body.get("Partitions").and_then(Value::as_object);
                let rules = rules.into_iter().flatten().map(|(name, rule)| Rule {
                    name: lua::write(&Value::from(name.as_str())),
                    table: lua::write(rule),
                });
                entries.push(Entry {
                    address: object.address.clone(),
                    lines,
                    rules: rules.collect(),
                    script: lua::SCRIPT.trim_end().to_owned(),
                });
            }
        }
        if entries.is_empty() {
            continue;
        }
        let mut context = Context::new();
        context.insert("fleet", fleet);
        context.insert("target", &target.short());
        context.insert("cluster", cluster);
        context.insert("objects", &entries);
        // The templates are ours and are rendered by every test, so that this cannot fail on a user's fleet.
        let text = render(sheet.template, &context).unwrap_or_else(|error| format!("# {error}\n"));
        files.push(File {
            path: sheet.path.to_owned(),
            contents: format!("{}\n", text.trim_end()).into_bytes(),
        });
    }
    files
}

fn render(template: &str, context: &Context) -> tera::TeraResult<String> {
    let mut tera = Tera::new();
    tera.add_raw_template("file", template)?;
    tera.render("file", context)
}

/// By name; QoS by priority, so that on a changed order no line makes a loop of who preempts whom.
fn order(object: &Resource) -> (u64, &str) {
    let priority =
        if object.kind == "Qos" { object.body.get("Priority").and_then(Value::as_u64) } else { None };
    (priority.unwrap_or(0), &object.address)
}

/// TRES of GPUs that the cluster keeps count of.
fn tracked(resources: &[Resource]) -> BTreeSet<String> {
    let config = resources.iter().find(|object| object.kind == "Config");
    let list = config.and_then(|config| config.body.get("AccountingStorageTRES")).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The last part of an object's address, as it was before escaping: names that reach a file have nothing to escape.
fn name(object: &Resource) -> &str {
    object.address.rsplit('/').next().unwrap_or(&object.address)
}

fn pairs(object: &Resource, body: &Value) -> Vec<String> {
    keys::of(&object.kind)
        .filter_map(|key| body.get(key.name).map(|value| pair(key.name, &form::write(key.form, value))))
        .collect()
}

fn pair(key: &str, text: &str) -> String {
    // Quotes only where a sign of the grammar is inside: what is plain stays plain to read.
    if text.contains(['=', ' ', '#', '\t']) { format!("{key}=\"{text}\"") } else { format!("{key}={text}") }
}

/// One line per kind of device.
fn gres_lines(object: &Resource) -> Vec<String> {
    let hosts = object.body.get("NodeName").map_or_else(String::new, |hosts| form::write(Form::Hosts, hosts));
    let devices = object.body.get("Devices").and_then(Value::as_array);
    devices
        .into_iter()
        .flatten()
        .map(|device| format!("NodeName={hosts} {}", pairs(object, device).join(" ")))
        .collect()
}

/// sacctmgr's grammar: no quotes around lists, and what is not wanted is cleared.
fn setting(object: &Resource, key: &str, clear: &str) -> String {
    let written = keys::find(&object.kind, key)
        .and_then(|known| object.body.get(known.name).map(|value| form::write(known.form, value)))
        .filter(|text| !text.is_empty());
    format!("{key}={}", written.as_deref().unwrap_or(clear))
}

/// Weights with -1 for each of `all` that has no limit.
fn limits<'a>(object: &Resource, key: &str, all: impl Iterator<Item = &'a str>) -> String {
    let set = object.body.get(key).and_then(Value::as_object);
    let mut parts: Vec<String> = set
        .into_iter()
        .flatten()
        .map(|(tres, amount)| format!("{tres}={}", form::write(Form::Number, amount)))
        .collect();
    parts.extend(
        all.filter(|tres| set.is_none_or(|set| !set.contains_key(*tres))).map(|tres| format!("{tres}=-1")),
    );
    format!("{key}={}", parts.join(","))
}

/// The other QoS of the cluster.
fn others<'a>(object: &Resource, resources: &'a [Resource]) -> BTreeSet<&'a str> {
    let same = resources.iter().filter(|other| other.kind == "Qos" && other.address != object.address);
    same.map(name).collect()
}

fn qos_line(object: &Resource, others: &BTreeSet<&str>) -> String {
    let mut settings = vec![
        setting(object, "Priority", "0"),
        setting(object, "PreemptMode", "cluster"),
        setting(object, "GraceTime", "0"),
        setting(object, "PreemptExemptTime", "-1"),
        setting(object, "MaxWall", "-1"),
        setting(object, "Flags", "-1"),
    ];
    // An empty `Preempt=` leaves slurmdbd 22.05.8 with a QoS 0 in mind, and the next list is refused as a loop.
    if object.body.get("Preempt").is_some() {
        settings.push(setting(object, "Preempt", ""));
    } else if !others.is_empty() {
        settings.push(format!("Preempt-={}", others.iter().copied().collect::<Vec<_>>().join(",")));
    }
    format!("modify qos where name={} set {}", name(object), settings.join(" "))
}

/// Limits in TRES, which slurmdbd knows only after slurmctld has told it of them.
fn qos_limit_lines(object: &Resource, tracked: &BTreeSet<String>) -> Vec<String> {
    let name = name(object);
    let gpus = tracked.iter().map(String::as_str).filter(|tres| *tres == "gres/gpu");
    let all: Vec<&str> = gpus.chain(std::iter::once("node")).collect();
    let most = limits(object, "MaxTRESPerJob", all.iter().copied());
    let least = limits(object, "MinTRESPerJob", all.iter().copied());
    vec![format!("modify qos where name={name} set {most} {least}")]
}

fn account_lines(object: &Resource, cluster: &str, tracked: &BTreeSet<String>) -> Vec<String> {
    let name = name(object);
    let quoted = |key: &str| {
        let text = object.body.get(key).and_then(Value::as_str).unwrap_or_default();
        format!("{key}='{text}'")
    };
    let mut settings = vec![setting(object, "Fairshare", "1")];
    let caps = limits(object, "GrpTRES", tracked.iter().map(String::as_str));
    if !caps.ends_with('=') {
        settings.push(caps);
    }
    settings.push(limits(object, "GrpTRESMins", std::iter::once("billing")));
    if object.body.get("QOS").is_some() {
        settings.push(setting(object, "QOS", "").replacen('=', "+=", 1));
    }
    vec![
        format!("add account {name} Cluster={cluster} {} {}", quoted("Description"), quoted("Organization")),
        format!("modify account where name={name} cluster={cluster} set {}", settings.join(" ")),
    ]
}
