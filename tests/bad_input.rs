//! Inputs that no editor would write. Whatever a folder holds, every command that reads it says what is wrong with a
//! code, exits 3, does not fall over, and writes nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::support::{Run, base, example, poolwright, scratch};

/// A sound fleet, to which a fault is added.
const SOUND: &str = "fleet { name = \"acme\" }\n";

/// Everything below a folder, links and empty folders too.
fn listing(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.symlink_metadata().unwrap().is_dir() {
            found.extend(listing(&path));
        }
        found.insert(path.clone(), std::fs::read(&path).ok());
    }
    found
}

/// Runs everything that reads a fleet's folder, below `parent` so that anything written beside it would be seen.
fn run_all(parent: &Path, folder: &str) -> Vec<(&'static str, Run)> {
    let commands: [(&str, &[&str]); 4] = [
        ("validate", &["validate", folder]),
        ("plan", &["plan", folder]),
        ("apply", &["apply", folder, "--auto-approve"]),
        ("compile", &["compile", folder, "--out", "out"]),
    ];
    let before = listing(parent);
    let run = |(name, arguments): (&'static str, &[&str])| {
        let run = poolwright(parent, arguments);
        assert!(!run.stderr.contains("panicked"), "{name} panicked: {}", run.all());
        assert_eq!(listing(parent), before, "{name} wrote something");
        (name, run)
    };
    commands.into_iter().map(run).collect()
}

/// Every command refuses the folder with this code.
#[track_caller]
fn refused(parent: &Path, folder: &str, code: &str) {
    refused_with(parent, folder, code, code);
}

/// The same where `apply`, which takes a saved plan too, has a code of its own.
#[track_caller]
fn refused_with(parent: &Path, folder: &str, code: &str, of_apply: &str) {
    for (name, run) in run_all(parent, folder) {
        assert_eq!(run.code, 3, "{name}: {}", run.all());
        let said = if name == "validate" { &run.stdout } else { &run.stderr };
        let code = if name == "apply" { of_apply } else { code };
        assert!(said.contains(&format!("error[{code}]: ")), "{name} does not say {code}: {}", run.all());
    }
}

/// A folder `fleet` below a scratch folder, with these files.
fn fleet(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let scratch = scratch();
    let folder = scratch.path().join("fleet");
    std::fs::create_dir(&folder).unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    scratch
}

/// A sound fleet beside a file with this text is refused with this code.
#[track_caller]
fn text_refused(text: &str, code: &str) {
    bytes_refused(text.as_bytes(), code);
}

#[track_caller]
fn bytes_refused(bytes: &[u8], code: &str) {
    let scratch = fleet(&[("fleet.pool.hcl", SOUND.as_bytes()), ("wrong.pool.hcl", bytes)]);
    refused(scratch.path(), "fleet", code);
}

#[test]
fn a_folder_that_is_not_there() {
    refused_with(scratch().path(), "fleet", "PW0090", "PW9204");
}

#[test]
fn a_file_where_a_folder_is_expected() {
    refused_with(
        fleet(&[("fleet.pool.hcl", SOUND.as_bytes())]).path(),
        "fleet/fleet.pool.hcl",
        "PW0090",
        "PW6101",
    );
}

#[test]
fn an_empty_folder() {
    refused(fleet(&[]).path(), "fleet", "PW0091");
    refused(fleet(&[("main.hcl", SOUND.as_bytes())]).path(), "fleet", "PW0091");
}

/// One error names the file that is not read; what it would have declared is no second one.
#[test]
fn a_file_with_another_ending() {
    let queue = "queue \"q\" {\n  class   = class.c\n  tenants = [tenant.t]\n  pools   = [pool.p]\n}\n";
    let scratch = fleet(&[("fleet.hcl", SOUND.as_bytes()), ("queues.pool.hcl", queue.as_bytes())]);
    refused(scratch.path(), "fleet", "PW0095");
    let run = poolwright(scratch.path(), &["validate", "fleet", "--format", "short"]);
    assert_eq!(
        run.stdout.lines().filter(|line| line.contains("error[")).count(),
        1,
        "one cause is one error: {}",
        run.all()
    );
}

