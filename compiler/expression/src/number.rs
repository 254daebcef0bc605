//! Exact numbers.

use num_rational::BigRational;

/// An exact rational number. Rounded only where it leaves the language (LANGUAGE §3.8).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number(BigRational);

/// Why a text is no number, or an operation has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// Not digits with an optional fraction and exponent.
    Syntax,
    /// More digits than any quantity of this world needs.
    TooLarge,
    /// The divisor is 0.
    DivisionByZero,
}
