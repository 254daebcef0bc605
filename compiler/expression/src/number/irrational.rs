//! Logarithms and roots: results that are no fractions.
//!
//! They are rounded to [`DIGITS`] significant digits, half to even, and correctly: the result is the rounded value of
//! the exact one. The value is computed with an error bound; where both ends of it round to different numbers, again
//! with more digits. One that agrees with a number of few digits in its first 160 digits is that number: that is how
//! `log(8, 2)` is 3.
//!
//! Fixed-point numbers here are whole multiples of 2^-bits. Long numbers cost little: only next to 1 does a logarithm
//! need as many bits as its number has, and there the series ends after a few terms.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::{MAX_BITS, Number, NumberError};

/// How many significant digits a logarithm or a root has.
const DIGITS: u32 = 20;

/// Working precisions, bits beyond those that the numbers themselves cost.
const BITS: [u64; 3] = [128, 256, 720];

/// Digits that are looked at when the last precision does not decide.
const DECIDING: u32 = 160;

impl Number {
    /// The logarithm in a base, 20 significant digits.
    ///
    /// # Errors
    /// [`NumberError::DivisionByZero`] for base 1; [`NumberError::Syntax`] unless both numbers are above 0.
    pub fn log(&self, base: &Self) -> Result<Self, NumberError> {
        if !self.is_positive() || !base.is_positive() {
            return Err(NumberError::Syntax);
        }
        if *base == Self::ONE {
            return Err(NumberError::DivisionByZero);
        }
        if *self == Self::ONE {
            return Ok(Self::ZERO);
        }
        rounded(|bits| {
            // A logarithm of a number next to 1 is small: its leading bits are lost.
            let (above, below) = (bits + self.next_to_one(), bits + base.next_to_one());
            Self::from_big(ln(self, above) << below, ln(base, below) << above)
        })
    }

    /// A power with any exponent, 20 significant digits unless the exponent is whole. `None`: a root of a negative
    /// number.
    ///
    /// # Errors
    /// [`NumberError::TooLarge`]; [`NumberError::DivisionByZero`] for 0 to a power below 0.
    pub fn pow(&self, exponent: &Self) -> Result<Option<Self>, NumberError> {
        if exponent.is_integer() {
            return self.whole_power(exponent).map(Some);
        }
        if self.is_negative() {
            return Ok(None);
        }
        if self.is_zero() {
            return if exponent.is_negative() {
                Err(NumberError::DivisionByZero)
            } else {
                Ok(Some(Self::ZERO))
            };
        }
        if *self == Self::ONE {
            return Ok(Some(Self::ONE));
        }
        let (numerator, denominator) = exponent.to_big();
        let size = numerator.bits().saturating_sub(denominator.bits()) + 1;
        if size > self.next_to_one() + 64 {
            return Err(NumberError::TooLarge);
        }
        let result = rounded(|bits| {
            let bits = bits + size;
            let power = ln(self, bits) * &numerator / &denominator;
            exp(&power, bits)
        });
        result.map(Some)
    }

    fn whole_power(&self, exponent: &Self) -> Result<Self, NumberError> {
        if *self == Self::ONE || exponent.is_zero() {
            return Ok(Self::ONE);
        }
        if self.is_zero() {
            return if exponent.is_negative() { Err(NumberError::DivisionByZero) } else { Ok(Self::ZERO) };
        }
        let size = match exponent.abs().to_i64() {
            Some(size) if *self == Self::ONE.neg() => size % 2,
            Some(size) => size,
            None => return Err(NumberError::TooLarge),
        };
        let power = self.powi(u32::try_from(size).map_err(|_| NumberError::TooLarge)?)?;
        if exponent.is_negative() { Self::ONE.checked_div(&power) } else { Ok(power) }
    }

    fn is_positive(&self) -> bool {
        !self.is_zero() && !self.is_negative()
    }

    /// How many leading bits it has in common with 1.
    fn next_to_one(&self) -> u64 {
        let (numerator, denominator) = self.to_big();
        denominator.bits().saturating_sub((&numerator - &denominator).bits())
    }

