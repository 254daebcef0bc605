//! Every example: the quickstart is complete; the tour and the challenges parse, and what of them is not built yet is
//! refused by name and nothing else is.

use crate::support::{example, golden, poolwright, root};

/// Diagnostics of one file of an example as short lines.
fn refused(folder: &std::path::Path) -> String {
    let run = poolwright(folder, &["validate", "--format", "short"]);
    assert!(matches!(run.code, 0 | 3), "{}", run.all());
    run.stdout
}

#[test]
fn the_tour_and_the_challenges_parse() {
    let mut listing = String::new();
    let tour = example("tour");
    listing.push_str("# tour\n");
    listing.push_str(&refused(tour.path()));
    let challenges = root().join("examples/challenges");
    let mut names: Vec<_> =
        std::fs::read_dir(&challenges).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|path| path.is_file());
    names.sort();
    assert_eq!(names.len(), 10, "ten challenges");
    for path in names {
        let folder = crate::support::scratch();
        std::fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
        std::fs::create_dir(folder.path().join("templates")).unwrap();
        let template = "templates/eks-node.tera";
        std::fs::copy(challenges.join(template), folder.path().join(template)).unwrap();
        listing.push_str(&format!("# {}\n", path.file_name().unwrap().to_str().unwrap()));
        listing.push_str(&refused(folder.path()));
    }
    for line in listing.lines().filter(|line| !line.starts_with('#')) {
        assert!(!line.contains("[PW00"), "a syntax error in an example: {line}");
    }
    golden(&root().join("tests/golden/not-built-yet.txt"), &listing);
}
