//! What Kubernetes takes for a name and for a label (its documentation, "Object Names and IDs", "Labels and
//! Selectors"; `k8s.io/apimachinery` 0.35, `util/validation`).

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

/// Why a label's key is none.
pub(crate) fn label_key_fault(key: &str) -> Option<String> {
    let (prefix, name) = key.split_once('/').map_or((None, key), |(prefix, name)| (Some(prefix), name));
    if let Some(fault) = prefix.and_then(|prefix| name_fault(prefix, 253, true)) {
        return Some(format!("before the slash {fault}"));
    }
    if name.is_empty() { Some("a key is not empty".into()) } else { part_fault(name) }
}

/// Why a label's value is none.
pub(crate) fn label_value_fault(value: &str) -> Option<String> {
    if value.is_empty() { None } else { part_fault(value) }
}

fn part_fault(part: &str) -> Option<String> {
    if part.len() > 63 {
        return Some(format!("{} characters; at most 63 are taken", part.len()));
    }
    let inner = part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
    let end = |c: char| c.is_ascii_alphanumeric();
    let fine = inner && part.starts_with(end) && part.ends_with(end);
    (!fine).then(|| "letters, digits and inner `-`, `_`, `.` are taken, no spaces".into())
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

    #[test]
    fn labels() {
        for (key, fine) in [
            ("managed-for", true),
            ("acme.dev/Team_1", true),
            ("/x", false),
            ("a/", false),
            ("a b", false),
            ("a/b/c", false),
        ] {
            assert_eq!(label_key_fault(key).is_none(), fine, "{key}");
        }
        for (value, fine) in [
            ("", true),
            ("ML.platform_1", true),
            ("ml platform", false),
            ("-x", false),
            (&*"x".repeat(64), false),
        ] {
            assert_eq!(label_value_fault(value).is_none(), fine, "{value}");
        }
    }
}
