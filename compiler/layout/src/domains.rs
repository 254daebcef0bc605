//! What an NVLink fabric says that is joined, against what the accelerator's NVLink domain joins (LANGUAGE §3.3).

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_model::fleet::{Accelerator, Fabric, FabricKind, Pool, Switch};

use crate::codes;
use crate::flavors::fabric_of;
use crate::kueue::Parts;

/// The finest level of an NVLink fabric is one NVLink domain: with more GPUs than a domain of the accelerator has,
/// jobs that ask for one level get GPUs that the network joins. Fewer are no fault: half a rack is bought as well.
pub(crate) fn check(parts: &Parts<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    let fleet = parts.flavors.fleet;
    for pool in fleet.pools.values() {
        let Some(fabric) = fabric_of(fleet, pool).filter(|fabric| fabric.kind == FabricKind::Nvlink) else {
            continue;
        };
        let Some(accelerator) = pool.accelerator.as_ref().and_then(|it| fleet.accelerators.get(it)) else {
            continue;
        };
        if let Some((span, gpus)) =
            largest(fabric, pool).filter(|(_, gpus)| *gpus > u64::from(accelerator.domain))
        {
            diagnostics.push(apart(fabric, pool, accelerator, (span, gpus)));
        }
    }
}

fn apart(fabric: &Fabric, pool: &Pool, accelerator: &Accelerator, (span, gpus): (Span, u64)) -> Diagnostic {
    let (domain, address) = (accelerator.domain, &accelerator.meta.address);
    let message = format!(
        "the finest level of `{}` has {gpus} GPUs of `{}`, and NVLink joins {domain} of them",
        fabric.meta.address, pool.meta.address
    );
    let leaves_nodes = pool.lots.iter().any(|lot| domain > lot.node.gpus);
    Diagnostic::warning(codes::DOMAIN_TOO_LARGE, message)
        .at(span, "more than one NVLink domain")
        .also(pool.meta.origin.of("fabric"), format!("nodes of `{address}`"))
        .with_note("the finest level of a fabric of kind nvlink is one NVLink domain: jobs are packed into it")
        .with_help(if leaves_nodes {
            "make the levels as small as the racks are, or write `domain` in a block of the accelerator"
        } else {
            "NVLink does not leave these nodes: write the kind of the network between them, or `domain` in a block of the accelerator"
        })
}

/// GPUs of the pool in the largest domain, and where its size is written: by the level's own number, else by hosts.
fn largest(fabric: &Fabric, pool: &Pool) -> Option<(Span, u64)> {
    let gpus = pool.lots.iter().map(|lot| u64::from(lot.node.gpus)).max()?;
    if let Some((level, nodes)) = fabric.levels.last().and_then(|level| Some((level, level.nodes?))) {
        return Some((level.meta.origin.of("nodes"), gpus.saturating_mul(u64::from(nodes))));
    }
    let mut of_host = BTreeMap::new();
    for lot in &pool.lots {
        let hosts = lot.hosts.iter().flat_map(|hosts| hosts.0.iter().map(String::as_str));
        of_host.extend(hosts.map(|host| (host, u64::from(lot.node.gpus))));
    }
    let mut leaves = Vec::new();
    fabric.switches.iter().for_each(|switch| under(switch, &mut leaves));
    let sizes = leaves.into_iter().map(|(switch, hosts)| {
        let gpus = hosts
            .iter()
            .filter_map(|host| of_host.get(host))
            .fold(0, |sum: u64, gpus| sum.saturating_add(*gpus));
        (switch.meta.origin.of("hosts"), gpus)
    });
    sizes.max_by_key(|(_, gpus)| *gpus)
}

/// Switches that have hosts, with these.
fn under<'f>(switch: &'f Switch, leaves: &mut Vec<(&'f Switch, BTreeSet<&'f str>)>) {
    if let Some(hosts) = &switch.hosts {
        leaves.push((switch, hosts.0.iter().map(String::as_str).collect()));
    }
    switch.switches.iter().for_each(|switch| under(switch, leaves));
}
