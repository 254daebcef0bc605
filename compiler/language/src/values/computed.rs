//! Computed attributes of pools and lots that are asked for while the fleet is still evaluated: the pool is decoded for
//! that, with what its price depends on, and the caller computes.

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::{BlockRef, Value};
use poolwright_model::{Address, Fleet};

use super::Values;
use super::chain::{Key, follows};
use crate::{codes, decode};

/// What depends on the pool itself, its tier, its targets and the price books alone. Everything else is known when all
/// blocks are.
const EARLY: [&str; 12] = [
    "gpus",
    "nodes",
    "gpus_per_node",
    "vendor",
    "provider",
    "region",
    "zones",
    "price",
    "on_demand_price",
    "effective_price",
    "rate_per_node",
    "elastic",
];

/// The fleet without what depends on pools.
pub(super) struct Base {
    fleet: Fleet,
    /// Texts of its price files, by their paths as written.
    files: BTreeMap<String, String>,
}

impl Values<'_, '_> {
    /// A computed attribute.
    pub(super) fn computed(
        &self,
        block: &BlockRef,
        name: &str,
        span: Span,
    ) -> Result<Value, Box<Diagnostic>> {
        let early = EARLY.contains(&name) && matches!(&*block.kind, "pool" | "lot");
        let Some(compute) = self.inputs.computed.filter(|_| early) else {
            return Err(Box::new(
                Diagnostic::error(
                    codes::KNOWN_LAST,
                    format!("`{name}` of `{}` is known when all blocks are, not before", block.address),
                )
                .at(span, "asked for while blocks are still made")
                .with_help(
                    "ask in a policy, check, test, output, precondition or postcondition: they are evaluated last",
                ),
            ));
        };
        let key = Key::Attribute(block.address.clone(), Arc::from(name));
        self.once(key, span, None, || {
            let pool = Address::new(block.address.clone()).pool();
            let found = self.blocks.get(pool.as_str())?;
            let base = self.base(span)?;
            let known = &base.fleet;
            let mut fleet = known.clone();
            let (address, pool) = self.within(&found, || decode::pool(self, &found, known))?;
            decode::use_accelerators(&pool, &mut fleet);
            fleet.pools.insert(address, pool);
            Some(compute(&fleet, &base.files, block, name).unwrap_or(Value::Null))
        })
    }

    /// The fleet without what depends on pools.
    fn base(&self, span: Span) -> Option<Arc<Base>> {
        if let Some(known) = self.base.borrow().clone() {
            return Some(known);
        }
        let key = Key::Instances(Arc::from("the targets, tiers and prices"));
        match self.linked(&key, span, None, || decode::base(self)) {
            Ok(fleet) => {
                let made = Arc::new(Base { fleet, files: self.files.borrow().clone() });
                *self.base.borrow_mut() = Some(made.clone());
                Some(made)
            }
            Err(diagnostic) => {
                self.report(*diagnostic);
                None
            }
        }
    }

    /// `price(pool.x)`: money/gpu/h of its first lot.
    pub(super) fn price(&self, arguments: &[Value], span: Span) -> Result<Value, Box<Diagnostic>> {
        match arguments {
            [Value::Block(block)] if matches!(&*block.kind, "pool" | "lot") => {
                self.computed(block, "price", span)
            }
            [Value::Unknown(_)] => Err(follows()),
            _ => {
                let found: Vec<String> =
                    arguments.iter().map(|value| value.type_name().into_owned()).collect();
                Err(Box::new(
                    Diagnostic::error(
                        codes::PRICE_OF,
                        format!("`price` takes one pool or lot, found {}", found.join(", ")),
                    )
                    .at(span, "no pool")
                    .with_help("write `price(pool.NAME)`"),
                ))
            }
        }
    }
}
