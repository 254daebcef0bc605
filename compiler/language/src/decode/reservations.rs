//! Reservations that several lots share (LANGUAGE §4.3): their size counts once, in quotas and in the bill.

use std::collections::BTreeMap;

use poolwright_diagnostics::Diagnostic;
use poolwright_model::fleet::Lot;
use poolwright_model::{Address, Fleet};

use super::lot::shown;
use crate::codes;
use crate::values::Values;

/// A lot by its pool and its place in it.
type At = (Address, usize);

/// Settles how many nodes of each lot count and are paid for, and reports lots that do not agree.
pub(super) fn reservations(values: &Values<'_, '_>, fleet: &mut Fleet) {
    let mut shared: BTreeMap<(Address, String), Vec<At>> = BTreeMap::new();
    for pool in fleet.pools.values() {
        for (at, lot) in pool.lots.iter().enumerate() {
            if let (Some(id), Some(provision)) = (&lot.reservation, &pool.provision) {
                let key = (provision.clone(), id.clone());
                shared.entry(key).or_default().push((pool.meta.address.clone(), at));
            }
        }
    }
    for ((_, id), lots) in shared {
        settle(values, fleet, &id, &lots);
    }
}

fn lot<'f>(fleet: &'f Fleet, (pool, at): &At) -> Option<&'f Lot> {
    fleet.pools.get(pool)?.lots.get(*at)
}

fn settle(values: &Values<'_, '_>, fleet: &mut Fleet, id: &str, places: &[At]) {
    let lots: Vec<&Lot> = places.iter().filter_map(|place| lot(fleet, place)).collect();
    let mut sized = lots.iter().filter_map(|lot| Some((*lot, lot.reservation_nodes?)));
    let Some((first, size)) = sized.next() else {
        if let [one, other, ..] = lots.as_slice() {
            values.report(
                Diagnostic::error(
                    codes::RESERVATION,
                    format!(
                        "nobody says how many nodes the reservation \"{id}\" has, and several lots name it"
                    ),
                )
                .at(other.meta.origin.of("reservation"), format!("named by `{}`", shown(&other.meta)))
                .also(one.meta.origin.of("reservation"), format!("named by `{}`", shown(&one.meta)))
                .with_help("add `reservation_nodes = …` to one of them: it counts once"),
            );
        }
        return;
    };
    if let Some((other, differs)) = sized.find(|(_, other)| *other != size) {
        values.report(
            Diagnostic::error(
                codes::RESERVATION,
                format!("the reservation \"{id}\" has {size} nodes, and {differs}"),
            )
            .at(
                other.meta.origin.of("reservation_nodes"),
                format!("{differs}, says `{}`", shown(&other.meta)),
            )
            .also(first.meta.origin.of("reservation_nodes"), format!("{size}, says `{}`", shown(&first.meta)))
            .with_help("write the size that it really has, at one of them"),
        );
        return;
    }
    let least = lots.iter().fold(0_u64, |sum, lot| sum.saturating_add(lot.nodes.min));
    if least > size {
        let mut diagnostic = Diagnostic::error(
            codes::RESERVATION,
            format!("{least} nodes are always wanted of the reservation \"{id}\", it has {size}"),
        )
        .at(first.meta.origin.of("reservation_nodes"), format!("{size} nodes"));
        for lot in &lots {
            let text = format!("`{}` has {} at least", shown(&lot.meta), lot.nodes.min);
            diagnostic = diagnostic.also(lot.meta.origin.of("nodes"), text);
        }
        values.report(diagnostic.with_help("lower `nodes` of a lot, or correct the size of the reservation"));
        return;
    }
    let most = lots.iter().fold(0_u64, |sum, lot| sum.saturating_add(lot.most()));
    let mut over = most.saturating_sub(size);
    let spare = size.saturating_sub(most);
    // What is too much is taken from the last lot backwards; what nobody uses is on the last one's bill.
    for (back, (pool, at)) in places.iter().rev().enumerate() {
        let Some(lot) = fleet.pools.get_mut(pool).and_then(|pool| pool.lots.get_mut(*at)) else { continue };
        let taken = over.min(lot.most().saturating_sub(lot.nodes.min));
        if taken > 0 {
            over -= taken;
            lot.counted = Some(lot.most() - taken);
        }
        if back == 0 && spare > 0 {
            lot.billed = Some(lot.most().saturating_add(spare));
        }
    }
}
