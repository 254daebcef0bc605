//! From the layout of one cluster to its objects. Every rule has been applied before; here they are spelt out, and
//! what the cluster's version cannot say is refused.

mod capacity;
mod checks;
mod draft;
mod people;
mod quota;
mod version;

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_model::fleet::{Kueue, Target};
use poolwright_model::layout::KueueCluster;
use poolwright_model::{Address, Fleet, Layout, Meta, Resource};
use poolwright_target::{Input, Lowered};

use crate::codes;

pub(crate) use draft::Draft;

/// What a lowering looks at, and what it has made so far.
pub(crate) struct Lowering<'a> {
    fleet: &'a Fleet,
    layout: &'a Layout,
    target: &'a Target,
    kueue: &'a Kueue,
    cluster: &'a KueueCluster,
    short: String,
    /// Whether objects are wanted, or only what is wrong with them.
    keep: bool,
    /// Every object so far, by address, with the block that makes it.
    made: BTreeMap<String, (&'a Meta, Option<Resource>)>,
    diagnostics: Vec<Diagnostic>,
}

/// The objects of one cluster.
pub(crate) fn lower(input: Input<'_>) -> Lowered {
    run(input, true)
}

/// What is wrong with the objects of one cluster. Most of the work on an object is its head and its digest, which can
/// be wrong in no other way than by its names and labels.
pub(crate) fn check(input: Input<'_>) -> Vec<Diagnostic> {
    run(input, false).diagnostics
}

fn run(input: Input<'_>, keep: bool) -> Lowered {
    let target = input.target;
    let Some(cluster) = input.layout.kueue.get(&target.meta.address) else { return Lowered::default() };
    let Some(kueue) = target.kubernetes().and_then(|kubernetes| kubernetes.kueue.as_ref()) else {
        let fault = Diagnostic::error(
            codes::KUEUE_VERSION,
            format!("queues reach `{}`, which has no Kueue", target.meta.address),
        );
        let fault = fault
            .at(target.meta.origin.header, "nothing here says which Kueue is installed")
            .with_help("say so in the target: kueue = { version = \"0.17\" }");
        return Lowered { resources: Vec::new(), diagnostics: vec![fault] };
    };
    let mut lowering = Lowering {
        fleet: input.fleet,
        layout: input.layout,
        target,
        kueue,
        cluster,
        short: target.short(),
        keep,
        made: BTreeMap::new(),
        diagnostics: Vec::new(),
    };
    lowering.version();
    lowering.topologies();
    lowering.flavors();
    lowering.dispatch_flavors();
    lowering.cohorts();
    lowering.provisioning();
    lowering.multikueue();
    lowering.cluster_queues();
    lowering.namespaces();
    lowering.submitters();
    lowering.local_queues();
    lowering.classes();
    lowering.finish()
}

impl<'a> Lowering<'a> {
    fn finish(mut self) -> Lowered {
        // What exists already, or belongs to somebody else, is nothing to wait for.
        let mut resources: Vec<Resource> = Vec::new();
        let addresses: BTreeSet<String> = self.made.keys().cloned().collect();
        for mut resource in std::mem::take(&mut self.made).into_values().filter_map(|(_, resource)| resource)
        {
            resource.depends_on.retain(|address| addresses.contains(address));
            resources.push(resource);
        }
        Lowered { resources, diagnostics: self.diagnostics }
    }

    /// Says something once, however many objects it is about.
    fn say(&mut self, diagnostic: Diagnostic) {
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Where the installed Kueue was written.
    fn kueue_span(&self) -> Span {
        self.target.meta.origin.of("kueue")
    }

    /// A block that the layout names. The layout comes from the same fleet, so this fails only by a fault of ours;
    /// it is said all the same, since an object would be missing.
    fn block<T>(&mut self, found: Option<&'a T>, address: &Address) -> Option<&'a T> {
        if found.is_none() {
            let short = &self.short;
            let message = format!("the layout of {short} names `{address}`, which the fleet does not have");
            self.say(
                Diagnostic::error(codes::INCONSISTENT_LAYOUT, message)
                    .at(self.target.meta.origin.header, "while its objects were made")
                    .with_help("this is a fault of Poolwright: please report it with the files that show it"),
            );
        }
        found
    }

    /// Refuses a list that the version would not take.
    fn at_most(&mut self, limit: &str, count: usize, what: &str, of: &str, span: Span) {
        let most = crate::facts::limit(limit, &self.kueue.version);
        if count > most {
            let version = &self.kueue.version;
            let message = format!("{of} has {count} {what}; Kueue {version} takes at most {most}");
            let diagnostic = Diagnostic::error(codes::TOO_MANY, message)
                .at(span, format!("{count} {what}"))
                .also(self.kueue_span(), format!("Kueue {version} is installed here"));
            self.say(
                diagnostic.with_help(format!(
                    "bring it down to {most}, for instance by splitting the block in two"
                )),
            );
        }
    }

    /// The target's own head.
    fn target_meta(&self) -> &'a Meta {
        &self.target.meta
    }
}
