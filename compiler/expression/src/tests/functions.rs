//! Functions at their edges, and as the documentation of OpenTofu describes them (our own words and values).

use std::time::{Duration, Instant};

use super::{run, shown, table};
use crate::{Value, codes};

#[test]
fn numbers() {
    table(&[
        ("log(1, 7)", "0"),
        ("log(16, 4)", "2"),
        ("log(2, 8)", "0.33333333333333333333"),
        ("log(10, 2)", "3.3219280948873623479"),
        ("log(0.001, 10)", "-3"),
        ("log(1e9000, 10)", "9000"),
        ("log(5, 1)", "error PW3003: `log`: there are no logarithms in base 1"),
        ("log(-1, 2)", "error PW3003: `log`: a number above 0 is wanted, not a number: -1"),
        ("log(2, 2.718281828459045235360287471352662497757)", "0.69314718055994530942"),
        ("pow(9, 0.5)", "3"),
        ("pow(27, 1 / 3)", "3"),
        ("pow(2, 0.5)", "1.4142135623730950488"),
        ("pow(2, -0.5)", "0.7071067811865475244"),
        ("pow(10, 20.5)", "316227766016837933200"),
        ("pow(0, 0)", "1"),
        ("pow(0, 0.5)", "0"),
        ("pow(0, -1)", "error PW3007: division by zero"),
        (
            "pow(-8, 1 / 3)",
            "error PW3003: `pow`: a number below 0 has no root: -8 to the power 0.33333333333333333333",
        ),
        ("pow(-2, 3)", "-8"),
        ("pow(-1, 1e15 + 1)", "-1"),
        ("pow(2, 1e30)", "error PW2004: the number has more than 10,000 digits"),
        ("pow(10, 1e9 + 0.5)", "error PW2004: the number has more than 10,000 digits"),
        ("parseint(\"-zZ\", 62)", "-2231"),
        ("parseint(\"FF\", 16)", "255"),
        ("parseint(\"123456789012345678901234567890\", 10)", "123456789012345678901234567890"),
        ("parseint(\"\", 10)", "error PW3003: `parseint`: \"\" is not a whole number in base 10"),
        ("parseint(\"1\", 1)", "error PW3003: `parseint`: a base from 2 to 62 is wanted, not a number: 1"),
        ("parseint(\"1.5\", 10)", "error PW3003: `parseint`: \"1.5\" is not a whole number in base 10"),
        ("floor(null)", "error PW3003: `floor`: a number is wanted and the value is null"),
        ("ceil(gpus(3))", "3 GPUs"),
        ("sum(toset([1, 2]))", "3"),
        ("abs(-1e40)", "10000000000000000000000000000000000000000"),
    ]);
}

#[test]
fn texts_are_counted_as_people_count() {
    // A family of four people joined, a flag of two letters, an e with an accent written as two code points.
    let family = "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}\u{200d}\u{1f466}";
    let flag = "\u{1f1e9}\u{1f1ea}";
    table(&[
        (&format!("length(\"{family}{flag}e\u{301}\")"), "3"),
        (&format!("strrev(\"a{family}b\")"), &format!("\"b{family}a\"")),
        (&format!("substr(\"{flag}x{family}\", 1, 1)"), "\"x\""),
        (&format!("substr(\"{flag}x{family}\", -1, -1)"), &format!("\"{family}\"")),
        (&format!("format(\"[%3s]\", \"{flag}\")"), &format!("\"[  {flag}]\"")),
        ("strrev(\"noe\u{308}l\")", "\"lëon\""),
        ("substr(\"abc\", 5, 2)", "\"\""),
        ("substr(\"abc\", -9, 2)", "\"ab\""),
        (
            "substr(\"abc\", 0, -2)",
            "error PW3003: `substr`: a length of at least -1 is wanted, not a number: -2",
        ),
        ("substr(\"\", 0, 1)", "\"\""),
    ]);
}

