//! From trees to the fleet: schemas, names, references, evaluation of attributes, and the rules inside one block.
//!
//! The result is a [`Fleet`] (what is wanted) and a [`Program`] (policies and tests, evaluated later). Everything
//! wrong is a diagnostic with its place; a block with a fault is left out so that the others are still checked.
//! This crate knows no target, no price and no quota, and reads nothing by itself: the text of a template is asked
//! of [`Inputs::read`].
//!
//! Enter at [`evaluate`]; the closed schemas are data in `schema/blocks.toml`, read by [`schema`].

pub mod codes;
mod collect;
mod constraint;
mod decode;
mod instances;
mod labels;
mod later;
mod others;
mod resolve;
mod rules;
pub mod schema;
mod subject;
mod template;
mod typed;
mod values;
mod words;

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::FileFault;
use poolwright_expression::quantity::Version;
use poolwright_expression::{BlockRef, Expr, Value};
use poolwright_model::{Fleet, Program};
use poolwright_syntax::tree;

pub use later::Later;
pub use resolve::resolve_alone;
pub use template::template;
pub use values::{Given, GivenValue};

/// What evaluation needs besides the trees.
pub struct Inputs<'a> {
    /// The version of Poolwright, for `required_version`.
    pub version: &'a Version,
    /// Reads a file below the fleet's folder as text; the error is a few words for a label.
    pub read: &'a (dyn Fn(&str) -> Result<String, String> + Sync),
    /// The fleet's folder, for functions such as `file` and `fileset`; none: they say that files cannot be read.
    pub files: Option<&'a dyn FleetFiles>,
    /// Values of variables that are given from outside of the files, by name.
    pub variables: &'a BTreeMap<String, Given>,
    /// Computes an attribute of a pool or lot (LANGUAGE §6.2) of a fleet that has that pool alone.
    pub computed: Option<Computed<'a>>,
    /// Expressions that somebody asks about, of the fleet's own folder.
    pub asked: &'a [tree::Expr],
    /// The folders of modules, if there are any.
    pub modules: Option<&'a Modules>,
}

/// See [`Inputs::computed`]. The map holds the texts of price files, by their paths as written.
pub type Computed<'a> =
    &'a (dyn Fn(&Fleet, &BTreeMap<String, String>, &BlockRef, &str) -> Option<Value> + Sync);

/// The fleet's folder, as functions of expressions see it. Paths are relative to it, `/` between their parts.
pub trait FleetFiles: Sync {
    /// The bytes of a file.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    fn read(&self, path: &str) -> Result<Vec<u8>, FileFault>;

    /// The paths of all files below a folder (empty: the fleet's folder itself), relative to it.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    fn list(&self, folder: &str) -> Result<Vec<String>, FileFault>;
}

/// The folders that `module` blocks use, read already.
#[derive(Debug, Default)]
pub struct Modules {
    /// The files of each folder. Folders are named by their path from the fleet's own.
    pub folders: BTreeMap<Arc<str>, Vec<tree::File>>,
    /// Which folder a `module` block uses, by the folder that it stands in and its label. One whose folder could not be
    /// read is not there, which has been reported.
    pub calls: BTreeMap<(Arc<str>, Arc<str>), Arc<str>>,
}

/// What the files say.
#[derive(Debug)]
pub struct Evaluated {
    /// The fleet; none without a sound `fleet` block. It lacks the blocks that have faults.
    pub fleet: Option<Fleet>,
    /// Policies and tests.
    pub program: Program,
    /// The expressions that were asked about, to be evaluated when prices and layout exist; or what is wrong with them.
    pub asked: Vec<Result<Expr, Vec<Diagnostic>>>,
    /// Texts of the files that price books name, by their paths as written.
    pub files: BTreeMap<String, String>,
    /// What is checked and not yet written to its target, in the order of places; empty with a fault.
    pub later: Vec<Later>,
    /// Every fault and note, in the order of places.
    pub diagnostics: Vec<Diagnostic>,
}

/// Evaluates the files of a folder. Their order does not matter.
#[must_use]
pub fn evaluate(trees: &[tree::File], inputs: Inputs<'_>) -> Evaluated {
    let schema = schema::schema();
    let mut diagnostics = Vec::new();
    let root = collect::collect(schema, "", trees, &mut diagnostics);
    let folders = inputs.modules.into_iter().flat_map(|modules| &modules.folders);
    let folders: BTreeMap<Arc<str>, Arc<collect::Declared<'_>>> = folders
        .map(|(folder, files)| {
            let declared = collect::collect(schema, folder, files, &mut diagnostics);
            (folder.clone(), Arc::new(declared))
        })
        .collect();
    let blocks = instances::Blocks::new(root);
    let values = values::Values::new(schema, &blocks, &folders, &inputs);
    values.expand();
    values.variables();
    values.locals();
    let (fleet, program) = decode::decode(&values, &inputs);
    let asked = values.asked(inputs.asked);
    let values::Found { diagnostics: reported, checked, later: written, files } = values.finish();
    diagnostics.extend(reported);
    let mut later = Vec::new();
    // With a fault the fleet is not whole: what no target seems to get may be taken by the block that is missing.
    if !diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.extend(checked_only(checked));
        if let Some(fleet) = &fleet {
            later.extend(later::later(fleet, &program, written));
        }
    }
    Diagnostic::sort(&mut diagnostics);
    Evaluated { fleet, program, asked, files, later, diagnostics }
}

/// One note for all attributes that are checked and not emitted: it should be seen once, not on every line.
fn checked_only(mut checked: Vec<(Span, String)>) -> Option<Diagnostic> {
    checked.sort();
    checked.dedup();
    let count = checked.len();
    let (plural, them) = if count == 1 { ("attribute is", "it") } else { ("attributes are", "them") };
    let mut checked = checked.into_iter();
    let (first, name) = checked.next()?;
    let message =
        format!("{count} {plural} checked, not yet emitted: no target of this version takes {them}");
    let mut diagnostic = Diagnostic::note(codes::CHECKED_ONLY, message).at(first, format!("`{name}`"));
    for (span, name) in checked {
        diagnostic = diagnostic.also(span, format!("`{name}`"));
    }
    Some(diagnostic)
}
