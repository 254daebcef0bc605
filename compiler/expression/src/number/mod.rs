//! Exact numbers.

mod irrational;
mod radix;
mod serde;
mod text;

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive};

/// The most decimal digits of a numerator or denominator.
pub(crate) const MAX_DIGITS: u64 = 10_000;

/// [`MAX_DIGITS`] in bits.
const MAX_BITS: u64 = 33_220;

/// An exact rational number. Rounded only where it leaves the language (LANGUAGE §3.8).
///
/// Numerator and denominator are bounded by 10,000 digits each: an operation whose result has more is
/// [`NumberError::TooLarge`], so that no expression can use up memory.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Number(Repr);

/// Always reduced, the denominator positive, and `Small` whenever both parts fit: equal numbers are equal values.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64, i64),
    Big(Box<(BigInt, BigInt)>),
}

/// Why a text is no number, or an operation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// Not digits with an optional fraction and exponent.
    Syntax,
    /// More digits than any quantity of this world needs.
    TooLarge,
    /// The divisor is 0.
    DivisionByZero,
}

impl std::fmt::Display for NumberError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Syntax => "not a number",
            Self::TooLarge => "more than 10,000 digits",
            Self::DivisionByZero => "division by zero",
        })
    }
}

impl std::error::Error for NumberError {}

impl Number {
    /// 0
    pub const ZERO: Self = Self(Repr::Small(0, 1));
    /// 1
    pub const ONE: Self = Self(Repr::Small(1, 1));

    /// `numerator / denominator`; `None` when the denominator is 0.
    #[must_use]
    pub fn ratio(numerator: i64, denominator: i64) -> Option<Self> {
        (denominator != 0).then(|| Self::from_i128(numerator.into(), denominator.into()))
    }

    /// A sum.
    ///
    /// # Errors
    /// [`NumberError::TooLarge`]
    pub fn checked_add(&self, other: &Self) -> Result<Self, NumberError> {
        if let (Repr::Small(a, b), Repr::Small(c, d)) = (&self.0, &other.0) {
            let [a, b, c, d] = [*a, *b, *c, *d].map(i128::from);
            // Each product is below 2^126, so the sum fits.
            return Ok(Self::from_i128(a * d + c * b, b * d));
        }
        let ((a, b), (c, d)) = (self.to_big(), other.to_big());
        Self::from_big(a * &d + c * &b, b * d)
    }

    /// A difference.
    ///
    /// # Errors
    /// [`NumberError::TooLarge`]
    pub fn checked_sub(&self, other: &Self) -> Result<Self, NumberError> {
        self.checked_add(&other.neg())
    }

    /// A product.
    ///
    /// # Errors
    /// [`NumberError::TooLarge`]
    pub fn checked_mul(&self, other: &Self) -> Result<Self, NumberError> {
        if let (Repr::Small(a, b), Repr::Small(c, d)) = (&self.0, &other.0) {
            let [a, b, c, d] = [*a, *b, *c, *d].map(i128::from);
            return Ok(Self::from_i128(a * c, b * d));
        }
        let ((a, b), (c, d)) = (self.to_big(), other.to_big());
        Self::from_big(a * c, b * d)
    }

    /// A quotient, exact.
    ///
    /// # Errors
    /// [`NumberError::DivisionByZero`], [`NumberError::TooLarge`]
    pub fn checked_div(&self, other: &Self) -> Result<Self, NumberError> {
        if other.is_zero() {
            return Err(NumberError::DivisionByZero);
        }
        if let (Repr::Small(a, b), Repr::Small(c, d)) = (&self.0, &other.0) {
            let [a, b, c, d] = [*a, *b, *c, *d].map(i128::from);
            return Ok(Self::from_i128(a * d, b * c));
        }
        let ((a, b), (c, d)) = (self.to_big(), other.to_big());
        Self::from_big(a * d, b * c)
    }

    /// What is left of a division that stops at whole numbers; it has the sign of the dividend: `-7 % 3` is -1.
    ///
    /// # Errors
    /// [`NumberError::DivisionByZero`], [`NumberError::TooLarge`]
    pub fn checked_rem(&self, other: &Self) -> Result<Self, NumberError> {
        let quotient = self.checked_div(other)?;
        let whole = if quotient.is_negative() { quotient.ceil() } else { quotient.floor() };
        self.checked_sub(&other.checked_mul(&whole)?)
    }

    /// A power with a whole exponent.
    ///
    /// # Errors
    /// [`NumberError::TooLarge`]
    pub fn powi(&self, exponent: u32) -> Result<Self, NumberError> {
        let (mut result, mut base, mut left) = (Self::ONE, self.clone(), exponent);
        while left > 0 {
            if left & 1 == 1 {
                result = result.checked_mul(&base)?;
            }
            left >>= 1;
            if left > 0 {
                base = base.checked_mul(&base)?;
            }
        }
        Ok(result)
    }

    /// The number with the other sign.
    #[must_use]
    pub fn neg(&self) -> Self {
        match &self.0 {
            Repr::Small(n, d) => Self::from_i128(-i128::from(*n), (*d).into()),
            Repr::Big(parts) => Self::normal(-&parts.0, parts.1.clone()),
        }
    }

    /// Without its sign.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// The greatest whole number that is not above it.
    #[must_use]
    pub fn floor(&self) -> Self {
        match &self.0 {
            Repr::Small(n, d) => Self(Repr::Small(Integer::div_floor(n, d), 1)),
            Repr::Big(parts) => Self::normal(parts.0.div_floor(&parts.1), BigInt::one()),
        }
    }

