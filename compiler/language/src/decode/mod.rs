//! From evaluated attributes to the typed fleet, with the rules that hold inside one block.

mod accelerator;
mod capacity;
mod effects;
mod fabric;
mod people;
mod program;
mod statements;
mod target;

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::quantity::{Currency, Percent, VersionConstraint};
use poolwright_expression::{Number, Value};
use poolwright_model::fleet::{PriceBook, Route, Step, Tier, TierKind};
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
    into.tenants
        .extend(values.each(&blocks.of_kind("tenant"), |values, block| people::tenant(values, block)));
    into.classes.extend(values.each(&blocks.of_kind("class"), |values, block| people::class(values, block)));
    into.routes.extend(values.each(&blocks.of_kind("route"), |values, block| route(values, block)));
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
    into.price_books
        .extend(values.each(&blocks.of_kind("price_book"), |values, block| price_book(values, block)));
    into.tiers.extend(values.each(&blocks.of_kind("tier"), |values, block| tier(values, block)));
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

fn price_book<'t>(values: &Values<'_, 't>, block: &Block<'t>) -> Option<(Address, PriceBook)> {
    let attributes = values.attributes(block);
    let mut book: PriceBook = model(values, &attributes, block)?;
    book.meta = meta(block, &attributes);
    rows_twice(values, &book);
    if let Some(source) = book.source.as_deref().filter(|source| *source != "shipped") {
        values.report(
            crate::collect::not_built("price books read from a file", book.meta.origin.of("source"))
                .with_note(format!("found source = \"{source}\""))
                .with_help("use `source = \"shipped\"`, or write the rows into `prices`"),
        );
        return None;
    }
    Some((book.meta.address.clone(), book))
}

/// Two rows for the same thing: only one of them can be meant.
fn rows_twice(values: &Values<'_, '_>, book: &PriceBook) {
    let mut seen = BTreeMap::new();
    for (index, row) in book.prices.iter().enumerate() {
        let key = (&row.provider, &row.region, &row.zone, &row.instance_type);
        let Some(first) = seen.insert(key, index) else { continue };
        let place = |index: usize| book.meta.origin.of(&format!("prices[{index}]"));
        values.report(
            Diagnostic::warning(
                codes::TWICE,
                format!("`{}` has two rows for `{}`", book.meta.address, row.instance_type),
            )
            .at(place(index), "again here")
            .also(place(first), "first here")
            .with_note("provider, region, zone and instance type are the same")
            .with_help("keep one of the two; one row holds `on_demand`, `spot` and `reserved`"),
        );
    }
}

