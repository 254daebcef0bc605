//! Diagnostic codes: stable names that users search for and scripts match on.

use std::fmt;

/// A stable code such as `PW1003`. Never reused, never renumbered.
///
/// Ranges: `PW00xx` reading and syntax, `PW1xxx` names, blocks and attributes, `PW2xxx` types and units,
/// `PW3xxx` evaluation, `PW4xxx` rules between blocks, `PW5xxx` what a target cannot express, `PW6xxx` plan and
/// state, `PW7xxx` apply, `PW8xxx` policies and tests, `PW9xxx` not yet built, and faults of Poolwright itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub &'static str);

/// One row of a crate's code table: the code and what it means in one line, for `poolwright explain`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeInfo {
    /// The code.
    pub code: Code,
    /// What it means, in one line, without the particulars of one case.
    pub summary: &'static str,
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Declares a crate's codes as constants and lists them in `CODES`, so that none can be forgotten:
///
/// ```
/// poolwright_diagnostics::codes! {
///     /// Codes of this crate.
///     UNKNOWN_ATTRIBUTE = "PW1003", "a block has an attribute that its schema does not know";
/// }
/// assert_eq!(CODES[0].code, UNKNOWN_ATTRIBUTE);
/// ```
#[macro_export]
macro_rules! codes {
    ($(#[$meta:meta])* $($name:ident = $code:literal, $summary:literal;)+) => {
        $(
            #[doc = concat!("`", $code, "`: ", $summary, ".")]
            pub const $name: $crate::Code = $crate::Code($code);
        )+
        $(#[$meta])*
        pub const CODES: &[$crate::CodeInfo] = &[$($crate::CodeInfo { code: $name, summary: $summary }),+];
    };
}
