//! The text and JSON forms of quantities.

use std::cmp::Ordering;

use crate::codes;
use crate::quantity::*;
use crate::{Number, NumberError};

/// Each row: a text, its canonical text, its JSON.
fn forms<T>(parse: fn(&str) -> Result<T, UnitError>, rows: &[(&str, &str, &str)])
where
    T: std::fmt::Display + std::fmt::Debug + PartialEq + serde::Serialize + serde::de::DeserializeOwned,
{
    for (text, shown, json) in rows {
        let value = parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(value.to_string(), *shown, "{text}");
        assert_eq!(serde_json::to_string(&value).unwrap(), *json, "{text}");
        assert_eq!(serde_json::from_str::<T>(json).unwrap(), value, "{text}");
    }
}

/// Each row: a text and the help of its fault.
fn refused<T: std::fmt::Debug>(parse: fn(&str) -> Result<T, UnitError>, rows: &[(&str, &str)]) {
    for (text, help) in rows {
        let error = parse(text).expect_err(text);
        let found = format!("{} | {}", error.message, error.help.clone().unwrap_or_default());
        assert!(found.contains(help), "{text}: {found}");
    }
}

#[test]
fn durations() {
    forms(
        Duration::parse,
        &[
            ("900s", "15m", "900"),
            ("15m", "15m", "900"),
            ("1h30m", "1h30m", "5400"),
            ("7d", "7d", "604800"),
            ("2w", "14d", "1209600"),
            ("1.5h", "1h30m", "5400"),
            ("36h", "1d12h", "129600"),
            ("0s", "0s", "0"),
            ("0.25s", "0.25s", "\"0.25\""),
            ("-15m", "-15m", "-900"),
            ("1d2h3m4.5s", "1d2h3m4.5s", "\"93784.5\""),
        ],
    );
    refused(
        Duration::parse,
        &[
            ("15", "the unit is missing"),
            ("15M", "a minute is \"m\""),
            ("15min", "minutes are written \"m\": \"15m\""),
            ("1mo", "there is no month"),
            ("1y", "there is no year"),
            ("30m1h", "from large to small"),
            ("1h1h", "from large to small"),
            ("15 m", "without spaces"),
            ("", "is not a duration"),
            ("m", "is not a duration"),
            ("1h-5m", "is not a duration"),
            ("15x", "units of a duration: w, d, h, m, s"),
            ("1.h", "is not a duration"),
        ],
    );
}

#[test]
fn data() {
    forms(
        Bytes::parse,
        &[
            ("80GiB", "80GiB", "85899345920"),
            ("2TB", "2TB", "2000000000000"),
            ("1024GiB", "1TiB", "1099511627776"),
            ("1536MiB", "1536MiB", "1610612736"),
            ("0B", "0B", "0"),
            ("1.5KiB", "1536B", "1536"),
            ("1KB", "1kB", "1000"),
            ("16EiB", "16EiB", "\"18446744073709551616\""),
        ],
    );
    refused(
        Bytes::parse,
        &[
            ("80Gi", "write \"80GiB\""),
            ("80G", "1024³"),
            ("80gib", "did you mean \"80GiB\""),
            ("80Gb", "bits"),
            ("80", "unit is missing"),
        ],
    );
    assert!(
        Bytes::is_decimal_text("80GB") && !Bytes::is_decimal_text("80GiB") && !Bytes::is_decimal_text("80B")
    );
    assert_eq!(Bytes::parse("1.9MiB").unwrap().mebibytes(), Some(1));
    forms(
        Bandwidth::parse,
        &[
            ("400Gbps", "400Gbps", "400000000000"),
            ("50GB/s", "400Gbps", "400000000000"),
            ("3.2Tbps", "3.2Tbps", "3200000000000"),
            ("1600Gbps", "1.6Tbps", "1600000000000"),
            ("1000Gbps", "1Tbps", "1000000000000"),
            ("1B/s", "8bps", "8"),
        ],
    );
    refused(
        Bandwidth::parse,
        &[
            ("400Gb/s", "\"400Gbps\" (bits)"),
            ("400G", "write \"400Gbps\""),
            ("50GB", "\"50GB/s\" (bytes, 8 times as much)"),
            ("400GBps", "8 times as much"),
            ("400gbps", "did you mean \"400Gbps\""),
        ],
    );
    let rail = Bandwidth::parse("3.2Tbps").unwrap();
    assert!(Bandwidth::parse("3.2TB/s").unwrap().is_eight_times(&rail));
    assert_eq!(Bandwidth::parse("400GB/s").unwrap(), rail);
}

