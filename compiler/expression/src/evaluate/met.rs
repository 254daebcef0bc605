//! What was met on the way to a value. A value that came about by leaving something out (an attempt that failed, a side
//! that was not chosen) may depend on what is not in it.

use std::cell::Cell;

use crate::Value;

/// Whether something unknown, and something sensitive, was met.
#[derive(Default)]
pub(super) struct Met {
    unknown: Cell<bool>,
    sensitive: Cell<bool>,
}

/// What was met during a piece of work.
#[derive(Clone, Copy)]
pub(super) struct Meeting {
    pub(super) unknown: bool,
    pub(super) sensitive: bool,
}

impl Met {
    pub(super) fn note(&self, value: &Value) {
        match value {
            Value::Unknown(_) => self.unknown.set(true),
            Value::Sensitive(inner) => {
                self.sensitive.set(true);
                if matches!(**inner, Value::Unknown(_)) {
                    self.unknown.set(true);
                }
            }
            _ => {}
        }
    }

    /// Does the work, and says what was met during it alone.
    pub(super) fn during<T>(&self, work: impl FnOnce() -> T) -> (T, Meeting) {
        let before =
            Meeting { unknown: self.unknown.replace(false), sensitive: self.sensitive.replace(false) };
        let result = work();
        let met = Meeting { unknown: self.unknown.get(), sensitive: self.sensitive.get() };
        self.unknown.set(before.unknown || met.unknown);
        self.sensitive.set(before.sensitive || met.sensitive);
        (result, met)
    }
}