#[test]
fn texts() {
    table(&[
        ("upper(\"straße\")", "\"STRASSE\""),
        ("title(\"don't stop_me über-all\")", "\"Don'T Stop_me Über-All\""),
        ("title(\"\")", "\"\""),
        ("trim(\"\", \"a\")", "\"\""),
        ("trim(\"aba\", \"\")", "\"aba\""),
        ("trimprefix(\"aab\", \"a\")", "\"ab\""),
        ("chomp(\"a\\r\\n\\n\")", "\"a\""),
        ("chomp(\"a\\nb\")", "\"a\\nb\""),
        ("trimspace(\"\\n\\t a\")", "\"a\""),
        ("indent(1001, \"a\")", "error PW3003: `indent`: at most 1000 spaces"),
        (
            "indent(-1, \"a\")",
            "error PW3003: `indent`: a whole number that is not negative is wanted, not a number: -1",
        ),
        ("replace(\"ab\", \"\", \"-\")", "\"-a-b-\""),
        ("replace(\"a/b\", \"/\", \".\")", "\"a.b\""),
        ("replace(\"a1b22\", \"/[0-9]+/\", \"<$0>\")", "\"a<1>b<22>\""),
        ("replace(\"ab\", \"/(?P<x>a)/\", \"${\"$\"}{x}${\"$\"}{x}\")", "\"aab\""),
        ("split(\",\", \",\")", "[\"\", \"\"]"),
        ("split(\"\", \"\")", "[]"),
        ("join(\",\", [])", "\"\""),
        ("join(\",\", toset([\"b\", \"a\"]))", "\"a,b\""),
        ("join(\",\", [[1]])", "error PW3012: a list has no text: [1]"),
        ("startswith(\"a\", \"\")", "true"),
        ("strcontains(\"\", \"a\")", "false"),
        ("upper(null)", "error PW3003: `upper`: text is wanted and the value is null"),
        ("upper([])", "error PW3003: `upper`: text is wanted, not a list: []"),
    ]);
}

#[test]
fn patterns() {
    table(&[
        (
            "regex(\"^(?:(?P<scheme>[^:/?#]+):)?(?://(?P<host>[^/?#]*))?\", \"https://example.com/x\")",
            "{ host = \"example.com\", scheme = \"https\" }",
        ),
        ("regex(\"(a)|(b)\", \"b\")", "[null, \"b\"]"),
        ("regex(\"x\", \"abc\")", "error PW3003: `regex`: \"abc\" does not match \"x\""),
        ("can(regex(\"x\", \"abc\"))", "false"),
        (
            "regex(\"(a)(?P<n>b)\", \"ab\")",
            "error PW3003: `regex`: some groups have names and some have none",
        ),
        ("regex(\"(\", \"a\")", "error PW3003: `regex`: \"(\" is not a regular expression: unclosed group"),
        (
            "regex(\"a(?=b)\", \"ab\")",
            "error PW3003: `regex`: \"a(?=b)\" is not a regular expression: look-around, including look-ahead and look-behind, is not supported",
        ),
        ("regexall(\"a*\", \"baa\")", "[\"\", \"aa\"]"),
        ("regexall(\"\\\\d\", \"1\u{0661}\")", "[\"1\"]"),
        ("regexall(\"\\\\w+\", \"aä_1\")", "[\"a\", \"_1\"]"),
        ("regexall(\"[\\\\w.-]+\", \"a.b-c d\")", "[\"a.b-c\", \"d\"]"),
        ("regexall(\"[][&~]\", \"a[b]c&d~e\")", "[\"[\", \"]\", \"&\", \"~\"]"),
        ("regexall(\"[[:upper:]]\", \"aBc\")", "[\"B\"]"),
        ("regexall(\"\\\\bb\", \"b ab b\")", "[\"b\", \"b\"]"),
        ("regex(\"\\\\Qa.b\\\\E+\", \"a.bb\")", "\"a.bb\""),
        ("regex(\"(?i)ÄB\", \"äb\")", "\"äb\""),
        ("regex(\".\", \"ä\")", "\"ä\""),
        (
            "regex(\"a{1000}{1000}\", \"a\")",
            "error PW3003: `regex`: \"a{1000}{1000}\" is not a regular expression: it is too large: repeat less often",
        ),
    ]);
}

