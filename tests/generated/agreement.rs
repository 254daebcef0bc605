//! The schema of a type takes a value exactly when the language does.
//!
//! Held for every attribute of the language and a table of values, and for quantities by chance. Left out is what
//! a JSON Schema is not asked to know: conversions between text, numbers and bools, and faults that no pattern can
//! say (a day that does not exist, ends of a range exchanged), which are not in the table.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use poolwright_expression::{BlockRef, Type, Value as Native, convert};
use poolwright_language::schema::{AttributeSchema, Status, export, schema};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Every type that an attribute or a field has, with its schema and one place where it stands.
fn shapes() -> Vec<(String, Type, Value)> {
    let whole = export::json_schema_of_files(schema());
    let mut shapes: BTreeMap<String, (String, Type, Value)> = BTreeMap::new();
    let mut add = |place: &str, attribute: &AttributeSchema| {
        let known = attribute.status != Status::Planned && !attribute.is_expression();
        // A currency is checked by a rule of its own, not by its type.
        if !known || attribute.type_text == "currency" {
            return;
        }
        let Some(mut shape) =
            whole.pointer(&format!("/$defs/{place}/properties/{}", attribute.name)).cloned()
        else {
            return;
        };
        shape["$defs"] = whole["$defs"].clone();
        let name = format!("{place}.{}", attribute.name);
        shapes.entry(attribute.type_text.clone()).or_insert((name, attribute.ty.clone(), shape));
    };
    for (kind, block) in &schema().blocks {
        block.attributes.values().for_each(|attribute| add(&format!("block.{kind}"), attribute));
    }
    for (name, object) in &schema().objects {
        object.fields.iter().for_each(|field| add(&format!("object.{name}"), field));
    }
    shapes.into_values().collect()
}

/// Texts: of each form that the language has, and nearly of it.
const TEXTS: &[&str] = &[
    "",
    " ",
    "a",
    "A",
    "eks",
    "aws-a100",
    "aws_a100",
    "two--hyphens",
    "-a",
    "a-",
    "9a",
    "live/eks",
    "/live",
    "live\\eks",
    "0",
    "1",
    "-1",
    "1.5",
    "1e3",
    "16",
    "0..16",
    "4..",
    "..16",
    "..",
    "0-16",
    "0..16..20",
    "0,5",
    "15m",
    "90s",
    "1h30m",
    "2w",
    "1.5h",
    "15",
    "15min",
    "1M",
    "1y",
    "m",
    "15 m",
    ".5h",
    "1.h",
    "-15m",
    "-0d",
    "15mm",
    "80GiB",
    "1024KiB",
    "5B",
    "1.5TB",
    "3kB",
    "3KB",
    "80Gi",
    "80G",
    "80",
    "80gib",
    "1EB",
    "1ZB",
    "400Gbps",
    "50GB/s",
    "1kbps",
    "1Kbps",
    "2GiB/s",
    "8B/s",
    "400Gb/s",
    "400G",
    "400gbps",
    "1Tbps",
    "9bps",
    "8.5kW",
    "700W",
    "1MW",
    "1GW",
    "8.5kWh",
    "8.5 kW",
    "1mW",
    "$2.10/gpu/h",
    "€300/node",
    "CNY 14.5/gpu/h",
    "£1/node/h",
    "$470,248.94/month",
    "$4702,48/month",
    "-$5/gpu/h",
    "$5",
    "$5/h",
    "$5/day",
    "$5/year",
    "$0.12/kWh",
    "$5/gpu",
    "$5/gpu/hour",
    "2.10/gpu/h",
    "¥5/gpu/h",
    "USD5/h",
    "US 5/h",
    "usd 5/h",
    "$/h",
    "$5/",
    "$1.2.3/h",
    "$5/node/month",
    "15%",
    "0.5%",
    "-3%",
    "100%",
    "15 %",
    "%",
    "15",
    "gpu[001-016]",
    "gpu[001-016,020],login1",
    "login1, login2",
    "rack[1-2]n[01-04]",
    "gpu[1-",
    "gpu]",
    "a,,b",
    "gpu[a-b]",
    "gpu 1",
    "mlx5_[0-7]",
    "[1-2]",
    "2027-01-31",
    "2027-1-31",
    "31.01.2027",
    "2027-13-01",
    "2027-00-10",
    "2027-01-32",
    "20270131",
    "0.17",
    "1.33",
    "22.05",
    "1.2.3.4",
    "v1.33",
    "1.",
    "1..2",
    "1.x",
    ">= 0.1",
    "~> 1.2",
    ">= 1.30, < 1.34",
    "=> 1",
    "== 1",
    "!= 2",
    "<1",
    ">",
    "1.2,",
    "eu-*",
    "*",
    "key=value:NoSchedule",
    "key:NoExecute",
    "key=:NoSchedule",
    "key:Never",
    "key",
    ":NoSchedule",
    "a b:NoSchedule",
    "eks.amazonaws.com/capacityType=SPOT:NoSchedule",
    "k=v=w:NoSchedule",
    "x:PreferNoSchedule",
    "Spot",
    "true",
    "null",
];

