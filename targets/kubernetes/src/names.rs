//! What Kubernetes takes for a name (its documentation, "Object Names and IDs"; `k8s.io/apimachinery` 0.35,
//! `util/validation`).

/// Why a name is none: a DNS subdomain, or a DNS label where dots are not allowed.
pub(crate) fn name_fault(name: &str, limit: usize, dots: bool) -> Option<String> {
    if name.len() > limit {
        return Some(format!("{} characters; at most {limit} are taken", name.len()));
    }
    let good = |part: &str| {
        let inner =
            part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        !part.is_empty() && inner && !part.starts_with('-') && !part.ends_with('-')
    };
    let fine = if dots { name.split('.').all(good) } else { good(name) };
    let and_dots = if dots { ", dots between such parts" } else { ", no dots" };
    (!fine).then(|| format!("lower-case letters, digits and inner hyphens are taken{and_dots}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (name, limit, dots, fine) in [
            ("cost-optimized--nlp", 63, false, true),
            ("a.b", 63, true, true),
            ("a.b", 63, false, false),
            ("A", 63, true, false),
            ("-a", 63, true, false),
            ("a-", 63, true, false),
            ("a..b", 63, true, false),
            ("", 63, true, false),
            ("abcd", 3, true, false),
            ("team_a", 63, true, false),
        ] {
            assert_eq!(name_fault(name, limit, dots).is_none(), fine, "{name}");
        }
    }
}