#[test]
fn formats() {
    table(&[
        ("format(\"%v %v %v %v\", \"a\", 1.5, true, null)", "\"a 1.5 true null\""),
        ("format(\"%#v %#v\", \"a\", { b = [true] })", "\"\\\"a\\\" {\\\"b\\\":[true]}\""),
        ("format(\"%v\", 1000000)", "\"1000000\""),
        ("format(\"%g %g %g %g\", 1000000, 100000, 0.00001, 1.5)", "\"1e+06 100000 1e-05 1.5\""),
        ("format(\"%.3g %.3g %G\", 1234.5, 0.000012345, 1e-7)", "\"1.23e+03 1.23e-05 1E-07\""),
        ("format(\"%e %E %.2e\", 123456, 0.00012, 9.999)", "\"1.234560e+05 1.200000E-04 1.00e+01\""),
        ("format(\"%e %g\", 0, 0)", "\"0.000000e+00 0\""),
        ("format(\"%f %.0f %.2f\", 1 / 3, 2.5, -0.005)", "\"0.333333 2 0.00\""),
        ("format(\"%b %o %x %X %d\", 10, 64, 255, 255, -3)", "\"1010 100 ff FF -3\""),
        ("format(\"%#o %#x %#b\", 8, -255, 2)", "\"010 -0xff 0b10\""),
        ("format(\"%+d % d %+.1f\", 3, 3, 2)", "\"+3  3 +2.0\""),
        ("format(\"%05d|%-5d|%5d\", -42, 42, 42)", "\"-0042|42   |   42\""),
        ("format(\"%.2s|%5.1q\", \"abc\", \"xyz\")", "\"ab|  \\\"x\\\"\""),
        ("format(\"%[2]d %[1]d %d\", 1, 2)", "\"2 1 2\""),
        ("format(\"%[3]s\", \"a\")", "error PW3003: `format`: there is no value for the verb `%s`, number 3"),
        (
            "format(\"%[0]s\", \"a\")",
            "error PW3003: `format`: the number of a value is written `[1]`, from 1",
        ),
        (
            "format(\"%d\", 1.5)",
            "error PW3003: `format`: a whole number for `%d` is wanted, not a number: 1.5",
        ),
        ("format(\"%d\", null)", "error PW3003: `format`: a number for `%d` is wanted and the value is null"),
        ("format(\"%t\", 1)", "error PW3003: `format`: a bool for `%t` is wanted, not a number: 1"),
        ("format(\"%t\", \"true\")", "\"true\""),
        ("format(\"%y\", 1)", "error PW3003: `format`: there is no verb `%y`"),
        (
            "format(\"100%\")",
            "error PW3003: `format`: the text ends after `%`; a percent sign is written `%%`",
        ),
        ("format(\"%99999999999999999999d\", 1)", "error PW3003: `format`: a field is wider than 1000"),
        ("format(\"%s\", duration(\"90s\"))", "\"1m30s\""),
        ("format(\"%x\", pow(2, 80))", "\"100000000000000000000\""),
        ("formatlist(\"%s\", [])", "[]"),
        ("formatlist(\"%s!\", \"a\")", "[\"a!\"]"),
        ("formatlist(\"x\")", "[\"x\"]"),
        ("formatlist(\"%s\", [un])", "(known after apply)"),
        ("format(\"%q\", secret)", "(sensitive)"),
    ]);
}

#[test]
fn collections() {
    table(&[
        ("coalescelist([], null, [1])", "[1]"),
        ("coalescelist(toset([]), toset([1]))", "toset([1])"),
        ("coalescelist([un])", "[(known after apply)]"),
        ("matchkeys([], [], [])", "[]"),
        ("matchkeys([1, 2], [\"a\", \"b\"], toset([\"b\"]))", "[2]"),
        ("transpose({})", "{}"),
        (
            "transpose({ a = [\"1\", \"2\"], b = [\"2\", \"3\"] })",
            "{ \"1\" = [\"a\"], \"2\" = [\"a\", \"b\"], \"3\" = [\"b\"] }",
        ),
        (
            "transpose({ a = 1 })",
            "error PW3003: `transpose`: a map of lists of texts is wanted, not an object: { a = 1 }",
        ),
        ("element([1, 2, 3], -4)", "3"),
        (
            "element([1], 1e40)",
            "error PW3003: `element`: a whole number is wanted, not a number: 10000000000000000000000000000000000000000",
        ),
        ("one(null)", "null"),
        ("one(toset([1]))", "1"),
        ("range(-3)", "[0, -1, -2]"),
        ("range(1, 1, 0.5)", "[]"),
        ("setproduct([], [1])", "[]"),
        ("setproduct([1], [2], [3, 4])", "[[1, 2, 3], [1, 2, 4]]"),
        ("setproduct(range(300), range(300))", "error PW3016: `setproduct` gives at most 65536 combinations"),
        ("setintersection([], [1])", "toset([])"),
        ("slice([1, 2], 2, 2)", "[]"),
        (
            "slice([1, 2], -1, 1)",
            "error PW3003: `slice`: a whole number that is not negative is wanted, not a number: -1",
        ),
        ("lookup({ a = null }, \"a\", 1)", "null"),
        ("merge()", "{}"),
        ("merge(null)", "{}"),
        ("zipmap([], [])", "{}"),
        ("sort([])", "[]"),
        ("sort([null])", "error PW3003: `sort`: a list of texts is wanted, not a list: [null]"),
        ("chunklist([], 2)", "[]"),
        ("flatten([])", "[]"),
        ("flatten([[], [[]]])", "[]"),
        ("distinct([1, 1.0, \"1\"])", "[1, \"1\"]"),
        ("compact([])", "[]"),
        ("contains([], null)", "false"),
        ("contains([null], null)", "true"),
        ("keys({})", "[]"),
        ("index([], 1)", "error PW3003: `index`: no element equals 1"),
        ("tolist([1, true, \"a\"])", "[\"1\", \"true\", \"a\"]"),
        ("tolist([[1], \"a\"])", "[[1], \"a\"]"),
        ("tolist([secret, 1])", "[(sensitive), \"1\"]"),
        ("toset(null)", "null"),
        ("tomap([1])", "error PW3003: `tomap`: a map or object is wanted, not a list: [1]"),
    ]);
}

