//! The Kubernetes target: what a fleet becomes on a cluster with Kueue.
//!
//! [`Kubernetes`] lowers the layout of a cluster to objects of `kueue.x-k8s.io/v1beta2` and of Kubernetes itself,
//! writes them as one YAML file each and reads them back, and knows which differences are none. It decides
//! nothing (that is `poolwright-layout`) and talks to no cluster.
//!
//! `data/kinds.json` holds what is known of each kind and version; `schemas/` the JSON Schemas that tests hold
//! every object against. Enter at [`Kubernetes`].

pub mod codes;
mod facts;
mod files;
mod lower;
mod names;
mod normalise;
mod object;
mod pointer;
pub mod quantity;
#[cfg(test)]
mod tests;
mod yaml;

use poolwright_diagnostics::Diagnostic;
use poolwright_model::Resource;
use poolwright_model::fleet;
use poolwright_model::resource::{File, Observed};
use poolwright_target::{FileFault, Input, Lowered, Target};
use serde_json::Value;

/// The target kind `kubernetes`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kubernetes;

impl Target for Kubernetes {
    fn kind(&self) -> &'static str {
        "kubernetes"
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

    fn to_files(&self, _: &fleet::Target, fleet: &str, resources: &[Resource]) -> Vec<File> {
        files::to_files(fleet, resources)
    }

    fn from_files(&self, target: &fleet::Target, files: &[File]) -> (Vec<Observed>, Vec<FileFault>) {
        files::from_files(target, files)
    }

    fn normalise(&self, kind: &str, body: &mut Value) {
        normalise::normalise(kind, body);
    }

    fn list_key(&self, kind: &str, pointer: &str) -> Option<&'static str> {
        let keys = &facts::kind(kind)?.keys;
        keys.iter().find(|(pattern, _)| pointer::matches(pattern, pointer)).map(|(_, key)| key.as_str())
    }

    fn immutable(&self, target: &fleet::Target, kind: &str, pointer: &str) -> Option<String> {
        self.immutable_in(target, kind, pointer, &Value::Null)
    }

    /// A ResourceFlavor's labels cannot be changed once it has a topology, and can before.
    fn immutable_in(&self, target: &fleet::Target, kind: &str, pointer: &str, now: &Value) -> Option<String> {
        let kubernetes = target.kubernetes()?;
        facts::kind(kind)?.immutable.iter().find_map(|rule| {
            let version = match rule.product.as_str() {
                "Kueue" => &kubernetes.kueue.as_ref()?.version,
                _ => &kubernetes.version,
            };
            let applies = rule.covers(pointer)
                && rule.holds(version)
                && rule.when.as_ref().is_none_or(|field| now.pointer(field).is_some());
            applies.then(|| format!("is immutable in {} {version}", rule.product))
        })
    }

    fn block_of<'a>(&self, object: &'a Observed) -> Option<&'a str> {
        object.body.get("metadata")?.get("annotations")?.get(object::ADDRESS)?.as_str()
    }

    /// The namespace controller deletes what is in a namespace, whoever made it (Kubernetes, "Namespaces").
    fn takes_along(&self, kind: &str) -> Option<&'static str> {
        (kind == "Namespace").then_some("and everything in it, also what Poolwright did not write")
    }

    fn files_of(&self, _: &fleet::Target, object: &Observed) -> Vec<String> {
        files::path_of(&object.body).into_iter().collect()
    }
}