#[test]
fn power_energy_and_shares() {
    forms(
        Power::parse,
        &[("8.5kW", "8.5kW", "8500"), ("700W", "700W", "700"), ("1500kW", "1.5MW", "1500000")],
    );
    forms(Energy::parse, &[("12kWh", "12kWh", "12000"), ("500Wh", "500Wh", "500")]);
    refused(Power::parse, &[("8kWh", "this is energy"), ("8mW", "megawatt")]);
    forms(
        Percent::parse,
        &[
            ("15%", "15%", "\"15%\""),
            ("0.5%", "0.5%", "\"0.5%\""),
            ("-5%", "-5%", "\"-5%\""),
            ("130%", "130%", "\"130%\""),
        ],
    );
    refused(Percent::parse, &[("0.15", "the unit is missing"), ("15 %", "without spaces")]);
    let third = Percent(Number::ratio(1, 3).unwrap());
    let json = serde_json::to_string(&third).unwrap();
    assert_eq!(json, "\"100/3%\"");
    assert_eq!(serde_json::from_str::<Percent>(&json).unwrap(), third);
}

#[test]
fn money() {
    let json = |amount: &str, per: &str| format!("{{\"amount\":\"{amount}\",\"currency\":\"USD\"{per}}}");
    forms(
        Money::parse,
        &[
            ("$2.10/gpu/h", "$2.1000/gpu/h", &json("2.10", ",\"per\":\"gpu/h\"")),
            ("$120000/month", "$120,000.00/month", &json("120000.00", ",\"per\":\"month\"")),
            ("$470,248.94/month", "$470,248.94/month", &json("470248.94", ",\"per\":\"month\"")),
            ("$21.957642/node/h", "$21.9576/node/h", &json("21.957642", ",\"per\":\"node/h\"")),
            ("-$5", "-$5.00", &json("-5.00", "")),
            ("$0.09/kWh", "$0.0900/kWh", &json("0.09", ",\"per\":\"kWh\"")),
            ("USD 5", "$5.00", &json("5.00", "")),
            ("$1000000/year", "$1,000,000.00/year", &json("1000000.00", ",\"per\":\"year\"")),
        ],
    );
    assert_eq!(Money::parse("€300/node").unwrap().to_string(), "€300.0000/node");
    assert_eq!(Money::parse("CNY 14.5/gpu/h").unwrap().to_string(), "CNY 14.5000/gpu/h");
    let third = Money::total(Number::ratio(100, 3).unwrap(), Currency::USD);
    assert_eq!(serde_json::to_string(&third).unwrap(), json("33.3333333333", ""));
    assert_eq!(Money::parse("¥300").unwrap_err().code, codes::AMBIGUOUS_CURRENCY);
    refused(
        Money::parse,
        &[
            ("¥300", "\"CNY 14.5\" or \"JPY 300\""),
            ("2.10", "the currency is missing"),
            ("$", "is not a number"),
            ("$1,00", "is not a number"),
            ("$2/gpu/hour", "write \"$2/gpu/h\""),
            ("$2/gpus/h", "write \"$2/gpu/h\""),
            ("$2/h/gpu", "money is per gpu"),
            ("$2/", "nothing follows"),
            ("usd 2", "money is written like"),
            ("$2e3", "is not a number"),
            ("$ 2", "is not a number"),
        ],
    );
}

#[test]
fn money_by_value_and_by_time() {
    let money = |text: &str| Money::parse(text).unwrap();
    assert_eq!(money("$16.80/h").compare(&money("$12264/month")), Ok(Ordering::Equal));
    assert_eq!(money("$24/day").compare(&money("$2/h")), Ok(Ordering::Less));
    assert_eq!(money("$1/h").compare(&money("€1/h")), Err(MoneyError::Currency));
    assert_eq!(money("$1/h").compare(&money("$1")), Err(MoneyError::Per));
    assert_eq!(money("$1/h").compare(&money("$1/gpu/h")), Err(MoneyError::Per));
    assert_eq!(money("$1/h").to_time(PerTime::Year), Some(money("$8760/year")));
    assert_eq!(money("$8760/year").to_time(PerTime::Month), Some(money("$730/month")));
    assert_eq!(money("$1").to_time(PerTime::Hour), None);
    assert_eq!(money("$2/gpu/h").times_count(&Count::gpus(8_u64)), Ok(money("$16/h")));
    assert_eq!(money("$2/gpu/h").times_count(&Count::nodes(8_u64)), Err(MoneyError::Per));
    assert_eq!(money("$1/h").times_duration(&Duration::parse("30m").unwrap()), Ok(money("$0.5")));
    assert_eq!(money("$1/h").ratio(&money("$0/h")), Err(MoneyError::Number(NumberError::DivisionByZero)));
}