#[test]
fn encodings() {
    table(&[
        ("jsondecode(\"1e400\")", &format!("1{}", "0".repeat(400))),
        ("jsondecode(\"98765432109876543210.25\")", "98765432109876543210.25"),
        (
            "jsondecode(\"{\\\"a\\\":{\\\"b\\\":[[],{},\\\"\\\\u00e4\\\\n\\\"]}}\")",
            "{ a = { b = [[], {}, \"ä\\n\"] } }",
        ),
        ("jsondecode(\" [ 1 , 2 ] \")", "[1, 2]"),
        ("jsondecode(\"\\\"a\\\\\\\\\\\"\")", "\"a\\\\\""),
        ("jsondecode(\"{\\\"a\\\":1,\\\"a\\\":2}\")", "{ a = 2 }"),
        (
            "jsondecode(\"\")",
            "error PW3003: `jsondecode`: not JSON: EOF while parsing a value at line 1 column 0",
        ),
        (
            "jsondecode(\"[1] x\")",
            "error PW3003: `jsondecode`: not JSON: trailing characters at line 1 column 5",
        ),
        (
            "jsondecode(\"1e99999\")",
            "error PW3003: `jsondecode`: not JSON: nested too deeply, or a number of too many digits",
        ),
        ("jsonencode(null)", "\"null\""),
        ("jsonencode(toset([2, 1]))", "\"[1,2]\""),
        ("jsonencode(\"a&b\u{2028}\")", "\"\\\"a\\\\u0026b\\\\u2028\\\"\""),
        ("yamlencode([])", "\"[]\\n\""),
        ("yamlencode(\"a\")", "\"\\\"a\\\"\\n\""),
        ("yamlencode([[1, [2]], {}])", "\"- - 1\\n  - - 2\\n- {}\\n\""),
        (
            "yamlencode({ a = { b = { c = [1] } } })",
            "\"\\\"a\\\":\\n  \\\"b\\\":\\n    \\\"c\\\":\\n    - 1\\n\"",
        ),
        ("yamlencode({ a = [\"x\\ny\"] })", "\"\\\"a\\\":\\n- |-\\n  x\\n  y\\n\""),
        (
            "yamlencode({ a = null, b = true, c = 0.1 })",
            "\"\\\"a\\\": null\\n\\\"b\\\": true\\n\\\"c\\\": 0.1\\n\"",
        ),
        ("yamldecode(\"\")", "null"),
        (
            "yamldecode(\"a: 0x1F\\nb: 0o17\\nc: .5\\nd: 1e3\\ne: ~\\nf: '1'\\n\")",
            "{ a = 31, b = 15, c = 0.5, d = 1000, e = null, f = \"1\" }",
        ),
        (
            "yamldecode(\"- yes\\n- 'on'\\n- True\\n- 2027-01-31\\n\")",
            "[\"yes\", \"on\", true, \"2027-01-31\"]",
        ),
        ("yamldecode(\"a: &d {x: 1, y: 2}\\nb:\\n  <<: *d\\n  y: 3\\n\").b", "{ x = 1, y = 3 }"),
        ("yamldecode(\"1: a\\ntrue: b\\n\")", "{ \"1\" = \"a\", true = \"b\" }"),
        ("yamldecode(\"!!str 12\")", "\"12\""),
        (
            "yamldecode(\"a: 1\\na: 2\")",
            "error PW3003: `yamldecode`: not YAML that can be read: line 2: the key \"a\" is given twice",
        ),
        (
            "yamldecode(\"--- 1\\n--- 2\\n\")",
            "error PW3003: `yamldecode`: not YAML that can be read: line 2: a second document begins, and one is read",
        ),
        (
            "yamldecode(\"a: &x [*x]\")",
            "error PW3003: `yamldecode`: not YAML that can be read: line 1: an alias stands inside of what it refers to",
        ),
        (
            "yamldecode(\".inf\")",
            "error PW3003: `yamldecode`: not YAML that can be read: line 1: `.inf` is no number here: numbers are exact",
        ),
        ("csvdecode(\"a\\n\")", "[]"),
        (
            "csvdecode(\"a,b\\r\\n\\\"x, y\\\",\\\"say \\\"\\\"hi\\\"\\\"\\\"\\r\\n\")",
            "[{ a = \"x, y\", b = \"say \\\"hi\\\"\" }]",
        ),
        ("csvdecode(\"\")", "error PW3003: `csvdecode`: the text has no line with the names of the columns"),
        ("csvdecode(\"a,a\\n1,2\")", "error PW3003: `csvdecode`: two columns have the name \"a\""),
        ("base64decode(\"YW\\nI=\")", "\"ab\""),
        ("base64decode(\"***\")", "error PW3003: `base64decode`: the text is not base64"),
        ("textdecodebase64(textencodebase64(\"żółw\", \"iso-8859-2\"), \"iso-8859-2\")", "\"żółw\""),
        ("textencodebase64(\"a\", \"UTF-16BE\")", "\"AGE=\""),
        (
            "textencodebase64(\"a\", \"UTF-16\")",
            "error PW3003: `textencodebase64`: UTF-16 has two orders of bytes",
        ),
        (
            "textdecodebase64(\"YQ==\", \"UTF-16LE\")",
            "error PW3003: `textdecodebase64`: the bytes are no text in UTF-16LE",
        ),
        (
            "urldecode(\"%zz\")",
            "error PW3003: `urldecode`: after `%` there are two hexadecimal digits, not \"zz\"",
        ),
        ("urldecode(\"%FF\")", "error PW3003: `urldecode`: the bytes are not UTF-8 text"),
        ("urlencode(\"-_.~\")", "\"-_.~\""),
    ]);
}

