//! Alibaba Cloud: node groups become ACK node pools, as Terraform configuration.
//!
//! One `alicloud_cs_kubernetes_node_pool` a node group and a file each, beside `providers.tf` with the exact provider
//! version that the arguments were checked against. Nothing here calls Alibaba Cloud or Terraform, reads a file or
//! the clock. Argument names, types and values are those of provider `aliyun/alicloud` 1.295.0, as the bindings
//! generated from its schema (pulumi-alicloud 4.0.0) have them; the provider itself has not judged the files.
//!
//! Enter at [`Alibaba`].

pub mod codes;
mod files;
mod hcl_text;
mod lower;
mod names;
mod node_pool;
mod normalise;
mod providers;
mod purchase;
mod tags;

use poolwright_model::Resource;
use poolwright_model::fleet;
use poolwright_model::resource::{File, Observed};
use poolwright_target::{FileFault, Input, Lowered, Target};
use serde_json::Value;

/// The kind of its objects: the Terraform resource type.
pub const NODE_POOL: &str = "alicloud_cs_kubernetes_node_pool";

/// The target kind `alibaba`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alibaba;

impl Target for Alibaba {
    fn kind(&self) -> &'static str {
        "alibaba"
    }

    fn support(&self, _: &fleet::Target) -> &'static str {
        "rendered, not schema-checked"
    }

    fn lower(&self, input: Input<'_>) -> Lowered {
        lower::lower(input)
    }

    fn to_files(&self, target: &fleet::Target, fleet: &str, resources: &[Resource]) -> Vec<File> {
        files::to_files(target, fleet, resources)
    }

    fn from_files(&self, target: &fleet::Target, files: &[File]) -> (Vec<Observed>, Vec<FileFault>) {
        files::from_files(target, files)
    }

    fn normalise(&self, kind: &str, body: &mut Value) {
        if kind == NODE_POOL {
            normalise::normalise(body);
        }
    }

    fn list_key(&self, kind: &str, pointer: &str) -> Option<&'static str> {
        if kind == NODE_POOL { normalise::list_key(pointer) } else { None }
    }

    fn immutable(&self, _target: &fleet::Target, kind: &str, pointer: &str) -> Option<String> {
        if kind == NODE_POOL { normalise::immutable(pointer) } else { None }
    }

    fn files_of(&self, _target: &fleet::Target, object: &Observed) -> Vec<String> {
        // Not `providers.tf`: it belongs to all of them.
        files::name(&object.body).map(names::path).into_iter().collect()
    }
}
