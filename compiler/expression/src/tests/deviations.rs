//! What HashiCorp's evaluator does and `hcl-rs` does not (notes/language.md §1.2), and the rest of the HCL spec.

use poolwright_diagnostics::Span;

use super::{TestHost, parser, scope, shown, table};
use crate::{BinaryOp, Expr, ExprKind, Value, codes, evaluate};

#[test]
fn operators_convert() {
    table(&[
        ("1 + \"2\"", "3"),
        ("-\"5\"", "-5"),
        ("\"true\" && true", "true"),
        ("\"true\" ? 1 : 2", "1"),
        ("!\"false\"", "true"),
        ("upper(5)", "\"5\""),
        ("names[\"1\"]", "\"b\""),
        ("\"maybe\" && true", "error PW3008: text is not true or false: \"maybe\""),
        ("1 && true", "error PW3008: a number is not true or false: 1"),
        ("null && true", "error PW3011: a condition is null, not true or false"),
        ("null + 1", "error PW3011: null cannot be an operand of `+`: null + 1"),
        ("1 < null", "error PW3011: null cannot be an operand of `<`: 1 < null"),
        ("\"a\" + 1", "error PW3008: `+` needs numbers: \"a\" + 1"),
    ]);
}

#[test]
fn operators_short_circuit() {
    table(&[
        ("self.none != null && self.none.x", "false"),
        ("self.none == null || self.none.x", "true"),
        ("false && 1 / 0 == 1", "false"),
        ("true || nonsense()", "true"),
        ("self.none == null ? \"none\" : self.none.x", "\"none\""),
        ("true && 1 / 0 == 1", "error PW3007: division by zero: 1 / 0"),
    ]);
}

#[test]
fn conditionals_bring_both_sides_to_one_type() {
    table(&[
        ("t ? 1 : \"a\"", "\"1\""),
        ("f ? \"a\" : true", "\"true\""),
        ("t ? [1] : [\"a\", \"b\"]", "[\"1\"]"),
        ("t ? [1, \"a\"] : []", "[\"1\", \"a\"]"),
        ("t ? [1] : [2, 3]", "[1]"),
        ("t ? { a = 1 } : { b = \"x\" }", "{ a = \"1\" }"),
        ("t ? { a = 1 } : { a = \"x\" }", "{ a = \"1\" }"),
        ("t ? null : 1", "null"),
        ("t ? 1 : null", "1"),
        ("t ? \"15m\" : duration(\"1h\")", "15m"),
        ("t ? \"none\" : duration(\"1h\")", "\"none\""),
        ("t ? 1 : self.none.x", "1"),
        (
            "t ? 1 : true",
            "error PW3014: the two results of the conditional are of different types: a number and a bool",
        ),
        (
            "t ? 1 : [1]",
            "error PW3014: the two results of the conditional are of different types: a number and a list",
        ),
        ("t ? pool.a : null", "pool.a"),
    ]);
}

#[test]
fn objects_and_for() {
    table(&[
        ("{ true = 1, null = 2 }", "{ null = 2, true = 1 }"),
        ("{ (1 + 1) = \"x\" }", "{ \"2\" = \"x\" }"),
        ("[for k, v in { z = 1, a = 2 } : k]", "[\"a\", \"z\"]"),
        ("[for v in { z = 1, a = 2 } : v]", "[2, 1]"),
        ("[for i, v in names : \"${i}${v}\"]", "[\"0a\", \"1b\"]"),
        ("[for v in toset([\"b\", \"a\", \"b\"]) : v]", "[\"a\", \"b\"]"),
        ("[for v in [1, 2, 3, 4] : v * v if v % 2 == 0]", "[4, 16]"),
        ("{ for v in names : v => upper(v) }", "{ a = \"A\", b = \"B\" }"),
        ("{ for o in objs : o.n => o.name... }", "{ \"1\" = [\"x\", \"y\"] }"),
        ("{ for o in objs : o.n => o.name }", "error PW3013: the key \"1\" is given twice"),
        ("{ a = 1, a = 2 }", "error PW3013: the key \"a\" is given twice"),
        ("{ (null) = 1 }", "error PW3018: the key of an object is null"),
        ("{ for v in names : null => v }", "error PW3018: the key of an object is null"),
        ("{ for v in names : [v] => v }", "error PW3018: the key of an object is text, not a list: [\"a\"]"),
        ("[for v in null : v]", "error PW3017: null has no elements to go through"),
        ("[for v in 5 : v]", "error PW3017: a number has no elements: 5"),
        ("[for v in [1] : v if null]", "error PW3011: a condition is null, not true or false"),
        ("[for names in [1] : names]", "[1]"),
    ]);
}

#[test]
fn text_is_in_normal_form_c() {
    table(&[
        ("\"e\u{301}\" == \"é\"", "true"),
        ("length(\"e\u{301}\")", "1"),
        ("\"x${\"e\"}\u{301}\" == \"xé\"", "true"),
        ("{ (\"e\u{301}\") = 1 }.é", "1"),
    ]);
}