/// A link to itself cannot be read by anybody, root included.
#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read() {
    let scratch = fleet(&[("fleet.pool.hcl", SOUND.as_bytes())]);
    std::os::unix::fs::symlink("loop.pool.hcl", scratch.path().join("fleet/loop.pool.hcl")).unwrap();
    refused(scratch.path(), "fleet", "PW0092");
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere() {
    let scratch = fleet(&[("fleet.pool.hcl", SOUND.as_bytes())]);
    std::os::unix::fs::symlink("gone", scratch.path().join("fleet/link.pool.hcl")).unwrap();
    refused(scratch.path(), "fleet", "PW0092");
}

/// What an unreadable file declares is not missed as well: one cause, one error.
#[test]
fn references_into_a_file_that_cannot_be_read() {
    let queue =
        "queue \"q\" {\n  class   = class.lost\n  tenants = [tenant.lost]\n  pools   = [pool.lost]\n}\n";
    let scratch = fleet(&[
        ("fleet.pool.hcl", SOUND.as_bytes()),
        ("queue.pool.hcl", queue.as_bytes()),
        ("wrong.pool.hcl", b"tenant \"lost\" { description = \"\xff\" }\n"),
    ]);
    let run = poolwright(scratch.path(), &["validate", "fleet", "--format", "short"]).expect(3);
    assert_eq!(run.stdout.matches("PW").count(), 1, "{}", run.all());
}

#[test]
fn text_in_another_encoding() {
    bytes_refused(b"tenant \"caf\xe9\" {}\n", "PW0093");
    let utf16: Vec<u8> = SOUND.encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes_refused(&[b"\xff\xfe".as_slice(), &utf16].concat(), "PW0093");
}

#[test]
fn zero_bytes() {
    bytes_refused(b"tenant \"a\" {\0 }\n", "PW0008");
    bytes_refused(&[0; 4096], "PW0008");
}

#[test]
fn nesting_without_end() {
    let nested = |open: &str, inner: &str, close: &str| {
        format!("locals {{ x = {}{inner}{} }}\n", open.repeat(5_000), close.repeat(5_000))
    };
    let constructs = [
        ("lists", nested("[", "1", "]")),
        ("objects", nested("{ a = ", "1", " }")),
        ("parentheses", nested("(", "1", ")")),
        ("calls", nested("upper(", "\"a\"", ")")),
        ("interpolations", nested("\"${", "1", "}\"")),
        ("indices", nested("local.a[", "0", "]")),
        ("negations", nested("!", "true", "")),
        ("signs", nested("-", "1", "")),
        ("conditionals", nested("true ? 1 : ", "1", "")),
        ("for expressions", nested("[for a in ", "[1]", " : a]")),
        ("directives", {
            let (open, close) = ("%{ if true }".repeat(5_000), "%{ endif }".repeat(5_000));
            format!("locals {{ x = \"{open}a{close}\" }}\n")
        }),
        (
            "blocks",
            format!("fabric \"f\" {{\n{}{} }}\n", "switch \"a\" {\n".repeat(5_000), "}\n".repeat(5_000)),
        ),
        ("unclosed brackets", format!("locals {{ x = {}\n", "[".repeat(5_000))),
    ];
    for (name, text) in constructs {
        let scratch = fleet(&[("fleet.pool.hcl", SOUND.as_bytes()), ("deep.pool.hcl", text.as_bytes())]);
        for (command, run) in run_all(scratch.path(), "fleet") {
            assert_eq!(run.code, 3, "{name}, {command}: {}", run.all());
            assert!(run.all().contains("error[PW0012]"), "{name}, {command}: {}", run.all());
        }
    }
}

#[test]
fn a_chain_of_operators_without_end() {
    text_refused(&format!("locals {{ x = 1{} }}\n", " + 1".repeat(5_000)), "PW0012");
}

