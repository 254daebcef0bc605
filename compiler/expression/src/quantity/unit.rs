//! Numbers followed by a unit, and why a text is none.

use poolwright_diagnostics::{Code, beside, did_you_mean};

use crate::{Number, NumberError, codes};

/// Why a text is no quantity of the wanted kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitError {
    /// The code of the diagnostic to make of it.
    pub code: Code,
    /// One sentence: the text and what is wrong with it.
    pub message: String,
    /// What to write instead, if it is known.
    pub help: Option<String>,
}

impl UnitError {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { code: codes::BAD_QUANTITY, message: message.into(), help: Some(help.into()) }
    }

    pub(crate) fn coded(mut self, code: Code) -> Self {
        self.code = code;
        self
    }
}

impl std::fmt::Display for UnitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for UnitError {}

/// The units of one kind of quantity.
pub(super) struct Units {
    /// The kind in words: `a duration`.
    pub(super) what: &'static str,
    /// A good text.
    pub(super) example: &'static str,
    /// Each unit and how many base units it has.
    pub(super) units: &'static [(&'static str, u64)],
    /// Units that were probably meant by a number without one, the likeliest first.
    pub(super) usual: &'static [&'static str],
    /// What people write for a unit, and the units that they may mean, each with what tells it from the others.
    pub(super) mistaken: &'static [(&'static str, &'static [(&'static str, &'static str)])],
    /// What people write for a unit that there is not: the reason.
    pub(super) refused: &'static [(&'static str, &'static str)],
}

impl Units {
    /// `8.5kW` in base units.
    pub(super) fn parse(&self, text: &str) -> Result<Number, UnitError> {
        let (number, unit) = self.number(text, text)?;
        let factor = self.factor(text, rest_before(text, unit), unit)?;
        self.times(text, &number, factor)
    }

    /// A number at the start of `rest`, and what follows it. `text` is the whole, for messages.
    pub(super) fn number<'a>(&self, text: &str, rest: &'a str) -> Result<(Number, &'a str), UnitError> {
        let sign = usize::from(rest.starts_with('-'));
        let end = rest
            .char_indices()
            .skip(sign)
            .find(|(_, c)| !c.is_ascii_digit() && *c != '.')
            .map_or(rest.len(), |(at, _)| at);
        let (digits, unit) = rest.split_at(end);
        match Number::parse(digits) {
            Ok(number) => Ok((number, unit)),
            Err(NumberError::TooLarge) => Err(self.too_large(text)),
            Err(_) => Err(UnitError::new(
                format!("\"{text}\" is not {}", self.what),
                format!("{} is written like \"{}\"", self.what, self.example),
            )),
        }
    }

    /// How many base units a unit has. `before` is what stands before the unit in `text`.
    pub(super) fn factor(&self, text: &str, before: &str, unit: &str) -> Result<u64, UnitError> {
        if let Some((_, factor)) = self.units.iter().find(|(name, _)| *name == unit) {
            return Ok(*factor);
        }
        if unit.is_empty() {
            return Err(UnitError::new(
                format!("\"{text}\" is not {}: the unit is missing", self.what),
                format!("write a unit after the number: {}", self.with_units(before)),
            ));
        }
        let message = format!("\"{text}\" is not {}: \"{unit}\" is no unit of it", self.what);
        if let Some((_, advice)) = self.refused.iter().find(|(name, _)| *name == unit) {
            return Err(UnitError::new(message, *advice));
        }
        let after = text.get(before.len() + unit.len()..).unwrap_or("");
        let whole = |unit: &str| format!("\"{before}{unit}{after}\"");
        if let Some((_, meant)) = self.mistaken.iter().find(|(name, _)| *name == unit) {
            if let [(unit, which)] = meant
                && !which.is_empty()
            {
                let help = format!("{which} are written \"{unit}\": {}", whole(unit));
                return Err(UnitError::new(message, help));
            }
            let meant: Vec<String> = meant
                .iter()
                .map(
                    |(unit, which)| {
                        if which.is_empty() { whole(unit) } else { format!("{} ({which})", whole(unit)) }
                    },
                )
                .collect();
            return Err(UnitError::new(message, format!("write {}", meant.join(" or "))));
        }
        let trimmed = unit.trim();
        let same = |(name, _): &&(&'static str, u64)| *name == trimmed;
        let close = self
            .units
            .iter()
            .find(same)
            .or_else(|| self.units.iter().find(|(name, _)| name.eq_ignore_ascii_case(trimmed)));
        let close = close.map(|(name, _)| *name).or_else(|| {
            // Any one letter is near to any other: then only keys count that are beside each other.
            let names = self.units.iter().map(|(name, _)| *name);
            let letter = |text: &str| text.chars().next().filter(|first| first.len_utf8() == text.len());
            match letter(trimmed) {
                Some(one) => names.into_iter().find(|name| letter(name).is_some_and(|it| beside(it, one))),
                None => did_you_mean(trimmed, names).first().copied(),
            }
        });
        let help = match close {
            Some(close) if trimmed != unit => {
                format!("write the unit right after the number, without spaces: {}", whole(close))
            }
            Some(close) => format!("did you mean {}? {}", whole(close), self.list()),
            None => self.list(),
        };
        Err(UnitError::new(message, help))
    }

    /// A number with each unit that was probably meant: `"2000GiB"`, `"90s", "90m" or "90h"`.
    pub(super) fn with_units(&self, number: &str) -> String {
        let written: Vec<String> = self.usual.iter().map(|unit| format!("\"{number}{unit}\"")).collect();
        match written.split_last() {
            Some((last, before)) if !before.is_empty() => format!("{} or {last}", before.join(", ")),
            _ => written.concat(),
        }
    }

    pub(super) fn times(&self, text: &str, number: &Number, factor: u64) -> Result<Number, UnitError> {
        number.checked_mul(&factor.into()).map_err(|_| self.too_large(text))
    }

    pub(super) fn too_large(&self, text: &str) -> UnitError {
        let start: String = text.chars().take(20).collect();
        UnitError::new(format!("\"{start}…\" has more than 10,000 digits"), "write a smaller number")
            .coded(codes::NUMBER_TOO_LARGE)
    }

    fn list(&self) -> String {
        let names: Vec<&str> = self.units.iter().map(|(name, _)| *name).collect();
        format!("units of {}: {}", self.what, names.join(", "))
    }
}

/// What stands before the unit that ends a text.
fn rest_before<'a>(text: &'a str, unit: &str) -> &'a str {
    text.strip_suffix(unit).unwrap_or(text)
}

/// The number in the largest of these units in which it is whole, else in the last: the number's text and the unit.
/// Units go from large to small; the last has the factor 1.
pub(super) fn largest_whole(number: &Number, units: &[(&'static str, u64)]) -> (Number, &'static str) {
    for (name, factor) in units {
        if let Ok(value) = number.checked_div(&Number::from(*factor))
            && value.is_integer()
            && !value.is_zero()
        {
            return (value, name);
        }
    }
    (number.clone(), units.last().map_or("", |(name, _)| name))
}

/// The number in the largest of these units in which it is at least 1.
pub(super) fn largest_above_one(number: &Number, units: &[(&'static str, u64)]) -> (Number, &'static str) {
    let size = number.abs();
    for (name, factor) in units {
        if size >= Number::from(*factor)
            && let Ok(value) = number.checked_div(&Number::from(*factor))
        {
            return (value, name);
        }
    }
    (number.clone(), units.last().map_or("", |(name, _)| name))
}
