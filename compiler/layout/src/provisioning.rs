//! Checks that make nodes before a job is admitted (LANGUAGE §4.2, §5.5): one per provisioning class of a cluster, for
//! its elastic flavors.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_model::Address;
use poolwright_model::layout::ProvisioningCheck;

use crate::flavors::Flavors;
use crate::names::{self, LIMIT};

/// The class that the Cluster Autoscaler answers all at once (autoscaler, `provisioningrequest/apis`, 1.30 and later).
const DEFAULT_CLASS: &str = "best-effort-atomic-scale-up.autoscaling.x-k8s.io";

/// A check, and the pool of its first flavor, which answers for its name.
pub(crate) struct Check {
    /// What the cluster gets.
    pub(crate) check: ProvisioningCheck,
    /// That pool.
    pub(crate) pool: Address,
    /// Places of its flavors.
    pub(crate) places: BTreeSet<usize>,
}

/// The checks of a cluster with `provisioning_requests`, by name.
pub(crate) fn checks(flavors: &Flavors<'_>, cluster: &Address) -> Vec<Check> {
    let mut by_class: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for at in flavors.of_cluster(cluster) {
        let Some(flavor) = flavors.get(*at) else { continue };
        if let Some(lot) = flavors.lots(flavor).iter().find(|lot| lot.elastic()) {
            by_class.entry(&lot.provisioning).or_default().insert(*at);
        }
    }
    let mut checks: Vec<Check> =
        by_class.into_iter().filter_map(|(class, places)| check(flavors, class, places)).collect();
    checks.sort_by(|a, b| a.check.name.cmp(&b.check.name));
    checks
}

fn check(flavors: &Flavors<'_>, class: &str, places: BTreeSet<usize>) -> Option<Check> {
    let name = if class == DEFAULT_CLASS {
        "provisioning".to_owned()
    } else {
        names::compose(&["provisioning", class.split('.').next().unwrap_or(class)], LIMIT)
    };
    let of: Vec<usize> = places.iter().copied().collect();
    let meant = || flavors.pick(&of);
    // Pods that ask for no device at all would not be waited for; without any name Kueue waits for every pod set.
    let devices = if meant().all(|flavor| flavor.device.is_some()) {
        meant().filter_map(|flavor| flavor.device.clone()).collect()
    } else {
        BTreeSet::new()
    };
    let mut names: Vec<String> = meant().map(|flavor| flavor.name.clone()).collect();
    names.sort();
    let pool = meant().next()?.pool.clone();
    let check = ProvisioningCheck {
        name,
        class_name: class.to_owned(),
        managed_resources: devices.into_iter().collect(),
        flavors: names,
    };
    Some(Check { check, pool, places })
}
