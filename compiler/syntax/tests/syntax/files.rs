//! The files that are shipped parse without a word.

use std::path::{Path, PathBuf};

pub(crate) fn files() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for folder in ["examples", "policies", "modules"] {
        collect(&root.join(folder), &mut found);
    }
    found.sort();
    found
}

pub(crate) fn collect(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.to_string_lossy().ends_with(".pool.hcl") {
            found.push((path.clone(), std::fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn shipped_files_parse_without_a_diagnostic() {
    for (path, text) in files() {
        let (file, found) = crate::parse(&text);
        assert!(found.is_empty(), "{}: {found:?}", path.display());
        assert!(!file.body.items.is_empty(), "{}", path.display());
        // Another reader of the same text sees the same items.
        let whole = hcl_edit::parser::parse_body(&text).unwrap();
        assert_eq!(whole.attributes().count(), file.body.attributes().count(), "{}", path.display());
        assert_eq!(whole.blocks().count(), file.body.blocks().count(), "{}", path.display());
    }
}
