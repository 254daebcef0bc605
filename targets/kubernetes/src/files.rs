//! One YAML file an object (CONTRACT §3), and back.

use poolwright_model::Resource;
use poolwright_model::canonical;
use poolwright_model::fleet::Target;
use poolwright_model::resource::{File, Observed};
use poolwright_target::FileFault;
use poolwright_target::names::path_part;
use serde_json::Value;

use crate::normalise::normalise;
use crate::object::{FLEET, Identity, PROTECT};
use crate::yaml::{self, YamlFault};

/// The files of a target's objects.
pub(crate) fn to_files(fleet: &str, resources: &[Resource]) -> Vec<File> {
    let mut files: Vec<File> = resources.iter().filter_map(|resource| to_file(fleet, resource)).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// None for a body without a head, which no lowering gives.
fn to_file(fleet: &str, resource: &Resource) -> Option<File> {
    let path = path_of(&resource.body)?;
    let body = yaml::write(&resource.body).ok()?;
    let contents = format!("# poolwright: fleet {fleet}, {}\n{body}", resource.address);
    Some(File { path, contents: contents.into_bytes() })
}

/// The path of the file that holds an object.
pub(crate) fn path_of(body: &Value) -> Option<String> {
    Identity::of(body).map(|identity| path(&identity))
}

/// `kueue.x-k8s.io/localqueue/nlp/cost-optimized.yaml`
fn path(identity: &Identity) -> String {
    let mut path = format!("{}/{}/", identity.folder(), identity.kind.to_lowercase());
    if let Some(namespace) = &identity.namespace {
        path.push_str(&path_part(namespace));
        path.push('/');
    }
    path.push_str(&path_part(&identity.name));
    path.push_str(".yaml");
    path
}

/// The objects in some files, and what is wrong with the rest.
pub(crate) fn from_files(target: &Target, files: &[File]) -> (Vec<Observed>, Vec<FileFault>) {
    let (mut objects, mut faults) = (Vec::new(), Vec::new());
    for file in files {
        match from_file(target, file) {
            Ok(object) => objects.push(object),
            Err(fault) => {
                faults.push(FileFault { path: file.path.clone(), line: fault.line, message: fault.message });
            }
        }
    }
    (objects, faults)
}

fn from_file(target: &Target, file: &File) -> Result<Observed, YamlFault> {
    let text = std::str::from_utf8(&file.contents).map_err(|fault| {
        let before = file.contents.iter().take(fault.valid_up_to()).filter(|byte| **byte == b'\n').count();
        wrong(u32::try_from(before + 1).ok(), "is not UTF-8 text".into())
    })?;
    let mut documents = yaml::read(text)?;
    documents.retain(|document| !document.is_null());
    let count = documents.len();
    let (Some(mut body), true) = (documents.pop(), count <= 1) else {
        return Err(wrong(None, format!("holds {count} documents; one file holds one object")));
    };
    let Some(identity) = Identity::of(&body) else {
        return Err(wrong(Some(1), missing(&body)));
    };
    let owned = body.pointer("/metadata/labels").and_then(|labels| labels.get(FLEET)).is_some();
    let protected = body
        .pointer("/metadata/annotations")
        .and_then(|marks| marks.get(PROTECT))
        .is_some_and(|mark| mark == "true");
    normalise(&identity.kind, &mut body);
    Ok(Observed {
        address: identity.address(&target.short()),
        kind: identity.kind.clone(),
        identity: identity.to_string(),
        body,
        precondition: Some(canonical::digest(&file.contents)),
        owned,
        protected,
    })
}

fn wrong(line: Option<u32>, message: String) -> YamlFault {
    YamlFault { line, message }
}

/// Which part of an object's head is not there.
fn missing(body: &Value) -> String {
    let missing: Vec<&str> =
        [("/apiVersion", "apiVersion"), ("/kind", "kind"), ("/metadata/name", "metadata.name")]
            .into_iter()
            .filter(|(place, _)| body.pointer(place).and_then(Value::as_str).is_none_or(str::is_empty))
            .map(|(_, name)| name)
            .collect();
    format!("is no Kubernetes object: it has no {} that is a text", missing.join(", "))
}
