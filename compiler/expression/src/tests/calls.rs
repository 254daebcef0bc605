//! Functions.

use super::{run, table};
use crate::functions;

#[test]
fn collections() {
    table(&[
        ("length(\"äb\")", "2"),
        ("length({ a = 1 })", "1"),
        ("length(5)", "error PW3003: `length`: a list, map or text is wanted, not a number: 5"),
        ("concat([1], toset([2]), [])", "[1, 2]"),
        ("merge({ a = 1 }, null, { a = 2 })", "{ a = 2 }"),
        ("lookup({ a = 1 }, \"a\", 0)", "1"),
        ("lookup({ a = 1 }, \"b\", 0)", "0"),
        ("lookup({ owner = 1 }, \"ower\")", "error PW3003: `lookup`: the map has no key \"ower\""),
        ("keys({ b = 1, a = 2 })", "[\"a\", \"b\"]"),
        ("values({ b = 1, a = 2 })", "[2, 1]"),
        ("contains([\"reserved\"], \"reserved\")", "true"),
        ("contains([duration(\"1h\")], \"60m\")", "true"),
        ("contains([duration(\"1h\")], \"x\")", "false"),
        ("distinct([\"b\", \"a\", \"b\"])", "[\"b\", \"a\"]"),
        ("flatten([[1, [2, [3]]], [], 4])", "[1, 2, 3, 4]"),
        ("reverse([1, 2])", "[2, 1]"),
        ("sort([\"b\", \"a\", \"10\", \"9\"])", "[\"10\", \"9\", \"a\", \"b\"]"),
        ("slice([1, 2, 3], 1, 3)", "[2, 3]"),
        ("slice([1], 0, 5)", "error PW3003: `slice`: the list has 1 elements, there is no part from 0 to 5"),
        ("zipmap([\"a\", \"b\"], [1, 2])", "{ a = 1, b = 2 }"),
        ("element([\"a\", \"b\"], 3)", "\"b\""),
        ("element([\"a\", \"b\"], 0 - 1)", "\"b\""),
        ("element([], 0)", "error PW3003: `element`: the list is empty"),
        ("index([\"a\", \"b\"], \"b\")", "1"),
        ("one([])", "null"),
        ("one([1])", "1"),
        ("one([1, 2])", "error PW3003: `one`: the list has 2 elements, not one or none"),
        ("coalesce(null, \"\", \"a\")", "\"a\""),
        ("compact([\"a\", \"\", null])", "[\"a\"]"),
        ("chunklist([1, 2, 3], 2)", "[[1, 2], [3]]"),
        ("range(3)", "[0, 1, 2]"),
        ("range(1, 4)", "[1, 2, 3]"),
        ("range(4, 1)", "[4, 3, 2]"),
        ("range(0, 1, 0.5)", "[0, 0.5]"),
        ("range(0)", "[]"),
        ("range(0, 5, 0)", "error PW3003: `range`: steps of 0 never lead from 0 to 5"),
        ("range(100000)", "error PW3016: `range` gives at most 65536 numbers"),
        ("toset([\"b\", \"a\", \"b\"])", "toset([\"a\", \"b\"])"),
        ("setunion([\"a\"], [\"b\"])", "toset([\"a\", \"b\"])"),
        ("setintersection([\"a\", \"b\"], [\"b\"])", "toset([\"b\"])"),
        ("setsubtract([\"a\", \"b\"], [\"b\"])", "toset([\"a\"])"),
        ("setproduct([\"a\", \"b\"], [1, 2])", "[[\"a\", 1], [\"a\", 2], [\"b\", 1], [\"b\", 2]]"),
        ("values(names)", "error PW3003: `values`: a map or object is wanted, not a list: [\"a\", \"b\"]"),
    ]);
}

