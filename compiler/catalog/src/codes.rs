//! Codes of the catalogue: `PW46xx`.

poolwright_diagnostics::codes! {
    /// Codes of this crate.
    UNKNOWN_ACCELERATOR = "PW4601", "an accelerator is neither declared nor in the catalogue";
    UNKNOWN_INSTANCE_TYPE = "PW4602", "an instance type is not in the catalogue, so its shape has to be written";
    CATALOGUE_ROW = "PW4690", "a row of the shipped catalogue cannot be read: a fault of Poolwright";
}
