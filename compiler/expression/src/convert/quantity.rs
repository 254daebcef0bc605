//! Quantities of the kind that a schema asks for.

use std::sync::Arc;

use super::Converter;
use crate::evaluate::to_text;
use crate::quantity::{
    Bandwidth, Bytes, Date, Duration, Energy, Hosts, Money, Pattern, Percent, Power, Quantity, Range, Taint,
    Version, VersionConstraint, in_forms,
};
use crate::{Number, Type, Value, codes};

impl Converter {
    pub(super) fn quantity(&mut self, value: &Value, ty: &Type) -> Option<Value> {
        // A zero with a minus is written as if it could be less than none.
        let minus = matches!(value, Value::String(text) if text.starts_with('-'));
        let found = match value {
            Value::Quantity(quantity) if fits(quantity, ty) => quantity.clone(),
            Value::String(text) => {
                if matches!(ty, Type::Constraint) {
                    return match VersionConstraint::parse(text) {
                        Ok(_) => Some(value.clone()),
                        Err(error) => self.unit(error),
                    };
                }
                match parse(text, ty) {
                    Some(Ok(quantity)) => quantity,
                    Some(Err(error)) => return self.unit(error),
                    None => return self.wrong(value, ty, None),
                }
            }
            Value::Number(number) => return self.bare_number(value, number, ty),
            Value::Quantity(Quantity::Count(count)) if matches!(ty, Type::Range) => {
                return self.bare_number(value, &count.number, ty);
            }
            Value::Quantity(Quantity::Version(version)) if matches!(ty, Type::Constraint) => {
                return Some(Value::string(&version.text));
            }
            Value::List(items) | Value::Set(items) if matches!(ty, Type::Hosts) => return self.hosts(items),
            _ => return self.wrong(value, ty, None),
        };
        self.allowed(found, value, minus, ty)
    }

    /// Bounds that a place has and the quantity by itself has not.
    fn allowed(&mut self, found: Quantity, value: &Value, minus: bool, ty: &Type) -> Option<Value> {
        let negative = match &found {
            Quantity::Duration(q) => minus || q.0.is_negative(),
            Quantity::Bytes(q) => minus || q.0.is_negative(),
            Quantity::Bandwidth(q) => minus || q.0.is_negative(),
            Quantity::Power(q) => minus || q.0.is_negative(),
            Quantity::Energy(q) => minus || q.0.is_negative(),
            _ => false,
        };
        if negative {
            let message = format!("{} may not be negative here: {found}", found.type_name());
            return self.fault(codes::OUT_OF_RANGE, message, None);
        }
        if let (Quantity::Money(money), Type::Money(forms)) = (&found, ty)
            && !forms.is_empty()
            && !forms.iter().any(|form| **form == *money.per_text())
        {
            let given = match money.per_text().as_str() {
                "" => "a total".to_owned(),
                per => format!("per {per}"),
            };
            let message = format!("{} is wanted, not money that is {given}: {money}", ty.describe());
            // A sum of a text may be put right by what it is per; per another thing the amount is another.
            let help = match value {
                Value::String(text) if money.per_text().is_empty() => in_forms(text, forms),
                _ => format!("write {}", forms_text(forms)),
            };
            return self.fault(codes::WRONG_PER, message, Some(help));
        }
        Some(Value::Quantity(found))
    }

