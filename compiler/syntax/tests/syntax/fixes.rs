//! A safe fix removes its diagnostic and brings no other.

use poolwright_diagnostics::{Applicability, Diagnostic, Edit, FileId};

use crate::faults::FAULTS;

fn apply(text: &str, mut edits: Vec<&Edit>) -> String {
    edits.sort_by_key(|edit| std::cmp::Reverse((edit.span.start, edit.span.end)));
    let mut out = text.to_owned();
    let mut before = text.len();
    for edit in edits {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        assert!(end <= before, "edits overlap in {text:?}");
        out.replace_range(start..end, &edit.text);
        before = start;
    }
    out
}

fn count(found: &[Diagnostic]) -> Vec<&str> {
    let mut codes: Vec<&str> = found.iter().map(|diagnostic| diagnostic.code.0).collect();
    codes.sort_unstable();
    codes
}

#[test]
fn a_safe_fix_removes_its_diagnostic_and_brings_no_other() {
    let mut fixes = 0;
    for (text, _) in FAULTS {
        let (_, found) = poolwright_syntax::parse(FileId(0), text);
        for diagnostic in &found {
            for fix in diagnostic.fixes.iter().filter(|fix| fix.applicability == Applicability::Safe) {
                fixes += 1;
                let fixed = apply(text, fix.edits.iter().collect());
                let (_, left) = poolwright_syntax::parse(FileId(0), &fixed);
                let mut expected = count(&found);
                let gone = expected.iter().position(|code| *code == diagnostic.code.0).unwrap();
                expected.remove(gone);
                assert_eq!(count(&left), expected, "{:?}: {text:?} -> {fixed:?}", fix.title);
            }
        }
    }
    assert!(fixes > 50, "only {fixes} safe fixes are exercised");
}

#[test]
fn a_fix_keeps_comments() {
    let texts = [
        "n = 1 /* keep */ m = 2\n",
        "n = 1, /* keep */ m = 2\n",
        "a { n = 1 /* keep */ m = 2 /* keep */ }\n",
        "a { /* keep */ n = 1, m = 2 }\n",
        "a { /* keep */ n = 1\n}\n",
        "a {\n  n = 1 /* keep */ }\n",
        "x = # keep\n  5\n",
        "pool \"a\" # keep\n{\n}\n",
        "x /* keep */ : 1\n",
        "x /* keep */ == 1\n",
    ];
    for text in texts {
        let (_, found) = poolwright_syntax::parse(FileId(0), text);
        assert!(!found.is_empty());
        for fix in found.iter().flat_map(|diagnostic| &diagnostic.fixes) {
            let fixed = apply(text, fix.edits.iter().collect());
            assert_eq!(fixed.matches("keep").count(), text.matches("keep").count(), "{text:?} -> {fixed:?}");
        }
    }
}
