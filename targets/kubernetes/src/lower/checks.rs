//! AdmissionCheck with what it refers to: nodes before admission, and other clusters.

use serde_json::{Value, json};

use super::{Draft, Lowering};

const GROUP: &str = "kueue.x-k8s.io";

/// Seconds between two tries to get nodes (LANGUAGE §5.5).
const BACKOFF_SECONDS: u32 = 60;

/// Never reached: a stock-out must not deactivate a job, only `limits.wait` may. Kueue 0.17 compares the number
/// of the attempt with it, nothing else; it is an int32.
const RETRIES: i32 = i32::MAX;

impl Lowering<'_> {
    pub(super) fn provisioning(&mut self) {
        for check in &self.cluster.provisioning {
            // One check serves pools that come and go; what asks for it, and what it carries, is the cluster's
            // `cluster_autoscaler`: LANGUAGE §3.7.
            let meta = self.target_meta();
            let autoscaler = meta.origin.of("cluster_autoscaler.provisioning_requests");
            let flavors = self.cluster.flavors.iter().filter(|flavor| check.flavors.contains(&flavor.name));
            let mut lots = flavors
                .filter_map(|flavor| self.fleet.pools.get(&flavor.pool))
                .flat_map(|pool| &pool.lots)
                .filter(|lot| lot.provisioning == check.class_name);
            let class = lots.find(|lot| lot.meta.origin.wrote("provisioning"));
            let class = class.map(|lot| lot.meta.origin.of("provisioning"));
            let mut managed = check.managed_resources.clone();
            managed.sort();
            let spec = json!({
                "provisioningClassName": check.class_name,
                "managedResources": managed,
                "retryStrategy": {
                    "backoffBaseSeconds": BACKOFF_SECONDS,
                    "backoffLimitCount": RETRIES,
                    "backoffMaxSeconds": BACKOFF_SECONDS,
                },
            });
            let config = Draft::new("ProvisioningRequestConfig", &check.name, meta)
                .spec(spec)
                .from("/spec", autoscaler)
                .from("/spec/provisioningClassName", class.unwrap_or(autoscaler));
            self.push(config);
            let spec =
                self.check("kueue.x-k8s.io/provisioning-request", "ProvisioningRequestConfig", &check.name);
            let draft = Draft::new("AdmissionCheck", &check.name, meta)
                .spec(spec)
                .after(self.address("ProvisioningRequestConfig", None, &check.name))
                .from("/spec", autoscaler);
            self.push(draft);
        }
    }

    pub(super) fn multikueue(&mut self) {
        for (name, address) in &self.cluster.workers {
            let Some(worker) = self.block(self.fleet.targets.get(address), address) else { continue };
            let secret = format!("multikueue-{name}");
            let place = &self.kueue.namespace;
            let draft = Draft::new("MultiKueueCluster", name, &worker.meta)
                .spec(json!({ "clusterSource": { "kubeConfig": { "location": secret, "locationType": "Secret" } } }))
                .from("/spec", worker.meta.origin.header)
                .remark(format!("needs Secret {place}/{secret} with a kubeconfig"));
            self.push(draft);
        }
        for check in &self.cluster.multikueue {
            let Some(route) = self.block(self.fleet.routes.get(&check.route), &check.route) else { continue };
            let (meta, span) = (&route.meta, route.meta.origin.header);
            let of = format!("route \"{}\"", meta.name);
            self.at_most("multikueue_clusters", check.clusters.len(), "clusters", &of, span);
            let mut config = Draft::new("MultiKueueConfig", &check.name, meta)
                .spec(json!({ "clusters": check.clusters }))
                .from("/spec/clusters", span);
            for cluster in &check.clusters {
                config = config.after(self.address("MultiKueueCluster", None, cluster));
            }
            self.push(config);
            let spec = self.check("kueue.x-k8s.io/multikueue", "MultiKueueConfig", &check.name);
            let draft = Draft::new("AdmissionCheck", &check.name, meta)
                .spec(spec)
                .after(self.address("MultiKueueConfig", None, &check.name))
                .from("/spec", span);
            self.push(draft);
        }
    }

    #[expect(clippy::unused_self, reason = "reads with the rest of the lowering")]
    fn check(&self, controller: &str, kind: &str, name: &str) -> Value {
        json!({ "controllerName": controller, "parameters": { "apiGroup": GROUP, "kind": kind, "name": name } })
    }
}
