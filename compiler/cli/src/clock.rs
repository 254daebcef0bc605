//! The clock of the machine.

use poolwright_driver::Clock;
use poolwright_expression::quantity::Date;

/// Today, in UTC.
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    fn today(&self) -> Option<Date> {
        let today = jiff::tz::TimeZone::UTC.to_datetime(jiff::Timestamp::now()).date();
        Some(Date { year: today.year(), month: today.month(), day: today.day() })
    }
}