#[test]
fn dates() {
    table(&[
        ("formatdate(\"YYYY-MM-DD'T'hh:mm:ssZ\", \"2027-02-03T04:05:06Z\")", "\"2027-02-03T04:05:06Z\""),
        ("formatdate(\"EEEE, D MMMM YY\", \"2027-02-03T04:05:06Z\")", "\"Wednesday, 3 February 27\""),
        (
            "formatdate(\"HHaa h ZZZZZ ZZZZ ZZZ Z\", \"2027-02-03T00:05:06-03:30\")",
            "\"12am 0 -03:30 -0330 -0330 -03:30\"",
        ),
        ("formatdate(\"'it''s'\", \"2027-02-03T04:05:06Z\")", "\"it's\""),
        (
            "formatdate(\"'x\", \"2027-02-03T04:05:06Z\")",
            "error PW3003: `formatdate`: a single quote is not closed",
        ),
        ("timeadd(\"2028-02-28T23:59:59.75Z\", \"500ms\")", "\"2028-02-29T00:00:00Z\""),
        ("timeadd(\"2027-01-01T00:00:00Z\", duration(\"1d\"))", "\"2027-01-02T00:00:00Z\""),
        ("timeadd(\"2027-01-01T00:00:00Z\", \"-1.5h\")", "\"2026-12-31T22:30:00Z\""),
        (
            "timeadd(\"2027-01-01T00:00:00Z\", \"1 hour\")",
            "error PW3003: `timeadd`: \"1 hour\" is not a duration such as \"1h30m\"",
        ),
        (
            "timeadd(\"9999-12-31T23:59:59Z\", \"1s\")",
            "error PW3003: `timeadd`: the result is outside of the years 0 to 9999",
        ),
        (
            "timeadd(\"2027-01-01T00:00:00Z\", \"99999999999999999999h\")",
            "error PW3003: `timeadd`: the result is outside of the years 0 to 9999",
        ),
        (
            "timeadd(\"2027-02-30T00:00:00Z\", \"1s\")",
            "error PW3003: `timeadd`: \"2027-02-30T00:00:00Z\" is not a time such as \"2027-01-31T08:00:00Z\"",
        ),
        ("timecmp(\"2027-01-01T00:00:00.5Z\", \"2027-01-01T00:00:00Z\")", "1"),
        (
            "timecmp(\"2027-01-01 00:00:00Z\", \"2027-01-01T00:00:00Z\")",
            "error PW3003: `timecmp`: \"2027-01-01 00:00:00Z\" is not a time such as \"2027-01-31T08:00:00Z\"",
        ),
    ]);
}

