//! From evaluated attributes to the typed fleet, with the rules that hold inside one block.

mod accelerator;
mod capacity;
mod effects;
mod fabric;
mod fabric_env;
mod lot;
mod node;
mod people;
mod price_book;
mod program;
mod purchase;
mod reservations;
mod route;
mod statements;
mod target;
mod tier;
mod zones;

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::quantity::{Currency, Percent, VersionConstraint};
use poolwright_expression::{Number, Value};
use poolwright_model::{Address, Fleet, Meta, Program};
use serde::de::DeserializeOwned;

pub(crate) use self::capacity::{pool, use_accelerators};
use crate::instances::Block;
use crate::values::{Attributes, Values, meta};
use crate::{Inputs, codes, labels};

/// The fleet and program of all blocks. A block with a fault is left out; the faults are reported.
pub(crate) fn decode(values: &Values<'_, '_>, inputs: &Inputs<'_>) -> (Option<Fleet>, Program) {
    let mut fleet = fleet_block(values, inputs);
    let sound = fleet.is_some();
    let into = fleet.get_or_insert_with(|| Fleet::empty(""));
    let blocks = values.blocks;
    without_pools(values, into);
    target::folders(values, into);
    let known = &*into;
    let pools = values.each(&blocks.of_kind("pool"), |values, block| pool(values, block, known));
    for (address, pool) in pools {
        use_accelerators(&pool, into);
        into.pools.insert(address, pool);
    }
    reservations::reservations(values, into);
    into.tenants
        .extend(values.each(&blocks.of_kind("tenant"), |values, block| people::tenant(values, block)));
    into.classes.extend(values.each(&blocks.of_kind("class"), |values, block| people::class(values, block)));
    into.routes.extend(values.each(&blocks.of_kind("route"), |values, block| route::route(values, block)));
    into.queues.extend(values.each(&blocks.of_kind("queue"), |values, block| people::queue(values, block)));
    // A `fleet` block that failed asks nobody; its fault has been reported.
    if sound {
        unasked_books(values, into);
    }
    effects::effects(values, into);
    labels::of_objects(values, into);
    let program = program::program(values);
    (blocks.fleet().is_some().then_some(fleet).flatten(), program)
}

/// Everything that pools and their prices depend on.
fn without_pools(values: &Values<'_, '_>, into: &mut Fleet) {
    let (blocks, inputs) = (values.blocks, values.inputs);
    into.price_books.extend(
        values.each(&blocks.of_kind("price_book"), |values, block| {
            price_book::price_book(values, block, inputs)
        }),
    );
    into.tiers.extend(values.each(&blocks.of_kind("tier"), |values, block| tier::tier(values, block)));
    for block in blocks.of_kind("target") {
        into.targets.extend(values.within(&block, || target::target(values, &block, inputs)));
    }
    into.accelerators.extend(
        values.each(&blocks.of_kind("accelerator"), |values, block| accelerator::accelerator(values, block)),
    );
    into.fabrics
        .extend(values.each(&blocks.of_kind("fabric"), |values, block| fabric::fabric(values, block)));
    if into.prices.is_empty() && into.price_books.len() == 1 {
        into.prices = into.price_books.keys().cloned().collect();
    }
}

/// The fleet without pools, and without what depends on them.
pub(crate) fn base(values: &Values<'_, '_>) -> Fleet {
    let mut fleet = fleet_block(values, values.inputs).unwrap_or_else(|| Fleet::empty(""));
    without_pools(values, &mut fleet);
    fleet
}

/// A book that `fleet.prices` does not name says nothing: its prices would be missed without a word.
fn unasked_books(values: &Values<'_, '_>, fleet: &Fleet) {
    for book in fleet.price_books.values().filter(|book| !fleet.prices.contains(&book.meta.address)) {
        let address = &book.meta.address;
        let listed: Vec<String> = fleet.prices.iter().chain([address]).map(ToString::to_string).collect();
        values.report(
            Diagnostic::warning(codes::UNASKED_BOOK, format!("nothing asks `{address}` for a price"))
                .at(book.meta.origin.header, "not in `fleet.prices`")
                .also(fleet.meta.origin.of("prices"), "books that are asked, in this order")
                .with_help(format!("name it where it should count: `prices = [{}]`", listed.join(", "))),
        );
    }
}

/// Deserialises attributes into a struct of the model. The schema has checked every value, so that a failure is
/// a fault of ours, and said to be one.
fn model<T: DeserializeOwned>(
    values: &Values<'_, '_>,
    attributes: &Attributes,
    block: &Block<'_>,
) -> Option<T> {
    if !attributes.complete {
        return None;
    }
    from_values(values, &attributes.values, &block.address, block.tree.header)
}

