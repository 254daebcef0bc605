//! Quantities as Kubernetes writes them: exact, and printed in the one form that its API server stores.
//!
//! Facts: `k8s.io/apimachinery` 0.35, package `api/resource`: suffixes n u m k M G T P E, Ki Mi Gi Ti Pi Ei and
//! decimal exponents; nothing finer than 10⁻⁹ (rounded away from zero); with a binary suffix nothing beyond
//! 2⁶³ − 1 (cut). `data/quantities.csv` has what that package made of 1,200 texts.

use std::fmt;

use poolwright_expression::Number;

/// How a quantity was written, which decides how it is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `500m`, `1k`
    Decimal,
    /// `1Gi`
    Binary,
    /// `1e3`
    Exponent,
}

/// An exact quantity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity {
    value: Number,
    format: Format,
}

/// A text that is no quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAQuantity;

const DECIMAL: [(&str, i32); 10] =
    [("E", 18), ("P", 15), ("T", 12), ("G", 9), ("M", 6), ("k", 3), ("", 0), ("m", -3), ("u", -6), ("n", -9)];
const BINARY: [(&str, i32); 6] = [("Ei", 6), ("Pi", 5), ("Ti", 4), ("Gi", 3), ("Mi", 2), ("Ki", 1)];

/// The largest exponent that is read: far beyond all sizes, and small enough to compute with.
const LARGEST: i32 = 99;

impl Quantity {
    /// A quantity of a number, within what Kubernetes can hold.
    #[must_use]
    pub fn new(value: &Number, format: Format) -> Self {
        Self { value: held(value, format), format }
    }

    /// Reads a text.
    ///
    /// # Errors
    /// When Kubernetes would not read it either.
    pub fn parse(text: &str) -> Result<Self, NotAQuantity> {
        let end = text.find(|c: char| !c.is_ascii_digit() && !"+-.".contains(c)).unwrap_or(text.len());
        let (digits, suffix) = text.split_at_checked(end).ok_or(NotAQuantity)?;
        let (negative, digits) = match digits.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, digits.strip_prefix('+').unwrap_or(digits)),
        };
        // `.5` and `5.` are quantities, `.` is none.
        let digits = digits.strip_suffix('.').unwrap_or(digits);
        if digits.is_empty() || digits.starts_with(['+', '-']) {
            return Err(NotAQuantity);
        }
        let padded = if digits.starts_with('.') { format!("0{digits}") } else { digits.to_owned() };
        let mantissa = Number::parse(&padded).map_err(|_| NotAQuantity)?;
        let (factor, format) = scale(suffix).ok_or(NotAQuantity)?;
        let value = mantissa.checked_mul(&factor).map_err(|_| NotAQuantity)?;
        Ok(Self::new(&if negative { value.neg() } else { value }, format))
    }

    /// The number.
    #[must_use]
    pub fn value(&self) -> &Number {
        &self.value
    }

    /// The same number, printed otherwise.
    #[must_use]
    pub fn with_format(self, format: Format) -> Self {
        Self { format, ..self }
    }
}

impl fmt::Display for Quantity {
    /// The canonical form: the mantissa whole, the suffix as large as that allows.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.value.is_zero() {
            return f.write_str("0");
        }
        if self.format == Format::Exponent {
            let (mantissa, exponent) = largest_exponent(&self.value);
            return if exponent == 0 { write!(f, "{mantissa}") } else { write!(f, "{mantissa}e{exponent}") };
        }
        if let Some(whole) = self.value.to_u64() {
            return whole_number(whole, self.format, f);
        }
        // Kubernetes prints small and broken numbers as decimal even if they were written in binary.
        let large = self.value.is_integer() && self.value.abs() >= Number::from(1024_u32);
        let (rows, base): (&[_], _) =
            if self.format == Format::Binary && large { (&BINARY, 1024) } else { (&DECIMAL, 10) };
        let fits =
            rows.iter().find_map(|(suffix, exponent)| Some((scaled(&self.value, base, *exponent)?, *suffix)));
        match fits {
            Some((mantissa, suffix)) => write!(f, "{mantissa}{suffix}"),
            // A whole number that 1024 does not divide.
            None => write!(f, "{}", self.value),
        }
    }
}

