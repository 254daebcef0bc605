//! The `poolwright` program: the only crate that prints, exits, or reads the environment and the clock.
//!
//! Each command is a file in [`commands`]: it reads its inputs, calls the driver, prints a report, and returns an
//! [`exit::Exit`]. What is true about a fleet is decided elsewhere.

mod args;
mod clock;
mod codes;
mod commands;
mod exit;
mod git;
mod output;
mod rewrite;
mod session;

use std::process::ExitCode;

/// A fleet is very many small allocations that die together: docs/benchmarks.md says what this is worth.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Nested blocks and long chains of references are evaluated by recursion with limits that this much can hold.
const STACK_BYTES: usize = 256 << 20;

fn main() -> ExitCode {
    let run = std::thread::Builder::new()
        .name("poolwright".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(commands::run);
    match run.map(std::thread::JoinHandle::join) {
        // A reader who did not get the data must not read success, nor "there are changes", from the code.
        Ok(Ok(exit::Exit::Done | exit::Exit::Changes | exit::Exit::Class(0 | 2))) if output::lost() => {
            ExitCode::from(1)
        }
        Ok(Ok(exit)) => ExitCode::from(exit.code()),
        Ok(Err(_)) => {
            output::complain(
                "error[PW9901]: this is a fault of Poolwright itself; please report it with what you ran\n",
            );
            ExitCode::from(1)
        }
        Err(error) => {
            output::complain(&format!("error: the program cannot start: {error}\n"));
            ExitCode::from(1)
        }
    }
}
