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
mod internal;
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
    internal::watch();
    let run = std::thread::Builder::new()
        .name("poolwright".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(|| internal::guarded(commands::run));
    let exit = match run.map(std::thread::JoinHandle::join) {
        Ok(Ok(exit)) => exit,
        // A fault while a fault was shown.
        Ok(Err(_)) => {
            output::complain("error[PW9900]: this is a fault of Poolwright itself\n");
            exit::Exit::Error
        }
        Err(error) => {
            output::complain(&format!("error: the program cannot start: {error}\n"));
            exit::Exit::Error
        }
    };
    output::finish();
    match exit {
        // A reader who did not get the data must not read success, nor "there are changes", from the code.
        exit::Exit::Done | exit::Exit::Changes | exit::Exit::Class(0 | 2) if output::lost() => {
            ExitCode::from(1)
        }
        exit => ExitCode::from(exit.code()),
    }
}
