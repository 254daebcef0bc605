//! Money, per what and per which time.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use poolwright_diagnostics::did_you_mean;

use super::unit::UnitError;
use super::{Count, CountUnit, Duration};
use crate::{Number, NumberError, codes};

/// Money, perhaps per GPU, node or kWh, perhaps per time. Ordered only through [`Money::compare`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Money {
    /// How much, in the currency's main unit.
    pub amount: Number,
    /// ISO 4217: three capital letters.
    pub currency: Currency,
    /// Per what.
    pub per: Option<PerUnit>,
    /// Per which time.
    pub time: Option<PerTime>,
}

/// An ISO 4217 code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency(pub [u8; 3]);

/// What money is counted per.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PerUnit {
    /// `/gpu`
    Gpu,
    /// `/node`
    Node,
    /// `/kWh`
    KilowattHour,
}

/// The time that money is counted per. A month has 730 h, a year 8760 h.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PerTime {
    /// `/h`
    Hour,
    /// `/day`
    Day,
    /// `/month`
    Month,
    /// `/year`
    Year,
}

/// Why an operation on money has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoneyError {
    /// Two currencies; only a price book's `rates` can bring them together.
    Currency,
    /// Money per different things, or a total and a rate.
    Per,
    /// The numbers.
    Number(NumberError),
}

impl From<NumberError> for MoneyError {
    fn from(error: NumberError) -> Self {
        Self::Number(error)
    }
}

impl fmt::Display for MoneyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Currency => f.write_str("different currencies"),
            Self::Per => f.write_str("money per different things"),
            Self::Number(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MoneyError {}

impl Currency {
    /// `$`
    pub const USD: Self = Self(*b"USD");
    /// `€`
    pub const EUR: Self = Self(*b"EUR");
    /// `£`
    pub const GBP: Self = Self(*b"GBP");

    /// Three capital letters.
    ///
    /// # Errors
    /// The text is something else.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        match <[u8; 3]>::try_from(text.as_bytes()) {
            Ok(code) if code.iter().all(u8::is_ascii_uppercase) => Ok(Self(code)),
            _ => Err(UnitError::new(
                format!("\"{text}\" is not a currency"),
                "a currency is its three-letter code in capitals: \"USD\", \"EUR\", \"CNY\"",
            )),
        }
    }

    fn symbol(self) -> Option<&'static str> {
        match self {
            Self::USD => Some("$"),
            Self::EUR => Some("€"),
            Self::GBP => Some("£"),
            _ => None,
        }
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{}", char::from(*byte)))
    }
}

impl PerUnit {
    /// `gpu`, `node`, `kWh`
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gpu => "gpu",
            Self::Node => "node",
            Self::KilowattHour => "kWh",
        }
    }
}

impl PerTime {
    /// `h`, `day`, `month`, `year`
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hour => "h",
            Self::Day => "day",
            Self::Month => "month",
            Self::Year => "year",
        }
    }

    /// Its length in hours: 1, 24, 730, 8760.
    #[must_use]
    pub fn hours(self) -> u32 {
        match self {
            Self::Hour => 1,
            Self::Day => 24,
            Self::Month => 730,
            Self::Year => 8760,
        }
    }
}

impl Money {
    /// A sum of money per nothing.
    pub fn total(amount: impl Into<Number>, currency: Currency) -> Self {
        Self { amount: amount.into(), currency, per: None, time: None }
    }

    /// What it is per, as in the literal after the first slash: `gpu/h`, `month`; empty for a total.
    #[must_use]
    pub fn per_text(&self) -> String {
        per_text(self.per, self.time)
    }

    /// As it is written in a fleet, exactly: `$500000/month`.
    #[must_use]
    pub fn literal(&self) -> String {
        let sign = if self.amount.is_negative() { "-" } else { "" };
        let currency = self.currency.symbol().map_or_else(|| format!("{} ", self.currency), str::to_owned);
        let per = self.per_text();
        let slash = if per.is_empty() { "" } else { "/" };
        format!("{sign}{currency}{}{slash}{per}", self.amount.abs())
    }

    /// The same money per another time; `None` if it is per no time.
    #[must_use]
    pub fn to_time(&self, time: PerTime) -> Option<Self> {
        let from = self.time?;
        let factor = Number::ratio(time.hours().into(), from.hours().into())?;
        Some(Self { amount: self.amount.checked_mul(&factor).ok()?, time: Some(time), ..self.clone() })
    }

    /// By value, across times: `$16.80/h` equals `$12264/month`.
    ///
    /// # Errors
    /// Two currencies, or per different things.
    pub fn compare(&self, other: &Self) -> Result<Ordering, MoneyError> {
        Ok(self.amount.cmp(&self.aligned(other)?.amount))
    }

