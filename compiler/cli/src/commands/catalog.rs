//! `poolwright catalog`.

use crate::args::CatalogPart;
use crate::exit::Exit;
use crate::output;

pub(crate) fn run(what: Option<CatalogPart>) -> Exit {
    if what != Some(CatalogPart::Instances) {
        output::print(&poolwright_report::accelerators(poolwright_catalog::accelerators()));
    }
    if what.is_none() {
        output::print("\n");
    }
    if what != Some(CatalogPart::Accelerators) {
        output::print(&poolwright_report::instances(poolwright_catalog::instances()));
    }
    Exit::Done
}
