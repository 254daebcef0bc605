//! Values into structs, and JSON.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::run;
use crate::quantity::{Duration, Hosts, Money, Percent, Range, Version};
use crate::{Number, Value, to_json};

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Spot,
    OnDemand,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pool {
    kind: Kind,
    nodes: Range,
    idle_after: Option<Duration>,
    max_price: Option<Money>,
    share: Percent,
    hosts: Hosts,
    version: Version,
    target: String,
    gpus: u32,
    utilisation: Number,
    #[serde(default)]
    zones: Vec<String>,
    labels: BTreeMap<String, String>,
    #[serde(default = "yes")]
    elastic: bool,
}

fn yes() -> bool {
    true
}

fn pool(text: &str) -> Value {
    let Value::Object(entries) = run(text).unwrap() else { panic!("an object") };
    let mut entries = (*entries).clone();
    entries.insert("nodes".into(), Range { min: 0, max: Some(16) }.into());
    entries.insert("hosts".into(), Hosts::parse("n[1-2]").unwrap().into());
    entries.insert("version".into(), Version::parse("1.33").unwrap().into());
    Value::object(entries)
}

const POOL: &str = "{ kind = \"on-demand\", idle_after = duration(\"15m\"), max_price = money(\"$2.10/gpu/h\"), share = percent(\"15%\"), target = pool.a, gpus = gpus(8), utilisation = 0.6, zones = null, labels = { a = \"b\" }, elastic = null }";

#[test]
fn a_value_becomes_a_struct() {
    let value = pool(POOL);
    let read: Pool = value.deserialize().unwrap();
    assert_eq!(
        read,
        Pool {
            kind: Kind::OnDemand,
            nodes: Range { min: 0, max: Some(16) },
            idle_after: Some(Duration::from_seconds(900)),
            max_price: Some(Money::parse("$2.10/gpu/h").unwrap()),
            share: Percent::parse("15%").unwrap(),
            hosts: Hosts(vec!["n1".into(), "n2".into()]),
            version: Version::parse("1.33").unwrap(),
            target: "pool.a".into(),
            gpus: 8,
            utilisation: Number::parse("0.6").unwrap(),
            zones: Vec::new(),
            labels: BTreeMap::from([("a".into(), "b".into())]),
            elastic: true,
        }
    );
}

#[derive(Debug, PartialEq, Deserialize)]
enum Shape {
    All,
    Some(Vec<u64>),
    Named { name: String },
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum Either {
    Text(String),
    Number(Number),
    List(Vec<Either>),
}

#[test]
fn enums_and_faults() {
    let read = |text: &str| run(text).unwrap().deserialize::<Shape>();
    assert_eq!(read("\"All\""), Ok(Shape::All));
    assert_eq!(read("{ Some = [1, 2] }"), Ok(Shape::Some(vec![1, 2])));
    assert_eq!(read("{ Named = { name = \"x\" } }"), Ok(Shape::Named { name: "x".into() }));
    assert!(read("\"None\"").is_err());
    let either = run("[\"a\", 0.5, [1]]").unwrap().deserialize::<Either>().unwrap();
    let one = Either::Number(Number::ONE);
    assert_eq!(
        either,
        Either::List(vec![Either::Text("a".into()), Either::Text("0.5".into()), Either::List(vec![one])])
    );
    assert!(run("secret").unwrap().deserialize::<String>().is_err());
    assert!(run("un").unwrap().deserialize::<Option<u64>>().is_err());
    assert_eq!(run("null").unwrap().deserialize::<Option<u64>>(), Ok(None));
    assert!(run("0.5").unwrap().deserialize::<u64>().is_err());
    assert!(run("-1").unwrap().deserialize::<u64>().is_err());
}

#[test]
fn json_both_ways() {
    let value = run("{ a = [1, 0.5, 98765432109876543210, 1 / 3], b = null, c = duration(\"15m\"), d = gpus(8), e = pool.a, f = secret, g = un, h = money(\"$2.1/gpu/h\") }").unwrap();
    let json = to_json(&value);
    assert_eq!(
        json.to_string(),
        "{\"a\":[1,0.5,\"98765432109876543210\",\"1/3\"],\"b\":null,\"c\":900,\"d\":8,\"e\":\"pool.a\",\"f\":\"(sensitive)\",\"g\":null,\"h\":{\"amount\":\"2.10\",\"currency\":\"USD\",\"per\":\"gpu/h\"}}"
    );
    let text = "{\"a\":[1,0.5,true,null,\"x\"]}";
    let value = Value::from_json(&serde_json::from_str(text).unwrap());
    assert_eq!(value.to_string(), "{ a = [1, 0.5, true, null, \"x\"] }");
    assert_eq!(to_json(&value).to_string(), text);
}
