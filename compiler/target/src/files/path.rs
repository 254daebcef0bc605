//! Paths below a folder, as manifests and lowerings may spell them.

/// Whether a path stays below its folder and means the same everywhere: relative, parts that are neither empty nor
/// dots, no backslash, no control character, no drive letter.
///
/// # Errors
/// What is wrong with it.
pub fn check_path(path: &str) -> Result<(), &'static str> {
    if path.is_empty() {
        return Err("it is empty");
    }
    if path.starts_with('/') {
        return Err("it is absolute");
    }
    if path.len() > 4096 {
        return Err("it is longer than 4096 bytes");
    }
    if path.chars().any(|c| c == '\\' || c.is_control()) {
        return Err("it has a backslash or a control character");
    }
    if path.as_bytes().get(1) == Some(&b':') {
        return Err("it begins with a drive letter");
    }
    for part in path.split('/') {
        match part {
            "" => return Err("it has an empty part"),
            "." | ".." => return Err("it has a part `.` or `..`"),
            _ if part.len() > 255 => return Err("a part of it is longer than 255 bytes"),
            _ => {}
        }
    }
    Ok(())
}

/// `a` + `b/c` gives `a/b/c`; "" is the root.
#[must_use]
pub fn join(folder: &str, path: &str) -> String {
    match (folder, path) {
        ("", _) => path.to_owned(),
        (_, "") => folder.to_owned(),
        _ => format!("{folder}/{path}"),
    }
}

/// The folders around a path, nearest first, without the root: `a/b/c` gives `a/b`, `a`.
pub fn parents(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(path.rsplit_once('/').map(|(folder, _)| folder), |folder| {
        folder.rsplit_once('/').map(|(folder, _)| folder)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_that_stay_below_are_good() {
        for good in ["a", "a/b.yaml", "core/namespace/x.yaml", "a%2Fb", ".hidden", "..a/b"] {
            assert_eq!(check_path(good), Ok(()), "{good}");
        }
        for bad in
            ["", "/etc/passwd", "../x", "a/../../x", "a//b", "a/", "./a", "a/.", "a\\b", "C:x", "a\nb", "a\0"]
        {
            assert!(check_path(bad).is_err(), "{bad:?}");
        }
        assert!(check_path(&"x".repeat(256)).is_err());
    }

    #[test]
    fn folders_around_a_path_come_nearest_first() {
        assert_eq!(parents("a/b/c").collect::<Vec<_>>(), ["a/b", "a"]);
        assert_eq!(parents("a").count(), 0);
        assert_eq!(join("", "a"), "a");
        assert_eq!(join("a", ""), "a");
        assert_eq!(join("a", "b"), "a/b");
    }
}
