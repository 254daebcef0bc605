//! From the layout of one Slurm cluster to its objects.
//!
//! Every key passes through [`Object::set`], which knows what the target's version knows; every name through
//! [`names`]; whatever cannot be said becomes a diagnostic.

mod accounts;
mod config;
mod fabrics;
mod job_submit;
mod names;
mod nodes;
mod numbers;
mod partitions;
mod prices;
mod topology;

use std::collections::{BTreeMap, BTreeSet};

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::quantity::Version;
use poolwright_model::fleet::{PreemptBy, SlurmTarget};
use poolwright_model::layout::SlurmCluster;
use poolwright_model::{Address, Fleet, Meta, Resource};
use poolwright_target::{Input, Lowered};
use serde_json::{Map, Value};

use crate::{address, codes, keys, normal};

/// The first and the last version whose keys are in `data/keys.tsv`.
const OLDEST: &str = "22.05";
const NEWEST: &str = "26.05";

/// What all parts of the lowering look at, and where they put what they find.
pub(crate) struct Lowering<'a> {
    input: Input<'a>,
    slurm: &'a SlurmTarget,
    cluster: &'a SlurmCluster,
    short: String,
    out: Lowered,
}

/// All objects of one Slurm cluster.
pub(crate) fn lower(input: Input<'_>) -> Lowered {
    let (Some(slurm), Some(cluster)) =
        (input.target.slurm(), input.layout.slurm.get(&input.target.meta.address))
    else {
        return Lowered::default();
    };
    let mut lowering =
        Lowering { input, slurm, cluster, short: input.target.short(), out: Lowered::default() };
    lowering.check_version();
    lowering.check_preemption();
    let nodes = lowering.nodes();
    lowering.node_sets(&nodes);
    lowering.gres(&nodes);
    let topology = lowering.topology(&nodes);
    let weights = lowering.weights(&nodes);
    lowering.partitions(&nodes, &weights);
    lowering.qos();
    let budgets = lowering.accounts(&nodes, &weights);
    let script = lowering.job_submit(&nodes);
    lowering.config(&nodes, topology, budgets, script);
    lowering.out
}

impl<'a> Lowering<'a> {
    fn fleet(&self) -> &'a Fleet {
        self.input.fleet
    }

    fn target_meta(&self) -> &'a Meta {
        &self.input.target.meta
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.out.diagnostics.push(diagnostic);
    }

    /// An object of a kind and name that a block makes.
    fn object(&self, kind: &'static str, name: &str, block: &Meta) -> Object {
        Object {
            kind,
            name: name.to_owned(),
            block: block.address.clone(),
            origin: block.origin.header,
            protect: block.protect,
            body: Map::new(),
            origins: BTreeMap::new(),
            depends_on: BTreeSet::new(),
            remark: None,
        }
    }

    fn address_of(&self, kind: &str, name: &str) -> String {
        address::address(&self.short, kind, name)
    }

    /// Takes an object in; a key that the version does not know is reported and left out.
    fn push(&mut self, object: Object) {
        let Object { kind, name, block, origin, protect, mut body, origins, depends_on, remark } = object;
        let version = &self.slurm.version;
        let unknown: Vec<(String, Version)> = body
            .keys()
            .filter_map(|name| keys::find(kind, name))
            .filter(|key| key.since > *version)
            .map(|key| (key.name.to_owned(), key.since.clone()))
            .collect();
        for (key, _) in &unknown {
            body.remove(key);
        }
        // A version older than all that is known is refused as such; otherwise one fault an object.
        let known = Version::parse(OLDEST).is_ok_and(|oldest| *version >= oldest);
        if let Some((key, since)) = unknown.first().filter(|_| known) {
            let span = origins.get(&format!("/{key}")).copied().unwrap_or(origin);
            let keys: Vec<String> = unknown.iter().map(|(key, _)| format!("`{key}`")).collect();
            self.report(
                Diagnostic::error(
                    codes::UNKNOWN_KEY,
                    format!(
                        "{kind} `{name}` needs {}, which Slurm {} does not know",
                        keys.join(" and "),
                        self.slurm.version
                    ),
                )
                .at(span, format!("known from Slurm {since}"))
                .with_note("a controller stops at a key that it does not know")
                .with_help(format!("raise the target's version to {since}, or do without")),
            );
        }
        let mut body = Value::Object(body);
        normal::normalise(kind, &mut body);
        self.out.resources.push(Resource {
            address: self.address_of(kind, &name),
            target: self.target_meta().address.clone(),
            kind: kind.to_owned(),
            identity: address::identity(kind, &name),
            body,
            depends_on: depends_on.into_iter().collect(),
            block,
            origin,
            field_origins: origins.into_iter().map(|(path, span)| (path.into(), span)).collect(),
            remark,
            ownership: BTreeMap::new(),
            protected: protect,
        });
    }

    fn dangling(&mut self, what: &str, missing: &Address, meta: Option<&Meta>) {
        let span = meta.unwrap_or(self.target_meta()).origin.header;
        self.report(
            Diagnostic::error(
                codes::DANGLING,
                format!("{what} names `{missing}`, which is not in the fleet"),
            )
            .at(span, "named from here")
            .with_help("declare it, or take it out of the lists that name it"),
        );
    }

    fn check_version(&mut self) {
        let version = &self.slurm.version;
        let span = self.target_meta().origin.of("version");
        let bound = |text: &str| Version::parse(text).ok();
        if bound(OLDEST).is_some_and(|oldest| *version < oldest) {
            self.report(
                Diagnostic::error(codes::VERSION, format!("Slurm {version} is older than {OLDEST}"))
                    .at(span, format!("{OLDEST} to {NEWEST} are known"))
                    .with_help("upgrade the cluster, or write the version that it really has"),
            );
        } else if bound(&format!("{NEWEST}.999")).is_some_and(|newest| *version > newest) {
            self.report(
                Diagnostic::warning(codes::VERSION, format!("Slurm {version} is newer than {NEWEST}"))
                    .at(span, "its settings are taken to be those of the newest known version")
                    .with_help("try the files on a test controller first"),
            );
        }
    }

    fn check_preemption(&mut self) {
        let fleet = self.fleet();
        let classes: Vec<_> =
            self.cluster.qos.iter().filter_map(|qos| fleet.classes.get(&qos.class)).collect();
        for class in &classes {
            if self.slurm.preempt_by != PreemptBy::Tier {
                continue;
            }
            if !class.when_preempted.exempt.0.is_zero() {
                self.report(
                    Diagnostic::warning(
                        codes::PREEMPTION,
                        format!("the exempt time of class `{}` does not hold", class.meta.name),
                    )
                    .at(class.meta.origin.of("when_preempted.exempt"), "partitions have none")
                    .with_help("use `preempt_by = \"qos\"`, whose QoS have `PreemptExemptTime`"),
                );
            }
        }
    }
}

/// An object under construction.
pub(crate) struct Object {
    kind: &'static str,
    name: String,
    block: Address,
    origin: Span,
    protect: bool,
    body: Map<String, Value>,
    origins: BTreeMap<String, Span>,
    depends_on: BTreeSet<String>,
    remark: Option<String>,
}

impl Object {
    /// Sets a key; `span` is where its value was written.
    fn set(&mut self, key: &str, value: impl Into<Value>, span: Span) -> &mut Self {
        self.body.insert(key.to_owned(), value.into());
        self.origins.insert(format!("/{key}"), span);
        self
    }

    /// Says that another object must be there first.
    fn after(&mut self, address: String) -> &mut Self {
        self.depends_on.insert(address);
        self
    }
}
