//! Where a diagnostic points and what it carries.

use super::{TestHost, parser, run, scope};
use crate::{codes, reference_values};

/// The text under the primary label.
fn place(text: &str) -> String {
    let diagnostic = run(text).expect_err(text);
    let span = diagnostic.primary().unwrap().span;
    text[span.start as usize..span.end as usize].to_owned()
}

#[test]
fn faults_point_at_their_place() {
    for (text, wanted) in [
        ("1 + duration(\"1h\")", "1 + duration(\"1h\")"),
        ("[1, 2 + null]", "2 + null"),
        ("self.nme", "nme"),
        ("self.none.x", "x"),
        ("names[5]", "5"),
        ("lenght([])", "lenght"),
        ("join(\",\", 5)", "5"),
        ("duration(\"1x\")", "\"1x\""),
        ("1 && true", "1"),
        ("true && 1", "1"),
        ("5 ? 1 : 2", "5"),
        ("{ a = 1, a = 2 }", "a"),
        ("[for v in 5 : v]", "5"),
        ("[for v in names : v if 5]", "5"),
        ("\"x ${names}\"", "names"),
        ("-\"x\"", "\"x\""),
        ("length([1], [2])", "length"),
    ] {
        assert_eq!(place(text), wanted, "{text}");
    }
}

#[test]
fn operands_are_labelled_and_references_carry_their_values() {
    let diagnostic = run("self.run_time + self.cost.monthly.ceiling").unwrap_err();
    assert_eq!(diagnostic.code, codes::DIMENSIONS);
    let labels: Vec<&str> = diagnostic.labels.iter().map(|label| label.text.as_str()).collect();
    assert_eq!(labels, ["", "a duration: 8h", "money: $470,248.94/month"]);
    let values: Vec<(&str, &str)> = diagnostic.values.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(values, [("self.run_time", "8h"), ("self.cost.monthly.ceiling", "$470,248.94/month")]);
}

#[test]
fn every_operator_shows_the_values_of_its_operands() {
    for (text, wanted) in [
        ("1 / (limits.min - 2)", "limits.min is 2"),
        ("limits.min % 0", "limits.min is 2"),
        ("self.run_time / 0", "self.run_time is 8h"),
        ("-names", "names is [\"a\", \"b\"]"),
        ("!self.name", "self.name is \"nlp\""),
        ("self.name && true", "self.name is \"nlp\""),
        ("t && limits.min", "limits.min is 2"),
        ("self.name ? 1 : 2", "self.name is \"nlp\""),
        ("[for v in names : v if self.name]", "self.name is \"nlp\""),
        ("\"%{if self.name}a%{endif}\"", "self.name is \"nlp\""),
        ("names < 1", "names is [\"a\", \"b\"]"),
        ("secret ? 1 : 2", "secret is (sensitive)"),
    ] {
        let diagnostic = run(text).expect_err(text);
        let values: Vec<String> =
            diagnostic.values.iter().map(|(of, value)| format!("{of} is {value}")).collect();
        assert!(values.contains(&wanted.to_owned()), "{text}: {values:?}");
    }
}

#[test]
fn helps_say_what_to_write() {
    let help = |text: &str| run(text).expect_err(text).helps.join("; ");
    assert_eq!(help("\"15m\" + \"5m\""), "text becomes a quantity only next to one: write duration(\"15m\")");
    assert_eq!(help("\"50%\" * 8"), "text becomes a quantity only next to one: write percent(\"50%\")");
    assert_eq!(help("self.nme"), "an attribute with a similar name exists: `name`");
    assert_eq!(help("lenght([])"), "a function with a similar name exists: `length`");
    assert_eq!(help("prize(pool.a)"), "a function with a similar name exists: `price`");
    assert_eq!(help("objs.name"), "`[*].name` takes it from each element");
    assert_eq!(help("self.none.x"), "test it first: `self.none != null && …`");
    assert_eq!(help("\"a\" + \"b\""), "texts are joined in a template: \"${a}${b}\"");
    assert_eq!(help("duration(\"15min\")"), "minutes are written \"m\": \"15m\"");
    assert_eq!(help("money(\"$2/month\") <= \"$500000\""), "write \"$500000/month\"");
    assert_eq!(help("money(\"$0.50\") > money(\"$2/h\")"), "write \"$0.5/h\"");
    assert_eq!(help("money(\"$2\") + money(\"$2/h\")"), "multiply money per time by a `duration(…)` first");
    assert_eq!(help("money(\"$2/gpu/h\") + \"$5/h\""), "multiply money per GPU by `gpus(n)` first");
    assert_eq!(
        help("money(\"$2\") + money(\"€1\")"),
        "state the rate in a price book: rates = { EUR = \"… in USD\" }"
    );
}

#[test]
fn a_for_says_which_element_failed() {
    let diagnostic = run("[for k, v in { a = 1, b = null } : v + 1]").unwrap_err();
    assert_eq!(diagnostic.trail.len(), 1);
    assert_eq!(diagnostic.trail[0].text, "for k = \"b\", v = null");
}

#[test]
fn references_of_a_rule() {
    let text = "self.cost.monthly.ceiling <= \"$10/month\" || alltrue([for p in values(pool) : p.gpus.max > self.gpus.min && pool[\"a\"].name != p.name])";
    let found = reference_values(&parser::parse(text), &scope(), &TestHost);
    let shown: Vec<String> = found.iter().map(|(_, text, value)| format!("{text} → {value}")).collect();
    assert_eq!(
        shown,
        [
            "self.cost.monthly.ceiling → $470,248.94/month",
            "pool → { a = pool.a, b = pool.b }",
            "self.gpus.min → 0 GPUs",
            "pool[\"a\"].name → \"a\"",
        ]
    );
    let call = parser::parse("merge({ admit = self.name }, {}).admit == pool.a");
    let found_in_call = reference_values(&call, &scope(), &TestHost);
    let shown: Vec<String> =
        found_in_call.iter().map(|(_, text, value)| format!("{text} → {value}")).collect();
    assert_eq!(shown, ["merge(…).admit → \"nlp\"", "self.name → \"nlp\""]);
    let span = found[0].0;
    assert_eq!(&text[span.start as usize..span.end as usize], "self.cost.monthly.ceiling");
}
