//! Every example: what is said of it, line by line, and that nothing of it is refused but what a later version writes.

use std::path::Path;

use crate::support::{golden, poolwright, root};

/// Diagnostics of an example as it stands in the repository, as short lines.
fn said(folder: &Path) -> String {
    poolwright(folder, &["validate", "--format", "short"]).expect(0).stdout
}

#[test]
fn every_example_validates() {
    let examples = root().join("examples");
    let mut folders = vec![examples.join("quickstart"), examples.join("tour")];
    let challenges = std::fs::read_dir(examples.join("challenges")).unwrap();
    folders.extend(challenges.map(|entry| entry.unwrap().path()));
    folders.sort();
    assert_eq!(folders.len(), 12);
    let mut listing = String::new();
    for folder in folders {
        let name = folder.file_name().unwrap().to_str().unwrap();
        listing.push_str(&format!("# {name}\n{}", said(&folder)));
    }
    golden(&root().join("tests/golden/not-built-yet.txt"), &listing);
}

/// The ten policies of LANGUAGE §6.3 beside the quickstart: each is judged, and none of them is mistaken.
#[test]
fn the_ten_policies_are_of_the_language() {
    let folder = crate::support::example("quickstart");
    let policies = root().join("examples/policies/ten.pool.hcl");
    std::fs::copy(&policies, folder.path().join("ten.pool.hcl")).unwrap();
    poolwright(folder.path(), &["validate"]).expect(0);
    let text = std::fs::read_to_string(policies).unwrap();
    assert_eq!(text.matches("\npolicy \"").count() + usize::from(text.starts_with("policy \"")), 10);
    assert_eq!(poolwright(&root(), &["fmt", "--check", "examples/policies"]).expect(0).stdout, "");
}
