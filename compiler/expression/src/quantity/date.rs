//! Days.

use std::fmt;

use super::unit::UnitError;
use crate::codes;

/// A day, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// The year.
    pub year: i16,
    /// 1 to 12.
    pub month: i8,
    /// 1 to 31.
    pub day: i8,
}

impl Date {
    /// `2027-01-31`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let fail = |message: String, help: &str| UnitError::new(message, help).coded(codes::BAD_DATE);
        let mut parts = text.split('-');
        let mut part = |width: usize| {
            let digits = parts.next()?;
            let good = digits.len() == width && digits.bytes().all(|byte| byte.is_ascii_digit());
            if good { digits.parse::<i16>().ok() } else { None }
        };
        let (Some(year), Some(month), Some(day)) = (part(4), part(2), part(2)) else {
            return Err(fail(
                format!("\"{text}\" is not a date"),
                "a date is written year-month-day: \"2027-01-31\"",
            ));
        };
        if parts.next().is_some() {
            return Err(fail(
                format!("\"{text}\" is not a date"),
                "a date is written year-month-day: \"2027-01-31\"",
            ));
        }
        let (month, day) = (i8::try_from(month).unwrap_or(0), i8::try_from(day).unwrap_or(0));
        match jiff::civil::Date::new(year, month, day) {
            Ok(_) => Ok(Self { year, month, day }),
            Err(_) => {
                Err(fail(format!("there is no day \"{text}\""), "check the month and the day of the month"))
            }
        }
    }

    /// Days from `earlier` to this day; negative when `earlier` is later. None for a day that does not exist.
    #[must_use]
    pub fn days_since(self, earlier: Self) -> Option<i64> {
        let civil = |date: Self| jiff::civil::Date::new(date.year, date.month, date.day).ok();
        let span = civil(self)?.since(civil(earlier)?).ok()?;
        Some(i64::from(span.get_days()))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}