#[test]
fn a_number_with_a_billion_digits() {
    text_refused("class \"a\" { priority = 1e1000000000 }\n", "PW2004");
    text_refused("class \"a\" { priority = -1e-1000000000 }\n", "PW2004");
    text_refused("locals { x = duration(\"1e1000000000s\") }\n", "PW2002");
}

#[test]
fn values_that_explode() {
    let doubled: String =
        (1..40).map(|n| format!("  v{n} = \"${{local.v{0}}}${{local.v{0}}}\"\n", n - 1)).collect();
    text_refused(&format!("locals {{\n  v0 = \"lol\"\n{doubled}}}\n"), "PW3016");
    text_refused("locals { x = range(1000000000000) }\n", "PW3016");
    let hosts = "tier \"t\" { kind = \"on-demand\" }\nfabric \"f\" {\n  kind = \"ethernet\"\n  switch \"s\" { hosts = \"n[1-999999999]\" }\n}\n";
    text_refused(hosts, "PW2010");
}

#[test]
fn five_megabytes_of_garbage() {
    // A fixed sequence (Numerical Recipes' constants) of printable characters and line ends.
    let mut state = 1_u32;
    let garbage: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let letter = u8::try_from(state >> 24).unwrap() % 96;
        if letter == 95 { b'\n' } else { b' ' + letter }
    })
    .take(5 << 20)
    .collect();
    let scratch = fleet(&[("fleet.pool.hcl", SOUND.as_bytes()), ("wrong.pool.hcl", &garbage)]);
    let run = poolwright(scratch.path(), &["validate", "fleet", "--format", "short"]).expect(3);
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    assert!(run.stdout.contains("PW0"), "nothing said of the garbage");
}

#[test]
fn a_circle_and_a_name_twice() {
    text_refused("locals {\n  a = local.b\n  b = local.a\n}\n", "PW1012");
    let scratch = fleet(&[
        ("fleet.pool.hcl", SOUND.as_bytes()),
        ("a.pool.hcl", b"tenant \"nlp\" {}\n"),
        ("b.pool.hcl", b"tenant \"nlp\" {}\n"),
    ]);
    refused(scratch.path(), "fleet", "PW1004");
}

#[test]
fn files_that_say_nothing() {
    refused(fleet(&[("a.pool.hcl", b"")]).path(), "fleet", "PW1008");
    refused(
        fleet(&[("a.pool.hcl", b"# fleet { name = \"acme\" }\n/* } */\n// {\n")]).path(),
        "fleet",
        "PW1008",
    );
    refused(fleet(&[("a.pool.hcl", b"\xef\xbb\xbf")]).path(), "fleet", "PW1008");
}

/// Every file of the quickstart, changed.
fn rewrite(folder: &Path, change: impl Fn(Vec<u8>) -> Vec<u8>) {
    for path in sources(folder) {
        let changed = change(std::fs::read(&path).unwrap());
        std::fs::write(path, changed).unwrap();
    }
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.to_str().unwrap().ends_with(".pool.hcl"));
    paths.sort();
    paths
}

#[test]
fn other_line_ends_and_a_byte_order_mark_are_taken() {
    let plain = poolwright(example("quickstart").path(), &["plan", "--json"]).expect(2);
    let digest = |run: &Run| {
        let plan: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        plan["summary"].to_string()
    };
    let changes: [&dyn Fn(Vec<u8>) -> Vec<u8>; 3] = [
        &|bytes| String::from_utf8(bytes).unwrap().replace('\n', "\r\n").into_bytes(),
        &|bytes| [b"\xef\xbb\xbf".as_slice(), &bytes].concat(),
        &|bytes| bytes.strip_suffix(b"\n").unwrap().to_vec(),
    ];
    for change in changes {
        let folder = example("quickstart");
        rewrite(folder.path(), change);
        let run = poolwright(folder.path(), &["plan", "--json"]).expect(2);
        assert_eq!(digest(&run), digest(&plain));
    }
}