#[test]
fn numbers_and_quantities() {
    table(&[
        ("min(3, 1, 2)", "1"),
        (
            "max(duration(\"1h\"), \"1h\")",
            "error PW3003: `max`: a number or a quantity is wanted, not text: \"1h\"",
        ),
        ("max(duration(\"1h\"), duration(\"2h\"))", "2h"),
        (
            "max(duration(\"1h\"), money(\"$1\"))",
            "error PW3009: money and a duration cannot be compared: $1.00 > 1h",
        ),
        ("min([1, 2]...)", "1"),
        ("abs(-2)", "2"),
        ("abs(money(\"-$5\"))", "$5.00"),
        ("floor(1.5) + ceil(1.5)", "3"),
        ("floor(-1.5)", "-2"),
        ("pow(2, 10)", "1024"),
        ("pow(2, -2)", "0.25"),
        ("signum(-5)", "-1"),
        ("parseint(\"ff\", 16)", "255"),
        ("tonumber(\"1.50\")", "1.5"),
        ("tonumber(gpus(8))", "8"),
        ("tonumber(null)", "null"),
        ("tonumber(duration(\"1h\"))", "error PW3003: `tonumber`: a number is wanted, not a duration: 1h"),
        ("tobool(\"true\")", "true"),
        ("tostring(1.50)", "\"1.5\""),
        ("tostring(duration(\"90s\"))", "\"1m30s\""),
    ]);
}

#[test]
fn texts() {
    table(&[
        ("join(\", \", [\"a\", 1, true])", "\"a, 1, true\""),
        ("split(\",\", \"a,b\")", "[\"a\", \"b\"]"),
        ("split(\",\", \"\")", "[\"\"]"),
        ("format(\"machine/class-%02d\", 7)", "\"machine/class-07\""),
        (
            "format(\"%s %q %d%% %5.2f|%-4s|%v\", \"a\", \"b\", 3, 1.005, \"x\", [1])",
            "\"a \\\"b\\\" 3%  1.00|x   |[1]\"",
        ),
        ("format(\"%d\", \"x\")", "error PW3003: `format`: a number for `%d` is wanted, not text: \"x\""),
        ("format(\"%s\")", "error PW3003: `format`: there is no value for the verb `%s`, number 1"),
        ("format(\"a\", 1)", "error PW3003: `format`: there are more values than verbs: 1"),
        ("format(\"%9999d\", 1)", "error PW3003: `format`: a field is wider than 1000"),
        ("upper(\"äb\")", "\"ÄB\""),
        ("lower(\"AB\")", "\"ab\""),
        ("title(\"a word\")", "\"A Word\""),
        ("trim(\"--a-\", \"-\")", "\"a\""),
        ("trimspace(\" a \")", "\"a\""),
        ("trimprefix(\"gpu-a\", \"gpu-\")", "\"a\""),
        ("trimsuffix(\"a.yaml\", \".yaml\")", "\"a\""),
        ("indent(2, \"a\\nb\")", "\"a\\n  b\""),
        ("chomp(\"a\\n\")", "\"a\""),
        ("replace(\"a.b.c\", \".\", \"-\")", "\"a-b-c\""),
        ("startswith(\"eu-west\", \"eu-\")", "true"),
        ("endswith(\"a.hcl\", \".hcl\")", "true"),
        ("strcontains(\"abc\", \"b\")", "true"),
        ("substr(\"hello\", 1, 3)", "\"ell\""),
        ("substr(\"hello\", -2, -1)", "\"lo\""),
        ("strrev(\"ab\")", "\"ba\""),
        (
            "jsonencode({ b = [1, 0.1, null], a = duration(\"15m\") })",
            "\"{\\\"a\\\":900,\\\"b\\\":[1,0.1,null]}\"",
        ),
        ("jsonencode(98765432109876543210)", "\"98765432109876543210\""),
        ("jsondecode(\"{\\\"a\\\":[1.5,true]}\")", "{ a = [1.5, true] }"),
        (
            "jsondecode(\"{\")",
            "error PW3003: `jsondecode`: not JSON: EOF while parsing an object at line 1 column 1",
        ),
        ("base64decode(base64encode(\"ä\"))", "\"ä\""),
    ]);
}