fn tier<'t>(values: &Values<'_, 't>, block: &Block<'t>) -> Option<(Address, Tier)> {
    let attributes = values.attributes(block);
    let mut tier: Tier = model(values, &attributes, block)?;
    tier.meta = meta(block, &attributes);
    let origin = &tier.meta.origin;
    let kind = tier.kind.as_str();
    let fault = |span: Span, message: String, label: &str, help: &str| {
        values.report(
            Diagnostic::error(codes::TIER_FACTS, message)
                .at(span, label)
                .also(origin.of("kind"), "its kind")
                .with_help(help),
        );
    };
    let name = block.address.clone();
    match (tier.kind, &tier.interruption) {
        (TierKind::Spot, None) => fault(
            origin.header,
            format!("`{name}` is spot and does not say how it is interrupted"),
            "needs `interruption`",
            "add `interruption = { notice = \"2m\", mean_time = \"10h\" }`",
        ),
        (TierKind::Spot, Some(_)) | (_, None) => {}
        (_, Some(_)) => fault(
            origin.of("interruption"),
            format!("`{name}` is {kind}, which is not interrupted"),
            "only for spot",
            "remove it, or set `kind = \"spot\"`",
        ),
    }
    let owned = matches!(tier.kind, TierKind::Owned | TierKind::Edge);
    match &tier.ownership {
        None if owned => fault(
            origin.header,
            format!("`{name}` is {kind} and does not say what it costs"),
            "needs `ownership`",
            "add `ownership = { price = \"$1.20/gpu/h\" }`, or its cost, months, power and tariff",
        ),
        Some(_) if !owned => fault(
            origin.of("ownership"),
            format!("`{name}` is {kind}, which is not owned"),
            "only for owned and edge",
            "remove it, or set `kind = \"owned\"`",
        ),
        Some(ownership) if ownership.price.is_none() => {
            let power = tier.kind == TierKind::Owned;
            let facts = [
                ("cost", ownership.cost.is_some()),
                ("months", ownership.months.is_some()),
                ("power", ownership.power.is_some() || !power),
                ("tariff", ownership.tariff.is_some() || !power),
            ];
            let lacking: Vec<&str> =
                facts.into_iter().filter(|(_, there)| !there).map(|(name, _)| name).collect();
            if !lacking.is_empty() {
                fault(
                    origin.of("ownership"),
                    format!("the cost of `{name}` lacks {}", lacking.join(", ")),
                    "not enough for a rate",
                    "give `price`, or all of `cost`, `months`, `power` and `tariff`",
                );
            }
        }
        Some(ownership) => {
            let facts = ["cost", "months", "salvage", "power", "pue", "tariff", "opex"];
            let both = facts.iter().find(|name| origin.wrote(&format!("ownership.{name}")));
            let cost = ownership.cost.is_some().then_some(&"cost");
            if let Some(name) = both.or(cost) {
                fault(
                    origin.of(&format!("ownership.{name}")),
                    format!("`{}` has a `price` and `{name}`: one of them says what it costs", block.address),
                    "beside `price`",
                    "keep `price` alone, or remove it and let the rate follow from cost, months, power and tariff",
                );
            }
        }
        None => {}
    }
    if let Some(ownership) = &tier.ownership {
        share(values, &tier.meta, "ownership.salvage", &ownership.salvage, false);
        share(values, &tier.meta, "ownership.utilisation", &ownership.utilisation, true);
    }
    Some((tier.meta.address.clone(), tier))
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

fn route<'t>(values: &Values<'_, 't>, block: &Block<'t>) -> Option<(Address, Route)> {
    let attributes = values.attributes(block);
    let children: Vec<&Arc<Block<'_>>> = block.children_of("step").collect();
    let last = children.len().checked_sub(1);
    let mut whole = true;
    let mut steps = Vec::new();
    for (index, child) in children.iter().enumerate() {
        let inner = values.attributes(child);
        let step: Option<Step> = model(values, &inner, child);
        let Some(mut step) = step else {
            whole = false;
            continue;
        };
        step.meta = meta(child, &inner);
        named_twice(values, &step.meta, "pools", &step.pools);
        check_patience(values, &step, Some(index) == last, block.is_incomplete());
        check_reasons(values, &step, Some(index) == last);
        steps.push(step);
    }
    if block.is_incomplete() && children.is_empty() {
        return None;
    }
    if children.is_empty() {
        values.report(
            Diagnostic::error(codes::MISSING_BLOCK, format!("`{}` has no step", block.address))
                .at(block.tree.header, "a ladder without a rung")
                .with_help("add `step \"…\" { pools = [pool.…] }`"),
        );
        return None;
    }
    let mut route: Route = model(values, &attributes, block)?;
    route.meta = meta(block, &attributes);
    route.steps = steps;
    whole.then(|| (route.meta.address.clone(), route))
}

/// The last step has no `for`, every other has one. Where a step could not be read nobody knows which is the last.
/// A step that nothing lets a job leave never opens the next one.
fn check_reasons(values: &Values<'_, '_>, step: &Step, last: bool) {
    if step.on.is_empty() && !last {
        let label = step.meta.address.label();
        values.report(
            Diagnostic::error(codes::STEP_PATIENCE, format!("no reason lets a job leave step `{label}`"))
                .at(step.meta.origin.of("on"), "so the next step never opens")
                .with_help("leave `on` out for `[\"no-quota\", \"no-capacity\"]`, or name a reason"),
        );
    }
}

fn check_patience(values: &Values<'_, '_>, step: &Step, last: bool, incomplete: bool) {
    let origin = &step.meta.origin;
    let label = step.meta.address.label().to_owned();
    match (&step.patience, last) {
        (None, false) => values.report(
            Diagnostic::error(
                codes::STEP_PATIENCE,
                format!("step `{label}` does not say how long a job waits there"),
            )
            .at(origin.header, "needs `for`: a step comes after it")
            .with_help("add `for = \"15m\"`; `\"0s\"` opens the next step at once"),
        ),
        (Some(_), true) if !incomplete => values.report(
            Diagnostic::error(codes::STEP_PATIENCE, format!("step `{label}` is the last one, and has `for`"))
                .at(origin.of("for"), "there is no step to go to")
                .with_help("remove it; `limits.wait` of the class fails jobs that wait too long"),
        ),
        _ => {}
    }
}
