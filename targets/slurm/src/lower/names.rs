//! Names that Slurm would misread without a word: each becomes a diagnostic that says why.

use poolwright_diagnostics::{Diagnostic, Span};

use super::Lowering;
use crate::codes;

/// The longest name that every part of Slurm holds.
const LONGEST: usize = 64;
/// More digits at the end of a name overflow 64 bits, and Slurm renames the object (slurmctld 22.05.8).
const MOST_DIGITS: usize = 18;

/// What is wrong with a name, and what to do.
fn fault(name: &str, lower_case: bool) -> Option<(String, &'static str)> {
    if name.is_empty() {
        return Some(("is empty".to_owned(), "give it a name"));
    }
    if name.len() > LONGEST {
        return Some((
            format!("has {} characters, more than {LONGEST}", name.len()),
            "give it a shorter `name`",
        ));
    }
    if let Some(wrong) = name.chars().find(|c| !(c.is_ascii_alphanumeric() || "._-".contains(*c))) {
        return Some((
            format!("has {wrong:?}, which means something else in Slurm's files"),
            "use letters, digits, `.`, `_` and `-`",
        ));
    }
    if name.starts_with('-') {
        return Some((
            "begins with `-`, which takes away in Slurm's lists".to_owned(),
            "begin with a letter",
        ));
    }
    if ["DEFAULT", "ALL", "NONE"].iter().any(|word| name.eq_ignore_ascii_case(word)) {
        return Some(("is a word of Slurm's own".to_owned(), "set another `name`"));
    }
    let digits = name.chars().rev().take_while(char::is_ascii_digit).count();
    if digits > MOST_DIGITS {
        return Some((
            format!("ends with {digits} digits; Slurm holds them in 64 bits and renames it"),
            "end it with fewer digits",
        ));
    }
    if lower_case && name.chars().any(|c| c.is_ascii_uppercase()) {
        return Some((
            "has capital letters, which slurmdbd makes small; partitions that allow it would then allow nobody"
                .to_owned(),
            "write it in small letters",
        ));
    }
    None
}

impl Lowering<'_> {
    /// Reports a name that Slurm cannot hold, and says whether it can.
    pub(super) fn name_fits(&mut self, what: &str, name: &str, span: Span) -> bool {
        self.check_name(what, name, span, false)
    }

    /// The same for what lives in slurmdbd: accounts and QoS.
    pub(super) fn small_name_fits(&mut self, what: &str, name: &str, span: Span) -> bool {
        self.check_name(what, name, span, true)
    }

    fn check_name(&mut self, what: &str, name: &str, span: Span, lower_case: bool) -> bool {
        let Some((why, help)) = fault(name, lower_case) else { return true };
        self.report(
            Diagnostic::error(codes::BAD_NAME, format!("{what} {name:?} {why}"))
                .at(span, "named here")
                .with_help(help),
        );
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_slurm_misreads_are_refused() {
        for bad in ["", "a b", "a,b", "a=b", "a\"b", "a#b", "a[1]", "a/b", "ä", "DEFAULT", "all", "-a", "a:b"]
        {
            assert!(fault(bad, false).is_some(), "{bad:?}");
        }
        assert!(fault(&"x".repeat(65), false).is_some());
        assert!(fault("sw98765432109876543210", false).is_some());
        assert!(fault("NLP", true).is_some());
    }

    #[test]
    fn ordinary_names_pass() {
        for good in ["hpc-h100", "urgent", "h100-80gb-sxm", "gpu001", "a_b.c", "NLP", "q--step"] {
            assert!(fault(good, false).is_none(), "{good:?}");
        }
        assert!(fault("sw987654321098765432", false).is_none());
        assert!(fault("nlp", true).is_none());
    }
}
