//! What the rules of LANGUAGE §4 and §5.5 make of a fleet: flavors, quotas, stages, names, node groups, and the
//! mechanism of each route, before any target's wire format.
//!
//! Pure: a [`Fleet`] in, a [`Layout`] and what is wrong out. It must not know a wire format (targets spell out what is
//! laid out here), prices, files or syntax, and it never stops at the first fault: what can be laid out is.
//!
//! Enter at [`layout`].

mod accounts;
mod across;
mod capacity;
mod checks;
pub mod codes;
mod devices;
mod domains;
mod fidelity;
mod flavors;
mod groups;
mod hardware;
mod kueue;
mod limits;
mod multikueue;
mod names;
mod needs;
mod provisioning;
mod quotas;
mod remarks;
mod selects;
mod slurm;
mod stages;
mod times;

#[cfg(test)]
mod tests;

use poolwright_diagnostics::Diagnostic;
use poolwright_model::{Fleet, Layout};

use crate::flavors::Flavors;
use crate::kueue::Parts;
use crate::names::Names;

/// Lays out a fleet. Everything that is wrong is said, in the order of the places where it was written; with an error
/// among it the layout is incomplete and only good for looking at.
#[must_use]
pub fn layout(fleet: &Fleet) -> (Layout, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let flavors = Flavors::new(fleet, &mut diagnostics);
    let shares = quotas::shares(&flavors, &mut diagnostics);
    let ways = across::ways(&flavors, &mut diagnostics);
    let parts = Parts { flavors: &flavors, ways: &ways, shares: &shares };
    let mut names = Names::default();
    let mut layout = Layout {
        kueue: kueue::clusters(&parts, &mut names, &mut diagnostics),
        slurm: slurm::clusters(&parts, &mut names, &mut diagnostics),
        groups: groups::groups(&flavors, &mut names, &mut diagnostics),
        routes: fidelity::routes(&flavors, &ways, &mut diagnostics),
    };
    checks::check(&parts, &mut diagnostics);
    domains::check(&parts, &mut diagnostics);
    needs::check(&parts, &mut diagnostics);
    hardware::check(&parts, &mut diagnostics);
    times::check(&parts, &mut diagnostics);
    limits::check(&parts, &mut diagnostics);
    remarks::check(&parts, &mut diagnostics);
    flavors.give(&mut layout.kueue);
    Diagnostic::sort(&mut diagnostics);
    (layout, diagnostics)
}