    /// The least whole number that is not below it.
    #[must_use]
    pub fn ceil(&self) -> Self {
        self.neg().floor().neg()
    }

    /// Rounded to so many decimals, half to even.
    #[must_use]
    pub fn round_half_even(&self, decimals: u32) -> Self {
        Self::normal(self.scaled_half_even(decimals), BigInt::from(10).pow(decimals))
    }

    /// Cut to so many decimals, downwards: what a bid cap may become.
    #[must_use]
    pub fn round_down(&self, decimals: u32) -> Self {
        let (n, d) = self.to_big();
        let scale = BigInt::from(10).pow(decimals);
        Self::normal((n * &scale).div_floor(&d), scale)
    }

    /// Whether it is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0, _))
    }

    /// Whether it is below 0.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small(n, _) => *n < 0,
            Repr::Big(parts) => parts.0.is_negative(),
        }
    }

    /// Whether it has no fraction.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small(_, d) => *d == 1,
            Repr::Big(parts) => parts.1.is_one(),
        }
    }

    /// The number, if it is whole and fits.
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small(n, 1) => Some(*n),
            _ => None,
        }
    }

    /// The number, if it is whole, not negative and fits.
    #[must_use]
    pub fn to_u64(&self) -> Option<u64> {
        match &self.0 {
            Repr::Small(n, 1) => (*n).try_into().ok(),
            Repr::Big(parts) if parts.1.is_one() => parts.0.to_u64(),
            _ => None,
        }
    }

    /// The nearest binary float, for display only: charts and progress bars, never money.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            #[expect(clippy::cast_precision_loss, reason = "documented: for display only")]
            Repr::Small(n, d) => *n as f64 / *d as f64,
            Repr::Big(_) => self.significant(20).parse().unwrap_or(f64::NAN),
        }
    }

    /// Numerator and denominator; the denominator is positive and they have no common factor.
    fn to_big(&self) -> (BigInt, BigInt) {
        match &self.0 {
            Repr::Small(n, d) => ((*n).into(), (*d).into()),
            Repr::Big(parts) => (**parts).clone(),
        }
    }

    /// `d` is not 0.
    fn from_i128(n: i128, d: i128) -> Self {
        let common = Integer::gcd(&n.unsigned_abs(), &d.unsigned_abs()).max(1);
        // At most 2^127 / 1: the parts of a reduced fraction of products of i64 fit, the sign is handled apart.
        let sign = if (n < 0) == (d < 0) { 1 } else { -1 };
        let (n, d) = (n.unsigned_abs() / common, d.unsigned_abs() / common);
        let small = |value: u128| i64::try_from(value).ok();
        match (small(n), small(d)) {
            (Some(n), Some(d)) => Self(Repr::Small(n * sign, d)),
            _ => {
                let n = BigInt::from(n) * sign;
                Self::reduced(n, d.into())
            }
        }
    }

    /// Reduces; refuses what is too large. `d` is not 0.
    fn from_big(n: BigInt, d: BigInt) -> Result<Self, NumberError> {
        let result = Self::normal(n, d);
        match &result.0 {
            Repr::Big(parts) if parts.0.bits() > MAX_BITS || parts.1.bits() > MAX_BITS => {
                Err(NumberError::TooLarge)
            }
            _ => Ok(result),
        }
    }

    /// Reduces. `d` is not 0.
    fn normal(n: BigInt, d: BigInt) -> Self {
        if let (Some(n), Some(d)) = (n.to_i64(), d.to_i64()) {
            return Self::from_i128(n.into(), d.into());
        }
        let common = n.gcd(&d);
        let common = if d.is_negative() { -common } else { common };
        if common.is_one() { Self::reduced(n, d) } else { Self::reduced(n / &common, d / common) }
    }

    fn reduced(n: BigInt, d: BigInt) -> Self {
        match (n.to_i64(), d.to_i64()) {
            (Some(n), Some(d)) => Self(Repr::Small(n, d)),
            _ => Self(Repr::Big(Box::new((n, d)))),
        }
    }

    /// `self × 10^decimals`, rounded to a whole number, half to even.
    fn scaled_half_even(&self, decimals: u32) -> BigInt {
        let (n, d) = self.to_big();
        divide_half_even(n * BigInt::from(10).pow(decimals), &d)
    }
}

/// `n / d` rounded to a whole number, half to even; `d` is positive.
fn divide_half_even(n: BigInt, d: &BigInt) -> BigInt {
    let (quotient, rest) = n.div_mod_floor(d);
    let up = match (rest * 2_u8).cmp(d) {
        Ordering::Less => false,
        Ordering::Greater => true,
        Ordering::Equal => quotient.is_odd(),
    };
    if up { quotient + 1_u8 } else { quotient }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        if let (Repr::Small(a, b), Repr::Small(c, d)) = (&self.0, &other.0) {
            return (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)));
        }
        let ((a, b), (c, d)) = (self.to_big(), other.to_big());
        (a * d).cmp(&(c * b))
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for Number {
    fn default() -> Self {
        Self::ZERO
    }
}

macro_rules! from_integer {
    ($($ty:ty),+) => {$(
        impl From<$ty> for Number {
            fn from(value: $ty) -> Self {
                i64::try_from(value).map_or_else(|_| Self::reduced(value.into(), BigInt::one()), |n| Self(Repr::Small(n, 1)))
            }
        }
    )+};
}

from_integer!(i64, u64, i32, u32, usize);

impl std::fmt::Debug for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Repr::Small(n, 1) => write!(f, "{n}"),
            Repr::Small(n, d) => write!(f, "{n}/{d}"),
            Repr::Big(parts) => write!(f, "{}/{}", parts.0, parts.1),
        }
    }
}
