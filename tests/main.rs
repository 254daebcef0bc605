//! Tests of the program as users run it, and of the house itself. One binary, so that it links once.
//!
//! Set `UPDATE_GOLDEN=1` to write expected outputs anew; then read the difference.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    reason = "a test that meets what it does not expect fails at that place"
)]

mod acceptance;
mod architecture;
mod bad_input;
mod challenges;
mod checks;
mod codes;
mod command_line;
mod compiled;
mod console;
mod docs;
mod examples;
mod exit_codes;
mod forms;
mod generated;
mod graph;
mod layout;
mod licences;
mod modules;
mod outputs;
mod places;
mod quickstart;
mod shipped;
mod support;
mod tour;
mod transcripts;
mod ui;
mod vendors;