/// What the search over all suffixes comes to where the number is whole and fits a machine word, as most do.
fn whole_number(value: u64, format: Format, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let binary = format == Format::Binary && value >= 1024;
    let (base, suffixes) = if binary {
        (1024, ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"])
    } else {
        (1000, ["", "k", "M", "G", "T", "P", "E"])
    };
    let (mut mantissa, mut suffix) = (value, "");
    for larger in suffixes.into_iter().skip(1) {
        if mantissa % base != 0 {
            break;
        }
        (mantissa, suffix) = (mantissa / base, larger);
    }
    write!(f, "{mantissa}{suffix}")
}

/// `value ÷ base^exponent`, if that is whole.
fn scaled(value: &Number, base: u32, exponent: i32) -> Option<Number> {
    value.checked_div(&power(base, exponent)?).ok().filter(Number::is_integer)
}

/// The whole mantissa with the largest exponent that three divides. `value` is not 0.
fn largest_exponent(value: &Number) -> (Number, i32) {
    let mut best = (value.clone(), 0);
    for exponent in (-3..=3).map(|step| step * 3) {
        best = scaled(value, 10, exponent).map_or(best, |mantissa| (mantissa, exponent));
    }
    while let Some(mantissa) = scaled(&best.0, 10, 3) {
        best = (mantissa, best.1 + 3);
    }
    best
}

/// What a suffix multiplies by.
fn scale(suffix: &str) -> Option<(Number, Format)> {
    if let Some((_, exponent)) = DECIMAL.iter().find(|(name, _)| *name == suffix) {
        return Some((power(10, *exponent)?, Format::Decimal));
    }
    if let Some((_, exponent)) = BINARY.iter().find(|(name, _)| *name == suffix) {
        return Some((power(1024, *exponent)?, Format::Binary));
    }
    let exponent =
        suffix.strip_prefix(['e', 'E'])?.parse().ok().filter(|exponent: &i32| exponent.abs() <= LARGEST)?;
    Some((power(10, exponent)?, Format::Exponent))
}

/// `base^exponent`; none where it is beyond all sizes.
fn power(base: u32, exponent: i32) -> Option<Number> {
    let size = Number::from(base).powi(exponent.unsigned_abs()).ok()?;
    if exponent < 0 { Number::ONE.checked_div(&size).ok() } else { Some(size) }
}

/// The nearest number that Kubernetes holds: up to 10⁻⁹ away from zero, in binary at most 2⁶³ − 1 from it.
fn held(value: &Number, format: Format) -> Number {
    if value.to_u64().is_some_and(|whole| i64::try_from(whole).is_ok()) {
        return value.clone();
    }
    let size = value.abs();
    let nano = Number::from(1_000_000_000_u64);
    let fine =
        size.checked_mul(&nano).map(|scaled| scaled.ceil()).and_then(|scaled| scaled.checked_div(&nano));
    let size = fine.unwrap_or(size);
    let size = if format == Format::Binary { size.min(Number::from(i64::MAX)) } else { size };
    if value.is_negative() { size.neg() } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_form_that_the_api_server_stores() {
        for (written, stored) in [
            ("1000", "1k"),
            ("1024Mi", "1Gi"),
            ("8493464Mi", "8493464Mi"),
            ("4246732Mi", "4246732Mi"),
            ("0.5", "500m"),
            (".5", "500m"),
            ("5.", "5"),
            ("2000m", "2"),
            ("1500m", "1500m"),
            ("1200", "1200"),
            ("752", "752"),
            ("0", "0"),
            ("0Gi", "0"),
            ("-0", "0"),
            ("+7", "7"),
            ("-1000", "-1k"),
            ("1e3", "1e3"),
            ("1E3", "1e3"),
            ("12e0", "12"),
            ("1000e-3", "1"),
            ("1E", "1E"),
            ("0.5Gi", "512Mi"),
            ("512Ki", "512Ki"),
            ("1Ki", "1Ki"),
            ("0.5Ki", "512"),
            ("1.0001Ki", "1024102400u"),
            ("1025", "1025"),
            ("1n", "1n"),
            ("0.1n", "1n"),
            ("1000000n", "1m"),
            ("9999999999999999999", "9999999999999999999"),
            ("1000Ei", "9223372036854775807"),
        ] {
            assert_eq!(Quantity::parse(written).unwrap().to_string(), stored, "{written}");
        }
    }

    /// The package of Kubernetes itself as the referee; an empty second column: it refuses the text. From 10²¹ on
    /// it prints decimal quantities without their suffix (`10000E` becomes `10`), and it reads a lone dot as 0,
    /// which the schema of every kind refuses. There we keep the value.
    #[test]
    fn as_the_package_of_kubernetes() {
        const THEIRS: [&str; 5] = [".", "1500000E", "10000E", "1000000E", "1024000000P"];
        let mut wrong = Vec::new();
        for line in include_str!("../data/quantities.csv").lines().filter(|line| !line.starts_with('#')) {
            let (written, stored) = line.split_once(',').unwrap();
            let ours = Quantity::parse(written).map(|quantity| quantity.to_string()).unwrap_or_default();
            if ours != stored {
                wrong.push(written);
            }
        }
        assert_eq!(wrong, THEIRS);
    }

    #[test]
    fn what_is_no_quantity() {
        for text in [
            "", ".", "Gi", "1 Gi", "1gi", "1K", "1mi", "--1", "1.2.3", "1e", "1e1.5", "0x10", "1_000", "NaN",
            "１",
        ] {
            assert_eq!(Quantity::parse(text), Err(NotAQuantity), "{text}");
        }
    }

    fn written() -> impl Strategy<Value = String> {
        let suffix = prop::sample::select(vec![
            "", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "E6",
            "e-3", "e1",
        ]);
        ("-?[0-9]{1,9}(\\.[0-9]{0,4})?", suffix).prop_map(|(digits, suffix)| format!("{digits}{suffix}"))
    }

    proptest! {
        #[test]
        fn canonical_text_means_the_same_and_is_canonical(text in written()) {
            let quantity = Quantity::parse(&text).unwrap();
            let printed = quantity.to_string();
            let again = Quantity::parse(&printed).unwrap();
            prop_assert_eq!(again.value(), quantity.value());
            prop_assert_eq!(again.to_string(), printed);
        }

        #[test]
        fn equal_values_print_equally_in_one_format(n in 0_u64..1_000_000_000, shift in 0_u32..3) {
            let plain = Quantity::parse(&(n * 1024_u64.pow(shift)).to_string()).unwrap().with_format(Format::Binary);
            let suffix = ["", "Ki", "Mi"][shift as usize];
            let binary = Quantity::parse(&format!("{n}{suffix}")).unwrap().with_format(Format::Binary);
            prop_assert_eq!(plain.to_string(), binary.to_string());
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,12}") {
            let _ = Quantity::parse(&text);
        }

        #[test]
        fn no_mantissa_could_take_a_larger_suffix(n in 1_u64..u64::from(u32::MAX)) {
            let printed = Quantity::parse(&n.to_string()).unwrap().to_string();
            let mantissa = printed.trim_end_matches(|c: char| c.is_alphabetic());
            prop_assert!(!mantissa.ends_with("000"), "{} became {}", n, printed);
        }
    }
}