fn from_values<T: DeserializeOwned>(
    values: &Values<'_, '_>,
    attributes: &BTreeMap<Arc<str>, Value>,
    what: &str,
    span: Span,
) -> Option<T> {
    let object = Value::Object(Arc::new(attributes.clone()));
    match T::deserialize(&object) {
        Ok(decoded) => Some(decoded),
        Err(error) => {
            values.report(
                Diagnostic::error(
                    codes::INTERNAL,
                    format!("`{what}` cannot be brought into the model: {error}"),
                )
                .at(span, "this block")
                .with_help("this is a fault of Poolwright: please report it with the block"),
            );
            None
        }
    }
}

fn fleet_block(values: &Values<'_, '_>, inputs: &Inputs<'_>) -> Option<Fleet> {
    let Some(block) = values.blocks.fleet() else {
        let mut diagnostic = Diagnostic::error(codes::FLEET_COUNT, "there is no `fleet` block")
            .with_help("add `fleet { name = \"…\" }`: its name owns everything that is written to targets");
        if let Some(first) = values.blocks.root().declared.top.values().next() {
            diagnostic = diagnostic.at(first.tree.header.at_start(), "no file of this folder has one");
        }
        values.report(diagnostic);
        return None;
    };
    let attributes = values.attributes(block);
    if let Some(Value::String(text)) = attributes.values.get("required_version")
        && let Ok(constraint) = VersionConstraint::parse(text)
        && !constraint.matches(inputs.version)
    {
        let span =
            attributes.spans.iter().find(|(name, _)| &**name == "required_version").map(|(_, span)| *span);
        values.report(
            Diagnostic::error(
                codes::VERSION_TOO_OLD,
                format!("the fleet needs Poolwright {constraint}, this is {}", inputs.version),
            )
            .at(span.unwrap_or(block.tree.header), "asked for here")
            .with_help("install a version that the fleet asks for, or change what it asks for"),
        );
    }
    if !attributes.complete {
        return None;
    }
    let mut head = meta(block, &attributes);
    head.address = Address::new("fleet");
    let mut fleet = Fleet::empty(&head.name);
    if let Some(Value::String(code)) = attributes.values.get("currency") {
        fleet.currency = currency(values, code, head.origin.of("currency"))?;
    }
    if let Some(Value::List(books)) = attributes.values.get("prices") {
        fleet.prices = books.iter().filter_map(address).collect();
    }
    if let Some(Value::List(hosts)) = attributes.values.get("private_registries") {
        let text = |host: &Value| if let Value::String(text) = host { Some(text.to_string()) } else { None };
        fleet.private_registries = hosts.iter().filter_map(text).collect();
    }
    fleet.meta = head;
    Some(fleet)
}

fn address(value: &Value) -> Option<Address> {
    if let Value::Block(block) = value { Some(Address::new(block.address.clone())) } else { None }
}

fn currency(values: &Values<'_, '_>, code: &str, span: Span) -> Option<Currency> {
    if let Ok(currency) = Currency::parse(code) {
        return Some(currency);
    }
    values.report(
        Diagnostic::error(codes::CURRENCY, format!("`{code}` is no currency"))
            .at(span, "an ISO 4217 code is expected")
            .with_help("three capital letters such as `USD`, `EUR`, `CNY`"),
    );
    None
}

/// A share of a whole is at most the whole; one that something is divided by, or made of, is above nothing.
fn share(values: &Values<'_, '_>, meta: &Meta, path: &str, share: &Percent, above_nothing: bool) {
    let address = meta.address.as_str();
    let address = address.strip_suffix(".lot.main").unwrap_or(address);
    let (none, whole) = (Number::from(0_i64), Number::from(1_i64));
    let (fault, help) = if share.0 > whole {
        (format!("`{path}` of `{address}` is {share}, more than the whole"), "write at most `\"100%\"`")
    } else if above_nothing && share.0 <= none {
        (format!("`{path}` of `{address}` is {share}: nothing would be left"), "write more than `\"0%\"`")
    } else {
        return;
    };
    values.report(
        Diagnostic::error(codes::SHARE, fault)
            .at(meta.origin.of(path), "a share of the whole")
            .with_help(help),
    );
}

/// A list of blocks that names one of them twice: the second says nothing.
fn named_twice(values: &Values<'_, '_>, meta: &Meta, attribute: &str, list: &[Address]) {
    for (index, address) in list.iter().enumerate() {
        let earlier = list.iter().take(index).position(|other| other == address);
        let Some(first) = earlier else { continue };
        let place = |index: usize| meta.origin.of(&format!("{attribute}[{index}]"));
        values.report(
            Diagnostic::warning(
                codes::TWICE,
                format!("`{attribute}` of `{}` names `{address}` twice", meta.address),
            )
            .at(place(index), "again here")
            .also(place(first), "first here")
            .with_help("remove one of the two"),
        );
    }
}