#[test]
fn networks() {
    table(&[
        ("cidrhost(\"10.12.112.0/20\", 268)", "\"10.12.113.12\""),
        ("cidrhost(\"fd00:fd12:3456:7890:00a2::/72\", 34)", "\"fd00:fd12:3456:7890::22\""),
        ("cidrhost(\"10.0.0.0/8\", -2)", "\"10.255.255.254\""),
        ("cidrhost(\"0.0.0.0/0\", 4294967295)", "\"255.255.255.255\""),
        ("cidrhost(\"::/0\", -1)", "\"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff\""),
        (
            "cidrhost(\"::/64\", pow(2, 64))",
            "error PW3003: `cidrhost`: ::/64 has 2^64 addresses, there is no number 18446744073709551616",
        ),
        (
            "cidrhost(\"10.0.0.1\", 0)",
            "error PW3003: `cidrhost`: \"10.0.0.1\" is not a network in CIDR notation",
        ),
        (
            "cidrhost(\"10.0.0.0/33\", 0)",
            "error PW3003: `cidrhost`: \"10.0.0.0/33\" is not a network in CIDR notation",
        ),
        (
            "cidrhost(\"10.0.0.0/8\", 0.5)",
            "error PW3003: `cidrhost`: a whole number is wanted, not a number: 0.5",
        ),
        ("cidrnetmask(\"0.0.0.0/0\")", "\"0.0.0.0\""),
        ("cidrnetmask(\"10.0.0.1/32\")", "\"255.255.255.255\""),
        ("cidrnetmask(\"::/0\")", "error PW3003: `cidrnetmask`: IPv6 networks have no mask"),
        ("cidrsubnet(\"172.16.0.0/12\", 4, 2)", "\"172.18.0.0/16\""),
        ("cidrsubnet(\"10.1.2.3/16\", 0, 0)", "\"10.1.0.0/16\""),
        ("cidrsubnet(\"::/0\", 128, 1)", "\"::1/128\""),
        (
            "cidrsubnet(\"10.0.0.0/24\", 9, 0)",
            "error PW3003: `cidrsubnet`: 10.0.0.0/24 has 8 bits left, not 9",
        ),
        (
            "cidrsubnet(\"10.0.0.0/24\", 1, -1)",
            "error PW3003: `cidrsubnet`: 1 bits number 2 parts, there is no number -1",
        ),
        ("cidrsubnets(\"10.0.0.0/16\", 8, 4, 8)", "[\"10.0.0.0/24\", \"10.0.16.0/20\", \"10.0.32.0/24\"]"),
        (
            "cidrsubnets(\"fd00:fd12:3456:7890::/56\", 16, 16, 32)",
            "[\"fd00:fd12:3456:7800::/72\", \"fd00:fd12:3456:7800:100::/72\", \"fd00:fd12:3456:7800:200::/88\"]",
        ),
        ("cidrsubnets(\"10.0.0.0/16\")", "[]"),
        ("cidrsubnets(\"0.0.0.0/0\", 0)", "[\"0.0.0.0/0\"]"),
        ("cidrsubnets(\"ffff::/16\", 1, 1)", "[\"ffff::/17\", \"ffff:8000::/17\"]"),
        (
            "[for nets in cidrsubnets(\"10.0.0.0/8\", 8, 8) : cidrsubnets(nets, 4)]",
            "[[\"10.0.0.0/20\"], [\"10.1.0.0/20\"]]",
        ),
        ("cidrcontains(\"192.168.2.0/20\", \"192.168.2.0/22\")", "true"),
        ("cidrcontains(\"192.168.2.0/20\", \"192.126.2.0/18\")", "false"),
        ("cidrcontains(\"fe80::/48\", \"fe80::1\")", "true"),
        (
            "cidrcontains(\"10.0.0.0/8\", \"x\")",
            "error PW3003: `cidrcontains`: \"x\" is neither an address nor a network",
        ),
    ]);
}

#[test]
fn hashes() {
    table(&[
        ("md5(\"\")", "\"d41d8cd98f00b204e9800998ecf8427e\""),
        ("sha256(\"é\") == sha256(\"e\u{301}\")", "true"),
        ("sha1(secret)", "(sensitive)"),
        ("uuidv5(\"url\", \"https://example.com/\")", "\"dd2c1780-811a-5296-81c5-178a0ef488bc\""),
        ("uuidv5(\"6ba7b810-9dad-11d1-80b4-00c04fd430c8\", \"a\") == uuidv5(\"dns\", \"a\")", "true"),
        (
            "uuidv5(\"6ba7b8109dad-11d1-80b4-00c0-4fd430c8\", \"a\")",
            "error PW3003: `uuidv5`: a namespace is dns, url, oid, x500 or a UUID, not \"6ba7b8109dad-11d1-80b4-00c0-4fd430c8\"",
        ),
    ]);
}

