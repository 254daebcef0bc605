//! What no cloud can launch. The code, and what the cloud calls a group, are the target's.

use poolwright_diagnostics::{Code, Diagnostic};

use crate::{Group, SizeOwner};

impl Group<'_> {
    /// Refuses a group without a zone.
    pub fn check_zones(&self, code: Code, diagnostics: &mut Vec<Diagnostic>) {
        if self.layout.zones.is_empty() {
            diagnostics.push(
                Diagnostic::error(code, format!("`{}` has no zone to launch in", self.name()))
                    .at(self.span("zones"), "")
                    .with_help("write `zones` in the lot, its pool or its target"),
            );
        }
    }

    /// Refuses no instance type, and more than `most`, which is how many `noun` ("a node pool") takes.
    pub fn check_types(&self, code: Code, noun: &str, most: usize, diagnostics: &mut Vec<Diagnostic>) {
        let types = self.lot.instance_types.len();
        if (1..=most).contains(&types) {
            return;
        }
        let what = if types == 0 {
            "no instance type".to_owned()
        } else {
            format!("{types} instance types, {noun} takes {most}")
        };
        diagnostics.push(
            Diagnostic::error(code, format!("`{}` has {what}", self.lot.meta.address))
                .at(self.span("instance_types"), "")
                .with_help(
                    "write `instance_types` by preference, all with the same accelerator and GPU count",
                ),
        );
    }

    /// Warns where the number of nodes may vary and nobody changes it: nobody that the fleet knows, or says that there is.
    pub fn check_scaler(&self, code: Code, diagnostics: &mut Vec<Diagnostic>) {
        use poolwright_model::fleet::SizeOwner as Said;
        if matches!(self.lot.size_owner, Some(Said::External | Said::Cloud)) {
            return;
        }
        let (SizeOwner::External, Some(cluster)) = (self.size_owner(), self.cluster()) else { return };
        let message = format!(
            "`{}` may have {} nodes, and nothing in its cluster changes their number",
            self.lot.meta.address, self.layout.nodes
        );
        diagnostics.push(
            Diagnostic::warning(code, message)
                .at(self.span("nodes"), "stays at its least")
                .also(cluster.meta.origin.header, "has no `cluster_autoscaler`")
                .with_help("add `cluster_autoscaler` to the cluster's target, or fix the number of nodes"),
        );
    }
}