/// One change of one byte: the file, the place in it, what to do, the byte.
type Mutation = (usize, usize, u8, u8);

fn mutate(bytes: &mut Vec<u8>, (_, at, kind, byte): Mutation) {
    let at = at % (bytes.len() + 1);
    match kind {
        0 => bytes.insert(at, byte),
        1 if at < bytes.len() => bytes[at] = byte,
        2 if at < bytes.len() => drop(bytes.remove(at)),
        3 => bytes.truncate(at),
        // A stretch twice.
        4 => {
            let end = (at + usize::from(byte)).min(bytes.len());
            let stretch = bytes[at..end].to_vec();
            bytes.splice(at..at, stretch);
        }
        _ => {}
    }
}

#[test]
fn damaged_files_are_refused_or_planned_and_never_crash() {
    let interesting =
        proptest::sample::select(b"{}[]()\"'$%\\/#=.,:-+*!<>\n\r\t\0 0aZ_\x7f\xc3\xff".to_vec());
    let mutation = (0..4_usize, 0..20_000_usize, 0..5_u8, interesting);
    let mutations = proptest::collection::vec(mutation, 1..6);
    let config = Config { cases: 64, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let outcome = runner.run(&mutations.prop_map(|mutations: Vec<Mutation>| mutations), |mutations| {
        let folder = example("quickstart");
        for path in sources(folder.path()).into_iter().enumerate().map(|(index, path)| {
            let mut bytes = std::fs::read(&path).unwrap();
            mutations
                .iter()
                .filter(|mutation| mutation.0 == index)
                .for_each(|mutation| mutate(&mut bytes, *mutation));
            (path, bytes)
        }) {
            std::fs::write(path.0, path.1).unwrap();
        }
        let before = listing(folder.path());
        for arguments in [["validate"], ["plan"]] {
            let run = poolwright(folder.path(), &arguments);
            proptest::prop_assert!([0, 2, 3, 4].contains(&run.code), "{arguments:?}: {}", run.all());
            proptest::prop_assert!(!run.stderr.contains("panicked"), "{arguments:?}: {}", run.all());
            proptest::prop_assert!(listing(folder.path()) == before, "{arguments:?} wrote something");
        }
        Ok(())
    });
    outcome.unwrap();
}

/// Blocks of a large fleet are decoded side by side. What is said of them is what is said one after the other.
#[test]
fn faults_of_many_blocks_are_each_told_once() {
    let pools = |fault: &dyn Fn(usize) -> String| -> String {
        (0..200)
            .map(|n| {
                let line = fault(n);
                format!(
                    "pool \"p{n}\" {{\n  {line}\n  accelerator = accelerator.nvidia-h100-80gb-sxm\n  tier = tier.owned\n  \
                     cluster = target.slurm.hpc\n  hosts = \"many{n}\"\n  \
                     node = {{ gpus = 8, sockets = 2, cores = 56, threads = 2, memory = \"2000GiB\" }}\n}}\n"
                )
            })
            .collect()
    };
    let told = |text: String, exit: i32| -> Vec<String> {
        let folder = base();
        std::fs::write(folder.path().join("many.pool.hcl"), text).unwrap();
        let run = poolwright(folder.path(), &["validate", "--format", "short"]).expect(exit);
        run.stdout.lines().map(str::to_owned).collect()
    };
    assert_eq!(told(pools(&|n| format!("description = \"{n}\"")), 0), Vec::<String>::new());
    let refused = told(pools(&|n| format!("desciption = \"{n}\"")), 3);
    assert_eq!(refused.len(), 200);
    assert!(refused.iter().all(|line| line.contains("unknown attribute `desciption`")), "{refused:#?}");
    // A circle far across, seen from either end: one fault.
    let circle = told(
        pools(&|n| match n {
            3 => "description = pool.p150.description".to_owned(),
            150 => "description = pool.p3.description".to_owned(),
            _ => format!("description = \"{n}\""),
        }),
        3,
    );
    assert_eq!(circle.len(), 1, "{circle:#?}");
}
