//! Whole-fleet checks.
use crate::kueue::Parts;
use poolwright_diagnostics::Diagnostic;
pub(crate) fn check(_parts: &Parts<'_, '_>, _diagnostics: &mut Vec<Diagnostic>) {}