#[test]
fn files() {
    table(&[
        ("file(\"./files/../files//motd.txt\")", "\"welcome\\n\""),
        (
            "file(\"files/../../x\")",
            "error PW3003: `file`: \"files/../../x\" is not below the fleet's folder",
        ),
        ("file(\"/etc/passwd\")", "error PW3003: `file`: \"/etc/passwd\" is not below the fleet's folder"),
        ("file(\"files\")", "error PW3003: `file`: \"files\" cannot be read: it is a folder"),
        ("file(\"files/logo.bin\")", "error PW3003: `file`: \"files/logo.bin\" is not text in UTF-8"),
        ("file(un)", "(known after apply)"),
        (
            "file(secret)",
            "error PW3003: a function cannot work with the value of an argument; the value is sensitive and not shown",
        ),
        ("fileexists(\"files\")", "error PW3003: `fileexists`: \"files\" cannot be read: it is a folder"),
        ("fileset(\"files\", \"*.{txt,bin}\")", "toset([\"hello.txt\", \"logo.bin\", \"motd.txt\"])"),
        (
            "fileset(\".\", \"**\")",
            "toset([\"files/hello.txt\", \"files/logo.bin\", \"files/motd.txt\", \"main.pool.hcl\"])",
        ),
        ("fileset(\".\", \"*\")", "toset([\"main.pool.hcl\"])"),
        ("fileset(\"files\", \"[hl]*.???\")", "toset([\"hello.txt\", \"logo.bin\"])"),
        ("fileset(\"none\", \"*\")", "toset([])"),
        ("fileset(\"..\", \"*\")", "error PW3003: `fileset`: \"..\" is not below the fleet's folder"),
        ("fileset(\".\", \"{a\")", "error PW3003: `fileset`: \"{a\" is not a pattern of paths"),
        ("basename(\"/\")", "\"/\""),
        ("basename(\"a/b/\")", "\"b\""),
        ("dirname(\"/\")", "\"/\""),
        ("dirname(\"/a\")", "\"/\""),
        ("dirname(\"a/b/\")", "\"a/b\""),
        ("dirname(\"a/../b/c\")", "\"b\""),
    ]);
}

#[test]
fn templates() {
    table(&[
        (
            "templatestring(\"%%{for i, v in list}$${i}=$${v};%%{endfor}\", { list = [\"a\", \"b\"] })",
            "\"0=a;1=b;\"",
        ),
        ("templatestring(\"$${upper(x)}\", { x = \"a\" })", "\"A\""),
        ("templatestring(\"$${x}\", { x = [1] })", "[1]"),
        ("templatestring(\"a\", null)", "error PW3003: the variables of a template are an object, not null"),
        ("templatestring(\"a\")", "error PW3002: `templatestring` takes 2 arguments, not 1"),
        ("templatestring(un, {})", "(known after apply)"),
        ("templatestring(\"a $${x}\", { x = un })", "(known after apply)"),
        ("templatestring(\"a $${x}\", { x = secret })", "(sensitive)"),
        ("templatestring(secret, {})", "(sensitive)"),
        ("templatestring(\"a\", { \"a b\" = 1 })", "error PW3003: \"a b\" cannot be the name of a variable"),
        (
            "templatestring(\"a\\n$${x + 1}\", { x = \"y\" })",
            "error PW3008: the template, line 2: `+` needs numbers: \"y\" + 1",
        ),
        (
            "templatestring(\"$${y}\", { x = 1 })",
            "error PW3003: the template cannot be read: line 1: there is no `y` here",
        ),
        ("templatefile(\"files/none\", {})", "error PW3003: `templatefile`: there is no file \"files/none\""),
        ("templatefile(\"files/hello.txt\", { name = secret })", "(sensitive)"),
    ]);
    // A template that fills itself in ends at the bound of depth.
    let endless = shown(
        "templatestring(\"$${templatestring(t, { t = t })}x\", { t = \"$${templatestring(t, { t = t })}x\" })",
    );
    assert!(endless.contains("PW3015"), "{endless}");
}

