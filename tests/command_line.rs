//! What the command line answers: notes and errors, wrong flags, help, names.

use std::path::Path;

use crate::support::{base, edit, example, poolwright, scratch};

/// Labels that reach no object (a note), before an attribute that is wrong.
const NOTE_AND_ERROR: &str = r#"
target "slurm" "noted" {
  directory = "live/noted"
  version   = "24.11"
  labels    = { site = "second" }
}
class "wrong" {
  priority = "high"
}
"#;

#[test]
fn notes_stand_beside_an_error_only_when_asked_for() {
    let folder = base();
    std::fs::write(folder.path().join("a.pool.hcl"), NOTE_AND_ERROR).unwrap();
    for quiet in [&["plan"][..], &["-q", "plan"], &["plan", "-q"], &["apply"], &["compile", "--out", "out"]] {
        let run = poolwright(folder.path(), quiet).expect(3);
        assert!(run.stderr.starts_with("error[") && !run.stderr.contains("note["), "{}", run.all());
    }
    let run = poolwright(folder.path(), &["plan", "-v"]).expect(3);
    assert!(run.stderr.starts_with("error[") && run.stderr.contains("note[PW4032]"), "{}", run.all());
    // They are the data of `validate`, by place.
    let run = poolwright(folder.path(), &["validate"]).expect(3);
    assert!(run.stdout.starts_with("note[PW4032]"), "{}", run.all());
}

#[test]
fn a_wrong_command_line_is_answered_like_every_error() {
    for (arguments, message, see) in [
        (&["compile"][..], "not provided: --out <OUT>", "see `poolwright compile --help`"),
        (&["cost", "--zzz"], "`--zzz`", "see `poolwright cost --help`"),
        (&["policy", "test", "--zzz"], "`--zzz`", "see `poolwright policy test --help`"),
        (&["plan", "--format", "pdf"], "`pdf`", "human, short, json"),
        (&["plan", "-q", "-v"], "cannot be used with", "see `poolwright plan --help`"),
    ] {
        let run = poolwright(Path::new("/"), arguments).expect(3);
        assert!(run.stderr.starts_with("error[PW9211]: "), "{}", run.all());
        assert!(run.stderr.contains(message) && run.stderr.contains(see), "{}", run.all());
    }
    let run = poolwright(Path::new("/"), &["plan", "--only", "x"]).expect(3);
    assert!(
        run.stderr.contains("PW9201") && run.stderr.contains("see `poolwright plan --help`"),
        "{}",
        run.all()
    );
}

#[test]
fn help_of_a_command_is_what_the_command_says_of_itself() {
    for command in [&["plan"][..], &["policy"], &["route"], &["policy", "test"]] {
        let help = poolwright(Path::new("/"), &[&["help"], command].concat()).expect(0).stdout;
        let usage = format!("Usage: poolwright {} ", command.join(" "));
        assert!(help.contains(&usage) && help.contains("--quiet"), "{help}");
        assert_eq!(help, poolwright(Path::new("/"), &[command, &["--help"]].concat()).expect(0).stdout);
    }
    poolwright(Path::new("/"), &["help", "policy", "tset"]).expect(3);
    let run = poolwright(Path::new("/"), &["help", "policy", "coverage"]).expect(3);
    assert!(run.stderr.contains("PW9201"), "{}", run.all());
}

#[test]
fn the_name_of_a_route_leads_to_its_queue() {
    let folder = example("quickstart");
    edit(&folder.path().join("queues.pool.hcl"), "queue \"cost-optimized\" {", "queue \"cloud\" {");
    let policies = folder.path().join("policies.pool.hcl");
    let text = std::fs::read_to_string(&policies).unwrap();
    std::fs::write(&policies, text.replace("queue.cost-optimized", "queue.cloud")).unwrap();
    let run = poolwright(folder.path(), &["route", "explain", "cost-optimized"]).expect(3);
    assert!(run.stderr.contains("a queue that takes it: `cloud`"), "{}", run.all());
    poolwright(folder.path(), &["route", "explain", "cloud"]).expect(0);
}

#[test]
fn a_saved_plan_elsewhere_says_where_the_fleet_is_named() {
    let folder = example("quickstart");
    let elsewhere = scratch();
    let saved = elsewhere.path().join("saved.json");
    poolwright(folder.path(), &["plan", "-o", saved.to_str().unwrap()]).expect(2);
    let run = poolwright(elsewhere.path(), &["apply", "saved.json"]).expect(3);
    assert!(run.stderr.contains("poolwright apply saved.json --dir DIR"), "{}", run.all());
    let fleet = folder.path().to_str().unwrap();
    poolwright(elsewhere.path(), &["apply", "saved.json", "--dir", fleet]).expect(0);
}

#[test]
fn what_is_proven_is_said_of_the_version() {
    let folder = example("quickstart");
    let support = |folder: &Path| -> String {
        let plan = poolwright(folder, &["plan"]).expect(2).stdout;
        let line = plan.lines().find(|line| line.starts_with("slurm.hpc  ")).unwrap().to_owned();
        line.rsplit("  ").next().unwrap().trim().to_owned()
    };
    assert_eq!(support(folder.path()), "live-proven");
    let targets = folder.path().join("fleet.pool.hcl");
    edit(&targets, "\"22.05\"", "\"24.11\"");
    assert_eq!(support(folder.path()), "schema-checked");
}

#[test]
fn no_line_of_the_catalogue_is_wider_than_a_page() {
    let text = poolwright(Path::new("/"), &["catalog"]).expect(0).stdout;
    let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > 100).collect();
    assert!(wide.is_empty(), "{wide:#?}");
}

#[test]
fn parts_of_the_catalogue_add_up_to_it_and_say_of_when_it_is() {
    let all = poolwright(Path::new("/"), &["catalog"]).expect(0).stdout;
    let (title, _) = all.split_once('\n').unwrap();
    assert!(title.starts_with("catalogue of 20"), "{title}");
    for (part, has) in [
        ("accelerators", ["amd-mi355x", "habana-gaudi3", "1g.10gb ×7", "label nvidia.com/gpu.product"]),
        ("instances", ["p5.48xlarge", "ecs.gn7-c13g1.26xlarge", "8 × nvidia-h100-80gb-sxm", "3.2Tbps"]),
        ("fabrics", ["32 × 100Gbps", "vpc.amazonaws.com/efa of 32", "topology.nebius.com/tier-1", "tcpx"]),
    ] {
        let text = poolwright(Path::new("/"), &["catalog", part]).expect(0).stdout;
        assert!(text.starts_with(title), "{part}");
        for word in has {
            assert!(text.contains(word), "{word} in {part}:\n{text}");
            assert!(all.contains(word), "{word}");
        }
        // Each row says where it is from, and each such number is resolved below.
        let last = text.lines().rev().find(|line| line.starts_with('[')).unwrap();
        let count: usize = last[1..].split(']').next().unwrap().parse().unwrap();
        for at in 1..=count {
            assert!(text.matches(&format!("[{at}]")).count() > 1, "[{at}] of {part}");
        }
    }
}

#[test]
fn a_catalogue_is_not_fetched_yet() {
    for words in [&["catalog", "refresh"][..], &["catalog", "refresh", "--from", "aws"]] {
        let run = poolwright(Path::new("/"), words).expect(3);
        assert!(run.stderr.contains("PW9201"), "{}", run.all());
    }
}
