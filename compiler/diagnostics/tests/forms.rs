//! The forms for programs, to the byte, with text that could break each of them.

#![expect(clippy::unwrap_used, reason = "a test that meets what it does not expect fails at that place")]

use insta::assert_snapshot;
use poolwright_diagnostics::render::{Findings, Options, Tool, github, human, json, junit, sarif};
use poolwright_diagnostics::{Applicability, Code, Diagnostic, Edit, FileId, SourceMap, Span};

/// Columns outside ASCII, two lines that a span runs over, names that need escapes.
fn sources() -> SourceMap {
    let mut map = SourceMap::default();
    map.add(
        "a, b:c%.pool.hcl",
        "tenant \"größe\" { x = \"😀\" } # ]]>\nclass \"short\" {\n  priority = 1\n}\n",
    );
    map.add("Zonen & <Größen>.pool.hcl", "fleet {}\n");
    map.add("sound.pool.hcl", "");
    map
}

fn of(map: &SourceMap, file: u32, text: &str) -> Span {
    let start = map.get(FileId(file)).unwrap().text().find(text).unwrap() as u32;
    Span::new(FileId(file), start, start + text.len() as u32)
}

const AWKWARD: &str = "100 % of a, b::c]]>\r\nis \"wrong\" & 'odd' <\u{1b}[31m\u{202e}\u{0}\u{fffe}>\tend";

fn findings(base: &str) -> Findings {
    let map = sources();
    let key = of(&map, 0, "x");
    let diagnostics = [
        Diagnostic::error(Code("PW1003"), AWKWARD)
            .at(key, "unknown, \"x\"::%")
            .also(of(&map, 1, "fleet {}"), "declared\nhere")
            .also(of(&map, 0, "\"größe\""), "")
            .with_value("var.größe", "\"50 %\"")
            .with_note("a fact\nof two lines")
            .with_help("do, this: 100 %")
            .with_fix(
                "rename it to `y`",
                Applicability::Safe,
                vec![
                    Edit { span: key, text: "y".to_owned() },
                    Edit { span: of(&map, 1, "fleet {}"), text: "fleet {\n}".to_owned() },
                ],
            )
            .with_fix(
                "fill in",
                Applicability::HasPlaceholders,
                vec![Edit { span: key, text: "…".to_owned() }],
            )
            .with_frame("in module.edge[\"a\"]", Some(of(&map, 1, "fleet"))),
        Diagnostic::warning(Code("PW4033"), "over two lines")
            .at(of(&map, 0, "class \"short\" {\n  priority = 1\n}"), ""),
        Diagnostic::warning(Code("PW4033"), "behind the emoji").at(of(&map, 0, "}"), "here"),
        Diagnostic::note(Code("PW5020"), "at the end")
            .at(Span::new(FileId(1), 9, 9), "nothing, of no length"),
        Diagnostic::error(Code("PW6006"), "of no place").with_help("look there"),
        Diagnostic::error(Code("PW6007"), "of a file that is not at hand")
            .at(Span::new(FileId(9), 3, 5), "lost"),
        Diagnostic::error(Code("PW6006"), "of no place").with_help("look there"),
        Diagnostic::error(Code("PW0002"), "a second error").at(of(&map, 1, "{}"), ""),
    ];
    let mut findings = Findings::default();
    let (first, second) = diagnostics.split_at(2);
    findings.add(first, &map, base);
    findings.add(second, &map, base);
    findings
}

fn tool() -> Tool<'static> {
    let page =
        |code: &str| (code == "PW1003").then(|| ("a \"headline\"".to_owned(), "What it means.".to_owned()));
    Tool { version: "0.1.0", home: "https://example.org/poolwright", page }
}

#[test]
fn found_in_several_steps_is_sorted_and_said_once() {
    let codes: Vec<&str> = findings("").found.iter().map(|found| found.code).collect();
    let wanted = ["PW6006", "PW6007", "PW5020", "PW0002", "PW1003", "PW4033", "PW4033"];
    let mut sorted = wanted;
    sorted.sort_unstable();
    let mut all = codes.clone();
    all.sort_unstable();
    assert_eq!(all, sorted, "the second PW6006 is the first once more");
    assert_eq!(codes.first(), Some(&"PW6006"), "what has no place comes first");
}

#[test]
fn json_form() {
    assert_snapshot!(json(&findings("live/")));
}

#[test]
fn github_form() {
    let text = github(&findings("a/b/"));
    // Each is one line, whatever stands in it; and nothing but line ends is below a space.
    assert_eq!(text.lines().count(), 7);
    assert!(text.lines().all(|line| line.starts_with("::")), "{text}");
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    assert_snapshot!(text);
}

