//! Bounds on depth, work and size: evaluation is total.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span};
use regex::Regex;

use super::fault::{Fault, Outcome};
use crate::{Value, codes};

/// How deep one expression may nest.
const MAX_DEPTH: u32 = 250;

/// How much of the stack evaluation may use on a thread, in bytes: values asked of the host are evaluated on the same
/// stack. Well below the 2 MiB of a thread.
const MAX_STACK: usize = 5 << 18;

/// How much work one evaluation may be: expressions visited and elements made.
const MAX_STEPS: u64 = 5_000_000;

/// The longest text, in bytes.
pub(crate) const MAX_TEXT: usize = 16 << 20;

/// The most elements of a list, set or object.
pub(crate) const MAX_ELEMENTS: usize = 1_000_000;

thread_local! {
    /// Where the stack of the outermost evaluation begins; 0 while there is none.
    static STACK: Cell<usize> = const { Cell::new(0) };
}

/// One level of nesting, left when dropped.
pub(super) struct Level<'a> {
    depth: &'a Cell<u32>,
    outermost: bool,
}

impl Drop for Level<'_> {
    fn drop(&mut self) {
        self.depth.set(self.depth.get().saturating_sub(1));
        if self.outermost {
            STACK.set(0);
        }
    }
}

/// The address of a variable in the frame of this function.
#[inline(never)]
fn stack_address() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(std::hint::black_box(&here)).addr()
}

fn too_deep(span: Span, what: &str) -> Box<Diagnostic> {
    Fault::new(codes::TOO_DEEP, format!("the expression {what}"))
        .help("give parts of it a name in `locals`, and keep chains of names that use each other short")
        .at(span)
}

/// How many regular expressions one evaluation keeps ready.
const MAX_PATTERNS: usize = 64;

/// What one evaluation has used up.
#[derive(Default)]
pub(crate) struct Limits {
    depth: Cell<u32>,
    steps: Cell<u64>,
    /// Regular expressions by their text: a loop uses the same one again and again.
    patterns: RefCell<BTreeMap<Arc<str>, Regex>>,
}

impl Limits {
    pub(super) fn enter(&self, span: Span) -> Outcome<Level<'_>> {
        let depth = self.depth.get();
        if depth >= MAX_DEPTH {
            return Err(too_deep(span, &format!("is nested more than {MAX_DEPTH} levels deep")));
        }
        let (base, here) = (STACK.get(), stack_address());
        if base == 0 {
            STACK.set(here);
        } else if base.abs_diff(here) > MAX_STACK {
            return Err(too_deep(span, "is at the end of too long a chain of names that use each other"));
        }
        self.depth.set(depth + 1);
        Ok(Level { depth: &self.depth, outermost: base == 0 })
    }

    pub(super) fn take(&self, span: Span) -> Outcome<()> {
        self.take_many(1, span)
    }

    /// What a function has made: each element, and each few bytes of text, is a step.
    pub(super) fn take_result(&self, value: &Value, span: Span) -> Outcome<()> {
        let made = match value {
            Value::List(items) | Value::Set(items) => items.len(),
            Value::Object(entries) => entries.len(),
            Value::String(text) => text.len() / 32,
            _ => 0,
        };
        self.take_many(made as u64, span)
    }

    fn take_many(&self, number: u64, span: Span) -> Outcome<()> {
        self.charge(number).map_err(|fault| fault.at(span))
    }

    /// Takes steps.
    pub(crate) fn charge(&self, number: u64) -> Result<(), Fault> {
        let taken = self.steps.get().saturating_add(number);
        self.steps.set(taken);
        if taken > MAX_STEPS {
            let message = format!("the expression takes more than {MAX_STEPS} steps");
            return Err(Fault::new(codes::TOO_LARGE, message).help("go through fewer elements"));
        }
        Ok(())
    }

    /// The regular expression of a text: one that this evaluation has had, or a new one.
    pub(crate) fn pattern<E>(
        &self,
        text: &Arc<str>,
        make: impl FnOnce() -> Result<Regex, E>,
    ) -> Result<Regex, E> {
        if let Some(ready) = self.patterns.borrow().get(text) {
            return Ok(ready.clone());
        }
        let made = make()?;
        let mut ready = self.patterns.borrow_mut();
        if ready.len() >= MAX_PATTERNS {
            ready.clear();
        }
        ready.insert(text.clone(), made.clone());
        Ok(made)
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
