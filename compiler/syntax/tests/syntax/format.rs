//! Laying out keeps values and comments, changes nothing twice, and leaves what is written by hand in the house's style.

use std::path::Path;

use poolwright_diagnostics::{Diagnostic, FileId, apply};
use proptest::prelude::*;

use crate::arbitrary::{FRAGMENTS, cases, mutate};

fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    poolwright_syntax::format(FileId(0), text).map(|edits| apply(text, &edits).unwrap())
}

#[track_caller]
fn becomes(text: &str, wanted: &str) {
    assert_eq!(format(text).unwrap(), wanted);
    assert!(poolwright_syntax::format(FileId(0), wanted).unwrap().is_empty(), "{wanted}");
}

/// What holds for every text; false when it has faults and is left alone.
fn check(text: &str) -> bool {
    let (tree, found) = crate::parse(text);
    let sound = !found.iter().any(Diagnostic::is_error);
    let edits = match poolwright_syntax::format(FileId(0), text) {
        Ok(edits) => edits,
        Err(faults) => {
            assert_eq!(faults, found, "{text:?}");
            return false;
        }
    };
    assert!(sound, "{text:?}");
    let space = |text: &str| text.chars().all(|c| matches!(c, ' ' | '\t' | '\r' | '\n' | '\u{feff}'));
    for edit in &edits {
        let old = &text[edit.span.start as usize..edit.span.end as usize];
        assert_ne!(old, edit.text, "an edit of nothing in {text:?}");
        assert!(
            (old == "//" && edit.text == "#") || (space(old) && space(&edit.text)),
            "{old:?} -> {:?} in {text:?}",
            edit.text
        );
    }
    let laid_out = apply(text, &edits).unwrap();
    let (again, faults) = crate::parse(&laid_out);
    assert_eq!(crate::show::body(&tree.body), crate::show::body(&again.body), "{text:?} -> {laid_out:?}");
    assert_eq!(found.len(), faults.len(), "{text:?} -> {laid_out:?}");
    assert_eq!(kept(text), kept(&laid_out), "comments of {text:?} -> {laid_out:?}");
    let twice = format(&laid_out).unwrap();
    assert_eq!(twice, laid_out, "not at rest: {text:?}");
    true
}

/// What the comments of [`MARKED`] say, in order.
fn kept(text: &str) -> Vec<&str> {
    text.match_indices("keep ")
        .map(|(at, _)| text[at..].split(['\n', '/']).next().unwrap().trim_end())
        .collect()
}

/// Comments, beside fragments.
const MARKED: [&str; 8] = [
    "# keep  1\n",
    "// keep  2  \n",
    "/* keep  3 */",
    "/* keep  4\n   \n  */",
    "a = 1 # keep 5\n",
    "b  = [ # keep 6\n",
    "x = \"${ y }\"  // keep  7\r\n",
    "c = <<A\n ${ x  }  \nA\n",
];

#[test]
fn every_file_of_the_repository_keeps_its_values() {
    let mut files = crate::files::files();
    crate::files::collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests"), &mut files);
    assert!(files.len() > 100, "the cases of tests/ui are found");
    let sound = files.iter().filter(|(_, text)| check(text)).count();
    assert!(sound > 80, "only {sound} are without errors");
}