#[test]
fn junit_form() {
    let text = junit(&findings("./"));
    assert!(!text.contains("]]>") && !text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    assert_snapshot!(text);
    assert_eq!(
        junit(&Findings::default()),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"poolwright\" tests=\"0\" failures=\"0\" errors=\"0\">\n  \
         <testsuite name=\"poolwright\" tests=\"0\" failures=\"0\" errors=\"0\">\n  </testsuite>\n</testsuites>\n"
    );
}

#[test]
fn sarif_form() {
    assert_snapshot!(sarif(&findings(""), &tool()));
}

/// What the schema of SARIF 2.1.0 requires, and what its text says beyond: section 3.30 on regions.
#[test]
fn sarif_keeps_its_rules() {
    for base in ["", "/srv/fleet/", "a b/"] {
        let log: serde_json::Value = serde_json::from_str(&sarif(&findings(base), &tool())).unwrap();
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        assert_eq!(run["columnKind"], "unicodeCodePoints");
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        for rule in rules {
            assert!(rule["helpUri"].as_str().unwrap().starts_with("https://"));
            for text in ["shortDescription", "fullDescription", "help"] {
                assert!(!rule[text]["text"].as_str().unwrap().is_empty());
            }
        }
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), 7);
        let mut regions = 0;
        for result in results {
            let index = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(result["ruleId"], rules[index]["id"]);
            assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
            assert!(!result["message"]["text"].as_str().unwrap().is_empty());
            let places = |key: &str| result[key].as_array().cloned().unwrap_or_default();
            for place in places("locations").iter().chain(&places("relatedLocations")) {
                let physical = &place["physicalLocation"];
                let uri = physical["artifactLocation"]["uri"].as_str().unwrap();
                assert!(uri.is_ascii() && !uri.contains([' ', '<', '&', '"']), "{uri}");
                assert!(uri.starts_with("file:///") || !uri.contains(':'), "{uri}");
                let number = |key: &str| physical["region"][key].as_u64().unwrap();
                assert!(number("startLine") >= 1 && number("startColumn") >= 1);
                assert!(
                    (number("endLine"), number("endColumn")) >= (number("startLine"), number("startColumn"))
                );
                assert!(number("charOffset") <= number("byteOffset"));
                assert!(number("charLength") <= number("byteLength"));
                regions += 1;
            }
            for fix in places("fixes") {
                for change in fix["artifactChanges"].as_array().unwrap() {
                    for replacement in change["replacements"].as_array().unwrap() {
                        assert!(replacement["deletedRegion"]["startLine"].is_u64());
                        assert!(replacement["insertedContent"]["text"].is_string());
                    }
                }
            }
        }
        assert!(regions >= 6, "{regions}");
        let fixes = results.iter().filter_map(|result| result["fixes"].as_array());
        assert_eq!(fixes.map(Vec::len).sum::<usize>(), 1, "one with a place to fill in is left out");
    }
}

/// A thousand warnings before one error, and the page of a rule once a run.
#[test]
fn the_cap_never_hides_an_error_behind_warnings() {
    let mut map = SourceMap::default();
    let file = map.add("a.pool.hcl", "x\n".repeat(300));
    let at = |line: u32| Span::new(file, line * 2, line * 2 + 1);
    let mut all: Vec<Diagnostic> = (0..250)
        .map(|line| Diagnostic::warning(Code("PW4033"), format!("warning {line}")).at(at(line), ""))
        .collect();
    all.extend([Diagnostic::error(Code("PW1003"), "the error").at(at(251), "")]);
    all.extend((0..3).map(|line| Diagnostic::note(Code("PW5020"), format!("note {line}")).at(at(260), "")));
    let text = human(&all, &map, &Options::default());
    assert!(text.contains("error[PW1003]: the error"), "{text}");
    assert!(text.ends_with("and 151 warnings, 3 notes more; `--format short` lists all\n"), "{text}");
    assert_eq!(text.matches("warning[PW4033]").count(), 99);
    let places: Vec<usize> =
        ["warning 0", "warning 98", "the error"].map(|it| text.find(it).unwrap()).to_vec();
    assert!(places.is_sorted(), "their order is kept");
    assert_eq!(text.matches("docs: poolwright explain").count(), 1, "{text}");
    let errors: Vec<Diagnostic> =
        (0..102).map(|line| Diagnostic::error(Code("PW1003"), format!("error {line}"))).collect();
    let text = human(&errors, &map, &Options::default());
    assert!(
        text.ends_with("and 2 errors more; `--format short` lists all\n") && !text.contains("docs:"),
        "{text}"
    );
    let text = human(errors.get(..100).unwrap(), &map, &Options::default());
    assert!(!text.contains(" more;"));
}
