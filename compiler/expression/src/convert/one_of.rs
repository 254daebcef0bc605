//! A value that may be of several types.

use super::{ConvertFault, Converter, wrong_type};
use crate::{Type, Value, codes};

impl Converter {
    /// The first type that fits. If none does: the faults inside, if the value got into one of the types further than
    /// into the others; else one fault that names them all.
    pub(super) fn one_of(&mut self, value: &Value, types: &[Type], whole: &Type) -> Option<Value> {
        let before = self.faults.len();
        let mut forms = 0;
        let mut best: Option<Vec<ConvertFault>> = None;
        for ty in types {
            let converted = self.convert(value, ty);
            let faults = self.faults.split_off(before);
            match converted {
                Some(converted) if faults.is_empty() => return Some(converted),
                _ => {
                    forms += usize::from(closeness(&faults) == Closeness::Form);
                    if best.as_ref().is_none_or(|best| closeness(&faults) > closeness(best)) {
                        best = Some(faults);
                    }
                }
            }
        }
        let best = best.unwrap_or_default();
        let clear = match closeness(&best) {
            Closeness::OtherKind => types.len() == 1,
            // Text that is neither this nor that says nothing about which was meant.
            Closeness::Form => forms == 1,
            Closeness::Inside => true,
        };
        if clear {
            self.faults.extend(best);
            return None;
        }
        let help = best.into_iter().find_map(|fault| fault.help);
        self.fault(codes::WRONG_TYPE, wrong_type(value, whole), help)
    }
}

/// How near a value was to a type.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Closeness {
    /// It is of another kind.
    OtherKind,
    /// It is of the kind, and its form is wrong.
    Form,
    /// It is of the kind, with faults inside.
    Inside,
}

fn closeness(faults: &[ConvertFault]) -> Closeness {
    let other_kind = |fault: &ConvertFault| fault.code == codes::WRONG_TYPE && fault.path.is_empty();
    if faults.iter().any(other_kind) || faults.is_empty() {
        Closeness::OtherKind
    } else if faults.iter().all(|fault| fault.path.is_empty()) {
        Closeness::Form
    } else {
        Closeness::Inside
    }
}
