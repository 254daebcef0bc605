//! `poolwright catalog`.

use poolwright_report::Parts;

use crate::args::CatalogPart;
use crate::exit::Exit;
use crate::output;

pub(crate) fn run(what: Option<CatalogPart>, json: bool) -> Exit {
    let asked = |part: CatalogPart| what.is_none_or(|what| what == part);
    let parts = Parts {
        accelerators: asked(CatalogPart::Accelerators),
        instances: asked(CatalogPart::Instances),
        fabrics: asked(CatalogPart::Fabrics),
    };
    if json {
        output::print(&format!("{:#}\n", poolwright_report::catalog_json(parts)));
        return Exit::Done;
    }
    output::print(&poolwright_report::catalog_title());
    if parts.accelerators {
        output::print("\n");
        output::print(&poolwright_report::accelerators(poolwright_catalog::accelerators()));
    }
    if parts.instances {
        output::print("\n");
        output::print(&poolwright_report::instances(poolwright_catalog::instances()));
    }
    if parts.fabrics {
        output::print("\n");
        output::print(&poolwright_report::fabrics(poolwright_catalog::fabrics()));
    }
    Exit::Done
}
