//! The quickstart's fleet and golden files.

use std::collections::BTreeMap;
use std::path::PathBuf;

use poolwright_expression::quantity::Money;
use poolwright_model::{Address, Costs, Fleet, Prices};

pub(crate) fn golden(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/quickstart")).join(name)
}

pub(crate) fn quickstart() -> Fleet {
    serde_json::from_str(&std::fs::read_to_string(golden("fleet.json")).unwrap()).unwrap()
}

pub(crate) fn priced(fleet: &Fleet) -> (Prices, Costs) {
    let (prices, _) = poolwright_pricing::price(fleet, &BTreeMap::new());
    let costs = poolwright_pricing::cost(fleet, &prices);
    (prices, costs)
}

pub(crate) fn text(money: &Option<Money>) -> String {
    money.as_ref().map_or("unknown".to_owned(), ToString::to_string)
}

pub(crate) fn address(text: &str) -> Address {
    Address::new(text)
}
