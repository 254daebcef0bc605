//! Codes of routes: `PW45xx`.

poolwright_diagnostics::codes! {
    /// Codes of this crate.
    DECIDE_ARGUMENT = "PW4510", "decide() is given something that it does not know or cannot read";
    DECIDE_MISSING = "PW4511", "decide() lacks an argument that it requires";
    DECIDE_PLACE = "PW4512", "decide() is told about a pool that the queue does not reach";
    DECIDE_WHO = "PW4513", "decide() is asked for a tenant or class that may not use the queue";
}
