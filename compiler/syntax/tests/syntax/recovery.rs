//! Many faults in one file: each is reported, none hides another, and what is sound stays in the tree.

use crate::{codes, parse, show};

#[test]
fn every_broken_block_is_reported_and_the_sound_ones_are_kept() {
    let text = "\
pool \"one\" {
  nodes = 1
}

pool \"two\" {
  nodes = = 2
  price = \"$1
  kept  = true
}

pool \"three\" {
  list = [1 2]
  lot \"x\" {
    n == 5
    m = 1 +
    k = 3
  }

pool \"four\" {
  x = [
  y = 1
}

pool \"five\" {
  x = 15m
  x = 2
  x = 3
}

pool \"six\" {
  nodes = 6
}
";
    assert_eq!(
        codes(text),
        [
            "PW0021 6:11",
            "PW0001 7:11",
            "PW0010 11:14",
            "PW0030 12:12",
            "PW0021 14:7",
            "PW0031 15:11",
            "PW0010 20:7",
            "PW0007 25:7",
            "PW0028 27:3",
        ]
    );
    let (file, _) = parse(text);
    let expected = [
        "pool \"one\" {nodes=#1}",
        "pool \"two\" {nodes=#2; kept=true; ?}",
        "pool \"three\" {lot \"x\" {n=#5; k=#3; ?}; ?}",
        "pool \"four\" {y=#1; ?}",
        "pool \"five\" {x=#2; x=#3; ?}",
        "pool \"six\" {nodes=#6}",
    ];
    assert_eq!(show::body(&file.body).replace("; pool", "\npool"), expected.join("\n"));
}

#[test]
fn what_can_be_read_despite_a_fault_is_kept() {
    let table = [
        ("x == 1", "x=#1"),
        ("x 1", "x=#1"),
        ("x = 'a'", "x=\"a\""),
        ("x = ${a.b}", "x=(a.b)"),
        ("x = 1,\ny = 2", "x=#1; y=#2"),
        ("x = 1 y = 2", "x=#1; y=#2"),
        ("x =\n  1\ny = 2", "x=#1; y=#2"),
        ("x = \"a\\d\"", "x=\"a\\\\d\""),
        ("x = \"a\nb\"", "x=\"a\\nb\""),
        ("a\n{\n  x = 1\n}", "a {x=#1}"),
        ("a \"b\" = {\n  x = 1\n}", "a \"b\" {x=#1}"),
        ("a {\n  x = 1\n  }\n  y = 2\n}\n", "a {x=#1; y=#2; ?}; ?"),
        ("a {\n  x = 1\nb {\n  y = 1\n}\n", "a {x=#1; ?}; b {y=#1}"),
        ("a {\n  x = 1\n\nb \"c\" {\n  y = 1\n}\nd {\n}\n", "a {x=#1; ?}; b \"c\" {y=#1}; d {}"),
        ("x = { a = 1, a = 2, \"a\" = 3 }", "x={a=#1 a=#2 <\"a\">=#3}"),
    ];
    for (text, expected) in table {
        let (file, found) = parse(text);
        assert!(!found.is_empty(), "{text:?}");
        assert_eq!(show::body(&file.body), expected, "{text:?}");
    }
}

/// Taking any one token out of a sound file: never a panic, and never silence about something that is lost.
#[test]
fn a_missing_bracket_or_quote_is_always_noticed() {
    let text = include_str!("sample.hcl");
    for (at, c) in
        text.char_indices().filter(|(_, c)| matches!(c, '{' | '}' | '[' | ']' | '(' | ')' | '"' | '='))
    {
        let line = text[..at].rsplit('\n').next().unwrap();
        // In comments, and in the text of a heredoc, they mean nothing; `>=` becomes `>`, `=>` is a rule of its own.
        if line.contains('#') || text[..at].ends_with(['$', '%']) || text[..at].ends_with("${not") {
            continue;
        }
        if c == '=' && (text[..at].ends_with(['>', '=', '<', '!']) || text[at..].starts_with("=>")) {
            continue;
        }
        let broken = format!("{}{}", &text[..at], &text[at + 1..]);
        assert!(!codes(&broken).is_empty(), "without `{c}` at {at}: {line}");
    }
}
