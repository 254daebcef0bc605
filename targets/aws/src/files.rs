//! Documents as files and back.

use poolwright_model::fleet::Target;
use poolwright_model::resource::{File, Observed};
use poolwright_model::{Resource, canonical};
use poolwright_target::FileFault;
use poolwright_target_cloud::tags;
use serde_json::Value;

use crate::{Kind, names, normalise};

/// One object a file, sorted by path. The files are what `aws … --cli-input-json` takes.
pub(crate) fn to_files(resources: &[Resource]) -> Vec<File> {
    let mut files: Vec<File> = resources
        .iter()
        .filter_map(|resource| {
            let kind = Kind::parse(&resource.kind)?;
            let name = resource.body.get(kind.name_field())?.as_str()?;
            Some(File {
                path: names::path(kind, name),
                contents: format!("{:#}\n", resource.body).into_bytes(),
            })
        })
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// The objects in files, and the files that hold none.
pub(crate) fn from_files(target: &Target, files: &[File]) -> (Vec<Observed>, Vec<FileFault>) {
    let (mut objects, mut faults) = (Vec::new(), Vec::new());
    for file in files {
        match from_file(target, file) {
            Ok(object) => objects.push(object),
            Err(fault) => faults.push(fault),
        }
    }
    objects.sort_by(|a: &Observed, b| a.address.cmp(&b.address));
    (objects, faults)
}

fn from_file(target: &Target, file: &File) -> Result<Observed, FileFault> {
    let fault = |line, message| FileFault { path: file.path.clone(), line, message };
    let kind = file
        .path
        .split_once('/')
        .and_then(|(folder, _)| Kind::ALL.into_iter().find(|kind| kind.folder() == folder))
        .ok_or_else(|| {
            let folders: Vec<&str> = Kind::ALL.iter().map(|kind| kind.folder()).collect();
            fault(None, format!("is in none of the folders of an AWS target: {}", folders.join(", ")))
        })?;
    let mut body: Value = serde_json::from_slice(&file.contents).map_err(|error| {
        let line = u32::try_from(error.line()).ok().filter(|line| *line > 0);
        fault(line, format!("is not JSON: {error}"))
    })?;
    let field = kind.name_field();
    let name = body
        .get(field)
        .and_then(Value::as_str)
        .ok_or_else(|| fault(None, format!("has no \"{field}\": the {} has no name", kind.as_str())))?
        .to_owned();
    let path = names::path(kind, &name);
    if path != file.path {
        return Err(fault(None, format!("holds \"{field}\": \"{name}\", which belongs in {path}")));
    }
    let owned =
        kind.tags(&body).iter().any(|tag| tag.get("Key").and_then(Value::as_str) == Some(tags::FLEET));
    normalise::normalise(kind.as_str(), &mut body);
    Ok(Observed {
        address: names::address(target, kind, &name),
        kind: kind.as_str().to_owned(),
        identity: names::identity(kind, &name),
        body,
        precondition: Some(canonical::digest(&file.contents)),
        owned,
        protected: false,
    })
}
