//! The ten challenges of field.md §8 and LANGUAGE appendix A: each gives the fleet that its comments promise, and what
//! a later version writes is the only thing that is refused.

mod a_lots;
mod b_eight_partitions;
mod c_owners;
mod d_maintenance_grid;
mod e_tokens;
mod f_rails_and_holes;
mod g_two_fabrics;
mod h_teaching;
mod i_deadline_two_clouds;
mod j_slack;

use crate::support::{poolwright, root};

/// The folders, in order.
fn names() -> Vec<String> {
    let folders = std::fs::read_dir(root().join("examples/challenges")).unwrap();
    let mut names: Vec<String> =
        folders.map(|entry| entry.unwrap().file_name().to_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

/// As a newcomer finds them: each is a folder that `validate` and `fmt --check` take as it stands.
#[test]
fn each_stands_in_a_folder_of_its_own() {
    let names = names();
    assert_eq!(names.len(), 10, "{names:?}");
    for name in names {
        let at = format!("examples/challenges/{name}");
        let run = poolwright(&root(), &["validate", &at, "--format", "json"]).expect(0);
        let said: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        let severities = said["diagnostics"].as_array().unwrap().iter().map(|found| &found["severity"]);
        assert!(severities.into_iter().all(|severity| severity != "error"), "{name}");
        assert_eq!(poolwright(&root(), &["fmt", "--check", &at]).expect(0).stdout, "", "{name}");
    }
}

/// LANGUAGE appendix A: "a fleet of its own, at most 62 lines of code, without `extra`".
#[test]
fn each_is_short_and_needs_no_way_out() {
    for name in names() {
        let (_, short) = name.split_once('-').unwrap();
        let file = root().join(format!("examples/challenges/{name}/{short}.pool.hcl"));
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.lines().filter(|line| !line.trim().is_empty() && !line.trim().starts_with('#'));
        assert!(code.count() <= 62, "{name}");
        assert!(!text.contains("extra"), "{name}");
    }
}

/// A file is no fleet: who names one is told to name its folder.
#[test]
fn a_file_is_answered_with_its_folder() {
    let run = poolwright(&root(), &["validate", "examples/challenges/01-lots/lots.pool.hcl"]).expect(3);
    assert!(run.stdout.contains("help: name the folder that the file lies in"), "{}", run.all());
}
