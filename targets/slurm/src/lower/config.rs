//! Global settings that follow from the rest (LANGUAGE §4.6).

use std::collections::BTreeSet;

use poolwright_diagnostics::Span;
use poolwright_model::fleet::PreemptBy;

use super::Lowering;
use super::nodes::Nodes;

/// Far above all other weights, so that jobs queue in the order in which they evict: with equal weights a freed host
/// may go to another job than the one that freed it (slurmctld 22.05.8).
const QOS_WEIGHT: u64 = 1_000_000_000;
/// The most for fair share, which decides among jobs of one class.
const FAIRSHARE_WEIGHT: u64 = 1_000_000;

impl<'a> Lowering<'a> {
    /// The one Config.
    pub(super) fn config(
        &mut self,
        nodes: &[Nodes<'a>],
        topology: Option<(&'static str, Span)>,
        budgets: bool,
        script: bool,
    ) {
        let meta = self.target_meta();
        let header = meta.origin.header;
        let mut object = self.object("Config", "globals", meta);
        let types: BTreeSet<&str> =
            nodes.iter().flat_map(|nodes| &nodes.devices).map(|device| device.gres_type).collect();
        if !types.is_empty() {
            object.set("GresTypes", vec!["gpu"], header);
        }
        object.set("EnforcePartLimits", "ANY", header);
        if script {
            object.set("JobSubmitPlugins", vec!["lua"], header);
            // Without its script slurmctld does not start.
            object.after(self.address_of("JobSubmit", "job_submit"));
        }
        let preempt = match self.slurm.preempt_by {
            PreemptBy::Qos => "preempt/qos",
            PreemptBy::Tier => "preempt/partition_prio",
        };
        object.set("PreemptType", preempt, meta.origin.of("preempt_by"));
        object.set("PreemptMode", "REQUEUE", header);
        if self.slurm.accounting {
            let span = meta.origin.of("accounting");
            if !types.is_empty() {
                let tracked = std::iter::once("gres/gpu".to_owned())
                    .chain(types.iter().map(|gres_type| format!("gres/gpu:{gres_type}")));
                object.set("AccountingStorageTRES", tracked.collect::<Vec<_>>(), span);
            }
            let mut enforced = vec!["limits", "qos"];
            if budgets && self.all_have_an_end() {
                // A job starts only when the rest of the budget holds it; without this it is killed in the middle.
                // A job without an end never fits a budget (slurmctld 22.05.8: AssocGrpBillingMinutes).
                enforced.push("safe");
            }
            object.set("AccountingStorageEnforce", enforced, span);
            object.set("PriorityType", "priority/multifactor", span);
            object.set("PriorityWeightQOS", QOS_WEIGHT, span);
            object.set("PriorityWeightFairshare", self.fairshare_weight(), span);
            if budgets {
                // A budget is money per month: usage must neither fade nor outlive the month.
                object.set("PriorityDecayHalfLife", "0", span);
                object.set("PriorityUsageResetPeriod", "MONTHLY", span);
            }
        }
        if let Some((plugin, span)) = topology {
            object.set("TopologyPlugin", plugin, span);
        }
        self.push(object);
    }

    /// Whether jobs of every class have a time limit.
    fn all_have_an_end(&self) -> bool {
        let mut classes = self.cluster.qos.iter().filter_map(|qos| self.fleet().classes.get(&qos.class));
        classes.all(|class| class.limits.run_time.is_some())
    }

    /// So much for fair share that it never turns the order of two classes: Slurm scales QoS priorities to the highest.
    fn fairshare_weight(&self) -> u64 {
        let classes = self.cluster.qos.iter().filter_map(|qos| self.fleet().classes.get(&qos.class));
        let priorities: BTreeSet<u64> = classes.map(|class| u64::from(class.priority)).collect();
        let Some(highest) = priorities.last().copied().filter(|highest| *highest > 0) else {
            return FAIRSHARE_WEIGHT;
        };
        let gap = priorities
            .iter()
            .zip(priorities.iter().skip(1))
            .map(|(low, high)| high.saturating_sub(*low))
            .min();
        let room = gap.map_or(u64::MAX, |gap| QOS_WEIGHT.saturating_mul(gap) / highest);
        FAIRSHARE_WEIGHT.min(room.saturating_sub(1)).max(1)
    }
}
