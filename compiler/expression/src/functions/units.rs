//! Quantities from text, counts, and host lists.

use super::{Call, Function, returns};
use crate::evaluate::to_text;
use crate::quantity::{
    Bandwidth, Bytes, Count, CountUnit, Duration, Hosts, Money, Percent, Power, Quantity, UnitError,
};
use crate::{Fault, Number, Type, Value, codes};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "duration",
        &["text"],
        "A span of time: w, d, h, m, s.",
        "duration(\"90s\") = 1m30s",
        || Type::Duration,
        duration,
    ),
    Function::new(
        "bytes",
        &["text"],
        "An amount of data: KiB … EiB, kB … EB.",
        "bytes(\"1024GiB\") = 1TiB",
        || Type::Bytes,
        bytes,
    ),
    Function::new(
        "bandwidth",
        &["text"],
        "A data rate: bps … Tbps, B/s … TB/s.",
        "bandwidth(\"50GB/s\") = 400Gbps",
        || Type::Bandwidth,
        bandwidth,
    ),
    Function::new(
        "power",
        &["text"],
        "A power: W, kW, MW.",
        "power(\"8500W\") = 8.5kW",
        || Type::Power,
        power,
    ),
    Function::new(
        "money",
        &["text"],
        "Money, perhaps per gpu, node or kWh, perhaps per h, day, month or year.",
        "money(\"$2.10/gpu/h\") = $2.1000/gpu/h",
        || Type::Money([].into()),
        money,
    ),
    Function::new("percent", &["text"], "A share.", "percent(\"15%\") = 15%", || Type::Percent, percent),
    Function::new(
        "gpus",
        &["number"],
        "A count of GPUs: money per GPU times it loses `/gpu`.",
        "gpus(8) = 8 GPUs",
        || Type::Number,
        gpus,
    ),
    Function::new(
        "nodes",
        &["number"],
        "A count of nodes: money per node times it loses `/node`.",
        "nodes(2) = 2 nodes",
        || Type::Number,
        nodes,
    ),
    Function::new(
        "expand_hosts",
        &["hosts"],
        "The names that a host list stands for.",
        "expand_hosts(\"n[1-2]\") = [\"n1\", \"n2\"]",
        returns::texts,
        expand_hosts,
    ),
    Function::new(
        "fold_hosts",
        &["names"],
        "The short form of a list of host names.",
        "fold_hosts([\"n1\", \"n2\"]) = \"n[1-2]\"",
        returns::text,
        fold_hosts,
    ),
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
