//! Wrong inputs and what is said of them: every `ui/<group>/<name>.pool.hcl` is a case, `<name>.out` beside it is
//! the exact output of `validate`, human form first, then the short form.
//!
//! The first lines of a case say what is expected: `#~ PW1003` for each code of an error or warning (a code once,
//! however often it is shown), `#~ alone` when the file is a fleet by itself. Otherwise the files of `ui/base`, a
//! small sound fleet with one of everything, stand beside it, and the case adds its fault to them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{golden, poolwright, root, scratch, tree};

/// One wrong input.
struct Case {
    path: PathBuf,
    text: String,
    codes: BTreeSet<String>,
    alone: bool,
}

fn folder() -> PathBuf {
    root().join("tests/ui")
}

/// Files of one folder, sorted by name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn named(path: &Path, ending: &str) -> bool {
    path.to_str().is_some_and(|path| path.ends_with(ending))
}

/// Groups but `base`.
fn groups() -> Vec<PathBuf> {
    entries(&folder()).into_iter().filter(|path| path.is_dir() && !path.ends_with("base")).collect()
}

fn cases() -> Vec<Case> {
    let inputs =
        groups().into_iter().flat_map(|group| entries(&group)).filter(|path| named(path, ".pool.hcl"));
    inputs.map(case).collect()
}

fn case(path: PathBuf) -> Case {
    let text = std::fs::read_to_string(&path).unwrap();
    let head: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("#~ ")).map(str::trim).collect();
    let alone = head.contains(&"alone");
    let codes = head.into_iter().filter(|word| *word != "alone").map(str::to_owned).collect();
    Case { path, text, codes, alone }
}

/// The golden file of a case.
fn expected(case: &Path) -> PathBuf {
    PathBuf::from(case.to_str().unwrap().replace(".pool.hcl", ".out"))
}

/// A folder with the case in it.
fn fleet(case: &Case) -> tempfile::TempDir {
    let scratch = scratch();
    std::fs::write(scratch.path().join(name(case)), &case.text).unwrap();
    if !case.alone {
        copy(&folder().join("base"), scratch.path());
    } else {
        // Templates and price files are there for every case.
        for base in entries(&folder().join("base")) {
            if base.is_file() && !named(&base, ".pool.hcl") {
                std::fs::copy(&base, scratch.path().join(base.file_name().unwrap())).unwrap();
            }
        }
    }
    scratch
}

/// Copies what is in a folder into another one.
fn copy(from: &Path, to: &Path) {
    for entry in entries(from) {
        let to = to.join(entry.file_name().unwrap());
        if entry.is_dir() {
            std::fs::create_dir(&to).unwrap();
            copy(&entry, &to);
        } else {
            std::fs::copy(&entry, to).unwrap();
        }
    }
}

fn name(case: &Case) -> &str {
    case.path.file_name().unwrap().to_str().unwrap()
}

/// The diagnostics of a folder as JSON.
fn diagnostics(folder: &Path) -> Vec<Value> {
    let run = poolwright(folder, &["validate", "--format", "json"]);
    let document: Value =
        serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.all()));
    document["diagnostics"].as_array().unwrap().clone()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap()
}

/// The codes that a case has, notes included, by its name: `rules/zone-unknown`. None: there is no such case.
pub(crate) fn found(name: &str) -> Option<BTreeSet<String>> {
    let path = folder().join(format!("{name}.pool.hcl"));
    let case = path.is_file().then(|| case(path))?;
    let scratch = fleet(&case);
    Some(diagnostics(scratch.path()).iter().map(|it| text(it, "code").to_owned()).collect())
}

/// How often each code is shown, notes left out.
fn count(diagnostics: &[Value]) -> BTreeMap<&str, usize> {
    let mut codes = BTreeMap::new();
    for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic["severity"] != "note") {
        *codes.entry(text(diagnostic, "code")).or_default() += 1;
    }
    codes
}

