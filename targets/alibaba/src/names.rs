//! Addresses, file names and Terraform names of node pools.

use poolwright_model::fleet::Target;
use poolwright_target::names::{address_part, escape, path_part};

use crate::NODE_POOL;

/// `terraform/alicloud_cs_kubernetes_node_pool/aliyun-a100--main`
pub(crate) fn identity(name: &str) -> String {
    format!("terraform/{NODE_POOL}/{}", address_part(name))
}

/// `alibaba.hangzhou/terraform/alicloud_cs_kubernetes_node_pool/aliyun-a100--main`
pub(crate) fn address(target: &Target, name: &str) -> String {
    format!("{}/{}", target.short(), identity(name))
}

/// `aliyun-a100--main.tf`: what a file system might not hold is percent-escaped.
pub(crate) fn path(name: &str) -> String {
    match path_part(name).as_str() {
        // The name of the file beside the pools.
        "providers" => String::from("%70roviders.tf"),
        part => format!("{part}.tf"),
    }
}

/// The label of the Terraform resource: letters, digits and hyphens stay, a letter or underscore comes first
/// (Terraform language, "Identifiers"). Two names never give one label.
pub(crate) fn label(name: &str) -> String {
    let label = escape(name, '_', |c| c.is_ascii_alphanumeric() || c == '-');
    if label.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        label
    } else {
        format!("__{label}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        assert_eq!(identity("a/b"), "terraform/alicloud_cs_kubernetes_node_pool/a%2Fb");
        assert_eq!(path("a--b"), "a--b.tf");
        assert_eq!(path("providers"), "%70roviders.tf");
        assert_eq!(path(".a b"), "%2Ea%20b.tf");
        assert_eq!(label("aliyun-a100--main"), "aliyun-a100--main");
        assert_eq!(label("1.a_b"), "__1_2Ea_5Fb");
        assert_eq!(label("-a"), "__-a");
    }
}
