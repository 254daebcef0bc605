//! `poolwright fmt` and `poolwright fix` as users run them.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{Run, edit, example, poolwright, root, scratch, tree};

/// The same text in another layout.
const UNTIDY: &str = "// the fleet\nfleet {\n\n  name=\"a\"\n}\n";
const TIDY: &str = "# the fleet\nfleet {\n  name = \"a\"\n}\n";
const BROKEN: &str = "a  = \n";

fn with_input(arguments: &[&str], input: &[u8]) -> Run {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_poolwright"))
        .args(arguments)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

// --------------------------------------------------------------------------------------------------------------- fmt

#[test]
fn the_rules_are_what_the_program_does() {
    let page = text(&root().join("docs/format.md"));
    let mut blocks = page.split("```hcl").skip(1);
    let mut rules = 0;
    while let Some(before) = blocks.next() {
        let before = before.strip_prefix(" before\n").unwrap().split("```").next().unwrap();
        let after = blocks.next().unwrap().strip_prefix('\n').unwrap().split("```").next().unwrap();
        let run = with_input(&["fmt", "-"], before.as_bytes()).expect(0);
        assert_eq!(run.stdout, after);
        let run = with_input(&["fmt", "-"], after.as_bytes()).expect(0);
        assert_eq!(run.stdout, after);
        rules += 1;
    }
    assert_eq!(rules, 6, "the examples are found");
}

#[test]
fn files_are_laid_out_and_named() {
    let folder = scratch();
    let (one, two) = (folder.path().join("one.pool.hcl"), folder.path().join("two.pool.hcl"));
    std::fs::write(&one, UNTIDY).unwrap();
    std::fs::write(&two, TIDY).unwrap();
    std::fs::write(folder.path().join("other.hcl"), UNTIDY).unwrap();
    std::fs::write(folder.path().join(".hidden.pool.hcl"), UNTIDY).unwrap();
    std::fs::set_permissions(&one, std::fs::Permissions::from_mode(0o640)).unwrap();
    let run = poolwright(folder.path(), &["fmt"]).expect(0);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("one.pool.hcl\n", ""));
    assert_eq!(text(&one), TIDY);
    assert_eq!(std::fs::metadata(&one).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(poolwright(folder.path(), &["fmt"]).expect(0).all(), "exit 0\n--- stdout\n--- stderr\n");
    assert_eq!(tree(folder.path()).len(), 4, "nothing is left beside the files");
    assert_eq!(text(&folder.path().join("other.hcl")), UNTIDY);
}

#[test]
fn a_check_shows_what_differs_and_writes_nothing() {
    let folder = scratch();
    std::fs::write(folder.path().join("a.pool.hcl"), UNTIDY).unwrap();
    let before = tree(folder.path());
    let run = poolwright(folder.path(), &["fmt", "--check"]).expect(2);
    assert_eq!(
        run.stdout,
        "a.pool.hcl\n@@ -1,5 +1,4 @@\n-// the fleet\n+# the fleet\n fleet {\n-\n-  name=\"a\"\n+  name = \"a\"\n }\n"
    );
    assert_eq!(poolwright(folder.path(), &["fmt", "--check", "-q"]).expect(2).stdout, "a.pool.hcl\n");
    assert_eq!(tree(folder.path()), before);
    poolwright(folder.path(), &["fmt"]).expect(0);
    assert_eq!(poolwright(folder.path(), &["fmt", "--check"]).expect(0).stdout, "");
}

#[test]
fn a_file_with_errors_is_left_alone_and_the_others_are_not() {
    let folder = scratch();
    std::fs::write(folder.path().join("a.pool.hcl"), BROKEN).unwrap();
    std::fs::write(folder.path().join("b.pool.hcl"), UNTIDY).unwrap();
    std::fs::write(folder.path().join("c.pool.hcl"), b"a = \"\xff\"\n").unwrap();
    let run = poolwright(folder.path(), &["fmt", "--format", "short"]).expect(3);
    assert_eq!(run.stdout, "b.pool.hcl\n");
    assert!(run.stderr.contains("a.pool.hcl:1:") && run.stderr.contains("PW0022"), "{}", run.all());
    assert!(run.stderr.contains("`c.pool.hcl` is not UTF-8 text: see the byte at 5"), "{}", run.all());
    assert_eq!(text(&folder.path().join("a.pool.hcl")), BROKEN);
    let run = poolwright(folder.path(), &["fmt", "--check"]).expect(3);
    assert!(run.stderr.ends_with("1 file has errors and is left alone\n"), "{}", run.all());
    let run = poolwright(folder.path(), &["fmt", "--format", "json"]).expect(3);
    let document: Value = serde_json::from_str(&run.stderr).unwrap();
    assert_eq!(document["diagnostics"].as_array().unwrap().len(), 2, "one document: {}", run.all());
}

#[test]
fn paths_are_files_or_folders() {
    let folder = scratch();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(at("in/deep")).unwrap();
    std::fs::create_dir_all(at(".git")).unwrap();
    let names = ["a.pool.hcl", "in/b.pool.hcl", "in/deep/c.pool.hcl", ".git/d.pool.hcl"];
    names.iter().for_each(|name| std::fs::write(at(name), UNTIDY).unwrap());
    let listed = |arguments: &[&str], code: i32| {
        let run = poolwright(folder.path(), &[&["fmt", "--check", "-q"], arguments].concat()).expect(code);
        run.stdout.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(listed(&[], 2), ["a.pool.hcl"]);
    assert_eq!(listed(&["in"], 2), ["in/b.pool.hcl"]);
    assert_eq!(listed(&["--recursive"], 2), ["a.pool.hcl", "in/b.pool.hcl", "in/deep/c.pool.hcl"]);
    assert_eq!(listed(&["in/b.pool.hcl", "in", "a.pool.hcl"], 2), ["in/b.pool.hcl", "a.pool.hcl"]);
    // What cannot be taken does not stop the others.
    std::fs::write(at("main.tf"), UNTIDY).unwrap();
    let run = poolwright(folder.path(), &["fmt", "main.tf", "nowhere", "a.pool.hcl"]).expect(3);
    assert_eq!(run.stdout, "a.pool.hcl\n");
    assert!(
        run.stderr.contains("`main.tf` is no file of a fleet: those end in `.pool.hcl`"),
        "{}",
        run.all()
    );
    assert!(run.stderr.contains("`nowhere` cannot be read: no such file or directory\n"), "{}", run.all());
}

#[test]
fn a_link_stays_and_a_read_only_file_is_not_replaced() {
    let folder = scratch();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("real")).unwrap();
    std::fs::write(at("real/x.pool.hcl"), UNTIDY).unwrap();
    symlink("real/x.pool.hcl", at("link.pool.hcl")).unwrap();
    assert_eq!(poolwright(folder.path(), &["fmt"]).expect(0).stdout, "link.pool.hcl\n");
    assert!(at("link.pool.hcl").is_symlink());
    assert_eq!(text(&at("real/x.pool.hcl")), TIDY);
    std::fs::write(at("fixed.pool.hcl"), UNTIDY).unwrap();
    std::fs::set_permissions(at("fixed.pool.hcl"), std::fs::Permissions::from_mode(0o444)).unwrap();
    let run = poolwright(folder.path(), &["fmt"]).expect(1);
    assert!(run.stderr.contains("PW9203") && run.stderr.contains("may not be written"), "{}", run.all());
    assert_eq!(text(&at("fixed.pool.hcl")), UNTIDY);
}

#[test]
fn standard_input_goes_to_standard_output() {
    assert_eq!(with_input(&["fmt", "-"], UNTIDY.as_bytes()).expect(0).stdout, TIDY);
    let run = with_input(&["fmt", "-", "--check"], UNTIDY.as_bytes()).expect(2);
    assert!(run.stdout.starts_with("-\n@@ "), "{}", run.all());
    assert_eq!(with_input(&["fmt", "--check", "-"], TIDY.as_bytes()).expect(0).stdout, "");
    let run = with_input(&["fmt", "-"], BROKEN.as_bytes()).expect(3);
    assert!(run.stdout.is_empty() && run.stderr.contains("-:1:"), "{}", run.all());
    let run = with_input(&["fmt", "-", "a.pool.hcl"], b"").expect(3);
    assert!(run.stderr.contains("PW9211"), "{}", run.all());
}

#[test]
fn the_files_of_the_repository_are_laid_out() {
    let folders = ["examples", "compiler", "tests/ui/base"];
    let run = poolwright(&root(), &[&["fmt", "--check", "--recursive"], &folders[..]].concat()).expect(0);
    assert_eq!(run.stdout, "");
}

/// A fleet is the same after it: the plan's digest does not change.
#[test]
fn a_plan_is_the_same_after_formatting() {
    let folder = example("quickstart");
    let digest = || {
        let plan = poolwright(folder.path(), &["plan", "--json"]).expect(2).stdout;
        let plan: Value = serde_json::from_str(&plan).unwrap();
        (plan["digest"].clone(), plan["input_digest"].clone())
    };
    let before = digest();
    for name in ["fleet", "pools", "queues"] {
        let path = folder.path().join(format!("{name}.pool.hcl"));
        let untidy = text(&path).replace("  ", "\t").replace(" = ", "=").replace("\n\n", "\n\n\n");
        std::fs::write(&path, untidy).unwrap();
    }
    assert_eq!(digest(), before);
    let run = poolwright(folder.path(), &["fmt"]).expect(0);
    assert_eq!(run.stdout, "fleet.pool.hcl\npools.pool.hcl\nqueues.pool.hcl\n");
    assert_eq!(digest(), before);
    let shipped = example("quickstart");
    for name in ["fleet", "pools", "queues", "policies"] {
        let name = format!("{name}.pool.hcl");
        assert_eq!(text(&folder.path().join(&name)), text(&shipped.path().join(&name)));
    }
}

// --------------------------------------------------------------------------------------------------------------- fix

/// A fleet with a wrong name, a comma too many, money without quotes, and a reference that no fix finds.
fn faulty() -> tempfile::TempDir {
    let folder = example("quickstart");
    let at = |name: &str| folder.path().join(name);
    edit(&at("pools.pool.hcl"), "zones = [\"use1-az2\"]", "zones = [\"use1-az2\"],");
    edit(&at("queues.pool.hcl"), "\"$450000/month\"", "$450000/month");
    edit(&at("queues.pool.hcl"), "images   = { habana", "imagess  = { habana");
    folder
}

const FIXES: &str = "pools.pool.hcl:69:25: remove the comma (PW0024)\n\
                     queues.pool.hcl:17:16: put it in quotes (PW0007)\n\
                     queues.pool.hcl:47:3: write `images` (PW1003)\n";

#[test]
fn safe_fixes_are_carried_out_until_none_is_left() {
    let folder = faulty();
    let run = poolwright(folder.path(), &["fix"]).expect(0);
    assert_eq!(run.stdout, format!("{FIXES}3 fixes in 2 files\n"));
    assert_eq!(run.stderr, "4 files are valid\n");
    let fixed = text(&folder.path().join("queues.pool.hcl"));
    assert!(fixed.contains("  images  = { habana") && fixed.contains("\"$450000/month\""), "{fixed}");
    poolwright(folder.path(), &["validate"]).expect(0);
    assert_eq!(poolwright(folder.path(), &["fix"]).expect(0).stdout, "nothing to fix\n");
    // No file is left beside them.
    assert_eq!(tree(folder.path()).len(), tree(example("quickstart").path()).len());
}

#[test]
fn a_dry_run_shows_and_writes_nothing() {
    let folder = faulty();
    let before = tree(folder.path());
    let run = poolwright(folder.path(), &["fix", "--dry-run"]).expect(2);
    assert!(run.stdout.starts_with(FIXES) && run.stdout.ends_with("3 fixes to make\n"), "{}", run.all());
    let lines = "-    zones = [\"use1-az2\"],\n+    zones = [\"use1-az2\"]\n";
    assert!(run.stdout.contains(lines), "{}", run.all());
    assert_eq!(tree(folder.path()), before);
    poolwright(folder.path(), &["fix"]).expect(0);
    assert_eq!(poolwright(folder.path(), &["fix", "--dry-run"]).expect(0).stdout, "nothing to fix\n");
}

#[test]
fn what_no_fix_mends_is_shown_and_is_the_exit_code() {
    let folder = faulty();
    edit(&folder.path().join("queues.pool.hcl"), "tiers    = [\"spot\"", "tiers    = [\"sopt\", 5, \"spot\"");
    let run = poolwright(folder.path(), &["fix", "--dry-run", "--format", "short"]).expect(3);
    assert!(run.stdout.starts_with("pools.pool.hcl:69:25: remove"), "{}", run.all());
    assert!(run.stderr.contains("queues.pool.hcl:"), "{}", run.all());
    let run = poolwright(folder.path(), &["fix"]).expect(3);
    assert!(run.stderr.contains("in 1 of 4 files"), "{}", run.all());
    poolwright(folder.path(), &["validate"]).expect(3);
    let run = poolwright(Path::new("/"), &["fix", "nowhere"]).expect(3);
    assert!(run.stdout.is_empty() && run.stderr.contains("PW0090"), "{}", run.all());
}

#[test]
fn nothing_is_written_when_one_file_cannot_be() {
    let folder = faulty();
    let queues = folder.path().join("queues.pool.hcl");
    std::fs::set_permissions(&queues, std::fs::Permissions::from_mode(0o444)).unwrap();
    let before = tree(folder.path());
    let run = poolwright(folder.path(), &["fix"]).expect(1);
    assert!(run.stderr.contains("queues.pool.hcl` cannot be written"), "{}", run.all());
    assert!(run.stderr.contains("no file was changed"), "{}", run.all());
    assert_eq!(tree(folder.path()), before);
}

#[test]
fn fixes_that_should_be_looked_at_wait_until_they_are_asked_for() {
    let folder = example("quickstart");
    let queues = folder.path().join("queues.pool.hcl");
    let before = text(&queues);
    edit(&queues, "\"$600000/month\"", "\"\\$600000/month\"");
    let run = poolwright(folder.path(), &["fix"]).expect(3);
    assert_eq!(run.stdout, "nothing to fix\n");
    assert!(run.stderr.ends_with("poolwright fix --dry-run --unsafe\n"), "{}", run.all());
    let run = poolwright(folder.path(), &["fix", "--unsafe"]).expect(0);
    assert_eq!(run.stdout, "queues.pool.hcl:6:17: remove the backslash (PW0005)\n1 fix in 1 file\n");
    assert_eq!(text(&queues), before);
}
