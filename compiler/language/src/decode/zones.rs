//! Zones of a cloud's target, against its region.

use poolwright_diagnostics::Diagnostic;
use poolwright_model::fleet::Target;

use crate::codes;
use crate::values::Values;

/// Every zone of the target lies in its region.
pub(super) fn check(values: &Values<'_, '_>, target: &Target) {
    let (Some(cloud), Some(region)) = (target.cloud(), &target.region) else { return };
    let Some(begin) = begin(target.kind.as_str(), region) else { return };
    let aws = target.kind.as_str() == "aws";
    for zone in cloud.zones.keys().filter(|zone| !zone.starts_with(&begin)) {
        let origin = &target.meta.origin;
        let span = origin.of(&format!("zones.{zone}"));
        // `us-east-1a` is a name, and names differ per account (AWS, "Availability Zone IDs").
        let diagnostic = if aws && zone.starts_with(region.as_str()) {
            Diagnostic::error(codes::ZONE_ELSEWHERE, format!("`{zone}` is the name of a zone, not its id"))
                .at(span, "another zone in every account")
                .with_help(format!(
                    "write its id, which begins with `{begin}`: `aws ec2 describe-availability-zones`"
                ))
        } else {
            Diagnostic::error(
                codes::ZONE_ELSEWHERE,
                format!("`{zone}` is no zone of {region}, the region of `{}`", target.meta.address),
            )
            .at(span, format!("zones there begin with `{begin}`"))
            .with_help("correct the zone, or make a target of the other region")
        };
        values.report(diagnostic.also(origin.of("region"), "its region"));
    }
}

/// How the zones of a region begin; none: the cloud's zones do not say their region.
fn begin(kind: &str, region: &str) -> Option<String> {
    match kind {
        "aws" => code(region).map(|code| format!("{code}-")),
        "gcp" | "alibaba" => Some(format!("{region}-")),
        _ => None,
    }
}

/// The code of a region of AWS in the ids of its zones (AWS, "Availability Zone IDs"): `use1` of `us-east-1`.
fn code(region: &str) -> Option<String> {
    let parts: Vec<&str> = region.split('-').collect();
    let (area, direction, number) = match parts.as_slice() {
        [area, direction, number] => ((*area).to_owned(), *direction, *number),
        ["us", "gov", direction, number] => ("usg".to_owned(), *direction, *number),
        _ => return None,
    };
    let short = match direction {
        "north" => "n",
        "south" => "s",
        "east" => "e",
        "west" => "w",
        "central" => "c",
        "northeast" => "ne",
        "northwest" => "nw",
        "southeast" => "se",
        "southwest" => "sw",
        _ => return None,
    };
    Some(format!("{area}{short}{number}"))
}

#[cfg(test)]
mod tests {
    use super::code;

    /// Every zone of the catalogue begins with the code of a region of AWS.
    #[test]
    fn codes_of_regions() {
        let pairs = [
            ("us-east-1", "use1"),
            ("ap-northeast-1", "apne1"),
            ("ap-southeast-2", "apse2"),
            ("eu-central-1", "euc1"),
            ("us-gov-west-1", "usgw1"),
            ("af-south-1", "afs1"),
            ("me-south-1", "mes1"),
        ];
        for (region, short) in pairs {
            assert_eq!(code(region).as_deref(), Some(short));
        }
        assert_eq!(code("us-iso-east-1"), None);
    }
}
