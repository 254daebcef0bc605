//! The house rules that a compiler does not hold: who may depend on whom, and what stands only in one place.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, MetadataCommand};

use crate::support::root;

/// DESIGN §1: for each crate the crates of ours that it may depend on, directly or through others.
fn allowed() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let model = ["diagnostics", "expression", "catalog", "model"];
    let target = ["diagnostics", "expression", "catalog", "model", "target"];
    let below_driver = [
        "diagnostics",
        "syntax",
        "expression",
        "catalog",
        "model",
        "language",
        "layout",
        "pricing",
        "router",
        "target",
        "engine",
        "policies",
        "target-kubernetes",
        "target-cloud",
        "target-aws",
        "target-alibaba",
        "target-slurm",
    ];
    let mut rules: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::from([
        ("diagnostics", BTreeSet::new()),
        ("syntax", BTreeSet::from(["diagnostics"])),
        ("expression", BTreeSet::from(["diagnostics"])),
        ("catalog", BTreeSet::from(["diagnostics", "expression"])),
        ("model", BTreeSet::from(["diagnostics", "expression", "catalog"])),
        ("language", BTreeSet::from(["diagnostics", "syntax", "expression", "catalog", "model"])),
        ("engine", BTreeSet::from(target)),
        ("driver", BTreeSet::from(below_driver)),
    ]);
    for name in ["layout", "pricing", "router", "policies", "target"] {
        rules.insert(name, BTreeSet::from(model));
    }
    for name in ["target-kubernetes", "target-slurm", "target-cloud"] {
        rules.insert(name, BTreeSet::from(target));
    }
    // Clouds share a crate, and know nothing of each other.
    for name in ["target-aws", "target-alibaba"] {
        rules.insert(name, target.into_iter().chain(["target-cloud"]).collect());
    }
    let mut report: BTreeSet<&str> = BTreeSet::from(below_driver);
    report.insert("driver");
    rules.insert("report", report.clone());
    report.insert("report");
    rules.insert("cli", report);
    rules
}

/// The crates of the workspace by short name, and what each depends on directly.
fn arrows() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().unwrap();
    let short = |name: &str| match name {
        "poolwright" => "cli".to_owned(),
        other => other.strip_prefix("poolwright-").unwrap_or(other).to_owned(),
    };
    let ours: BTreeSet<String> = metadata.packages.iter().map(|package| package.name.to_string()).collect();
    metadata
        .packages
        .iter()
        .map(|package| {
            let direct = package
                .dependencies
                .iter()
                .filter(|dependency| {
                    dependency.kind == DependencyKind::Normal && ours.contains(&dependency.name)
                })
                .map(|dependency| short(&dependency.name))
                .collect();
            (short(&package.name), direct)
        })
        .collect()
}

