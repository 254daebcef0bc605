//! The launch template of a node group: what an instance is made from.

use poolwright_diagnostics::Diagnostic;
use poolwright_model::canonical;
use poolwright_model::resource::object;
use poolwright_target_cloud::{Draft, Group};
use serde_json::{Map, Value, json};

use crate::tags::Tags;
use crate::user_data::{self, Template};
use crate::{Kind, codes, efa};

/// A template without a fault.
pub(crate) struct Checked {
    data: Value,
    /// Whether its network interfaces stand in it.
    interfaces: bool,
    /// Tags of the template itself.
    own: Tags,
}

/// Checks the template; nothing when diagnostics say what is wrong.
pub(crate) fn checked(
    group: &Group<'_>,
    user_data: Option<&Template>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Checked> {
    let before = diagnostics.len();
    check_name(group, diagnostics);
    let (data, interfaces) = data(group, user_data, diagnostics);
    let own = Tags::owned(group, Kind::LaunchTemplate, group.name());
    own.check(group, diagnostics);
    let sound = !diagnostics.iter().skip(before).any(Diagnostic::is_error);
    sound.then_some(Checked { data, interfaces, own })
}

impl Checked {
    /// The document.
    pub(crate) fn draft(self, group: &Group<'_>) -> Draft {
        let Self { mut data, interfaces, mut own } = self;
        // The group's tags reach instances by themselves; volumes and interfaces get them from here.
        let tags = Tags::owned(group, Kind::AutoScalingGroup, group.name()).plain();
        let interfaces = interfaces.then(|| specification("network-interface", tags.clone()));
        let specifications = interfaces.into_iter().chain([specification("volume", tags)]).collect();
        put(&mut data, "TagSpecifications", Value::Array(specifications));
        // The version carries the digest of its data, so that an equal version is found before a second one is made.
        let version = canonical::digest_value(&data);
        let mut body = object([
            ("LaunchTemplateData", data),
            ("LaunchTemplateName", json!(group.name())),
            ("VersionDescription", Value::String(version)),
        ]);
        own.sign(&body);
        let tags = Value::Array(vec![specification("launch-template", own.plain())]);
        put(&mut body, "TagSpecifications", tags);
        let target = &group.target().meta.origin;
        let origins = vec![
            ("/LaunchTemplateData/IamInstanceProfile", target.of("instance_profile")),
            ("/LaunchTemplateData/ImageId", target.of("image")),
            ("/LaunchTemplateData/InstanceType", group.span("instance_types")),
            ("/LaunchTemplateData/CpuOptions", group.span("node")),
            ("/LaunchTemplateData/NetworkInterfaces", group.pool.meta.origin.of("fabric")),
            ("/LaunchTemplateData/SecurityGroupIds", target.of("security_groups")),
            ("/LaunchTemplateData/UserData", target.of("user_data")),
            ("/LaunchTemplateName", group.lot.meta.origin.header),
        ];
        Draft { body, origins }
    }
}

/// The data without its tags, and whether network interfaces are in it.
fn data(group: &Group<'_>, user_data: Option<&Template>, diagnostics: &mut Vec<Diagnostic>) -> (Value, bool) {
    let mut data = json!({
        // Two hops: a pod reaches the metadata service through its node's bridge.
        "MetadataOptions": { "HttpEndpoint": "enabled", "HttpPutResponseHopLimit": 2, "HttpTokens": "required" },
    });
    if let Some(image) = &group.cloud.image {
        put(&mut data, "ImageId", json!(image));
    }
    if let Some(first) = group.lot.instance_types.first() {
        put(&mut data, "InstanceType", json!(first));
    }
    if let Some(profile) = &group.cloud.instance_profile {
        // An ARN is taken under another key than a name.
        let key = if profile.starts_with("arn:") { "Arn" } else { "Name" };
        put(&mut data, "IamInstanceProfile", json!({ key: profile }));
    }
    if let Some(cpu) = cpu_options(group) {
        put(&mut data, "CpuOptions", cpu);
    }
    if let Some(template) = user_data {
        match user_data::render(group, template) {
            Ok(encoded) => put(&mut data, "UserData", json!(encoded)),
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    let interfaces = efa::interfaces(group, diagnostics);
    let has_interfaces = interfaces.is_some();
    if let Some(interfaces) = interfaces {
        // With interfaces AWS refuses groups at the top: they are on each interface.
        put(&mut data, "NetworkInterfaces", interfaces);
    } else if efa::fabric(group).is_none() && !group.cloud.security_groups.is_empty() {
        put(&mut data, "SecurityGroupIds", json!(group.cloud.security_groups));
    }
    (data, has_interfaces)
}

/// The tags of one type of resource.
pub(crate) fn specification(of: &str, tags: Value) -> Value {
    object([("ResourceType", json!(of)), ("Tags", tags)])
}

/// One thread a core, where the lot's `node` says so (LANGUAGE §3.3, `node`) and its types have more.
fn cpu_options(group: &Group<'_>) -> Option<Value> {
    if !group.switches_off_threads() {
        return None;
    }
    let node = &group.lot.node;
    let cores = match (node.sockets, node.cores) {
        (Some(sockets), Some(cores)) => sockets.saturating_mul(cores),
        _ => node.cpus,
    };
    Some(json!({ "CoreCount": cores, "ThreadsPerCore": 1 }))
}

/// EC2 API, `CreateLaunchTemplate`: 3 to 128 of letters, digits and `()./_-`.
fn check_name(group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let name = group.name();
    let fits = (3..=128).contains(&name.len());
    if fits && name.chars().all(|c| c.is_ascii_alphanumeric() || "()./_-".contains(c)) {
        return;
    }
    diagnostics.push(
        Diagnostic::error(codes::NAME, format!("\"{name}\" cannot name a launch template"))
            .at(group.span("name"), "the group is named after its pool and lot")
            .with_help("launch template names have 3 to 128 letters, digits and \"()./_-\""),
    );
}

/// Sets a key of an object.
pub(crate) fn put(object: &mut Value, key: &str, value: Value) {
    if let Value::Object(map) = object {
        map.insert(key.to_owned(), value);
    } else {
        *object = Value::Object(Map::from_iter([(key.to_owned(), value)]));
    }
}
