//! Whole numbers in other bases than ten.

use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::{MAX_DIGITS, Number, NumberError, Repr};

impl Number {
    /// The digits of a whole number in a base from 2 to 36, lower case, with its sign. `None`: it has a fraction.
    #[must_use]
    pub fn to_radix(&self, base: u32) -> Option<String> {
        match &self.0 {
            Repr::Small(n, 1) => Some(BigInt::from(*n).to_str_radix(base)),
            Repr::Big(parts) if parts.1.is_one() => Some(parts.0.to_str_radix(base)),
            _ => None,
        }
    }

    /// A whole number of its digits in a base from 2 to 62, with an optional sign. Up to base 36 capitals are the same
    /// as small letters; above it they are the digits from 36.
    ///
    /// # Errors
    /// [`NumberError::Syntax`], [`NumberError::TooLarge`]
    pub fn from_radix(text: &str, base: u32) -> Result<Self, NumberError> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        if digits.is_empty() {
            return Err(NumberError::Syntax);
        }
        if digits.len() as u64 > MAX_DIGITS {
            return Err(NumberError::TooLarge);
        }
        let mut value = BigInt::zero();
        for c in digits.chars() {
            let digit = match c {
                'A'..='Z' if base > 36 => u32::from(c) - u32::from('A') + 36,
                _ => c.to_digit(36).ok_or(NumberError::Syntax)?,
            };
            if digit >= base {
                return Err(NumberError::Syntax);
            }
            value = value * base + digit;
        }
        Self::from_big(if negative { -value } else { value }, BigInt::one())
    }
}
