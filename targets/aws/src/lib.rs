//! Amazon Web Services: node groups become launch templates and Auto Scaling groups.
//!
//! The objects are create documents, exactly what `aws … --cli-input-json` takes, one a file: a launch template and
//! an Auto Scaling group per node group, and a cluster placement group where its hosts must stand together. Nothing
//! here calls AWS, reads a file or the clock; limits of the API are checked before anything is written, since AWS
//! itself accepts much of what it later cannot launch.
//!
//! Enter at [`Aws`]. Facts: EC2 and Auto Scaling API references (2016-11-15, 2011-01-01), Cluster Autoscaler 1.33
//! `cloudprovider/aws/README.md`.

pub mod codes;
mod document;
mod efa;
mod files;
mod launch_template;
mod lower;
mod names;
mod normalise;
mod scaling_group;
mod tags;
mod user_data;

use poolwright_diagnostics::Diagnostic;
use poolwright_model::Resource;
use poolwright_model::fleet;
use poolwright_model::resource::{File, Observed};
use poolwright_target::{FileFault, Input, Lowered, Target};
use serde_json::Value;

pub use document::Kind;

/// The target kind `aws`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Aws;

impl Target for Aws {
    fn kind(&self) -> &'static str {
        "aws"
    }

    fn support(&self, _: &fleet::Target) -> &'static str {
        "schema-checked"
    }

    fn lower(&self, input: Input<'_>) -> Lowered {
        lower::lower(input)
    }

    fn check(&self, input: Input<'_>) -> Vec<Diagnostic> {
        lower::check(input)
    }

    fn to_files(&self, _target: &fleet::Target, _fleet: &str, resources: &[Resource]) -> Vec<File> {
        files::to_files(resources)
    }

    fn from_files(&self, target: &fleet::Target, files: &[File]) -> (Vec<Observed>, Vec<FileFault>) {
        files::from_files(target, files)
    }

    fn normalise(&self, kind: &str, body: &mut Value) {
        normalise::normalise(kind, body);
    }

    fn list_key(&self, kind: &str, pointer: &str) -> Option<&'static str> {
        Kind::parse(kind).and_then(|kind| normalise::list_key(kind, pointer))
    }

    fn immutable(&self, _target: &fleet::Target, kind: &str, pointer: &str) -> Option<String> {
        Kind::parse(kind).and_then(|kind| normalise::immutable(kind, pointer))
    }

    fn files_of(&self, _target: &fleet::Target, object: &Observed) -> Vec<String> {
        let path = Kind::parse(&object.kind)
            .and_then(|kind| Some(names::path(kind, object.body.get(kind.name_field())?.as_str()?)));
        path.into_iter().collect()
    }
}
