//! Bounds on depth, work and size: evaluation is total.

use std::cell::Cell;

use poolwright_diagnostics::{Diagnostic, Span};

use super::fault::{Fault, Outcome};
use crate::{Value, codes};

/// How deep evaluation may nest on one thread, values asked of the host included.
const MAX_DEPTH: u32 = 1_000;

/// How many expressions one evaluation may visit.
const MAX_STEPS: u64 = 20_000_000;

/// The longest text, in bytes.
const MAX_TEXT: usize = 16 << 20;

/// The most elements of a list, set or object.
const MAX_ELEMENTS: usize = 1_000_000;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// One level of nesting, left when dropped. Counted per thread, because the host evaluates other expressions on the
/// same stack.
pub(super) struct Level;

impl Level {
    pub(super) fn enter(span: Span) -> Outcome<Self> {
        let depth = DEPTH.get();
        if depth >= MAX_DEPTH {
            return Err(too_deep(span));
        }
        DEPTH.set(depth + 1);
        Ok(Self)
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get().saturating_sub(1));
    }
}

fn too_deep(span: Span) -> Box<Diagnostic> {
    Fault::new(codes::TOO_DEEP, format!("the expression is nested more than {MAX_DEPTH} levels deep"))
        .help("give parts of it a name in `locals`")
        .at(span)
}

/// The work of one evaluation.
#[derive(Default)]
pub(super) struct Steps(Cell<u64>);

impl Steps {
    pub(super) fn take(&self, span: Span) -> Outcome<()> {
        let taken = self.0.get() + 1;
        self.0.set(taken);
        if taken > MAX_STEPS {
            return Err(Fault::new(
                codes::TOO_LARGE,
                format!("the expression takes more than {MAX_STEPS} steps"),
            )
            .help("go through fewer elements")
            .at(span));
        }
        Ok(())
    }
}

/// Refuses values that nobody can mean.
pub(crate) fn check_size(value: &Value) -> Result<(), Fault> {
    let (size, limit, what) = match value {
        Value::String(text) => (text.len(), MAX_TEXT, "bytes"),
        Value::List(items) | Value::Set(items) => (items.len(), MAX_ELEMENTS, "elements"),
        Value::Object(entries) => (entries.len(), MAX_ELEMENTS, "entries"),
        _ => return Ok(()),
    };
    if size <= limit {
        return Ok(());
    }
    Err(Fault::new(codes::TOO_LARGE, format!("the result has {size} {what}, more than {limit}")))
}