#[test]
fn types_and_marks() {
    table(&[
        ("type(null)", "\"any\""),
        ("type([])", "\"list(any)\""),
        ("type(toset([\"a\"]))", "\"set(string)\""),
        ("type(gpus(1))", "\"number\""),
        ("type(pool.a)", "\"pool\""),
        ("type(un)", "\"number\""),
        ("type(secret)", "\"string\""),
        ("type({})", "\"object({})\""),
        ("issensitive(secret)", "true"),
        ("issensitive([secret])", "false"),
        ("issensitive(un)", "(known after apply)"),
        ("nonsensitive(secret_number)", "3"),
        ("nonsensitive([secret])", "[(sensitive)]"),
        ("nonsensitive(sensitive(un))", "(known after apply)"),
        ("sensitive([1])[0]", "(sensitive)"),
        ("nonsensitive(sensitive([secret]))", "[(sensitive)]"),
        ("try(sensitive(1) + 1, 0)", "(sensitive)"),
        ("can(type())", "false"),
    ]);
}

/// What could fill the memory or never end is refused, and soon.
#[test]
fn nothing_blows_up() {
    let bomb = |levels: usize| {
        let mut text = String::from("a0: &a0 [1,1,1,1,1,1,1,1,1,1]\\n");
        for level in 1..levels {
            let alias = format!("*a{}", level - 1);
            text += &format!("a{level}: &a{level} [{}]\\n", vec![alias; 10].join(","));
        }
        text
    };
    let million = "join(\"\", [for i in range(60000) : \"aaaaaaaaaaaaaaaa\"])";
    let deep = format!("jsondecode(\"{}\")", "[".repeat(10_000));
    let deep_yaml = format!("yamldecode(\"{}\")", "[".repeat(10_000));
    let rows: Vec<(String, &[poolwright_diagnostics::Code])> = vec![
        (format!("yamldecode(\"{}\")", bomb(9)), &[codes::TOO_LARGE]),
        (deep, &[codes::BAD_ARGUMENT]),
        (deep_yaml, &[codes::BAD_ARGUMENT]),
        (format!("replace({million}, \"a\", {million})"), &[codes::TOO_LARGE]),
        (format!("replace({million}, \"/a/\", {million})"), &[codes::TOO_LARGE]),
        (
            format!("replace({million}, \"/a+/\", join(\"\", [for i in range(60000) : \"$0\"]))"),
            &[codes::TOO_LARGE],
        ),
        (format!("indent(1000, replace({million}, \"a\", \"\\n\"))"), &[codes::TOO_LARGE]),
        (format!("join({million}, split(\"\", {million}))"), &[codes::TOO_LARGE]),
        (format!("join(\"\", [for i in range(60000) : {million}])"), &[codes::TOO_LARGE]),
        (
            format!("base64gunzip(base64gzip(join(\"\", [for i in range(17) : {million}])))"),
            &[codes::TOO_LARGE],
        ),
        (
            "[for i in range(60000) : regex(\"(a${i}){500}\", \"b\")]".into(),
            &[codes::TOO_LARGE, codes::BAD_ARGUMENT],
        ),
        ("[for i in range(60000) : log(i + 2, 3)]".into(), &[codes::TOO_LARGE]),
        ("format(join(\"\", [for i in range(60000) : \"%1000[1]d\"]), 1)".into(), &[codes::TOO_LARGE]),
        ("formatlist(\"%1000s\", range(60000))".into(), &[codes::TOO_LARGE]),
        (
            "[for i in range(60000) : cidrsubnets(\"::/0\", [for b in range(100) : 100]...)]".into(),
            &[codes::TOO_LARGE],
        ),
        ("log(1 + 1e-4000, 2)".into(), &[]),
        ("pow(1 + 1e-4000, 1e4000 + 0.5)".into(), &[]),
        ("pow(3, 0.1 + 1e-4000)".into(), &[]),
        ("log(pow(2, 33000) + 1, pow(3, 20000) + 1)".into(), &[]),
    ];
    for (text, wanted) in rows {
        let start = Instant::now();
        let shown: String = text.chars().take(80).collect();
        match run(&text) {
            Ok(_) => assert!(wanted.is_empty(), "{shown} gave a value"),
            Err(diagnostic) => assert!(wanted.contains(&diagnostic.code), "{shown}: {}", diagnostic.message),
        }
        let took = start.elapsed();
        assert!(took < Duration::from_secs(20), "{shown} took {took:?}");
    }
}

#[test]
fn what_gzip_makes_is_the_same_each_time() {
    let Ok(Value::String(packed)) = run("base64gzip(\"aaaa\")") else { panic!("no text") };
    assert!(packed.starts_with("H4sIAAAAAAA"), "neither time nor name in the header: {packed}");
}
