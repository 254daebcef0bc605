//! Addresses and file names of objects.

use poolwright_model::fleet::Target;
use poolwright_target::names::{address_part, path_part};

use crate::Kind;

/// `autoscaling/AutoScalingGroup/aws-a100-spot--az2`
pub(crate) fn identity(kind: Kind, name: &str) -> String {
    format!("{}/{}/{}", kind.service(), kind.as_str(), address_part(name))
}

/// `aws.use1/autoscaling/AutoScalingGroup/aws-a100-spot--az2`
pub(crate) fn address(target: &Target, kind: Kind, name: &str) -> String {
    format!("{}/{}", target.short(), identity(kind, name))
}

/// `auto-scaling-group/aws-a100-spot--az2.json`: what a file system might not hold is percent-escaped.
pub(crate) fn path(kind: Kind, name: &str) -> String {
    format!("{}/{}.json", kind.folder(), path_part(name))
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