/// Runs a case; the faults are texts, so that one run shows those of all cases.
fn run(case: &Case, faults: &mut Vec<String>) {
    let scratch = fleet(case);
    let before = tree(scratch.path());
    let human = poolwright(scratch.path(), &["validate"]);
    let short = poolwright(scratch.path(), &["validate", "--format", "short"]);
    let found = diagnostics(scratch.path());

    let codes: BTreeSet<String> = count(&found).into_keys().map(str::to_owned).collect();
    if codes != case.codes {
        faults.push(format!("announced {:?}, found {codes:?}", case.codes));
    }
    let code = if found.iter().any(|diagnostic| diagnostic["severity"] == "error") { 3 } else { 0 };
    if (human.code, short.code) != (code, code) {
        faults.push(format!("exit {} and {}, expected {code}", human.code, short.code));
    }
    if !human.stderr.is_empty() {
        faults.push(format!("on standard error: {}", human.stderr));
    }
    if tree(scratch.path()) != before {
        faults.push("validate wrote something".to_owned());
    }
    // Making the objects finds the same: `validate` does not make them all. Only what is not written yet is an error
    // then, since it would be missing.
    let made = poolwright(scratch.path(), &["compile", "--out", "out", "--format", "json", "-v"]);
    let made: Vec<Value> = if made.stderr.is_empty() {
        Vec::new()
    } else {
        let document: Value =
            serde_json::from_str(&made.stderr).unwrap_or_else(|error| panic!("{error}: {}", made.all()));
        document["diagnostics"].as_array().unwrap().clone()
    };
    let mut wanted = found.clone();
    wanted
        .iter_mut()
        .filter(|it| it["code"] == "PW9001" && it["severity"] == "warning")
        .for_each(|it| it["severity"] = "error".into());
    if made != wanted {
        faults.push(format!("`compile` says otherwise: {made:#?}"));
    }
    found.iter().for_each(|diagnostic| style(diagnostic, faults));
    found.iter().for_each(|diagnostic| fixes(case, scratch.path(), diagnostic, &found, faults));
    fix_all(case, scratch.path(), &found, faults);

    let shown = format!("{}\n--- short\n{}", human.stdout, short.stdout);
    let outcome = std::panic::catch_unwind(|| golden(&expected(&case.path), &shown));
    if let Err(panic) = outcome {
        faults.push(panic.downcast_ref::<String>().cloned().unwrap_or_default());
    }
}

/// The house rules for sentences, as far as a program can judge them.
fn style(diagnostic: &Value, faults: &mut Vec<String>) {
    let message = text(diagnostic, "message");
    if message.ends_with('.') && !message.ends_with("..") {
        faults.push(format!("ends with a full stop: {message}"));
    }
    let begins = message.chars().next().unwrap_or('A');
    // Names of products and of Slurm's objects keep their capitals, and so do codes of currencies.
    let names = ["AWS", "Kueue", "Slurm", "Alibaba", "ACK", "Poolwright", "Block", "USD"];
    if begins.is_uppercase() && !names.iter().any(|name| message.starts_with(name)) {
        faults.push(format!("begins with a capital: {message}"));
    }
    let spans = diagnostic["spans"].as_array().unwrap();
    if spans.is_empty() {
        faults.push(format!("has no place: {message}"));
    }
    if spans.iter().any(|span| span["file"].is_null()) {
        faults.push(format!("has a place in no file: {message}"));
    }
    if diagnostic["severity"] != "note"
        && diagnostic["helps"].as_array().unwrap().is_empty()
        && diagnostic["fixes"].as_array().unwrap().is_empty()
    {
        faults.push(format!("does not say what to do: {message}"));
    }
}

/// Applies each safe fix of a diagnostic by itself: the fault must go and none come.
fn fixes(case: &Case, folder: &Path, diagnostic: &Value, before: &[Value], faults: &mut Vec<String>) {
    for fix in diagnostic["fixes"].as_array().unwrap() {
        if fix["applicability"] != "safe" {
            continue;
        }
        let mut edits: Vec<(usize, usize, &str)> = Vec::new();
        for edit in fix["edits"].as_array().unwrap() {
            assert_eq!(edit["file"], name(case), "a fix of another file than the case");
            let at = |key: &str| usize::try_from(edit[key].as_u64().unwrap()).unwrap();
            edits.push((at("byte_start"), at("byte_end"), text(edit, "text")));
        }
        edits.sort_unstable();
        let mut mended = case.text.clone();
        for (start, end, replacement) in edits.into_iter().rev() {
            mended.replace_range(start..end, replacement);
        }
        let file = folder.join(name(case));
        std::fs::write(&file, &mended).unwrap();
        let after = diagnostics(folder);
        std::fs::write(&file, &case.text).unwrap();
        let (before, after) = (count(before), count(&after));
        let code = text(diagnostic, "code");
        if after.get(code) >= before.get(code) {
            faults.push(format!("the fix `{}` does not remove {code}:\n{mended}", text(fix, "title")));
        }
        for new in after.keys().filter(|code| !before.contains_key(*code)) {
            faults.push(format!("the fix `{}` brings {new}:\n{mended}", text(fix, "title")));
        }
    }
}

