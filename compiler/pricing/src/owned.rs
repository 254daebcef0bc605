//! What capacity of one's own costs (LANGUAGE §6.4).

use poolwright_expression::Number;
use poolwright_expression::quantity::{Currency, Money, PerTime, PerUnit};
use poolwright_model::fleet::{Ownership, TierKind};
use poolwright_model::money::{HOURS_PER_MONTH, per_node_hour, per_unit_hour};

use crate::unit::{Known, exact, unit};

/// The bill for one node-hour, used or not (money/node/h), and the internal rate for an hour of use (money/gpu/h; for
/// nodes without GPUs money/node/h).
///
/// The bill is `cost × (1 − salvage) ÷ (months × 730 h) + opex + power × pue × tariff`; the rate is the bill divided
/// by the GPUs and by the utilisation, so that used hours pay for idle ones. With a `price` the rate is given, and the
/// bill is what that rate earns at the declared utilisation.
///
/// # Errors
/// Which part is missing.
pub fn owned(
    ownership: &Ownership,
    kind: TierKind,
    gpus: u32,
    currency: Currency,
) -> Result<(Money, Money), String> {
    let used = &ownership.utilisation.0;
    if used.is_zero() || used.is_negative() {
        return Err("its utilisation is not above 0 %".to_owned());
    }
    if let Some(price) = &ownership.price {
        let rate = per_unit_hour(price, gpus, currency)?;
        let bill = exact(per_node_hour(&rate, gpus)?.checked_mul(used))?;
        return Ok((bill, rate));
    }
    let bill = bill(ownership, kind, currency)?;
    let share = exact(bill.checked_div(&gpus.max(1).into()))?;
    let rate = Money { per: Some(unit(gpus)), ..exact(share.checked_div(used))? };
    Ok((bill, rate))
}

fn bill(ownership: &Ownership, kind: TierKind, currency: Currency) -> Known<Money> {
    let (Some(cost), Some(months)) = (&ownership.cost, ownership.months) else {
        return Err("its tier has neither a price nor cost and months".to_owned());
    };
    if months == 0 {
        return Err("its cost is written off over 0 months".to_owned());
    }
    let mut parts: Vec<&Money> = vec![cost, &ownership.opex];
    parts.extend(&ownership.tariff);
    if let Some(other) = parts.iter().find(|part| part.currency != currency) {
        return Err(format!("{other} is not in {currency}, and there is no rate"));
    }
    let opex =
        ownership.opex.to_time(PerTime::Hour).ok_or_else(|| format!("{} is not per hour", ownership.opex))?;
    let left = exact(Number::ONE.checked_sub(&ownership.salvage.0))?;
    let hours = exact(Number::from(months).checked_mul(&HOURS_PER_MONTH.into()))?;
    let written_off = exact(cost.amount.checked_mul(&left).and_then(|sum| sum.checked_div(&hours)))?;
    let energy = match (&ownership.power, &ownership.tariff) {
        (Some(power), Some(tariff)) => {
            let kilowatts = exact(power.0.checked_div(&1000_u32.into()))?;
            exact(kilowatts.checked_mul(&ownership.pue).and_then(|drawn| drawn.checked_mul(&tariff.amount)))?
        }
        (None, None) if kind == TierKind::Edge => Number::ZERO,
        _ => return Err("its tier has no power and tariff".to_owned()),
    };
    let amount = exact(written_off.checked_add(&opex.amount).and_then(|sum| sum.checked_add(&energy)))?;
    Ok(Money { amount, currency, per: Some(PerUnit::Node), time: Some(PerTime::Hour) })
}

#[cfg(test)]
mod tests {
    use poolwright_expression::quantity::{Percent, Power};

    use super::*;

    fn worked() -> Ownership {
        Ownership {
            price: None,
            cost: Some(Money::parse("$280000/node").unwrap()),
            months: Some(36),
            salvage: Percent::parse("0%").unwrap(),
            power: Some(Power::parse("8kW").unwrap()),
            pue: Number::parse("1.4").unwrap(),
            tariff: Some(Money::parse("$0.09/kWh").unwrap()),
            opex: Money::parse("$0/node/h").unwrap(),
            utilisation: Percent::parse("100%").unwrap(),
        }
    }

    /// The worked example of LANGUAGE §6.4.
    #[test]
    fn the_worked_example_gives_its_figures() {
        let rate = |ownership: &Ownership| {
            owned(ownership, TierKind::Owned, 8, Currency::USD).unwrap().1.amount.to_decimal_string(3)
        };
        let mut ownership = worked();
        assert_eq!(rate(&ownership), "1.458");
        ownership.utilisation = Percent::parse("70%").unwrap();
        assert_eq!(rate(&ownership), "2.083");
    }

    #[test]
    fn a_given_rate_makes_the_bill() {
        let mut ownership = worked();
        ownership.price = Some(Money::parse("$2/gpu/h").unwrap());
        ownership.utilisation = Percent::parse("50%").unwrap();
        let (bill, rate) = owned(&ownership, TierKind::Owned, 8, Currency::USD).unwrap();
        assert_eq!(rate, Money::parse("$2/gpu/h").unwrap());
        assert_eq!(bill, Money::parse("$8/node/h").unwrap());
    }

    #[test]
    fn what_is_missing_is_said() {
        let with = |change: fn(&mut Ownership)| {
            let mut ownership = worked();
            change(&mut ownership);
            owned(&ownership, TierKind::Owned, 8, Currency::USD).unwrap_err()
        };
        assert!(with(|o| o.cost = None).contains("neither a price nor cost"));
        assert!(with(|o| o.months = Some(0)).contains("0 months"));
        assert!(with(|o| o.power = None).contains("no power and tariff"));
        assert!(with(|o| o.utilisation = Percent::parse("0%").unwrap()).contains("not above 0 %"));
        assert!(with(|o| o.cost = Some(Money::parse("€1/node").unwrap())).contains("not in USD"));
        let mut edge = worked();
        (edge.power, edge.tariff) = (None, None);
        assert!(owned(&edge, TierKind::Edge, 8, Currency::USD).is_ok());
    }
}
