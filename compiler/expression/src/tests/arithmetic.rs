//! LANGUAGE §3.8 and §6.4, row by row.

use super::table;

#[test]
fn money_worked_as_in_the_language() {
    table(&[
        ("money(\"$2.10/gpu/h\") * gpus(8)", "$16.80/h"),
        ("money(\"$2.10/gpu/h\") * gpus(8) * duration(\"30d\")", "$12,096.00"),
        ("money(\"$16.80/h\") == \"$12264/month\"", "true"),
        ("money(\"$55.04/node/h\") / 8", "$6.8800/node/h"),
        (
            "money(\"$2/gpu/h\") + \"€1/gpu/h\"",
            "error PW3010: USD and EUR meet without a rate: $2.0000/gpu/h + €1.0000/gpu/h",
        ),
        // The host has a rate for pounds: 1.25.
        ("money(\"$2/gpu/h\") + \"£1/gpu/h\"", "$3.2500/gpu/h"),
        ("money(\"$2/gpu/h\") > \"£1/gpu/h\"", "true"),
        ("money(\"$1.25\") == \"£1\"", "true"),
        ("power(\"8kW\") * duration(\"730h\") * money(\"$0.09/kWh\")", "$525.60"),
    ]);
}

#[test]
fn rounding_of_money_in_text() {
    table(&[
        ("\"${money(\"$0.125\")}\"", "$0.12"),
        ("\"${money(\"$0.135\")} a\"", "\"$0.14 a\""),
        ("\"${money(\"$2.00005/gpu/h\")} a\"", "\"$2.0000/gpu/h a\""),
        ("\"${money(\"$2.00015/gpu/h\")} a\"", "\"$2.0002/gpu/h a\""),
        ("\"${money(\"-$5\")} a\"", "\"-$5.00 a\""),
        ("money(\"$470248.94/month\")", "$470,248.94/month"),
        ("money(\"$0\") - \"$0.001\"", "$0.00"),
        ("money(\"CNY 14.5/gpu/h\")", "CNY 14.5000/gpu/h"),
    ]);
}

#[test]
fn sums_and_differences_of_one_dimension() {
    table(&[
        ("duration(\"15m\") + duration(\"45m\")", "1h"),
        ("duration(\"1h\") - \"15m\"", "45m"),
        ("\"15m\" + duration(\"1h\")", "1h15m"),
        ("bytes(\"1GiB\") + \"1024MiB\"", "2GiB"),
        ("bandwidth(\"400Gbps\") + \"50GB/s\"", "800Gbps"),
        ("power(\"700W\") + \"300W\"", "1kW"),
        ("percent(\"15%\") + \"5%\"", "20%"),
        ("gpus(8) + gpus(8)", "16 GPUs"),
        ("gpus(8) + 8", "16 GPUs"),
        ("16 - gpus(8)", "8 GPUs"),
        ("money(\"$1/h\") + \"$24/day\"", "$2.00/h"),
        ("money(\"$24/day\") + \"$1/h\"", "$48.00/day"),
        ("money(\"$730/month\") - \"$1/h\"", "$0.00/month"),
        ("-duration(\"15m\")", "-15m"),
        ("-money(\"$5\")", "-$5.00"),
        ("-gpus(2)", "-2 GPUs"),
    ]);
}

#[test]
fn products_and_quotients() {
    table(&[
        ("duration(\"15m\") * 4", "1h"),
        ("4 * duration(\"15m\")", "1h"),
        ("duration(\"1h\") / 4", "15m"),
        ("\"2\" * duration(\"15m\")", "30m"),
        ("duration(\"1h\") / duration(\"15m\")", "4"),
        ("duration(\"1h\") / \"15m\"", "4"),
        ("bytes(\"1TiB\") / bytes(\"1GiB\")", "1024"),
        ("money(\"$24/day\") / money(\"$1/h\")", "1"),
        ("gpus(16) / gpus(8)", "2"),
        ("gpus(16) % 8 == 0", "true"),
        ("0.6 * gpus(10)", "6 GPUs"),
        ("money(\"$1/h\") * duration(\"1d\")", "$24.00"),
        ("duration(\"1d\") * money(\"$8760/year\")", "$24.00"),
        ("money(\"$300/node\") * nodes(2)", "$600.00"),
        (
            "money(\"$2/gpu/h\") * nodes(2)",
            "error PW3009: money and a count of nodes cannot be multiplied: $2.0000/gpu/h * 2 nodes",
        ),
        ("bandwidth(\"8Gbps\") * duration(\"1s\")", "1GB"),
        ("bytes(\"1GB\") / duration(\"1s\")", "8Gbps"),
        ("bytes(\"1GB\") / bandwidth(\"8Gbps\")", "1s"),
        ("power(\"2kW\") * duration(\"30m\")", "1kWh"),
        ("\"50%\" * money(\"$4/gpu/h\")", "$2.0000/gpu/h"),
        ("money(\"$4/gpu/h\") * \"50%\"", "$2.0000/gpu/h"),
        ("percent(\"50%\") * 8", "4"),
        ("8 * percent(\"50%\")", "4"),
        ("percent(\"50%\") * percent(\"50%\")", "25%"),
        ("percent(\"50%\") * gpus(8)", "4 GPUs"),
        ("percent(\"50%\") * duration(\"1h\")", "30m"),
        ("percent(\"50%\") / 2", "25%"),
        ("price(pool.a)", "1"),
        ("pool.a.price * pool.a.gpus.max", "$33.60/h"),
    ]);
}

