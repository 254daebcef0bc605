//! Namespaces, who may submit there, and priorities.

use std::collections::BTreeMap;

use poolwright_diagnostics::Diagnostic;
use poolwright_model::Address;
use poolwright_model::fleet::Tenant;
use serde_json::{Value, json};

use super::{Draft, Lowering};
use crate::codes;

/// Role and RoleBinding of a tenant's namespace (LANGUAGE §4.2).
const SUBMIT: &str = "poolwright-submit";

/// The most characters of a WorkloadPriorityClass's description (its CRD in Kueue 0.17.1).
const DESCRIPTION: usize = 2048;

impl<'a> Lowering<'a> {
    /// A namespace that several tenants share is the first one's.
    pub(super) fn namespaces(&mut self) {
        for (name, tenants) in by_namespace(&self.cluster.namespaces) {
            let Some(tenant) = self.tenants(&tenants).into_iter().next() else { continue };
            let draft = Draft::new("Namespace", name, &tenant.meta)
                .from("/metadata/name", tenant.meta.origin.of("namespaces"));
            self.push(draft);
        }
    }

    /// What somebody needs who submits, watches and takes back jobs with kubectl, and no more: a Role of the
    /// namespace, since no ClusterRole of Kubernetes or Kueue gives just that.
    pub(super) fn submitters(&mut self) {
        for (namespace, tenants) in by_namespace(&self.cluster.submitters) {
            let tenants = self.tenants(&tenants);
            let Some(first) = tenants.first() else { continue };
            let mut groups: Vec<&String> = tenants.iter().flat_map(|tenant| &tenant.groups).collect();
            groups.sort();
            groups.dedup();
            let home = self.address("Namespace", None, namespace);
            let role = Draft::new("Role", SUBMIT, &first.meta)
                .namespace(namespace)
                .field("rules", rules())
                .after(home.clone())
                .from("/rules", first.meta.origin.of("groups"));
            self.push(role);
            let subjects: Vec<Value> = groups
                .iter()
                .map(|group| json!({ "apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": group }))
                .collect();
            let binding = Draft::new("RoleBinding", SUBMIT, &first.meta)
                .namespace(namespace)
                .field(
                    "roleRef",
                    json!({ "apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": SUBMIT }),
                )
                .field("subjects", json!(subjects))
                .after(home)
                .after(self.address("Role", Some(namespace), SUBMIT))
                .from("/subjects", first.meta.origin.of("groups"));
            self.push(binding);
        }
    }

    /// Kueue's priority decides who is admitted; the pod's says the same to the kubelet, and evicts nobody.
    pub(super) fn classes(&mut self) {
        for address in &self.cluster.classes {
            let Some(class) = self.block(self.fleet.classes.get(address), address) else { continue };
            let meta = &class.meta;
            let mut workload = Draft::new("WorkloadPriorityClass", &meta.name, meta);
            let mut pod = Draft::new("PriorityClass", &meta.name, meta)
                .field("globalDefault", json!(false))
                .field("preemptionPolicy", json!("Never"));
            for draft in [&mut workload, &mut pod] {
                draft.set("value", json!(class.priority), meta.origin.of("priority"));
                if let Some(description) = &meta.description {
                    draft.set("description", json!(description), meta.origin.of("description"));
                }
            }
            if let Some(length) =
                meta.description.as_ref().map(|text| text.chars().count()).filter(|n| *n > DESCRIPTION)
            {
                let message = format!("the description of class \"{}\" has {length} characters", meta.name);
                let diagnostic = Diagnostic::error(codes::LONG_DESCRIPTION, message)
                    .at(meta.origin.of("description"), format!("a WorkloadPriorityClass takes {DESCRIPTION}"))
                    .with_help("shorten it, or move it to a comment");
                self.say(diagnostic);
            }
            self.push(workload);
            self.push(pod);
        }
    }

    fn tenants(&mut self, addresses: &[&'a Address]) -> Vec<&'a Tenant> {
        addresses.iter().filter_map(|address| self.block(self.fleet.tenants.get(*address), address)).collect()
    }
}

fn by_namespace(pairs: &[(String, Address)]) -> BTreeMap<&str, Vec<&Address>> {
    let mut all: BTreeMap<&str, Vec<&Address>> = BTreeMap::new();
    for (namespace, tenant) in pairs {
        let tenants = all.entry(namespace).or_default();
        if !tenants.contains(&tenant) {
            tenants.push(tenant);
        }
    }
    all
}

fn rules() -> Value {
    let read = ["get", "list", "watch"];
    json!([
        { "apiGroups": ["batch"], "resources": ["jobs"], "verbs": ["create", "delete", "get", "list", "watch"] },
        { "apiGroups": [""], "resources": ["events", "pods", "pods/log"], "verbs": read },
        { "apiGroups": ["kueue.x-k8s.io"], "resources": ["localqueues", "workloads"], "verbs": read },
    ])
}
