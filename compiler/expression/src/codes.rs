//! Codes of values and evaluation: `PW2xxx` types and units, `PW3xxx` evaluation.

poolwright_diagnostics::codes! {
    /// Codes of this crate.
    WRONG_TYPE = "PW2001", "a value is of another type than its place asks for";
}
