//! Tests of the program as users run it, and of the house itself. One binary, so that it links once.
//!
//! Set `UPDATE_GOLDEN=1` to write expected outputs anew; then read the difference.

mod architecture;
mod bad_input;
mod examples;
mod exit_codes;
mod licences;
mod quickstart;
mod support;
mod ui;
