//! Licences of everything that the program is built from.

use cargo_metadata::MetadataCommand;

use crate::support::root;

/// What may be in a binary that is given away under MIT or Apache-2.0.
const ALLOWED: [&str; 12] = [
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "Unicode-3.0",
    "Unlicense",
    "MPL-2.0",
    "CC0-1.0",
];

/// Whether a licence expression can be met with the allowed licences alone.
fn allowed(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    split(&expression, " OR ").iter().any(|alternative| {
        split(alternative, " AND ").iter().all(|part| {
            let part = part.trim();
            match part.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
                Some(inner) => allowed(inner),
                None => ALLOWED.contains(&part),
            }
        })
    })
}

/// Splits at a word that stands in no parentheses.
fn split(text: &str, word: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        if depth == 0 && rest.starts_with(word) {
            parts.push(String::new());
            rest = &rest[word.len()..];
            continue;
        }
        depth += i32::from(character == '(') - i32::from(character == ')');
        parts.last_mut().unwrap().push(character);
        rest = &rest[character.len_utf8()..];
    }
    parts
}

/// The system that this test runs on, as cargo names it.
fn host() -> String {
    let output = std::process::Command::new("rustc").arg("-vV").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

#[test]
fn expressions_are_read() {
    assert!(allowed("MIT OR Apache-2.0"));
    assert!(allowed("(MIT OR Apache-2.0) AND Unicode-3.0"));
    assert!(allowed("Unlicense/MIT"));
    assert!(!allowed("GPL-3.0"));
    assert!(!allowed("MIT AND AGPL-3.0"));
    assert!(allowed("GPL-2.0 OR MIT"));
}

#[test]
fn every_dependency_may_be_used() {
    let metadata = MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        // What is built here: crates of other systems are not even fetched.
        .other_options(["--locked".to_owned(), "--filter-platform".to_owned(), host()])
        .exec()
        .unwrap();
    assert!(metadata.packages.len() > 50, "the dependencies are found");
    let faults: Vec<String> = metadata
        .packages
        .iter()
        .filter(|package| !package.license.as_deref().is_some_and(allowed))
        .map(|package| format!("{} {}: {:?}", package.name, package.version, package.license))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
