//! Tags: whose an object is, what its nodes are for the Cluster Autoscaler, and what the fleet's people write.
//!
//! Limits: EC2 user guide "Tag restrictions", Auto Scaling API `Tag`. The autoscaler's keys: Cluster Autoscaler 1.33,
//! `cloudprovider/aws/README.md`. It reads the group's tags only, and from zero nodes it knows nothing else.

use std::collections::BTreeMap;

use poolwright_diagnostics::Diagnostic;
use poolwright_model::canonical;
use poolwright_model::resource::object;
use poolwright_target_cloud::tags::{ADDRESS, FLEET, SPEC};
use poolwright_target_cloud::{Group, SizeOwner};
use serde_json::Value;

use crate::{Kind, codes, efa, names};

/// Tags of one object at most, those of AWS itself not counted.
const MOST_TAGS: usize = 50;
const MOST_KEY: usize = 128;
const MOST_VALUE: usize = 256;

const AUTOSCALER: &str = "k8s.io/cluster-autoscaler";
/// Keys that are written from facts; a label must not say something else.
const OURS: [&str; 4] = ["aws:", "poolwright:", "k8s.io/cluster-autoscaler/", "kubernetes.io/cluster/"];

/// A tag's value, and whether instances get it when they start.
struct Tag {
    value: String,
    propagate: bool,
}

/// Tags by key.
#[derive(Default)]
pub(crate) struct Tags(BTreeMap<String, Tag>);

impl Tags {
    /// What every object of a group carries: the labels, and whose it is.
    pub(crate) fn owned(group: &Group<'_>, kind: Kind, name: &str) -> Self {
        let fleet = group.input.fleet;
        let mut tags = Self::default();
        for (key, value) in group.labels() {
            if !OURS.iter().any(|prefix| key.starts_with(prefix)) {
                tags.set(key, value, true);
            }
        }
        tags.set(FLEET, fleet.meta.name.clone(), true);
        tags.set(ADDRESS, names::address(group.target(), kind, name), true);
        tags
    }

    /// What an Auto Scaling group carries besides.
    pub(crate) fn scaling_group(group: &Group<'_>) -> Self {
        let mut tags = Self::owned(group, Kind::AutoScalingGroup, group.name());
        let cluster = &group.layout.cluster_id;
        if group.kubernetes() {
            // The cloud controller and the VPC network plugin of EKS look for it on self-managed nodes.
            tags.set(format!("kubernetes.io/cluster/{cluster}"), "owned", true);
        }
        if group.size_owner() == SizeOwner::ClusterAutoscaler {
            tags.set(format!("{AUTOSCALER}/enabled"), "true", false);
            tags.set(format!("{AUTOSCALER}/{cluster}"), "owned", false);
            tags.node_template(group);
        }
        tags
    }

    /// What a node would be, for a group that has none yet.
    fn node_template(&mut self, group: &Group<'_>) {
        let template = format!("{AUTOSCALER}/node-template");
        for (key, value) in &group.layout.node_labels {
            self.set(format!("{template}/label/{key}"), value.clone(), false);
        }
        for taint in &group.pool.taints {
            let value = format!("{}:{}", taint.value.as_deref().unwrap_or_default(), taint.effect);
            self.set(format!("{template}/taint/{}", taint.key), value, false);
        }
        let fleet = group.input.fleet;
        let accelerator = group.pool.accelerator.as_ref().and_then(|address| fleet.accelerators.get(address));
        if let Some(accelerator) = accelerator.filter(|_| group.lot.node.gpus > 0) {
            let key = format!("{template}/resources/{}", accelerator.resource);
            self.set(key, group.lot.node.gpus.to_string(), false);
        }
        if let Some(fabric) = efa::fabric(group) {
            let resource = fabric.resource.as_deref().unwrap_or(efa::RESOURCE);
            self.set(format!("{template}/resources/{resource}"), fabric.per_node.to_string(), false);
        }
        if let Some(idle) = &group.lot.idle_after {
            // A Go duration; whole seconds, rounded up: a node is never taken before its time.
            let seconds = idle.0.ceil().to_exact_decimal().unwrap_or_default();
            let key = format!("{template}/autoscaling-options/scaledownunneededtime");
            self.set(key, format!("{seconds}s"), false);
        }
    }

