//! Times as text, in the form of RFC 3339. There is no clock: every time comes from the files.

use std::cmp::Ordering;

use jiff::SignedDuration;
use jiff::civil::{DateTime, Weekday};

use super::Function;
use super::call::{Call, returns, text};
use crate::quantity::Quantity;
use crate::{Fault, Number, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "formatdate",
        &[("format", "signs for the parts of a time"), ("time", "a time such as \"2027-01-31T08:00:00Z\"")],
        "A time in another form.",
        returns::text,
        formatdate,
    )
    .examples(&[
        (
            r#"formatdate("EEE, DD MMM YYYY hh:mm ZZZ", "2027-01-31T08:05:00Z")"#,
            r#""Sun, 31 Jan 2027 08:05 UTC""#,
        ),
        (r#"formatdate("H 'o''clock' AA", "2027-01-31T20:00:00+02:00")"#, r#""8 o'clock PM""#),
        (
            r#"formatdate("YYY", "2027-01-31T08:00:00Z")"#,
            "error: `formatdate`: `YYY` stands for no part of a time",
        ),
    ])
    .notes(&[
        "Years `YYYY` `YY`; months `MMMM` (January) `MMM` `MM` `M`; days `DD` `D`; days of the week `EEEE` (Monday) \
         `EEE`; hours `hh` `h` from 0 to 23, `HH` `H` from 1 to 12 with `AA` or `aa`; minutes `mm` `m`; seconds `ss` `s`; \
         offset `ZZZZZ` (+02:00), `ZZZZ` (+0200), `ZZZ` (the same, or UTC), `Z` (+02:00, or Z).",
        "Other letters stand between single quotes, a quote is written twice; signs that are no letters stand for \
         themselves. A date such as \"2027-01-31\" that has the type `date` is its first second, UTC.",
    ]),
    Function::new(
        "timeadd",
        &[("time", "a time"), ("duration", "a duration, or text such as \"-1h30m\" or \"500ms\"")],
        "The time a while later, or earlier.",
        returns::text,
        timeadd,
    )
    .examples(&[
        (r#"timeadd("2027-01-31T23:30:00Z", "1h")"#, r#""2027-02-01T00:30:00Z""#),
        (r#"timeadd("2027-01-31T08:00:00+01:00", "-10m")"#, r#""2027-01-31T07:50:00+01:00""#),
        (
            r#"timeadd("soon", "1h")"#,
            "error: `timeadd`: \"soon\" is not a time such as \"2027-01-31T08:00:00Z\"",
        ),
    ])
    .notes(&["The offset stays. The result has whole seconds: what is left of one is cut off. Beside OpenTofu's units it \
              takes `d` and `w`."]),
    Function::new(
        "timecmp",
        &[("a", "a time"), ("b", "another time")],
        "-1, 0 or 1: whether the first time is earlier, the same or later.",
        returns::number,
        timecmp,
    )
    .examples(&[
        (r#"timecmp("2027-01-31T08:00:00Z", "2027-01-31T09:00:00Z")"#, "-1"),
        (r#"timecmp("2027-01-31T08:00:00Z", "2027-01-31T09:00:00+01:00")"#, "0"),
    ]),
];

/// A time: what the clock shows there, and how far that is from UTC.
struct Time {
    local: DateTime,
    /// Seconds east of UTC.
    offset: i64,
    /// Whether it was written with `Z`.
    utc: bool,
}

impl Time {
    /// RFC 3339; the fraction of a second has at most nine digits that count.
    fn parse(text: &str) -> Option<Self> {
        let digits = |from: usize, to: usize| -> Option<i16> {
            let part = text.get(from..to)?;
            if part.bytes().all(|byte| byte.is_ascii_digit()) { part.parse().ok() } else { None }
        };
        let sign = |at: usize, wanted: &str| text.get(at..=at).filter(|sign| wanted.contains(sign));
        sign(4, "-").and(sign(7, "-")).and(sign(10, "Tt")).and(sign(13, ":")).and(sign(16, ":"))?;
        let mut rest = text.get(19..)?;
        let mut nanoseconds = 0;
        if let Some(fraction) = rest.strip_prefix('.') {
            let end = fraction.find(|c: char| !c.is_ascii_digit()).unwrap_or(fraction.len());
            let (digits, after) = fraction.split_at(end);
            if digits.is_empty() {
                return None;
            }
            let nine: String = digits.chars().chain("000000000".chars()).take(9).collect();
            nanoseconds = nine.parse().ok()?;
            rest = after;
        }
        let small = |from: usize| digits(from, from + 2).and_then(|part| i8::try_from(part).ok());
        let local = DateTime::new(
            digits(0, 4)?,
            small(5)?,
            small(8)?,
            small(11)?,
            small(14)?,
            small(17)?,
            nanoseconds,
        )
        .ok()?;
        let utc = matches!(rest, "Z" | "z");
        let offset = if utc { 0 } else { parse_offset(rest)? };
        Some(Self { local, offset, utc })
    }

    fn show(&self) -> String {
        let (date, time) = (self.local.date(), self.local.time());
        let day = format!("{:04}-{:02}-{:02}", date.year(), date.month(), date.day());
        let clock = format!("{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second());
        format!("{day}T{clock}{}", if self.utc { "Z".to_owned() } else { self.offset_text(":") })
    }

    /// `+02:00`, with a sign between hours and minutes.
    fn offset_text(&self, between: &str) -> String {
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.abs() / 60;
        format!("{sign}{:02}{between}{:02}", minutes / 60, minutes % 60)
    }

    fn instant(&self) -> Option<DateTime> {
        self.local.checked_sub(SignedDuration::from_secs(self.offset)).ok()
    }
}

/// `+02:00`
fn parse_offset(text: &str) -> Option<i64> {
    let sign = match text.get(..1)? {
        "+" => 1,
        "-" => -1,
        _ => return None,
    };
    let (hours, minutes) = text.get(1..)?.split_once(':')?;
    let part = |text: &str, most: i64| {
        let digits = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<i64>().ok().filter(|value| digits && *value <= most)
    };
    Some(sign * (part(hours, 23)? * 3600 + part(minutes, 59)? * 60))
}

fn time(call: &Call<'_>, index: usize) -> Result<Time, Fault> {
    let written = match call.argument(index) {
        Value::Quantity(Quantity::Date(date)) => format!("{date}T00:00:00Z").into(),
        _ => call.text(index)?,
    };
    Time::parse(&written).ok_or_else(|| {
        let found = Value::string(&written);
        call.fault(index, format_args!("{found} is not a time such as \"2027-01-31T08:00:00Z\""))
            .help("a time has a day, `T`, hours, minutes and seconds, and `Z` or an offset such as `+02:00`")
    })
}

/// Seconds of a duration: ours, or text with Go's units.
fn seconds(call: &Call<'_>, index: usize) -> Result<Number, Fault> {
    if let Value::Quantity(Quantity::Duration(duration)) = call.argument(index) {
        return Ok(duration.0.clone());
    }
    let written = call.text(index)?;
    parse_seconds(&written).ok_or_else(|| {
        call.fault(index, format_args!("{} is not a duration such as \"1h30m\"", Value::string(&written)))
            .help("the units are ns, us, ms, s, m, h, d, w")
    })
}

fn parse_seconds(text: &str) -> Option<Number> {
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut total = Number::ZERO;
    if rest.is_empty() {
        return None;
    }
    if rest == "0" {
        return Some(total);
    }
    while !rest.is_empty() {
        let (digits, after) = rest.split_at(rest.find(|c: char| !(c.is_ascii_digit() || c == '.'))?);
        let (unit, after) =
            after.split_at(after.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(after.len()));
        let unit = match unit {
            "ns" => Number::ratio(1, 1_000_000_000)?,
            "us" | "µs" | "μs" => Number::ratio(1, 1_000_000)?,
            "ms" => Number::ratio(1, 1_000)?,
            "s" => Number::ONE,
            "m" => Number::from(60_i64),
            "h" => Number::from(3_600_i64),
            "d" => Number::from(86_400_i64),
            "w" => Number::from(604_800_i64),
            _ => return None,
        };
        let zero = if digits.starts_with('.') { "0" } else { "" };
        let number = Number::parse(&format!("{zero}{}", digits.strip_suffix('.').unwrap_or(digits))).ok()?;
        total = total.checked_add(&number.checked_mul(&unit).ok()?).ok()?;
        rest = after;
    }
    Some(if negative { total.neg() } else { total })
}

fn timeadd(call: &Call<'_>) -> Result<Value, Fault> {
    let (time, seconds) = (time(call, 0)?, seconds(call, 1)?);
    let whole = seconds.floor();
    let rest = seconds.checked_sub(&whole)?.checked_mul(&Number::from(1_000_000_000_i64))?.floor();
    let nanoseconds = rest.to_i64().and_then(|rest| i32::try_from(rest).ok()).unwrap_or(0);
    let later = whole
        .to_i64()
        .map(|whole| SignedDuration::new(whole, nanoseconds))
        .and_then(|span| time.local.checked_add(span).ok())
        .filter(|local| local.year() >= 0);
    match later {
        Some(local) => text(Time { local, ..time }.show()),
        None => Err(call.fault(1, "the result is outside of the years 0 to 9999")),
    }
}

fn timecmp(call: &Call<'_>) -> Result<Value, Fault> {
    let (a, b) = (time(call, 0)?, time(call, 1)?);
    Ok(Value::number(match a.instant().cmp(&b.instant()) {
        Ordering::Less => -1_i64,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }))
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

fn weekday(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
    }
}

fn formatdate(call: &Call<'_>) -> Result<Value, Fault> {
    let (format, time) = (call.text(0)?, time(call, 1)?);
    let mut out = String::new();
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\'' {
            loop {
                match chars.next() {
                    Some('\'') if chars.next_if_eq(&'\'').is_some() => out.push('\''),
                    Some('\'') => break,
                    Some(c) => out.push(c),
                    None => return Err(call.fault(0, "a single quote is not closed")),
                }
            }
        } else if c.is_ascii_alphabetic() {
            let mut sign = String::from(c);
            while let Some(same) = chars.next_if_eq(&c) {
                sign.push(same);
            }
            let part = part(&time, &sign).ok_or_else(|| {
                call.fault(0, format_args!("`{sign}` stands for no part of a time"))
                    .help("letters that stand for themselves are written in single quotes: 'T'")
            })?;
            out.push_str(&part);
        } else {
            out.push(c);
        }
        call.room_for_text(out.len())?;
    }
    text(out)
}

/// A part of a time by its sign.
fn part(time: &Time, sign: &str) -> Option<String> {
    let (date, clock) = (time.local.date(), time.local.time());
    let month = MONTHS.get(usize::try_from(date.month() - 1).ok()?)?;
    let day = weekday(date.weekday());
    let short = |name: &str| name.get(..3).unwrap_or(name).to_owned();
    let twelve = (clock.hour() + 11) % 12 + 1;
    let two = |number: i8| format!("{number:02}");
    Some(match sign {
        "YYYY" => format!("{:04}", date.year()),
        "YY" => format!("{:02}", date.year() % 100),
        "MMMM" => (*month).to_owned(),
        "MMM" => short(month),
        "MM" => two(date.month()),
        "M" => date.month().to_string(),
        "DD" => two(date.day()),
        "D" => date.day().to_string(),
        "EEEE" => day.to_owned(),
        "EEE" => short(day),
        "hh" => two(clock.hour()),
        "h" => clock.hour().to_string(),
        "HH" => two(twelve),
        "H" => twelve.to_string(),
        "AA" => if clock.hour() < 12 { "AM" } else { "PM" }.to_owned(),
        "aa" => if clock.hour() < 12 { "am" } else { "pm" }.to_owned(),
        "mm" => two(clock.minute()),
        "m" => clock.minute().to_string(),
        "ss" => two(clock.second()),
        "s" => clock.second().to_string(),
        "ZZZZZ" => time.offset_text(":"),
        "ZZZZ" => time.offset_text(""),
        "ZZZ" if time.offset == 0 => "UTC".to_owned(),
        "ZZZ" => time.offset_text(""),
        "Z" if time.offset == 0 => "Z".to_owned(),
        "Z" => time.offset_text(":"),
        _ => return None,
    })
}
