//! LANGUAGE §6.1: Kleene's logic, and unknowns everywhere else.

use super::{run, table};
use crate::{Type, Value};

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
        ("u != true", U),
        ("u != 1", "true"),
        ("un == \"a\"", "false"),
        ("un == null", U),
        ("ud == \"1h\"", U),
        ("ul == { a = 1 }", "false"),
        ("t ? [1] : toset([2])", "toset([1])"),
        (
            "t ? [1] : \"${un}-\"",
            "error PW3014: the two results of the conditional are of different types: a list and text that is not known yet",
        ),
        ("u ? 1 : 1", "1"),
        ("u ? 1 : 2", U),
        ("u ? duration(\"60m\") : duration(\"1h\")", "1h"),
        ("t ? 1 : un", "1"),
        // What is not known yet may be what keeps the rest from being looked at.
        ("u && 1 / 0 == 1", U),
        ("u || self.none.x", U),
        ("u && 5", U),
        ("u ? self.none.x : 1", U),
        ("u ? [1, 2] : [1, 3]", "[1, (known after apply)]"),
        ("u ? { a = 1, b = 2 } : { a = 1, b = 3 }", "{ a = 1, b = (known after apply) }"),
        (
            "u ? 1 : [1]",
            "error PW3014: the two results of the conditional are of different types: a number and a list",
        ),
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
        ("ul[*].x", U),
        ("names[un]", U),
        ("[for v in ul : v]", U),
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
fn what_is_sure_already_is_a_fault_already() {
    table(&[
        ("un.x", "error PW3004: `un`, a number that is not known yet, has no attributes, so there is no `x`"),
        ("un[0]", "error PW3006: `un`, a number that is not known yet, has no elements"),
        (
            "un[*].x",
            "error PW3004: `un[*]`, a number that is not known yet, has no attributes, so there is no `x`",
        ),
        ("[for v in un : v]", "error PW3017: a number that is not known yet has no elements"),
        ("un && true", "error PW3008: a number that is not known yet is not true or false"),
        ("ul && true", "error PW3008: a list that is not known yet is not true or false"),
        ("un + true", "error PW3008: `+` needs numbers: a number that is not known yet and a bool: true"),
        ("un < \"x\"", "error PW3008: `<` needs numbers: a number that is not known yet and text: \"x\""),
        ("ul * 2", "error PW3008: `*` needs numbers: a list that is not known yet and a number: 2"),
        ("-u", "error PW3008: a bool that is not known yet has no negative"),
        ("\"x ${ul}\"", "error PW3012: a list that is not known yet has no text: (known after apply)"),
        (
            "{ (ul) = 1 }",
            "error PW3018: the key of an object is text, not a list that is not known yet: (known after apply)",
        ),
        ("ul.x", "error PW3004: `ul`, a list that is not known yet, has no attributes, so there is no `x`"),
    ]);
}

#[test]
fn unknowns_keep_their_type() {
    let ty = |text: &str| match run(text).unwrap() {
        Value::Unknown(ty) => ty,
        other => panic!("{text} is known: {other}"),
    };
    let list = |ty| Type::List(Box::new(ty));
    for (text, wanted) in [
        ("un + 1", Type::Number),
        ("ua + 1", Type::Number),
        ("ua + 0", Type::Any),
        ("ua * 2", Type::Any),
        ("7 % ua", Type::Number),
        ("ud * 2", Type::Duration),
        ("u ? 1 : 2", Type::Number),
        ("u ? 1 : \"a\"", Type::String),
        ("u ? [] : [\"a\"]", list(Type::String)),
        ("u ? null : \"a\"", Type::String),
        ("ul[0]", Type::Any),
        ("ul[*]", list(Type::Any)),
        ("un[*]", list(Type::Number)),
        ("names[un]", Type::String),
        ("\"a${un}\"", Type::String),
        ("!u", Type::Bool),
    ] {
        assert_eq!(ty(text), wanted, "{text}");
    }
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

/// What is known of the arguments is known of the result: LANGUAGE §6.1.
#[test]
fn types_of_unknown_results() {
    let list = |part: Type| Type::List(Box::new(part));
    let map = |part: Type| Type::Map(Box::new(part));
    let unknown = |ty: Type| Value::Unknown(ty);
    let call =
        |name: &str, arguments: &[Value]| super::function_laws::call(name, arguments).unwrap().type_of();
    assert_eq!(call("values", &[unknown(map(Type::String))]), list(Type::String));
    assert_eq!(
        call("merge", &[unknown(map(Type::Number)), Value::object([("a", Value::number(1_u64))])]),
        map(Type::Number)
    );
    assert_eq!(call("merge", &[unknown(map(Type::Number)), unknown(map(Type::String))]), map(Type::Any));
    assert_eq!(call("concat", &[unknown(list(Type::Bool)), unknown(list(Type::Bool))]), list(Type::Bool));
    assert_eq!(call("abs", &[unknown(Type::String)]), Type::Number);
    assert_eq!(call("abs", &[unknown(Type::Duration)]), Type::Duration);
}

/// A sensitive list inside is opened like any other, and all of the result is sensitive.
#[test]
fn flatten_opens_sensitive_lists() {
    let secret = Value::list([Value::string("a"), Value::string("b")]).sensitive();
    let result =
        super::function_laws::call("flatten", &[Value::list([secret, Value::number(1_u64)])]).unwrap();
    let plain = Value::list([Value::string("a"), Value::string("b"), Value::number(1_u64)]);
    assert_eq!(result, plain.sensitive());
    let element = Value::list([Value::string("a").sensitive(), Value::number(1_u64)]);
    assert_eq!(
        super::function_laws::call("flatten", std::slice::from_ref(&element)).unwrap(),
        element,
        "an element keeps its own mark"
    );
}
