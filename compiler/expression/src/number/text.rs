//! Numbers as text, both ways.

use std::fmt;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::{MAX_DIGITS, Number, NumberError, Repr, divide_half_even};

impl Number {
    /// HCL number text: digits, an optional fraction, an optional exponent; a leading `-` is taken.
    /// `1e1000000000` costs nothing: it is refused before anything is computed.
    ///
    /// # Errors
    /// [`NumberError::Syntax`], [`NumberError::TooLarge`]
    pub fn parse(text: &str) -> Result<Self, NumberError> {
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
            None => (digits, 0),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((_, "")) => return Err(NumberError::Syntax),
            Some((whole, fraction)) => (whole, fraction),
            None => (mantissa, ""),
        };
        let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !is_digits(whole) || !is_digits(fraction) {
            return Err(NumberError::Syntax);
        }
        let count = (whole.len() + fraction.len()) as u64;
        if count + exponent.unsigned_abs() > MAX_DIGITS {
            return Err(NumberError::TooLarge);
        }
        if fraction.is_empty()
            && exponent == 0
            && let Ok(small) = whole.parse::<i64>()
        {
            return Ok(Self::from(if negative { -small } else { small }));
        }
        let all =
            BigInt::parse_bytes(format!("{whole}{fraction}").as_bytes(), 10).ok_or(NumberError::Syntax)?;
        let all = if negative { -all } else { all };
        let scale = exponent - fraction.len() as i64;
        let power = BigInt::from(10).pow(u32::try_from(scale.unsigned_abs()).unwrap_or(u32::MAX));
        Ok(if scale >= 0 { Self::normal(all * power, BigInt::one()) } else { Self::normal(all, power) })
    }

    /// Exactly so many decimals, half to even: `2.345` to 2 is `2.34`.
    #[must_use]
    pub fn to_decimal_string(&self, decimals: u32) -> String {
        point(&self.scaled_half_even(decimals), i64::from(decimals))
    }

    /// The exact decimal, without zeros at the end, if it ends.
    #[must_use]
    pub fn to_exact_decimal(&self) -> Option<String> {
        let decimals = self.decimals()?;
        Some(self.to_decimal_string(decimals))
    }

    /// How many decimals the exact form has; `None`: it does not end.
    #[must_use]
    pub fn decimals(&self) -> Option<u32> {
        let (_, mut denominator) = match &self.0 {
            Repr::Small(_, 1) => return Some(0),
            _ => self.to_big(),
        };
        let twos = denominator.trailing_zeros().unwrap_or(0);
        denominator >>= twos;
        let five = BigInt::from(5);
        let mut fives = 0_u64;
        loop {
            let (quotient, rest) = denominator.div_rem(&five);
            if !rest.is_zero() {
                break;
            }
            denominator = quotient;
            fives += 1;
        }
        if denominator.is_one() { u32::try_from(twos.max(fives)).ok() } else { None }
    }

    /// Rounded to so many significant digits, half to even, without zeros after the last decimal.
    #[must_use]
    pub fn significant(&self, digits: u32) -> String {
        if self.is_zero() {
            return "0".into();
        }
        let (value, decimals) = self.leading(digits);
        let text = point(&value, decimals);
        if decimals > 0 { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    }

    /// So many significant digits, rounded half to even, without sign and point, and the exponent of ten of the first.
    #[must_use]
    pub fn scientific(&self, digits: u32) -> (String, i64) {
        let digits = digits.max(1);
        if self.is_zero() {
            return ("0".repeat(digits as usize), 0);
        }
        let (value, decimals) = self.leading(digits);
        let mut text = value.magnitude().to_string();
        let exponent = text.len() as i64 - 1 - decimals;
        // Rounded up to the next power of ten it has a digit more, a zero.
        text.truncate(digits as usize);
        (text, exponent)
    }

    /// As [`Number::scientific`], with as many digits as its text has: all of them if they end, else 20.
    #[must_use]
    pub fn shortest(&self) -> (String, i64) {
        let text = self.abs().to_string();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let all = format!("{whole}{fraction}");
        let digits = all.trim_start_matches('0');
        if digits.is_empty() {
            return ("0".into(), 0);
        }
        let exponent = whole.len() as i64 - 1 - (all.len() - digits.len()) as i64;
        (digits.trim_end_matches('0').to_owned(), exponent)
    }

    /// `value / 10^decimals`, where `value` has so many digits (one more if it was rounded up to a power of ten). The
    /// number is not 0.
    fn leading(&self, digits: u32) -> (BigInt, i64) {
        let (n, d) = self.to_big();
        let length = |value: &BigInt| value.magnitude().to_string().len() as i64;
        // The number of digits before the point is this or one less.
        let before = length(&n) - length(&d) + 1;
        let scaled = |decimals: i64| {
            let power = BigInt::from(10).pow(u32::try_from(decimals.unsigned_abs()).unwrap_or(u32::MAX));
            if decimals >= 0 {
                divide_half_even(&n * power, &d)
            } else {
                divide_half_even(n.clone(), &(&d * power))
            }
        };
        let decimals = i64::from(digits) - before;
        let value = scaled(decimals);
        if length(&value) < i64::from(digits) {
            (scaled(decimals + 1), decimals + 1)
        } else {
            (value, decimals)
        }
    }

    /// `n/d` in full: the exact form of a number that has no decimal one.
    pub(super) fn fraction(&self) -> String {
        let (n, d) = self.to_big();
        format!("{n}/{d}")
    }

    /// What [`Number::fraction`] wrote.
    pub(super) fn parse_fraction(text: &str) -> Result<Self, NumberError> {
        let (n, d) = text.split_once('/').ok_or(NumberError::Syntax)?;
        Self::parse(n)?.checked_div(&Self::parse(d)?)
    }
}

/// The text of `value / 10^decimals`.
fn point(value: &BigInt, decimals: i64) -> String {
    let sign = if value.is_negative() { "-" } else { "" };
    let digits = value.magnitude().to_string();
    let Ok(after) = usize::try_from(decimals) else {
        let zeros = "0".repeat(usize::try_from(decimals.unsigned_abs()).unwrap_or(0));
        return format!("{sign}{digits}{zeros}");
    };
    if after == 0 {
        return format!("{sign}{digits}");
    }
    let digits = format!("{digits:0>width$}", width = after + 1);
    let (whole, fraction) = digits.split_at(digits.len() - after);
    format!("{sign}{whole}.{fraction}")
}

fn parse_exponent(text: &str) -> Result<i64, NumberError> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NumberError::Syntax);
    }
    let significant = digits.trim_start_matches('0');
    if significant.len() > 5 {
        return Err(NumberError::TooLarge);
    }
    let value =
        if significant.is_empty() { 0 } else { significant.parse().map_err(|_| NumberError::TooLarge)? };
    Ok(if text.starts_with('-') { -value } else { value })
}

/// Exact if it ends, else 20 significant digits.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(n, 1) => write!(f, "{n}"),
            _ => f.write_str(&self.to_exact_decimal().unwrap_or_else(|| self.significant(20))),
        }
    }
}

impl std::str::FromStr for Number {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        Self::parse(text)
    }
}
