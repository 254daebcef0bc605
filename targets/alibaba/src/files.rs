//! Node pools as Terraform files and back.

use hcl::{Block, Body};
use poolwright_model::fleet::Target;
use poolwright_model::resource::{File, Observed};
use poolwright_model::{Resource, canonical};
use poolwright_target::FileFault;
use poolwright_target_cloud::tags;
use serde_json::Value;

use crate::{NODE_POOL, hcl_text, names, normalise, providers};

/// One pool a file, and `providers.tf` beside them, sorted by path.
pub(crate) fn to_files(target: &Target, fleet: &str, resources: &[Resource]) -> Vec<File> {
    let mut files: Vec<File> = resources
        .iter()
        .filter_map(|resource| {
            let name = name(&resource.body)?;
            let mut block = Block::builder("resource").add_labels([NODE_POOL, &names::label(name)]).build();
            block.body = hcl_text::to_body(&resource.body);
            file(names::path(name), fleet, &resource.address, &Body::from(vec![block]))
        })
        .collect();
    if !files.is_empty() {
        files.extend(file(providers::PATH.to_owned(), fleet, &target.short(), &providers::body(target)));
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

fn file(path: String, fleet: &str, address: &str, body: &Body) -> Option<File> {
    // Writing to memory fails only for what no body here holds.
    let text = hcl_text::print(body).ok()?;
    Some(File { path, contents: format!("# poolwright: fleet {fleet}, {address}\n{text}").into_bytes() })
}

/// The objects in files, and the files that hold none.
pub(crate) fn from_files(target: &Target, files: &[File]) -> (Vec<Observed>, Vec<FileFault>) {
    let (mut objects, mut faults) = (Vec::new(), Vec::new());
    for file in files {
        match from_file(target, file) {
            Ok(object) => objects.extend(object),
            Err(fault) => faults.push(fault),
        }
    }
    objects.sort_by(|a: &Observed, b| a.address.cmp(&b.address));
    (objects, faults)
}

fn from_file(target: &Target, file: &File) -> Result<Option<Observed>, FileFault> {
    let fault = |line, message| FileFault { path: file.path.clone(), line, message };
    let text =
        std::str::from_utf8(&file.contents).map_err(|error| fault(None, format!("is not UTF-8: {error}")))?;
    let parsed: Body = hcl::parse(text).map_err(|error| {
        let line = match &error {
            hcl::Error::Parse(error) => u32::try_from(error.location().line()).ok(),
            _ => None,
        };
        let message = match &error {
            hcl::Error::Parse(error) => error.message().to_owned(),
            other => other.to_string(),
        };
        fault(line, format!("is not HCL: {message}"))
    })?;
    if file.path == providers::PATH {
        return Ok(None);
    }
    let is_pool = |block: &&Block| {
        block.identifier.as_str() == "resource"
            && block.labels.first().is_some_and(|label| label.as_str() == NODE_POOL)
    };
    let mut pools = parsed.blocks().filter(is_pool);
    let block = pools.next().ok_or_else(|| fault(None, format!("has no resource \"{NODE_POOL}\"")))?;
    if pools.next().is_some() || parsed.iter().count() != 1 {
        return Err(fault(
            None,
            "holds more than one node pool, and nothing else is read from it".to_owned(),
        ));
    }
    let mut body = hcl_text::from_body(&block.body);
    normalise::normalise(&mut body);
    let name = name(&body).ok_or_else(|| fault(None, "has no \"node_pool_name\"".to_owned()))?.to_owned();
    let (path, label) = (names::path(&name), names::label(&name));
    if path != file.path {
        return Err(fault(None, format!("holds the node pool \"{name}\", which belongs in {path}")));
    }
    let found = block.labels.get(1).map(hcl::structure::BlockLabel::as_str).unwrap_or_default();
    if found != label {
        return Err(fault(
            None,
            format!("calls its resource \"{found}\", the node pool \"{name}\" is \"{label}\""),
        ));
    }
    let owned = body.get("tags").is_some_and(|tags| tags.get(tags::FLEET).is_some());
    Ok(Some(Observed {
        address: names::address(target, &name),
        kind: NODE_POOL.to_owned(),
        identity: names::identity(&name),
        body,
        precondition: Some(canonical::digest(&file.contents)),
        owned,
        protected: false,
    }))
}

/// The node pool's name.
pub(crate) fn name(body: &Value) -> Option<&str> {
    body.get("node_pool_name").and_then(Value::as_str)
}
