//! What each format looks like, and that no diagnostic can make one panic.

use insta::assert_snapshot;
use poolwright_diagnostics::render::{Findings, Options, human, json, short};
use poolwright_diagnostics::{Applicability, Code, Diagnostic, Edit, FileId, SourceMap, Span};

const CODE: Code = Code("PW1003");

fn json_of(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    let mut findings = Findings::default();
    findings.add(diagnostics, sources, "");
    json(&findings)
}

#[cfg(test)]
mod look {
    use super::*;

    fn sources() -> SourceMap {
        let mut map = SourceMap::default();
        map.add(
            "queues.pool.hcl",
            "route \"cheap\" {\n  step \"spot\" {\n    until = \"admitted\"\n    on    = [\"no-quota\", \"no-capacity\"]\n\n\n    \
             max_prize = \"$3.10/gpu/h\"\n  }\n}\n",
        );
        map.add("fleet.pool.hcl", "fleet {}\n\ntarget \"kubernetes\" \"eks\" {\n}\n");
        map
    }

    /// The span of `text` in a file.
    fn of(map: &SourceMap, file: u32, text: &str) -> Span {
        let id = FileId(file);
        let start = map.get(id).unwrap().text().find(text).unwrap() as u32;
        Span::new(id, start, start + text.len() as u32)
    }

    fn misspelt(map: &SourceMap) -> Diagnostic {
        let name = of(map, 0, "max_prize");
        Diagnostic::error(CODE, "unknown attribute `max_prize` in step")
            .at(name, "an attribute with a similar name exists: `max_price`")
            .with_fix(
                "rename it to `max_price`",
                Applicability::Safe,
                vec![Edit { span: name, text: "max_price".to_owned() }],
            )
    }

    fn stock_out(map: &SourceMap) -> Diagnostic {
        Diagnostic::error(Code("PW4120"), "step \"spot\" can never see a stock-out")
            .at(of(map, 0, "\"no-capacity\""), "so this reason never occurs")
            .also(of(map, 0, "\"admitted\""), "waits for nodes only where a provisioning check exists")
            .also(of(map, 1, "target \"kubernetes\" \"eks\""), "has no cluster_autoscaler.provisioning_requests")
            .with_value("var.scale", "3")
            .with_note(
                "Kueue admits the job as soon as quota fits; without nodes its pods stay Pending and the route never \
                 moves on.",
            )
            .with_help("turn the check on: `cluster_autoscaler = { version = \"1.33\", provisioning_requests = true }`")
            .with_help("or wait for running pods: `until = \"ready\"`")
            .with_frame("in route.cheap", Some(of(map, 0, "route \"cheap\"")))
    }