/// Addresses: with quotes they are text, which no reference may be.
const ADDRESSES: &[(&str, &str)] = &[
    ("pool", "pool.aws-a100"),
    ("lot", "pool.aws-a100.lot.az2"),
    ("tier", "tier.spot"),
    ("class", "class.urgent"),
    ("tenant", "tenant.nlp"),
    ("route", "route.cost-optimized"),
    ("fabric", "fabric.ndr"),
    ("accelerator", "accelerator.nvidia-a100-40gb"),
    ("price_book", "price_book.list"),
    ("queue", "queue.urgent"),
    ("target", "target.kubernetes.eks"),
    ("target", "target.slurm.hpc"),
    ("target", "target.aws.use1"),
];

/// The words of every enumeration of the language.
fn words(ty: &Type, found: &mut BTreeSet<String>) {
    match ty {
        Type::Enum(words) => found.extend(words.iter().map(|word| word.to_string())),
        Type::List(inner) | Type::Set(inner) | Type::Map(inner) => words(inner, found),
        Type::OneOf(types) => types.iter().for_each(|ty| words(ty, found)),
        _ => {}
    }
}

/// Values as JSON and as the language has them.
fn samples(shapes: &[(String, Type, Value)]) -> Vec<(Value, Native)> {
    let mut texts: BTreeSet<String> = TEXTS.iter().map(|text| (*text).to_owned()).collect();
    shapes.iter().for_each(|(_, ty, _)| words(ty, &mut texts));
    let mut plain: Vec<Value> = texts.iter().map(|text| json!(text)).collect();
    plain.extend([
        json!(true),
        json!(false),
        json!({}),
        json!([]),
        json!({ "a": "b" }),
        json!({ "a": 1 }),
        json!([1]),
    ]);
    plain.extend(
        [-1, 0, 1, 2, 8, 64, 65, 1000, 1024, 1025, 65_533, 65_534, 1_000_000].map(|number| json!(number)),
    );
    plain.extend([json!(0.5), json!(1.5), json!(-0.5)]);
    plain.extend([
        json!({ "version": "0.17" }),
        json!({ "version": "0.17", "gates": ["A"], "fair_sharing": true, "ready_timeout": "5m" }),
        json!({ "version": "0.17", "gatess": [] }),
        json!({ "version": 17 }),
        json!({ "notice": "2m" }),
        json!({ "notice": 2 }),
        json!({ "every": "20m", "write": "60s" }),
        json!({ "cost": "$300000/node", "months": 48, "salvage": "15%", "pue": 1.3 }),
        json!({ "cost": "$300000/node", "months": 0 }),
        json!({ "interface": "eth0", "hcas": "mlx5_[0-7]", "set": { "NCCL_DEBUG": "INFO" } }),
        json!({ "gpus": 8, "cpus": 160, "memory": "1TiB" }),
        json!({ "gpus": "1..32", "run_time": "72h" }),
        json!({ "action": "requeue", "grace": "60s" }),
        json!({ "action": "stop" }),
        json!({ "prefer": "unit" }),
        json!({ "file": "fabric/links.txt", "format": "ibnetdiscover" }),
        json!({ "file": "/fabric/links.txt", "format": "ibnetdiscover" }),
        json!({ "version": "25.3", "mig": "single" }),
        json!({ "resume": "/opt/acme/resume", "suspend": "/opt/acme/suspend", "requeue_delay": "30s" }),
        json!({ "hourly": "$17.60/node/h", "months": 24 }),
        json!({ "gpus": 32, "cpus": 768 }),
        json!({ "root": "200GiB", "type": "gp3", "local": "raid0" }),
        json!({ "head": { "tiers": ["reserved", "on-demand"] } }),
        json!({ "head": { "tiers": ["rented"] } }),
        json!({ "CNY": "$0.14" }),
        json!({ "CNY": "$0.14/h" }),
        json!({ "kubernetes": { "ClusterQueue": { "spec": { "x": 1 } } } }),
        json!({ "provider": "aws", "instance_type": "p4d.24xlarge", "on_demand": "$2/gpu/h", "date": "2026-11-01" }),
        json!({ "provider": "aws", "instance_type": "p4d.24xlarge", "on_demand": "$2/month" }),
    ]);
    let mut all: Vec<(Value, Native)> =
        plain.into_iter().map(|value| (value.clone(), Native::from_json(&value))).collect();
    for (kind, address) in ADDRESSES {
        let block = BlockRef { kind: Arc::from(*kind), address: Arc::from(*address) };
        all.push((json!(address), Native::Block(block)));
    }
    let pool =
        all.iter().rposition(|(value, _)| value == "pool.aws-a100").map(|at| all[at].1.clone()).unwrap();
    let quota =
        Native::object([("pool", pool), ("gpus", Native::number(8)), ("borrow", Native::string("all"))]);
    all.push((json!({ "pool": "pool.aws-a100", "gpus": 8, "borrow": "all" }), quota));
    let reference = |kind: &str, address: &str| {
        Native::Block(BlockRef { kind: Arc::from(kind), address: Arc::from(address) })
    };
    let card = ("accelerator", "accelerator.nvidia-a100-40gb");
    let devices = Native::object([
        ("accelerator", reference(card.0, card.1)),
        ("files", Native::string("/dev/nvidia[0-3]")),
    ]);
    all.push((json!({ "accelerator": card.1, "files": "/dev/nvidia[0-3]" }), devices));
    let tenants = Native::list([reference("tenant", "tenant.nlp")]);
    let twin = Native::object([("active", Native::Bool(true)), ("tenants", tenants)]);
    all.push((json!({ "active": true, "tenants": ["tenant.nlp"] }), twin));
    let route = reference("route", "route.cost-optimized");
    let trial = Native::object([("route", route), ("share", Native::string("10%"))]);
    all.push((json!({ "route": "route.cost-optimized", "share": "10%" }), trial));
    let lists: Vec<(Value, Native)> =
        all.iter().map(|(value, native)| (json!([value]), Native::list([native.clone()]))).collect();
    all.extend(lists);
    all
}

