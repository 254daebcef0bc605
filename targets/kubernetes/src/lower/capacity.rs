//! ResourceFlavor and Topology.

use std::collections::BTreeSet;

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::quantity::Taint;
use poolwright_model::layout::Flavor;
use serde_json::{Map, Value, json};

use super::{Draft, Lowering};
use crate::codes;

/// Every node has it; Kueue takes it as the last level only.
const HOSTNAME: &str = "kubernetes.io/hostname";

impl<'a> Lowering<'a> {
    pub(super) fn topologies(&mut self) {
        for address in &self.cluster.topologies {
            let Some(fabric) = self.block(self.fleet.fabrics.get(address), address) else { continue };
            let mut labels = Vec::new();
            let mut draft = Draft::new("Topology", &fabric.meta.name, &fabric.meta);
            for level in &fabric.levels {
                let name = &level.meta.name;
                let Some(label) = &level.label else {
                    let message =
                        format!("level \"{name}\" has no node label, so Kueue cannot tell its domains apart");
                    let diagnostic = Diagnostic::error(codes::LEVEL_LABEL, message)
                        .at(level.meta.origin.header, "no `label`")
                        .also(self.target.meta.origin.header, "pools of this fabric are scheduled here")
                        .with_help(
                            "name the label that nodes of one domain share: label = \"acme.dev/rack\"",
                        );
                    self.say(diagnostic);
                    continue;
                };
                let span = level.meta.origin.of("label");
                let last = fabric.levels.last().is_some_and(|last| last.meta.address == level.meta.address);
                if labels.contains(label) || (label == HOSTNAME && !last) {
                    let message = format!("level \"{name}\" cannot have the label {label}");
                    let why = if label == HOSTNAME {
                        "a host is the finest domain"
                    } else {
                        "a coarser level has it already"
                    };
                    let help = "give every level a label of its own, coarse to fine; the host itself is added at the end";
                    self.say(Diagnostic::error(codes::LEVEL_LABEL, message).at(span, why).with_help(help));
                    continue;
                }
                draft = draft.from(format!("/spec/levels/{}", labels.len()), span);
                labels.push(label.clone());
            }
            if labels.last().is_none_or(|last| last != HOSTNAME) {
                labels.push(HOSTNAME.to_owned());
            }
            let of = format!("fabric \"{}\"", fabric.meta.name);
            self.at_most("topology_levels", labels.len(), "levels", &of, fabric.meta.origin.header);
            let levels: Vec<Value> = labels.iter().map(|label| json!({ "nodeLabel": label })).collect();
            self.push(
                draft.spec(json!({ "levels": levels })).from("/spec/levels", fabric.meta.origin.header),
            );
        }
    }

    pub(super) fn flavors(&mut self) {
        for flavor in &self.cluster.flavors {
            let Some(pool) = self.block(self.fleet.pools.get(&flavor.pool), &flavor.pool) else { continue };
            let origin = &pool.meta.origin;
            self.check_flavor(flavor);
            let mut spec = Map::new();
            if !flavor.select.is_empty() {
                spec.insert("nodeLabels".into(), json!(flavor.select));
            }
            if !flavor.taints.is_empty() {
                spec.insert("nodeTaints".into(), flavor.taints.iter().map(taint).collect());
                if flavor.tolerated {
                    spec.insert("tolerations".into(), flavor.taints.iter().map(toleration).collect());
                }
            }
            // Where `select` follows from the rule, the pool itself is the place.
            let select = if origin.wrote("select") { origin.of("select") } else { origin.header };
            let mut draft = Draft::new("ResourceFlavor", &flavor.name, &pool.meta)
                .from("/spec/nodeLabels", select)
                .from("/spec/nodeTaints", origin.of("taints"))
                .from(
                    "/spec/tolerations",
                    origin.of(if origin.wrote("opt_in") { "opt_in" } else { "taints" }),
                )
                .from("/spec/topologyName", origin.of("fabric"));
            if let Some(address) = &flavor.topology
                && let Some(fabric) = self.block(self.fleet.fabrics.get(address), address)
            {
                spec.insert("topologyName".into(), json!(fabric.meta.name));
                draft = draft.after(self.address("Topology", None, &fabric.meta.name));
            }
            self.push(draft.spec(Value::Object(spec)));
        }
    }

    fn check_flavor(&mut self, flavor: &'a Flavor) {
        let Some(pool) = self.fleet.pools.get(&flavor.pool) else { return };
        let (name, origin) = (&pool.meta.name, &pool.meta.origin);
        let of = format!("pool \"{name}\"");
        self.at_most("node_labels", flavor.select.len(), "labels in `select`", &of, origin.of("select"));
        self.at_most("node_taints", flavor.taints.len(), "taints", &of, origin.of("taints"));
        if flavor.topology.is_some() && flavor.select.is_empty() {
            let message =
                format!("pool \"{name}\" has a fabric with levels and no label that recognises its nodes");
            let diagnostic = Diagnostic::error(codes::TOPOLOGY_SELECT, message)
                .at(origin.of("select"), "empty, so the flavor would have no nodeLabels")
                .also(origin.of("fabric"), "Kueue reads the topology from the nodes with those labels")
                .with_help("name a label that all nodes of the pool have and no others: select = { … }");
            self.say(diagnostic);
        }
        let mut seen = BTreeSet::new();
        for taint in &flavor.taints {
            if !seen.insert((&taint.key, &taint.effect)) {
                let (key, effect) = (&taint.key, &taint.effect);
                let message = format!("pool \"{name}\" has two taints {key}:{effect}");
                let diagnostic = Diagnostic::error(codes::DUPLICATE_TAINT, message)
                    .at(origin.of("taints"), "one key and effect is taken once")
                    .with_note("neither a node nor a ResourceFlavor can hold both")
                    .with_help("leave one of them out");
                self.say(diagnostic);
            }
        }
    }

    pub(super) fn dispatch_flavors(&mut self) {
        for flavor in &self.cluster.dispatch_flavors {
            let Some(route) = self.block(self.fleet.routes.get(&flavor.route), &flavor.route) else {
                continue;
            };
            let draft = Draft::new("ResourceFlavor", &flavor.name, &route.meta).remark(format!(
                "stands for all places of route {}; its quota is a throttle",
                route.meta.name
            ));
            self.push(draft);
        }
    }
}

fn taint(taint: &Taint) -> Value {
    let mut map = Map::new();
    map.insert("effect".into(), json!(taint.effect));
    map.insert("key".into(), json!(taint.key));
    if let Some(value) = &taint.value {
        map.insert("value".into(), json!(value));
    }
    Value::Object(map)
}

/// What makes a pod ignore the taint, no more than that.
fn toleration(of: &Taint) -> Value {
    let mut value = taint(of);
    if let Some(map) = value.as_object_mut() {
        map.insert("operator".into(), json!(if of.value.is_some() { "Equal" } else { "Exists" }));
    }
    value
}
