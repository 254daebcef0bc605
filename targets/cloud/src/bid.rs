//! The bid cap of spot capacity.

use poolwright_diagnostics::{Code, Diagnostic};
use poolwright_expression::Number;
use poolwright_expression::quantity::Currency;
use poolwright_model::money::per_node_hour;

use crate::Group;

/// Decimals of a bid.
const DECIMALS: u32 = 4;

/// Which bids a cloud takes.
#[derive(Clone, Copy, Debug)]
pub struct Bids {
    /// The code of a cap that is none of them.
    pub code: Code,
    /// Currencies that it takes.
    pub currencies: &'static [Currency],
    /// Why it takes no other.
    pub no_other: &'static str,
    /// How to write a cap.
    pub help: &'static str,
}

impl Group<'_> {
    /// The lot's cap in money per node-hour, 4 decimals, rounded down: a cap is never raised (LANGUAGE §3.8).
    pub fn bid(&self, bids: Bids, diagnostics: &mut Vec<Diagnostic>) -> Option<String> {
        let price = self.lot.max_price.as_ref()?;
        let why = match per_node_hour(price, self.lot.node.gpus).map(|cap| cap.amount.round_down(DECIMALS)) {
            _ if !bids.currencies.contains(&price.currency) => bids.no_other,
            Ok(amount) if amount > Number::default() => return Some(amount.to_decimal_string(DECIMALS)),
            Ok(_) => "the least is 0.0001 a node-hour",
            Err(_) => "it is neither per node and time nor per GPU and time of a node with GPUs",
        };
        diagnostics.push(
            Diagnostic::error(
                bids.code,
                format!("`max_price` of `{}` is {price}: {why}", self.lot.meta.address),
            )
            .at(self.span("max_price"), why)
            .with_help(bids.help),
        );
        None
    }
}
