//! Quantities from text, counts, and host lists.

use super::Function;
use super::call::{Call, returns};
use crate::evaluate::to_text;
use crate::quantity::{
    Bandwidth, Bytes, Count, CountUnit, Duration, Hosts, Money, Percent, Power, Quantity, UnitError,
};
use crate::{Fault, Number, Type, Value, codes};

const TEXT: &[(&str, &str)] = &[("text", "the amount with its unit, or a quantity of the same kind")];

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new("duration", TEXT, "A span of time: w, d, h, m, s.", || Type::Duration, duration)
        .examples(&[
            (r#"duration("90s")"#, "1m30s"),
            (r#"duration("1h30m") / duration("1m")"#, "90"),
            ("duration(90)", "error: `duration`: a duration such as \"15m\" is wanted, not a number: 90"),
        ])
        .notes(&["`m` is a minute; there are neither months nor years."]),
    Function::new("bytes", TEXT, "An amount of data: KiB … EiB, kB … EB.", || Type::Bytes, bytes)
        .examples(&[(r#"bytes("1024GiB")"#, "1TiB"), (r#"bytes("80GiB") * 8"#, "640GiB")]),
    Function::new("bandwidth", TEXT, "A data rate: bps … Tbps, B/s … TB/s.", || Type::Bandwidth, bandwidth)
        .examples(&[(r#"bandwidth("50GB/s")"#, "400Gbps"), (r#"bandwidth("400Gbps") * 8"#, "3.2Tbps")]),
    Function::new("power", TEXT, "A power: W, kW, MW.", || Type::Power, power)
        .examples(&[(r#"power("8500W")"#, "8.5kW"), (r#"power("8kW") * duration("24h")"#, "192kWh")]),
    Function::new(
        "money",
        &[(
            "text",
            "a currency and an amount, perhaps per gpu, node or kWh, perhaps per h, day, month or year",
        )],
        "Money, perhaps per gpu, node or kWh, perhaps per h, day, month or year.",
        || Type::Money([].into()),
        money,
    )
    .examples(&[
        (r#"money("$2.10/gpu/h")"#, "$2.1000/gpu/h"),
        (r#"money("$2.10/gpu/h") * gpus(8) * duration("30d")"#, "$12,096.00"),
    ]),
    Function::new("percent", TEXT, "A share.", || Type::Percent, percent)
        .examples(&[(r#"percent("15%")"#, "15%"), (r#"percent("15%") * 200"#, "30")]),
    Function::new(
        "gpus",
        &[("number", "a whole number, at least 0")],
        "A count of GPUs: money per GPU times it loses `/gpu`.",
        || Type::Number,
        gpus,
    )
    .examples(&[("gpus(8)", "8 GPUs"), ("gpus(0.5)", "error: `gpus` takes whole numbers from 0, not 0.5")]),
    Function::new(
        "nodes",
        &[("number", "a whole number, at least 0")],
        "A count of nodes: money per node times it loses `/node`.",
        || Type::Number,
        nodes,
    )
    .examples(&[("nodes(2)", "2 nodes"), (r#"money("$16/node/h") * nodes(2)"#, "$32.00/h")]),
    Function::new(
        "expand_hosts",
        &[("hosts", "a host list, or a list of them")],
        "The names that a host list stands for.",
        returns::texts,
        expand_hosts,
    )
    .examples(&[(r#"expand_hosts("n[08-10],login1")"#, r#"["n08", "n09", "n10", "login1"]"#)]),
    Function::new(
        "fold_hosts",
        &[("names", "a list of host names")],
        "The short form of a list of host names.",
        returns::text,
        fold_hosts,
    )
    .examples(&[(r#"fold_hosts(["n1", "n2", "x"])"#, r#""n[1-2],x""#)]),
];

/// A quantity of a text; one that is already of the kind stays as it is.
fn construct(
    call: &Call<'_>,
    kind: &str,
    keep: fn(&Quantity) -> bool,
    parse: fn(&str) -> Result<Quantity, UnitError>,
) -> Result<Value, Fault> {
    match call.argument(0) {
        Value::Quantity(quantity) if keep(quantity) => Ok(Value::Quantity(quantity.clone())),
        Value::String(text) => {
            Ok(Value::Quantity(parse(text).map_err(|error| Fault::from(error).argument(0))?))
        }
        Value::Number(_) => {
            Err(call.wanted(0, kind).help("a bare number has no unit; write it as text with its unit"))
        }
        _ => Err(call.wanted(0, kind)),
    }
}

fn duration(call: &Call<'_>) -> Result<Value, Fault> {
    let keep = |quantity: &Quantity| matches!(quantity, Quantity::Duration(_));
    construct(call, "a duration such as \"15m\"", keep, |text| Duration::parse(text).map(Quantity::from))
}

fn bytes(call: &Call<'_>) -> Result<Value, Fault> {
    let keep = |quantity: &Quantity| matches!(quantity, Quantity::Bytes(_));
    construct(call, "an amount of data such as \"80GiB\"", keep, |text| {
        Bytes::parse(text).map(Quantity::from)
    })
}

fn bandwidth(call: &Call<'_>) -> Result<Value, Fault> {
    let keep = |quantity: &Quantity| matches!(quantity, Quantity::Bandwidth(_));
    construct(call, "a bandwidth such as \"400Gbps\"", keep, |text| {
        Bandwidth::parse(text).map(Quantity::from)
    })
}

fn power(call: &Call<'_>) -> Result<Value, Fault> {
    let keep = |quantity: &Quantity| matches!(quantity, Quantity::Power(_));
    construct(call, "a power such as \"8.5kW\"", keep, |text| Power::parse(text).map(Quantity::from))
}

fn money(call: &Call<'_>) -> Result<Value, Fault> {
    let keep = |quantity: &Quantity| matches!(quantity, Quantity::Money(_));
    construct(call, "money such as \"$2.10/gpu/h\"", keep, |text| Money::parse(text).map(Quantity::from))
}

fn percent(call: &Call<'_>) -> Result<Value, Fault> {
    let keep = |quantity: &Quantity| matches!(quantity, Quantity::Percent(_));
    construct(call, "a percentage such as \"15%\"", keep, |text| Percent::parse(text).map(Quantity::from))
}

fn count(call: &Call<'_>, unit: CountUnit) -> Result<Value, Fault> {
    let number: Number = match call.argument(0) {
        Value::Quantity(Quantity::Count(count)) if count.unit == unit => count.number.clone(),
        Value::Quantity(_) => return Err(call.wanted(0, "a number")),
        _ => call.number(0)?,
    };
    if !number.is_integer() || number.is_negative() {
        return Err(Fault::new(
            codes::OUT_OF_RANGE,
            format!("`{}` takes whole numbers from 0, not {number}", call.name),
        )
        .help("round it with `floor` or `ceil`")
        .argument(0));
    }
    Ok(Count { number, unit }.into())
}

fn gpus(call: &Call<'_>) -> Result<Value, Fault> {
    count(call, CountUnit::Gpus)
}

fn nodes(call: &Call<'_>) -> Result<Value, Fault> {
    count(call, CountUnit::Nodes)
}

fn names(call: &Call<'_>) -> Result<Hosts, Fault> {
    match call.argument(0) {
        Value::Quantity(Quantity::Hosts(hosts)) => Ok(hosts.clone()),
        Value::String(text) => Ok(Hosts::parse(text)?),
        Value::List(items) | Value::Set(items) => {
            let mut all = Vec::new();
            for item in items.iter() {
                let text = to_text(item).map_err(|_| call.wanted(0, "a list of host names"))?;
                all.append(&mut Hosts::parse(&text)?.0);
            }
            Ok(Hosts::from_names(all)?)
        }
        _ => Err(call.wanted(0, "a host list such as \"gpu[001-016]\"")),
    }
}

fn expand_hosts(call: &Call<'_>) -> Result<Value, Fault> {
    let hosts = names(call).map_err(|fault| fault.argument(0))?;
    Ok(Value::list(hosts.0.iter().map(|name| Value::string(name))))
}

fn fold_hosts(call: &Call<'_>) -> Result<Value, Fault> {
    let hosts = names(call).map_err(|fault| fault.argument(0))?;
    Ok(Value::string(&hosts.fold()))
}
