//! Network interfaces of hosts in an EFA fabric.
//!
//! Per network card, never typed by hand: on some types the first card has no EFA. Facts: the catalogue's
//! `efa_interfaces` and `first_efa_card` (EC2 `DescribeInstanceTypes`).

use poolwright_catalog::Efa;
use poolwright_diagnostics::Diagnostic;
use poolwright_model::fleet::{Fabric, FabricKind};
use poolwright_target_cloud::Group;
use serde_json::{Value, json};

use crate::codes;

/// The pod resource of EFA interfaces, by the EFA device plugin.
pub(crate) const RESOURCE: &str = "vpc.amazonaws.com/efa";

/// The fabric of a group, if it is one of EFA interfaces.
pub(crate) fn fabric<'a>(group: &Group<'a>) -> Option<&'a Fabric> {
    group.fabric.filter(|fabric| fabric.kind == FabricKind::Efa)
}

/// The interfaces of a launch template; `None` without an EFA fabric, or when a diagnostic says why not.
pub(crate) fn interfaces(group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Value> {
    let fabric = fabric(group)?;
    let facts = facts(group, fabric, diagnostics);
    if group.cloud.security_groups.is_empty() {
        diagnostics.push(
            Diagnostic::error(
                codes::EFA_SECURITY_GROUP,
                format!(
                    "`{}` has no security group, so its EFA hosts cannot reach each other",
                    group.target().short()
                ),
            )
            .at(group.target().meta.origin.header, "no `security_groups`")
            .also(fabric.meta.origin.header, "this fabric needs one")
            .with_help("add `security_groups` with a group that allows all traffic to and from itself"),
        );
    }
    let first = facts?;
    Some(Value::Array(cards(first, fabric.rails).map(|(card, kind)| interface(group, card, kind)).collect()))
}

/// Cards and interface types: card 0 carries the host's address, EFA sits where the type has it. `efa-only`
/// interfaces take no address of the subnet.
fn cards(first: u32, rails: u32) -> impl Iterator<Item = (u32, &'static str)> {
    let host = (0, if first == 0 { "efa" } else { "interface" });
    let rest = if first == 0 { 1..rails } else { first..first.saturating_add(rails) };
    std::iter::once(host).chain(rest.map(|card| (card, "efa-only")))
}

/// Device 0 is the host's primary interface; on every other card numbering starts again, and AWS wants 1 there.
fn interface(group: &Group<'_>, card: u32, kind: &str) -> Value {
    json!({
        "DeleteOnTermination": true,
        "DeviceIndex": u32::from(card != 0),
        "Groups": group.cloud.security_groups,
        "InterfaceType": kind,
        "NetworkCardIndex": card,
    })
}

/// The first card with EFA, when all types of the lot agree on it and have as many interfaces as the fabric rails.
fn facts(group: &Group<'_>, fabric: &Fabric, diagnostics: &mut Vec<Diagnostic>) -> Option<u32> {
    let before = diagnostics.len();
    let at = group.span("instance_types");
    let mut known: Vec<(&str, Efa)> = Vec::new();
    for name in &group.lot.instance_types {
        match poolwright_catalog::instance("aws", name).map(|facts| facts.efa) {
            Some(Some(efa)) => known.push((name, efa)),
            found => {
                let what = if found.is_some() { "has no EFA interfaces" } else { "is not in the catalogue" };
                diagnostics.push(
                    Diagnostic::error(
                        codes::EFA_TYPE,
                        format!("`{name}` {what}, `{}` needs them", fabric.meta.address),
                    )
                    .at(at, what)
                    .also(fabric.meta.origin.header, "the fabric of its pool")
                    .with_help(
                        "use a type with EFA (`poolwright catalog instances`), or a pool without `fabric`",
                    ),
                );
            }
        }
    }
    for (name, efa) in &known {
        if fabric.rails > efa.interfaces {
            let message = format!(
                "`{}` has {} rails, `{name}` has {} EFA interfaces",
                fabric.meta.address, fabric.rails, efa.interfaces
            );
            diagnostics.push(
                Diagnostic::error(codes::EFA_RAILS, message)
                    .at(fabric.meta.origin.of("rails"), format!("at most {} for this type", efa.interfaces))
                    .also(at, "the types of the lot")
                    .with_help(format!("write `rails = {}`", efa.interfaces)),
            );
        } else if fabric.rails < efa.interfaces {
            let message = format!(
                "`{}` uses {} of the {} EFA interfaces of `{name}`",
                fabric.meta.address, fabric.rails, efa.interfaces
            );
            diagnostics.push(
                Diagnostic::warning(codes::EFA_RAILS, message)
                    .at(fabric.meta.origin.of("rails"), "the rest of the bandwidth is paid for and not used")
                    .with_help(format!("write `rails = {}`", efa.interfaces)),
            );
        }
    }
    let (_, first) = known.first()?;
    if let Some((name, other)) = known.iter().find(|(_, efa)| efa.first_card != first.first_card) {
        let message = format!(
            "EFA starts at card {} of `{name}` and at card {} of the first type: one launch template cannot fit both",
            other.first_card, first.first_card
        );
        diagnostics.push(
            Diagnostic::error(codes::EFA_TYPE, message)
                .at(at, "")
                .with_help("give each of the types a lot of its own"),
        );
    }
    let failed = diagnostics.iter().skip(before).any(Diagnostic::is_error);
    (!failed).then_some(first.first_card)
}

#[cfg(test)]
mod tests {
    use super::cards;

    #[test]
    fn cards_of_types_with_and_without_efa_on_the_first() {
        let p4d: Vec<_> = cards(0, 4).collect();
        assert_eq!(p4d, [(0, "efa"), (1, "efa-only"), (2, "efa-only"), (3, "efa-only")]);
        let p6_b300: Vec<_> = cards(1, 16).collect();
        assert_eq!(p6_b300.first(), Some(&(0, "interface")));
        assert_eq!(p6_b300.last(), Some(&(16, "efa-only")));
        assert_eq!(p6_b300.len(), 17);
        assert_eq!(cards(0, 1).collect::<Vec<_>>(), [(0, "efa")]);
    }
}