    /// A sum, per the time of the first.
    ///
    /// # Errors
    /// Two currencies, or per different things.
    pub fn checked_add(&self, other: &Self) -> Result<Self, MoneyError> {
        self.with_amount(self.amount.checked_add(&self.aligned(other)?.amount))
    }

    /// A difference, per the time of the first.
    ///
    /// # Errors
    /// Two currencies, or per different things.
    pub fn checked_sub(&self, other: &Self) -> Result<Self, MoneyError> {
        self.with_amount(self.amount.checked_sub(&self.aligned(other)?.amount))
    }

    /// So many times as much.
    ///
    /// # Errors
    /// [`MoneyError::Number`]
    pub fn checked_mul(&self, factor: &Number) -> Result<Self, MoneyError> {
        self.with_amount(self.amount.checked_mul(factor))
    }

    /// A part of it.
    ///
    /// # Errors
    /// [`MoneyError::Number`]
    pub fn checked_div(&self, divisor: &Number) -> Result<Self, MoneyError> {
        self.with_amount(self.amount.checked_div(divisor))
    }

    /// How many times the other it is.
    ///
    /// # Errors
    /// Two currencies, per different things, or the other is 0.
    pub fn ratio(&self, other: &Self) -> Result<Number, MoneyError> {
        Ok(self.amount.checked_div(&self.aligned(other)?.amount)?)
    }

    /// Money per time over a duration.
    ///
    /// # Errors
    /// [`MoneyError::Per`] if it is per no time.
    pub fn times_duration(&self, duration: &Duration) -> Result<Self, MoneyError> {
        let hourly = self.to_time(PerTime::Hour).ok_or(MoneyError::Per)?;
        let hours = duration.0.checked_div(&3600_u64.into())?;
        Ok(Self { amount: hourly.amount.checked_mul(&hours)?, time: None, ..hourly })
    }

    /// Money per GPU for so many GPUs, or per node for so many nodes.
    ///
    /// # Errors
    /// [`MoneyError::Per`] if it is per something else.
    pub fn times_count(&self, count: &Count) -> Result<Self, MoneyError> {
        let fits = matches!(
            (self.per, count.unit),
            (Some(PerUnit::Gpu), CountUnit::Gpus) | (Some(PerUnit::Node), CountUnit::Nodes)
        );
        if !fits {
            return Err(MoneyError::Per);
        }
        Ok(Self { amount: self.amount.checked_mul(&count.number)?, per: None, ..self.clone() })
    }

    /// With the other sign.
    #[must_use]
    pub fn neg(&self) -> Self {
        Self { amount: self.amount.neg(), ..self.clone() }
    }

    /// The other money per the time of this one.
    fn aligned(&self, other: &Self) -> Result<Self, MoneyError> {
        if self.currency != other.currency {
            return Err(MoneyError::Currency);
        }
        if self.per != other.per || self.time.is_some() != other.time.is_some() {
            return Err(MoneyError::Per);
        }
        match self.time {
            Some(time) => other.to_time(time).ok_or(MoneyError::Number(NumberError::TooLarge)),
            None => Ok(other.clone()),
        }
    }

    fn with_amount(&self, amount: Result<Number, NumberError>) -> Result<Self, MoneyError> {
        Ok(Self { amount: amount?, ..self.clone() })
    }
}

fn per_text(per: Option<PerUnit>, time: Option<PerTime>) -> String {
    let parts: Vec<&str> = per.map(PerUnit::as_str).into_iter().chain(time.map(PerTime::as_str)).collect();
    parts.join("/")
}

/// `gpu/h`, `node`, `month`, or nothing.
pub(super) fn parse_per(text: &str) -> Option<(Option<PerUnit>, Option<PerTime>)> {
    let mut rest = if text.is_empty() { Vec::new() } else { text.split('/').collect() };
    let mut take = |names: &[&str]| {
        let found = rest.first().and_then(|part| names.iter().position(|name| name == part));
        found.inspect(|_| {
            rest.remove(0);
        })
    };
    let per = match take(&["gpu", "node", "kWh"]) {
        Some(0) => Some(PerUnit::Gpu),
        Some(1) => Some(PerUnit::Node),
        Some(_) => Some(PerUnit::KilowattHour),
        None => None,
    };
    let time = match take(&["h", "day", "month", "year"]) {
        Some(0) => Some(PerTime::Hour),
        Some(1) => Some(PerTime::Day),
        Some(2) => Some(PerTime::Month),
        Some(_) => Some(PerTime::Year),
        None => None,
    };
    rest.is_empty().then_some((per, time))
}