#[test]
fn arrows_point_one_way() {
    let arrows = arrows();
    let allowed = allowed();
    let names: BTreeSet<&str> = arrows.keys().map(String::as_str).collect();
    let ruled: BTreeSet<&str> = allowed.keys().copied().collect();
    assert_eq!(names, ruled, "every crate has its rule, and every rule a crate");
    let mut faults = Vec::new();
    for (name, direct) in &arrows {
        for other in direct {
            if !allowed[name.as_str()].contains(other.as_str()) {
                faults.push(format!("{name} may not depend on {other}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The rules themselves allow no crate to reach, through another one, what it may not reach directly.
#[test]
fn the_rules_are_closed() {
    let allowed = allowed();
    for (name, direct) in &allowed {
        for other in direct {
            assert!(allowed[other].is_subset(direct), "{name} reaches more through {other} than it may");
        }
    }
}

/// Third-party crates that only some rooms may use (DESIGN §1).
#[test]
fn heavy_crates_stay_in_their_rooms() {
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().unwrap();
    let rooms: [(&str, &[&str]); 9] = [
        ("hcl-edit", &["poolwright-syntax"]),
        ("hcl-rs", &["poolwright-target-alibaba"]),
        ("serde-saphyr", &["poolwright-target-kubernetes"]),
        ("granit-parser", &["poolwright-expression"]),
        ("tera", &["poolwright-target-aws", "poolwright-target-slurm"]),
        ("clap", &["poolwright"]),
        ("miette", &["poolwright-diagnostics"]),
        ("mimalloc", &["poolwright"]),
        ("tokio", &[]),
    ];
    for (name, allowed) in rooms {
        for package in &metadata.packages {
            let uses =
                package.dependencies.iter().any(|d| d.name == name && d.kind == DependencyKind::Normal);
            assert!(!uses || allowed.contains(&package.name.as_str()), "{} may not use {name}", package.name);
        }
    }
}

fn sources() -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for folder in ["compiler", "policies", "targets"] {
        walk(&root().join(folder), &mut files);
    }
    assert!(files.len() > 100, "the sources are found");
    files
}

fn walk(folder: &Path, files: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root()).unwrap().to_owned();
            files.push((name, std::fs::read_to_string(&path).unwrap()));
        }
    }
}

/// Outside of tests only the program reads the clock and the environment, and only the edges name files.
#[test]
fn clock_environment_and_files_stay_at_the_edge() {
    let is_test =
        |path: &str| path.contains("/tests/") || path.ends_with("tests.rs") || path.contains("/examples/");
    let rules: [(&[&str], &[&str]); 3] = [
        (&["SystemTime::now", "Instant::now", "Timestamp::now", "Zoned::now"], &["compiler/cli/"]),
        (&["std::env::var", "env::vars", "env::args", "env::current_dir"], &["compiler/cli/"]),
        (
            &["std::fs::", "std::net::", "std::process::Command"],
            &["compiler/cli/", "compiler/target/src/files/"],
        ),
    ];
    let mut faults = Vec::new();
    for (path, text) in sources() {
        let path = path.to_str().unwrap().to_owned();
        // Test modules stand at the end of a file.
        let code = text.split("#[cfg(test)]").next().unwrap();
        for (needles, homes) in rules {
            for needle in needles {
                if code.contains(needle)
                    && !is_test(&path)
                    && !homes.iter().any(|home| path.starts_with(home))
                {
                    faults.push(format!("{path} uses {needle}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// One idea a file: a file that grows beyond this holds two.
#[test]
fn no_file_is_long() {
    let long: Vec<String> = sources()
        .into_iter()
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines > 700)
        .map(|(path, lines)| format!("{} has {lines} lines", path.display()))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

/// Every crate's first lines say what it does.
#[test]
fn every_crate_introduces_itself() {
    for (path, text) in sources() {
        let name = path.file_name().unwrap().to_str().unwrap();
        if matches!(name, "lib.rs" | "main.rs") {
            assert!(text.starts_with("//! "), "{} begins with what the crate does", path.display());
        }
    }
}

/// Codes that were shown once and are no more: scripts may still match on them, so that nothing else gets them.
pub(crate) const RETIRED: [&str; 15] = [
    "PW4142", "PW4145", "PW4407", "PW5103", "PW5109", "PW5204", "PW5205", "PW5206", "PW5219", "PW5302",
    "PW5305", "PW5319", "PW5403", "PW5407", "PW6090",
];

/// Codes are unique over the whole program and its history.
#[test]
fn diagnostic_codes_are_unique() {
    let mut seen: BTreeMap<String, PathBuf> = BTreeMap::new();
    for (path, text) in sources() {
        if path.file_name().is_some_and(|name| name != "codes.rs") {
            continue;
        }
        for line in text.lines() {
            let Some((_, rest)) = line.split_once("= \"PW") else { continue };
            let code = format!("PW{}", rest.split('"').next().unwrap());
            assert!(!RETIRED.contains(&code.as_str()), "{} uses {code} again", path.display());
            if let Some(other) = seen.insert(code.clone(), path.clone()) {
                panic!("{code} is in {} and in {}", other.display(), path.display());
            }
        }
    }
    assert!(seen.len() > 80, "the codes are found");
}
