//! Sensitive values stay so through every operation and are never printed.

use super::{run, table};
use crate::Value;

#[test]
fn every_operation_keeps_the_mark() {
    let expressions = [
        "secret",
        "\"x ${secret}\"",
        "secret == \"a\"",
        "[secret] == [\"a\"]",
        "secret_number + 1",
        "1 - secret_number",
        "-secret_number",
        "!secret_flag",
        "secret_flag && true",
        "true && secret_flag",
        "secret_flag ? 1 : 2",
        "t ? secret : \"a\"",
        "f ? secret : \"a\"",
        "f ? secret : self.run_time",
        "u ? secret : \"a\"",
        "u ? \"hunter2\" : secret",
        "u ? secret : self.none.x",
        "\"a%{if f}${secret}%{endif}\"",
        "\"a%{if u}${secret}%{endif}\"",
        "{ (secret) = 1 }",
        "upper(secret)",
        "length(secret)",
        "names[secret_number - 3]",
        "[for v in names : v if secret_flag]",
        "join(\",\", [secret])",
        "jsonencode({ a = secret })",
        "sum([secret_number, 1])",
        "max(secret_number, 1)",
        "\"%{if secret_flag}a%{endif}\"",
        "\"%{for v in split(\"\", secret)}a%{endfor}\"",
        "alltrue([secret_flag])",
        "contains([secret], \"a\")",
        "duration(\"${secret_number}h\")",
        "{ for v in names : \"${secret}${v}\" => 1 }",
        "try(secret)",
        "coalesce(null, secret)",
    ];
    for text in expressions {
        let value = run(text).unwrap_or_else(|diagnostic| panic!("{text}: {diagnostic:?}"));
        assert!(matches!(value, Value::Sensitive(_)), "{text} gave {value:?}");
        assert_eq!(value.to_string(), "(sensitive)", "{text}");
    }
}

#[test]
fn parts_keep_their_own_mark() {
    table(&[
        ("[secret, 1]", "[(sensitive), 1]"),
        ("[secret, 1][1]", "1"),
        ("[secret, 1][0]", "(sensitive)"),
        ("length([secret])", "1"),
        ("merge({ a = secret }, { b = 1 })", "{ a = (sensitive), b = 1 }"),
        ("concat([secret], [1])", "[(sensitive), 1]"),
        ("false && secret_flag", "false"),
        ("can(secret)", "true"),
        ("{ (secret) = 1 }", "(sensitive)"),
        (
            "{ (secret) = 1, (secret) = 2 }",
            "error PW3013: a key is given twice; it is sensitive and not shown",
        ),
    ]);
}

#[test]
fn no_diagnostic_shows_a_secret() {
    for text in [
        "secret + 1",
        "secret * duration(\"1h\")",
        "\"a\" < secret",
        "secret.x",
        "secret[0]",
        "-secret",
        "secret && true",
        "tonumber(secret)",
        "duration(secret)",
        "[for v in [secret] : v + 1]",
        "money(\"$1\") + secret",
        "names[secret]",
        "format(\"%d\", secret)",
        "secret ? 1 : 2",
        "zipmap([secret], [])",
        "parseint(secret, 10)",
        "lookup({}, secret)",
        "{ (secret) = 1, (secret) = 2 }",
        "[for v in secret : v]",
        "jsondecode(secret)",
    ] {
        let diagnostic = run(text).expect_err(text);
        assert!(!format!("{diagnostic:?}").contains("hunter2"), "{text}: {diagnostic:?}");
    }
}
