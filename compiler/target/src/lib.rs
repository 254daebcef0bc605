//! What a target is to the engine: lower a fleet, turn objects into files and back, compare like the target does.
//!
//! The [`Target`] trait is implemented once per target kind in `targets/`. [`directory`] is the backend that every
//! kind has for nothing: the target as a folder, read and written through [`files::Files`]. This crate names no
//! concrete target, and lowering never touches the network, a file or the clock.
//!
//! Enter at [`Target`] to make a kind, at [`directory::Directory`] to use one, at [`backend::Backend`] to see what
//! the engine asks of either.

use std::collections::BTreeMap;

use poolwright_diagnostics::Diagnostic;
use poolwright_model::resource::{File, Observed};
use poolwright_model::{Fleet, Layout, Prices, Resource, canonical};
use serde_json::Value;

pub mod backend;
pub mod codes;
pub mod directory;
pub mod error;
pub mod files;
pub mod inventory;
pub mod manifest;
pub mod names;
pub mod ownership;

pub use backend::Backend;
pub use error::{ErrorClass, TargetError};

/// Everything that a lowering may look at.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The fleet.
    pub fleet: &'a Fleet,
    /// What the rules make of it.
    pub layout: &'a Layout,
    /// Prices of its lots.
    pub prices: &'a Prices,
    /// The target to lower for.
    pub target: &'a poolwright_model::fleet::Target,
}

/// What a lowering gives: the objects, and what the target cannot express.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// In any order; the engine sorts by address.
    pub resources: Vec<Resource>,
    /// Never a silent loss: what is not in `resources` is said here.
    pub diagnostics: Vec<Diagnostic>,
}

/// A file that is no longer what the target's kind writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFault {
    /// Its path below the folder.
    pub path: String,
    /// Line from 1, if known.
    pub line: Option<u32>,
    /// What is wrong with it.
    pub message: String,
}

/// A kind of target. All methods are pure: equal arguments, equal results.
pub trait Target: Send + Sync {
    /// `kubernetes`, `slurm`, `aws`, `alibaba`.
    fn kind(&self) -> &'static str;

    /// What is proven of a target of this kind and version: `live-proven`, `schema-checked`,
    /// `rendered, not schema-checked`.
    fn support(&self, target: &poolwright_model::fleet::Target) -> &'static str;

    /// The objects that the fleet wants on one target.
    fn lower(&self, input: Input<'_>) -> Lowered;

    /// What [`Target::lower`] would say, without its objects. A kind whose targets are large keeps none of them.
    fn check(&self, input: Input<'_>) -> Vec<Diagnostic> {
        self.lower(input).diagnostics
    }

    /// The files that hold these objects, by CONTRACT §3. `resources` are all of one target, in any order.
    /// May look at `address`, `kind`, `identity` and `body` only, so that an object from a saved plan, or found in
    /// a file, gives the same bytes as one that was just lowered.
    fn to_files(
        &self,
        target: &poolwright_model::fleet::Target,
        fleet: &str,
        resources: &[Resource],
    ) -> Vec<File>;

    /// The objects in these files, and the files that hold none.
    #[expect(
        clippy::wrong_self_convention,
        reason = "the counterpart of `to_files`; a kind is asked, not made"
    )]
    fn from_files(
        &self,
        target: &poolwright_model::fleet::Target,
        files: &[File],
    ) -> (Vec<Observed>, Vec<FileFault>);

    /// Brings a body to the form in which two equal objects are equal: defaults filled in, quantities canonical,
    /// what the server adds taken off. Applied to both sides of a comparison, never to what is written.
    fn normalise(&self, kind: &str, body: &mut Value);

    /// The key that tells elements of a list apart, by the list's JSON pointer pattern (`*` for an index):
    /// `name` for `/spec/resourceGroups/*/flavors`. None: by position.
    fn list_key(&self, kind: &str, pointer: &str) -> Option<&'static str>;

    /// Why a change of this field needs a new object, if it does: `is immutable in Kueue 0.17`. The pointer is a
    /// pattern as in [`Target::list_key`]; every field is asked for, and the fields around it.
    fn immutable(
        &self,
        target: &poolwright_model::fleet::Target,
        kind: &str,
        pointer: &str,
    ) -> Option<String>;

    /// As [`Target::immutable`], for an object as it is now, where the rule depends on it: a field that can be set
    /// once and never changed again.
    fn immutable_in(
        &self,
        target: &poolwright_model::fleet::Target,
        kind: &str,
        pointer: &str,
        now: &Value,
    ) -> Option<String> {
        let _ = now;
        self.immutable(target, kind, pointer)
    }

    /// The address of the block that an object says it was made from: `tenant.nlp`. None: it does not say.
    fn block_of<'a>(&self, object: &'a Observed) -> Option<&'a str> {
        let _ = object;
        None
    }

    /// What goes when an object of this kind is destroyed, beside the object: `and everything in it`. Facts only; none
    /// where nothing else does, or where it is not known.
    fn takes_along(&self, kind: &str) -> Option<&'static str> {
        let _ = kind;
        None
    }

    /// Paths of the files that hold an object. The default asks [`Target::to_files`] for the object alone; a kind
    /// that knows the path without rendering says it faster.
    fn files_of(&self, target: &poolwright_model::fleet::Target, object: &Observed) -> Vec<String> {
        let files = self.to_files(target, "", &[as_resource(target, object)]);
        files.into_iter().map(|file| file.path).collect()
    }
}

/// An object that was found, in the form in which files are made from it.
#[must_use]
pub fn as_resource(target: &poolwright_model::fleet::Target, object: &Observed) -> Resource {
    Resource {
        address: object.address.clone(),
        target: target.meta.address.clone(),
        kind: object.kind.clone(),
        identity: object.identity.clone(),
        body: object.body.clone(),
        depends_on: Vec::new(),
        block: poolwright_model::Address::new(""),
        origin: poolwright_diagnostics::Span::default(),
        field_origins: BTreeMap::new(),
        remark: None,
        ownership: BTreeMap::new(),
        protected: false,
    }
}

/// The digest over a target's own lowered objects, in any order: what ends in files, and nothing else, so that a
/// change elsewhere in the fleet does not touch this target.
#[must_use]
pub fn input_digest(resources: &[Resource]) -> String {
    let mut sorted: Vec<&Resource> = resources.iter().collect();
    sorted.sort_by(|a, b| a.address.cmp(&b.address));
    let mut digest = canonical::Digester::default();
    for resource in sorted {
        // Names and a value whose keys are text are always JSON.
        let line = (&resource.address, &resource.kind, &resource.identity, &resource.body);
        digest.add(serde_json::to_string(&line).unwrap_or_default());
        digest.add("\n");
    }
    digest.finish()
}
