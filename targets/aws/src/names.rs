//! Addresses and file names of objects.

use poolwright_model::fleet::Target;

use crate::Kind;

/// `autoscaling/AutoScalingGroup/aws-a100-spot--az2`
pub(crate) fn identity(kind: Kind, name: &str) -> String {
    format!("{}/{}/{}", kind.service(), kind.as_str(), escape(name, |c| !matches!(c, '/' | '"' | '%')))
}

/// `aws.use1/autoscaling/AutoScalingGroup/aws-a100-spot--az2`
pub(crate) fn address(target: &Target, kind: Kind, name: &str) -> String {
    format!("{}/{}", target.short(), identity(kind, name))
}

/// `auto-scaling-group/aws-a100-spot--az2.json`: what a file system might not hold is percent-escaped.
pub(crate) fn path(kind: Kind, name: &str) -> String {
    let name = escape(name, |c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    let name = name.strip_prefix('.').map_or_else(|| name.clone(), |rest| format!("%2E{rest}"));
    format!("{}/{name}.json", kind.folder())
}

fn escape(name: &str, plain: impl Fn(char) -> bool) -> String {
    use std::fmt::Write as _;
    let mut escaped = String::with_capacity(name.len());
    for c in name.chars() {
        if plain(c) {
            escaped.push(c);
        } else {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(escaped, "%{byte:02X}");
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
        let kind = Kind::LaunchTemplate;
        assert_eq!(identity(kind, "a/b\"%"), "ec2/LaunchTemplate/a%2Fb%22%25");
        assert_eq!(path(kind, "a--b_c.d"), "launch-template/a--b_c.d.json");
        assert_eq!(path(kind, ".a/(b)"), "launch-template/%2Ea%2F%28b%29.json");
    }
}