const FORM: &str =
    "money is written like \"$2.10/gpu/h\", \"€300/node\", \"CNY 14.5/gpu/h\" or \"$120000/month\"";
const PER: &str =
    "money is per gpu, node or kWh, then per h, day, month or year: \"$2.10/gpu/h\", \"$120000/month\"";

impl Money {
    /// `$2.10/gpu/h`, `€300/node`, `CNY 14.5/gpu/h`, `$120000/month`, `$470,248.94`, `-$5`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        Self::parse_as(text, &[])
    }

    fn read(text: &str) -> Result<Self, UnitError> {
        let fail = |why: &str, help: &str| {
            UnitError::new(format!("\"{text}\" is not an amount of money{why}"), help)
        };
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        if rest.starts_with(['¥', '￥']) {
            return Err(fail(
                ": \"¥\" is both yuan and yen",
                "write the currency's code: \"CNY 14.5\" or \"JPY 300\"",
            )
            .coded(codes::AMBIGUOUS_CURRENCY));
        }
        let (currency, rest) = currency_of(rest).ok_or_else(|| {
            if rest.starts_with(|c: char| c.is_ascii_digit()) {
                if named_currency(rest).is_some() {
                    fail(": the currency stands first", FORM)
                } else {
                    fail(": the currency is missing", FORM)
                }
            } else {
                fail("", FORM)
            }
        })?;
        let (digits, per) = rest.split_once('/').map_or((rest, None), |(digits, per)| (digits, Some(per)));
        let amount = ungrouped(digits)
            .ok_or_else(|| fail(&format!(": \"{digits}\" is not a number"), FORM))
            .and_then(|digits| {
                Number::parse(&digits).map_err(|error| match error {
                    NumberError::TooLarge => fail(": too many digits", FORM).coded(codes::NUMBER_TOO_LARGE),
                    _ => fail(&format!(": \"{digits}\" is not a number"), FORM),
                })
            })?;
        let (per, time) = match per {
            None => (None, None),
            Some("") => return Err(fail(": nothing follows the \"/\"", PER)),
            Some(per) => parse_per(per).ok_or_else(|| fail(&format!(": it cannot be per \"{per}\""), PER))?,
        };
        let amount = if negative { amount.neg() } else { amount };
        Ok(Self { amount, currency, per, time })
    }
}

fn currency_of(text: &str) -> Option<(Currency, &str)> {
    for currency in [Currency::USD, Currency::EUR, Currency::GBP] {
        if let Some(rest) = currency.symbol().and_then(|symbol| text.strip_prefix(symbol)) {
            return Some((currency, rest));
        }
    }
    let (code, rest) = text.split_at_checked(3)?;
    Some((Currency::parse(code).ok()?, rest.strip_prefix(' ')?))
}

/// Digits without the commas between groups of three; `None` for anything that is not a plain decimal number.
fn ungrouped(digits: &str) -> Option<String> {
    if !digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b',') {
        return None;
    }
    let (whole, fraction) =
        digits.split_once('.').map_or((digits, None), |(whole, rest)| (whole, Some(rest)));
    if fraction.is_some_and(|fraction| fraction.contains(',')) {
        return None;
    }
    if whole.contains(',') {
        let mut groups = whole.split(',');
        let first = groups.next().map_or(0, str::len);
        if !(1..=3).contains(&first) || groups.any(|group| group.len() != 3) {
            return None;
        }
    }
    Some(digits.replace(',', ""))
}

impl Money {
    /// As [`Money::parse`], at a place that takes these forms (`gpu/h`, `month`; none: all): the help of an error is
    /// the text as it has to be written there, where that can be told.
    pub(crate) fn parse_as(text: &str, forms: &[Arc<str>]) -> Result<Self, UnitError> {
        Self::read(text).map_err(|error| {
            if error.code == codes::AMBIGUOUS_CURRENCY {
                return error;
            }
            match respelt(text, forms) {
                Some(help) => UnitError { help: Some(help), ..error },
                None => error,
            }
        })
    }
}