#[test]
fn ranges_dates_versions_patterns_taints() {
    forms(
        Range::parse,
        &[
            ("0..16", "0..16", "\"0..16\""),
            ("4..", "4..", "\"4..\""),
            ("..16", "0..16", "\"0..16\""),
            ("16", "16", "\"16\""),
            ("5..5", "5", "\"5\""),
        ],
    );
    refused(
        Range::parse,
        &[
            ("16..4", "\"4..16\""),
            ("..", "no end"),
            ("a..b", "0..16"),
            ("-1..4", "0..16"),
            ("1...4", "0..16"),
        ],
    );
    let range = Range { min: 2, max: Some(8) };
    assert!(range.contains(2) && range.contains(8) && !range.contains(9) && !range.contains(1));
    assert_eq!(range.intersect(&Range { min: 4, max: None }), Some(Range { min: 4, max: Some(8) }));
    assert_eq!(range.intersect(&Range { min: 9, max: None }), None);
    forms(
        Date::parse,
        &[("2027-01-31", "2027-01-31", "\"2027-01-31\""), ("2028-02-29", "2028-02-29", "\"2028-02-29\"")],
    );
    refused(
        Date::parse,
        &[
            ("2027-02-29", "there is no day"),
            ("2027-1-31", "year-month-day"),
            ("31.01.2027", "year-month-day"),
            ("2027-01-31-1", "year-month-day"),
            ("2027-13-01", "there is no day"),
        ],
    );
    forms(Version::parse, &[("0.19", "0.19", "\"0.19\""), ("1.33.4", "1.33.4", "\"1.33.4\"")]);
    refused(
        Version::parse,
        &[("v1.2", "without the \"v\""), ("1.x", "whole numbers"), ("", "whole numbers")],
    );
    let version = |text: &str| Version::parse(text).unwrap();
    assert!(
        version("0.9") < version("0.19")
            && version("1.0") == version("1")
            && version("1.2.1") > version("1.2")
    );
    for (constraint, version, holds) in [
        (">= 0.1", "0.1", true),
        (">= 0.1", "0.0.9", false),
        ("~> 1.2", "1.9", true),
        ("~> 1.2", "2.0", false),
        ("~> 1.2.3", "1.2.9", true),
        ("~> 1.2.3", "1.3", false),
        ("~> 1", "1.5", true),
        (">= 1.30, < 1.34", "1.33", true),
        (">= 1.30, < 1.34", "1.34", false),
        ("!= 1.31", "1.31", false),
        ("1.31", "1.31.0", true),
        ("= 1.31", "1.32", false),
    ] {
        let parsed = VersionConstraint::parse(constraint).unwrap();
        assert_eq!(parsed.matches(&Version::parse(version).unwrap()), holds, "{constraint} {version}");
        assert_eq!(VersionConstraint::parse(&parsed.to_string()).unwrap(), parsed);
    }
    refused(
        VersionConstraint::parse,
        &[(">> 1", "version constraint"), ("", "version constraint"), (">= 1,", "version constraint")],
    );
    for (pattern, text, matches) in [
        ("eu-*", "eu-west-1", true),
        ("eu-*", "us-eu-1", false),
        ("*", "", true),
        ("a*b*c", "a-b-b-c", true),
        ("a*b", "ab", true),
        ("a*a", "a", false),
        ("abc", "abc", true),
        ("abc", "abcd", false),
        ("*-1", "eu-1", true),
        ("**", "x", true),
    ] {
        assert_eq!(Pattern::parse(pattern).unwrap().matches(text), matches, "{pattern} {text}");
    }
    forms(
        Taint::parse,
        &[
            ("k=v:NoSchedule", "k=v:NoSchedule", "\"k=v:NoSchedule\""),
            ("nvidia.com/gpu:NoExecute", "nvidia.com/gpu:NoExecute", "\"nvidia.com/gpu:NoExecute\""),
        ],
    );
    refused(
        Taint::parse,
        &[
            ("k=v", "a taint is written"),
            ("k=v:noSchedule", "`NoSchedule`"),
            (":NoSchedule", "the key"),
            ("k=v w:NoSchedule", "the value"),
        ],
    );
}

