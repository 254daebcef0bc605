//! Addresses, file names and Terraform names of node pools.

use poolwright_model::fleet::Target;

use crate::NODE_POOL;

/// `terraform/alicloud_cs_kubernetes_node_pool/aliyun-a100--main`
pub(crate) fn identity(name: &str) -> String {
    format!("terraform/{NODE_POOL}/{}", escape(name, "%", |c| !matches!(c, '/' | '"' | '%')))
}

/// `alibaba.hangzhou/terraform/alicloud_cs_kubernetes_node_pool/aliyun-a100--main`
pub(crate) fn address(target: &Target, name: &str) -> String {
    format!("{}/{}", target.short(), identity(name))
}

/// `aliyun-a100--main.tf`: what a file system might not hold is percent-escaped.
pub(crate) fn path(name: &str) -> String {
    let name = escape(name, "%", |c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    match name.strip_prefix('.') {
        Some(rest) => format!("%2E{rest}.tf"),
        // The name of the file beside the pools.
        None if name == "providers" => String::from("%70roviders.tf"),
        None => format!("{name}.tf"),
    }
}

/// The label of the Terraform resource: letters, digits and hyphens stay, a letter or underscore comes first
/// (Terraform language, "Identifiers"). Two names never give one label.
pub(crate) fn label(name: &str) -> String {
    let label = escape(name, "_", |c| c.is_ascii_alphanumeric() || c == '-');
    if label.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        label
    } else {
        format!("__{label}")
    }
}

fn escape(name: &str, mark: &str, plain: impl Fn(char) -> bool) -> String {
    use std::fmt::Write as _;
    let mut escaped = String::with_capacity(name.len());
    for c in name.chars() {
        if plain(c) {
            escaped.push(c);
        } else {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(escaped, "{mark}{byte:02X}");
            }
        }
    }
    escaped
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
