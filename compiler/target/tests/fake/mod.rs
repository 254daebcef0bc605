//! A kind of target for tests. `Thing`: one object a file. `Row`: all in `rows.conf`, with a `sum.conf` that is
//! made from all of them and holds none, and a `many.conf` when there are several.

use poolwright_model::fleet;
use poolwright_model::resource::{File, Observed};
use poolwright_model::{Address, Resource};
use poolwright_target::{FileFault, Input, Lowered, Target};
use serde_json::{Value, json};

pub(crate) struct Fake;

pub(crate) fn target(name: &str) -> fleet::Target {
    serde_json::from_value(json!({
        "meta": {"address": format!("target.alibaba.{name}"), "name": name},
        "directory": format!("live/{name}"), "router": false,
        "kind": {"alibaba": {"groups": "ack", "zones": {}}},
    }))
    .unwrap()
}

pub(crate) fn resource(target: &fleet::Target, kind: &str, name: &str, body: Value) -> Resource {
    let identity = format!("{kind}/{name}");
    Resource {
        address: format!("{}/{identity}", target.short()),
        target: target.meta.address.clone(),
        kind: kind.to_owned(),
        identity,
        body,
        depends_on: Vec::new(),
        block: Address::new(format!("pool.{name}")),
        origin: poolwright_diagnostics::Span::default(),
        field_origins: std::collections::BTreeMap::new(),
        remark: None,
        ownership: std::collections::BTreeMap::new(),
        protected: false,
    }
}

fn observed(target: &fleet::Target, kind: &str, name: &str, body: Value) -> Observed {
    let protected = body.get("protect") == Some(&json!(true));
    let made = resource(target, kind, name, body);
    Observed {
        address: made.address,
        kind: made.kind,
        identity: made.identity,
        body: made.body,
        precondition: None,
        owned: false,
        protected,
    }
}

impl Target for Fake {
    fn kind(&self) -> &'static str {
        "fake"
    }

    fn support(&self, _: &fleet::Target) -> &'static str {
        "schema-checked"
    }

    fn lower(&self, _: Input<'_>) -> Lowered {
        Lowered::default()
    }

    fn to_files(&self, _: &fleet::Target, fleet: &str, resources: &[Resource]) -> Vec<File> {
        let mut sorted: Vec<&Resource> = resources.iter().collect();
        sorted.sort_by(|a, b| a.identity.cmp(&b.identity));
        let mut files = Vec::new();
        let (mut rows, mut sum) = (String::new(), 0);
        for resource in sorted {
            let name = resource.identity.split_once('/').unwrap().1;
            if resource.kind == "Row" {
                rows.push_str(&format!("{name} {}\n", resource.body));
                sum += resource.body["size"].as_i64().unwrap_or(0);
            } else {
                let text = format!("# fleet {fleet}\n{:#}\n", resource.body);
                files.push(File { path: format!("things/{name}.json"), contents: text.into_bytes() });
            }
        }
        if !rows.is_empty() {
            files.push(File { path: "rows.conf".into(), contents: rows.clone().into_bytes() });
            files.push(File { path: "sum.conf".into(), contents: format!("{sum}\n").into_bytes() });
            if rows.lines().count() > 1 {
                files.push(File { path: "many.conf".into(), contents: format!("many {sum}\n").into_bytes() });
            }
        }
        files
    }

    fn from_files(&self, target: &fleet::Target, files: &[File]) -> (Vec<Observed>, Vec<FileFault>) {
        let (mut all, mut faults) = (Vec::new(), Vec::new());
        for file in files {
            let text = String::from_utf8_lossy(&file.contents);
            let fault =
                |line, message: &str| FileFault { path: file.path.clone(), line, message: message.into() };
            if file.path == "rows.conf" {
                for (index, line) in text.lines().enumerate() {
                    match line
                        .split_once(' ')
                        .and_then(|(name, body)| Some((name, serde_json::from_str(body).ok()?)))
                    {
                        Some((name, body)) => all.push(observed(target, "Row", name, body)),
                        None => faults.push(fault(Some(index as u32 + 1), "no row")),
                    }
                }
            } else if let Some(name) =
                file.path.strip_prefix("things/").and_then(|it| it.strip_suffix(".json"))
            {
                let json: String = text.lines().filter(|line| !line.starts_with('#')).collect();
                match serde_json::from_str(&json) {
                    Ok(body) => all.push(observed(target, "Thing", name, body)),
                    Err(error) => faults.push(fault(None, &error.to_string())),
                }
            }
        }
        (all, faults)
    }

    fn normalise(&self, _: &str, body: &mut Value) {
        if let Some(members) = body.as_object_mut() {
            members.remove("status");
            members.entry("size").or_insert(json!(1));
        }
    }

    fn list_key(&self, _: &str, pointer: &str) -> Option<&'static str> {
        matches!(pointer, "/items" | "/groups/*/flavors").then_some("name")
    }

    fn immutable(&self, _: &fleet::Target, _: &str, pointer: &str) -> Option<String> {
        matches!(pointer, "/color" | "/spec/labels").then(|| "is immutable in Fake 1".to_owned())
    }

    fn immutable_in(&self, target: &fleet::Target, kind: &str, pointer: &str, now: &Value) -> Option<String> {
        let once = pointer == "/once" && now.get("once").is_some();
        once.then(|| "can be set once".to_owned()).or_else(|| self.immutable(target, kind, pointer))
    }
}