#[test]
fn templates() {
    table(&[
        ("\"x ${names}\"", "error PW3012: a list has no text: [\"a\", \"b\"]"),
        ("\"x ${null}\"", "error PW3012: null has no text"),
        ("\"x ${pool.a}\"", "error PW3012: a reference has no text: pool.a"),
        ("\"${names}\"", "[\"a\", \"b\"]"),
        ("\"${1 + 1} ${true} ${\"s\"}\"", "\"2 true s\""),
        ("\"${self.run_time}, ${self.gpus.max} GPUs, ${limits}\"", "\"8h, 16 GPUs, 2..\""),
        ("\"${1 / 3}!\"", "\"0.33333333333333333333!\""),
        ("\"%{if t}yes%{else}no%{endif}\"", "\"yes\""),
        ("\"%{if f}yes%{endif}\"", "\"\""),
        ("\"%{if null}yes%{endif}\"", "error PW3011: a condition is null, not true or false"),
        ("\"%{for i, v in names}${i}=${v},%{endfor}\"", "\"0=a,1=b,\""),
        ("\"%{for v in null}x%{endfor}\"", "error PW3017: null has no elements to go through"),
    ]);
}

#[test]
fn splats() {
    table(&[
        ("objs[*].name", "[\"x\", \"y\"]"),
        ("objs.*.name", "[\"x\", \"y\"]"),
        // After `[*]` every step applies to each element; after `.*` an index in brackets applies to the result.
        ("objs[*].name[0]", "error PW3006: `objs[*].name`, text, has no elements"),
        ("objs.*.name[0]", "\"x\""),
        ("pairs.*.0", "[1, 2]"),
        ("pairs[*][0]", "[1, 2]"),
        ("pairs.*[0]", "[1]"),
        ("null[*]", "[]"),
        ("null.*", "[]"),
        ("self.none[*].name", "[]"),
        ("[null][*][*].a", "[[]]"),
        ("self[*].name", "[\"nlp\"]"),
        ("5[*]", "[5]"),
        ("toset(names)[*]", "[\"a\", \"b\"]"),
        ("[{ a = [{ b = 1 }, { b = 2 }] }][*].a[*].b", "[[1, 2]]"),
        ("values(pool)[*].name", "[\"a\", \"b\"]"),
    ]);
}

#[test]
fn indexes() {
    table(&[
        ("names[0]", "\"a\""),
        ("names.1", "\"b\""),
        ("names[2]", "error PW3006: `names` has 2 elements, there is no [2]"),
        ("names[0 - 1]", "error PW3006: an index is not negative: -1"),
        ("names[0.5]", "error PW3006: an index is a whole number, not 0.5"),
        ("names[\"x\"]", "error PW3006: `names` is a list: its index is a number, not \"x\""),
        ("names[true]", "error PW3006: `names` is a list: its index is a number, not true"),
        ("names[null]", "error PW3006: the index is null"),
        ("names[gpus(1)]", "\"b\""),
        ("self[\"name\"]", "\"nlp\""),
        ("{ \"1\" = \"x\" }[1]", "\"x\""),
        ("self[\"nam\"]", "error PW3006: `self`, an object, has no key \"nam\""),
        ("toset(names)[0]", "error PW3006: this is a set, which has no order"),
        ("null[0]", "error PW3005: this is null, so it has no elements"),
        ("self.none.x", "error PW3005: `self.none` is null, so it has no attribute `x`"),
        ("self.nme", "error PW3004: `self`, an object, has no attribute `nme`"),
        ("names.name", "error PW3004: `names`, a list, has no attributes, so there is no `name`"),
        ("limits.mn", "error PW3004: a range has no attribute `mn`"),
        ("pool.a.name", "\"a\""),
        ("pool.a[\"name\"]", "\"a\""),
        ("pool[\"a\"].gpus.max", "16 GPUs"),
    ]);
}

#[test]
fn chains_are_loops_and_nesting_is_counted() {
    let one = || Expr { kind: ExprKind::Literal(Value::number(1_u64)), span: Span::default() };
    let join = |left: Expr, right: Expr, op| Expr {
        kind: ExprKind::Binary(op, Span::default(), Box::new((left, right))),
        span: Span::default(),
    };
    let chain = (0..5_000).fold(one(), |left, _| join(left, one(), BinaryOp::Add));
    assert_eq!(evaluate(&chain, &scope(), &TestHost), Ok(Value::number(5_001_u64)));
    let nested = (0..5_000).fold(one(), |right, _| join(one(), right, BinaryOp::Add));
    assert_eq!(evaluate(&nested, &scope(), &TestHost).unwrap_err().code, codes::TOO_DEEP);
    let lists =
        (0..5_000).fold(one(), |inner, _| Expr { kind: ExprKind::List(vec![inner]), span: Span::default() });
    assert_eq!(evaluate(&lists, &scope(), &TestHost).unwrap_err().code, codes::TOO_DEEP);
    // The counter is back at zero afterwards.
    assert_eq!(shown("1 + 1"), "2");
}

#[test]
fn work_is_bounded() {
    let text = "length([for a in range(60000) : [for b in range(60000) : b]])";
    let diagnostic = evaluate(&parser::parse(text), &scope(), &TestHost).unwrap_err();
    assert_eq!(diagnostic.code, codes::TOO_LARGE);
}