/// Whether the language would have to convert between text, numbers and bools to take it.
fn converts(value: &Value, ty: &Type) -> bool {
    match (ty, value) {
        (Type::Bool | Type::Number | Type::Integer { .. }, Value::String(_)) => true,
        (Type::String | Type::Name | Type::Path | Type::Enum(_), Value::Number(_) | Value::Bool(_)) => true,
        (Type::List(element) | Type::Set(element), Value::Array(items)) => {
            items.iter().any(|it| converts(it, element))
        }
        (Type::Map(element), Value::Object(members)) => members.values().any(|it| converts(it, element)),
        (Type::Object(object), Value::Object(members)) => members
            .iter()
            .any(|(name, value)| object.field(name).is_some_and(|field| converts(value, &field.ty))),
        (Type::OneOf(types), value) => types.iter().any(|ty| converts(value, ty)),
        (Type::Hosts, Value::Array(items)) => items.iter().any(|item| !item.is_string()),
        _ => false,
    }
}

#[test]
fn every_attribute_takes_what_its_schema_takes() {
    let shapes = shapes();
    let samples = samples(&shapes);
    assert!(shapes.len() > 60, "the types are found: {}", shapes.len());
    let mut faults = Vec::new();
    for (place, ty, shape) in &shapes {
        let validator = jsonschema::draft202012::new(shape).unwrap();
        let (mut taken, mut refused) = (0, 0);
        for (value, native) in &samples {
            let by_language = convert(native, ty).is_ok();
            let by_schema = validator.is_valid(value);
            // Text that looks like an address is no reference, and JSON cannot tell the two apart.
            let quoted =
                by_schema && ADDRESSES.iter().any(|(_, address)| value.to_string().contains(address));
            if by_language == by_schema {
                *(if by_schema { &mut taken } else { &mut refused }) += 1;
            } else if !(quoted || by_language && converts(value, ty)) {
                faults.push(format!(
                    "{place}: {value} is taken by the {}",
                    if by_schema { "schema" } else { "language" }
                ));
            }
        }
        assert!(taken > 0, "{place}: no sample is a value of it ({})", ty.describe());
        assert!(refused > 0 || matches!(ty, Type::Any), "{place}: every sample is a value of it");
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Texts around the forms of quantities, so that many are just right and many just wrong.
fn near() -> impl Strategy<Value = String> {
    prop_oneof![
        r"([0-9]{1,3}(\.[0-9]{0,2})?[wdhmsM]{1,2}){1,3}",
        r"[0-9]{1,4}(\.[0-9]{1,2})?(|k|K|M|G|T|P|E|Ki|Mi|Gi|Z)(B|b|bps|B/s|b/s|W|Wh|w)",
        r"-?(\$|€|£|¥|USD |EU |usd )[0-9,]{1,7}(\.[0-9]{1,3})?(/gpu|/node|/kWh|/x)?(/h|/day|/month|/year|/s)?",
        r"-?[0-9]{1,3}(\.[0-9]{0,2})? ?%?",
        r"[0-9]{0,2}\.{0,3}[0-9]{0,2}",
        r"(~>|>=|<=|!=|>|<|=|=>)? ?[0-9]{1,2}(\.[0-9]{1,2}){0,3}(, ?<? ?[0-9])?",
        r"[a-zA-Z/.]{0,4}(=[a-z_-]{0,4})?:(NoSchedule|NoExecute|PreferNoSchedule|Schedule)",
        r"[a-z]{0,3}(\[[0-9]{1,2}(-[0-9]{1,3})?(,[0-9]{1,3})?\]?)?(, ?[a-z_.-]{0,3}[0-9]?)?",
        r"[0-9]{4}-[0-9]{1,2}-[0-9]{2}",
        r"[a-zA-Z0-9]{0,3}(-{1,2}[a-z0-9]{0,3}){0,3}",
    ]
}

proptest! {
    // A fixed seed: the same 2,000 texts every time, so that a change is judged by what it changed.
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(2026),
        ..ProptestConfig::default()
    })]

    /// Whatever text the language takes, the schema takes.
    #[test]
    fn no_schema_refuses_a_text_that_the_language_takes(text in near()) {
        thread_local! {
            static SHAPES: Vec<(String, Type, jsonschema::Validator)> = shapes()
                .into_iter()
                .map(|(place, ty, shape)| (place, ty, jsonschema::draft202012::new(&shape).unwrap()))
                .collect();
        }
        let (value, native) = (json!(text), Native::string(&text));
        SHAPES.with(|shapes| {
            for (place, ty, validator) in shapes {
                if !converts(&value, ty) && convert(&native, ty).is_ok() {
                    prop_assert!(validator.is_valid(&value), "{place}: {text:?}");
                }
            }
            Ok(())
        })?;
    }
}
