//! What the compiler makes of fleets that were broken on purpose: the examples with each token deleted in turn, with a
//! typo in each name, and with their blocks in another order. In-process, over files in memory.
//!
//! The figures are in docs/robustness.md; `UPDATE_GOLDEN=1` writes them anew.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that meets what it does not expect fails at that place"
)]

mod deletion;
mod fleets;
mod names;
mod order;
mod page;
mod typos;