/// An amount, or money per nothing, as it is written at a place that takes these forms: `write "$1.90/gpu/h" or
/// "$1.90/node/h"`.
pub(crate) fn in_forms(amount: &str, forms: &[Arc<str>]) -> String {
    let first = amount.trim_start_matches('-');
    let currency = if first.starts_with(|c: char| c.is_ascii_digit()) { "$" } else { "" };
    let sign = if first.len() < amount.len() { "-" } else { "" };
    // A budget may be per anything from an hour to a year; people think of it per month.
    let month = forms.iter().position(|form| **form == *"month").filter(|_| forms.len() > 2);
    let written: Vec<String> = forms
        .iter()
        .enumerate()
        .filter(|(index, _)| month.is_none_or(|month| month == *index))
        .map(|(_, form)| {
            let slash = if form.is_empty() { "" } else { "/" };
            format!("\"{sign}{currency}{first}{slash}{form}\"")
        })
        .collect();
    match written.split_last() {
        Some((last, before)) if !before.is_empty() => format!("write {} or {last}", before.join(", ")),
        _ => format!("write {}", written.concat()),
    }
}

/// What a text that is no money was meant to be, as a help.
fn respelt(text: &str, forms: &[Arc<str>]) -> Option<String> {
    let (amount, per) = text.split_once('/').unwrap_or((text, ""));
    let amount = amount.trim();
    let digits = amount.trim_matches(|c: char| !c.is_ascii_digit() && c != '-').trim_start_matches('-');
    ungrouped(digits)?;
    let sign = if amount.starts_with('-') { "-" } else { "" };
    let amount = match named_currency(amount) {
        Some(code) => match Currency::parse(&code).ok().and_then(Currency::symbol) {
            Some(symbol) => format!("{sign}{symbol}{digits}"),
            None => format!("{sign}{code} {digits}"),
        },
        None => format!("{sign}{digits}"),
    };
    if per.is_empty() {
        return (!forms.is_empty()).then(|| in_forms(&amount, forms));
    }
    let spelt = respelt_per(per)?;
    let fits: Vec<Arc<str>> = forms.iter().filter(|form| ***form == *spelt).cloned().collect();
    match (fits.is_empty(), forms.is_empty()) {
        (false, _) => Some(in_forms(&amount, &fits)),
        (true, true) => Some(in_forms(&amount, &[Arc::from(spelt)])),
        // Per something that is not taken here: how much it is per another thing is not known.
        (true, false) => None,
    }
}

/// The currency that a text names, by its symbol or its code, wherever it stands.
fn named_currency(text: &str) -> Option<String> {
    let amount = text.split('/').next().unwrap_or(text);
    let symbols = [('$', "USD"), ('€', "EUR"), ('£', "GBP")];
    if let Some((_, code)) = symbols.iter().find(|(symbol, _)| amount.contains(*symbol)) {
        return Some((*code).to_owned());
    }
    let letters: String = amount.chars().filter(char::is_ascii_alphabetic).collect();
    (letters.len() == 3).then(|| letters.to_ascii_uppercase())
}

/// What follows the first slash, in the words of the language: `gpu-hour` is `gpu/h`.
fn respelt_per(per: &str) -> Option<String> {
    let parts: Vec<&str> = per.split(['/', '-', ' ', '*']).filter(|part| !part.is_empty()).collect();
    let spelt: Option<Vec<&str>> = parts
        .into_iter()
        .map(|part| match part {
            "hour" | "hr" | "hours" | "H" | "hourly" => Some("h"),
            "d" | "days" => Some("day"),
            "mo" | "m" | "months" => Some("month"),
            "y" | "yr" | "years" => Some("year"),
            "gpus" | "GPU" => Some("gpu"),
            "nodes" | "host" | "instance" => Some("node"),
            "gpuh" => Some("gpu/h"),
            "gpu" | "node" | "kWh" | "h" | "day" | "month" | "year" => {
                ["gpu", "node", "kWh", "h", "day", "month", "year"].into_iter().find(|known| *known == part)
            }
            other => {
                did_you_mean(other, ["gpu", "node", "kWh", "h", "day", "month", "year"]).first().copied()
            }
        })
        .collect();
    let spelt = spelt?.join("/");
    parse_per(&spelt).map(|_| spelt)
}

/// Totals and rates of totals have 2 decimals, prices per unit 4, half to even: `$470,248.94/month`, `$2.1000/gpu/h`.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = if self.per.is_some() { 4 } else { 2 };
        let rounded = self.amount.round_half_even(decimals);
        let text = rounded.abs().to_decimal_string(decimals);
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        if rounded.is_negative() {
            f.write_str("-")?;
        }
        match self.currency.symbol() {
            Some(symbol) => f.write_str(symbol)?,
            None => write!(f, "{} ", self.currency)?,
        }
        for (index, digit) in whole.chars().enumerate() {
            if index > 0 && (whole.len() - index).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        write!(f, ".{fraction}")?;
        let per = self.per_text();
        if per.is_empty() { Ok(()) } else { write!(f, "/{per}") }
    }
}