/// `fix` carries out all safe fixes, one after the other, and touches no other file.
fn fix_all(case: &Case, folder: &Path, before: &[Value], faults: &mut Vec<String>) {
    let safe = |diagnostic: &Value| {
        diagnostic["fixes"].as_array().unwrap().iter().any(|fix| fix["applicability"] == "safe")
    };
    if !before.iter().any(safe) {
        return;
    }
    let mut files = tree(folder);
    let run = poolwright(folder, &["fix", "-q"]);
    let left = diagnostics(folder);
    if left.iter().any(safe) {
        faults.push(format!("`fix` leaves safe fixes: {}", run.all()));
    }
    let code = if left.iter().any(|diagnostic| diagnostic["severity"] == "error") { 3 } else { 0 };
    if run.code != code {
        faults.push(format!("`fix` ends with {}, expected {code}: {}", run.code, run.all()));
    }
    let mut fixed = tree(folder);
    if files.remove(name(case)) == fixed.remove(name(case)) || files != fixed {
        faults.push(format!("`fix` changes another file than the case: {}", run.all()));
    }
    std::fs::write(folder.join(name(case)), &case.text).unwrap();
}

#[test]
fn the_base_is_sound() {
    let case =
        Case { path: "empty.pool.hcl".into(), text: String::new(), codes: BTreeSet::new(), alone: false };
    let scratch = fleet(&case);
    let run = poolwright(scratch.path(), &["validate"]).expect(0);
    let files = entries(&folder().join("base")).iter().filter(|path| named(path, ".pool.hcl")).count() + 1;
    assert_eq!(run.stdout, format!("{files} files are valid\n"));
}

#[test]
fn every_wrong_input_is_answered_well() {
    let cases = cases();
    assert!(cases.len() >= 90, "only {} cases", cases.len());
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    let failed: Vec<String> = std::thread::scope(|scope| {
        let chunks = cases.chunks(cases.len().div_ceil(workers));
        let handles: Vec<_> =
            chunks.map(|chunk| scope.spawn(move || chunk.iter().filter_map(judge).collect())).collect();
        handles.into_iter().flat_map(|handle| -> Vec<String> { handle.join().unwrap() }).collect()
    });
    assert!(failed.is_empty(), "{} of {} cases failed\n\n{}", failed.len(), cases.len(), failed.join("\n\n"));
}

fn judge(case: &Case) -> Option<String> {
    let mut faults = Vec::new();
    run(case, &mut faults);
    let shown = case.path.strip_prefix(folder()).unwrap().display().to_string();
    (!faults.is_empty()).then(|| format!("{shown}\n  {}", faults.join("\n  ")))
}

#[test]
fn goldens_and_cases_match_one_to_one() {
    let wanted: BTreeSet<PathBuf> = cases().iter().map(|case| expected(&case.path)).collect();
    let all: BTreeSet<PathBuf> = groups().into_iter().flat_map(|group| entries(&group)).collect();
    let there: BTreeSet<PathBuf> = all.iter().filter(|path| named(path, ".out")).cloned().collect();
    let apart: Vec<&PathBuf> = there.symmetric_difference(&wanted).collect();
    assert!(apart.is_empty(), "outputs without a case, or cases without an output: {apart:?}");
    let strange: Vec<&PathBuf> =
        all.iter().filter(|path| !named(path, ".out") && !named(path, ".pool.hcl")).collect();
    assert!(strange.is_empty(), "neither a case nor an output: {strange:?}");
}