    pub(crate) fn set(&mut self, key: impl Into<String>, value: impl Into<String>, propagate: bool) {
        self.0.insert(key.into(), Tag { value: value.into(), propagate });
    }

    /// Marks a finished body with the digest of itself. The digest never reaches instances: it would differ from
    /// the group's as soon as the group changes.
    pub(crate) fn sign(&mut self, body: &Value) {
        self.set(SPEC, canonical::digest_value(body), false);
    }

    /// `[{Key, Value}]`, as EC2 has tags.
    pub(crate) fn plain(self) -> Value {
        let tag = |(key, tag): (String, Tag)| {
            object([("Key", Value::String(key)), ("Value", Value::String(tag.value))])
        };
        self.0.into_iter().map(tag).collect()
    }

    /// `[{Key, Value, PropagateAtLaunch}]`, as Auto Scaling has tags.
    pub(crate) fn propagated(self) -> Value {
        let tag = |(key, tag): (String, Tag)| {
            object([
                ("Key", Value::String(key)),
                ("PropagateAtLaunch", Value::Bool(tag.propagate)),
                ("Value", Value::String(tag.value)),
            ])
        };
        self.0.into_iter().map(tag).collect()
    }

    /// What AWS would refuse.
    pub(crate) fn check(&self, group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) {
        let at = group.pool.meta.origin.of("labels");
        let refuse = |what: String| {
            Diagnostic::error(codes::TAGS, format!("`{}`: {what}", group.name()))
                .at(at, "its tags come from labels, node labels and taints")
        };
        // The digest comes last, when the body is finished.
        let tags = self.0.len() + usize::from(!self.0.contains_key(SPEC));
        if tags > MOST_TAGS {
            let what = format!("{tags} tags, AWS takes {MOST_TAGS}");
            diagnostics
                .push(refuse(what).with_help("leave out labels, node labels or taints that nothing reads"));
        }
        for (key, tag) in &self.0 {
            let keys = length(key, MOST_KEY);
            if keys > MOST_KEY {
                let what = format!("the tag key \"{key}\" has {keys} characters, AWS takes {MOST_KEY}");
                diagnostics.push(refuse(what).with_help("shorten the label or taint key that it comes from"));
            }
            let values = length(&tag.value, MOST_VALUE);
            if values > MOST_VALUE {
                let what =
                    format!("the value of tag \"{key}\" has {values} characters, AWS takes {MOST_VALUE}");
                diagnostics.push(refuse(what).with_help("shorten the label that it comes from"));
            }
            if let Some(bad) = key.chars().chain(tag.value.chars()).find(|c| !allowed(*c)) {
                let what = format!("the tag \"{key}\" = \"{}\" has the character {bad:?}", tag.value);
                diagnostics
                    .push(refuse(what).with_help("tags hold letters, digits, spaces and \"_.:/=+-@\""));
            }
        }
    }
}

/// Labels that would pretend to be tags written from facts, and taints of which only one could be told.
pub(crate) fn check_sources(group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for key in group.labels().keys() {
        if let Some(prefix) = OURS.iter().find(|prefix| key.starts_with(*prefix)) {
            diagnostics.push(
                Diagnostic::error(
                    codes::TAGS,
                    format!("the label \"{key}\" cannot be a tag: \"{prefix}\" is reserved"),
                )
                .at(group.pool.meta.origin.of("labels"), "")
                .with_help("use another label key"),
            );
        }
    }
    if group.size_owner() != SizeOwner::ClusterAutoscaler {
        return;
    }
    let mut effects: BTreeMap<&str, &str> = BTreeMap::new();
    for taint in &group.pool.taints {
        if let Some(other) = effects.insert(&taint.key, &taint.effect) {
            let message = format!(
                "the taints of `{}` have the key \"{}\" twice ({other}, {}): the Cluster Autoscaler reads one tag a key",
                group.pool.meta.address, taint.key, taint.effect
            );
            diagnostics.push(
                Diagnostic::error(codes::TAINT_KEY, message)
                    .at(group.pool.meta.origin.of("taints"), "")
                    .with_help("give one of the taints another key"),
            );
        }
    }
}

fn allowed(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, ' ' | '_' | '.' | ':' | '/' | '=' | '+' | '-' | '@')
}

/// Characters of a text; of one whose bytes are not too many, its bytes.
fn length(text: &str, most: usize) -> usize {
    if text.len() <= most { text.len() } else { text.chars().count() }
}
