//! A body before it is an object.

use std::collections::BTreeMap;

use poolwright_diagnostics::Span;
use poolwright_model::Resource;
use poolwright_model::resource::Ownership;
use serde_json::Value;

use crate::{Group, SizeOwner};

/// A body and where its parts were written, by JSON pointer.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The body.
    pub body: Value,
    /// Pointers with their places.
    pub origins: Vec<(&'static str, Span)>,
}

impl Draft {
    /// The group's object of a kind.
    #[must_use]
    pub fn into_resource(self, group: &Group<'_>, kind: &str, identity: String) -> Resource {
        Resource {
            address: format!("{}/{identity}", group.target().short()),
            target: group.target().meta.address.clone(),
            kind: kind.to_owned(),
            identity,
            body: self.body,
            depends_on: Vec::new(),
            block: group.lot.meta.address.clone(),
            origin: group.lot.meta.origin.header,
            field_origins: self.origins.into_iter().map(|(path, span)| (path.into(), span)).collect(),
            remark: None,
            ownership: BTreeMap::new(),
            protected: group.protected(),
        }
    }
}

impl Group<'_> {
    /// Leaves the wished size, at a JSON pointer, to whoever changes it: written when the group is made, then not ours.
    #[must_use]
    pub fn size_ownership(&self, pointer: &str) -> BTreeMap<String, Ownership> {
        let owner = self.size_owner();
        let others = (owner != SizeOwner::Poolwright)
            .then(|| (pointer.to_owned(), Ownership::Seed(owner.as_str().to_owned())));
        others.into_iter().collect()
    }
}
