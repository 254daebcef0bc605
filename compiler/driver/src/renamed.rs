//! Blocks that have another name now, as far as objects tell. Nothing follows a block's name yet, so that a new name
//! destroys what carries the old one; `name` in the block keeps it.

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::Diagnostic;
use poolwright_model::Resource;
use poolwright_model::plan::{Action, Change};
use poolwright_model::resource::Observed;
use poolwright_target::Target;

use crate::{Compiled, codes};

/// The blocks that objects carry, before and after.
#[derive(Default)]
pub(crate) struct Blocks {
    before: BTreeSet<String>,
    /// Those of targets whose objects name a block; on another nothing tells a new block from an old one.
    after: BTreeSet<String>,
    /// Objects that are destroyed, by the block that they carry.
    destroyed: BTreeMap<String, Vec<String>>,
}

impl Blocks {
    /// Takes one target in.
    pub(crate) fn see(
        &mut self,
        kind: &dyn Target,
        found: &[Observed],
        wanted: &[Resource],
        changes: &[Change],
    ) {
        let deleted = changes.iter().filter(|change| change.action == Action::Delete);
        let deleted: BTreeSet<&str> = deleted.map(|change| change.address.as_str()).collect();
        let mut named = false;
        for object in found.iter().filter(|object| object.owned) {
            let Some(block) = kind.block_of(object) else { continue };
            named = true;
            if !self.before.contains(block) {
                self.before.insert(block.to_owned());
            }
            if deleted.contains(object.address.as_str()) {
                self.destroyed.entry(block.to_owned()).or_default().push(object.address.clone());
            }
        }
        for resource in wanted.iter().filter(|_| named) {
            if !self.after.contains(resource.block.as_str()) {
                self.after.insert(resource.block.to_string());
            }
        }
    }

    /// One warning where exactly one block of a kind went and exactly one came, and objects with the old name go.
    pub(crate) fn diagnostics(&self, compiled: &Compiled) -> Vec<Diagnostic> {
        let mut all = Vec::new();
        let (gone, new) =
            (by_kind(self.before.difference(&self.after)), by_kind(self.after.difference(&self.before)));
        for (kind, gone) in gone {
            let (&[old], Some(&[now])) = (gone.as_slice(), new.get(kind).map(Vec::as_slice)) else {
                continue;
            };
            let there = compiled.origin(&format!("{kind}.{old}")).is_some();
            let carries =
                |address: &String| address.rsplit('/').next().is_some_and(|name| name.contains(old));
            let destroyed = self.destroyed.get(&format!("{kind}.{old}"));
            let Some(origin) = compiled.origin(&format!("{kind}.{now}")).filter(|_| !there) else { continue };
            if !destroyed.is_some_and(|addresses| addresses.iter().any(carries)) {
                continue;
            }
            let message = format!(
                "{kind}.{old} is gone and {kind}.{now} is new: what carries the old name is destroyed"
            );
            all.push(
                Diagnostic::warning(codes::RENAMED, message)
                    .at(origin.header, "carries other names")
                    .with_help(format!(
                        "if this is a rename: `name = \"{old}\"` in {kind}.{now} keeps the objects"
                    )),
            );
        }
        all
    }
}

/// Labels by kind of block; a target's address has three parts and is none of these.
fn by_kind<'a>(blocks: impl Iterator<Item = &'a String>) -> BTreeMap<&'a str, Vec<&'a str>> {
    let mut kinds: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (kind, label) in blocks.filter_map(|block| block.split_once('.')) {
        if kind != "target" {
            kinds.entry(kind).or_default().push(label);
        }
    }
    kinds
}