#[test]
fn comparison_by_value() {
    table(&[
        ("bytes(\"1TiB\") == \"1024GiB\"", "true"),
        ("\"1024GiB\" == bytes(\"1TiB\")", "true"),
        ("\"1TiB\" == \"1024GiB\"", "false"),
        ("self.run_time <= \"8h\"", "true"),
        ("self.run_time < \"480m\"", "false"),
        ("bandwidth(\"400GB/s\") == \"3200Gbps\"", "true"),
        ("self.gpus.max > 8", "true"),
        ("8 < self.gpus.max", "true"),
        ("self.gpus.max == 16", "true"),
        ("self.gpus.max <= 0.7 * self.gpus.max", "false"),
        ("duration(\"15m\") != null", "true"),
        ("duration(\"15m\") == null", "false"),
        ("percent(\"50%\") < \"60%\"", "true"),
        ("self.cost.monthly.ceiling <= \"$10000/month\"", "false"),
        ("abs(money(\"-$5\")) <= \"$10\"", "true"),
        ("limits == \"2..\"", "true"),
        ("limits.min", "2"),
        ("limits.max == null", "true"),
        ("pool.a == pool.a", "true"),
        ("pool.a == pool.b", "false"),
        ("pool.a == \"pool.a\"", "false"),
        ("1 == \"1\"", "false"),
        ("[1, [2]] == [1, [2]]", "true"),
        ("{ a = 1 } == { a = 2 }", "false"),
        ("\"10\" > 9", "true"),
    ]);
}

#[test]
fn an_empty_sum_compares_with_everything() {
    table(&[
        ("sum([]) == duration(\"0s\")", "true"),
        ("sum([]) <= \"$10/month\"", "true"),
        ("\"15m\" < sum([])", "false"),
        ("1 <= \"$10/month\"", "error PW3008: `<=` needs numbers: 1 <= \"$10/month\""),
        ("sum([]) <= self.cost.monthly.ceiling", "true"),
        ("sum([]) >= 0.6 * sum([])", "true"),
        ("sum([]) + money(\"$5\")", "$5.00"),
        ("sum([]) - money(\"$5\")", "-$5.00"),
        ("sum([duration(\"1h\"), \"30m\"])", "1h30m"),
        ("sum([for p in values(pool) : p.gpus.max])", "32 GPUs"),
        ("sum([1, \"2\"])", "3"),
        (
            "sum([duration(\"1h\"), money(\"$1\")])",
            "error PW3009: a duration and money cannot be added: 1h + $1.00",
        ),
    ]);
}

#[test]
fn what_does_not_go_together_names_both() {
    table(&[
        (
            "duration(\"15m\") + money(\"$5\")",
            "error PW3009: a duration and money cannot be added: 15m + $5.00",
        ),
        ("duration(\"15m\") + 5", "error PW3009: a duration and a number cannot be added: 15m + 5"),
        (
            "5 - bytes(\"1GiB\")",
            "error PW3009: a number and an amount of data cannot be subtracted: 5 - 1GiB",
        ),
        ("5 / duration(\"1s\")", "error PW3009: a number and a duration cannot be divided: 5 / 1s"),
        (
            "duration(\"1s\") * duration(\"1s\")",
            "error PW3009: a duration and a duration cannot be multiplied: 1s * 1s",
        ),
        (
            "duration(\"1h\") == money(\"$5\")",
            "error PW3009: a duration and money cannot be compared: 1h == $5.00",
        ),
        ("duration(\"1h\") < 5", "error PW3009: a duration and a number cannot be compared: 1h < 5"),
        ("percent(\"15%\") < 0.2", "error PW3009: a percentage and a number cannot be compared: 15% < 0.2"),
        (
            "money(\"$2/gpu/h\") + \"$5/h\"",
            "error PW3009: money per gpu/h and money per h do not go together: $2.0000/gpu/h + $5.00/h",
        ),
        (
            "money(\"$2/h\") < \"$5\"",
            "error PW3009: money per h and money a total do not go together: $2.00/h < $5.00",
        ),
        (
            "gpus(8) + nodes(1)",
            "error PW3009: a count of GPUs and a count of nodes cannot be added: 8 GPUs + 1 node",
        ),
        ("\"15m\" + \"5m\"", "error PW3008: `+` needs numbers: \"15m\" + \"5m\""),
        ("\"15m\" < \"5m\"", "error PW3008: `<` needs numbers: \"15m\" < \"5m\""),
        (
            "self.run_time <= \"8 hours\"",
            "error PW2002: \"8 hours\" is not a duration: \" hours\" is no unit of it",
        ),
        ("limits < 3", "error PW3009: a range and a number cannot be compared: 2.. < 3"),
    ]);
}

#[test]
fn numbers_are_exact() {
    table(&[
        ("0.1 + 0.2 == 0.3", "true"),
        ("98765432109876543210", "98765432109876543210"),
        ("\"${98765432109876543210}\"", "98765432109876543210"),
        ("1 / 3 * 3", "1"),
        ("1 / 3", "0.33333333333333333333"),
        ("2 / 3", "0.66666666666666666667"),
        ("1 / 8", "0.125"),
        ("1e400 / 1e399", "10"),
        ("7 % 3", "1"),
        ("-7 % 3", "-1"),
        ("11 % 5.1", "0.8"),
        ("(0 - 9223372036854775807 - 1) % -1", "0"),
        ("(0 - 9223372036854775807 - 1) / -1", "9223372036854775808"),
        ("1 / 0", "error PW3007: division by zero: 1 / 0"),
        ("1 % 0", "error PW3007: division by zero: 1 % 0"),
        ("duration(\"1h\") / 0", "error PW3007: division by zero: 1h / 0"),
        ("duration(\"1h\") / duration(\"0s\")", "error PW3007: division by zero: 1h / 0s"),
        ("1e9999 * 1e9999", "error PW2004: the number has more than 10,000 digits"),
        ("pow(10, 4000000000)", "error PW2004: the number has more than 10,000 digits"),
    ]);
}