#[test]
fn units() {
    table(&[
        ("duration(\"90s\")", "1m30s"),
        ("duration(duration(\"90s\"))", "1m30s"),
        ("duration(90)", "error PW3003: `duration`: a duration such as \"15m\" is wanted, not a number: 90"),
        (
            "duration(null)",
            "error PW3003: `duration`: a duration such as \"15m\" is wanted and the value is null",
        ),
        ("bytes(\"1024GiB\")", "1TiB"),
        ("bandwidth(\"50GB/s\")", "400Gbps"),
        ("power(\"8500W\")", "8.5kW"),
        ("percent(\"15%\")", "15%"),
        ("gpus(8)", "8 GPUs"),
        ("gpus(0.5)", "error PW2005: `gpus` takes whole numbers from 0, not 0.5"),
        ("nodes(1)", "1 node"),
        ("expand_hosts(\"n[08-10],login1\")", "[\"n08\", \"n09\", \"n10\", \"login1\"]"),
        ("fold_hosts([\"n1\", \"n2\", \"x\"])", "\"n[1-2],x\""),
        ("expand_hosts(\"n[1-2],n2\")", "error PW2010: host \"n2\" is named twice"),
    ]);
}

#[test]
fn attempts() {
    table(&[
        ("try(self.none.x, 5)", "5"),
        ("try({}.a, [][0], \"c\")", "\"c\""),
        ("try({}.a)", "error PW3019: no argument of `try` can be evaluated"),
        ("can({}.a)", "false"),
        ("can(1)", "true"),
        ("merge({ a = 200 }, try({ x = { a = 1 } }[\"x\"], {}))", "{ a = 1 }"),
    ]);
}

#[test]
fn calls() {
    table(&[
        ("lenght([1])", "error PW3001: there is no function `lenght`"),
        ("length()", "error PW3002: `length` takes 1 argument, not 0"),
        ("length([1], [2])", "error PW3002: `length` takes 1 argument, not 2"),
        ("max()", "error PW3002: `max` takes at least 1 argument, not 0"),
        ("range()", "error PW3002: `range` takes 1 to 3 arguments, not 0"),
        ("concat([[1], [2]]...)", "[1, 2]"),
        ("concat([0], [[1], [2]]...)", "[0, 1, 2]"),
        ("concat(5...)", "error PW3017: only a list can be expanded with `...`, not a number"),
    ]);
}

/// Every example of every function: what is in the reference is what the program does.
#[test]
fn examples_in_the_registry_are_true() {
    let mut wrong = Vec::new();
    for function in functions::all() {
        assert!(
            !function.doc.is_empty() && !function.examples.is_empty(),
            "{} has doc and example",
            function.name
        );
        assert!(function.examples.len() <= 3, "{}: a page has at most three examples", function.name);
        assert!(function.parameters.iter().all(|(name, doc)| !name.is_empty() && !doc.is_empty()));
        for (call, value) in function.examples {
            assert!(call.contains(&format!("{}(", function.name)), "{call} is of {}", function.name);
            let found = match run(call) {
                Ok(value) => value.to_string(),
                Err(diagnostic) => format!("error: {}", diagnostic.message),
            };
            if found != *value {
                wrong.push(format!("{call}\n  wanted {value}\n  found  {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let mut names: Vec<&str> = functions::all().map(|function| function.name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "a function is listed twice");
}

#[test]
fn what_there_is_not_says_why() {
    for excluded in functions::excluded() {
        assert!(functions::find(excluded.name).is_none(), "{} is there", excluded.name);
        let diagnostic = run(&format!("{}()", excluded.name)).unwrap_err();
        assert_eq!(diagnostic.code, crate::codes::UNKNOWN_FUNCTION);
        assert!(diagnostic.message.ends_with(excluded.why) && diagnostic.helps == [excluded.instead]);
    }
    table(&[(
        "timestamp()",
        "error PW3001: there is no function `timestamp`: the language has no clock: same files, same plan",
    )]);
}
