//! LANGUAGE §6.1: Kleene's logic, and unknowns everywhere else.

use super::table;

const U: &str = "(known after apply)";

#[test]
fn logic_after_kleene() {
    table(&[
        ("false && u", "false"),
        ("u && false", "false"),
        ("true && u", U),
        ("u && true", U),
        ("u && u", U),
        ("true || u", "true"),
        ("u || true", "true"),
        ("false || u", U),
        ("u || false", U),
        ("!u", U),
        ("u == true", U),
        ("true == u", U),
        ("u == null", U),
        ("u != 1", U),
        ("u ? 1 : 1", "1"),
        ("u ? 1 : 2", U),
        ("u ? duration(\"60m\") : duration(\"1h\")", "1h"),
        ("t ? 1 : un", "1"),
        ("u && 1 / 0 == 1", "error PW3007: division by zero: 1 / 0"),
    ]);
}

#[test]
fn unknowns_spread() {
    table(&[
        ("un + 1", U),
        ("un + null", "error PW3011: null cannot be an operand of `+`: (known after apply) + null"),
        ("un < null", "error PW3011: null cannot be an operand of `<`: (known after apply) < null"),
        ("un < 1", U),
        ("-un", U),
        ("ud + duration(\"1h\")", U),
        ("\"a ${un}\"", U),
        ("\"%{if u}a%{endif}\"", U),
        ("un.x", U),
        ("un[0]", U),
        ("un[*].x", U),
        ("names[un]", U),
        ("[for v in un : v]", U),
        ("[for v in names : v if u]", U),
        ("{ for v in names : \"${v}${un}\" => v }", U),
        ("{ (\"${un}-\") = 1 }", U),
        ("[un, 1]", "[(known after apply), 1]"),
        ("[un, 1][1]", "1"),
        ("[1, un] == [2, un]", "false"),
        ("[1, un] == [1, un]", U),
        ("upper(\"${un}-\")", U),
        ("concat(un...)", U),
    ]);
}

#[test]
fn functions_that_know_about_unknowns() {
    table(&[
        ("alltrue([false, u])", "false"),
        ("alltrue([true, u])", U),
        ("alltrue([])", "true"),
        ("anytrue([true, u])", "true"),
        ("anytrue([false, u])", U),
        ("anytrue([])", "false"),
        ("sum([1, un])", U),
        ("sum([ud, \"5m\"])", U),
        ("abs(un)", U),
        ("length([un, 1])", "2"),
        ("contains([1, un], 1)", "true"),
        ("contains([2, un], 1)", U),
        ("merge({ a = un }, { b = 1 }).b", "1"),
        ("max(1, un)", U),
        ("coalesce(un, 1)", U),
    ]);
}