#[test]
fn hosts() {
    let names = |text: &str| Hosts::parse(text).unwrap().0;
    assert_eq!(names("gpu[001-003,020],login1"), ["gpu001", "gpu002", "gpu003", "gpu020", "login1"]);
    assert_eq!(names("r[1-2]n[01-02]"), ["r1n01", "r1n02", "r2n01", "r2n02"]);
    assert_eq!(names("n[8-11]"), ["n8", "n9", "n10", "n11"]);
    assert_eq!(names("n[098-101]"), ["n098", "n099", "n100", "n101"]);
    assert_eq!(names("a.b-c_d"), ["a.b-c_d"]);
    for text in [
        "gpu[001-016,020],login1",
        "r[1-2]n[01-04]",
        "n[8-11]",
        "a1.x,b2",
        "n[3,1,2]",
        "gpu[1-2].dc[1-3].local",
    ] {
        let hosts = Hosts::parse(text).unwrap();
        assert_eq!(Hosts::parse(&hosts.fold()).unwrap(), hosts, "{text}: {}", hosts.fold());
    }
    assert_eq!(Hosts::parse("r1n01,r1n02,r2n01,r2n02").unwrap().to_string(), "r[1-2]n[01-02]");
    assert_eq!(Hosts::parse("n9,n10,n11").unwrap().to_string(), "n[9-11]");
    assert_eq!(Hosts::parse("n09,n10").unwrap().to_string(), "n[09-10]");
    assert_eq!(serde_json::to_string(&Hosts::parse("n[1-2]").unwrap()).unwrap(), "\"n[1-2]\"");
    assert_eq!(serde_json::from_str::<Hosts>("\"\"").unwrap(), Hosts(Vec::new()));
    assert_eq!(names("n[0-65535]").len(), MAX_HOSTS);
    refused(
        Hosts::parse,
        &[
            ("n[0-65536]", "more than 65536"),
            ("n[0-999][0-999]", "more than 65536"),
            ("n[0-60000],m[0-60000]", "more than 65536"),
            ("n[1-2],n2", "named twice"),
            ("n[1-", "never closed"),
            ("n[2-1]", "empty"),
            ("n[a]", "not a number"),
            ("n 1", "may not stand"),
            ("a,,b", "a name is empty"),
            ("", "a name is empty"),
            ("n]", "may not stand"),
            ("n[1-99999999999999999999]", "not a number"),
        ],
    );
}

#[test]
fn numbers() {
    let number = |text: &str| Number::parse(text).unwrap();
    for (text, shown) in [
        ("1", "1"),
        ("-1.50", "-1.5"),
        ("1e3", "1000"),
        ("1.5e-2", "0.015"),
        ("0.1", "0.1"),
        ("00012", "12"),
        ("1E+2", "100"),
        ("-0", "0"),
        ("9223372036854775808", "9223372036854775808"),
        ("-9223372036854775808", "-9223372036854775808"),
    ] {
        assert_eq!(number(text).to_string(), shown);
    }
    for text in ["", "-", ".5", "5.", "1e", "1e+", "0x1", "1_000", "+1", "1.2.3", "٣", "--1"] {
        assert_eq!(Number::parse(text), Err(NumberError::Syntax), "{text}");
    }
    for text in ["1e1000000000", "1e-1000000000", "1e10001", &"9".repeat(10_001), "1e99999999999999999999999"]
    {
        assert_eq!(Number::parse(text), Err(NumberError::TooLarge));
    }
    assert_eq!(number("2.345").to_decimal_string(2), "2.34");
    assert_eq!(number("2.355").to_decimal_string(2), "2.36");
    assert_eq!(number("-2.345").to_decimal_string(2), "-2.34");
    assert_eq!(number("-0.004").to_decimal_string(2), "0.00");
    assert_eq!(number("0.5").round_half_even(0), Number::ZERO);
    assert_eq!(number("1.5").round_half_even(0), number("2"));
    assert_eq!(number("3.14159").round_down(4), number("3.1415"));
    assert_eq!(number("-7.5").floor(), number("-8"));
    assert_eq!(number("-7.5").ceil(), number("-7"));
    assert_eq!(Number::ratio(1, 3).unwrap().significant(12), "0.333333333333");
    assert_eq!(Number::ratio(200, 3).unwrap().to_string(), "66.666666666666666667");
    assert_eq!(Number::ratio(1, 300).unwrap().to_string(), "0.0033333333333333333333");
    assert_eq!(number("1e25").checked_div(&number("3")).unwrap().to_string(), "3333333333333333333300000");
    assert_eq!(number("18446744073709551615").to_u64(), Some(u64::MAX));
    assert_eq!(number("18446744073709551616").to_u64(), None);
    assert_eq!(number("1.5").to_i64(), None);
    assert_eq!(Number::from(i64::MIN).neg().neg(), Number::from(i64::MIN));
    assert_eq!(serde_json::to_string(&number("9007199254740991")).unwrap(), "9007199254740991");
    assert_eq!(serde_json::to_string(&number("9007199254740992")).unwrap(), "\"9007199254740992\"");
    assert_eq!(serde_json::to_string(&Number::ratio(1, 3).unwrap()).unwrap(), "\"1/3\"");
    assert_eq!(serde_json::from_str::<Number>("\"1/3\"").unwrap(), Number::ratio(1, 3).unwrap());
    assert!(serde_json::from_str::<Number>("0.5").is_err());
}