    #[test]
    fn a_misspelt_name() {
        let map = sources();
        assert_snapshot!(human(&[misspelt(&map)], &map, &Options::default()), @r#"
        error[PW1003]: unknown attribute `max_prize` in step
           ┌─ queues.pool.hcl:7:5
           │
         7 │     max_prize = "$3.10/gpu/h"
           │     ━━━━━━━━━ an attribute with a similar name exists: `max_price`
           │
           help: rename it to `max_price`
                 max_price = "$3.10/gpu/h"
        "#);
    }

    #[test]
    fn labels_in_several_files() {
        let map = sources();
        assert_snapshot!(human(&[stock_out(&map)], &map, &Options::default()), @r#"
        error[PW4120]: step "spot" can never see a stock-out
           ┌─ queues.pool.hcl:4:26
           │
         3 │     until = "admitted"
           │             ────────── waits for nodes only where a provisioning check exists
         4 │     on    = ["no-quota", "no-capacity"]
           │                          ━━━━━━━━━━━━━ so this reason never occurs
           ┌─ fleet.pool.hcl:3:1
           │
         3 │ target "kubernetes" "eks" {
           │ ───────────────────────── has no cluster_autoscaler.provisioning_requests
           │
           = var.scale is 3
           = Kueue admits the job as soon as quota fits; without nodes its pods stay Pending and the route
             never moves on.
           = in route.cheap  (queues.pool.hcl:1:1)
           help: turn the check on: `cluster_autoscaler = { version = "1.33", provisioning_requests = true
                 }`
           help: or wait for running pods: `until = "ready"`
           docs: poolwright explain PW4120
        "#);
    }

    #[test]
    fn in_ascii() {
        let map = sources();
        let options = Options { unicode: false, ..Options::default() };
        assert_snapshot!(human(&[stock_out(&map)], &map, &options), @r#"
        error[PW4120]: step "spot" can never see a stock-out
           --> queues.pool.hcl:4:26
           |
         3 |     until = "admitted"
           |             ---------- waits for nodes only where a provisioning check exists
         4 |     on    = ["no-quota", "no-capacity"]
           |                          ^^^^^^^^^^^^^ so this reason never occurs
           --> fleet.pool.hcl:3:1
           |
         3 | target "kubernetes" "eks" {
           | ------------------------- has no cluster_autoscaler.provisioning_requests
           |
           = var.scale is 3
           = Kueue admits the job as soon as quota fits; without nodes its pods stay Pending and the route
             never moves on.
           = in route.cheap  (queues.pool.hcl:1:1)
           help: turn the check on: `cluster_autoscaler = { version = "1.33", provisioning_requests = true
                 }`
           help: or wait for running pods: `until = "ready"`
           docs: poolwright explain PW4120
        "#);
    }

    #[test]
    fn colour_decorates_and_changes_nothing_else() {
        let map = sources();
        let all = [misspelt(&map), stock_out(&map)];
        let plain = human(&all, &map, &Options::default());
        let colored = human(&all, &map, &Options { color: true, ..Options::default() });
        assert!(colored.contains("\u{1b}[1;31merror[PW1003]\u{1b}[0m"));
        let mut stripped = String::new();
        let mut rest = colored.as_str();
        while let Some((before, after)) = rest.split_once("\u{1b}[") {
            stripped.push_str(before);
            rest = after.split_once('m').unwrap().1;
        }
        stripped.push_str(rest);
        assert_eq!(stripped, plain);
        assert!(!plain.contains('\u{1b}'));
    }

    #[test]
    fn two_labels_on_one_line_and_a_narrow_terminal() {
        let map = sources();
        let diagnostic = Diagnostic::warning(
            CODE,
            "these two reasons exclude each other, which nobody notices until it is late",
        )
        .at(of(&map, 0, "\"no-capacity\""), "this one")
        .also(of(&map, 0, "\"no-quota\""), "and this one")
        .with_note("a note that has to be wrapped because it has more words than fit into sixty columns");
        let options = Options { width: 60, ..Options::default() };
        assert_snapshot!(human(&[diagnostic], &map, &options), @r#"
        warning[PW1003]: these two reasons exclude each other, which
                         nobody notices until it is late
           ┌─ queues.pool.hcl:4:26
           │
         4 │     on    = ["no-quota", "no-capacity"]
           │              ─────┬────  ━━━━━━┬━━━━━━
           │                   │            ╰── this one
           │                   ╰── and this one
           │
           = a note that has to be wrapped because it has more words
             than fit into sixty columns
        "#);
    }

    #[test]
    fn without_a_place() {
        let map = sources();
        let unknown = Span::new(FileId(9), 0, 4);
        let all = [
            Diagnostic::error(CODE, "no file in this folder").with_help("poolwright init makes one"),
            Diagnostic::note(CODE, "a place that nobody knows").at(unknown, "somewhere"),
        ];
        assert_snapshot!(human(&all, &map, &Options::default()), @r"
        error[PW1003]: no file in this folder
           help: poolwright init makes one

        note[PW1003]: a place that nobody knows
           = somewhere
        ");
        assert_snapshot!(short(&all, &map), @r"
        error[PW1003]: no file in this folder
        note[PW1003]: a place that nobody knows
        ");
    }

    #[test]
    fn tabs_wide_and_dangerous_characters() {
        let mut map = SourceMap::default();
        let id = map.add("a.pool.hcl", "\tx = \"日本\" + é\nb = \"\u{1b}[31m\u{202e}\"\nlast");
        let at = |text: &str| of(&map, id.0, text);
        let all = [
            Diagnostic::error(CODE, "wide").at(at("é"), "after wide characters").also(at("x"), "after a tab"),
            Diagnostic::error(CODE, "danger\u{1b}[31m\nsecond line").at(at("b ="), "\u{1b}[0m"),
            Diagnostic::error(CODE, "at the end").at(at("last").at_end(), "something is missing here"),
            Diagnostic::error(CODE, "outside").at(Span::new(id, 900, 950), "beyond the end"),
            Diagnostic::error(CODE, "several lines").at(Span::new(id, 0, 30), "the first line is shown"),
        ];
        assert_snapshot!(human(&all, &map, &Options::default()), @r#"
        error[PW1003]: wide
           ┌─ a.pool.hcl:1:13
           │
         1 │     x = "日本" + é
           │     ┬            ┬
           │     │            ╰── after wide characters
           │     ╰── after a tab

        error[PW1003]: danger�[31m second line
           ┌─ a.pool.hcl:2:1
           │
         2 │ b = "�[31m�"
           │ ━━━ �[0m

        error[PW1003]: at the end
           ┌─ a.pool.hcl:3:5
           │
         3 │ last
           │     ━ something is missing here

        error[PW1003]: outside
           ┌─ a.pool.hcl:3:5
           │
         3 │ last
           │     ━ beyond the end

        error[PW1003]: several lines
           ┌─ a.pool.hcl:1:1
           │
         1 │     x = "日本" + é
           │ ━━━━━━━━━━━━━━━━━━ the first line is shown
        "#);
    }

    #[test]
    fn one_line_each() {
        let map = sources();
        assert_snapshot!(short(&[misspelt(&map), stock_out(&map)], &map), @r#"
        queues.pool.hcl:7:5: error[PW1003]: unknown attribute `max_prize` in step
        queues.pool.hcl:4:26: error[PW4120]: step "spot" can never see a stock-out
        "#);
    }

    #[test]
    fn as_json() {
        let map = sources();
        assert_snapshot!(json_of(&[stock_out(&map), misspelt(&map)], &map));
        assert_snapshot!(json_of(&[], &map), @r#"
        {
          "diagnostics": [],
          "schema": "poolwright/diagnostics/v1"
        }
        "#);
    }

    #[test]
    fn many_are_cut_off() {
        let map = sources();
        let all = vec![misspelt(&map); 130];
        let text = human(&all, &map, &Options::default());
        assert_eq!(text.matches("error[PW1003]").count(), 100);
        assert!(text.ends_with("and 30 errors more; `--format short` lists all\n"));
        assert_eq!(short(&all, &map).lines().count(), 130);
    }

    /// Every pair of offsets, also inside characters and beyond the end, in every form; and nothing is wider than asked.
    #[test]
    fn no_place_makes_it_panic() {
        let text = "\u{feff}a\t= \"日\u{200b}本\"\r\n\n\te\u{301} = [\r\n🏊‍♀️ # x\n";
        let mut map = SourceMap::default();
        let id = map.add("a", text);
        let end = text.len() as u32 + 3;
        for start in 0..end {
            for stop in start..end {
                let diagnostic = Diagnostic::error(CODE, "m")
                    .at(Span::new(id, start, stop), "one")
                    .also(Span::new(id, stop, end), "two")
                    .with_fix(
                        "f",
                        Applicability::Safe,
                        vec![Edit { span: Span::new(id, start, stop), text: "x".into() }],
                    );
                for unicode in [true, false] {
                    let shown = human(
                        std::slice::from_ref(&diagnostic),
                        &map,
                        &Options { unicode, ..Options::default() },
                    );
                    assert!(shown.lines().all(|line| line.chars().count() <= 100), "{shown}");
                }
                assert!(!json_of(std::slice::from_ref(&diagnostic), &map).is_empty());
                assert!(!short(&[diagnostic], &map).is_empty());
            }
        }
    }

    #[test]
    fn long_lines_stay_within_the_width() {
        let mut map = SourceMap::default();
        let id = map.add("a", format!("x = [{}]\n", "\"element\", ".repeat(300)));
        for start in [0, 50, 95, 1000, 3200, 3306] {
            let diagnostic = Diagnostic::error(CODE, "a message of many words ".repeat(9))
                .at(Span::new(id, start, start + 4), "a label of many words ".repeat(9))
                .with_help("a help of many words ".repeat(9));
            for width in [60, 100] {
                let shown =
                    human(std::slice::from_ref(&diagnostic), &map, &Options { width, ..Options::default() });
                assert!(shown.lines().all(|line| line.chars().count() <= width), "{shown}");
            }
        }
    }
}
