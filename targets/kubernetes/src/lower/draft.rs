//! One object on its way: head, digest, dependencies and the places where its values were written.

use std::borrow::Cow;
use std::collections::BTreeMap;

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_model::{Meta, Resource, canonical};
use serde_json::{Map, Value, json};

use super::Lowering;
use crate::names::name_fault;
use crate::object::{ADDRESS, FLEET, Identity, PROTECT, SPEC};
use crate::{codes, facts};

/// What is said of an object; the head is made from it.
pub(crate) struct Draft<'a> {
    kind: &'static str,
    namespace: Option<String>,
    name: String,
    block: &'a Meta,
    fields: Map<String, Value>,
    depends_on: Vec<String>,
    origins: BTreeMap<Cow<'static, str>, Span>,
    remark: Option<String>,
}

impl<'a> Draft<'a> {
    /// An object of a kind and name that a block makes.
    pub(crate) fn new(kind: &'static str, name: &str, block: &'a Meta) -> Self {
        Self {
            kind,
            namespace: None,
            name: name.to_owned(),
            block,
            fields: Map::new(),
            depends_on: Vec::new(),
            origins: BTreeMap::new(),
            remark: None,
        }
    }

    pub(crate) fn namespace(mut self, namespace: &str) -> Self {
        self.namespace = Some(namespace.to_owned());
        self
    }

    /// A field of the top level.
    pub(crate) fn field(mut self, name: &str, value: Value) -> Self {
        self.fields.insert(name.to_owned(), value);
        self
    }

    /// An empty spec is left out, as the comparison leaves it out: what is written is what is compared.
    pub(crate) fn spec(self, spec: Value) -> Self {
        if spec.as_object().is_some_and(Map::is_empty) { self } else { self.field("spec", spec) }
    }

    /// Must exist before.
    pub(crate) fn after(mut self, address: String) -> Self {
        self.depends_on.push(address);
        self
    }

    /// Where the value at a pointer was written.
    pub(crate) fn from(mut self, pointer: impl Into<Cow<'static, str>>, span: Span) -> Self {
        self.origins.insert(pointer.into(), span);
        self
    }

    pub(crate) fn origins(mut self, origins: impl IntoIterator<Item = (String, Span)>) -> Self {
        self.origins.extend(origins.into_iter().map(|(pointer, span)| (Cow::Owned(pointer), span)));
        self
    }

    /// A field of the top level and where it was written.
    pub(crate) fn set(&mut self, name: &str, value: Value, span: Span) {
        self.fields.insert(name.to_owned(), value);
        self.origins.insert(Cow::Owned(format!("/{name}")), span);
    }

    pub(crate) fn remark(mut self, remark: impl Into<String>) -> Self {
        self.remark = Some(remark.into());
        self
    }
}

impl<'a> Lowering<'a> {
    /// The address of an object of ours on this cluster.
    pub(super) fn address(&self, kind: &str, namespace: Option<&str>, name: &str) -> String {
        Identity {
            group: facts::kind(kind).map(|facts| facts.group.clone()).unwrap_or_default(),
            kind: kind.to_owned(),
            namespace: namespace.map(str::to_owned),
            name: name.to_owned(),
        }
        .address(&self.short)
    }

    /// Completes an object and keeps it.
    pub(super) fn push(&mut self, draft: Draft<'a>) {
        let Some(facts) = facts::kind(draft.kind) else { return };
        let block = draft.block;
        self.check_name(&draft, facts);
        let labels = self.labels(draft.block);
        let identity = Identity {
            group: facts.group.clone(),
            kind: draft.kind.into(),
            namespace: draft.namespace.clone(),
            name: draft.name.clone(),
        };
        let address = identity.address(&self.short);
        if let Some((other, _)) = self.made.get(&address) {
            let message = format!("`{}` and `{}` both make {address}", other.address, draft.block.address);
            let diagnostic = Diagnostic::error(codes::BAD_NAME, message)
                .at(draft.block.origin.header, "makes it too")
                .also(other.origin.header, "makes it first")
                .with_help("give one of them another `name`");
            self.say(diagnostic);
            return;
        }
        let resource = self.keep.then(|| self.complete(&address, &identity, draft, facts, labels));
        self.made.insert(address, (block, resource));
    }

    /// Head and digest of an object.
    fn complete(
        &self,
        address: &str,
        identity: &Identity,
        mut draft: Draft<'a>,
        facts: &facts::KindFacts,
        labels: BTreeMap<String, String>,
    ) -> Resource {
        let mut annotations = BTreeMap::from([(ADDRESS, draft.block.address.to_string())]);
        if draft.block.protect {
            annotations.insert(PROTECT, "true".to_owned());
        }
        let mut metadata = json!({ "name": draft.name, "labels": labels, "annotations": annotations });
        if let (Some(namespace), Some(map)) = (&draft.namespace, metadata.as_object_mut()) {
            map.insert("namespace".into(), json!(namespace));
        }
        let api = &facts.version;
        let group = &facts.group;
        let api_version = if group.is_empty() { api.clone() } else { format!("{group}/{api}") };
        draft.fields.insert("apiVersion".into(), Value::String(api_version));
        draft.fields.insert("kind".into(), draft.kind.into());
        draft.fields.insert("metadata".into(), metadata);
        let mut body = Value::Object(draft.fields);
        // Keys of a `Value` are sorted, so its text is canonical.
        let digest = canonical::digest_value(&body);
        if let Some(annotations) = body.pointer_mut("/metadata/annotations").and_then(Value::as_object_mut) {
            annotations.insert(SPEC.into(), digest.into());
        }
        if draft.block.origin.wrote("labels") {
            draft.origins.insert("/metadata/labels".into(), draft.block.origin.of("labels"));
        }
        draft.depends_on.sort();
        draft.depends_on.dedup();
        Resource {
            address: address.to_owned(),
            target: self.target.meta.address.clone(),
            kind: identity.kind.clone(),
            identity: identity.to_string(),
            body,
            depends_on: draft.depends_on,
            block: draft.block.address.clone(),
            origin: draft.block.origin.header,
            field_origins: draft.origins,
            remark: draft.remark,
            ownership: BTreeMap::new(),
            protected: draft.block.protect,
        }
    }

    fn check_name(&mut self, draft: &Draft<'a>, facts: &facts::KindFacts) {
        debug_assert_eq!(facts.namespaced, draft.namespace.is_some());
        let namespace =
            draft.namespace.as_deref().and_then(|name| Some((name, name_fault(name, 63, false)?)));
        let own =
            name_fault(&draft.name, facts.name_limit, facts.dots).map(|fault| (draft.name.as_str(), fault));
        let reserved = facts.reserved.iter().find(|prefix| draft.name.starts_with(prefix.as_str()));
        let reserved = reserved
            .map(|prefix| (draft.name.as_str(), format!("names with `{prefix}` are Kubernetes' own")));
        for (name, fault) in namespace.into_iter().chain(own).chain(reserved) {
            let message = format!("\"{name}\" is no name for a {} on Kubernetes", draft.kind);
            self.say(
                Diagnostic::error(codes::BAD_NAME, message)
                    .at(draft.block.origin.of("name"), fault)
                    .with_help("set `name` to one that Kubernetes takes"),
            );
        }
    }

    /// The fleet's labels, the target's, the block's, and whose it is.
    fn labels(&self, block: &Meta) -> BTreeMap<String, String> {
        let mut labels = self.fleet.labels_for(self.target, block);
        labels.insert(FLEET.into(), self.fleet.meta.name.clone());
        labels
    }
}
