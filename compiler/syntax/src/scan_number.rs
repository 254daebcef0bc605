//! Numbers, and what people write where a number with a unit is meant.

use crate::faults;
use crate::scan::Scanner;
use crate::token::{Kind, is_name_continue};

impl Scanner<'_> {
    /// A number at a digit.
    pub(crate) fn number(&mut self) {
        let start = self.at;
        let whole = self.digits(start);
        let mut end = whole;
        // After a dot it is an index, `a.0`, and the next dot begins the next step.
        let index =
            self.tokens.last().is_some_and(|token| token.kind == Kind::Dot && token.end as usize == start);
        if index {
            self.push(Kind::Number, start, end);
            return;
        }
        if self.byte(end) == b'.' && self.byte(end + 1).is_ascii_digit() {
            end = self.digits(end + 1);
        }
        if matches!(self.byte(end), b'e' | b'E') {
            let sign = usize::from(matches!(self.byte(end + 1), b'+' | b'-'));
            let exponent = end + 1 + sign;
            let exponent_end = self.digits(exponent);
            if exponent_end > exponent {
                end = exponent_end;
                // The parser would make a float of it, and refuse what no float can hold.
                if exponent_end - exponent > 2 {
                    self.mask_range(exponent, exponent_end, b'0');
                }
            }
        }
        if whole - start > 15 {
            self.mask_range(start, whole, b'0');
        }
        let tail = self.tail(end);
        if tail == end {
            self.push(Kind::Number, start, end);
            return;
        }
        let fault = faults::bad_number(self.span(start, tail), self.slice(start, tail));
        self.problems.fatal(start as u32, fault);
        self.push(Kind::Number, start, tail);
    }

    fn digits(&self, start: usize) -> usize {
        start + self.rest(start).bytes().take_while(u8::is_ascii_digit).count()
    }

    /// Where the text that is glued to a number ends; `end` itself when the number ends as it should.
    fn tail(&self, end: usize) -> usize {
        let next = self.rest(end).chars().next().unwrap_or(' ');
        let dot = next == '.' && self.byte(end + 1) != b'.' && self.byte(end + 1) != b'*';
        let name = next != '-' && is_name_continue(next);
        if next == '%' && self.byte(end + 1) != b'{' {
            // `80%` with nothing after it is a percentage; `80 % 3` is a remainder.
            let after = self.slice(end + 1, self.line_end(end + 1)).trim_start();
            if after.is_empty() || after.starts_with([',', ']', '}', ')', '#']) || after.starts_with("//") {
                return end + 1;
            }
        }
        if !dot && !name {
            return end;
        }
        let glued = |c: char| (c != '-' && is_name_continue(c)) || matches!(c, '.' | '/');
        let rest = self.rest(end);
        let length = rest.find(|c: char| !glued(c)).unwrap_or(rest.len());
        let tail = rest.get(..length).unwrap_or("");
        // A comment glued to the number is not a part of it.
        end + tail.find("//").unwrap_or(length)
    }
}