    fn to_digits(&self, digits: u32) -> Result<Self, NumberError> {
        Self::parse(&self.significant(digits))
    }
}

/// The value that `approximate` gives to more and more bits, rounded.
fn rounded(approximate: impl Fn(u64) -> Result<Number, NumberError>) -> Result<Number, NumberError> {
    let mut last = Number::ZERO;
    for bits in BITS {
        last = approximate(bits)?;
        // Each step of a series loses a bit or two; a quarter of them is far more than all together.
        let doubt = Number::from_big(BigInt::one(), BigInt::one() << (bits - bits / 4))?;
        let doubt = last.abs().checked_mul(&doubt)?;
        let low = last.checked_sub(&doubt)?.to_digits(DIGITS)?;
        if low == last.checked_add(&doubt)?.to_digits(DIGITS)? {
            return Ok(low);
        }
    }
    // A number of few digits after all, or halfway between two.
    last.to_digits(DECIDING)?.to_digits(DIGITS)
}

/// The natural logarithm of a number above 0.
fn ln(number: &Number, bits: u64) -> BigInt {
    let (numerator, denominator) = number.to_big();
    // number = mantissa × 2^shift, the mantissa between 1/2 and 2; a number next to 1 is its own mantissa.
    let shift = if number.next_to_one() > 1 {
        0
    } else {
        i64::try_from(numerator.bits()).unwrap_or(0) - i64::try_from(denominator.bits()).unwrap_or(0)
    };
    let (n, d) = if shift >= 0 {
        (numerator, denominator << shift.unsigned_abs())
    } else {
        (numerator << shift.unsigned_abs(), denominator)
    };
    // ln m = 2 artanh((m - 1) / (m + 1)), and |(m - 1) / (m + 1)| is at most 1/3.
    let mantissa = artanh(&(&n - &d), &(&n + &d), bits) * 2;
    mantissa + ln2(bits) * shift
}

/// ln 2 = 2 artanh(1/3).
fn ln2(bits: u64) -> BigInt {
    let mut power = (BigInt::one() << (bits + 1)) / 3_u8;
    let (mut sum, mut odd) = (power.clone(), 1_u32);
    while !power.is_zero() {
        power /= 9_u8;
        odd += 2;
        sum += &power / odd;
    }
    sum
}

/// The area hyperbolic tangent of n/d, at most 1/3 away from 0: y + y³/3 + y⁵/5 + …
fn artanh(n: &BigInt, d: &BigInt, bits: u64) -> BigInt {
    let negative = n.is_negative();
    let y = (n.abs() << bits) / d;
    let square = (&y * &y) >> bits;
    let (mut power, mut sum, mut odd) = (y.clone(), y, 1_u32);
    loop {
        power = (power * &square) >> bits;
        odd += 2;
        let term = &power / odd;
        if term.is_zero() {
            return if negative { -sum } else { sum };
        }
        sum += term;
    }
}

/// e to a power.
fn exp(power: &BigInt, bits: u64) -> Result<Number, NumberError> {
    let half = ln2(bits);
    let (whole, rest) = power.div_mod_floor(&half);
    let whole =
        whole.to_i64().filter(|whole| whole.unsigned_abs() < MAX_BITS).ok_or(NumberError::TooLarge)?;
    // 1 + r + r²/2 + r³/6 + …, r below ln 2.
    let one = BigInt::one() << bits;
    let (mut term, mut sum, mut step) = (one.clone(), one, 0_u32);
    while !term.is_zero() {
        step += 1;
        term = ((term * &rest) >> bits) / step;
        sum += &term;
    }
    let scale = i64::try_from(bits).unwrap_or(i64::MAX) - whole;
    if scale >= 0 {
        Number::from_big(sum, BigInt::one() << scale.unsigned_abs())
    } else {
        Number::from_big(sum << scale.unsigned_abs(), BigInt::one())
    }
}