#[test]
fn examples_are_laid_out_already() {
    for (path, text) in crate::files::files() {
        let laid_out = format(&text).unwrap();
        assert!(laid_out == text, "{}:\n{laid_out}", path.display());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn any_sequence_of_fragments(parts in prop::collection::vec(prop_oneof![
        prop::sample::select(&FRAGMENTS[..]), prop::sample::select(&MARKED[..])], 0..20)) {
        check(&parts.concat());
        // Inside of a list most of them mean something.
        check(&format!("a = [{}]\n", parts.concat()));
    }

    #[test]
    fn any_words(parts in prop::collection::vec((prop::sample::select(&WORDS[..]), prop::sample::select(&SPACES[..])), 1..12)) {
        let text: String = parts.iter().map(|(word, space)| format!("{word}{space}")).collect();
        check(&format!("a = ({text})\n"));
        check(&format!("a = [{text}]\n"));
        check(&format!("a = {{{text}}}\nb {{\nc={text}\n}}"));
    }

    /// Expressions without faults, `~` where a space or a line end may stand.
    #[test]
    fn any_expression(text in expressions(), spaces in prop::collection::vec(prop::sample::select(&SPACES[..]), 1..30)) {
        let mut spaces = spaces.iter().cycle();
        let mut spaced = String::new();
        for part in text.split_inclusive('~') {
            spaced += part.trim_end_matches('~');
            spaced += spaces.next().unwrap();
        }
        let text = format!("a{{\nb  =({spaced})\nc=1}}").replace("=1}", "=1\n}");
        check(&text);
        // Not everywhere a line may end.
        let text = spaced.replace('\n', " ");
        assert!(check(&format!("a={text}")), "{text:?}: {:?}", crate::codes(&text));
    }

    #[test]
    fn changed_files(file in any::<prop::sample::Index>(), changes in prop::collection::vec(
        (any::<usize>(), 0usize..3, prop_oneof![prop::sample::select(&MARKED[..]), prop::sample::select(&SPACES[..])]), 1..6)) {
        let mut files = crate::files::files();
        files.push(("".into(), include_str!("sample.hcl").to_owned()));
        let mut text = files[file.index(files.len())].1.clone();
        for (at, length, with) in changes {
            text = mutate(&text, at, length, with);
        }
        check(&text);
    }
}

/// Sound expressions in which every `~` may be any space.
fn expressions() -> impl Strategy<Value = String> {
    let word = prop::sample::select(&["a", "b-c", "1", "1.5", "\"s\"", "\"${ a }\"", "null"][..]);
    word.prop_map(str::to_owned).prop_recursive(4, 24, 4, |inner| {
        let sign = prop::sample::select(&["+", "- ", "*", "/", "%", "==", "!=", "<", ">=", "&&", "||"][..]);
        prop_oneof![
            (inner.clone(), sign, inner.clone()).prop_map(|(a, sign, b)| format!("{a} ~{sign}~{b}")),
            inner.clone().prop_map(|a| format!("-~({a})")),
            inner.clone().prop_map(|a| format!("!~a~.~b~[~{a}~]~.*.~c")),
            inner.clone().prop_map(|a| format!("a[*].b[{a}]~.0")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("f~(~{a}~,~[~{b}~,~]~...~)")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(~{a}~?~{b} ~:~[~]~)")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{{~x={a},~\"y\" :{b}~}}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("[~for x in (~{a}~)~:~{b} if(~a~)~]")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("{{~for x,~y in {a} ~:~x~=>~{b} ~...~}}")),
        ]
    })
}

const WORDS: [&str; 40] = [
    "a",
    "b-c",
    "x.y",
    "1",
    "1.5",
    "-",
    "-",
    "!",
    "+",
    "*",
    "/",
    "%",
    "==",
    "!=",
    "<",
    ">=",
    "&&",
    "||",
    "?",
    ":",
    ",",
    ",",
    ".",
    ".*",
    "[*]",
    "[0]",
    ".0",
    "(",
    ")",
    "[",
    "]",
    "f(",
    "...",
    "\"s\"",
    "=",
    "{",
    "}",
    "for x in y :",
    "if",
    "=>",
];

const SPACES: [&str; 8] = ["", "", " ", " ", "  ", "\t", "\n", " \n\n\n\t"];

#[test]
fn lines_are_indented_by_their_brackets() {
    becomes("a{\nb{\n\tc=[\n1,\n  ]\n}\n}", "a {\n  b {\n    c = [\n      1,\n    ]\n  }\n}\n");
    becomes(
        "n = merge(x, { d = [\n{ a = 1 },\n] })\nh = \"c\"\n",
        "n = merge(x, { d = [\n  { a = 1 },\n] })\nh = \"c\"\n",
    );
    becomes("a = [{\nb = 1\n}, {\nb = 2\n}]\n", "a = [{\n  b = 1\n}, {\n  b = 2\n}]\n");
    becomes("a = f(\n[\n1\n])\n", "a = f(\n  [\n    1\n])\n");
    becomes("a = f(b,\nc)\n", "a = f(b,\n  c)\n");
    becomes("a = b ? [\n1\n] : [\n2\n]\n", "a = b ? [\n  1\n] : [\n  2\n]\n");
}

#[test]
fn one_space_stands_round_signs() {
    becomes("a=-1- -2*(b+c)\n", "a = -1 - -2 * (b + c)\n");
    becomes("a = ! b&&c||d\n", "a = !b && c || d\n");
    becomes("a = b?c:d\n", "a = b ? c : d\n");
    becomes("a = f ( b , c ... )\n", "a = f(b, c...)\n");
    becomes("a = b [ 0 ] . c . * . d [ * ]\n", "a = b[0].c.*.d[*]\n");
    becomes("a = [ 1,2 , ]\n", "a = [1, 2,]\n");
    becomes("a = {b=1,c:2,}\nd = { }\n", "a = { b = 1, c : 2, }\nd = {}\n");
    becomes("a = [for x in(y):x if(z)]\n", "a = [for x in (y) : x if (z)]\n");
    becomes("a = {for k,v in x:k=>v...}\n", "a = { for k, v in x : k => v... }\n");
    becomes("a = {in = 1,if=x . if}\n", "a = { in = 1, if = x.if }\n");
    becomes("a   \"b\"\t\"c\"{}\n", "a \"b\" \"c\" {}\n");
    becomes("a{b=1}\n", "a { b = 1 }\n");
    becomes("a = ns :: f(1)\n", "a = ns::f(1)\n");
}

#[test]
fn strings_and_heredocs_are_left_alone() {
    becomes("a=\"  ${ b+c }  %{ if d }x%{ endif }\"\n", "a = \"  ${ b+c }  %{ if d }x%{ endif }\"\n");
    becomes("a {\nb=<<-X\n   ${ c }  \n\n\n   X\n}\n", "a {\n  b = <<-X\n   ${ c }  \n\n\n   X\n}\n");
    becomes("a = f(<<X\n  b\nX\n, 1)\n", "a = f(<<X\n  b\nX\n  , 1)\n");
}

#[test]
fn equals_signs_stand_in_columns() {
    becomes("a=1\nbcd=2\n\nef=3\n", "a   = 1\nbcd = 2\n\nef = 3\n");
    becomes("a=1\nb_c={\nd=1\n}\nef=2\n", "a = 1\nb_c = {\n  d = 1\n}\nef = 2\n");
    becomes("a=1\n# b\nbcd=2\n", "a = 1\n# b\nbcd = 2\n");
    becomes("a=1\nb=<<X\nX\ncde=2\n", "a   = 1\nb   = <<X\nX\ncde = 2\n");
    becomes("a=1\nbcd {}\n", "a = 1\nbcd {}\n");
    becomes("a={\né=1,\n\"bc\" = 2\n(d)=3\n}\n", "a = {\n  é    = 1,\n  \"bc\" = 2\n  (d)  = 3\n}\n");
}

#[test]
fn comments_stand_in_columns() {
    becomes("a=1 # x\nbcd=2# y\n\ne = 3   // z\n", "a   = 1 # x\nbcd = 2 # y\n\ne = 3 # z\n");
    becomes("a = [#x\n1,#y\n22,#z\n]#w\n", "a = [ #x\n  1,  #y\n  22, #z\n] #w\n");
    becomes("a {\n   // x\n#y\n}\n  # z", "a {\n  # x\n  #y\n}\n# z\n");
    becomes("/// x\n//////\n//\n// y  \n", "/// x\n//////\n#\n# y\n");
    becomes("a = [/* x */1/* y */,2]/* z */\n", "a = [/* x */ 1 /* y */, 2] /* z */\n");
    becomes("   /* x\n   y  \n*/\n", "/* x\n   y  \n*/\n");
}

#[test]
fn empty_lines_are_few() {
    becomes("\n\n\na=1\n\n\n\nb=2\n\n\n", "a = 1\n\nb = 2\n");
    becomes("a {\n\nb=1\n \n}\nc {}\nd {} # x\n", "a {\n  b = 1\n}\nc {}\nd {} # x\n");
    becomes("a = [ # x\n\n1,\n\n\n2\n\n]\n", "a = [ # x\n  1,\n\n  2\n]\n");
    becomes("\n \n", "");
    becomes("", "");
    becomes("# a", "# a\n");
}

#[test]
fn line_ends_stay_and_a_byte_order_mark_goes() {
    becomes("a=1\r\nb {\r\n\r\n}  \r\n\r\n\r\nc = 1", "a = 1\r\nb {\r\n}\r\n\r\nc = 1\r\n");
    becomes("a=1 # x \r\n// y\r\n", "a = 1 # x\r\n# y\r\n");
    becomes("\u{feff}a = 1\n", "a = 1\n");
}

/// Twice the text takes about twice the time, whatever it is made of: none of these ends in minutes otherwise.
#[test]
fn long_texts_are_no_trouble() {
    let n = 20_000;
    for text in [
        "/**/".repeat(n),
        format!("a = [{}]\n", "1 ,".repeat(n)),
        format!("a = [{}]\n", "1,# x\n".repeat(n)),
        "a=1// x\n".to_owned() + &"\n".repeat(n) + &"# y\n".repeat(n),
        "a {}\n".repeat(n),
        format!("a = b{}\n", " . b".repeat(n)),
    ] {
        assert!(check(&text), "{}", &text[..20]);
    }
}

#[test]
fn a_file_with_errors_is_left_alone() {
    let faults = format("a=1\nb=\nc=,\n").unwrap_err();
    assert_eq!(faults.len(), 2, "{faults:?}");
}
