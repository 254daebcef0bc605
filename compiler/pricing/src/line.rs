//! Sums of money a month, where each part may be unknown for a reason.

use poolwright_expression::Number;
use poolwright_expression::quantity::{Currency, Money, PerTime};
use poolwright_model::Cost;
use poolwright_model::money::{CostLine, HOURS_PER_MONTH};

use crate::unit::{Known, exact};

/// Floor, expected and ceiling in money/month.
#[derive(Clone)]
pub(crate) struct Line {
    pub(crate) floor: Known<Money>,
    pub(crate) expected: Known<Money>,
    pub(crate) ceiling: Known<Money>,
    /// Reasons of parts that are already in it.
    reasons: Vec<String>,
}

/// A price per unit and hour, of so many units, for a month.
pub(crate) fn monthly(price: &Money, units: &Number) -> Known<Money> {
    let hours = exact(units.checked_mul(&HOURS_PER_MONTH.into()))?;
    Ok(month(exact(price.amount.checked_mul(&hours))?, price.currency))
}

/// So much a month.
pub(crate) fn month(amount: Number, currency: Currency) -> Money {
    Money { amount, currency, per: None, time: Some(PerTime::Month) }
}

fn sum(a: Known<Money>, b: &Known<Money>) -> Known<Money> {
    match (a, b) {
        (Ok(a), Ok(b)) => exact(a.checked_add(b)),
        (Err(why), _) => Err(why),
        (_, Err(why)) => Err(why.clone()),
    }
}

impl Line {
    pub(crate) fn new(floor: Known<Money>, expected: Known<Money>, ceiling: Known<Money>) -> Self {
        Self { floor, expected, ceiling, reasons: Vec::new() }
    }

    pub(crate) fn zero(currency: Currency) -> Self {
        let zero = month(Number::ZERO, currency);
        Self::new(Ok(zero.clone()), Ok(zero.clone()), Ok(zero))
    }

    /// Adds a part. Reasons of all parts are kept, not only the first.
    pub(crate) fn add(mut self, part: &Self) -> Self {
        let reasons = part.all_reasons();
        self.floor = sum(self.floor, &part.floor);
        self.expected = sum(self.expected, &part.expected);
        self.ceiling = sum(self.ceiling, &part.ceiling);
        self.reasons.extend(reasons);
        self
    }

    fn all_reasons(&self) -> Vec<String> {
        let mut all = self.reasons.clone();
        all.extend(
            [&self.floor, &self.expected, &self.ceiling].into_iter().filter_map(|part| part.clone().err()),
        );
        all.sort();
        all.dedup();
        all
    }

    pub(crate) fn cost(&self) -> Cost {
        let reasons = self.all_reasons();
        let hourly = |part: &Known<Money>| part.as_ref().ok().and_then(|money| money.to_time(PerTime::Hour));
        Cost {
            hourly: CostLine {
                floor: hourly(&self.floor),
                expected: hourly(&self.expected),
                ceiling: hourly(&self.ceiling),
                unknown: reasons.clone(),
            },
            monthly: CostLine {
                floor: self.floor.clone().ok(),
                expected: self.expected.clone().ok(),
                ceiling: self.ceiling.clone().ok(),
                unknown: reasons,
            },
        }
    }
}