    /// A number without a unit: a range takes it, for all others it lacks something.
    fn bare_number(&mut self, value: &Value, number: &Number, ty: &Type) -> Option<Value> {
        match ty {
            Type::Range => match number.to_u64() {
                Some(number) => Some(Range::exactly(number).into()),
                None => {
                    let message = format!("a range goes over whole numbers from 0, not {number}");
                    self.fault(codes::OUT_OF_RANGE, message, None)
                }
            },
            Type::Percent => {
                let share = number.checked_mul(&100_u64.into()).unwrap_or_default();
                let help = if *number <= Number::ONE {
                    format!("a plain number is no percentage: write \"{share}%\"")
                } else {
                    format!("a plain number is no percentage: write \"{number}%\"")
                };
                self.wrong(value, ty, Some(help))
            }
            Type::Version | Type::Constraint => {
                self.wrong(value, ty, Some("write it in quotes: as a number 1.30 would be 1.3".into()))
            }
            Type::Duration | Type::Bytes | Type::Bandwidth | Type::Power | Type::Energy | Type::Money(_) => {
                let digits = number.to_string();
                let write = match ty {
                    Type::Duration => format!("write {}", Duration::with_units(&digits)),
                    Type::Bytes => format!("write {}", Bytes::with_units(&digits)),
                    Type::Bandwidth => format!("write {}", Bandwidth::with_units(&digits)),
                    Type::Power => format!("write {}", Power::with_units(&digits)),
                    Type::Energy => format!("write {}", Energy::with_units(&digits)),
                    Type::Money(forms) if !forms.is_empty() => in_forms(&cents(number), forms),
                    _ => in_forms(&cents(number), &[Arc::from("")]),
                };
                self.wrong(value, ty, Some(format!("a bare number has no unit: {write}")))
            }
            _ => self.wrong(value, ty, Some("write it in quotes".into())),
        }
    }

    /// A list of names, each of which may have ranges.
    fn hosts(&mut self, items: &[Value]) -> Option<Value> {
        let mut names = Vec::new();
        for item in items {
            let Ok(text) = to_text(item) else { return self.wrong(item, &Type::Hosts, None) };
            match Hosts::parse(&text) {
                Ok(mut hosts) => names.append(&mut hosts.0),
                Err(error) => return self.unit(error),
            }
        }
        match Hosts::from_names(names) {
            Ok(hosts) => Some(hosts.into()),
            Err(error) => self.unit(error),
        }
    }
}

/// An amount as money is written: 1.90 is the number 1.9.
fn cents(number: &Number) -> String {
    let rounded = number.round_half_even(2);
    if *number == rounded && !number.is_integer() { number.to_decimal_string(2) } else { number.to_string() }
}

fn forms_text(forms: &[Arc<str>]) -> String {
    let forms: Vec<String> = forms
        .iter()
        .map(|form| if form.is_empty() { "a total, without `/`".into() } else { format!("`/{form}`") })
        .collect();
    forms.join(" or ")
}

fn fits(quantity: &Quantity, ty: &Type) -> bool {
    matches!(
        (quantity, ty),
        (Quantity::Duration(_), Type::Duration)
            | (Quantity::Bytes(_), Type::Bytes)
            | (Quantity::Bandwidth(_), Type::Bandwidth)
            | (Quantity::Power(_), Type::Power)
            | (Quantity::Energy(_), Type::Energy)
            | (Quantity::Money(_), Type::Money(_))
            | (Quantity::Percent(_), Type::Percent)
            | (Quantity::Range(_), Type::Range)
            | (Quantity::Hosts(_), Type::Hosts)
            | (Quantity::Date(_), Type::Date)
            | (Quantity::Version(_), Type::Version)
            | (Quantity::Pattern(_), Type::Pattern)
            | (Quantity::Taint(_), Type::Taint)
    )
}

fn parse(text: &str, ty: &Type) -> Option<Result<Quantity, crate::quantity::UnitError>> {
    Some(match ty {
        Type::Duration => Duration::parse(text).map(Quantity::from),
        Type::Bytes => Bytes::parse(text).map(Quantity::from),
        Type::Bandwidth => Bandwidth::parse(text).map(Quantity::from),
        Type::Power => Power::parse(text).map(Quantity::from),
        Type::Energy => Energy::parse(text).map(Quantity::from),
        Type::Money(forms) => Money::parse_as(text, forms).map(Quantity::from),
        Type::Percent => Percent::parse(text).map(Quantity::from),
        Type::Range => Range::parse(text).map(Quantity::from),
        Type::Hosts => Hosts::parse(text).map(Quantity::from),
        Type::Date => Date::parse(text).map(Quantity::from),
        Type::Version => Version::parse(text).map(Quantity::from),
        Type::Pattern => Pattern::parse(text).map(Quantity::from),
        Type::Taint => Taint::parse(text).map(Quantity::from),
        _ => return None,
    })
}
