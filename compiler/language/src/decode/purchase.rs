//! What a lot says of how it is bought and run besides its size: reservations, days, who writes its size.

use poolwright_diagnostics::Diagnostic;
use poolwright_model::fleet::{GroupKind, Lot, Placement, SizeOwner, Target, TargetKind, TierKind};

use super::capacity::Place;
use super::lot::shown;
use crate::codes;
use crate::values::{Values, no_effect};

/// Checks one lot.
pub(super) fn check(values: &Values<'_, '_>, lot: &Lot, tier: Option<TierKind>, place: &Place<'_>) {
    reservation(values, lot, tier, place);
    days(values, lot);
    size_owner(values, lot, place);
    let karpenter = place.maker().and_then(Target::cloud).is_some_and(|it| it.groups == GroupKind::Karpenter);
    if karpenter && lot.meta.origin.wrote("allocation") {
        values.report(no_effect(
            "allocation",
            shown(&lot.meta),
            lot.meta.origin.of("allocation"),
            "Karpenter chooses among its types and zones by itself",
            "remove it",
        ));
    }
}

/// A reservation is of one type in one zone, of capacity that stays.
fn reservation(values: &Values<'_, '_>, lot: &Lot, tier: Option<TierKind>, place: &Place<'_>) {
    let origin = &lot.meta.origin;
    let report = |diagnostic: Diagnostic| values.report(diagnostic);
    if lot.reservation.is_none() {
        if lot.reservation_nodes.is_some() {
            report(
                Diagnostic::error(
                    codes::RESERVATION,
                    format!("`{}` says the size of no reservation", shown(&lot.meta)),
                )
                .at(origin.of("reservation_nodes"), "of which reservation?")
                .with_help("name it: `reservation = \"cr-…\"`"),
            );
        }
        return;
    }
    let span = origin.of("reservation");
    if place.maker().is_none() && place.provision.is_none() {
        report(
            Diagnostic::error(
                codes::RESERVATION,
                format!("`{}` has a reservation, and nobody makes its nodes", shown(&lot.meta)),
            )
            .at(span, "of which cloud?")
            .with_help("add `provision = target.…` to the pool, or remove `reservation`"),
        );
    }
    if let Some(kind) = tier.filter(|kind| !matches!(kind, TierKind::Reserved | TierKind::OnDemand)) {
        report(
            Diagnostic::error(
                codes::RESERVATION,
                format!("`{}` has a reservation and is {}", shown(&lot.meta), kind.as_str()),
            )
            .at(span, "of capacity that stays")
            .also(origin.of("tier"), "its tier")
            .with_help("use a tier of kind `reserved` or `on-demand`, or remove `reservation`"),
        );
    }
    for (attribute, count) in [("instance_types", lot.instance_types.len()), ("zones", lot.zones.len())] {
        if count > 1 {
            let word = if attribute == "zones" { "zones" } else { "types" };
            report(
                Diagnostic::error(
                    codes::RESERVATION,
                    format!("`{}` has {count} {word}, its reservation is of one", shown(&lot.meta)),
                )
                .at(origin.of(attribute), format!("{count} {word}"))
                .also(span, "of one type in one zone")
                .with_help(format!("name the one that was reserved in `{attribute}` of the lot")),
            );
        }
    }
    if lot.placement == Placement::Cluster {
        report(
            Diagnostic::error(
                codes::RESERVATION,
                format!("`{}` wants a placement group of its own in a reservation", shown(&lot.meta)),
            )
            .at(origin.of("placement"), "would be a new group")
            .also(span, "was made in a group, or in none")
            .with_help("name the group that it was made in, or write `placement = \"none\"`"),
        );
    }
}

fn days(values: &Values<'_, '_>, lot: &Lot) {
    let (Some(from), Some(until)) = (&lot.from, &lot.until) else { return };
    if from > until {
        values.report(
            Diagnostic::error(
                codes::DAYS,
                format!("`{}` ends on {until}, before it begins on {from}", shown(&lot.meta)),
            )
            .at(lot.meta.origin.of("until"), "its last day")
            .also(lot.meta.origin.of("from"), "its first day")
            .with_help("exchange the two, or correct one"),
        );
    }
}

/// Who writes the size is there, and has something to write.
fn size_owner(values: &Values<'_, '_>, lot: &Lot, place: &Place<'_>) {
    let Some(owner) = lot.size_owner else { return };
    let span = lot.meta.origin.of("size_owner");
    if !place.made() {
        values.report(no_effect("size_owner", shown(&lot.meta), span, "nobody makes its nodes", "remove it"));
        return;
    }
    let kubernetes = place.cluster.kubernetes();
    let lacks = match owner {
        SizeOwner::ClusterAutoscaler if kubernetes.is_none_or(|it| it.cluster_autoscaler.is_none()) => {
            Some("`cluster_autoscaler`")
        }
        SizeOwner::Karpenter if kubernetes.is_none_or(|it| it.karpenter.is_none()) => Some("`karpenter`"),
        SizeOwner::Slurm if !matches!(place.cluster.kind, TargetKind::Slurm(_)) => Some("Slurm"),
        _ => None,
    };
    if let Some(lacks) = lacks {
        values.report(
            Diagnostic::error(
                codes::SIZE_OWNER,
                format!("the size of `{}` is left to somebody who is not there", shown(&lot.meta)),
            )
            .at(span, "would write it")
            .also(place.cluster.meta.origin.header, format!("has no {lacks}"))
            .with_help("say on the target that it is there, or write `\"external\"` for anybody else"),
        );
    }
}
